// ˝: the cells of an array folded onto each other, from the last to the first.

#include <algorithm>
#include <numeric>
#include <vector>

#include "primitives/common/by_door.h"
#include "primitives/common/element_caller.h"
#include "primitives/common/elements.h"
#include "primitives/common/mapping.h"
#include "primitives/folds/fold.h"
#include "primitives/folds/number_ways.h"
#include "primitives/folds/operand_ways.h"
#include "primitives/folds/results.h"
#include "primitives/functions.h"
#include "primitives/kernels/booleans/row_bits.h"
#include "primitives/kernels/folds/reduce.h"
#include "primitives/kernels/shared/bit_runs.h"
#include "primitives/modifiers.h"
#include "runtime/value/array_builder.h"
#include "runtime/vm/call.h"
#include "runtime/vm/error.h"

namespace griddle::primitives {

// --- the general way

namespace {

// Tells whether two results cannot be told apart, neither of which has elements.
bool is_same_without_elements(Context& cx, const Value& a, const Value& b) {
  if (!a.is_array() || !b.is_array() || a.array().length != 0 || b.array().length != 0) return false;
  const FillKind fill = a.array().fill_kind();
  return a.array().type() == b.array().type() && same_shape(a.array().shape(), b.array().shape()) &&
         fill == b.array().fill_kind() && (fill != FillKind::nested || !common_fill(cx.heap, a, b).is_absent());
}

// Folds cells from the right onto `result`.
Value insert_cells(Context& cx, const Value& f, const Value& x, std::size_t count, Value result) {
  if (const Value* k = constant_of(f)) return count == 0 ? result : *k;
  ElementCaller caller(cx, f);
  // Cells without elements are alike: when a result comes again, so do all after it, and only the rest of the last round is done.
  bool alike = x.array().length == 0 && count > 1 && f.is_function() && f.function().is_pure();
  Value earlier = alike ? result : Value();
  for (std::size_t left = count, since = 0, wait = 1; left > 0;) {
    cx.check_interrupt();
    result = caller(cell_at(cx.heap, x, --left), std::move(result));
    if (!alike) continue;
    if (since++; is_same_without_elements(cx, earlier, result)) {
      left %= since;
      alike = false;
    } else if (since == wait) {
      earlier = result;
      since = 0;
      wait *= 2;
    }
  }
  return result;
}

// Tells whether cells of atoms are so many and so short that they are folded column by column.
bool is_narrow(TableSize size) {
  constexpr std::size_t few_columns = 16;
  return size.columns <= few_columns && size.rows > 8 * few_columns;
}
Value insert_columns(Context& cx, const Value& f, Value x) {
  const std::size_t cells = x.array().cells(), columns = x.array().cell_length();
  Shape shape(x.array().shape().subspan(1));
  Value turned = transpose(cx, with_shape(cx.heap, std::move(x), Shape{cells, columns}));
  Value folded = derived_by<fold_monad>(cx, f);
  ArrayBuilder builder(cx.heap, columns);
  for (std::size_t i = 0; i < columns; i++) builder.push(call(cx, folded, slice(cx.heap, turned, i * cells, cells)));
  return builder.finish(shape);
}

void check_cells(Context& cx, const Value& x) {
  if (rank_of(x) == 0) fail(cx, "Insert: 𝕩 must have rank at least 1 (got " + kind_text(x) + ")");
}

}  // namespace

Value insert_monad(Context& cx, const Function& self, Value x) {
  const ComputingHere here(cx, "Insert");
  check_cells(cx, x);
  const Value& f = operand(self);
  const Array& a = x.array();
  const std::size_t cells = a.cells();
  const bool joins = is_join(f);
  if (joins && a.rank() > 1) {
    Shape shape(a.shape().subspan(1));
    if (__builtin_mul_overflow(shape[0], cells, &shape[0]) || product(shape) > max_length)
      fail(cx, "Insert: Result is too large (from shape " + shape_text(x) + ")");
    return with_shape(cx.heap, std::move(x), shape);
  }
  if (cells == 0) {
    Value identity = identity_of(cx, f);
    if (identity.is_absent())
      fail(cx, "Insert: 𝔽 has no known identity for an empty 𝕩 (𝔽: " + function_text(cx, f) + ", shape " + shape_text(x) + ")");
    return identity.is_array() ? identity : filled(cx.heap, a.shape().subspan(1), identity);
  }
  if (cells == 1) {
    Shape cell(a.shape().subspan(1));
    return with_shape(cx.heap, std::move(x), cell);
  }
  if (const ScalarOp end = side_passed_by(f); end != ScalarOp::none)
    return cell_at(cx.heap, x, end == ScalarOp::left ? 0 : cells - 1);
  if (is_pervasive_dyad(f)) {
    if (a.rank() == 1) return enclose(cx.heap, call(cx, derived_by<fold_monad>(cx, f), std::move(x)));
    if (a.length > 0 && a.type() != ElementType::boxed && is_narrow({cells, a.cell_length()}))
      return insert_columns(cx, f, std::move(x));
  }
  if (joins) return x;
  return insert_cells(cx, f, x, cells - 1, cell_at(cx.heap, x, cells - 1));
}

Value insert_dyad(Context& cx, const Function& self, Value w, Value x) {
  const ComputingHere here(cx, "Insert");
  check_cells(cx, x);
  return insert_cells(cx, operand(self), x, x.array().cells(), std::move(w));
}

// --- ways for numbers

namespace {

// Folds the first rows of booleans. As many rows as fill whole words are taken as one; long rows, and those left over, go one by
// one.
template <class Combine>
Value fold_words(Context& cx, const Array& a, TableSize size, kernels::ReduceColumnKernels::Columns kernel, Combine combine) {
  constexpr std::size_t longest = 4096;
  const std::size_t rows = size.rows, columns = size.columns, together = 64 / std::gcd(columns, std::size_t{64});
  const std::size_t groups = columns > longest && together > 1 ? 0 : rows / together, words = together * columns / 64;
  Ref<Array> result = make_cell(cx.heap, ElementType::bit, a);
  std::uint64_t* const to = result->as<std::uint64_t>();
  if (together == 1) {
    kernel(to, a.data, rows, words);
    return to_value(std::move(result));
  }
  if (groups != 0) {
    std::vector<std::uint64_t> all(words);
    kernel(all.data(), a.data, groups, words);
    // The latter half of the rows onto the former, again and again.
    for (std::size_t half = together * columns / 2; half >= columns; half /= 2)
      for (std::size_t i = 0; i < half; i += 64)
        all[i / 64] =
            combine(all[i / 64], kernels::read_bits_anywhere(all.data(), half + i, std::min<std::size_t>(64, half - i)));
    std::copy_n(all.data(), (columns + 63) / 64, to);
  } else {
    kernels::copy_bit_run(to, 0, a.as<std::uint64_t>(), 0, columns);
  }
  for (std::size_t r = std::max<std::size_t>(groups * together, 1); r < rows; r++)
    for (std::size_t i = 0; i < columns; i += 64) {
      const std::size_t count = std::min<std::size_t>(64, columns - i);
      to[i / 64] = combine(to[i / 64], kernels::read_bits_anywhere(a.as<std::uint64_t>(), r * columns + i, count));
    }
  return to_value(std::move(result));
}
Value fold_bit_rows(Context& cx, kernels::RowFunction f, const Array& a, TableSize size) {
  using Word = std::uint64_t;
  const auto& words = kernels::reduce_columns().words;
  using kernels::RowFunction;
  switch (f) {
    case RowFunction::equal:
    case RowFunction::exclusive_or: return fold_words(cx, a, size, words.exclusive_or, [](Word w, Word x) { return w ^ x; });
    case RowFunction::or_: return fold_words(cx, a, size, words.or_, [](Word w, Word x) { return w | x; });
    default: return fold_words(cx, a, size, words.and_, [](Word w, Word x) { return w & x; });
  }
}

Value bits_in_any_order(Context& cx, OperandEntry operand, const Value& x, TableSize size) {
  Value results = fold_bit_rows(cx, function_of_bits(operand), x.array(), size);
  if (operand.scalar == ScalarOp::equal && size.rows % 2 == 0) flip_bits(results.array());
  return results;
}

// By < from the disjunction of all rows but the last, by ≤ from their conjunction.
Value bits_beside_last(Context& cx, OperandEntry operand, const Value& x, TableSize size) {
  const Array& a = x.array();
  const bool less = operand.scalar == ScalarOp::less;
  const std::size_t columns = size.columns, last = a.length - columns;
  using kernels::RowFunction;
  Value others = fold_bit_rows(cx, less ? RowFunction::or_ : RowFunction::and_, a, {size.rows - 1, columns});
  std::uint64_t* const to = others.array().as<std::uint64_t>();
  for (std::size_t column = 0; column < columns; column += 64) {
    const std::uint64_t row =
        kernels::read_bits(a.as<std::uint64_t>(), last + column, std::min<std::size_t>(64, columns - column));
    std::uint64_t& other = to[column / 64];
    other = less ? row & ~other : row | ~other;
  }
  return others;
}

// The first 0 of a column decides: > gives whether it stands at an odd place; the first 1 does so for ≥.
Value bits_up_to_first(Context& cx, OperandEntry operand, const Value& x, TableSize size) {
  const Array& a = x.array();
  const std::uint64_t flip = operand.scalar == ScalarOp::greater ? 0 : ~std::uint64_t{0};
  const std::size_t columns = size.columns;
  Ref<Array> result = make_cell(cx.heap, ElementType::bit, a);
  for (std::size_t column = 0; column < columns; column += 64) {
    const std::size_t count = std::min<std::size_t>(64, columns - column);
    std::uint64_t leading = kernels::low_bits(count), odd = 0;
    for (std::size_t at = column; at < a.length && leading != 0; at += columns) {
      leading &= kernels::read_bits(a.as<std::uint64_t>(), at, count) ^ flip;
      odd ^= leading;
    }
    result->as<std::uint64_t>()[column / 64] = odd ^ flip;
  }
  return to_value(std::move(result));
}

// Counts the 1s where those of every other row are flipped: each of them counts as one less.
Value differences_of_bits(Context& cx, OperandEntry operand, const Value& x, TableSize size) {
  const Array& a = x.array();
  Ref<Array> flipped = make_plain_like(cx.heap, ElementType::bit, a);
  kernels::row_bits().flip(kernels::RowBits::odd_rows, flipped->as<std::uint64_t>(), a.as<std::uint64_t>(), size.columns,
                           a.length);
  Value counts = column_bit_counts(cx, operand, to_value(std::move(flipped)), size);
  return counts.is_absent() ? counts : subtract(cx, std::move(counts), Value(static_cast<double>(size.rows / 2)));
}

Value column_sums_of_doubles(Context& cx, OperandEntry, const Value& x, TableSize size) {
  const Array& a = x.array();
  Ref<Array> sums = make_cell(cx.heap, ElementType::f64, a);
  kernels::reduce_columns().sum[kernels::lane_f64](sums->data, a.data, size.rows, size.columns);
  return to_value(std::move(sums));
}

Value narrow_table(Context& cx, OperandEntry operand, const Value& x, TableSize size) {
  return is_narrow(size) ? insert_columns(cx, primitive(cx, operand.name), x) : Value();
}

struct Insert : ForTables {
  static constexpr OperandWay ways[] = {
      {"counts of bits", by_sum, of_bits, by<column_bit_counts>},
      {"differences of bits", by_difference, of_bits, by<differences_of_bits>},
      {"bits in any order", by_product | by_or | by_extreme | by_equality, of_bits, by<bits_in_any_order>},
      {"bits beside the last row", by_less, of_bits, by<bits_beside_last>},
      {"bits up to the first 0 or 1", by_greater, of_bits, by<bits_up_to_first>},
      {"sums of bytes", by_sum, of_bytes, by<column_byte_sums>},
      {"sums of i32", by_sum, of_ints, by<column_int_sums>},
      {"sums of i16", by_sum, of_shorts, by<column_integer_sums>},
      {"sums of doubles", by_sum, of_reals, by<column_sums_of_doubles>},
      {"extremes", by_extreme, of_numbers, by<column_extremes>},
      {"narrow tables", by_difference | by_product | by_quotient | by_or, of_numbers, by<narrow_table>},
      {"narrow tables", by_quotient, of_bits, by<narrow_table>},
      {"row onto row", by_difference | by_product | by_quotient | by_or | by_comparison, of_numbers, by<insert_in_order>},
      {"row onto row", by_quotient, of_bits, by<insert_in_order>},
  };
  static constexpr auto ask = Device::Reduction::insert;
  static constexpr auto general = insert_monad;
  static bool takes(const Array& a, TableSize& size) { return a.rank() >= 2 && measure(a, size) && size.rows >= 2; }
};

// Folds a list to a unit.
[[gnu::noinline]] std::uint64_t insert_list(Context& cx, const Derived& self, const Value& x) {
  if (x.array().length < 2 || !stays_here(cx, x)) return declined;
  Value folded = fold_by_kernel(*ways_of(self).operand, x);
  return folded.is_absent() ? declined : enclose(cx.heap, std::move(folded)).leak();
}
// One cell alone is the result, whatever the operand.
[[gnu::noinline]] std::uint64_t only_cell(Context& cx, const Value& x) {
  const Array& a = x.array();
  if (a.rank() == 2 && a.fill_kind() != FillKind::nested && !a.data.elsewhere())
    if (Array* const row = list_view_at_hand(cx.heap, a, 0, a.length)) return Value(row).leak();
  const Shape cell(a.shape().subspan(1));
  return with_shape(cx.heap, x, cell).leak();
}
std::uint64_t insert_directly(Context& cx, const Derived& self, const Value& x, RecentMonad* site) {
  const Array& a = x.array();
  if (a.rank() == 1) return insert_list(cx, self, x);
  return a.rank() > 1 && a.cells() == 1 ? only_cell(cx, x) : call_directly<Insert>(cx, self, x, site);
}

}  // namespace

void attach_insert(Context&, Derived& d) {
  if (attach_ways<Insert>(d, d.f)) d.direct = insert_directly;
}

}  // namespace griddle::primitives
