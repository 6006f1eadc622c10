// Runs of packed bits at any alignment. Bit i of a run lies in word i / 64, least significant first.
// Only words that hold bits of the run are touched.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace griddle::kernels {

constexpr std::uint64_t low_bits(std::size_t n) { return n >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1; }

// Reads `n` bits, 1 to 64, from bit `at` on; the rest of the word is zero.
inline std::uint64_t read_bits(const std::uint64_t* from, std::size_t at, std::size_t n) {
  std::size_t word = at >> 6, shift = at & 63;
  std::uint64_t v = from[word] >> shift;
  if (shift + n > 64) v |= from[word + 1] << (64 - shift);
  return v & low_bits(n);
}

// Writes `n` bits, 1 to 64, from bit `at` on; bits of `v` beyond them must be zero.
inline void write_bits(std::uint64_t* to, std::size_t at, std::size_t n, std::uint64_t v) {
  std::size_t word = at >> 6, shift = at & 63;
  std::uint64_t mask = low_bits(n);
  to[word] = (to[word] & ~(mask << shift)) | v << shift;
  if (shift + n > 64) to[word + 1] = (to[word + 1] & ~(mask >> (64 - shift))) | v >> (64 - shift);
}

// The same without a jump, for runs that lie anywhere.
inline std::uint64_t read_bits_anywhere(const std::uint64_t* from, std::size_t at, std::size_t n) {
  const std::size_t shift = at & 63;
  return (from[at >> 6] >> shift | from[(at + n - 1) >> 6] << 1 << (63 - shift)) & low_bits(n);
}

inline bool read_bit(const std::uint64_t* from, std::size_t at) { return from[at >> 6] >> (at & 63) & 1; }
inline void write_bit(std::uint64_t* to, std::size_t at, bool v) {
  std::uint64_t mask = std::uint64_t{1} << (at & 63);
  to[at >> 6] = v ? to[at >> 6] | mask : to[at >> 6] & ~mask;
}

// Copies `n` bits; the runs may not overlap.
inline void copy_bit_run(std::uint64_t* to, std::size_t to_at, const std::uint64_t* from, std::size_t from_at, std::size_t n) {
  if (n == 0) return;
  if (std::size_t head = (64 - (to_at & 63)) & 63) {
    if (head > n) head = n;
    write_bits(to, to_at, head, read_bits(from, from_at, head));
    to_at += head, from_at += head, n -= head;
  }
  std::uint64_t* out = to + (to_at >> 6);
  const std::uint64_t* in = from + (from_at >> 6);
  std::size_t shift = from_at & 63, words = n >> 6;
  if (shift == 0)
    for (std::size_t i = 0; i < words; i++) out[i] = in[i];
  else
    for (std::size_t i = 0; i < words; i++) out[i] = in[i] >> shift | in[i + 1] << (64 - shift);
  if (std::size_t rest = n & 63) write_bits(to, to_at + (words << 6), rest, read_bits(from, from_at + (words << 6), rest));
}

// Sets `n` bits to one value.
inline void set_bit_run(std::uint64_t* to, std::size_t at, std::size_t n, bool v) {
  std::uint64_t word = v ? ~std::uint64_t{0} : 0;
  while (n) {
    if (at % 64 == 0 && n >= 64) {
      std::fill_n(to + at / 64, n / 64, word);
      at += n / 64 * 64, n %= 64;
      if (n == 0) return;
    }
    std::size_t count = 64 - (at & 63);
    if (count > n) count = n;
    write_bits(to, at, count, word & low_bits(count));
    at += count, n -= count;
  }
}

// Reverses the order of the bits of a word.
inline std::uint64_t reversed_bits(std::uint64_t v) {
  v = __builtin_bswap64(v);
  v = (v >> 4 & 0x0F0F0F0F0F0F0F0Full) | (v & 0x0F0F0F0F0F0F0F0Full) << 4;
  v = (v >> 2 & 0x3333333333333333ull) | (v & 0x3333333333333333ull) << 2;
  return (v >> 1 & 0x5555555555555555ull) | (v & 0x5555555555555555ull) << 1;
}

// Collects bits, from a place of a list on, in a word and writes whole words.
class BitWriter {
 public:
  explicit BitWriter(std::uint64_t* to, std::size_t place = 0)
      : to_(to + place / 64), word_(place % 64 ? *to_ & low_bits(place % 64) : 0), used_(place % 64) {}
  // Appends `n` bits, 0 to 64; those of `bits` beyond them must be zero.
  [[gnu::always_inline]] void append(std::uint64_t bits, std::size_t n) {
    word_ |= bits << used_;
    const std::uint64_t beyond = bits >> 1 >> (63 - used_);
    used_ += n;
    if (used_ < 64) return;
    *to_++ = word_;
    word_ = beyond;
    used_ -= 64;
  }
  [[gnu::always_inline]] void append_word(std::uint64_t bits) {
    *to_++ = word_ | bits << used_;
    word_ = bits >> 1 >> (63 - used_);
  }
  // The same for 1 to 64 bits with more to come, which the last word must have room for: without a jump, as it is hard to foresee
  // which words get full.
  [[gnu::always_inline]] void append_before_more(std::uint64_t bits, std::size_t n) {
    const std::uint64_t word = word_ | bits << used_;
    const std::uint64_t beyond = bits >> 1 >> (63 - used_);
    *to_ = word;
    used_ += n;
    const bool full = used_ >= 64;
    word_ = full ? beyond : word;
    to_ += full;
    used_ &= 63;
  }
  // Appends `n` bits of a list, from bit `at` on, or those before `end` from the last to the first.
  [[gnu::always_inline]] void append_copy(const std::uint64_t* from, std::size_t at, std::size_t n) {
    for (; n > 64; n -= 64, at += 64) append_word(read_bits_anywhere(from, at, 64));
    if (n != 0) append(read_bits_anywhere(from, at, n), n);
  }
  [[gnu::always_inline]] void append_reversed(const std::uint64_t* from, std::size_t end, std::size_t n) {
    for (; n > 64; n -= 64) append_word(reversed_bits(read_bits_anywhere(from, end -= 64, 64)));
    if (n != 0) append(reversed_bits(read_bits_anywhere(from, end - n, n)) >> (64 - n), n);
  }
  [[gnu::always_inline]] void append_run(bool bit, std::size_t n) {
    std::uint64_t word = bit ? ~std::uint64_t{0} : 0;
    for (; n > 63; n -= 63) append(word >> 1, 63);
    append(word & ((std::uint64_t{1} << n) - 1), n);
  }
  // Writes the last bits, with zeros behind them.
  void finish() {
    if (used_) *to_ = word_;
  }
  // The same where the bits behind them stay.
  void finish_before_others() {
    if (used_) *to_ = word_ | (*to_ & ~low_bits(used_));
  }

 private:
  std::uint64_t* to_;
  std::uint64_t word_;
  std::size_t used_;  // below 64
};

}  // namespace griddle::kernels
