// Places whose keys agree in their leading bits, by which they were sorted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "primitives/kernels/shared/pieces.h"

namespace griddle::kernels {

// Orders places of which neighbours are tied, by whole elements of x. next_tie(i) gives the first place from i on that is tied
// with the next one, n - 1 where there is none; tied(i, j) tells whether two are. False where more than `most` are in ties.
template <class T, class Place, class NextTie, class Tied>
bool order_tied_keys(const T* x, Place* places, std::size_t n, bool down, std::size_t most, NextTie next_tie, Tied tied) {
  const auto before = [x, down](Place a, Place b) {
    const T v = x[static_cast<std::size_t>(a)], w = x[static_cast<std::size_t>(b)];
    return down ? v > w : v < w;
  };
  std::size_t asked = 0;
  for (std::size_t i = next_tie(0); i + 1 < n; i = next_tie(i)) {
    if (i - asked > long_piece) [[unlikely]] {
      checkpoint();
      asked = i;
    }
    std::size_t end = i + 2;
    while (end < n && tied(i, end)) end++;
    if (end - i > most) return false;
    most -= end - i;
    if (end - i > 16) {
      // Equal elements stay in order of their places.
      std::size_t compared = 0;
      std::sort(places + i, places + end, [x, down, &compared](Place a, Place b) {
        if (++compared % long_piece == 0) checkpoint();
        const T v = x[static_cast<std::size_t>(a)], w = x[static_cast<std::size_t>(b)];
        return v == w ? a < b : (v < w) != down;
      });
    } else {
      for (std::size_t j = i + 1; j < end; j++) {
        const Place p = places[j];
        std::size_t k = j;
        for (; k > i && before(p, places[k - 1]); k--) places[k] = places[k - 1];
        places[k] = p;
      }
    }
    i = end;
  }
  return true;
}

}  // namespace griddle::kernels
