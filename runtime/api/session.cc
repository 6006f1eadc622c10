// Text from the host: programs by themselves, and the lines of a session.
#include "runtime/api/interpreter_state.h"
#include "runtime/system/evaluate.h"
#include "runtime/system/file_names.h"
#include "runtime/system/table.h"

namespace griddle {

Ref<Unit> InterpreterState::unit(std::string_view source, std::string_view name) {
  Ref<Unit> unit = make_text_unit(cx, std::string(source), std::string(name));
  unit->path = current_directory();
  unit->name = name;
  return unit;
}

Value InterpreterState::run_in_session(std::string_view source) {
  if (!session) {
    session_root = Vm::make_root(cx.heap);
    session = std::make_unique<RootScope>();
  }
  Ref<Unit> line = unit(source, "");
  line->name = "(REPL)";
  line->args = arguments;
  ParseOptions options;
  options.value_optional = true;
  Ref<Code> code = load(cx, std::move(line), *session, options);
  Vm::grow(cx, *session_root, session->body()->bindings.size());
  return vm.run(*code, session_root.get());
}

std::vector<std::string> Interpreter::session_names() const {
  std::vector<std::string> names;
  if (state_->session)
    for (const Binding* binding : state_->session->body()->bindings) names.emplace_back(binding->spelling);
  return names;
}

std::vector<std::string> Interpreter::system_names() const {
  std::vector<std::string> names;
  for (const SystemEntry& entry : system_table())
    if (state_->system.permits(entry.reach)) names.emplace_back(entry.spelling);
  return names;
}

}  // namespace griddle
