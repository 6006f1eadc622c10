// Interpreters: what they are made of, how they begin and end, and what they run.
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <new>

#include "gpu/settings.h"
#include "runtime/api/interpreter_state.h"
#include "runtime/system/argument.h"
#include "runtime/system/evaluate.h"
#include "runtime/system/files/file_contents.h"
#include "runtime/system/files/file_names.h"
#include "runtime/system/files/name_text.h"
#include "runtime/system/table.h"
#include "runtime/value/cycles.h"
#include "runtime/value/fill.h"
#include "runtime/value/namespace.h"

namespace griddle {

ConsoleStreams::ConsoleStreams(Context& cx, const griddle_console* console, std::size_t limit)
    : cx_(cx), left_(limit), limited_(limit > 0) {
  take_struct(console_, console);
}

void ConsoleStreams::count(std::string_view bytes) {
  if (!limited_) return;
  if (bytes.size() > left_) fail(cx_, "The program writes more than it may");
  left_ -= bytes.size();
}

griddle_buffer buffer_of(std::string_view text) noexcept {
  char* data = static_cast<char*>(std::malloc(text.size() + 1));
  if (data == nullptr) return {};
  std::memcpy(data, text.data(), text.size());
  data[text.size()] = '\0';
  return {data, text.size()};
}

griddle_value nothing_to_call(griddle_failure** failure, const char* message) noexcept {
  give_failure(failure, plain_failure(message));
  return {};
}

namespace {

constexpr const char* no_interpreter = "There is no interpreter";

OffloadSettings offload_settings(const griddle_options& options) {
  OffloadSettings s;
  s.forced = options.device == griddle_device_always || options.device == griddle_device_only;
  if (options.device_from > 0) s.from = options.device_from;
  s.plugin = plugin_path(options.device_plugin != nullptr ? options.device_plugin : "");
  s.cost_file = options.device_cache != nullptr ? options.device_cache : "";
  return s;
}

}  // namespace

InterpreterState::InterpreterState(const griddle_options& options)
    : streams(cx, options.console, options.output_limit),
      system(cx, streams),
      vm(cx),
      time_limit(options.time_limit),
      stack_bytes(options.stack_bytes) {
  cx.general_ways = options.general_ways != 0;
  if (options.machine_code != 0) cx.translates_after = options.machine_code == 1 ? Context::never_translates : 0;
  make_primitives(cx);
  if (options.checked_ways != 0) observe_primitives(cx, checked_ways.emplace());
  if (options.device != griddle_device_none) device = make_device(cx, offload_settings(options));
  cx.device = device.get();
  if (device) device->keeps = options.device == griddle_device_only;
  cx.heap.set_limit(options.memory_limit);
  system.pictures = static_cast<Pictures>(options.pictures);
  system.capabilities = options.capabilities;
  if (options.root != nullptr) {
    system.root = real_path(options.root);
    // Nothing lies in a folder that there is not.
    if (system.root.empty()) system.capabilities &= ~std::uint32_t{griddle_may_read_files | griddle_may_write_files};
  }
  if (options.files != nullptr) {
    griddle_file_source source = {};
    take_struct(source, options.files);
    system.files = &files.emplace(source);
  }
  if (options.has_seed != 0) system.seed = std::bit_cast<std::uint64_t>(static_cast<double>(options.seed));
  if (options.depth_limit > 0) vm.limit_depth(options.depth_limit);
  if (options.step_limit > 0) cx.set_steps(options.step_limit);
  arguments = strings(options.arguments, options.argument_count);
}

InterpreterState::~InterpreterState() {
  session = nullptr;
  session_root = {};
  arguments = Value();
  system.forget();
  collect_cycles(cx.heap);
}

Value InterpreterState::strings(std::span<const std::string> texts) {
  std::vector<Value> values;
  for (const std::string& text : texts) values.push_back(name_string(cx.heap, text));
  return make_values(cx.heap, values);
}

Value InterpreterState::strings(const griddle_text* texts, std::size_t count) {
  std::vector<std::string> copies;
  for (std::size_t i = 0; i < count; i++) copies.emplace_back(view_of(texts[i]));
  return strings(copies);
}

griddle_cause InterpreterState::why_interrupted() const {
  switch (cx.interrupted_by()) {
    case Context::time_up:
    case Context::deadline: return griddle_timed_out;
    case Context::out_of_steps: return griddle_out_of_steps;
    default: return griddle_interrupted;
  }
}

Value InterpreterState::share_other(const griddle_value& v) {
  if (v.interpreter != nullptr) fail(cx, "The value belongs to another interpreter, and was not imported");
  return Value();
}

Value InterpreterState::imported(InterpreterState& from, const Value& v) {
  if (v.is_absent() || v.is_number() || v.is_character()) return v;
  if (!v.is_array()) fail(cx, "Only data can be imported (got " + kind_text(v) + ")");
  cx.check_stack();
  const Array& a = v.array();
  Ref<Array> copy = make_array(cx.heap, a.type(), a.shape());
  if (a.type() != ElementType::boxed) {
    std::memcpy(copy->data, a.data, bytes_for(a.type(), a.length));
  } else {
    for (std::size_t i = 0; i < a.length; i++) {
      if (i % 4096 == 0) cx.check_interrupt();
      copy->as<Value>()[i] = imported(from, a.boxes()[i]);
    }
  }
  return with_fill(cx.heap, to_value(std::move(copy)), imported(from, fill_of(from.cx.heap, v)));
}

}  // namespace griddle

using namespace griddle;

griddle_options griddle_default_options() {
  griddle_options options = {};
  options.size = sizeof options;
  options.capabilities = griddle_may_do_all;
  return options;
}

griddle_interpreter* griddle_new(const griddle_options* given, griddle_failure** failure) {
  griddle_options options = griddle_default_options();
  take_struct(options, given);
  try {
    // Throwing ends the process where not even an exception has memory, since the system keeps none for it if it had none at the
    // start.
    constexpr std::size_t room = std::size_t{1} << 18;
    void* volatile probe = std::malloc(room);  // which compilers would take for granted
    const bool has_room = probe != nullptr;
    std::free(probe);
    if (has_room) return new griddle_interpreter(options);
  } catch (const std::exception&) {
  }
  give_failure(failure, memory_failure());
  return nullptr;
}

void griddle_delete(griddle_interpreter* bqn) {
  if (bqn == nullptr) return;
  // Functions of the host that the session has, or that are part of a cycle, may hold values, and these the interpreter.
  if (bqn->session_root)
    for (Value& v : std::span(bqn->session_root->slots(), bqn->session_root->count)) v = Value();
  if (bqn->running == 0) collect_cycles(bqn->cx.heap);
  bqn->drop_handle();
}

griddle_value griddle_eval(griddle_interpreter* bqn, griddle_text source, griddle_text name, griddle_failure** failure) {
  if (bqn == nullptr) return nothing_to_call(failure, no_interpreter);
  return bqn->guarded(failure, [&] {
    Ref<Unit> unit = bqn->unit(view_of(source), view_of(name));
    unit->args = bqn->arguments;
    return run_unit(bqn->cx, std::move(unit));
  });
}

griddle_value griddle_run(griddle_interpreter* bqn, griddle_text source, griddle_text name, const griddle_text* arguments,
                          size_t argument_count, griddle_failure** failure) {
  if (bqn == nullptr) return nothing_to_call(failure, no_interpreter);
  return bqn->guarded(failure, [&] {
    Ref<Unit> unit = bqn->unit(view_of(source), view_of(name));
    unit->args = bqn->strings(arguments, argument_count);
    return run_unit(bqn->cx, std::move(unit));
  });
}

griddle_value griddle_run_file(griddle_interpreter* bqn, griddle_text given_path, const griddle_text* arguments,
                               size_t argument_count, griddle_failure** failure) {
  if (bqn == nullptr) return nothing_to_call(failure, no_interpreter);
  return bqn->guarded(failure, [&] { return run_unit(bqn->cx, bqn->file_unit(given_path, arguments, argument_count)); });
}

griddle_value griddle_eval_in_session(griddle_interpreter* bqn, griddle_text source, griddle_text name,
                                      griddle_failure** failure) {
  if (bqn == nullptr) return nothing_to_call(failure, no_interpreter);
  return bqn->guarded(failure, [&] { return bqn->run_in_session(view_of(source), view_of(name)); });
}

griddle_value griddle_explain(griddle_interpreter* bqn, griddle_text source, griddle_buffer* text, griddle_failure** failure) {
  return griddle_explain_within(bqn, source, 0, text, failure);
}

griddle_value griddle_explain_within(griddle_interpreter* bqn, griddle_text source, size_t columns, griddle_buffer* text,
                                     griddle_failure** failure) {
  if (text != nullptr) *text = {};
  if (bqn == nullptr) return nothing_to_call(failure, no_interpreter);
  std::string explanation;
  const griddle_value value = bqn->guarded(failure, [&] { return bqn->explain(view_of(source), explanation, columns); });
  if (text != nullptr) *text = buffer_of(explanation);
  return value;
}

int griddle_define(griddle_interpreter* bqn, griddle_text name, griddle_value value, griddle_failure** failure) {
  if (bqn == nullptr) return nothing_to_call(failure, no_interpreter), 0;
  return bqn->done(failure, [&] { bqn->define(view_of(name), bqn->share(value)); });
}

griddle_value griddle_session_names(griddle_interpreter* bqn, griddle_failure** failure) {
  if (bqn == nullptr) return nothing_to_call(failure, no_interpreter);
  return bqn->made(failure, [&] {
    std::vector<std::string> names;
    if (bqn->session)
      for (const Binding* binding : bqn->session->body()->bindings) names.emplace_back(binding->spelling);
    return bqn->strings(names);
  });
}

griddle_value griddle_system_names(griddle_interpreter* bqn, griddle_failure** failure) {
  if (bqn == nullptr) return nothing_to_call(failure, no_interpreter);
  return bqn->made(failure, [&] {
    std::vector<std::string> names;
    for (const SystemEntry& entry : system_table())
      if (bqn->system.permits(entry.reach)) names.emplace_back(entry.spelling);
    return bqn->strings(names);
  });
}

griddle_buffer griddle_taken_ways(griddle_interpreter* bqn) {
  return bqn != nullptr && bqn->checked_ways ? buffer_of(bqn->checked_ways->taken()) : griddle_buffer{};
}

griddle_value griddle_import(griddle_interpreter* bqn, griddle_value value, griddle_failure** failure) {
  if (bqn == nullptr) return nothing_to_call(failure, no_interpreter);
  if (value.interpreter == nullptr) return nothing_to_call(failure, "There is no value");
  return bqn->guarded(failure, [&] { return bqn->imported(*value.interpreter, *Lent(value.bits)); });
}
