// Shape: the lengths of an array's axes while a result is being planned. Up to 8 axes need no memory.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <span>

#include "runtime/value/few.h"

namespace griddle {

inline constexpr std::size_t max_rank = 255;
// Where addresses have 32 bits, as many boxes still fit half of them.
inline constexpr std::size_t max_length = std::size_t{1} << (sizeof(std::size_t) == 8 ? 47 : 28);

class Shape : public Few<std::size_t> {
 public:
  Shape() = default;
  Shape(std::initializer_list<std::size_t> l) : Shape(std::span<const std::size_t>(l.begin(), l.size())) {}
  Shape(std::span<const std::size_t> s) { append(s); }
};

inline bool same_shape(std::span<const std::size_t> a, std::span<const std::size_t> b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); i++)
    if (a[i] != b[i]) return false;
  return true;
}

// Multiplies the lengths. Gives max_length + 1 where the product is larger than max_length.
inline std::size_t product(std::span<const std::size_t> s) {
  std::size_t p = 1;
  for (std::size_t n : s)
    if (n == 0) return 0;
  for (std::size_t n : s)
    if (__builtin_mul_overflow(p, n, &p) || p > max_length) return max_length + 1;
  return p;
}

}  // namespace griddle
