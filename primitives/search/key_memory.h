// KeyMemory: memory for the first places of keys. PlaceTable: a list whose keys are looked up by these. BucketTable: memory for a
// table of keys in buckets.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "primitives/kernels/search/first_places.h"
#include "primitives/kernels/search/key_buckets.h"
#include "runtime/value/array.h"

namespace griddle::primitives {

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
class BucketTable {
 public:
  // `keys` of them may come at most. Others are looked for where it is `filtered`.
  BucketTable(Heap& heap, std::size_t keys, bool numbered, bool filtered) {
    using View = kernels::KeyBuckets<Key>;
    constexpr std::size_t in_each = View::capacity / 2, filter_bits_for_each = 16;
    const std::size_t count = std::bit_ceil(std::max<std::size_t>(keys / in_each, 2));
    const std::size_t filter_bits = filtered ? std::bit_ceil(filter_bits_for_each * std::max<std::size_t>(keys, 64)) : 0;
    const std::size_t places = count * View::capacity, line = 64;
    const std::size_t number_bytes = numbered ? (places + View::numbers_beyond) * sizeof(std::uint32_t) : 0;
    const std::size_t mask_bytes = count * sizeof(typename View::Mask);
    memory_ = make_list(heap, ElementType::i8, line + places * sizeof(Key) + number_bytes + mask_bytes + filter_bits / 8);
    std::uint8_t* start = memory_->data.here();
    start += -reinterpret_cast<std::uintptr_t>(start) % line;
    view_.keys = reinterpret_cast<Key*>(start);
    start += places * sizeof(Key);
    view_.numbers = numbered ? reinterpret_cast<std::uint32_t*>(start) : nullptr;
    view_.filled = reinterpret_cast<typename View::Mask*>(start + number_bytes);
    view_.buckets = count;
    view_.filter = filtered ? start + number_bytes + mask_bytes : nullptr;
    view_.filter_bits = filter_bits;
    std::memset(view_.filled, 0, mask_bytes + filter_bits / 8);
  }
  const kernels::KeyBuckets<Key>& view() const { return view_; }

 private:
  Ref<Array> memory_;
  kernels::KeyBuckets<Key> view_;
};

}  // namespace griddle::primitives
