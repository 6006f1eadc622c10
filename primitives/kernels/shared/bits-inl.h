// Masks to bits. Included once per target.
#if defined(GRIDDLE_KERNELS_BITS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDDLE_KERNELS_BITS_INL_H_
#undef GRIDDLE_KERNELS_BITS_INL_H_
#else
#define GRIDDLE_KERNELS_BITS_INL_H_
#endif

#include <cstring>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Gives lane i of a mask as bit i; the bits above are 0.
template <class D, class M>
HWY_INLINE std::uint64_t bits_of_mask(D d, M mask) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  (void)d;
  // g++ 12 may otherwise keep the mask in memory, and read 64 bits back, where it checks shifts.
  auto raw = mask.raw;
  asm("" : "+k"(raw));
  return static_cast<std::uint64_t>(raw);
#elif HWY_TARGET == HWY_SSSE3 || HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_AVX2
  (void)d;
  return hn::detail::BitsFromMask(mask);
#else
  std::uint64_t bits = 0;
  hn::StoreMaskBits(d, mask, reinterpret_cast<std::uint8_t*>(&bits));
  return bits;
#endif
}

#if HWY_TARGET == HWY_AVX2
// Give the bits of 32 lanes, whose masks `source` gives a vector at a time from place i on: packed to one byte a lane.
template <class D, class Source>
HWY_INLINE __m256i raw_mask(D d, const Source& source, std::size_t i) {
  return hn::BitCast(hn::ScalableTag<std::uint8_t>(), hn::VecFromMask(d, source.mask_at(i))).raw;
}
template <class D, class Source>
HWY_INLINE __m256i packed_4x4(D d, const Source& source, std::size_t i) {
  return _mm256_packs_epi32(_mm256_packs_epi32(raw_mask(d, source, i), raw_mask(d, source, i + 4)),
                            _mm256_packs_epi32(raw_mask(d, source, i + 8), raw_mask(d, source, i + 12)));
}
template <class D, class Source>
HWY_INLINE std::uint32_t bits_of_32(D d, const Source& source, std::size_t i) {
  constexpr std::size_t width = sizeof(hn::TFromD<D>);
  __m256i bytes;
  if constexpr (width == 1) {
    bytes = raw_mask(d, source, i);
  } else if constexpr (width == 2) {
    bytes = _mm256_permute4x64_epi64(_mm256_packs_epi16(raw_mask(d, source, i), raw_mask(d, source, i + 16)), 0xD8);
  } else if constexpr (width == 4) {
    const __m256i first = _mm256_packs_epi32(raw_mask(d, source, i), raw_mask(d, source, i + 8));
    const __m256i second = _mm256_packs_epi32(raw_mask(d, source, i + 16), raw_mask(d, source, i + 24));
    bytes = _mm256_permutevar8x32_epi32(_mm256_packs_epi16(first, second), _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
  } else {
    const __m256i order = _mm256_setr_epi8(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15,  //
                                           0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15);
    const __m256i packed = _mm256_packs_epi16(packed_4x4(d, source, i), packed_4x4(d, source, i + 16));
    bytes = _mm256_shuffle_epi8(_mm256_permute4x64_epi64(packed, 0xD8), order);
  }
  return static_cast<std::uint32_t>(_mm256_movemask_epi8(bytes));
}
#endif

// Gives 64 bits, from place i on, of the masks that source.mask_at(place) gives a vector at a time.
template <class D, class Source>
HWY_INLINE std::uint64_t bits_of_64(D d, const Source& source, std::size_t i) {
#if HWY_TARGET == HWY_AVX2
  const std::uint64_t low = bits_of_32(d, source, i);
  return low | std::uint64_t{bits_of_32(d, source, i + 32)} << 32;
#else
  std::uint64_t word = 0;
  for (std::size_t k = 0; k < 64; k += hn::MaxLanes(D())) word |= bits_of_mask(d, source.mask_at(i + k)) << k;
  return word;
#endif
}

}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
