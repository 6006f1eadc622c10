// What may go on from what is typed: names of the session, of the text itself and of the system, fields of namespaces, commands,
// and paths in strings.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "repl/editor/line_editor.h"
#include "runtime/api/griddle.hpp"

namespace griddle::repl {

Completions completions_of(Interpreter&, std::u32string_view before);

}  // namespace griddle::repl
