// How names are spelled: every use of a name takes the letters of its definition, in the shape of the role that it has where it
// stands.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "repl/server/source_reading.h"

namespace griddle::repl {

struct TextEdit {
  Piece place;
  std::string text;
};

// Tells whether a text is a name.
bool is_name(Interpreter&, std::string_view);

// Stands before the names of system values.
inline constexpr std::string_view system_mark = "•";

// Gives the edits that rename what a definition defines, or in `problem` why that would change what the program means. An
// exported name is renamed only where all who use it are known.
std::vector<TextEdit> rename_edits(Interpreter&, std::string_view text, const SourceReading&, std::size_t definition,
                                   std::string_view new_name, bool knows_all_uses, std::string& problem);

// The same for some tokens of a text, all of which mean something that another text defines.
std::vector<TextEdit> respelling_edits(Interpreter&, std::string_view text, const SourceReading&,
                                       const std::vector<std::size_t>& tokens, std::string_view new_name, std::string& problem);

// Gives the line of a byte, from 1 on.
std::size_t line_number(std::string_view text, std::size_t byte);

// Gives the edits that spell every use as its definition, and system values as the system does. They change no meaning.
std::vector<TextEdit> spelling_edits(Interpreter&, std::string_view text, const SourceReading&);

// Gives a text after edits, which stand in order.
std::string edited(std::string_view text, const std::vector<TextEdit>&);

}  // namespace griddle::repl
