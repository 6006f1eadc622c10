// KeyMemory: memory for the first places of keys.
#pragma once

#include "primitives/kernels/search/first_places.h"
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

}  // namespace griddle::primitives
