// The code of every system function and value, as the table names it, by the file that holds it.
#pragma once

#include "runtime/value/context.h"
#include "runtime/value/function.h"

namespace griddle {

struct Unit;  // bytecode/unit.h

namespace system_functions {

#define GRIDDLE_SYSTEM_MONAD(name) Value name(Context&, const Function& self, Value x);
#define GRIDDLE_SYSTEM_DYAD(name) Value name(Context&, const Function& self, Value w, Value x);
#define GRIDDLE_SYSTEM_VALUE(name) Value name(Context&, Unit&);

// text.cc
GRIDDLE_SYSTEM_MONAD(out)
GRIDDLE_SYSTEM_MONAD(show)
GRIDDLE_SYSTEM_DYAD(show_within)
GRIDDLE_SYSTEM_MONAD(display)
GRIDDLE_SYSTEM_DYAD(display_within)
GRIDDLE_SYSTEM_MONAD(source)
GRIDDLE_SYSTEM_MONAD(parse_float)
Value parse_float_refusal(Context&, const Function& self, const Value& w, const Value& x);
GRIDDLE_SYSTEM_MONAD(to_utf8)
GRIDDLE_SYSTEM_MONAD(from_utf8)
// terminal.cc
GRIDDLE_SYSTEM_MONAD(get_line)
GRIDDLE_SYSTEM_VALUE(terminal_namespace)
// gpu.cc, interval_move.cc
GRIDDLE_SYSTEM_VALUE(gpu_namespace)
GRIDDLE_SYSTEM_DYAD(move_intervals)
// time/
GRIDDLE_SYSTEM_MONAD(monotonic_time)
GRIDDLE_SYSTEM_MONAD(unix_time)
GRIDDLE_SYSTEM_MONAD(delay)
GRIDDLE_SYSTEM_MONAD(timed_once)
GRIDDLE_SYSTEM_DYAD(timed)
GRIDDLE_SYSTEM_MONAD(limited_monad)
GRIDDLE_SYSTEM_DYAD(limited_dyad)
GRIDDLE_SYSTEM_MONAD(progress_monad)
GRIDDLE_SYSTEM_DYAD(progress_dyad)
// control.cc
GRIDDLE_SYSTEM_MONAD(while_monad)
GRIDDLE_SYSTEM_DYAD(while_dyad)
GRIDDLE_SYSTEM_MONAD(current_error)
GRIDDLE_SYSTEM_MONAD(exit_program)
// evaluate.cc, import.cc, evaluator.cc
GRIDDLE_SYSTEM_MONAD(evaluate_text)
GRIDDLE_SYSTEM_DYAD(evaluate_text_at)
GRIDDLE_SYSTEM_MONAD(import_file)
GRIDDLE_SYSTEM_DYAD(import_file_with)
GRIDDLE_SYSTEM_MONAD(make_evaluator)
// unit.cc
GRIDDLE_SYSTEM_VALUE(unit_arguments)
GRIDDLE_SYSTEM_VALUE(unit_path)
GRIDDLE_SYSTEM_VALUE(unit_name)
GRIDDLE_SYSTEM_VALUE(unit_state)
GRIDDLE_SYSTEM_VALUE(working_directory)
// environment.cc
GRIDDLE_SYSTEM_VALUE(environment_namespace)
// inspect.cc
GRIDDLE_SYSTEM_MONAD(type_code)
GRIDDLE_SYSTEM_MONAD(glyph)
GRIDDLE_SYSTEM_MONAD(block_source)
GRIDDLE_SYSTEM_MONAD(decompose)
GRIDDLE_SYSTEM_DYAD(compare)
GRIDDLE_SYSTEM_MONAD(hash)
GRIDDLE_SYSTEM_DYAD(seeded_hash)
GRIDDLE_SYSTEM_VALUE(primitive_pairs)
GRIDDLE_SYSTEM_VALUE(system_names)
GRIDDLE_SYSTEM_VALUE(platform_namespace)
GRIDDLE_SYSTEM_VALUE(namespace_functions)
// internal.cc
GRIDDLE_SYSTEM_VALUE(internal_namespace)
// files/
GRIDDLE_SYSTEM_MONAD(read_characters)
GRIDDLE_SYSTEM_DYAD(write_characters)
GRIDDLE_SYSTEM_MONAD(read_lines)
GRIDDLE_SYSTEM_DYAD(write_lines)
GRIDDLE_SYSTEM_MONAD(read_bytes)
GRIDDLE_SYSTEM_DYAD(write_bytes)
GRIDDLE_SYSTEM_MONAD(read_value)
GRIDDLE_SYSTEM_DYAD(write_value)
GRIDDLE_SYSTEM_VALUE(file_namespace)
GRIDDLE_SYSTEM_MONAD(file_exists)
GRIDDLE_SYSTEM_MONAD(file_type)
GRIDDLE_SYSTEM_MONAD(file_size)
GRIDDLE_SYSTEM_MONAD(file_created)
GRIDDLE_SYSTEM_MONAD(file_accessed)
GRIDDLE_SYSTEM_MONAD(file_modified)
GRIDDLE_SYSTEM_MONAD(file_permissions)
GRIDDLE_SYSTEM_DYAD(set_file_permissions)
GRIDDLE_SYSTEM_MONAD(file_owner)
GRIDDLE_SYSTEM_DYAD(set_file_owner)
GRIDDLE_SYSTEM_MONAD(real_path_of)
GRIDDLE_SYSTEM_DYAD(rename_file)
GRIDDLE_SYSTEM_DYAD(copy_file)
GRIDDLE_SYSTEM_MONAD(create_directory)
GRIDDLE_SYSTEM_MONAD(remove_file)
GRIDDLE_SYSTEM_MONAD(remove_directory)
GRIDDLE_SYSTEM_MONAD(list_directory)
GRIDDLE_SYSTEM_MONAD(map_bytes)
GRIDDLE_SYSTEM_MONAD(open_file)
GRIDDLE_SYSTEM_DYAD(open_file_as)
// data/
GRIDDLE_SYSTEM_VALUE(json_namespace)
GRIDDLE_SYSTEM_VALUE(csv_namespace)
GRIDDLE_SYSTEM_VALUE(date_namespace)
GRIDDLE_SYSTEM_VALUE(npy_namespace)
GRIDDLE_SYSTEM_VALUE(regex_namespace)
// plots/
GRIDDLE_SYSTEM_VALUE(plot_namespace)
GRIDDLE_SYSTEM_VALUE(png_namespace)
// math.cc, bit.cc, random/, hash_map.cc, process.cc, foreign/
GRIDDLE_SYSTEM_VALUE(math_namespace)
GRIDDLE_SYSTEM_VALUE(bit_namespace)
GRIDDLE_SYSTEM_VALUE(random_namespace)
GRIDDLE_SYSTEM_MONAD(make_random)
GRIDDLE_SYSTEM_DYAD(make_hash_map)
GRIDDLE_SYSTEM_MONAD(run_command)
GRIDDLE_SYSTEM_DYAD(run_command_with)
GRIDDLE_SYSTEM_DYAD(foreign_function)

#undef GRIDDLE_SYSTEM_MONAD
#undef GRIDDLE_SYSTEM_DYAD
#undef GRIDDLE_SYSTEM_VALUE

}  // namespace system_functions

}  // namespace griddle
