// The executable: runs files, code and sessions.
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <exception>
#include <new>
#include <optional>

#include "repl/arguments.h"
#include "repl/commands/keeping.h"
#include "repl/commands/sampling.h"
#include "repl/console.h"
#include "repl/environment.h"
#include "repl/help/help.h"
#include "repl/report.h"
#include "repl/server/serving.h"
#include "repl/session.h"
#include "repl/version.h"
#include "runtime/address_space.h"
#include "runtime/api/griddle.hpp"
#include "runtime/mapped_file.h"

#ifdef GRIDDLE_TAKES_PROFILE
extern "C" void __gcov_dump();
#endif

namespace {

using namespace griddle;
using namespace griddle::repl;

#ifdef __SANITIZE_ADDRESS__
// AddressSanitizer cannot unwind more than 64 MiB of stack.
constexpr std::size_t largest_stack = std::size_t{64} << 20;
#else
constexpr std::size_t largest_stack = std::size_t{128} << 20;
#endif
constexpr std::size_t smallest_stack = std::size_t{1} << 20;
constexpr int exit_failed = 1;
constexpr int exit_interrupted = 128 + SIGINT;
constexpr std::string_view interrupted = "Interrupted\n";

// The interpreter and the console that signals reach; a handler can have no other way to them.
std::atomic<Interpreter*> running{nullptr};
StandardConsole* console_at_hand = nullptr;

void handle_interrupt(int) {
  if (Interpreter* interpreter = running.load()) interpreter->interrupt();
  console_at_hand->interrupt();
}

void handle_change(int) { console_at_hand->note_change(); }

void handle_end(int number) { console_at_hand->end(number); }

// Handles a signal, unless whoever started this process has it ignored, or a library that was loaded first handles it.
void handle(int number, void (*handler)(int), int flags = 0) {
  struct sigaction action = {};
  sigaction(number, nullptr, &action);
  if (action.sa_handler != SIG_DFL) return;
  action = {};
  action.sa_handler = handler;
  action.sa_flags = flags;  // without SA_RESTART reading a line ends too
  for (const int other : {SIGINT, SIGTERM, SIGHUP, SIGALRM}) sigaddset(&action.sa_mask, other);
  sigaction(number, &action, nullptr);
}

void handle_signals() {
  handle(SIGINT, handle_interrupt);
  handle(SIGTERM, handle_end);
  handle(SIGHUP, handle_end);
  handle(SIGWINCH, handle_change, SA_RESTART);
  handle(SIGCONT, handle_change, SA_RESTART);
  handle(SIGALRM, handle_end);
  // Output that nobody reads, and files that are too large, are errors of writing.
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
  guard_mapped_files();
}

// Has something stand for each standard stream that is closed, or the first file that is opened would be taken for it. Neither
// can be read, or written, as before.
bool fill_standard_streams() {
  for (int number = STDIN_FILENO; number <= STDERR_FILENO; number++) {
    if (fcntl(number, F_GETFD) >= 0 || errno != EBADF) continue;
    const int unusable = number == STDIN_FILENO ? O_WRONLY : O_RDONLY;
    if (open("/dev/null", unusable) != number && open("/", O_RDONLY | O_DIRECTORY) != number) return false;
  }
  return true;
}

// What the main thread hands to the one that evaluates.
struct Job {
  const CommandLine& line;
  StandardConsole& console;
};

// Evaluates code from the command line. Several pieces, and the session after them, share their names; a single one is a program
// of its own, which is compiled as such.
Result evaluate_code(Interpreter& interpreter, const CommandLine& line, const std::string& code, std::string_view option) {
  const bool is_alone = line.actions.size() == 1 && !line.session;
  if (is_alone) return interpreter.eval(code, option);
  Result result = interpreter.eval_in_session(code, option);
  // A session takes lines without a value; here they are refused as programs are.
  return result && !result->has_value() ? interpreter.eval(code, option) : result;
}

Result perform(SessionState& session, const CommandLine& line, const Action& action) {
  Interpreter& interpreter = session.interpreter;
  StandardConsole& console = session.console;
  switch (action.kind) {
    case Action::Kind::run: return evaluate_code(interpreter, line, action.text, "(-e)");
    case Action::Kind::file:
      // The session after it knows its names.
      if (line.session) return load(session, action.text, line.program_arguments);
      return interpreter.run_file(action.text, line.program_arguments);
    case Action::Kind::input: {
      std::string text;
      // Half a program is none.
      if (!console.read_all(text)) {
        if (console.interrupted())
          interpreter.interrupt();
        else
          return Result::error("(stdin): The program could not be read");
      }
      return interpreter.run(text, "(stdin)", line.program_arguments);
    }
    case Action::Kind::print: {
      Result result = evaluate_code(interpreter, line, action.text, "(-p)");
      if (result) console.write(result->format() + "\n");
      return result;
    }
    case Action::Kind::explain: {
      std::string text;
      Result result = interpreter.explain(action.text, text, console.output_is_terminal() ? console.columns() : 0);
      if (result && result->has_value()) text += "\nResult\n" + result->format() + "\n";
      console.write(text);
      return result;
    }
    case Action::Kind::print_raw: {
      Result result = evaluate_code(interpreter, line, action.text, "(-o)");
      if (!result) return result;
      std::optional<std::string> text = result->text();
      if (!text) return Result::error("(-o): The value to print must be a string");
      console.write(*text + "\n");
      return result;
    }
  }
  return Result::error("Unknown action");
}

int exit_code_of(const Failure& failure) {
  switch (failure.cause) {
    case Failure::Cause::exit: return failure.exit_code;
    case Failure::Cause::interrupt: return exit_interrupted;
    default: return exit_failed;
  }
}

// Does all that the command line asks for. Gives the exit code.
int perform_all(SessionState& session, const CommandLine& line) {
  for (const Action& action : line.actions) {
    Result result = perform(session, line, action);
    if (result) continue;
    if (result.failure().cause != Failure::Cause::exit) tell_failure(session.console, result.failure());
    return exit_code_of(result.failure());
  }
  return line.session ? run_session(session, line.silent) : 0;
}

int evaluate(const CommandLine& line, StandardConsole& console) {
  Options options;
  options.console = &console;
  options.memory_limit = line.memory_limit;
  options.capabilities = line.capabilities;
  options.root = line.root;
  options.arguments = line.program_arguments;
  take_environment(options);
  if (line.session && console.output_is_terminal()) options.pictures = PictureForm::asked;
  // Stays alive until the process ends: taking it down would only cost time.
  auto* interpreter = new Interpreter(options);
  if (!interpreter->ok()) throw std::bad_alloc();
  running = interpreter;
  if (line.serves_editor) {
    // Ctrl-C at the editor is none of the server's.
    signal(SIGINT, SIG_IGN);
    return serve_editor(*interpreter, STDIN_FILENO, STDOUT_FILENO);
  }
  SessionState session(*interpreter, console);
  std::optional<Sampling> sampling;
  if (line.profile) sampling.emplace(*interpreter);
  const int code = perform_all(session, line);
  if (sampling) console.write_error(sampling->report());
  return code;
}

// Adds which fast paths served to a file that tests name.
void note_taken_ways() {
  const char* path = secure_getenv("GRIDDLE_WAYS_TAKEN");
  if (path == nullptr) return;
  const std::string lines = running.load()->taken_ways();
  // In one piece: other processes add theirs at the same time.
  const int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0) return;
  [[maybe_unused]] const ssize_t written = write(file, lines.data(), lines.size());
  close(file);
}

// Ends the process from whatever thread this is; taking threads down in order would only cost time.
[[noreturn]] void leave(StandardConsole& console, int code, std::string_view error = {}) noexcept {
  console.set_raw(false);
  if (!console.finish(error) && code == 0) code = exit_failed;
  if (console.drops_output() && code == 0) {
    console.write_error(interrupted);
    code = exit_interrupted;
  }
#ifdef GRIDDLE_TAKES_PROFILE
  __gcov_dump();
#endif
  _exit(code);
}

// Where there is no memory to throw or to catch an exception, or none where it may not pass, nothing can go on.
constexpr std::string_view no_memory = "bqn: Out of memory\n";
void give_up() {
  const std::exception_ptr thrown = std::current_exception();
  try {
    if (thrown != nullptr) std::rethrow_exception(thrown);
  } catch (const std::bad_alloc&) {
  } catch (...) {
    std::abort();
  }
  leave(*console_at_hand, exit_failed, no_memory);
}

[[noreturn]] void evaluate_and_leave(const Job& job) noexcept {
  try {
    const int code = evaluate(job.line, job.console);
    note_taken_ways();
    leave(job.console, code);
  } catch (const std::bad_alloc&) {
    leave(job.console, exit_failed, no_memory);
  }
}

void* run_job(void* argument) { evaluate_and_leave(*static_cast<Job*>(argument)); }

// Says how large a stack may be: address space may be limited, and has to hold more than that.
std::size_t stack_room() {
  constexpr std::size_t share = 8, page = 4096;
  return std::clamp(address_space() / share / page * page, smallest_stack, largest_stack);
}

// Evaluates on a thread of its own, with a stack that allows deep recursion. Memory for it is taken only as it is used.
[[noreturn]] void evaluate_with_room(const CommandLine& line, StandardConsole& console) {
  const Job job{line, console};
  const std::size_t room = stack_room();
#ifdef M_ARENA_MAX
  // The C library would reserve 64 MiB for another thread's allocations.
  if (room < largest_stack) mallopt(M_ARENA_MAX, 1);
#endif
  for (std::size_t size = room; size >= smallest_stack; size /= 2) {
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, size);
    bool started = pthread_create(&thread, &attributes, run_job, const_cast<Job*>(&job)) == 0;
    pthread_attr_destroy(&attributes);
    if (!started) continue;
    // Signals are for the thread that evaluates.
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
    console.keep_writing();
  }
  evaluate_and_leave(job);
}

int start(int count, char** words, StandardConsole& console) {
  CommandLine line = parse_command_line(count, words);
  if (!line.problem.empty()) {
    console.write_error("bqn: " + line.problem + "\nTry bqn --help\n");
    return exit_failed;
  }
  if (std::string problem = processor_problem(); !problem.empty() || !(problem = take_target()).empty()) {
    console.write_error("bqn: " + problem + "\n");
    return exit_failed;
  }
  if (!line.topic.empty()) {
    const Help help = help_for(line.topic, console.columns());
    help.found ? console.write(help.text) : console.write_error(help.text);
    return help.found ? 0 : exit_failed;
  }
  if (line.help) console.write(usage);
  if (line.version) {
    Options options;
    take_environment(options);
    console.write(version_text(build_info(), find_device(options)));
  }
  handle_signals();
  if (!line.actions.empty() || line.session || line.serves_editor) evaluate_with_room(line, console);
  return 0;
}

}  // namespace

int main(int count, char** words) {
  static StandardConsole console;
  console_at_hand = &console;
  if (!fill_standard_streams()) _exit(exit_failed);
  std::set_terminate(give_up);
  try {
    leave(console, start(count, words, console));
  } catch (const std::bad_alloc&) {
    leave(console, exit_failed, no_memory);
  }
}
