// Radix passes, which sorts and grades share.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "primitives/kernels/shared/pieces.h"
#include "primitives/kernels/shared/scatter.h"

namespace griddle::kernels {

// Sorts by digits of some bits, the lowest first; the items move between two arrays.
template <class Item>
struct RadixPasses {
  // Wide digits take fewer passes, and equal ones, which wait for each other, come less often; few items do not pay for clearing
  // their counts. Items of 32 bits that lie beyond the caches go to more pages than processors know at once.
  static constexpr unsigned narrow_digit = 8, wide_digit = sizeof(Item) <= 2 ? 8 : sizeof(Item) == 4 ? 11 : 10;
  static constexpr std::size_t many = 2048, far = sizeof(Item) == 4 ? std::size_t{1} << 20 : ~std::size_t{0};
  static constexpr std::size_t most_counts =
      std::max(sizeof(Item) << narrow_digit, ((8 * sizeof(Item) + wide_digit - 1) / wide_digit) << wide_digit);

  // Up to so many items are sorted by insertion.
  static constexpr std::size_t few = 32;
  static void sort_few(Item* a, std::size_t n, unsigned low) {
    for (std::size_t i = 1; i < n; i++) {
      Item v = a[i];
      std::size_t j = i;
      for (; j > 0 && a[j - 1] >> low > v >> low; j--) a[j] = a[j - 1];
      a[j] = v;
    }
  }

  template <unsigned passes>
  static void count_fixed(const Item* a, std::size_t n, unsigned low, unsigned digit, std::uint32_t* counts) {
    if (digit == narrow_digit) return count_bytes<passes>(a, n, low, counts);
    const std::size_t mask = (std::size_t{1} << digit) - 1;
    for (std::size_t i = 0; i < n; i++) {
      std::uint64_t v = static_cast<std::uint64_t>(a[i]) >> low;
      for (unsigned p = 0; p < passes; p++, v >>= digit) counts[(p << digit) + (v & mask)]++;
    }
  }
  // Gives every other item counts of its own, for the same reason.
  template <unsigned passes>
  static void count_bytes(const Item* a, std::size_t n, unsigned low, std::uint32_t* counts) {
    static_assert(narrow_digit == 8);
    std::uint32_t more[passes << 8] = {};
    const auto count = [a, low](std::size_t i, std::uint32_t* to) {
      const std::uint64_t v = static_cast<std::uint64_t>(a[i]) >> low;
#pragma GCC unroll 8
      for (unsigned p = 0; p < passes; p++) to[(p << 8) + (v >> 8 * p & 255)]++;
    };
    std::size_t i = 0;
    for (; i + 2 <= n; i += 2) count(i, counts), count(i + 1, more);
    if (i < n) count(i, counts);
    for (std::size_t k = 0; k < std::size_t{passes} << 8; k++) counts[k] += more[k];
  }
  static void count_digits(const Item* a, std::size_t n, unsigned low, unsigned digit, unsigned passes, std::uint32_t* counts) {
    std::memset(counts, 0, (std::size_t{passes} << digit) * sizeof *counts);
    in_pieces(n, [=](std::size_t i, std::size_t end) { count_more(a + i, end - i, low, digit, passes, counts); });
  }
  static void count_more(const Item* a, std::size_t n, unsigned low, unsigned digit, unsigned passes, std::uint32_t* counts) {
    switch (passes) {
      case 1: return count_fixed<1>(a, n, low, digit, counts);
      case 2: return count_fixed<2>(a, n, low, digit, counts);
      case 3: return count_fixed<3>(a, n, low, digit, counts);
      case 4: return count_fixed<4>(a, n, low, digit, counts);
      case 5: return count_fixed<5>(a, n, low, digit, counts);
      case 6: return count_fixed<6>(a, n, low, digit, counts);
      case 7: return count_fixed<7>(a, n, low, digit, counts);
      default: return count_fixed<8>(a, n, low, digit, counts);
    }
  }

  // Tells how many passes so many items take whose keys have so many bits.
  static unsigned passes_for(std::size_t n, unsigned bits) {
    const unsigned widest = n < many || n > far ? narrow_digit : wide_digit;
    return (bits + widest - 1) / widest;
  }

  // Sorts by bits [low, high), above which all have the same. Gives the array that holds the result.
  static Item* run(Item* a, Item* b, std::size_t n, unsigned low, unsigned high) {
    if (n <= few) {
      sort_few(a, n, low);
      return a;
    }
    return passes(a, b, n, low, high);
  }

 private:
  // Moves items to where their digits belong; `starts` says where those of each digit begin.
  static void move(const Item* a, std::size_t n, unsigned shift, std::size_t digits, std::uint32_t* starts, Item* out) {
    std::uint32_t sum = 0;
    for (std::size_t d = 0; d < digits; d++) sum += std::exchange(starts[d], sum);
    const std::size_t mask = digits - 1;
    scatter(
        n,
        [=](std::size_t i) {
          return Keyed<Item>{static_cast<std::size_t>(a[i] >> shift) & mask, a[i]};
        },
        starts, out);
  }

  static Item* passes(Item* a, Item* b, std::size_t n, unsigned low, unsigned high) {
    if (low == high) return a;
    touch_pages(b, n);
    // What lies above the highest bit is the same in all items, and may be part of a digit.
    const unsigned bits = high - low, count = passes_for(n, bits), digit = std::max(narrow_digit, (bits + count - 1) / count);
    const std::size_t digits = std::size_t{1} << digit;
    std::uint32_t counts[most_counts];
    count_digits(a, n, low, digit, count, counts);
    for (unsigned p = 0; p < count; p++) {
      const unsigned shift = low + p * digit;
      std::uint32_t* starts = counts + (p << digit);
      if (starts[(a[0] >> shift) & (digits - 1)] == n) continue;
      move(a, n, shift, digits, starts, b);
      std::swap(a, b);
    }
    return a;
  }
};

}  // namespace griddle::kernels
