// Axes of boxes: griddle_box says what they mean.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gpu/plugin_abi.h"

namespace griddle {

using Axes = std::vector<griddle_axis>;

// Gives the axes of a whole array, each with its distance between neighbours.
Axes axes_of(std::span<const std::size_t> shape);
// Leaves out axes of one place and makes one axis of two that follow each other in the source; at least one is left.
void simplify(Axes&, std::int64_t& from);

}  // namespace griddle
