// Pictures of pixels for terminals that show them, as escape sequences.
#pragma once

#include "runtime/plot/surface.h"

namespace griddle::plot {

// The protocol of kitty, which WezTerm, Ghostty and Konsole have, too: a PNG file in pieces of base64.
HeapText kitty_image(Heap&, const Pixels&);
// Sixels, as the VT340 had them: rows of six pixels, one colour after the other. Colours are the nearest of 216.
HeapText sixel_image(Heap&, const Pixels&);

}  // namespace griddle::plot
