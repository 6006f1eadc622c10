// Where the host ignores SIGCHLD, the system forgets how children ended, and a host that waits for any child would take ours. So
// this one is none of those: it ends without a signal, and only who asks for it by number and kind learns of its end. No function
// of POSIX makes such a child; clone does, in the way in which posix_spawn uses it.
#include "runtime/system/child_process.h"

#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <memory>
#include <vector>

extern char** environ;

namespace griddle {

namespace {

struct Start {
  char* const* words;
  int streams[3];
  sigset_t mask;  // to go back to
  int error = 0;
};

// Runs in the child, which shares this memory until it becomes the other program; this process waits meanwhile.
int become_program(void* given) {
  Start& start = *static_cast<Start*>(given);
  // Handlers are this program's; what it ignores stays ignored, but for what programs rely on.
  for (int number = 1; number < NSIG; number++) {
    struct sigaction action;
    if (sigaction(number, nullptr, &action) != 0) continue;
    if (action.sa_handler == SIG_DFL || (action.sa_handler == SIG_IGN && number != SIGPIPE && number != SIGCHLD)) continue;
    action = {};
    action.sa_handler = SIG_DFL;
    sigaction(number, &action, nullptr);
  }
  pthread_sigmask(SIG_SETMASK, &start.mask, nullptr);
  for (int stream = 0; stream < 3; stream++) {
    if (dup2(start.streams[stream], stream) < 0) {
      start.error = errno;
      _exit(127);
    }
  }
  execvpe(start.words[0], start.words, environ);
  start.error = errno;
  _exit(127);
}

}  // namespace

int ChildProcess::start(std::span<const std::string> words, int input, int output, int error) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  // execvpe keeps paths, and the words of a script, on its stack.
  const std::size_t stack_bytes = (std::size_t{64} << 10) + arguments.size() * sizeof(char*);
  const auto stack = std::make_unique_for_overwrite<char[]>(stack_bytes);
  Start start{arguments.data(), {input, output, error}, {}};
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &start.mask);
  char* const top = stack.get() + (stack_bytes & ~std::size_t{15});
  process_ = clone(become_program, top, CLONE_VM | CLONE_VFORK, &start);
  const int problem = process_ < 0 ? errno : start.error;
  pthread_sigmask(SIG_SETMASK, &start.mask, nullptr);
  if (problem != 0) {
    if (process_ > 0) wait();
    process_ = 0;
  }
  return problem;
}

int ChildProcess::wait() {
  int status = 0;
  while (waitpid(process_, &status, __WALL) < 0) {
    if (errno == EINTR) continue;
    process_ = 0;
    return 127;
  }
  process_ = 0;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

ChildProcess::~ChildProcess() {
  if (process_ <= 0) return;
  kill(process_, SIGTERM);
  wait();
}

}  // namespace griddle
