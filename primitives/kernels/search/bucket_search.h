// Searches of many integers among sorted ones, a vector of them at a time.
#pragma once

#include <cstddef>
#include <cstdint>

namespace griddle::kernels {

// Spreads integers between low and high over buckets in ascending order.
struct IntegerBuckets {
  std::size_t operator()(std::int32_t v) const {
    const std::int32_t above = v > low ? v : low, within = above < high ? above : high;
    return (static_cast<std::uint32_t>(within) - static_cast<std::uint32_t>(low)) >> shift;
  }
  std::int32_t low, high;
  unsigned shift;
};

// n ascending integers, behind which `bins_margin` greatest ones stand, and where in them buckets start. The fullest bucket holds
// so many.
struct Bucketed {
  const std::int32_t* w;
  std::size_t n;
  const std::uint32_t* starts;
  std::size_t fullest;
};

// Writes how many of them are at most x, for some of the first x. Tells for how many: none where the target has no fast way.
std::size_t search_in_vectors(const IntegerBuckets& buckets, const Bucketed& in, const std::int32_t* x, std::size_t count,
                              std::uint32_t* out);

// Tells how many ascending integers can be searched with but some of them in registers, and does so. A greatest one follows them.
std::size_t most_in_registers();
void count_in_registers(const std::int32_t* w, std::size_t n, const std::int32_t* x, std::size_t count, std::uint32_t* out);

}  // namespace griddle::kernels
