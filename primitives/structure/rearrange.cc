// Reverse and Rotate ⌽, Transpose and Reorder axes ⍉.
#include <algorithm>

#include "primitives/common/elements.h"
#include "primitives/common/plain.h"
#include "primitives/functions.h"
#include "primitives/inverse/undo_structural.h"
#include "primitives/kernels/moves/move.h"
#include "primitives/structure/plain_structure.h"

namespace griddle::primitives {
namespace {

bool reverses_in_place(Array& a) { return a.writable() && a.is_list() && a.type() != ElementType::bit; }

constexpr std::size_t few_moved = 16;

// Copies a few whole elements in the other order.
void copy_reversed(Array& to, const Array& from) {
  const auto run = [&]<class T>(T) { std::reverse_copy(from.as<T>(), from.as<T>() + from.length, to.as<T>()); };
  switch (bits_of(from.type())) {
    case 8: return run(std::uint8_t{});
    case 16: return run(std::uint16_t{});
    case 32: return run(std::uint32_t{});
    default: run(std::uint64_t{});
  }
  if (to.type() == ElementType::boxed) share_elements(to, 0, to.length);
}

}  // namespace

Value reverse(Context& cx, Value x) {
  if (rank_of(x) == 2)
    if (Value reversed = reverse_plainly(cx, x); !reversed.is_absent()) return reversed;
  if (Value message = cells_refusal(cx, "Reverse", x); !message.is_absent()) fail_with(cx, std::move(message));
  Array& a = x.array();
  if (a.cells() <= 1 || a.length == 0) return x;
  if (reverses_in_place(a)) {
    kernels::reverse(bits_of(a.type()), a.data, a.data, a.length);
    return x;
  }
  Ref<Array> out = make_like(cx.heap, a.type(), a);
  if (a.is_list() && a.length <= few_moved && a.type() != ElementType::bit) {
    copy_reversed(*out, a);
    return with_fill_like(cx.heap, to_value(std::move(out)), x);
  }
  if (a.is_list() && a.type() != ElementType::bit && a.type() != ElementType::boxed) {
    kernels::reverse(bits_of(a.type()), out->data, a.data, a.length);
    return with_fill_like(cx.heap, to_value(std::move(out)), x);
  }
  std::size_t cells = a.cells(), cell = a.cell_length();
  auto step = static_cast<std::ptrdiff_t>(cell);
  BoxAxis axes[2] = {{cells, step, -step}, {cell, 1, 1}};
  copy_box(*out, 0, a, (cells - 1) * cell, axes);
  return with_fill_like(cx.heap, to_value(std::move(out)), x);
}

namespace {

// Reads a rotation, an integer of up to 63 bits, and reduces it to a place in an axis of length n.
Value rotation_refusal(Context& cx, const Value& v) {
  const double d = v.is_number() ? v.number() : NAN;
  if (std::fabs(d) < 9223372036854775808.0 && d == std::floor(d)) return Value();
  return make_string(cx.heap, "Rotate: 𝕨 must consist of integers (got " + offender(v) + ")");
}
std::size_t read_rotation(Context& cx, const Value& v, std::size_t n) {
  if (Value message = rotation_refusal(cx, v); !message.is_absent()) fail_with(cx, std::move(message));
  if (n == 0) return 0;
  const double r = std::fmod(v.number(), static_cast<double>(n));
  return static_cast<std::size_t>(r < 0 ? r + static_cast<double>(n) : r);
}

// Copies an array of which one axis is rotated a little, if so: all moves by as many places, and then what runs round each row is
// put right.
bool copy_shifted(Array& to, const Array& from, std::size_t places, std::size_t inner, std::size_t rotation) {
  constexpr std::size_t short_row = 256;
  const std::size_t row = places * inner, moved = rotation * inner, shift = std::min(moved, row - moved);
  if (row > short_row && 4 * shift > row) return false;
  const bool down = shift == moved;
  copy_run(to, down ? 0 : shift, from, down ? shift : 0, from.length - shift);
  const std::ptrdiff_t step = static_cast<std::ptrdiff_t>(row);
  const BoxAxis round[] = {{from.length / row, step, step}, {shift, 1, 1}};
  copy_box(to, down ? row - shift : 0, from, down ? 0 : row - shift, round);
  return true;
}

// Copies a rotated array as boxes: each rotated axis falls into two pieces.
void copy_rotated(Array& to, const Array& from, std::span<const std::size_t> rotation) {
  std::span<const std::size_t> shape = from.shape();
  std::size_t axes = shape.size();
  std::ptrdiff_t steps[max_rank];
  row_major(shape, steps);
  Few<BoxAxis> box(axes);
  Few<std::size_t> split;  // axes with two pieces
  std::size_t to_start = 0, from_start = 0;
  for (std::size_t k = 0; k < axes; k++) {
    box[k] = {shape[k], steps[k], steps[k]};
    if (k < rotation.size() && rotation[k]) split.push_back(k);
  }
  if (split.size() == 1) {
    const std::size_t k = split[0];
    if (copy_shifted(to, from, shape[k], static_cast<std::size_t>(steps[k]), rotation[k])) return;
  }
  // Each round takes one choice of pieces; axes with two pieces have at least two places, so there are no more rounds than
  // elements.
  Few<bool> second(split.size(), false);
  while (true) {
    to_start = from_start = 0;
    for (std::size_t i = 0; i < split.size(); i++) {
      std::size_t k = split[i], r = rotation[k], step = static_cast<std::size_t>(steps[k]);
      box[k].length = second[i] ? r : shape[k] - r;
      to_start += second[i] ? (shape[k] - r) * step : 0;
      from_start += second[i] ? 0 : r * step;
    }
    copy_box(to, to_start, from, from_start, box);
    std::size_t i = split.size();
    while (i > 0 && second[i - 1]) second[--i] = false;
    if (i == 0) return;
    second[i - 1] = true;
  }
}

Value rotated(Context& cx, const Value& w, Value x, bool back) {
  if (rank_of(w) > 1) fail(cx, "Rotate: 𝕨 must be an integer or a list of integers (got shape " + shape_text(w) + ")");
  std::size_t count = length_of(w);
  if (count > rank_of(x))
    fail(cx, "Rotate: 𝕨 must not have more numbers than 𝕩 has axes (" + std::to_string(count) + " numbers, shape " +
                 shape_text(x) + ")");
  x = as_array(cx.heap, std::move(x));
  const Array& a = x.array();
  Few<std::size_t> rotation;
  bool moves = false;
  for (std::size_t k = 0; k < count; k++) {
    std::size_t n = a.shape()[k], r = read_rotation(cx, w.is_array() ? element(w.array(), k) : w, n);
    rotation.push_back(back && r ? n - r : r);
    moves |= r != 0;
  }
  if (!moves || a.length == 0) return x;
  Ref<Array> out = make_like(cx.heap, a.type(), a);
  if (rotation.size() == 1) {
    const std::size_t moved = rotation[0] * a.cell_length();
    copy_run(*out, 0, a, moved, a.length - moved);
    copy_run(*out, a.length - moved, a, 0, moved);
  } else {
    copy_rotated(*out, a, rotation);
  }
  return with_fill_like(cx.heap, to_value(std::move(out)), x);
}

// Moves the first axes, `outer` places in all, behind the rest.
Value exchanged(Context& cx, Value x, std::size_t outer, const Shape& shape) {
  const Array& a = x.array();
  std::size_t inner = outer ? a.length / outer : 0;
  if (a.length == 0 || outer == 1 || inner == 1) return with_shape(cx.heap, std::move(x), shape);
  Ref<Array> out = make_array(cx.heap, a.type(), shape);
  BoxAxis axes[2] = {{inner, static_cast<std::ptrdiff_t>(outer), 1}, {outer, 1, static_cast<std::ptrdiff_t>(inner)}};
  copy_box(*out, 0, a, 0, axes);
  return with_fill_like(cx.heap, to_value(std::move(out)), x);
}

// Tells for each axis of 𝕩 which axis of the result it becomes; axes that 𝕨 leaves out take the unused ones in order.
Few<std::size_t> read_order(Context& cx, const Value& w, const Value& x) {
  Few<std::size_t> order = read_naturals(cx, "Reorder Axes: 𝕨", w);
  std::size_t rank = rank_of(x);
  if (order.size() > rank)
    fail(cx, "Reorder Axes: 𝕨 must not have more numbers than 𝕩 has axes (" + std::to_string(order.size()) + " numbers, shape " +
                 shape_text(x) + ")");
  Few<bool> used(rank, false);
  std::size_t result_rank = rank;
  for (std::size_t k : order) {
    if (k >= rank)
      fail(cx, "Reorder Axes: 𝕨 must consist of axes of 𝕩 (got " + std::to_string(k) + ", shape " + shape_text(x) + ")");
    if (used[k]) result_rank--;
    used[k] = true;
  }
  for (std::size_t k = result_rank; k < rank; k++)
    if (used[k])
      fail(cx, "Reorder Axes: 𝕨 skips an axis of the result (got " + std::to_string(k) + " for a result of rank " +
                   std::to_string(result_rank) + ")");
  for (std::size_t k = 0; order.size() < rank; k++)
    if (!used[k]) order.push_back(k);
  return order;
}

// Gives the array whose axis order[k] is axis k of 𝕩; where several go to one axis, the diagonal.
Value reordered(Context& cx, const Few<std::size_t>& order, Value x) {
  const Array& a = x.array();
  std::size_t rank = a.rank(), result_rank = 0;
  bool same_order = true;
  for (std::size_t k = 0; k < rank; k++) {
    same_order &= order[k] == k;
    result_rank = std::max(result_rank, order[k] + 1);
  }
  if (same_order) return x;
  std::ptrdiff_t steps[max_rank];
  row_major(a.shape(), steps);
  Shape shape;
  shape.resize(result_rank, max_length);
  Few<BoxAxis> axes(result_rank, BoxAxis{0, 0, 0});
  for (std::size_t k = 0; k < rank; k++) {
    shape[order[k]] = std::min(shape[order[k]], a.shape()[k]);
    axes[order[k]].from += steps[k];
  }
  Few<std::ptrdiff_t> to(result_rank);
  row_major(shape, to.data());
  for (std::size_t k = 0; k < result_rank; k++) {
    axes[k].length = shape[k];
    axes[k].to = to[k];
  }
  Ref<Array> out = make_array(cx.heap, a.type(), shape);
  copy_box(*out, 0, a, 0, axes);
  return with_fill_like(cx.heap, to_value(std::move(out)), x);
}

// Reorders axes as a short list says that names each of them once; absent for all else.
Value reorder_plainly(Context& cx, const Value& w, const Value& x) {
  constexpr std::size_t most_axes = 8;
  if (!w.is_array() || !x.is_array() || !stays_here(cx, x)) return Value();
  const Array &order = w.array(), &a = x.array();
  const std::size_t rank = a.rank();
  if (!order.is_list() || order.type() != ElementType::i8 || order.length != rank || rank > most_axes ||
      a.type() == ElementType::boxed || !has_plain_fill(a))
    return Value();
  std::size_t shape[most_axes];
  BoxAxis axes[most_axes];
  unsigned named = 0;
  std::ptrdiff_t step = 1;
  for (std::size_t k = rank; k-- > 0;) {
    const auto to = static_cast<std::size_t>(order.as<std::int8_t>()[k]);
    if (to >= rank || (named >> to & 1) != 0) return Value();
    named |= 1u << to;
    shape[to] = a.shape()[k];
    axes[to] = {shape[to], 0, step};
    step *= static_cast<std::ptrdiff_t>(shape[to]);
  }
  step = 1;
  for (std::size_t k = rank; k-- > 0;) {
    axes[k].to = step;
    step *= static_cast<std::ptrdiff_t>(shape[k]);
  }
  Ref<Array> out = make_array(cx.heap, a.type(), {shape, rank});
  kernels::copy_box(bits_of(a.type()), out->data, 0, a.data, 0, {axes, rank});
  return to_value(std::move(out));
}

}  // namespace

Value rotate_refusal(Context& cx, const Value& w, const Value& x) {
  if (w.is_absent()) return cells_refusal(cx, "Reverse", x);
  return w.is_atom() && rank_of(x) != 0 ? rotation_refusal(cx, w) : Value();
}

Value rotate(Context& cx, Value w, Value x) { return rotated(cx, w, std::move(x), false); }
Value undo_rotate(Context& cx, Value w, Value x) {
  if (rank_of(x) == 0) fail(cx, "Undo of Rotate: 𝕩 must have a rank of at least 1 (got " + kind_text(x) + ")");
  return rotated(cx, w, std::move(x), true);
}

Value transpose(Context& cx, Value x) {
  x = as_array(cx.heap, std::move(x));
  if (Value transposed = transpose_plainly(cx, x); !transposed.is_absent()) return transposed;
  const Array& a = x.array();
  if (a.rank() <= 1) return x;
  Shape shape(a.shape().subspan(1));
  shape.push_back(a.cells());
  std::size_t outer = a.cells();
  return exchanged(cx, std::move(x), outer, shape);
}

Value undo_transpose(Context& cx, Value x) {
  if (x.is_atom()) fail(cx, "Undo of Transpose: 𝕩 must be an array (got " + kind_text(x) + ")");
  const Array& a = x.array();
  if (a.rank() <= 1) return x;
  std::size_t last = a.shape().back();
  Shape shape{last};
  shape.append(a.shape().first(a.rank() - 1));
  return exchanged(cx, std::move(x), last ? product(shape) / last : 0, shape);
}

Value reorder_axes(Context& cx, Value w, Value x) {
  if (Value reordered = reorder_plainly(cx, w, x); !reordered.is_absent()) return reordered;
  x = as_array(cx.heap, std::move(x));
  const Few<std::size_t> order = read_order(cx, w, x);
  return reordered(cx, order, std::move(x));
}

Value undo_reorder_axes(Context& cx, Value w, Value x) {
  if (x.is_atom()) fail(cx, "Undo of Reorder Axes: 𝕩 must be an array (got " + kind_text(x) + ")");
  x = as_array(cx.heap, std::move(x));
  const Few<std::size_t> order = read_order(cx, w, x);
  Few<std::size_t> inverse(order.size(), order.size());
  for (std::size_t k = 0; k < order.size(); k++) {
    if (inverse[order[k]] != order.size())
      fail(cx, "Undo of Reorder Axes: 𝕨 must not repeat an axis (got " + std::to_string(order[k]) + " twice)");
    inverse[order[k]] = k;
  }
  return reordered(cx, inverse, std::move(x));
}

}  // namespace griddle::primitives
