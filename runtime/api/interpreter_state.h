// What stands behind an interpreter and its values: the parts of the runtime, put together.
#pragma once

#include <pthread.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>

#include "runtime/api/checked_ways.h"
#include "runtime/api/failure.h"
#include "runtime/api/griddle.h"
#include "runtime/api/profile.h"
#include "runtime/bytecode/compiler.h"
#include "runtime/format/style.h"
#include "runtime/source/diagnostic.h"
#include "runtime/source/parser.h"
#include "runtime/system/alarm.h"
#include "runtime/system/system.h"
#include "runtime/value/checkpoint.h"
#include "runtime/value/context.h"
#include "runtime/value/remote.h"
#include "runtime/vm/vm.h"

namespace griddle {

// Hands what a program reads and writes to the host's console.
class ConsoleStreams final : public Streams {
 public:
  ConsoleStreams(Context& cx, const griddle_console* console, std::size_t limit);
  void write(std::string_view bytes) override {
    count(bytes);
    const Evaluating none(nullptr);
    if (console_.write) console_.write(console_.data, {bytes.data(), bytes.size()});
  }
  void write_error(std::string_view bytes) override {
    count(bytes);
    const Evaluating none(nullptr);
    if (console_.write_error) console_.write_error(console_.data, {bytes.data(), bytes.size()});
  }
  void flush() override {
    const Evaluating none(nullptr);
    if (console_.flush) console_.flush(console_.data);
  }
  bool read_line(std::string& line) override {
    griddle_text text = {};
    const Evaluating none(nullptr);
    if (!console_.read_line || console_.read_line(console_.data, &text) == 0) return false;
    line.assign(text.data, text.bytes);
    return true;
  }
  int read_byte(bool wait) override {
    const Evaluating none(nullptr);
    return console_.read_byte ? console_.read_byte(console_.data, wait) : -1;
  }
  void set_raw(bool raw) override {
    const Evaluating none(nullptr);
    if (console_.set_raw) console_.set_raw(console_.data, raw);
  }
  bool terminal_size(std::size_t& rows, std::size_t& columns) override {
    const Evaluating none(nullptr);
    return console_.terminal_size && console_.terminal_size(console_.data, &rows, &columns) != 0;
  }
  std::size_t error_columns() override {
    const Evaluating none(nullptr);
    return console_.error_columns ? console_.error_columns(console_.data) : 0;
  }
  Pictures pictures() override {
    const Evaluating none(nullptr);
    return console_.pictures ? static_cast<Pictures>(console_.pictures(console_.data)) : Pictures::text;
  }

 private:
  // Fails where a program writes more than it may.
  void count(std::string_view bytes);
  Context& cx_;
  griddle_console console_ = {};
  std::size_t left_;
  bool limited_;
};

// Files that the host makes up.
class HostFiles final : public FileProvider {
 public:
  explicit HostFiles(const griddle_file_source& files) : files_(files) {}
  bool read(const std::string& path, std::string& contents) override {
    griddle_text text = {};
    const Evaluating none(nullptr);
    if (!files_.read || files_.read(files_.data, {path.data(), path.size()}, &text) == 0) return false;
    contents.assign(text.data != nullptr ? text.data : "", text.bytes);
    return true;
  }

 private:
  griddle_file_source files_;
};

// Lends a handle's value without taking a reference.
class Lent {
 public:
  explicit Lent(std::uint64_t bits) : value_(Value::from_bits(bits)) {}
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;
  ~Lent() { value_.leak(); }
  const Value& operator*() const { return value_; }
  const Value* operator->() const { return &value_; }

 private:
  Value value_;
};

// Copies as much of a struct as its user and the library both know, which the user's `size` says.
template <class T>
void give_struct(const T& from, T* to) {
  const std::size_t size = std::min(to->size, sizeof(T));
  if (size <= sizeof to->size) return;
  std::memcpy(reinterpret_cast<char*>(to) + sizeof to->size, reinterpret_cast<const char*>(&from) + sizeof from.size,
              size - sizeof to->size);
}
template <class T>
void take_struct(T& to, const T* from) {
  const std::size_t size = sizeof(T);
  if (from == nullptr) return;
  std::memcpy(&to, from, std::min(from->size, size));
  to.size = size;
}

inline std::string_view view_of(griddle_text text) {
  return text.data != nullptr ? std::string_view(text.data, text.bytes) : std::string_view();
}
// Copies text for the host; no data where there is no memory.
griddle_buffer buffer_of(std::string_view) noexcept;

struct InterpreterState {
  explicit InterpreterState(const griddle_options&);
  ~InterpreterState();

  // Counts the interpreter's handle and every value's; the last one deletes the state.
  std::size_t handles = 1;
  void drop_handle() noexcept;

  Context cx;
  TextStyle shown_style;                    // of what the host formats
  std::optional<CheckedWays> checked_ways;  // where the options ask for it
  std::unique_ptr<Device> device;
  ConsoleStreams streams;
  SystemState system;
  Vm vm;
  Value arguments;
  std::unique_ptr<Profile> profile;  // while one is made
  std::optional<HostFiles> files;
  // Limits of an evaluation, and the deadline of all.
  double time_limit;
  std::size_t stack_bytes;
  std::unique_ptr<Alarm> deadline;
  // The scope of eval_in_session, with the values of its names; null until used.
  std::unique_ptr<RootScope> session;
  Ref<Environment> session_root;
  std::weak_ptr<const SourceText> session_source;  // of its latest line
  // The thread and stack that the stack limit was measured on.
  pthread_t thread{};
  StackRange stack;
  int running = 0;

  // Runs f, which gives a Value, and turns whatever it throws into a failure.
  template <class F>
  griddle_value guarded(griddle_failure** failure, F f) noexcept;
  // The same for what gives no value: gives 0 after a failure.
  template <class F>
  int done(griddle_failure** failure, F f) noexcept;
  // Makes a value without running anything.
  template <class F>
  griddle_value made(griddle_failure** failure, F f) noexcept;

  griddle_value wrap(Value v) noexcept;
  // Gives a value of this interpreter; fails for another one's, and absent for none.
  Value share(const griddle_value& v) { return is_own(v) ? *Lent(v.bits) : share_other(v); }
  Value share_other(const griddle_value&);
  bool is_own(const griddle_value& v) const;
  // Copies data of another one.
  Value imported(InterpreterState& from, const Value&);
  Value strings(const griddle_text*, std::size_t count);
  Value strings(std::span<const std::string>);
  // Turns the exception that is being handled into a failure.
  griddle_failure* current_failure() noexcept;
  // Throws a failure that a function of the host gave, with the places that it came from.
  [[noreturn]] void throw_failure(griddle_failure*);
  // Says what an evaluation that was ended was ended by.
  griddle_cause why_interrupted() const;

  // Makes a unit for text that counts as lying in the working directory.
  Ref<Unit> unit(std::string_view source, std::string_view name);
  // Reads a program, with what it finds as •args. Fails where it cannot be read.
  Ref<Unit> file_unit(griddle_text path, const griddle_text* arguments, std::size_t argument_count);
  RootScope& session_scope();
  // Makes a unit for a line of the session.
  Ref<Unit> session_unit(std::string_view source, std::string_view name);
  // Compiles a line of the session, and takes its tree as text where somebody wants it.
  Ref<Code> compile_in_session(std::string_view source, std::string_view name) {
    return compile_in_session(session_unit(source, name), {});
  }
  // The same for any unit, with what else is wanted of the parser.
  Ref<Code> compile_in_session(Ref<Unit>, ParseOptions);
  Value run_in_session(std::string_view source, std::string_view name = "");
  // Runs code that was compiled so.
  Value run_in_session(const Code&);
  // Appends the explanation of a line to a text while it runs the line. Where `columns` have room, the tree is drawn.
  Value explain(std::string_view source, std::string& text, std::size_t columns);
  // Appends what happens to a text while it runs the line: blocks that begin and end, and what calls give.
  Value trace(std::string_view source, std::string& text);
  Value define(std::string_view name, Value);
  // Makes the stack of the caller the one that the limit is for.
  void enter_stack() {
    if (stack_bytes > 0) {
      if (running == 1) limit_stack(cx, stack_bytes);
    } else if (!pthread_equal(thread, pthread_self()) ||
               !stack.holds(reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)))) {
      thread = pthread_self();
      stack = set_stack_limit(cx);
    }
  }
};

// Says that a call needs an interpreter or value that it did not get.
griddle_value nothing_to_call(griddle_failure** failure, const char* message) noexcept;

}  // namespace griddle

struct griddle_interpreter final : griddle::InterpreterState {
  using InterpreterState::InterpreterState;
};

namespace griddle {

inline void InterpreterState::drop_handle() noexcept {
  if (--handles == 0) delete static_cast<griddle_interpreter*>(this);
}
inline griddle_value InterpreterState::wrap(Value v) noexcept {
  if (v.is_mark()) return {};
  handles++;
  return {static_cast<griddle_interpreter*>(this), v.leak()};
}
inline bool InterpreterState::is_own(const griddle_value& v) const { return v.interpreter == this; }

template <class F>
griddle_value InterpreterState::guarded(griddle_failure** failure, F f) noexcept {
  // The host may give up its last handle meanwhile.
  struct Running {
    InterpreterState& state;
    Evaluating evaluating;
    explicit Running(InterpreterState& state) : state(state), evaluating(&state.cx) { state.running++, state.handles++; }
    ~Running() {
      if (--state.running == 0) state.cx.heap.put_off_none();
      state.drop_handle();
    }
  } running_now(*this);
  enter_stack();
  try {
    std::optional<Alarm> limit;
    if (time_limit > 0 && running == 1) limit.emplace(cx, time_limit, Context::time_up);
    return wrap(f());
  } catch (...) {
    give_failure(failure, current_failure());
    return {};
  }
}

template <class F>
int InterpreterState::done(griddle_failure** failure, F f) noexcept {
  bool whole = false;
  guarded(failure, [&] {
    f();
    whole = true;
    return Value();
  });
  return whole;
}

// Gives text that a function makes of a value, for the host.
template <class F>
griddle_buffer text_from(griddle_value value, griddle_failure** failure, F f) {
  if (value.interpreter == nullptr) return nothing_to_call(failure, "There is no value"), griddle_buffer{};
  griddle_buffer buffer = {};
  value.interpreter->done(failure, [&] {
    Context& cx = value.interpreter->cx;
    const auto text = f(cx, *Lent(value.bits));
    cx.heap.check_limit(text.size());
    buffer = buffer_of(text);
    if (buffer.data == nullptr) throw std::bad_alloc();
  });
  return buffer;
}
// The same for people: where there is no text, it says why.
template <class F>
griddle_buffer shown_text(griddle_value value, F f) noexcept {
  if (value.interpreter == nullptr) return buffer_of("");
  griddle_failure* why = nullptr;
  griddle_buffer buffer = text_from(value, &why, f);
  if (why != nullptr) {
    const griddle_text message = griddle_failure_message(why);
    try {
      buffer = buffer_of("(not shown: " + std::string(message.data, message.bytes) + ")");
    } catch (const std::bad_alloc&) {
    }
    griddle_release_failure(why);
  }
  return buffer;
}

template <class F>
griddle_value InterpreterState::made(griddle_failure** failure, F f) noexcept {
  try {
    return wrap(f());
  } catch (...) {
    give_failure(failure, current_failure());
    return {};
  }
}

}  // namespace griddle
