#include <algorithm>
#include <bit>

#include "hwy/highway.h"
#include "primitives/kernels/folds/scan.h"
#include "primitives/kernels/shared/bit_runs.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace bit_sums_unit {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using std::int16_t, std::int32_t, std::int8_t, std::uint64_t, std::uint8_t;

// Says of each bit of a word, spread to a byte, which byte of the word it lies in, and which bits of that byte go up to it. In
// halves, each block of 16 bytes has 8 bits of the lower half of the word and 8 of the upper one, so that two interleaves with 0s
// widen them in order.
struct SpreadBits {
  alignas(64) uint8_t byte[64];
  alignas(64) uint8_t up_to[64];
  constexpr explicit SpreadBits(bool in_halves) : byte(), up_to() {
    for (unsigned i = 0; i < 64; i++) {
      const unsigned place = in_halves ? i / 16 * 8 + i % 8 + (i % 16 >= 8 ? 32 : 0) : i;
      byte[i] = static_cast<uint8_t>(place / 8);
      up_to[i] = static_cast<uint8_t>((2u << place % 8) - 1);
    }
  }
};
[[maybe_unused]] constexpr SpreadBits spread_bits{false};

#if HWY_TARGET == HWY_AVX3_DL

constexpr SpreadBits spread_in_halves{true};

template <class T, bool negative>
class WordSums {
 public:
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;
  explicit WordSums(T start) : so_far_(hn::Set(wide, start)) {
    const SpreadBits& spread = sizeof(T) == 1 ? spread_bits : spread_in_halves;
    byte_ = _mm512_load_si512(spread.byte);
    up_to_ = _mm512_load_si512(spread.up_to);
    HWY_ALIGN uint64_t below[8];
    for (std::size_t k = 0; k < 8; k++) below[k] = low_bits(8 * spread.byte[8 * k]);
    below_ = _mm512_load_si512(below);
  }
  // Gives the sums of a word in bytes.
  HWY_INLINE __m512i in_bytes(__m512i all) const {
    const __m512i in_byte = _mm512_popcnt_epi8(_mm512_and_si512(_mm512_shuffle_epi8(all, byte_), up_to_));
    const __m512i before = _mm512_popcnt_epi64(_mm512_and_si512(all, below_));
    return _mm512_add_epi8(in_byte, _mm512_shuffle_epi8(before, _mm512_set4_epi32(0x08080808, 0x08080808, 0, 0)));
  }
  // Gives what comes before a word, and goes on to the next one.
  HWY_INLINE V next_base(__m512i all) {
    const V base = so_far_;
    so_far_ = onto(base, _mm512_shuffle_epi8(_mm512_popcnt_epi64(all), hn::Set(wide, first_byte).raw));
    return base;
  }
  // Writes the results of `count` bits of a word.
  HWY_INLINE void write(T* to, uint64_t word, std::size_t count) {
    const __m512i all = _mm512_set1_epi64(static_cast<long long>(word)), zero = _mm512_setzero_si512(), sums = in_bytes(all);
    const V base = next_base(all);
    const auto store = [=](std::size_t k, __m512i part) HWY_ATTR {
      const V results = onto(base, part);
      if (count == 64)
        hn::StoreU(results, wide, to + k * lanes);
      else if (count > k * lanes)
        hn::BlendedStore(results, hn::FirstN(wide, count - k * lanes), wide, to + k * lanes);
    };
    if constexpr (sizeof(T) == 1) return store(0, sums);
    const __m512i lower = _mm512_unpacklo_epi8(sums, zero), upper = _mm512_unpackhi_epi8(sums, zero);
    if constexpr (sizeof(T) == 2) {
      store(0, lower);
      store(1, upper);
    } else {
      store(0, _mm512_cvtepu16_epi32(_mm512_castsi512_si256(lower)));
      store(1, _mm512_cvtepu16_epi32(_mm512_extracti64x4_epi64(lower, 1)));
      store(2, _mm512_cvtepu16_epi32(_mm512_castsi512_si256(upper)));
      store(3, _mm512_cvtepu16_epi32(_mm512_extracti64x4_epi64(upper, 1)));
    }
  }

 private:
  static constexpr D wide = {};
  static constexpr std::size_t lanes = 64 / sizeof(T);
  // Says for a shuffle that the lowest byte becomes a lane, filled up with 0s.
  static constexpr T first_byte = static_cast<T>(sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 0x8000 : 0x80808000);
  static HWY_INLINE V onto(V base, __m512i sums) { return negative ? hn::Sub(base, V{sums}) : hn::Add(base, V{sums}); }
  V so_far_;
  __m512i byte_, up_to_, below_;
};

template <class T, bool negative>
void sum_bits(void* out_bytes, const uint64_t* bits, std::size_t n, int32_t start) {
  T* const out = static_cast<T*>(out_bytes);
  WordSums<T, negative> sums(static_cast<T>(start));
  std::size_t i = 0;
  for (; i + 64 <= n; i += 64) sums.write(out + i, bits[i / 64], 64);
  if (i != n) sums.write(out + i, bits[i / 64], n - i);
}

// Follows which place of its row each of 64 bits has, and where among 128 bytes, of which the last 64 are theirs, lies the one
// before the row.
class PlacesInRows {
 public:
  explicit PlacesInRows(std::size_t columns)
      : columns_(_mm512_set1_epi8(static_cast<char>(columns))), step_(_mm512_set1_epi8(static_cast<char>(64 % columns))) {
    const __m512i iota = hn::Iota(hn::ScalableTag<uint8_t>(), 0).raw;
    before_ = _mm512_add_epi8(iota, _mm512_set1_epi8(63));
    places_ = iota;
    for (std::size_t by = columns << (6 - std::bit_width(columns - 1)); by >= columns; by /= 2)
      places_ = less_where_possible(places_, _mm512_set1_epi8(static_cast<char>(by)));
  }
  HWY_INLINE __m512i before_row() const { return _mm512_sub_epi8(before_, places_); }
  HWY_INLINE void go_on() { places_ = less_where_possible(_mm512_add_epi8(places_, step_), columns_); }

 private:
  static HWY_INLINE __m512i less_where_possible(__m512i v, __m512i by) { return _mm512_min_epu8(v, _mm512_sub_epi8(v, by)); }
  __m512i columns_, step_, places_, before_;
};

// Sums all bits, and takes the sums before rows away.
template <bool negative>
void sum_rows(int8_t* out, const uint64_t* bits, std::size_t columns, std::size_t n) {
  WordSums<int8_t, false> sums(0);
  PlacesInRows places(columns);
  __m512i last = _mm512_setzero_si512();
  const auto next = [&](uint64_t word) HWY_ATTR {
    const __m512i all = _mm512_set1_epi64(static_cast<long long>(word)), before = places.before_row();
    const __m512i here = _mm512_add_epi8(sums.in_bytes(all), sums.next_base(all).raw);
    const __m512i base = _mm512_permutex2var_epi8(last, before, here);
    __m512i results = _mm512_sub_epi8(here, base);
    if constexpr (negative) {  // from twice the first bit of the row
      const __m512i first = _mm512_permutex2var_epi8(last, _mm512_add_epi8(before, _mm512_set1_epi8(1)), here);
      results = _mm512_add_epi8(_mm512_sub_epi8(first, base), _mm512_sub_epi8(first, here));
    }
    last = here;
    places.go_on();
    return results;
  };
  std::size_t i = 0;
  for (; i + 64 <= n; i += 64) _mm512_storeu_si512(out + i, next(bits[i / 64]));
  if (i != n) _mm512_mask_storeu_epi8(out + i, low_bits(n - i), next(bits[i / 64]));
}

#else

template <bool negative>
constexpr BitSumKernels::RowSums sum_rows = nullptr;

// Gives in each byte how many 1s lie in the bytes before it.
[[maybe_unused]] uint64_t ones_in_bytes_before(uint64_t word) {
  word -= word >> 1 & 0x5555555555555555;
  word = (word & 0x3333333333333333) + (word >> 2 & 0x3333333333333333);
  word = (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0F;
  return word * 0x0101010101010100;
}

template <class T, bool negative>
void sum_bits(void* out_bytes, const uint64_t* bits, std::size_t n, int32_t start) {
  T* out = static_cast<T*>(out_bytes);
  T before = static_cast<T>(start);
  std::size_t i = 0;
  const hn::ScalableTag<uint8_t> d;
  const hn::Repartition<uint64_t, decltype(d)> words;
  const hn::ScalableTag<T> wide;
  constexpr std::size_t lanes = hn::MaxLanes(d), wide_lanes = hn::MaxLanes(wide);
  const auto onto = [](auto base, auto sums) HWY_ATTR { return negative ? hn::Sub(base, sums) : hn::Add(base, sums); };
  const auto sum_word = [&](uint64_t word, T* to) HWY_ATTR {
    const auto all = hn::BitCast(d, hn::Set(words, word)), counts = hn::BitCast(d, hn::Set(words, ones_in_bytes_before(word)));
    const auto base = hn::Set(wide, before);
    for (std::size_t k = 0; k < 64; k += lanes) {
      const auto byte = hn::Load(d, spread_bits.byte + k);
      const auto in_byte = hn::And(hn::TableLookupBytes(all, byte), hn::Load(d, spread_bits.up_to + k));
      const auto sums = hn::Add(hn::PopulationCount(in_byte), hn::TableLookupBytes(counts, byte));
      if constexpr (sizeof(T) == 1) {
        hn::StoreU(onto(base, hn::BitCast(wide, sums)), wide, to + k);
      } else {
        HWY_ALIGN uint8_t local[lanes];
        hn::Store(sums, d, local);
        for (std::size_t j = 0; j < lanes; j += wide_lanes) {
          const auto part = hn::PromoteTo(wide, hn::LoadU(hn::Rebind<uint8_t, decltype(wide)>(), local + j));
          hn::StoreU(onto(base, part), wide, to + k + j);
        }
      }
    }
    const int count = std::popcount(word);
    before = static_cast<T>(negative ? before - count : before + count);
  };
  for (; i + 64 <= n; i += 64) sum_word(bits[i / 64], out + i);
  if (i != n && i != 0) {
    // The last 64 bits, of which some have been summed.
    const std::size_t last = n - 64;
    before = out[last - 1];
    const unsigned shift = last % 64;
    sum_word(bits[last / 64] >> shift | bits[last / 64 + 1] << (64 - shift), out + last);
    return;
  }
  for (; i < n; i++) {
    const T bit = static_cast<T>(bits[i / 64] >> (i & 63) & 1);
    out[i] = before = static_cast<T>(negative ? before - bit : before + bit);
  }
}

#endif

template <bool negative>
bool scan_all(void* out, const void* x, std::size_t n) {
  const uint64_t* const bits = static_cast<const uint64_t*>(x);
  // A difference is twice the first bit less the sum.
  sum_bits<int16_t, negative>(out, bits, n, negative ? static_cast<int32_t>(bits[0] & 1) * 2 : 0);
  return true;
}

const BitSumKernels* bit_sums_kernels() {
  static constexpr BitSumKernels kernels = {
      .sums = {sum_bits<int8_t, false>, sum_bits<int16_t, false>, sum_bits<int32_t, false>},
      .differences = {sum_bits<int8_t, true>, sum_bits<int16_t, true>, sum_bits<int32_t, true>},
      .all_sums = scan_all<false>,
      .all_differences = scan_all<true>,
      .row_sums = sum_rows<false>,
      .row_differences = sum_rows<true>,
  };
  return &kernels;
}

}  // namespace
}  // namespace bit_sums_unit
using bit_sums_unit::bit_sums_kernels;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(bit_sums_kernels);
const BitSumKernels& bit_sums() { return *HWY_DYNAMIC_DISPATCH(bit_sums_kernels)(); }
}  // namespace griddle::kernels
#endif
