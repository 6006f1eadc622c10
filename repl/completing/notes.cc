#include "repl/completing/notes.h"

#include "repl/commands/showing.h"
#include "repl/highlight.h"
#include "runtime/similar.h"

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

std::string spelling_of_field(const std::string& name, const Any& value) {
  if (!value.is_function()) return name;
  const std::string shown = value.format();
  const std::size_t dot = shown.rfind('.');
  if (shown.starts_with("•") && dot != shown.npos && compared_name(shown.substr(dot + 1)) == compared_name(name))
    return shown.substr(dot + 1);
  std::string spelling = name;
  if (spelling[0] >= 'a' && spelling[0] <= 'z') spelling[0] = static_cast<char>(spelling[0] - 'a' + 'A');
  return spelling;
}

}  // namespace griddle::repl
