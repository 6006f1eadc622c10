#include "primitives/kernels/count.h"

#include "primitives/kernels/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "primitives/kernels/count.cc"
#include "hwy/foreach_target.h"
//
#include <algorithm>

#include "hwy/highway.h"
#include "primitives/kernels/loops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace {

using std::int16_t, std::int32_t, std::int64_t, std::int8_t, std::uint64_t, std::uint8_t;

// What is compared; the other three come from these by swapping arguments or counting the rest.
enum class Base { less, less_equal, equal };

template <Base b, class T>
bool holds(T w, T x) {
  return b == Base::less ? w < x : b == Base::less_equal ? w <= x : w == x;
}

#if HWY_TARGET != HWY_SCALAR
// Gives lanes of -1 where the comparison holds.
template <Base b, class D, class V>
HWY_INLINE auto marked_lanes([[maybe_unused]] D d, V w, V x) {
  const hn::RebindToSigned<D> lanes;
  if constexpr (b == Base::equal)
    return hn::BitCast(lanes, hn::VecFromMask(d, hn::Eq(w, x)));
  else if constexpr (b == Base::less)
    return hn::BitCast(lanes, hn::VecFromMask(d, hn::Lt(w, x)));
  else if constexpr (hwy::IsFloat<hn::TFromD<D>>())
    return hn::BitCast(lanes, hn::VecFromMask(d, hn::Le(w, x)));
  else
    return hn::Not(hn::BitCast(lanes, hn::VecFromMask(d, hn::Lt(x, w))));
}

// Adds up lanes without signs.
template <class D>
HWY_INLINE int64_t sum_of_counts(D d, hn::Vec<D> counts) {
  if constexpr (sizeof(hn::TFromD<D>) == 1) {
    const hn::RepartitionToWide<hn::RepartitionToWide<hn::RepartitionToWide<hn::RebindToUnsigned<D>>>> wide;
    return static_cast<int64_t>(hn::GetLane(hn::SumOfLanes(wide, hn::SumsOf8(hn::BitCast(hn::RebindToUnsigned<D>(), counts)))));
  } else if constexpr (sizeof(hn::TFromD<D>) == 2) {
    const hn::RepartitionToWide<hn::RebindToUnsigned<D>> wide;
    const auto pairs = hn::BitCast(wide, counts);
    return hn::GetLane(hn::SumOfLanes(wide, hn::Add(hn::And(pairs, hn::Set(wide, 0xFFFF)), hn::ShiftRight<16>(pairs))));
  } else {
    return hn::GetLane(hn::SumOfLanes(d, counts));
  }
}
#endif

template <Base b, bool rest, class T, Form form>
int64_t count(const void* w_bytes, const void* x_bytes, std::size_t n) {
  const T* w = static_cast<const T*>(w_bytes);
  const T* x = static_cast<const T*>(x_bytes);
  int64_t all = 0;
  std::size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::ScalableTag<T> d;
  const hn::RebindToSigned<decltype(d)> marks;
  const std::size_t lanes = hn::Lanes(d);
  const auto one_w = hn::Set(d, *w), one_x = hn::Set(d, *x);
  const auto at = [&](std::size_t place) HWY_ATTR {
    if constexpr (form == scalar_array)
      return marked_lanes<b>(d, one_w, hn::LoadU(d, x + place));
    else if constexpr (form == array_scalar)
      return marked_lanes<b>(d, hn::LoadU(d, w + place), one_x);
    else
      return marked_lanes<b>(d, hn::LoadU(d, w + place), hn::LoadU(d, x + place));
  };
  // So many vectors that lanes can count them.
  constexpr std::size_t most = sizeof(T) == 1 ? 252 : 32764;
  while (n - i >= lanes) {
    const std::size_t end = i + std::min(most, (n - i) / lanes) * lanes;
    auto a = hn::Zero(marks), c = a;
    for (; end - i >= 4 * lanes; i += 4 * lanes) {
      a = hn::Sub(a, hn::Add(at(i), at(i + lanes)));
      c = hn::Sub(c, hn::Add(at(i + 2 * lanes), at(i + 3 * lanes)));
    }
    a = hn::Add(a, c);
    for (; i < end; i += lanes) a = hn::Sub(a, at(i));
    all += sum_of_counts(marks, a);
  }
#endif
  for (; i < n; i++) all += holds<b>(w[form == scalar_array ? 0 : i], x[form == array_scalar ? 0 : i]);
  return rest ? static_cast<int64_t>(n) - all : all;
}
template <Base b, class T, Form form>
int64_t swapped_count(const void* w, const void* x, std::size_t n) {
  return count < b, false, T, form == array_scalar ? scalar_array : form == scalar_array ? array_scalar : array_array > (x, w, n);
}

template <class T, Form form>
constexpr void fill(CountKernels& k, Lane lane) {
  const auto place = [&](Comparison c) -> Count& { return k.count[static_cast<int>(c)][lane][form]; };
  place(Comparison::less) = count<Base::less, false, T, form>;
  place(Comparison::less_equal) = count<Base::less_equal, false, T, form>;
  place(Comparison::equal) = count<Base::equal, false, T, form>;
  place(Comparison::greater_equal) = swapped_count<Base::less_equal, T, form>;
  place(Comparison::greater) = swapped_count<Base::less, T, form>;
  place(Comparison::not_equal) = count<Base::equal, true, T, form>;
}
template <class T>
constexpr void fill_forms(CountKernels& k, Lane lane) {
  fill<T, array_array>(k, lane);
  fill<T, array_scalar>(k, lane);
  fill<T, scalar_array>(k, lane);
}

const CountKernels* table() {
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
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(table);
const CountKernels& count_compared() { return *HWY_DYNAMIC_DISPATCH(table)(); }
}  // namespace griddle::kernels
#endif
