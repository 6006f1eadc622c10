// How often each number comes among bytes.
#pragma once

#include <cstddef>
#include <cstdint>

namespace griddle::kernels {

inline constexpr std::size_t most_counted_bytes = 256;

// Writes how often each number below `length`, which is at most most_counted_bytes, comes among n bytes, all of them below it;
// n < 2⋆32.
void count_bytes(const std::uint8_t* x, std::size_t n, std::size_t length, std::uint32_t* counts);

}  // namespace griddle::kernels
