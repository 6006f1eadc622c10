// What a source text knows of itself: •args •path •name •state •wdpath
#include "runtime/bytecode/unit.h"

#include "runtime/system/evaluate.h"
#include "runtime/system/functions.h"
#include "runtime/vm/error.h"

namespace griddle::system_functions {

Value unit_arguments(Context& cx, Unit& unit) {
  return unit.args.is_absent() ? to_value(make_list(cx.heap, ElementType::f64, 0)) : unit.args;
}

Value unit_path(Context& cx, Unit& unit) {
  if (unit.path.empty()) fail(cx, "•path: This text has no path");
  return make_string(cx.heap, unit.path);
}

Value unit_name(Context& cx, Unit& unit) {
  if (unit.name.empty()) fail(cx, "•name: This text has no name");
  return make_string(cx.heap, unit.name);
}

Value unit_state(Context& cx, Unit& unit) {
  Value parts[] = {unit_path(cx, unit), unit_name(cx, unit), unit_arguments(cx, unit)};
  return make_values(cx.heap, parts);
}

Value working_directory(Context& cx, Unit&) { return make_string(cx.heap, current_directory()); }

}  // namespace griddle::system_functions
