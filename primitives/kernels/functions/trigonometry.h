// Sines and cosines of doubles within 0.8 units in the last place, tangents within one, up to 1000 on either side of 0, and as
// the mathematical library has them beyond. They never stop early; a single element gives the same result as one of many.
#pragma once

#include "primitives/kernels/shared/kernel.h"

namespace griddle::kernels {

struct TrigonometryKernels {
  Monad sine, cosine, tangent;
};

const TrigonometryKernels& trigonometry();

}  // namespace griddle::kernels
