#include "primitives/mapping/cell_routes.h"
#include "primitives/common/plain.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>

#include "primitives/arithmetic/dispatch.h"
#include "primitives/common/elements.h"
#include "primitives/common/indexing.h"
#include "primitives/common/pervasive.h"
#include "primitives/common/small_integer.h"
#include "primitives/folds/fusion.h"
#include "primitives/folds/matrix_product.h"
#include "primitives/folds/running_numbers.h"
#include "primitives/functions.h"
#include "primitives/kernels/booleans/bit_columns.h"
#include "primitives/kernels/booleans/bit_rows.h"
#include "primitives/kernels/moves/move.h"
#include "primitives/kernels/moves/replicate.h"
#include "primitives/kernels/moves/select.h"
#include "primitives/kernels/moves/shuffle_rows.h"
#include "primitives/kernels/shared/bit_runs.h"
#include "primitives/mapping/cell_pairs.h"
#include "primitives/order/ordered_rows.h"
#include "runtime/value/array_layout.h"
#include "runtime/value/fill.h"
#include "runtime/vm/call.h"

namespace griddle::primitives {
namespace {

// An array seen as `outer` cells, of which the first axis has `length` pieces of `inner` elements.
struct Axis {
  std::size_t outer, length, inner;
};
Axis axis_at(const Array& a, std::size_t axis) {
  return {product(a.shape().first(axis)), a.shape()[axis], product(a.shape().subspan(axis + 1))};
}

Value reverse_cells(Context& cx, std::size_t frame, const Value& x) {
  const Array& a = x.array();
  if (is_plain_table(a) && a.type() != ElementType::bit && frame == 1) {
    Array* const out = make_plain_table(cx.heap, a.type(), a.shape()[0], a.shape()[1]);
    kernels::reverse_rows(bits_of(a.type()), out->data.here(), a.data, a.shape()[1], a.shape()[0]);
    return Value(out);
  }
  Axis axis = axis_at(a, frame);
  Ref<Array> result = make_like(cx.heap, a.type(), a);
  if (axis.inner == 1 && a.type() != ElementType::bit && a.type() != ElementType::boxed) {
    if (a.length != 0) kernels::reverse_rows(bits_of(a.type()), result->data, a.data, axis.length, axis.outer);
    return with_fill_like(cx.heap, to_value(std::move(result)), x);
  }
  auto piece = static_cast<std::ptrdiff_t>(axis.inner);
  std::ptrdiff_t cell = piece * static_cast<std::ptrdiff_t>(axis.length);
  BoxAxis box[3] = {{axis.outer, cell, cell}, {axis.length, piece, -piece}, {axis.inner, 1, 1}};
  copy_box(*result, 0, a, (axis.length - 1) * axis.inner, box);
  return with_fill_like(cx.heap, to_value(std::move(result)), x);
}

// Takes one column of a table of bits whose rows fill whole words together.
void select_bit_column(Array& to, const Array& from, std::size_t row_length, std::size_t column) {
  constexpr std::size_t piece = 64;  // words of the source, which give whole words of the result
  std::uint64_t mask[piece] = {};
  for (std::size_t i = column; i < 64; i += row_length) mask[0] |= std::uint64_t{1} << i;
  std::fill(mask + 1, mask + piece, mask[0]);
  const std::size_t rows = 64 * piece / row_length;
  for (std::size_t done = 0; done < to.length; done += rows) {
    const std::size_t count = std::min(rows, to.length - done);
    kernels::compress(1, to.as<std::uint64_t>() + done / 64, count, from.as<std::uint64_t>() + done / 64 * row_length, mask,
                      count * row_length);
  }
}

// Takes one bit of each row of any length, one after the other.
void gather_bit_column(Array& to, const Array& from, std::size_t row_length, std::size_t column) {
  const auto* const bits = from.as<std::uint64_t>();
  std::uint64_t* out = to.as<std::uint64_t>();
  std::size_t at = column;
  for (std::size_t left = to.length; left != 0;) {
    const std::size_t count = std::min<std::size_t>(left, 64);
    // Each bit enters at the top, so that no shift depends on its place.
    std::uint64_t word = 0;
    for (std::size_t k = 0; k < count; k++, at += row_length) word = word >> 1 | bits[at / 64] >> (at % 64) << 63;
    *out++ = word >> (64 - count);
    left -= count;
  }
}

// Takes one column of a table of bits.
void take_bit_column(Array& to, const Array& from, std::size_t row_length, std::size_t column) {
  auto* const out = to.as<std::uint64_t>();
  constexpr std::size_t few_rows = 64;
  const bool short_rows = row_length >= 2 && row_length <= 64 && to.length > few_rows;
  if (short_rows && kernels::bit_columns().take(out, from.as<std::uint64_t>(), row_length, to.length, column)) return;
  if (short_rows && std::has_single_bit(row_length)) return select_bit_column(to, from, row_length, column);
  gather_bit_column(to, from, row_length, column);
}

Value select_column(Context& cx, std::size_t index, const Array& table) {
  const std::size_t rows = table.shape()[0], row_length = table.shape()[1];
  Array* const out = make_plain_list(cx.heap, table.type(), rows);
  Value result(out);
  if (table.type() != ElementType::bit)
    kernels::take_column(bits_of(table.type()), out->data.here(), table.data, rows, row_length, index);
  else
    take_bit_column(*out, table, row_length, index);
  return result;
}

Value select_in_cells(Context& cx, std::size_t frame, std::size_t index, const Value& x) {
  const Array& a = x.array();
  if (is_plain_table(a) && frame == 1) return select_column(cx, index, a);
  Axis axis = axis_at(a, frame);
  Shape shape(a.shape().first(frame));
  shape.append(a.shape().subspan(frame + 1));
  Ref<Array> result = make_array(cx.heap, a.type(), shape);
  auto piece = static_cast<std::ptrdiff_t>(axis.inner);
  if (axis.inner == 1 && a.type() == ElementType::bit) {
    take_bit_column(*result, a, axis.length, index);
  } else if (axis.inner == 1 && a.type() != ElementType::boxed) {
    kernels::take_column(bits_of(a.type()), result->data, a.data, axis.outer, axis.length, index);
  } else {
    BoxAxis box[2] = {{axis.outer, piece, piece * static_cast<std::ptrdiff_t>(axis.length)}, {axis.inner, 1, 1}};
    copy_box(*result, 0, a, index * axis.inner, box);
  }
  return with_fill_like(cx.heap, to_value(std::move(result)), x);
}

// Takes the same few columns of each row of a plain table; absent where they are none of its columns, too.
Value select_few_columns(Context& cx, const Array& indices, const Value& x) {
  constexpr std::size_t most = 64, longest = std::size_t{1} << 40;
  const Array& a = x.array();
  if (!is_plain_table(a) || a.type() == ElementType::bit || a.length > longest) return Value();
  if (!indices.is_list() || indices.type() != ElementType::i8 || indices.length == 0 || indices.length > most) return Value();
  const std::size_t rows = a.shape()[0], columns = a.shape()[1];
  std::size_t chosen[most];
  for (std::size_t i = 0; i < indices.length; i++) {
    const std::ptrdiff_t index = indices.as<std::int8_t>()[i];
    chosen[i] = static_cast<std::size_t>(index) + (index < 0 ? columns : 0);
    if (chosen[i] >= columns) return Value();
  }
  Array* const out = make_plain_table(cx.heap, a.type(), rows, indices.length);
  kernels::select_columns(bits_of(a.type()), out->data.here(), a.data, rows, columns, chosen, indices.length);
  return Value(out);
}

// Keeps a run of each row of bits: of short rows by a mask of bits.
void keep_bits_in_rows(Heap& heap, Array& to, const Array& from, std::size_t row, std::size_t start, std::size_t kept) {
  constexpr std::size_t short_row = 24;
  const std::size_t rows = from.length / row;
  auto* const out = to.as<std::uint64_t>();
  const auto* const bits = from.as<std::uint64_t>();
  if (row <= short_row) {
    const Ref<Array> mask = make_list(heap, ElementType::bit, from.length);
    *mask->as<std::uint64_t>() = kernels::low_bits(kept) << start;
    const Ref<Array> first = make_list(heap, ElementType::bit, row);
    repeat_run(*mask, *first, from.length);
    return kernels::compress(1, out, to.length, bits, mask->as<std::uint64_t>(), from.length);
  }
  if (to.length % 64 != 0) out[to.length / 64] = 0;
  if (kept <= kernels::longest_bit_row)
    return kernels::copy_bit_rows(out, 0, bits, start, static_cast<std::ptrdiff_t>(row), kept, rows, 1);
  for (std::size_t i = 0; i < rows; i++) kernels::copy_bits(out, i * kept, bits, start + i * row, kept);
}

// Keeps `count` pieces of each cell from piece `start` on; flat arrays alone.
Value keep_in_cells(Context& cx, std::size_t frame, std::size_t start, std::size_t count, const Value& x) {
  const Array& a = x.array();
  const Axis axis = axis_at(a, frame);
  Shape shape(a.shape());
  shape[frame] = count;
  Ref<Array> result = make_array(cx.heap, a.type(), shape);
  const std::size_t from = start * axis.inner, step = axis.length * axis.inner, kept = count * axis.inner;
  if (a.type() == ElementType::bit) {
    keep_bits_in_rows(cx.heap, *result, a, step, from, kept);
  } else {
    const BoxAxis box[2] = {{axis.outer, static_cast<std::ptrdiff_t>(kept), static_cast<std::ptrdiff_t>(step)}, {kept, 1, 1}};
    copy_box(*result, 0, a, from, box);
  }
  return with_fill_like(cx.heap, to_value(std::move(result)), x);
}

// Takes or drops as many pieces of each cell as a number says, where each cell has them; absent otherwise.
Value take_in_cells(Context& cx, bool takes, const Value& w, std::size_t frame, const Value& x) {
  std::int64_t amount;
  const std::int64_t length = static_cast<std::int64_t>(shape_of(x)[frame]);
  if (!w.to_integer(amount) || amount < -length || amount > length || x.array().type() == ElementType::boxed) return Value();
  const std::int64_t size = amount < 0 ? -amount : amount, count = takes ? size : length - size;
  // Taking from the front is dropping from the back.
  const std::int64_t start = (amount < 0) == takes ? length - count : 0;
  return count == 0 ? Value() : keep_in_cells(cx, frame, static_cast<std::size_t>(start), static_cast<std::size_t>(count), x);
}

// Encloses every cell.
Value enclose_cells(Context& cx, std::size_t frame, const Value& x) {
  std::span<const std::size_t> shape = shape_of(x);
  std::span<const std::size_t> cell = shape.subspan(frame);
  std::size_t length = product(cell);
  Ref<Array> result = make_array(cx.heap, ElementType::boxed, shape.first(frame));
  const Array& a = x.array();
  const std::size_t bytes = length * (bits_of(a.type()) / 8);
  constexpr std::size_t copied_bytes = 64;
  if (cell.size() == 1)
    store_slices(cx.heap, x, length, result->as<Value>(), result->length);
  else if (cell.size() == 2 && bytes != 0 && bytes <= copied_bytes && a.type() != ElementType::boxed && has_plain_fill(a))
    for (std::size_t i = 0; i < result->length; i++) {
      Array* table = make_plain_table(cx.heap, a.type(), cell[0], cell[1]);
      std::memcpy(table->data, a.data + i * bytes, bytes);
      result->as<Value>()[i] = Value(table);
    }
  else
    for (std::size_t i = 0; i < result->length; i++) result->as<Value>()[i] = slice(cx.heap, x, i * length, cell);
  return to_value(std::move(result));
}

// Transposes every cell: its first axis becomes its last.
Value transpose_cells(Context& cx, std::size_t frame, Value& x) {
  constexpr std::size_t most = 128;
  const Array& a = x.array();
  const std::size_t axes = a.rank() - frame;
  if (axes < 2) return std::move(x);
  const std::size_t cell = product(a.shape().subspan(frame)), length = a.shape()[frame], rest = cell / length;
  Shape shape(a.shape().first(frame));
  shape.append(a.shape().subspan(frame + 1));
  shape.push_back(length);
  Ref<Array> result = make_array(cx.heap, a.type(), shape);
  if (cell <= most && a.type() != ElementType::bit && a.type() != ElementType::boxed) {
    std::size_t chosen[most];
    for (std::size_t i = 0; i < cell; i++) chosen[i] = i % length * rest + i / length;
    kernels::select_columns(bits_of(a.type()), result->data, a.data, a.length / cell, cell, chosen, cell);
  } else {
    const auto step = static_cast<std::ptrdiff_t>(cell), column = static_cast<std::ptrdiff_t>(rest);
    const BoxAxis box[3] = {{a.length / cell, step, step}, {rest, static_cast<std::ptrdiff_t>(length), 1}, {length, 1, column}};
    copy_box(*result, 0, a, 0, box);
  }
  return with_fill_like(cx.heap, to_value(std::move(result)), x);
}

Value constant_cells(Context& cx, std::span<const std::size_t> frame, std::size_t value) {
  return filled(cx.heap, frame, Value(value));
}

// Joins the axes of the frame to one.
Value with_one_frame_axis(Context& cx, std::size_t frame, Value x) {
  if (frame == 1) return x;
  Shape shape{product(shape_of(x).first(frame))};
  shape.append(shape_of(x).subspan(frame));
  return with_shape(cx.heap, std::move(x), shape);
}
// Gives the axes of the frame back.
Value with_frame(Context& cx, std::span<const std::size_t> frame, Value result) {
  if (frame.size() == 1) return result;
  Shape shape(frame);
  shape.append(shape_of(result).subspan(1));
  return with_shape(cx.heap, std::move(result), shape);
}

// Folds rows as one insert down the columns, where rows are many and short.
Value folded_rows(Context& cx, const Value& f, std::size_t frame, Value& x) {
  const Array& a = x.array();
  std::size_t row = a.shape()[frame];
  std::size_t rows = a.length / row;
  constexpr std::size_t longest_row = 64;
  if (row > longest_row ? rows < 2 * row : rows < longest_row) return Value();
  Shape frame_shape(a.shape().first(frame));
  const bool swapped = modifier_glyph(f) == U'˜';
  const PrimitiveFunctionEntry* entry = primitive_entry(swapped ? static_cast<const Derived&>(f.function()).f : f);
  const DyadRule* rule = entry != nullptr ? dyad_rule(entry->glyph) : nullptr;
  if (rule != nullptr && has_plain_fill(a))
    if (Value folded = fold_few_columns(cx, *rule, swapped, x, rows); !folded.is_absent())
      return with_frame(cx, frame_shape, folded);
  Value columns = transpose(cx, with_one_frame_axis(cx, frame, std::move(x)));
  Value insert = derive1(cx, primitive(cx, U'˝'), f);
  return with_frame(cx, frame_shape, call(cx, insert, std::move(columns)));
}

// Sets one bit in each of some rows, which are shorter than a word, to the same: all those in a word at once.
void set_in_short_rows(std::uint64_t* bits, std::size_t at, std::size_t row, std::size_t rows, bool one) {
  std::uint64_t starts = 1;
  for (std::size_t by = row; by < 64; by *= 2) starts |= starts << by;
  const std::size_t reach = (63 + row) / row * row - 64, words = (rows * row + 63) / 64;
  for (std::size_t i = 0; i < words; i++) {
    const std::uint64_t places = starts << at;
    bits[i] = one ? bits[i] | places : bits[i] & ~places;
    at += reach;
    if (at >= row) at -= row;
  }
}

// Sets one bit in each of some rows to the same.
[[gnu::noinline]] void set_in_rows(std::uint64_t* bits, std::size_t at, std::size_t row, std::size_t rows, bool one) {
  if (row < 64) return set_in_short_rows(bits, at, row, rows, one);
  if (one)
    for (; rows != 0; rows--, at += row) bits[at >> 6] |= std::uint64_t{1} << (at & 63);
  else
    for (; rows != 0; rows--, at += row) bits[at >> 6] &= ~(std::uint64_t{1} << (at & 63));
}

// Moves the bits of each row of a table by one, which is 0 then.
Value nudge_rows_of_bits(Context& cx, const Array& a, bool front) {
  const std::size_t rows = a.shape()[0], row = a.shape()[1];
  Array* const out = make_plain_table(cx.heap, ElementType::bit, rows, row);
  auto* const bits = reinterpret_cast<std::uint64_t*>(out->data.here());
  kernels::copy_bits(bits, front ? 1 : 0, a.as<std::uint64_t>(), front ? 0 : 1, a.length - 1);
  set_in_rows(bits, front ? 0 : row - 1, row, rows, false);
  return Value(out);
}

// Moves every cell's pieces by one, as one move of the whole array; then puts the entering one, an atom, into each cell.
Value shift_in_cells(Context& cx, std::size_t frame, const Value& entering, bool front, const Value& x) {
  const Array& a = x.array();
  const Axis axis = axis_at(a, frame);
  const std::size_t cell = axis.length * axis.inner, kept = a.length - axis.inner;
  Ref<Array> result = make_like(cx.heap, common_type(a.type(), element_type_of(entering)), a);
  copy_run(*result, front ? axis.inner : 0, a, front ? 0 : axis.inner, kept);
  std::size_t at = front ? 0 : cell - axis.inner;
  if (result->type() == ElementType::bit && axis.inner == 1) {
    set_in_rows(result->as<std::uint64_t>(), at, cell, axis.outer, entering.number() != 0);
    return to_value(std::move(result));
  }
  if (axis.inner == 1 && result->type() != ElementType::boxed) {
    with_type(result->type(), [&]<class T>(std::type_identity<T>) {
      if constexpr (!std::is_same_v<T, Bit> && !std::is_same_v<T, Value>) {
        const T one = static_cast<T>(entering.is_number() ? entering.number() : static_cast<double>(entering.character()));
        for (std::size_t i = 0; i < axis.outer; i++, at += cell) result->as<T>()[at] = one;
      }
    });
    return to_value(std::move(result));
  }
  for (std::size_t i = 0; i < axis.outer; i++, at += cell) fill_run(*result, at, axis.inner, entering);
  return to_value(std::move(result));
}

// Puts a leading entry before numbers: what `w` does to a cell, ⟨entry⟩∾w does to an array of cells.
Value extended(Context& cx, std::size_t entry, const Value& w) { return join_to(cx, Value(entry), w); }

// Gives the windows of so many elements in each row of a flat array; absent where there is none.
Value windows_in_rows(Context& cx, const Value& w, std::size_t frame, const Value& x) {
  const Array& a = x.array();
  std::int64_t size;
  if (a.rank() != frame + 1 || a.rank() == max_rank || a.type() == ElementType::boxed || !w.to_integer(size)) return Value();
  const std::size_t row = a.shape()[frame], n = static_cast<std::size_t>(size);
  if (size < 1 || n > row) return Value();
  const std::size_t count = row - n + 1, rows = a.length / row;
  Shape shape(a.shape().first(frame));
  shape.push_back(count);
  shape.push_back(n);
  if (product(shape) > max_length) return Value();
  Ref<Array> result = make_array(cx.heap, a.type(), shape);
  const auto step = static_cast<std::ptrdiff_t>(n);
  const BoxAxis box[3] = {
      {rows, static_cast<std::ptrdiff_t>(count) * step, static_cast<std::ptrdiff_t>(row)}, {count, step, 1}, {n, 1, 1}};
  copy_box(*result, 0, a, 0, box);
  return with_fill_like(cx.heap, to_value(std::move(result)), x);
}

// Routes `w f cell` for every cell of x.
Value bound_route(Context& cx, char32_t glyph, const Value& w, std::size_t frame, Value& x) {
  constexpr std::size_t long_row = 512;  // bits
  std::span<const std::size_t> cell = shape_of(x).subspan(frame);
  if (cell.empty() || !is_numeric(w) || rank_of(w) > 1 || x.array().length == 0) return Value();
  switch (glyph) {
    case U'⊑':
    case U'⊏': {
      if (glyph == U'⊑' && (cell.size() != 1 || !w.is_atom() || !is_flat(x))) return Value();
      if (rank_of(w) == 0) {
        std::int64_t index;
        std::int64_t length = static_cast<std::int64_t>(cell[0]);
        Value number = w.is_array() ? element(w.array(), 0) : w;
        if (!number.to_integer(index) || index < -length || index >= length) return Value();
        return select_in_cells(cx, frame, static_cast<std::size_t>(index < 0 ? index + length : index), x);
      }
      if (frame == 1)
        if (Value selected = select_few_columns(cx, w.array(), x); !selected.is_absent()) return selected;
      const bool negative = check_indices(cx, "Select", w.array(), cell[0]);
      return select_axis(cx, x, frame, w.array(), negative);
    }
    case U'⌽':
    case U'↑':
    case U'↓': {
      if (length_of(w) > cell.size()) return Value();
      if (glyph != U'⌽' && w.is_number())
        if (Value kept = take_in_cells(cx, glyph == U'↑', w, frame, x); !kept.is_absent()) return kept;
      if (glyph == U'⌽' && cell.size() == 1 && cell[0] * bits_of(x.array().type()) >= long_row)
        if (Value rotated = rotate_each(cx, 0, w, frame, x); !rotated.is_absent()) return rotated;
      const Shape frame_shape(shape_of(x).first(frame));
      Value numbers = extended(cx, glyph == U'↑' ? product(frame_shape) : 0, w);
      Value flat = with_one_frame_axis(cx, frame, std::move(x));
      return with_frame(cx, frame_shape,
                        (glyph == U'⌽'   ? rotate
                         : glyph == U'↑' ? take
                                         : drop)(cx, std::move(numbers), std::move(flat)));
    }
    case U'»':
    case U'«':
      if (cell.size() != 1 || !w.is_number() || !is_number(x.array().type()) || !has_plain_fill(x.array())) return Value();
      return shift_in_cells(cx, frame, w, glyph == U'»', x);
    case U'↕': return windows_in_rows(cx, w, frame, x);
    case U'/': {
      if (length_of(w) == 0) return Value();  // no axes rather than no counts
      const Shape frame_shape(shape_of(x).first(frame));
      Value counts = make_pair(cx.heap, enclose(cx.heap, Value(1)), w);
      return with_frame(cx, frame_shape, replicate(cx, std::move(counts), with_one_frame_axis(cx, frame, std::move(x))));
    }
    default: return Value();
  }
}

// Routes `cell f w` or `w f cell` for every cell of x, where f works on atoms.
Value pervasive_route(Context& cx, const Value& f, bool from_left, const Value& w, std::size_t frame, const Value& x) {
  const std::span<const std::size_t> shape = shape_of(x), cell = shape.subspan(frame);
  const std::size_t shared = std::min<std::size_t>(rank_of(w), cell.size());
  if (rank_of(w) == 0 || !is_flat(w) || !is_flat(x) || !same_shape(shape_of(w).first(shared), cell.first(shared))) return Value();
  Value repeated = broadcast_cells(cx, w, 0, shape.first(frame), x);
  return from_left ? call(cx, f, std::move(repeated), x) : call(cx, f, x, std::move(repeated));
}

Value primitive_route(Context& cx, char32_t glyph, std::size_t frame, Value& x) {
  const Array& a = x.array();
  std::span<const std::size_t> shape = a.shape();
  std::span<const std::size_t> cell = shape.subspan(frame);
  switch (glyph) {
    case U'⊢':
    case U'⊣': return std::move(x);
    case U'<': return cell.empty() ? Value() : enclose_cells(cx, frame, x);
    case U'⌽': return cell.empty() ? Value() : reverse_cells(cx, frame, x);
    case U'⍉': return transpose_cells(cx, frame, x);
    case U'∧':
    case U'∨': return cell.empty() ? Value() : sort_rows(cx, glyph == U'∨', frame, x);
    case U'⍋':
    case U'⍒': return cell.empty() ? Value() : grade_rows(cx, glyph == U'⍒', frame, x);
    case U'⊏': return cell.empty() ? Value() : select_in_cells(cx, frame, 0, x);
    case U'⊑': return cell.size() == 1 && is_flat(x) ? select_in_cells(cx, frame, 0, x) : Value();
    case U'»':
    case U'«':
      if (cell.empty() || !has_plain_fill(a)) return Value();
      if (a.type() == ElementType::bit && frame == 1 && cell.size() == 1) return nudge_rows_of_bits(cx, a, glyph == U'»');
      return shift_in_cells(cx, frame, is_number(a.type()) ? Value(0.0) : Value::character(' '), glyph == U'»', x);
    case U'≠': return constant_cells(cx, shape.first(frame), cell.empty() ? 1 : cell[0]);
    case U'=': return constant_cells(cx, shape.first(frame), cell.size());
    case U'≡': return is_flat(x) ? constant_cells(cx, shape.first(frame), 1) : Value();
    case U'≍':
    case U'⥊': {
      if (shape.size() == max_rank) return Value();
      Shape to(shape.first(frame));
      if (glyph == U'⥊') {
        to.push_back(product(cell));
      } else {
        to.push_back(1);
        to.append(cell);
      }
      return with_shape(cx.heap, std::move(x), to);
    }
    default: return Value();
  }
}

// Routes one function after another, where cells of the first are flat arrays.
Value atop_route(Context& cx, const Value& outer, const Value& inner, std::size_t frame, const Value& x) {
  const PrimitiveFunctionEntry* p = primitive_entry(outer);
  if (p == nullptr || cx.device != nullptr) return Value();
  Value shared = x;
  Value cells = cell_route(cx, inner, frame, shared);
  if (rank_of(cells) <= frame || !is_flat(cells) || cells.array().length == 0 || !has_plain_fill(cells.array())) return Value();
  if (p->glyph != U'<') return cell_route(cx, outer, frame, cells);
  Value enclosed = enclose_cells(cx, frame, cells);
  set_fill_kind(enclosed.array(), FillKind::of_first);
  return enclosed;
}

// Asks the device that holds the cells.
Value cells_on_device(Context& cx, char32_t glyph, const Value& w, std::size_t frame, const Value& x) {
  if (cx.device == nullptr || !belongs_to_device(cx, x)) [[likely]]
    return Value();
  return cx.device->cells(cx, glyph, w, x, frame);
}

// Puts each cell of w before that of x.
Value couple_cells(Context& cx, std::size_t frame, const Value& w, const Value& x) {
  const std::span<const std::size_t> shape = shape_of(x);
  if (!same_shape(shape_of(w), shape) || length_of(x) == 0) return Value();
  const bool there = cx.device != nullptr && (belongs_to_device(cx, w) || belongs_to_device(cx, x));
  if (there)
    if (Value coupled = cx.device->cells(cx, U'≍', w, x, frame); !coupled.is_absent()) return coupled;
  Shape rows(shape.first(frame));
  rows.push_back(product(shape.subspan(frame)));
  Value joined = join_cells(cx, frame, with_shape(cx.heap, w, rows), frame, with_shape(cx.heap, x, rows));
  if (joined.is_absent()) return joined;
  Shape result(shape.first(frame));
  result.push_back(2);
  result.append(shape.subspan(frame));
  return with_shape(cx.heap, std::move(joined), result);
}

// Computes with a primitive on each cell of one argument and all of the other.
Value on_rows(Context& cx, const Value& f, std::size_t frame_of_w, const Value& w, std::size_t frame_of_x, const Value& x) {
  if ((frame_of_w != 0) == (frame_of_x != 0) || cx.device != nullptr) return Value();
  const Value &whole = frame_of_w == 0 ? w : x, &cells = frame_of_w == 0 ? x : w;
  if (rank_of(whole) == 0 || !same_shape(shape_of(whole), shape_of(cells).subspan(frame_of_w + frame_of_x))) return Value();
  if (whole.array().data.elsewhere() || cells.array().data.elsewhere()) return Value();
  const PrimitiveFunctionEntry* entry = primitive_entry(f);
  const DyadRule* rule = entry != nullptr ? dyad_rule(entry->glyph) : nullptr;
  return rule != nullptr ? pervade_rows(cx, *rule, w, x) : Value();
}

}  // namespace

Value cell_route(Context& cx, const Value& f, std::size_t frame, Value& x) {
  if (!f.is_function()) return Value();
  if (is_pervasive(f)) return call(cx, f, std::move(x));
  if (x.array().length == 0) return Value();
  if (const PrimitiveFunctionEntry* p = primitive_entry(f)) {
    if (Value there = cells_on_device(cx, p->glyph, Value(), frame, x); !there.is_absent()) return there;
    return primitive_route(cx, p->glyph, frame, x);
  }
  if (f.function().kind == ObjectKind::train) {
    const Train& t = static_cast<const Train&>(f.function());
    return t.f.is_absent() ? atop_route(cx, t.g, t.h, frame, x) : Value();
  }
  char32_t glyph = modifier_glyph(f);
  if (glyph == 0) return Value();
  const Derived& d = static_cast<const Derived&>(f.function());
  if (glyph == U'∘') return atop_route(cx, d.f, d.g, frame, x);
  if ((glyph == U'´' || glyph == U'˝') && x.array().rank() == frame + 1 && is_flat(x) && is_pervasive_dyad(d.f)) {
    if (Value folded = folded_rows(cx, d.f, frame, x); !folded.is_absent()) return folded;
    const PrimitiveFunctionEntry* p = primitive_entry(d.f);
    return p != nullptr && is_numeric(x) ? fold_rows_running(cx, p->glyph, frame, x) : Value();
  }
  if (glyph != U'⊸' && glyph != U'⟜') return Value();
  const bool from_left = glyph == U'⊸';
  const Value &bound = from_left ? d.f : d.g, &function = from_left ? d.g : d.f;
  if (bound.is_operation()) return Value();
  const PrimitiveFunctionEntry* p = primitive_entry(function);
  if (p != nullptr && p->glyph == U'∾')
    return from_left ? join_cells(cx, 0, bound, frame, x) : join_cells(cx, frame, x, 0, bound);
  if (is_pervasive_dyad(function)) return pervasive_route(cx, function, from_left, bound, frame, x);
  if (!from_left || p == nullptr) return Value();
  if (Value there = cells_on_device(cx, p->glyph, bound, frame, x); !there.is_absent()) return there;
  return bound_route(cx, p->glyph, bound, frame, x);
}

Value cell_route(Context& cx, const Value& f, std::size_t frame_of_w, Value& w, std::size_t frame_of_x, Value& x) {
  if (is_pervasive_dyad(f)) {
    if (Value result = on_rows(cx, f, frame_of_w, w, frame_of_x, x); !result.is_absent()) return result;
    // Repeats the cells of the argument with the shorter frame; units need none, they extend by themselves.
    if (frame_of_w < frame_of_x && rank_of(w) > frame_of_w)
      w = broadcast_cells(cx, w, frame_of_w, shape_of(x).subspan(frame_of_w, frame_of_x - frame_of_w), x);
    if (frame_of_x < frame_of_w && rank_of(x) > frame_of_x)
      x = broadcast_cells(cx, x, frame_of_x, shape_of(w).subspan(frame_of_x, frame_of_w - frame_of_x), w);
    return call(cx, f, std::move(w), std::move(x));
  }
  if (frame_of_x == 0 && rank_of(w) == frame_of_w + 1)
    if (Value product = matrix_product(cx, f, w, x); !product.is_absent()) return product;
  const PrimitiveFunctionEntry* p = primitive_entry(f);
  if (p != nullptr && (p->glyph == U'≡' || p->glyph == U'≢'))
    return match_cells(cx, frame_of_w, w, frame_of_x, x, p->glyph == U'≡');
  if (p != nullptr && p->glyph == U'∾') return join_cells(cx, frame_of_w, w, frame_of_x, x);
  if (p != nullptr && p->glyph == U'≍' && frame_of_w == frame_of_x && w.is_array() && x.is_array())
    return couple_cells(cx, frame_of_x, w, x);
  if (frame_of_w != 0 && frame_of_x != 0 && p != nullptr && cx.device == nullptr) {
    if (p->glyph == U'⊏') return select_from_each(cx, frame_of_w, w, frame_of_x, x);
    if (p->glyph == U'⌽') return rotate_each(cx, frame_of_w, w, frame_of_x, x);
  }
  if (frame_of_w != 0 || p == nullptr) return Value();
  if (Value there = cells_on_device(cx, p->glyph, w, frame_of_x, x); !there.is_absent()) return there;
  return bound_route(cx, p->glyph, w, frame_of_x, x);
}

namespace {

// Does what a primitive does to each row of a table.
std::uint64_t rows_of_table(Context& cx, const Derived& self, const Value& x) {
  const Array& a = x.array();
  if (a.rank() != 2 || a.length == 0 || !stays_here(cx, x)) return Value::absent_bits;
  Value shared = x;
  return primitive_route(cx, primitive_entry_of(self.f.function()).glyph, 1, shared).leak();
}

}  // namespace

void attach_direct_rows(Derived& d) {
  constexpr std::u32string_view routed = U"<⌽⍉∧∨⍋⍒⊏⊑»«≠=≡≍⥊";
  const PrimitiveFunctionEntry* p = primitive_entry(d.f);
  if (p != nullptr && routed.find(p->glyph) != std::u32string_view::npos) d.direct = rows_of_table;
}

Value column_route(Context& cx, const Value& f, const Value& x) {
  if (modifier_glyph(f) != U'⊸') return Value();
  const Derived& d = static_cast<const Derived&>(f.function());
  return column_route(cx, d.g, d.f, x);
}

Value column_route(Context& cx, const Value& f, const Value& w, const Value& x) {
  const PrimitiveFunctionEntry* p = primitive_entry(f);
  if (p == nullptr || (p->glyph != U'⊏' && p->glyph != U'⊑') || !x.is_array() || !is_plain_table(x.array()) || !stays_here(cx, x))
    return Value();
  std::size_t index;
  const Array& table = x.array();
  if (table.length == 0 || !finds(w, table.shape()[1], index)) return Value();
  return select_column(cx, index, table);
}

}  // namespace griddle::primitives
