// Draws from one distribution by a table of aliases (Walker 1977), which takes one look into memory for each draw.
#pragma once

#include <cstddef>
#include <cstdint>

namespace griddle::kernels {

inline constexpr std::size_t most_aliases = std::size_t{1} << 31;

// Gives the place that a word of random bits draws from a table of n entries. The word times n has 32 bits before the point, the
// place of an entry, and 32 behind it. Where these are below the lower half of the entry, the place is drawn, else the upper
// half.
inline std::uint32_t draw_alias(const std::uint64_t* table, std::size_t n, std::uint64_t word) {
  const std::uint64_t place = (word >> 32) * n + ((word & 0xFFFFFFFF) * n >> 32), entry = table[place >> 32];
  return static_cast<std::uint32_t>((place & 0xFFFFFFFF) < (entry & 0xFFFFFFFF) ? place >> 32 : entry >> 32);
}

struct AliasKernels {
  // Makes the table of n weights, up to most_aliases of them, finite and at least 0, whose sum is finite and above 0. What each
  // has over the mean fills up those that have less, both from the left (spec/system/random.md). A weight of 0 is never drawn.
  void (*make)(std::uint64_t* table, const double* weights, std::size_t n, double total);
  // Draws a place for each of so many words, from a table of n entries.
  void (*draw)(std::int32_t* places, const std::uint64_t* words, std::size_t count, const std::uint64_t* table, std::size_t n);
};

const AliasKernels& aliases();

}  // namespace griddle::kernels
