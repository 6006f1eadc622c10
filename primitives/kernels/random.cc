#include "primitives/kernels/random.h"

#include <cstring>

#include "primitives/kernels/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "primitives/kernels/random.cc"
#include "hwy/foreach_target.h"
//
#include "hwy/highway.h"
#include "primitives/kernels/elementary-inl.h"

#ifndef GRIDDLE_KERNELS_PHILOX
#define GRIDDLE_KERNELS_PHILOX
namespace griddle::kernels::philox {

constexpr int rounds = 10;
constexpr std::uint32_t multipliers[2] = {0xD2511F53, 0xCD9E8D57};
constexpr std::uint32_t key_steps[2] = {0x9E3779B9, 0xBB67AE85};
// Tells apart what the blocks of one position are used for.
constexpr std::uint32_t second_use = 1;

}  // namespace griddle::kernels::philox
#endif

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace {

using D64 = hn::ScalableTag<std::uint64_t>;
using V64 = hn::Vec<D64>;
using DF = hn::ScalableTag<double>;
using VF = hn::Vec<DF>;

// --- blocks, one to a lane

// Two halves of blocks: the first and the last two words of each.
struct Halves {
  V64 first, last;
};

// Holds the keys of all rounds, a vector each, so that they need no registers.
class Keys {
 public:
  explicit Keys(std::uint64_t key) {
    std::uint32_t k0 = static_cast<std::uint32_t>(key), k1 = static_cast<std::uint32_t>(key >> 32);
    for (int round = 0; round < philox::rounds; round++) {
      hn::Store(hn::Set(D64(), k0), D64(), first_[round]);
      hn::Store(hn::Set(D64(), k1), D64(), last_[round]);
      k0 += philox::key_steps[0];
      k1 += philox::key_steps[1];
    }
  }
  HWY_INLINE V64 first(int round) const { return hn::Load(D64(), first_[round]); }
  HWY_INLINE V64 last(int round) const { return hn::Load(D64(), last_[round]); }

 private:
  HWY_ALIGN std::uint64_t first_[philox::rounds][hn::MaxLanes(D64())];
  HWY_ALIGN std::uint64_t last_[philox::rounds][hn::MaxLanes(D64())];
};

// Multiplies the lower halves of 64 bits.
HWY_INLINE V64 multiply_low_words(V64 a, std::uint32_t b) {
#if HWY_TARGET == HWY_SCALAR
  return hn::Set(D64(), (hn::GetLane(a) & 0xFFFFFFFF) * b);
#else
  const hn::Repartition<std::uint32_t, D64> d32;
  return hn::MulEven(hn::BitCast(d32, a), hn::Set(d32, b));
#endif
}

// The counters of several vectors of blocks, whose steps fill each other's waiting. Upper halves of lanes hold anything.
template <int groups>
struct Counters {
  V64 c0[groups], c1[groups], c2[groups], c3[groups];
};
// Runs the rounds from `round` on; a loop would keep the counters in memory.
template <int round, int groups>
HWY_INLINE void run_rounds(Counters<groups>& c, const Keys& keys) {
  if constexpr (round < philox::rounds) {
    for (int g = 0; g < groups; g++) {
      const V64 k0 = keys.first(round), k1 = keys.last(round);
      const V64 a = multiply_low_words(c.c0[g], philox::multipliers[0]);
      const V64 b = multiply_low_words(c.c2[g], philox::multipliers[1]);
      c.c0[g] = hn::Xor(hn::Xor(c.c1[g], k0), hn::ShiftRight<32>(b));
      c.c1[g] = b;
      c.c2[g] = hn::Xor(hn::Xor(c.c3[g], k1), hn::ShiftRight<32>(a));
      c.c3[g] = a;
    }
    run_rounds<round + 1>(c, keys);
  }
}
template <int groups>
HWY_INLINE void compute_blocks(const V64 (&positions)[groups], const Keys& keys, std::uint32_t attempt, std::uint32_t use,
                               Halves (&out)[groups]) {
  const D64 d;
  Counters<groups> c;
  for (int g = 0; g < groups; g++) {
    c.c0[g] = positions[g];
    c.c1[g] = hn::ShiftRight<32>(positions[g]);
    c.c2[g] = hn::Set(d, attempt);
    c.c3[g] = hn::Set(d, use);
  }
  run_rounds<0>(c, keys);
  const V64 low = hn::Set(d, 0xFFFFFFFF);
  for (int g = 0; g < groups; g++)
    out[g] = {hn::Or(hn::And(c.c0[g], low), hn::ShiftLeft<32>(c.c1[g])),
              hn::Or(hn::And(c.c2[g], low), hn::ShiftLeft<32>(c.c3[g]))};
}

// Gives the positions of a vector so that interleaving the halves of its blocks puts them in order.
HWY_INLINE V64 positions_from(std::uint64_t first) {
  const D64 d;
  HWY_ALIGN std::uint64_t lanes[hn::MaxLanes(d)];
  const std::size_t count = hn::Lanes(d);
  for (std::size_t i = 0; i < count; i++) lanes[i] = first + i / 2 + (i % 2) * (count / 2);
  return hn::Load(d, lanes);
}
HWY_INLINE void store_in_order(Halves h, std::uint64_t* out) {
  const D64 d;
#if HWY_TARGET == HWY_SCALAR
  hn::StoreU(h.first, d, out);
  hn::StoreU(h.last, d, out + 1);
#else
  hn::StoreU(hn::InterleaveLower(d, h.first, h.last), d, out);
  hn::StoreU(hn::InterleaveUpper(d, h.first, h.last), d, out + hn::Lanes(d));
#endif
}

// Writes what Op makes of the halves of blocks, n words of 64 bits.
template <class Op>
void generate(std::uint64_t* out, RandomPlace place, std::size_t n) {
  constexpr int groups = Op::groups;
  const D64 d;
  const std::size_t lanes = hn::Lanes(d), step = 2 * lanes * groups;
  const Keys keys(place.key);
  V64 positions[groups];
  for (int g = 0; g < groups; g++) positions[g] = positions_from(place.position + static_cast<std::uint64_t>(g) * lanes);
  const V64 next = hn::Set(d, lanes * groups);
  HWY_ALIGN std::uint64_t rest[2 * hn::MaxLanes(d) * groups];
  for (std::size_t i = 0; i < n; i += step) {
    Halves blocks[groups];
    compute_blocks<groups>(positions, keys, place.attempt, place.use, blocks);
    std::uint64_t* to = n - i < step ? rest : out + i;
    for (int g = 0; g < groups; g++) {
      store_in_order(Op::apply(blocks[g]), to + static_cast<std::size_t>(g) * 2 * lanes);
      positions[g] = hn::Add(positions[g], next);
    }
    if (n - i < step) std::memcpy(out + i, rest, (n - i) * sizeof(*out));
  }
}

// --- numbers from words. None of these steps may be fused: the results are the same on every processor.

// Gives the upper 53 bits as a fraction: 1 and the first 52 of them, less 1 or, for the last of them, the next smaller number.
HWY_INLINE VF fraction(V64 v) {
  const D64 d;
  const DF df;
  const V64 one = hn::Set(d, 0x3FF0000000000000);
  const V64 last = hn::And(hn::ShiftRight<11>(v), hn::Set(d, 1));
  return hn::Sub(hn::BitCast(df, hn::Or(hn::ShiftRight<12>(v), one)), hn::BitCast(df, hn::Sub(one, last)));
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

struct Raw {
  static constexpr int groups = 4;
  static HWY_INLINE Halves apply(Halves h) { return h; }
};
struct Fraction {
  static constexpr int groups = 4;
  static HWY_INLINE Halves apply(Halves h) {
    return {hn::BitCast(D64(), fraction(h.first)), hn::BitCast(D64(), fraction(h.last))};
  }
};
struct Exponential {
  static constexpr int groups = 4;
  static HWY_INLINE Halves apply(Halves h) {
    const VF zero = hn::Zero(DF());
    return {hn::BitCast(D64(), hn::Sub(zero, fraction_logarithm(h.first))),
            hn::BitCast(D64(), hn::Sub(zero, fraction_logarithm(h.last)))};
  }
};
// Box and Muller: a radius from the first half, a direction from the last.
HWY_INLINE VF normal_radius(V64 first) { return hn::Sqrt(hn::Mul(hn::Set(DF(), -2.0), fraction_logarithm(first))); }
struct Normal {
  static constexpr int groups = 4;
  static HWY_INLINE Halves apply(Halves h) {
    const VF radius = normal_radius(h.first);
    const Direction angle = direction(fraction(h.last));
    return {hn::BitCast(D64(), hn::Mul(radius, angle.cosine)), hn::BitCast(D64(), hn::Mul(radius, angle.sine))};
  }
};

void words(std::uint64_t* out, RandomPlace place, std::size_t n) { generate<Raw>(out, place, n); }
template <class Op>
void doubles(double* out, RandomPlace place, std::size_t n) {
  generate<Op>(reinterpret_cast<std::uint64_t*>(out), place, n);
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

// --- integers: the upper half of a product with the limit, unless the lower half comes once too often

constexpr std::size_t words_at_once = 512;

// Tells whether some lower half is below `threshold`, which calls for another attempt.
bool multiply_16(const std::uint16_t* pieces, std::int8_t* out, std::size_t n, std::uint32_t limit, std::uint32_t threshold) {
  bool again = false;
  std::size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::ScalableTag<std::uint16_t> d;
  const hn::Rebind<std::int8_t, decltype(d)> narrow;
  const hn::RebindToSigned<decltype(d)> signed_d;
  const auto factor = hn::Set(d, static_cast<std::uint16_t>(limit));
  const auto least = hn::Set(d, static_cast<std::uint16_t>(threshold));
  auto missing = hn::Zero(d);
  for (; n - i >= hn::Lanes(d); i += hn::Lanes(d)) {
    const auto v = hn::LoadU(d, pieces + i);
    missing = hn::Or(missing, hn::SaturatedSub(least, hn::Mul(v, factor)));
    hn::StoreU(hn::DemoteTo(narrow, hn::BitCast(signed_d, hn::MulHigh(v, factor))), narrow, out + i);
  }
  again = !hn::AllTrue(d, hn::Eq(missing, hn::Zero(d)));
#endif
  for (; i < n; i++) {
    const std::uint32_t product = pieces[i] * limit;
    out[i] = static_cast<std::int8_t>(product >> 16);
    again |= (product & 0xFFFF) < threshold;
  }
  return again;
}
template <class T>
bool multiply_32(const std::uint32_t* pieces, T* out, std::size_t n, std::uint32_t limit, std::uint32_t threshold) {
  bool again = false;
  std::size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::ScalableTag<std::uint32_t> d;
  const hn::RebindToSigned<decltype(d)> signed_d;
  const hn::Rebind<T, decltype(d)> narrow;
  const D64 d64;
  const auto factor = hn::Set(d, limit);
  const auto least = hn::Set(d, threshold);
  const V64 upper = hn::Set(d64, 0xFFFFFFFF00000000);
  auto missing = hn::Zero(d);
  for (; n - i >= hn::Lanes(d); i += hn::Lanes(d)) {
    const auto v = hn::LoadU(d, pieces + i);
    const V64 even = hn::MulEven(v, factor);
    const V64 odd = hn::MulEven(hn::BitCast(d, hn::ShiftRight<32>(hn::BitCast(d64, v))), factor);
    const auto result = hn::BitCast(signed_d, hn::Or(hn::ShiftRight<32>(even), hn::And(odd, upper)));
    const auto rest = hn::BitCast(d, hn::Or(hn::AndNot(upper, even), hn::ShiftLeft<32>(odd)));
    missing = hn::Or(missing, hn::Sub(hn::Max(least, rest), rest));
    if constexpr (sizeof(T) == 4)
      hn::StoreU(result, narrow, out + i);
    else
      hn::StoreU(hn::DemoteTo(narrow, result), narrow, out + i);
  }
  again = !hn::AllTrue(d, hn::Eq(missing, hn::Zero(d)));
#endif
  for (; i < n; i++) {
    const std::uint64_t product = std::uint64_t{pieces[i]} * limit;
    out[i] = static_cast<T>(product >> 32);
    again |= static_cast<std::uint32_t>(product) < threshold;
  }
  return again;
}

// Takes the numbers at the `left` places in `pending` from the next attempts.
template <class T, class Piece>
HWY_NOINLINE void retry(T* out, RandomPlace place, std::uint16_t* pending, std::size_t left, std::uint32_t limit,
                        std::uint32_t threshold) {
  constexpr int groups = 2;
  constexpr std::size_t in_block = 16 / sizeof(Piece);
  const D64 d;
  const std::size_t lanes = hn::Lanes(d);
  const Keys keys(place.key);
  while (left > 0) {
    place.attempt++;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < left; i += groups * lanes) {
      const std::size_t count = left - i < groups * lanes ? left - i : groups * lanes;
      HWY_ALIGN std::uint64_t lane_positions[groups * hn::MaxLanes(d)] = {};
      for (std::size_t k = 0; k < count; k++) lane_positions[k] = place.position + pending[i + k] / in_block;
      const V64 positions[groups] = {hn::Load(d, lane_positions), hn::Load(d, lane_positions + lanes)};
      Halves blocks[groups];
      compute_blocks<groups>(positions, keys, place.attempt, place.use, blocks);
      HWY_ALIGN std::uint64_t halves[2][groups * hn::MaxLanes(d)];
      for (std::size_t g = 0; g < groups; g++) {
        hn::Store(blocks[g].first, d, halves[0] + g * lanes);
        hn::Store(blocks[g].last, d, halves[1] + g * lanes);
      }
      for (std::size_t k = 0; k < count; k++) {
        const std::uint16_t at = pending[i + k];
        const std::size_t in = at % in_block, in_half = in % (in_block / 2);
        const Piece piece = static_cast<Piece>(halves[in / (in_block / 2)][k] >> (in_half * 8 * sizeof(Piece)));
        const std::uint64_t product = std::uint64_t{piece} * limit;
        out[at] = static_cast<T>(product >> (8 * sizeof(Piece)));
        pending[kept] = at;
        kept += static_cast<Piece>(product) < threshold;
      }
    }
    left = kept;
  }
}

template <class T, class Piece>
void below(T* out, RandomPlace place, std::size_t n, std::uint32_t limit) {
  constexpr std::size_t at_once = words_at_once * 8 / sizeof(Piece), in_check = 128;
  HWY_ALIGN std::uint64_t pieces[words_at_once];
  std::uint16_t pending[at_once];
  // What is left of all pieces when they are dealt out evenly.
  const std::uint32_t threshold = static_cast<std::uint32_t>((std::uint64_t{1} << (8 * sizeof(Piece))) % limit);
  for (std::size_t i = 0; i < n; i += at_once) {
    const std::size_t count = n - i < at_once ? n - i : at_once;
    generate<Raw>(pieces, place, (count * sizeof(Piece) + 7) / 8);
    const Piece* from = reinterpret_cast<const Piece*>(pieces);
    std::size_t left = 0;
    for (std::size_t k = 0; k < count; k += in_check) {
      const std::size_t end = count - k < in_check ? count : k + in_check;
      bool again;
      if constexpr (sizeof(Piece) == 2)
        again = multiply_16(from + k, out + i + k, end - k, limit, threshold);
      else
        again = multiply_32(from + k, out + i + k, end - k, limit, threshold);
      if (!again) continue;
      for (std::size_t m = k; m < end; m++) {
        pending[left] = static_cast<std::uint16_t>(m);
        left += static_cast<Piece>(from[m] * limit) < threshold;
      }
    }
    if (left > 0) retry<T, Piece>(out + i, place, pending, left, limit, threshold);
    place.position += words_at_once / 2;
  }
}

// As below, from 64 bits each: attempts hardly ever fail.
void below_i32_wide(std::int32_t* out, RandomPlace place, std::size_t n, std::uint32_t limit) {
  HWY_ALIGN std::uint64_t pieces[words_at_once];
  for (std::size_t i = 0; i < n; i += words_at_once) {
    const std::size_t count = n - i < words_at_once ? n - i : words_at_once;
    generate<Raw>(pieces, place, count);
    std::uint64_t again = 0;
    for (std::size_t k = 0; k < count; k++) {
      const std::uint64_t low = (pieces[k] & 0xFFFFFFFF) * limit, product = (pieces[k] >> 32) * limit + (low >> 32);
      out[i + k] = static_cast<std::int32_t>(product >> 32);
      // Only where the upper half of the rest is 0 can the rest be below the threshold.
      again |= ((product & 0xFFFFFFFF) - 1) >> 63;
    }
    if (again != 0)
      for (std::size_t k = 0; k < count; k++) out[i + k] = static_cast<std::int32_t>(random_below_64(place, k, limit));
    place.position += words_at_once / 2;
  }
}
void below_f64(double* out, RandomPlace place, std::size_t n, std::uint64_t limit) {
  HWY_ALIGN std::uint64_t pieces[words_at_once];
  const std::uint64_t threshold = -limit % limit;
  for (std::size_t i = 0; i < n; i += words_at_once) {
    const std::size_t count = n - i < words_at_once ? n - i : words_at_once;
    generate<Raw>(pieces, place, count);
    for (std::size_t k = 0; k < count; k++) {
      const __uint128_t product = static_cast<__uint128_t>(pieces[k]) * limit;
      const bool counts = static_cast<std::uint64_t>(product) >= threshold;
      out[i + k] = static_cast<double>(counts ? static_cast<std::uint64_t>(product >> 64) : random_below_64(place, k, limit));
    }
    place.position += words_at_once / 2;
  }
}

const RandomKernels* table() {
  static const RandomKernels kernels = {
      .words = words,
      .fractions = doubles<Fraction>,
      .exponentials = doubles<Exponential>,
      .normals = doubles<Normal>,
      .gammas = gammas,
      .below_i8 = below<std::int8_t, std::uint16_t>,
      .below_i16 = below<std::int16_t, std::uint32_t>,
      .below_i32 = below<std::int32_t, std::uint32_t>,
      .below_i32_wide = below_i32_wide,
      .below_f64 = below_f64,
  };
  return &kernels;
}

}  // namespace
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(table);
const RandomKernels& random_numbers() { return *HWY_DYNAMIC_DISPATCH(table)(); }

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

namespace {

// Takes piece i of the blocks from a place on; where its product does not count, the same piece of the next attempt.
template <unsigned bits>
std::uint64_t one_below(RandomPlace place, std::uint64_t i, std::uint64_t limit) {
  constexpr unsigned in_block = 128 / bits;
  constexpr std::uint64_t mask = ~std::uint64_t{0} >> (64 - bits);
  place.position += i / in_block;
  const unsigned first_bit = static_cast<unsigned>(i % in_block) * bits;
  const std::uint64_t threshold = (-limit & mask) % limit;
  for (;; place.attempt++) {
    const std::array<std::uint32_t, 4> block = random_block(place);
    std::uint64_t piece = block[first_bit / 32] >> (first_bit % 32);
    if constexpr (bits == 64) piece |= std::uint64_t{block[first_bit / 32 + 1]} << 32;
    const __uint128_t product = static_cast<__uint128_t>(piece & mask) * limit;
    if ((static_cast<std::uint64_t>(product) & mask) >= threshold) return static_cast<std::uint64_t>(product >> bits);
  }
}

}  // namespace

std::uint64_t random_below_16(RandomPlace place, std::uint64_t i, std::uint64_t limit) { return one_below<16>(place, i, limit); }
std::uint64_t random_below_32(RandomPlace place, std::uint64_t i, std::uint64_t limit) { return one_below<32>(place, i, limit); }
std::uint64_t random_below_64(RandomPlace place, std::uint64_t i, std::uint64_t limit) { return one_below<64>(place, i, limit); }

}  // namespace griddle::kernels
#endif
