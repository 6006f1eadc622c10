// Text from the host: programs by themselves, and the lines of a session; and the names that these define.
#include <algorithm>
#include <cerrno>
#include <cstring>

#include "runtime/api/interpreter_state.h"
#include "runtime/files.h"
#include "runtime/source/definitions.h"
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

Ref<Unit> InterpreterState::file_unit(griddle_text given_path, const griddle_text* arguments, std::size_t argument_count) {
  const std::string path(view_of(given_path));
  std::string text;
  if (!read_file(path, text)) fail(cx, "Cannot read the file (" + path + ": " + std::strerror(errno) + ")");
  Ref<Unit> unit = make_file_unit(cx, path, std::move(text), path);
  unit->args = strings(arguments, argument_count);
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
  const Role role = role_of_word(name);
  RootScope& scope = session_scope();
  const std::uint32_t index = scope.define(normalised_name(name), name, role).index;
  Vm::grow(cx, *session_root, scope.body()->bindings.size());
  session_root->slots()[index] = value;
  return value;
}

}  // namespace griddle

using namespace griddle;

namespace {

constexpr const char* no_interpreter = "There is no interpreter";

// Compiles a unit as a line of the session, tells what it defines, and runs it.
Value entered_value(InterpreterState& state, Ref<Unit> unit, griddle_entered* told) {
  Definitions definitions;
  ParseOptions options;
  options.definitions = &definitions;
  const Ref<Code> code = state.compile_in_session(std::move(unit), options);
  if (told != nullptr) {
    std::vector<std::string> texts;
    for (const Definitions::Definition& d : definitions.names) {
      texts.push_back(d.spelling);
      texts.push_back(d.text);
    }
    griddle_entered entered = {};
    entered.ends_in_assignment = definitions.ends_in_assignment;
    entered.definitions = state.wrap(state.strings(texts));
    give_struct(entered, told);
  }
  return state.run_in_session(*code);
}

}  // namespace

griddle_value griddle_enter(griddle_interpreter* bqn, griddle_text source, griddle_text name, griddle_entered* entered,
                            griddle_failure** failure) {
  if (bqn == nullptr) return nothing_to_call(failure, no_interpreter);
  return bqn->guarded(failure, [&] { return entered_value(*bqn, bqn->session_unit(view_of(source), view_of(name)), entered); });
}

griddle_value griddle_enter_file(griddle_interpreter* bqn, griddle_text given_path, const griddle_text* arguments,
                                 size_t argument_count, griddle_entered* entered, griddle_failure** failure) {
  if (bqn == nullptr) return nothing_to_call(failure, no_interpreter);
  return bqn->guarded(failure,
                      [&] { return entered_value(*bqn, bqn->file_unit(given_path, arguments, argument_count), entered); });
}

griddle_value griddle_session_value(griddle_interpreter* bqn, griddle_text name) {
  if (bqn == nullptr) return {};
  return bqn->made(nullptr, [&]() -> Value {
    if (!bqn->session) return {};
    const std::string wanted = normalised_name(view_of(name));
    // The last definition is the one that counts.
    const Binding* found = nullptr;
    for (const Binding* binding : bqn->session->body()->bindings)
      if (binding->name == wanted) found = binding;
    return found != nullptr && found->index < bqn->session_root->count ? bqn->session_root->slots()[found->index] : Value();
  });
}

griddle_value griddle_imported_files(griddle_interpreter* bqn, griddle_failure** failure) {
  if (bqn == nullptr) return nothing_to_call(failure, no_interpreter);
  return bqn->made(failure, [&] {
    std::vector<std::string> paths;
    for (const auto& [path, value] : bqn->system.imports().values) paths.push_back(path);
    return bqn->strings(paths);
  });
}

void griddle_forget_imports(griddle_interpreter* bqn) {
  // What runs is found again by those who import it meanwhile.
  if (bqn != nullptr) std::erase_if(bqn->system.imports().values, [](const auto& entry) { return !entry.second.is_absent(); });
}

griddle_buffer griddle_bytecode(griddle_interpreter* bqn, griddle_text source, griddle_failure** failure) {
  if (bqn == nullptr) return nothing_to_call(failure, no_interpreter), griddle_buffer{};
  std::string text;
  bqn->done(failure, [&] { text = disassemble(*bqn->compile_in_session(view_of(source), "")); });
  return buffer_of(text);
}

void griddle_memory_of(const griddle_interpreter* bqn, griddle_memory* memory) {
  if (bqn == nullptr || memory == nullptr) return;
  const Heap& heap = bqn->cx.heap;
  griddle_memory m = {};
  m.in_use = heap.bytes_in_use();
  m.peak = heap.peak_bytes();
  m.kept = heap.kept_bytes();
  m.limit = heap.limit();
  give_struct(m, memory);
}

void griddle_forget_peak(griddle_interpreter* bqn) {
  if (bqn != nullptr) bqn->cx.heap.forget_peak();
}
