#include "primitives/kernels/search/pairwise_keys.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "hwy/highway.h"
#include "primitives/kernels/shared/bits-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace few_keys_unit {
namespace {

using std::uint16_t, std::uint32_t, std::uint64_t, std::uint8_t;

template <class T>
inline constexpr std::size_t lanes_of = hn::MaxLanes(hn::ScalableTag<T>());

// Reads n keys, up to a vector of them; the lanes beyond are 0, or those of the next keys.
template <class T>
HWY_INLINE hn::Vec<hn::ScalableTag<T>> load_some(const T* x, std::size_t n) {
  const hn::ScalableTag<T> d;
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  return hn::MaskedLoad(hn::FirstN(d, n), d, x);
#else
  if (n >= lanes_of<T>) return hn::LoadU(d, x);
  HWY_ALIGN T copy[lanes_of<T>] = {};
  std::memcpy(copy, x, n * sizeof(T));
  return hn::Load(d, copy);
#endif
}

// --- places, from the masks of equal keys

// So many vectors of keys are compared with one key.
constexpr std::size_t most_vectors = 4;
// Bits that tell which of a few keys are equal to one, in up to two words.
struct Equal {
  uint64_t low = 0, high = 0;
  HWY_INLINE void add(uint64_t bits, std::size_t place) { (place < 64 ? low : high) |= bits << place % 64; }
  HWY_INLINE std::size_t first(std::size_t count) const {
    const auto after = static_cast<std::size_t>(__builtin_ctzll(high | uint64_t{1} << 63));
    return std::min(low != 0 ? static_cast<std::size_t>(__builtin_ctzll(low)) : 64 + after, count);
  }
};

template <std::size_t vectors, class T, class Limit>
HWY_INLINE void find_in(const T* few, std::size_t count, const T* x, std::size_t n, uint8_t* out, Limit limit) {
  const hn::ScalableTag<T> d;
  constexpr std::size_t lanes = lanes_of<T>;
  hn::Vec<decltype(d)> v[vectors];
  for (std::size_t q = 0; q < vectors; q++) {
    const std::size_t start = std::min(q * lanes, count);
    v[q] = load_some(few + start, std::min(lanes, count - start));
  }
#pragma GCC unroll 2
  for (std::size_t i = 0; i < n; i++) {
    const auto key = hn::Set(d, x[i]);
    Equal equal;
#pragma GCC unroll 4
    for (std::size_t q = 0; q < vectors; q++) equal.add(bits_of_mask(d, hn::Eq(v[q], key)), q * lanes);
    out[i] = static_cast<uint8_t>(equal.first(limit(i)));
  }
}
template <class T, class Limit>
HWY_INLINE void find_in_any(const T* few, std::size_t count, const T* x, std::size_t n, uint8_t* out, Limit limit) {
  constexpr std::size_t lanes = lanes_of<T>;
  if (count <= lanes) return find_in<1>(few, count, x, n, out, limit);
  if (count <= 2 * lanes) return find_in<2>(few, count, x, n, out, limit);
  find_in<most_vectors>(few, count, x, n, out, limit);
}

// Bytes of longer lists are looked up.
constexpr std::size_t most_bytes_compared = 32;
struct BytePlaces {
  uint8_t places[256];

  BytePlaces(const uint8_t* few, std::size_t count) {
    std::memset(places, static_cast<int>(count), sizeof places);
#pragma GCC unroll 8
    for (std::size_t i = count; i-- > 0;) places[few[i]] = static_cast<uint8_t>(i);
  }
  void look_up(const uint8_t* x, std::size_t n, uint8_t* out) const {
#pragma GCC unroll 8
    for (std::size_t i = 0; i < n; i++) out[i] = places[x[i]];
  }
};

// Integers that lie close together are looked up as bytes, too: what they have above the least one. A range of 255 leaves a byte
// for other keys.
template <class T>
struct CloseBytes {
  static constexpr std::size_t fewest = 64, block = 256;
  uint8_t list[block];
  T low = 0;

  // False where keys are few, many, or far from each other.
  bool take(const T* x, std::size_t n, int64_t range) {
    if (n <= fewest || n > block) return false;
    using Number = std::make_signed_t<T>;
    const auto* numbers = reinterpret_cast<const Number*>(x);
    Number least = numbers[0], greatest = numbers[0];
    for (std::size_t i = 1; i < n; i++) least = std::min(least, numbers[i]), greatest = std::max(greatest, numbers[i]);
    if (int64_t{greatest} - least >= range) return false;
    low = static_cast<T>(least);
    for (std::size_t i = 0; i < n; i++) list[i] = static_cast<uint8_t>(x[i] - low);
    return true;
  }
  // Calls f(i, bytes, count) for blocks of other keys.
  template <class F>
  HWY_INLINE void for_others(const T* x, std::size_t n, F f) const {
    uint8_t bytes[block];
    for (std::size_t i = 0; i < n; i += block) {
      const std::size_t count = std::min(block, n - i);
      for (std::size_t k = 0; k < count; k++) bytes[k] = static_cast<uint8_t>(std::min<T>(static_cast<T>(x[i + k] - low), 255));
      f(i, bytes, count);
    }
  }
};
template <class T>
constexpr bool may_be_close = std::is_integral_v<T> && (sizeof(T) == 2 || sizeof(T) == 4);

// Writes places, which are below 128, as bytes.
template <class D>
HWY_INLINE void store_bytes(D d, hn::Vec<D> at, uint8_t* to) {
  using T = hn::TFromD<D>;
  if constexpr (sizeof(T) == 1) {
    hn::StoreU(at, d, to);
  } else if constexpr (sizeof(T) == 8) {
    HWY_ALIGN T one[lanes_of<T>];
    hn::Store(at, d, one);
    for (std::size_t k = 0; k < lanes_of<T>; k++) to[k] = static_cast<uint8_t>(one[k]);
  } else {
    const hn::Rebind<uint8_t, D> bytes;
    hn::StoreU(hn::DemoteTo(bytes, hn::BitCast(hn::RebindToSigned<D>(), at)), bytes, to);
  }
}
// Finds up to a block of vectors of keys; looks at the few from the last one on.
constexpr std::size_t block_vectors = 4;
template <class T>
HWY_INLINE void find_block(const T* few, std::size_t count, const T* x, std::size_t n, uint8_t* out) {
  const hn::ScalableTag<T> d;
  const hn::RebindToUnsigned<decltype(d)> places;
  using Place = hn::TFromD<decltype(places)>;
  constexpr std::size_t lanes = lanes_of<T>, block = block_vectors * lanes;
  hn::Vec<decltype(d)> v[block_vectors];
  hn::Vec<decltype(places)> at[block_vectors];
  for (std::size_t q = 0; q < block_vectors; q++) {
    const std::size_t start = std::min(q * lanes, n);
    v[q] = load_some(x + start, std::min(lanes, n - start));
  }
  auto place = hn::Set(places, static_cast<Place>(count));
  for (std::size_t q = 0; q < block_vectors; q++) at[q] = place;
  const auto one = hn::Set(places, Place{1});
  for (std::size_t j = count; j-- > 0;) {
    const auto key = hn::Set(d, few[j]);
    place = hn::Sub(place, one);
    for (std::size_t q = 0; q < block_vectors; q++)
      at[q] = hn::IfThenElse(hn::RebindMask(places, hn::Eq(v[q], key)), place, at[q]);
  }
  HWY_ALIGN uint8_t rest[block];
  uint8_t* const to = n < block ? rest : out;
  for (std::size_t q = 0; q < block_vectors; q++) store_bytes(places, at[q], to + q * lanes);
  if (n < block) std::memcpy(out, rest, n);
}

// Up to so many vectors of few keys are compared with one key at a time; where there are as many keys, or more of the few, blocks
// of keys are compared with one of the few, which needs no masks to be brought together.
constexpr std::size_t most_at_once = 2;
template <class T>
void find(const T* few, std::size_t count, const T* x, std::size_t n, uint8_t* out) {
  if constexpr (sizeof(T) == 1)
    if (count > most_bytes_compared) return BytePlaces(few, count).look_up(x, n, out);
  if constexpr (may_be_close<T>)
    if (CloseBytes<T> close; close.take(few, count, 255)) {
      const BytePlaces table(close.list, count);
      return close.for_others(
          x, n, [&](std::size_t i, const uint8_t* bytes, std::size_t length) { table.look_up(bytes, length, out + i); });
    }
  constexpr std::size_t block = block_vectors * lanes_of<T>;
  for (; n >= block; n -= block, x += block, out += block) find_block(few, count, x, block, out);
  if (count > most_at_once * lanes_of<T>) return find_block(few, count, x, n, out);
  find_in_any(few, count, x, n, out, [count](std::size_t) HWY_ATTR { return count; });
}
// The first equal key is no later one, which NaN has none of.
template <class T>
void first_by_blocks(const T* x, std::size_t n, uint8_t* out) {
  constexpr std::size_t block = block_vectors * lanes_of<T>;
  for (std::size_t i = 0; i < n; i += block) {
    const std::size_t end = std::min(n, i + block);
    find_block(x, end, x + i, end - i, out + i);
    for (std::size_t k = i; k < end; k++) out[k] = std::min(out[k], static_cast<uint8_t>(k));
  }
}
template <class T>
void first(const T* x, std::size_t n, uint8_t* out) {
  if constexpr (sizeof(T) == 1)
    if (n > most_bytes_compared) return BytePlaces(x, n).look_up(x, n, out);
  if constexpr (may_be_close<T>)
    if (CloseBytes<T> close; close.take(x, n, 256)) return BytePlaces(close.list, n).look_up(close.list, n, out);
  if (n > most_vectors * lanes_of<T>) return first_by_blocks(x, n, out);
  find_in_any(x, n, x, n, out, [](std::size_t i) HWY_ATTR { return i; });
}

// --- marks, from the least difference: 0 where a key is found

template <class D>
HWY_INLINE hn::Vec<D> added(D d, hn::Vec<D> least, hn::Vec<D> v, hn::Vec<D> key) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  // Masks are slower to bring together than vectors.
  (void)d;
  return hn::Min(least, hn::Xor(v, key));
#else
  return hn::AndNot(hn::VecFromMask(d, hn::Eq(v, key)), least);
#endif
}

// Gives the least differences of vectors from a few keys. Two chains of them take turns.
template <std::size_t vectors, class T, class V>
HWY_INLINE void least_differences(const T* few, std::size_t count, const V (&v)[vectors], V (&least)[vectors]) {
  const hn::ScalableTag<T> d;
  const auto none = hn::Set(d, static_cast<T>(~T{0}));
  V other[vectors];
  for (std::size_t q = 0; q < vectors; q++) least[q] = other[q] = none;
  std::size_t j = 0;
  for (; j + 2 <= count; j += 2) {
    const auto key = hn::Set(d, few[j]), key2 = hn::Set(d, few[j + 1]);
    for (std::size_t q = 0; q < vectors; q++) least[q] = added(d, least[q], v[q], key);
    for (std::size_t q = 0; q < vectors; q++) other[q] = added(d, other[q], v[q], key2);
  }
  for (std::size_t q = 0; q < vectors; q++) {
    if (j < count) least[q] = added(d, least[q], v[q], hn::Set(d, few[j]));
    least[q] = hn::Min(least[q], other[q]);
  }
}

template <std::size_t vectors, class T>
HWY_INLINE void mark_block(const T* few, std::size_t count, const T* x, std::size_t n, std::size_t at, uint64_t* out) {
  const hn::ScalableTag<T> d;
  constexpr std::size_t lanes = lanes_of<T>;
  hn::Vec<decltype(d)> v[vectors], least[vectors];
  for (std::size_t q = 0; q < vectors; q++) {
    const std::size_t start = std::min(q * lanes, n);
    v[q] = load_some(x + start, std::min(lanes, n - start));
  }
  least_differences<vectors>(few, count, v, least);
  for (std::size_t q = 0; q < vectors && q * lanes < n; q++) {
    const std::size_t place = at + q * lanes, left = n - q * lanes;
    uint64_t word = bits_of_mask(d, hn::Eq(least[q], hn::Zero(d)));
    if (left < 64) word &= (uint64_t{1} << left) - 1;
    out[place / 64] |= word << place % 64;
  }
}

// Marks bytes that are among others by a table of these.
struct ByteMembers {
  uint8_t is_member[256] = {};

  ByteMembers(const uint8_t* few, std::size_t count) {
#pragma GCC unroll 8
    for (std::size_t i = 0; i < count; i++) is_member[few[i]] = 1;
  }
  void mark(const uint8_t* x, std::size_t n, uint64_t* out) const {
    for (std::size_t i = 0; i < n; i += 64) {
      const std::size_t count = std::min<std::size_t>(64, n - i);
      uint64_t word = 0;
#pragma GCC unroll 16
      for (std::size_t k = 0; k < count; k++) word |= uint64_t{is_member[x[i + k]]} << k;
      *out++ = word;
    }
  }
};

template <class T>
void mark(const T* few, std::size_t count, const T* x, std::size_t n, uint64_t* out) {
  if constexpr (may_be_close<T>)
    if (CloseBytes<T> close; close.take(few, count, 255)) {
      const ByteMembers table(close.list, count);
      return close.for_others(
          x, n, [&](std::size_t i, const uint8_t* bytes, std::size_t length) { table.mark(bytes, length, out + i / 64); });
    }
  constexpr std::size_t lanes = lanes_of<T>, block = 4 * lanes;
  std::fill_n(out, (n + 63) / 64, 0);
  std::size_t i = 0;
  for (; i + block <= n; i += block) mark_block<4>(few, count, x + i, block, i, out);
  if (i == n) return;
  if (n - i <= lanes) return mark_block<1>(few, count, x + i, n - i, i, out);
  n - i <= 2 * lanes ? mark_block<2>(few, count, x + i, n - i, i, out) : mark_block<4>(few, count, x + i, n - i, i, out);
}

// Gives the keys of one vector that are not equal to an earlier key of the list, of which the last n are its own.
template <class T>
HWY_INLINE uint64_t mark_first_of(const T* x, std::size_t at, std::size_t n) {
  const hn::ScalableTag<T> d;
  const hn::RebindToSigned<decltype(d)> numbers;
  const hn::Vec<decltype(d)> v[1] = {load_some(x + at, n)};
  hn::Vec<decltype(d)> least[1];
  least_differences<1>(x, at, v, least);
  const auto none = hn::Set(d, static_cast<T>(~T{0}));
  const auto place = hn::Iota(numbers, 0), one = hn::Set(numbers, 1);
  auto own = hn::Zero(numbers);
  auto other = none;
  for (std::size_t j = 0; j < n; j++, own = hn::Add(own, one)) {
    const auto later = hn::RebindMask(d, hn::Gt(place, own));
    const auto difference = hn::IfThenElse(later, added(d, none, v[0], hn::Set(d, x[at + j])), none);
    other = hn::Min(other, difference);
  }
  const uint64_t word = bits_of_mask(d, hn::Ne(hn::Min(least[0], other), hn::Zero(d)));
  return n < 64 ? word & ((uint64_t{1} << n) - 1) : word;
}
// Marks new bytes by a table of those that have come.
HWY_INLINE uint64_t mark_new(const uint8_t* x, std::size_t n, uint8_t* is_new) {
  const auto look = [=](std::size_t i) HWY_ATTR {
    const uint64_t fresh = is_new[x[i]];
    is_new[x[i]] = 0;
    return fresh;
  };
  uint64_t word = 0;
  std::size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    uint64_t bits = 0;
#pragma GCC unroll 8
    for (std::size_t k = 0; k < 8; k++) bits |= look(i + k) << k;
    word |= bits << i;
  }
  for (; i < n; i++) word |= look(i) << i;
  return word;
}
void mark_first_bytes(const uint8_t* x, std::size_t n, uint64_t* out) {
  uint8_t is_new[256];
  std::memset(is_new, 1, sizeof is_new);
  out[0] = mark_new(x, std::min<std::size_t>(n, 64), is_new);
  out[1] = n > 64 ? mark_new(x + 64, n - 64, is_new) : 0;
}

template <class T>
void mark_first(const T* x, std::size_t n, uint64_t* out) {
  if constexpr (sizeof(T) == 1) return mark_first_bytes(x, n, out);
  if constexpr (may_be_close<T>)
    if (CloseBytes<T> close; close.take(x, n, 256)) return mark_first_bytes(close.list, n, out);
  out[0] = out[1] = 0;
  for (std::size_t i = 0; i < n; i += lanes_of<T>) out[i / 64] |= mark_first_of(x, i, std::min(lanes_of<T>, n - i)) << i % 64;
}

// --- marks of 64 bits, from places

template <class T>
void mark_by_places(const T* few, std::size_t count, const T* x, std::size_t n, uint64_t* out) {
  uint8_t places[64];
  for (std::size_t i = 0; i < n; i += 64) {
    const std::size_t length = std::min<std::size_t>(64, n - i);
    find(few, count, x + i, length, places);
    uint64_t word = 0;
    for (std::size_t k = 0; k < length; k++) word |= uint64_t{places[k] != count} << k;
    *out++ = word;
  }
}
template <class T>
void mark_first_by_places(const T* x, std::size_t n, uint64_t* out) {
  uint8_t places[most_few_keys];
  first(x, n, places);
  out[0] = out[1] = 0;
  for (std::size_t i = 0; i < n; i++) out[i / 64] |= uint64_t{places[i] == i} << i % 64;
}

// --- all types

// Calls f with a number of the keys' type.
template <class F>
HWY_INLINE auto with_type(FewKeys kind, F f) {
  switch (kind) {
    case FewKeys::bits8: return f(uint8_t{});
    case FewKeys::bits16: return f(uint16_t{});
    case FewKeys::bits32: return f(uint32_t{});
    case FewKeys::bits64: return f(uint64_t{});
    default: return f(double{});
  }
}

// Keys are many where the tables that others take are soon made.
constexpr std::size_t many = 256;
// More keys of 64 bits are sooner put into a table.
constexpr std::size_t most_long_keys = 40;

bool found_by_comparing(FewKeys kind, std::size_t few, std::size_t n) {
  if (few > most_few_keys) return false;
  return with_type(kind, [&](auto key) {
    using T = decltype(key);
    constexpr std::size_t lanes = lanes_of<T>, most_pairs = 1024;
    if (sizeof(T) == 1) return n <= many;
    if (kind == FewKeys::bits64) return few <= most_long_keys && n <= many;
    return few <= 2 * lanes || few * ((n + lanes - 1) / lanes) <= most_pairs;
  });
}
bool marked_by_comparing(FewKeys kind, std::size_t few, std::size_t n) {
  if (few > most_marked_keys) return false;
  if (kind == FewKeys::doubles) return few <= std::max<std::size_t>(2 * lanes_of<double>, 16) && n <= many;
  if (kind == FewKeys::bits64) return found_by_comparing(kind, few, n);
  return with_type(kind, [&](auto key) {
    constexpr std::size_t most_pairs = 2048, lanes = lanes_of<decltype(key)>;
    if (sizeof key == 1) return n <= many && few <= most_few_keys;
    return few <= 2 * lanes || few * ((n + lanes - 1) / lanes) <= most_pairs;
  });
}

void find_any(FewKeys kind, const void* few, std::size_t count, const void* x, std::size_t n, uint8_t* out) {
  with_type(kind, [&](auto key) {
    using T = decltype(key);
    find(static_cast<const T*>(few), count, static_cast<const T*>(x), n, out);
  });
}
void mark_any(FewKeys kind, const void* few, std::size_t count, const void* x, std::size_t n, uint64_t* out) {
  with_type(kind, [&](auto key) {
    using T = decltype(key);
    const T *list = static_cast<const T*>(few), *others = static_cast<const T*>(x);
    if constexpr (sizeof(T) == 8)
      mark_by_places(list, count, others, n, out);
    else
      mark(list, count, others, n, out);
  });
}
void first_any(FewKeys kind, const void* x, std::size_t n, uint8_t* out) {
  with_type(kind, [&](auto key) { first(static_cast<const decltype(key)*>(x), n, out); });
}
void mark_first_any(FewKeys kind, const void* x, std::size_t n, uint64_t* marks) {
  with_type(kind, [&](auto key) {
    const auto* keys = static_cast<const decltype(key)*>(x);
    if constexpr (sizeof key == 8)
      mark_first_by_places(keys, n, marks);
    else
      mark_first(keys, n, marks);
  });
}

}  // namespace
}  // namespace few_keys_unit
using few_keys_unit::found_by_comparing, few_keys_unit::marked_by_comparing, few_keys_unit::find_any, few_keys_unit::mark_any,
    few_keys_unit::first_any, few_keys_unit::mark_first_any;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {

HWY_EXPORT(found_by_comparing);
HWY_EXPORT(marked_by_comparing);
HWY_EXPORT(find_any);
HWY_EXPORT(mark_any);
HWY_EXPORT(first_any);
HWY_EXPORT(mark_first_any);

bool are_found_by_comparing(FewKeys kind, std::size_t few, std::size_t n) {
  return HWY_DYNAMIC_DISPATCH(found_by_comparing)(kind, few, n);
}
bool are_marked_by_comparing(FewKeys kind, std::size_t few, std::size_t n) {
  return HWY_DYNAMIC_DISPATCH(marked_by_comparing)(kind, few, n);
}
void find_among_few(FewKeys kind, const void* few, std::size_t count, const void* x, std::size_t n, std::uint8_t* places) {
  HWY_DYNAMIC_DISPATCH(find_any)(kind, few, count, x, n, places);
}
void mark_among_few(FewKeys kind, const void* few, std::size_t count, const void* x, std::size_t n, std::uint64_t* marks) {
  HWY_DYNAMIC_DISPATCH(mark_any)(kind, few, count, x, n, marks);
}
void first_of_few(FewKeys kind, const void* x, std::size_t n, std::uint8_t* places) {
  HWY_DYNAMIC_DISPATCH(first_any)(kind, x, n, places);
}
void mark_first_of_few(FewKeys kind, const void* x, std::size_t n, std::uint64_t marks[2]) {
  HWY_DYNAMIC_DISPATCH(mark_first_any)(kind, x, n, marks);
}

}  // namespace griddle::kernels
#endif
