#include "primitives/kernels/search/byte_counts.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace byte_counts_unit {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using std::uint32_t, std::uint64_t, std::uint8_t;

// Counts in parts at once, each with counts of its own: equal numbers wait for each other.
template <std::size_t parts>
void count_in_parts(const uint8_t* x, std::size_t n, std::size_t length, uint32_t* counts) {
  uint32_t of_part[parts][most_counted_bytes];
  for (auto& part : of_part) std::fill_n(part, length, 0);
  std::size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    uint64_t word;
    std::memcpy(&word, x + i, sizeof word);
#pragma GCC unroll 8
    for (std::size_t k = 0; k < 8; k++) of_part[k % parts][word >> 8 * k & 0xFF]++;
  }
  for (; i < n; i++) of_part[0][x[i]]++;
  for (const auto& part : of_part)
    for (std::size_t k = 0; k < length; k++) counts[k] += part[k];
}
void count_in_parts(const uint8_t* x, std::size_t n, std::size_t length, uint32_t* counts) {
  constexpr std::size_t few = 4096;  // do not pay for more counts to clear
  return n < few ? count_in_parts<2>(x, n, length, counts) : count_in_parts<4>(x, n, length, counts);
}

#if HWY_TARGET != HWY_AVX3_DL
// For each of 16 numbers, a one in a field of two bits if it is one of four that follow each other.
struct FourOfSixteen {
  alignas(16) uint8_t of[4][16] = {};
  constexpr FourOfSixteen() {
    for (unsigned number = 0; number < 16; number++) of[number / 4][number] = static_cast<uint8_t>(1 << 2 * (number % 4));
  }
};
inline constexpr FourOfSixteen four_of_sixteen;

using Together = hn::CappedTag<uint8_t, 32>;

// Adds the sums of four vectors of bytes to four counts, of which those below `length` are there.
template <class V>
HWY_INLINE void add_sums(const V (&bytes)[4], uint32_t* counts, std::size_t first, std::size_t length) {
  const hn::Repartition<uint64_t, Together> wide;
  const hn::FixedTag<uint32_t, 4> four;
  const auto two = [=](V low, V high) HWY_ATTR { return hn::Or(hn::SumsOf8(low), hn::ShiftLeft<32>(hn::SumsOf8(high))); };
  const auto lower = two(bytes[0], bytes[1]), upper = two(bytes[2], bytes[3]);
  const auto parts = hn::Add(hn::InterleaveLower(wide, lower, upper), hn::InterleaveUpper(wide, lower, upper));
  auto sums = hn::Zero(four);
  if constexpr (hn::MaxLanes(wide) == 4) {
    const hn::Half<decltype(wide)> half;
    sums = hn::BitCast(four, hn::Add(hn::LowerHalf(half, parts), hn::UpperHalf(half, parts)));
  } else {
    sums = hn::BitCast(four, parts);
  }
  if (first + 4 <= length) return hn::StoreU(hn::Add(hn::LoadU(four, counts + first), sums), four, counts + first);
  alignas(16) uint32_t last[4];
  hn::Store(sums, four, last);
  for (std::size_t k = 0; first + k < length; k++) counts[first + k] += last[k];
}

// Adds how often each of 4, 8, 12 or 16 numbers from `first` on comes among vectors. A shuffle counts four numbers in a byte, two
// bits for each: three of them are added, five of these in four bits for each, and 17 of these in bytes.
template <std::size_t tables>
void count_together(const uint8_t* x, std::size_t vectors, std::size_t first, std::size_t length, uint32_t* counts) {
  const Together d;
  using V = hn::Vec<decltype(d)>;
  const hn::Repartition<uint16_t, decltype(d)> words;
  constexpr std::size_t in_pairs = 3, in_nibbles = 5 * in_pairs, in_bytes = 17 * in_nibbles;
  const std::size_t lanes = hn::Lanes(d);
  const auto start = hn::Set(d, static_cast<uint8_t>(first)), beyond = hn::Set(d, 0x70);
  const auto pairs = hn::Set(d, 0x33), nibbles = hn::Set(d, 0x0F);
  const auto shifted = [=](auto bits, V v) HWY_ATTR { return hn::BitCast(d, hn::ShiftRight<bits>(hn::BitCast(words, v))); };
  V table[tables];
  for (std::size_t t = 0; t < tables; t++) table[t] = hn::LoadDup128(d, four_of_sixteen.of[t]);
  for (std::size_t here; vectors != 0; vectors -= here) {
    here = std::min(vectors, in_bytes);
    V bytes[tables][4];
    for (auto& of_table : bytes)
      for (V& count : of_table) count = hn::Zero(d);
    for (std::size_t left = here, some; left != 0; left -= some) {
      some = std::min(left, in_nibbles);
      V even[tables], odd[tables];
      for (std::size_t t = 0; t < tables; t++) even[t] = odd[t] = hn::Zero(d);
      const auto add = [&](auto number) HWY_ATTR {
        V sum[tables];
        const auto add_next = [&](bool begins) HWY_ATTR {
          // Numbers that are none of the 16 have the highest bit here, for which a shuffle gives nothing.
          const auto v = hn::SaturatedAdd(hn::Sub(hn::LoadU(d, x), start), beyond);
          x += lanes;
          for (std::size_t t = 0; t < tables; t++) {
            const auto ones = hn::TableLookupBytesOr0(table[t], v);
            sum[t] = begins ? ones : hn::Add(sum[t], ones);
          }
        };
        add_next(true);
        if constexpr (number == in_pairs) add_next(false), add_next(false);
        for (std::size_t t = 0; t < tables; t++) {
          even[t] = hn::Add(even[t], hn::And(sum[t], pairs));
          odd[t] = hn::Add(odd[t], hn::And(shifted(std::integral_constant<int, 2>(), sum[t]), pairs));
        }
      };
      std::size_t i = 0;
      for (; i + in_pairs <= some; i += in_pairs) add(std::integral_constant<std::size_t, in_pairs>());
      for (; i < some; i++) add(std::integral_constant<std::size_t, 1>());
      for (std::size_t t = 0; t < tables; t++) {
        const auto take = [&](V v, std::size_t k) HWY_ATTR {
          bytes[t][k] = hn::Add(bytes[t][k], hn::And(v, nibbles));
          bytes[t][k + 2] = hn::Add(bytes[t][k + 2], hn::And(shifted(std::integral_constant<int, 4>(), v), nibbles));
        };
        take(even[t], 0), take(odd[t], 1);
      }
    }
    for (std::size_t t = 0; t < tables; t++) add_sums(bytes[t], counts, first + 4 * t, length);
  }
}

// Counts few different numbers, in strips that stay in the nearest cache.
void count_few(const uint8_t* x, std::size_t n, std::size_t length, uint32_t* counts) {
  const std::size_t lanes = hn::Lanes(Together());
  constexpr std::size_t strip = 255;
  std::size_t vectors = n / lanes;
  for (std::size_t here; vectors != 0; vectors -= here, x += here * lanes) {
    here = std::min(vectors, strip);
    for (std::size_t first = 0; first < length; first += 16) {
      const std::size_t some = length - first;
      const auto count = some > 12  ? count_together<4>
                         : some > 8 ? count_together<3>
                         : some > 4 ? count_together<2>
                                    : count_together<1>;
      count(x, here, first, length, counts);
    }
  }
  for (std::size_t i = 0; i < n % lanes; i++) counts[x[i]]++;
}
#endif

#if HWY_TARGET == HWY_AVX3_DL
// Counts of 8 numbers that follow each other, a byte for each in every word of 64 bits.
constexpr std::size_t together = 8;

// Turns blocks of 8 × 8 bits. Highway's target does not have the instruction.
HWY_INLINE __m512i turned(__m512i diagonal, __m512i blocks) {
  asm("vgf2p8affineqb $0, %2, %1, %0" : "=v"(blocks) : "v"(diagonal), "v"(blocks));
  return blocks;
}

// Takes vectors of numbers as one bit each by their lowest three, at the place of those of a group of 8; blocks of 8 × 8 bits are
// turned, so that the ones of a byte count one number. Counts those from `first` on.
template <std::size_t groups>
void count_groups(const uint8_t* x, std::size_t vectors, uint8_t first, uint64_t* counts) {
  constexpr std::size_t most = 255 / together;  // that fit a byte
  const __m512i bit_of = _mm512_set1_epi64(static_cast<long long>(0x8040201008040201));
  const __m512i high = _mm512_set1_epi8(static_cast<char>(0xF8));
  const auto group_of = [first](std::size_t g) HWY_ATTR { return _mm512_set1_epi8(static_cast<char>(first + together * g)); };
  HWY_ALIGN uint8_t by_number[64];
  for (std::size_t k = 0; k < 64; k++) by_number[k] = static_cast<uint8_t>(k % 8 * 8 + k / 8);
  const __m512i order = _mm512_load_si512(by_number);
  __m512i totals[groups];
  for (auto& total : totals) total = _mm512_setzero_si512();
  while (vectors != 0) {
    const std::size_t here = std::min(vectors, most);
    __m512i sums[groups];
    for (auto& sum : sums) sum = _mm512_setzero_si512();
    for (std::size_t i = 0; i < here; i++, x += 64) {
      const __m512i v = _mm512_loadu_si512(x), group = _mm512_and_si512(v, high);
      const __m512i bits = _mm512_shuffle_epi8(bit_of, _mm512_andnot_si512(high, v));
#pragma GCC unroll 16
      for (std::size_t g = 0; g < groups; g++) {
        const __mmask64 in_group = _mm512_cmpeq_epi8_mask(group, group_of(g));
        const __m512i ones = _mm512_maskz_mov_epi8(in_group, bits);
        sums[g] = _mm512_add_epi8(sums[g], _mm512_popcnt_epi8(turned(bit_of, ones)));
      }
    }
    for (std::size_t g = 0; g < groups; g++)
      totals[g] = _mm512_add_epi64(totals[g], _mm512_sad_epu8(_mm512_permutexvar_epi8(order, sums[g]), _mm512_setzero_si512()));
    vectors -= here;
  }
  for (std::size_t g = 0; g < groups; g++) _mm512_storeu_si512(counts + together * g, totals[g]);
}

// Counts 64 numbers at a time, in strips that stay in the nearest cache.
void count_vectors(const uint8_t* x, std::size_t n, std::size_t length, uint32_t* counts) {
  constexpr std::size_t at_once = 64, strip = 248;
  std::size_t vectors = n / 64;
  for (std::size_t here; vectors != 0; vectors -= here, x += 64 * here) {
    here = length <= at_once ? vectors : std::min(vectors, strip);
    for (std::size_t first = 0; first < length; first += at_once) {
      const std::size_t some = std::min(at_once, length - first);
      const auto count = some <= 16 ? count_groups<2> : some <= 32 ? count_groups<4> : count_groups<8>;
      uint64_t all[at_once];
      count(x, here, static_cast<uint8_t>(first), all);
      for (std::size_t k = 0; k < some; k++) counts[first + k] += static_cast<uint32_t>(all[k]);
    }
  }
  for (std::size_t i = 0; i < n % 64; i++) counts[x[i]]++;
}
#endif

void count_any(const uint8_t* x, std::size_t n, std::size_t length, uint32_t* counts) {
  std::fill_n(counts, length, 0);
#if HWY_TARGET == HWY_AVX3_DL
  constexpr std::size_t most_in_vectors = 128;
  if (n >= 64 && length <= most_in_vectors) return count_vectors(x, n, length, counts);
#else
  // Tables of counts take as long for any length.
  constexpr std::size_t least_together = 64, many = 4096;
  const std::size_t most_together = n < many ? 64 : 80;
  if (length <= most_together && n >= least_together) return count_few(x, n, length, counts);
#endif
  count_in_parts(x, n, length, counts);
}

}  // namespace
}  // namespace byte_counts_unit
using byte_counts_unit::count_any;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(count_any);
void count_bytes(const std::uint8_t* x, std::size_t n, std::size_t length, std::uint32_t* counts) {
  HWY_DYNAMIC_DISPATCH(count_any)(x, n, length, counts);
}
}  // namespace griddle::kernels
#endif
