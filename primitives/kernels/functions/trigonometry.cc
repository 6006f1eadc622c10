#include "primitives/kernels/functions/trigonometry.h"

#include <cmath>

#include "hwy/highway.h"
#include "primitives/kernels/functions/elementary-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace trigonometry_unit {
namespace {

using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;
using M = hn::Mask<D>;

// Up to here, the parts of quarter turns below leave enough bits.
constexpr double largest = 1000;
// A quarter turn in two parts of 33 bits and a rest, so that products with its count are exact.
constexpr double quarter_1 = 0x1.921fb54400000p+0, quarter_2 = 0x1.0b4611a600000p-34, quarter_3 = 0x1.3198a2e037073p-69;
constexpr double quarters_in_1 = 0x1.45f306dc9c883p-1;

// A number less whole quarter turns, the last two bits of whose count count.
struct Reduced {
  Pair<V> rest;
  V count;
};
HWY_INLINE Reduced reduced(D d, V x) {
  const V shifted = hn::MulAdd(x, hn::Set(d, quarters_in_1), hn::Set(d, to_integer));
  const V k = hn::Sub(shifted, hn::Set(d, to_integer));
  const V a = hn::NegMulAdd(k, hn::Set(d, quarter_1), x);
  // a and k × quarter_2 are exact, and so is what rounding their difference loses.
  const V high = hn::NegMulAdd(k, hn::Set(d, quarter_2), a);
  const V lost = hn::NegMulAdd(k, hn::Set(d, quarter_2), hn::Sub(a, high));
  return {{high, hn::NegMulAdd(k, hn::Set(d, quarter_3), lost)}, shifted};
}
// Tells where the count of quarter turns, and some ahead, is odd.
HWY_INLINE M is_odd(D d, V count, std::uint64_t ahead) {
  const hn::RebindToUnsigned<D> bits;
  return hn::RebindMask(d, hn::TestBit(hn::Add(hn::BitCast(bits, count), hn::Set(bits, ahead)), hn::Set(bits, 1)));
}

// The sine and the cosine of what is less than an eighth of a turn from 0, each as a sum. The second part may be a twelfth.
struct Both {
  Pair<V> sine, cosine;
};
HWY_INLINE Both both(D d, Pair<V> r) {
  const Pair<V> half_square = exact_product(d, hn::Mul(r.high, hn::Set(d, 0.5)), r.high);
  const V z = hn::Mul(r.high, r.high), z2 = hn::Mul(z, z);
  const V s_even =
      polynomial<true>(d, z2, -0x1.5555555555555p-3, -0x1.a01a01a01992fp-13, -0x1.ae645410e937bp-26, -0x1.ab16f5caa198ap-41);
  const V s_odd = polynomial<true>(d, z2, 0x1.1111111111110p-7, 0x1.71de3a545f836p-19, 0x1.61217d9252c03p-33);
  const V s = hn::MulAdd(s_odd, z, s_even);
  const V c_even =
      polynomial<true>(d, z2, 0x1.5555555555555p-5, 0x1.a01a01a019d06p-16, 0x1.1eed8deac3dfep-29, 0x1.ab779550c8d9bp-45);
  const V c_odd = polynomial<true>(d, z2, -0x1.6c16c16c16c16p-10, -0x1.27e4fb77125c5p-22, -0x1.9394b8bd50ae1p-37);
  const V c = hn::MulAdd(c_odd, z, c_even);

  // sin r + low = r + r×z×s + low×1 - z÷2
  const V low_part = hn::NegMulAdd(r.low, half_square.high, r.low);
  const Pair<V> sine = {r.high, hn::MulAdd(hn::Mul(r.high, z), s, low_part)};
  // cos r + low = 1 - z÷2 + z×z×c - r×low
  const Pair<V> one = quick_sum(hn::Set(d, 1.0), hn::Neg(half_square.high));
  const V rest = hn::NegMulAdd(r.high, r.low, hn::Sub(one.low, half_square.low));
  return {sine, {one.high, hn::MulAdd(z2, c, rest)}};
}

struct Function {
  static HWY_INLINE auto known(D d, V x) { return hn::Le(hn::Abs(x), hn::Set(d, largest)); }
};
// Computes the sine a whole number of quarter turns on: 0 for the sine, 1 for the cosine.
template <int ahead>
struct Sine : Function {
  HWY_INLINE Sine() {}
  static HWY_INLINE V apply(D d, V x) {
    const hn::RebindToUnsigned<D> bits;
    const Reduced r = reduced(d, x);
    const Both f = both(d, r.rest);
    const V sine = hn::Add(f.sine.high, f.sine.low), cosine = hn::Add(f.cosine.high, f.cosine.low);
    const auto quadrant = hn::Add(hn::BitCast(bits, r.count), hn::Set(bits, ahead));
    const auto sign = hn::ShiftLeft<62>(hn::And(quadrant, hn::Set(bits, 2)));
    return hn::Xor(hn::IfThenElse(is_odd(d, r.count, ahead), cosine, sine), hn::BitCast(d, sign));
  }
};
struct Tangent : Function {
  HWY_INLINE Tangent() {}
  static HWY_INLINE V apply(D d, V x) {
    const Reduced r = reduced(d, x);
    const Both f = both(d, r.rest);
    const Pair<V> sine = quick_sum(f.sine.high, f.sine.low), cosine = quick_sum(f.cosine.high, f.cosine.low);
    // Beyond a quarter turn it is what the cosine is over the sine, and less than 0.
    const M odd = is_odd(d, r.count, 0);
    const auto choose = [=](Pair<V> a, Pair<V> b) HWY_ATTR {
      return Pair<V>{hn::IfThenElse(odd, a.high, b.high), hn::IfThenElse(odd, a.low, b.low)};
    };
    const Pair<V> q = quotient(d, choose(Pair<V>{hn::Neg(cosine.high), hn::Neg(cosine.low)}, sine), choose(sine, cosine));
    return hn::Add(q.high, q.low);
  }
};

double sine_of(double x) { return std::sin(x); }
double cosine_of(double x) { return std::cos(x); }
double tangent_of(double x) { return std::tan(x); }

const TrigonometryKernels* trigonometry_kernels() {
  static const TrigonometryKernels kernels = {
      .sine = each_double<MostLanes<Sine<0>, sine_of>>,
      .cosine = each_double<MostLanes<Sine<1>, cosine_of>>,
      .tangent = each_double<MostLanes<Tangent, tangent_of>>,
  };
  return &kernels;
}

}  // namespace
}  // namespace trigonometry_unit
using trigonometry_unit::trigonometry_kernels;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(trigonometry_kernels);
const TrigonometryKernels& trigonometry() { return *HWY_DYNAMIC_DISPATCH(trigonometry_kernels)(); }
}  // namespace griddle::kernels
#endif
