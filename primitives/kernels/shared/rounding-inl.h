// Doubles to integers. Included once per target.
#if defined(GRIDDLE_KERNELS_ROUNDING_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDDLE_KERNELS_ROUNDING_INL_H_
#undef GRIDDLE_KERNELS_ROUNDING_INL_H_
#else
#define GRIDDLE_KERNELS_ROUNDING_INL_H_
#endif

#include "primitives/kernels/shared/loops-inl.h"
#include "primitives/kernels/shared/operations-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX2
// Makes whole vectors of integers of what an operation, Op, makes of doubles: that is added to 2^52 and half the range of T, so
// that the lowest bits of the sum are the distance from the least integer, and all others are known where it fits. What is no
// integer fits only if the operation rounds.
template <class T, class Op, bool rounds>
struct IntegersSource {
  using V = hn::Vec<hn::ScalableTag<T>>;
  using D = hn::ScalableTag<double>;
  static constexpr std::uint64_t above = ~std::uint64_t{0} << (8 * sizeof(T) - 1) << 1, of_2_to_52 = 0x4330000000000000;
  const double* x;

  static bool reads(const void*) { return false; }
  static HWY_INLINE bool none_bad(V marks) {
    const __m256i outside = _mm256_set1_epi64x(static_cast<long long>(above));
    return _mm256_testz_si256(marks.raw, outside) != 0;
  }
  HWY_INLINE V at(std::size_t i, V& bad) const {
    const hn::ScalableTag<T> d;
    const V half = hn::Set(d, hwy::LimitsMin<T>());
    const __m256i words = eight_words(i, bad);
    if constexpr (sizeof(T) == 4) {
      return hn::Xor(V{_mm256_permute4x64_epi64(words, 0xD8)}, half);
    } else {
      const __m256i pairs = _mm256_packus_epi32(words, eight_words(i + 8, bad));
      if constexpr (sizeof(T) == 2) {
        const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
        return hn::Xor(V{_mm256_permutevar8x32_epi32(pairs, order)}, half);
      } else {
        const __m256i order = _mm256_setr_epi8(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15,  //
                                               0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15);
        const __m256i more = _mm256_packus_epi32(eight_words(i + 16, bad), eight_words(i + 24, bad));
        const __m256i bytes = _mm256_permute4x64_epi64(_mm256_packus_epi16(pairs, more), 0xD8);
        return hn::Xor(V{_mm256_shuffle_epi8(bytes, order)}, half);
      }
    }
  }

 private:
  static HWY_INLINE __m256 sums(const double* p, V& bad) {
    const D d;
    const __m256d v = _mm256_loadu_pd(p), base = _mm256_set1_pd(4503599627370496.0 - double{hwy::LimitsMin<T>()});
    const __m256d sum = _mm256_add_pd(Op::apply(d, hn::Vec<D>{v}).raw, base);
    const __m256i bits = _mm256_castpd_si256(sum);
    bad.raw = _mm256_or_si256(bad.raw, _mm256_xor_si256(bits, _mm256_set1_epi64x(of_2_to_52)));
    if constexpr (!rounds) {
      const __m256d changed = _mm256_cmp_pd(_mm256_sub_pd(sum, base), v, _CMP_NEQ_UQ);
      bad.raw = _mm256_or_si256(bad.raw, _mm256_castpd_si256(changed));
    }
    return _mm256_castpd_ps(sum);
  }
  // The lower words of two vectors, those of their halves together.
  HWY_INLINE __m256i eight_words(std::size_t i, V& bad) const {
    const __m256 first = sums(x + i, bad), second = sums(x + i + 4, bad);
    return _mm256_castps_si256(_mm256_shuffle_ps(first, second, 0x88));
  }
};
#elif HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
// Stores integers of 64 bits as narrower ones, of which they keep the lowest bits.
template <class T>
struct NarrowedWords {
  using Memory = T;
  using D = hn::ScalableTag<std::int64_t>;
  using V = hn::Vec<D>;

  static HWY_INLINE std::size_t count() { return hn::Lanes(D()); }
  static HWY_INLINE void store(V v, T* p) {
    if constexpr (sizeof(T) == 1) {
      _mm_storeu_si64(p, _mm512_cvtepi64_epi8(v.raw));
    } else if constexpr (sizeof(T) == 2) {
      _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm512_cvtepi64_epi16(v.raw));
    } else {
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), _mm512_cvtepi64_epi32(v.raw));
    }
  }
};
// Makes such integers of what an operation, Op, makes of doubles. Marks are the distances from the least integer of type T, which
// those that fit are within its range of; what is too large for any becomes the least of 64 bits. What is no integer fits only if
// the operation rounds.
template <class T, class Op, bool rounds>
struct IntegersSource {
  using D = hn::ScalableTag<std::int64_t>;
  using V = hn::Vec<D>;
  const double* x;

  static bool reads(const void*) { return false; }
  static HWY_INLINE bool none_bad(V marks) {
    const __m512i outside = _mm512_set1_epi64(~std::int64_t{0} << (8 * sizeof(T) - 1) << 1);
    return _mm512_test_epi64_mask(marks.raw, outside) == 0;
  }
  HWY_INLINE V at(std::size_t i, V& bad) const {
    const hn::ScalableTag<double> d;
    const auto v = hn::LoadU(d, x + i);
    const V integers{_mm512_cvttpd_epi64(Op::apply(d, v).raw)};
    bad = hn::Or(bad, hn::Sub(integers, hn::Set(D(), hwy::LimitsMin<T>())));
    if constexpr (!rounds) {
      const __mmask8 changed = _mm512_cmp_pd_mask(_mm512_cvtepi64_pd(integers.raw), v.raw, _CMP_NEQ_UQ);
      bad.raw = _mm512_mask_set1_epi64(bad.raw, changed, -1);
    }
    return integers;
  }
};
#endif

// Writes integers of type T: Op is an operation on doubles, which says where its results do not fit.
template <class T, class Op, bool rounds>
std::size_t to_integers(void* out, const void* x, std::size_t n) {
#if HWY_TARGET == HWY_AVX2
  using Source = IntegersSource<T, Op, rounds>;
  if (n >= Lanes<T>::count())
    return whole_vectors<Lanes<T>, true>(static_cast<T*>(out), Source{static_cast<const double*>(x)}, n);
#elif HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  using Source = IntegersSource<T, Op, rounds>;
  if (n >= NarrowedWords<T>::count())
    return whole_vectors<NarrowedWords<T>, true>(static_cast<T*>(out), Source{static_cast<const double*>(x)}, n);
#endif
  return monad_loop<Lanes<double>, Lanes<T, double>, Op>(out, x, n);
}

}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
