// Copies a box of elements from one array layout to another: any selection of axes by strides, in any order and direction.
// Take, drop, reverse, rotate, transpose, diagonals and windows are all such boxes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace griddle::kernels {

// One axis of a box, with the distance between neighbours along it in elements of the target and of the source.
struct BoxAxis {
  std::size_t length;
  std::ptrdiff_t to;
  std::ptrdiff_t from;
};

inline constexpr std::size_t max_box_axes = 256;

// For each index i of the box: to[to_start + Σ i×to] = from[from_start + Σ i×from].
// `width` is the element's width in bits: 1, 8, 16, 32 or 64. Axes come from the outermost in the target inwards, at most
// max_box_axes. Source and target may not overlap. Data of wider elements must be aligned to their width; bits to 8 bytes.
void copy_box(unsigned width, void* to, std::size_t to_start, const void* from, std::size_t from_start,
              std::span<const BoxAxis> axes);

// Calls visit(target index) for each element of the box, in order.
template <class F>
void visit_box(std::size_t to_start, std::span<const BoxAxis> axes, F visit) {
  if (axes.empty()) {
    visit(to_start);
    return;
  }
  for (const BoxAxis& a : axes)
    if (a.length == 0) return;
  std::size_t index[max_box_axes];
  std::fill_n(index, axes.size(), std::size_t{0});
  const BoxAxis& last = axes.back();
  std::ptrdiff_t at = static_cast<std::ptrdiff_t>(to_start);
  while (true) {
    for (std::size_t i = 0; i < last.length; i++) visit(static_cast<std::size_t>(at + static_cast<std::ptrdiff_t>(i) * last.to));
    std::size_t k = axes.size() - 1;
    while (true) {
      if (k == 0) return;
      k--;
      at += axes[k].to;
      if (++index[k] < axes[k].length) break;
      at -= static_cast<std::ptrdiff_t>(axes[k].length) * axes[k].to;
      index[k] = 0;
    }
  }
}

}  // namespace griddle::kernels
