#include "repl/other_programs.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "runtime/files.h"

extern char** environ;

namespace griddle::repl {

namespace {

// Where the executable has more rights than who runs it, these are not theirs to choose.
std::string variable_or(const char* name, const std::string& other) {
  const char* value = secure_getenv(name);
  return value != nullptr && *value != '\0' ? value : other;
}

// Owns a file of its own in the folder for temporary ones, whose name editors take for BQN.
struct TemporaryFile {
  std::string path = variable_or("TMPDIR", "/tmp") + "/bqn-XXXXXX.bqn";
  Descriptor file{mkostemps(path.data(), 4, O_CLOEXEC)};
  ~TemporaryFile() {
    if (file) unlink(path.c_str());
  }
};

// Quotes a path for the shell.
std::string quoted(const std::string& path) {
  std::string word = "'";
  for (const char c : path) c == '\'' ? void(word += "'\\''") : void(word += c);
  return word + "'";
}

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

}  // namespace

int run_on_terminal(StandardConsole& console, const char* command, const TextPieces* input) {
  console.flush();
  int ends[2] = {-1, -1};
  if (input != nullptr && pipe2(ends, O_CLOEXEC) != 0) return -1;
  const pid_t process = start(command, ends[0], ends[1]);
  if (input != nullptr) {
    close(ends[0]);
    // Whoever ends before all is read, ends it.
    if (process > 0)
      (*input)([&](std::string_view rest) {
        while (!rest.empty()) {
          const ssize_t count = write(ends[1], rest.data(), rest.size());
          if (count < 0 && errno != EINTR) return false;
          if (count > 0) rest.remove_prefix(static_cast<std::size_t>(count));
        }
        return true;
      });
    close(ends[1]);
  }
  if (process < 0) return -1;
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  console.forget_interrupt();
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::string edit_file(StandardConsole& console, const std::string& path) {
  const std::string editor = variable_or("VISUAL", variable_or("EDITOR", "vi"));
  return run_on_terminal(console, (editor + " " + quoted(path)).c_str(), nullptr) == 0
             ? ""
             : "The editor did not end well (" + editor + ")";
}

std::string edit_text(StandardConsole& console, std::string& text) {
  TemporaryFile temporary;
  if (!temporary.file || !temporary.file.write_all(text + "\n"))
    return "The text cannot be written to a file (" + temporary.path + ": " + strerror(errno) + ")";
  if (const std::string problem = edit_file(console, temporary.path); !problem.empty()) return problem;
  std::string changed;
  // Anew by its name: editors put another file in the place of the one that they were given.
  if (!read_file(temporary.path, changed)) return "The text cannot be read from the file (" + temporary.path + ")";
  while (changed.ends_with('\n')) changed.pop_back();
  text = changed;
  return "";
}

}  // namespace griddle::repl
