// Fills: the element that stands in where an array has none. A fill is 0, ' ', or a nested array of them.
#pragma once

#include "runtime/value/array.h"

namespace griddle {

// Gives the fill of a value's elements, or the absent value where it is unknown. Atoms count as units.
Value fill_of(Heap&, const Value&);
// Gives the fill that `v` would have as an element: 0 for numbers, ' ' for characters, arrays element by element, and the
// absent value where another atom occurs.
Value prototype(Heap&, const Value& v);
// Gives the array with its fill replaced; an absent fill makes it unknown.
Value with_fill(Heap&, Value array, const Value& fill);
// Gives `array` the fill of `like`.
Value with_fill_like(Heap&, Value array, const Value& like);
// Gives the fill both have, or the absent value where they differ or one is unknown.
Value common_fill(Heap&, const Value& a, const Value& b);
// Gives an array of the given shape with all elements equal to `v` (a fill, say).
Value filled(Heap&, std::span<const std::size_t> shape, const Value& v);
// Writes one value to boxes that hold nothing yet.
inline void fill_boxes(Array& to, std::size_t start, std::size_t count, const Value& v) {
  std::fill_n(to.as<std::uint64_t>() + start, count, v.bits());
  if (v.is_object()) v.object()->refs += static_cast<std::uint32_t>(count);
}

}  // namespace griddle
