// Structure of short lists of boxes, in the way of list_structure.h: by the heap alone, with declined bits for all else. Elements
// are shared, so that each result is a copy of a few words.
#pragma once

#include "runtime/value/array.h"

namespace griddle::primitives {

// What is longer is worth ways that fetch ahead.
inline constexpr std::size_t most_boxes_at_hand = 256;

std::uint64_t reverse_boxes(Heap&, std::uint64_t x);
std::uint64_t nudge_boxes(Heap&, std::uint64_t x, bool front);
std::uint64_t first_of_boxes(Heap&, std::uint64_t x);  // as an array
std::uint64_t transpose_boxes(Heap&, std::uint64_t x);
std::uint64_t join_all_boxes(Heap&, std::uint64_t x);
std::uint64_t merge_boxes(Heap&, std::uint64_t x);
std::uint64_t depth_of_boxes(std::uint64_t x);

std::uint64_t take_of_boxes(Heap&, std::uint64_t w, std::uint64_t x);
std::uint64_t drop_of_boxes(Heap&, std::uint64_t w, std::uint64_t x);
std::uint64_t rotate_boxes(Heap&, std::uint64_t w, std::uint64_t x);
std::uint64_t shift_boxes(Heap&, std::uint64_t w, std::uint64_t x, bool front);
std::uint64_t select_of_boxes(Heap&, std::uint64_t w, std::uint64_t x);
std::uint64_t pick_of_boxes(std::uint64_t w, std::uint64_t x);
std::uint64_t replicate_boxes(Heap&, std::uint64_t w, std::uint64_t x);
// Makes a list of two values, with the fill that both of them say or none.
std::uint64_t pair_of_arrays(Heap&, std::uint64_t w, std::uint64_t x);
std::uint64_t join_two_boxed(Heap&, std::uint64_t w, std::uint64_t x);
// Gives a list with another value at a place.
std::uint64_t with_box(Heap&, std::uint64_t x, std::size_t place, std::uint64_t v);
std::uint64_t ravel_of_boxes(Heap&, std::uint64_t x);
std::uint64_t table_of_boxes(Heap&, std::uint64_t x, std::size_t rows, std::size_t columns);
std::uint64_t windows_of_boxes(Heap&, std::uint64_t w, std::uint64_t x);

}  // namespace griddle::primitives
