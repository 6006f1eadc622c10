#include "repl/commands/pager.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

extern char** environ;

namespace griddle::repl {

namespace {

// Starts a command with the signals that programs expect. Gives its process, or -1.
pid_t start(const char* command, int input, int other_end) {
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_t actions;
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_init(&actions);
  sigset_t none, usual;
  sigemptyset(&none);
  sigemptyset(&usual);
  for (const int number : {SIGPIPE, SIGXFSZ, SIGINT, SIGTERM, SIGHUP}) sigaddset(&usual, number);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  if (input >= 0) {
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_addclose(&actions, other_end);
  }
  const char* const words[] = {"sh", "-c", command, nullptr};
  pid_t process = -1;
  if (posix_spawn(&process, "/bin/sh", &actions, &attributes, const_cast<char* const*>(words), environ) != 0) process = -1;
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return process;
}

// Shows pages without any other program.
void show_pages(StandardConsole& console, std::string_view text) {
  constexpr std::string_view question = "(a key for more, q to end)", rubout = "\r\x1b[K";
  const std::size_t rows = std::max<std::size_t>(console.rows(), 3) - 1, columns = console.columns();
  console.set_raw(true);
  for (std::size_t used = 0; !text.empty();) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    const std::string_view line = text.substr(0, end);
    // Long lines take several rows of the terminal.
    const auto width = static_cast<std::size_t>(
        std::count_if(line.begin(), line.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
    const std::size_t taken = std::max<std::size_t>(1, (width + columns - 2) / columns);
    if (used > 0 && used + taken > rows) {
      console.write(question);
      const int key = console.read_byte(true);
      console.write(rubout);
      if (key < 0 || key == 'q' || key == 'Q') break;
      used = 0;
    }
    console.write(line);
    used += taken;
    text.remove_prefix(end);
  }
  console.set_raw(false);
}

}  // namespace

int run_on_terminal(StandardConsole& console, const char* command, const std::string_view* input) {
  console.flush();
  int ends[2] = {-1, -1};
  if (input != nullptr && pipe2(ends, O_CLOEXEC) != 0) return -1;
  const pid_t process = start(command, ends[0], ends[1]);
  if (input != nullptr) {
    close(ends[0]);
    // Whoever ends before all is read, ends it.
    for (std::string_view rest = *input; process > 0 && !rest.empty();) {
      const ssize_t count = write(ends[1], rest.data(), rest.size());
      if (count < 0 && errno != EINTR) break;
      if (count > 0) rest.remove_prefix(static_cast<std::size_t>(count));
    }
    close(ends[1]);
  }
  if (process < 0) return -1;
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  console.forget_interrupt();
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void page_text(StandardConsole& console, std::string_view text) {
  if (!console.input_is_terminal() || !console.output_is_terminal()) {
    console.write(text);
    return;
  }
  const char* pager = secure_getenv("PAGER");
  if (pager == nullptr || *pager == '\0' || run_on_terminal(console, pager, &text) < 0) show_pages(console, text);
}

}  // namespace griddle::repl
