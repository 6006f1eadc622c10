// Comparisons of vectors, as masks. Included once per target.
#if defined(GRIDDLE_KERNELS_COMPARED_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDDLE_KERNELS_COMPARED_INL_H_
#undef GRIDDLE_KERNELS_COMPARED_INL_H_
#else
#define GRIDDLE_KERNELS_COMPARED_INL_H_
#endif

#include <type_traits>

#include "hwy/highway.h"
#include "primitives/kernels/elementwise/compare.h"
#include "primitives/kernels/shared/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Unsigned integers have no < there, but the lesser of two: they are compared with that.
template <class T>
constexpr bool by_extremes = std::is_unsigned_v<T>&& HWY_TARGET == HWY_AVX2;
// Integers have only < and =; the rest are their negations. A NaN makes those differ for doubles, except for ≠, which Highway's
// Ne takes for false where a NaN takes part.
template <Comparison c, class T>
constexpr bool negated = HWY_TARGET > HWY_AVX3 &&
                         (c == Comparison::not_equal ||
                          (by_extremes<T> ? c == Comparison::less || c == Comparison::greater
                                          : !std::is_floating_point_v<T> &&
                                                (c == Comparison::less_equal || c == Comparison::greater_equal)));

#if HWY_TARGET <= HWY_AVX3
// AVX-512 has all six; NaN is equal to nothing.
template <Comparison c, class T, class V>
HWY_INLINE auto compared(V a, V b) {
  constexpr bool real = std::is_floating_point_v<T>;
  constexpr int predicate = c == Comparison::equal           ? (real ? _CMP_EQ_OQ : _MM_CMPINT_EQ)
                            : c == Comparison::less          ? (real ? _CMP_LT_OQ : _MM_CMPINT_LT)
                            : c == Comparison::less_equal    ? (real ? _CMP_LE_OQ : _MM_CMPINT_LE)
                            : c == Comparison::greater       ? (real ? _CMP_GT_OQ : _MM_CMPINT_GT)
                            : c == Comparison::greater_equal ? (real ? _CMP_GE_OQ : _MM_CMPINT_GE)
                                                             : (real ? _CMP_NEQ_UQ : _MM_CMPINT_NE);
  using Mask = hn::Mask<hn::DFromV<V>>;
  if constexpr (sizeof(a.raw) == 32) {
    static_assert(real);  // few of no other type fill so many bytes (lanes-inl.h)
    return Mask{_mm256_cmp_pd_mask(a.raw, b.raw, predicate)};
  } else if constexpr (sizeof(a.raw) == 16) {
    if constexpr (real)
      return Mask{_mm_cmp_pd_mask(a.raw, b.raw, predicate)};
    else if constexpr (std::is_same_v<T, std::uint8_t>)
      return Mask{_mm_cmp_epu8_mask(a.raw, b.raw, predicate)};
    else if constexpr (std::is_same_v<T, std::uint16_t>)
      return Mask{_mm_cmp_epu16_mask(a.raw, b.raw, predicate)};
    else if constexpr (sizeof(T) == 1)
      return Mask{_mm_cmp_epi8_mask(a.raw, b.raw, predicate)};
    else if constexpr (sizeof(T) == 2)
      return Mask{_mm_cmp_epi16_mask(a.raw, b.raw, predicate)};
    else
      return Mask{_mm_cmp_epi32_mask(a.raw, b.raw, predicate)};
  } else if constexpr (real)
    return Mask{_mm512_cmp_pd_mask(a.raw, b.raw, predicate)};
  else if constexpr (std::is_same_v<T, std::uint8_t>)
    return Mask{_mm512_cmp_epu8_mask(a.raw, b.raw, predicate)};
  else if constexpr (std::is_same_v<T, std::uint16_t>)
    return Mask{_mm512_cmp_epu16_mask(a.raw, b.raw, predicate)};
  else if constexpr (sizeof(T) == 1)
    return Mask{_mm512_cmp_epi8_mask(a.raw, b.raw, predicate)};
  else if constexpr (sizeof(T) == 2)
    return Mask{_mm512_cmp_epi16_mask(a.raw, b.raw, predicate)};
  else
    return Mask{_mm512_cmp_epi32_mask(a.raw, b.raw, predicate)};
}
#else
template <Comparison c, class T, class V>
HWY_INLINE auto compared(V a, V b) {
  constexpr bool real = std::is_floating_point_v<T>;
  if constexpr (c == Comparison::equal || c == Comparison::not_equal)
    return hn::Eq(a, b);
  else if constexpr (by_extremes<T>)
    // What is in memory, 𝕨, is read once.
    return hn::Eq(b, c == Comparison::less_equal || c == Comparison::greater ? hn::Max(a, b) : hn::Min(a, b));
  else if constexpr (c == Comparison::less || (c == Comparison::greater_equal && !real))
    return hn::Lt(a, b);
  else if constexpr (c == Comparison::greater || (c == Comparison::less_equal && !real))
    return hn::Lt(b, a);
  else if constexpr (c == Comparison::less_equal)
    return hn::Le(a, b);
  else
    return hn::Le(b, a);
}
#endif

template <Comparison c, class Left, class Right, Form form>
struct ComparedSource {
  using D = typename Left::D;
  const typename Left::Memory* w;
  const typename Right::Memory* x;
  hn::Vec<D> one;

  HWY_INLINE hn::Mask<D> mask_at(std::size_t i) const {
    using T = hn::TFromD<D>;
    if constexpr (form == array_scalar)
      return compared<c, T>(Left::load(w + i), one);
    else
      return compared<c, T>(Left::load(w + i), Right::load(x + i));
  }
};

}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
