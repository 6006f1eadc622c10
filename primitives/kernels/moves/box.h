// A box of elements with its layouts (axis_order.h), for the ways of copying one.
#pragma once

#include <algorithm>
#include <cstddef>

#include "primitives/kernels/moves/axis_order.h"

namespace griddle::kernels {

struct Box {
  BoxAxis axes[max_box_axes];
  std::size_t count = 0;
  std::size_t elements = 1, bytes;  // of the whole, elements as they are given
  std::size_t to_start, from_start;
  unsigned width;
};

// Calls f(target index, source index) for each index of the first axes but one or two.
template <class F>
void for_outer(const Box& box, std::size_t count, std::size_t skip, F f, std::size_t skip_too = ~std::size_t{0}) {
  std::size_t index[max_box_axes];
  std::fill_n(index, count, std::size_t{0});
  auto to = static_cast<std::ptrdiff_t>(box.to_start), from = static_cast<std::ptrdiff_t>(box.from_start);
  while (true) {
    f(to, from);
    std::size_t k = count;
    while (true) {
      if (k == 0) return;
      k--;
      if (k == skip || k == skip_too) continue;
      const BoxAxis& a = box.axes[k];
      to += a.to, from += a.from;
      if (++index[k] < a.length) break;
      to -= static_cast<std::ptrdiff_t>(a.length) * a.to;
      from -= static_cast<std::ptrdiff_t>(a.length) * a.from;
      index[k] = 0;
    }
  }
}

inline constexpr std::size_t no_axis = ~std::size_t{0};

// Gives the longest of the first axes, of which there is one that is not `skip`.
inline std::size_t longest_axis(const Box& box, std::size_t count, std::size_t skip) {
  std::size_t longest = skip == 0 ? 1 : 0;
  for (std::size_t k = longest + 1; k < count; k++)
    if (k != skip && box.axes[k].length > box.axes[longest].length) longest = k;
  return longest;
}

// Gives the axis whose elements are neighbours in the source, if it pays to walk the box along it in blocks.
inline std::size_t transposed_axis(const Box& box) {
  if (box.count < 2 || box.axes[box.count - 1].to != 1) return no_axis;
  for (std::size_t k = 0; k + 1 < box.count; k++)
    if (box.axes[k].from == 1) return k;
  return no_axis;
}

}  // namespace griddle::kernels
