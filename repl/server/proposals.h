// What may stand at the cursor: names, fields, system values, and glyphs by the keys that type them after a backslash.
#pragma once

#include "repl/server/open_text.h"

namespace griddle::repl {

// Gives items of textDocument/completion.
Json proposals_at(Interpreter&, OpenText&, std::size_t byte);

}  // namespace griddle::repl
