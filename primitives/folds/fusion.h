// Fused functions: a modifier with a primitive operand, computed by one kernel instead of one call an element. Each may decline
// by giving the absent value; the general path of the modifier is then taken.
#pragma once

#include "primitives/kernels/elementwise/compare.h"
#include "runtime/primitive.h"
#include "runtime/value/array.h"
#include "runtime/value/fill.h"
#include "runtime/value/function.h"

namespace griddle::primitives {

struct DyadRule;

// What is known of folding and scanning with one primitive beside its direct ways (fused_direct.h). Lists and arrays given are
// numeric; null where there is nothing.
struct FusionRule {
  char32_t glyph;
  // f´ x, where no direct way is, and w f´ x on a list of at least one element; `seed` is absent in the first.
  Value (*fold)(Context&, const Value& seed, const Value& x);
  // f˝ x on an array of rank 2 or more with at least two cells and one column.
  Value (*insert)(Context&, const Value& x);
  // f` x on a list of at least one element, and on a non-empty array of rank 2 or more. May write into x where only the caller
  // sees it and there is a result.
  Value (*scan)(Context&, const Value& x);
  Value (*scan_columns)(Context&, const Value& x);
  // f´ (or f˝) on each row of a non-empty table of rank 2, and f` along each row.
  Value (*fold_rows)(Context&, const FusionRule&, const Value& x);
  Value (*scan_rows)(Context&, const Value& x);
};

// Gives what a fused function found of its operand when it was made.
inline const FusionRule& rule_of(const Function& self) {
  return *static_cast<const FusionRule*>(static_cast<const Derived&>(self).rule);
}

// Running sums of more bytes are not tried in 16 bits.
inline constexpr std::size_t most_bytes_in_i16 = 16384;

// Gives integers that are held as doubles, or as wider integers, in the narrowest type.
Value narrowed_integers(Context&, Value list);

// Makes an array of numbers or characters in the shape of a list or a table without calls, or in another shape; bits have no
// padding then.
inline Ref<Array> make_plain_like(Heap& heap, ElementType type, const Array& like) {
  if (like.rank() == 2) [[likely]]
    return make_plain_table(heap, type, like.shape()[0], like.shape()[1]);
  return like.rank() == 1 ? make_plain_list(heap, type, like.length) : make_like(heap, type, like).leak();
}
inline std::size_t cell_length_of(const Array& a) { return a.rank() == 2 ? a.shape()[1] : a.cell_length(); }

// Makes an array in the shape of a cell.
inline Ref<Array> make_cell(Heap& heap, ElementType type, const Array& a) {
  if (a.rank() == 2) [[likely]]
    return make_plain_list(heap, type, a.shape()[1]);
  return make_array(heap, type, a.shape().subspan(1));
}

// Gives results the fill that those of a function of numbers have: none where the argument has none.
inline Value filled_like(Context& cx, Ref<Array> results, const Value& x) {
  if (x.array().fill_kind() == FillKind::zero) [[likely]]
    return to_value(std::move(results));
  return with_fill_like(cx.heap, to_value(std::move(results)), x);
}
inline bool is_bits(const Value& x) { return x.array().type() == ElementType::bit; }

// Gives the rule for a primitive, or null.
const FusionRule* fusion_rule(const Value& f);

// Let `f⟜g` and `f∘g` be computed without what g gives, where f folds that.
void attach_fold_after(Derived&);
void attach_fold_atop(Derived&);

// fused_fold.cc
Value fold_add(Context&, const Value& seed, const Value& x);
Value fold_subtract(Context&, const Value& seed, const Value& x);
Value fold_multiply(Context&, const Value& seed, const Value& x);
Value fold_minimum(Context&, const Value& seed, const Value& x);
Value fold_maximum(Context&, const Value& seed, const Value& x);

// fused_insert.cc
Value insert_add(Context&, const Value& x);
Value insert_and(Context&, const Value& x);
Value insert_or(Context&, const Value& x);
Value insert_not_equal(Context&, const Value& x);
Value insert_minimum(Context&, const Value& x);
Value insert_maximum(Context&, const Value& x);
// Folds the first rows of booleans, by a function that may be folded in any order. The absent value for other types.
Value fold_bit_rows(Context&, kernels::BitFunction, const Value& x, std::size_t rows);

// fused_scan.cc
Value scan_add(Context&, const Value& x);
Value scan_subtract(Context&, const Value& x);
Value scan_multiply(Context&, const Value& x);
Value scan_or(Context&, const Value& x);
// w+`x.
Value scan_add_onto(Context&, double w, const Value& x);
Value scan_columns_add(Context&, const Value& x);
Value scan_columns_minimum(Context&, const Value& x);
Value scan_columns_maximum(Context&, const Value& x);
Value scan_columns_and(Context&, const Value& x);
Value scan_columns_or(Context&, const Value& x);
Value scan_columns_not_equal(Context&, const Value& x);

// fused_cells.cc
// Folds each of `rows` rows, of 2 to 8 numbers each, column onto column, with a function or that function with its arguments
// swapped. Gives the absent value for other arrays.
Value fold_few_columns(Context&, const DyadRule&, bool swapped, const Value& x, std::size_t rows);
Value fold_rows_add(Context&, const FusionRule&, const Value& x);
Value fold_rows_subtract(Context&, const FusionRule&, const Value& x);
Value fold_rows_multiply(Context&, const FusionRule&, const Value& x);
Value fold_rows_on_bits(Context&, const FusionRule&, const Value& x);
Value fold_rows_extreme(Context&, const FusionRule&, const Value& x);
Value scan_rows_add(Context&, const Value& x);
Value scan_rows_multiply(Context&, const Value& x);
Value scan_rows_logic_or(Context&, const Value& x);
Value scan_rows_not_equal(Context&, const Value& x);
Value scan_rows_and(Context&, const Value& x);
Value scan_rows_or(Context&, const Value& x);
Value scan_rows_minimum(Context&, const Value& x);
Value scan_rows_maximum(Context&, const Value& x);

// fused_bool_tables.cc: for booleans; the absent value for other types.
Value insert_subtract(Context&, const Value& x);
Value insert_equal(Context&, const Value& x);
Value insert_less(Context&, const Value& x);
Value insert_less_equal(Context&, const Value& x);
Value insert_greater(Context&, const Value& x);
Value insert_greater_equal(Context&, const Value& x);
Value scan_columns_subtract(Context&, const Value& x);
Value scan_columns_equal(Context&, const Value& x);
Value scan_columns_less(Context&, const Value& x);
Value scan_columns_less_equal(Context&, const Value& x);
Value scan_columns_greater(Context&, const Value& x);
Value scan_columns_greater_equal(Context&, const Value& x);
Value scan_rows_equal(Context&, const Value& x);
Value scan_rows_less(Context&, const Value& x);
Value scan_rows_less_equal(Context&, const Value& x);
Value scan_rows_greater(Context&, const Value& x);
Value scan_rows_greater_equal(Context&, const Value& x);
// The same for all numbers.
Value scan_rows_subtract(Context&, const Value& x);

}  // namespace griddle::primitives
