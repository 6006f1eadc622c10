// What networks that sort need of a vector of keys: lanes in another order, lesser ones beside greater ones. Included once per
// target.
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "hwy/highway.h"

#ifndef GRIDDLE_SORT_LANES_TABLES_
#define GRIDDLE_SORT_LANES_TABLES_
namespace griddle::kernels {
namespace {

struct RowPair {
  std::uint8_t first, second;
};

// Gives the comparisons of Batcher's odd-even merge sort, in order, by calling f.
template <class F>
constexpr void for_comparisons(std::size_t rows, F f) {
  for (std::size_t p = 1; p < rows; p *= 2)
    for (std::size_t k = p; k > 0; k /= 2)
      for (std::size_t j = k % p; j + k < rows; j += 2 * k)
        for (std::size_t i = j; i < std::min(j + k, rows - k); i++)
          if (i / (2 * p) == (i + k) / (2 * p)) f(i, i + k);
}

constexpr std::size_t comparisons(std::size_t rows) {
  std::size_t count = 0;
  for_comparisons(rows, [&](std::size_t, std::size_t) { count++; });
  return count;
}

template <std::size_t rows>
constexpr auto network = [] {
  std::array<RowPair, comparisons(rows)> pairs{};
  std::size_t at = 0;
  for_comparisons(rows, [&](std::size_t a, std::size_t b) {
    pairs[at++] = {static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b)};
  });
  return pairs;
}();

// The lanes of a vector of 64 bytes in another order, as bytes: lane k comes from lane k ^ turned.
template <std::size_t lane_bytes, std::size_t turned>
struct TurnedLanes {
  alignas(64) std::uint8_t bytes[64];
  constexpr TurnedLanes() : bytes{} {
    for (std::size_t i = 0; i < 64; i++) bytes[i] = static_cast<std::uint8_t>(i ^ turned * lane_bytes);
  }
};
template <std::size_t lane_bytes, std::size_t turned>
constexpr TurnedLanes<lane_bytes, turned> turned_lanes{};

// The lanes whose number has a bit: those that take the greater ones.
constexpr std::uint64_t lanes_with(std::size_t bit) {
  std::uint64_t mask = 0;
  for (std::size_t i = 0; i < 64; i++) mask |= std::uint64_t{(i & bit) != 0} << i;
  return mask;
}

}  // namespace
}  // namespace griddle::kernels
#endif

#if defined(GRIDDLE_KERNELS_SORT_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDDLE_KERNELS_SORT_LANES_INL_H_
#undef GRIDDLE_KERNELS_SORT_LANES_INL_H_
#else
#define GRIDDLE_KERNELS_SORT_LANES_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace sort_vectors_unit {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_AVX3_DL

template <class K>
struct SortLanes {
  using D = hn::ScalableTag<K>;
  using V = hn::Vec<D>;
  static constexpr std::size_t lanes = 64 / sizeof(K), most_rows = 16, most_blocks = 8;

  template <std::size_t turned>
  static HWY_INLINE V turn(V v) {
    const __m512i places = _mm512_load_si512(turned_lanes<sizeof(K), turned>.bytes);
    if constexpr (turned * sizeof(K) < 16) return V{_mm512_shuffle_epi8(v.raw, places)};
    return V{_mm512_permutexvar_epi8(places, v.raw)};
  }
  template <std::size_t bit>
  static HWY_INLINE V parted(V a, V b) {
    constexpr std::uint64_t upper = lanes_with(bit);
    const V low = hn::Min(a, b);
    if constexpr (sizeof(K) == 1) return V{_mm512_mask_max_epu8(low.raw, upper, a.raw, b.raw)};
    if constexpr (sizeof(K) == 2) return V{_mm512_mask_max_epu16(low.raw, static_cast<__mmask32>(upper), a.raw, b.raw)};
    if constexpr (sizeof(K) == 4) return V{_mm512_mask_max_epu32(low.raw, static_cast<__mmask16>(upper), a.raw, b.raw)};
    if constexpr (sizeof(K) == 8) return V{_mm512_mask_max_epu64(low.raw, static_cast<__mmask8>(upper), a.raw, b.raw)};
  }

  static HWY_INLINE V interleaved(V a, V b, V places) {
    if constexpr (sizeof(K) == 1) return V{_mm512_permutex2var_epi8(a.raw, places.raw, b.raw)};
    if constexpr (sizeof(K) == 2) return V{_mm512_permutex2var_epi16(a.raw, places.raw, b.raw)};
    if constexpr (sizeof(K) == 4) return V{_mm512_permutex2var_epi32(a.raw, places.raw, b.raw)};
    if constexpr (sizeof(K) == 8) return V{_mm512_permutex2var_epi64(a.raw, places.raw, b.raw)};
  }
  // Brings places in the order of memory: each round puts one more bit of the row's number below the lane's.
  template <std::size_t rows>
  static HWY_INLINE void to_memory_order(V* v) {
    const D d;
    const V number = hn::Iota(d, 0), half = hn::ShiftRight<1>(number);
    const V from_second = hn::ShiftLeft<std::countr_zero(lanes)>(hn::And(number, hn::Set(d, 1)));
    const V low = hn::Or(half, from_second), high = hn::Add(low, hn::Set(d, lanes / 2));
#pragma GCC unroll 4
    for (std::size_t round = 1; round < rows; round *= 2) {
      V w[rows];
#pragma GCC unroll 8
      for (std::size_t k = 0; k < rows / 2; k++) {
        w[2 * k] = interleaved(v[k], v[k + rows / 2], low);
        w[2 * k + 1] = interleaved(v[k], v[k + rows / 2], high);
      }
#pragma GCC unroll 16
      for (std::size_t k = 0; k < rows; k++) v[k] = w[k];
    }
  }
  // Reads n keys, fewer than a vector holds, before greatest ones.
  static HWY_INLINE V load_part(const K* keys, std::size_t n, bool) {
    const D d;
    const auto some = hn::FirstN(d, n);
    return hn::IfThenElse(some, hn::MaskedLoad(some, d, keys), hn::Set(d, static_cast<K>(~K{0})));
  }
  static HWY_INLINE void store_part(V v, K* keys, std::size_t n) { hn::BlendedStore(v, hn::FirstN(D(), n), D(), keys); }
};

#elif HWY_TARGET == HWY_AVX2

// Of keys of up to 32 bits.
template <class K>
struct SortLanes {
  using D = hn::ScalableTag<K>;
  using V = hn::Vec<D>;
  // Half of the registers hold rows.
  static constexpr std::size_t lanes = 32 / sizeof(K), most_rows = 8, most_blocks = 64;
  // More keys are sorted faster by their digits.
  static constexpr std::size_t most_keys = sizeof(K) == 2 ? 8192 : 2048;
  static_assert(most_keys <= most_blocks * most_rows * lanes);

  template <std::size_t turned>
  static HWY_INLINE V turn(V v) {
    constexpr std::size_t half = lanes / 2;
    __m256i w = v.raw;
    if constexpr ((turned & half) != 0) w = _mm256_permute4x64_epi64(w, 0x4E);
    if constexpr (turned % half != 0)
      w = _mm256_shuffle_epi8(w,
                              _mm256_load_si256(reinterpret_cast<const __m256i*>(turned_lanes<sizeof(K), turned % half>.bytes)));
    return V{w};
  }
  template <std::size_t bit>
  static HWY_INLINE V parted(V a, V b) {
    constexpr int upper = static_cast<int>(lanes_with(sizeof(K) == 1 ? bit / 2 : bit) & 0xFF);
    const V low = hn::Min(a, b), high = hn::Max(a, b);
    if constexpr (bit == lanes / 2) return V{_mm256_blend_epi32(low.raw, high.raw, 0xF0)};
    if constexpr (sizeof(K) == 1 && bit == 1) return V{_mm256_blendv_epi8(low.raw, high.raw, _mm256_set1_epi16(-256))};
    if constexpr (sizeof(K) < 4) return V{_mm256_blend_epi16(low.raw, high.raw, upper)};
    return V{_mm256_blend_epi32(low.raw, high.raw, upper)};
  }
  // Brings places in the order of memory: each round puts one more bit of the row's number below the lane's.
  template <std::size_t rows>
  static HWY_INLINE void to_memory_order(V* v) {
    const D d;
#pragma GCC unroll 4
    for (std::size_t round = 1; round < rows; round *= 2) {
      V w[rows];
#pragma GCC unroll 8
      for (std::size_t k = 0; k < rows / 2; k++) {
        const __m256i low = hn::InterleaveLower(d, v[k], v[k + rows / 2]).raw,
                      high = hn::InterleaveUpper(d, v[k], v[k + rows / 2]).raw;
        w[2 * k] = V{_mm256_permute2x128_si256(low, high, 0x20)};
        w[2 * k + 1] = V{_mm256_permute2x128_si256(low, high, 0x31)};
      }
#pragma GCC unroll 8
      for (std::size_t k = 0; k < rows; k++) v[k] = w[k];
    }
  }
  // Reads n keys, fewer than a vector holds, behind greatest ones; with `after_others` in place of keys before them.
  static HWY_INLINE V load_part(const K* keys, std::size_t n, bool after_others) {
    if (after_others) {
      alignas(64) static constexpr auto ones_before = [] {
        std::array<std::uint8_t, 64> bytes{};
        std::fill_n(bytes.begin(), 32, std::uint8_t{0xFF});
        return bytes;
      }();
      const auto* const ones = reinterpret_cast<const __m256i*>(ones_before.data() + n * sizeof(K));
      return hn::Or(hn::LoadU(D(), keys + n - lanes), V{_mm256_loadu_si256(ones)});
    }
    HWY_ALIGN K part[lanes];
    std::memset(part, 0xFF, sizeof part);
    std::memcpy(part, keys, n * sizeof(K));
    return hn::Load(D(), part);
  }
  static HWY_INLINE void store_part(V v, K* keys, std::size_t n) {
    HWY_ALIGN K part[lanes];
    hn::Store(v, D(), part);
    std::memcpy(keys, part, n * sizeof(K));
  }
};

#endif

}  // namespace
}  // namespace sort_vectors_unit
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
