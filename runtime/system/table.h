// The table of system values: one line each in table.cc.
#pragma once

#include <span>
#include <string_view>

#include "runtime/system/reach.h"
#include "runtime/value/context.h"
#include "runtime/value/function.h"
#include "runtime/value/namespace.h"

namespace griddle {

struct Unit;  // bytecode/unit.h

struct SystemEntry {
  enum class Kind : std::uint8_t { function, modifier1, modifier2, value };

  const char* spelling;  // with •
  Kind kind;
  // Marks what depends on the source that it stands in; such a function's state is the Unit.
  bool in_unit;
  MonadCode monad;  // of a function, or of what a modifier derives; null: not with one argument
  DyadCode dyad;
  Value (*make)(Context&, Unit&);  // of a value
  Reach reach = Reach::none;       // of what lies in a namespace, each function's own counts
  Reach dyad_reach = Reach::none;  // of a function with two arguments
  Value (*refusal)(Context&, const Function& self, const Value& w, const Value& x) = nullptr;  // see NativeFunction

  constexpr SystemEntry refusing(Value (*message)(Context&, const Function& self, const Value& w, const Value& x)) const {
    SystemEntry entry = *this;
    entry.refusal = message;
    return entry;
  }
  // Gives the same entry with another reach, or one for each number of arguments.
  constexpr SystemEntry reaching(Reach with_one, Reach with_two) const {
    SystemEntry entry = *this;
    entry.reach = with_one;
    entry.dyad_reach = with_two;
    return entry;
  }
  constexpr SystemEntry reaching(Reach r) const { return reaching(r, r); }
};

// Makes the entry of a function whose state is the unit that it stands in.
constexpr SystemEntry function_in_unit(const char* spelling, MonadCode monad, DyadCode dyad = nullptr) {
  return {spelling, SystemEntry::Kind::function, true, monad, dyad, nullptr};
}

std::span<const SystemEntry> system_table();
// Finds an entry by its normalised name; null where there is none.
const SystemEntry* find_system_entry(std::string_view name);
// Makes the value; of an operation that the unit is not permitted, one that fails when it is called. A value that is not
// permitted fails at once.
Value make_system_value(Context&, Unit&, const SystemEntry&);

// Makes a namespace of what may be permitted one by one; names of fields are what stands after the point.
Value make_entry_namespace(Context&, Unit&, std::span<const SystemEntry>);

// Makes a native function; a null meaning becomes one that fails.
Value make_system_function(Context&, const char* spelling, MonadCode, DyadCode, Ref<NativeObject> state = {});
Value make_system_modifier(Context&, int operands, const char* spelling, MonadCode, DyadCode);

// Makes a namespace of functions that share a state.
struct MethodEntry {
  const char* name;      // of the field, normalised
  const char* spelling;  // as displayed
  MonadCode monad;
  DyadCode dyad;
};
// Gives the table of their names, which all such namespaces of an interpreter share.
Ref<FieldTable> method_fields(Context&, std::span<const MethodEntry>);
Value make_method_namespace(Context&, std::span<const MethodEntry>, const Ref<NativeObject>& state = {});

}  // namespace griddle
