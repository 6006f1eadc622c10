// KeyMemory: memory for the first places of keys. PlaceTable: a list whose keys are looked up by these. SlotTable: keys with
// numbers, in a table that grows with them. BucketSet: a set of not too many. fill_by_blocks: fills lists of any type with
// numbers of one.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "primitives/common/index_list.h"
#include "primitives/kernels/search/first_places.h"
#include "primitives/kernels/search/key_buckets.h"
#include "primitives/kernels/search/key_slots.h"
#include "primitives/kernels/shared/hash_keys.h"
#include "primitives/kernels/shared/pieces.h"
#include "runtime/value/array.h"

namespace griddle::primitives {

// Fills a list in from f(place, count, numbers), which writes numbers of one type.
template <class Number, class F>
void fill_by_blocks(IndexList& out, std::size_t n, F f) {
  constexpr std::size_t block = 1024;
  out.fill([&](auto* to) {
    using Out = std::remove_pointer_t<decltype(to)>;
    if constexpr (std::is_integral_v<Out> && sizeof(Out) == sizeof(Number)) {
      f(0, n, reinterpret_cast<Number*>(to));
    } else {
      Number numbers[block];
      kernels::ElementsDone done;
      for (std::size_t i = 0; i < n; i += block) {
        const std::size_t count = std::min(block, n - i);
        done.add(count);
        f(i, count, numbers);
        for (std::size_t k = 0; k < count; k++) to[i + k] = static_cast<Out>(numbers[k]);
      }
    }
  });
}

template <class Place>
class KeyMemory {
 public:
  KeyMemory(Heap& heap, std::size_t n, bool prepared) {
    const unsigned bits = kernels::place_slot_bits(n);
    const std::size_t slots = std::size_t{1} << bits, tables = prepared ? 2 : 1;
    memory_ = make_list(heap, sizeof(Place) == 2 ? ElementType::i16 : ElementType::i32, tables * slots + n);
    auto* start = memory_->as<Place>();
    view_ = {start, start + (tables - 1) * slots, start + tables * slots, bits};
  }
  const kernels::PlaceMemory<Place>& view() const { return view_; }

 private:
  Ref<Array> memory_;
  kernels::PlaceMemory<Place> view_;
};

template <class Key, class Place>
class PlaceTable {
 public:
  PlaceTable(Heap& heap, const Key* list, std::size_t n)
      : memory_(heap, n, true), functions_(kernels::place_functions(Key{}, Place{})), table_{list, n, memory_.view(), 0} {
    functions_.prepare(table_);
  }
  void match(const Key* x, std::size_t n, std::uint64_t* marks) const { functions_.match(table_, x, n, marks); }
  void find(const Key* x, std::size_t n, Place* places) const { functions_.find(table_, x, n, places); }

 private:
  const KeyMemory<Place> memory_;
  const kernels::PlaceFunctions<Key, Place>& functions_;
  kernels::KeyPlaces<Key, Place> table_;
};

template <class Key>
class SlotTable {
 public:
  // A table for up to so many keys, which has room for `expected` of them at first.
  SlotTable(Heap& heap, std::size_t keys, std::size_t expected)
      : heap_(heap), keys_(keys), functions_(kernels::slot_functions(Key{})) {
    make(kernels::slots_for_keys(std::min(keys, expected)));
  }
  // Calls add(functions, view, i) for keys from place i of some on, until all are done, of which it tells how many are; of others
  // `before` are.
  template <class F>
  void add(std::size_t before, std::size_t some, F f) {
    for (std::size_t i = 0; (i += f(functions_, view_, i)) != some;) grow(before + i);
  }
  void match(const Key* x, std::size_t n, std::uint64_t* marks) const { functions_.match(view_, x, n, marks); }
  void find(const Key* x, std::size_t n, std::uint32_t missing, std::uint32_t* numbers) const {
    functions_.find_numbers(view_, x, n, missing, numbers);
  }
  std::size_t used() const { return view_.used; }

 private:
  void make(std::size_t count) {
    if (count > kernels::KeySlots<Key>::most) throw OutOfMemory(count * sizeof(kernels::KeySlot<Key>));
    memory_ = make_list(heap_, ElementType::i8, count * sizeof(kernels::KeySlot<Key>));
    view_ = {memory_->as<kernels::KeySlot<Key>>(), count, 0};
    functions_.clear(view_);
  }
  // Keys most of which were different are likely to go on so, but no more can come than there are.
  void grow(std::size_t seen) {
    const Ref<Array> memory = std::move(memory_);
    const kernels::KeySlots<Key> old = view_;
    const std::size_t times = old.used > seen / 2 ? 16 : 4;
    make(std::max(2 * old.count, std::min(times * old.count, kernels::slots_for_keys(keys_))));
    functions_.move(old, view_);
  }
  Heap& heap_;
  std::size_t keys_;
  const kernels::SlotFunctions<Key>& functions_;
  Ref<Array> memory_;
  kernels::KeySlots<Key> view_;
};

class BucketSet {
 public:
  // So many lookups for each key pay for making it; of keys in a range up to so wide a bit each is faster.
  static constexpr std::size_t lookups_for_each = 4, widest_near = std::size_t{1} << 21;
  BucketSet(Heap& heap, const std::uint32_t* keys, std::size_t n) : bits_(kernels::bucket_bits(n)) {
    const std::size_t buckets = std::size_t{1} << bits_, bytes = buckets * kernels::keys_of_bucket * sizeof(std::uint32_t);
    constexpr std::size_t alignment = 32;
    memory_ = make_list(heap, ElementType::i8, bytes + alignment + buckets);
    auto* const start = memory_->as<std::uint8_t>();
    auto* const first = start + (alignment - reinterpret_cast<std::uintptr_t>(start) % alignment) % alignment;
    // What falls together by one factor is unlikely to do so by the other.
    for (const std::uint64_t factor : {kernels::hash_keys.part_factor, kernels::hash_keys.step}) {
      set_ = {reinterpret_cast<std::uint32_t*>(first), bits_, static_cast<std::uint32_t>(factor)};
      if ((has_all_ = kernels::fill_buckets(set_, first + bytes, keys, n))) return;
    }
  }
  // Tells whether all keys found room.
  bool has_all() const { return has_all_; }
  void match(const std::uint32_t* x, std::size_t n, std::uint64_t* marks) const { kernels::match_buckets(set_, x, n, marks); }

 private:
  unsigned bits_;
  Ref<Array> memory_;
  kernels::KeyBuckets set_;
  bool has_all_ = false;
};

}  // namespace griddle::primitives
