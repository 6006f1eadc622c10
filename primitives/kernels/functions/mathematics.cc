#include "primitives/kernels/functions/mathematics.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace griddle::kernels {

namespace {

constexpr std::size_t largest_factorial = 170;
constexpr std::array<double, largest_factorial + 1> factorials = [] {
  std::array<double, largest_factorial + 1> table{};
  long double product = 1;
  for (std::size_t i = 0; i <= largest_factorial; i++) {
    if (i > 0) product *= static_cast<long double>(i);
    table[i] = static_cast<double>(product);
  }
  return table;
}();

// Pascal's triangle, as far as all its numbers are exact in doubles.
constexpr std::size_t triangle_rows = 57;
constexpr std::array<double, triangle_rows*(triangle_rows + 1) / 2> triangle = [] {
  std::array<double, triangle_rows*(triangle_rows + 1) / 2> table{};
  for (std::size_t row = 0, at = 0; row < triangle_rows; row++)
    for (std::size_t k = 0; k <= row; k++, at++) table[at] = k == 0 || k == row ? 1 : table[at - row] + table[at - row - 1];
  return table;
}();

// Factorials of numbers above ¯1 are least here.
constexpr double least_factorial_at = 0.46163214496836234;

// Sets the bound from where binomial coefficients are computed from gamma functions.
constexpr double most_factors = 10000;

// Gives log |Γ(x)| and the sign of Γ(x).
double log_gamma(double x, int& sign) { return lgamma_r(x, &sign); }

// Halves the way between two numbers, between which a growing function passes x, until there is none.
template <double (*of)(double)>
double solution(double x, double low, double high) {
  for (double middle; middle = low + (high - low) / 2, low < middle && middle < high;) (of(middle) < x ? low : high) = middle;
  return x - of(low) < of(high) - x ? low : high;
}

}  // namespace

bool is_natural(double x) { return x >= 0 && std::floor(x) == x && !std::isinf(x); }

double factorial(double x) {
  if (is_natural(x) && x <= static_cast<double>(largest_factorial)) return factorials[static_cast<std::size_t>(x)];
  return std::tgamma(x + 1);
}

double log_factorial(double x) {
  int sign;
  return log_gamma(x + 1, sign);
}

double inverse_factorial(double x) {
  if (!(x >= least_factorial)) return std::numeric_limits<double>::quiet_NaN();
  if (std::isinf(x)) return x;
  if (x < 1) return solution<factorial>(x, least_factorial_at, 1);
  const auto* next = std::lower_bound(factorials.begin() + 1, factorials.end(), x);
  const auto n = static_cast<double>(next - factorials.begin());
  return next != factorials.end() && *next == x ? n : solution<factorial>(x, n - 1, n);
}

double inverse_log_factorial(double x) {
  if (!(x >= least_log_factorial)) return std::numeric_limits<double>::quiet_NaN();
  if (x == 0 || std::isinf(x)) return x + 1;
  if (x < 0) return solution<log_factorial>(x, least_factorial_at, 1);
  double high = 2;
  while (log_factorial(high) < x) high *= 2;
  return solution<log_factorial>(x, high / 2, high);
}

double binomial(double w, double x) {
  bool whole = std::floor(w) == w;
  if (whole && is_natural(x)) {
    if (w >= 0 && x > w) return 0;
    if (w >= 0 && w < static_cast<double>(triangle_rows)) {
      const std::size_t row = static_cast<std::size_t>(w);
      return triangle[row * (row + 1) / 2 + static_cast<std::size_t>(x)];
    }
    if (w >= 0) x = std::fmin(x, w - x);
  } else if (whole && w < 0 && x < 0 && std::floor(x) == x) {
    // The row above is continued to the left, so that each number is the sum of the two above it.
    const double rest = w - x;
    if (!(rest >= 0)) return 0;
    return std::fmod(rest, 2) == 0 ? binomial(-x - 1, rest) : -binomial(-x - 1, rest);
  }
  if (is_natural(x) && x <= most_factors) {
    // Multiplies several factors before it divides, as far as the products stay within bounds: a division takes longest.
    constexpr double at_once = 32;
    const long double rest = static_cast<long double>(w) - x;
    long double product = 1;
    for (double i = 1; i <= x && std::isfinite(static_cast<double>(product));) {
      long double above = 1, below = 1;
      for (const double end = std::fmin(x, i + at_once - 1); i <= end; i++) {
        above *= rest + i;
        below *= i;
      }
      product = product * (above / below);
    }
    return static_cast<double>(whole ? std::round(product) : product);
  }
  int signs[3];
  double logarithm = log_gamma(w + 1, signs[0]) - log_gamma(x + 1, signs[1]) - log_gamma(w - x + 1, signs[2]);
  return signs[0] * signs[1] * signs[2] * std::exp(logarithm);
}

double common_divisor(double w, double x) {
  constexpr double most = 0x1p63;
  if (w < most && x < most) {
    // Euclid's algorithm by subtracting, in which factors of 2 do not count.
    auto a = static_cast<std::uint64_t>(w), b = static_cast<std::uint64_t>(x);
    if (a == 0 || b == 0) return static_cast<double>(a | b);
    const int twos = std::countr_zero(a | b);
    a >>= std::countr_zero(a);
    while (b != 0) {
      b >>= std::countr_zero(b);
      const std::uint64_t least = a < b ? a : b;
      b = a < b ? b - a : a - b;
      a = least;
    }
    return static_cast<double>(a << twos);
  }
  while (w != 0) {
    double rest = std::fmod(x, w);
    x = w;
    w = rest;
  }
  return x;
}
double common_multiple(double w, double x) { return w == 0 || x == 0 ? 0 : w / common_divisor(w, x) * x; }

}  // namespace griddle::kernels
