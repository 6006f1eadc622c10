// Names that may go on from what is typed: system values, names of the session, fields of namespaces.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "repl/editor/line_editor.h"
#include "runtime/api/griddle.hpp"

namespace griddle::repl {

Completions completions_of(Interpreter&, std::u32string_view before);

}  // namespace griddle::repl
