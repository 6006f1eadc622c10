#include "primitives/kernels/search/short_set.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

#include "hwy/highway.h"
#include "primitives/kernels/shared/bits-inl.h"
#include "primitives/kernels/shared/byte_table-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace short_set_unit {
namespace {

using std::uint16_t, std::uint32_t, std::uint64_t, std::uint8_t;

// So many keys are handled together: single bytes are written that vectors read soon, which waits for all of them.
constexpr std::size_t block = 512;

// Keys as the byte of the set that holds their bit, and that bit; and what the byte was.
struct Places {
  using D = hn::ScalableTag<uint8_t>;
  HWY_ALIGN uint16_t place[block];
  HWY_ALIGN uint8_t bit[block];
  HWY_ALIGN uint8_t before[block];

  // Takes up to a block of keys; gives how many places there are then, in whole words of results. Those beyond are the last key.
  HWY_INLINE std::size_t take(const uint16_t* x, std::size_t n) {
    const std::size_t whole = n & ~std::size_t{63};
    split(x, whole, 0);
    if (whole == n) return n;
    HWY_ALIGN uint16_t rest[64];
    std::copy_n(x + whole, n - whole, rest);
    std::fill(rest + (n - whole), rest + 64, x[n - 1]);
    split(rest, 64, whole);
    return whole + 64;
  }
  // Tells of 64 keys whose bits were set before.
  HWY_INLINE uint64_t known(std::size_t i) const { return bits_of_64(D(), *this, i); }

  HWY_INLINE hn::Mask<D> mask_at(std::size_t i) const {
    const D d;
    return hn::Ne(hn::And(hn::Load(d, before + i), hn::Load(d, bit + i)), hn::Zero(d));
  }

 private:
  HWY_INLINE void split(const uint16_t* x, std::size_t n, std::size_t at) {
    const hn::ScalableTag<uint16_t> d;
    const hn::Repartition<uint8_t, decltype(d)> bytes;
    const hn::RebindToSigned<decltype(d)> integers;
    const hn::Rebind<uint8_t, decltype(d)> halves;
    HWY_ALIGN static constexpr uint8_t bit_of[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const auto table = hn::LoadDup128(bytes, bit_of);
    const auto seven = hn::Set(d, uint16_t{7}), low = hn::Set(d, uint16_t{255});
    for (std::size_t i = 0; i < n; i += hn::MaxLanes(d)) {
      const auto v = hn::LoadU(d, x + i);
      hn::Store(hn::ShiftRight<3>(v), d, place + at + i);
      const auto one = hn::And(hn::BitCast(d, hn::TableLookupBytes(table, hn::BitCast(bytes, hn::And(v, seven)))), low);
      hn::StoreU(hn::DemoteTo(halves, hn::BitCast(integers, one)), halves, bit + at + i);
    }
  }
};

// Writes what byte(i) gives for each of n places, eight at a time: stores are fewer than what else can be done at once.
template <class F>
HWY_INLINE void write_bytes(uint8_t* to, std::size_t n, F byte) {
  std::size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    uint64_t word = 0;
#pragma GCC unroll 8
    for (std::size_t k = 0; k < 8; k++) word |= uint64_t{byte(i + k)} << 8 * k;
    std::memcpy(to + i, &word, sizeof word);
  }
  for (; i < n; i++) to[i] = byte(i);
}

HWY_INLINE void read_bytes(Places& p, std::size_t n, const uint8_t* set) {
  write_bytes(p.before, n, [&](std::size_t i) HWY_ATTR { return set[p.place[i]]; });
}
HWY_INLINE void read_and_add(Places& p, std::size_t n, uint8_t* set) {
  write_bytes(p.before, n, [&](std::size_t i) HWY_ATTR {
    const uint8_t byte = set[p.place[i]];
    set[p.place[i]] = static_cast<uint8_t>(byte | p.bit[i]);
    return byte;
  });
}

// Keys in a range of which each has a byte, 1 for those that have not come: the same steps as for bits.
template <class Key>
struct CloseKeys {
  using D = hn::ScalableTag<uint8_t>;
  const Key* keys;
  Key low;
  HWY_ALIGN uint8_t fresh[block] = {};

  HWY_INLINE explicit CloseKeys(Key least) : low(least) {}
  HWY_INLINE std::size_t take(const Key* x, std::size_t n) {
    keys = x;
    return n;
  }
  HWY_INLINE uint64_t known(std::size_t i) const { return bits_of_64(D(), *this, i); }
  HWY_INLINE hn::Mask<D> mask_at(std::size_t i) const { return hn::Eq(hn::Load(D(), fresh + i), hn::Zero(D())); }
};
// A byte for each key, found by the key itself. All is copied that bytes which are written could change.
template <class Key, class Byte>
struct ByteOfKey {
  using Signed = std::make_signed_t<Key>;
  const Key* keys;
  std::uintptr_t zero;  // where the byte of 0 is, or would be

  HWY_INLINE ByteOfKey(const CloseKeys<Key>& p, Byte* first)
      : keys(p.keys), zero(reinterpret_cast<std::uintptr_t>(first) - of(p.low)) {}
  HWY_INLINE Byte& operator[](std::size_t i) const { return *reinterpret_cast<Byte*>(zero + of(keys[i])); }

 private:
  static HWY_INLINE std::uintptr_t of(Key k) { return static_cast<std::uintptr_t>(static_cast<Signed>(k)); }
};
template <class Key>
HWY_INLINE void read_bytes(CloseKeys<Key>& p, std::size_t n, const uint8_t* is_new) {
  const ByteOfKey<Key, const uint8_t> bytes(p, is_new);
  write_bytes(p.fresh, n, [bytes](std::size_t i) HWY_ATTR { return bytes[i]; });
}
template <class Key>
HWY_INLINE void read_and_add(CloseKeys<Key>& p, std::size_t n, uint8_t* is_new) {
  const ByteOfKey<Key, uint8_t> bytes(p, is_new);
  write_bytes(p.fresh, n, [bytes](std::size_t i) HWY_ATTR {
    const uint8_t before = bytes[i];
    bytes[i] = 0;
    return before;
  });
}

// Adds key i; tells whether it was not there.
HWY_INLINE bool add_one(const Places& p, std::size_t i, uint8_t* set) {
  uint8_t& byte = set[p.place[i]];
  const bool fresh = (byte & p.bit[i]) == 0;
  byte |= p.bit[i];
  return fresh;
}
template <class Key>
HWY_INLINE bool add_one(const CloseKeys<Key>& p, std::size_t i, uint8_t* is_new) {
  uint8_t& byte = ByteOfKey<Key, uint8_t>(p, is_new)[i];
  const bool fresh = byte != 0;
  byte = 0;
  return fresh;
}
// Adds the keys at the ones of a word; gives the ones of those that were not there.
template <class Block>
HWY_INLINE uint64_t add_unknown(const Block& p, std::size_t at, uint64_t word, uint8_t* set) {
  uint64_t fresh = 0;
  for (; word != 0; word &= word - 1)
    if (add_one(p, at + static_cast<std::size_t>(std::countr_zero(word)), set)) fresh |= word & -word;
  return fresh;
}

template <class Block, class Key>
HWY_INLINE std::size_t mark_new_of(Block& p, const Key* x, std::size_t n, uint8_t* set, std::size_t limit, uint64_t* out) {
  // Up to so many new keys of a block are added one by one: all are looked up first then, and the set need not be written.
  constexpr std::size_t few = block / 8;
  std::size_t all = 0, fresh = block;
  for (std::size_t i = 0; i < n; i += block) {
    const std::size_t count = std::min(block, n - i), places = p.take(x + i, count);
    const bool one_by_one = fresh <= few;
    if (one_by_one)
      read_bytes(p, places, set);
    else
      read_and_add(p, places, set);
    fresh = 0;
    for (std::size_t k = 0; k < count; k += 64) {
      uint64_t word = ~p.known(k);
      if (count - k < 64) word &= (uint64_t{1} << (count - k)) - 1;
      if (one_by_one) word = add_unknown(p, k, word, set);
      *out++ = word;
      fresh += static_cast<std::size_t>(std::popcount(word));
    }
    all += fresh;
    if (all >= limit) return i + count;
  }
  return n;
}
std::size_t mark_new(const uint16_t* x, std::size_t n, uint8_t* set, std::size_t limit, uint64_t* out) {
  Places p;
  return mark_new_of(p, x, n, set, limit, out);
}
std::size_t mark_new_close16(const uint16_t* x, std::size_t n, uint16_t low, uint8_t* is_new, std::size_t limit, uint64_t* out) {
  CloseKeys<uint16_t> p(low);
  return mark_new_of(p, x, n, is_new, limit, out);
}
std::size_t mark_new_close32(const uint32_t* x, std::size_t n, uint32_t low, uint8_t* is_new, std::size_t limit, uint64_t* out) {
  CloseKeys<uint32_t> p(low);
  return mark_new_of(p, x, n, is_new, limit, out);
}

void add(const uint16_t* x, std::size_t n, uint8_t* set) {
  Places p;
  for (std::size_t i = 0; i < n; i += block) {
    const std::size_t places = p.take(x + i, std::min(block, n - i));
#pragma GCC unroll 8
    for (std::size_t k = 0; k < places; k++) set[p.place[k]] |= p.bit[k];
  }
}

void match(const uint8_t* set, const uint16_t* x, std::size_t n, uint64_t* out) {
  Places p;
  for (std::size_t i = 0; i < n; i += block) {
    const std::size_t count = std::min(block, n - i), places = p.take(x + i, count);
    read_bytes(p, places, set);
    for (std::size_t k = 0; k < places; k += 64)
      *out++ = count - k < 64 ? p.known(k) & ((uint64_t{1} << (count - k)) - 1) : p.known(k);
  }
}

#if HWY_TARGET == HWY_AVX3_DL
bool pairs(const PairFilter& filter, const uint16_t* x, std::size_t n, uint64_t* out) {
  const ByteTable low(filter.low), high(filter.high);
  HWY_ALIGN uint8_t places[64];
  for (std::size_t k = 0; k < 64; k++) places[k] = static_cast<uint8_t>(2 * k);
  const __m512i even = _mm512_load_si512(places), odd = _mm512_or_si512(even, _mm512_set1_epi8(1));
  const auto bits = [&](const uint16_t* p) HWY_ATTR {
    const __m512i first = _mm512_loadu_si512(p), second = _mm512_loadu_si512(p + 32);
    return _mm512_test_epi8_mask(low[_mm512_permutex2var_epi8(first, even, second)],
                                 high[_mm512_permutex2var_epi8(first, odd, second)]);
  };
  std::size_t i = 0;
  for (; i + 64 <= n; i += 64) *out++ = bits(x + i);
  if (i == n) return true;
  uint16_t rest[64] = {};
  std::copy_n(x + i, n - i, rest);
  *out = bits(rest) & ((uint64_t{1} << (n - i)) - 1);
  return true;
}
#else
bool pairs(const PairFilter&, const uint16_t*, std::size_t, uint64_t*) { return false; }
#endif

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
// Gathers the words that hold the bits of 64 keys.
HWY_INLINE uint64_t match_close_64(const uint32_t* set, uint32_t low, uint32_t last, const uint32_t* x) {
  const hn::ScalableTag<uint32_t> d;
  const hn::RebindToSigned<decltype(d)> places;
  const auto first = hn::Set(d, low), end = hn::Set(d, last), bit = hn::Set(d, 31), one = hn::Set(d, 1);
  uint64_t word = 0;
  HWY_ALIGN uint8_t bytes[8] = {};
  for (std::size_t i = 0; i < 64; i += hn::MaxLanes(d)) {
    const auto v = hn::Sub(hn::LoadU(d, x + i), first), place = hn::Min(v, end);
    const auto held = hn::GatherIndex(d, set, hn::BitCast(places, hn::ShiftRight<5>(place)));
    const auto is_held = hn::TestBit(hn::Shr(held, hn::And(place, bit)), one);
    hn::StoreMaskBits(d, hn::And(is_held, hn::Eq(v, place)), bytes + i / 8);
  }
  std::memcpy(&word, bytes, sizeof word);
  return word;
}
#else
HWY_INLINE uint64_t match_close_64(const uint32_t* set, uint32_t low, uint32_t last, const uint32_t* x) {
  uint64_t word = 0;
  for (std::size_t i = 0; i < 64; i++) {
    const uint32_t v = x[i] - low, place = std::min(v, last);
    word |= uint64_t{(set[place / 32] >> place % 32 & 1) & (v == place)} << i;
  }
  return word;
}
#endif
void match_close_keys(const uint64_t* set, uint32_t low, std::size_t range, const uint32_t* x, std::size_t n, uint64_t* out) {
  const auto last = static_cast<uint32_t>(range - 1);
  const auto* const words = reinterpret_cast<const uint32_t*>(set);
  std::size_t i = 0;
  for (; i + 64 <= n; i += 64) *out++ = match_close_64(words, low, last, x + i);
  if (i == n) return;
  uint32_t rest[64] = {};
  std::copy_n(x + i, n - i, rest);
  *out = match_close_64(words, low, last, rest) & ((uint64_t{1} << (n - i)) - 1);
}

}  // namespace
}  // namespace short_set_unit
using short_set_unit::mark_new, short_set_unit::mark_new_close16, short_set_unit::mark_new_close32, short_set_unit::add,
    short_set_unit::match, short_set_unit::pairs, short_set_unit::match_close_keys;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {

HWY_EXPORT(mark_new);
HWY_EXPORT(mark_new_close16);
HWY_EXPORT(mark_new_close32);
HWY_EXPORT(add);
HWY_EXPORT(match);
HWY_EXPORT(pairs);
HWY_EXPORT(match_close_keys);

std::size_t mark_new_shorts(const std::uint16_t* x, std::size_t n, std::uint8_t* set, std::size_t limit, std::uint64_t* out) {
  return HWY_DYNAMIC_DISPATCH(mark_new)(x, n, set, limit, out);
}
std::size_t mark_new_close(const std::uint16_t* x, std::size_t n, std::uint16_t low, std::uint8_t* is_new, std::size_t limit,
                           std::uint64_t* out) {
  return HWY_DYNAMIC_DISPATCH(mark_new_close16)(x, n, low, is_new, limit, out);
}
std::size_t mark_new_close(const std::uint32_t* x, std::size_t n, std::uint32_t low, std::uint8_t* is_new, std::size_t limit,
                           std::uint64_t* out) {
  return HWY_DYNAMIC_DISPATCH(mark_new_close32)(x, n, low, is_new, limit, out);
}
void add_shorts(const std::uint16_t* x, std::size_t n, std::uint8_t* set) { HWY_DYNAMIC_DISPATCH(add)(x, n, set); }
void match_shorts(const std::uint8_t* set, const std::uint16_t* x, std::size_t n, std::uint64_t* out) {
  HWY_DYNAMIC_DISPATCH(match)(set, x, n, out);
}
void match_close(const std::uint64_t* set, std::uint32_t low, std::size_t range, const std::uint32_t* x, std::size_t n,
                 std::uint64_t* out) {
  HWY_DYNAMIC_DISPATCH(match_close_keys)(set, low, range, x, n, out);
}
bool match_pairs(const PairFilter& filter, const std::uint16_t* x, std::size_t n, std::uint64_t* out) {
  return HWY_DYNAMIC_DISPATCH(pairs)(filter, x, n, out);
}

}  // namespace griddle::kernels
#endif
