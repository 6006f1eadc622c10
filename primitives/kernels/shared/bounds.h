// The least and the greatest of a list of integers or characters, in one pass; integers close together as bytes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/value/element_type.h"

namespace griddle::kernels {

struct Bounds {
  std::int64_t low, high;
};

// Looks at n ≥ 1 elements of an integer or character type of 8 bits or more.
Bounds bounds_of(ElementType type, const void* x, std::size_t n);

// Writes how far n numbers of i16 or i32 are above `low`, and 255 for those below it or farther above.
void bytes_above(ElementType type, const void* x, std::size_t n, std::int64_t low, std::uint8_t* to);

}  // namespace griddle::kernels
