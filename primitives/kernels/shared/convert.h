// Moves elements between storage forms: widening, checked narrowing, bits to elements, and spreading one element over a cell.
#pragma once

#include "primitives/kernels/shared/kernel.h"
#include "runtime/value/element_type.h"

namespace griddle::kernels {

struct ConvertKernels {
  // Widens numbers (i8 to f64) and characters (c8 to c32); null where the target is no wider type of the family. From bits: see
  // expand.
  Monad widen[element_type_count][element_type_count];
  // Narrows f64 and i32; stops at the first group of lanes with an element that does not fit.
  Monad narrow[element_type_count][element_type_count];
  // Writes `n` bits from place `offset` on as 0 and 1 of a number type; null for others.
  void (*expand[element_type_count])(void* out, const std::uint64_t* bits, std::size_t offset, std::size_t n);
  // Writes for each of `n` bits the element at `zero` or the one at `one`, of a number type; null for others.
  void (*choose[element_type_count])(void* out, const std::uint64_t* bits, std::size_t n, const void* zero, const void* one);
  // Writes the element at `one` wherever one of `n` bits is set, of any type but bits and boxes; null for these.
  void (*overwrite[element_type_count])(void* to, const std::uint64_t* bits, std::size_t n, const void* one);
  // Write n consecutive integers from `start` on, which all fit.
  void (*range[lane_count])(void* out, double start, std::size_t n);
  // Add and subtract bits to i8.
  Dyad sum_of_bits, difference_of_bits;
};

const ConvertKernels& convert();

// Writes each of the elements `first` .. to its own `cell` places, starting `skip` places into the first cell and ending after
// `n` places. `width` is 1, 2, 4 or 8 bytes.
void spread(void* out, const void* first, unsigned width, std::size_t cell, std::size_t skip, std::size_t n);

}  // namespace griddle::kernels
