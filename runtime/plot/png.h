// Pictures as PNG files.
#pragma once

#include <string_view>

#include "runtime/plot/surface.h"

namespace griddle::plot {

// Gives the bytes of a file with these pixels, three bytes each.
HeapText png_of(Heap&, const Pixels&);
// The same of rows of bytes, each with a 0 before it: 1 to 4 a place, which are gray, or red, green and blue, and how opaque it
// is.
HeapText png_of_rows(Heap&, std::string_view rows, std::size_t width, std::size_t height, std::size_t samples);

}  // namespace griddle::plot
