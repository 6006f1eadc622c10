// What stands behind an Interpreter and its values: the parts of the runtime, put together.
#pragma once

#include <pthread.h>

#include <memory>
#include <optional>

#include "runtime/api/checked_ways.h"
#include "runtime/api/griddle.h"
#include "runtime/bytecode/compiler.h"
#include "runtime/source/diagnostic.h"
#include "runtime/source/parser.h"
#include "runtime/system/system.h"
#include "runtime/value/context.h"
#include "runtime/value/remote.h"
#include "runtime/vm/vm.h"

namespace griddle {

// Hands what a program reads and writes to the host's console.
class ConsoleStreams final : public Streams {
 public:
  explicit ConsoleStreams(Console* console) : console_(console ? console : &silence_) {}
  void write(std::string_view bytes) override { console_->write(bytes); }
  void write_error(std::string_view bytes) override { console_->write_error(bytes); }
  void flush() override { console_->flush(); }
  bool read_line(std::string& line) override { return console_->read_line(line); }
  int read_byte(bool wait) override { return console_->read_byte(wait); }
  void set_raw(bool raw) override { console_->set_raw(raw); }

 private:
  Console silence_;
  Console* console_;
};

struct InterpreterState {
  explicit InterpreterState(Options);
  ~InterpreterState();

  // Counts the Interpreter and every Any; the last one deletes the state.
  std::size_t handles = 1;
  void drop_handle() noexcept {
    if (--handles == 0) delete this;
  }

  Context cx;
  std::optional<CheckedWays> checked_ways;  // where Options ask for it
  std::unique_ptr<Device> device;
  ConsoleStreams streams;
  SystemState system;
  Vm vm;
  Value arguments;
  // The scope of eval_in_session, with the values of its names; null until used.
  std::unique_ptr<RootScope> session;
  Ref<Environment> session_root;
  // The thread that the stack limit was measured on.
  pthread_t thread{};
  bool thread_known = false;
  int running = 0;

  // Runs f, which gives a Value, and turns whatever it throws into a failure.
  template <class F>
  Result guarded(F f);
  template <class F>
  Any made(F f) noexcept;
  Any wrap(Value);
  // Gives a value of this interpreter; fails for another one's.
  Value share(const Any&);
  // Copies data of another one.
  Value imported(InterpreterState& from, const Value&);
  Value strings(std::span<const std::string>);
  Failure failure_of(Error&);
  // Makes a unit for text that counts as lying in the working directory.
  Ref<Unit> unit(std::string_view source, std::string_view name);
  // Compiles a line of the session, and takes its tree as text where somebody wants it.
  Ref<Code> compile_in_session(std::string_view source, std::string_view name, std::string* outline = nullptr);
  Value run_in_session(std::string_view source, std::string_view name = "");
  // Appends the explanation of a line to a text while it runs the line.
  Value explain(std::string_view source, std::string& text);
  Value define(std::string_view name, Value);
  void set_memory_limit(std::size_t bytes) { cx.heap.set_limit(bytes); }
};

}  // namespace griddle
