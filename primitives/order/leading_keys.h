// The first part of values as numbers that order as the values do: most comparisons of boxes end there.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/value/array.h"

namespace griddle::primitives {

// Writes a key for each run of `cell` boxes. Of two runs with different keys the one with the smaller key comes first; equal keys
// tell nothing. Where all keys of one level are equal, those of the next one may tell more. False where there are none: runs
// begin with an operation, or there are no more levels.
bool leading_keys(const Array& boxes, std::size_t cells, std::size_t cell, std::size_t level, std::uint64_t* keys);

}  // namespace griddle::primitives
