#include "runtime/api/operand_values.h"

#include "runtime/api/steps.h"
#include "runtime/value/namespace.h"
#include "runtime/vm/error.h"

namespace griddle {

namespace {

bool is_name_byte(char c) { return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Appends what a name of the session stands for.
void append_value(std::string& to, InterpreterState& state, std::string_view name) {
  if (name.empty() || (name[0] >= '0' && name[0] <= '9')) return;
  const std::string wanted = normalised_name(name);
  for (const Binding* binding : state.session->body()->bindings) {
    if (binding->name != wanted || binding->role != Role::subject) continue;
    const Value& value = state.session_root->slots()[binding->index];
    if (!value.is_absent()) to.append(to.empty() ? "" : ", ").append(name).append(" is ").append(short_text(state.cx, value));
    return;
  }
}

}  // namespace

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
