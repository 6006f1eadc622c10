// Undo: the inverse of any function, primitive by primitive and through every modifier that keeps one.
#pragma once

#include "runtime/primitive.h"

namespace griddle::primitives {

// Solve for the argument: f⁼ x and w f⁼ x. Fail where f has no inverse or x is no result of f.
Value undo_call(Context&, const Value& f, Value x);
Value undo_call(Context&, const Value& f, Value w, Value x);

// One equation: `w f y = x` (or `y f w = x` if swapped) to be solved for y; without w, `f y = x` (or `y f y = x`).
struct Equation {
  Value w;  // absent for one argument
  bool swapped;
};
// Solve it where f was made by a modifier, as the table names them.
using Solve = Value(Context&, const Value& f, const Equation&, Value x);
Solve solve_constant, solve_under, solve_undo, solve_each, solve_table, solve_scan, solve_repeat;

// Inverses of single primitives, as the table names them. Each fails where 𝕩 is no result of the primitive.
using UndoneMonad = Value(Context&, Value x);
using UndoneDyad = Value(Context&, Value w, Value x);
// In undo_arithmetic.cc.
UndoneMonad undo_sign, undo_exponential, undo_square_root, undo_sort_up, undo_sort_down, undo_add_swapped, undo_logic_or_swapped;
UndoneDyad undo_power, undo_logic_or, undo_not_equal, undo_left, undo_root_swapped, undo_span_not_swapped;
// In undo_structural.cc.
UndoneMonad undo_enclose, undo_range, undo_prefixes, undo_suffixes, undo_solo, undo_couple_half, undo_enlist, undo_pair_half,
    undo_join_half;
UndoneDyad undo_couple, undo_couple_swapped, undo_pair, undo_pair_swapped, undo_join_to, undo_join_to_swapped;
// In undo_indices.cc, and next to what they share code with: in group.cc, rotate.cc, transpose.cc and replicate.cc.
UndoneMonad undo_transpose, undo_indices, undo_group_indices;
UndoneDyad undo_rotate, undo_reorder_axes, undo_replicate, undo_group;

}  // namespace griddle::primitives
