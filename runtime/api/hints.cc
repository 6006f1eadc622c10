#include "runtime/api/hints.h"

#include <deque>

#include "runtime/source/hint.h"
#include "runtime/system/table.h"
#include "runtime/value/namespace.h"

namespace griddle {

namespace {

Role role_of(const Value& value) {
  if (value.is_function()) return Role::function;
  if (value.is_modifier1()) return Role::modifier1;
  return value.is_modifier2() ? Role::modifier2 : Role::subject;
}

// Gives what a name stands for in the session, or as a system value; absent where it stands for nothing.
Value value_of_name(InterpreterState& state, std::string_view name) {
  constexpr std::string_view dot = "•";
  if (name.starts_with(dot)) {
    const Ref<Unit> unit = state.unit("", "");
    return state.system.resolve(state.cx, *unit, normalised_name(name.substr(dot.size())));
  }
  if (!state.session) return Value();
  for (const Binding* binding : state.session->body()->bindings)
    if (binding->name == normalised_name(name)) return state.session_root->slots()[binding->index];
  return Value();
}

// Adds `name.field` for each field, where the text is such a one and the name stands for a namespace.
void add_fields(InterpreterState& state, std::string_view text, std::deque<std::string>& spellings,
                std::vector<KnownName>& names) {
  const std::size_t dot = text.rfind('.');
  if (dot == text.npos) return;
  const Value value = value_of_name(state, text.substr(0, dot));
  if (value.is_absent() || !value.is_namespace()) return;
  for (const FieldTable::Field& f : value.name_space().table->fields) {
    const Role role = role_of(field(value.name_space(), f.name));
    std::string spelling = f.spelling;
    char& first = spelling[0];
    if (role == Role::function && first >= 'a' && first <= 'z') first = static_cast<char>(first - 'a' + 'A');
    names.push_back({spellings.emplace_back(std::string(text.substr(0, dot + 1)) + spelling), role});
  }
}

}  // namespace

std::string report_hint(InterpreterState& state, std::string_view message, const Error& error) {
  if (error.frames.empty() || !error.frames.front().source) return "";
  const Location& place = error.frames.front();
  const std::string_view text = place.source->text;
  std::vector<KnownName> names;
  std::deque<std::string> spellings;  // of fields
  if (state.session)
    for (const Binding* binding : state.session->body()->bindings) names.push_back({binding->spelling, binding->role});
  for (const SystemEntry& entry : system_table()) {
    constexpr Role roles[] = {Role::function, Role::modifier1, Role::modifier2, Role::subject};
    if (state.system.permits(entry.reach)) names.push_back({entry.spelling, roles[static_cast<std::size_t>(entry.kind)]});
  }
  if (message.starts_with("Field .")) add_fields(state, text.substr(place.start, place.end - place.start), spellings, names);
  return hint_for(message, text, {place.start, place.end}, names);
}

}  // namespace griddle
