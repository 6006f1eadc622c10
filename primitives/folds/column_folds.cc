#include "primitives/folds/number_ways.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

#include "primitives/common/number_lanes.h"
#include "primitives/folds/results.h"
#include "primitives/functions.h"
#include "primitives/kernels/booleans/positional_popcount.h"
#include "primitives/kernels/folds/reduce.h"
#include "primitives/kernels/folds/wide_sums.h"
#include "primitives/kernels/shared/bit_runs.h"

namespace griddle::primitives {

namespace {

using ColumnKernel = void (*)(void* out, const void* x, std::size_t rows, std::size_t columns);

constexpr std::size_t widest_row = 4096;  // bytes of results
constexpr std::size_t most_wide_columns = 512;

// Says how many narrow rows are taken as one: those that make whole lines of the cache, if there are many of these.
std::size_t rows_together(std::size_t in_width, std::size_t result_width, std::size_t rows, std::size_t columns) {
  constexpr std::size_t line = 64, usual = 256;
  const std::size_t few = std::min(usual / (result_width * columns), rows / 4), lines = line / std::gcd(columns * in_width, line);
  if (lines * columns * result_width > widest_row || rows < 16 * lines) return few;
  return few < lines ? lines : few / lines * lines;
}

// So many elements are folded between two looks at what interrupts.
constexpr std::size_t most_at_once = std::size_t{1} << 24;

// Folds an exact operation: narrow rows are taken several at a time as one wide row, whose parts are folded in the end, unless
// there are few elements.
void fold_rows(void* out, const void* x, ElementType in, ElementType result, std::size_t rows, std::size_t columns,
               ColumnKernel kernel, ColumnKernel on_results) {
  const std::size_t in_width = width_of(in), result_width = width_of(result);
  constexpr std::size_t few = 4096, wide = 32;  // bytes
  const bool is_small = rows * columns * in_width <= few && columns * result_width >= wide;
  // Columns that divide vectors are folded so by the kernel.
  if (std::has_single_bit(columns) || rows < 8 || is_small) return kernel(out, x, rows, columns);
  const std::size_t together = rows_together(in_width, result_width, rows, columns);
  if (together < 2) return kernel(out, x, rows, columns);
  const std::size_t groups = rows / together, left = rows % together;
  // The parts of the wide row, then the rows left over.
  alignas(64) std::uint8_t parts[2 * widest_row];
  kernel(parts, x, groups, together * columns);
  if (left != 0) {
    const std::uint8_t* rest = static_cast<const std::uint8_t*>(x) + groups * together * columns * in_width;
    kernel(parts + together * columns * result_width, rest, left, columns);
  }
  fold_rows(out, parts, result, result, together + (left != 0), columns, on_results, on_results);
}

template <class T>
void add_rows(void* out, const void* parts, std::size_t n, std::size_t width) {
  const T* p = static_cast<const T*>(parts);
  T* to = static_cast<T*>(out);
  std::copy_n(p, width, to);
  for (std::size_t i = 1; i < n; i++)
    for (std::size_t j = 0; j < width; j++) to[j] = static_cast<T>(to[j] + p[i * width + j]);
}

}  // namespace

Value column_integer_sums(Context& cx, OperandEntry, const Value& x, TableSize size) {
  const Array& a = x.array();
  const std::size_t rows = size.rows, columns = size.columns;
  const auto& sum = kernels::reduce_columns().sum;
  const bool wide = a.type() == ElementType::i32;
  const ElementType result = wide ? ElementType::f64 : ElementType::i32;
  const ColumnKernel add_parts = wide ? sum[kernels::lane_f64] : add_rows<std::int32_t>;
  // So many rows that the sums cannot overflow.
  constexpr std::size_t most_rows = (std::size_t{1} << 16) - 1, fewest_rows = 256;
  const std::size_t block = std::min(most_rows, std::max(most_at_once / columns, fewest_rows));
  Value total;
  for (std::size_t end = rows; end > 0;) {
    const std::size_t count = std::min(end, block);
    end -= count;
    Ref<Array> sums = make_cell(cx.heap, result, a);
    const std::uint8_t* from = a.data + end * columns * width_of(a.type());
    if (a.type() == ElementType::i16)  // few parts of at most 2^31 could overflow i32 when added: narrow rows go one by one
      sum[kernels::lane_i16](sums->data, from, count, columns);
    else
      fold_rows(sums->data, from, a.type(), result, count, columns, sum[lane_above_bits(a.type())], add_parts);
    Value part = to_value(std::move(sums));
    total = total.is_absent() ? std::move(part) : add(cx, std::move(part), std::move(total));
    cx.check_interrupt();
  }
  return wide ? narrowed_integers(cx, std::move(total)) : std::move(total);
}

// Sums so few rows at a time that 16 bits take the sums.
Value column_byte_sums(Context& cx, OperandEntry operand, const Value& x, TableSize size) {
  const Array& a = x.array();
  const std::size_t rows = size.rows, columns = size.columns;
  constexpr std::size_t block = 256, narrow = 64;
  if ((rows > block && columns <= narrow) || rows > (std::size_t{1} << 23)) return column_integer_sums(cx, operand, x, size);
  Ref<Array> part = make_cell(cx.heap, ElementType::i16, a), total;
  for (std::size_t end = rows; end > 0;) {
    const std::size_t count = std::min(end, block);
    end -= count;
    fold_rows(part->data, a.data + end * columns, ElementType::i8, ElementType::i16, count, columns,
              kernels::reduce_columns().sum_i16, add_rows<std::int16_t>);
    if (rows <= block) return to_value(std::move(part));
    if (!total) {
      total = make_cell(cx.heap, ElementType::i32, a);
      std::fill_n(total->as<std::int32_t>(), columns, 0);
    }
    const std::int16_t* from = part->as<std::int16_t>();
    std::int32_t* to = total->as<std::int32_t>();
    for (std::size_t j = 0; j < columns; j++) to[j] += from[j];
    cx.check_interrupt();
  }
  return to_value(std::move(total));
}

// Sums i32 in 64 bits; few rows in 32 where that is not quick, whose sums are likely to fit.
Value column_int_sums(Context& cx, OperandEntry operand, const Value& x, TableSize size) {
  const Array& a = x.array();
  const std::size_t rows = size.rows, columns = size.columns;
  const kernels::ReduceColumnKernels& reduce = kernels::reduce_columns();
  constexpr std::size_t few_rows = 64, most_rows = std::size_t{1} << 22;  // doubles hold sums of that many
  Ref<Array> narrow = make_cell(cx.heap, ElementType::i32, a);
  if (reduce.wide_sum == nullptr || columns > most_wide_columns || rows > most_rows) {
    const bool fit = rows <= few_rows && reduce.checked_sum(narrow->as<std::int32_t>(), a.as<std::int32_t>(), rows, columns);
    return fit ? to_value(std::move(narrow)) : column_integer_sums(cx, operand, x, size);
  }
  const kernels::WideSumKernels& wide = kernels::wide_sums();
  alignas(64) std::int64_t sums[2 * most_wide_columns];
  const std::size_t block = most_at_once / columns;
  fold_rows(sums, a.data, ElementType::i32, ElementType::f64, std::min(rows, block), columns, reduce.wide_sum,
            add_rows<std::int64_t>);
  for (std::size_t r = block; r < rows; r += block) {
    cx.check_interrupt();
    fold_rows(sums + columns, a.as<std::int32_t>() + r * columns, ElementType::i32, ElementType::f64, std::min(rows - r, block),
              columns, reduce.wide_sum, add_rows<std::int64_t>);
    for (std::size_t j = 0; j < columns; j++) sums[j] += sums[columns + j];
  }
  // Two ways, so that the processor goes on with the likely one while it still sums.
  if (wide.fit(sums, columns)) {
    wide.to_i32(narrow->data, sums, columns);
    return to_value(std::move(narrow));
  }
  Ref<Array> real = make_cell(cx.heap, ElementType::f64, a);
  wide.to_f64(real->data, sums, columns);
  return to_value(std::move(real));
}

namespace {

void fold_extremes(void* out, const void* x, ElementType type, std::size_t rows, std::size_t columns, ColumnKernel kernel) {
  if (kernels::vectors_of_whole_rows(columns * width_of(type), 32) <= kernels::most_vectors_in_order)
    kernel(out, x, rows, columns);
  else
    fold_rows(out, x, type, type, rows, columns, kernel, kernel);
}

// Folds many rows some at a time, each time with what is best so far.
[[gnu::noinline]] void fold_many_extremes(Context& cx, void* out, const Array& a, TableSize size, ColumnKernel kernel) {
  const std::size_t rows = size.rows, columns = size.columns, row_bytes = columns * width_of(a.type());
  const std::size_t block = std::max<std::size_t>(most_at_once / columns, 16);
  const Ref<Array> pair = make_plain_list(cx.heap, a.type(), 2 * columns);
  for (std::size_t r = 0; r < rows; r += block) {
    fold_extremes(out, a.data + r * row_bytes, a.type(), std::min(rows - r, block), columns, kernel);
    if (r != 0) {
      std::memcpy(pair->data + row_bytes, out, row_bytes);
      kernel(out, pair->data, 2, columns);
    }
    std::memcpy(pair->data, out, row_bytes);
    cx.check_interrupt();
  }
}

}  // namespace

Value column_extremes(Context& cx, OperandEntry operand, const Value& x, TableSize size) {
  const Array& a = x.array();
  const auto& reduce = kernels::reduce_columns();
  const ColumnKernel kernel = (operand.scalar == ScalarOp::maximum ? reduce.maximum : reduce.minimum)[lane_above_bits(a.type())];
  Ref<Array> result = make_cell(cx.heap, a.type(), a);
  if (a.length <= most_at_once) [[likely]]
    fold_extremes(result->data, a.data, a.type(), size.rows, size.columns, kernel);
  else
    fold_many_extremes(cx, result->data, a, size, kernel);
  // A fold from the last row up leaves NaNs aside, but for those that it begins with.
  if (a.type() == ElementType::f64)
    reduce.copy_nans(result->as<double>(), a.as<double>() + (size.rows - 1) * size.columns, size.columns);
  return to_value(std::move(result));
}

namespace {

// Counts the 1s in columns of long rows that begin anywhere in bytes: some rows at a time are moved to where words begin.
void count_moved_rows(Context& cx, std::int32_t* to, const Array& a, TableSize size) {
  constexpr std::size_t piece_words = 2048, fewest_rows = 16;
  const std::size_t rows = size.rows, columns = size.columns, words = (columns + 63) / 64;
  const std::size_t together = std::min(rows, std::max(piece_words / words, fewest_rows));
  const Ref<Array> moved = make_list(cx.heap, ElementType::bit, 64 * words * together);
  const Ref<Array> part = make_list(cx.heap, ElementType::i32, 64 * words);
  std::uint64_t* const at_words = moved->as<std::uint64_t>();
  std::fill_n(at_words, words * together, 0);
  std::fill_n(to, columns, 0);
  for (std::size_t r = 0; r < rows; r += together) {
    cx.check_interrupt();
    const std::size_t count = std::min(together, rows - r);
    for (std::size_t i = 0; i < count; i++)
      kernels::copy_bit_run(at_words + i * words, 0, a.as<std::uint64_t>(), (r + i) * columns, columns);
    kernels::count_columns(part->as<std::int32_t>(), at_words, count, 64 * words);
    for (std::size_t j = 0; j < columns; j++) to[j] += part->as<std::int32_t>()[j];
  }
}

}  // namespace

Value column_bit_counts(Context& cx, OperandEntry, const Value& x, TableSize size) {
  const Array& a = x.array();
  const std::size_t rows = size.rows, columns = size.columns;
  if (rows > 2147483647) return Value();
  if (rows <= kernels::most_rows_in_bytes && a.length <= kernels::most_bits_to_bytes) {
    Ref<Array> result = make_cell(cx.heap, ElementType::i8, a);
    if (kernels::count_to_bytes(result->as<std::uint8_t>(), a.as<std::uint64_t>(), rows, columns))
      return to_value(std::move(result));
  }
  // What is prepared for rows that begin anywhere in words takes longer than to add a few.
  constexpr std::size_t few_rows = 4, few_columns = 32, few_places = 1024;
  if (rows <= few_rows && columns > few_columns && columns % 64 != 0) return Value();
  alignas(64) std::int32_t few[few_places];
  const bool moves_rows = columns > kernels::most_columns_counted && columns % 8 != 0;
  const std::size_t places = moves_rows ? columns : kernels::counted_places(columns);
  const Ref<Array> many = places > few_places ? Ref<Array>(make_plain_list(cx.heap, ElementType::i32, places)) : Ref<Array>();
  std::int32_t* const counts = many ? many->as<std::int32_t>() : few;
  if (moves_rows)
    count_moved_rows(cx, counts, a, size);
  else
    kernels::count_columns(counts, a.as<std::uint64_t>(), rows, columns);
  if (rows <= kernels::most_rows_in_bytes) {
    Ref<Array> result = make_cell(cx.heap, ElementType::i8, a);
    std::transform(counts, counts + columns, result->as<std::int8_t>(),
                   [](std::int32_t n) { return static_cast<std::int8_t>(n); });
    return to_value(std::move(result));
  }
  Ref<Array> result = make_cell(cx.heap, ElementType::i32, a);
  std::copy_n(counts, columns, result->as<std::int32_t>());
  return narrowed_integers(cx, to_value(std::move(result)));
}

}  // namespace griddle::primitives
