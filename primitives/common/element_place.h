// Where the element lies that a list of indices, one for each axis, picks.
#pragma once

#include "primitives/common/small_integer.h"
#include "runtime/value/array.h"

namespace griddle::primitives {

template <class T>
bool find_place(const T* index, const Array& x, std::size_t& place) {
  std::size_t found = 0;
  for (std::size_t axis = 0; axis < x.rank(); axis++) {
    const std::size_t length = x.shape()[axis];
    const std::size_t i = static_cast<std::size_t>(index[axis]) + (index[axis] < 0 ? length : 0);
    if (i >= length) return false;
    found = found * length + i;
  }
  place = found;
  return true;
}

// Finds the place; false where the index is no list of so many integers within their axes. Both arrays lie in memory here.
inline bool find_place(const Array& index, const Array& x, std::size_t& place) {
  if (!index.is_list() || index.length != x.rank()) return false;
  switch (index.type()) {
    case ElementType::i8: return find_place(index.as<std::int8_t>(), x, place);
    case ElementType::i16: return find_place(index.as<std::int16_t>(), x, place);
    case ElementType::i32: return find_place(index.as<std::int32_t>(), x, place);
    case ElementType::bit:
    case ElementType::f64: break;
    default: return false;
  }
  std::size_t found = 0;
  for (std::size_t axis = 0; axis < x.rank(); axis++) {
    const std::size_t length = x.shape()[axis];
    std::size_t i;
    if (!finds(plain_element(index, axis), length, i)) return false;
    found = found * length + i;
  }
  place = found;
  return true;
}

}  // namespace griddle::primitives
