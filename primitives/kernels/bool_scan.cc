// Scans and searches of packed booleans that need no vectors.
#include <algorithm>
#include <bit>

#include "primitives/kernels/scan.h"

namespace griddle::kernels {

namespace {

using std::uint64_t;

constexpr uint64_t ones = ~uint64_t{0};
std::size_t words_of(std::size_t n) { return (n + 63) / 64; }

std::size_t first_of(const uint64_t* bits, std::size_t n, uint64_t flip, std::size_t from) {
  const std::size_t words = words_of(n);
  std::size_t i = from;
  for (; i + 4 <= words; i += 4)
    if (((bits[i] ^ flip) | (bits[i + 1] ^ flip) | (bits[i + 2] ^ flip) | (bits[i + 3] ^ flip)) != 0) break;
  for (; i < words; i++)
    if (const uint64_t word = bits[i] ^ flip; word != 0)
      return std::min(n, 64 * i + static_cast<std::size_t>(std::countr_zero(word)));
  return n;
}

// Writes n bits: `before` up to place p, the opposite from there on.
void write_switch(uint64_t* out, std::size_t n, std::size_t p, bool before) {
  const std::size_t words = words_of(n), full = std::min(p, n) / 64;
  std::fill_n(out, full, before ? ones : 0);
  if (full == words) return;
  const uint64_t after_mask = ones << (p % 64);
  out[full] = p >= n ? (before ? ones : 0) : before ? ~after_mask : after_mask;
  std::fill(out + full + 1, out + words, before ? 0 : ones);
}

// Turns off every other 1 of each run of ones, counted from the run's start.
uint64_t alternate_in_runs(uint64_t x) {
  constexpr uint64_t even = 0x5555555555555555;
  const uint64_t starts = x & ~(x << 1);
  const uint64_t from_even = x & ~(x + (starts & even));
  return (from_even & even) | (x & ~from_even & ~even);
}

void less_words(uint64_t* out, const uint64_t* bits, std::size_t n, uint64_t flip) {
  bool carry = false;
  for (std::size_t i = 0; i < words_of(n); i++) {
    const uint64_t word = bits[i] ^ flip;
    // Both answers are ready before the carry is known.
    const uint64_t after_zero = alternate_in_runs(word), after_one = alternate_in_runs(word & ~uint64_t{1});
    const uint64_t result = carry ? after_one : after_zero;
    carry = result >> 63;
    out[i] = result ^ flip;
  }
}

void greater_words(uint64_t* out, const uint64_t* bits, std::size_t n, uint64_t flip) {
  if (((bits[0] ^ flip) & 1) == 0) return write_switch(out, n, n, flip != 0);
  std::size_t p = n;
  if (const uint64_t rest = (bits[0] ^ flip) & ~uint64_t{1}; rest != 0)
    p = std::min(n, static_cast<std::size_t>(std::countr_zero(rest)));
  else
    p = first_of(bits, n, flip, 1);
  write_switch(out, n, p, flip == 0);
}

uint64_t combined(bool exclusive, uint64_t a, uint64_t b) { return exclusive ? a ^ b : a | b; }

template <bool exclusive>
void scan_by(std::size_t stride, uint64_t* out, const uint64_t* bits, std::size_t n, uint64_t flip) {
  const std::size_t words = words_of(n);
  if (stride >= 64) {
    const std::size_t back = stride / 64, shift = stride % 64;
    for (std::size_t i = 0; i < words; i++) {
      uint64_t before = i >= back ? (out[i - back] ^ flip) << shift : 0;
      if (shift != 0 && i > back) before |= (out[i - back - 1] ^ flip) >> (64 - shift);
      out[i] = combined(exclusive, bits[i] ^ flip, before) ^ flip;
    }
    return;
  }
  // Repeats the last `stride` results before a word through the whole word by a multiplication.
  uint64_t repeat = 0;
  for (std::size_t k = 0; k < 64; k += stride) repeat |= uint64_t{1} << k;
  uint64_t before = 0;
  for (std::size_t i = 0; i < words; i++) {
    uint64_t word = bits[i] ^ flip;
    for (std::size_t shift = stride; shift < 64; shift *= 2) word = combined(exclusive, word, word << shift);
    word = combined(exclusive, word, (before >> (64 - stride)) * repeat);
    before = word;
    out[i] = word ^ flip;
  }
}

}  // namespace

std::size_t first_one(const uint64_t* bits, std::size_t n) { return first_of(bits, n, 0, 0); }
std::size_t first_zero(const uint64_t* bits, std::size_t n) { return first_of(bits, n, ones, 0); }

void scan_or(uint64_t* out, const uint64_t* bits, std::size_t n) { write_switch(out, n, first_one(bits, n), false); }
void scan_and(uint64_t* out, const uint64_t* bits, std::size_t n) { write_switch(out, n, first_zero(bits, n), true); }
void scan_exclusive_or_by(std::size_t stride, uint64_t* out, const uint64_t* bits, std::size_t n) {
  scan_by<true>(stride, out, bits, n, 0);
}
void scan_or_by(std::size_t stride, uint64_t* out, const uint64_t* bits, std::size_t n) {
  scan_by<false>(stride, out, bits, n, 0);
}
void scan_and_by(std::size_t stride, uint64_t* out, const uint64_t* bits, std::size_t n) {
  scan_by<false>(stride, out, bits, n, ones);
}
void scan_less(uint64_t* out, const uint64_t* bits, std::size_t n) { less_words(out, bits, n, 0); }
void scan_less_equal(uint64_t* out, const uint64_t* bits, std::size_t n) { less_words(out, bits, n, ones); }
void scan_greater(uint64_t* out, const uint64_t* bits, std::size_t n) { greater_words(out, bits, n, 0); }
void scan_greater_equal(uint64_t* out, const uint64_t* bits, std::size_t n) { greater_words(out, bits, n, ones); }

}  // namespace griddle::kernels
