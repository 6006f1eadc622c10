// Lanes of a vector that a mask selects, brought to the front (AVX-512). Included once a target.
#if defined(GRIDDLE_COMPRESSED_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDDLE_COMPRESSED_INL_H_
#undef GRIDDLE_COMPRESSED_INL_H_
#else
#define GRIDDLE_COMPRESSED_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace {

#undef GRIDDLE_COMPRESSES_LANES
#define GRIDDLE_COMPRESSES_LANES (HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL)

#if GRIDDLE_COMPRESSES_LANES

template <class T>
constexpr bool compresses_lanes = sizeof(T) >= 4 || HWY_TARGET == HWY_AVX3_DL;

// Brings the lanes that the bits say to the front.
template <class T>
HWY_INLINE hwy::HWY_NAMESPACE::Vec<hwy::HWY_NAMESPACE::ScalableTag<T>> compressed(
    hwy::HWY_NAMESPACE::Vec<hwy::HWY_NAMESPACE::ScalableTag<T>> v, std::uint64_t bits) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::RebindToUnsigned<hn::ScalableTag<T>> d;
  const __m512i lanes = hn::BitCast(d, v).raw;
  // The instruction waits for what its result replaces, also where nothing of it stays: zeros, which wait for nothing.
  __m512i kept;
  asm("vpxor %x0, %x0, %x0" : "=x"(kept));
#if HWY_TARGET == HWY_AVX3_DL
  if constexpr (sizeof(T) == 1) kept = _mm512_mask_compress_epi8(kept, bits, lanes);
  if constexpr (sizeof(T) == 2) kept = _mm512_mask_compress_epi16(kept, static_cast<__mmask32>(bits), lanes);
#endif
  if constexpr (sizeof(T) == 4) kept = _mm512_mask_compress_epi32(kept, static_cast<__mmask16>(bits), lanes);
  if constexpr (sizeof(T) == 8) kept = _mm512_mask_compress_epi64(kept, static_cast<__mmask8>(bits), lanes);
  return hn::BitCast(hn::ScalableTag<T>(), hn::Vec<decltype(d)>{kept});
}

#if HWY_TARGET == HWY_AVX3_DL
// Takes a quarter (or half) of a vector of bytes as numbers, onto `base`.
template <class D>
HWY_INLINE hwy::HWY_NAMESPACE::Vec<D> numbers_in(D d,
                                                 hwy::HWY_NAMESPACE::Vec<hwy::HWY_NAMESPACE::ScalableTag<std::uint8_t>> bytes,
                                                 std::size_t part, hwy::HWY_NAMESPACE::Vec<D> base) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::ScalableTag<std::uint8_t> all;
  const hn::Half<decltype(all)> half;
  const auto in_half = [&](bool upper) HWY_ATTR { return upper ? hn::UpperHalf(half, bytes) : hn::LowerHalf(half, bytes); };
  if constexpr (sizeof(hn::TFromD<D>) == 2) {
    return hn::Add(hn::PromoteTo(d, in_half(part == 1)), base);
  } else {
    const hn::Half<decltype(half)> quarter;
    const auto h = in_half(part >= 2);
    return hn::Add(hn::PromoteTo(d, part % 2 == 1 ? hn::UpperHalf(quarter, h) : hn::LowerHalf(quarter, h)), base);
  }
}
#endif

#endif

}  // namespace
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
