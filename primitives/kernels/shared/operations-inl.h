// Operations of elementwise arithmetic, for kernels of one type and of two. Included once per target.
#if defined(GRIDDLE_KERNELS_OPERATIONS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDDLE_KERNELS_OPERATIONS_INL_H_
#undef GRIDDLE_KERNELS_OPERATIONS_INL_H_
#else
#define GRIDDLE_KERNELS_OPERATIONS_INL_H_
#endif

#include "primitives/kernels/shared/loops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {

// Tells whether comparisons give vectors, whose bits may be combined at once.
inline constexpr bool masks_are_vectors = HWY_TARGET != HWY_AVX3 && HWY_TARGET != HWY_AVX3_DL;

// Gathers what operations without a check share.
struct Unchecked {
  static constexpr bool checked = false;
};
struct Checked {
  static constexpr bool checked = true;
};

struct AddWithin : Unchecked {
  template <class D, class V>
  static HWY_INLINE V apply(D, V a, V b) {
    return hn::Add(a, b);
  }
};
struct Add : AddWithin {
  static constexpr bool checked = true;
  // Only a negative number makes a sum less than the other one.
  template <class D, class V>
  static HWY_INLINE V bad([[maybe_unused]] D d, V a, V b, V r) {
    if constexpr (masks_are_vectors)
      return hn::Xor(hn::VecFromMask(d, hn::Lt(r, a)), b);
    else
      return hn::And(hn::Xor(a, r), hn::Xor(b, r));
  }
};
// Where a saturated sum of narrow integers differs, its sign does.
struct AddNarrow : Add {
  template <class D, class V>
  static HWY_INLINE V bad(D, V a, V b, V r) {
    return hn::Xor(hn::SaturatedAdd(a, b), r);
  }
};
struct SubtractWithin : Unchecked {
  template <class D, class V>
  static HWY_INLINE V apply(D, V a, V b) {
    return hn::Sub(a, b);
  }
};
struct Subtract : SubtractWithin {
  static constexpr bool checked = true;
  template <class D, class V>
  static HWY_INLINE V bad([[maybe_unused]] D d, V a, V b, V r) {
    if constexpr (masks_are_vectors)
      return hn::Xor(hn::VecFromMask(d, hn::Lt(a, r)), b);
    else
      return hn::And(hn::Xor(a, b), hn::Xor(a, r));
  }
};
struct SubtractNarrow : Subtract {
  template <class D, class V>
  static HWY_INLINE V bad(D, V a, V b, V r) {
    return hn::Xor(hn::SaturatedSub(a, b), r);
  }
};
struct MultiplyWithin : Unchecked {
  template <class D, class V>
  static HWY_INLINE V apply(D, V a, V b) {
    return hn::Mul(a, b);
  }
};
// Multiplies in a type that holds every product (or its size, for i32 in f64), and looks whether it fits Narrow.
template <class Narrow>
struct MultiplyThrough : MultiplyWithin {
  static constexpr bool checked = true;
  template <class D, class V>
  static HWY_INLINE auto bad(D d, V, V, V r) {
    using T = hn::TFromD<D>;
    return hn::Or(hn::Lt(r, hn::Set(d, static_cast<T>(hwy::LimitsMin<Narrow>()))),
                  hn::Gt(r, hn::Set(d, static_cast<T>(hwy::LimitsMax<Narrow>()))));
  }
};
struct MultiplyI16 : MultiplyWithin {
  static constexpr bool checked = true;
  template <class D, class V>
  static HWY_INLINE auto bad(D, V a, V b, V r) {
    return hn::Ne(hn::MulHigh(a, b), hn::ShiftRight<15>(r));
  }
};
struct MultiplyI32 : MultiplyWithin {
  static constexpr bool checked = true;
  // Looks whether the high halves of the products repeat the sign of the low halves.
  template <class D, class V>
  static HWY_INLINE auto bad(D d, V a, V b, V r) {
    const hn::Repartition<std::uint64_t, D> wide_bits;
    const auto even = hn::MulEven(a, b);
    const auto odd = hn::MulEven(hn::BitCast(d, hn::ShiftRight<32>(hn::BitCast(wide_bits, a))),
                                 hn::BitCast(d, hn::ShiftRight<32>(hn::BitCast(wide_bits, b))));
    const auto high = hn::OddEven(hn::BitCast(d, odd), hn::BitCast(d, hn::ShiftRight<32>(hn::BitCast(wide_bits, even))));
    return hn::Ne(high, hn::ShiftRight<31>(r));
  }
};
struct Divide : Unchecked {
  template <class D, class V>
  static HWY_INLINE V apply(D d, V a, V b) {
    return hn::Div(a, hn::Add(b, hn::Zero(d)));
  }
};
struct LogicOr : Unchecked {
  template <class D, class V>
  static HWY_INLINE V apply(D, V a, V b) {
    return hn::Sub(hn::Add(a, b), hn::Mul(a, b));
  }
};
template <bool greatest>
struct Extreme : Unchecked {
  template <class D, class V>
  static HWY_INLINE V apply(D, V a, V b) {
    return extreme_of<greatest>(a, b);
  }
};
using Minimum = Extreme<false>;
using Maximum = Extreme<true>;

}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
