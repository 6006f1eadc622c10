#include "primitives/kernels/exponential.h"

#include <cmath>

#include "primitives/kernels/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "primitives/kernels/exponential.cc"
#include "hwy/foreach_target.h"
//
#include "hwy/highway.h"
#include "primitives/kernels/elementary-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace {

// From here on, on either side of 0, an exponential is not finite and normal.
constexpr double safe_exponent = 708;

struct Exponent {
  template <class D, class V>
  static HWY_INLINE V apply(D d, V x) {
    const V none = hn::Zero(d);
    if (HWY_LIKELY(hn::AllTrue(d, hn::Le(hn::Abs(x), hn::Set(d, safe_exponent))))) {
      const auto e = reduced_exponential<true>(d, Pair<V>{x, none});
      return hn::Mul(mantissa(d, e), power_of_2(d, e.integer));
    }
    const V within = hn::Max(hn::Min(x, hn::Set(d, 710.0)), hn::Set(d, -746.0));
    const auto e = reduced_exponential<true>(d, Pair<V>{within, none});
    return hn::IfThenElse(hn::Eq(x, x), scale(d, mantissa(d, e), e.integer), x);
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

struct Logarithm {
  template <class D, class V>
  static HWY_INLINE auto known(D d, V x) {
    return is_normal_positive(d, x);
  }
  template <class D, class V>
  static HWY_INLINE V apply(D d, V x) {
    return logarithm_of<true>(d, x);
  }
};

// The logarithm of e, and of 2 with a first part of 41 bits.
struct Base2 {
  static constexpr double high = reciprocal_ln2, low = 0x1.777d0ffda0d24p-56, of_2_high = 1, of_2_low = 0;
};
struct Base10 {
  static constexpr double high = 0x1.bcb7b1526e50ep-2, low = 0x1.95355baaafad3p-57;
  static constexpr double of_2_high = 0x1.34413509f7000p-2, of_2_low = 0x1.3fde623e2566bp-43;
};
template <class Base>
struct LogarithmTo : Logarithm {
  template <class D, class V>
  static HWY_INLINE V apply(D d, V x) {
    const Normalised<V> n = normalised(d, x);
    const Pair<V> s = half_ratio<true>(d, n.f);
    const V more = more_than_twice<true>(d, s.high);
    const Pair<V> m = product<true>(d, s, {hn::Set(d, 2 * Base::high), hn::Set(d, 2 * Base::low)});
    const Pair<V> sum = quick_sum(hn::Mul(n.k, hn::Set(d, Base::of_2_high)), m.high);
    const V low = hn::MulAdd(n.k, hn::Set(d, Base::of_2_low), m.low);
    return hn::Add(sum.high, hn::Add(sum.low, hn::MulAdd(more, hn::Set(d, Base::high), low)));
  }
};

struct LogarithmPlus1 {
  template <class D, class V>
  static HWY_INLINE auto known(D d, V x) {
    return is_normal_positive(d, hn::Add(x, hn::Set(d, 1.0)));
  }
  template <class D, class V>
  static HWY_INLINE V apply(D d, V x) {
    const Pair<V> argument = exact_sum(hn::Set(d, 1.0), x);
    const Normalised<V> n = normalised(d, argument.high);
    const V correction = hn::Div(argument.low, argument.high);
    const Pair<V> s = half_ratio<true>(d, n.f);
    const V more = more_than_twice<true>(d, s.high);
    const Pair<V> most = quick_sum(hn::Mul(n.k, hn::Set(d, ln2_high)), hn::Add(s.high, s.high));
    const V low = hn::Add(more, hn::MulAdd(n.k, hn::Set(d, ln2_low), hn::MulAdd(s.low, hn::Set(d, 2.0), most.low)));
    const Pair<V> all = exact_sum(most.high, correction);
    return hn::Add(all.high, hn::Add(all.low, low));
  }
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
std::size_t logarithm_loop(void* out_bytes, const void* x_bytes, std::size_t n) {
  const hn::ScalableTag<double> d;
  constexpr std::size_t together = 4;
  const std::size_t lanes = hn::Lanes(d);
  const double* x = static_cast<const double*>(x_bytes);
  double* out = static_cast<double*>(out_bytes);
  std::size_t i = 0;
  for (; n - i >= together * lanes; i += together * lanes) {
    hn::Vec<decltype(d)> v[together];
    for (std::size_t k = 0; k < together; k++) v[k] = hn::LoadU(d, x + i + k * lanes);
    auto known = Logarithm::known(d, v[0]);
    for (std::size_t k = 1; k < together; k++) known = hn::And(known, Logarithm::known(d, v[k]));
    if (HWY_LIKELY(hn::AllTrue(d, known)))
      take_logarithms<true>(d, v);
    else
      for (std::size_t k = 0; k < together; k++) v[k] = MostLanes<Logarithm, logarithm_of_other>::rare(d, v[k]);
    for (std::size_t k = 0; k < together; k++) hn::StoreU(v[k], d, out + i + k * lanes);
  }
  return i + each_double<MostLanes<Logarithm, logarithm_of_other>>(out + i, x + i, n - i);
}
double logarithm_2_of(double x) { return std::log2(x + 0.0); }
double logarithm_10_of(double x) { return std::log10(x + 0.0); }
double logarithm_plus_1_of(double x) { return std::log1p(x); }
// Takes zeros, infinities and what is below the normal numbers.
double cube_root_of(double x) {
  if (x == 0 || !std::isfinite(x)) return x + 0.0;
  const hn::CappedTag<double, 1> d;
  return hn::GetLane(CubeRoot::apply(d, hn::Set(d, x * 0x1p54))) * 0x1p-18;
}
double power_of(double w, double x) { return std::pow(w + 0.0, x); }

// --- power, in three passes over a block of elements: each is short enough for the processor to overlap many of its steps

constexpr std::size_t block_length = 256;

struct Block {
  HWY_ALIGN double w[block_length];
  HWY_ALIGN double x[block_length];
  // The logarithm of w, in two parts, with the factors 2 apart.
  HWY_ALIGN double high[block_length];
  HWY_ALIGN double low[block_length];
  HWY_ALIGN double k[block_length];
  HWY_ALIGN double result[block_length];
};

// Gives w to the powers x, for numbers that are not known to be ordinary: negative bases with integer exponents, results near the
// ends of the range; lane by lane for what is left.
template <class D, class V>
HWY_NOINLINE V rare_power(D d, V w, V x) {
  const V size = hn::Abs(w), one = hn::Set(d, 1.0), limit = hn::Set(d, 0x1p70);
  const auto integer = hn::Eq(hn::Round(x), x);
  const auto positive = hn::Gt(w, hn::Zero(d));
  const auto known = hn::And(hn::And(is_normal_positive(d, size), hn::Lt(hn::Abs(x), limit)), hn::Or(positive, integer));
  const V a = hn::IfThenElse(known, size, one), b = hn::IfThenElseZero(known, x);
  const Normalised<V> n = normalised(d, a);
  const Pair<V> l = logarithm_pair<true>(d, twice_atanh<true>(d, half_ratio<true>(d, n.f)), n.k);
  const Pair<V> p = exact_product(d, b, l.high);
  const V high = hn::Max(hn::Min(p.high, hn::Set(d, 710.0)), hn::Set(d, -746.0));
  const V low = hn::IfThenElseZero(hn::Eq(high, p.high), hn::MulAdd(b, l.low, p.low));
  const auto e = reduced_exponential<true>(d, Pair<V>{high, low});
  V result = scale(d, mantissa(d, e), e.integer);
  const V half = hn::Mul(b, hn::Set(d, 0.5));
  const auto odd = hn::AndNot(hn::Eq(hn::Round(half), half), known);
  result = hn::IfThenElse(hn::AndNot(positive, odd), hn::Neg(result), result);
  return hn::AllTrue(d, known) ? result : hn::IfThenElse(known, result, lane_by_lane(d, w, x, power_of));
}

// Writes the logarithms of the `lanes` first numbers. Tells whether all are normal and above 0.
template <class D>
HWY_INLINE bool logarithms(D d, Block& block, std::size_t count) {
  auto normal = hn::Eq(hn::Zero(d), hn::Zero(d));
  for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
    const auto w = hn::Load(d, block.w + i);
    normal = hn::And(normal, is_normal_positive(d, w));
    const auto n = normalised(d, w);
    const auto s = half_ratio<true>(d, n.f);
    hn::Store(s.high, d, block.high + i);
    hn::Store(s.low, d, block.low + i);
    hn::Store(n.k, d, block.k + i);
  }
  for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
    const Pair<hn::Vec<D>> s = {hn::Load(d, block.high + i), hn::Load(d, block.low + i)};
    const auto l = logarithm_pair<true>(d, twice_atanh<true>(d, s), hn::Load(d, block.k + i));
    hn::Store(l.high, d, block.high + i);
    hn::Store(l.low, d, block.low + i);
  }
  return hn::AllTrue(d, normal);
}
// Writes the results of the first numbers, whose logarithms are there, of one w if `one`. Tells whether all are ordinary.
template <bool one, class D>
HWY_INLINE bool powers(D d, Block& block, std::size_t count) {
  auto ordinary = hn::Eq(hn::Zero(d), hn::Zero(d));
  for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
    const std::size_t from = one ? 0 : i;
    const auto x = hn::Load(d, block.x + i), w = hn::Load(d, block.w + i);
    const auto p = exact_product(d, x, hn::Load(d, block.high + from));
    ordinary = hn::And(ordinary, hn::Le(hn::Abs(p.high), hn::Set(d, safe_exponent)));
    const auto e = reduced_exponential<true>(d, Pair<hn::Vec<D>>{p.high, hn::MulAdd(x, hn::Load(d, block.low + from), p.low)});
    const auto result = hn::Mul(mantissa(d, e), power_of_2(d, e.integer));
    hn::Store(hn::IfThenElse(hn::Eq(x, hn::Set(d, 2.0)), hn::Mul(w, w), result), d, block.result + i);
  }
  return hn::AllTrue(d, ordinary);
}
template <class D>
HWY_NOINLINE void rare_powers(D d, Block& block, std::size_t count) {
  for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
    const auto x = hn::Load(d, block.x + i), w = hn::Load(d, block.w + i);
    const auto result = rare_power(d, w, x);
    hn::Store(hn::IfThenElse(hn::Eq(x, hn::Set(d, 2.0)), hn::Mul(w, w), result), d, block.result + i);
  }
}

// Fills a block as far as n elements need it.
template <class D>
HWY_INLINE void fill(D d, double* to, double with, std::size_t n) {
  for (std::size_t i = 0; i < block_length && i < n; i += hn::Lanes(d)) hn::Store(hn::Set(d, with), d, to + i);
}
// Copies numbers and repeats the last of them up to a whole vector.
template <class D>
HWY_INLINE void copy_padded(D d, double* to, const double* from, std::size_t n) {
  std::size_t i = 0;
  for (; n - i >= hn::Lanes(d); i += hn::Lanes(d)) hn::Store(hn::LoadU(d, from + i), d, to + i);
  if (i < n) hn::Store(load_few<Lanes<double>>(from + i, n - i), d, to + i);
}
template <class D>
HWY_INLINE void copy_out(D d, double* to, const double* from, std::size_t n) {
  std::size_t i = 0;
  for (; n - i >= hn::Lanes(d); i += hn::Lanes(d)) hn::StoreU(hn::Load(d, from + i), d, to + i);
  for (; i < n; i++) to[i] = from[i];
}

template <Form form>
std::size_t power_loop(void* out_bytes, const void* w_bytes, const void* x_bytes, std::size_t n) {
  const hn::ScalableTag<double> d;
  const double* w = static_cast<const double*>(w_bytes);
  const double* x = static_cast<const double*>(x_bytes);
  double* out = static_cast<double*>(out_bytes);
  if (n == 0) return 0;
  if (n == 1) {
    *out = *x == 2 ? *w * *w : hn::GetLane(rare_power(d, hn::Set(d, *w), hn::Set(d, *x)));
    return n;
  }
  Block block;
  bool normal = true;
  if (form == scalar_array) {
    fill(d, block.w, *w, n);
    normal = logarithms(d, block, hn::Lanes(d));
  }
  if (form == array_scalar) fill(d, block.x, *x, n);
  for (std::size_t i = 0; i < n; i += block_length) {
    const std::size_t count = n - i < block_length ? n - i : block_length;
    if (form != scalar_array) {
      copy_padded(d, block.w, w + i, count);
      normal = logarithms(d, block, count);
    }
    if (form != array_scalar) copy_padded(d, block.x, x + i, count);
    if (HWY_UNLIKELY(!normal || !powers<form == scalar_array>(d, block, count))) rare_powers(d, block, count);
    copy_out(d, out + i, block.result, count);
  }
  return n;
}

// --- root

template <Form form>
std::size_t root_loop(void* out_bytes, const void* w_bytes, const void* x_bytes, std::size_t n) {
  const hn::ScalableTag<double> d;
  const double* w = static_cast<const double*>(w_bytes);
  const double* x = static_cast<const double*>(x_bytes);
  double* out = static_cast<double*>(out_bytes);
  HWY_ALIGN double exponents[block_length];
  HWY_ALIGN double bases[block_length];
  HWY_ALIGN double degrees[block_length];
  if (form == scalar_array) fill(d, degrees, *w, n);
  if (form == array_scalar) fill(d, bases, *x, n);
  for (std::size_t i = 0; i < n; i += block_length) {
    const std::size_t count = n - i < block_length ? n - i : block_length;
    if (form != scalar_array) copy_padded(d, degrees, w + i, count);
    if (form != array_scalar) copy_padded(d, bases, x + i, count);
    auto square = hn::Eq(hn::Zero(d), hn::Zero(d));
    for (std::size_t k = 0; k < count; k += hn::Lanes(d)) {
      const auto degree = hn::Load(d, degrees + k), base = hn::Load(d, bases + k);
      square = hn::And(square, hn::And(hn::Eq(degree, hn::Set(d, 2.0)), hn::Ge(base, hn::Zero(d))));
      hn::Store(hn::Div(hn::Set(d, 1.0), hn::Add(degree, hn::Zero(d))), d, exponents + k);
    }
    const bool square_roots = hn::AllTrue(d, square);
    if (!square_roots) power_loop<array_array>(exponents, bases, exponents, count);
    for (std::size_t k = 0; k < count; k += hn::Lanes(d)) {
      const auto degree = hn::Load(d, degrees + k), base = hn::Load(d, bases + k);
      const auto is_square = hn::And(hn::Eq(degree, hn::Set(d, 2.0)), hn::Ge(base, hn::Zero(d)));
      hn::Store(hn::IfThenElse(is_square, hn::Sqrt(hn::Add(base, hn::Zero(d))), hn::Load(d, exponents + k)), d, exponents + k);
    }
    copy_out(d, out + i, exponents, count);
  }
  return n;
}

// --- the table

const ExponentialKernels* table() {
  static const ExponentialKernels kernels = {
      .exponential = each_double<Exponent>,
      .exponential_less_1 = each_double<MostLanes<ExponentLess1, exponential_less_1_of>>,
      .logarithm = logarithm_loop,
      .logarithm_2 = each_double<MostLanes<LogarithmTo<Base2>, logarithm_2_of>>,
      .logarithm_10 = each_double<MostLanes<LogarithmTo<Base10>, logarithm_10_of>>,
      .logarithm_plus_1 = each_double<MostLanes<LogarithmPlus1, logarithm_plus_1_of>>,
      .cube_root = each_double<MostLanes<CubeRoot, cube_root_of>>,
      .power = {{power_loop<array_array>, power_loop<array_scalar>, power_loop<scalar_array>}},
      .root = {{root_loop<array_array>, root_loop<array_scalar>, root_loop<scalar_array>}},
  };
  return &kernels;
}

}  // namespace
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(table);
const ExponentialKernels& exponentials() { return *HWY_DYNAMIC_DISPATCH(table)(); }

double power(double w, double x) {
  if (x == 2) return w * w;
  // Powers of integers that are integers are exact, however they are computed.
  constexpr double most_factors = 64, most = 0x1p53;
  if (x >= 0 && x <= most_factors && w == std::floor(w) && x == std::floor(x)) {
    double product = 1;
    for (double i = x; i > 0 && std::fabs(product) <= most; i--) product *= w;
    if (std::fabs(product) <= most) return product;
  }
  double result;
  exponentials().power[array_array](&result, &w, &x, 1);
  return result;
}
double root(double w, double x) {
  double result;
  exponentials().root[array_array](&result, &w, &x, 1);
  return result;
}
}  // namespace griddle::kernels
#endif
