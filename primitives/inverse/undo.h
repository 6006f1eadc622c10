// Undo: the inverse of any function, primitive by primitive and through every modifier that keeps one.
#pragma once

#include "runtime/primitive.h"

namespace griddle::primitives {

// Solves for the argument: f⁼ x, w f⁼ x, and w f˜⁼ x. Fail where f has no inverse or x is no result of f.
Value undo_call(Context&, const Value& f, Value x);
Value undo_call(Context&, const Value& f, Value w, Value x);
Value undo_swapped_call(Context&, const Value& f, Value x);
Value undo_swapped_call(Context&, const Value& f, Value w, Value x);

// Inverses of single primitives, as the table names them (undo_arithmetic.cc).
Value undo_sign(Context&, Value x);
Value undo_exponential(Context&, Value x);
Value undo_square_root(Context&, Value x);
Value undo_sort_up(Context&, Value x);
Value undo_sort_down(Context&, Value x);
Value undo_add(Context&, Value w, Value x);
Value undo_multiply(Context&, Value w, Value x);
Value undo_power(Context&, Value w, Value x);
Value undo_root(Context&, Value w, Value x);
Value undo_logic_or(Context&, Value w, Value x);
Value undo_not_equal(Context&, Value w, Value x);
Value undo_left(Context&, Value w, Value x);
Value undo_add_swapped(Context&, Value x);
Value undo_logic_or_swapped(Context&, Value x);
Value undo_subtract_swapped(Context&, Value w, Value x);
Value undo_divide_swapped(Context&, Value w, Value x);
Value undo_power_swapped(Context&, Value w, Value x);
Value undo_root_swapped(Context&, Value w, Value x);
Value undo_span_not_swapped(Context&, Value w, Value x);

}  // namespace griddle::primitives
