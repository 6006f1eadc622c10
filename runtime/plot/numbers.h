// The numbers that are drawn, wherever they lie.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>

#include "runtime/value/array.h"

namespace griddle::plot {

// Every so many-th number of an array, or of plain memory; without either, the numbers 0 1 2 … The owner outlives it.
struct Numbers {
  const Array* array = nullptr;
  const double* plain = nullptr;
  std::size_t start = 0, stride = 1, count = 0;

  double at(std::size_t i) const {
    const std::size_t place = start + i * stride;
    if (plain != nullptr) return plain[place];
    if (array == nullptr) return static_cast<double>(i);
    if (array->type() == ElementType::boxed) return element(*array, place).number();
    return number_at(*array, place);
  }
};

// The least and the greatest of finite numbers.
struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();

  bool is_empty() const { return !(low <= high); }
  void add(double v) {
    if (!std::isfinite(v)) return;
    if (v < low) low = v;
    if (v > high) high = v;
  }
};

}  // namespace griddle::plot
