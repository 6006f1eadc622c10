// Two functions of doubles, one after the other, without the results between them in memory: expressions are bound by what they
// store and load there.
#pragma once

#include "primitives/kernels/shared/kernel.h"

namespace griddle::kernels {

// out[i] = (a[i] first b) second c, for n doubles. `out` may be any of the arrays.
using Pair = void (*)(void* out, const void* a, const void* b, const void* c, std::size_t n);

// `from` subtracts its first argument from its second.
enum class PairFunction : std::uint8_t { add, subtract, from, multiply };
inline constexpr int pair_function_count = 4;
// An argument: an array, a single double, or (of the second function) the result of the first, multiplied by itself.
enum class PairArgument : std::uint8_t { array, single, itself };

struct PairKernels {
  Pair of_array[pair_function_count][2][pair_function_count];   // first function; whether b is single; second function
  Pair of_single[pair_function_count][2][pair_function_count];  // the same where c is single
  Pair squares[pair_function_count][2];
};

// Of the same, and of its square roots, which keep the divider busy while all else is done.
const PairKernels& pairs();
const PairKernels& rooted_pairs();

}  // namespace griddle::kernels
