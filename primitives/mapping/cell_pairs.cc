// What primitives of two arguments do to pairs of cells.
#include "primitives/common/by_door.h"
#include "primitives/mapping/cell_routes.h"

#include <algorithm>

#include "primitives/common/element_reader.h"
#include "primitives/common/elements.h"
#include "primitives/common/plain.h"
#include "primitives/kernels/moves/replicate.h"
#include "primitives/kernels/moves/select.h"
#include "primitives/kernels/shared/bit_runs.h"
#include "primitives/structure/match.h"
#include "runtime/value/fill.h"
#include "runtime/vm/call.h"

namespace griddle::primitives {
namespace {

bool is_flat_array(const Value& v) { return v.is_array() && v.array().type() != ElementType::boxed; }

// Tells whether two frames agree; an empty one agrees with any.
bool frames_agree(std::size_t frame_of_w, const Value& w, std::size_t frame_of_x, const Value& x) {
  return frame_of_w == 0 || frame_of_x == 0 || same_shape(shape_of(w).first(frame_of_w), shape_of(x).first(frame_of_x));
}

// --- joining

// One argument of joining cells: cells of a frame, or one value that meets all of them.
struct JoinedCells {
  const Value& value;
  std::size_t frame;
  // Gives the length of the pieces, which are lists or atoms.
  std::size_t length() const { return rank_of(value) == frame ? 1 : shape_of(value)[frame]; }
  // Tells whether all is as joining atoms and lists of one kind needs it.
  bool fits() const {
    if (value.is_atom()) return value.is_number() || value.is_character();
    const Array& a = value.array();
    return a.rank() - frame <= 1 && a.type() != ElementType::boxed && has_plain_fill(a) && !a.data.elsewhere();
  }
  ElementType type() const { return value.is_atom() ? element_type_of(value) : value.array().type(); }
  void copy(Heap& heap, Array& to, std::size_t start, std::size_t rows, std::size_t step) const {
    const std::size_t row = length();
    if (to.type() == ElementType::boxed) return box(to.as<std::uint64_t>() + start, rows, step);
    const Value array = value.is_atom() ? enclose(heap, value) : value;
    const Value same = widened(heap, array, to.type());
    const auto piece = static_cast<std::ptrdiff_t>(row), distance = static_cast<std::ptrdiff_t>(step);
    const BoxAxis box[2] = {{rows, distance, frame != 0 ? piece : 0}, {row, 1, 1}};
    copy_box(to, start, same.array(), 0, box);
  }

 private:
  // Writes atoms as boxes, which own nothing.
  void box(std::uint64_t* to, std::size_t rows, std::size_t step) const {
    const ElementReader elements(value);
    const std::size_t row = length();
    for (std::size_t i = 0, from = 0; i < rows; i++, to += step, from += frame != 0 ? row : 0)
      for (std::size_t k = 0; k < row; k += ElementReader::block_size) elements.read_atoms(from + k, from + row, to + k);
  }
};

}  // namespace

Value join_cells(Context& cx, std::size_t frame_of_w, const Value& w, std::size_t frame_of_x, const Value& x) {
  const JoinedCells left{w, frame_of_w}, right{x, frame_of_x};
  if (!left.fits() || !right.fits() || (rank_of(w) == frame_of_w && rank_of(x) == frame_of_x)) return Value();
  if (!frames_agree(frame_of_w, w, frame_of_x, x)) return Value();
  Shape shape(frame_of_w != 0 ? shape_of(w).first(frame_of_w) : shape_of(x).first(frame_of_x));
  const std::size_t rows = product(shape), row = left.length() + right.length();
  if (rows == 0 || row == 0) return Value();
  shape.push_back(row);
  if (product(shape) > max_length) return Value();
  const ElementType type = griddle::common_type(left.type(), right.type());
  Ref<Array> result = make_array(cx.heap, type, shape);
  left.copy(cx.heap, *result, 0, rows, row);
  right.copy(cx.heap, *result, left.length(), rows, row);
  return to_value(std::move(result));
}

// --- matching

// Makes booleans in a shape, in whole words: told(i) says whether a result is 1, for one after the other.
template <class Told>
static Value told_of_each(Context& cx, std::span<const std::size_t> shape, Told told) {
  Ref<Array> result = make_array(cx.heap, ElementType::bit, shape);
  for (std::size_t i = 0; i < result->length; i += 64) {
    cx.check_interrupt();
    std::uint64_t word = 0;
    for (std::size_t j = i; j < std::min(i + 64, result->length); j++) word |= std::uint64_t{told(j)} << (j - i);
    result->as<std::uint64_t>()[i / 64] = word;
  }
  return to_value(std::move(result));
}

// On a device all elements are compared at once, and then those of each cell are folded.
static Value matched_there(Context& cx, std::size_t frame_of_w, Value w, std::size_t frame_of_x, Value x,
                           std::span<const std::size_t> frame, std::size_t length, bool same) {
  const Value equal = cell_route(cx, primitive_by<primitives::equal>(cx), frame_of_w, w, frame_of_x, x);
  if (cx.device == nullptr || equal.is_absent()) return Value();
  const Value rows = with_shape(cx.heap, equal, Shape{product(frame), length});
  const Value all = cx.device->reduce(cx, Device::Reduction::fold_rows, entry_by<logic_and>().name, rows);
  if (all.is_absent()) return all;
  const Value result = with_shape(cx.heap, all, frame);
  return same ? result : call(cx, primitive_by<span_not>(cx), result);
}

template <bool same>
static Value matched_cells(Context& cx, std::size_t frame_of_w, const Value& w, std::size_t frame_of_x, const Value& x) {
  if (!frames_agree(frame_of_w, w, frame_of_x, x)) return Value();
  const std::span<const std::size_t> frame = frame_of_w != 0 ? shape_of(w).first(frame_of_w) : shape_of(x).first(frame_of_x);
  const std::span<const std::size_t> cell = shape_of(w).subspan(frame_of_w);
  if (w.is_atom() || x.is_atom() || !same_shape(cell, shape_of(x).subspan(frame_of_x)))
    return filled(cx.heap, frame, Value(same ? 0 : 1));
  const Array &a = w.array(), &b = x.array();
  const std::size_t length = product(cell);
  if (a.type() == ElementType::boxed || b.type() == ElementType::boxed) return Value();
  if (a.data.elsewhere() || b.data.elsewhere())
    return length == 0 ? Value() : matched_there(cx, frame_of_w, w, frame_of_x, x, frame, length, same);
  if (a.type() != b.type()) return Value();
  const std::size_t step_w = frame_of_w != 0 ? length : 0, step_x = frame_of_x != 0 ? length : 0;
  return told_of_each(cx, frame, [&](std::size_t i) { return equal_runs(a, i * step_w, b, i * step_x, length) == same; });
}
Value match_cells(Context& cx, std::size_t frame_of_w, const Value& w, std::size_t frame_of_x, const Value& x) {
  return matched_cells<true>(cx, frame_of_w, w, frame_of_x, x);
}
Value unlike_cells(Context& cx, std::size_t frame_of_w, const Value& w, std::size_t frame_of_x, const Value& x) {
  return matched_cells<false>(cx, frame_of_w, w, frame_of_x, x);
}

// --- selecting

namespace {

// Makes places in all rows of indices into each row of n cells.
template <class T>
void write_places(std::int32_t* to, const T* from, std::size_t rows, std::size_t count, std::size_t n) {
  std::int32_t start = 0;
  for (std::size_t r = 0; r < rows; r++, start += static_cast<std::int32_t>(n))
    for (std::size_t i = 0; i < count; i++) {
      const std::int32_t index = static_cast<std::int32_t>(*from++);
      *to++ = index + start + (index < 0 ? static_cast<std::int32_t>(n) : 0);
    }
}
Value places_in_rows(Context& cx, const Array& indices, std::size_t rows, std::size_t n) {
  Array* const places = make_plain_list(cx.heap, ElementType::i32, indices.length);
  const std::size_t count = indices.length / rows;
  std::int32_t* const to = places->as<std::int32_t>();
  kernels::with_counts(indices.type(), indices.data, [&](const auto* from) { write_places(to, from, rows, count, n); });
  return Value(places);
}

}  // namespace

Value select_from_each(Context& cx, std::size_t frame_of_w, const Value& w, std::size_t frame_of_x, const Value& x) {
  constexpr std::size_t longest = std::size_t{1} << 30;
  if (!is_flat_array(w) || !is_flat_array(x) || rank_of(w) - frame_of_w > 1 || rank_of(x) == frame_of_x) return Value();
  const Array& a = x.array();
  if (!is_number(w.array().type()) || !has_plain_fill(a) || a.length == 0 || w.array().length == 0 || a.length > longest ||
      w.array().data.elsewhere() || a.data.elsewhere() || !frames_agree(frame_of_w, w, frame_of_x, x))
    return Value();
  const std::size_t n = a.shape()[frame_of_x], cell = product(a.shape().subspan(frame_of_x + 1));
  const Value indices = widened(cx.heap, w, std::max(w.array().type(), ElementType::i8));
  kernels::Indices checked{indices.array().type(), indices.array().data, indices.array().length};
  if (kernels::first_bad_index(checked, n) != checked.count) return Value();
  Shape shape(shape_of(w));
  shape.append(a.shape().subspan(frame_of_x + 1));
  if (shape.size() > max_rank || product(shape) > longest) return Value();
  const Value places = places_in_rows(cx, indices.array(), product(a.shape().first(frame_of_x)), n);
  Ref<Array> result = make_array(cx.heap, a.type(), shape);
  kernels::select_cells(bits_of(a.type()), result->data, 0, a.data, 0, a.length / cell, cell,
                        {ElementType::i32, places.array().data, places.array().length, false});
  return to_value(std::move(result));
}

// --- rotating

namespace {

void rotate_bytes(std::uint8_t* to, const std::uint8_t* from, std::size_t bytes, std::size_t first) {
  copy_piece(to, from + first, bytes - first);
  copy_piece(to + bytes - first, from, first);
}
void rotate_bits(std::uint64_t* to, const std::uint64_t* from, std::size_t at, std::size_t n, std::size_t first) {
  kernels::copy_bit_run(to, at, from, at + first, n - first);
  kernels::copy_bit_run(to, at + n - first, from, at, first);
}

// Gives how many of n places a rotation by d leaves out at first; n where d is no integer that is told exactly.
std::size_t first_after_rotation(double d, std::size_t n) {
  constexpr double exact = 1LL << 52;
  if (!(d >= -exact && d <= exact) || d != static_cast<double>(static_cast<std::int64_t>(d))) return n;
  const std::int64_t length = static_cast<std::int64_t>(n), rest = static_cast<std::int64_t>(d) % length;
  return static_cast<std::size_t>(rest < 0 ? rest + length : rest);
}

}  // namespace

Value rotate_each(Context& cx, std::size_t frame_of_w, const Value& w, std::size_t frame_of_x, const Value& x) {
  if (!is_flat_array(x) || rank_of(x) != frame_of_x + 1 || rank_of(w) != frame_of_w ||
      !frames_agree(frame_of_w, w, frame_of_x, x))
    return Value();
  const Array& a = x.array();
  const bool counted = w.is_array() ? is_number(w.array().type()) && !w.array().data.elsewhere() : w.is_number();
  if (!counted || !has_plain_fill(a) || a.length == 0 || a.data.elsewhere()) return Value();
  const std::size_t n = a.shape()[frame_of_x], rows = a.length / n, width = bits_of(a.type()) / 8;
  const ElementReader amounts(w);
  Ref<Array> result = make_array(cx.heap, a.type(), a.shape());
  if (width == 0 && a.length % 64 != 0) result->as<std::uint64_t>()[a.length / 64] = 0;
  for (std::size_t i = 0; i < rows; i++) {
    const std::size_t first = first_after_rotation(amounts[frame_of_w != 0 ? i : 0].number(), n);
    if (first == n) return Value();
    if (width == 0)
      rotate_bits(result->as<std::uint64_t>(), a.as<std::uint64_t>(), i * n, n, first);
    else
      rotate_bytes(result->data + i * n * width, a.data + i * n * width, n * width, first * width);
  }
  return to_value(std::move(result));
}

}  // namespace griddle::primitives
