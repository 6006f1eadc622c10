// Putting cells back where they were selected.
#pragma once

#include <span>
#include <string>

#include "runtime/value/array.h"
#include "runtime/value/context.h"

namespace griddle::primitives {

// Gives x with runs of `cell_length` elements replaced: run places[i] of x by run i of v. The places are in range, and v has a
// run for each. Fails where a place is named twice with runs that do not match. Takes x, so that it may be changed in place.
Value replace_cells(Context&, Value x, std::size_t cell_length, std::span<const std::size_t> places, const Value& v);

// Gives the list x with the elements at integer indices, which are in range, replaced by those of v. Gives the absent value where
// replacements differ or something else than a copy of x is needed.
Value replace_selected(Context&, const Value& x, const Array& indices, const Value& v);

// Gives a plain list that may be written: x, where nobody else holds it and it has the type, or a copy.
Value writable_list(Heap&, Value& x, ElementType);

// Tells whether integers, above bits, are all indices of n cells, and at least one.
bool are_indices(const Array& indices, std::size_t n);

// Gives the plain list x with an atom at each of the integer indices; the absent value, with x as it was, where one of these is
// out of range, or another type than one of numbers or characters above bits is needed.
Value replace_selected_by(Context&, Value& x, const Array& indices, const Value& atom);

// Tells whether two replacements of one place may stand for each other: they match, or do so but for NaNs in equal places.
bool agree(Context&, const Value&, const Value&);

// Fails because of replacements that differ.
[[noreturn]] void fail_conflict(Context&, const Value&, const Value&);
// Fails because the result of 𝔽 has not the shape that 𝔾 gave.
[[noreturn]] void fail_shape(Context&, std::span<const std::size_t> expected, const Value& v);

}  // namespace griddle::primitives
