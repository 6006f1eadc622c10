// What a source text knows of itself: •args •path •name •state •wdpath
#include "runtime/bytecode/unit.h"

#include "runtime/system/files/file_names.h"
#include "runtime/system/files/name_text.h"
#include "runtime/system/functions.h"
#include "runtime/vm/error.h"

namespace griddle::system_functions {

Value unit_arguments(Context& cx, Unit& unit) {
  if (unit.args.is_absent()) fail(cx, "•args: This text has no arguments");
  return unit.args;
}

Value unit_path(Context& cx, Unit& unit) {
  if (!unit.path) fail(cx, "•path: This text has no path");
  return name_string(cx.heap, directory_of(cx, unit));
}

Value unit_name(Context& cx, Unit& unit) {
  if (!unit.name) fail(cx, "•name: This text has no name");
  return name_string(cx.heap, *unit.name);
}

Value unit_state(Context& cx, Unit& unit) {
  Value parts[] = {unit_path(cx, unit), unit_name(cx, unit), unit_arguments(cx, unit)};
  return make_values(cx.heap, parts);
}

Value working_directory(Context& cx, Unit&) { return name_string(cx.heap, current_directory()); }

}  // namespace griddle::system_functions
