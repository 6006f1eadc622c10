// Remainders of integers and doubles. Included once per target.
#if defined(GRIDDLE_KERNELS_MODULUS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDDLE_KERNELS_MODULUS_INL_H_
#undef GRIDDLE_KERNELS_MODULUS_INL_H_
#else
#define GRIDDLE_KERNELS_MODULUS_INL_H_
#endif

#include <cmath>
#include <limits>

#include "primitives/kernels/shared/loops-inl.h"
#include "primitives/kernels/shared/operations-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {

// Integers below 2^31 in f64: the rounded quotient never crosses an integer, so its floor is exact.
struct ModulusThroughF64 : Checked {
  template <class D, class V>
  static HWY_INLINE V apply(D, V a, V b) {
    return hn::Sub(b, hn::Mul(a, hn::Floor(hn::Div(b, a))));
  }
  template <class D, class V>
  static HWY_INLINE auto bad(D d, V a, V, V) {
    return hn::Eq(a, hn::Zero(d));
  }
};
// The quotient is at most one off, so that a fused multiply-add gives an exact remainder, of which at most the sign is wrong.
// Stops where the quotient is no exact double, but for a divisor of 0, which gives NaN.
struct ModulusF64 : Checked {
  template <class D, class V>
  static HWY_INLINE V apply(D d, V w, V x) {
    const V zero = hn::Zero(d), quotient = hn::Trunc(hn::Div(x, w));
    const V r = hn::IfThenElse(hn::Eq(quotient, zero), x, hn::NegMulAdd(quotient, w, x));
    const auto wrong_sign = hn::And(hn::Not(hn::Eq(r, zero)), hn::Xor(hn::Lt(r, zero), hn::Lt(w, zero)));
    const V not_a_number = hn::Set(d, -std::numeric_limits<double>::quiet_NaN());  // as processors and devices make it
    return hn::IfThenElse(hn::Eq(w, zero), not_a_number, hn::IfThenElse(wrong_sign, hn::Add(r, w), r));
  }
  template <class D, class V>
  static HWY_INLINE auto bad(D d, V w, V x, V) {
    const V most = hn::Mul(hn::Abs(w), hn::Set(d, 4503599627370496.0));
    return hn::And(hn::Gt(hn::Abs(x), most), hn::Not(hn::Eq(w, hn::Zero(d))));
  }
};
// The same for integers below 2^15 in f32.
struct ModulusThroughF32 : Checked {
  template <class D, class V>
  static HWY_INLINE V apply(D d, V a, V b) {
    const hn::Rebind<float, D> real;
    const auto w = hn::ConvertTo(real, a), x = hn::ConvertTo(real, b);
    return hn::ConvertTo(d, hn::Sub(x, hn::Mul(w, hn::Floor(hn::Div(x, w)))));
  }
  template <class D, class V>
  static HWY_INLINE auto bad(D d, V a, V, V) {
    return hn::Eq(a, hn::Zero(d));
  }
};

// Takes remainders of integers by one number: its reciprocal serves all. The quotient of a number half a step further from the
// integer below is never rounded across one.
template <class T, class Compute>
struct ModulusByOneSource {
  using L = Lanes<T, Compute>;
  using D = typename L::D;
  using V = typename L::V;
  using Real = std::conditional_t<sizeof(Compute) == 8, double, float>;
  using R = hn::Rebind<Real, D>;
  const T* x;
  Real divisor, reciprocal, half;

  ModulusByOneSource(const T* elements, T by)
      : x(elements), divisor(by), reciprocal(Real{1} / divisor), half(by < 0 ? Real{-0.5} : Real{0.5}) {}
  HWY_INLINE V at(std::size_t i, V&) const { return remainders(L::load(x + i)); }
  HWY_INLINE V few(std::size_t n, V&) const { return remainders(load_few<L>(x, n)); }

 private:
  HWY_INLINE V remainders(V v) const {
    const D d;
    const R real;
    const auto number = [&] {
      if constexpr (std::is_same_v<Compute, Real>)
        return v;
      else
        return hn::ConvertTo(real, v);
    }();
    const auto quotient = hn::Floor(hn::Mul(hn::Add(number, hn::Set(real, half)), hn::Set(real, reciprocal)));
    const auto remainder = hn::Sub(number, hn::Mul(hn::Set(real, divisor), quotient));
    if constexpr (std::is_same_v<Compute, Real>)
      return remainder;
    else
      return hn::ConvertTo(d, remainder);
  }
};
// The same for bytes and a positive number, in halves of 16 bits.
struct ModulusOfBytesSource {
  using D = hn::ScalableTag<std::int8_t>;
  using V = hn::Vec<D>;
  using Wide = hn::Repartition<std::int16_t, D>;
  const std::int8_t* x;
  hn::Vec<Wide> divisor, reciprocal;

  // The divisor is 2 or more.
  ModulusOfBytesSource(const std::int8_t* elements, int by)
      : x(elements),
        divisor(hn::Set(Wide(), static_cast<std::int16_t>(by))),
        reciprocal(hn::Set(Wide(), static_cast<std::int16_t>((65536 + by) / (2 * by)))) {}
  HWY_INLINE V at(std::size_t i, V&) const { return remainders(hn::LoadU(D(), x + i)); }
  HWY_INLINE V few(std::size_t n, V&) const { return remainders(load_few<Lanes<std::int8_t>>(x, n)); }

 private:
  HWY_INLINE V remainders(V v) const {
    const D d;
    const Wide wide;
    const auto pair = hn::BitCast(wide, v), half = hn::Set(wide, 1);
    // Twice the numbers and one: what an odd one gets from its neighbour lies where the one goes.
    const auto even = hn::Or(hn::ShiftRight<7>(hn::ShiftLeft<8>(pair)), half), odd = hn::Or(hn::ShiftRight<7>(pair), half);
    const auto of_even = hn::MulHigh(even, reciprocal), of_odd = hn::ShiftLeft<8>(hn::MulHigh(odd, reciprocal));
    const V products = hn::OddEven(hn::BitCast(d, hn::Mul(of_odd, divisor)), hn::BitCast(d, hn::Mul(of_even, divisor)));
    return hn::Sub(v, products);
  }
};

template <class D, class V>
HWY_INLINE V upper_product([[maybe_unused]] D d, V a, V b) {
  if constexpr (sizeof(hn::TFromD<D>) == 2) {
    return hn::MulHigh(a, b);
  } else {
    const hn::Repartition<std::uint64_t, D> pairs;
    const auto upper = [&](V v) HWY_ATTR { return hn::BitCast(d, hn::ShiftRight<32>(hn::BitCast(pairs, v))); };
    const auto even = hn::MulEven(a, b), odd = hn::MulEven(upper(a), b);
    return hn::OddEven(hn::BitCast(d, odd), upper(hn::BitCast(d, even)));
  }
}
// The same for integers of 16 or 32 bits and a positive number: the quotient may be one too small where they are positive, one
// too large where they are not.
template <class T>
struct ModulusByPositiveSource {
  using L = Lanes<T>;
  using D = typename L::D;
  using V = typename L::V;
  using Unsigned = hn::Rebind<hwy::MakeUnsigned<T>, D>;
  static constexpr std::uint64_t range = std::uint64_t{1} << (8 * sizeof(T));
  // Three times as much is in the range, too.
  static constexpr T greatest = static_cast<T>(range / 3);
  const T* x;
  V divisor, reciprocal;

  // The divisor is from 3 to `greatest`.
  ModulusByPositiveSource(const T* elements, T by)
      : x(elements),
        divisor(hn::Set(D(), by)),
        reciprocal(hn::Set(D(), static_cast<T>(range / static_cast<std::uint64_t>(by)))) {}
  HWY_INLINE V at(std::size_t i, V&) const { return remainders(L::load(x + i)); }
  HWY_INLINE V few(std::size_t n, V&) const { return remainders(load_few<L>(x, n)); }

 private:
  HWY_INLINE V remainders(V v) const {
    const V rest = hn::Sub(v, hn::Mul(upper_product(D(), v, reciprocal), divisor));
    const V positive = lesser(rest, hn::Add(rest, divisor));
    return lesser(positive, hn::Sub(positive, divisor));
  }
  // Takes what is below 0 for greater than what is not.
  static HWY_INLINE V lesser(V a, V b) {
    return hn::BitCast(D(), hn::Min(hn::BitCast(Unsigned(), a), hn::BitCast(Unsigned(), b)));
  }
};
struct LowBits : Unchecked {
  template <class D, class V>
  static HWY_INLINE V apply(D, V a, V b) {
    return hn::And(a, b);
  }
};
template <class T, class Compute>
std::size_t modulus_by_one(void* out, const void* w, const void* x_bytes, std::size_t n) {
  const T* const x = static_cast<const T*>(x_bytes);
  const T by = *static_cast<const T*>(w);
  if (by == 0) return 0;
  if (by > 0 && (by & (by - 1)) == 0) {
    const T low = static_cast<T>(by - 1);
    return dyad_loop<Lanes<T>, Lanes<T>, LowBits, scalar_array>(out, &low, x_bytes, n);
  }
  if constexpr (sizeof(T) == 1)
    if (by > 0) return each_vector<Lanes<T>, false, ModulusOfBytesSource>(static_cast<T*>(out), n, x, by);
  if constexpr (sizeof(T) != 1) {
    if (by > 0 && by <= ModulusByPositiveSource<T>::greatest)
      return each_vector<Lanes<T>, false, ModulusByPositiveSource<T>>(static_cast<T*>(out), n, x, by);
  }
  return each_vector<Lanes<T, Compute>, false, ModulusByOneSource<T, Compute>>(static_cast<T*>(out), n, x, by);
}

#if HWY_NATIVE_FMA
// Takes remainders of doubles by one number above 0, whose reciprocal serves all. The rounded quotient is at most one off, so
// that the remainder is exact before it is brought into the range, and rounded once; it is not off where the number is a power of
// two. Stops where quotients are too large for that: marks are the largest number.
template <bool power_of_two>
class RealModulusByOneSource {
 public:
  using L = Lanes<double>;
  using D = L::D;
  using V = L::V;

  RealModulusByOneSource(const double* elements, double by)
      : x(elements), divisor(hn::Set(D(), by)), reciprocal(hn::Set(D(), 1 / by)), most(hn::Set(D(), by * 0x1p50)) {}
  HWY_INLINE bool reads(const void* out) const { return out == x; }
  HWY_INLINE V at(std::size_t i, V& largest) const { return remainders(L::load(x + i), largest); }
  HWY_INLINE V few(std::size_t n, V& largest) const { return remainders(load_few<L>(x, n), largest); }
  // The instruction gives its second operand where one is a NaN, which is none of these marks.
  static HWY_INLINE V worse(V a, V b) { return hn::Max(a, b); }
  HWY_INLINE bool none_bad(V largest) const { return hn::AllTrue(D(), hn::Le(largest, most)); }

 private:
  HWY_INLINE V remainders(V v, V& largest) const {
    const D d;
    const V zero = hn::Zero(d), number = in_register(v), quotient = hn::Floor(hn::Mul(number, reciprocal));
    largest = worse(hn::Abs(number), largest);
    const V rest = hn::IfThenElse(hn::Eq(quotient, zero), number, hn::NegMulAdd(quotient, divisor, number));
    if constexpr (power_of_two) return rest;
    // A number just below 0 may be rounded to the divisor: that is its remainder.
    const auto beyond = hn::And(hn::Ge(rest, divisor), hn::Not(hn::Eq(quotient, hn::Set(d, -1.0))));
    const V less = hn::IfThenElse(beyond, hn::Sub(rest, divisor), rest);
    return hn::IfThenElse(hn::Lt(rest, zero), hn::Add(rest, divisor), less);
  }

  const double* x;
  V divisor, reciprocal, most;
};
inline std::size_t real_modulus_by_one(void* out_bytes, const void* w, const void* x_bytes, std::size_t n) {
  double* const out = static_cast<double*>(out_bytes);
  const double* const x = static_cast<const double*>(x_bytes);
  const double by = *static_cast<const double*>(w);
  if (!(by >= 0x1p-900 && by <= 0x1p900)) return dyad_loop<Lanes<double>, Lanes<double>, ModulusF64, scalar_array>(out, w, x, n);
  int exponent;
  // Beyond 1, products with the reciprocal may be too small.
  if (by <= 1 && std::frexp(by, &exponent) == 0.5)
    return each_vector<Lanes<double>, true, RealModulusByOneSource<true>>(out, n, x, by);
  return each_vector<Lanes<double>, true, RealModulusByOneSource<false>>(out, n, x, by);
}
#endif

}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
