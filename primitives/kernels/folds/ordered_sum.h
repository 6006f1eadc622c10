// Sums of doubles one by one, in BQN's order and rounded after each addition, yet many at a time.
//
// While a sum keeps its sign and its power of two, each addition gives a multiple of the sum's last place: adding x is adding x
// rounded to such multiples, unless x lies half way between two. Rounded numbers add up exactly in any order. So a block of
// elements is rounded and added up with vectors, and what came out holds if no element was half way and the sum could not leave
// its power of two; else the block is summed one by one. Elements of both signs leave a power of two later than their sizes let
// one think: lanes keep the least and the most of their partial sums, once these are far above the elements. One by one costs the
// latency of an addition (3 or 4 cycles) an element.
#pragma once

#include "primitives/kernels/shared/kernel.h"

namespace griddle::kernels {

struct OrderedSumKernels {
  Fold fold;
  // Adds n doubles to `so_far` one by one, the last first.
  double (*from_right)(const double* x, std::size_t n, double so_far);
  // Lets n doubles at `next` come to the caches meanwhile. Need not be readable.
  double (*from_right_fetching)(const double* x, std::size_t n, double so_far, const double* next);
  // Writes the running sums onto `so_far` and gives the last. `out` may be x.
  double (*running)(double* out, const double* x, std::size_t n, double so_far);
  // The same where all sums are exact, in any order.
  double (*running_exact)(double* out, const double* x, std::size_t n, double so_far);
  Scan scan;
};

const OrderedSumKernels& ordered_sum();

}  // namespace griddle::kernels
