#include "primitives/kernels/search/byte_counts.h"

#include <algorithm>
#include <cstring>

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
// Adds how often each of some numbers from `first` on comes among vectors, each compared with all of them.
template <std::size_t numbers>
void count_equal(const uint8_t* x, std::size_t vectors, std::size_t first, uint32_t* counts) {
  const hn::ScalableTag<uint8_t> d;
  const hn::Repartition<uint64_t, decltype(d)> wide;
  constexpr std::size_t most = 255;  // that fit a byte
  for (std::size_t here; vectors != 0; vectors -= here, x += here * hn::Lanes(d)) {
    here = std::min(vectors, most);
    hn::Vec<decltype(d)> number[numbers], count[numbers];
    for (std::size_t k = 0; k < numbers; k++) {
      number[k] = hn::Set(d, static_cast<uint8_t>(first + k));
      count[k] = hn::Zero(d);
    }
    for (std::size_t i = 0; i < here; i++) {
      const auto v = hn::LoadU(d, x + i * hn::Lanes(d));
      HWY_UNROLL(8)
      for (std::size_t k = 0; k < numbers; k++) count[k] = hn::Sub(count[k], hn::VecFromMask(d, hn::Eq(v, number[k])));
    }
    for (std::size_t k = 0; k < numbers; k++)
      counts[first + k] += static_cast<uint32_t>(hn::GetLane(hn::SumOfLanes(wide, hn::SumsOf8(count[k]))));
  }
}

// Counts few different numbers, in strips that stay in the nearest cache.
void count_few(const uint8_t* x, std::size_t n, std::size_t length, uint32_t* counts) {
  const std::size_t lanes = hn::Lanes(hn::ScalableTag<uint8_t>());
  constexpr std::size_t strip = 255;
  std::size_t vectors = n / lanes;
  for (std::size_t here; vectors != 0; vectors -= here, x += here * lanes) {
    here = std::min(vectors, strip);
    std::size_t first = 0;
    for (; first + 6 <= length; first += 6) count_equal<6>(x, here, first, counts);
    for (; first + 3 <= length; first += 3) count_equal<3>(x, here, first, counts);
    for (; first < length; first++) count_equal<1>(x, here, first, counts);
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
  constexpr std::size_t most_compared = 42, least_compared = 64;
  if (length <= most_compared && n >= least_compared) return count_few(x, n, length, counts);
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
