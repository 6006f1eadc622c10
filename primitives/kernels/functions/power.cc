#include "primitives/kernels/functions/power.h"

#include <cmath>

#include "hwy/highway.h"
#include "primitives/kernels/functions/elementary_tables-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace power_unit {
namespace {

using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;
using M = hn::Mask<D>;

// From here on, on either side of 0, an exponential is not finite and normal.
constexpr double safe_exponent = 708;

double power_of(double w, double x) { return std::pow(w + 0.0, x); }

HWY_INLINE M no_lane() { return hn::Ne(hn::Zero(D()), hn::Zero(D())); }
// Tells the lanes that are no normal numbers above 0.
HWY_INLINE M is_unusual_base(V w) {
  const D d;
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  (void)d;
  return M{_mm512_fpclass_pd_mask(w.raw, 0xFF)};
#else
  return hn::Not(is_normal_positive(d, w));
#endif
}

// --- exponents whose powers take few steps

// Multiplies twice, as if rounding once.
HWY_INLINE V cube_of(V w) {
  const D d;
  const Pair<V> square = exact_product(d, w, w);
  const V rest = hn::Mul(square.low, w);
#if HWY_NATIVE_FMA
  const V plain = hn::Mul(square.high, w), cube = hn::MulAdd(square.high, w, rest);
#else
  const Pair<V> product = exact_product(d, square.high, w);
  const V plain = product.high, cube = hn::Add(plain, hn::Add(product.low, rest));
#endif
  // What the rest would be of infinite results is not known.
  return hn::IfThenElse(hn::Lt(hn::Abs(plain), hn::Inf(d)), cube, plain);
}
HWY_INLINE V square_root_of(V w) {
  const D d;
  return hn::IfThenElse(hn::Eq(w, hn::Neg(hn::Inf(d))), hn::Inf(d), hn::Sqrt(w));
}

struct Inverse {
  static constexpr double exponent = -1;
  static HWY_INLINE V apply(V w) { return hn::Div(hn::Set(D(), 1.0), w); }
};
struct SquareRoot {
  static constexpr double exponent = 0.5;
  static HWY_INLINE V apply(V w) { return square_root_of(w); }
};
struct Square {
  static constexpr double exponent = 2;
  static HWY_INLINE V apply(V w) { return hn::Mul(w, w); }
};
struct Cube {
  static constexpr double exponent = 3;
  static HWY_INLINE V apply(V w) { return cube_of(w); }
};

// Tells the lanes with one of these exponents.
HWY_INLINE M is_simple(V x) {
  const D d;
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  // Places each by the lowest bits of its own that differ; NaN equals nothing.
  alignas(64) static constexpr double by_bits[8] = {2, 3, NAN, NAN, 0.5, NAN, -1, NAN};
  const __m512i place = _mm512_srli_epi64(_mm512_castpd_si512(x.raw), 51);
  return hn::Eq(x, V{_mm512_permutexvar_pd(place, hn::Load(d, by_bits).raw)});
#else
  const auto is = [&](double exponent) HWY_ATTR { return hn::Eq(x, hn::Set(d, exponent)); };
  return hn::Or(hn::Or(is(Inverse::exponent), is(SquareRoot::exponent)), hn::Or(is(Square::exponent), is(Cube::exponent)));
#endif
}
template <class Op>
HWY_INLINE V or_simple(V result, V w, V x) {
  return hn::IfThenElse(hn::Eq(x, hn::Set(D(), Op::exponent)), Op::apply(w), result);
}
// Replaces the results in lanes with one of these exponents.
HWY_INLINE V with_simple(V result, V w, V x) {
  const V base = hn::Add(w, hn::Zero(D()));
  return or_simple<Inverse>(or_simple<SquareRoot>(or_simple<Square>(or_simple<Cube>(result, base, x), base, x), base, x), base,
                            x);
}

template <class Op>
std::size_t each_simple(double* out, const double* w, std::size_t n) {
  const D d;
  for (std::size_t i = 0; i < n; i += hn::Lanes(d))
    store_from(d, Op::apply(hn::Add(load_from(d, w, i, n), hn::Zero(d))), out, i, n);
  return n;
}
// Computes powers with one exponent, if it is one of these.
HWY_INLINE bool simple_powers(double* out, const double* w, double x, std::size_t n) {
  switch (static_cast<int>(x * 2)) {
    case -2: return x == Inverse::exponent && each_simple<Inverse>(out, w, n) == n;
    case 1: return x == SquareRoot::exponent && each_simple<SquareRoot>(out, w, n) == n;
    case 4: return x == Square::exponent && each_simple<Square>(out, w, n) == n;
    case 6: return x == Cube::exponent && each_simple<Cube>(out, w, n) == n;
    default: return false;
  }
}

// --- other powers, in two passes over a block of elements: each is short enough for the processor to overlap many of its steps

constexpr std::size_t block_length = 256;

struct Tables {
  HWY_INLINE Tables() : logarithm(logarithm_table), exponential(exponential_table) {}
  RowPicker<D, 3> logarithm;
  RowPicker<D, 2> exponential;
};

constexpr double most_exponent = 0x1p70;

// Tells which powers are not finite and normal, or too large to be multiplied exactly; l is their logarithm.
HWY_INLINE M is_far(V l, [[maybe_unused]] V exponent) {
  const D d;
  const M near = hn::Le(hn::Abs(l), hn::Set(d, safe_exponent));
#if HWY_NATIVE_FMA
  return hn::Not(near);
#else
  return hn::Not(hn::And(near, hn::Lt(hn::Abs(exponent), hn::Set(d, most_exponent))));
#endif
}

// Gives x × l, where l is a logarithm.
HWY_INLINE Pair<V> scaled(V x, Pair<V> l) {
  const D d;
  Pair<V> p = exact_product(d, x, l.high);
  p.low = hn::MulAdd(x, l.low, p.low);
  return p;
}

// Gives w to the powers x for all numbers: bases that are 0 or less, results near the ends of the range; lane by lane for the
// rest.
HWY_NOINLINE V rare_power(V w, V x) {
  const D d;
  const Tables tables;
  const V size = hn::Abs(w), one = hn::Set(d, 1.0), zero = hn::Zero(d);
  const M known = hn::And(hn::Not(is_unusual_base(size)), hn::Lt(hn::Abs(x), hn::Set(d, most_exponent)));
  const V a = hn::IfThenElse(known, size, one), b = hn::IfThenElseZero(known, x);
  Pair<V> p = scaled(b, precise_logarithm(d, tables.logarithm, a));
  const V high = hn::Max(hn::Min(p.high, hn::Set(d, 710.0)), hn::Set(d, -746.0));
  p = {high, hn::IfThenElseZero(hn::Eq(high, p.high), p.low)};
  V result = exponential_of<true>(d, tables.exponential, p);
  // Negative bases: of odd integers, of others
  const M positive = hn::Gt(w, zero), integer = hn::Eq(hn::Round(x), x);
  const V half = hn::Mul(b, hn::Set(d, 0.5));
  result = hn::IfThenElse(hn::AndNot(positive, hn::AndNot(hn::Eq(hn::Round(half), half), integer)), hn::Neg(result), result);
  result = hn::IfThenElse(hn::Or(positive, integer), result, hn::Set(d, NAN));
  // Powers of 0
  const M of_zero = hn::And(hn::Eq(w, zero), hn::Eq(x, x));
  const V power_of_zero = hn::IfThenElse(hn::Gt(x, zero), zero, hn::IfThenElse(hn::Eq(x, zero), one, hn::Inf(d)));
  result = hn::IfThenElse(of_zero, power_of_zero, result);
  const M done = hn::Or(known, of_zero);
  return hn::AllTrue(d, done) ? result : hn::IfThenElse(done, result, lane_by_lane(d, w, x, power_of));
}

// Elements of which one operand may stand for all.
template <Form form>
struct Operands {
  const double* w;
  const double* x;
  HWY_INLINE V base(std::size_t i) const { return form == scalar_array ? hn::Set(D(), *w) : hn::LoadU(D(), w + i); }
  HWY_INLINE V exponent(std::size_t i) const { return form == array_scalar ? hn::Set(D(), *x) : hn::LoadU(D(), x + i); }
};

template <Form form>
class Powers {
 public:
  HWY_INLINE Powers() {}
  // Computes whole vectors of results, at most a block of them, of which nothing is an operand.
  HWY_INLINE void block(double* out, Operands<form> of, std::size_t count) {
    const D d;
    if (integers(out, of, count)) return;
    M rare = logarithms(of, count);
    for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
      const std::size_t from = form == scalar_array ? 0 : i;
      const V x = of.exponent(i);
      const Pair<V> p = scaled(x, {hn::Load(d, high + from), hn::Load(d, low + from)});
      rare = hn::Or(rare, is_far(p.high, x));
      if (form != array_scalar) rare = hn::Or(rare, is_simple(x));
      hn::StoreU(exponential_of<false>(d, tables.exponential, p), d, out + i);
    }
    if (HWY_UNLIKELY(!hn::AllFalse(d, rare))) mend(out, of, count, high);
  }

 private:
  // Computes integers to the powers of small integers by squaring, which is exact while the results are exact as doubles.
  // Returns false at once where an operand or a result is something else.
  static HWY_INLINE bool integers(double* out, Operands<form> of, std::size_t count) {
    const D d;
    const V one = hn::Set(d, 1.0), half = hn::Set(d, 0.5), most = hn::Set(d, 0x1p53), most_exponent = hn::Set(d, 63.0);
    for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
      V factor = hn::Add(of.base(i), hn::Zero(d)), left = of.exponent(i), product = one;
      const M natural = hn::And(hn::And(hn::Ge(left, hn::Zero(d)), hn::Le(left, most_exponent)), hn::Eq(left, hn::Floor(left)));
      if (!hn::AllTrue(d, hn::And(natural, hn::Eq(factor, hn::Floor(factor))))) return false;
      while (!hn::AllTrue(d, hn::Eq(left, hn::Zero(d)))) {
        const V halved = hn::Floor(hn::Mul(left, half));
        product = hn::IfThenElse(hn::Lt(hn::Add(halved, halved), left), hn::Mul(product, factor), product);
        factor = hn::Mul(factor, factor);
        left = halved;
      }
      if (!hn::AllTrue(d, hn::Le(hn::Abs(product), most))) return false;
      hn::StoreU(product, d, out + i);
    }
    return true;
  }
  // Keeps the logarithms of the bases. Tells which lanes have some that are unusual.
  HWY_INLINE M logarithms(Operands<form> of, std::size_t count) {
    const D d;
    M unusual = no_lane();
    for (std::size_t i = 0; i < (form == scalar_array ? 1 : count); i += hn::Lanes(d)) {
      const V w = of.base(i);
      unusual = hn::Or(unusual, is_unusual_base(w));
      const Pair<V> l = precise_logarithm(d, tables.logarithm, w);
      hn::Store(l.high, d, high + i);
      hn::Store(l.low, d, low + i);
    }
    return unusual;
  }
  // Computes anew what is not ordinary, with the first parts of the logarithms of all bases that are.
  static HWY_NOINLINE void mend(double* out, Operands<form> of, std::size_t count, const double* high) {
    const D d;
    for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
      const V w = of.base(i), x = of.exponent(i), l = hn::Load(d, high + (form == scalar_array ? 0 : i));
      V result = hn::LoadU(d, out + i);
      if (!hn::AllFalse(d, hn::Or(is_unusual_base(w), is_far(hn::Mul(x, l), x)))) result = rare_power(w, x);
      if (!hn::AllFalse(d, is_simple(x))) result = with_simple(result, w, x);
      hn::StoreU(result, d, out + i);
    }
  }

  const Tables tables;
  HWY_ALIGN double high[block_length];
  HWY_ALIGN double low[block_length];
};

// Computes the powers of fewer elements than a vector has, or of operands that are overwritten.
template <Form form>
HWY_INLINE void copied_block(Powers<form>& powers, double* out, Operands<form> of, std::size_t count) {
  const D d;
  HWY_ALIGN double w[block_length];
  HWY_ALIGN double x[block_length];
  HWY_ALIGN double result[block_length];
  for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
    if (form != scalar_array) hn::Store(load_from(d, of.w, i, count), d, w + i);
    if (form != array_scalar) hn::Store(load_from(d, of.x, i, count), d, x + i);
  }
  powers.block(result, {form == scalar_array ? of.w : w, form == array_scalar ? of.x : x}, count);
  for (std::size_t i = 0; i < count; i += hn::Lanes(d)) store_from(d, hn::Load(d, result + i), out, i, count);
}

template <Form form>
std::size_t power_loop(void* out_bytes, const void* w_bytes, const void* x_bytes, std::size_t n) {
  const D d;
  const Operands<form> all = {static_cast<const double*>(w_bytes), static_cast<const double*>(x_bytes)};
  double* out = static_cast<double*>(out_bytes);
  if (n == 0) return 0;
  if (n == 1) {
    const V w = hn::Set(d, *all.w), x = hn::Set(d, *all.x);
    *out = hn::GetLane(with_simple(rare_power(w, x), w, x));
    return n;
  }
  if (form == array_scalar && simple_powers(out, all.w, *all.x, n)) return n;
  const bool overwrites = out == all.w || out == all.x;
  Powers<form> powers;
  for (std::size_t i = 0; i < n;) {
    const Operands<form> of = {form == scalar_array ? all.w : all.w + i, form == array_scalar ? all.x : all.x + i};
    std::size_t count = n - i < block_length ? n - i : block_length;
    if (count >= hn::Lanes(d) && !overwrites) {
      count -= count % hn::Lanes(d);
      powers.block(out + i, of, count);
    } else {
      copied_block(powers, out + i, of, count);
    }
    i += count;
  }
  return n;
}

// --- root

HWY_INLINE V inverse_of_degree(V degree) { return hn::Div(hn::Set(D(), 1.0), hn::Add(degree, hn::Zero(D()))); }

template <Form form>
std::size_t root_loop(void* out_bytes, const void* w_bytes, const void* x_bytes, std::size_t n) {
  const D d;
  const double* w = static_cast<const double*>(w_bytes);
  const double* x = static_cast<const double*>(x_bytes);
  double* out = static_cast<double*>(out_bytes);
  HWY_ALIGN double exponents[block_length];
  if (form == scalar_array) {
    hn::Store(inverse_of_degree(hn::Set(d, *w)), d, exponents);
    return power_loop<array_scalar>(out, x, exponents, n);
  }
  const double base = n == 0 ? 0 : *x;
  for (std::size_t i = 0; i < n; i += block_length) {
    const std::size_t count = n - i < block_length ? n - i : block_length;
    for (std::size_t k = 0; k < count; k += hn::Lanes(d))
      hn::Store(inverse_of_degree(load_from(d, w + i, k, count)), d, exponents + k);
    if (form == array_scalar)
      power_loop<scalar_array>(out + i, &base, exponents, count);
    else
      power_loop<array_array>(out + i, x + i, exponents, count);
  }
  return n;
}

// --- the table

const PowerKernels* power_kernels() {
  static const PowerKernels kernels = {
      .power = {{power_loop<array_array>, power_loop<array_scalar>, power_loop<scalar_array>}},
      .root = {{root_loop<array_array>, root_loop<array_scalar>, root_loop<scalar_array>}},
  };
  return &kernels;
}

}  // namespace
}  // namespace power_unit
using power_unit::power_kernels;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(power_kernels);
const PowerKernels& powers() { return *HWY_DYNAMIC_DISPATCH(power_kernels)(); }

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
  powers().power[array_array](&result, &w, &x, 1);
  return result;
}
double root(double w, double x) {
  double result;
  powers().root[array_array](&result, &w, &x, 1);
  return result;
}
}  // namespace griddle::kernels
#endif
