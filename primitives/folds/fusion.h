// Fused functions: a modifier with a primitive operand, computed by one kernel instead of one call an element. Each may decline
// by giving the absent value; the general path of the modifier is then taken.
#pragma once

#include "primitives/kernels/booleans/bool_rows.h"
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
  Glyph name;
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
  bool in_any_order = false;          // folds booleans to the same in any order
  kernels::RowFunction on_bits = {};  // what the function is of booleans that give booleans
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

// --- what the rules list

using FoldCode = Value(Context&, const Value& seed, const Value& x);
using ArrayCode = Value(Context&, const Value& x);
using RowCode = Value(Context&, const FusionRule&, const Value& x);
// fused_fold.cc
FoldCode fold_add, fold_subtract, fold_multiply, fold_minimum, fold_maximum;
// fused_insert.cc
ArrayCode insert_add, insert_and, insert_or, insert_not_equal, insert_minimum, insert_maximum;
// fused_scan.cc
ArrayCode scan_add, scan_subtract, scan_multiply, scan_or, scan_columns_add, scan_columns_minimum, scan_columns_maximum,
    scan_columns_and, scan_columns_or, scan_columns_not_equal;
// fused_cells.cc
RowCode fold_rows_add, fold_rows_subtract, fold_rows_multiply, fold_rows_on_bits, fold_rows_extreme;
ArrayCode scan_rows_add, scan_rows_subtract, scan_rows_multiply, scan_rows_logic_or, scan_rows_not_equal, scan_rows_and,
    scan_rows_or, scan_rows_minimum, scan_rows_maximum;
// fused_bool_tables.cc: for booleans; the absent value for other types.
ArrayCode insert_subtract, insert_equal, insert_less, insert_less_equal, insert_greater, insert_greater_equal,
    scan_columns_subtract, scan_columns_equal, scan_columns_less, scan_columns_less_equal, scan_columns_greater,
    scan_columns_greater_equal, scan_rows_equal, scan_rows_less, scan_rows_less_equal, scan_rows_greater, scan_rows_greater_equal;

// Folds the first rows of booleans, by a function that may be folded in any order. The absent value for other types.
Value fold_bit_rows(Context&, kernels::BitFunction, const Value& x, std::size_t rows);
// w+`x.
Value scan_add_onto(Context&, double w, const Value& x);
// Folds each of `rows` rows, of 2 to 8 numbers each, column onto column, with a function or that function with its arguments
// swapped. Gives the absent value for other arrays.
Value fold_few_columns(Context&, const DyadRule&, bool swapped, const Value& x, std::size_t rows);

}  // namespace griddle::primitives
