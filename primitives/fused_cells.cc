// f´˘, f˝˘ and f`˘ on numeric tables: each row on its own.
#include <algorithm>

#include "primitives/functions.h"
#include "primitives/fusion.h"
#include "primitives/kernels/bool_rows.h"
#include "primitives/kernels/real.h"
#include "primitives/kernels/reduce.h"
#include "primitives/kernels/scan.h"
#include "runtime/value/fill.h"

namespace griddle::primitives {

namespace {

constexpr std::size_t long_row = 32;  // from here on a row is worth a kernel call of its own

int lane_of(ElementType t) { return static_cast<int>(t) - static_cast<int>(ElementType::i8); }

// Folds the columns onto each other in a transposed copy: right for any order of exact operations, fast for short rows.
Value through_columns(Context& cx, const FusionRule& rule, const Value& x) {
  if (rule.insert == nullptr || x.array().shape()[1] < 2) return Value();
  return rule.insert(cx, transpose(cx, x));
}

template <class Row>
void each_row(double* out, const Array& a, Row row) {
  const std::size_t columns = a.shape()[1], width = columns * (bits_of(a.type()) / 8);
  for (std::size_t r = 0; r < a.shape()[0]; r++) out[r] = row(a.data + r * width, columns);
}

}  // namespace

Value fold_rows_add(Context& cx, const FusionRule& rule, const Value& x) {
  const Array& a = x.array();
  const std::size_t rows = a.shape()[0], columns = a.shape()[1];
  if (a.type() == ElementType::bit) {
    const ElementType type = columns <= 127 ? ElementType::i8 : columns <= 32767 ? ElementType::i16 : ElementType::f64;
    Ref<Array> counts = make_list(cx.heap, type, rows);
    const std::uint64_t* bits = a.as<std::uint64_t>();
    const auto& kernels = kernels::bool_rows();
    if (type == ElementType::i8)
      kernels.count_i8(counts->as<std::int8_t>(), bits, columns, rows);
    else if (type == ElementType::i16)
      kernels.count_i16(counts->as<std::int16_t>(), bits, columns, rows);
    else
      kernels.count_f64(counts->as<double>(), bits, columns, rows);
    return to_value(std::move(counts));
  }
  if (a.type() != ElementType::f64 && columns < long_row) return through_columns(cx, rule, x);
  // Longer rows could leave the integers that doubles hold.
  if (columns > (std::size_t{1} << 20) && a.type() != ElementType::f64) return Value();
  Ref<Array> sums = make_list(cx.heap, ElementType::f64, rows);
  if (a.type() == ElementType::f64) {
    each_row(sums->as<double>(), a, [](const void* row, std::size_t n) {
      const double* elements = static_cast<const double*>(row);
      return kernels::sum_from_right(elements, n - 1, elements[n - 1]);
    });
    return to_value(std::move(sums));
  }
  const auto sum = kernels::reduce().sum[lane_of(a.type())];
  each_row(sums->as<double>(), a, [sum](const void* row, std::size_t n) { return static_cast<double>(sum(row, n)); });
  return narrowed(cx.heap, to_value(std::move(sums)));
}

Value fold_rows_on_bits(Context& cx, const FusionRule& rule, const Value& x) {
  const Array& a = x.array();
  if (a.type() != ElementType::bit) return Value();
  using F = kernels::RowFunction;
  const auto function = [&] {
    switch (rule.glyph) {
      case U'∨':
      case U'⌈': return F::or_;
      case U'≠': return F::exclusive_or;
      case U'=': return F::equal;
      case U'<': return F::less;
      case U'≤': return F::less_equal;
      case U'>': return F::greater;
      case U'≥': return F::greater_equal;
      default: return F::and_;
    }
  };
  const std::size_t rows = a.shape()[0], columns = a.shape()[1];
  Ref<Array> results = make_list(cx.heap, ElementType::bit, rows);
  kernels::bool_rows().fold(function(), results->as<std::uint64_t>(), a.as<std::uint64_t>(), columns, rows);
  return to_value(std::move(results));
}

Value fold_rows_extreme(Context& cx, const FusionRule& rule, const Value& x) {
  const Array& a = x.array();
  if (a.type() == ElementType::bit) return fold_rows_on_bits(cx, rule, x);
  const std::size_t rows = a.shape()[0], columns = a.shape()[1];
  if (columns < long_row) return through_columns(cx, rule, x);
  const auto kernel = (rule.glyph == U'⌈' ? kernels::reduce().maximum : kernels::reduce().minimum)[lane_of(a.type())];
  const std::size_t width = bits_of(a.type()) / 8;
  Ref<Array> results = make_list(cx.heap, a.type(), rows);
  for (std::size_t r = 0; r < rows; r++) kernel(results->data + r * width, a.data + r * columns * width, columns);
  return to_value(std::move(results));
}

Value scan_rows_add(Context& cx, const Value& x) {
  const Array& a = x.array();
  if (a.type() != ElementType::f64) return Value();
  const std::size_t rows = a.shape()[0], columns = a.shape()[1];
  Ref<Array> sums = make_like(cx.heap, ElementType::f64, a);
  for (std::size_t i = 0; i < rows * columns; i += columns) {
    const double first = a.as<double>()[i];
    sums->as<double>()[i] = first;
    kernels::running_sum(sums->as<double>() + i + 1, a.as<double>() + i + 1, columns - 1, first);
  }
  return to_value(std::move(sums));
}

namespace {

Value scan_bit_rows(Context& cx, kernels::RowFunction f, const Value& x) {
  const Array& a = x.array();
  if (a.type() != ElementType::bit || a.shape()[1] > 64) return Value();
  Ref<Array> results = make_like(cx.heap, ElementType::bit, a);
  kernels::bool_row_scan().scan(f, results->as<std::uint64_t>(), a.as<std::uint64_t>(), a.shape()[1], a.length);
  return to_value(std::move(results));
}

}  // namespace

Value scan_rows_not_equal(Context& cx, const Value& x) { return scan_bit_rows(cx, kernels::RowFunction::exclusive_or, x); }
Value scan_rows_and(Context& cx, const Value& x) { return scan_bit_rows(cx, kernels::RowFunction::and_, x); }
Value scan_rows_or(Context& cx, const Value& x) { return scan_bit_rows(cx, kernels::RowFunction::or_, x); }

}  // namespace griddle::primitives
