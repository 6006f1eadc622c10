#include <algorithm>
#include <bit>

#include "hwy/highway.h"
#include "primitives/kernels/sort/counting.h"
#include "primitives/kernels/sort/sort.h"
#include "primitives/kernels/sort/tied_keys.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace grade_vectors_unit {
namespace {

#if HWY_TARGET == HWY_AVX3_DL || HWY_TARGET == HWY_AVX2

namespace hn = hwy::HWY_NAMESPACE;

// How a key, the distance from the end that comes first, is packed above its place. Some of its last bits may be dropped.
template <class Key>
struct Packing {
  Key low, high;
  unsigned place_bits, dropped;
  bool down;
};

template <class Packed, class T, class Key>
void pack(const T* x, std::size_t n, const Packing<Key>& by, Packed* to) {
  const Key low = by.low, high = by.high;
  const unsigned place_bits = by.place_bits, dropped = by.dropped;
  const auto write = [=](auto distance) HWY_ATTR {
    for (std::size_t i = 0; i < n; i++) {
      const auto key = static_cast<Packed>(distance(static_cast<Key>(x[i])) >> dropped);
      to[i] = static_cast<Packed>(key << place_bits | static_cast<Packed>(i));
    }
  };
  if (by.down)
    write([=](Key v) HWY_ATTR { return high - v; });
  else
    write([=](Key v) HWY_ATTR { return v - low; });
}
template <class Packed>
void pack_any(ElementType type, const void* x, std::size_t n, const Packing<std::uint32_t>& by, Packed* to) {
  with_integers(type, [=, &by](auto tag) { pack(static_cast<const typename decltype(tag)::type*>(x), n, by, to); });
}
inline void pack_any(ElementType, const void* x, std::size_t n, const Packing<std::uint64_t>& by, std::uint64_t* to) {
  pack(static_cast<const std::uint64_t*>(x), n, by, to);
}

template <class Packed, class Place>
void unpack(const Packed* from, std::size_t n, unsigned place_bits, Place* places) {
  const auto mask = static_cast<Packed>((Packed{1} << place_bits) - 1);
  for (std::size_t i = 0; i < n; i++) places[i] = static_cast<Place>(from[i] & mask);
}
template <class Packed>
void unpack_any(const Packed* from, std::size_t n, unsigned place_bits, ElementType place_type, void* places) {
  switch (place_type) {
    case ElementType::i8: return unpack(from, n, place_bits, static_cast<std::uint8_t*>(places));
    case ElementType::i16: return unpack(from, n, place_bits, static_cast<std::uint16_t*>(places));
    default: return unpack(from, n, place_bits, static_cast<std::uint32_t*>(places));
  }
}

// Finds the first element from i on that agrees with the next one above the bits of places; n - 1 where none does.
template <class Packed>
std::size_t next_tie(const Packed* packed, std::size_t i, std::size_t n, unsigned place_bits) {
  const hn::ScalableTag<Packed> d;
  const auto place = hn::Set(d, static_cast<Packed>((Packed{1} << place_bits) - 1));
  for (; i + hn::Lanes(d) < n; i += hn::Lanes(d)) {
    const auto differing = hn::Xor(hn::LoadU(d, packed + i), hn::LoadU(d, packed + i + 1));
    const auto at = hn::FindFirstTrue(d, hn::Not(hn::Lt(place, differing)));
    if (at >= 0) return i + static_cast<std::size_t>(at);
  }
  while (i + 1 < n && (packed[i] ^ packed[i + 1]) >> place_bits != 0) i++;
  return i;
}

// Sorts elements packed with their places; false where more than `most_ties` of them agree in all that is packed.
template <class Packed, class Key>
bool grade_packed(ElementType type, const void* x, std::size_t n, const Packing<Key>& by, void* room,
                  [[maybe_unused]] std::size_t most_ties, ElementType place_type, void* places) {
  Packed* packed = static_cast<Packed*>(room);
  const unsigned place_bits = by.place_bits;
  pack_any(type, x, n, by, packed);
  sort_in_vectors(packed, packed + n, n);
  // Bits are dropped of elements that have as many as what is packed has.
  if constexpr (sizeof(Packed) == sizeof(Key)) {
    const auto next = [=](std::size_t i) { return next_tie(packed, i, n, place_bits); };
    if (by.dropped != 0 && next(0) + 1 < n) {
      // Ties are settled among places of 32 bits, so that this is compiled once for each type of elements.
      auto* order = static_cast<std::uint32_t*>(place_type == ElementType::i32 ? places : packed + n);
      unpack(packed, n, place_bits, order);
      const auto tied = [=](std::size_t i, std::size_t j) { return (packed[i] ^ packed[j]) >> place_bits == 0; };
      const auto settle = [=, &by]<class T>(const T* elements) {
        return order_tied_keys(elements, order, n, by.down, most_ties, next, tied);
      };
      bool settled;
      if constexpr (sizeof(Key) == 4)
        settled = type == ElementType::i32 ? settle(static_cast<const std::int32_t*>(x)) : settle(static_cast<const Key*>(x));
      else
        settled = settle(static_cast<const Key*>(x));
      if (settled && order != places) unpack_any(order, n, place_bits, place_type, places);
      return settled;
    }
  }
  unpack_any(packed, n, place_bits, place_type, places);
  return true;
}

// Grades elements whose distances from `low` are at most `greatest`, which keys of their type hold. False where 64 bits would
// have to be sorted, which AVX2 does not do.
template <class Key>
bool grade_keys(ElementType type, const void* x, std::size_t n, Key low, Key greatest, bool down, void* room,
                ElementType place_type, void* places) {
  const auto place_bits = static_cast<unsigned>(std::bit_width(n - 1)),
             key_bits = static_cast<unsigned>(std::bit_width(greatest));
  Packing<Key> by{low, static_cast<Key>(low + greatest), place_bits, 0, down};
  const auto drop_to = [&](unsigned most_bits) {
    const unsigned bits = place_bits + key_bits;
    by.dropped = bits > most_bits ? bits - most_bits : 0;
    return by.dropped == 0;
  };
  if constexpr (sizeof(Key) == 4) {
    if (drop_to(16)) return grade_packed<std::uint16_t>(type, x, n, by, room, 0, place_type, places);
    // Few keys that differ mostly do so in their leading bits, if these are twice as many as a place has.
    if ((drop_to(32) || 3 * place_bits <= 36) && grade_packed<std::uint32_t>(type, x, n, by, room, n / 16, place_type, places))
      return true;
  }
#if HWY_TARGET == HWY_AVX3_DL
  drop_to(64);
  return grade_packed<std::uint64_t>(type, x, n, by, room, n, place_type, places);
#else
  return false;
#endif
}

bool grade_any(ElementType type, const void* x, std::size_t n, std::int64_t low, std::size_t range, void* room,
               ElementType place_type, void* places, bool down) {
  if (type != ElementType::f64)
    return grade_keys(type, x, n, static_cast<std::uint32_t>(low), static_cast<std::uint32_t>(range - 1), down, room, place_type,
                      places);
#if HWY_TARGET == HWY_AVX3_DL
  const auto* keys = static_cast<const std::uint64_t*>(x);
  std::uint64_t least = keys[0], greatest = keys[0];
  for (std::size_t i = 1; i < n; i++) least = std::min(least, keys[i]), greatest = std::max(greatest, keys[i]);
  return grade_keys(type, x, n, least, greatest - least, down, room, place_type, places);
#else
  return false;
#endif
}

#else

bool grade_any(ElementType, const void*, std::size_t, std::int64_t, std::size_t, void*, ElementType, void*, bool) {
  return false;
}

#endif

}  // namespace
}  // namespace grade_vectors_unit
using grade_vectors_unit::grade_any;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {

HWY_EXPORT(grade_any);

bool grade_in_vectors(ElementType type, const void* x, std::size_t n, std::int64_t low, std::size_t range, void* room,
                      ElementType place_type, void* places, bool down) {
  return HWY_DYNAMIC_DISPATCH(grade_any)(type, x, n, low, range, room, place_type, places, down);
}

}  // namespace griddle::kernels
#endif  // HWY_ONCE
