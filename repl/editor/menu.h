// The completions that are shown below the text.
#pragma once

#include <string>
#include <vector>

#include "repl/editor/line_editor.h"

namespace griddle::repl {

// Gives rows for a terminal: each completion with what is said of it, or several to a row where nothing is, or there are many.
std::vector<std::string> menu_rows(const Completions&, std::size_t columns, std::size_t most_rows);

}  // namespace griddle::repl
