#include "primitives/kernels/scan.h"

#include "primitives/kernels/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "primitives/kernels/scan.cc"
#include "hwy/foreach_target.h"
//
#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "hwy/highway.h"
#include "primitives/kernels/loops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace {

using std::int16_t, std::int32_t, std::int8_t, std::uint64_t, std::uint8_t;

// Entry b holds, as eight bytes, the running sums of the bits of b.
constexpr std::array<uint64_t, 256> byte_sums = [] {
  std::array<uint64_t, 256> sums = {};
  for (unsigned b = 0; b < 256; b++) {
    uint64_t sum = 0;
    for (unsigned i = 0; i < 8; i++) {
      sum += b >> i & 1;
      sums[b] |= sum << (8 * i);
    }
  }
  return sums;
}();

template <class T>
void sum_bits(void* out_bytes, const uint64_t* bits, std::size_t n) {
  T* out = static_cast<T*>(out_bytes);
  const hn::CappedTag<T, 8> d;
  const std::size_t lanes = hn::Lanes(d);
  T before = 0;
  std::size_t i = 0;
  for (; i + 64 <= n; i += 64) {
    uint64_t word = bits[i / 64];
    for (std::size_t k = 0; k < 64; k += 8, word >>= 8) {
      HWY_ALIGN const uint64_t sums = byte_sums[word & 0xFF];
      const int8_t* from = reinterpret_cast<const int8_t*>(&sums);
      const auto base = hn::Set(d, before);
      for (std::size_t j = 0; j < 8; j += lanes) {
        if constexpr (sizeof(T) == 1)
          hn::StoreU(hn::Add(hn::LoadU(d, from + j), base), d, out + i + k + j);
        else
          hn::StoreU(hn::Add(hn::PromoteTo(d, hn::LoadU(hn::Rebind<int8_t, decltype(d)>(), from + j)), base), d, out + i + k + j);
      }
      before = static_cast<T>(before + static_cast<T>(sums >> 56));
    }
  }
  for (; i < n; i++) out[i] = before = static_cast<T>(before + (bits[i / 64] >> (i & 63) & 1));
}

template <class T, bool greatest>
bool extreme_one_by_one(T* out, const T* x, std::size_t n) {
  T best = n != 0 ? x[0] : T{};
  for (std::size_t i = 0; i < n; i++) {
    const bool better = greatest ? x[i] > best : x[i] < best;
    if (better || x[i] != x[i]) best = best != best ? best : x[i];
    out[i] = best;
  }
  return true;
}

#if HWY_TARGET == HWY_SCALAR

std::size_t sum_bytes(int16_t* out, const int8_t* x, std::size_t n, int16_t& carry) {
  for (std::size_t i = 0; i < n; i++) {
    const int next = carry + x[i];
    if (next != static_cast<int16_t>(next)) return i;
    out[i] = carry = static_cast<int16_t>(next);
  }
  return n;
}

template <class T>
std::size_t sum(int32_t* out, const void* bytes, std::size_t n, int32_t& carry) {
  const T* x = static_cast<const T*>(bytes);
  for (std::size_t i = 0; i < n; i++) {
    if (__builtin_add_overflow(carry, static_cast<int32_t>(x[i]), &carry)) {
      carry -= static_cast<int32_t>(x[i]);
      return i;
    }
    out[i] = carry;
  }
  return n;
}

template <class T, bool greatest>
bool extreme(void* out, const void* x, std::size_t n) {
  return extreme_one_by_one<T, greatest>(static_cast<T*>(out), static_cast<const T*>(x), n);
}

#else

// Copies the last lane of each 128-bit block to all lanes of the block.
template <class D, class V>
HWY_INLINE V last_lane(D d, V v) {
  const hn::Repartition<uint8_t, D> bytes;
  constexpr std::size_t size = sizeof(hn::TFromD<D>);
  HWY_ALIGN uint8_t places[16];
  for (std::size_t i = 0; i < 16; i++) places[i] = static_cast<uint8_t>(16 - size + i % size);
  return hn::BitCast(d, hn::TableLookupBytes(hn::BitCast(bytes, v), hn::LoadDup128(bytes, places)));
}

template <class V>
HWY_INLINE V overflow_sign(V a, V b, V r) {
  return hn::And(hn::Xor(a, r), hn::Xor(b, r));
}

// Sums within a vector, whose lanes may be one 128-bit block or two, and adds to `bad` signs where that overflows.
template <bool checked, class D, class V>
HWY_INLINE V sums_within(D d, V v, V& bad) {
  const auto plus = [&](V a, V b) HWY_ATTR {
    const V r = hn::Add(a, b);
    if constexpr (checked) bad = hn::Or(bad, overflow_sign(a, b, r));
    return r;
  };
  v = plus(v, hn::ShiftLeftLanes<1>(d, v));
  v = plus(v, hn::ShiftLeftLanes<2>(d, v));
  if constexpr (hn::MaxLanes(D()) == 8) v = plus(v, hn::ConcatLowerLower(d, last_lane(d, v), hn::Zero(d)));
  return v;
}
template <class D, class V>
HWY_INLINE V last_of_all(D d, V v) {
  const V last = last_lane(d, v);
  if constexpr (hn::MaxLanes(D()) == 8)
    return hn::ConcatUpperUpper(d, last, last);
  else
    return last;
}

// Gives the running sums of 16 bytes in lanes of 16 bits: one vector of 16 lanes, or two of eight.
template <class D>
HWY_INLINE void byte_sums_within(D d, const int8_t* x, hn::Vec<D>* sums) {
  constexpr std::size_t lanes = hn::MaxLanes(D());
  const hn::Rebind<int8_t, D> narrow;
  for (std::size_t k = 0; k < 16 / lanes; k++) {
    auto v = hn::PromoteTo(d, hn::LoadU(narrow, x + k * lanes));
    v = hn::Add(v, hn::ShiftLeftLanes<1>(d, v));
    v = hn::Add(v, hn::ShiftLeftLanes<2>(d, v));
    v = hn::Add(v, hn::ShiftLeftLanes<4>(d, v));
    if constexpr (lanes == 16) v = hn::Add(v, hn::ConcatLowerLower(d, last_lane(d, v), hn::Zero(d)));
    sums[k] = k == 0 ? v : hn::Add(v, last_lane(d, sums[0]));
  }
}

std::size_t sum_bytes(int16_t* out, const int8_t* x, std::size_t n, int16_t& carry) {
  const hn::CappedTag<int16_t, 16> d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t lanes = hn::MaxLanes(decltype(d)()), parts = 16 / lanes, stretch = 64;
  constexpr int room = 128 * stretch;
  std::size_t i = 0;
  while (i + stretch <= n && carry < 32767 - room && carry > -32768 + room) {
    V before = hn::Set(d, carry);
    for (const std::size_t end = i + stretch; i < end; i += 16) {
      V sums[parts];
      byte_sums_within(d, x + i, sums);
      for (std::size_t k = 0; k < parts; k++) hn::StoreU(hn::Add(sums[k], before), d, out + i + k * lanes);
      V last = last_lane(d, sums[parts - 1]);
      if constexpr (lanes == 16) last = hn::ConcatUpperUpper(d, last, last);
      before = hn::Add(before, last);
    }
    carry = hn::GetLane(before);
  }
  for (const std::size_t end = std::min(n, i + stretch); i < end; i++) {
    const int next = carry + x[i];
    if (next != static_cast<int16_t>(next)) return i;
    out[i] = carry = static_cast<int16_t>(next);
  }
  return i;
}

// Only one addition a vector waits for the vector before.
template <class T>
std::size_t sum(int32_t* out, const void* bytes, std::size_t n, int32_t& carry_out) {
  using D = hn::CappedTag<int32_t, 8>;
  using V = hn::Vec<D>;
  const D d;
  const hn::Rebind<T, D> narrow;
  constexpr std::size_t lanes = hn::MaxLanes(D());
  const T* x = static_cast<const T*>(bytes);
  V carry = hn::Set(d, carry_out);
  const auto load = [&](const T* from) HWY_ATTR {
    if constexpr (sizeof(T) == 4)
      return hn::LoadU(d, from);
    else
      return hn::PromoteTo(d, hn::LoadU(narrow, from));
  };
  std::size_t i = 0;
  if constexpr (sizeof(T) < 4) {
    // Narrow elements cannot overflow for a while where the sum so far is far from the limits.
    constexpr std::size_t stretch = 256;
    constexpr int32_t room = static_cast<int32_t>(stretch << 15);
    while (i + stretch <= n) {
      const int32_t so_far = hn::GetLane(carry);
      if (so_far > std::numeric_limits<int32_t>::max() - room || so_far < std::numeric_limits<int32_t>::min() + room) break;
      if constexpr (sizeof(T) == 1) {
        const hn::CappedTag<int16_t, 16> middle;
        constexpr std::size_t parts = 16 / hn::MaxLanes(decltype(middle)());
        const hn::Half<decltype(middle)> half;
        for (const std::size_t end = i + stretch; i < end; i += 16) {
          hn::Vec<decltype(middle)> sums[parts];
          byte_sums_within(middle, x + i, sums);
          V upper = carry;
          for (std::size_t k = 0; k < parts; k++) {
            upper = hn::PromoteTo(d, hn::UpperHalf(half, sums[k]));
            hn::StoreU(hn::Add(hn::PromoteTo(d, hn::LowerHalf(half, sums[k])), carry), d, out + i + 2 * k * lanes);
            hn::StoreU(hn::Add(upper, carry), d, out + i + (2 * k + 1) * lanes);
          }
          carry = hn::Add(carry, last_of_all(d, upper));
        }
        continue;
      }
      for (const std::size_t end = i + stretch; i < end; i += lanes) {
        V bad = hn::Zero(d);
        const V local = sums_within<false>(d, load(x + i), bad);
        hn::StoreU(hn::Add(local, carry), d, out + i);
        carry = hn::Add(carry, last_of_all(d, local));
      }
    }
  }
  while (i < n) {
    const std::size_t count = n - i < lanes ? n - i : lanes;
    V v;
    if (count == lanes) {
      v = load(x + i);
    } else {
      HWY_ALIGN int32_t part[lanes] = {};
      for (std::size_t k = 0; k < count; k++) part[k] = x[i + k];
      v = hn::Load(d, part);
    }
    V bad = hn::Zero(d);
    const V local = sums_within<true>(d, v, bad), all = hn::Add(local, carry);
    bad = hn::Or(bad, overflow_sign(local, carry, all));
    if (!hn::AllFalse(d, hn::Lt(bad, hn::Zero(d)))) break;
    carry = hn::Add(carry, last_of_all(d, local));
    if (count == lanes) {
      hn::StoreU(all, d, out + i);
    } else {
      HWY_ALIGN int32_t part[lanes];
      hn::Store(all, d, part);
      for (std::size_t k = 0; k < count; k++) out[i + k] = part[k];
    }
    i += count;
  }
  carry_out = hn::GetLane(carry);
  return i;
}

template <class T>
constexpr T never_best(bool greatest) {
  using L = std::numeric_limits<T>;
  if (L::has_infinity) return greatest ? -L::infinity() : L::infinity();
  return greatest ? L::lowest() : L::max();
}

// Gives the vectors that shifts by 1, 2, 4 and 8 lanes are completed with: lanes left empty take a value that is never best.
template <class T, bool greatest>
struct NeverBest {
  static constexpr std::size_t lanes = 16 / sizeof(T);
  alignas(16) T before[4][lanes];
  constexpr NeverBest() : before() {
    for (std::size_t step = 0; step < 4; step++)
      for (std::size_t k = 0; k < lanes; k++) before[step][k] = k < (std::size_t{1} << step) ? never_best<T>(greatest) : T{};
  }
};

// Scans n elements, 128 bits at a time, onto `so_far`.
template <class T, bool greatest>
T extreme_by_blocks(T* out, const T* x, std::size_t n, T so_far) {
  using D = hn::CappedTag<T, 16 / sizeof(T)>;
  using V = hn::Vec<D>;
  constexpr std::size_t lanes = 16 / sizeof(T);
  static constexpr NeverBest<T, greatest> never;
  const D d;
  const auto better = [](V a, V b) HWY_ATTR { return greatest ? hn::Max(a, b) : hn::Min(a, b); };
  HWY_ALIGN T part[lanes];
  const V empty[4] = {hn::Load(d, never.before[0]), hn::Load(d, never.before[1]), hn::Load(d, never.before[2]),
                      hn::Load(d, never.before[3])};
  V carry = hn::Set(d, so_far);
  for (std::size_t i = 0; i < n; i += lanes) {
    const std::size_t count = n - i < lanes ? n - i : lanes;
    V v;
    if (count == lanes) {
      v = hn::LoadU(d, x + i);
    } else {
      for (std::size_t k = 0; k < lanes; k++) part[k] = x[k < count ? i + k : n - 1];
      v = hn::Load(d, part);
    }
    v = better(v, hn::Or(hn::ShiftLeftLanes<1>(d, v), empty[0]));
    if constexpr (lanes > 2) v = better(v, hn::Or(hn::ShiftLeftLanes<2>(d, v), empty[1]));
    if constexpr (lanes > 4) v = better(v, hn::Or(hn::ShiftLeftLanes<4>(d, v), empty[2]));
    if constexpr (lanes > 8) v = better(v, hn::Or(hn::ShiftLeftLanes<8>(d, v), empty[3]));
    const V all = better(carry, v);
    carry = better(carry, last_lane(d, v));
    if (count == lanes) {
      hn::StoreU(all, d, out + i);
    } else {
      hn::Store(all, d, part);
      std::memcpy(out + i, part, count * sizeof(T));
    }
  }
  return hn::GetLane(carry);
}

template <class T, bool greatest>
bool extreme(void* out_bytes, const void* bytes, std::size_t n) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d), stretch = 4 * lanes;
  const T* x = static_cast<const T*>(bytes);
  T* out = static_cast<T*>(out_bytes);
  T best = never_best<T>(greatest);
  std::size_t i = 0;
  // A NaN is no worse than anything.
  const auto is_worse = [](auto v, auto than) HWY_ATTR {
    if constexpr (std::is_floating_point_v<T>)
      return greatest ? hn::Le(v, than) : hn::Ge(v, than);
    else
      return hn::Not(greatest ? hn::Lt(than, v) : hn::Lt(v, than));
  };
  const auto scan_vector = [&](std::size_t k) HWY_ATTR {
    const auto so_far = hn::Set(d, best);
    if (hn::AllTrue(d, is_worse(hn::LoadU(d, x + k), so_far)))
      hn::StoreU(so_far, d, out + k);
    else
      best = extreme_by_blocks<T, greatest>(out + k, x + k, lanes, best);
  };
  for (; i + stretch <= n; i += stretch) {
    const auto v0 = hn::LoadU(d, x + i), v1 = hn::LoadU(d, x + i + lanes);
    const auto v2 = hn::LoadU(d, x + i + 2 * lanes), v3 = hn::LoadU(d, x + i + 3 * lanes);
    // Most stretches of most data hold no new best.
    const auto so_far = hn::Set(d, best);
    const auto worse =
        hn::And(hn::And(is_worse(v0, so_far), is_worse(v1, so_far)), hn::And(is_worse(v2, so_far), is_worse(v3, so_far)));
    if (hn::AllTrue(d, worse)) {
      for (std::size_t k = 0; k < stretch; k += lanes) hn::StoreU(so_far, d, out + i + k);
      continue;
    }
    if constexpr (std::is_floating_point_v<T>) {
      const auto number01 = hn::And(hn::Eq(v0, v0), hn::Eq(v1, v1)), number23 = hn::And(hn::Eq(v2, v2), hn::Eq(v3, v3));
      if (!hn::AllTrue(d, hn::And(number01, number23))) return extreme_one_by_one<T, greatest>(out, x, n);
    }
    for (std::size_t k = i; k < i + stretch; k += lanes) scan_vector(k);
  }
  for (; i + lanes <= n; i += lanes) {
    if constexpr (std::is_floating_point_v<T>) {
      const auto v = hn::LoadU(d, x + i);
      if (!hn::AllTrue(d, hn::Eq(v, v))) return extreme_one_by_one<T, greatest>(out, x, n);
    }
    scan_vector(i);
  }
  if constexpr (std::is_floating_point_v<T>) {
    for (std::size_t k = i; k < n; k++)
      if (x[k] != x[k]) return extreme_one_by_one<T, greatest>(out, x, n);
  }
  extreme_by_blocks<T, greatest>(out + i, x + i, n - i, best);
  return true;
}

#endif

bool all_byte_sums(void* out, const void* x, std::size_t n) {
  int16_t carry = 0;
  return sum_bytes(static_cast<int16_t*>(out), static_cast<const int8_t*>(x), n, carry) == n;
}
template <class T>
bool all_sums(void* out, const void* x, std::size_t n) {
  int32_t carry = 0;
  return sum<T>(static_cast<int32_t*>(out), x, n, carry) == n;
}

// --- down columns

struct RunningSum {
  template <class V>
  static HWY_INLINE V of(V so_far, V v) {
    return hn::Add(so_far, v);
  }
};
template <bool greatest>
struct RunningBest {
  template <class V>
  static HWY_INLINE V of(V so_far, V v) {
    return extreme_of<greatest>(so_far, v);
  }
};

// Scans one vector of columns through all rows. False where a checked sum overflows.
template <class In, class Op, bool checked>
HWY_INLINE bool scan_strip(hn::TFromD<typename In::D>* out, const typename In::Memory* x, std::size_t rows, std::size_t stride) {
  const typename In::D d;
  auto so_far = In::load(x);
  auto bad = hn::Zero(d);
  hn::StoreU(so_far, d, out);
  for (std::size_t r = 1; r < rows; r++) {
    const auto v = In::load(x + r * stride);
    const auto next = Op::of(so_far, v);
    if constexpr (checked) bad = hn::Or(bad, hn::And(hn::Xor(so_far, next), hn::Xor(v, next)));
    so_far = next;
    hn::StoreU(so_far, d, out + r * stride);
  }
  if constexpr (checked)
    return hn::AllFalse(d, hn::Lt(bad, hn::Zero(d)));
  else
    return true;
}

template <class In, class Op, bool checked = false>
bool scan_columns(void* out_bytes, const void* x_bytes, std::size_t rows, std::size_t columns) {
  using Result = hn::TFromD<typename In::D>;
  using Memory = typename In::Memory;
  Result* out = static_cast<Result*>(out_bytes);
  const Memory* x = static_cast<const Memory*>(x_bytes);
  const std::size_t lanes = In::count();
  std::size_t j = 0;
  for (; j + lanes <= columns; j += lanes)
    if (!scan_strip<In, Op, checked>(out + j, x + j, rows, columns)) return false;
  if (j == columns) return true;
  // Carries the columns left over in one vector; rows go through a buffer.
  const typename In::D d;
  const std::size_t rest = columns - j;
  auto so_far = load_few<In>(x + j, rest);
  auto bad = hn::Zero(d);
  HWY_ALIGN Result part[hn::MaxLanes(typename In::D())];
  for (std::size_t r = 0; r < rows; r++) {
    if (r != 0) {
      const auto v = load_few<In>(x + r * columns + j, rest);
      const auto next = Op::of(so_far, v);
      if constexpr (checked) bad = hn::Or(bad, hn::And(hn::Xor(so_far, next), hn::Xor(v, next)));
      so_far = next;
    }
    hn::Store(so_far, d, part);
    std::memcpy(out + r * columns + j, part, rest * sizeof(Result));
  }
  if constexpr (checked)
    return hn::AllFalse(d, hn::Lt(bad, hn::Zero(d)));
  else
    return true;
}

const ScanKernels* table() {
  static constexpr ScanKernels kernels = {
      .sum = {sum<int8_t>, sum<int16_t>, sum<int32_t>},
      .sum_bytes = sum_bytes,
      .sum_bits = {sum_bits<int8_t>, sum_bits<int16_t>, sum_bits<int32_t>},
      .all_sums = {all_byte_sums, all_sums<int16_t>, all_sums<int32_t>},
      .minimum = {extreme<int8_t, false>, extreme<int16_t, false>, extreme<int32_t, false>, extreme<double, false>},
      .maximum = {extreme<int8_t, true>, extreme<int16_t, true>, extreme<int32_t, true>, extreme<double, true>},
      .sum_columns = {scan_columns<Lanes<int8_t, int32_t>, RunningSum, true>,
                      scan_columns<Lanes<int16_t, int32_t>, RunningSum, true>, scan_columns<Lanes<int32_t>, RunningSum, true>,
                      scan_columns<Lanes<double>, RunningSum>},
      .sum_columns_f64 = {scan_columns<Lanes<int8_t, double>, RunningSum>, scan_columns<Lanes<int16_t, double>, RunningSum>,
                          scan_columns<Lanes<int32_t, double>, RunningSum>},
      .minimum_columns = {scan_columns<Lanes<int8_t>, RunningBest<false>>, scan_columns<Lanes<int16_t>, RunningBest<false>>,
                          scan_columns<Lanes<int32_t>, RunningBest<false>>, scan_columns<Lanes<double>, RunningBest<false>>},
      .maximum_columns = {scan_columns<Lanes<int8_t>, RunningBest<true>>, scan_columns<Lanes<int16_t>, RunningBest<true>>,
                          scan_columns<Lanes<int32_t>, RunningBest<true>>, scan_columns<Lanes<double>, RunningBest<true>>},
  };
  return &kernels;
}

}  // namespace
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <cstring>

namespace griddle::kernels {
HWY_EXPORT(table);
const ScanKernels& scan() { return *HWY_DYNAMIC_DISPATCH(table)(); }
}  // namespace griddle::kernels
#endif
