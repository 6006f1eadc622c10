// Text from the host: programs by themselves, and the lines of a session.
#include <algorithm>

#include "runtime/api/interpreter_state.h"
#include "runtime/system/evaluate.h"
#include "runtime/system/files/file_names.h"
#include "runtime/system/table.h"
#include "runtime/value/namespace.h"
#include "runtime/vm/call.h"

namespace griddle {

namespace {

// Lets nothing end what is evaluated, and what was to end it ends the next evaluation.
class Undisturbed {
 public:
  explicit Undisturbed(Context& cx) : cx_(cx), steps_(cx.steps_left()) { again(); }
  ~Undisturbed() {
    cx_.set_steps(steps_);
    if (requests_ != 0) cx_.request_interrupt(static_cast<Context::Stop>(requests_));
  }
  Undisturbed(const Undisturbed&) = delete;
  Undisturbed& operator=(const Undisturbed&) = delete;
  // Makes way for one more try after a request that came meanwhile.
  void again() {
    requests_ |= cx_.take_requests();
    cx_.set_steps(plenty);
  }
  void note(Context::Stop request) { requests_ |= request; }

 private:
  static constexpr std::uint64_t plenty = 1000;
  Context& cx_;
  std::uint64_t steps_;
  int requests_ = 0;
};

}  // namespace

Ref<Unit> InterpreterState::unit(std::string_view source, std::string_view name) {
  Ref<Unit> unit = make_text_unit(cx, std::string(source), std::string(name));
  unit->path = starting_directory(cx);
  unit->name = name;
  return unit;
}

Ref<Code> InterpreterState::compile_in_session(std::string_view source, std::string_view name, std::string* outline) {
  if (!session) {
    session_root = Vm::make_root(cx.heap);
    session = std::make_unique<RootScope>();
  }
  Ref<Unit> line = unit(source, name);
  if (name.empty()) line->name = "(REPL)";
  line->args = arguments;
  ParseOptions options;
  options.value_optional = true;
  options.outline = outline;
  Ref<Code> code = load(cx, std::move(line), *session, options);
  Vm::grow(cx, *session_root, session->body()->bindings.size());
  return code;
}

Value InterpreterState::run_in_session(std::string_view source, std::string_view name) {
  const Ref<Code> code = compile_in_session(source, name);
  return vm.run(*code, session_root.get());
}

Value InterpreterState::define(std::string_view name, Value value) {
  if (value.is_absent()) fail(cx, "There is no value to give a name");
  const auto is_letter = [](char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto is_part = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); };
  if (name.empty() || !is_letter(name[0]) || !std::all_of(name.begin(), name.end(), is_part))
    fail(cx, "This is no name (" + std::string(name) + ")");
  // Defines it by a program of its role, and changes it, so that nobody takes its first value for the only one.
  const bool is_function = name[0] >= 'A' && name[0] <= 'Z';
  const std::string_view any = name[0] == '_' ? name.back() == '_' ? "{𝔽𝔾𝕩}" : "{𝔽𝕩}" : is_function ? "{𝕩}" : "0";
  std::string program;
  program.append(name).append("←").append(any).append("⋄").append(name).append("↩").append(any);
  // Whatever ended this would leave the name without a value.
  Undisturbed undisturbed(cx);
  for (bool done = false; !done;) {
    try {
      run_in_session(program);
      done = true;
    } catch (const Error& error) {
      if (error.catchable) throw;
      undisturbed.note(cx.interrupted_by());
      undisturbed.again();
    }
  }
  const std::string wanted = normalised_name(name);
  for (const Binding* binding : session->body()->bindings)
    if (binding->name == wanted) session_root->slots()[binding->index] = value;
  return value;
}

}  // namespace griddle
