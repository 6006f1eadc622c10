// Pictures as PNG files.
#pragma once

#include "runtime/plot/surface.h"

namespace griddle::plot {

// Gives the bytes of a file with these pixels, three bytes each.
HeapText png_of(Heap&, const Pixels&);

}  // namespace griddle::plot
