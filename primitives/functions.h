// Every primitive function, by glyph family, as the table names them. One declaration a meaning.
#pragma once

#include "runtime/primitive.h"

namespace griddle::primitives {

// clang-format off
#define GRIDDLE_MONADS(X) \
  X(conjugate) X(negate) X(sign) X(reciprocal) X(exponential) X(square_root) X(floor_of) X(ceiling) X(magnitude) \
  X(complement) X(sort_up) X(sort_down) X(enclose_value) X(merge) X(rank_length) X(length_cells) X(no_monad_less_equal) \
  X(no_monad_greater_equal) X(depth) X(shape) X(assert_true) X(identity_left) X(identity_right) X(solo) X(join) X(enlist) \
  X(deshape) X(range) X(prefixes) X(suffixes) X(nudge) X(nudge_back) X(reverse) X(transpose) X(indices) X(grade_up) \
  X(grade_down) X(first_cell) X(first) X(group_indices) X(classify) X(occurrence_count) X(mark_firsts) X(deduplicate) X(group_indices)
#define GRIDDLE_DYADS(X) \
  X(add) X(subtract) X(multiply) X(divide) X(power) X(root) X(minimum) X(maximum) X(modulus) X(span_not) X(logic_and) \
  X(logic_or) X(less) X(greater) X(equal) X(not_equal) X(less_equal) X(greater_equal) X(match) X(not_match) \
  X(assert_message) X(left) X(right) X(couple) X(join_to) X(pair) X(reshape) X(windows) X(take) X(drop) X(shift_before) \
  X(shift_after) X(rotate) X(reorder_axes) X(replicate) X(bins_up) X(bins_down) X(select) X(pick) X(index_of) \
  X(progressive_index_of) X(member_of) X(find) X(group)
#define GRIDDLE_REFUSING(X) \
  X(add) X(subtract) X(assertion) X(pick) X(select) X(couple) X(join_to) X(merge) X(range) X(rotate) X(replicate) X(grade_up) \
  X(grade_down)
#define GRIDDLE_MONADS_WITH_WAYS(X) \
  X(group_indices) X(classify) X(occurrence_count) X(mark_firsts) X(deduplicate) \
  X(negate) X(sign) X(reciprocal) X(square_root) X(floor) X(ceiling) X(magnitude) X(complement) \
  X(sort_up) X(sort_down) X(grade_up) X(grade_down) X(enclose) X(merge) X(length) X(rank) X(depth) X(shape) X(deshape) X(join) \
  X(solo) X(enlist) X(prefixes) X(suffixes) X(range) X(nudge) X(nudge_back) X(reverse) X(transpose) X(indices) X(first_cell) X(first)
#define GRIDDLE_DYADS_WITH_WAYS(X) \
  X(group) X(index_of) X(member_of) X(bins_up) X(bins_down) \
  X(add) X(subtract) X(multiply) X(divide) X(minimum) X(maximum) X(modulus) X(logic_and) X(logic_or) X(span) X(less) X(greater) \
  X(equal) X(not_equal) X(less_equal) X(greater_equal) \
  X(match) X(not_match) X(reshape) X(join_to) X(couple) X(pair) X(take) X(drop) X(windows) X(shift_before) X(shift_after) \
  X(rotate) X(reorder_axes) X(replicate) X(select) X(pick)
// clang-format on
// First elements of results, found without making them: ⊑w↓x, ⊑⌽x, ⊑/x, ⊑⍋x, ⊑⍒x, ⊑w⊐x, ⊑w∊x.
std::uint64_t first_of_rest(Context&, const Value& w, const Value& x);
std::uint64_t last_element(Context&, const Value& x);
std::uint64_t first_index(Context&, const Value& x);
std::uint64_t place_of_least(Context&, const Value& x);
std::uint64_t place_of_greatest(Context&, const Value& x);
std::uint64_t place_of_one(Context&, const Value& w, const Value& x);
std::uint64_t is_one_member(Context&, const Value& w, const Value& x);
// Folds of parts that are not made (runtime/primitive.h): +´˘k↕x, ≠¨w⊔x.
Value fold_windows(Context&, const Value& f, bool turned, const Value& w, const Value& x);
Value fold_groups(Context&, const Value& f, bool turned, const Value& w, const Value& x);
// Undo meanings are declared where the family defines them (undo.h).

#define GRIDDLE_DECLARE_MONAD(name) Value name(Context&, Value x);
#define GRIDDLE_DECLARE_DYAD(name) Value name(Context&, Value w, Value x);
GRIDDLE_MONADS(GRIDDLE_DECLARE_MONAD)
GRIDDLE_DYADS(GRIDDLE_DECLARE_DYAD)
// The messages with which they fail (runtime/primitive.h).
#define GRIDDLE_DECLARE_REFUSAL(name) Value name##_refusal(Context&, const Value& w, const Value& x);
GRIDDLE_REFUSING(GRIDDLE_DECLARE_REFUSAL)
#undef GRIDDLE_DECLARE_REFUSAL
// The same for what takes nothing but numbers, with two arguments at least.
Value numbers_refusal(Context&, const PrimitiveFunctionEntry&, const Value& w, const Value& x);
// The ways that they try first.
#define GRIDDLE_DECLARE_WAYS(name) extern const MonadWays name##_ways;
GRIDDLE_MONADS_WITH_WAYS(GRIDDLE_DECLARE_WAYS)
#undef GRIDDLE_DECLARE_WAYS
#define GRIDDLE_DECLARE_WAYS(name) extern const DyadWays name##_ways;
GRIDDLE_DYADS_WITH_WAYS(GRIDDLE_DECLARE_WAYS)
#undef GRIDDLE_DECLARE_WAYS
#undef GRIDDLE_DECLARE_MONAD
#undef GRIDDLE_DECLARE_DYAD

// Joins a list of lists and units as joining one to the next would: the result has the fill that all of them have, empty ones
// included.
Value join_one_by_one(Context&, Value x);
// Merges a list of plain lists of one length; absent for all else.
Value merge_plainly(Context&, const Value& x);

}  // namespace griddle::primitives
