#include "primitives/kernels/elementwise/count.h"

#include <algorithm>

#include "hwy/highway.h"
#include "primitives/kernels/shared/loops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace count_unit {
namespace {

using std::int16_t, std::int32_t, std::int64_t, std::int8_t, std::uint64_t, std::uint8_t;

// What is compared; the other three come from these by swapping arguments or counting the rest.
enum class Base { less, less_equal, equal };

template <Base b, class T>
bool holds(T w, T x) {
  return b == Base::less ? w < x : b == Base::less_equal ? w <= x : w == x;
}

template <Base b, class D, class V>
HWY_INLINE hn::Mask<D> compared([[maybe_unused]] D d, V w, V x) {
  if constexpr (b == Base::equal)
    return hn::Eq(w, x);
  else if constexpr (b == Base::less)
    return hn::Lt(w, x);
  else
    return hn::Le(w, x);
}

// The lanes of wide elements count themselves, as many vectors of them as fit four counts together; so do those of narrow ones
// without AVX-512, which has the bits of few masks soon counted, but gives only one mask a cycle to other registers.
template <class D>
constexpr bool counts_bits = HWY_TARGET == HWY_AVX3 && sizeof(hn::TFromD<D>) < 4;
template <class D>
constexpr std::size_t most_vectors = counts_bits<D>               ? ~std::size_t{0} / 64
                                     : sizeof(hn::TFromD<D>) == 1 ? 252
                                                                  : 32764;

template <class D>
HWY_INLINE auto no_counts(D) {
  if constexpr (counts_bits<D>)
    return int64_t{0};
  else
    return hn::Zero(hn::RebindToSigned<D>());
}
template <class D, class Counts>
HWY_INLINE Counts counted(D d, Counts counts, hn::Mask<D> mask) {
  if constexpr (counts_bits<D>) {
    return counts + static_cast<int64_t>(hn::CountTrue(d, mask));
  } else {
#if HWY_TARGET == HWY_AVX3
    if constexpr (sizeof(hn::TFromD<D>) == 4)
      return Counts{_mm512_mask_sub_epi32(counts.raw, mask.raw, counts.raw, _mm512_set1_epi32(-1))};
    else
      return Counts{_mm512_mask_sub_epi64(counts.raw, mask.raw, counts.raw, _mm512_set1_epi64(-1))};
#else
    return hn::Sub(counts, hn::BitCast(hn::RebindToSigned<D>(), hn::VecFromMask(d, mask)));
#endif
  }
}
template <class D, class Counts>
HWY_INLINE int64_t sum_of_counts(D, Counts a, Counts b, Counts c, Counts e) {
  if constexpr (counts_bits<D>) {
    return a + b + c + e;
  } else {
    const auto counts = hn::Add(hn::Add(a, b), hn::Add(c, e));
    if constexpr (sizeof(hn::TFromD<D>) == 1) {
      const hn::RebindToUnsigned<D> bytes;
      const hn::RepartitionToWide<hn::RepartitionToWide<hn::RepartitionToWide<decltype(bytes)>>> wide;
      return static_cast<int64_t>(hn::GetLane(hn::SumOfLanes(wide, hn::SumsOf8(hn::BitCast(bytes, counts)))));
    } else if constexpr (sizeof(hn::TFromD<D>) == 2) {
      const hn::RepartitionToWide<hn::RebindToUnsigned<D>> wide;
      const auto pairs = hn::BitCast(wide, counts);
      return hn::GetLane(hn::SumOfLanes(wide, hn::Add(hn::And(pairs, hn::Set(wide, 0xFFFF)), hn::ShiftRight<16>(pairs))));
    } else {
      return hn::GetLane(hn::SumOfLanes(hn::RebindToSigned<D>(), counts));
    }
  }
}

// Counts where a comparison holds, or where it does not.
template <Base b, bool rest, class T, Form form>
int64_t count(const void* w_bytes, const void* x_bytes, std::size_t n) {
  const T* w = static_cast<const T*>(w_bytes);
  const T* x = static_cast<const T*>(x_bytes);
  int64_t all = 0;
  std::size_t i = 0;
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto one_w = hn::Set(d, *w), one_x = hn::Set(d, *x);
  const auto compared_at = [&](std::size_t place) HWY_ATTR {
    if constexpr (form == scalar_array)
      return compared<b>(d, one_w, hn::LoadU(d, x + place));
    else if constexpr (form == array_scalar)
      return compared<b>(d, hn::LoadU(d, w + place), one_x);
    else
      return compared<b>(d, hn::LoadU(d, w + place), hn::LoadU(d, x + place));
  };
  const auto count_at = [&](std::size_t place, auto counts) HWY_ATTR { return counted(d, counts, compared_at(place)); };
  while (n - i >= lanes) {
    const std::size_t end = i + std::min(most_vectors<decltype(d)>, (n - i) / lanes) * lanes;
    auto counts0 = no_counts(d), counts1 = counts0, counts2 = counts0, counts3 = counts0;
    for (; end - i >= 4 * lanes; i += 4 * lanes) {
      counts0 = count_at(i, counts0);
      counts1 = count_at(i + lanes, counts1);
      counts2 = count_at(i + 2 * lanes, counts2);
      counts3 = count_at(i + 3 * lanes, counts3);
    }
    for (; i < end; i += lanes) counts0 = count_at(i, counts0);
    if (n - i < lanes) {
      // Of the last vector, what lies behind the one before it.
      counts1 = counted(d, counts1, hn::AndNot(hn::FirstN(d, lanes - (n - i)), compared_at(n - lanes)));
      i = n;
    }
    all += sum_of_counts(d, counts0, counts1, counts2, counts3);
  }
  for (; i < n; i++) all += holds<b>(w[form == scalar_array ? 0 : i], x[form == array_scalar ? 0 : i]);
  return rest ? static_cast<int64_t>(n) - all : all;
}

// Takes the operands the other way round.
template <Count kernel>
int64_t swapped(const void* w, const void* x, std::size_t n) {
  return kernel(x, w, n);
}
constexpr Form turned(Form form) {
  return form == array_scalar ? scalar_array : form == scalar_array ? array_scalar : array_array;
}
// The kernel of = with the single operand on the right is that with it on the left, which compares with what is in memory.
template <bool rest, class T, Form form>
constexpr Count equal = count<Base::equal, rest, T, form>;
template <bool rest, class T>
constexpr Count equal<rest, T, array_scalar> = swapped<count<Base::equal, rest, T, scalar_array>>;
// Of integers, 𝕨≤𝕩 holds where 𝕩<𝕨 does not.
template <class T, Form form>
constexpr Count less_equal = swapped<count<Base::less, true, T, turned(form)>>;
template <Form form>
constexpr Count less_equal<double, form> = count<Base::less_equal, false, double, form>;
template <class T, Form form>
constexpr Count greater_equal = count<Base::less, true, T, form>;
template <Form form>
constexpr Count greater_equal<double, form> = swapped<count<Base::less_equal, false, double, turned(form)>>;

template <class T, Form form>
constexpr void fill(CountKernels& k, Lane lane) {
  const auto place = [&](Comparison c) -> Count& { return k.count[static_cast<int>(c)][lane][form]; };
  place(Comparison::less) = count<Base::less, false, T, form>;
  place(Comparison::less_equal) = less_equal<T, form>;
  place(Comparison::equal) = equal<false, T, form>;
  place(Comparison::greater_equal) = greater_equal<T, form>;
  place(Comparison::greater) = swapped<count<Base::less, false, T, turned(form)>>;
  place(Comparison::not_equal) = equal<true, T, form>;
}
template <class T>
constexpr void fill_forms(CountKernels& k, Lane lane) {
  fill<T, array_array>(k, lane);
  fill<T, array_scalar>(k, lane);
  fill<T, scalar_array>(k, lane);
}

const CountKernels* count_kernels() {
  static constexpr CountKernels kernels = [] {
    CountKernels k = {};
    fill_forms<int8_t>(k, lane_i8);
    fill_forms<int16_t>(k, lane_i16);
    fill_forms<int32_t>(k, lane_i32);
    fill_forms<double>(k, lane_f64);
    return k;
  }();
  return &kernels;
}

}  // namespace
}  // namespace count_unit
using count_unit::count_kernels;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(count_kernels);
const CountKernels& count_compared() { return *HWY_DYNAMIC_DISPATCH(count_kernels)(); }
}  // namespace griddle::kernels
#endif
