// Folds of one list of packed booleans, and searches in it. Bits given beyond n are unspecified.
#pragma once

#include "primitives/kernels/shared/kernel.h"

namespace griddle::kernels {

struct BoolFoldKernels {
  // Fold n ≥ 1 bits from the right to a number. Most depend on one place, or on how many 1s there are.
  Fold sum, difference, and_, or_, exclusive_or, equal, less, less_equal, greater, greater_equal;

  // Counts the 1s of n bits, each exclusive-ored with the bits of `flip`, which repeats every 64.
  std::size_t (*count)(const std::uint64_t* bits, std::size_t n, std::uint64_t flip);
  // Gives the place of the first of n ≥ 1 bits that differs from the bits of `flip`, which are all the same, or n.
  std::size_t (*first)(const std::uint64_t* bits, std::size_t n, std::uint64_t flip);
};

const BoolFoldKernels& bool_fold();

// Give the place of the first 1 (0), or n.
inline std::size_t first_one(const std::uint64_t* bits, std::size_t n) { return bool_fold().first(bits, n, 0); }
inline std::size_t first_zero(const std::uint64_t* bits, std::size_t n) { return bool_fold().first(bits, n, ~std::uint64_t{0}); }

}  // namespace griddle::kernels
