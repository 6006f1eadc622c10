// What the machine itself computes on numbers. NaN stands for what has no number as its result, or is too rare to matter here:
// the function itself has to compute that.
#pragma once

#include <cmath>

#include "runtime/primitive.h"
#include "runtime/vm/call.h"

namespace griddle {

// Computes w|x for natural numbers w and integers x, of which divisions and products are exact; gives NaN for all else.
inline double integer_modulus(double w, double x) {
  constexpr double small = 2147483648.0, exact = 4503599627370496.0;
  if (w > 0 && w < small && x > -small && x < small) {
    const std::int32_t n = static_cast<std::int32_t>(w), i = static_cast<std::int32_t>(x);
    if (n != w || i != x) return NAN;
    const std::int32_t rest = i % n;
    return rest < 0 ? rest + n : rest;
  }
  if (!(w > 0 && w < exact && std::fabs(x) < w * exact)) return NAN;
  if (static_cast<double>(static_cast<std::int64_t>(w)) != w) return NAN;
  // The quotient may be rounded to the next whole number. What is left fits a double, though what is taken away may not.
  const double taken = static_cast<double>(static_cast<std::int64_t>(x / w));
  if (std::fabs(x) >= exact) {
    const double rest = std::fma(-taken, w, x);
    return rest < 0 ? rest + w : rest >= w ? rest - w : rest;
  }
  if (static_cast<double>(static_cast<std::int64_t>(x)) != x) return NAN;
  const double rest = x - taken * w;
  return rest < 0 ? rest + w : rest >= w ? rest - w : rest;
}

// Tells whether scalar_number knows what a primitive function does to one number.
constexpr bool has_scalar_monad(ScalarOp op) {
  switch (op) {
    case ScalarOp::add:
    case ScalarOp::subtract:
    case ScalarOp::multiply:
    case ScalarOp::divide:
    case ScalarOp::root:
    case ScalarOp::minimum:
    case ScalarOp::maximum:
    case ScalarOp::modulus:
    case ScalarOp::span_not:
    case ScalarOp::left:
    case ScalarOp::right: return true;
    default: return false;
  }
}
// Computes on one number what a primitive function does.
inline double scalar_number(ScalarOp op, double x) {
  switch (op) {
    case ScalarOp::add:
    case ScalarOp::left:
    case ScalarOp::right: return x;
    case ScalarOp::subtract: return 0 - x;
    case ScalarOp::multiply: return x == x ? (x > 0) - (x < 0) : NAN;
    case ScalarOp::divide: return 1 / (x + 0.0);
    case ScalarOp::root: return std::sqrt(x);
    case ScalarOp::minimum: return std::floor(x);
    case ScalarOp::maximum: return std::ceil(x);
    case ScalarOp::modulus: return std::fabs(x);
    case ScalarOp::span_not: return 1 - x;
    default: return NAN;
  }
}

// Computes on two numbers what a primitive function does.
inline double scalar_numbers(ScalarOp op, double w, double x) {
  const bool ordered = !__builtin_isunordered(w, x);
  switch (op) {
    case ScalarOp::add: return w + x;
    case ScalarOp::subtract: return w - x;
    case ScalarOp::multiply: return w * x;
    // A negative zero as divisor counts as zero.
    case ScalarOp::divide: return w / (x + 0.0);
    case ScalarOp::minimum: return !ordered ? NAN : w < x ? w : x;
    case ScalarOp::maximum: return !ordered ? NAN : w > x ? w : x;
    case ScalarOp::power: return x == 2 ? w * w : NAN;
    case ScalarOp::modulus: return integer_modulus(w, x);
    case ScalarOp::logic_and: return w * x;
    case ScalarOp::logic_or: return w + x - w * x;
    case ScalarOp::less: return ordered ? w < x : NAN;
    case ScalarOp::less_equal: return ordered ? w <= x : NAN;
    case ScalarOp::equal: return ordered ? w == x : NAN;
    case ScalarOp::greater_equal: return ordered ? w >= x : NAN;
    case ScalarOp::greater: return ordered ? w > x : NAN;
    case ScalarOp::not_equal: return ordered ? w != x : NAN;
    case ScalarOp::left: return ordered ? w : NAN;
    case ScalarOp::right: return ordered ? x : NAN;
    default: return NAN;
  }
}

// Tells whether `arithmetic` is worth a try for a train or derived function.
inline bool may_be_arithmetic(const Function& f) { return !(f.a & Function::not_arithmetic); }

// Gives the bits of w+x or w-x where one of them is a character; those of the absent value where that is none, or an error.
std::uint64_t character_sum(ScalarOp, std::uint64_t w, std::uint64_t x);

// Computes `w F x` where one of the atoms is a character; gives false where F has no such meaning here.
bool scalar_atoms(ScalarOp, const Value& w, const Value& x, Value& result);

// Computes `w F x` on atoms; absent where F has no meaning here.
inline Value result_on_atoms(const PrimitiveFunctionEntry& entry, const Value& w, const Value& x) {
  if (entry.scalar == ScalarOp::none) return Value();
  Value result;
  if (w.is_number() && x.is_number()) {
    const double v = scalar_numbers(entry.scalar, w.number(), x.number());
    return v == v ? Value::from_bits(std::bit_cast<std::uint64_t>(v)) : std::move(result);
  }
  scalar_atoms(entry.scalar, w, x, result);
  return result;
}
}  // namespace griddle
