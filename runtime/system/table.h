// The table of system values: one line each in table.cc.
#pragma once

#include <span>
#include <string_view>

#include "runtime/bytecode/unit.h"
#include "runtime/value/context.h"
#include "runtime/value/function.h"

namespace griddle {

struct SystemEntry {
  enum class Kind : std::uint8_t { function, modifier1, modifier2, value };

  const char* spelling;  // with •
  Kind kind;
  // Marks what depends on the source that it stands in; such a function's state is the Unit.
  bool in_unit;
  MonadCode monad;  // of a function, or of what a modifier derives; null: not with one argument
  DyadCode dyad;
  Value (*make)(Context&, Unit&);  // of a value
};

std::span<const SystemEntry> system_table();
Value make_system_value(Context&, Unit&, const SystemEntry&);

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
Value make_method_namespace(Context&, std::span<const MethodEntry>, const Ref<NativeObject>& state = {});

}  // namespace griddle
