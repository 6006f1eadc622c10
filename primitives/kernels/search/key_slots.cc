#include "primitives/kernels/search/key_slots.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "hwy/highway.h"
#include "primitives/kernels/shared/bits-inl.h"
#include "primitives/kernels/shared/hash_keys.h"
#include "primitives/kernels/shared/pieces.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace key_slots_unit {
namespace {

using std::size_t, std::uint32_t, std::uint64_t, std::uint8_t;

// Keys are handled so many at a time: what is known is found for all of them before the rest is added.
constexpr size_t block = 64;

template <class Key>
using Lanes = hn::ScalableTag<Key>;

// The homes of keys in a table: the highest of 32 bits that depend on all of a key, in a way that nobody knows. What one product
// alone makes of keys in equal steps may lie close together.
template <class Key>
struct Homes {
  int shift;

  HWY_INLINE explicit Homes(const KeySlots<Key>& table) : shift(32 - std::countr_zero(table.count)) {}
  HWY_INLINE size_t of(Key k) const { return hash(k) >> shift; }
  HWY_INLINE void write(const Key* x, Key* to) const {
    const Lanes<Key> d;
    for (size_t i = 0; i < block; i += hn::MaxLanes(d))
      hn::Store(hn::ShiftRightSame(hash(hn::LoadU(d, x + i)), shift), d, to + i);
  }

 private:
  static HWY_INLINE uint32_t hash(Key k) {
    uint32_t h;
    if constexpr (sizeof(Key) == 4) {
      h = k * static_cast<uint32_t>(hash_keys.factor);
    } else {
      const uint64_t sum = uint64_t{static_cast<uint32_t>(k)} * static_cast<uint32_t>(hash_keys.factor) +
                           uint64_t{static_cast<uint32_t>(k >> 32)} * static_cast<uint32_t>(hash_keys.factor >> 32);
      h = static_cast<uint32_t>(sum ^ sum >> 32);
    }
    return (h ^ h >> 15) * static_cast<uint32_t>(hash_keys.part_factor);
  }
  // The same in the lower halves of lanes, with nothing in upper ones.
  static HWY_INLINE hn::Vec<Lanes<Key>> hash(hn::Vec<Lanes<Key>> v) {
    const Lanes<Key> d;
    const hn::Repartition<uint32_t, Lanes<Key>> words;
    const auto second = hn::Set(d, Key{static_cast<uint32_t>(hash_keys.part_factor)});
    if constexpr (sizeof(Key) == 4) {
      const auto h = hn::Mul(v, hn::Set(d, static_cast<uint32_t>(hash_keys.factor)));
      return hn::Mul(hn::Xor(h, hn::ShiftRight<15>(h)), second);
    } else {
      const auto product = [=](hn::Vec<Lanes<Key>> halves, uint64_t factor) HWY_ATTR {
        return hn::MulEven(hn::BitCast(words, halves), hn::BitCast(words, hn::Set(d, factor)));
      };
      const auto low_half = hn::Set(d, uint64_t{0xFFFFFFFF});
      const auto sum = hn::Add(product(v, hash_keys.factor), product(hn::ShiftRight<32>(v), hash_keys.factor >> 32));
      const auto h = hn::And(hn::Xor(sum, hn::ShiftRight<32>(sum)), low_half);
      const auto mixed = hn::MulEven(hn::BitCast(words, hn::Xor(h, hn::ShiftRight<15>(h))), hn::BitCast(words, second));
      return hn::And(hn::BitCast(d, mixed), low_half);
    }
  }
};

// A block of keys, their homes in a table, and what is there.
template <class Key>
struct Block {
  using Slot = KeySlot<Key>;
  using Numbers = hn::ScalableTag<uint32_t>;
  const Key* key;
  size_t count;
  HWY_ALIGN Key home[block];
  HWY_ALIGN Key there[block];
  HWY_ALIGN uint32_t number[block];
  Key last[block];

  // Takes up to a block. The last of fewer keys is repeated.
  HWY_INLINE void take(const Homes<Key>& homes, const Key* x, size_t n) {
    key = x;
    count = std::min(n, block);
    if (count != block) {
      std::copy_n(x, count, last);
      std::fill(last + count, last + block, x[count - 1]);
      key = last;
    }
    homes.write(key, home);
  }
  HWY_INLINE void fetch(const Slot* slots) const {
#pragma GCC unroll 8
    for (size_t k = 0; k < block; k++) __builtin_prefetch(slots + home[k]);
  }
  HWY_INLINE void look(const Slot* slots) {
    if constexpr (sizeof(Key) == 4) {
      // Whole slots are copied, and taken apart in vectors.
      const Numbers d;
      HWY_ALIGN Slot found[block];
#pragma GCC unroll 8
      for (size_t k = 0; k < block; k++) std::memcpy(found + k, slots + home[k], sizeof(Slot));
      for (size_t k = 0; k < block; k += hn::MaxLanes(d)) {
        hn::Vec<Numbers> keys, numbers;
        hn::LoadInterleaved2(d, &found[k].key, keys, numbers);
        hn::Store(keys, d, there + k);
        hn::Store(numbers, d, number + k);
      }
    } else {
#pragma GCC unroll 8
      for (size_t k = 0; k < block; k++) {
        const Slot& slot = slots[home[k]];
        there[k] = slot.key;
        number[k] = slot.number;
      }
    }
  }
  HWY_INLINE uint64_t all() const { return ~uint64_t{0} >> (block - count); }
  // Gives the ones of keys that are at home. No free slot has a key whose home it is.
  HWY_INLINE uint64_t known() const { return bits_of_64(Lanes<Key>(), *this, 0) & all(); }
  HWY_INLINE hn::Mask<Lanes<Key>> mask_at(size_t k) const {
    const Lanes<Key> d;
    return hn::Eq(hn::Load(d, there + k), hn::LoadU(d, key + k));
  }
  // Gives the ones of keys that may be elsewhere: where the highest bit of a number says so.
  HWY_INLINE uint64_t elsewhere() const {
    const Numbers d;
    uint64_t ones = 0;
    for (size_t k = 0; k < block; k += hn::MaxLanes(d)) {
      const hn::RebindToSigned<Numbers> with_sign;
      const auto found = hn::BitCast(with_sign, hn::Load(d, number + k));
      ones |= bits_of_mask(with_sign, hn::Lt(found, hn::Zero(with_sign))) << k;
    }
    return ones & all();
  }
  // Writes the numbers at home, and something for keys that are not there.
  HWY_INLINE void write_numbers(uint32_t* out) {
    const Numbers d;
    if (count != block) {
      for (size_t k = 0; k < count; k++) out[k] = number[k] & Slot::none;
      return;
    }
    for (size_t k = 0; k < block; k += hn::MaxLanes(d))
      hn::StoreU(hn::And(hn::Load(d, number + k), hn::Set(d, Slot::none)), d, out + k);
  }
};

// Calls f(i) for each one.
template <class F>
HWY_INLINE void each_one(uint64_t word, F f) {
  for (; word != 0; word &= word - 1) f(static_cast<size_t>(std::countr_zero(word)));
}

// Goes through keys in blocks, whose slots are fetched one block before where they lie far away.
template <class Key>
struct Blocks {
  const KeySlots<Key>& table;
  const Homes<Key> homes;
  const Key* x;
  size_t n;
  bool far;
  Block<Key> blocks[2];

  HWY_INLINE Blocks(const KeySlots<Key>& of, const Key* keys, size_t length) : table(of), homes(of), x(keys), n(length) {
    constexpr size_t most_near = size_t{1} << 18;  // bytes
    far = table.count * sizeof(KeySlot<Key>) > most_near;
    if (far) blocks[0].take(homes, x, n);
  }
  // Gives the block from place i on: all of them, in order.
  HWY_INLINE Block<Key>& at(size_t i) {
    Block<Key>& now = blocks[i / block % 2];
    if (!far) {
      now.take(homes, x + i, n - i);
    } else if (i + block < n) {
      Block<Key>& next = blocks[(i / block + 1) % 2];
      next.take(homes, x + i + block, n - i - block);
      next.fetch(table.slots);
    }
    return now;
  }
};

// Gives the slot of a key, or null.
template <class Key>
HWY_INLINE KeySlot<Key>* find(const KeySlots<Key>& table, size_t home, Key key) {
  using Slot = KeySlot<Key>;
  Slot* slot = table.slots + home;
  if ((slot->number & Slot::none) == Slot::none) return nullptr;
  if (slot->key == key) return slot;
  if ((slot->number & Slot::elsewhere) == 0) return nullptr;
  for (size_t i = home;;) {
    i = (i + 1) & (table.count - 1);
    slot = table.slots + i;
    if ((slot->number & Slot::none) == Slot::none) return nullptr;
    if (slot->key == key) return slot;
  }
}

// Adds a key that is not there.
template <class Key>
HWY_INLINE void enter(const KeySlots<Key>& table, size_t home, Key key, uint32_t number) {
  using Slot = KeySlot<Key>;
  Slot* slot = table.slots + home;
  if ((slot->number & Slot::none) != Slot::none) {
    slot->number |= Slot::elsewhere;
    size_t i = home;
    do {
      i = (i + 1) & (table.count - 1);
      slot = table.slots + i;
    } while ((slot->number & Slot::none) != Slot::none);
  }
  slot->key = key;
  slot->number = number;
}

template <class Key>
void clear(KeySlots<Key>& table) {
  table.used = 0;
  const Homes<Key> homes(table);
  const Key key = 0;
  const size_t own = homes.of(key);
  in_pieces(table.count, [&](size_t i, size_t end) {
    std::fill(table.slots + i, table.slots + end, KeySlot<Key>{key, KeySlot<Key>::none});
  });
  Key other = 1;
  while (homes.of(other) == own) other++;
  table.slots[own].key = other;
}

template <class Key>
void move(const KeySlots<Key>& from, KeySlots<Key>& to) {
  const Homes<Key> homes(to);
  in_pieces(from.count, [&](size_t i, size_t end) {
    for (; i < end; i++)
      if (const uint32_t number = from.slots[i].number & KeySlot<Key>::none; number != KeySlot<Key>::none)
        enter(to, homes.of(from.slots[i].key), from.slots[i].key, number);
  });
  to.used = from.used;
}

// Where more keys of a block were new, those of the next are taken to be, and not looked up first.
constexpr size_t most_of_block = 48;

// Adds keys, a new one with number_of(place). Calls done(place, block, ones of new keys), the numbers of all being there.
template <class Key, class F, class G>
HWY_INLINE size_t add(KeySlots<Key>& table, const Key* x, size_t n, F number_of, G done) {
  Blocks<Key> blocks(table, x, n);
  const size_t most = most_used_slots(table.count);
  size_t news = 0;
  ElementsDone steps;
  for (size_t i = 0; i < n; i += block) {
    if (table.used + block > most) return i;
    steps.add(block);
    Block<Key>& keys = blocks.at(i);
    uint64_t unknown = keys.all(), fresh = 0;
    if (news <= most_of_block) {
      keys.look(table.slots);
      unknown &= ~keys.known();
    }
    news = table.used;
    each_one(unknown, [&](size_t k) HWY_ATTR {
      if (const KeySlot<Key>* slot = find(table, keys.home[k], keys.key[k]); slot != nullptr) {
        keys.number[k] = slot->number;
        return;
      }
      keys.number[k] = static_cast<uint32_t>(number_of(i + k));
      enter(table, keys.home[k], keys.key[k], keys.number[k]);
      table.used++;
      fresh |= uint64_t{1} << k;
    });
    news = table.used - news;
    done(i, keys, fresh);
  }
  return n;
}

template <class Key>
size_t mark_new(KeySlots<Key>& table, const Key* x, size_t n, uint64_t* out) {
  return add(
      table, x, n, [](size_t) { return 0; },
      [=](size_t i, const Block<Key>&, uint64_t fresh) HWY_ATTR {
        if (out != nullptr) out[i / 64] = fresh;
      });
}

template <class Key>
size_t classify(KeySlots<Key>& table, const Key* x, size_t n, uint32_t* out) {
  return add(
      table, x, n, [&](size_t) { return table.used; },
      [=](size_t i, Block<Key>& keys, uint64_t) HWY_ATTR { keys.write_numbers(out + i); });
}

template <class Key>
size_t number_places(KeySlots<Key>& table, const Key* x, size_t n, size_t first) {
  return add(
      table, x, n, [=](size_t i) { return first + i; }, [](size_t, const Block<Key>&, uint64_t) {});
}

// Looks keys up block by block. Calls f(place, keys, known, others): which of the keys lie at home, and which may lie elsewhere.
template <class Key, class F>
HWY_INLINE void look_up(const KeySlots<Key>& table, const Key* x, size_t n, F f) {
  Blocks<Key> blocks(table, x, n);
  ElementsDone steps;
  for (size_t i = 0; i < n; i += block) {
    steps.add(block);
    Block<Key>& keys = blocks.at(i);
    keys.look(table.slots);
    const uint64_t known = keys.known();
    f(i, keys, known, keys.elsewhere() & ~known);
  }
}

template <class Key>
void match(const KeySlots<Key>& table, const Key* x, size_t n, uint64_t* out) {
  look_up(table, x, n, [&](size_t i, const Block<Key>& keys, uint64_t known, uint64_t others) HWY_ATTR {
    each_one(others, [&](size_t k) HWY_ATTR { known |= uint64_t{find(table, keys.home[k], keys.key[k]) != nullptr} << k; });
    out[i / block] = known;
  });
}

template <class Key>
void find_numbers(const KeySlots<Key>& table, const Key* x, size_t n, uint32_t missing, uint32_t* out) {
  const hn::ScalableTag<uint32_t> d;
  look_up(table, x, n, [&](size_t i, Block<Key>& keys, uint64_t known, uint64_t others) HWY_ATTR {
    for (size_t k = 0; k < block; k += hn::MaxLanes(d)) {
      const uint64_t some = known >> k;
      uint8_t bits[8];
      std::memcpy(bits, &some, sizeof bits);
      hn::Store(hn::IfThenElse(hn::LoadMaskBits(d, bits), hn::Load(d, keys.number + k), hn::Set(d, missing)), d, keys.number + k);
    }
    each_one(others, [&](size_t k) HWY_ATTR {
      const KeySlot<Key>* slot = find(table, keys.home[k], keys.key[k]);
      keys.number[k] = slot != nullptr ? slot->number : missing;
    });
    keys.write_numbers(out + i);
  });
}

template <class Key>
constexpr SlotFunctions<Key> functions_of{clear<Key>,         move<Key>,  mark_new<Key>,    classify<Key>,
                                          number_places<Key>, match<Key>, find_numbers<Key>};

const SlotFunctions<uint32_t>* slots32() { return &functions_of<uint32_t>; }
const SlotFunctions<uint64_t>* slots64() { return &functions_of<uint64_t>; }

}  // namespace
}  // namespace key_slots_unit
using key_slots_unit::slots32, key_slots_unit::slots64;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(slots32);
HWY_EXPORT(slots64);
const SlotFunctions<std::uint32_t>& slot_functions(std::uint32_t) { return *HWY_DYNAMIC_DISPATCH(slots32)(); }
const SlotFunctions<std::uint64_t>& slot_functions(std::uint64_t) { return *HWY_DYNAMIC_DISPATCH(slots64)(); }
}  // namespace griddle::kernels
#endif
