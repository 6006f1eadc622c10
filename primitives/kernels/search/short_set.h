// Sets of keys of 16 bits, a bit for each that there can be: 8 KiB, which stay in the first-level cache. And of keys close
// together, a byte or a bit for each.
#pragma once

#include <cstddef>
#include <cstdint>

namespace griddle::kernels {

inline constexpr std::size_t short_set_bytes = 8192;

// Adds n keys to a set. Writes a bit for each that was not there before; stops once `limit` have come, or somewhat later. Tells
// how many keys it has looked at: bits beyond those are not written.
std::size_t mark_new_shorts(const std::uint16_t* x, std::size_t n, std::uint8_t* set, std::size_t limit, std::uint64_t* out);

// The same for keys from `low` on, as signed numbers, of which each has a byte of `is_new`, 1 at first.
std::size_t mark_new_close(const std::uint16_t* x, std::size_t n, std::uint16_t low, std::uint8_t* is_new, std::size_t limit,
                           std::uint64_t* out);
std::size_t mark_new_close(const std::uint32_t* x, std::size_t n, std::uint32_t low, std::uint8_t* is_new, std::size_t limit,
                           std::uint64_t* out);

// Writes a bit for each of n keys that tells whether the set of `range` > 0 keys from `low` on, as signed numbers, holds it.
void match_close(const std::uint64_t* set, std::uint32_t low, std::size_t range, const std::uint32_t* x, std::size_t n,
                 std::uint64_t* out);

// Adds n keys to a set.
void add_shorts(const std::uint16_t* x, std::size_t n, std::uint8_t* set);

// Writes a bit for each of n keys that tells whether it is in the set.
void match_shorts(const std::uint8_t* set, const std::uint16_t* x, std::size_t n, std::uint64_t* out);

// A filter for few keys, each of which has one of 8 bits in the bytes that stand for its halves.
struct PairFilter {
  static constexpr std::size_t most_keys = 128;
  PairFilter(const std::uint16_t* keys, std::size_t n) {
    for (std::size_t i = 0; i < n; i++) {
      const auto bit = static_cast<std::uint8_t>(1 << i % 8);
      low[keys[i] & 0xFF] |= bit;
      high[keys[i] >> 8] |= bit;
    }
  }
  std::uint8_t low[256] = {}, high[256] = {};
};
// Writes a bit for each of n keys, set for those of the filter and few others; false, and nothing, where that takes longer than
// to look keys up, which no keys ask, too.
bool match_pairs(const PairFilter&, const std::uint16_t* x, std::size_t n, std::uint64_t* out);

}  // namespace griddle::kernels
