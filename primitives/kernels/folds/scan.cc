#include "primitives/kernels/folds/scan.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "hwy/highway.h"
#include "primitives/kernels/shared/across_lanes-inl.h"
#include "primitives/kernels/shared/loops-inl.h"
#include "primitives/kernels/shared/past_caches-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace scan_unit {
namespace {

using std::int16_t, std::int32_t, std::int64_t, std::int8_t, std::uint64_t, std::uint8_t;

// Sums within each block.
template <class D, class V>
HWY_INLINE V sums_in_blocks(D d, V v) {
  v = hn::Add(v, hn::ShiftLeftLanes<1>(d, v));
  v = hn::Add(v, hn::ShiftLeftLanes<2>(d, v));
  if constexpr (sizeof(hn::TFromD<D>) == 2) v = hn::Add(v, hn::ShiftLeftLanes<4>(d, v));
  return v;
}

// Gives the second of each pair of neighbours, which lie in lanes twice as wide.
template <class D, class V>
HWY_INLINE V odd_of_pairs(D, V both) {
  return hn::ShiftRight<4 * sizeof(hn::TFromD<D>)>(both);
}

// Sums all lanes up to each; gives the last sum in all lanes.
template <class D, class V>
HWY_INLINE V sum_lanes(D d, V& v) {
  v = sums_in_blocks(d, v);
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  if constexpr (sizeof(V) == 64) {
    static constexpr BlockEnds<hn::TFromD<D> > ends;
    const hn::RebindToUnsigned<D> places;
    // Blocks that have none before them get nothing.
    using Bits = decltype(hn::Mask<D>::raw);
    constexpr uint64_t all = ~uint64_t{0};
    constexpr std::size_t block = 16 / sizeof(hn::TFromD<D>);
    v = hn::Add(v, lanes_from(d, v, hn::Load(places, ends.before[0]), hn::Mask<D>{static_cast<Bits>(all << block)}));
    v = hn::Add(v, lanes_from(d, v, hn::Load(places, ends.before[1]), hn::Mask<D>{static_cast<Bits>(all << 2 * block)}));
    return lanes_from(d, v, hn::Load(places, ends.last));
  }
#endif
  const V total = last_lane(d, v);
  if constexpr (sizeof(V) != 32) return total;
  v = hn::Add(v, hn::ConcatLowerLower(d, total, hn::Zero(d)));
  return hn::Add(total, hn::ConcatLowerUpper(d, total, total));
}

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL

// Says where the lanes of two vectors lie when these are taken in turn; those of the second follow those of the first.
template <class T>
struct InTurn {
  static constexpr std::size_t lanes = 64 / sizeof(T);
  alignas(64) hwy::MakeUnsigned<T> places[2][lanes];
  constexpr InTurn() : places() {
    for (std::size_t i = 0; i < 2 * lanes; i++)
      places[i / lanes][i % lanes] = static_cast<hwy::MakeUnsigned<T> >(i / 2 + i % 2 * lanes);
  }
};

template <class D, class V>
HWY_INLINE V lanes_in_turn(D, V even, V odd, int half) {
  static constexpr InTurn<hn::TFromD<D> > in_turn;
  const __m512i from = hn::Load(hn::RebindToUnsigned<D>(), in_turn.places[half]).raw;
  if constexpr (sizeof(hn::TFromD<D>) == 2)
    return V{_mm512_permutex2var_epi16(even.raw, from, odd.raw)};
  else
    return V{_mm512_permutex2var_epi32(even.raw, from, odd.raw)};
}

#endif

// Stores lanes of two vectors in turn.
template <class D, class V>
HWY_INLINE void store_in_turn(D d, V even, V odd, hn::TFromD<D>* to, bool past_caches) {
  V lower = even, upper = odd;
  if constexpr (sizeof(V) <= 32) {
    lower = hn::InterleaveLower(d, even, odd);
    upper = hn::InterleaveUpper(d, even, odd);
  }
  if constexpr (sizeof(V) == 32) {
    const V first = lower;
    lower = hn::ConcatLowerLower(d, upper, first);
    upper = hn::ConcatUpperUpper(d, upper, first);
  }
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  if constexpr (sizeof(V) == 64) {
    lower = lanes_in_turn(d, even, odd, 0);
    upper = lanes_in_turn(d, even, odd, 1);
  }
#endif
  store(past_caches, lower, d, to);
  store(past_caches, upper, d, to + hn::MaxLanes(D()));
}

// Sums vector by vector. `carry` is in all lanes of a vector of W; elements are of W or half as wide.
template <class T, class D, class V>
HWY_INLINE void sum_vectors(D d, hn::TFromD<D>* out, const T* x, std::size_t count, V& carry, bool past_caches = false) {
  const hn::Repartition<T, D> narrow;
  constexpr bool in_pairs = sizeof(T) < sizeof(hn::TFromD<D>);
  constexpr std::size_t lanes = hn::MaxLanes(d);
  for (std::size_t i = 0; i < count; i += (in_pairs ? 2 : 1) * lanes) {
    const V both = hn::BitCast(d, hn::LoadU(narrow, x + i));
    V v = both;
    if constexpr (in_pairs) v = pair_sums(d, both);
    const V total = sum_lanes(d, v);
    v = hn::Add(v, carry);
    carry = hn::Add(carry, total);
    if constexpr (in_pairs)
      store_in_turn(d, hn::Sub(v, odd_of_pairs(d, both)), v, out + i, past_caches);
    else
      store(past_caches, v, d, out + i);
  }
}

// Does the same for both halves side by side, one in the lower and one in the upper blocks, which then need nothing of each
// other: the second half starts from the sum of the first.
template <class T, class D, class V>
HWY_INLINE void sum_halves(D d, hn::TFromD<D>* out, const T* x, std::size_t count, V& carry, bool past_caches) {
  const hn::Repartition<T, D> narrow;
  const hn::Half<decltype(narrow)> narrow_half;
  const hn::Half<D> half;
  constexpr bool in_pairs = sizeof(T) < sizeof(hn::TFromD<D>);
  constexpr std::size_t step = 16 / sizeof(T), block = 16 / sizeof(hn::TFromD<D>);
  const std::size_t middle = count / 2;
  const auto paired = [=](V v) HWY_ATTR {
    if constexpr (in_pairs)
      return pair_sums(d, v);
    else
      return v;
  };
  V first = hn::Zero(d);
  for (std::size_t i = 0; i < middle; i += 2 * step) first = hn::Add(first, paired(hn::BitCast(d, hn::LoadU(narrow, x + i))));
  first = last_lane(d, sums_in_blocks(d, first));
  first = hn::Add(first, hn::ConcatLowerUpper(d, first, first));
  carry = hn::Add(carry, hn::ConcatUpperLower(d, first, hn::Zero(d)));
  for (std::size_t i = 0; i < middle; i += step) {
    const V both = hn::BitCast(d, hn::Combine(narrow, hn::LoadU(narrow_half, x + middle + i), hn::LoadU(narrow_half, x + i)));
    V v = sums_in_blocks(d, paired(both));
    const V total = last_lane(d, v);
    v = hn::Add(v, carry);
    carry = hn::Add(carry, total);
    const auto store_both = [=](V results, std::size_t at) HWY_ATTR {
      store(past_caches, hn::LowerHalf(half, results), half, out + at);
      store(past_caches, hn::UpperHalf(half, results), half, out + middle + at);
    };
    if constexpr (in_pairs) {
      const V earlier = hn::Sub(v, odd_of_pairs(d, both));
      store_both(hn::InterleaveLower(d, earlier, v), i);
      store_both(hn::InterleaveUpper(d, earlier, v), i + block);
    } else {
      store_both(v, i);
    }
  }
  carry = hn::ConcatUpperUpper(d, carry, carry);
}

// Sums `count` elements where that cannot overflow: whole vectors of sums, or of elements of half their width.
template <class T, class D, class V>
HWY_INLINE void sum_stretch(D d, hn::TFromD<D>* out, const T* x, std::size_t count, V& carry, bool past_caches = false) {
  if constexpr (sizeof(V) == 32) {
    if (count % (64 / sizeof(T)) == 0) return sum_halves<T>(d, out, x, count, carry, past_caches);
    past_caches = false;
  }
  sum_vectors<T>(d, out, x, count, carry, past_caches);
}

// Sums in vectors of D.
template <class D>
HWY_INLINE std::size_t sum_bytes_in(D d, int16_t* out, const int8_t* x, std::size_t n, int16_t& carry) {
  using V = hn::Vec<D>;
  constexpr std::size_t step = 2 * hn::MaxLanes(D()), stretch = 128;
  constexpr int room = 128 * stretch;
  const auto has_room = [](int so_far) { return so_far < 32767 - room && so_far > -32768 + room; };
  V so_far = hn::Set(d, carry);
  std::size_t i = 0;
  while (i + step <= n && has_room(carry)) {
    const std::size_t count = std::min<std::size_t>(stretch, (n - i) / step * step);
    sum_stretch(d, out + i, x + i, count, so_far);
    i += count;
    carry = hn::GetLane(so_far);
  }
  if (i != n && i >= step && has_room(carry)) {
    // Sums once more some that were summed.
    so_far = hn::Set(d, out[n - step - 1]);
    sum_vectors(d, out + n - step, x + n - step, step, so_far);
    carry = hn::GetLane(so_far);
    return n;
  }
  // Many more would rarely fit.
  if (n - i > stretch) return i;
  for (; i < n; i++) {
    const int next = carry + x[i];
    if (next != static_cast<int16_t>(next)) return i;
    out[i] = carry = static_cast<int16_t>(next);
  }
  return i;
}

// Sums to i32; `count` bytes are summed to i16 first, at most 256 of them.
template <class T, class D, class V>
HWY_INLINE void sum_to_i32(D d, int32_t* out, const T* x, std::size_t count, V& carry, bool past_caches) {
  if constexpr (sizeof(T) > 1) {
    sum_stretch(d, out, x, count, carry, past_caches);
  } else {
    const hn::Repartition<int16_t, D> narrow;
    HWY_ALIGN int16_t sums[256];
    auto so_far = hn::Zero(narrow);
    sum_stretch(narrow, sums, x, count, so_far);
    const hn::Rebind<int16_t, D> part;
    for (std::size_t i = 0; i < count; i += hn::MaxLanes(d))
      store(past_caches, hn::Add(hn::PromoteTo(d, hn::Load(part, sums + i)), carry), d, out + i);
    carry = hn::Add(carry, hn::Set(d, sums[count - 1]));
  }
}

// Tells whether no sum of up to `count` elements onto `so_far` overflows, by their extremes.
template <class T, class D>
HWY_INLINE bool sums_fit([[maybe_unused]] D d, [[maybe_unused]] const T* x, std::size_t count, int32_t so_far) {
  using L = std::numeric_limits<int32_t>;
  int64_t least = std::numeric_limits<T>::min(), greatest = std::numeric_limits<T>::max();
  if constexpr (sizeof(T) == 4) {
    auto low = hn::Zero(d), high = low;
    for (std::size_t i = 0; i < count; i += hn::MaxLanes(D())) {
      const auto v = hn::LoadU(d, x + i);
      low = hn::Min(low, v);
      high = hn::Max(high, v);
    }
    least = hn::GetLane(hn::MinOfLanes(d, low));
    greatest = hn::GetLane(hn::MaxOfLanes(d, high));
  }
  const int64_t n = static_cast<int64_t>(count);
  return so_far + n * least >= L::min() && so_far + n * greatest <= L::max();
}

template <class T, class D>
HWY_INLINE std::size_t sum_in(D d, int32_t* out, const T* x, std::size_t n, int32_t& carry) {
  using V = hn::Vec<D>;
  constexpr std::size_t step = hn::MaxLanes(D()) * 4 / sizeof(T), stretch = 256;
  const bool past_caches = goes_past_caches(out, x, n * sizeof(int32_t));
  V so_far = hn::Set(d, carry);
  std::size_t i = 0;
  while (i < n) {
    if (const std::size_t count = std::min(stretch, (n - i) / step * step); count != 0 && sums_fit(d, x + i, count, carry)) {
      sum_to_i32(d, out + i, x + i, count, so_far, past_caches);
      carry = hn::GetLane(so_far);
      i += count;
      continue;
    }
    if (n - i < step && i >= step && sums_fit(d, x + n - step, step, out[n - step - 1])) {
      // Sums once more some that were summed.
      so_far = hn::Set(d, out[n - step - 1]);
      sum_to_i32(d, out + n - step, x + n - step, step, so_far, false);
      carry = hn::GetLane(so_far);
      return n;
    }
    for (const std::size_t end = std::min(n, i + step); i < end; i++) {
      int32_t next;
      if (__builtin_add_overflow(carry, static_cast<int32_t>(x[i]), &next)) return i;
      out[i] = carry = next;
    }
    so_far = hn::Set(d, carry);
  }
  return n;
}

// Short lists fill no wide vectors.
std::size_t sum_bytes(int16_t* out, const int8_t* x, std::size_t n, int16_t& carry) {
  const hn::ScalableTag<int16_t> wide;
  if (2 * hn::Lanes(wide) <= n) return sum_bytes_in(wide, out, x, n, carry);
  return sum_bytes_in(Blocks<int16_t>(), out, x, n, carry);
}
template <class T>
std::size_t sum(int32_t* out, const void* x, std::size_t n, int32_t& carry) {
  const hn::ScalableTag<int32_t> wide;
  if (hn::Lanes(wide) * 4 / sizeof(T) <= n) return sum_in(wide, out, static_cast<const T*>(x), n, carry);
  return sum_in(Blocks<int32_t>(), out, static_cast<const T*>(x), n, carry);
}

bool all_byte_sums(void* out, const void* x, std::size_t n) {
  int16_t carry = 0;
  return sum_bytes(static_cast<int16_t*>(out), static_cast<const int8_t*>(x), n, carry) == n;
}
template <class T>
bool all_sums(void* out, const void* x, std::size_t n) {
  int32_t carry = 0;
  return sum<T>(static_cast<int32_t*>(out), x, n, carry) == n;
}

const ScanKernels* scan_kernels() {
  static constexpr ScanKernels kernels = {
      .sum = {sum<int8_t>, sum<int16_t>, sum<int32_t>},
      .sum_bytes = sum_bytes,
      .all_sums = {all_byte_sums, all_sums<int16_t>, all_sums<int32_t>},
  };
  return &kernels;
}

}  // namespace
}  // namespace scan_unit
using scan_unit::scan_kernels;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(scan_kernels);
const ScanKernels& scan() { return *HWY_DYNAMIC_DISPATCH(scan_kernels)(); }
}  // namespace griddle::kernels
#endif
