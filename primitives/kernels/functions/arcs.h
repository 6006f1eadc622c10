// Angles of sines, cosines, tangents and points, and distances of points, of doubles, within one unit in the last place (most
// results within 0.6). They never stop early; a single element gives the same result as one of many. Negative zero counts as
// zero.
#pragma once

#include "primitives/kernels/shared/kernel.h"

namespace griddle::kernels {

struct ArcKernels {
  Monad sine, cosine, tangent;
  DyadForms angle;     // of the point with coordinates w and x
  DyadForms distance;  // of that point from 0
};

const ArcKernels& arcs();

}  // namespace griddle::kernels
