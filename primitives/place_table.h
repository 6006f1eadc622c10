// PlaceTable: where each of a few keys stands first in their list, by open addressing.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "runtime/value/array.h"

namespace griddle::primitives {

// Keys of 32 or 64 bits. Slots are so many that a key is nearly always found or missed at the first look.
template <class Key>
class PlaceTable {
 public:
  static constexpr std::size_t most_keys = 4096;
  // `lookups` keys will be looked for, apart from those of the list.
  PlaceTable(Heap& heap, const Key* list, std::size_t n, std::size_t lookups) : list_(list), missing_(n) {
    // To clear more of them pays where many keys are looked up.
    constexpr std::size_t most_slots = std::size_t{1} << 15;
    const std::size_t count =
        std::bit_ceil(std::clamp<std::size_t>(lookups / 2, 4 * n, std::max(4 * n, std::min(32 * n, most_slots))));
    memory_ = make_list(heap, ElementType::i16, count);
    slots_ = memory_->as<std::uint16_t>();
    std::memset(slots_, 0xFF, count * sizeof(std::uint16_t));
    mask_ = count - 1;
    shift_ = 64 - static_cast<unsigned>(std::countr_zero(count));
  }
  // Adds key i of the list, all before it being there; gives the place of the first one that is equal.
  std::size_t add(std::size_t i) {
    const Key k = list_[i];
    for (std::size_t at = home(k);; at = (at + 1) & mask_) {
      const std::size_t place = slots_[at];
      if (place == empty) {
        slots_[at] = static_cast<std::uint16_t>(i);
        return i;
      }
      if (list_[place] == k) return place;
    }
  }
  void add_all() {
    for (std::size_t i = 0; i < missing_; i++) add(i);
  }
  // Gives the first place of any key, or how many the list has.
  std::size_t find(Key k) const {
    for (std::size_t at = home(k);; at = (at + 1) & mask_) {
      const std::size_t place = slots_[at];
      if (place == empty) return missing_;
      if (list_[place] == k) return place;
    }
  }

 private:
  static constexpr std::size_t empty = 0xFFFF;
  std::size_t home(Key k) const {
    // Doubles that are integers differ in high bits only.
    std::uint64_t h = k;
    if constexpr (sizeof(Key) == 8) h ^= h >> 32;
    return static_cast<std::size_t>(h * 0x9E3779B97F4A7C15ull >> shift_);
  }
  Ref<Array> memory_;
  std::uint16_t* slots_;
  const Key* list_;
  std::size_t missing_;
  std::size_t mask_;
  unsigned shift_;
};

}  // namespace griddle::primitives
