// Searches and orders of up to 64 bits, and of so few elements that no vector is filled.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "primitives/kernels/shared/bit_runs.h"

namespace griddle::primitives {

// --- n bits, 1 to 64, above which all are 0

inline std::uint64_t sorted_bits(std::uint64_t bits, std::size_t n, bool down) {
  const auto ones = static_cast<std::size_t>(std::popcount(bits));
  return down || ones == 0 ? kernels::low_bits(ones) : kernels::low_bits(ones) << (n - ones);
}
// Writes their places in order.
template <class T>
void grade_bits(std::uint64_t bits, std::size_t n, bool down, T* places) {
  const auto ones = static_cast<std::size_t>(std::popcount(bits));
  std::size_t at[2] = {down ? ones : 0, down ? 0 : n - ones};
  for (std::size_t i = 0; i < n; i++, bits >>= 1) places[at[bits & 1]++] = static_cast<T>(i);
}

// --- a few elements

inline constexpr std::size_t most_tiny = 8;

// Puts elements in order, where before(a, b) tells of two that a comes first; equal ones stay as they are.
template <class T, class Before>
void order_tiny(T* x, std::size_t n, Before before) {
  for (std::size_t i = 1; i < n; i++) {
    const T v = x[i];
    std::size_t k = i;
    for (; k != 0 && before(v, x[k - 1]); k--) x[k] = x[k - 1];
    x[k] = v;
  }
}
template <class T>
void sort_tiny(T* x, std::size_t n, bool down) {
  if (down)
    order_tiny(x, n, [](T a, T b) { return a > b; });
  else
    order_tiny(x, n, [](T a, T b) { return a < b; });
}
template <class T>
void grade_tiny(const T* x, std::size_t n, bool down, std::uint8_t* places) {
  for (std::size_t i = 0; i < n; i++) places[i] = static_cast<std::uint8_t>(i);
  if (down)
    order_tiny(places, n, [x](std::uint8_t i, std::uint8_t j) { return x[i] > x[j]; });
  else
    order_tiny(places, n, [x](std::uint8_t i, std::uint8_t j) { return x[i] < x[j]; });
}

}  // namespace griddle::primitives
