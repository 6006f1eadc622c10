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

// Writes what from(i) gives for each place in order, where before(a, b) tells of two that a comes first; equal ones stay as they
// are. They may be read where they are written.
template <class T, class From, class Before>
void order_tiny(T* to, std::size_t n, From from, Before before) {
  for (std::size_t i = 0; i < n; i++) {
    const T v = static_cast<T>(from(i));
    std::size_t k = i;
    for (; k != 0 && before(v, to[k - 1]); k--) to[k] = to[k - 1];
    to[k] = v;
  }
}
template <class T>
void sort_tiny(const T* x, std::size_t n, bool down, T* to) {
  const auto from = [x](std::size_t i) { return x[i]; };
  if (down)
    order_tiny(to, n, from, [](T a, T b) { return a > b; });
  else
    order_tiny(to, n, from, [](T a, T b) { return a < b; });
}
template <class T>
void grade_tiny(const T* x, std::size_t n, bool down, std::uint8_t* places) {
  const auto from = [](std::size_t i) { return i; };
  if (down)
    order_tiny(places, n, from, [x](std::uint8_t i, std::uint8_t j) { return x[i] > x[j]; });
  else
    order_tiny(places, n, from, [x](std::uint8_t i, std::uint8_t j) { return x[i] < x[j]; });
}

}  // namespace griddle::primitives
