// Work across the lanes of vectors: folds, sums of neighbours, last lanes, rows of doubles to columns. Included once per target.
#if defined(GRIDDLE_KERNELS_ACROSS_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDDLE_KERNELS_ACROSS_LANES_INL_H_
#undef GRIDDLE_KERNELS_ACROSS_LANES_INL_H_
#else
#define GRIDDLE_KERNELS_ACROSS_LANES_INL_H_
#endif

#include <cstdint>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Vectors of one block of 128 bits, or of two.
template <class T>
using Blocks = hn::CappedTag<T, 32 / sizeof(T)>;

// Folds the lanes of a vector by halves.
template <class D, class V, class Op>
HWY_INLINE hn::TFromD<D> fold_of_lanes(D d, V v, Op op) {
  if constexpr (sizeof(V) > 16) {
    const hn::Half<D> half;
    return fold_of_lanes(half, op(hn::LowerHalf(half, v), hn::UpperHalf(half, v)), op);
  } else {
    constexpr std::size_t size = sizeof(hn::TFromD<D>);
    const hn::Repartition<std::uint8_t, D> bytes;
    v = op(v, hn::BitCast(d, hn::ShiftRightBytes<8>(bytes, hn::BitCast(bytes, v))));
    if constexpr (size <= 4) v = op(v, hn::BitCast(d, hn::ShiftRightBytes<4>(bytes, hn::BitCast(bytes, v))));
    if constexpr (size <= 2) v = op(v, hn::BitCast(d, hn::ShiftRightBytes<2>(bytes, hn::BitCast(bytes, v))));
    if constexpr (size == 1) v = op(v, hn::BitCast(d, hn::ShiftRightBytes<1>(bytes, hn::BitCast(bytes, v))));
    return hn::GetLane(v);
  }
}

// Folds the parts of a vector that have `columns` lanes each, a power of two, and stores the one that comes out.
template <class D, class V, class Op>
HWY_INLINE void store_folded(hn::TFromD<D>* out, D d, V v, std::size_t columns, Op op) {
  if (columns == hn::MaxLanes(D())) return hn::StoreU(v, d, out);
  if constexpr (hn::MaxLanes(D()) > 1) {
    const hn::Half<D> half;
    store_folded(out, half, op(hn::LowerHalf(half, v), hn::UpperHalf(half, v)), columns, op);
  }
}

// Sums neighbours, elements half as wide as the lanes they are given in: i8 to i16, or i16 to i32.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V pair_sums([[maybe_unused]] D d, V both) {
  constexpr std::size_t size = sizeof(hn::TFromD<D>);
  static_assert(size == 2 || size == 4);
  // Multiplies by 1: shifts and shuffles share ports, which are busy enough.
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  if constexpr (sizeof(V) == 64) {
    if constexpr (size == 2)
      return V{_mm512_maddubs_epi16(_mm512_set1_epi8(1), both.raw)};
    else
      return V{_mm512_madd_epi16(both.raw, _mm512_set1_epi16(1))};
  }
#endif
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  if constexpr (sizeof(V) == 32) {
    if constexpr (size == 2)
      return V{_mm256_maddubs_epi16(_mm256_set1_epi8(1), both.raw)};
    else
      return V{_mm256_madd_epi16(both.raw, _mm256_set1_epi16(1))};
  }
#endif
#if HWY_ARCH_X86 && HWY_TARGET != HWY_EMU128
  if constexpr (sizeof(V) == 16) {
    if constexpr (size == 2)
      return V{_mm_maddubs_epi16(_mm_set1_epi8(1), both.raw)};
    else
      return V{_mm_madd_epi16(both.raw, _mm_set1_epi16(1))};
  }
#else
  return hn::Add(hn::ShiftRight<4 * size>(both), hn::ShiftRight<4 * size>(hn::ShiftLeft<4 * size>(both)));
#endif
}

// Takes from each lower neighbour the upper one, in the same widths.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V pair_differences([[maybe_unused]] D d, V both) {
  constexpr std::size_t size = sizeof(hn::TFromD<D>);
  static_assert(size == 2 || size == 4);
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  if constexpr (sizeof(V) == 32 && size == 4) return V{_mm256_madd_epi16(both.raw, _mm256_set1_epi32(-0xFFFF))};
#endif
  return hn::Sub(hn::ShiftRight<4 * size>(hn::ShiftLeft<4 * size>(both)), hn::ShiftRight<4 * size>(both));
}

// Multiplies neighbours, i16 to i32.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V pair_products([[maybe_unused]] D d, V both) {
  static_assert(sizeof(hn::TFromD<D>) == 4);
  // Two products are added, of which one is by 0.
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  if constexpr (sizeof(V) == 32) return V{_mm256_madd_epi16(both.raw, _mm256_srli_epi32(both.raw, 16))};
#endif
#if HWY_ARCH_X86 && HWY_TARGET != HWY_EMU128
  if constexpr (sizeof(V) == 16) return V{_mm_madd_epi16(both.raw, _mm_srli_epi32(both.raw, 16))};
#endif
  return hn::Mul(hn::ShiftRight<16>(hn::ShiftLeft<16>(both)), hn::ShiftRight<16>(both));
}

// Copies the last lane of each block of 128 bits to all lanes of the block.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V last_lane(D d, V v) {
  const hn::Repartition<std::uint8_t, D> bytes;
  constexpr std::size_t size = sizeof(hn::TFromD<D>);
  HWY_ALIGN std::uint8_t places[16];
  for (std::size_t i = 0; i < 16; i++) places[i] = static_cast<std::uint8_t>(16 - size + i % size);
  return hn::BitCast(d, hn::TableLookupBytes(hn::BitCast(bytes, v), hn::LoadDup128(bytes, places)));
}

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL

// Lanes of a byte are shuffled across blocks by the newest instructions alone.
template <class T>
constexpr bool shuffles_across_blocks = sizeof(T) > 1 || HWY_TARGET == HWY_AVX3_DL;

// Takes lanes from anywhere in a vector of four blocks, and 0 where `kept` has none.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V lanes_from(D d, V v, hn::Vec<hn::RebindToUnsigned<D>> places, hn::Mask<D> kept) {
  const hn::RebindToUnsigned<D> du;
  const __m512i lanes = hn::BitCast(du, v).raw;
  constexpr std::size_t size = sizeof(hn::TFromD<D>);
  __m512i taken;
#if HWY_TARGET == HWY_AVX3_DL
  if constexpr (size == 1) taken = _mm512_maskz_permutexvar_epi8(kept.raw, places.raw, lanes);
#endif
  if constexpr (size == 2) taken = _mm512_maskz_permutexvar_epi16(kept.raw, places.raw, lanes);
  if constexpr (size == 4) taken = _mm512_maskz_permutexvar_epi32(kept.raw, places.raw, lanes);
  if constexpr (size == 8) taken = _mm512_maskz_permutexvar_epi64(kept.raw, places.raw, lanes);
  return hn::BitCast(d, hn::Vec<decltype(du)>{taken});
}
template <class D, class V = hn::Vec<D>>
HWY_INLINE V lanes_from(D d, V v, hn::Vec<hn::RebindToUnsigned<D>> places) {
  return lanes_from(d, v, places, hn::FirstN(d, hn::Lanes(d)));
}

// Says for each lane of four blocks which lane ends the block before its own, which one the block two before, or where there is
// no such block the lane itself; and which lane ends them all.
template <class T>
struct BlockEnds {
  static constexpr std::size_t lanes = 64 / sizeof(T), block = 16 / sizeof(T);
  using Place = hwy::MakeUnsigned<T>;
  alignas(64) Place before[2][lanes];
  alignas(64) Place last[lanes];
  constexpr BlockEnds() : before(), last() {
    for (std::size_t i = 0; i < lanes; i++) {
      for (std::size_t step = 1; step <= 2; step++) {
        const std::size_t of = i / block;
        before[step - 1][i] = static_cast<Place>(of >= step ? (of - step) * block + block - 1 : i);
      }
      last[i] = static_cast<Place>(lanes - 1);
    }
  }
};

#endif

// Makes rows of columns, and columns of rows: as many vectors of doubles as these have lanes, 2 or 4.
template <class D, class V = hn::Vec<D>>
HWY_INLINE void turn(D d, V* v) {
  constexpr std::size_t lanes = hn::MaxLanes(D());
  static_assert(lanes == 2 || lanes == 4);
  if constexpr (lanes == 4) {
    const V ab = hn::InterleaveLower(d, v[0], v[1]), cd = hn::InterleaveLower(d, v[2], v[3]);
    const V ef = hn::InterleaveUpper(d, v[0], v[1]), gh = hn::InterleaveUpper(d, v[2], v[3]);
    v[0] = hn::ConcatLowerLower(d, cd, ab);
    v[1] = hn::ConcatLowerLower(d, gh, ef);
    v[2] = hn::ConcatUpperUpper(d, cd, ab);
    v[3] = hn::ConcatUpperUpper(d, gh, ef);
  } else {
    const V lower = hn::InterleaveLower(d, v[0], v[1]);
    v[1] = hn::InterleaveUpper(d, v[0], v[1]);
    v[0] = lower;
  }
}

}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
