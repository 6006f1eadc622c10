// ´˘ and ˝˘ on tables of numbers: each row folded on its own.
#include "primitives/common/tuning.h"
#include "primitives/folds/fold.h"

#include <cstring>

#include "primitives/arithmetic/dispatch.h"
#include "primitives/common/number_lanes.h"
#include "primitives/folds/operand_ways.h"
#include "primitives/folds/results.h"
#include "primitives/functions.h"
#include "primitives/kernels/booleans/bool_rows.h"
#include "primitives/kernels/booleans/row_bits.h"
#include "primitives/kernels/folds/reduce.h"
#include "primitives/kernels/folds/row_fold.h"
#include "primitives/kernels/folds/wide_sums.h"
#include "primitives/kernels/moves/transpose.h"
#include "primitives/modifiers.h"

namespace griddle::primitives {

// --- few columns

Value fold_columns(Context& cx, const DyadRule& rule, bool swapped, const Value& x, std::size_t rows) {
  const Array& a = x.array();
  const std::size_t columns = a.length / rows;
  if (columns < 2 || !is_number(a.type()) || a.type() == ElementType::bit) return Value();
  const std::size_t width = width_of(a.type());
  // Columns start at whole vectors.
  const std::size_t stride = (rows + 31) / 32 * 32;
  Ref<Array> parts = make_list(cx.heap, a.type(), stride * columns);
  kernels::transpose(bits_of(a.type()), parts->data, static_cast<std::ptrdiff_t>(stride), a.data,
                     static_cast<std::ptrdiff_t>(columns), columns, rows);
  // Goes on with values where a column of results does not fit the kernel's type.
  const auto column = [&](std::size_t c) {
    Ref<Array> list = make_list(cx.heap, a.type(), rows);
    std::memcpy(list->data, parts->data + c * stride * width, rows * width);
    return to_value(std::move(list));
  };
  Value result;
  const std::uint8_t* so_far = parts->data + (columns - 1) * stride * width;
  ElementType type = a.type();
  for (std::size_t c = columns - 1; c-- > 0;) {
    const std::uint8_t* next = parts->data + c * stride * width;
    const DirectDyad& way = rule.direct().find(kernels::array_array, swapped ? type : a.type(), swapped ? a.type() : type);
    Ref<Array> made = way.kernel != nullptr ? make_list(cx.heap, way.result, rows) : Ref<Array>();
    if (!made || way.kernel(made->data, swapped ? so_far : next, swapped ? next : so_far, rows) != rows) {
      if (result.is_absent()) result = column(c + 1);
      Value left = column(c);
      if (swapped) std::swap(left, result);
      result = rule.self(cx, std::move(left), std::move(result));
    } else {
      result = to_value(std::move(made));
    }
    so_far = result.array().data;
    type = result.array().type();
  }
  return result;
}

namespace {

// The ways below take tables of rank 2. Each makes a list with a result for each row.

template <class Kernel>
[[gnu::always_inline]] inline Value by_rows(Context& cx, ElementType type, const Array& a, TableSize size, Kernel kernel) {
  Ref<Array> results = make_plain_list(cx.heap, type, size.rows);
  if (a.length > kernels::long_pass) [[unlikely]]
    in_groups_of_rows(*results, 1, a, size, kernel);
  else
    kernel(results->data, a.data, size.columns, size.rows);
  return to_value(std::move(results));
}

Value row_pairs(Context& cx, OperandEntry operand, const Value& x, TableSize size) {
  const Array& a = x.array();
  const auto& rows = kernels::row_fold();
  const auto* kernels = operand.scalar == ScalarOp::add        ? rows.pair_sums
                        : operand.scalar == ScalarOp::subtract ? rows.pair_differences
                                                               : rows.pair_products;
  Ref<Array> results = make_plain_list(cx.heap, a.type() == ElementType::i8 ? ElementType::i16 : ElementType::i32, size.rows);
  kernels[lane_above_bits(a.type())](results->data, a.data, size.rows);
  return to_value(std::move(results));
}

Value row_columns(Context& cx, OperandEntry operand, const Value& x, TableSize size) {
  return fold_columns(cx, *operand.dyad_rule, false, x, size.rows);
}
Value many_row_columns(Context& cx, OperandEntry operand, const Value& x, TableSize size) {
  return are_folded_by_columns(size.rows, size.columns) ? row_columns(cx, operand, x, size) : Value();
}

// Other functions have no kernels for rows. For many rows comparisons have another way (folded_rows).
Value few_row_columns(Context& cx, OperandEntry operand, const Value& x, TableSize size) {
  return size.rows < tuning().rows_worth_columns ? row_columns(cx, operand, x, size) : Value();
}
Value divided_row_columns(Context& cx, OperandEntry operand, const Value& x, TableSize size) {
  return size.rows >= tuning().rows_worth_columns ? row_columns(cx, operand, x, size) : Value();
}

// --- booleans

ElementType count_type(std::size_t most) {
  return most <= 127 ? ElementType::i8 : most <= 32767 ? ElementType::i16 : ElementType::f64;
}

Value row_counts(Context& cx, OperandEntry, const Value& x, TableSize size) {
  const Array& a = x.array();
  const std::size_t rows = size.rows, columns = size.columns;
  const ElementType type = count_type(columns);
  Ref<Array> counts = make_plain_list(cx.heap, type, rows);
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

// Where no kernel is, counts the 1s of rows of which every other bit is flipped, so that each 1 there counts as one less.
Value row_bit_differences(Context& cx, OperandEntry operand, const Value& x, TableSize size) {
  const Array& a = x.array();
  const std::size_t rows = size.rows, columns = size.columns;
  const std::uint64_t* bits = a.as<std::uint64_t>();
  if (const auto kernel = kernels::bool_rows().difference_i8; kernel != nullptr && columns <= 64) {
    Ref<Array> differences = make_plain_list(cx.heap, ElementType::i8, rows);
    kernel(differences->as<std::int8_t>(), bits, columns, rows);
    return to_value(std::move(differences));
  }
  Ref<Array> flipped = make_plain_like(cx.heap, ElementType::bit, a);
  kernels::row_bits().flip(kernels::RowBits::odd_places, flipped->as<std::uint64_t>(), bits, columns, a.length);
  return subtract(cx, row_counts(cx, operand, to_value(std::move(flipped)), size), Value(static_cast<double>(columns / 2)));
}

Value row_bits(Context& cx, OperandEntry operand, const Value& x, TableSize size) {
  const Array& a = x.array();
  Ref<Array> results = make_plain_list(cx.heap, ElementType::bit, size.rows);
  kernels::bool_rows().fold(function_of_bits(operand), results->as<std::uint64_t>(), a.as<std::uint64_t>(), size.columns,
                            size.rows);
  return to_value(std::move(results));
}

// --- numbers

constexpr std::size_t longest_row = 1024;  // from here on a row of integers is worth a kernel call of its own, of doubles
constexpr std::size_t long_row = 32;       // from here on
constexpr std::size_t most_summed_as_doubles = std::size_t{1} << 20;  // whose sums doubles hold

// Sums i32 in 64 bits.
Value wide_row_sums(Context& cx, const Array& a, TableSize size) {
  const std::size_t rows = size.rows, columns = size.columns;
  const kernels::WideSumKernels& wide = kernels::wide_sums();
  constexpr std::size_t few = 512;
  alignas(64) std::int64_t few_sums[few];
  // Many stand where the doubles do that they may become.
  Ref<Array> real = rows > few ? Ref<Array>(make_plain_list(cx.heap, ElementType::f64, rows)) : Ref<Array>();
  std::int64_t* const sums = real ? real->as<std::int64_t>() : few_sums;
  wide.rows(sums, a.as<std::int32_t>(), columns, rows);
  // Two ways, so that the processor goes on with the likely one while it still sums.
  if (wide.fit(sums, rows)) {
    Ref<Array> narrow = make_plain_list(cx.heap, ElementType::i32, rows);
    wide.to_i32(narrow->data, sums, rows);
    return to_value(std::move(narrow));
  }
  if (!real) real = make_plain_list(cx.heap, ElementType::f64, rows);
  wide.to_f64(real->data, sums, rows);
  return to_value(std::move(real));
}

Value row_sums(Context& cx, OperandEntry, const Value& x, TableSize size) {
  const Array& a = x.array();
  const std::size_t rows = size.rows, columns = size.columns;
  const bool wide = a.type() == ElementType::i32;
  if (wide && kernels::wide_sums().rows != nullptr && columns <= most_summed_as_doubles) return wide_row_sums(cx, a, size);
  const int lane = lane_above_bits(a.type());
  const std::size_t longest = !wide ? 65536 : rows < 16 ? long_row : longest_row;
  if (columns < longest) {
    Value sums = by_rows(cx, wide ? ElementType::f64 : ElementType::i32, a, size, kernels::row_fold().sum[lane]);
    return wide ? narrowed_integers(cx, std::move(sums)) : sums;
  }
  // Longer rows could leave the integers that doubles hold.
  if (columns > most_summed_as_doubles) return Value();
  Ref<Array> sums = make_plain_list(cx.heap, ElementType::f64, rows);
  for (std::size_t r = 0; r < rows; r++)
    sums->as<double>()[r] = static_cast<double>(kernels::reduce().sum[lane](a.data + r * columns * width_of(a.type()), columns));
  return narrowed_integers(cx, to_value(std::move(sums)));
}
Value row_sums_of_doubles(Context& cx, OperandEntry, const Value& x, TableSize size) {
  return by_rows(cx, ElementType::f64, x.array(), size, kernels::row_fold().sum[kernels::lane_f64]);
}

Value row_differences(Context& cx, OperandEntry, const Value& x, TableSize size) {
  const Array& a = x.array();
  if (size.columns > 32767) return Value();
  const ElementType type = a.type() < ElementType::i32 ? ElementType::i32 : ElementType::f64;
  Value results = by_rows(cx, type, a, size, kernels::row_fold().difference[lane_above_bits(a.type())]);
  return a.type() == ElementType::i32 ? narrowed_integers(cx, std::move(results)) : results;
}

// Multiplies integers whose products are small.
Value row_small_products(Context& cx, OperandEntry, const Value& x, TableSize size) {
  const Array& a = x.array();
  Ref<Array> products = make_plain_list(cx.heap, ElementType::i32, size.rows);
  kernels::Bounds bounds;
  const auto multiply = kernels::row_fold().small_product[lane_above_bits(a.type())];
  if (!multiply(products->as<std::int32_t>(), a.data, size.columns, size.rows, bounds)) return Value();
  const ElementType type =
      wider(element_type_of(Value(static_cast<double>(bounds.low))), element_type_of(Value(static_cast<double>(bounds.high))));
  return type >= ElementType::i32 ? to_value(std::move(products)) : converted(cx.heap, *products, type);
}
Value row_products(Context& cx, OperandEntry, const Value& x, TableSize size) {
  const Array& a = x.array();
  Value results = by_rows(cx, ElementType::f64, a, size, kernels::row_fold().product[lane_above_bits(a.type())]);
  return a.type() == ElementType::f64 ? results : narrowed_integers(cx, std::move(results));
}

Value row_extremes(Context& cx, OperandEntry operand, const Value& x, TableSize size) {
  const Array& a = x.array();
  const bool greatest = operand.scalar == ScalarOp::maximum;
  const int lane = lane_above_bits(a.type());
  if (size.columns < (a.type() == ElementType::f64 ? long_row : longest_row)) {
    const auto& kernels = kernels::row_fold();
    return by_rows(cx, a.type(), a, size, (greatest ? kernels.maximum : kernels.minimum)[lane]);
  }
  return by_rows(cx, a.type(), a, size, [&](std::uint8_t* out, const std::uint8_t* row, std::size_t columns, std::size_t rows) {
    const auto kernel = (greatest ? kernels::reduce().maximum : kernels::reduce().minimum)[lane];
    const std::size_t width = width_of(a.type());
    for (std::size_t r = 0; r < rows; r++) kernel(out + r * width, row + r * columns * width, columns);
  });
}

struct RowFold : ForTables {
  static constexpr OperandWay ways[] = {
      {"counts of bits", by_sum, of_bits, by<row_counts>},
      {"differences of bits", by_difference, of_bits, by<row_bit_differences>},
      {"bits", by_boolean, of_bits, by<row_bits>},
      {"pairs", by_sum | by_difference | by_product, of_bytes | of_shorts, by<row_pairs>, 2},
      {"few columns", by_sum | by_difference | by_product, of_ints | of_reals, by<many_row_columns>, 2},
      {"few columns", by_extreme, of_reals, by<many_row_columns>, 2},
      {"few columns", by_product, of_shorts, by<many_row_columns>, 5},
      {"columns of few rows", by_comparison, of_numbers, by<few_row_columns>, 32},
      {"columns of many rows", by_quotient, of_numbers, by<divided_row_columns>, 32},
      {"sums of integers", by_sum, of_integers, by<row_sums>},
      {"sums of doubles", by_sum, of_reals, by<row_sums_of_doubles>},
      {"differences", by_difference, of_numbers, by<row_differences>},
      {"small products", by_product, of_integers, by<row_small_products>},
      {"products", by_product, of_numbers, by<row_products>},
      {"extremes", by_extreme, of_numbers, by<row_extremes>},
  };
  static constexpr auto ask = Device::Reduction::fold_rows;
  static constexpr auto general = cells_monad;
};

}  // namespace

void attach_row_fold(Derived& d, const Value& operand) { attach_ways<RowFold>(d, operand); }

}  // namespace griddle::primitives
