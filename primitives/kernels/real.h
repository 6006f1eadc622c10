// Functions of doubles that the mathematical library computes, one element after the other. Never stop early.
#pragma once

#include "primitives/kernels/kernel.h"

namespace griddle::kernels {

// Gives x mod w with the sign of w.
double modulus(double w, double x);
// Gives the w-th root of x.
double root(double w, double x);
// Gives w to the power x; negative zero counts as zero.
double power(double w, double x);

extern const DyadForms power_f64, root_f64, modulus_f64, logic_or_f64, span_f64;
extern const Monad exponential_f64;

}  // namespace griddle::kernels
