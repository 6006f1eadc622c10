// One value among boxes.
#pragma once

#include <cstddef>
#include <span>

#include "runtime/value/context.h"
#include "runtime/value/value.h"

namespace griddle::primitives {

// Gives the first place of a value that matches, or how many there are.
std::size_t place_among(Context&, std::span<const Value> boxes, const Value& wanted);

}  // namespace griddle::primitives
