// f´˘, f˝˘ and f`˘ on numeric tables: each row on its own.
#include <algorithm>
#include <cstring>
#include <vector>

#include "primitives/arithmetic/dispatch.h"
#include "primitives/common/number_lanes.h"
#include "primitives/folds/fusion.h"
#include "primitives/folds/running_numbers.h"
#include "primitives/functions.h"
#include "primitives/kernels/booleans/bool_fold.h"
#include "primitives/kernels/booleans/bool_rows.h"
#include "primitives/kernels/booleans/row_bits.h"
#include "primitives/kernels/folds/ordered_sum.h"
#include "primitives/kernels/folds/reduce.h"
#include "primitives/kernels/folds/row_fold.h"
#include "primitives/kernels/folds/row_scan.h"
#include "primitives/kernels/folds/scan.h"
#include "primitives/kernels/folds/wide_sums.h"
#include "primitives/kernels/moves/transpose.h"
#include "primitives/kernels/shared/bit_runs.h"
#include "primitives/kernels/shared/bounds.h"
#include "primitives/kernels/shared/convert.h"
#include "runtime/value/fill.h"

namespace griddle::primitives {

namespace {

constexpr std::size_t long_row = 32;       // from here on a row of doubles is worth a kernel call of its own
constexpr std::size_t longest_row = 1024;  // from here on a row of integers is
constexpr std::size_t few_rows = 4;        // fewer are not worth taking together

template <class Row>
void each_row(double* out, const Array& a, Row row) {
  const std::size_t columns = a.shape()[1], width = columns * (bits_of(a.type()) / 8);
  for (std::size_t r = 0; r < a.shape()[0]; r++) out[r] = row(a.data + r * width, columns);
}

}  // namespace

Value narrowed_integers(Context& cx, Value list) {
  const Array& a = list.array();
  if (a.length == 0 || a.type() == ElementType::bit) return list;
  const int lane = lane_above_bits(a.type());
  const double least = kernels::reduce().fold_minimum[lane](a.data, a.length);
  const double greatest = kernels::reduce().fold_maximum[lane](a.data, a.length);
  const ElementType type = wider(element_type_of(Value(least)), element_type_of(Value(greatest)));
  return type >= a.type() ? std::move(list) : converted(cx.heap, a, type);
}

Value fold_few_columns(Context& cx, const DyadRule& rule, bool swapped, const Value& x, std::size_t rows) {
  constexpr std::size_t few = 8;
  const Array& a = x.array();
  const std::size_t columns = a.length / rows;
  if (columns > few || columns < 2 || rows < long_row || !is_number(a.type()) || a.type() == ElementType::bit) return Value();
  const std::size_t width = bits_of(a.type()) / 8;
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

// Folds pairs of small integers to twice their width. Gives the absent value for other functions and types.
Value fold_pairs(Context& cx, Glyph glyph, const Array& a) {
  if (a.type() != ElementType::i8 && a.type() != ElementType::i16) return Value();
  const auto& rows = kernels::row_fold();
  const auto* kernels = glyph == Glyph::add                                ? rows.pair_sums
                        : glyph == Glyph::subtract                         ? rows.pair_differences
                        : is_any(glyph, Glyph::multiply, Glyph::logic_and) ? rows.pair_products
                                                                           : nullptr;
  if (kernels == nullptr) return Value();
  Ref<Array> results = make_plain_list(cx.heap, a.type() == ElementType::i8 ? ElementType::i16 : ElementType::i32, a.shape()[0]);
  kernels[lane_above_bits(a.type())](results->data, a.data, a.shape()[0]);
  return to_value(std::move(results));
}

// Folds pairs, and short rows of narrow factors, by what their columns give where no kernel is better.
Value fold_short_rows(Context& cx, Glyph glyph, const Value& x) {
  const Array& a = x.array();
  if (a.shape()[1] == 2)
    if (Value r = fold_pairs(cx, glyph, a); !r.is_absent()) return r;
  const bool multiplies_narrow = a.type() < ElementType::i32 && is_any(glyph, Glyph::multiply, Glyph::logic_and);
  const std::size_t most = !multiplies_narrow ? 2 : a.type() == ElementType::i8 ? 7 : 5;
  return a.shape()[1] <= most ? fold_few_columns(cx, *entry_of(glyph).dyad_rule, false, x, a.shape()[0]) : Value();
}

constexpr std::size_t most_summed_as_doubles = std::size_t{1} << 20;  // whose sums doubles hold

// Sums i32 in 64 bits.
Value wide_row_sums(Context& cx, const Array& a) {
  const std::size_t rows = a.shape()[0];
  const kernels::WideSumKernels& wide = kernels::wide_sums();
  constexpr std::size_t few = 512;
  alignas(64) std::int64_t few_sums[few];
  // Many stand where the doubles do that they may become.
  Ref<Array> real = rows > few ? Ref<Array>(make_plain_list(cx.heap, ElementType::f64, rows)) : Ref<Array>();
  std::int64_t* const sums = real ? real->as<std::int64_t>() : few_sums;
  wide.rows(sums, a.as<std::int32_t>(), a.shape()[1], rows);
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

// Counts the 1s of each row.
Value bit_row_counts(Context& cx, const Array& a) {
  const std::size_t rows = a.shape()[0], columns = a.shape()[1];
  const ElementType type = columns <= 127 ? ElementType::i8 : columns <= 32767 ? ElementType::i16 : ElementType::f64;
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

}  // namespace

Value fold_rows_add(Context& cx, const FusionRule&, const Value& x) {
  const Array& a = x.array();
  const std::size_t rows = a.shape()[0], columns = a.shape()[1];
  if (a.type() == ElementType::bit) return bit_row_counts(cx, a);
  if (columns == 2)
    if (Value r = fold_short_rows(cx, Glyph::add, x); !r.is_absent()) return r;
  const auto& short_rows = kernels::row_fold().sum[lane_above_bits(a.type())];
  if (a.type() == ElementType::f64) {
    Ref<Array> sums = make_plain_list(cx.heap, ElementType::f64, rows);
    short_rows(sums->data, a.data, columns, rows);
    return to_value(std::move(sums));
  }
  const bool wide = a.type() == ElementType::i32;
  if (wide && kernels::wide_sums().rows != nullptr && columns <= most_summed_as_doubles) return wide_row_sums(cx, a);
  const std::size_t longest = !wide ? 65536 : rows < 16 ? long_row : longest_row;
  if (columns < longest) {
    Ref<Array> sums = make_plain_list(cx.heap, wide ? ElementType::f64 : ElementType::i32, rows);
    short_rows(sums->data, a.data, columns, rows);
    return wide ? narrowed_integers(cx, to_value(std::move(sums))) : to_value(std::move(sums));
  }
  // Longer rows could leave the integers that doubles hold.
  if (columns > most_summed_as_doubles) return Value();
  Ref<Array> sums = make_plain_list(cx.heap, ElementType::f64, rows);
  const auto sum = kernels::reduce().sum[lane_above_bits(a.type())];
  each_row(sums->as<double>(), a, [sum](const void* row, std::size_t n) { return static_cast<double>(sum(row, n)); });
  return narrowed_integers(cx, to_value(std::move(sums)));
}

namespace {

// Where no kernel is, counts the 1s of rows of which every other bit is flipped, so that each 1 there counts as one less.
Value bit_row_differences(Context& cx, const Array& a) {
  const auto difference = kernels::bool_rows().difference_i8;
  if (difference != nullptr && a.shape()[1] <= 64) {
    Ref<Array> differences = make_plain_list(cx.heap, ElementType::i8, a.shape()[0]);
    difference(differences->as<std::int8_t>(), a.as<std::uint64_t>(), a.shape()[1], a.shape()[0]);
    return to_value(std::move(differences));
  }
  Ref<Array> flipped = make_plain_like(cx.heap, ElementType::bit, a);
  kernels::row_bits().flip(kernels::RowBits::odd_places, flipped->as<std::uint64_t>(), a.as<std::uint64_t>(), a.shape()[1],
                           a.length);
  return subtract(cx, bit_row_counts(cx, *flipped), Value(static_cast<double>(a.shape()[1] / 2)));
}

}  // namespace

Value fold_rows_subtract(Context& cx, const FusionRule& rule, const Value& x) {
  const Array& a = x.array();
  const std::size_t rows = a.shape()[0], columns = a.shape()[1];
  if (a.type() == ElementType::bit) return bit_row_differences(cx, a);
  if (Value r = fold_short_rows(cx, rule.name, x); !r.is_absent()) return r;
  if (columns > 32767) return Value();
  const bool narrow = a.type() < ElementType::i32;
  Ref<Array> differences = make_plain_list(cx.heap, narrow ? ElementType::i32 : ElementType::f64, rows);
  kernels::row_fold().difference[lane_above_bits(a.type())](differences->data, a.data, columns, rows);
  Value results = to_value(std::move(differences));
  return a.type() == ElementType::i32 ? narrowed_integers(cx, std::move(results)) : results;
}

namespace {

// Multiplies integers whose products are small; else gives the absent value.
constexpr std::size_t most_multiplied_one_by_one = 32;

// Multiplies few integers one after the other. Gives the absent value where a product does not fit 32 bits.
template <class T>
Value few_products(Context& cx, const T* x, std::size_t columns, std::size_t rows) {
  std::int32_t products[most_multiplied_one_by_one];
  std::int32_t low = 0, high = 0;
  for (std::size_t r = 0; r < rows; r++, x += columns) {
    std::int64_t product = 1;
    for (std::size_t i = columns; i-- > 0;) {
      product *= x[i];
      if (product != static_cast<std::int32_t>(product)) return Value();
    }
    products[r] = static_cast<std::int32_t>(product);
    low = std::min(low, products[r]);
    high = std::max(high, products[r]);
  }
  const bool is_byte = low >= -128 && high <= 127, is_short = low >= -32768 && high <= 32767;
  const ElementType type = low == 0 && high <= 1 ? ElementType::bit
                           : is_byte             ? ElementType::i8
                           : is_short            ? ElementType::i16
                                                 : ElementType::i32;
  Ref<Array> results = make_list(cx.heap, type, rows);
  for (std::size_t r = 0; r < rows; r++) store(*results, r, products[r]);
  return to_value(std::move(results));
}
Value few_products(Context& cx, const Array& a) {
  const std::size_t rows = a.shape()[0], columns = a.shape()[1];
  switch (a.type()) {
    case ElementType::i8: return few_products(cx, a.as<std::int8_t>(), columns, rows);
    case ElementType::i16: return few_products(cx, a.as<std::int16_t>(), columns, rows);
    default: return few_products(cx, a.as<std::int32_t>(), columns, rows);
  }
}

Value small_products(Context& cx, const Array& a) {
  Ref<Array> products = make_plain_list(cx.heap, ElementType::i32, a.shape()[0]);
  kernels::Bounds bounds;
  const auto multiply = kernels::row_fold().small_product[lane_above_bits(a.type())];
  if (!multiply(products->as<std::int32_t>(), a.data, a.shape()[1], a.shape()[0], bounds)) return Value();
  const ElementType type =
      wider(element_type_of(Value(static_cast<double>(bounds.low))), element_type_of(Value(static_cast<double>(bounds.high))));
  return type >= ElementType::i32 ? to_value(std::move(products)) : converted(cx.heap, *products, type);
}

}  // namespace

Value fold_rows_multiply(Context& cx, const FusionRule& rule, const Value& x) {
  const Array& a = x.array();
  if (a.type() == ElementType::bit) return fold_rows_on_bits(cx, rule, x);
  if (Value r = fold_short_rows(cx, rule.name, x); !r.is_absent()) return r;
  const std::size_t rows = a.shape()[0], columns = a.shape()[1];
  if (is_integer(a.type()) && a.length <= most_multiplied_one_by_one)
    if (Value r = few_products(cx, a); !r.is_absent()) return r;
  if (is_integer(a.type()))
    if (Value r = small_products(cx, a); !r.is_absent()) return r;
  Ref<Array> products = make_plain_list(cx.heap, ElementType::f64, rows);
  kernels::row_fold().product[lane_above_bits(a.type())](products->data, a.data, columns, rows);
  Value results = to_value(std::move(products));
  return a.type() == ElementType::f64 ? results : narrowed_integers(cx, std::move(results));
}

Value fold_rows_on_bits(Context& cx, const FusionRule& rule, const Value& x) {
  const Array& a = x.array();
  if (a.type() != ElementType::bit) return Value();
  const std::size_t rows = a.shape()[0], columns = a.shape()[1];
  Ref<Array> results = make_plain_list(cx.heap, ElementType::bit, rows);
  kernels::bool_rows().fold(rule.on_bits, results->as<std::uint64_t>(), a.as<std::uint64_t>(), columns, rows);
  return to_value(std::move(results));
}

Value fold_rows_extreme(Context& cx, const FusionRule& rule, const Value& x) {
  const Array& a = x.array();
  if (a.type() == ElementType::bit) return fold_rows_on_bits(cx, rule, x);
  const std::size_t rows = a.shape()[0], columns = a.shape()[1];
  const bool is_real = a.type() == ElementType::f64;
  if (is_real && columns == 2)
    if (Value r = fold_short_rows(cx, rule.name, x); !r.is_absent()) return r;
  if (columns < (is_real ? long_row : longest_row)) {
    Ref<Array> results = make_plain_list(cx.heap, a.type(), rows);
    const auto& kernels = kernels::row_fold();
    (rule.name == Glyph::maximum ? kernels.maximum : kernels.minimum)[lane_above_bits(a.type())](results->data, a.data, columns,
                                                                                                 rows);
    return to_value(std::move(results));
  }
  const auto kernel =
      (rule.name == Glyph::maximum ? kernels::reduce().maximum : kernels::reduce().minimum)[lane_above_bits(a.type())];
  const std::size_t width = bits_of(a.type()) / 8;
  Ref<Array> results = make_plain_list(cx.heap, a.type(), rows);
  for (std::size_t r = 0; r < rows; r++) kernel(results->data + r * width, a.data + r * columns * width, columns);
  return to_value(std::move(results));
}

namespace {

// Sums along the rows of bits.
Value bit_row_sums(Context& cx, const Value& x) {
  const Array& a = x.array();
  const std::size_t rows = a.shape()[0], columns = a.shape()[1];
  if (columns > 2147483647) return Value();
  const ElementType type = columns <= 127 ? ElementType::i8 : columns <= 32767 ? ElementType::i16 : ElementType::i32;
  Ref<Array> sums = make_plain_like(cx.heap, type, a);
  if (const auto sum_rows = kernels::bit_sums().row_sums; sum_rows != nullptr && columns <= 64) {
    sum_rows(sums->as<std::int8_t>(), a.as<std::uint64_t>(), columns, a.length);
    return to_value(std::move(sums));
  }
  if (columns <= kernels::RowScanKernels::most_columns) {
    kernels::convert().expand[static_cast<int>(type)](sums->data, a.as<std::uint64_t>(), 0, a.length);
    kernels::row_scan().sum_within[lane_above_bits(type)](sums->data, sums->data, columns, rows);
    return to_value(std::move(sums));
  }
  // Begins each row at the start of a word.
  std::vector<std::uint64_t> row(columns / 64 + 2);
  for (std::size_t start = 0; start < a.length; start += columns) {
    kernels::copy_bit_run(row.data(), 0, a.as<std::uint64_t>(), start, columns);
    kernels::bit_sums().sums[lane_above_bits(type)](sums->data + start * (bits_of(type) / 8), row.data(), columns, 0);
  }
  return to_value(std::move(sums));
}

Value real_row_sums(Context& cx, const Value& x) {
  const Array& a = x.array();
  const std::size_t rows = a.shape()[0], columns = a.shape()[1];
  Ref<Array> sums = make_plain_like(cx.heap, ElementType::f64, a);
  double* const to = sums->as<double>();
  if (rows >= few_rows) {
    kernels::row_scan().sum[kernels::lane_f64](to, a.data, columns, rows);
    return to_value(std::move(sums));
  }
  for (std::size_t i = 0; i < a.length; i += columns) {
    const double first = to[i] = a.as<double>()[i];
    kernels::ordered_sum().running(to + i + 1, a.as<double>() + i + 1, columns - 1, first);
  }
  return to_value(std::move(sums));
}

// Tells whether no sum of a row of 32-bit integers can leave 32 bits, by their extremes.
bool row_sums_fit(const Array& a) {
  const std::int64_t most = 2147483647 / static_cast<std::int64_t>(a.shape()[1]);
  const kernels::Bounds bounds = kernels::bounds_of(ElementType::i32, a.data, a.length);
  return bounds.high <= most && bounds.low >= -most;
}

// Sums along the rows of integers.
Value integer_row_sums(Context& cx, const Value& x) {
  const Array& a = x.array();
  const std::size_t rows = a.shape()[0], columns = a.shape()[1], width = bits_of(a.type()) / 8;
  const int lane = lane_above_bits(a.type());
  if (columns <= kernels::RowScanKernels::most_summed && (lane != kernels::lane_i32 || row_sums_fit(a))) {
    Ref<Array> sums = make_plain_like(cx.heap, lane == kernels::lane_i8 ? ElementType::i16 : ElementType::i32, a);
    kernels::row_scan().sum[lane](sums->data, a.data, columns, rows);
    return to_value(std::move(sums));
  }
  if (columns > kernels::RowScanKernels::most_summed) {
    Ref<Array> sums = make_plain_like(cx.heap, ElementType::i32, a);
    const auto sum = kernels::scan().sum[lane_above_bits(a.type())];
    bool fit = true;
    for (std::size_t start = 0; fit && start < a.length; start += columns) {
      std::int32_t carry = 0;
      fit = sum(sums->as<std::int32_t>() + start, a.data + start * width, columns, carry) == columns;
    }
    if (fit) return to_value(std::move(sums));
  }
  if (lane != kernels::lane_i32) return real_row_sums(cx, widened(cx.heap, x, ElementType::f64));
  Ref<Array> sums = make_plain_like(cx.heap, ElementType::f64, a);
  kernels::row_scan().sum_f64(sums->data, a.data, columns, rows);
  return to_value(std::move(sums));
}

}  // namespace

Value scan_rows_add(Context& cx, const Value& x) {
  switch (x.array().type()) {
    case ElementType::bit: return bit_row_sums(cx, x);
    case ElementType::f64: return real_row_sums(cx, x);
    default: return integer_row_sums(cx, x);
  }
}

namespace {

Value scan_bit_rows(Context& cx, kernels::RowFunction f, const Value& x) {
  const Array& a = x.array();
  if (a.type() != ElementType::bit) return Value();
  Ref<Array> results = make_plain_like(cx.heap, ElementType::bit, a);
  kernels::bool_row_scan().scan(f, results->as<std::uint64_t>(), a.as<std::uint64_t>(), a.shape()[1], a.length);
  return to_value(std::move(results));
}

}  // namespace

Value scan_rows_not_equal(Context& cx, const Value& x) { return scan_bit_rows(cx, kernels::RowFunction::exclusive_or, x); }
Value scan_rows_and(Context& cx, const Value& x) { return scan_bit_rows(cx, kernels::RowFunction::and_, x); }
Value scan_rows_or(Context& cx, const Value& x) { return scan_bit_rows(cx, kernels::RowFunction::or_, x); }
Value scan_rows_multiply(Context& cx, const Value& x) {
  return x.array().type() == ElementType::bit ? scan_rows_and(cx, x) : scan_rows_running(cx, Glyph::multiply, x);
}
Value scan_rows_logic_or(Context& cx, const Value& x) {
  return x.array().type() == ElementType::bit ? scan_rows_or(cx, x) : scan_rows_running(cx, Glyph::logic_or, x);
}

namespace {

Value scan_rows_extreme(Context& cx, bool greatest, const Value& x) {
  const Array& a = x.array();
  if (a.type() == ElementType::bit) return greatest ? scan_rows_or(cx, x) : scan_rows_and(cx, x);
  const std::size_t rows = a.shape()[0], columns = a.shape()[1];
  Ref<Array> results = make_plain_like(cx.heap, a.type(), a);
  const int lane = lane_above_bits(a.type());
  const auto& short_rows = kernels::row_scan();
  constexpr std::size_t longest = 44;  // elements; longer rows are scanned faster one by one, as lists are
  if (columns <= longest && rows >= few_rows) {
    (greatest ? short_rows.maximum : short_rows.minimum)[lane](results->data, a.data, columns, rows);
  } else {
    const kernels::Scan kernel = (greatest ? kernels::extreme_scan().maximum : kernels::extreme_scan().minimum)[lane];
    const std::size_t row = columns * (bits_of(a.type()) / 8);
    for (std::size_t r = 0; r < rows; r++) kernel(results->data + r * row, a.data + r * row, columns);
  }
  return to_value(std::move(results));
}

}  // namespace

Value scan_rows_minimum(Context& cx, const Value& x) { return scan_rows_extreme(cx, false, x); }
Value scan_rows_maximum(Context& cx, const Value& x) { return scan_rows_extreme(cx, true, x); }

}  // namespace griddle::primitives
