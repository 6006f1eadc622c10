// Arithmetic on elements and one number, which tells beforehand what elements have results that fit. Included once per target.
#if defined(GRIDDLE_KERNELS_WITH_ONE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDDLE_KERNELS_WITH_ONE_INL_H_
#undef GRIDDLE_KERNELS_WITH_ONE_INL_H_
#else
#define GRIDDLE_KERNELS_WITH_ONE_INL_H_
#endif

#include "primitives/kernels/shared/loops-inl.h"
#include "primitives/kernels/shared/operations-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {

// Tells which elements have results that fit: no greater ones than a limit, or no lesser ones.
enum class Limit { greatest, least };

// Adds a number to elements, or subtracts them from it. Marks are the element furthest towards the limit, or 0, which is not
// beyond a limit of signed numbers.
template <class T, bool from_one, Limit limit>
struct ShiftSource {
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;
  // Of unsigned numbers, 0 is the least: they are turned round.
  static constexpr bool turned = std::is_unsigned_v<T> && limit == Limit::least;
  const T* x;
  V one, last;

  ShiftSource(const T* elements, T number, T last_fitting)
      : x(elements), one(hn::Set(D(), number)), last(hn::Set(D(), turned ? static_cast<T>(~last_fitting) : last_fitting)) {}
  HWY_INLINE bool reads(const void* out) const { return out == x; }
  HWY_INLINE V at(std::size_t i, V& bad) const { return result(hn::LoadU(D(), x + i), bad); }
  HWY_INLINE V few(std::size_t n, V& bad) const { return result(load_few<Lanes<T>>(x, n), bad); }
  static HWY_INLINE V worse(V a, V b) {
    if constexpr (limit == Limit::least && !turned)
      return hn::Min(a, b);
    else
      return hn::Max(a, b);
  }
  HWY_INLINE bool none_bad(V furthest) const { return hn::AllTrue(D(), hn::Eq(worse(furthest, last), last)); }

 private:
  HWY_INLINE V result(V elements, V& bad) const {
    const V a = in_register(elements);
    bad = worse(bad, turned ? hn::Not(a) : a);
    return from_one ? hn::Sub(one, a) : hn::Add(a, one);
  }
};

// Computes element + one, or one - element, where results from `low` to `high` fit. Few enough elements have others that only one
// limit matters.
template <class T, bool from_one>
std::size_t shift(void* out_bytes, const void* x_bytes, std::int64_t one, std::int64_t low, std::int64_t high, std::size_t n) {
  constexpr std::int64_t first = hwy::LimitsMin<T>(), last = hwy::LimitsMax<T>();
  const std::int64_t least = from_one ? one - high : low - one, greatest = from_one ? one - low : high - one;
  const T* x = static_cast<const T*>(x_bytes);
  T* out = static_cast<T*>(out_bytes);
  const T number = static_cast<T>(one);
  if (least <= first) {
    const T limit = static_cast<T>(greatest < last ? greatest : last);
    return each_vector<Lanes<T>, true, ShiftSource<T, from_one, Limit::greatest>>(out, n, x, number, limit);
  }
  return each_vector<Lanes<T>, true, ShiftSource<T, from_one, Limit::least>>(out, n, x, number, static_cast<T>(least));
}
template <class T>
std::size_t add_one(void* out, const void* w, const void* x, std::size_t n) {
  return shift<T, false>(out, w, *static_cast<const T*>(x), hwy::LimitsMin<T>(), hwy::LimitsMax<T>(), n);
}
template <class T>
std::size_t add_to_one(void* out, const void* w, const void* x, std::size_t n) {
  return add_one<T>(out, x, w, n);
}
template <class T, class Op>
std::size_t subtract_one(void* out, const void* w, const void* x, std::size_t n) {
  const T one = *static_cast<const T*>(x);
  // What is the least has no counterpart.
  if (one == hwy::LimitsMin<T>()) return dyad_loop<Lanes<T>, Lanes<T>, Op, array_scalar>(out, w, x, n);
  return shift<T, false>(out, w, -std::int64_t{one}, hwy::LimitsMin<T>(), hwy::LimitsMax<T>(), n);
}
template <class T>
std::size_t subtract_from_one(void* out, const void* w, const void* x, std::size_t n) {
  return shift<T, true>(out, x, *static_cast<const T*>(w), hwy::LimitsMin<T>(), hwy::LimitsMax<T>(), n);
}

// Do the same with characters, as unsigned numbers, and integers.
template <class T, bool up>
std::size_t shift_characters(void* out, const void* w, const void* x, std::size_t n) {
  const std::int64_t step = *static_cast<const hwy::MakeSigned<T>*>(x);
  return shift<T, false>(out, w, up ? step : -step, 0, hwy::LimitsMax<T>(), n);
}
template <class T>
std::size_t shift_by_one(void* out, const void* w, const void* x, std::size_t n) {
  return shift_characters<T, true>(out, x, w, n);
}
template <class T, bool array_left>
std::size_t character_distances(void* out, const void* w, const void* x, std::size_t n) {
  using Result = hwy::MakeSigned<T>;
  const std::int64_t one = *static_cast<const T*>(array_left ? x : w);
  return shift<T, !array_left>(out, array_left ? w : x, array_left ? -one : one, hwy::LimitsMin<Result>(),
                               hwy::LimitsMax<Result>(), n);
}

// Multiplies by one number. Marks are the greatest distance from the least element whose product fits.
template <class T>
struct MultiplyByOneSource {
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;
  const T* x;
  V factor, least, span;

  MultiplyByOneSource(const T* elements, T one) : x(elements), factor(hn::Set(D(), one)) {
    // In 64 bits: the smallest integer has a counterpart there.
    constexpr std::int64_t low = hwy::LimitsMin<T>(), high = hwy::LimitsMax<T>();
    const std::int64_t by = one;
    std::int64_t from = low, to = high;
    if (by > 0) from = low / by, to = high / by;
    if (by < 0) from = high / by, to = low / by > high ? high : low / by;
    least = hn::Set(D(), static_cast<T>(from));
    span = hn::Set(D(), static_cast<T>(to - from));
  }
  HWY_INLINE bool reads(const void* out) const { return out == x; }
  HWY_INLINE V at(std::size_t i, V& bad) const { return result(hn::LoadU(D(), x + i), bad); }
  HWY_INLINE V few(std::size_t n, V& bad) const { return result(load_few<Lanes<T>>(x, n), bad); }
  static HWY_INLINE V worse(V a, V b) {
    const hn::RebindToUnsigned<D> distances;
    return hn::BitCast(D(), hn::Max(hn::BitCast(distances, a), hn::BitCast(distances, b)));
  }
  HWY_INLINE bool none_bad(V furthest) const { return hn::AllTrue(D(), hn::Eq(worse(furthest, span), span)); }

 private:
  HWY_INLINE V result(V elements, V& bad) const {
    const D d;
    const V a = in_register(elements);
    bad = worse(bad, hn::Sub(a, least));
    if constexpr (sizeof(T) == 1) {
      // Pairs of bytes: the low half of a product needs no sign, and the high one is multiplied where it is.
      const hn::Repartition<std::int16_t, D> wide;
      const auto pair = hn::BitCast(wide, a), by = hn::ShiftRight<8>(hn::BitCast(wide, factor));
      const auto even = hn::Mul(pair, by), odd = hn::Mul(hn::And(pair, hn::Set(wide, static_cast<std::int16_t>(0xFF00))), by);
      return hn::OddEven(hn::BitCast(d, odd), hn::BitCast(d, even));
    } else {
      return hn::Mul(a, factor);
    }
  }
};
template <class T, bool array_left>
std::size_t multiply_by_one(void* out, const void* w, const void* x, std::size_t n) {
  const T* elements = static_cast<const T*>(array_left ? w : x);
  const T one = *static_cast<const T*>(array_left ? x : w);
  return each_vector<Lanes<T>, true, MultiplyByOneSource<T>>(static_cast<T*>(out), n, elements, one);
}

#if HWY_NATIVE_FMA
// Divides integers of 32 bits or fewer by one that is not 0, by its reciprocal. What is left of the number shows what to add to
// the product: rounded, that is the quotient, since no quotient of such numbers lies nearly half way between two doubles.
template <class T>
class QuotientByOneSource {
 public:
  using L = Lanes<T, double>;
  using D = typename L::D;
  using V = typename L::V;

  QuotientByOneSource(const T* elements, double by) : x(elements), divisor(hn::Set(D(), by)), reciprocal(hn::Set(D(), 1 / by)) {}
  HWY_INLINE V at(std::size_t i, V&) const { return quotients(L::load(x + i)); }
  HWY_INLINE V few(std::size_t n, V&) const { return quotients(load_few<L>(x, n)); }

 private:
  HWY_INLINE V quotients(V v) const {
    const V number = in_register(v), near = hn::Mul(number, reciprocal);
    return hn::MulAdd(hn::NegMulAdd(near, divisor, number), reciprocal, near);
  }

  const T* x;
  V divisor, reciprocal;
};
template <class T>
std::size_t quotients_by_one(void* out, const void* w, const void* x, std::size_t n) {
  using Out = Lanes<double>;
  const T by = *static_cast<const T*>(x);
  if (by == 0) return dyad_loop<Lanes<T, double>, Out, Divide, array_scalar>(out, w, x, n);
  return each_vector<Out, false, QuotientByOneSource<T>>(static_cast<double*>(out), n, static_cast<const T*>(w),
                                                         static_cast<double>(by));
}
#endif
// Divides doubles by one, by its reciprocal where both are powers of two.
inline std::size_t real_quotients_by_one(void* out, const void* w, const void* x, std::size_t n) {
  std::uint64_t by;
  std::memcpy(&by, x, sizeof by);
  constexpr std::uint64_t fraction = (std::uint64_t{1} << 52) - 1;
  const std::uint64_t exponent = by >> 52 & 0x7FF;
  if ((by & fraction) != 0 || exponent - 1 > 2044)
    return dyad_loop<Lanes<double>, Lanes<double>, Divide, array_scalar>(out, w, x, n);
  const std::uint64_t reciprocal = (by & ~(std::uint64_t{0x7FF} << 52)) | (2046 - exponent) << 52;
  return dyad_loop<Lanes<double>, Lanes<double>, MultiplyWithin, array_scalar>(out, w, &reciprocal, n);
}

}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
