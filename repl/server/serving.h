// Serves an editor on a pair of files until it ends.
#pragma once

#include "runtime/api/griddle.hpp"

namespace griddle::repl {

// Reads messages from one file, and writes to the other nothing but messages. Gives the exit status.
int serve_editor(Interpreter&, int input, int output);

}  // namespace griddle::repl
