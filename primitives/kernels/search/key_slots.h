// Tables of keys by open addressing, looked up many keys at a time: most are found or missed at the first look, without a branch.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace griddle::kernels {

//   number: 31            30 … 0
//           elsewhere     what the key stands for, or `none` where no key has the slot
// A key goes to the first free slot from that of its hash on; where that is not its own, `elsewhere` is set in its own.
template <class Key>
struct KeySlot {
  static constexpr std::uint32_t elsewhere = std::uint32_t{1} << 31, none = elsewhere - 1;
  Key key;
  std::uint32_t number;
};

// Keys have 32 or 64 bits. Hashes keep their order from one table to a larger one.
template <class Key>
struct KeySlots {
  static constexpr std::size_t fewest = std::size_t{1} << 10, most = std::size_t{1} << 32;
  KeySlot<Key>* slots;
  std::size_t count;  // a power of two from `fewest` to `most`
  std::size_t used;
};

// Gives how many keys a table may hold. Small ones have slots to spare; others are fuller, to stay near.
constexpr std::size_t most_used_slots(std::size_t count) {
  constexpr std::size_t small = std::size_t{1} << 17;
  return count <= small ? count / 4 : std::min<std::size_t>(count / 2, KeySlot<std::uint32_t>::none);
}
// Gives how many slots do for so many keys.
constexpr std::size_t slots_for_keys(std::size_t keys) {
  constexpr std::size_t block = 64;
  std::size_t count = std::bit_ceil(std::max(2 * (keys + block), KeySlots<std::uint32_t>::fewest));
  while (most_used_slots(count) < keys + block) count *= 2;
  return count;
}

// What can be done with tables. Adding ends before a block of 64 keys for which there may be no room, and tells how many are
// done: the others come after a move to a larger table.
template <class Key>
struct SlotFunctions {
  // Makes all slots free.
  void (*clear)(KeySlots<Key>&);
  // Adds the keys of a table to a larger one, which has none.
  void (*move)(const KeySlots<Key>& from, KeySlots<Key>& to);
  // Adds keys, and writes a bit for each that is new; `out` may be null.
  std::size_t (*mark_new)(KeySlots<Key>&, const Key* x, std::size_t n, std::uint64_t* out);
  // Adds keys; new ones are numbered in order of appearance. Writes the number of each.
  std::size_t (*classify)(KeySlots<Key>&, const Key* x, std::size_t n, std::uint32_t* out);
  // Adds keys; the number of a new one is its place, the first key's being `first`.
  std::size_t (*number_places)(KeySlots<Key>&, const Key* x, std::size_t n, std::size_t first);
  // Writes a bit for each key that is there.
  void (*match)(const KeySlots<Key>&, const Key* x, std::size_t n, std::uint64_t* out);
  // Writes the number of each key, or `missing`.
  void (*find_numbers)(const KeySlots<Key>&, const Key* x, std::size_t n, std::uint32_t missing, std::uint32_t* out);
};
const SlotFunctions<std::uint32_t>& slot_functions(std::uint32_t);
const SlotFunctions<std::uint64_t>& slot_functions(std::uint64_t);

}  // namespace griddle::kernels
