// Exponentials and logarithms of vectors of doubles, without branches. Included once per target.
//
// `fused` lets a product and a sum be rounded at once where the processor does so. Without it every step is rounded as IEEE 754
// says, so that every processor computes the same bits.
#if defined(GRIDDLE_KERNELS_ELEMENTARY_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDDLE_KERNELS_ELEMENTARY_INL_H_
#undef GRIDDLE_KERNELS_ELEMENTARY_INL_H_
#else
#define GRIDDLE_KERNELS_ELEMENTARY_INL_H_
#endif

#include <cstdint>

#include "hwy/highway.h"
#include "primitives/kernels/shared/loops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// --- exact sums and products

// Gives a×b + c.
template <bool fused, class V>
HWY_INLINE V multiply_add(V a, V b, V c) {
  if constexpr (fused)
    return hn::MulAdd(a, b, c);
  else
    return hn::Add(hn::Mul(a, b), c);
}
// Gives c - a×b.
template <bool fused, class V>
HWY_INLINE V subtract_product(V c, V a, V b) {
  if constexpr (fused)
    return hn::NegMulAdd(a, b, c);
  else
    return hn::Sub(c, hn::Mul(a, b));
}

// Gives the polynomial with these coefficients, the constant first.
template <bool fused, class D, class V>
HWY_INLINE V polynomial(D d, V, double constant) {
  return hn::Set(d, constant);
}
template <bool fused, class D, class V, class... Rest>
HWY_INLINE V polynomial(D d, V x, double constant, Rest... rest) {
  return multiply_add<fused>(polynomial<fused>(d, x, rest...), x, hn::Set(d, constant));
}

// Stands for high + low, where low is at most half a unit in the last place of high.
template <class V>
struct Pair {
  V high, low;
};

// Adds exactly; |a| ≥ |b|, or a is 0.
template <class V>
HWY_INLINE Pair<V> quick_sum(V a, V b) {
  const V sum = hn::Add(a, b);
  return {sum, hn::Add(hn::Sub(a, sum), b)};
}
template <class V>
HWY_INLINE Pair<V> exact_sum(V a, V b) {
  const V sum = hn::Add(a, b);
  const V part = hn::Sub(sum, a);
  return {sum, hn::Add(hn::Sub(a, hn::Sub(sum, part)), hn::Sub(b, part))};
}
// Multiplies exactly where nothing overflows.
template <class D, class V>
HWY_INLINE Pair<V> exact_product(D d, V a, V b) {
  const V product = hn::Mul(a, b);
#if HWY_NATIVE_FMA
  (void)d;
  return {product, hn::MulSub(a, b, product)};
#else
  // Cuts each factor in halves whose products are exact.
  const V cutter = hn::Set(d, 0x1p27 + 1);
  const V wide_a = hn::Mul(a, cutter), wide_b = hn::Mul(b, cutter);
  const V a1 = hn::Sub(wide_a, hn::Sub(wide_a, a)), a2 = hn::Sub(a, a1);
  const V b1 = hn::Sub(wide_b, hn::Sub(wide_b, b)), b2 = hn::Sub(b, b1);
  const V first = hn::Sub(hn::Mul(a1, b1), product);
  return {product, hn::Add(hn::Add(hn::Add(first, hn::Mul(a1, b2)), hn::Mul(a2, b1)), hn::Mul(a2, b2))};
#endif
}
// Gives c - a×b, exactly where that is a double.
template <class D, class V>
HWY_INLINE V what_lacks([[maybe_unused]] D d, V c, V a, V b) {
#if HWY_NATIVE_FMA
  return hn::NegMulAdd(a, b, c);
#else
  const Pair<V> p = exact_product(d, a, b);
  return hn::Sub(hn::Sub(c, p.high), p.low);
#endif
}
// Divides to about 100 bits; the second parts are small beside the first.
template <class D, class V>
HWY_INLINE Pair<V> quotient(D d, Pair<V> a, Pair<V> b) {
  const V inverse = hn::Div(hn::Set(d, 1.0), b.high), q = hn::Mul(a.high, inverse);
  const V rest = hn::Add(what_lacks(d, a.high, q, b.high), hn::NegMulAdd(q, b.low, a.low));
  return {q, hn::Mul(rest, inverse)};
}
// Gives the square root of 0 or more in the same way.
template <class D, class V>
HWY_INLINE Pair<V> square_root(D d, Pair<V> x) {
  const V root = hn::Sqrt(x.high);
  const V rest = hn::Div(hn::Add(what_lacks(d, x.high, root, root), x.low), hn::Add(root, root));
  return {root, hn::IfThenElseZero(hn::Gt(root, hn::Zero(d)), rest)};
}

inline constexpr double ln2_high = 0x1.62e42fefa3000p-1, ln2_low = 0x1.3de6af278ece6p-42;  // the first has 41 bits
inline constexpr double reciprocal_ln2 = 0x1.71547652b82fep+0;
// Added to a small number, leaves the nearest integer in the last bits.
inline constexpr double to_integer = 0x1.8p52;
inline constexpr double least_normal = 0x1p-1022;

// --- exponential

// Stands for e⋆x = (1 + r + square + rest) × 2⋆k, where |r| < 0.35 and square is r×r÷2 rounded.
template <class V>
struct ReducedExponential {
  V r, square, rest, k, integer;
};
// |x| < 2^20.
template <bool fused, class D, class V>
HWY_INLINE ReducedExponential<V> reduced_exponential(D d, Pair<V> x) {
  const V integer = multiply_add<fused>(x.high, hn::Set(d, reciprocal_ln2), hn::Set(d, to_integer));
  const V k = hn::Sub(integer, hn::Set(d, to_integer));
  const V a = subtract_product<fused>(x.high, k, hn::Set(d, ln2_high));
  const V b = subtract_product<fused>(x.low, k, hn::Set(d, ln2_low));
  const Pair<V> r = quick_sum(a, b);
  // Splits the polynomial into parts that need not wait for each other.
  const Pair<V> square = exact_product(d, hn::Mul(r.high, hn::Set(d, 0.5)), r.high);
  const V r2 = hn::Add(square.high, square.high), r4 = hn::Mul(r2, r2);
  const V q0 = polynomial<fused>(d, r.high, 0x1.5555555555556p-3, 0x1.5555555555555p-5);
  const V q1 = polynomial<fused>(d, r.high, 0x1.11111111109b3p-7, 0x1.6c16c16c167e1p-10);
  const V q2 = polynomial<fused>(d, r.high, 0x1.a01a01a7c41d5p-13, 0x1.a01a01a47b054p-16);
  const V q3 = polynomial<fused>(d, r.high, 0x1.71de0dae63bb3p-19, 0x1.27e4e1f48534fp-22);
  const V q4 = polynomial<fused>(d, r.high, 0x1.af38a9b0ec855p-26, 0x1.1f66df7fca49fp-29);
  const V low = multiply_add<fused>(q1, r2, q0), high = multiply_add<fused>(q3, r2, q2);
  const V q = multiply_add<fused>(multiply_add<fused>(q4, r4, high), r4, low);
  const V small = hn::Add(square.low, multiply_add<fused>(r.low, r.high, r.low));
  return {r.high, square.high, multiply_add<fused>(hn::Mul(r2, r.high), q, small), k, integer};
}
// Gives the factor of e⋆x beside 2⋆k.
template <class D, class V>
HWY_INLINE V mantissa(D d, const ReducedExponential<V>& e) {
  const Pair<V> first = quick_sum(hn::Set(d, 1.0), e.r);
  const Pair<V> sum = quick_sum(first.high, e.square);
  return hn::Add(sum.high, hn::Add(hn::Add(first.low, sum.low), e.rest));
}

// Gives 2⋆k for -1022 ≤ k ≤ 1023, which the last bits of `integer` hold.
template <class D, class V>
HWY_INLINE V power_of_2(D d, V integer) {
  const hn::RebindToUnsigned<D> bits;
  return hn::BitCast(d, hn::ShiftLeft<52>(hn::Add(hn::BitCast(bits, integer), hn::Set(bits, 1023))));
}
// Multiplies by 2⋆k for -2044 ≤ k ≤ 2046, rounding once where the result is tiny.
template <class D, class V>
HWY_INLINE V scale(D d, V v, V integer) {
  const hn::RebindToUnsigned<D> bits;
  const auto k = hn::BitCast(bits, integer);
  const auto half = hn::ShiftRight<1>(k);
  const auto factor = [&](decltype(k) n) HWY_ATTR { return hn::BitCast(d, hn::ShiftLeft<52>(hn::Add(n, hn::Set(bits, 1023)))); };
  return hn::Mul(hn::Mul(v, factor(half)), factor(hn::Sub(k, half)));
}

// --- logarithm

// Stands for (1 + f) × 2⋆k with 1 + f from √½ to √2.
template <class V>
struct Normalised {
  V f, k;
};
// x is normal and above 0.
template <class D, class V>
HWY_INLINE Normalised<V> normalised(D d, V x) {
  const hn::RebindToUnsigned<D> bits;
  constexpr std::uint64_t root_half = 0x3FE6A09E667F3BCD, one = std::uint64_t{1023} << 52;
  const auto shifted = hn::Add(hn::BitCast(bits, x), hn::Set(bits, one - root_half));
  const auto exponent = hn::ShiftRight<52>(shifted);
  // An integer in the last bits of 2⋆52 is that much more.
  const V k = hn::Sub(hn::BitCast(d, hn::Or(exponent, hn::Set(bits, 0x4330000000000000))), hn::Set(d, 0x1p52 + 1023));
  const auto fraction = hn::Add(hn::And(shifted, hn::Set(bits, 0x000FFFFFFFFFFFFF)), hn::Set(bits, root_half));
  return {hn::Sub(hn::BitCast(d, fraction), hn::Set(d, 1.0)), k};
}

// Replaces each x by ln x within 0.6 units (without `fused`: one unit) in the last place; x is normal and above 0. Every step is
// taken for all vectors, one behind the other: processors look no further ahead than a few steps of one that waits.
template <bool fused, std::size_t count, class D, class V>
HWY_INLINE void take_logarithms(D d, V (&x)[count]) {
  const auto each = [](auto step) HWY_ATTR { HWY_UNROLL(4) for (std::size_t i = 0; i < count; i++) step(i); };
  Normalised<V> n[count];
  V s[count], z[count], z2[count], low[count], high[count], k_low[count], k_high[count], square[count], rest[count];
  each([&](std::size_t i) HWY_ATTR { n[i] = normalised(d, x[i]); });
  each([&](std::size_t i) HWY_ATTR { s[i] = hn::Div(n[i].f, hn::Add(n[i].f, hn::Set(d, 2.0))); });
  each([&](std::size_t i) HWY_ATTR { k_low[i] = hn::Mul(n[i].k, hn::Set(d, ln2_low)); });
  each([&](std::size_t i) HWY_ATTR { k_high[i] = hn::Mul(n[i].k, hn::Set(d, ln2_high)); });
  each([&](std::size_t i) HWY_ATTR { z[i] = hn::Mul(s[i], s[i]); });
  each([&](std::size_t i) HWY_ATTR { z2[i] = hn::Mul(z[i], z[i]); });
  // 2 atanh s, less 2s, over s
  const auto begin = [=](V(&sum)[count], double last, double next) HWY_ATTR {
    for (std::size_t i = 0; i < count; i++) sum[i] = multiply_add<fused>(hn::Set(d, last), z2[i], hn::Set(d, next));
  };
  const auto go_on = [=](V(&sum)[count], double next) HWY_ATTR {
    for (std::size_t i = 0; i < count; i++) sum[i] = multiply_add<fused>(sum[i], z2[i], hn::Set(d, next));
  };
  begin(low, 0x1.0fbde0f4ad17bp-3, 0x1.745cf8e4bba1bp-3);
  begin(high, 0x1.0c0aff044a970p-3, 0x1.3b1c3c1c81c8fp-3);
  go_on(low, 0x1.2492492476a1ap-2);
  go_on(high, 0x1.c71c7201a55d7p-3);
  go_on(low, 0x1.5555555555555p-1);
  go_on(high, 0x1.9999999999a39p-2);
  each([&](std::size_t i) HWY_ATTR { low[i] = hn::Mul(z[i], multiply_add<fused>(high[i], z[i], low[i])); });
  each([&](std::size_t i) HWY_ATTR {
    const V half = hn::Mul(n[i].f, hn::Set(d, 0.5));
    if constexpr (fused) {
      const Pair<V> exact = exact_product(d, half, n[i].f);
      square[i] = exact.high;
      rest[i] = multiply_add<fused>(s[i], hn::Add(exact.high, low[i]), hn::Sub(k_low[i], exact.low));
    } else {
      square[i] = hn::Mul(half, n[i].f);
      rest[i] = multiply_add<fused>(s[i], hn::Add(square[i], low[i]), k_low[i]);
    }
  });
  each([&](std::size_t i) HWY_ATTR {
    if constexpr (fused) {
      const Pair<V> first = quick_sum(n[i].f, hn::Neg(square[i]));
      const Pair<V> sum = quick_sum(k_high[i], first.high);
      x[i] = hn::Add(sum.high, hn::Add(sum.low, hn::Add(first.low, rest[i])));
    } else {
      x[i] = hn::Sub(k_high[i], hn::Sub(hn::Sub(square[i], rest[i]), n[i].f));
    }
  });
}
// Gives ln x in the same way.
template <bool fused, class D, class V>
HWY_INLINE V logarithm_of(D d, V x) {
  V only[1] = {x};
  take_logarithms<fused>(d, only);
  return only[0];
}

template <class D, class V>
HWY_INLINE auto is_normal_positive(D d, V x) {
  return hn::And(hn::Ge(x, hn::Set(d, least_normal)), hn::Lt(x, hn::Inf(d)));
}

// --- loops

// Applies a function of doubles lane by lane: for vectors that hold a rare argument.
template <class D, class V>
HWY_NOINLINE V lane_by_lane(D d, V x, double of(double)) {
  HWY_ALIGN double lanes[hn::MaxLanes(d)];
  hn::Store(x, d, lanes);
  for (std::size_t i = 0; i < hn::Lanes(d); i++) lanes[i] = of(lanes[i]);
  return hn::Load(d, lanes);
}
template <class D, class V>
HWY_NOINLINE V lane_by_lane(D d, V w, V x, double of(double, double)) {
  HWY_ALIGN double left[hn::MaxLanes(d)];
  HWY_ALIGN double right[hn::MaxLanes(d)];
  hn::Store(w, d, left);
  hn::Store(x, d, right);
  for (std::size_t i = 0; i < hn::Lanes(d); i++) left[i] = of(left[i], right[i]);
  return hn::Load(d, left);
}

// Applies Op, whose known(d, x) tells the lanes that it can do; the others, which are rare, lane by lane, or by limit(d, x) where
// it has at_limits(d, x) to tell these.
template <class Op, double (*other)(double)>
struct MostLanes : Op {
  HWY_INLINE MostLanes() {}
  template <class D, class V>
  static HWY_NOINLINE V rare(D d, V x) {
    const Op op;
    auto known = Op::known(d, x);
    V result = op.apply(d, hn::IfThenElse(known, x, hn::Set(d, 1.0)));
    if constexpr (requires { Op::at_limits(d, x); }) {
      result = hn::IfThenElse(known, result, Op::limit(d, x));
      known = hn::Or(known, Op::at_limits(d, x));
      if (hn::AllTrue(d, known)) return result;
    }
    return hn::IfThenElse(known, result, lane_by_lane(d, x, other));
  }
};

// Loads from i on; where fewer elements than a vector are left, repeats the last of them.
template <class D>
HWY_INLINE hn::Vec<D> load_from(D d, const double* x, std::size_t i, std::size_t n) {
  return n - i >= hn::Lanes(d) ? hn::LoadU(d, x + i) : load_few<Lanes<double>>(x + i, n - i);
}
template <class D>
HWY_INLINE void store_from(D d, hn::Vec<D> v, double* out, std::size_t i, std::size_t n) {
  if (n - i >= hn::Lanes(d)) return hn::StoreU(v, d, out + i);
  HWY_ALIGN double part[hn::MaxLanes(d)];
  hn::Store(v, d, part);
  copy_few(out + i, part, (n - i) * sizeof(double));
}

// A kernel of one argument: an operation has apply(d, x). Where it has known(d, x), which tells the lanes that it can do, it also
// has rare(d, x), which can do all; where it has take(d, v), that replaces several vectors at once.
template <class Op>
std::size_t each_double(void* out_bytes, const void* x_bytes, std::size_t n) {
  const hn::ScalableTag<double> d;
  using V = hn::Vec<decltype(d)>;
  const Op op;
  const auto result = [&](V v) HWY_ATTR {
    if constexpr (requires { Op::known(d, v); })
      if (HWY_UNLIKELY(!hn::AllTrue(d, Op::known(d, v)))) return Op::rare(d, v);
    return op.apply(d, v);
  };
  const double* x = static_cast<const double*>(x_bytes);
  double* out = static_cast<double*>(out_bytes);
  if (n == 1) {
    *out = hn::GetLane(result(hn::Set(d, *x)));
    return n;
  }
  constexpr std::size_t together = 4;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; n - i >= together * lanes; i += together * lanes) {
    V v[together];
    for (std::size_t k = 0; k < together; k++) v[k] = hn::LoadU(d, x + i + k * lanes);
    if constexpr (requires { Op::known(d, v[0]); }) {
      auto known = Op::known(d, v[0]);
      for (std::size_t k = 1; k < together; k++) known = hn::And(known, Op::known(d, v[k]));
      if (HWY_UNLIKELY(!hn::AllTrue(d, known))) {
        for (std::size_t k = 0; k < together; k++) hn::StoreU(result(v[k]), d, out + i + k * lanes);
        continue;
      }
    }
    if constexpr (requires { op.take(d, v); }) {
      op.take(d, v);
      for (std::size_t k = 0; k < together; k++) hn::StoreU(v[k], d, out + i + k * lanes);
    } else {
      for (std::size_t k = 0; k < together; k++) hn::StoreU(op.apply(d, v[k]), d, out + i + k * lanes);
    }
  }
  for (; i < n; i += lanes) store_from(d, result(load_from(d, x, i, n)), out, i, n);
  return n;
}

// A kernel of two arguments: an operation has apply(d, w, x), known(d, w, x), which tells the lanes that it can do, and of(w, x)
// for the others.
template <class Op, Form form>
std::size_t each_two_doubles(void* out_bytes, const void* w_bytes, const void* x_bytes, std::size_t n) {
  const hn::ScalableTag<double> d;
  const Op op;
  const double* w = static_cast<const double*>(w_bytes);
  const double* x = static_cast<const double*>(x_bytes);
  double* out = static_cast<double*>(out_bytes);
  const auto one = n == 0 || form == array_array ? hn::Zero(d) : hn::Set(d, form == scalar_array ? *w : *x);
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    const auto a = form == scalar_array ? one : load_from(d, w, i, n), b = form == array_scalar ? one : load_from(d, x, i, n);
    const auto known = Op::known(d, a, b);
    auto result = op.apply(d, a, b);
    if (HWY_UNLIKELY(!hn::AllTrue(d, known))) result = hn::IfThenElse(known, result, lane_by_lane(d, a, b, Op::of));
    store_from(d, result, out, i, n);
  }
  return n;
}
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
