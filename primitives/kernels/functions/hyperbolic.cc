#include "primitives/kernels/functions/hyperbolic.h"

#include <cmath>

#include "hwy/highway.h"
#include "primitives/kernels/functions/elementary_tables-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace hyperbolic_unit {
namespace {

using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;

// From here on, on either side of 0, the squares of numbers need not be finite, or exponentials.
constexpr double safe_root = 0x1p500, safe_exponent = 710.475;
// Up to here, functions that begin as x does are x.
constexpr double tiny = 0x1p-28;

HWY_INLINE V with_sign_of(V size, V x) { return hn::CopySign(size, hn::Add(x, hn::Zero(D()))); }

// --- of exponentials

class OfExponential {
 public:
  HWY_INLINE OfExponential() : table(exponential_table) {}

  // Give the sine and the cosine of a number from 0 to 710.475.
  HWY_INLINE Pair<V> sine(D d, V x) const {
    const Pair<V> e = half_exponential(d, table, x), i = inverse(d, e), sum = quick_sum(e.high, hn::Neg(i.high));
    // What is left of two numbers that are nearly the same is computed in another way.
    const auto small = hn::Lt(x, hn::Set(d, 0.5));
    const V z = hn::Mul(x, x);
    const V p = polynomial<true>(d, z, 0x1.5555555555555p-3, 0x1.1111111111156p-7, 0x1.a01a019ffe14bp-13, 0x1.71de3aa8b9bf5p-19,
                                 0x1.ae635b64315efp-26, 0x1.629878fd7c432p-33);
    return {hn::IfThenElse(small, x, sum.high),
            hn::IfThenElse(small, hn::Mul(hn::Mul(x, z), p), hn::Add(sum.low, hn::Sub(e.low, i.low)))};
  }
  HWY_INLINE Pair<V> cosine(D d, V x) const {
    const Pair<V> e = half_exponential(d, table, x), i = inverse(d, e), sum = quick_sum(e.high, i.high);
    return {sum.high, hn::Add(sum.low, hn::Add(e.low, i.low))};
  }

 private:
  // Gives e⋆-x ÷ 2 for e⋆x ÷ 2.
  static HWY_INLINE Pair<V> inverse(D d, Pair<V> e) {
#if !HWY_NATIVE_FMA
    // Keeps what is cut in halves within the range; nothing is left of the inverse beside such exponentials.
    e.high = hn::Min(e.high, hn::Set(d, safe_root));
#endif
    return quotient(d, Pair<V>{hn::Set(d, 0.25), hn::Zero(d)}, e);
  }

 protected:
  RowPicker<D, 2> table;
};

struct Sine : OfExponential {
  HWY_INLINE Sine() {}
  static HWY_INLINE auto known(D d, V x) { return hn::Le(hn::Abs(x), hn::Set(d, safe_exponent)); }
  HWY_INLINE V apply(D d, V x) const {
    const Pair<V> s = sine(d, hn::Abs(x));
    return with_sign_of(hn::Add(s.high, s.low), x);
  }
};
struct Cosine : OfExponential {
  HWY_INLINE Cosine() {}
  static HWY_INLINE auto known(D d, V x) { return hn::Le(hn::Abs(x), hn::Set(d, safe_exponent)); }
  HWY_INLINE V apply(D d, V x) const {
    const Pair<V> c = cosine(d, hn::Abs(x));
    return hn::Add(c.high, c.low);
  }
};
// (e⋆2x)-1 over (e⋆2x)+1
struct Tangent : OfExponential {
  HWY_INLINE Tangent() {}
  static HWY_INLINE auto known(D, V x) { return hn::Eq(x, x); }
  HWY_INLINE V apply(D d, V x) const {
    // From 20 on, the nearest double is 1.
    const V size = hn::Min(hn::Abs(x), hn::Set(d, 25.0)), twice = hn::Add(size, size), half = hn::Set(d, 0.5);
    const Pair<V> e = half_exponential(d, table, twice);
    Pair<V> above = quick_sum(e.high, hn::Set(d, -0.5)), below = quick_sum(e.high, half);
    above.low = hn::Add(above.low, e.low);
    below.low = hn::Add(below.low, e.low);
    // What is left of two numbers that are nearly the same is computed in another way.
    const V square = hn::Mul(twice, twice);
    const V p0 = polynomial<true>(d, twice, 0x1.fffffffffffb9p-2, 0x1.5555555559d35p-3);
    const V p2 = polynomial<true>(d, twice, 0x1.555555523b6ebp-5, 0x1.11111219f94eap-7);
    const V p4 = polynomial<true>(d, twice, 0x1.6c165fb8ae543p-10, 0x1.a02ef6b4c0dc7p-13);
    const V p6 = polynomial<true>(d, twice, 0x1.9d810c77816e0p-16, 0x1.9dbe11176df77p-19);
    const V p = hn::MulAdd(hn::MulAdd(hn::MulAdd(p6, square, p4), square, p2), square, p0);
    const auto small = hn::Lt(twice, hn::Set(d, 0.25));
    const Pair<V> numerator = {hn::IfThenElse(small, size, above.high),
                               hn::IfThenElse(small, hn::Mul(hn::Mul(square, half), p), above.low)};
    const Pair<V> q = quotient(d, numerator, below);
    return with_sign_of(hn::Add(q.high, q.low), x);
  }
};

// --- of logarithms

class OfLogarithm {
 public:
  HWY_INLINE OfLogarithm() : table(logarithm_table) {}
  HWY_INLINE V logarithm(D d, Pair<V> x) const { return logarithm_of_sum(d, table, x); }

 private:
  RowPicker<D, 3> table;
};

// ln x + √1+x⋆2
struct InverseSine : OfLogarithm {
  HWY_INLINE InverseSine() {}
  static HWY_INLINE auto known(D d, V x) { return hn::Le(hn::Abs(x), hn::Set(d, safe_root)); }
  HWY_INLINE V apply(D d, V x) const {
    const V size = hn::Abs(x), one = hn::Set(d, 1.0);
    const Pair<V> square = exact_product(d, size, size);
    Pair<V> sum = quick_sum(hn::Max(square.high, one), hn::Min(square.high, one));
    sum.low = hn::Add(sum.low, square.low);
    const Pair<V> root = square_root(d, sum), all = quick_sum(root.high, size);
    const V result = logarithm(d, {all.high, hn::Add(all.low, root.low)});
    return with_sign_of(hn::IfThenElse(hn::Lt(size, hn::Set(d, tiny)), size, result), x);
  }
};
// ln x + √(x⋆2)-1
struct InverseCosine : OfLogarithm {
  HWY_INLINE InverseCosine() {}
  static HWY_INLINE auto known(D d, V x) { return hn::And(hn::Ge(x, hn::Set(d, 1.0)), hn::Le(x, hn::Set(d, safe_root))); }
  HWY_INLINE V apply(D d, V x) const {
    const Pair<V> square = exact_product(d, x, x);
    Pair<V> difference = quick_sum(square.high, hn::Set(d, -1.0));
    difference = quick_sum(difference.high, hn::Add(difference.low, square.low));
    const Pair<V> root = square_root(d, difference), all = quick_sum(x, root.high);
    return logarithm(d, {all.high, hn::Add(all.low, root.low)});
  }
};
// ½ ln (1+x) ÷ 1-x
struct InverseTangent : OfLogarithm {
  HWY_INLINE InverseTangent() {}
  static HWY_INLINE auto known(D d, V x) { return hn::Lt(hn::Abs(x), hn::Set(d, 1.0)); }
  HWY_INLINE V apply(D d, V x) const {
    const V size = hn::Abs(x), one = hn::Set(d, 1.0);
    const Pair<V> q = quotient(d, quick_sum(one, size), quick_sum(one, hn::Neg(size)));
    const V result = hn::Mul(hn::Set(d, 0.5), logarithm(d, quick_sum(q.high, q.low)));
    return with_sign_of(hn::IfThenElse(hn::Lt(size, hn::Set(d, tiny)), size, result), x);
  }
};

double sine_of(double x) { return std::sinh(x); }
double cosine_of(double x) { return std::cosh(x); }
double tangent_of(double x) { return std::tanh(x); }
double inverse_sine_of(double x) { return std::asinh(x); }
double inverse_cosine_of(double x) { return std::acosh(x); }
double inverse_tangent_of(double x) { return std::atanh(x); }

const HyperbolicKernels* hyperbolic_kernels() {
  static const HyperbolicKernels kernels = {
      .sine = each_double<MostLanes<Sine, sine_of>>,
      .cosine = each_double<MostLanes<Cosine, cosine_of>>,
      .tangent = each_double<MostLanes<Tangent, tangent_of>>,
      .inverse_sine = each_double<MostLanes<InverseSine, inverse_sine_of>>,
      .inverse_cosine = each_double<MostLanes<InverseCosine, inverse_cosine_of>>,
      .inverse_tangent = each_double<MostLanes<InverseTangent, inverse_tangent_of>>,
  };
  return &kernels;
}

}  // namespace
}  // namespace hyperbolic_unit
using hyperbolic_unit::hyperbolic_kernels;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(hyperbolic_kernels);
const HyperbolicKernels& hyperbolic() { return *HWY_DYNAMIC_DISPATCH(hyperbolic_kernels)(); }
}  // namespace griddle::kernels
#endif
