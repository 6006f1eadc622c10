// SystemState: the state behind system values, one for each interpreter. It gives the compiler their values.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/bytecode/unit.h"
#include "runtime/system/streams.h"
#include "runtime/value/context.h"

namespace griddle {

class SystemState final : public SystemResolver {
 public:
  // Enters itself in the context.
  SystemState(Context&, Streams&);
  ~SystemState();
  SystemState(const SystemState&) = delete;
  SystemState& operator=(const SystemState&) = delete;

  Value resolve(Context&, Unit&, std::string_view name) override;
  void trace(ObjectVisitor& visitor) override {
    for (const Value& v : values_) visitor.visit(v);
    for (const auto& [path, v] : imported) visitor.visit(v);
  }

  Streams& streams;
  // Values of the files that •Import has run, by real path; absent while the file runs.
  std::unordered_map<std::string, Value> imported;

 private:
  // System values that are the same in every source, by place in the table; absent until used.
  std::vector<Value> values_;
};

// Thrown by •Exit: passes through ⎊ and ends the evaluation. The host decides what that means.
struct ExitRequest {
  int code;
};

}  // namespace griddle
