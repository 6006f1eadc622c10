#include "runtime/api/operand_values.h"

#include "runtime/system/argument.h"
#include "runtime/value/namespace.h"
#include "runtime/value/utf8.h"
#include "runtime/vm/error.h"

namespace griddle {

namespace {

constexpr std::size_t most_elements = 8, most_characters = 30;

bool is_name_byte(char c) { return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::string character_text(char32_t c) {
  if (c < U' ' || (c >= 0x7F && c < 0xA0)) return "character";
  std::string text = "'";
  append_utf8(text, c);
  return text + "'";
}

std::string string_text(const Array& a) {
  std::string text = "\"";
  for (std::size_t i = 0; i < std::min(a.length, most_characters); i++) {
    const char32_t c = element(a, i).character();
    if (c == U'"') text += '"';
    // What moves the cursor would spoil the line.
    append_utf8(text, c < U' ' || (c >= 0x7F && c < 0xA0) ? U'·' : c);
  }
  return text + (a.length > most_characters ? "…\"" : "\"");
}

// Appends what a name of the session stands for.
void append_value(std::string& to, InterpreterState& state, std::string_view name) {
  if (name.empty() || (name[0] >= '0' && name[0] <= '9')) return;
  const std::string wanted = normalised_name(name);
  for (const Binding* binding : state.session->body()->bindings) {
    if (binding->name != wanted || binding->role != Role::subject) continue;
    const Value& value = state.session_root->slots()[binding->index];
    if (!value.is_absent()) to.append(to.empty() ? "" : ", ").append(name).append(" is ").append(short_text(value));
    return;
  }
}

}  // namespace

std::string short_text(const Value& value) {
  if (value.is_character()) return character_text(value.character());
  if (!value.is_array() || value.array().rank() != 1 || value.array().length == 0 || value.array().data.elsewhere())
    return value_text(value);
  const Array& a = value.array();
  if (is_string(value)) return string_text(a) + (a.length > most_characters ? " of length " + std::to_string(a.length) : "");
  std::string text = "⟨";
  for (std::size_t i = 0; i < std::min(a.length, most_elements); i++) {
    const Value v = element(a, i);
    if (i > 0) text += ',';
    if (v.is_character())
      text += character_text(v.character());
    else
      text += is_string(v) && v.array().length > 0 ? string_text(v.array()) : value_text(v);
  }
  return text + (a.length > most_elements ? ",…⟩ of length " + std::to_string(a.length) : "⟩");
}

std::string operand_values(InterpreterState& state, const Error& error) {
  if (!state.session || error.frames.size() != 1) return "";
  const Location& place = error.frames.front();
  if (place.source == nullptr || place.source != state.session_source.lock() || place.in_syntax) return "";
  const std::string_view source = place.source->text;
  if (place.start > source.size() || place.end > source.size() || place.end < place.start) return "";
  // Names within a block are its own.
  if (source.find('{') != source.npos) return "";
  std::string text;
  std::size_t end = place.start;
  while (end > 0 && source[end - 1] == ' ') end--;
  std::size_t start = end;
  while (start > 0 && is_name_byte(source[start - 1])) start--;
  append_value(text, state, source.substr(start, end - start));
  start = place.end;
  while (start < source.size() && source[start] == ' ') start++;
  end = start;
  while (end < source.size() && is_name_byte(source[end])) end++;
  append_value(text, state, source.substr(start, end - start));
  return text;
}

}  // namespace griddle
