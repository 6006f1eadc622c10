// Makes what folds and scans give.
#pragma once

#include "primitives/common/plain.h"
#include "runtime/value/fill.h"

namespace griddle::primitives {

// Integers whose sums doubles hold, of whatever type and in whatever order.
inline constexpr std::size_t most_summed = std::size_t{1} << 21;

inline std::size_t width_of(ElementType type) { return bits_of(type) / 8; }
inline bool is_bits(const Value& x) { return x.array().type() == ElementType::bit; }

// Makes an array in the shape of a cell.
inline Ref<Array> make_cell(Heap& heap, ElementType type, const Array& a) {
  if (a.rank() == 2) [[likely]]
    return make_plain_list(heap, type, a.shape()[1]);
  return make_array(heap, type, a.shape().subspan(1));
}
// Gives x itself where its memory may take the results, else a new array of the same type and shape.
inline Ref<Array> make_in_place(Heap& heap, const Value& x) {
  Array& a = x.array();
  return a.writable() ? Ref<Array>::share(&a) : make_plain_like(heap, a.type(), a);
}
// Gives results the fill that those of a function of numbers have: none where the argument has none.
inline Value filled_like(Heap& heap, Ref<Array> results, const Value& x) {
  if (x.array().fill_kind() == FillKind::zero) [[likely]]
    return to_value(std::move(results));
  return with_fill_like(heap, to_value(std::move(results)), x);
}

void flip_bits(Array&);
// Gives integers that are held as doubles, or as wider integers, in the narrowest type.
Value narrowed_integers(Context&, Value list);

}  // namespace griddle::primitives
