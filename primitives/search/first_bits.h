// What ∊ and ⍷ make of bits, of which there are but two kinds.
#pragma once

#include "runtime/value/array.h"

namespace griddle::primitives {

// Makes a list of up to 64 bits.
inline Array* list_of_word(Heap& heap, std::size_t n, std::uint64_t word) {
  Array* const list = make_plain_list(heap, ElementType::bit, n);
  *list->as<std::uint64_t>() = word;
  return list;
}

// Of a list of at least one bit: marks the first of each kind, or keeps these.
Array* marks_of_first_bits(Heap&, const Array& bits);
Array* distinct_bits(Heap&, const Array& bits);

}  // namespace griddle::primitives
