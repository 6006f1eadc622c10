// Loops that may run long go in pieces, between which the evaluation may be ended.
#pragma once

#include <algorithm>
#include <cstddef>

#include "runtime/value/checkpoint.h"

namespace griddle::kernels {

// So many elements take simple loops less than a millisecond, and loops that wait for memory at each element some ten.
inline constexpr std::size_t long_piece = std::size_t{1} << 17;

// Calls body(from, to) for one piece of [0, n) after another. Where there are several, what the loop writes may be left half
// done: it is no operand.
template <class Body>
[[gnu::always_inline]] inline void in_pieces(std::size_t n, Body body) {
  std::size_t from = 0;
  while (n - from > long_piece) {
    body(from, from + long_piece);
    from += long_piece;
    checkpoint();
  }
  body(from, n);
}

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
