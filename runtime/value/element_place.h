// Where the element lies that an index picks: a number in a list, or a list of numbers, one for each axis.
#pragma once

#include "runtime/value/array_layout.h"

namespace griddle {

// Finds the place in a list that a number names, from the end where it is negative.
inline bool finds_place(const Array& a, double index, std::size_t& place) {
  if (!(index >= -2147483648.0 && index < 2147483648.0) || a.rank() != 1) return false;
  const auto whole = static_cast<std::int32_t>(index);
  place = static_cast<std::size_t>(whole) + (whole < 0 ? a.length : 0);
  return whole == index && place < a.length;
}

// The same of one index for each axis, which `index_of` gives.
template <class F>
bool finds_place_in_axes(const Array& a, F&& index_of, std::size_t& place) {
  std::size_t found = 0;
  const auto shape = a.shape();
  for (std::size_t axis = 0; axis < shape.size(); axis++) {
    const std::size_t length = shape[axis];
    const std::int64_t index = index_of(axis);
    const std::size_t i = static_cast<std::size_t>(index) + (index < 0 ? length : 0);
    if (i >= length) return false;
    found = found * length + i;
  }
  place = found;
  return true;
}

// The same of a list of numbers; false where it is no list of so many integers within their axes. Both arrays lie in memory here.
inline bool finds_place(const Array& a, const Array& index, std::size_t& place) {
  if (!index.is_list() || index.length != a.rank()) return false;
  switch (index.type()) {
    case ElementType::i8:
      return finds_place_in_axes(
          a, [&](std::size_t axis) { return index.as<std::int8_t>()[axis]; }, place);
    case ElementType::i16:
      return finds_place_in_axes(
          a, [&](std::size_t axis) { return index.as<std::int16_t>()[axis]; }, place);
    case ElementType::i32:
      return finds_place_in_axes(
          a, [&](std::size_t axis) { return index.as<std::int32_t>()[axis]; }, place);
    case ElementType::bit:
      return finds_place_in_axes(
          a, [&](std::size_t axis) { return index.bit(axis); }, place);
    case ElementType::f64:
      return finds_place_in_axes(
          a,
          [&](std::size_t axis) {
            std::int64_t whole;
            return as_value(bits(index.as<double>()[axis])).to_integer(whole) ? whole : std::numeric_limits<std::int64_t>::min();
          },
          place);
    default: return false;
  }
}

}  // namespace griddle
