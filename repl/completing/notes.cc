#include "repl/completing/notes.h"

#include "repl/commands/showing.h"
#include "repl/highlight.h"

namespace griddle::repl {

std::string note_of(const Any& value) {
  constexpr std::size_t longest_text = 30;
  if (!value.has_value()) return "";
  if (value.kind() == Kind::number || value.kind() == Kind::character) return description_of(value) + " " + value.format();
  if (value.is_text() && value.length() <= longest_text) return "string " + value.format();
  return description_of(value);
}

std::string note_of_name(std::u32string_view name) {
  if (name.empty()) return "";
  switch (token_at(name, 0).colour) {
    case Colour::function: return "function";
    case Colour::modifier1: return "1-modifier";
    case Colour::modifier2: return "2-modifier";
    default: return "value";
  }
}

}  // namespace griddle::repl
