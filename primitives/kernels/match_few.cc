#include "primitives/kernels/match_few.h"

#include <algorithm>

#define HWY_WANT_AVX3_DL
#include "primitives/kernels/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "primitives/kernels/match_few.cc"
#include "hwy/foreach_target.h"
//
#include "hwy/highway.h"
#include "primitives/kernels/bits-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace {

using std::uint16_t, std::uint32_t, std::uint64_t, std::uint8_t;

// Writes a word of bits for each 64 keys; `bits(d, p)` gives those of a vector. The last word comes from a copy.
template <class Key, class F>
HWY_INLINE void write_marks(const Key* x, std::size_t n, uint64_t* out, F bits) {
  constexpr std::size_t lanes = hn::MaxLanes(hn::ScalableTag<Key>());
  std::size_t i = 0;
  for (; i + 64 <= n; i += 64) {
    uint64_t word = 0;
    for (std::size_t k = 0; k < 64; k += lanes) word |= bits(x + i + k) << k;
    *out++ = word;
  }
  if (i == n) return;
  Key rest[64] = {};
  std::memcpy(rest, x + i, (n - i) * sizeof(Key));
  uint64_t word = 0;
  for (std::size_t k = 0; k < 64; k += lanes) word |= bits(rest + k) << k;
  *out = word & ((uint64_t{1} << (n - i)) - 1);
}

template <class Key>
void few_of(const void* set_bytes, std::size_t few, const void* x, std::size_t n, uint64_t* out) {
  const hn::ScalableTag<Key> d;
  using V = hn::Vec<decltype(d)>;
  const Key* set = static_cast<const Key*>(set_bytes);
  V wanted[most_few];
  for (std::size_t j = 0; j < most_few; j++) wanted[j] = hn::Set(d, set[j < few ? j : 0]);
  write_marks(static_cast<const Key*>(x), n, out, [&](const Key* p) HWY_ATTR {
    const V v = hn::LoadU(d, p);
    auto found = hn::Eq(v, wanted[0]);
    for (std::size_t j = 1; j < few; j++) found = hn::Or(found, hn::Eq(v, wanted[j]));
    return bits_of_mask(d, found);
  });
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

std::size_t first_any(unsigned width, const void* keys, std::size_t n, const void* key) {
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

#if HWY_TARGET != HWY_SCALAR
// A set of bytes as rows of bits: the low half of a byte picks a row, the high half a bit of it.
struct ByteRows {
  HWY_ALIGN uint8_t rows[2][16] = {};

  HWY_INLINE void add(unsigned c) { rows[c >> 7][c & 15] = static_cast<uint8_t>(rows[c >> 7][c & 15] | 1u << (c >> 4 & 7)); }
};
// Tells of a vector of bytes which are in a set.
struct ByteLookup {
  using D = hn::ScalableTag<uint8_t>;
  hn::Vec<D> low_rows, high_rows, bits;

  HWY_INLINE explicit ByteLookup(const ByteRows& set) {
    const D d;
    HWY_ALIGN uint8_t bit[16];
    for (unsigned k = 0; k < 16; k++) bit[k] = static_cast<uint8_t>(1u << (k & 7));
    low_rows = hn::LoadDup128(d, set.rows[0]), high_rows = hn::LoadDup128(d, set.rows[1]), bits = hn::LoadDup128(d, bit);
  }
  HWY_INLINE uint64_t operator()(const uint8_t* p) const {
    const D d;
    const hn::RebindToSigned<D> signed_d;
    const auto half = hn::Set(d, uint8_t{15});
    const auto v = hn::LoadU(d, p);
    const auto low = hn::And(v, half);
    const auto high = hn::And(hn::BitCast(d, hn::ShiftRight<4>(hn::BitCast(hn::RepartitionToWide<D>(), v))), half);
    const auto upper = hn::RebindMask(d, hn::Lt(hn::BitCast(signed_d, v), hn::Zero(signed_d)));
    const auto row = hn::IfThenElse(upper, hn::TableLookupBytes(high_rows, low), hn::TableLookupBytes(low_rows, low));
    const auto one = hn::TableLookupBytes(bits, high);
    return bits_of_mask(d, hn::Eq(hn::And(row, one), one));
  }
};
#endif

void bytes_in_set(const uint64_t* set, const uint8_t* x, std::size_t n, uint64_t* out) {
  // Turning the set into rows takes as long as looking this many bytes up.
  constexpr std::size_t few = 128;
  if (HWY_TARGET == HWY_SCALAR || n <= few) return few_bytes_in_set(set, x, n, out);
#if HWY_TARGET != HWY_SCALAR
  ByteRows rows;
  for (unsigned w = 0; w < 4; w++)
    for (uint64_t left = set[w]; left != 0; left &= left - 1) rows.add(64 * w + static_cast<unsigned>(__builtin_ctzll(left)));
  write_marks(x, n, out, ByteLookup(rows));
#endif
}

std::size_t new_bytes(const uint8_t* x, std::size_t n, uint64_t* out, uint64_t* found) {
  std::fill_n(found, 4, 0);
  unsigned left = 256;
#if HWY_TARGET != HWY_SCALAR
  ByteRows rows;
  ByteLookup known(rows);
  constexpr std::size_t lanes = hn::MaxLanes(hn::ScalableTag<uint8_t>());
#endif
  for (std::size_t i = 0; i < n; i += 64) {
    const std::size_t count = n - i < 64 ? n - i : 64;
    uint64_t unknown = count < 64 ? (uint64_t{1} << count) - 1 : ~uint64_t{0}, marks = 0;
#if HWY_TARGET != HWY_SCALAR
    if (count == 64)
      for (std::size_t k = 0; k < 64; k += lanes) unknown &= ~(known(x + i + k) << k);
#endif
    if (unknown != 0) {
      for (; unknown != 0; unknown &= unknown - 1) {
        const unsigned place = static_cast<unsigned>(__builtin_ctzll(unknown)), c = x[i + place];
        if (found[c >> 6] >> (c & 63) & 1) continue;
        found[c >> 6] |= uint64_t{1} << (c & 63);
        marks |= uint64_t{1} << place;
        left--;
#if HWY_TARGET != HWY_SCALAR
        rows.add(c);
#endif
      }
#if HWY_TARGET != HWY_SCALAR
      if (marks != 0) known = ByteLookup(rows);
#endif
    }
    if (out != nullptr) *out++ = marks;
    if (left == 0) return i + count;
  }
  return n;
}

#if HWY_TARGET == HWY_AVX3_DL
// Holds a table of 256 bytes in four registers.
struct ByteTable {
  HWY_INLINE explicit ByteTable(const uint8_t* table)
      : a(_mm512_loadu_si512(table)),
        b(_mm512_loadu_si512(table + 64)),
        c(_mm512_loadu_si512(table + 128)),
        d(_mm512_loadu_si512(table + 192)) {}
  HWY_INLINE __m512i operator[](__m512i v) const {
    return _mm512_mask_blend_epi8(_mm512_movepi8_mask(v), _mm512_permutex2var_epi8(a, v, b), _mm512_permutex2var_epi8(c, v, d));
  }
  __m512i a, b, c, d;
};
#endif

void look_up8(const uint8_t* table, const uint8_t* x, std::size_t n, uint8_t* out) {
  std::size_t i = 0;
#if HWY_TARGET == HWY_AVX3_DL
  const ByteTable bytes(table);
  for (; i + 64 <= n; i += 64) _mm512_storeu_si512(out + i, bytes[_mm512_loadu_si512(x + i)]);
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
#endif
  for (; i < n; i++) out[i] = table[x[i]];
}

}  // namespace
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {

HWY_EXPORT(few_any);
HWY_EXPORT(first_any);
HWY_EXPORT(bytes_in_set);
HWY_EXPORT(new_bytes);
HWY_EXPORT(look_up8);
HWY_EXPORT(look_up16);

void match_few(unsigned width, const void* set, std::size_t few, const void* x, std::size_t n, std::uint64_t* out) {
  HWY_DYNAMIC_DISPATCH(few_any)(width, set, few, x, n, out);
}
std::size_t find_key(unsigned width, const void* keys, std::size_t n, const void* key) {
  return HWY_DYNAMIC_DISPATCH(first_any)(width, keys, n, key);
}
void match_bytes(const std::uint64_t set[4], const std::uint8_t* x, std::size_t n, std::uint64_t* out) {
  HWY_DYNAMIC_DISPATCH(bytes_in_set)(set, x, n, out);
}
std::size_t mark_new_bytes(const std::uint8_t* x, std::size_t n, std::uint64_t* out, std::uint64_t found[4]) {
  return HWY_DYNAMIC_DISPATCH(new_bytes)(x, n, out, found);
}
void look_up_bytes(const std::uint8_t table[256], const std::uint8_t* x, std::size_t n, std::uint8_t* out) {
  HWY_DYNAMIC_DISPATCH(look_up8)(table, x, n, out);
}
void look_up_bytes(const std::uint8_t table[256], const std::uint8_t* x, std::size_t n, std::uint16_t* out) {
  HWY_DYNAMIC_DISPATCH(look_up16)(table, x, n, out);
}

}  // namespace griddle::kernels
#endif
