#include "primitives/kernels/scan.h"

#include "primitives/kernels/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "primitives/kernels/scan.cc"
#include "hwy/foreach_target.h"
//
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

#if HWY_TARGET == HWY_SCALAR

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
bool extreme(void* out_bytes, const void* bytes, std::size_t n) {
  const T* x = static_cast<const T*>(bytes);
  T* out = static_cast<T*>(out_bytes);
  bool sound = true;
  T best = n != 0 ? x[0] : T{};
  for (std::size_t i = 0; i < n; i++) {
    if (x[i] != x[i]) sound = false;
    best = (greatest ? x[i] > best : x[i] < best) ? x[i] : best;
    out[i] = best;
  }
  return sound;
}

void exclusive_or(uint64_t* out, const uint64_t* bits, std::size_t n, uint64_t flip) {
  uint64_t carry = 0;
  for (std::size_t i = 0; i < (n + 63) / 64; i++) {
    uint64_t word = bits[i];
    for (unsigned shift = 1; shift < 64; shift *= 2) word ^= word << shift;
    word ^= carry;
    carry = word >> 63 ? ~uint64_t{0} : 0;
    out[i] = word ^ flip;
  }
}

#else

// Copies the last lane of a 128-bit vector to all lanes.
template <class D, class V>
HWY_INLINE V last_lane(D d, V v) {
  const hn::Repartition<uint8_t, D> bytes;
  constexpr std::size_t size = sizeof(hn::TFromD<D>);
  HWY_ALIGN uint8_t places[16];
  for (std::size_t i = 0; i < 16; i++) places[i] = static_cast<uint8_t>(16 - size + i % size);
  return hn::BitCast(d, hn::TableLookupBytes(hn::BitCast(bytes, v), hn::Load(bytes, places)));
}

// Widths of 128 bits: shifts across lanes are cheap, and only one addition a vector waits for the vector before.
template <class T>
std::size_t sum(int32_t* out, const void* bytes, std::size_t n, int32_t& carry_out) {
  using D = hn::CappedTag<int32_t, 4>;
  const D d;
  const hn::Rebind<T, D> narrow;
  const T* x = static_cast<const T*>(bytes);
  auto carry = hn::Set(d, carry_out);
  const auto overflowed = [&](auto a, auto b, auto r) HWY_ATTR { return hn::And(hn::Xor(a, r), hn::Xor(b, r)); };
  std::size_t i = 0;
  while (i < n) {
    auto v = hn::Zero(d);
    const std::size_t count = n - i < 4 ? n - i : 4;
    if (count == 4) {
      if constexpr (sizeof(T) == 4)
        v = hn::LoadU(d, x + i);
      else
        v = hn::PromoteTo(d, hn::LoadU(narrow, x + i));
    } else {
      HWY_ALIGN int32_t part[4] = {};
      for (std::size_t k = 0; k < count; k++) part[k] = x[i + k];
      v = hn::Load(d, part);
    }
    const auto shifted = hn::ShiftLeftLanes<1>(d, v);
    const auto pairs = hn::Add(v, shifted);
    const auto shifted_pairs = hn::ShiftLeftLanes<2>(d, pairs);
    const auto local = hn::Add(pairs, shifted_pairs);
    const auto all = hn::Add(local, carry);
    auto bad = overflowed(local, carry, all);
    if constexpr (sizeof(T) == 4)
      bad = hn::Or(bad, hn::Or(overflowed(v, shifted, pairs), overflowed(pairs, shifted_pairs, local)));
    if (!hn::AllFalse(d, hn::Lt(bad, hn::Zero(d)))) break;
    carry = hn::Add(carry, last_lane(d, local));
    if (count == 4) {
      hn::StoreU(all, d, out + i);
    } else {
      HWY_ALIGN int32_t part[4];
      hn::Store(all, d, part);
      for (std::size_t k = 0; k < count; k++) out[i + k] = part[k];
    }
    i += count;
  }
  carry_out = hn::GetLane(carry);
  return i;
}

template <bool greatest, class V>
HWY_INLINE V better(V w, V x) {
  if constexpr (greatest)
    return hn::Max(x, w);
  else
    return hn::Min(x, w);
}

// Takes each lane and the one `distance` before it; lanes that have none take a value that never wins.
template <int distance, bool greatest, class D, class V>
HWY_INLINE V combined(D d, V v, const V* never) {
  return better<greatest>(hn::Or(hn::ShiftLeftLanes<distance>(d, v), never[distance == 1   ? 0
                                                                           : distance == 2 ? 1
                                                                           : distance == 4 ? 2
                                                                                           : 3]),
                          v);
}

template <class T, bool greatest>
bool extreme(void* out_bytes, const void* bytes, std::size_t n) {
  using D = hn::CappedTag<T, 16 / sizeof(T)>;
  constexpr std::size_t lanes = 16 / sizeof(T);
  using V = hn::Vec<D>;
  const D d;
  const T* x = static_cast<const T*>(bytes);
  T* out = static_cast<T*>(out_bytes);
  constexpr T worst = std::numeric_limits<T>::has_infinity
                          ? (greatest ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::infinity())
                          : (greatest ? std::numeric_limits<T>::lowest() : std::numeric_limits<T>::max());
  V never[4] = {hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d)};
  HWY_ALIGN T part[lanes];
  for (std::size_t step = 0; (std::size_t{1} << step) < lanes; step++) {
    for (std::size_t k = 0; k < lanes; k++) part[k] = k < (std::size_t{1} << step) ? worst : T{};
    never[step] = hn::Load(d, part);
  }
  V carry = hn::Set(d, worst);
  auto is_nan = hn::Not(hn::Eq(carry, carry));
  for (std::size_t i = 0; i < n; i += lanes) {
    V v;
    if (i + lanes <= n) {
      v = hn::LoadU(d, x + i);
    } else {
      for (std::size_t k = 0; k < lanes; k++) part[k] = x[i + k < n ? i + k : n - 1];
      v = hn::Load(d, part);
    }
    if constexpr (std::is_floating_point_v<T>) is_nan = hn::Or(is_nan, hn::Not(hn::Eq(v, v)));
    v = combined<1, greatest>(d, v, never);
    if constexpr (lanes > 2) v = combined<2, greatest>(d, v, never);
    if constexpr (lanes > 4) v = combined<4, greatest>(d, v, never);
    if constexpr (lanes > 8) v = combined<8, greatest>(d, v, never);
    const V all = better<greatest>(carry, v);
    carry = better<greatest>(carry, last_lane(d, v));
    if (i + lanes <= n) {
      hn::StoreU(all, d, out + i);
    } else {
      hn::Store(all, d, part);
      std::memcpy(out + i, part, (n - i) * sizeof(T));
    }
  }
  return hn::AllFalse(d, is_nan);
}

// A carry-less product with all ones has the running exclusive or in its low half.
void exclusive_or(uint64_t* out, const uint64_t* bits, std::size_t n, uint64_t flip) {
  const hn::CappedTag<uint64_t, 2> d;
  const auto all_ones = hn::Set(d, ~uint64_t{0});
  uint64_t carry = 0;
  for (std::size_t i = 0; i < (n + 63) / 64; i++) {
    const uint64_t word = hn::GetLane(hn::CLMulLower(hn::Set(d, bits[i]), all_ones)) ^ carry;
    carry = uint64_t{0} - (word >> 63);
    out[i] = word ^ flip;
  }
}

#endif

const ScanKernels* table() {
  static constexpr ScanKernels kernels = {
      .sum = {sum<int8_t>, sum<int16_t>, sum<int32_t>},
      .sum_bits = {sum_bits<int8_t>, sum_bits<int16_t>, sum_bits<int32_t>},
      .minimum = {extreme<int8_t, false>, extreme<int16_t, false>, extreme<int32_t, false>, extreme<double, false>},
      .maximum = {extreme<int8_t, true>, extreme<int16_t, true>, extreme<int32_t, true>, extreme<double, true>},
      .exclusive_or = exclusive_or,
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
