// The names of a session: what lines and files define, and what there is.
#include <cerrno>
#include <cstring>

#include "runtime/api/interpreter_state.h"
#include "runtime/files.h"
#include "runtime/source/definitions.h"
#include "runtime/system/evaluate.h"
#include "runtime/value/namespace.h"

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
  return bqn->guarded(failure, [&] {
    const std::string path(view_of(given_path));
    std::string text;
    if (!read_file(path, text)) fail(bqn->cx, "Cannot read the file (" + path + ": " + std::strerror(errno) + ")");
    Ref<Unit> unit = make_file_unit(bqn->cx, path, std::move(text), path);
    unit->args = bqn->strings(arguments, argument_count);
    return entered_value(*bqn, std::move(unit), entered);
  });
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
