// Exponentials, logarithms and cube roots of doubles, within one unit in the last place (most results within 0.55).
// Exact results are exact. No kernel stops early; a single element gives the same result as one of many.
#pragma once

#include "primitives/kernels/shared/kernel.h"

namespace griddle::kernels {

struct ExponentialKernels {
  Monad exponential, exponential_less_1;
  Monad logarithm, logarithm_2, logarithm_10, logarithm_plus_1;
  Monad cube_root;
};

const ExponentialKernels& exponentials();

// Gives what a kernel of one argument gives for one number.
inline double of_one(Monad kernel, double x) {
  double result;
  kernel(&result, &x, 1);
  return result;
}

}  // namespace griddle::kernels
