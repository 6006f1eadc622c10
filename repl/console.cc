#include "repl/console.h"

#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "repl/terminal_pictures.h"

namespace griddle::repl {

namespace {

constexpr std::size_t input_room = 1 << 16;
constexpr int patience_milliseconds = 100;
// So much a pipe takes without waiting where it is ready for anything.
constexpr std::size_t taken_at_once = 4096;
static_assert(taken_at_once <= PIPE_BUF);

}  // namespace

int StandardConsole::write_all(int file, std::string_view bytes) noexcept {
  while (!bytes.empty()) {
    std::size_t size = bytes.size();
    if (end_signal_ != 0) {
      // Who is to end waits for no reader that takes nothing.
      pollfd ready{file, POLLOUT, 0};
      if (poll(&ready, 1, patience_milliseconds) <= 0) return ETIMEDOUT;
      size = std::min(size, taken_at_once);
    }
    ssize_t count = ::write(file, bytes.data(), size);
    if (count >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
      if (!bytes.empty() && interrupt_came_) return EINTR;
    } else if (errno == EPIPE) {
      restore_terminal();
      _exit(128 + SIGPIPE);
    } else if (errno == EAGAIN) {
      pollfd ready{file, POLLOUT, 0};
      poll(&ready, 1, -1);
    } else if (errno != EINTR || interrupt_came_) {
      return errno;
    }
  }
  return 0;
}

StandardConsole::~StandardConsole() {
  flush();
  set_keys(Keys::as_usual);
  log_to(-1);
}

void StandardConsole::take_output() noexcept {
  // Another thread has it for short, as what it writes the system takes at once.
  while (output_taken_.exchange(true, std::memory_order_acquire)) sched_yield();
}

void StandardConsole::give_output_back() noexcept {
  // Where a handler on another thread misses it, and is missed, the alarm ends the process.
  output_taken_.store(false, std::memory_order_release);
  if (end_signal_ != 0 && !output_taken_.exchange(true)) end_now();
}

void StandardConsole::write(std::string_view bytes) {
  take_output();
  if (output_kind_ < 0) output_kind_ = isatty(STDOUT_FILENO);
  log(bytes);
  const bool was_empty = end_waiting_ == 0;
  if (end_waiting_ + bytes.size() > output_.size()) write_waiting();
  if (bytes.size() > output_.size()) {
    write_out(bytes);
  } else {
    std::copy_n(bytes.data(), bytes.size(), output_.data() + end_waiting_);
    end_waiting_ += bytes.size();
    if (output_kind_ == 1) write_waiting();
  }
  const bool begins_to_wait = was_empty && end_waiting_ != 0;
  give_output_back();
  if (!begins_to_wait) return;
  output_waits_ = 1;
  output_waits_.notify_one();
}

void StandardConsole::write_error(std::string_view bytes) {
  take_output();
  log(bytes);
  write_waiting();
  write_all(STDERR_FILENO, bytes);
  give_output_back();
}

void StandardConsole::write_out(std::string_view bytes) noexcept {
  if (drops_output_) return;
  const int error = write_all(STDOUT_FILENO, bytes);
  drops_output_ = error == EINTR;
  if (error != 0 && !drops_output_ && output_error_ == 0) output_error_ = error;
}

void StandardConsole::write_waiting() noexcept {
  write_out({output_.data() + first_waiting_, end_waiting_ - first_waiting_});
  first_waiting_ = end_waiting_ = 0;
}

void StandardConsole::write_some() noexcept {
  if (drops_output_) first_waiting_ = end_waiting_ = 0;
  pollfd ready{STDOUT_FILENO, POLLOUT, 0};
  while (first_waiting_ != end_waiting_ && poll(&ready, 1, 0) > 0) {
    const std::size_t size = std::min(end_waiting_ - first_waiting_, taken_at_once);
    const ssize_t count = ::write(STDOUT_FILENO, output_.data() + first_waiting_, size);
    // Who evaluates writes the rest, and finds out what is wrong.
    if (count < 0) break;
    first_waiting_ += static_cast<std::size_t>(count);
  }
  if (first_waiting_ == end_waiting_) first_waiting_ = end_waiting_ = 0;
}

void StandardConsole::keep_writing() noexcept {
  for (;;) {
    output_waits_.wait(0);
    poll(nullptr, 0, patience_milliseconds);
    // Who has the output is writing it.
    if (output_taken_.exchange(true)) continue;
    output_waits_ = 0;
    write_some();
    if (end_waiting_ != 0) output_waits_ = 1;
    give_output_back();
  }
}

void StandardConsole::end(int signal_number) noexcept {
  int none = 0;
  if (end_signal_.compare_exchange_strong(none, signal_number)) {
    // Whoever has the output ends the process when the system has taken what is being written, or the alarm does.
    alarm(1);
    if (output_taken_.exchange(true)) return;
    end_now();
  }
  restore_terminal();
  signal(none, SIG_DFL);
  raise(none);
}

void StandardConsole::end_now() noexcept {
  const int number = end_signal_;
  write_waiting();
  restore_terminal();
  signal(number, SIG_DFL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, number);
  pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
  raise(number);
  _exit(128 + number);
}

void StandardConsole::flush() {
  take_output();
  write_waiting();
  give_output_back();
}

bool StandardConsole::finish(std::string_view error) noexcept {
  take_output();
  write_waiting();
  write_all(STDERR_FILENO, error);
  const auto tell = [&](const char* what, int why) {
    if (why == 0) return;
    for (const char* part : {what, static_cast<const char*>(strerror(why)), ")\n"}) write_all(STDERR_FILENO, part);
  };
  tell("bqn: The output could not be written (", output_error_);
  tell("bqn: The input could not be read (", input_error_);
  const bool good = output_error_ == 0 && input_error_ == 0;
  give_output_back();
  return good;
}

bool StandardConsole::input_is_terminal() const { return isatty(STDIN_FILENO); }
bool StandardConsole::output_is_terminal() const { return isatty(STDOUT_FILENO); }

bool StandardConsole::fill() {
  flush();
  if (next_ == input_.size()) {
    input_.clear();
    next_ = 0;
  }
  std::size_t size = input_.size();
  input_.resize(size + input_room);
  ssize_t count = -1;
  while (!(interrupted_ = wait_for_input())) {
    if (is_woken()) break;
    count = read(STDIN_FILENO, input_.data() + size, input_room);
    if (count >= 0) break;
    if (errno == EINTR || errno == EAGAIN) continue;
    // A terminal that was hung up has ended.
    if (errno != EIO) input_error_ = errno;
    break;
  }
  input_.resize(size + (count > 0 ? static_cast<std::size_t>(count) : 0));
  return count > 0;
}

bool StandardConsole::wait_for_input() {
  // An interrupt that comes after it was looked for, and before the system waits, is kept from coming until then.
  sigset_t held, before;
  sigemptyset(&held);
  for (const int number : {SIGINT, SIGWINCH, SIGCONT}) sigaddset(&held, number);
  pthread_sigmask(SIG_BLOCK, &held, &before);
  pollfd ready{STDIN_FILENO, POLLIN, 0};
  while (!interrupt_came_ && !is_woken() && ppoll(&ready, 1, nullptr, &before) < 0 && errno == EINTR) {
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return interrupt_came_.exchange(false);
}

bool StandardConsole::read_line(std::string& line) {
  line.clear();
  interrupted_ = false;
  for (;;) {
    std::size_t end = input_.find('\n', next_);
    if (end != input_.npos) {
      line.append(input_, next_, end - next_);
      next_ = end + 1;
      return true;
    }
    line.append(input_, next_);
    next_ = input_.size();
    if (!fill()) return !line.empty();
  }
}

int StandardConsole::read_byte(bool wait) {
  if (!waiting()) {
    pollfd ready{STDIN_FILENO, POLLIN, 0};
    flush();
    if (!wait && poll(&ready, 1, 0) <= 0) return -1;
    if (!fill()) return -1;
  }
  return static_cast<unsigned char>(input_[next_++]);
}

void StandardConsole::set_keys(Keys keys) {
  if (keys == keys_) return;
  if (!usual_keys_) {
    termios mode;
    if (tcgetattr(STDIN_FILENO, &mode) != 0) return;
    usual_keys_ = mode;
  }
  termios mode = *usual_keys_;
  if (keys != Keys::as_usual) mode.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  if (keys == Keys::all) {
    mode.c_lflag &= ~static_cast<tcflag_t>(ISIG | IEXTEN);
    mode.c_iflag &= ~static_cast<tcflag_t>(ICRNL | INLCR | IXON);
  }
  if (tcsetattr(STDIN_FILENO, TCSADRAIN, &mode) == 0) keys_ = keys;
}
void StandardConsole::restore_terminal() const noexcept {
  if (keys_ != Keys::as_usual) tcsetattr(STDIN_FILENO, TCSANOW, &*usual_keys_);
}
void StandardConsole::set_raw(bool raw) { set_keys(raw ? Keys::one_by_one : Keys::as_usual); }
void StandardConsole::set_editing(bool editing) { set_keys(editing ? Keys::all : Keys::as_usual); }

std::string StandardConsole::ask(std::string_view question, bool (*is_whole)(std::string_view), int milliseconds) {
  const Keys before = keys_;
  set_keys(Keys::one_by_one);
  if (keys_ != Keys::one_by_one) return {};
  take_output();
  write_waiting();
  write_all(STDOUT_FILENO, question);
  give_output_back();
  std::string sent;
  const auto start = std::chrono::steady_clock::now();
  while (!is_whole(sent) && !interrupt_came_) {
    const auto passed = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - start).count();
    if (passed >= milliseconds) break;
    if (!waits_for_input(milliseconds - static_cast<int>(passed))) continue;
    char bytes[256];
    const ssize_t count = read(STDIN_FILENO, bytes, sizeof bytes);
    if (count > 0) sent.append(bytes, static_cast<std::size_t>(count));
    if (count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN)) break;
  }
  set_keys(before);
  return sent;
}

PictureForm StandardConsole::pictures() {
  constexpr int patience = 500;  // milliseconds: terminals answer at once, but some are far away
  if (const std::optional<PictureForm> known = pictures_by_environment()) return *known;
  if (!input_is_terminal() || !output_is_terminal()) return PictureForm::text;
  const char* terminal = std::getenv("TERM");
  const TerminalAnswer answer = take_answer(ask(
      picture_question(terminal != nullptr ? terminal : ""), [](std::string_view sent) { return take_answer(sent).is_whole; },
      patience));
  // What was typed meanwhile is for whoever reads next.
  input_ += answer.typed;
  return answer.form;
}

void StandardConsole::log_to(int file) {
  if (log_ >= 0) close(log_);
  log_ = file;
  log_begins_line_ = true;
}

void StandardConsole::log(std::string_view bytes) noexcept {
  if (log_ < 0 || keys_ == Keys::all || bytes.empty()) return;
  log_begins_line_ = bytes.back() == '\n';
  // A log that cannot be written any more ends.
  if (write_all(log_, bytes) != 0) log_to(-1);
}

void StandardConsole::log_entry(std::string_view prompt, std::string_view text) {
  // A terminal that gathers lines has been shown the prompt already.
  if (log_begins_line_) log(prompt);
  log(text);
  log("\n");
}

void StandardConsole::suspend() {
  flush();
  kill(0, SIGTSTP);
  change_came_ = false;
}

bool StandardConsole::take_changed() {
  if (!is_woken()) return false;
  change_came_ = false;
  // A shell may have given the terminal other keys meanwhile.
  keys_ = Keys::as_usual;
  return true;
}

bool StandardConsole::waits_for_input(int milliseconds) const {
  pollfd ready{STDIN_FILENO, POLLIN, 0};
  return poll(&ready, 1, milliseconds) > 0;
}

bool StandardConsole::terminal_size(std::size_t& rows, std::size_t& columns) {
  if (!output_is_terminal()) return false;
  const Size now = size();
  rows = now.rows;
  columns = now.columns;
  return true;
}

std::size_t StandardConsole::error_columns() {
  winsize told = {};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &told) == 0 ? std::max<std::size_t>(1, told.ws_col) : 0;
}

Size StandardConsole::size() const {
  constexpr std::size_t least = 8;
  Size size;
  winsize told = {};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &told) != 0) return size;
  if (told.ws_col != 0) size.columns = std::max<std::size_t>(least, told.ws_col);
  if (told.ws_row != 0) size.rows = told.ws_row;
  return size;
}

bool StandardConsole::read_all(std::string& text) {
  while (fill()) {
  }
  text = input_.substr(next_);
  next_ = input_.size();
  return !interrupted_ && input_error_ == 0;
}

}  // namespace griddle::repl
