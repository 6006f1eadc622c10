// Text grows outside of the heap: this lets the limit of memory hold for it, and an interrupt end it.
#pragma once

#include <cstddef>

#include "runtime/value/context.h"

namespace griddle {

class GrowingText {
 public:
  explicit GrowingText(Context& cx) : cx_(cx) {}
  // Is told how many bytes the text takes by now, with what belongs to it. Throws where that is too much, or no more wanted.
  void takes(std::size_t bytes) {
    if (bytes >= next_) [[unlikely]]
      look(bytes);
  }

 private:
  void look(std::size_t bytes) {
    constexpr std::size_t step = std::size_t{64} << 10;
    cx_.check_interrupt();
    // While a string moves to a larger memory, both are there.
    cx_.heap.check_limit(3 * bytes);
    next_ = bytes + step;
  }
  Context& cx_;
  std::size_t next_ = 0;
};

}  // namespace griddle
