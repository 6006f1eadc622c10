#include "runtime/api/operand_values.h"

#include "runtime/api/steps.h"
#include "runtime/value/namespace.h"
#include "runtime/vm/operand_error.h"

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

// Gives what names of the session stand for that are right beside the place of an error in the session's own line.
std::string named_values(InterpreterState& state, const Error& error) {
  if (error.frames.size() != 1) return "";
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

// Gives the operands that the primitive which failed had, by the names that its message has for them. The message tells numbers
// and characters itself.
std::string values_of_operands(InterpreterState& state, const Error& error) {
  // Programs of their own are not the session's.
  if (error.frames.empty() || error.frames.back().source != state.session_source.lock()) return "";
  const auto* on_operands = dynamic_cast<const OperandError*>(&error);
  if (on_operands == nullptr || (!on_operands->w.is_array() && !on_operands->x.is_array())) return "";
  const std::string x = "𝕩 is " + short_text(state.cx, on_operands->x);
  return on_operands->w.is_absent() ? x : "𝕨 is " + short_text(state.cx, on_operands->w) + ", " + x;
}

}  // namespace

std::string operand_values(InterpreterState& state, const Error& error) {
  if (!state.session) return "";
  std::string names = named_values(state, error);
  return names.empty() ? values_of_operands(state, error) : names;
}

}  // namespace griddle
