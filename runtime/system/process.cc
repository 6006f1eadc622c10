// Other programs: •SH
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "runtime/system/argument.h"
#include "runtime/system/child_process.h"
#include "runtime/system/files/file_contents.h"
#include "runtime/system/files/name_text.h"
#include "runtime/system/functions.h"
#include "runtime/system/system.h"
#include "runtime/value/heap_memory.h"
#include "runtime/value/namespace.h"

namespace griddle::system_functions {

namespace {

constexpr int poll_milliseconds = 100;

struct Pipe {
  Descriptor read_end;
  Descriptor write_end;
  bool open() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    read_end = Descriptor(ends[0]);
    write_end = Descriptor(ends[1]);
    return true;
  }
};

struct Command {
  std::vector<std::string> words;
  std::optional<BytesToWrite> input;
  bool raw = false;
};

// Reads what is there. Closes at the end.
void take_output(Descriptor& from, HeapText& to) {
  char buffer[1 << 16];
  ssize_t got = read(from.number, buffer, sizeof buffer);
  if (got > 0)
    to.append(buffer, static_cast<std::size_t>(got));
  else if (got == 0 || errno != EINTR)
    from.close();
}

void give_input(Descriptor& to, std::string_view& rest) {
  ssize_t written = write(to.number, rest.data(), rest.size());
  if (written >= 0)
    rest.remove_prefix(static_cast<std::size_t>(written));
  else if (errno != EINTR && errno != EAGAIN)
    rest = {};  // the program does not want more
  if (rest.empty()) to.close();
}

Value output_value(Context& cx, const Function& self, std::string_view bytes, bool raw, const char* what) {
  if (!raw) return decoded_text(cx, self, bytes, what);
  Ref<Array> a = make_list(cx.heap, ElementType::c8, bytes.size());
  std::copy(bytes.begin(), bytes.end(), a->as<std::uint8_t>());
  return to_value(std::move(a));
}

Value run(Context& cx, const Function& self, const Command& command) {
  if (command.words.empty()) fail_in(cx, self, "𝕩 must name a program (got an empty list)");
  cx.system->streams.flush();
  Pipe in, out, error;
  if (!in.open() || !out.open() || !error.open())
    fail_in(cx, self, std::string("Cannot make pipes (") + std::strerror(errno) + ")");

  ChildProcess child;
  if (int problem = child.start(command.words, in.read_end.number, out.write_end.number, error.write_end.number))
    fail_in(cx, self, "Cannot run the program (" + command.words[0] + ": " + std::strerror(problem) + ")");
  in.read_end.close();
  out.write_end.close();
  error.write_end.close();

  std::string_view rest = command.input ? command.input->view() : std::string_view();
  if (rest.empty())
    in.write_end.close();
  else
    fcntl(in.write_end.number, F_SETFL, O_NONBLOCK);
  HeapText output(cx.heap), errors(cx.heap);
  while (out.read_end.number >= 0 || error.read_end.number >= 0) {
    cx.check_interrupt();
    pollfd waiting[] = {{out.read_end.number, POLLIN, 0}, {error.read_end.number, POLLIN, 0}, {in.write_end.number, POLLOUT, 0}};
    if (poll(waiting, std::size(waiting), poll_milliseconds) <= 0) continue;
    if (waiting[0].revents) take_output(out.read_end, output);
    if (waiting[1].revents) take_output(error.read_end, errors);
    if (waiting[2].revents) give_input(in.write_end, rest);
  }
  in.write_end.close();
  // It may go on after it has closed its streams.
  constexpr long first_pause = 100'000, last_pause = 20'000'000;
  for (long pause = first_pause; cx.check_interrupt(), !child.has_ended(); pause = std::min(2 * pause, last_pause)) {
    const timespec time = {0, pause};
    nanosleep(&time, nullptr);
  }
  const int code = child.wait();
  Value result[] = {code, output_value(cx, self, output, command.raw, "The output"),
                    output_value(cx, self, errors, command.raw, "The error output")};
  return make_values(cx.heap, result);
}

Command command_argument(Context& cx, const Function& self, const Value& x) {
  Command command;
  command.words = strings_argument(cx, self, x);
  for (std::string& word : command.words) word = name_bytes(word);
  for (const std::string& word : command.words)
    if (word.find('\0') != word.npos) fail_in(cx, self, "𝕩 must not contain @");
  return command;
}

}  // namespace

Value run_command(Context& cx, const Function& self, Value x) { return run(cx, self, command_argument(cx, self, x)); }

Value run_command_with(Context& cx, const Function& self, Value w, Value x) {
  Command command = command_argument(cx, self, x);
  const Namespace& options = namespace_argument(cx, self, w, "𝕨");
  if (Value raw = field(options, "raw"); !raw.is_absent()) command.raw = boolean_argument(cx, self, raw, "raw");
  if (Value input = field(options, "stdin"); !input.is_absent())
    command.input =
        command.raw ? BytesToWrite::of_bytes(cx, self, input, "stdin") : BytesToWrite::of_text(cx, self, input, "stdin");
  return run(cx, self, command);
}

}  // namespace griddle::system_functions
