// Loops that may run long go in pieces, between which the evaluation may be ended.
#pragma once

#include <cstddef>

#include "runtime/value/checkpoint.h"

namespace griddle::kernels {

using griddle::in_pieces, griddle::long_piece;

// The same for loops that only pass through memory in order, by elements or by bytes.
inline constexpr std::size_t long_pass = 8 * long_piece;

// Has the system clear the pages of new memory, whose contents get lost, one after the other. A loop that writes all over it
// would else wait for a page, which takes up to some milliseconds, at each of its first elements.
template <class T>
inline void touch_pages(T* memory, std::size_t n) {
  constexpr std::size_t page = 4096 / sizeof(T), few = std::size_t{1} << 20;
  if (n < few) return;
  in_pieces(n, [=](std::size_t i, std::size_t end) {
    for (; i < end; i += page) memory[i] = T{};
  });
}

// Does what in_pieces does for loops whose steps take any time: counts the elements that are done.
class ElementsDone {
 public:
  void add(std::size_t n) {
    if (n < left_) [[likely]] {
      left_ -= n;
      return;
    }
    left_ = long_piece;
    checkpoint();
  }

 private:
  std::size_t left_ = long_piece;
};

}  // namespace griddle::kernels
