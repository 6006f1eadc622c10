// The same elements of each of many blocks, in another order: small transposes side by side.
#pragma once

#include <cstddef>
#include <cstdint>

namespace griddle::kernels {

inline constexpr std::size_t longest_permuted_block = 512;  // bytes

// Tells whether the target has a fast way for blocks of so many elements of 8, 16, 32 or 64 bits, which pays for so many blocks.
bool pays_to_permute_blocks(unsigned width, std::size_t block, std::size_t blocks);
// to[b][i] = from[b][places[i]] where it pays. No overlap.
void permute_blocks(unsigned width, void* to, const void* from, std::size_t block, const std::uint16_t* places,
                    std::size_t blocks);

}  // namespace griddle::kernels
