// Hyperbolic functions of doubles and their inverses, within one unit in the last place (most results within 0.6). They never
// stop early; a single element gives the same result as one of many. Negative zero counts as zero.
#pragma once

#include "primitives/kernels/shared/kernel.h"

namespace griddle::kernels {

struct HyperbolicKernels {
  Monad sine, cosine, tangent;
  Monad inverse_sine, inverse_cosine, inverse_tangent;
};

const HyperbolicKernels& hyperbolic();

}  // namespace griddle::kernels
