#include <cstring>

#include "primitives/kernels/random.h"
#include "primitives/kernels/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "primitives/kernels/random_below.cc"
#include "hwy/foreach_target.h"
//
#include "hwy/highway.h"
#include "primitives/kernels/philox-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace {

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
    generate_words(pieces, place, (count * sizeof(Piece) + 7) / 8);
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

// Writes piece i times limit - i, without the lower half. The same numbers as one by one: what may have to be drawn again is.
void below_descending(std::uint32_t* out, RandomPlace place, std::uint64_t first, std::size_t n, std::uint32_t limit) {
  constexpr std::size_t in_block = 4, at_once = words_at_once * 2, in_check = 128;
  HWY_ALIGN std::uint64_t words[words_at_once];
  const std::uint32_t* pieces = reinterpret_cast<const std::uint32_t*>(words);
  for (std::size_t done = 0; done < n;) {
    const std::size_t start = (first + done) % in_block, room = at_once - start;
    const std::size_t count = n - done < room ? n - done : room;
    RandomPlace from = place;
    from.position += (first + done) / in_block;
    generate_words(words, from, (start + count + 1) / 2);
    for (std::size_t k = 0; k < count; k += in_check) {
      const std::size_t end = count - k < in_check ? count : k + in_check;
      bool again = false;
      std::size_t i = k;
#if HWY_TARGET != HWY_SCALAR
      const hn::ScalableTag<std::uint32_t> d;
      const D64 d64;
      const V64 upper = hn::Set(d64, 0xFFFFFFFF00000000);
      auto limits = hn::Sub(hn::Set(d, limit - static_cast<std::uint32_t>(done + i)), hn::Iota(d, 0));
      const auto step = hn::Set(d, static_cast<std::uint32_t>(hn::Lanes(d)));
      auto missing = hn::Zero(d);
      for (; end - i >= hn::Lanes(d); i += hn::Lanes(d)) {
        const auto v = hn::LoadU(d, pieces + start + i);
        const V64 even = hn::MulEven(v, limits);
        const V64 odd = multiply_low_words(hn::ShiftRight<32>(hn::BitCast(d64, v)), hn::ShiftRight<32>(hn::BitCast(d64, limits)));
        const auto rest = hn::BitCast(d, hn::Or(hn::AndNot(upper, even), hn::ShiftLeft<32>(odd)));
        missing = hn::Or(missing, hn::Sub(hn::Max(limits, rest), rest));
        hn::StoreU(hn::BitCast(d, hn::Or(hn::ShiftRight<32>(even), hn::And(odd, upper))), d, out + done + i);
        limits = hn::Sub(limits, step);
      }
      again = !hn::AllTrue(d, hn::Eq(missing, hn::Zero(d)));
#endif
      for (; i < end; i++) {
        const std::uint32_t below = limit - static_cast<std::uint32_t>(done + i);
        const std::uint64_t product = std::uint64_t{pieces[start + i]} * below;
        out[done + i] = static_cast<std::uint32_t>(product >> 32);
        again |= static_cast<std::uint32_t>(product) < below;
      }
      for (std::size_t m = k; again && m < end; m++) {
        const std::uint32_t below = limit - static_cast<std::uint32_t>(done + m), rest = pieces[start + m] * below;
        if (rest < below && rest < (std::uint64_t{1} << 32) % below)
          out[done + m] = static_cast<std::uint32_t>(random_below_32(place, first + done + m, below));
      }
    }
    done += count;
  }
}

// --- from 64 bits each: attempts hardly ever fail

#if HWY_TARGET != HWY_SCALAR
// The products of pieces with a limit: their upper halves, and words whose lower halves are the upper quarter of the rest.
struct Products {
  V64 result, rest;
};
HWY_INLINE Products multiply_small(V64 v, V64 limit) {
  const V64 low = multiply_low_words(v, limit), high = multiply_low_words(hn::ShiftRight<32>(v), limit);
  const V64 sum = hn::Add(high, hn::ShiftRight<32>(low));
  return {hn::ShiftRight<32>(sum), sum};
}
HWY_INLINE Products multiply_large(V64 v, V64 limit) {
  const V64 low = hn::Set(D64(), 0xFFFFFFFF);
  const V64 v1 = hn::ShiftRight<32>(v), limit1 = hn::ShiftRight<32>(limit);
  const V64 p00 = multiply_low_words(v, limit), p01 = multiply_low_words(v, limit1);
  const V64 p10 = multiply_low_words(v1, limit), p11 = multiply_low_words(v1, limit1);
  const V64 middle = hn::Add(hn::ShiftRight<32>(p00), hn::Add(hn::And(p01, low), hn::And(p10, low)));
  const V64 carried = hn::Add(hn::ShiftRight<32>(p01), hn::Add(hn::ShiftRight<32>(p10), hn::ShiftRight<32>(middle)));
  return {hn::Add(p11, carried), middle};
}

// Stores numbers below 2^31.
HWY_INLINE void store_two(V64 a, V64 b, std::int32_t* out) {
  const hn::Repartition<std::uint32_t, D64> d32;
  const hn::RebindToSigned<decltype(d32)> to;
  hn::StoreU(hn::BitCast(to, hn::ConcatEven(d32, hn::BitCast(d32, b), hn::BitCast(d32, a))), to, out);
}
// Converts numbers below 2^53: both halves become mantissas, beside 2^84 and 2^52.
HWY_INLINE auto double_of(V64 v) {
  const D64 d;
  const hn::ScalableTag<double> to;
  const V64 low = hn::Or(hn::And(v, hn::Set(d, 0xFFFFFFFF)), hn::Set(d, 0x4330000000000000));
  const V64 high = hn::Or(hn::ShiftRight<32>(v), hn::Set(d, 0x4530000000000000));
  return hn::Add(hn::Sub(hn::BitCast(to, high), hn::Set(to, 0x1p84 + 0x1p52)), hn::BitCast(to, low));
}
HWY_INLINE void store_two(V64 a, V64 b, double* out) {
  const hn::ScalableTag<double> to;
  hn::StoreU(double_of(a), to, out);
  hn::StoreU(double_of(b), to, out + hn::Lanes(to));
}
#endif

// Tells whether some rest is so small that it may be below the threshold: its upper quarter is below `bound`.
template <bool is_small, class T>
bool multiply_64(const std::uint64_t* pieces, T* out, std::size_t n, std::uint64_t limit, std::uint32_t bound) {
  bool again = false;
  std::size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const D64 d;
  const hn::Repartition<std::uint32_t, D64> d32;
  const std::size_t lanes = hn::Lanes(d);
  const V64 factor = hn::Set(d, limit);
  auto least = hn::Set(d32, UINT32_MAX);
  for (; n - i >= 2 * lanes; i += 2 * lanes) {
    Products p[2];
    for (std::size_t k = 0; k < 2; k++) {
      const V64 v = hn::LoadU(d, pieces + i + k * lanes);
      p[k] = is_small ? multiply_small(v, factor) : multiply_large(v, factor);
      least = hn::Min(least, hn::BitCast(d32, p[k].rest));
    }
    store_two(p[0].result, p[1].result, out + i);
  }
  const V64 rest = hn::Or(hn::BitCast(d, least), hn::Set(d, 0xFFFFFFFF00000000));
  const auto enough = hn::BitCast(d32, rest);
  again = !hn::AllTrue(d32, hn::Eq(hn::Max(enough, hn::Set(d32, bound)), enough));
#endif
  for (; i < n; i++) {
    const __uint128_t product = static_cast<__uint128_t>(pieces[i]) * limit;
    out[i] = static_cast<T>(static_cast<std::uint64_t>(product >> 64));
    again |= static_cast<std::uint64_t>(product) >> 32 < bound;
  }
  return again;
}

template <bool is_small, class T>
void below_wide(T* out, RandomPlace place, std::size_t n, std::uint64_t limit) {
  constexpr std::size_t in_check = 64;
  HWY_ALIGN std::uint64_t pieces[words_at_once];
  const std::uint64_t threshold = -limit % limit;
  const auto bound = static_cast<std::uint32_t>((threshold >> 32) + 1);
  for (std::size_t i = 0; i < n; i += words_at_once) {
    const std::size_t count = n - i < words_at_once ? n - i : words_at_once;
    generate_words(pieces, place, count);
    for (std::size_t k = 0; k < count; k += in_check) {
      const std::size_t end = count - k < in_check ? count : k + in_check;
      if (!multiply_64<is_small>(pieces + k, out + i + k, end - k, limit, bound)) continue;
      for (std::size_t m = k; m < end; m++)
        if (pieces[m] * limit < threshold) out[i + m] = static_cast<T>(random_below_64(place, m, limit));
    }
    place.position += words_at_once / 2;
  }
}

void below_i32_wide(std::int32_t* out, RandomPlace place, std::size_t n, std::uint32_t limit) {
  below_wide<true>(out, place, n, limit);
}
void below_f64(double* out, RandomPlace place, std::size_t n, std::uint64_t limit) {
  if (limit >> 32 == 0) return below_wide<true>(out, place, n, limit);
  if (limit <= std::uint64_t{1} << 53) return below_wide<false>(out, place, n, limit);
  for (std::size_t i = 0; i < n; i++) out[i] = static_cast<double>(random_below_64(place, i, limit));
}

const RandomIntegerKernels* table() {
  static const RandomIntegerKernels kernels = {
      .below_i8 = below<std::int8_t, std::uint16_t>,
      .below_i16 = below<std::int16_t, std::uint32_t>,
      .below_i32 = below<std::int32_t, std::uint32_t>,
      .below_i32_wide = below_i32_wide,
      .below_f64 = below_f64,
      .below_descending = below_descending,
  };
  return &kernels;
}

}  // namespace
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(table);
const RandomIntegerKernels& random_integers() { return *HWY_DYNAMIC_DISPATCH(table)(); }

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
