// Fused functions: a modifier with a primitive operand, computed by one kernel instead of one call an element. Each may decline
// by giving the absent value; the general path of the modifier is then taken.
#pragma once

#include "runtime/primitive.h"
#include "runtime/value/array.h"

namespace griddle::primitives {

// What is known of folding and scanning with one primitive. Lists and arrays given are numeric; null where there is nothing.
struct FusionRule {
  char32_t glyph;
  // f´ x and w f´ x on a list of at least one element; `seed` is absent in the first.
  Value (*fold)(Context&, const Value& seed, const Value& x);
  // f˝ x on an array of rank 2 or more with at least two cells and one column.
  Value (*insert)(Context&, const Value& x);
  // f` x on a list of at least one element. Takes x only where it gives a result.
  Value (*scan)(Context&, Value& x);
  // f` x on a non-empty array of rank 2 or more. Takes x only where it gives a result.
  Value (*scan_columns)(Context&, Value& x);
  // f´ (or f˝) on each row of a non-empty table of rank 2, and f` along each row.
  Value (*fold_rows)(Context&, const FusionRule&, const Value& x);
  Value (*scan_rows)(Context&, const Value& x);
};

// Gives the rule for a primitive, or null.
const FusionRule* fusion_rule(const Value& f);

// fused_fold.cc
Value fold_add(Context&, const Value& seed, const Value& x);
Value fold_subtract(Context&, const Value& seed, const Value& x);
Value fold_multiply(Context&, const Value& seed, const Value& x);
Value fold_minimum(Context&, const Value& seed, const Value& x);
Value fold_maximum(Context&, const Value& seed, const Value& x);
Value fold_or(Context&, const Value& seed, const Value& x);
Value fold_equal(Context&, const Value& seed, const Value& x);
Value fold_not_equal(Context&, const Value& seed, const Value& x);
Value fold_less(Context&, const Value& seed, const Value& x);
Value fold_less_equal(Context&, const Value& seed, const Value& x);
Value fold_greater(Context&, const Value& seed, const Value& x);
Value fold_greater_equal(Context&, const Value& seed, const Value& x);

// fused_insert.cc
Value insert_add(Context&, const Value& x);
Value insert_and(Context&, const Value& x);
Value insert_or(Context&, const Value& x);
Value insert_not_equal(Context&, const Value& x);
Value insert_minimum(Context&, const Value& x);
Value insert_maximum(Context&, const Value& x);

// fused_scan.cc
Value scan_add(Context&, Value& x);
Value scan_subtract(Context&, Value& x);
Value scan_minimum(Context&, Value& x);
Value scan_maximum(Context&, Value& x);
Value scan_and(Context&, Value& x);
Value scan_or(Context&, Value& x);
Value scan_equal(Context&, Value& x);
Value scan_not_equal(Context&, Value& x);
Value scan_less(Context&, Value& x);
Value scan_less_equal(Context&, Value& x);
Value scan_greater(Context&, Value& x);
Value scan_greater_equal(Context&, Value& x);
Value scan_columns_add(Context&, Value& x);
Value scan_columns_minimum(Context&, Value& x);
Value scan_columns_maximum(Context&, Value& x);
Value scan_columns_and(Context&, Value& x);
Value scan_columns_or(Context&, Value& x);
Value scan_columns_not_equal(Context&, Value& x);

// fused_cells.cc
Value fold_rows_add(Context&, const FusionRule&, const Value& x);
Value fold_rows_on_bits(Context&, const FusionRule&, const Value& x);
Value fold_rows_extreme(Context&, const FusionRule&, const Value& x);
Value scan_rows_add(Context&, const Value& x);
Value scan_rows_not_equal(Context&, const Value& x);
Value scan_rows_and(Context&, const Value& x);
Value scan_rows_or(Context&, const Value& x);

}  // namespace griddle::primitives
