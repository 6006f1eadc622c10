// Text that is longer than there is room for.
#pragma once

#include <string_view>

#include "runtime/format/format.h"

namespace griddle {

// Leaves out what is beyond the last row and column that there is room for, and writes an ellipsis in its place: at the end of a
// row, and instead of the last row. Tells whether nothing is left out.
HeapText shortened(Context&, std::string_view text, const TextRoom&, bool& is_whole);

}  // namespace griddle
