// f´ on numeric lists. Folds run from the right; only exact operations are done in another order.
#include <cmath>

#include "primitives/arithmetic/operand.h"
#include "primitives/common/number_lanes.h"
#include "primitives/folds/fused_direct.h"
#include "primitives/folds/fusion.h"
#include "primitives/functions.h"
#include "primitives/kernels/booleans/bool_fold.h"
#include "primitives/kernels/elementwise/real.h"
#include "primitives/kernels/folds/ordered_sum.h"
#include "primitives/kernels/folds/reduce.h"

namespace griddle::primitives {

namespace {

bool is_exact_integer(double d) {
  return std::fabs(d) <= exact_limit / 2 && d == static_cast<double>(static_cast<std::int64_t>(d));
}

// Calls f(doubles, count) on pieces of the elements before `end`, from the right.
template <class F>
void pieces_from_right(const Value& x, std::size_t end, F f) {
  Operand operand(x, false, 1);
  operand.want(ElementType::f64);
  alignas(64) Operand::Buffer buffer;
  while (end > 0) {
    const std::size_t count = end < Operand::piece ? end : Operand::piece;
    end -= count;
    f(static_cast<const double*>(operand.read(end, count, buffer)), count);
  }
}

// Folds in order, from element `end` - 1 down.
Value in_order(double (*fold)(const double*, std::size_t, double), double so_far, const Value& x, std::size_t end) {
  pieces_from_right(x, end, [&](const double* piece, std::size_t count) { so_far = fold(piece, count, so_far); });
  return so_far;
}
// Starts from the last element where there is no seed.
Value in_order(double (*fold)(const double*, std::size_t, double), const Value& seed, const Value& x) {
  const std::size_t n = x.array().length;
  if (!seed.is_absent()) {
    if (x.array().type() == ElementType::f64) return fold(x.array().as<double>(), n, seed.number());
    return in_order(fold, seed.number(), x, n);
  }
  return in_order(fold, number_at(x.array(), n - 1), x, n - 1);
}

}  // namespace

Value fold_add(Context&, const Value& seed, const Value& x) {
  const Array& a = x.array();
  const double start = seed.is_absent() ? 0 : seed.number();
  if (a.type() == ElementType::f64) {
    const double* const doubles = a.as<double>();
    return seed.is_absent() ? kernels::ordered_sum().from_right(doubles, a.length - 1, doubles[a.length - 1])
                            : kernels::ordered_sum().from_right(doubles, a.length, start);
  }
  if (!is_exact_integer(start)) return in_order(kernels::ordered_sum().from_right, seed, x);
  if (is_bits(x)) return start + kernels::bool_fold().sum(a.data, a.length);
  // Every partial sum within a block is exact while the sum before it is small.
  constexpr std::size_t block = std::size_t{1} << 20;
  const int lane = lane_above_bits(a.type());
  const std::size_t width = bits_of(a.type()) / 8;
  double sum = start;
  for (std::size_t end = a.length; end > 0;) {
    const std::size_t count = end < block ? end : block;
    if (std::fabs(sum) > exact_limit / 2) return in_order(kernels::ordered_sum().from_right, sum, x, end);
    end -= count;
    sum += static_cast<double>(kernels::reduce().sum[lane](a.data + end * width, count));
  }
  return sum;
}

Value fold_subtract(Context&, const Value& seed, const Value& x) { return in_order(kernels::difference_from_right, seed, x); }

Value fold_multiply(Context&, const Value& seed, const Value& x) {
  const Array& a = x.array();
  if (a.type() == ElementType::f64 || seed.is_absent()) return in_order(kernels::product_from_right, seed, x);
  if (is_bits(x)) return seed.number() * kernels::bool_fold().and_(a.data, a.length);
  return kernels::integer_product_from_right[lane_above_bits(a.type())](a.data, a.length, seed.number());
}

Value fold_minimum(Context& cx, const Value& seed, const Value& x) {
  return seed.is_absent() || is_bits(x) ? Value() : minimum(cx, fold_on_host(Glyph::minimum, x), seed);
}
Value fold_maximum(Context& cx, const Value& seed, const Value& x) {
  return seed.is_absent() || is_bits(x) ? Value() : maximum(cx, fold_on_host(Glyph::maximum, x), seed);
}

}  // namespace griddle::primitives
