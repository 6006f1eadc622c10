#include "repl/console.h"

#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace griddle::repl {

namespace {

constexpr std::size_t input_room = 1 << 16;

}  // namespace

int StandardConsole::write_all(int file, std::string_view bytes) noexcept {
  while (!bytes.empty()) {
    ssize_t count = ::write(file, bytes.data(), bytes.size());
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

void StandardConsole::write(std::string_view bytes) {
  if (output_kind_ < 0) output_kind_ = isatty(STDOUT_FILENO);
  log(bytes);
  if (waiting_output_ + bytes.size() > output_.size()) flush();
  if (bytes.size() > output_.size()) return write_out(bytes);
  std::copy_n(bytes.data(), bytes.size(), output_.data() + waiting_output_);
  waiting_output_ += bytes.size();
  if (output_kind_ == 1) flush();
}

void StandardConsole::write_error(std::string_view bytes) {
  flush();
  log(bytes);
  write_all(STDERR_FILENO, bytes);
}

void StandardConsole::write_out(std::string_view bytes) noexcept {
  if (drops_output_) return;
  const int error = write_all(STDOUT_FILENO, bytes);
  drops_output_ = error == EINTR;
  if (error != 0 && !drops_output_ && output_error_ == 0) output_error_ = error;
}

void StandardConsole::flush() { write_out({output_.data(), std::exchange(waiting_output_, 0)}); }

bool StandardConsole::finish(std::string_view error) noexcept {
  flush();
  write_all(STDERR_FILENO, error);
  const auto tell = [&](const char* what, int why) {
    if (why == 0) return;
    for (const char* part : {what, static_cast<const char*>(strerror(why)), ")\n"}) write_all(STDERR_FILENO, part);
  };
  tell("bqn: The output could not be written (", output_error_);
  tell("bqn: The input could not be read (", input_error_);
  return output_error_ == 0 && input_error_ == 0;
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
