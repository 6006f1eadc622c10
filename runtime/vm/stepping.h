// Who sees each step of a program while it runs: what an instruction gives, which blocks are entered and left.
#pragma once

#include "runtime/bytecode/chunk.h"

namespace griddle {

// Its functions change nothing, and throw nothing. Blocks of plain arithmetic on numbers may pass unseen.
class StepObserver {
 public:
  // An instruction that has a place in the source has given a value: where a call ended, the block's.
  // `depth` counts the blocks around it.
  virtual void gave(std::size_t depth, const Code&, const Position&, const Value&) noexcept = 0;
  // A block begins with its arguments, of which `w` is absent where there is one; it ends with a value, or with an error.
  virtual void entered(std::size_t depth, const Code&, const Value& w, const Value& x) noexcept = 0;
  virtual void left(std::size_t depth, const Code&, const Value& result) noexcept = 0;

 protected:
  ~StepObserver() = default;
};

}  // namespace griddle
