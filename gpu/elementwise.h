// Names the elementwise functions that chains consist of.
#pragma once

#include "gpu/plugin_abi.h"
#include "runtime/primitive.h"

namespace griddle {

// Gives the primitive that does on the host what an operation does on the device.
Glyph primitive_of(griddle_operation, bool of_one_argument);
inline bool compares(griddle_operation o) { return o >= griddle_less && o <= griddle_not_equal; }

}  // namespace griddle
