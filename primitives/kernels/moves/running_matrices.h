// Boxes of three axes or more as matrices, for transposing them.
#pragma once

#include <algorithm>
#include <cstddef>

#include "primitives/kernels/moves/box.h"

namespace griddle::kernels {

// Axes that run on in one layout, and where their places lie in the other one. Of the last axis there may be but a part.
class RunningAxes {
 public:
  RunningAxes() { places_[0] = 0; }

  std::size_t length() const { return length_; }
  const std::ptrdiff_t* places() const { return places_; }
  bool has_room() const { return part_ == last_.length && longest / length_ >= 2; }
  void take(const BoxAxis& axis, std::ptrdiff_t step) {
    unit_ = length_, last_ = axis, part_ = std::min(axis.length, longest / length_);
    for (std::size_t i = 1; i < part_; i++)
      for (std::size_t p = 0; p < unit_; p++) places_[i * unit_ + p] = places_[p] + static_cast<std::ptrdiff_t>(i) * step;
    length_ *= part_;
  }
  // Calls f(target index, source index, length) for each part of the last axis.
  template <class F>
  void each_part(F f) const {
    for (std::size_t i = 0; i < last_.length; i += part_)
      f(static_cast<std::ptrdiff_t>(i) * last_.to, static_cast<std::ptrdiff_t>(i) * last_.from,
        unit_ * std::min(part_, last_.length - i));
  }

 private:
  static constexpr std::size_t longest = 2048;
  std::size_t length_ = 1, unit_ = 1, part_ = 1;
  BoxAxis last_{1, 0, 0};
  std::ptrdiff_t places_[longest];
};

// The axes of a box as matrices: rows run on in the source, columns in the target; what is left are the axes of `rest`.
class RunningMatrices {
 public:
  // Tells whether these are larger than those of two axes. The shorter side takes an axis first.
  bool reads(const Box& box) {
    const std::size_t inner = box.count - 1, turned = transposed_axis(box);
    if (box.count < 3 || turned == no_axis || box.axes[inner].from == 1) return false;
    const auto goes_on = [&](const BoxAxis& a) {
      return &a != &box.axes[turned] && (a.from == static_cast<std::ptrdiff_t>(box.axes[turned].length) ||
                                         a.to == static_cast<std::ptrdiff_t>(box.axes[inner].length));
    };
    if (std::none_of(box.axes, box.axes + inner, goes_on)) return false;
    bool taken[max_box_axes] = {};
    taken[turned] = taken[inner] = true;
    rows.take(box.axes[turned], box.axes[turned].to);
    columns.take(box.axes[inner], box.axes[inner].from);
    std::size_t left = box.count - 2;
    const auto take_one = [&](bool in_rows) {
      RunningAxes& axes = in_rows ? rows : columns;
      for (std::size_t k = 0; axes.has_room() && k < inner; k++) {
        const BoxAxis& a = box.axes[k];
        if (taken[k] || (in_rows ? a.from : a.to) != static_cast<std::ptrdiff_t>(axes.length())) continue;
        axes.take(a, in_rows ? a.to : a.from);
        left--;
        return taken[k] = true;
      }
      return false;
    };
    while (left != 0) {
      const bool in_rows = rows.length() <= columns.length();
      if (!take_one(in_rows) && !take_one(!in_rows)) break;
    }
    if (left == box.count - 2) return false;
    for (std::size_t k = 0; k < inner; k++)
      if (!taken[k]) rest_.axes[rest_.count++] = box.axes[k];
    rest_.to_start = box.to_start, rest_.from_start = box.from_start;
    return true;
  }

  // Calls f(target index, source index, rows, columns) for each matrix.
  template <class F>
  void each(F f) const {
    for_outer(rest_, rest_.count, no_axis, [&](std::ptrdiff_t t, std::ptrdiff_t g) {
      rows.each_part([&](std::ptrdiff_t row_t, std::ptrdiff_t row_g, std::size_t height) {
        columns.each_part([&](std::ptrdiff_t column_t, std::ptrdiff_t column_g, std::size_t breadth) {
          f(t + row_t + column_t, g + row_g + column_g, height, breadth);
        });
      });
    });
  }

  RunningAxes rows, columns;

 private:
  Box rest_;
};

}  // namespace griddle::kernels
