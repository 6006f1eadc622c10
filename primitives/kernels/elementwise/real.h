// Functions of doubles that are computed one element after the other. Never stop early.
#pragma once

#include "primitives/kernels/shared/kernel.h"

namespace griddle::kernels {

// Gives x mod w with the sign of w.
double modulus(double w, double x);

extern const DyadForms modulus_f64, span_f64;

// Fold n doubles onto `so_far` one by one, the last first.
double difference_from_right(const double* x, std::size_t n, double so_far);
double product_from_right(const double* x, std::size_t n, double so_far);
// The same for i8, i16 and i32 elements.
extern double (*const integer_product_from_right[lane_f64])(const void* x, std::size_t n, double so_far);

// Fold n ≥ 1 elements of each type one by one, the last first.
extern const Fold product_fold[lane_count], or_fold[lane_count];

}  // namespace griddle::kernels
