// Lets an evaluation be ended in the middle of a long loop that knows nothing of who evaluates, such as that of a kernel.
#pragma once

namespace griddle {

class Context;

// The evaluation that this thread is in the middle of; null where code of the host runs, or nothing does. The thread-local
// variable is one load from the thread's register, in a library that is loaded while the program runs, too.
__attribute__((tls_model("initial-exec"))) inline constinit thread_local Context* evaluating = nullptr;

// Makes an evaluation, or none, the one that the thread is in the middle of, while it lives.
class Evaluating {
 public:
  explicit Evaluating(Context* now) : before_(evaluating) { evaluating = now; }
  ~Evaluating() { evaluating = before_; }
  Evaluating(const Evaluating&) = delete;
  Evaluating& operator=(const Evaluating&) = delete;

 private:
  Context* before_;
};

// Throws a BQN error where that evaluation is to end; does nothing where there is none. Whoever calls it, and all that called
// them, own nothing that only they would give back, and have not begun to change what a variable holds.
void checkpoint();

}  // namespace griddle
