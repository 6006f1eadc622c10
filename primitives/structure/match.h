// Equality of any two values, as ≡ and = on atoms tell it.
#pragma once

#include <algorithm>

#include "primitives/kernels/shared/bit_runs.h"
#include "runtime/value/array.h"
#include "runtime/value/context.h"
#include "runtime/value/function.h"

namespace griddle::primitives {

// Tells whether two values match: same rank, shape and elements, at any depth. Storage forms and fills do not matter.
// Takes bounded stack however deep the values are nested; stops at an interrupt.
bool matches(Context&, const Value&, const Value&);

// Tells whether runs of n bits are equal.
inline bool equal_bit_runs(const std::uint64_t* a, std::size_t i, const std::uint64_t* b, std::size_t j, std::size_t n) {
  for (std::size_t k = 0; k < n; k += 64) {
    const std::size_t count = std::min<std::size_t>(64, n - k);
    if (kernels::read_bits(a, i + k, count) != kernels::read_bits(b, j + k, count)) return false;
  }
  return true;
}

// Tells the same of n elements of each of two arrays of one plain type.
bool equal_runs(const Array& a, std::size_t i, const Array& b, std::size_t j, std::size_t n);

// Tells whether two atoms are equal: numbers by value, characters by code point, the rest as below.
bool equal_atoms(const Value&, const Value&);

// Tells whether two operations, modifiers or namespaces are equal: primitives by glyph, compound functions by
// construction and parts, blocks and namespaces by instance.
bool equal_operations(const Value&, const Value&);

// Gives the parts of a compound function, absent ones too; false for any other function.
bool parts_of(const Function&, const Value* (&parts)[3]);

}  // namespace griddle::primitives
