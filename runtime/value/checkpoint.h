// Lets an evaluation be ended in the middle of a long loop that knows nothing of who evaluates, such as that of a kernel.
#pragma once

#include <cstddef>

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

// So many elements take simple loops less than a millisecond, and loops that wait for memory at each element some ten.
inline constexpr std::size_t long_piece = std::size_t{1} << 17;

// Calls body(from, to) for one piece of [0, n) after another. Where there are several, what the loop writes may be left half
// done: it is no operand.
template <class Body>
[[gnu::always_inline]] inline void in_pieces(std::size_t n, Body body, std::size_t piece = long_piece) {
  std::size_t from = 0;
  while (n - from > piece) {
    body(from, from + piece);
    from += piece;
    checkpoint();
  }
  body(from, n);
}

}  // namespace griddle
