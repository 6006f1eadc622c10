// Text from the host: programs by themselves, and the lines of a session.
#include <algorithm>

#include "runtime/api/interpreter_state.h"
#include "runtime/source/tokenizer.h"
#include "runtime/system/evaluate.h"
#include "runtime/system/files/file_names.h"
#include "runtime/system/table.h"
#include "runtime/value/namespace.h"
#include "runtime/vm/call.h"

namespace griddle {

Ref<Unit> InterpreterState::unit(std::string_view source, std::string_view name) {
  Ref<Unit> unit = make_text_unit(cx, std::string(source), std::string(name));
  unit->path = starting_directory(cx);
  unit->name = name;
  return unit;
}

RootScope& InterpreterState::session_scope() {
  if (!session) {
    session_root = Vm::make_root(cx.heap);
    session = std::make_unique<RootScope>();
  }
  return *session;
}

Ref<Unit> InterpreterState::session_unit(std::string_view source, std::string_view name) {
  Ref<Unit> line = unit(source, name);
  if (name.empty()) line->name = "(REPL)";
  line->args = arguments;
  return line;
}

Ref<Code> InterpreterState::compile_in_session(Ref<Unit> unit, ParseOptions options) {
  RootScope& scope = session_scope();
  session_source = unit->source;
  options.value_optional = true;
  Ref<Code> code = load(cx, std::move(unit), scope, options);
  Vm::grow(cx, *session_root, scope.body()->bindings.size());
  return code;
}

Value InterpreterState::run_in_session(std::string_view source, std::string_view name) {
  return run_in_session(*compile_in_session(source, name));
}

Value InterpreterState::run_in_session(const Code& code) {
  Value result = vm.run(code, session_root.get());
  cx.check_mapped_files();
  return result;
}

Value InterpreterState::define(std::string_view name, Value value) {
  if (value.is_absent()) fail(cx, "There is no value to give a name");
  const auto is_letter = [](char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto is_part = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); };
  if (name.empty() || !is_letter(name[0]) || !std::all_of(name.begin(), name.end(), is_part) ||
      name.find_first_not_of('_') == name.npos)
    fail(cx, "This is no name (" + std::string(name) + ")");
  const Role role = role_of_word(name.data(), name.data() + name.size());
  RootScope& scope = session_scope();
  const std::uint32_t index = scope.define(normalised_name(name), name, role).index;
  Vm::grow(cx, *session_root, scope.body()->bindings.size());
  session_root->slots()[index] = value;
  return value;
}

}  // namespace griddle
