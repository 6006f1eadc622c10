// What may stand at the cursor: names, fields, system values, and glyphs by the keys that type them after a backslash.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "repl/server/meanings.h"

namespace griddle::repl {

// Gives the fields of what a token means, or of a definition of the text where that is known, if another source defines them.
using FieldsElsewhere = std::function<std::vector<Meaning>(std::size_t token, std::optional<std::size_t> definition)>;

// Gives items of textDocument/completion.
Json proposals_at(Interpreter&, OpenText&, std::size_t byte, const FieldsElsewhere& fields_elsewhere = {});

}  // namespace griddle::repl
