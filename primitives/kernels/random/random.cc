// Leaves the steps of several vectors in turn: moved to where they are used, they would need more registers than there are.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize "no-tree-ter"
#endif

#include "primitives/kernels/random/random.h"

#include "hwy/highway.h"
#include "primitives/kernels/functions/elementary-inl.h"
#include "primitives/kernels/random/philox-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace random_unit {
namespace {

using DF = hn::ScalableTag<double>;
using VF = hn::Vec<DF>;

// --- numbers from words. None of these steps may be fused: the results are the same on every processor.

// Gives the upper 53 bits as a fraction: 1 and the first 52 of them, less 1 or, for the last of them, the next smaller number.
HWY_INLINE VF fraction(V64 v) {
  const D64 d;
  const DF df;
  const VF first_52 = hn::BitCast(df, hn::Or(hn::ShiftRight<12>(v), hn::Set(d, 0x3FF0000000000000)));
  const hn::RebindToSigned<D64> signed_d;
  const auto last = hn::RebindMask(df, hn::Lt(hn::BitCast(signed_d, hn::ShiftLeft<52>(v)), hn::Zero(signed_d)));
  return hn::Sub(first_52, hn::IfThenElse(last, hn::Set(df, 1 - 0x1p-53), hn::Set(df, 1.0)));
}
// Gives the logarithm of a fraction and 2^-53, from above 0 to 1.
HWY_INLINE VF fraction_logarithm(V64 v) { return logarithm_of<false>(DF(), hn::Add(fraction(v), hn::Set(DF(), 0x1p-53))); }

// Gives the cosine and the sine of so many turns, from 0 to below 1.
struct Direction {
  VF cosine, sine;
};
HWY_INLINE Direction direction(VF turns) {
  const DF d;
  const D64 d64;
  const VF quarters = hn::Mul(turns, hn::Set(d, 4.0));
  const VF shifted = hn::Add(quarters, hn::Set(d, to_integer));
  const VF t = hn::Sub(quarters, hn::Sub(shifted, hn::Set(d, to_integer)));
  const V64 quadrant = hn::BitCast(d64, shifted);
  const VF z = hn::Mul(t, t);
  const VF s =
      hn::Mul(t, polynomial<false>(d, z, 0x1.921fb54442d18p+0, -0x1.4abbce625be53p-1, 0x1.466bc6775aad9p-4, -0x1.32d2cce62ac22p-8,
                                   0x1.50783485cbd83p-13, -0x1.e3074b4ff3058p-19, 0x1.e8eed12ee00a3p-25, -0x1.6c5b875d4e739p-31));
  const VF c = polynomial<false>(d, z, 1.0, -0x1.3bd3cc9be45dep+0, 0x1.03c1f081b5aacp-2, -0x1.55d3c7e3c90f8p-6,
                                 0x1.e1f5068355e15p-11, -0x1.a6d1ec7906c20p-16, 0x1.f9cc41140bb60p-22, -0x1.b264ba152378ap-28);
  const auto swapped = hn::RebindMask(d, hn::TestBit(quadrant, hn::Set(d64, 1)));
  const V64 two = hn::Set(d64, 2);
  const V64 sine_sign = hn::ShiftLeft<62>(hn::And(quadrant, two));
  const V64 cosine_sign = hn::ShiftLeft<62>(hn::And(hn::Add(quadrant, hn::Set(d64, 1)), two));
  return {hn::Xor(hn::IfThenElse(swapped, s, c), hn::BitCast(d, cosine_sign)),
          hn::Xor(hn::IfThenElse(swapped, c, s), hn::BitCast(d, sine_sign))};
}

struct Fraction {
  static HWY_INLINE Halves apply(Halves h) {
    return {hn::BitCast(D64(), fraction(h.first)), hn::BitCast(D64(), fraction(h.last))};
  }
};
struct Exponential {
  static HWY_INLINE Halves apply(Halves h) {
    const VF zero = hn::Zero(DF());
    return {hn::BitCast(D64(), hn::Sub(zero, fraction_logarithm(h.first))),
            hn::BitCast(D64(), hn::Sub(zero, fraction_logarithm(h.last)))};
  }
};
// Box and Muller: a radius from the first half, a direction from the last.
HWY_INLINE VF normal_radius(V64 first) { return hn::Sqrt(hn::Mul(hn::Set(DF(), -2.0), fraction_logarithm(first))); }
struct Normal {
  static HWY_INLINE Halves apply(Halves h) {
    const VF radius = normal_radius(h.first);
    const Direction angle = direction(fraction(h.last));
    return {hn::BitCast(D64(), hn::Mul(radius, angle.cosine)), hn::BitCast(D64(), hn::Mul(radius, angle.sine))};
  }
};

template <class Op>
void doubles(double* out, RandomPlace place, std::size_t n) {
  generate(reinterpret_cast<std::uint64_t*>(out), place, n, [](Halves h) { return Op::apply(h); });
}

void fractions_of(double* out, const std::uint64_t* words, std::size_t n) {
  const D64 d;
  const DF df;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t i = 0; i < n; i += lanes) hn::StoreU(fraction(hn::LoadU(d, words + i)), df, out + i);
}

void uses(std::uint64_t* out, RandomPlace place, std::size_t n) {
  constexpr int groups = 2;
  const D64 d;
  const std::size_t lanes = hn::Lanes(d);
  static_assert(groups * hn::MaxLanes(d) <= uses_at_once);
  const Keys keys(place.key);
  const V64 positions[groups] = {hn::Set(d, place.position), hn::Set(d, place.position)};
  for (std::size_t i = 0; i < n; i += groups * lanes) {
    const V64 first = hn::Iota(d, place.use + i);
    const V64 each[groups] = {first, hn::Add(first, hn::Set(d, lanes))};
    Halves blocks[groups];
    compute_blocks<groups>(positions, keys, place.attempt, each, blocks);
    for (std::size_t g = 0; g < groups; g++) hn::StoreInterleaved2(blocks[g].first, blocks[g].last, d, out + 2 * (i + g * lanes));
  }
}

// --- gamma: Marsaglia and Tsang; an attempt of each number takes two blocks

struct GammaAttempt {
  VF value;
  hn::Mask<DF> accepted;
};
HWY_INLINE GammaAttempt attempt_gamma(V64 positions, const Keys& keys, std::uint32_t attempt, VF shape) {
  const DF d;
  const V64 position[1] = {positions};
  Halves h[1];
  compute_blocks<1>(position, keys, attempt, 0, h);
  const VF x = hn::Mul(normal_radius(h[0].first), direction(fraction(h[0].last)).cosine);
  compute_blocks<1>(position, keys, attempt, philox::second_use, h);
  const VF log_u = fraction_logarithm(h[0].first);
  const VF one = hn::Set(d, 1.0), third = hn::Set(d, 1.0 / 3);
  const auto small = hn::Lt(shape, one);
  const VF base = hn::Sub(hn::IfThenElse(small, hn::Add(shape, one), shape), third);
  const VF root = hn::Add(one, hn::Div(x, hn::Sqrt(hn::Mul(hn::Set(d, 9.0), base))));
  const VF cube = hn::Mul(hn::Mul(root, root), root);
  const auto positive = hn::Gt(cube, hn::Set(d, least_normal));
  const VF log_cube = logarithm_of<false>(d, hn::IfThenElse(positive, cube, one));
  // ln u < x²÷2 + base × 1 - cube + ln cube
  const VF bound = hn::Add(hn::Mul(hn::Mul(x, x), hn::Set(d, 0.5)), hn::Mul(base, hn::Add(hn::Sub(one, cube), log_cube)));
  VF value = hn::Mul(base, cube);
  if (!hn::AllFalse(d, small)) {
    // A shape below 1 is one more, times u to the power 1÷shape.
    const VF exponent = hn::Max(hn::Div(fraction_logarithm(h[0].last), shape), hn::Set(d, -746.0));
    const auto e = reduced_exponential<false>(d, Pair<VF>{exponent, hn::Zero(d)});
    value = hn::IfThenElse(small, hn::Mul(value, scale(d, mantissa(d, e), e.integer)), value);
  }
  return {value, hn::And(positive, hn::Lt(log_u, bound))};
}

void gammas(double* shapes, RandomPlace place, std::size_t n) {
  const DF d;
  const D64 d64;
  const std::size_t lanes = hn::Lanes(d);
  const Keys keys(place.key);
  constexpr std::size_t piece = 256;
  HWY_ALIGN std::uint64_t pending[piece];
  for (std::size_t start = 0; start < n; start += piece) {
    double* numbers = shapes + start;
    std::size_t left = n - start < piece ? n - start : piece;
    for (std::size_t i = 0; i < left; i++) pending[i] = i;
    for (std::uint32_t attempt = 0; left > 0; attempt++) {
      std::size_t kept = 0;
      for (std::size_t i = 0; i < left; i += lanes) {
        const std::size_t count = left - i < lanes ? left - i : lanes;
        HWY_ALIGN std::uint64_t positions[hn::MaxLanes(d64)];
        HWY_ALIGN double values[hn::MaxLanes(d)];
        HWY_ALIGN double accepted[hn::MaxLanes(d)];
        for (std::size_t k = 0; k < lanes; k++) {
          const std::uint64_t at = pending[i + (k < count ? k : 0)];
          positions[k] = place.position + start + at;
          values[k] = numbers[at];
        }
        const GammaAttempt a = attempt_gamma(hn::Load(d64, positions), keys, attempt, hn::Load(d, values));
        hn::Store(a.value, d, values);
        hn::Store(hn::IfThenElseZero(a.accepted, hn::Set(d, 1.0)), d, accepted);
        for (std::size_t k = 0; k < count; k++) {
          const std::uint64_t at = pending[i + k];
          if (accepted[k] != 0)
            numbers[at] = values[k];
          else
            pending[kept++] = at;
        }
      }
      left = kept;
    }
  }
}

const RandomKernels* random_kernels() {
  static const RandomKernels kernels = {
      .words = generate_words,
      .fractions = doubles<Fraction>,
      .exponentials = doubles<Exponential>,
      .normals = doubles<Normal>,
      .fractions_of = fractions_of,
      .uses = uses,
      .gammas = gammas,
  };
  return &kernels;
}

}  // namespace
}  // namespace random_unit
using random_unit::random_kernels;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(random_kernels);
const RandomKernels& random_numbers() { return *HWY_DYNAMIC_DISPATCH(random_kernels)(); }

std::array<std::uint32_t, 4> random_block(RandomPlace place) {
  std::array<std::uint32_t, 4> c = {static_cast<std::uint32_t>(place.position), static_cast<std::uint32_t>(place.position >> 32),
                                    place.attempt, place.use};
  std::uint32_t key[2] = {static_cast<std::uint32_t>(place.key), static_cast<std::uint32_t>(place.key >> 32)};
  for (int round = 0; round < philox::rounds; round++) {
    const std::uint64_t a = std::uint64_t{philox::multipliers[0]} * c[0];
    const std::uint64_t b = std::uint64_t{philox::multipliers[1]} * c[2];
    c = {static_cast<std::uint32_t>(b >> 32) ^ c[1] ^ key[0], static_cast<std::uint32_t>(b),
         static_cast<std::uint32_t>(a >> 32) ^ c[3] ^ key[1], static_cast<std::uint32_t>(a)};
    key[0] += philox::key_steps[0];
    key[1] += philox::key_steps[1];
  }
  return c;
}

}  // namespace griddle::kernels
#endif
