#include "primitives/kernels/functions/exponential.h"

#include <cmath>

#include "hwy/highway.h"
#include "primitives/kernels/functions/elementary_tables-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace exponential_unit {
namespace {

using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;

// From here on, on either side of 0, an exponential is not finite and normal.
constexpr double safe_exponent = 708;

struct Exponent {
  HWY_INLINE Exponent() : table(exponential_table) {}
  RowPicker<D, 2> table;

  HWY_INLINE V apply(D d, V x) const {
    const V none = hn::Zero(d);
#if HWY_TARGET != HWY_AVX3 && HWY_TARGET != HWY_AVX3_DL
    if (HWY_LIKELY(hn::AllTrue(d, hn::Le(hn::Abs(x), hn::Set(d, safe_exponent)))))
      return exponential_of<false>(d, table, Pair<V>{x, none});
#endif
    const V within = hn::Max(hn::Min(x, hn::Set(d, 710.0)), hn::Set(d, -746.0));
    return hn::IfThenElse(hn::Eq(x, x), exponential_of<true>(d, table, Pair<V>{within, none}), x);
  }
};

struct ExponentLess1 {
  template <class D, class V>
  static HWY_INLINE auto known(D d, V x) {
    return hn::Le(hn::Abs(x), hn::Set(d, safe_exponent));
  }
  template <class D, class V>
  static HWY_INLINE V apply(D d, V x) {
    const auto e = reduced_exponential<true>(d, Pair<V>{x, hn::Zero(d)});
    const V power = power_of_2(d, e.integer);
    // 2⋆k - 1, then the rest
    const Pair<V> first = exact_sum(power, hn::Set(d, -1.0));
    const Pair<V> sum = exact_sum(first.high, hn::Mul(power, e.r));
    return hn::Add(sum.high, hn::MulAdd(power, hn::Add(e.square, e.rest), hn::Add(sum.low, first.low)));
  }
};

// --- logarithms

// The logarithms of e, and of 2 with a first part of 41 bits. The tables have the inverses of the first, and logarithms of these.
struct Base2 {
  static constexpr RowTable<3> table = logarithm_table.with_logarithms(
      {0, 0x1.7d60496cfc000p-4, 0x1.563dc29ffa000p-3, 0x1.f5fd8a9064000p-3, 0x1.4f6fbb2cec000p-2, 0x1.8a8980abfc000p-2,
       0x1.e7df5fe539000p-2, 0x1.14c560fe68800p-1, 0x1.25c0a0463c000p-1, 0x1.48eef19317800p-1, 0x1.6ddfc2a790000p-1,
       0x1.810fa51bf6800p-1, 0x1.94c287492c800p-1, 0x1.bdce9dcc96000p-1, 0x1.d338120a6e000p-1, 0x1.e9452c8a71000p-1},
      {0, -0x1.2ce6312ebb81dp-46, 0x1.964190e41bca7p-44, -0x1.cb6f70109b0f1p-47, 0x1.661e393a16b95p-44, -0x1.66cccab240e90p-45,
       -0x1.532c412ba94dbp-44, 0x1.7c407050799bfp-44, -0x1.50520a377c7ecp-45, 0x1.90d43956fa5d8p-45, -0x1.ce60916e52e91p-44,
       -0x1.0144751b3314fp-44, -0x1.927dfc23d9780p-44, 0x1.871a7610e40bdp-45, -0x1.3167ccc538261p-44, 0x1.3c6764fc87b4ap-48});
  static constexpr double high = reciprocal_ln2, low = 0x1.777d0ffda0d24p-56, of_2_high = 1, of_2_low = 0;
};
struct Base10 {
  static constexpr RowTable<3> table = logarithm_table.with_logarithms(
      {0, 0x1.cb38fccd90000p-6, 0x1.9c197abf00000p-5, 0x1.2e3a740b78000p-4, 0x1.93e7de0fc4000p-4, 0x1.db11ed766c000p-4,
       0x1.25ba8215b0000p-3, 0x1.4d43f8275a000p-3, 0x1.61b6939984000p-3, 0x1.8c13437696000p-3, 0x1.b88e67cf98000p-3,
       0x1.cfa8e765cc000p-3, 0x1.e76124046c000p-3, 0x1.0c6711d6ac000p-2, 0x1.194b3bdef7000p-2, 0x1.2691ecc29f000p-2},
      {0, -0x1.00925a535ae72p-44, 0x1.badcf3d6e4566p-46, 0x1.d288560689912p-53, -0x1.80743406505e6p-48, -0x1.40bcd23c3e44cp-44,
       -0x1.007bf2d8bf07ap-44, 0x1.20ca9a2bcc728p-45, -0x1.f70dc69c572dap-44, -0x1.59c2994d34d69p-44, -0x1.a01b9bb0ebf1bp-45,
       -0x1.2386ad8b819b8p-45, -0x1.81a1e23fe0fb6p-44, -0x1.42d6ae59e7d9cp-45, -0x1.1881d6fbdee94p-44, 0x1.09ca54daae9f9p-48});
  static constexpr double high = 0x1.bcb7b1526e50ep-2, low = 0x1.95355baaafad3p-57;
  static constexpr double of_2_high = 0x1.34413509f8000p-2, of_2_low = -0x1.80433b83b532ap-44;
};

// What logarithms have in common: what they cannot do, and which of that has results that are known: 0, ∞, numbers below 0 and
// those that are none.
struct LogarithmLimits {
  static HWY_INLINE auto known(D d, V x) { return is_normal_positive(d, x); }
  static HWY_INLINE auto at_limits(D d, V x) {
    const auto above = hn::Ge(x, hn::Set(d, least_normal));
    return hn::Or(above, hn::Not(hn::Gt(x, hn::Zero(d))));
  }
  static HWY_INLINE V limit(D d, V x) {
    const V of_others = hn::IfThenElse(hn::Eq(x, hn::Inf(d)), x, hn::Set(d, NAN));
    return hn::IfThenElse(hn::Eq(x, hn::Zero(d)), hn::Neg(hn::Inf(d)), of_others);
  }
};

struct Logarithm : LogarithmLimits {
  HWY_INLINE Logarithm() : table(logarithm_table) {}
  RowPicker<D, 3> table;

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  HWY_INLINE V apply(D d, V x) const {
    const Pair<V> l = logarithm_parts(d, table, x);
    return hn::Add(l.high, l.low);
  }
#else
  // Divides: where tables do not lie in registers, that takes less.
  HWY_INLINE V apply(D d, V x) const { return logarithm_of<true>(d, x); }
  template <std::size_t count>
  HWY_INLINE void take(D d, V (&x)[count]) const {
    take_logarithms<true>(d, x);
  }
#endif
};

template <class Base>
struct LogarithmTo : LogarithmLimits {
  HWY_INLINE LogarithmTo() : table(Base::table) {}
  RowPicker<D, 3> table;

  HWY_INLINE V apply(D d, V x) const {
    const NearOne<V> n = near_one(d, table, x);
    const V base = hn::Set(d, Base::high), most = hn::MulAdd(n.k, hn::Set(d, Base::of_2_high), n.high);
    const V least = hn::MulAdd(n.k, hn::Set(d, Base::of_2_low), n.low);
    const Pair<V> first = exact_product(d, n.f, base), sum = quick_sum(most, first.high);
    const V rest = hn::MulAdd(n.f, hn::Set(d, Base::low), hn::Add(first.low, least));
    return hn::Add(sum.high, hn::MulAdd(less_than_f(d, n.f), base, hn::Add(sum.low, rest)));
  }
};

struct LogarithmPlus1 : LogarithmLimits {
  HWY_INLINE LogarithmPlus1() : table(logarithm_table) {}
  RowPicker<D, 3> table;

  static HWY_INLINE auto known(D d, V x) { return is_normal_positive(d, hn::Add(x, hn::Set(d, 1.0))); }
  HWY_INLINE V apply(D d, V x) const { return logarithm_of_sum(d, table, exact_sum(hn::Set(d, 1.0), x)); }
  static HWY_INLINE auto at_limits(D, V x) { return hn::Eq(x, x); }
  static HWY_INLINE V limit(D d, V x) { return LogarithmLimits::limit(d, hn::Add(x, hn::Set(d, 1.0))); }
};

struct CubeRoot {
  template <class D, class V>
  static HWY_INLINE auto known(D d, V x) {
    return is_normal_positive(d, hn::Abs(x));
  }
  template <class D, class V>
  static HWY_INLINE V apply(D d, V x) {
    const Normalised<V> n = normalised(d, hn::Abs(x));
    // x is y × 2⋆3q, and y is 1 + f times ½, 1 or 2.
    const V q_bits = hn::MulAdd(n.k, hn::Set(d, 1.0 / 3), hn::Set(d, to_integer));
    const V r = hn::NegMulAdd(hn::Sub(q_bits, hn::Set(d, to_integer)), hn::Set(d, 3.0), n.k);
    const auto less = hn::Lt(r, hn::Zero(d)), more = hn::Gt(r, hn::Zero(d));
    const auto choose = [=](double half, double two) HWY_ATTR {
      return hn::IfThenElse(less, hn::Set(d, half), hn::IfThenElse(more, hn::Set(d, two), hn::Set(d, 1.0)));
    };
    const V y = hn::Mul(hn::Add(n.f, hn::Set(d, 1.0)), choose(0.5, 2.0));
    // The root of 1 + f within 2^-33 of it
    const V f2 = hn::Mul(n.f, n.f), f4 = hn::Mul(f2, f2);
    const auto pair = [=](double a, double b) HWY_ATTR { return hn::MulAdd(n.f, hn::Set(d, b), hn::Set(d, a)); };
    const V p0 =
        hn::MulAdd(pair(-0x1.c71c6709bcab0p-4, 0x1.f9adb85263a02p-5), f2, pair(0x1.ffffffff4fc92p-1, 0x1.5555555908fe9p-2));
    const V p4 =
        hn::MulAdd(pair(-0x1.7f1e1c5cf7077p-6, 0x1.349c3ad46e4d3p-6), f2, pair(-0x1.51253cf8b2143p-5, 0x1.ee849b5113f4ep-6));
    const V p8 = hn::MulAdd(f2, hn::Set(d, -0x1.284db6d01b240p-7), pair(-0x1.131b69dd8e6d1p-6, 0x1.02ed8e424b995p-6));
    const V near = hn::Mul(hn::MulAdd(hn::MulAdd(p8, f4, p4), f4, p0), choose(0x1.965fea53d6e3dp-1, 0x1.428a2f98d728bp+0));
    // One step of Newton's with what the cube lacks, to twice the precision
    const Pair<V> square = exact_product(d, near, near), cube = exact_product(d, square.high, near);
    const V over = hn::Add(hn::Sub(cube.high, y), hn::MulAdd(square.low, near, cube.low));
    const V root = hn::NegMulAdd(over, hn::Div(hn::Set(d, 1.0 / 3), square.high), near);
    return hn::CopySign(hn::Mul(root, power_of_2(d, q_bits)), x);
  }
};

double exponential_less_1_of(double x) { return std::expm1(x); }
double logarithm_of_other(double x) { return std::log(x + 0.0); }
double logarithm_2_of(double x) { return std::log2(x + 0.0); }
double logarithm_10_of(double x) { return std::log10(x + 0.0); }
double logarithm_plus_1_of(double x) { return std::log1p(x); }
// Takes zeros, infinities and what is below the normal numbers.
double cube_root_of(double x) {
  if (x == 0 || !std::isfinite(x)) return x + 0.0;
  const hn::CappedTag<double, 1> d;
  return hn::GetLane(CubeRoot::apply(d, hn::Set(d, x * 0x1p54))) * 0x1p-18;
}

// --- the table

const ExponentialKernels* exponential_kernels() {
  static const ExponentialKernels kernels = {
      .exponential = each_double<Exponent>,
      .exponential_less_1 = each_double<MostLanes<ExponentLess1, exponential_less_1_of>>,
      .logarithm = each_double<MostLanes<Logarithm, logarithm_of_other>>,
      .logarithm_2 = each_double<MostLanes<LogarithmTo<Base2>, logarithm_2_of>>,
      .logarithm_10 = each_double<MostLanes<LogarithmTo<Base10>, logarithm_10_of>>,
      .logarithm_plus_1 = each_double<MostLanes<LogarithmPlus1, logarithm_plus_1_of>>,
      .cube_root = each_double<MostLanes<CubeRoot, cube_root_of>>,
  };
  return &kernels;
}

}  // namespace
}  // namespace exponential_unit
using exponential_unit::exponential_kernels;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(exponential_kernels);
const ExponentialKernels& exponentials() { return *HWY_DYNAMIC_DISPATCH(exponential_kernels)(); }
}  // namespace griddle::kernels
#endif
