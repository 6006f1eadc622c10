// BucketTable: memory for a table of keys in buckets.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "primitives/kernels/search/key_buckets.h"
#include "runtime/value/array.h"

namespace griddle::primitives {

template <class Key>
class BucketTable {
 public:
  // More keys are better held by a table that grows with those that are different.
  static constexpr std::size_t most_keys = std::size_t{1} << 26;

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
