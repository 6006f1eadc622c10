#include "primitives/kernels/functions/arcs.h"

#include <cmath>

#include "hwy/highway.h"
#include "primitives/kernels/functions/elementary_tables-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace arcs_unit {
namespace {

using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;
using M = hn::Mask<D>;

// Between these, products and quotients of two numbers are normal.
constexpr double least_safe = 0x1p-450, most_safe = 0x1p450;
constexpr double half_turn = 0x1.921fb54442d18p+1, half_turn_low = 0x1.1a62633145c07p-53;

// The angles whose tangents are sixteenths.
constexpr RowTable<2> angle_table({
    {0, 0x1.ff55bb72cfdeap-5, 0x1.fd5ba9aac2f6ep-4, 0x1.7b97b4bce5b02p-3, 0x1.f5b75f92c80ddp-3, 0x1.362773707ebccp-2,
     0x1.6f61941e4def1p-2, 0x1.a64eec3cc23fdp-2, 0x1.dac670561bb4fp-2, 0x1.0657e94db30d0p-1, 0x1.1e00babdefeb4p-1,
     0x1.345f01cce37bbp-1, 0x1.4978fa3269ee1p-1, 0x1.5d58987169b18p-1, 0x1.700a7c5784634p-1, 0x1.819d0b7158a4dp-1},
    {0, -0x1.c934d86d23f1dp-60, -0x1.cd37686760c17p-59, 0x1.347b0b4f881cap-58, 0x1.8ab6e3cf7afbdp-57, -0x1.963a544b672d8p-57,
     -0x1.c63aae6f6e918p-56, -0x1.24dec1b50b7ffp-56, 0x1.a2b7f222f65e2p-56, -0x1.d5b495f6349e6p-56, -0x1.928df287a668fp-58,
     0x1.1021137c71102p-55, 0x1.2419a87f2a458p-56, 0x1.0028e4bc5e7cap-57, -0x1.8c34d25aadef6p-56, -0x1.bf76229d3b917p-56},
});

class Angle {
 public:
  HWY_INLINE Angle() : table(angle_table) {}

  // Gives the angle, from 0 to half a turn, of the point that lies as far as this to the right, or left, and above.
  HWY_INLINE V angle(D d, Pair<V> aside, M left, Pair<V> above) const {
    const M steep = hn::Gt(above.high, aside.high);
    const auto choose = [=](Pair<V> a, Pair<V> b) HWY_ATTR {
      return Pair<V>{hn::IfThenElse(steep, a.high, b.high), hn::IfThenElse(steep, a.low, b.low)};
    };
    const Pair<V> r = up_to_an_eighth(d, choose(aside, above), choose(above, aside));
    // Turns it: steep ones lie before or behind a quarter turn, others on the left before a half.
    const hn::RebindToUnsigned<D> bits;
    const V turned = hn::IfThenElseZero(hn::Xor(steep, left), hn::BitCast(d, hn::Set(bits, std::uint64_t{1} << 63)));
    const V halves = hn::IfThenElse(steep, hn::Set(d, 0.5), hn::IfThenElseZero(left, hn::Set(d, 1.0)));
    const Pair<V> sum = quick_sum(hn::Mul(halves, hn::Set(d, half_turn)), hn::Xor(r.high, turned));
    return hn::Add(sum.high, hn::Add(sum.low, hn::MulAdd(halves, hn::Set(d, half_turn_low), hn::Xor(r.low, turned))));
  }

 private:
  // Gives the angle whose tangent is a ÷ b, which is at most 1.
  HWY_INLINE Pair<V> up_to_an_eighth(D d, Pair<V> a, Pair<V> b) const {
    const hn::RebindToUnsigned<D> bits;
    // Leaves sixteenths in the last bits.
    const V to_sixteenths = hn::Set(d, 0x1.8p48);
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
    const V near = hn::Mul(a.high, V{_mm512_rcp14_pd(b.high.raw)});
#else
    const V near = hn::Div(a.high, b.high);
#endif
    const V shifted = hn::Min(hn::Add(near, to_sixteenths), hn::Set(d, 0x1.8p48 + 0.9375));
    const V c = hn::Sub(shifted, to_sixteenths);
    V row[2];
    table.take(hn::BitCast(bits, shifted), row);
    // The tangent of what is more than the angle of c
    const Pair<V> product = exact_product(d, c, a.high), sum = quick_sum(b.high, product.high);
    const V more = hn::MulAdd(c, a.low, b.low);
    const Pair<V> t = quotient(d, Pair<V>{what_lacks(d, a.high, c, b.high), hn::NegMulAdd(c, b.low, a.low)},
                               Pair<V>{sum.high, hn::Add(hn::Add(sum.low, product.low), more)});
    const V z = hn::Mul(t.high, t.high);
    const V p = polynomial<true>(d, z, -0x1.5555555555555p-2, 0x1.999999999950fp-3, -0x1.2492491fb274ep-3, 0x1.c71c28b7e6e5dp-4,
                                 -0x1.73647a3a69abfp-4);
    const Pair<V> whole = quick_sum(row[0], t.high);
    return {whole.high, hn::Add(whole.low, hn::MulAdd(hn::Mul(t.high, z), p, hn::Add(row[1], t.low)))};
  }

  RowPicker<D, 2> table;
};

HWY_INLINE V with_sign_of(V size, V x) { return hn::CopySign(size, hn::Add(x, hn::Zero(D()))); }
HWY_INLINE M nowhere() { return hn::Ne(hn::Zero(D()), hn::Zero(D())); }
HWY_INLINE Pair<V> exactly(V x) { return {x, hn::Zero(D())}; }

// Gives what asin s is more than s, for s from 0 to ½, whose square is z.
HWY_INLINE V more_of_arc_sine(D d, V s, V z) {
  const V z2 = hn::Mul(z, z), z4 = hn::Mul(z2, z2), z8 = hn::Mul(z4, z4);
  const V p0 = hn::MulAdd(polynomial<true>(d, z, 0x1.6db6db7226008p-5, 0x1.f1c71a8dc8933p-6), z2,
                          polynomial<true>(d, z, 0x1.5555555555578p-3, 0x1.333333332df7fp-4));
  const V p4 = hn::MulAdd(polynomial<true>(d, z, 0x1.ca20ccc9603d9p-7, 0x1.757b84dfc2dc6p-7), z2,
                          polynomial<true>(d, z, 0x1.6e8bdfa5c4a8dp-6, 0x1.1c49e2c8536e9p-6));
  const V p8 = hn::MulAdd(polynomial<true>(d, z, 0x1.6491832291ac9p-6, -0x1.5952d4d562629p-6), z2,
                          polynomial<true>(d, z, 0x1.6173b52ba31b7p-7, 0x1.e2c2563cb4363p-9));
  const V last = hn::MulAdd(hn::Set(d, 0x1.0bafdbb3e33f5p-5), z4, p8);
  return hn::Mul(hn::Mul(s, z), hn::MulAdd(last, z8, hn::MulAdd(p4, z4, p0)));
}
// Stands for the arc sine of a number from 0 to 1; where this is more than ½, for the half of what it is less than a quarter
// turn.
struct ArcPart {
  Pair<V> arc;
  M halved;
};
HWY_INLINE ArcPart arc_part(D d, V x) {
  const V half = hn::Set(d, 0.5);
  const M halved = hn::Gt(x, half);
  const V z = hn::IfThenElse(halved, hn::NegMulAdd(x, half, half), hn::Mul(x, x));
  const Pair<V> root = square_root(d, Pair<V>{z, hn::Zero(d)});
  const V s = hn::IfThenElse(halved, root.high, x);
  return {{s, hn::Add(more_of_arc_sine(d, s, z), hn::IfThenElseZero(halved, root.low))}, halved};
}
// Gives some half turns and an arc, which is less.
HWY_INLINE V turned(D d, V halves, Pair<V> arc) {
  const Pair<V> sum = quick_sum(hn::Mul(halves, hn::Set(d, half_turn)), arc.high);
  return hn::Add(sum.high, hn::Add(sum.low, hn::MulAdd(halves, hn::Set(d, half_turn_low), arc.low)));
}
HWY_INLINE Pair<V> times(Pair<V> arc, V factor) { return {hn::Mul(arc.high, factor), hn::Mul(arc.low, factor)}; }

struct ArcSine {
  HWY_INLINE ArcSine() {}
  static HWY_INLINE M known(D d, V x) { return hn::Le(hn::Abs(x), hn::Set(d, 1.0)); }
  static HWY_INLINE V apply(D d, V x) {
    const ArcPart part = arc_part(d, hn::Abs(x));
    const V factor = hn::IfThenElse(part.halved, hn::Set(d, -2.0), hn::Set(d, 1.0));
    return with_sign_of(turned(d, hn::IfThenElseZero(part.halved, hn::Set(d, 0.5)), times(part.arc, factor)), x);
  }
};
struct ArcCosine {
  HWY_INLINE ArcCosine() {}
  static HWY_INLINE M known(D d, V x) { return ArcSine::known(d, x); }
  static HWY_INLINE V apply(D d, V x) {
    const ArcPart part = arc_part(d, hn::Abs(x));
    const V one = hn::Set(d, 1.0);
    const V halves = hn::IfThenElse(part.halved, hn::IfThenElseZero(hn::Lt(x, hn::Zero(d)), one), hn::Set(d, 0.5));
    const V factor = hn::IfThenElse(part.halved, hn::CopySign(hn::Set(d, 2.0), x), hn::Neg(hn::CopySign(one, x)));
    return turned(d, halves, times(part.arc, factor));
  }
};
struct ArcTangent : Angle {
  HWY_INLINE ArcTangent() {}
  static HWY_INLINE M known(D d, V x) { return hn::Le(hn::Abs(x), hn::Set(d, most_safe)); }
  HWY_INLINE V apply(D d, V x) const {
    return with_sign_of(angle(d, exactly(hn::Set(d, 1.0)), nowhere(), exactly(hn::Abs(x))), x);
  }
};

// Tells where neither number is very large or, 0 aside, very small, nor both 0.
HWY_INLINE M is_ordinary_point(D d, V w, V x) {
  const V most = hn::Max(hn::Abs(w), hn::Abs(x)), least = hn::Min(hn::Abs(w), hn::Abs(x)), bound = hn::Set(d, least_safe);
  const M fits = hn::And(hn::Le(most, hn::Set(d, most_safe)), hn::Ge(most, bound));
  const M numbers = hn::And(hn::Eq(w, w), hn::Eq(x, x));
  return hn::And(hn::And(fits, numbers), hn::Or(hn::Ge(least, bound), hn::Eq(least, hn::Zero(d))));
}
struct PointAngle : Angle {
  HWY_INLINE PointAngle() {}
  static HWY_INLINE M known(D d, V w, V x) { return is_ordinary_point(d, w, x); }
  static double of(double w, double x) { return std::atan2(x + 0.0, w + 0.0); }
  HWY_INLINE V apply(D d, V w, V x) const {
    return with_sign_of(angle(d, exactly(hn::Abs(w)), hn::Lt(w, hn::Zero(d)), exactly(hn::Abs(x))), x);
  }
};
struct Distance {
  HWY_INLINE Distance() {}
  static HWY_INLINE M known(D d, V w, V x) { return is_ordinary_point(d, w, x); }
  static double of(double w, double x) { return std::hypot(w, x); }
  HWY_INLINE V apply(D d, V w, V x) const {
    const Pair<V> a = exact_product(d, w, w), b = exact_product(d, x, x);
    const Pair<V> sum = quick_sum(hn::Max(a.high, b.high), hn::Min(a.high, b.high));
    const Pair<V> root = square_root(d, Pair<V>{sum.high, hn::Add(sum.low, hn::Add(a.low, b.low))});
    return hn::Add(root.high, root.low);
  }
};

double arc_sine_of(double x) { return std::asin(x); }
double arc_cosine_of(double x) { return std::acos(x); }
double arc_tangent_of(double x) { return std::atan(x); }

template <class Op>
constexpr DyadForms forms = {
    {each_two_doubles<Op, array_array>, each_two_doubles<Op, array_scalar>, each_two_doubles<Op, scalar_array>}};

const ArcKernels* arcs_kernels() {
  static const ArcKernels kernels = {
      .sine = each_double<MostLanes<ArcSine, arc_sine_of>>,
      .cosine = each_double<MostLanes<ArcCosine, arc_cosine_of>>,
      .tangent = each_double<MostLanes<ArcTangent, arc_tangent_of>>,
      .angle = forms<PointAngle>,
      .distance = forms<Distance>,
  };
  return &kernels;
}

}  // namespace
}  // namespace arcs_unit
using arcs_unit::arcs_kernels;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(arcs_kernels);
const ArcKernels& arcs() { return *HWY_DYNAMIC_DISPATCH(arcs_kernels)(); }
}  // namespace griddle::kernels
#endif
