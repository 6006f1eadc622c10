// Selection along one axis, shared by Select, Replicate and whatever else takes cells by index.
#pragma once

#include "runtime/value/array.h"
#include "runtime/value/context.h"

namespace griddle::primitives {

// Fails where `indices` (numeric, any shape) has one that is no index of an axis of length n. `name` is the primitive's.
void check_indices(Context&, const char* name, const Array& indices, std::size_t n);
// The same for `count` of them from `first` on, which begins a byte.
void check_indices(Context&, const char* name, const Array& indices, std::size_t n, std::size_t first, std::size_t count);

// Gives `x` with its axis replaced by the axes of `indices`, which are in range.
Value select_axis(Context&, const Value& x, std::size_t axis, const Array& indices);

}  // namespace griddle::primitives
