// Compares programs whose blocks are translated to machine code at once with programs that are interpreted.
#pragma once

#include <doctest/doctest.h>

#include <string>

#include "tests/support/host.h"

namespace griddle::testing {

class NativeAndInterpreted {
 public:
  NativeAndInterpreted() : native_(with(MachineCode::always)), interpreted_(with(MachineCode::never)) {}

  // Checks that a program gives the same, or fails with the same message at the same places.
  void agree(const std::string& program) {
    INFO(program);
    CHECK(native_(program) == interpreted_(program));
  }
  // The same for the body of a function of 𝕨 and 𝕩, each of some values for both, called often enough in a row.
  void agree_on(const std::string& body, std::initializer_list<const char*> values) {
    for (const char* w : values)
      for (const char* x : values)
        agree("F←{" + body + "}\n⟨(" + w + ")F " + x + ",(" + x + ")F " + w + ",(" + w + ")F " + x + "⟩");
  }

 private:
  static Host with(MachineCode use) {
    Options options;
    options.machine_code = use;
    return {Interpreter(options)};
  }
  Host native_, interpreted_;
};

}  // namespace griddle::testing
