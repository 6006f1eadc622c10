// Takes elements by index. Indices come in any numeric storage form; negative ones count from the end.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/value/element_type.h"

namespace griddle::kernels {

// Indices in memory, in any numeric storage form.
struct Indices {
  ElementType type;
  const void* data;
  std::size_t count;
  bool negative = true;  // some may be
};

// Gives the place of the first index that is no integer in [-n, n), or their number where there is none; then it is known whether
// some are negative.
std::size_t first_bad_index(Indices&, std::size_t n);

// to[i] = from[indices[i]] for cells of `cell` elements of `width` bits (1, 8, 16, 32, 64), where `from` has n cells.
// Indices are in range. Bits are written at `to_bit` and read at `from_bit`, both 0 for wider elements. No overlap.
void select_cells(unsigned width, void* to, std::size_t to_bit, const void* from, std::size_t from_bit, std::size_t n,
                  std::size_t cell, const Indices&);

// Takes elements by indices that need not be known to be in range, and are looked at just before they are used; false, with some
// elements taken, where an index is negative or none. Tells by the number of elements, and the type of indices, whether this
// pays.
bool selects_below(unsigned width, std::size_t n, ElementType indices);
bool select_below(unsigned width, void* to, const void* from, std::size_t n, const Indices&);

// Takes the same `count` columns of every row: to[r][i] = from[r][chosen[i]] for elements of 8, 16, 32 or 64 bits; neither
// `row_length` nor `count` is 0.
void select_columns(unsigned width, void* to, const void* from, std::size_t rows, std::size_t row_length,
                    const std::size_t* chosen, std::size_t count);

}  // namespace griddle::kernels
