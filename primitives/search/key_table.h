// Tables from keys to 32-bit numbers: one slot for every possible key where their range is small, open addressing elsewhere.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>

#include "primitives/kernels/shared/bounds.h"
#include "primitives/kernels/shared/hash_keys.h"
#include "primitives/search/cell_keys.h"
#include "runtime/value/array.h"
#include "runtime/value/context.h"

namespace griddle::primitives {

// Stands in a table where a key has no number yet.
inline constexpr std::uint32_t no_number = 0xFFFFFFFF;

template <class Key>
class DirectTable {
 public:
  static constexpr bool prefetches = false;
  // Keys lie in [low, low + range), modulo the width of keys.
  DirectTable(Heap& heap, Key low, std::size_t range)
      : memory_(make_list(heap, ElementType::i32, range)), slots_(memory_->as<std::uint32_t>()), low_(low), range_(range) {
    std::memset(slots_, 0xFF, range * sizeof(std::uint32_t));
  }
  // Gives the number of a key in the range, to be set if it is `no_number`.
  std::uint32_t& operator[](Key k) { return slots_[static_cast<Key>(k - low_)]; }
  // Gives the number of a key, to be changed, or null where it has none.
  std::uint32_t* find_slot(Key k) {
    std::size_t i = static_cast<Key>(k - low_);
    return i < range_ && slots_[i] != no_number ? slots_ + i : nullptr;
  }
  void prefetch(Key) const {}

 private:
  Ref<Array> memory_;
  std::uint32_t* slots_;
  Key low_;
  std::size_t range_;
};

// Scrambles high bits into low ones first: doubles that are integers differ in high bits only.
template <class Key>
std::uint64_t scrambled(Key k) {
  std::uint64_t h = k;
  if constexpr (sizeof(Key) == 8) h ^= h >> 32;
  return h * kernels::hash_keys.factor;
}

// For few keys: slots of 16 bits name entries, which lie one after the other, so that a new table has little to clear.
template <class Key>
class SmallTable {
 public:
  static constexpr bool prefetches = false;
  static constexpr std::size_t most_keys = 60000;
  // There may be `expected` different keys, but no more.
  SmallTable(Heap& heap, std::size_t expected) {
    // Most keys are found or missed at the first look.
    const std::size_t count = std::bit_ceil(std::max<std::size_t>((expected <= very_few ? 16
                                                                   : expected <= few    ? 6
                                                                                        : 3) *
                                                                      expected,
                                                                  64));
    const std::size_t slot_bytes = count * sizeof(std::uint16_t);
    memory_ = make_list(heap, ElementType::i8, slot_bytes + expected * sizeof(Entry));
    slots_ = memory_->as<std::uint16_t>();
    entries_ = reinterpret_cast<Entry*>(memory_->as<std::uint8_t>() + slot_bytes);
    std::memset(slots_, 0xFF, slot_bytes);
    mask_ = count - 1;
    shift_ = 64 - static_cast<unsigned>(std::countr_zero(count));
  }
  // Gives the number of a key, to be set if it is `no_number`.
  std::uint32_t& operator[](Key k) {
    std::size_t i = scrambled(k) >> shift_;
    for (; slots_[i] != empty; i = (i + 1) & mask_)
      if (entries_[slots_[i]].key == k) return entries_[slots_[i]].number;
    slots_[i] = static_cast<std::uint16_t>(used_);
    Entry& fresh = entries_[used_++];
    fresh = {k, no_number};
    return fresh.number;
  }
  std::uint32_t* find_slot(Key k) {
    for (std::size_t i = scrambled(k) >> shift_; slots_[i] != empty; i = (i + 1) & mask_)
      if (entries_[slots_[i]].key == k) return &entries_[slots_[i]].number;
    return nullptr;
  }
  void prefetch(Key) const {}

 private:
  static constexpr std::uint16_t empty = 0xFFFF;
  static constexpr std::size_t very_few = 256, few = 8192;
  struct Entry {
    Key key;
    std::uint32_t number;
  };
  Ref<Array> memory_;
  std::uint16_t* slots_;
  Entry* entries_;
  std::size_t mask_;
  std::size_t used_ = 0;
  unsigned shift_;
};

// For any keys: slots hold keys and numbers. Those of a few keys stay near, so that nothing is gained by fetching them early.
template <class Key, bool early = true>
class HashTable {
 public:
  static constexpr bool prefetches = early;
  HashTable(Heap& heap, std::size_t expected) : heap_(heap), expected_(expected) {
    const std::size_t most = expected <= most_at_once ? 2 * most_at_once : first_slots;
    make_slots(std::bit_ceil(std::clamp<std::size_t>((expected <= few_keys ? 8 : 4) * expected, 64, most)));
  }
  // Gives the number of a key, which must be set at once if it is `no_number`. Other references to numbers die.
  std::uint32_t& operator[](Key k) {
    std::size_t i = home(k);
    for (; entries_[i].number != no_number; i = (i + 1) & mask_)
      if (entries_[i].key == k) return entries_[i].number;
    if (++used_ > most_used_) [[unlikely]] {
      grow();
      for (i = home(k); entries_[i].number != no_number;) i = (i + 1) & mask_;
    }
    entries_[i].key = k;
    return entries_[i].number;
  }
  std::uint32_t* find_slot(Key k) {
    std::size_t i = home(k);
    for (; entries_[i].number != no_number; i = (i + 1) & mask_)
      if (entries_[i].key == k) return &entries_[i].number;
    return nullptr;
  }
  void prefetch(Key k) const { __builtin_prefetch(entries_ + home(k)); }

 private:
  struct Entry {
    Key key;
    std::uint32_t number;
  };
  std::size_t home(Key k) const { return static_cast<std::size_t>(scrambled(k) >> shift_); }
  void make_slots(std::size_t count) {
    memory_ = make_list(heap_, ElementType::i8, count * sizeof(Entry));
    entries_ = memory_->as<Entry>();
    std::memset(static_cast<void*>(entries_), 0xFF, count * sizeof(Entry));
    mask_ = count - 1;
    most_used_ = count <= roomy_slots ? count / 4 : count / 2;
    shift_ = 64 - static_cast<unsigned>(std::countr_zero(count));
  }
  // Keys that filled a table are likely to go on being different, so makes room for many more, but not for more than can come.
  void grow() {
    Ref<Array> old = std::move(memory_);
    const Entry* entries = entries_;
    std::size_t count = mask_ + 1;
    make_slots(std::max(2 * count, std::bit_ceil(2 * std::min(expected_, 64 * used_))));
    for (std::size_t i = 0; i < count; i++) {
      if (entries[i].number == no_number) continue;
      std::size_t j = home(entries[i].key);
      while (entries_[j].number != no_number) j = (j + 1) & mask_;
      entries_[j] = entries[i];
    }
  }
  // Small tables have slots to spare, so that most keys are found or missed at the first look; large ones are fuller, to stay
  // near. Up to `most_at_once` keys never need a second table; of more, many may be equal.
  static constexpr std::size_t few_keys = 1 << 10, first_slots = 1 << 16, most_at_once = 1 << 17, roomy_slots = 1 << 13;
  Heap& heap_;
  std::size_t expected_;
  Ref<Array> memory_;
  Entry* entries_;
  std::size_t mask_;
  std::size_t most_used_;
  std::size_t used_ = 0;
  unsigned shift_;
};

// Calls f(place, key) for each key in order, fetching the slots of keys that come soon. f gives false to stop; tells where.
template <class Table, class Key, class F>
std::size_t visit_keys(Context& cx, const Table& table, const Key* keys, std::size_t n, F f) {
  constexpr std::size_t ahead = 24, piece = 1 << 18;
  for (std::size_t start = 0; start < n; start += piece) {
    cx.check_interrupt();
    std::size_t end = std::min(n, start + piece);
    std::size_t with_ahead = Table::prefetches && end > ahead ? std::max(start, std::min(end, n - std::min(n, ahead))) : start;
    std::size_t i = start;
    for (; i < with_ahead; i++) {
      table.prefetch(keys[i + ahead]);
      if (!f(i, keys[i])) return i + 1;
    }
    for (; i < end; i++)
      if (!f(i, keys[i])) return i + 1;
  }
  return n;
}

// Calls f with an empty table for these keys. So many keys will be looked up apart from them.
template <class Key, class F>
decltype(auto) with_table(Context& cx, const CellKeys& keys, const Key* data, std::size_t lookups, F f) {
  if constexpr (sizeof(Key) == 1) return f(DirectTable<Key>(cx.heap, 0, 256));
  if constexpr (sizeof(Key) == 2 || sizeof(Key) == 4) {
    std::size_t n = keys.count;
    if (keys.range && sizeof(Key) == 4) return f(DirectTable<Key>(cx.heap, 0, keys.range));
    constexpr ElementType type = sizeof(Key) == 2 ? ElementType::i16 : ElementType::i32;
    const kernels::Bounds bounds = n == 0 ? kernels::Bounds{} : kernels::bounds_of(type, data, n);
    const std::size_t range = static_cast<std::size_t>(bounds.high - bounds.low) + 1;
    if (range <= 4 * (n + lookups) + 1024) return f(DirectTable<Key>(cx.heap, static_cast<Key>(bounds.low), range));
  }
  // Clearing more slots pays where many keys are looked up.
  constexpr std::size_t very_few = 512, many_for_each = 16;
  if constexpr (sizeof(Key) == 4)
    if (keys.count <= very_few && lookups >= many_for_each * keys.count) return f(HashTable<Key, false>(cx.heap, keys.count));
  if (keys.count <= SmallTable<Key>::most_keys) return f(SmallTable<Key>(cx.heap, keys.count));
  return f(HashTable<Key>(cx.heap, keys.count));
}

}  // namespace griddle::primitives
