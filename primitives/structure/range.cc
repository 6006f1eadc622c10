// Range and Windows ↕.
#include <algorithm>
#include <cstring>

#include "primitives/common/index_list.h"
#include "primitives/functions.h"
#include "primitives/kernels/booleans/bit_pairs.h"
#include "primitives/kernels/moves/transpose.h"
#include "primitives/kernels/shared/bit_runs.h"
#include "primitives/kernels/shared/pieces.h"
#include "primitives/structure/cells_at_hand.h"
#include "runtime/vm/operand_error.h"

namespace griddle::primitives {

// --- windows: copies

namespace {

// Copies runs of `row` bytes, each begun `step` bytes after the one before, in pieces of which the last may be written beyond
// the end of a run: the next run is written over that.
template <std::size_t piece>
void copy_overlapping(std::uint8_t* to, const std::uint8_t* from, std::size_t row, std::size_t step, std::size_t count) {
  const std::size_t whole = (row + piece - 1) / piece * piece, beyond = whole - row;
  const std::size_t alone = std::min(count, beyond / std::min(step, row) + 1);  // for which there may be no room beyond
  for (std::size_t i = alone; i < count; i++, to += row, from += step) {
    for (std::size_t k = 0; k < whole; k += piece) {
      unsigned char held[piece];
      std::memcpy(held, from + k, piece);
      std::memcpy(to + k, held, piece);
    }
  }
  for (std::size_t i = 0; i < alone; i++, to += row, from += step) std::memcpy(to, from, row);
}

[[gnu::always_inline]] inline void copy_some_windows(std::uint8_t* to, const std::uint8_t* from, std::size_t width,
                                                     std::size_t size, std::size_t count) {
  const std::size_t row = size * width;
  if (size == 2 || (size == 4 && row <= 8))
    // The list, begun one element later each time, makes the columns.
    kernels::transpose(static_cast<unsigned>(8 * width), to, static_cast<std::ptrdiff_t>(size), from, 1, count, size);
  else if (row <= 8)
    copy_overlapping<8>(to, from, row, width, count);
  else if (row <= tuning().short_window_row)
    copy_overlapping<16>(to, from, row, width, count);
  else
    for (std::size_t i = 0; i < count; i++) std::memcpy(to + i * row, from + i * width, row);
}

[[gnu::noinline]] void copy_windows_in_pieces(std::uint8_t* to, const std::uint8_t* from, std::size_t width, std::size_t size,
                                              std::size_t count) {
  const std::size_t row = size * width;
  const auto copy = [=](std::size_t i, std::size_t end) {
    copy_some_windows(to + i * row, from + i * width, width, size, end - i);
  };
  in_pieces(count, copy, kernels::long_pass / row + 1);
}

// Writes the windows of a list of whole bytes as rows of a table. Boxes are copied as words.
void copy_windows(Array& to, const Array& from, std::size_t size) {
  const std::size_t width = bits_of(from.type()) / 8, count = to.length / size;
  if (to.length > kernels::long_pass) [[unlikely]]
    copy_windows_in_pieces(to.data, from.data, width, size, count);
  else
    copy_some_windows(to.data, from.data, width, size, count);
}

// Writes the windows of a table of bits, each of which fits a word.
void copy_bit_table_windows(std::uint64_t* to, const Array& a, std::size_t rows, std::size_t columns) {
  const std::uint64_t* from = a.as<std::uint64_t>();
  const std::size_t width = a.shape()[1];
  kernels::BitWriter writer(to);
  for (std::size_t i = 0; i + rows <= a.shape()[0]; i++)
    for (std::size_t j = 0; j + columns <= width; j++) {
      std::uint64_t window = 0;
      for (std::size_t r = 0; r < rows; r++) window |= kernels::read_bits(from, (i + r) * width + j, columns) << r * columns;
      writer.append(window, rows * columns);
    }
  writer.finish();
}

// Writes the windows of a list of bits.
void copy_bit_windows(std::uint64_t* to, const std::uint64_t* from, std::size_t size, std::size_t count) {
  constexpr std::size_t most = 64;
  if (size == 2) {
    kernels::pair_bits(to, from, count);
  } else if (size < most) {
    kernels::BitWriter writer(to);
    for (std::size_t i = 0; i < count; i++) writer.append(kernels::read_bits(from, i, size), size);
    writer.finish();
  } else {
    for (std::size_t i = 0; i < count; i++) kernels::copy_bit_run(to, i * size, from, i, size);
  }
}

// --- range and windows: ways

std::uint64_t range_below(Heap& heap, std::int32_t n) {
  if (n < 1 || magnitude(n) > longest_at_hand) return declined;
  const PlainList& plain = plain_lists[static_cast<int>(type_of_places(magnitude(n)))];
  Array* const out = list_at_hand(heap, plain, magnitude(n));
  if (out == nullptr) return decline_for_list(heap, plain, magnitude(n));
  kernels::count_up(1u << plain.log2_bits, out->data.here(), out->length);
  out->note_order(false);
  return bits_of_array(out);
}

template <class A>
std::uint64_t windows_of(Heap& heap, std::int32_t n, A a) {
  if (n < 1 || magnitude(n) > a->length) return declined;
  const std::size_t size = magnitude(n), count = a->length - size + 1;
  if (holds_boxes<A> && size * count > most_boxes_at_hand) return declined;
  Array* const out = table_like(heap, a, count, size);
  if (out == nullptr) return declined;
  if (holds_boxes<A>)
    for (std::size_t i = 0; i < count; i++) copy_elements_of(out, i * size, a, i, size);
  else if (a->type() == ElementType::bit)
    copy_bit_windows(words_of(out), words_of(a.array), size, count);
  else
    copy_windows(*out, a, size);
  return bits_of_array(out);
}

constexpr MonadWay ranges[] = {{"number", way<range_below>}};
constexpr DyadWay windowings[] = {{"list", way<windows_of<List>>}, {"boxes", way<windows_of<Boxes>>}};

}  // namespace

constexpr MonadWays range_ways = monad_ways<ranges>;
constexpr DyadWays windows_ways = dyad_ways<windowings>;

// --- range and windows: any arguments

namespace {

// Gives the narrowest plain integer type for the numbers below n.
ElementType type_below(std::size_t n) { return index_type(n != 0 ? n - 1 : 0); }

Value count_up(Heap& heap, std::size_t n) {
  const ElementType type = type_below(n);
  Array* const out = make_plain_list(heap, type, n);
  kernels::count_up(bits_of(type), out->data.here(), n);
  out->note_order(false);
  return Value(out);
}

// Writes the lists in order; they and the lists' lengths are those of the result.
template <class T>
void write_index_lists(Context& cx, Array& out, ElementType type, const Shape& shape) {
  const std::size_t axes = shape.size(), row = axes == 0 ? 1 : shape[axes - 1];
  RepeatedList repeated{plain_lists[static_cast<int>(type)]};
  repeated.resize(axes);
  Few<T> index(axes, T{0});
  for (std::size_t i = 0; i < out.length; i += row) {
    if (i / row % 0x400 == 0x3FF) cx.check_interrupt();
    // Boxes hold nothing yet that would have to be released.
    Value* const lists = out.as<Value>() + i;
    if (axes - 1 < sizeof(std::uint64_t) / sizeof(T)) {
      // Few indices fit a word, which lists have whole.
      std::uint64_t word = 0;
      std::memcpy(&word, index.data(), axes * sizeof(T));
      const std::size_t last = 8 * sizeof(T) * (axes - 1);
      for (std::size_t j = 0; j < row; j++) {
        Array* list = repeated.make(cx.heap);
        if (list == nullptr) [[unlikely]]
          list = make_list_of(cx.heap, repeated.plain, axes);
        *list->template as<std::uint64_t>() = word + (std::uint64_t{j} << last);
        new (lists + j) Value(list);
      }
    } else {
      for (std::size_t j = 0; j < row; j++) {
        Array* const list = make_list_of(cx.heap, repeated.plain, axes);
        T* to = list->template as<T>();
        for (std::size_t k = 0; k < axes; k++) to[k] = index[k];
        if (axes != 0) to[axes - 1] = static_cast<T>(j);
        new (lists + j) Value(list);
      }
    }
    for (std::size_t k = axes == 0 ? 0 : axes - 1; k-- > 0;) {
      if (static_cast<std::size_t>(index[k]) + 1 != shape[k]) {
        index[k]++;
        break;
      }
      index[k] = 0;
    }
  }
}

// The same for axes of one place or two, at most 64 of them: lists of bits.
void write_index_bits(Context& cx, Array& out, const Shape& shape) {
  const PlainList& plain = plain_lists[static_cast<int>(ElementType::bit)];
  std::uint64_t index = 0;
  for (std::size_t i = 0; i < out.length; i++) {
    if (i % 0x10000 == 0xFFFF) cx.check_interrupt();
    Array* const list = make_list_of(cx.heap, plain, shape.size());
    *list->as<std::uint64_t>() = index;
    new (out.as<Value>() + i) Value(list);
    for (std::size_t k = shape.size(); k-- > 0;) {
      const std::uint64_t place = std::uint64_t{1} << k;
      index ^= place * (shape[k] == 2);
      if (index & place) break;
    }
  }
}

// Makes the array of all index lists of a shape.
Value index_lists(Context& cx, const Shape& shape) {
  std::size_t total = checked_length(cx, "Range", shape);
  std::size_t longest = 0;
  for (std::size_t n : shape) longest = std::max(longest, n);
  ElementType type = type_below(longest);
  Ref<Array> out = make_array(cx.heap, ElementType::boxed, shape);
  if (longest <= 2 && shape.size() - 1 < 64)
    write_index_bits(cx, *out, shape);
  else
    with_type(type, [&]<class T>(std::type_identity<T>) {
      if constexpr (std::is_arithmetic_v<T>)
        if (total != 0) write_index_lists<T>(cx, *out, type, shape);
    });
  if (total != 0) {
    out->set_fill_kind(FillKind::of_first);
    return to_value(std::move(out));
  }
  std::size_t length[1] = {shape.size()};
  return with_fill(cx.heap, to_value(std::move(out)), filled(cx.heap, length, Value(0)));
}

}  // namespace

Value range_refusal(Context& cx, const Value& w, const Value& x) {
  return w.is_absent() && x.is_atom() ? natural_refusal(cx, "Range: 𝕩", x) : Value();
}

Value range(Context& cx, Value x) {
  if (x.is_atom()) {
    std::int64_t given;
    const std::size_t n = x.to_integer(given) && given >= 0 ? static_cast<std::size_t>(given) : read_natural(cx, "Range: 𝕩", x);
    if (n > max_length) fail(cx, "Range: Result would have too many elements (" + number_text(x.number()) + ")");
    return count_up(cx.heap, n);
  }
  if (rank_of(x) != 1) fail(cx, "Range: 𝕩 must be a natural number or a list of them (got shape " + shape_text(x) + ")");
  const Few<std::size_t> lengths = on_operands(Value(), x, [&] { return read_naturals(cx, "Range: 𝕩", x); });
  return index_lists(cx, Shape(lengths));
}

namespace {

// Reads the lengths of windows, which the axes of x must have room for.
Few<std::size_t> read_window(Context& cx, const Value& w, const Value& x) {
  const Few<std::size_t> size = read_naturals(cx, "Windows: 𝕨", w);
  if (size.size() > rank_of(x))
    fail(cx, "Windows: 𝕨 must not have more lengths than 𝕩 has axes (" + std::to_string(size.size()) + " lengths, shape " +
                 shape_text(x) + ")");
  for (std::size_t k = 0; k < size.size(); k++)
    if (size[k] > shape_of(x)[k] + 1)
      fail(cx, "Windows: 𝕨 must be at most one more than the length of the axis (" + std::to_string(size[k]) + " in shape " +
                   shape_text(x) + ")");
  return size;
}

}  // namespace

Value windows(Context& cx, Value w, Value x) {
  const Few<std::size_t> size = on_operands(w, x, [&] { return read_window(cx, w, x); });
  x = as_array(cx.heap, std::move(x));
  const Array& a = x.array();
  if (size.empty()) return x;
  std::span<const std::size_t> shape = a.shape();
  std::ptrdiff_t from[max_rank];
  row_major(shape, from);
  Shape result;
  Few<std::ptrdiff_t> steps;
  for (std::size_t k = 0; k < size.size(); k++) {
    result.push_back(shape[k] - size[k] + 1);
    steps.push_back(from[k]);
  }
  for (std::size_t k = 0; k < shape.size(); k++) {
    result.push_back(k < size.size() ? size[k] : shape[k]);
    steps.push_back(from[k]);
  }
  std::size_t total = checked_length(cx, "Windows", result);
  Ref<Array> out = make_array(cx.heap, a.type(), result);
  if (a.rank() == 1 && total != 0 && a.type() == ElementType::bit) {
    copy_bit_windows(out->as<std::uint64_t>(), a.as<std::uint64_t>(), size[0], result[0]);
  } else if (a.type() == ElementType::bit && a.rank() == 2 && size.size() == 2 && total != 0 && size[0] <= 64 &&
             size[0] * size[1] <= 64) {
    copy_bit_table_windows(out->as<std::uint64_t>(), a, size[0], size[1]);
  } else if (a.is_list() && total != 0 && a.type() != ElementType::bit) {
    CopiedElements copied(*out);
    copy_windows(*out, a, size[0]);
    copied.share();
  } else if (total) {
    Few<std::ptrdiff_t> to(result.size());
    row_major(result, to.data());
    Few<BoxAxis> axes;
    for (std::size_t k = 0; k < result.size(); k++) axes.push_back({result[k], to[k], steps[k]});
    copy_box(*out, 0, a, 0, axes);
  }
  return with_fill_like(cx.heap, to_value(std::move(out)), x);
}

}  // namespace griddle::primitives
