#include "primitives/kernels/search/match_few.h"

#include <algorithm>
#include <bit>

#include "hwy/highway.h"
#include "primitives/kernels/search/byte_set-inl.h"
#include "primitives/kernels/shared/bits-inl.h"
#include "primitives/kernels/shared/byte_table-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace match_few_unit {
namespace {

using std::uint16_t, std::uint32_t, std::uint64_t, std::uint8_t, byte_set::ByteLookup, byte_set::Members, byte_set::not_among;

// Writes a word of bits for each 64 keys, which word(p) gives. The last one comes from a copy.
template <class Key, class F>
HWY_INLINE void write_words(const Key* x, std::size_t n, uint64_t* out, F word) {
  std::size_t i = 0;
  for (; i + 64 <= n; i += 64) *out++ = word(x + i);
  if (i == n) return;
  Key rest[64] = {};
  std::memcpy(rest, x + i, (n - i) * sizeof(Key));
  *out = word(rest) & ((uint64_t{1} << (n - i)) - 1);
}

// Tells which of 64 keys are equal to one of a few.
template <class D, class Key = hn::TFromD<D>>
HWY_INLINE uint64_t word_of_few(D d, const hn::Vec<D>* wanted, std::size_t few, const Key* p) {
  constexpr std::size_t lanes = hn::MaxLanes(D()), vectors = std::min<std::size_t>(4, 64 / lanes);
  uint64_t word = 0;
  for (std::size_t i = 0; i < 64; i += vectors * lanes) {
    hn::Vec<D> v[vectors], found[vectors];
    for (std::size_t k = 0; k < vectors; k++) v[k] = hn::LoadU(d, p + i + k * lanes);
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
    // Masks are slower to bring together than vectors: the least difference is 0 where a key is found.
    for (std::size_t k = 0; k < vectors; k++) found[k] = hn::Xor(v[k], wanted[0]);
    for (std::size_t j = 1; j < few; j++)
      for (std::size_t k = 0; k < vectors; k++) found[k] = hn::Min(found[k], hn::Xor(v[k], wanted[j]));
    for (std::size_t k = 0; k < vectors; k++) word |= bits_of_mask(d, hn::Eq(found[k], hn::Zero(d))) << (i + k * lanes);
#else
    const auto equal = [&](std::size_t k, std::size_t j) HWY_ATTR { return hn::VecFromMask(d, hn::Eq(v[k], wanted[j])); };
    for (std::size_t k = 0; k < vectors; k++) found[k] = equal(k, 0);
    for (std::size_t j = 1; j < few; j++)
      for (std::size_t k = 0; k < vectors; k++) found[k] = hn::Or(found[k], equal(k, j));
    for (std::size_t k = 0; k < vectors; k++) word |= bits_of_mask(d, hn::MaskFromVec(found[k])) << (i + k * lanes);
#endif
  }
  return word;
}

template <class Key>
void few_of(const void* set_bytes, std::size_t few, const void* x, std::size_t n, uint64_t* out) {
  const hn::ScalableTag<Key> d;
  using V = hn::Vec<decltype(d)>;
  const Key* set = static_cast<const Key*>(set_bytes);
  V wanted[most_few];
  for (std::size_t j = 0; j < most_few; j++) wanted[j] = hn::Set(d, set[j < few ? j : 0]);
  write_words(static_cast<const Key*>(x), n, out, [&](const Key* p) HWY_ATTR { return word_of_few(d, wanted, few, p); });
}

void few_any(unsigned width, const void* set, std::size_t few, const void* x, std::size_t n, uint64_t* out) {
  switch (width) {
    case 8: return few_of<uint8_t>(set, few, x, n, out);
    case 16: return few_of<uint16_t>(set, few, x, n, out);
    case 32: return few_of<uint32_t>(set, few, x, n, out);
    default: return few_of<uint64_t>(set, few, x, n, out);
  }
}

template <class Key>
std::size_t first_of(const void* key_bytes, std::size_t n, const void* one) {
  const hn::ScalableTag<Key> d;
  const std::size_t lanes = hn::Lanes(d);
  const Key* keys = static_cast<const Key*>(key_bytes);
  Key key;
  std::memcpy(&key, one, sizeof key);
  const auto wanted = hn::Set(d, key);
  std::size_t i = 0;
  // Leaves the block that holds the key to the loop over single keys.
  for (; i + 4 * lanes <= n; i += 4 * lanes) {
    const auto a = hn::Eq(hn::LoadU(d, keys + i), wanted);
    const auto b = hn::Eq(hn::LoadU(d, keys + i + lanes), wanted);
    const auto c = hn::Eq(hn::LoadU(d, keys + i + 2 * lanes), wanted);
    const auto e = hn::Eq(hn::LoadU(d, keys + i + 3 * lanes), wanted);
    if (!hn::AllFalse(d, hn::Or(hn::Or(a, b), hn::Or(c, e)))) break;
  }
  while (i < n && keys[i] != key) i++;
  return i;
}

std::size_t first_match_any(unsigned width, const void* keys, std::size_t n, const void* key) {
  switch (width) {
    case 8: return first_of<uint8_t>(keys, n, key);
    case 16: return first_of<uint16_t>(keys, n, key);
    case 32: return first_of<uint32_t>(keys, n, key);
    default: return first_of<uint64_t>(keys, n, key);
  }
}

// Looks each byte up by itself.
void few_bytes_in_set(const uint64_t* set, const uint8_t* x, std::size_t n, uint64_t* out) {
  for (std::size_t i = 0; i < n; i += 64) {
    uint64_t word = 0;
    for (std::size_t k = 0; k < 64 && i + k < n; k++) word |= (set[x[i + k] >> 6] >> (x[i + k] & 63) & 1) << k;
    *out++ = word;
  }
}

void bytes_in_set(const uint64_t* set, const uint8_t* x, std::size_t n, uint64_t* out) {
  // Turning the set into rows takes as long as looking this many bytes up.
  constexpr std::size_t few = HWY_TARGET == HWY_AVX3_DL ? 16 : 128;
  if (n <= few) return few_bytes_in_set(set, x, n, out);
  const ByteLookup is_member(Members{set});
  constexpr std::size_t lanes = hn::MaxLanes(hn::ScalableTag<uint8_t>());
  write_words(x, n, out, [&](const uint8_t* p) HWY_ATTR {
    uint64_t word = 0;
    for (std::size_t k = 0; k < 64; k += lanes) word |= is_member(p + k) << k;
    return word;
  });
}

// Bytes that have not come yet, a byte of 1 for each.
struct NewBytes {
  static constexpr std::size_t block = 512;
  HWY_ALIGN uint8_t is_new[256];

  HWY_INLINE NewBytes() { std::memset(is_new, 1, sizeof is_new); }
  // Takes up to a block, and writes its marks; tells how many are new, and how many of the last 64 or fewer. Single bytes are
  // written that vectors read soon, which waits for all of them.
  struct News {
    std::size_t all, last;
  };
  News take(const uint8_t* x, std::size_t n, uint64_t* out) {
    if (out == nullptr) return take_unmarked(x, n);
    HWY_ALIGN uint8_t fresh[block];
    std::memset(fresh + (n & ~std::size_t{63}), 0, n & 63 ? 64 : 0);
    const auto look = [this, x](std::size_t i) HWY_ATTR {
      const uint8_t before = is_new[x[i]];
      is_new[x[i]] = 0;
      return before;
    };
    // Stores bind this: what is found is stored eight at a time.
    std::size_t at = 0;
    for (; at + 8 <= n; at += 8) {
      uint64_t word = 0;
#pragma GCC unroll 8
      for (std::size_t k = 0; k < 8; k++) word |= uint64_t{look(at + k)} << 8 * k;
      std::memcpy(fresh + at, &word, sizeof word);
    }
    for (; at < n; at++) fresh[at] = look(at);
    News news = {};
    for (std::size_t i = 0; i < n; i += 64) {
      const uint64_t word = nonzero(fresh + i);
      news.all += news.last = static_cast<std::size_t>(__builtin_popcountll(word));
      *out++ = word;
    }
    return news;
  }
  HWY_INLINE void write_set(uint64_t* set) const {
    for (std::size_t w = 0; w < 4; w++) set[w] = ~nonzero(is_new + 64 * w);
  }

 private:
  static HWY_INLINE uint64_t nonzero(const uint8_t* bytes) {
    const hn::ScalableTag<uint8_t> d;
    uint64_t word = 0;
    for (std::size_t k = 0; k < 64; k += hn::MaxLanes(d))
      word |= bits_of_mask(d, hn::Ne(hn::Load(d, bytes + k), hn::Zero(d))) << k;
    return word;
  }
  // Without marks nothing is looked up. The news are taken to be spread evenly.
  News take_unmarked(const uint8_t* x, std::size_t n) {
    const std::size_t before = left();
    for (std::size_t i = 0; i < n; i++) is_new[x[i]] = 0;
    const std::size_t all = before - left();
    return {all, n <= 64 ? all : all * 64 / n};
  }
  HWY_INLINE std::size_t left() const {
    const hn::ScalableTag<uint8_t> d;
    auto sums = hn::SumsOf8(hn::Load(d, is_new));
    for (std::size_t k = hn::MaxLanes(d); k < sizeof is_new; k += hn::MaxLanes(d))
      sums = hn::Add(sums, hn::SumsOf8(hn::Load(d, is_new + k)));
    return static_cast<std::size_t>(hn::GetLane(hn::SumOfLanes(hn::Repartition<uint64_t, decltype(d)>(), sums)));
  }
};

// Marks those of 64 bytes that are new, and adds them: the first one, and then those that are not equal to it.
HWY_INLINE uint64_t add_unknown(const uint8_t* x, uint64_t unknown, uint64_t* set, ByteLookup& known) {
  uint64_t marks = 0;
  while (unknown != 0) {
    const uint8_t c = x[__builtin_ctzll(unknown)];
    set[c >> 6] |= uint64_t{1} << (c & 63);
    known.add(c);
    marks |= unknown & -unknown;
    unknown &= ~byte_set::equal_to(c, x);
  }
  return marks;
}
std::size_t new_bytes(const uint8_t* x, std::size_t n, uint64_t* out, uint64_t* found) {
  // Where the end of a block has brought as many new bytes, the next one may, too: all are then looked up one by one. So are
  // those that are few beside the bytes that a table is made of.
  constexpr std::size_t many = 8;
  NewBytes bytes;
  std::size_t i = 0, left = 256, fresh = many;
  const auto are_looked_up = [&]() HWY_ATTR { return fresh >= many || n - i <= 64 + 2 * (256 - left); };
  for (std::size_t block = 128; i < n && left != 0 && are_looked_up(); block = std::min(2 * block, NewBytes::block)) {
    const NewBytes::News news = bytes.take(x + i, std::min(block, n - i), out);
    fresh = news.last;
    left -= news.all;
    i += block;
    if (out != nullptr) out += block / 64;
  }
  bytes.write_set(found);
  if (i >= n || left == 0) return std::min(i, n);
  std::size_t end = i;
  const Members members(found);
  ByteLookup known(members);
  for (; i + 64 <= n && left != 0; i += 64) {
    // Most runs bring nothing new.
    constexpr std::size_t run = ByteLookup::run;
    const bool low_alone = (found[2] | found[3]) == 0;
    while (i + run <= n && (low_alone ? known.have_all<true>(x + i) : known.have_all<false>(x + i))) {
      if (out != nullptr) out = std::fill_n(out, run / 64, uint64_t{0});
      i += run;
    }
    if (i + 64 > n) break;
    const uint64_t unknown = not_among(known, x + i);
    uint64_t marks = 0;
    if (unknown != 0) {
      marks = add_unknown(x + i, unknown, found, known);
      left -= static_cast<std::size_t>(__builtin_popcountll(marks));
      known.take(members);
      end = i + 64 - static_cast<std::size_t>(std::countl_zero(marks));
    }
    if (out != nullptr) *out++ = marks;
  }
  if (i >= n || left == 0) return end;
  uint8_t last[64] = {};
  std::memcpy(last, x + i, n - i);
  const uint64_t marks = add_unknown(last, not_among(known, last) & (~uint64_t{0} >> (64 - (n - i))), found, known);
  if (out != nullptr) *out = marks;
  return marks == 0 ? end : n;
}

// Grows a set from nothing. Bytes are added by two, as they wait for those before, some 20 cycles; of many kinds a table is
// better.
std::size_t few_distinct(const uint8_t* x, std::size_t n, uint8_t* out) {
  constexpr std::size_t block = 64, tried = 4;
  constexpr int most_left = 52;
  uint8_t short_list[block];
  if (n < block) {
    std::memset(short_list, x[0], block);
    std::memcpy(short_list, x, n);
    x = short_list, n = block;
  }
  uint64_t set[4] = {};
  ByteLookup known;
  std::size_t count = 0;
  const auto add = [&](uint8_t c) HWY_ATTR {
    set[c >> 6] |= uint64_t{1} << (c & 63);
    known.add(c);
  };
  for (std::size_t i = 0; i < n; i += block) {
    while (i != 0 && i + ByteLookup::run <= n && known.have_all<false>(x + i)) i += ByteLookup::run;
    if (i == n) break;
    // The last block reaches back to bytes that have come.
    const uint8_t* const p = x + std::min(i, n - block);
    const std::size_t before = count;
    for (uint64_t unknown = i == 0 ? ~uint64_t{0} : not_among(known, p); unknown != 0;) {
      const bool are_many = (count - before) / 2 == tried / 2 && __builtin_popcountll(unknown) > most_left;
      if (are_many || count + 2 > most_distinct_bytes) return 0;
      const uint64_t others = unknown & (unknown - 1);
      const uint8_t one = p[__builtin_ctzll(unknown)], other = p[__builtin_ctzll(others != 0 ? others : unknown)];
      out[count] = one;
      out[count + 1] = other;
      count += 1 + (other != one);
      add(one);
      add(other);
      unknown &= ~(byte_set::equal_to(one, p) | byte_set::equal_to(other, p));
    }
    if (count != before) known.take(Members(set));
  }
  return count;
}

void look_up8(const uint8_t* table, const uint8_t* x, std::size_t n, uint8_t* out) {
  std::size_t i = 0;
#if HWY_TARGET == HWY_AVX3_DL
  const ByteTable bytes(table);
  for (; i + 64 <= n; i += 64) _mm512_storeu_si512(out + i, bytes[_mm512_loadu_si512(x + i)]);
#else
  if (n >= ByteRows::worth)
    i = ByteRows(table).each(x, n, [=](std::size_t k, ByteRows::V v) HWY_ATTR { hn::StoreU(v, ByteRows::D(), out + k); });
#endif
  for (; i < n; i++) out[i] = table[x[i]];
}

void look_up16(const uint8_t* table, const uint8_t* x, std::size_t n, uint16_t* out) {
  std::size_t i = 0;
#if HWY_TARGET == HWY_AVX3_DL
  const ByteTable bytes(table);
  for (; i + 64 <= n; i += 64) {
    const __m512i v = bytes[_mm512_loadu_si512(x + i)];
    _mm512_storeu_si512(out + i, _mm512_cvtepu8_epi16(_mm512_castsi512_si256(v)));
    _mm512_storeu_si512(out + i + 32, _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64(v, 1)));
  }
#else
  if (n >= ByteRows::worth)
    i = ByteRows(table).each(x, n, [=](std::size_t k, ByteRows::V v) HWY_ATTR {
      const hn::ScalableTag<uint16_t> wide;
      const hn::Half<ByteRows::D> half;
      hn::StoreU(hn::PromoteTo(wide, hn::LowerHalf(half, v)), wide, out + k);
      hn::StoreU(hn::PromoteTo(wide, hn::UpperHalf(half, v)), wide, out + k + hn::Lanes(wide));
    });
#endif
  for (; i < n; i++) out[i] = table[x[i]];
}

#if HWY_TARGET == HWY_AVX3_DL
// Holds a table of 256 numbers of 16 bits in eight registers.
template <class T>
struct PairTable {
  HWY_INLINE explicit PairTable(const T* table) : low(bytes_of(table, 0)), high(bytes_of(table, 8)) {}
  // Gives the numbers of 64 bytes in order.
  HWY_INLINE void look_up(const uint8_t* x, __m512i& first, __m512i& second) const {
    // The halves of blocks of 16 bytes are interleaved below.
    const __m512i order = _mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7);
    const __m512i v = _mm512_permutexvar_epi64(order, _mm512_loadu_si512(x)), l = low[v], h = high[v];
    first = _mm512_unpacklo_epi8(l, h);
    second = _mm512_unpackhi_epi8(l, h);
  }
  ByteTable low, high;

 private:
  static HWY_INLINE ByteTable bytes_of(const T* table, unsigned shift) {
    HWY_ALIGN uint8_t bytes[256];
    for (std::size_t i = 0; i < 256; i++) bytes[i] = static_cast<uint8_t>(table[i] >> shift);
    return ByteTable(bytes);
  }
};
#endif

void look_up_i16(const std::int16_t* table, const uint8_t* x, std::size_t n, std::int16_t* out) {
  std::size_t i = 0;
#if HWY_TARGET == HWY_AVX3_DL
  const PairTable pairs(table);
  for (; i + 64 <= n; i += 64) {
    __m512i first, second;
    pairs.look_up(x + i, first, second);
    _mm512_storeu_si512(out + i, first);
    _mm512_storeu_si512(out + i + 32, second);
  }
#endif
#pragma GCC unroll 8
  for (; i < n; i++) out[i] = table[x[i]];
}

void look_up_i32(const std::int32_t* table, const uint8_t* x, std::size_t n, std::int32_t* out) {
  std::size_t i = 0;
#if HWY_TARGET == HWY_AVX3_DL
  uint32_t all = 0;
  for (std::size_t k = 0; k < 256; k++) all |= static_cast<uint32_t>(table[k]);
  if (all <= 0xFFFF) {
    const PairTable pairs(table);
    for (; i + 64 <= n; i += 64) {
      __m512i half[2];
      pairs.look_up(x + i, half[0], half[1]);
      for (std::size_t k = 0; k < 2; k++) {
        _mm512_storeu_si512(out + i + 32 * k, _mm512_cvtepu16_epi32(_mm512_castsi512_si256(half[k])));
        _mm512_storeu_si512(out + i + 32 * k + 16, _mm512_cvtepu16_epi32(_mm512_extracti64x4_epi64(half[k], 1)));
      }
    }
  }
#endif
#pragma GCC unroll 8
  for (; i < n; i++) out[i] = table[x[i]];
}

}  // namespace
}  // namespace match_few_unit
using match_few_unit::few_any, match_few_unit::first_match_any, match_few_unit::bytes_in_set, match_few_unit::new_bytes,
    match_few_unit::few_distinct, match_few_unit::look_up8, match_few_unit::look_up16, match_few_unit::look_up_i16,
    match_few_unit::look_up_i32;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {

HWY_EXPORT(few_any);
HWY_EXPORT(first_match_any);
HWY_EXPORT(bytes_in_set);
HWY_EXPORT(new_bytes);
HWY_EXPORT(few_distinct);
HWY_EXPORT(look_up8);
HWY_EXPORT(look_up16);
HWY_EXPORT(look_up_i16);
HWY_EXPORT(look_up_i32);

void match_few(unsigned width, const void* set, std::size_t few, const void* x, std::size_t n, std::uint64_t* out) {
  HWY_DYNAMIC_DISPATCH(few_any)(width, set, few, x, n, out);
}
std::size_t find_key(unsigned width, const void* keys, std::size_t n, const void* key) {
  return HWY_DYNAMIC_DISPATCH(first_match_any)(width, keys, n, key);
}
void match_bytes(const std::uint64_t set[4], const std::uint8_t* x, std::size_t n, std::uint64_t* out) {
  HWY_DYNAMIC_DISPATCH(bytes_in_set)(set, x, n, out);
}
std::size_t mark_new_bytes(const std::uint8_t* x, std::size_t n, std::uint64_t* out, std::uint64_t found[4]) {
  return HWY_DYNAMIC_DISPATCH(new_bytes)(x, n, out, found);
}
std::size_t list_few_bytes(const std::uint8_t* x, std::size_t n, std::uint8_t* out) {
  return HWY_DYNAMIC_DISPATCH(few_distinct)(x, n, out);
}
void look_up_bytes(const std::uint8_t table[256], const std::uint8_t* x, std::size_t n, std::uint8_t* out) {
  HWY_DYNAMIC_DISPATCH(look_up8)(table, x, n, out);
}
void look_up_bytes(const std::uint8_t table[256], const std::uint8_t* x, std::size_t n, std::uint16_t* out) {
  HWY_DYNAMIC_DISPATCH(look_up16)(table, x, n, out);
}
void look_up_bytes(const std::int16_t table[256], const std::uint8_t* x, std::size_t n, std::int16_t* out) {
  HWY_DYNAMIC_DISPATCH(look_up_i16)(table, x, n, out);
}
void look_up_bytes(const std::int32_t table[256], const std::uint8_t* x, std::size_t n, std::int32_t* out) {
  HWY_DYNAMIC_DISPATCH(look_up_i32)(table, x, n, out);
}

}  // namespace griddle::kernels
#endif
