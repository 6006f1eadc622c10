// Neighbours in lists of packed booleans.
#pragma once

#include <cstddef>
#include <cstdint>

namespace griddle::kernels {

// Writes each of n bits with the one that follows, pair after pair, and 0s up to a whole word; reads n + 1 bits.
void pair_bits(std::uint64_t* out, const std::uint64_t* bits, std::size_t n);

}  // namespace griddle::kernels
