// Leaves the steps of several vectors in turn: moved to where they are used, they would need more registers than there are.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize "no-tree-ter"
#endif

#include "primitives/kernels/random/random.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "hwy/highway.h"
#include "primitives/kernels/random/philox-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace random_below_unit {
namespace {

// --- integers: the upper half of a product with the limit, unless the lower half comes once too often

constexpr std::size_t words_at_once = most_words_there;

// Stores a vector, or the first n lanes of it where there are no more and the rest may not be written.
template <bool whole, class D, class V, class T>
HWY_INLINE void store_first(D d, V v, T* out, std::size_t n) {
  if (whole || n >= hn::Lanes(d)) [[likely]]
    return hn::StoreU(v, d, out);
  HWY_ALIGN T rest[hn::MaxLanes(d)];
  hn::Store(v, d, rest);
  std::memcpy(out, rest, n * sizeof(T));
}

// The products of pieces of 32 bits with limits.
template <class V>
struct Products32 {
  V result, rest;
};
template <class V>
HWY_INLINE Products32<V> multiply_words(V v, V limits, V64 odd_limits) {
  const hn::ScalableTag<std::uint32_t> d;
  const D64 d64;
  const V64 upper = hn::Set(d64, 0xFFFFFFFF00000000);
  const V64 even = hn::MulEven(v, limits);
  const V64 odd = multiply_low_words(hn::ShiftRight<32>(hn::BitCast(d64, v)), odd_limits);
  return {hn::BitCast(d, hn::Or(hn::ShiftRight<32>(even), hn::And(odd, upper))),
          hn::BitCast(d, hn::Or(hn::AndNot(upper, even), hn::ShiftLeft<32>(odd)))};
}

// Tells whether some lower half is below `threshold`, which calls for another attempt; reads whole vectors of pieces.
template <bool whole>
bool multiply_16(const std::uint16_t* pieces, std::int8_t* out, std::size_t n, std::uint32_t limit, std::uint32_t threshold) {
  const hn::ScalableTag<std::uint16_t> d;
  const hn::Rebind<std::int8_t, decltype(d)> narrow;
  const hn::RebindToSigned<decltype(d)> signed_d;
  const auto factor = hn::Set(d, static_cast<std::uint16_t>(limit));
  const auto least = hn::Set(d, static_cast<std::uint16_t>(threshold));
  auto missing = hn::Zero(d);
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    const auto v = hn::LoadU(d, pieces + i);
    missing = hn::Or(missing, hn::SaturatedSub(least, hn::Mul(v, factor)));
    store_first<whole>(narrow, hn::DemoteTo(narrow, hn::BitCast(signed_d, hn::MulHigh(v, factor))), out + i, n - i);
  }
  return !hn::AllTrue(d, hn::Eq(missing, hn::Zero(d)));
}
template <bool whole, class T>
bool multiply_32(const std::uint32_t* pieces, T* out, std::size_t n, std::uint32_t limit, std::uint32_t threshold) {
  const hn::ScalableTag<std::uint32_t> d;
  const hn::RebindToSigned<decltype(d)> signed_d;
  const hn::Rebind<T, decltype(d)> narrow;
  const auto factor = hn::Set(d, limit);
  const auto least = hn::Set(d, threshold);
  auto missing = hn::Zero(d);
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    const auto products = multiply_words(hn::LoadU(d, pieces + i), factor, hn::Set(D64(), limit));
    missing = hn::Or(missing, hn::Sub(hn::Max(least, products.rest), products.rest));
    const auto result = hn::BitCast(signed_d, products.result);
    if constexpr (sizeof(T) == 4)
      store_first<whole>(narrow, result, out + i, n - i);
    else
      store_first<whole>(narrow, hn::DemoteTo(narrow, result), out + i, n - i);
  }
  return !hn::AllTrue(d, hn::Eq(missing, hn::Zero(d)));
}

// Gives what is left of all pieces when they are dealt out evenly.
template <class Piece>
std::uint32_t left_over(std::uint32_t limit) {
  return sizeof(Piece) == 2 ? 0x10000 % limit : -limit % limit;
}
// Adds to `pending` which of the pieces first to end do not count, and gives how many are pending.
template <class Piece>
HWY_NOINLINE std::size_t look_at_each(const Piece* pieces, std::size_t first, std::size_t end, std::uint32_t limit,
                                      std::uint16_t* pending, std::size_t left) {
  const std::uint32_t threshold = left_over<Piece>(limit);
  for (std::size_t i = first; i < end; i++) {
    pending[left] = static_cast<std::uint16_t>(i);
    left += static_cast<Piece>(pieces[i] * limit) < threshold;
  }
  return left;
}

// Takes the numbers at the `left` places in `pending` from the next attempts.
template <class T, class Piece>
HWY_NOINLINE void retry(T* out, RandomPlace place, std::uint16_t* pending, std::size_t left, std::uint32_t limit) {
  constexpr int groups = 2;
  constexpr std::size_t in_block = 16 / sizeof(Piece);
  const std::uint32_t threshold = left_over<Piece>(limit);
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

// Writes numbers from the pieces of a place, so many at most as words_at_once hold. A lower half below `bound`, which is what is
// left over or more, calls for a look at each.
template <bool whole, class T, class Piece>
void below_of(T* out, const Piece* pieces, RandomPlace place, std::size_t n, std::uint32_t limit, std::uint32_t bound) {
  constexpr std::size_t in_check = 128;
  std::uint16_t pending[words_at_once * 8 / sizeof(Piece)];
  std::size_t left = 0;
  for (std::size_t k = 0; k < n; k += in_check) {
    const std::size_t end = n - k < in_check ? n : k + in_check;
    bool again;
    if constexpr (sizeof(Piece) == 2)
      again = multiply_16<whole>(pieces + k, out + k, end - k, limit, bound);
    else
      again = multiply_32<whole>(pieces + k, out + k, end - k, limit, bound);
    if (again) [[unlikely]]
      left = look_at_each(pieces, k, end, limit, pending, left);
  }
  if (left > 0) [[unlikely]]
    retry<T, Piece>(out, place, pending, left, limit);
}
// Clears what vectors read behind the last of some words: it is left out in the end, but it should be no rest of memory.
HWY_INLINE void clear_behind(std::uint64_t* words, std::size_t used, std::size_t all) {
  constexpr std::size_t most = room_for_vectors / sizeof(std::uint64_t);
  std::fill_n(words + used, all - used < most ? all - used : most, 0);
}

template <class T, class Piece>
void below(T* out, RandomPlace place, std::size_t n, std::uint32_t limit) {
  constexpr std::size_t at_once = words_at_once * 8 / sizeof(Piece);
  HWY_ALIGN std::uint64_t words[words_at_once];
  const std::uint32_t bound = left_over<Piece>(limit);
  for (std::size_t i = 0; i < n; i += at_once) {
    const std::size_t count = n - i < at_once ? n - i : at_once;
    const std::size_t used = (count * sizeof(Piece) + 7) / 8;
    generate_words(words, place, used);
    clear_behind(words, used, words_at_once);
    below_of<false>(out + i, reinterpret_cast<const Piece*>(words), place, count, limit, bound);
    place.position += words_at_once / 2;
  }
}
// Spares the division that tells what is left over: for few numbers a look at each is rare enough without it.
template <class T, class Piece>
void below_words(T* out, const std::uint64_t* words, RandomPlace place, std::size_t n, std::uint32_t limit) {
  below_of<true>(out, reinterpret_cast<const Piece*>(words), place, n, limit, limit);
}

// Writes piece i times limit - i, without the lower half. The same numbers as one by one: what may have to be drawn again is.
// The pieces are those from `first` on of a place.
template <bool whole>
void descending(std::uint32_t* out, const std::uint32_t* pieces, RandomPlace place, std::uint64_t first, std::size_t n,
                std::uint32_t limit) {
  constexpr std::size_t in_check = 128;
  for (std::size_t k = 0; k < n; k += in_check) {
    const std::size_t end = n - k < in_check ? n : k + in_check;
    const hn::ScalableTag<std::uint32_t> d;
    const D64 d64;
    auto limits = hn::Sub(hn::Set(d, limit - static_cast<std::uint32_t>(k)), hn::Iota(d, 0));
    const auto step = hn::Set(d, static_cast<std::uint32_t>(hn::Lanes(d)));
    auto missing = hn::Zero(d);
    for (std::size_t i = k; i < end; i += hn::Lanes(d)) {
      // No number is below the limits that come behind the last one.
      if (end - i < hn::Lanes(d)) limits = hn::IfThenElseZero(hn::FirstN(d, end - i), limits);
      const auto products = multiply_words(hn::LoadU(d, pieces + i), limits, hn::ShiftRight<32>(hn::BitCast(d64, limits)));
      missing = hn::Or(missing, hn::Sub(hn::Max(limits, products.rest), products.rest));
      store_first<whole>(d, products.result, out + i, end - i);
      limits = hn::Sub(limits, step);
    }
    const bool again = !hn::AllTrue(d, hn::Eq(missing, hn::Zero(d)));
    for (std::size_t m = k; again && m < end; m++) {
      const std::uint32_t below = limit - static_cast<std::uint32_t>(m), rest = pieces[m] * below;
      if (rest < below && rest < -below % below) out[m] = static_cast<std::uint32_t>(random_below_32(place, first + m, below));
    }
  }
}
void below_descending(std::uint32_t* out, RandomPlace place, std::uint64_t first, std::size_t n, std::uint32_t limit) {
  constexpr std::size_t in_block = 4, at_once = words_at_once * 2;
  HWY_ALIGN std::uint64_t words[words_at_once + room_for_vectors / sizeof(std::uint64_t)];
  for (std::size_t done = 0; done < n;) {
    const std::size_t start = (first + done) % in_block, room = at_once - start;
    const std::size_t count = n - done < room ? n - done : room;
    RandomPlace from = place;
    from.position += (first + done) / in_block;
    const std::size_t used = (start + count + 1) / 2;
    generate_words(words, from, used);
    clear_behind(words, used, std::size(words));
    descending<false>(out + done, reinterpret_cast<const std::uint32_t*>(words) + start, place, first + done, count,
                      limit - static_cast<std::uint32_t>(done));
    done += count;
  }
}
void descending_of(std::uint32_t* out, const std::uint64_t* words, RandomPlace place, std::size_t n, std::uint32_t limit) {
  descending<true>(out, reinterpret_cast<const std::uint32_t*>(words), place, 0, n, limit);
}

// --- from 64 bits each: attempts hardly ever fail

// Says how large a limit may be.
enum class Limit { below_32_bits, upto_42_bits, upto_52_bits, upto_53_bits };
// Products of doubles, rounded but once, take fewer steps than those of integers.
constexpr Limit shortest_above_32_bits = HWY_NATIVE_FMA ? Limit::upto_42_bits : Limit::upto_52_bits;

// The products of pieces with a limit: words that hold the upper halves, and words whose lower halves are the upper quarter of
// the rest.
struct Products {
  V64 result, rest;
};
// For limits below 2^32: the upper half of the product is the upper half of the word.
HWY_INLINE Products multiply_small(V64 v, V64 limit) {
  const V64 low = multiply_low_words(v, limit), high = multiply_low_words(swapped_words(v), limit);
  const V64 sum = hn::Add(high, hn::ShiftRight<32>(low));
  return {sum, sum};
}
// For limits up to 2^53.
HWY_INLINE Products multiply_large(V64 v, V64 limit) {
  const V64 low = hn::Set(D64(), 0xFFFFFFFF);
  const V64 v1 = swapped_words(v), limit1 = hn::ShiftRight<32>(limit);
  const V64 p10 = hn::Add(multiply_low_words(v1, limit), hn::ShiftRight<32>(multiply_low_words(v, limit)));
  const V64 middle = hn::Add(multiply_low_words(v, limit1), hn::And(p10, low));
  const V64 carried = hn::Add(hn::ShiftRight<32>(p10), hn::ShiftRight<32>(middle));
  return {hn::Add(multiply_low_words(v1, limit1), carried), middle};
}

template <Limit size>
HWY_INLINE Products multiply(V64 v, V64 limit) {
  return size == Limit::below_32_bits ? multiply_small(v, limit) : multiply_large(v, limit);
}
// Converts a result, whose bits become the mantissa of a number beside 2^52, or where they are too many of two, beside 2^84 and
// 2^52.
template <Limit size>
HWY_INLINE V64 double_of(V64 v) {
  const D64 d;
  const hn::ScalableTag<double> to;
  const V64 exponent = hn::Set(d, 0x4330000000000000);
  if constexpr (size == Limit::upto_53_bits) {
    const V64 low = hn::Or(hn::And(v, hn::Set(d, 0xFFFFFFFF)), exponent);
    const V64 high = hn::Or(hn::ShiftRight<32>(v), hn::Set(d, 0x4530000000000000));
    const auto upper = hn::Sub(hn::BitCast(to, high), hn::Set(to, 0x1p84 + 0x1p52));
    return hn::BitCast(d, hn::Add(upper, hn::BitCast(to, low)));
  } else {
    const V64 integer = size == Limit::below_32_bits ? hn::ShiftRight<32>(v) : v;
    return hn::BitCast(d, hn::Sub(hn::BitCast(to, hn::Or(integer, exponent)), hn::Set(to, 0x1p52)));
  }
}

#if HWY_NATIVE_FMA
// Multiplies the upper 52 bits of pieces by a limit up to 2^42, as doubles: 2^52 is so large that what is added to it becomes an
// integer. What the lower 12 bits add, and where the rest is below the limit, the product lies near an integer; `centre` is how
// far the fraction of it is from ½.
struct DoubleProducts {
  hn::Vec<hn::ScalableTag<double>> result, centre;
};
HWY_INLINE DoubleProducts multiply_doubles(V64 v, std::uint64_t limit) {
  const D64 d;
  const hn::ScalableTag<double> to;
  const double factor = static_cast<double>(limit);
  const auto above_1 = hn::BitCast(to, hn::Or(hn::ShiftRight<12>(v), hn::Set(d, 0x3FF0000000000000)));
  const auto floor_and_half =
      hn::Sub(hn::MulAdd(above_1, hn::Set(to, factor), hn::Set(to, 0x1p52 - 0.5)), hn::Set(to, 0x1p52 - 0.5));
  return {hn::Sub(floor_and_half, hn::Set(to, factor + 0.5)), hn::Abs(hn::MulSub(above_1, hn::Set(to, factor), floor_and_half))};
}
// Gives how far from ½ a fraction may be.
HWY_INLINE double sure_centre(std::uint64_t limit) { return 0.5 - static_cast<double>(limit) * 0x1p-52; }
#endif

// Stores the results of a vector of blocks.
template <Limit size>
HWY_INLINE void store_results(Products first, Products last, double* out) {
  store_in_order({double_of<size>(first.result), double_of<size>(last.result)}, reinterpret_cast<std::uint64_t*>(out));
}
template <Limit size>
HWY_INLINE void store_results(Products first, Products last, std::int32_t* out) {
  static_assert(size == Limit::below_32_bits);
  const hn::Repartition<std::uint32_t, D64> d32;
  const auto both = hn::OddEven(hn::BitCast(d32, last.result), hn::BitCast(d32, hn::ShiftRight<32>(first.result)));
  hn::StoreU(both, d32, reinterpret_cast<std::uint32_t*>(out));
}

// Writes the products of some pieces, and draws again where the rest is below the threshold.
template <class T>
void multiply_each(const std::uint64_t* pieces, T* out, RandomPlace place, std::size_t first, std::size_t n,
                   std::uint64_t limit) {
  const std::uint64_t threshold = -limit % limit;
  for (std::size_t i = 0; i < n; i++) {
    const __uint128_t product = static_cast<__uint128_t>(pieces[i]) * limit;
    const auto rest = static_cast<std::uint64_t>(product);
    out[first + i] = static_cast<T>(rest < threshold ? random_below_64(place, first + i, limit) : std::uint64_t(product >> 64));
  }
}

template <Limit size, class T>
void below_wide(T* out, RandomPlace place, std::size_t n, std::uint64_t limit) {
  constexpr Stream::Order order = sizeof(T) == 8 ? Stream::Order::interleaved : Stream::Order::lanes;
  // Where a rest is below the threshold, its upper quarter is below this.
  const auto bound = static_cast<std::uint32_t>((-limit % limit >> 32) + 1);
  const auto write = [=]<int groups>(const Halves(&blocks)[groups], std::size_t i, std::size_t count) HWY_ATTR {
    const D64 d;
    const hn::Repartition<std::uint32_t, D64> d32;
    const std::size_t in_vector = 2 * hn::Lanes(d);
#if HWY_NATIVE_FMA
    if (size == Limit::upto_42_bits && count == groups * in_vector) {
      const hn::ScalableTag<double> to;
      auto most = hn::Zero(to);
      for (std::size_t g = 0; g < groups; g++) {
        const DoubleProducts first = multiply_doubles(blocks[g].first, limit), last = multiply_doubles(blocks[g].last, limit);
        most = hn::Max(most, hn::Max(first.centre, last.centre));
        store_in_order({hn::BitCast(d, first.result), hn::BitCast(d, last.result)},
                       reinterpret_cast<std::uint64_t*>(out + i + g * in_vector));
      }
      if (hn::AllTrue(to, hn::Le(most, hn::Set(to, sure_centre(limit))))) [[likely]]
        return;
    }
#endif
    if (size != Limit::upto_42_bits && count == groups * in_vector) {
      const V64 factor = hn::Set(d, limit);
      auto least = hn::Set(d32, UINT32_MAX);
      for (std::size_t g = 0; g < groups; g++) {
        const Products first = multiply<size>(blocks[g].first, factor), last = multiply<size>(blocks[g].last, factor);
        least = hn::Min(least, hn::Min(hn::BitCast(d32, first.rest), hn::BitCast(d32, last.rest)));
        store_results<size>(first, last, out + i + g * in_vector);
      }
      const auto enough = hn::Or(least, hn::BitCast(d32, hn::Set(d, 0xFFFFFFFF00000000)));
      if (hn::AllTrue(d32, hn::Eq(hn::Max(enough, hn::Set(d32, bound)), enough))) [[likely]]
        return;
    }
    HWY_ALIGN std::uint64_t pieces[groups * 2 * hn::MaxLanes(D64())];
    for (std::size_t g = 0; g < groups; g++) {
      if constexpr (order == Stream::Order::interleaved)
        store_in_order(blocks[g], pieces + g * in_vector);
      else
        hn::StoreInterleaved2(blocks[g].first, blocks[g].last, d, pieces + g * in_vector);
    }
    multiply_each(pieces, out, place, i, count, limit);
  };
  for_blocks<usual_groups>(place, n, order, write);
}

// Writes the products of words that are there.
template <Limit size, class T>
void wide_of(T* out, const std::uint64_t* words, RandomPlace place, std::size_t n, std::uint64_t limit) {
  const D64 d;
  const hn::Repartition<std::uint32_t, D64> d32;
  constexpr bool whole = true;
#if HWY_NATIVE_FMA
  if constexpr (size == Limit::upto_42_bits) {
    const hn::ScalableTag<double> to;
    auto most = hn::Zero(to);
    for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
      const DoubleProducts products = multiply_doubles(hn::LoadU(d, words + i), limit);
      most = hn::Max(most, products.centre);
      hn::StoreU(products.result, to, out + i);
    }
    if (!hn::AllTrue(to, hn::Le(most, hn::Set(to, sure_centre(limit))))) [[unlikely]]
      multiply_each(words, out, place, 0, n, limit);
    return;
  }
#endif
  const V64 factor = hn::Set(d, limit);
  const auto bound = hn::Set(d32, static_cast<std::uint32_t>((-limit % limit >> 32) + 1));
  auto least = hn::Set(d32, UINT32_MAX);
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    const Products products = multiply<size>(hn::LoadU(d, words + i), factor);
    least = hn::Min(least, hn::BitCast(d32, products.rest));
    if constexpr (sizeof(T) == 8) {
      store_first<whole>(hn::ScalableTag<double>(), hn::BitCast(hn::ScalableTag<double>(), double_of<size>(products.result)),
                         out + i, n - i);
    } else {
      const hn::Rebind<std::uint32_t, D64> narrow;
      store_first<whole>(narrow, hn::TruncateTo(narrow, hn::ShiftRight<32>(products.result)),
                         reinterpret_cast<std::uint32_t*>(out + i), n - i);
    }
  }
  const auto enough = hn::Or(least, hn::BitCast(d32, hn::Set(d, 0xFFFFFFFF00000000)));
  if (!hn::AllTrue(d32, hn::Eq(hn::Max(enough, bound), enough))) [[unlikely]]
    multiply_each(words, out, place, 0, n, limit);
}

void below_i32_wide(std::int32_t* out, RandomPlace place, std::size_t n, std::uint32_t limit) {
  below_wide<Limit::below_32_bits>(out, place, n, limit);
}
void i32_wide_of(std::int32_t* out, const std::uint64_t* words, RandomPlace place, std::size_t n, std::uint32_t limit) {
  wide_of<Limit::below_32_bits>(out, words, place, n, limit);
}
void below_f64(double* out, RandomPlace place, std::size_t n, std::uint64_t limit) {
  if (limit >> 32 == 0) return below_wide<Limit::below_32_bits>(out, place, n, limit);
  if (limit <= std::uint64_t{1} << 42) return below_wide<shortest_above_32_bits>(out, place, n, limit);
  if (limit <= std::uint64_t{1} << 52) return below_wide<Limit::upto_52_bits>(out, place, n, limit);
  if (limit <= std::uint64_t{1} << 53) return below_wide<Limit::upto_53_bits>(out, place, n, limit);
  for (std::size_t i = 0; i < n; i++) out[i] = static_cast<double>(random_below_64(place, i, limit));
}
void f64_of(double* out, const std::uint64_t* words, RandomPlace place, std::size_t n, std::uint64_t limit) {
  if (limit >> 32 == 0) return wide_of<Limit::below_32_bits>(out, words, place, n, limit);
  if (limit <= std::uint64_t{1} << 42) return wide_of<shortest_above_32_bits>(out, words, place, n, limit);
  if (limit <= std::uint64_t{1} << 52) return wide_of<Limit::upto_52_bits>(out, words, place, n, limit);
  if (limit <= std::uint64_t{1} << 53) return wide_of<Limit::upto_53_bits>(out, words, place, n, limit);
  multiply_each(words, out, place, 0, n, limit);
}

const RandomIntegerKernels* random_below_kernels() {
  static const RandomIntegerKernels kernels = {
      .below_i8 = below<std::int8_t, std::uint16_t>,
      .below_i16 = below<std::int16_t, std::uint32_t>,
      .below_i32 = below<std::int32_t, std::uint32_t>,
      .below_i32_wide = below_i32_wide,
      .below_f64 = below_f64,
      .below_descending = below_descending,
      .i8_of = below_words<std::int8_t, std::uint16_t>,
      .i16_of = below_words<std::int16_t, std::uint32_t>,
      .i32_of = below_words<std::int32_t, std::uint32_t>,
      .i32_wide_of = i32_wide_of,
      .f64_of = f64_of,
      .descending_of = descending_of,
  };
  return &kernels;
}

}  // namespace
}  // namespace random_below_unit
using random_below_unit::random_below_kernels;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(random_below_kernels);
const RandomIntegerKernels& random_integers() { return *HWY_DYNAMIC_DISPATCH(random_below_kernels)(); }

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
