// Mathematical functions of doubles that come from the mathematical library, and what is made of them; one element after the
// other. Negative zero counts as zero.
#pragma once

#include "primitives/kernels/shared/kernel.h"

namespace griddle::kernels {

// x!, from a table for the integers that it is finite for; ∞ for ¯1, NaN for the integers below.
double factorial(double x);
double log_factorial(double x);
// The least factorial of a number above ¯1, and its logarithm.
inline constexpr double least_factorial = 0.8856031944108887, least_log_factorial = -0.12148629053584961;
// Gives the number above 0.46 whose factorial is x; NaN where there is none.
double inverse_factorial(double x);
// Gives the number above 0.46 whose factorial has the logarithm x; NaN where there is none.
double inverse_log_factorial(double x);
// Gives the number of ways to choose x of w, and what continues Pascal's triangle for other numbers.
double binomial(double w, double x);

bool is_natural(double x);
// For natural numbers.
double common_divisor(double w, double x);
double common_multiple(double w, double x);

// Adds n doubles: partial sums of a fixed pattern, whose rounding errors are added up too. The result is the same on every
// processor and closer to the exact one than adding in order.
double accurate_sum(const double* x, std::size_t n);

// Applies a function to each element; never stops early.
template <double (*of)(double)>
std::size_t each_number(void* out, const void* x, std::size_t n) {
  for (std::size_t i = 0; i < n; i++) static_cast<double*>(out)[i] = of(static_cast<const double*>(x)[i] + 0.0);
  return n;
}
// Applies a function to each pair; stops before the first for which `holds` is false.
template <double (*of)(double, double), bool (*holds)(double), Form form>
std::size_t each_pair(void* out, const void* w_bytes, const void* x_bytes, std::size_t n) {
  const double* w = static_cast<const double*>(w_bytes);
  const double* x = static_cast<const double*>(x_bytes);
  const double one = n == 0 || form == array_array ? 0 : (form == scalar_array ? *w : *x) + 0.0;
  for (std::size_t i = 0; i < n; i++) {
    const double a = form == scalar_array ? one : w[i] + 0.0, b = form == array_scalar ? one : x[i] + 0.0;
    if (!holds(a) || !holds(b)) return i;
    static_cast<double*>(out)[i] = of(a, b);
  }
  return n;
}
template <double (*of)(double, double), bool (*holds)(double)>
inline constexpr DyadForms pair_forms = {
    {each_pair<of, holds, array_array>, each_pair<of, holds, array_scalar>, each_pair<of, holds, scalar_array>}};

}  // namespace griddle::kernels
