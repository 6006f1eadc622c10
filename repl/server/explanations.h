// What an editor tells of a place in a text: of glyphs and system values what the specification says, of names where they are
// defined.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "repl/server/open_text.h"

namespace griddle::repl {

// Explains a definition: its statement, the comments above it, and where it stands. A file is named unless it is empty.
std::string definition_markdown(const OpenText&, const SourceReading&, std::size_t definition, const std::string& file);

// Gives Markdown about a token; nothing where there is nothing to say.
std::optional<std::string> explanation_of(Interpreter&, OpenText&, std::size_t token);

// Says in one line what a definition defines.
std::string name_note(const OpenText&, const SourceReading&, const NameDefinition&);

// Gives the fields of a system value that is a namespace, such as •math, spelled by the roles of their values.
std::vector<std::string> system_fields(Interpreter&, std::string_view name);

}  // namespace griddle::repl
