// Under where the array lies on a device: what is selected and what is put back stays there.
#pragma once

#include <cstddef>

#include "runtime/value/array.h"
#include "runtime/value/context.h"

namespace griddle::primitives {

// Tells whether the device has a value, so that functions of it are for the device.
inline bool lies_there(const Context& cx, const Value& v) { return cx.device != nullptr && belongs_to_device(cx, v); }

// Gives `count` cells of x from the first one on, or that one alone, without an axis of its own.
Value cells_there(Context&, const Value& x, std::size_t first, std::size_t count);
Value cell_there(Context&, const Value& x, std::size_t first);

// Gives x with `count` cells from the first one on replaced by as many in v, or by v as a single one. Gives the absent value
// where x would need another kind of elements.
Value with_cells_there(Context&, const Value& x, std::size_t first, std::size_t count, const Value& v);

}  // namespace griddle::primitives
