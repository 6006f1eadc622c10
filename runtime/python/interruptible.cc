// Python's handler of signals only notes them, and does what they ask for when Python goes on, which it does not while BQN
// computes. So during an evaluation of the main thread another handler interrupts BQN, and calls Python's.
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

#include "runtime/python/bridge.h"

namespace griddle::python {

namespace {

std::atomic<griddle_interpreter*> to_interrupt{nullptr};
std::atomic<bool> has_interrupted{false};
struct sigaction before;

void interrupt(int number) {
  if (griddle_interpreter* bqn = to_interrupt.load()) {
    has_interrupted = true;
    griddle_interrupt(bqn);
  }
  before.sa_handler(number);
}

bool on_main_thread() {
  static thread_local const bool is_main = syscall(SYS_gettid) == getpid();
  return is_main;
}

}  // namespace

Interruptible::Interruptible(griddle_interpreter* bqn) {
  if (!on_main_thread() || to_interrupt.load() != nullptr) return;
  struct sigaction now = {};
  if (sigaction(SIGINT, nullptr, &before) != 0 || (before.sa_flags & SA_SIGINFO) != 0 || before.sa_handler == SIG_DFL ||
      before.sa_handler == SIG_IGN)
    return;
  now = before;
  now.sa_handler = interrupt;
  bqn_ = bqn;
  has_interrupted = false;
  to_interrupt = bqn;
  sigaction(SIGINT, &now, nullptr);
}

Interruptible::~Interruptible() {
  if (bqn_ == nullptr) return;
  sigaction(SIGINT, &before, nullptr);
  to_interrupt = nullptr;
  // A request that came too late is no longer wanted.
  if (has_interrupted) griddle_clear_interrupt(bqn_);
}

}  // namespace griddle::python
