// What primitives do to all cells of an array at once.
#include <cstring>

#include "primitives/arithmetic/dispatch.h"
#include "primitives/common/by_door.h"
#include "primitives/common/elements.h"
#include "primitives/common/indexing.h"
#include "primitives/common/pervasive.h"
#include "primitives/common/plain.h"
#include "primitives/common/small_integer.h"
#include "primitives/common/tuning.h"
#include "primitives/folds/fold.h"
#include "primitives/functions.h"
#include "primitives/kernels/booleans/bit_rows.h"
#include "primitives/kernels/moves/move.h"
#include "primitives/kernels/moves/replicate.h"
#include "primitives/kernels/moves/select.h"
#include "primitives/kernels/moves/shuffle_rows.h"
#include "primitives/kernels/shared/bit_runs.h"
#include "primitives/mapping/cell_routes.h"
#include "primitives/modifiers.h"
#include "primitives/order/ordered_rows.h"
#include "primitives/structure/replicate.h"
#include "primitives/structure/table_rows.h"
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
  if (a.rank() == 2 && axis == 1) [[likely]]
    return {a.shape()[0], a.shape()[1], 1};
  return {product(a.shape().first(axis)), a.shape()[axis], product(a.shape().subspan(axis + 1))};
}

Value selected_in_cells(Context& cx, std::size_t frame, std::size_t index, const Value& x) {
  const Array& a = x.array();
  if (is_plain_table(a) && frame == 1) return select_column(cx, index, a);
  Axis axis = axis_at(a, frame);
  Shape shape(a.shape().first(frame));
  shape.append(a.shape().subspan(frame + 1));
  Ref<Array> result = make_array(cx.heap, a.type(), shape);
  auto piece = static_cast<std::ptrdiff_t>(axis.inner);
  if (axis.inner == 1 && a.type() != ElementType::boxed) {
    take_column(*result, a, axis.length, index);
  } else {
    BoxAxis box[2] = {{axis.outer, piece, piece * static_cast<std::ptrdiff_t>(axis.length)}, {axis.inner, 1, 1}};
    copy_box(*result, 0, a, index * axis.inner, box);
  }
  return with_fill_like(cx.heap, to_value(std::move(result)), x);
}

// Takes the same few columns of each row of a plain table; absent where they are none of its columns, too.
Value select_few_columns(Context& cx, const Array& indices, const Value& x) {
  constexpr std::size_t most = 64, longest = max_length >> 7;
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
  Ref<Array> out = make_plain_table(cx.heap, a.type(), rows, indices.length);
  kernels::select_columns(bits_of(a.type()), out->data.here(), a.data, rows, columns, chosen, indices.length);
  return to_value(std::move(out));
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

// Keeps a run of the pieces of each cell; flat arrays alone.
Value keep_in_cells(Context& cx, std::size_t frame, KeptCells run, const Value& x) {
  const Array& a = x.array();
  const Axis axis = axis_at(a, frame);
  Shape shape(a.shape());
  shape[frame] = run.count;
  Ref<Array> result = make_array(cx.heap, a.type(), shape);
  const std::size_t from = run.start * axis.inner, step = axis.length * axis.inner, kept = run.count * axis.inner;
  if (a.type() == ElementType::bit) {
    keep_bits_in_rows(cx.heap, *result, a, step, from, kept);
  } else {
    const BoxAxis box[2] = {{axis.outer, static_cast<std::ptrdiff_t>(kept), static_cast<std::ptrdiff_t>(step)}, {kept, 1, 1}};
    copy_box(*result, 0, a, from, box);
  }
  return with_fill_like(cx.heap, to_value(std::move(result)), x);
}

// Takes or drops as many pieces of each cell as a number says, where each cell has them; absent otherwise.
// Gives the table at hand that an array is, whose rows are meant; or null.
const Array* short_table(const Value& x, std::size_t frame) { return frame == 1 ? plain_table(x.bits()) : nullptr; }

Value kept_in_cells(Context& cx, bool takes, const Value& w, std::size_t frame, const Value& x) {
  std::int64_t amount;
  const std::size_t length = shape_of(x)[frame];
  if (!w.to_integer(amount) || magnitude(amount) > length || x.array().type() == ElementType::boxed) return Value();
  const KeptCells kept = kept_cells(takes, amount, length);
  if (kept.count == 0) return Value();
  if (const Array* const table = short_table(x, frame))
    return Value::from_bits(table_part(cx.heap, Table{table}, {0, table->shape()[0]}, kept));
  return keep_in_cells(cx, frame, kept, x);
}

// Gives every cell a number.
Value constant_cells(Context& cx, std::size_t frame, const Value& x, std::size_t value) {
  return filled(cx.heap, shape_of(x).first(frame), Value(value));
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
  Ref<Array> out = make_plain_table(cx.heap, ElementType::bit, rows, row);
  auto* const bits = reinterpret_cast<std::uint64_t*>(out->data.here());
  kernels::copy_bits(bits, front ? 1 : 0, a.as<std::uint64_t>(), front ? 0 : 1, a.length - 1);
  set_in_rows(bits, front ? 0 : row - 1, row, rows, false);
  return to_value(std::move(out));
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

}  // namespace

Value folded_rows(Context& cx, const Value& f, std::size_t frame, Value& x) {
  const Array& a = x.array();
  std::size_t row = a.shape()[frame];
  std::size_t rows = a.length / row;
  if (const PrimitiveFunctionEntry* there = primitive_entry(f); there != nullptr && belongs_to_device(cx, x)) {
    const Value folded =
        cx.device->reduce(cx, Device::Reduction::fold_rows, there->name, with_shape(cx.heap, x, Shape{rows, row}));
    if (!folded.is_absent()) return with_shape(cx.heap, folded, a.shape().first(frame));
  }
  constexpr std::size_t longest_row = 64;
  if (rows < (row > longest_row ? 2 * row : tuning().rows_worth_columns)) return Value();
  Shape frame_shape(a.shape().first(frame));
  const bool swapped = combinator_by(f) == Combinator::swap;
  const PrimitiveFunctionEntry* entry = primitive_entry(swapped ? static_cast<const Derived&>(f.function()).f : f);
  const DyadRule* rule = entry != nullptr ? entry->dyad_rule : nullptr;
  if (rule != nullptr && has_plain_fill(a) && are_folded_by_columns(rows, row))
    if (Value folded = fold_columns(cx, *rule, swapped, x, rows); !folded.is_absent()) return with_frame(cx, frame_shape, folded);
  Value columns = transpose(cx, with_one_frame_axis(cx, frame, std::move(x)));
  Value insert = derived_by<insert_monad>(cx, f);
  return with_frame(cx, frame_shape, call(cx, insert, std::move(columns)));
}

// --- primitives with one argument

Value same_cells(Context&, std::size_t, Value& x) { return std::move(x); }
// Encloses every cell.
Value enclose_cells(Context& cx, std::size_t frame, Value& x) {
  if (rank_of(x) == frame) return Value();
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

Value reverse_cells(Context& cx, std::size_t frame, Value& x) {
  if (rank_of(x) == frame) return Value();
  const Array& a = x.array();
  const Axis axis = axis_at(a, frame);
  if (axis.inner == 1 && a.type() != ElementType::bit && a.type() != ElementType::boxed) {
    Ref<Array> result = make_plain_like(cx.heap, a.type(), a);
    kernels::reverse_rows(bits_of(a.type()), result->data, a.data, axis.length, axis.outer);
    return has_plain_fill(a) ? to_value(std::move(result)) : with_fill_like(cx.heap, to_value(std::move(result)), x);
  }
  Ref<Array> result = make_like(cx.heap, a.type(), a);
  auto piece = static_cast<std::ptrdiff_t>(axis.inner);
  std::ptrdiff_t cell = piece * static_cast<std::ptrdiff_t>(axis.length);
  BoxAxis box[3] = {{axis.outer, cell, cell}, {axis.length, piece, -piece}, {axis.inner, 1, 1}};
  copy_box(*result, 0, a, (axis.length - 1) * axis.inner, box);
  return with_fill_like(cx.heap, to_value(std::move(result)), x);
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

Value sort_cells_up(Context& cx, std::size_t frame, Value& x) {
  return rank_of(x) == frame ? Value() : sort_rows(cx, false, frame, x);
}
Value sort_cells_down(Context& cx, std::size_t frame, Value& x) {
  return rank_of(x) == frame ? Value() : sort_rows(cx, true, frame, x);
}
Value grade_cells_up(Context& cx, std::size_t frame, Value& x) {
  return rank_of(x) == frame ? Value() : grade_rows(cx, false, frame, x);
}
Value grade_cells_down(Context& cx, std::size_t frame, Value& x) {
  return rank_of(x) == frame ? Value() : grade_rows(cx, true, frame, x);
}
Value first_in_cells(Context& cx, std::size_t frame, Value& x) {
  return rank_of(x) == frame ? Value() : selected_in_cells(cx, frame, 0, x);
}
Value first_of_rows(Context& cx, std::size_t frame, Value& x) {
  return rank_of(x) == frame + 1 && is_flat(x) ? selected_in_cells(cx, frame, 0, x) : Value();
}
static Value nudged_cells(Context& cx, std::size_t frame, const Value& x, bool front) {
  const Array& a = x.array();
  if (a.rank() == frame || !has_plain_fill(a)) return Value();
  if (a.type() == ElementType::bit && frame == 1 && a.rank() == 2) return nudge_rows_of_bits(cx, a, front);
  return shift_in_cells(cx, frame, is_number(a.type()) ? Value(0.0) : Value::character(' '), front, x);
}
Value nudge_cells(Context& cx, std::size_t frame, Value& x) { return nudged_cells(cx, frame, x, true); }
Value nudge_cells_back(Context& cx, std::size_t frame, Value& x) { return nudged_cells(cx, frame, x, false); }
Value lengths_of_cells(Context& cx, std::size_t frame, Value& x) {
  return constant_cells(cx, frame, x, rank_of(x) == frame ? 1 : shape_of(x)[frame]);
}
Value ranks_of_cells(Context& cx, std::size_t frame, Value& x) { return constant_cells(cx, frame, x, rank_of(x) - frame); }
Value depths_of_cells(Context& cx, std::size_t frame, Value& x) { return is_flat(x) ? constant_cells(cx, frame, x, 1) : Value(); }
Value solo_cells(Context& cx, std::size_t frame, Value& x) {
  if (rank_of(x) == max_rank) return Value();
  Shape shape(shape_of(x).first(frame));
  shape.push_back(1);
  shape.append(shape_of(x).subspan(frame));
  return with_shape(cx.heap, std::move(x), shape);
}
Value ravel_cells(Context& cx, std::size_t frame, Value& x) {
  if (rank_of(x) == max_rank) return Value();
  Shape shape(shape_of(x).first(frame));
  shape.push_back(product(shape_of(x).subspan(frame)));
  return with_shape(cx.heap, std::move(x), shape);
}

// --- primitives with one left argument for all cells: a number, or a list of numbers

Value select_in_cells(Context& cx, const Value& w, std::size_t frame, Value& x) {
  const std::size_t cells = shape_of(x)[frame];
  if (rank_of(w) == 0) {
    std::size_t index;
    return finds(w.is_array() ? element(w.array(), 0) : w, cells, index) ? selected_in_cells(cx, frame, index, x) : Value();
  }
  if (frame == 1)
    if (Value selected = select_few_columns(cx, w.array(), x); !selected.is_absent()) return selected;
  const bool negative = check_indices(cx, "Select", w.array(), cells);
  return select_axis(cx, x, frame, w.array(), negative);
}
Value pick_from_rows(Context& cx, const Value& w, std::size_t frame, Value& x) {
  return rank_of(x) == frame + 1 && w.is_atom() && is_flat(x) ? select_in_cells(cx, w, frame, x) : Value();
}

// Rotates, takes or drops by numbers, of which the first are for the axes of the frame.
static Value on_all_cells(Context& cx, Dyad f, std::size_t for_frame, const Value& w, std::size_t frame, Value& x) {
  if (length_of(w) > rank_of(x) - frame) return Value();
  const Shape frame_shape(shape_of(x).first(frame));
  // What w does to a cell, ⟨entry⟩∾w does to an array of cells.
  Value numbers = join_to(cx, Value(for_frame), w);
  return with_frame(cx, frame_shape, f(cx, std::move(numbers), with_one_frame_axis(cx, frame, std::move(x))));
}
Value rotate_cells(Context& cx, const Value& w, std::size_t frame, Value& x) {
  constexpr std::size_t long_row = 512;  // bits
  if (length_of(w) == 1 && rank_of(x) == frame + 1 && shape_of(x)[frame] * bits_of(x.array().type()) >= long_row)
    if (Value rotated = rotate_each(cx, 0, w, frame, x); !rotated.is_absent()) return rotated;
  std::int64_t by;
  const Array* const table = w.to_integer(by) ? short_table(x, frame) : nullptr;
  if (table != nullptr && table->type() != ElementType::bit) return Value::from_bits(rotated_table(cx.heap, Table{table}, 0, by));
  return on_all_cells(cx, rotate, 0, w, frame, x);
}
Value take_in_cells(Context& cx, const Value& w, std::size_t frame, Value& x) {
  Value kept = kept_in_cells(cx, true, w, frame, x);
  return kept.is_absent() ? on_all_cells(cx, take, product(shape_of(x).first(frame)), w, frame, x) : kept;
}
Value drop_in_cells(Context& cx, const Value& w, std::size_t frame, Value& x) {
  Value kept = kept_in_cells(cx, false, w, frame, x);
  return kept.is_absent() ? on_all_cells(cx, drop, 0, w, frame, x) : kept;
}
static Value shift_rows(Context& cx, const Value& w, std::size_t frame, const Value& x, bool front) {
  const Array& a = x.array();
  const bool numbers = a.rank() == frame + 1 && w.is_number() && is_number(a.type()) && has_plain_fill(a);
  return numbers ? shift_in_cells(cx, frame, w, front, x) : Value();
}
Value shift_before_rows(Context& cx, const Value& w, std::size_t frame, Value& x) { return shift_rows(cx, w, frame, x, true); }
Value shift_after_rows(Context& cx, const Value& w, std::size_t frame, Value& x) { return shift_rows(cx, w, frame, x, false); }
// Gives the windows of so many elements in each row of a flat array; absent where there is none.
Value windows_in_rows(Context& cx, const Value& w, std::size_t frame, Value& x) {
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

Value replicate_in_cells(Context& cx, const Value& w, std::size_t frame, Value& x) {
  if (length_of(w) == 0) return Value();  // no axes rather than no counts
  if (const Array* const table = short_table(x, frame), * const marks = plain_list(w.bits());
      table != nullptr && marks != nullptr)
    if (Value kept = Value::from_bits(marked_columns(cx.heap, Table{table}, List{marks})); !kept.is_absent()) return kept;
  const Shape frame_shape(shape_of(x).first(frame));
  if (rank_of(x) > frame && (w.is_atom() || w.array().type() != ElementType::boxed))
    return with_frame(cx, frame_shape, replicate_axis(cx, w, with_one_frame_axis(cx, frame, std::move(x)), 1));
  Value counts = make_pair(cx.heap, enclose(cx.heap, Value(1)), w);
  return with_frame(cx, frame_shape, replicate(cx, std::move(counts), with_one_frame_axis(cx, frame, std::move(x))));
}

// --- pairs of cells

// Puts each cell of w before that of x.
Value couple_cells(Context& cx, std::size_t frame_of_w, const Value& w, std::size_t frame, const Value& x) {
  if (frame_of_w != frame || !w.is_array() || !x.is_array()) return Value();
  const std::span<const std::size_t> shape = shape_of(x);
  if (!same_shape(shape_of(w), shape) || length_of(x) == 0) return Value();
  const bool there = belongs_to_device(cx, w, x);
  if (there)
    if (Value coupled = cx.device->cells(cx, entry_by<couple>().name, w, x, frame); !coupled.is_absent()) return coupled;
  Shape rows(shape.first(frame));
  rows.push_back(product(shape.subspan(frame)));
  Value joined = join_cells(cx, frame, with_shape(cx.heap, w, rows), frame, with_shape(cx.heap, x, rows));
  if (joined.is_absent()) return joined;
  Shape result(shape.first(frame));
  result.push_back(2);
  result.append(shape.subspan(frame));
  return with_shape(cx.heap, std::move(joined), result);
}

}  // namespace griddle::primitives
