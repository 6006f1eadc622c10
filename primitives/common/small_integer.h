// Numbers of 32 bits: what places and lengths of short arrays are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "runtime/value/value.h"

namespace griddle::primitives {

// Takes any number, and what is no number as one that is none; gives the least integer for what is out of range.
inline std::int32_t truncated(double d) {
#ifdef __SSE2__
  return _mm_cvttsd_si32(_mm_set_sd(d));
#else
  return d > -2147483649.0 && d < 2147483648.0 ? static_cast<std::int32_t>(d) : std::numeric_limits<std::int32_t>::min();
#endif
}

// Tells whether a value is such an integer, and stores it. What is no number is a NaN, which equals nothing.
inline bool is_small_integer(const Value& v, std::int32_t& n) {
  n = truncated(v.number());
  return n == v.number();
}

// Gives the size of an integer.
inline std::size_t magnitude(std::int64_t n) { return static_cast<std::size_t>(n < 0 ? -n : n); }

// Finds a number among [−n, n) as an index of n cells.
inline bool finds(const Value& v, std::size_t n, std::size_t& index) {
  std::int64_t i;
  if (!v.to_integer(i)) return false;
  index = static_cast<std::size_t>(i < 0 ? i + static_cast<std::int64_t>(n) : i);
  return index < n;
}

}  // namespace griddle::primitives
