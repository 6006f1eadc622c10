#include "repl/completing/notes.h"

#include "repl/highlight.h"

namespace griddle::repl {

namespace {

std::string note_of_array(const Any& value) {
  constexpr std::size_t longest_text = 30;
  if (value.is_text() && value.length() <= longest_text) return "string " + value.format();
  if (value.is_text()) return "string of " + std::to_string(value.length()) + " characters";
  if (value.rank() == 1) return "list of " + std::to_string(value.length());
  std::string note = "array";
  const char* before = " ";
  for (const std::size_t axis : value.shape()) {
    note.append(before) += std::to_string(axis);
    before = "×";
  }
  return note;
}

}  // namespace

std::string note_of(const Any& value) {
  switch (value.kind()) {
    case Kind::number: return "number " + value.format();
    case Kind::character: return "character " + value.format();
    case Kind::array: return note_of_array(value);
    case Kind::function: return "function";
    case Kind::modifier1: return "1-modifier";
    case Kind::modifier2: return "2-modifier";
    case Kind::name_space: return "namespace of " + std::to_string(value.fields().size());
    default: return "";
  }
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
