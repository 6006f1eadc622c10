// f˝ on numeric arrays of rank 2 and more: rows folded onto each other, column by column.
#include <algorithm>
#include <bit>
#include <numeric>
#include <vector>

#include "primitives/common/number_lanes.h"
#include "primitives/folds/fusion.h"
#include "primitives/functions.h"
#include "primitives/kernels/booleans/positional_popcount.h"
#include "primitives/kernels/elementwise/compare.h"
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

// Folds an exact operation: narrow rows are taken several at a time as one wide row, whose parts are folded in the end, unless
// there are few elements.
void fold_rows(void* out, const void* x, ElementType in, ElementType result, std::size_t rows, std::size_t columns,
               ColumnKernel kernel, ColumnKernel on_results) {
  const std::size_t in_width = bits_of(in) / 8, result_width = bits_of(result) / 8;
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

// Sums so few rows at a time that 16 bits take the sums.
Value byte_sums(Context& cx, const Value& x) {
  const Array& a = x.array();
  const std::size_t rows = a.cells(), columns = cell_length_of(a);
  constexpr std::size_t block = 256;
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
  }
  return to_value(std::move(total));
}

// Sums i32 in 64 bits.
Value wide_sums(Context& cx, const Value& x) {
  const Array& a = x.array();
  const std::size_t columns = cell_length_of(a);
  const kernels::WideSumKernels& wide = kernels::wide_sums();
  alignas(64) std::int64_t sums[most_wide_columns];
  fold_rows(sums, a.data, ElementType::i32, ElementType::f64, a.cells(), columns, kernels::reduce_columns().wide_sum,
            add_rows<std::int64_t>);
  // Two ways, so that the processor goes on with the likely one while it still sums.
  if (wide.fit(sums, columns)) {
    Ref<Array> narrow = make_cell(cx.heap, ElementType::i32, a);
    wide.to_i32(narrow->data, sums, columns);
    return to_value(std::move(narrow));
  }
  Ref<Array> real = make_cell(cx.heap, ElementType::f64, a);
  wide.to_f64(real->data, sums, columns);
  return to_value(std::move(real));
}

Value integer_sums(Context& cx, const Value& x) {
  const Array& a = x.array();
  const std::size_t rows = a.cells(), columns = cell_length_of(a);
  const kernels::ReduceColumnKernels& reduce = kernels::reduce_columns();
  if (a.type() == ElementType::i8 && (rows <= 256 || columns > 64) && rows <= (std::size_t{1} << 23)) return byte_sums(cx, x);
  // Doubles hold sums of that many.
  const bool are_exact = rows <= (std::size_t{1} << 22) && columns <= most_wide_columns;
  if (a.type() == ElementType::i32 && reduce.wide_sum != nullptr && are_exact) return wide_sums(cx, x);
  constexpr std::size_t few_rows = 64;  // whose sums are likely to fit
  bool may_fit = a.type() == ElementType::i32;
  if (a.type() == ElementType::i32 && rows <= few_rows) {
    Ref<Array> sums = make_cell(cx.heap, ElementType::i32, a);
    may_fit = reduce.checked_sum(sums->as<std::int32_t>(), a.as<std::int32_t>(), rows, columns);
    if (may_fit) return to_value(std::move(sums));
  }
  const auto& sum = reduce.sum;
  const ElementType result = a.type() == ElementType::i32 ? ElementType::f64 : ElementType::i32;
  // So many rows that the sums cannot overflow.
  constexpr std::size_t block = (std::size_t{1} << 16) - 1;
  Value total;
  for (std::size_t end = rows; end > 0;) {
    const std::size_t count = std::min(end, block);
    end -= count;
    Ref<Array> sums = make_cell(cx.heap, result, a);
    const std::uint8_t* from = a.data + end * columns * (bits_of(a.type()) / 8);
    if (a.type() == ElementType::i32)
      fold_rows(sums->data, from, a.type(), result, count, columns, sum[kernels::lane_i32], sum[kernels::lane_f64]);
    else if (a.type() == ElementType::i8)
      fold_rows(sums->data, from, a.type(), result, count, columns, sum[kernels::lane_i8], add_rows<std::int32_t>);
    else  // few parts of at most 2^31 could overflow i32 when added: narrow rows go one by one
      sum[kernels::lane_i16](sums->data, from, count, columns);
    Value part = to_value(std::move(sums));
    total = total.is_absent() ? std::move(part) : add(cx, std::move(part), std::move(total));
  }
  return may_fit ? narrowed_integers(cx, std::move(total)) : std::move(total);
}

// --- bits: as many rows as fill whole words are taken as one

struct BitRows {
  std::size_t rows, columns;
  std::size_t together;   // rows in a group
  std::size_t words = 0;  // of a group
  std::size_t groups;
};

bool group_bits(const Array& a, std::size_t rows, BitRows& g) {
  g.rows = rows;
  g.columns = cell_length_of(a);
  g.together = 64 / std::gcd(g.columns, std::size_t{64});
  if (g.columns > 4096 && g.together > 1) return false;
  g.words = g.together * g.columns / 64;
  g.groups = g.rows / g.together;
  return true;
}

// Counts the 1s in columns of long rows that begin anywhere in bytes: some rows at a time are moved to where words begin.
Ref<Array> count_moved_rows(Context& cx, const Array& a, std::size_t columns) {
  constexpr std::size_t piece_words = 2048, fewest_rows = 16;
  const std::size_t words = (columns + 63) / 64, rows = a.cells();
  const std::size_t together = std::min(rows, std::max(piece_words / words, fewest_rows));
  Ref<Array> moved = make_list(cx.heap, ElementType::bit, 64 * words * together);
  Ref<Array> counts = make_list(cx.heap, ElementType::i32, 64 * words), parts = make_list(cx.heap, ElementType::i32, 64 * words);
  std::uint64_t* const at_words = moved->as<std::uint64_t>();
  std::fill_n(at_words, words * together, 0);
  std::int32_t* const to = counts->as<std::int32_t>();
  const std::int32_t* const part = parts->as<std::int32_t>();
  std::fill_n(to, columns, 0);
  for (std::size_t r = 0; r < rows; r += together) {
    cx.check_interrupt();
    const std::size_t count = std::min(together, rows - r);
    for (std::size_t i = 0; i < count; i++)
      kernels::copy_bit_run(at_words + i * words, 0, a.as<std::uint64_t>(), (r + i) * columns, columns);
    kernels::count_columns(parts->as<std::int32_t>(), at_words, count, 64 * words);
    for (std::size_t j = 0; j < columns; j++) to[j] += part[j];
  }
  return counts;
}

Value bit_sums(Context& cx, const Value& x) {
  const Array& a = x.array();
  const std::size_t rows = a.cells(), columns = cell_length_of(a);
  if (rows > 2147483647) return Value();
  if (rows <= kernels::most_rows_in_bytes && a.length <= kernels::most_bits_to_bytes) {
    Ref<Array> result = make_cell(cx.heap, ElementType::i8, a);
    if (kernels::count_to_bytes(result->as<std::uint8_t>(), a.as<std::uint64_t>(), rows, columns))
      return to_value(std::move(result));
  }
  constexpr std::size_t few_places = 1024;
  alignas(64) std::int32_t few[few_places];
  Ref<Array> many;
  const std::int32_t* counts = few;
  if (columns > kernels::most_columns_counted && columns % 8 != 0) {
    many = count_moved_rows(cx, a, columns);
    counts = many->as<std::int32_t>();
  } else {
    const std::size_t places = kernels::counted_places(columns);
    if (places > few_places) many = make_plain_list(cx.heap, ElementType::i32, places);
    std::int32_t* const to = places > few_places ? many->as<std::int32_t>() : few;
    kernels::count_columns(to, a.as<std::uint64_t>(), rows, columns);
    counts = to;
  }
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

}  // namespace

Value fold_bit_rows(Context& cx, kernels::BitFunction f, const Value& x, std::size_t rows) {
  const Array& a = x.array();
  BitRows g;
  if (a.type() != ElementType::bit) return Value();
  // Long rows go one by one.
  if (!group_bits(a, rows, g)) g.groups = 0;
  const auto combine = [f](std::uint64_t w, std::uint64_t x) {
    return f == kernels::BitFunction::and_ ? w & x : f == kernels::BitFunction::or_ ? w | x : w ^ x;
  };
  const auto& words = kernels::reduce_columns().words;
  const auto fold_groups = f == kernels::BitFunction::and_  ? words.and_
                           : f == kernels::BitFunction::or_ ? words.or_
                                                            : words.exclusive_or;
  Ref<Array> result = make_cell(cx.heap, ElementType::bit, a);
  std::uint64_t* to = result->as<std::uint64_t>();
  if (g.together == 1) {
    fold_groups(to, a.data, g.groups, g.words);
    return to_value(std::move(result));
  }
  std::vector<std::uint64_t> all(g.groups != 0 ? g.words : 0);
  if (g.groups != 0) fold_groups(all.data(), a.data, g.groups, g.words);
  // Folds rows that start anywhere in `bits`, of which there are `length`, word by word.
  const std::size_t row_words = (g.columns + 63) / 64;
  bool any = false;
  const auto fold = [&](const std::uint64_t* bits, std::size_t length, std::size_t first_row, std::size_t end_row) {
    for (std::size_t r = first_row; r < end_row; r++, any = true) {
      for (std::size_t k = 0; k < row_words; k++) {
        const std::size_t at = r * g.columns + 64 * k, shift = at & 63;
        std::uint64_t word = bits[at >> 6] >> shift;
        if (shift != 0 && at + 64 - shift < length) word |= bits[(at >> 6) + 1] << (64 - shift);
        to[k] = any ? combine(to[k], word) : word;
      }
    }
  };
  if (g.groups != 0) fold(all.data(), 64 * g.words, 0, g.together);
  fold(a.as<std::uint64_t>(), a.length, g.groups * g.together, g.rows);
  if (g.columns % 64 != 0) to[row_words - 1] &= (std::uint64_t{1} << g.columns % 64) - 1;
  return to_value(std::move(result));
}

namespace {

Value extremes(Context& cx, const ColumnKernel* lanes, const Value& x) {
  const Array& a = x.array();
  Ref<Array> result = make_cell(cx.heap, a.type(), a);
  const ColumnKernel kernel = lanes[lane_above_bits(a.type())];
  const std::size_t row = cell_length_of(a) * (bits_of(a.type()) / 8);
  if (kernels::vectors_of_whole_rows(row, 32) <= kernels::most_vectors_in_order)
    kernel(result->data, a.data, a.cells(), cell_length_of(a));
  else
    fold_rows(result->data, a.data, a.type(), a.type(), a.cells(), cell_length_of(a), kernel, kernel);
  return to_value(std::move(result));
}

}  // namespace

Value insert_add(Context& cx, const Value& x) {
  const Array& a = x.array();
  if (a.type() == ElementType::bit) return bit_sums(cx, x);
  if (a.type() != ElementType::f64) return integer_sums(cx, x);
  Ref<Array> sums = make_cell(cx.heap, ElementType::f64, a);
  kernels::reduce_columns().sum[kernels::lane_f64](sums->data, a.data, a.cells(), cell_length_of(a));
  return to_value(std::move(sums));
}
Value insert_and(Context& cx, const Value& x) { return fold_bit_rows(cx, kernels::BitFunction::and_, x, x.array().cells()); }
Value insert_or(Context& cx, const Value& x) { return fold_bit_rows(cx, kernels::BitFunction::or_, x, x.array().cells()); }
Value insert_not_equal(Context& cx, const Value& x) {
  return fold_bit_rows(cx, kernels::BitFunction::not_equal, x, x.array().cells());
}
Value insert_minimum(Context& cx, const Value& x) {
  return x.array().type() == ElementType::bit ? insert_and(cx, x) : extremes(cx, kernels::reduce_columns().minimum, x);
}
Value insert_maximum(Context& cx, const Value& x) {
  return x.array().type() == ElementType::bit ? insert_or(cx, x) : extremes(cx, kernels::reduce_columns().maximum, x);
}

}  // namespace griddle::primitives
