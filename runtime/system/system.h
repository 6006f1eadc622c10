// SystemState: the state behind system values, one for each interpreter. It gives the compiler their values.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/bytecode/unit.h"
#include "runtime/system/reach.h"
#include "runtime/system/streams.h"
#include "runtime/value/context.h"
#include "runtime/value/heap_memory.h"
#include "runtime/value/namespace.h"

namespace griddle {

class TimeZone;  // data/time_zone.h

// Values of the files that •Import has run, by real path; absent while the file runs.
struct ImportCache {
  std::unordered_map<std::string, Value> values;
  void trace(ObjectVisitor& visitor) const {
    for (const auto& [path, v] : values) visitor.visit(v);
  }
};

// What programs change, and may so come to hold itself by way of its own functions, where no collection of cycles looks. It is
// emptied when its interpreter ends.
class ChangeableObject : public NativeObject {
 public:
  // `first` begins the list of all of an interpreter.
  explicit ChangeableObject(ChangeableObject*& first) : next_(first), link_(&first) {
    if (next_ != nullptr) next_->link_ = &next_;
    first = this;
  }
  ~ChangeableObject() override { leave(); }
  void leave() {
    if (link_ == nullptr) return;
    *link_ = next_;
    if (next_ != nullptr) next_->link_ = link_;
    link_ = nullptr;
  }

 private:
  ChangeableObject* next_;
  ChangeableObject** link_;  // what leads here; null outside of the list
};

// The system values and primitives that a source may use: all of them, or what an evaluator of •ReBQN leaves of them.
class SystemValues : public SystemResolver {
 public:
  virtual bool permits(Reach) const = 0;
  // Lists the normalised names of all values.
  virtual std::vector<std::string> names() const = 0;
  // Gives •primitives.
  virtual Value primitives(Context&) = 0;
  virtual ImportCache& imports() = 0;
};

// Gives what a unit's source may use.
inline SystemValues& values_of(const Unit& unit) { return static_cast<SystemValues&>(*unit.resolver); }

// What •plot gave last, for a host that shows pictures as such.
struct LastPicture {
  explicit LastPicture(Heap& heap) : shown(heap) {}
  Value value;     // the table of characters
  HeapText shown;  // what a terminal shows instead
};

class SystemState final : public SystemValues {
 public:
  // Enters itself in the context.
  SystemState(Context&, Streams&);
  ~SystemState();
  SystemState(const SystemState&) = delete;
  SystemState& operator=(const SystemState&) = delete;

  Value resolve(Context&, Unit&, std::string_view name) override;
  bool is_usual(std::string_view) const override { return true; }
  bool permits(Reach reach) const override { return is_permitted(capabilities, reach); }
  std::vector<std::string> names() const override;
  Value primitives(Context&) override;
  ImportCache& imports() override { return imports_; }
  void trace(ObjectVisitor& visitor) override {
    for (const Value& v : values_) visitor.visit(v);
    imports_.trace(visitor);
    visitor.visit(picture.value);
    for (const auto& [entries, table] : field_tables) visitor.visit(table.get());
  }

  Streams& streams;
  // The names of namespaces of methods, by where these are listed (table.h).
  std::vector<std::pair<const struct MethodEntry*, Ref<FieldTable>>> field_tables;
  std::uint32_t capabilities = ~0u;  // what programs may reach, a bit each (reach.h)
  std::string root;                  // the only folder whose files they reach, as a real path; empty: all
  std::unordered_map<std::string, std::shared_ptr<const TimeZone>> time_zones;  // that •date has read, by name
  FileProvider* files = nullptr;                                                // where files come from; null: the machine
  std::optional<std::uint64_t> seed;                                            // of •rand
  ChangeableObject* changeable = nullptr;
  Pictures pictures = Pictures::none;
  LastPicture picture;
  // Gives how the host shows pictures, and asks it where it is to be asked.
  Pictures shown_pictures() {
    if (pictures == Pictures::asked) pictures = streams.pictures();
    return pictures;
  }

  // Gives up what may be part of a cycle: the values of modules, and what changeable objects hold.
  void forget() {
    imports_.values.clear();
    picture.value = Value();
    while (changeable != nullptr) {
      const auto one = Ref<ChangeableObject>::share(changeable);
      one->leave();
      one->clear();
    }
  }

 private:
  ImportCache imports_;
  // System values that are the same in every source, by place in the table; absent until used.
  std::vector<Value> values_;
};

// Thrown by •Exit: passes through ⎊ and ends the evaluation. The host decides what that means.
struct ExitRequest {
  int code;
};

}  // namespace griddle
