// Sums of bytes for hashes: each word of 64 bits counts by the product of its halves, after a key that is different at every
// place.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace griddle::kernels {

inline constexpr std::size_t hash_stripe = 64;
using HashSums = std::array<std::uint64_t, 8>;

// Adds so many stripes of 64 bytes; `place` is the number of stripes before. The sums are the same on every processor.
using AddStripes = void (*)(HashSums& sums, const std::uint8_t* bytes, std::size_t stripes, std::uint64_t place);
AddStripes add_stripes();

}  // namespace griddle::kernels
