// Dispatch of tables of pervasive functions: a row a kernel call, or all rows at once.
#include <algorithm>
#include <cstring>
#include <numeric>

#include "primitives/arithmetic/dispatch.h"
#include "primitives/arithmetic/operand.h"
#include "primitives/common/elements.h"
#include "primitives/common/tuning.h"
#include "primitives/kernels/booleans/row_bits.h"
#include "primitives/kernels/moves/move.h"
#include "primitives/kernels/moves/replicate.h"
#include "primitives/kernels/moves/transpose.h"
#include "primitives/kernels/shared/bit_runs.h"
#include "runtime/value/checkpoint.h"

namespace griddle::primitives {

namespace {

// Repeats each element of `rows`, and all of `row`, for tables whose rows are `bytes` long: no longer than what is written at a
// time, over the place of the next row.
constexpr std::size_t written_at_once = 32;
template <class Element>
void repeat_for_short_rows(std::size_t bytes, std::size_t count, const std::uint8_t* rows, const std::uint8_t* row,
                           unsigned char* left, unsigned char* right) {
  constexpr std::uint64_t in_all_lanes = ~std::uint64_t{0} / static_cast<Element>(~Element{0});
  struct Row {
    std::uint64_t words[written_at_once / 8];
  } whole = {};
  std::memcpy(&whole, row, bytes);
  for (std::size_t i = 0; i < count; i++, left += bytes, right += bytes) {
    Element element;
    std::memcpy(&element, rows + i * sizeof element, sizeof element);
    const std::uint64_t word = element * in_all_lanes;
    const Row same = {{word, word, word, word}};
    std::memcpy(left, &same, sizeof same);
    std::memcpy(right, &whole, sizeof whole);
  }
}
void repeat_for_short_rows(std::size_t width, std::size_t bytes, std::size_t count, const std::uint8_t* rows,
                           const std::uint8_t* row, unsigned char* left, unsigned char* right) {
  switch (width) {
    case 1: return repeat_for_short_rows<std::uint8_t>(bytes, count, rows, row, left, right);
    case 2: return repeat_for_short_rows<std::uint16_t>(bytes, count, rows, row, left, right);
    case 4: return repeat_for_short_rows<std::uint32_t>(bytes, count, rows, row, left, right);
    default: return repeat_for_short_rows<std::uint64_t>(bytes, count, rows, row, left, right);
  }
}

Ref<Array> make_table(Context& cx, ElementType type, const Array& a, const Array& b) {
  if (a.is_list() && b.is_list()) return Ref<Array>(make_plain_table(cx.heap, type, a.length, b.length));
  Shape shape(a.shape());
  shape.append(b.shape());
  return make_array(cx.heap, type, shape);
}

// Gives an array, or `wide`, which becomes the same in a wider type.
const Array& widened_to(Context& cx, const Value& v, ElementType type, Value& wide) {
  if (v.array().type() == type) return v.array();
  wide = widened(cx.heap, v, type);
  return wide.array();
}

// Makes a table with a kernel that does so, in the narrowest type that holds arguments and results. Absent where there is no such
// kernel.
Value pervade_by_table(Context& cx, const DyadRule& rule, const Value& w, const Value& x) {
  const Array& a = w.array();
  const Array& b = x.array();
  const bool numbers = is_number(a.type());
  if (a.length == 0 || b.length == 0 || numbers != is_number(b.type()) || !has_plain_fill(a) || !has_plain_fill(b))
    return Value();
  // Booleans with booleans have ways of their own.
  if (a.type() == ElementType::bit && b.type() == ElementType::bit) return Value();
  const int narrowest = index_of(std::max(wider(a.type(), b.type()), numbers ? ElementType::i8 : ElementType::c8));
  for (int place = narrowest; place <= index_of(numbers ? ElementType::f64 : ElementType::c32); place++) {
    const ElementType type = static_cast<ElementType>(place);
    DyadStep step;
    if (!rule.step(type, type, 0, step) || step.w != type || step.x != type || step.forms.table == nullptr) return Value();
    Value wide_w, wide_x;
    const Array &rows = widened_to(cx, w, type, wide_w), &row = widened_to(cx, x, type, wide_x);
    Ref<Array> result = make_table(cx, step.result, a, b);
    // Results that are bits begin at a word each time.
    const std::size_t at_once = ((std::size_t{1} << 20) / b.length + 64) / 64 * 64;
    std::size_t i = 0;
    for (; i < a.length; i += at_once) {
      cx.check_interrupt();
      if (!step.forms.table(result->data + i * b.length * bits_of(step.result) / 8, rows.data + i * (bits_of(type) / 8),
                            std::min(at_once, a.length - i), row.data, b.length))
        break;
    }
    if (i >= a.length) return to_value(std::move(result));
  }
  return Value();
}

// Makes a table of short rows: all of w meets one element of x after the other, and the columns that this gives are turned while
// they are near. Absent where results are bits or doubles.
Value pervade_by_columns(Context& cx, const DyadRule& rule, const Value& w, const Value& x) {
  const Array& a = w.array();
  const Array& b = x.array();
  if (b.length - 1 >= tuning().most_table_columns || a.length < b.length * tuning().table_rows_a_column || !is_number(a.type()) ||
      !is_number(b.type()) || !has_plain_fill(a) || !has_plain_fill(b))
    return Value();
  ElementType type = wider(a.type(), b.type());
  if (type == ElementType::bit && rule.direct().find(kernels::array_array, type, type).result == type) return Value();
  constexpr std::size_t near_bytes = 16384;
  alignas(64) std::uint8_t columns[near_bytes];
  for (type = std::max(type, ElementType::i8); type < ElementType::f64; type = static_cast<ElementType>(index_of(type) + 1)) {
    const DirectDyad& way = rule.direct().find(kernels::array_scalar, type, type);
    if (way.kernel == nullptr || way.atom != type || way.result == ElementType::bit) return Value();
    const Value rows = widened(cx.heap, w, type), row = widened(cx.heap, x, type);
    Ref<Array> result = make_table(cx, way.result, a, b);
    const std::size_t width = bits_of(type) / 8, made = bits_of(way.result) / 8, at_once = near_bytes / (b.length * made);
    const auto write_rows = [&](std::size_t begin, std::size_t count) {
      for (std::size_t k = 0; k < b.length; k++)
        if (way.kernel(columns + k * at_once * made, rows.array().data + begin * width, row.array().data + k * width, count) !=
            count)
          return false;
      kernels::transpose(static_cast<unsigned>(8 * made), result->data + begin * b.length * made,
                         static_cast<std::ptrdiff_t>(b.length), columns, static_cast<std::ptrdiff_t>(at_once), count, b.length);
      return true;
    };
    std::size_t begin = 0;
    for (; begin < a.length && write_rows(begin, std::min(at_once, a.length - begin)); begin += at_once) cx.check_interrupt();
    if (begin >= a.length) return to_value(std::move(result));
  }
  return Value();
}

// Makes a table of few results by repeating both arguments in a type, so that one call of a kernel serves all rows. Absent where
// results do not fit what the kernel writes.
constexpr std::size_t most_table_bytes = 1024;
Value pervade_small_table(Context& cx, const DyadRule& rule, const Value& w, const Value& x, ElementType type) {
  const Array& a = w.array();
  const Array& b = x.array();
  const std::size_t total = a.length * b.length;
  const DirectDyad& way = rule.direct().find(kernels::array_array, type, type);
  if (way.kernel == nullptr) return Value();
  const Value rows = widened(cx.heap, w, type), row = widened(cx.heap, x, type);
  alignas(64) unsigned char left[most_table_bytes + written_at_once], right[most_table_bytes + written_at_once];
  const std::size_t width = bits_of(type) / 8, bytes = b.length * width;
  if (bytes <= written_at_once) {
    repeat_for_short_rows(width, bytes, a.length, rows.array().data, row.array().data, left, right);
  } else {
    kernels::repeat_each(bits_of(type), left, rows.array().data, a.length, b.length);
    std::memcpy(right, row.array().data, bytes);
    repeat_bytes(right, bytes, total * width);
  }
  Ref<Array> result = make_table(cx, way.result, a, b);
  return way.kernel(result->data, left, right, total) == total ? to_value(std::move(result)) : Value();
}

// Tries the types that hold both arguments, the narrowest first.
Value pervade_small_table(Context& cx, const DyadRule& rule, const Value& w, const Value& x) {
  const Array& a = w.array();
  const Array& b = x.array();
  const std::size_t total = a.length * b.length;
  if (total > most_table_bytes || total == 0 || !has_plain_fill(a) || !has_plain_fill(b)) return Value();
  ElementType type = wider(a.type(), b.type());
  if (is_number(a.type()) != is_number(b.type()) || type == ElementType::bit) return Value();
  while (total * (bits_of(type) / 8) <= most_table_bytes) {
    if (Value result = pervade_small_table(cx, rule, w, x, type); !result.is_absent()) return result;
    if (type >= ElementType::f64) break;
    type = static_cast<ElementType>(static_cast<int>(type) + 1);
  }
  return Value();
}

// Two rows of results: those of a zero and of a one with all bits of a list.
class RowsOfBits {
 public:
  RowsOfBits(Context& cx, const DyadRule& rule, const Value& x) : n_(x.array().length) {
    const DirectDyad& way = rule.direct().find(kernels::scalar_array, ElementType::bit, ElementType::bit);
    if (way.kernel == nullptr || way.atom != ElementType::bit || n_ > 8 * near_bytes / bits_of(way.result))
      make_lists(cx, rule, x);
    else
      make_near(way, x.array());
  }
  ElementType type() const { return type_; }

  // Writes one of them for each bit.
  void write(void* to, const std::uint64_t* each, std::size_t count) const {
    if (type_ == ElementType::bit) return write_bits(static_cast<std::uint64_t*>(to), each, count);
    const auto row = [&](std::size_t i) { return rows_[kernels::read_bit(each, i)]; };
    auto* out = static_cast<std::uint8_t*>(to);
    const std::size_t bytes = n_ * bits_of(type_) / 8;
    // Short ones run on over the place of the next, where that is.
    constexpr std::size_t at_once = 64;
    const bool runs_on = bytes <= at_once && count * bytes >= at_once;
    const std::size_t with_room = runs_on ? (count * bytes - at_once) / bytes + 1 : 0;
    std::size_t i = 0;
    for (; i < with_room; i++) std::memcpy(out + i * bytes, row(i), at_once);
    for (; i < count; i++) std::memcpy(out + i * bytes, row(i), bytes);
  }

 private:
  // Computes rows that fit here by a kernel.
  void make_near(const DirectDyad& way, const Array& row) {
    type_ = way.result;
    for (const std::uint64_t bit : {0, 1}) {
      const std::uint64_t word = -bit;
      way.kernel(near_[bit], &word, row.data, n_);
      take_row(bit, near_[bit]);
    }
  }
  // Makes lists in one type.
  void make_lists(Context& cx, const DyadRule& rule, const Value& x) {
    for (const int bit : {0, 1})
      lists_[bit] = choose_by_bits(cx, x.array(), rule.atoms(cx, Value(bit), Value(0)), rule.atoms(cx, Value(bit), Value(1)));
    type_ = wider(lists_[0].array().type(), lists_[1].array().type());
    for (const int bit : {0, 1}) {
      lists_[bit] = widened(cx.heap, std::move(lists_[bit]), type_);
      take_row(bit, lists_[bit].array().data);
    }
  }
  void take_row(std::size_t bit, std::uint8_t* row) {
    rows_[bit] = row;
    if (type_ == ElementType::bit && n_ % 64 != 0) reinterpret_cast<std::uint64_t*>(row)[n_ / 64] &= kernels::low_bits(n_ % 64);
  }

  void write_bits(std::uint64_t* to, const std::uint64_t* each, std::size_t count) const {
    const std::size_t total = count * n_;
    constexpr std::size_t few_rows = 64;  // not worth what a kernel prepares
    if (count <= few_rows && n_ <= most_words) {
      kernels::BitWriter writer(to);
      for (std::size_t i = 0; i < count; i++) writer.append_copy(row_words(kernels::read_bit(each, i)), 0, n_);
      return writer.finish();
    }
    to[(total - 1) / 64] = 0;
    if (n_ <= most_words)
      write_short_rows(to, each, count);
    else
      for (std::size_t i = 0; i < count; i++) kernels::copy_bits(to, i * n_, row_words(kernels::read_bit(each, i)), 0, n_);
    if (total % 64 != 0) to[total / 64] &= kernels::low_bits(total % 64);
  }
  // Repeats each bit for its row. Where the rows differ, the result is that bit, or its complement.
  void write_short_rows(std::uint64_t* to, const std::uint64_t* each, std::size_t count) const {
    std::uint64_t zero[most_words], differ[most_words];
    const std::size_t period = n_ / std::gcd(n_, std::size_t{64}), words = (count * n_ + 63) / 64;
    constexpr std::size_t long_block = 64;  // words that make a loop worth its start
    const std::size_t block = std::min(period * std::max<std::size_t>(1, long_block / period), words);
    repeat_row(zero, row_words(0), block);
    repeat_row(differ, row_words(1), block);
    for (std::size_t k = 0; k < block; k++) differ[k] ^= zero[k];
    const std::size_t at_once = std::max<std::size_t>(1, near_words / n_) * 64;  // rows, which begin with a word, as periods do
    for (std::size_t i = 0; i < count; i += at_once, to += at_once / 64 * n_) {
      const std::size_t rows = std::min(at_once, count - i), own = (rows * n_ + 63) / 64;
      kernels::repeat_each(1, to, each + i / 64, rows, n_);
      kernels::row_bits().choose(to, own, zero, differ, block);
      checkpoint();
    }
  }
  // Writes a row over and over.
  void repeat_row(std::uint64_t* to, const std::uint64_t* row, std::size_t words) const {
    const std::size_t bits = 64 * words;
    kernels::copy_bit_run(to, 0, row, 0, std::min(n_, bits));
    for (std::size_t done = n_; done < bits; done *= 2) kernels::copy_bit_run(to, done, to, 0, std::min(done, bits - done));
  }
  const std::uint64_t* row_words(std::size_t bit) const { return reinterpret_cast<const std::uint64_t*>(rows_[bit]); }

  static constexpr std::size_t near_bytes = 512;
  static constexpr std::size_t most_words = 512;   // of rows one behind the other, and bits of a row that is repeated so
  static constexpr std::size_t near_words = 2048;  // of results that are still near when they are read
  std::size_t n_;
  ElementType type_ = ElementType::bit;
  const std::uint8_t* rows_[2] = {};
  Value lists_[2];
  alignas(64) std::uint8_t near_[2][near_bytes];
};

// Makes a table of bits with bits.
Value pervade_bits(Context& cx, const DyadRule& rule, const Value& w, const Value& x) {
  const Array& a = w.array();
  const Array& b = x.array();
  if (a.type() != ElementType::bit || b.type() != ElementType::bit || a.length == 0 || b.length == 0 || !has_plain_fill(a) ||
      !has_plain_fill(b))
    return Value();
  const RowsOfBits rows(cx, rule, x);
  Ref<Array> result = make_table(cx, rows.type(), a, b);
  cx.check_interrupt();
  rows.write(result->data, a.as<std::uint64_t>(), a.length);
  return to_value(std::move(result));
}

}  // namespace

bool are_few_pairs(const Value& w, const Value& x) {
  constexpr std::size_t few = 4096;
  if (!w.is_array() || !x.is_array() || !w.array().is_list() || !x.array().is_list()) return false;
  const Array &a = w.array(), &b = x.array();
  return a.length - 1 < few && b.length - 1 < few && a.length * b.length <= few && !a.data.elsewhere() && !b.data.elsewhere();
}

Value pervade_table(Context& cx, const DyadRule& rule, const Value& w, const Value& x) {
  const Array& a = w.array();
  const Array& b = x.array();
  if (Value result = pervade_by_columns(cx, rule, w, x); !result.is_absent()) return result;
  if (Value result = pervade_bits(cx, rule, w, x); !result.is_absent()) return result;
  if (Value result = pervade_by_table(cx, rule, w, x); !result.is_absent()) return result;
  if (Value result = pervade_small_table(cx, rule, w, x); !result.is_absent()) return result;
  if ((b.length < tuning().shortest_table_row && a.length > tuning().few_table_rows) || b.length == 0 || a.length == 0 ||
      !has_plain_fill(a) || !has_plain_fill(b))
    return Value();
  if (!is_number(a.type()) || !is_number(b.type())) return Value();
  const ElementType type = std::max(wider(a.type(), b.type()), ElementType::i8);
  const Value rows = widened(cx.heap, w, type), row = widened(cx.heap, x, type);
  const DirectDyad& way = rule.direct().find(kernels::scalar_array, type, type);
  if (way.kernel == nullptr || way.atom != type || way.result == ElementType::bit) return Value();
  Ref<Array> result = make_table(cx, way.result, a, b);
  const std::size_t width = bits_of(type) / 8, step = b.length * (bits_of(way.result) / 8);
  const std::uint8_t *left = rows.array().data, *right = row.array().data;
  std::uint8_t* out = result->data;
  const auto write_rows = [&](std::size_t begin, std::size_t end, const std::uint8_t* from, std::size_t count) {
    constexpr std::size_t at_once = 256;
    std::uint8_t* to = out + begin * step;
    for (std::size_t i = begin; i < end;) {
      cx.check_interrupt();
      for (const std::size_t stop = std::min(end, i + at_once); i < stop; i++, to += step)
        if (way.kernel(to, left + i * width, from, count) != count) return false;
    }
    return true;
  };
  // Whole vectors spare kernels what is left of one: a row may run on over the place of the next, which is not there yet. The
  // last rows have no such place.
  constexpr std::size_t vector_bytes = 32, longest_bytes = 2048;
  const std::size_t n = b.length, lanes = vector_bytes / width, whole = (n + lanes - 1) / lanes * lanes;
  if (whole == n || whole * width > longest_bytes)
    return write_rows(0, a.length, right, n) ? to_value(std::move(result)) : Value();
  alignas(64) std::uint8_t longer[longest_bytes], last[longest_bytes];
  std::memcpy(longer, right, n * width);
  for (std::size_t i = n; i < whole; i++) std::memcpy(longer + i * width, right + (n - 1) * width, width);
  const std::size_t that_run_on = result->length > whole ? std::min((result->length - whole) / n + 1, a.length) : 0;
  if (!write_rows(0, that_run_on, longer, whole)) return Value();
  for (std::size_t i = that_run_on; i < a.length; i++) {
    if (way.kernel(last, left + i * width, longer, whole) != whole) return Value();
    std::memcpy(out + i * step, last, step);
  }
  return to_value(std::move(result));
}

}  // namespace griddle::primitives
