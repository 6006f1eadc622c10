// Elements picked from a table in memory. Included once per target.
#if defined(GRIDDLE_KERNELS_PICK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDDLE_KERNELS_PICK_INL_H_
#undef GRIDDLE_KERNELS_PICK_INL_H_
#else
#define GRIDDLE_KERNELS_PICK_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
template <std::size_t at>
HWY_INLINE __m128i with_element(__m128i v, std::uint8_t element) {
  return _mm_insert_epi8(v, element, at);
}
template <std::size_t at>
HWY_INLINE __m128i with_element(__m128i v, std::uint16_t element) {
  return _mm_insert_epi16(v, element, at);
}
template <std::size_t at>
HWY_INLINE __m128i with_element(__m128i v, std::uint32_t element) {
  return _mm_insert_epi32(v, static_cast<int>(element), at);
}
template <std::size_t at>
HWY_INLINE __m128i with_element(__m128i v, std::uint64_t element) {
  return _mm_insert_epi64(v, static_cast<long long>(element), at);
}

// Puts elements together in a register, which takes less than to store each alone. Chips load several a cycle: on most, gathers
// are no faster than that, and on many a good deal slower.
template <std::size_t at = 0, class T, class I>
HWY_INLINE __m128i picked_block(const T* from, const I* index, __m128i block = _mm_setzero_si128()) {
  if constexpr (at == 16 / sizeof(T))
    return block;
  else
    return picked_block<at + 1>(from, index, with_element<at>(block, from[static_cast<std::make_unsigned_t<I>>(index[at])]));
}
#endif

template <class T, class I>
HWY_INLINE void pick(T* to, const T* from, const I* index, std::size_t count) {
  std::size_t i = 0;
#if HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
  constexpr std::size_t block = 16 / sizeof(T);
  for (; i + 2 * block <= count; i += 2 * block) {
    const __m128i first = picked_block(from, index + i), second = picked_block(from, index + i + block);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i), first);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i + block), second);
  }
#endif
  for (; i < count; i++) to[i] = from[static_cast<std::make_unsigned_t<I>>(index[i])];
}

// Tells whether all of some natural indices are below n.
template <std::size_t count, class I>
HWY_INLINE bool are_below(const I* index, std::size_t n) {
  using U = std::make_unsigned_t<I>;
  const hn::ScalableTag<U> d;
  constexpr std::size_t lanes = hn::MaxLanes(hn::ScalableTag<U>()), all = std::numeric_limits<I>::max();
  auto most = hn::Zero(d);
  for (std::size_t i = 0; i < count; i += lanes) most = hn::Max(most, hn::LoadU(d, reinterpret_cast<const U*>(index + i)));
  return hn::AllFalse(d, hn::Gt(most, hn::Set(d, static_cast<U>(n - 1 < all ? n - 1 : all))));
}

// Picks as long as indices are natural and below n, which is looked at just before: processors pick elements the while. Gives how
// many it has picked.
template <class T, class I>
std::size_t pick_while_below(T* to, const T* from, std::size_t n, const I* index, std::size_t count) {
  constexpr std::size_t block = 64;
  std::size_t i = 0;
  for (; i + block <= count && are_below<block>(index + i, n); i += block) pick(to + i, from, index + i, block);
  for (; i < count; i++) {
    const auto place = static_cast<std::size_t>(index[i]);
    if (place >= n) return i;
    to[i] = from[place];
  }
  return count;
}

}  // namespace
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
