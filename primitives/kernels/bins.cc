#include "primitives/kernels/bins.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace griddle::kernels {
namespace {

// Spreads values over buckets in ascending order.
struct IntegerBuckets {
  IntegerBuckets(const std::int32_t* w, std::size_t n, std::size_t size) : low(w[0]), high(w[n - 1]) {
    auto range = static_cast<std::uint32_t>(high) - static_cast<std::uint32_t>(low);
    int spare = std::bit_width(range) - std::countr_zero(size);
    shift = spare > 0 ? static_cast<unsigned>(spare) : 0;
  }
  std::size_t operator()(std::int32_t v) const {
    std::int32_t within = std::min(std::max(v, low), high);
    return (static_cast<std::uint32_t>(within) - static_cast<std::uint32_t>(low)) >> shift;
  }
  std::int32_t low, high;
  unsigned shift;
};

struct DoubleBuckets {
  DoubleBuckets(const double* w, std::size_t n, std::size_t size) : last(static_cast<double>(size - 1)) {
    std::size_t first = 0, end = n;
    while (first < end && std::isinf(w[first]) && w[first] < 0) first++;
    while (end > first && std::isinf(w[end - 1])) end--;
    double high = 0;
    if (first < end) {
      low = w[first];
      high = w[end - 1];
    }
    double range = high - low;
    scale = range > 0 && std::isfinite(range) ? static_cast<double>(size) / range : 0;
    if (!std::isfinite(scale)) scale = 0;
  }
  std::size_t operator()(double v) const {
    double at = (v - low) * scale;
    at = at > 0 ? at : 0;  // also where it is no number
    return static_cast<std::size_t>(at < last ? at : last);
  }
  double low = 0, scale = 0, last;
};

template <class Buckets, class T>
void count_by_buckets(const T* w, std::size_t n, const T* x, std::size_t count, std::uint32_t* starts, std::size_t size,
                      std::uint32_t* out) {
  const Buckets bucket(w, n, size);
  // Notes where each bucket starts, and how far the fullest one reaches.
  std::size_t next = 0, fullest = 0;
  for (std::size_t i = 0; i < n;) {
    std::size_t b = bucket(w[i]);
    while (next <= b) starts[next++] = static_cast<std::uint32_t>(i);
    std::size_t end = i + 1;
    while (end < n && bucket(w[end]) == b) end++;
    fullest = std::max(fullest, end - i);
    i = end;
  }
  while (next < size) starts[next++] = static_cast<std::uint32_t>(n);
  std::size_t first_step = std::bit_floor(fullest);
  // Works on a group at a time, so that the memory accesses of a group overlap.
  constexpr std::size_t group = 32;
  std::size_t at[group];
  for (std::size_t i = 0; i < count; i += group) {
    std::size_t m = std::min(group, count - i);
    for (std::size_t j = 0; j < m; j++) {
      at[j] = bucket(x[i + j]);
      __builtin_prefetch(starts + at[j]);
    }
    for (std::size_t j = 0; j < m; j++) {
      at[j] = starts[at[j]];
      __builtin_prefetch(w + at[j]);
    }
    for (std::size_t step = first_step; step; step >>= 1)
      for (std::size_t j = 0; j < m; j++) {
        std::size_t candidate = std::min(at[j] + step, n);
        at[j] = w[candidate - 1] <= x[i + j] ? candidate : at[j];
      }
    for (std::size_t j = 0; j < m; j++) out[i + j] = static_cast<std::uint32_t>(x[i + j] != x[i + j] ? n : at[j]);
  }
}

}  // namespace

std::size_t bin_table_size(std::size_t n, std::size_t count) {
  return std::bit_ceil(std::clamp<std::size_t>(std::min(4 * n, 4 * count), 2, std::size_t{1} << 24));
}

void count_at_most(const std::int32_t* w, std::size_t n, const std::int32_t* x, std::size_t count, std::uint32_t* table,
                   std::size_t size, std::uint32_t* out) {
  count_by_buckets<IntegerBuckets>(w, n, x, count, table, size, out);
}
void count_at_most(const double* w, std::size_t n, const double* x, std::size_t count, std::uint32_t* table, std::size_t size,
                   std::uint32_t* out) {
  count_by_buckets<DoubleBuckets>(w, n, x, count, table, size, out);
}

}  // namespace griddle::kernels
