// Undo: the inverse of any function, primitive by primitive and through every modifier that keeps one.
#pragma once

#include "runtime/primitive.h"

namespace griddle::primitives {

// Solves for the argument: f⁼ x, w f⁼ x, and w f˜⁼ x. Fail where f has no inverse or x is no result of f.
Value undo_call(Context&, const Value& f, Value x);
Value undo_call(Context&, const Value& f, Value w, Value x);
Value undo_swapped_call(Context&, const Value& f, Value x);
Value undo_swapped_call(Context&, const Value& f, Value w, Value x);

// Inverses of single primitives, as the table names them (undo_arithmetic.cc, undo_structural.h).
using UndoneMonad = Value(Context&, Value x);
using UndoneDyad = Value(Context&, Value w, Value x);
UndoneMonad undo_sign, undo_exponential, undo_square_root, undo_sort_up, undo_sort_down, undo_add_swapped, undo_logic_or_swapped;
UndoneDyad undo_add, undo_multiply, undo_power, undo_root, undo_logic_or, undo_not_equal, undo_left, undo_subtract_swapped,
    undo_divide_swapped, undo_power_swapped, undo_root_swapped, undo_span_not_swapped;

}  // namespace griddle::primitives
