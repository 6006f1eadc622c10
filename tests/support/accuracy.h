// How far results of functions of doubles are from what long doubles give.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "primitives/kernels/shared/kernel.h"
#include "tests/support/kernel_cases.h"

namespace griddle::testing {

using Wide = long double;

// Gives the distance from the exact result in units in the last place of it.
inline double units_off(double result, Wide exact) {
  const double nearest = static_cast<double>(exact);
  if (std::isnan(nearest) || std::isnan(result)) return std::isnan(nearest) == std::isnan(result) ? 0 : INFINITY;
  if (std::isinf(nearest) || std::isinf(result)) return nearest == result ? 0 : INFINITY;
  int exponent;
  std::frexp(nearest, &exponent);
  const Wide unit = std::ldexp(Wide{1}, std::max(exponent, -1021) - 53);
  return static_cast<double>(std::fabs(result - exact) / unit);
}

// Gives numbers of all sizes: bits at random, of either sign; near 1; and of an ordinary range.
inline std::vector<double> numbers_of_all_sizes(Random& random, std::size_t n) {
  std::vector<double> numbers = {0.0,
                                 -0.0,
                                 1,
                                 -1,
                                 2,
                                 0.5,
                                 10,
                                 100,
                                 1000,
                                 8,
                                 1024,
                                 0x1p-1022,
                                 0x1p-1074,
                                 0x1.fffffffffffffp1023,
                                 INFINITY,
                                 -INFINITY,
                                 NAN,
                                 709.78,
                                 709.79,
                                 -708.4,
                                 -745.1,
                                 -745.2,
                                 -746,
                                 1e-300,
                                 1e300,
                                 1e-17,
                                 -1e-17,
                                 0x1.6a09e667f3bcdp-1,
                                 0x1.6a09e667f3bccp-1,
                                 0x1.fffffffffffffp-1,
                                 0x1.0000000000001p0};
  while (numbers.size() < n) {
    const std::uint64_t bits = std::uint64_t{random.next()} << 40 ^ std::uint64_t{random.next()} << 20 ^ random.next();
    const double fraction = static_cast<double>(bits >> 11) * 0x1p-53;
    switch (numbers.size() % 4) {
      case 0: numbers.push_back(std::bit_cast<double>(bits)); break;
      case 1: numbers.push_back(1 + (fraction - 0.5) * 0x1p-4); break;
      case 2: numbers.push_back((fraction - 0.5) * 1500); break;
      default: numbers.push_back(fraction * 20); break;
    }
  }
  return numbers;
}

inline double worst_of(kernels::Monad kernel, Wide exact(Wide), const std::vector<double>& x) {
  std::vector<double> out(x.size());
  REQUIRE(kernel(out.data(), x.data(), x.size()) == x.size());
  double worst = 0;
  for (std::size_t i = 0; i < x.size(); i++) {
    const double off = units_off(out[i], exact(x[i] + 0.0));
    if (off > worst) {
      worst = off;
      INFO("argument ", x[i], " result ", out[i]);
      CHECK(off <= 1);
    }
  }
  return worst;
}

}  // namespace griddle::testing
