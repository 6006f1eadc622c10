// = < ≤ > ≥ - folded and scanned on tables of booleans, by what is exact of exclusive or, disjunctions, conjunctions and counts
// of the same table with some of its bits flipped.
#include <algorithm>
#include <vector>

#include "primitives/common/number_lanes.h"
#include "primitives/folds/fusion.h"
#include "primitives/folds/running_numbers.h"
#include "primitives/functions.h"
#include "primitives/kernels/booleans/alternating_scan.h"
#include "primitives/kernels/booleans/bool_rows.h"
#include "primitives/kernels/booleans/row_bits.h"
#include "primitives/kernels/elementwise/bitwise.h"
#include "primitives/kernels/folds/row_scan.h"
#include "primitives/kernels/folds/scan.h"
#include "primitives/kernels/shared/bit_runs.h"
#include "primitives/kernels/shared/convert.h"
#include "runtime/value/fill.h"

namespace griddle::primitives {

namespace {

using kernels::RowBits;

constexpr std::uint64_t ones = ~std::uint64_t{0};

Value with_bits_flipped(Context& cx, RowBits kind, const Value& x) {
  const Array& a = x.array();
  Ref<Array> flipped = make_plain_like(cx.heap, ElementType::bit, a);
  kernels::row_bits().flip(kind, flipped->as<std::uint64_t>(), a.as<std::uint64_t>(), cell_length_of(a), a.length);
  return to_value(std::move(flipped));
}
void flip_bits(Array& a) { kernels::bitwise().logic_not(a.data, a.data, a.data, (a.length + 63) / 64); }

// --- folds of rows onto each other

// Counts how many leading 1s a column of up to 64 has in rows of which flip is exclusive-ored to all bits; gives the columns
// where that is odd.
std::uint64_t odd_leading_ones(const Array& a, std::size_t column, std::size_t count, std::uint64_t flip) {
  const std::uint64_t* const bits = a.as<std::uint64_t>();
  const std::size_t columns = cell_length_of(a), end = a.length;
  const std::size_t together = columns < 64 ? 64 / columns : 1;  // rows in a word
  std::uint64_t repeat = 1;
  for (std::size_t r = 1; r < together; r++) repeat |= repeat << columns;
  std::uint64_t active = kernels::low_bits(count), odd = 0;
  for (std::size_t at = column; at < end && active != 0;) {
    if (const std::size_t width = together * columns; together > 1 && at + width <= end) {
      const std::uint64_t wanted = active * repeat;
      if (((kernels::read_bits(bits, at, width) ^ flip) & wanted) == wanted) {
        if (together % 2 == 1) odd ^= active;
        at += width;
        continue;
      }
    }
    active &= kernels::read_bits(bits, at, count) ^ flip;
    odd ^= active;
    at += columns;
  }
  return odd;
}

// The first 0 of a column decides: > gives whether it stands at an odd place.
Value insert_first(Context& cx, const Value& x, std::uint64_t flip) {
  if (!is_bits(x)) return Value();
  const Array& a = x.array();
  const std::size_t columns = cell_length_of(a);
  Ref<Array> result = make_cell(cx.heap, ElementType::bit, a);
  for (std::size_t column = 0; column < columns; column += 64)
    result->as<std::uint64_t>()[column / 64] =
        odd_leading_ones(a, column, std::min(columns - column, std::size_t{64}), flip) ^ flip;
  return to_value(std::move(result));
}

// Folds by < from the disjunction of all rows but the last, by ≤ from their conjunction.
Value insert_last(Context& cx, const Value& x, bool less) {
  if (!is_bits(x)) return Value();
  const Array& a = x.array();
  const std::size_t columns = cell_length_of(a), last = a.length - columns;
  Value others = fold_bit_rows(cx, less ? kernels::BitFunction::or_ : kernels::BitFunction::and_, x, a.cells() - 1);
  std::uint64_t* const to = others.array().as<std::uint64_t>();
  for (std::size_t column = 0; column < columns; column += 64) {
    const std::uint64_t row =
        kernels::read_bits(a.as<std::uint64_t>(), last + column, std::min(columns - column, std::size_t{64}));
    std::uint64_t& other = to[column / 64];
    other = less ? row & ~other : row | ~other;
  }
  return others;
}

}  // namespace

Value insert_subtract(Context& cx, const Value& x) {
  if (!is_bits(x)) return Value();
  Value sums = insert_add(cx, with_bits_flipped(cx, RowBits::odd_rows, x));
  if (sums.is_absent()) return sums;
  return subtract(cx, std::move(sums), Value(static_cast<double>(x.array().cells() / 2)));
}
Value insert_equal(Context& cx, const Value& x) {
  Value results = insert_not_equal(cx, x);
  if (!results.is_absent() && x.array().cells() % 2 == 0) flip_bits(results.array());
  return results;
}
Value insert_less(Context& cx, const Value& x) { return insert_last(cx, x, true); }
Value insert_less_equal(Context& cx, const Value& x) { return insert_last(cx, x, false); }
Value insert_greater(Context& cx, const Value& x) { return insert_first(cx, x, 0); }
Value insert_greater_equal(Context& cx, const Value& x) { return insert_first(cx, x, ones); }

// --- scans down columns

namespace {

Value alternating_scan(Context& cx, kernels::BoolScanBy scan, const Value& x) {
  if (!is_bits(x)) return Value();
  const Array& a = x.array();
  Ref<Array> results = make_plain_like(cx.heap, ElementType::bit, a);
  scan(cell_length_of(a), results->as<std::uint64_t>(), a.as<std::uint64_t>(), a.length);
  return filled_like(cx, std::move(results), x);
}

// The first row, and then no 1, as long as there was none: what is left of the disjunction with the first row flipped.
Value scan_columns_by_first(Context& cx, Value (*scan)(Context&, const Value&), const Value& x) {
  if (!is_bits(x)) return Value();
  const Array& a = x.array();
  const std::size_t columns = cell_length_of(a);
  Ref<Array> flipped = make_plain_like(cx.heap, ElementType::bit, a);
  std::uint64_t* const to = flipped->as<std::uint64_t>();
  std::copy_n(a.as<std::uint64_t>(), (a.length + 63) / 64, to);
  for (std::size_t i = 0; i < columns / 64; i++) to[i] = ~to[i];
  if (columns % 64 != 0) to[columns / 64] ^= kernels::low_bits(columns % 64);
  Value results = scan(cx, to_value(std::move(flipped)));
  flip_bits(results.array());
  return with_fill_like(cx.heap, std::move(results), x);
}

}  // namespace

Value scan_columns_equal(Context& cx, const Value& x) {
  Value results = scan_columns_not_equal(cx, x);
  if (results.is_absent()) return results;
  Array& a = results.array();
  kernels::row_bits().flip(RowBits::odd_rows, a.as<std::uint64_t>(), a.as<std::uint64_t>(), cell_length_of(a), a.length);
  return results;
}
Value scan_columns_less(Context& cx, const Value& x) { return alternating_scan(cx, kernels::alternating_scan().less_by, x); }
Value scan_columns_less_equal(Context& cx, const Value& x) {
  return alternating_scan(cx, kernels::alternating_scan().less_equal_by, x);
}
Value scan_columns_greater(Context& cx, const Value& x) { return scan_columns_by_first(cx, scan_columns_or, x); }
Value scan_columns_greater_equal(Context& cx, const Value& x) { return scan_columns_by_first(cx, scan_columns_and, x); }

namespace {

// Gives 0 for a 0 and ¯1 for a 1, in bytes.
Ref<Array> negated_bytes(Context& cx, const Array& a) {
  constexpr std::int8_t zero = 0, one = -1;
  Ref<Array> bytes = make_plain_like(cx.heap, ElementType::i8, a);
  kernels::convert().choose[static_cast<int>(ElementType::i8)](bytes->data, a.as<std::uint64_t>(), a.length, &zero, &one);
  return bytes;
}

}  // namespace

// Sums negatives onto the first row.
Value scan_columns_subtract(Context& cx, const Value& x) {
  const Array& a = x.array();
  if (!is_bits(x) || a.cells() > 2147483647) return Value();
  const std::size_t rows = a.cells(), columns = cell_length_of(a);
  const int lane = rows <= 127 ? kernels::lane_i8 : rows <= 32767 ? kernels::lane_i16 : kernels::lane_i32;
  constexpr ElementType types[] = {ElementType::i8, ElementType::i16, ElementType::i32};
  const Ref<Array> bytes = negated_bytes(cx, a);
  std::int8_t* const first = bytes->as<std::int8_t>();
  for (std::size_t i = 0; i < columns; i++) first[i] = static_cast<std::int8_t>(-first[i]);
  Ref<Array> differences = make_plain_like(cx.heap, types[lane], a);
  kernels::scan_columns().sum_bytes[lane](differences->data, bytes->data, rows, columns);
  return filled_like(cx, std::move(differences), x);
}

// --- scans along rows

Value scan_rows_equal(Context& cx, const Value& x) {
  Value results = scan_rows_not_equal(cx, x);
  if (results.is_absent()) return results;
  Array& a = results.array();
  kernels::row_bits().flip(RowBits::odd_places, a.as<std::uint64_t>(), a.as<std::uint64_t>(), cell_length_of(a), a.length);
  return results;
}
Value scan_rows_less(Context& cx, const Value& x) { return alternating_scan(cx, kernels::alternating_scan().less_in_rows, x); }
Value scan_rows_less_equal(Context& cx, const Value& x) {
  return alternating_scan(cx, kernels::alternating_scan().less_equal_in_rows, x);
}

namespace {

Value scan_rows_by_first(Context& cx, kernels::RowFunction f, const Value& x) {
  if (!is_bits(x)) return Value();
  Value results = with_bits_flipped(cx, RowBits::first_places, x);
  Array& a = results.array();
  std::uint64_t* const bits = a.as<std::uint64_t>();
  kernels::bool_row_scan().scan(f, bits, bits, cell_length_of(a), a.length);
  flip_bits(a);
  return results;
}

// Takes running sums from twice the first of them.
template <class T>
void subtract_from_first(T* sums, std::size_t n) {
  const T twice = static_cast<T>(2 * sums[0]);
  for (std::size_t i = 0; i < n; i++) sums[i] = static_cast<T>(twice - sums[i]);
}

}  // namespace

Value scan_rows_greater(Context& cx, const Value& x) { return scan_rows_by_first(cx, kernels::RowFunction::or_, x); }
Value scan_rows_greater_equal(Context& cx, const Value& x) { return scan_rows_by_first(cx, kernels::RowFunction::and_, x); }

Value scan_rows_subtract(Context& cx, const Value& x) {
  const Array& a = x.array();
  if (!is_bits(x)) return scan_rows_running(cx, Glyph::subtract, x);
  const std::size_t columns = a.shape()[1], rows = a.shape()[0];
  if (columns > kernels::RowScanKernels::most_columns) {
    Value results = scan_rows_add(cx, x);
    if (results.is_absent()) return results;
    Array& sums = results.array();
    for (std::size_t i = 0; i < a.length; i += columns)
      if (sums.type() == ElementType::i16)
        subtract_from_first(sums.as<std::int16_t>() + i, columns);
      else
        subtract_from_first(sums.as<std::int32_t>() + i, columns);
    return results;
  }
  if (const auto subtract_rows = kernels::bit_sums().row_differences; subtract_rows != nullptr && columns <= 64) {
    Ref<Array> differences = make_plain_like(cx.heap, ElementType::i8, a);
    subtract_rows(differences->as<std::int8_t>(), a.as<std::uint64_t>(), columns, a.length);
    return to_value(std::move(differences));
  }
  Ref<Array> bytes = negated_bytes(cx, a);
  const Ref<Array> first = make_plain_like(cx.heap, ElementType::bit, a);
  kernels::row_bits().keep(RowBits::first_places, first->as<std::uint64_t>(), a.as<std::uint64_t>(), columns, a.length);
  constexpr std::int8_t one = 1;
  constexpr int bytes_of = static_cast<int>(ElementType::i8);
  kernels::convert().overwrite[bytes_of](bytes->data, first->as<std::uint64_t>(), a.length, &one);
  kernels::row_scan().sum_within[lane_above_bits(ElementType::i8)](bytes->data, bytes->data, columns, rows);
  return to_value(std::move(bytes));
}

}  // namespace griddle::primitives
