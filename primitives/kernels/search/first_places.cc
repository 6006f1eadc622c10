#include "primitives/kernels/search/first_places.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "hwy/highway.h"
#include "primitives/kernels/shared/bits-inl.h"
#include "primitives/kernels/shared/hash_keys.h"
#include "primitives/kernels/shared/pieces.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace first_places_unit {
namespace {

using std::size_t, std::uint16_t, std::uint32_t, std::uint64_t;

// Keys are handled so many at a time: single places are written that vectors read soon, which waits for all of them.
constexpr size_t block = 256;
// Marks the place in a slot to which several keys belong.
template <class Place>
constexpr Place shared = static_cast<Place>(~(static_cast<Place>(-1) >> 1));

// The slots of keys: the highest bits of products, which depend on all of a key.
template <class Key>
struct Slots {
  static constexpr int width = 8 * sizeof(Key);
  static constexpr uint32_t low_factor = 0x85EBCA77, factor = 0x9E3779B1;
  using D = hn::ScalableTag<Key>;
  int shift;

  HWY_INLINE explicit Slots(unsigned bits) : shift(width - static_cast<int>(bits)) {}
  HWY_INLINE size_t of(Key k) const {
    if constexpr (sizeof(Key) == 4) return k * factor >> shift;
    if constexpr (sizeof(Key) == 8)
      return (static_cast<uint32_t>(k) * low_factor + static_cast<uint32_t>(k >> 32) * factor) >> (shift - 32);
  }
  HWY_INLINE void write(const Key* x, size_t n, Key* to) const {
    const D d;
    for (size_t i = 0; i < n; i += hn::MaxLanes(d)) hn::Store(hn::ShiftRightSame(product(hn::LoadU(d, x + i)), shift), d, to + i);
  }

 private:
  static HWY_INLINE hn::Vec<D> product(hn::Vec<D> v) {
    const D d;
    if constexpr (sizeof(Key) == 8) {
      const hn::Repartition<uint32_t, D> halves;
      const auto factors = hn::BitCast(halves, hn::Set(d, uint64_t{factor} << 32 | low_factor));
      const auto products = hn::BitCast(d, hn::Mul(hn::BitCast(halves, v), factors));
      return hn::ShiftLeft<32>(hn::Add(products, hn::ShiftRight<32>(products)));
    } else {
      return hn::Mul(v, hn::Set(d, factor));
    }
  }
};

// A block of keys, their slots, the places there, and the keys at these places.
template <class Key, class Place>
struct Block {
  using D = hn::ScalableTag<Key>;
  using Places = hn::ScalableTag<Place>;
  const Key* key;
  size_t count;
  HWY_ALIGN Key slot[block];
  HWY_ALIGN Place place[block];
  HWY_ALIGN Key there[block];
  Key last[block];

  // Takes up to a block. Where that is not whole words of results, the last key is repeated.
  HWY_INLINE void take(const Slots<Key>& slots, const Key* x, size_t n) {
    key = x;
    count = std::min(n, block);
    if (count % 64 != 0) {
      const size_t whole = count & ~size_t{63};
      std::fill_n(last + whole, 64, x[count - 1]);
      std::copy_n(x, count, last);
      // Nobody asks what is found for those; but what is compared is no rest of memory.
      std::memset(place + whole, 0, 64 * sizeof(Place));
      std::memset(there + whole, 0, 64 * sizeof(Key));
      key = last;
    }
    slots.write(key, (count + 63) & ~size_t{63}, slot);
  }
  // The first of several keys comes last.
  HWY_INLINE void enter(Place* slots, size_t at) const {
#pragma GCC unroll 8
    for (size_t k = 1; k <= count; k++) slots[slot[count - k]] = static_cast<Place>(at + count - k);
  }
  HWY_INLINE void look_up(const Place* slots, const Key* list) {
#pragma GCC unroll 8
    for (size_t k = 0; k < count; k++) {
      const Place found = slots[slot[k]];
      place[k] = found;
      there[k] = list[static_cast<Place>(found & ~shared<Place>)];
    }
  }
  HWY_INLINE void look_up_places(const Place* slots) {
#pragma GCC unroll 8
    for (size_t k = 0; k < count; k++) place[k] = slots[slot[k]];
  }
  // Tells which keys of some among 64 differ from those at their places.
  HWY_INLINE uint64_t different(const Key* list, size_t start, uint64_t some) {
    // Up to so many are compared one by one.
    constexpr int few = 16;
    if (std::popcount(some) <= few) {
      uint64_t word = 0;
      for (; some != 0; some &= some - 1) {
        const auto k = start + static_cast<size_t>(std::countr_zero(some));
        word |= list[place[k]] != key[k] ? some & -some : 0;
      }
      return word;
    }
    const size_t end = start + 64;
#pragma GCC unroll 8
    for (size_t k = start; k < end; k++) there[k] = list[place[k]];
    return some & ~equal(start);
  }
  HWY_INLINE uint64_t all(size_t k) const { return count - k < 64 ? (uint64_t{1} << (count - k)) - 1 : ~uint64_t{0}; }
  // Tells of 64 keys which are equal to those at their places.
  HWY_INLINE uint64_t equal(size_t k) const { return bits_of_64(D(), *this, k) & all(k); }
  HWY_INLINE hn::Mask<D> mask_at(size_t k) const { return hn::Eq(hn::Load(D(), there + k), hn::LoadU(D(), key + k)); }
  // Tells of 64 keys which stand at their places, those of the block being `at` and more.
  HWY_INLINE uint64_t own(size_t k, size_t at) const {
    const Places d;
    uint64_t word = 0;
    auto wanted = hn::Add(hn::Iota(d, Place{0}), hn::Set(d, static_cast<Place>(at + k)));
    for (size_t i = 0; i < 64; i += hn::MaxLanes(d)) {
      word |= bits_of_mask(d, hn::Eq(hn::Load(d, place + k + i), wanted)) << i;
      wanted = hn::Add(wanted, hn::Set(d, static_cast<Place>(hn::MaxLanes(d))));
    }
    return word & all(k);
  }
  // Tells of 64 keys which are in slots of several.
  HWY_INLINE uint64_t of_several(size_t k) const {
    const Places d;
    uint64_t word = 0;
    for (size_t i = 0; i < 64; i += hn::MaxLanes(d))
      word |= bits_of_mask(d, hn::Ne(hn::And(hn::Load(d, place + k + i), hn::Set(d, shared<Place>)), hn::Zero(d))) << i;
    return word & all(k);
  }
};

// Calls f(i) for each one.
template <class F>
HWY_INLINE void each_one(uint64_t word, F f) {
  for (; word != 0; word &= word - 1) f(static_cast<size_t>(std::countr_zero(word)));
}

template <class Key, class Place>
HWY_INLINE void enter_all(const Key* x, size_t n, const PlaceMemory<Place>& memory) {
  const Slots<Key> slots(memory.slot_bits);
  Block<Key, Place> keys;
  ElementsDone done;
  for (size_t i = (n - 1) & ~(block - 1);; i -= block) {
    done.add(block);
    keys.take(slots, x + i, n - i);
    keys.enter(memory.slots, i);
    if (i == 0) return;
  }
}

// Looks all keys up that were entered, and calls known(block, start, k, own) for the 64 from place start + k on, with those of
// them that stand at their places. Writes which have the slots of others; tells how many.
template <class Key, class Place, class F>
HWY_INLINE size_t look_up_all(const Key* x, size_t n, const PlaceMemory<Place>& memory, F known) {
  const Slots<Key> slots(memory.slot_bits);
  Block<Key, Place> keys;
  size_t others = 0;
  ElementsDone done;
  for (size_t i = 0; i < n; i += block) {
    done.add(block);
    keys.take(slots, x + i, n - i);
    keys.look_up_places(memory.slots);
    for (size_t k = 0; k < keys.count; k += 64) {
      const uint64_t own = keys.own(k, i);
      known(keys, i, k, own);
      each_one(keys.different(x, k, keys.all(k) & ~own),
               [&](size_t j) HWY_ATTR { memory.others[others++] = static_cast<Place>(i + k + j); });
    }
  }
  return others;
}

// Another way from keys to slots: those that fell together are unlikely to do so again, and nobody can choose them to.
template <class Key>
struct OtherSlots {
  uint64_t factor;
  int shift;
  HWY_INLINE OtherSlots(uint64_t by, unsigned bits) : factor(by), shift(64 - static_cast<int>(bits)) {}
  HWY_INLINE size_t of(Key k) const { return (k ^ uint64_t{k} >> 32) * factor >> shift; }
};
constexpr uint64_t next_factor = 0xD1342543DE82EF95;

template <class Key, class Place>
HWY_INLINE void enter_others(const Key* x, const Place* others, size_t count, const OtherSlots<Key>& way, Place* slots) {
  for (size_t i = count; i-- > 0;) slots[way.of(x[others[i]])] = others[i];
}

// Finds the first places of some keys among themselves, and calls found(i, place).
template <class Key, class Place, class F>
HWY_INLINE void settle_others(const Key* x, size_t count, const PlaceMemory<Place>& memory, F found) {
  for (uint64_t factor = hash_keys.factor; count != 0; factor *= next_factor) {
    const OtherSlots<Key> way(factor, memory.slot_bits);
    enter_others(x, memory.others, count, way, memory.slots);
    size_t left = 0;
    for (size_t i = 0; i < count; i++) {
      const Place at = memory.others[i], place = memory.slots[way.of(x[at])];
      if (x[place] == x[at])
        found(at, place);
      else
        memory.others[left++] = at;
    }
    count = left;
  }
}

template <class Key, class Place>
void mark_first(const Key* x, size_t n, const PlaceMemory<Place>& memory, uint64_t* marks) {
  enter_all(x, n, memory);
  const size_t others = look_up_all(x, n, memory, [&](const Block<Key, Place>&, size_t start, size_t k, uint64_t own) HWY_ATTR {
    marks[(start + k) / 64] = own;
  });
  settle_others(x, others, memory, [&](size_t i, size_t place) HWY_ATTR { marks[i / 64] |= uint64_t{i == place} << i % 64; });
}

// Makes numbers of first places: that of a new key is the next one, any other has the number that was written at its place.
template <class Place>
HWY_INLINE size_t number_places(const uint64_t* marks, size_t n, Place* places) {
  const hn::ScalableTag<Place> d;
  size_t next = 0;
  for (size_t i = 0; i < n; i += 64) {
    const size_t count = std::min<size_t>(64, n - i);
    if (marks[i / 64] == ~uint64_t{0}) {
      auto number = hn::Add(hn::Iota(d, Place{0}), hn::Set(d, static_cast<Place>(next)));
      for (size_t k = 0; k < 64; k += hn::MaxLanes(d)) {
        hn::StoreU(number, d, places + i + k);
        number = hn::Add(number, hn::Set(d, static_cast<Place>(hn::MaxLanes(d))));
      }
      next += 64;
      continue;
    }
    // New keys have their numbers first, so that none of the others waits for one.
    const uint64_t own = marks[i / 64];
    each_one(own, [&](size_t k) HWY_ATTR { places[i + k] = static_cast<Place>(next++); });
    const size_t end = i + count;
#pragma GCC unroll 8
    for (size_t k = i; k < end; k++) places[k] = places[own >> (k - i) & 1 ? k : places[k]];
  }
  return next;
}

template <class Key, class Place>
size_t classify(const Key* x, size_t n, const PlaceMemory<Place>& memory, uint64_t* marks, Place* numbers) {
  enter_all(x, n, memory);
  const size_t others =
      look_up_all(x, n, memory, [&](const Block<Key, Place>& keys, size_t start, size_t k, uint64_t own) HWY_ATTR {
        const size_t at = start + k;
        marks[at / 64] = own;
        std::copy_n(keys.place + k, std::min<size_t>(64, n - at), numbers + at);
      });
  settle_others(x, others, memory, [&](size_t i, size_t place) HWY_ATTR {
    numbers[i] = static_cast<Place>(place);
    marks[i / 64] |= uint64_t{i == place} << i % 64;
  });
  return number_places(marks, n, numbers);
}

// The keys that have slots of others, by open addressing.
template <class Key, class Place>
class SecondTable {
 public:
  HWY_INLINE explicit SecondTable(const KeyPlaces<Key, Place>& of)
      : list_(of.list),
        slots_(of.memory.second),
        mask_((size_t{1} << of.second_bits) - 1),
        way_(hash_keys.factor, of.second_bits) {}
  HWY_INLINE void clear() const { std::memset(slots_, 0xFF, (mask_ + 1) * sizeof *slots_); }
  // Gives the slot of a key, or the one where it may be entered.
  HWY_INLINE Place& find(Key k) const {
    size_t at = way_.of(k);
    while (slots_[at] != empty && list_[slots_[at]] != k) at = (at + 1) & mask_;
    return slots_[at];
  }
  static constexpr Place empty = static_cast<Place>(-1);

 private:
  const Key* list_;
  Place* slots_;
  size_t mask_;
  OtherSlots<Key> way_;
};

template <class Key, class Place>
void prepare(KeyPlaces<Key, Place>& table) {
  const PlaceMemory<Place>& memory = table.memory;
  std::memset(memory.slots, 0, sizeof(Place) << memory.slot_bits);
  enter_all(table.list, table.n, memory);
  const size_t others = look_up_all(table.list, table.n, memory, [](const Block<Key, Place>&, size_t, size_t, uint64_t) {});
  constexpr size_t room = 4, fewest = 64;
  const size_t second = std::bit_ceil(std::max(fewest, room * others));
  table.second_bits = std::min(static_cast<unsigned>(std::countr_zero(second)), memory.slot_bits);
  const SecondTable<Key, Place> second_table(table);
  second_table.clear();
  const Slots<Key> slots(memory.slot_bits);
  for (size_t i = 0; i < others; i++) {
    const Place at = memory.others[i];
    memory.slots[slots.of(table.list[at])] |= shared<Place>;
    Place& place = second_table.find(table.list[at]);
    place = std::min(place, at);
  }
}

// Looks keys up, and calls found(at, word, block) with the ones of those that are in slots of their own, then other(i, place) for
// others that are there.
template <class Key, class Place, class F, class G>
HWY_INLINE void look_up(const KeyPlaces<Key, Place>& table, const Key* x, size_t n, F found, G other) {
  const Slots<Key> slots(table.memory.slot_bits);
  const SecondTable<Key, Place> second_table(table);
  Block<Key, Place> keys;
  ElementsDone done;
  for (size_t i = 0; i < n; i += block) {
    done.add(block);
    keys.take(slots, x + i, n - i);
    keys.look_up(table.memory.slots, table.list);
    for (size_t k = 0; k < keys.count; k += 64) {
      const uint64_t equal = keys.equal(k);
      found(i + k, equal, keys.place + k);
      each_one(keys.of_several(k) & ~equal, [&](size_t j) HWY_ATTR {
        const Place place = second_table.find(keys.key[k + j]);
        if (place != second_table.empty) other(i + k + j, place);
      });
    }
  }
}

template <class Key, class Place>
void match(const KeyPlaces<Key, Place>& table, const Key* x, size_t n, uint64_t* out) {
  look_up(
      table, x, n, [&](size_t at, uint64_t equal, const Place*) HWY_ATTR { out[at / 64] = equal; },
      [&](size_t i, Place) HWY_ATTR { out[i / 64] |= uint64_t{1} << i % 64; });
}

template <class Key, class Place>
void find(const KeyPlaces<Key, Place>& table, const Key* x, size_t n, Place* out) {
  const hn::ScalableTag<Place> d;
  const auto missing = hn::Set(d, static_cast<Place>(table.n)), place = hn::Set(d, static_cast<Place>(~shared<Place>));
  const auto write = [&](size_t at, uint64_t equal, const Place* places) HWY_ATTR {
    HWY_ALIGN Place result[64];
    for (size_t k = 0; k < 64; k += hn::MaxLanes(d)) {
      uint8_t bits[8];
      const uint64_t some = equal >> k;
      std::memcpy(bits, &some, sizeof bits);
      hn::Store(hn::IfThenElse(hn::LoadMaskBits(d, bits), hn::And(hn::Load(d, places + k), place), missing), d, result + k);
    }
    std::memcpy(out + at, result, std::min<size_t>(64, n - at) * sizeof *out);
  };
  look_up(table, x, n, write, [&](size_t i, Place at) HWY_ATTR { out[i] = at; });
}

template <class Key, class Place>
constexpr PlaceFunctions<Key, Place> functions_of{mark_first<Key, Place>, classify<Key, Place>, prepare<Key, Place>,
                                                  match<Key, Place>, find<Key, Place>};

const PlaceFunctions<uint32_t, uint16_t>* near32() { return &functions_of<uint32_t, uint16_t>; }
const PlaceFunctions<uint64_t, uint16_t>* near64() { return &functions_of<uint64_t, uint16_t>; }
const PlaceFunctions<uint32_t, uint32_t>* far32() { return &functions_of<uint32_t, uint32_t>; }
const PlaceFunctions<uint64_t, uint32_t>* far64() { return &functions_of<uint64_t, uint32_t>; }

}  // namespace
}  // namespace first_places_unit
using first_places_unit::near32, first_places_unit::near64, first_places_unit::far32, first_places_unit::far64;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(near32);
HWY_EXPORT(near64);
HWY_EXPORT(far32);
HWY_EXPORT(far64);
using std::uint16_t, std::uint32_t, std::uint64_t;
const PlaceFunctions<uint32_t, uint16_t>& place_functions(uint32_t, uint16_t) { return *HWY_DYNAMIC_DISPATCH(near32)(); }
const PlaceFunctions<uint64_t, uint16_t>& place_functions(uint64_t, uint16_t) { return *HWY_DYNAMIC_DISPATCH(near64)(); }
const PlaceFunctions<uint32_t, uint32_t>& place_functions(uint32_t, uint32_t) { return *HWY_DYNAMIC_DISPATCH(far32)(); }
const PlaceFunctions<uint64_t, uint32_t>& place_functions(uint64_t, uint32_t) { return *HWY_DYNAMIC_DISPATCH(far64)(); }

unsigned place_slot_bits(std::size_t n) {
  // Tables that leave the second-level cache are fuller.
  const std::size_t for_each = n <= most_placed_keys<uint16_t> ? 8 : 4;
  constexpr std::size_t fewest = 64;
  return static_cast<unsigned>(std::countr_zero(std::bit_ceil(std::max(fewest, for_each * n))));
}
}  // namespace griddle::kernels
#endif
