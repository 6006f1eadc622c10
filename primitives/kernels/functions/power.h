// Powers and roots of doubles, within 0.75 units in the last place (most results within 0.55; below the normal numbers
// within one). Exact results are exact. No kernel
// stops early; a single element gives the same result as one of many. Negative zero counts as zero.
#pragma once

#include "primitives/kernels/shared/kernel.h"

namespace griddle::kernels {

struct PowerKernels {
  DyadForms power;  // w to the power x
  DyadForms root;   // w-th root of x
};

const PowerKernels& powers();

double power(double w, double x);
double root(double w, double x);

}  // namespace griddle::kernels
