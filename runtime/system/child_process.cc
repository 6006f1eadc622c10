#include "runtime/system/child_process.h"

#ifdef __EMSCRIPTEN__

#include <cerrno>

namespace griddle {

// A browser has no other programs.
int ChildProcess::start(std::span<const std::string>, int, int, int) { return ENOSYS; }
int ChildProcess::wait() { return 0; }
bool ChildProcess::has_ended() const { return true; }
ChildProcess::~ChildProcess() = default;

}  // namespace griddle

#else

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <vector>

#include "runtime/files.h"

extern char** environ;

namespace griddle {

namespace {

// Says how a program is to start.
class Start {
 public:
  Start(std::span<const std::string> words, int input, int output, int error) {
    for (const std::string& word : words) words_.push_back(const_cast<char*>(word.c_str()));
    words_.push_back(nullptr);
    posix_spawn_file_actions_init(&streams_);
    const int streams[] = {input, output, error};
    for (int to = STDIN_FILENO; to <= STDERR_FILENO && problem_ == 0; to++)
      problem_ = posix_spawn_file_actions_adddup2(&streams_, streams[to], to);
    // The host may ignore broken pipes, limits of files and its children; the program shall not inherit that.
    sigset_t defaults;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    sigaddset(&defaults, SIGXFSZ);
    sigaddset(&defaults, SIGCHLD);
    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setsigdefault(&attributes_, &defaults);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGDEF);
  }
  ~Start() {
    posix_spawn_file_actions_destroy(&streams_);
    posix_spawnattr_destroy(&attributes_);
  }
  Start(const Start&) = delete;
  Start& operator=(const Start&) = delete;

  int run(pid_t& program) const {
    return problem_ != 0 ? problem_ : posix_spawnp(&program, words_[0], &streams_, &attributes_, words_.data(), environ);
  }

 private:
  std::vector<char*> words_;
  posix_spawn_file_actions_t streams_;
  posix_spawnattr_t attributes_;
  int problem_ = 0;
};

bool forgets_children() {
  struct sigaction action;
  return sigaction(SIGCHLD, nullptr, &action) == 0 && (action.sa_handler == SIG_IGN || (action.sa_flags & SA_NOCLDWAIT) != 0);
}

int status_of(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, __WALL) < 0)
    if (errno != EINTR) return 127;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void close_all() {
#ifdef SYS_close_range
  if (syscall(SYS_close_range, 0, ~0u, 0) == 0) return;
#endif
  for (int number = 0; number < sysconf(_SC_OPEN_MAX); number++) close(number);
}

struct Started {
  int problem;
  pid_t program;
};

// Is a process of its own: starts the program, tells about it, waits for it and ends as it did. Of what this process shares with
// its parent, which may have other threads, it uses nothing that one of them may hold.
[[noreturn]] void wait_in_place(const Start& start, int tells) {
  struct sigaction usual = {};
  usual.sa_handler = SIG_DFL;
  sigaction(SIGCHLD, &usual, nullptr);
  Started started{0, 0};
  started.problem = start.run(started.program);
  if (write(tells, &started, sizeof started) != sizeof started || started.problem != 0) _exit(127);
  // Ends of pipes that are open here would keep others waiting.
  close_all();
  _exit(status_of(started.program));
}

}  // namespace

int ChildProcess::start(std::span<const std::string> words, int input, int output, int error) {
  const Start start(words, input, output, error);
  if (!forgets_children()) {
    const int problem = start.run(program_);
    awaited_ = problem == 0 ? program_ : 0;
    return problem;
  }
  // Where the host ignores SIGCHLD, the system forgets how children end that would send it. A child that sends none is not
  // forgotten, but becomes one of the others when it becomes another program: so it waits for one instead.
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return errno;
  Descriptor told(ends[0]), tells(ends[1]);
  const pid_t waits = static_cast<pid_t>(syscall(SYS_clone, 0, nullptr, nullptr, nullptr, nullptr));
  if (waits < 0) return errno;
  if (waits == 0) wait_in_place(start, tells.number);
  tells.close();
  Started started{ECHILD, 0};
  ssize_t got;
  while ((got = read(told.number, &started, sizeof started)) < 0 && errno == EINTR) {
  }
  if (got != sizeof started) started.problem = ECHILD;
  awaited_ = waits;
  if (started.problem == 0)
    program_ = started.program;
  else
    wait();
  return started.problem;
}

bool ChildProcess::has_ended() const {
  siginfo_t ended = {};
  const int found = waitid(P_PID, static_cast<id_t>(awaited_), &ended, WEXITED | WNOHANG | WNOWAIT | __WALL);
  return found != 0 ? errno != EINTR : ended.si_pid != 0;
}

int ChildProcess::wait() {
  const int status = status_of(awaited_);
  awaited_ = 0;
  return status;
}

ChildProcess::~ChildProcess() {
  if (awaited_ <= 0) return;
  // A program that does not heed the request, and may not even be able to, is not waited for long.
  constexpr int rounds = 10;
  constexpr timespec a_while = {0, 5'000'000};
  kill(program_, SIGTERM);
  for (int i = 0; i < rounds; i++) {
    int status = 0;
    if (waitpid(awaited_, &status, __WALL | WNOHANG) != 0) return;
    nanosleep(&a_while, nullptr);
  }
  kill(program_, SIGKILL);
  wait();
}

}  // namespace griddle

#endif
