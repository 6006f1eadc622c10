// Reverse and Rotate ⌽, Transpose and Reorder axes ⍉.
#include <algorithm>

#include "primitives/elements.h"
#include "primitives/functions.h"

namespace griddle::primitives {
namespace {

bool reverses_in_place(const Array& a) { return a.writable() && a.is_list() && a.type() != ElementType::bit; }

void reverse_in_place(Array& a) {
  auto run = [&]<class T>(T) { std::reverse(a.as<T>(), a.as<T>() + a.length); };
  switch (bits_of(a.type())) {
    case 8: return run(std::uint8_t{});
    case 16: return run(std::uint16_t{});
    case 32: return run(std::uint32_t{});
    default: return run(std::uint64_t{});
  }
}

}  // namespace

Value reverse(Context& cx, Value x) {
  if (rank_of(x) == 0) fail(cx, "Reverse: 𝕩 must have a rank of at least 1 (got " + kind_text(x) + ")");
  Array& a = x.array();
  if (a.cells() <= 1 || a.length == 0) return x;
  if (reverses_in_place(a)) {
    reverse_in_place(a);
    return x;
  }
  Ref<Array> out = make_like(cx.heap, a.type(), a);
  std::size_t cells = a.cells(), cell = a.cell_length();
  auto step = static_cast<std::ptrdiff_t>(cell);
  BoxAxis axes[2] = {{cells, step, -step}, {cell, 1, 1}};
  copy_box(*out, 0, a, (cells - 1) * cell, axes);
  return with_fill_like(cx.heap, to_value(std::move(out)), x);
}

namespace {

// Reads a rotation and reduces it to a place in an axis of length n. Any integral double will do, however large.
std::size_t read_rotation(Context& cx, const Value& v, std::size_t n) {
  double d = v.is_number() ? v.number() : NAN;
  if (!std::isfinite(d) || d != std::floor(d)) fail(cx, "Rotate: 𝕨 must consist of integers (got " + offender(v) + ")");
  if (n == 0) return 0;
  double r = std::fmod(d, static_cast<double>(n));
  return static_cast<std::size_t>(r < 0 ? r + static_cast<double>(n) : r);
}

// Copies a rotated array as boxes: each rotated axis falls into two pieces.
void copy_rotated(Array& to, const Array& from, std::span<const std::size_t> rotation) {
  std::span<const std::size_t> shape = from.shape();
  std::size_t axes = shape.size();
  std::ptrdiff_t steps[max_rank];
  row_major(shape, steps);
  std::vector<BoxAxis> box(axes);
  std::vector<std::size_t> split;  // axes with two pieces
  std::size_t to_start = 0, from_start = 0;
  for (std::size_t k = 0; k < axes; k++) {
    box[k] = {shape[k], steps[k], steps[k]};
    if (k < rotation.size() && rotation[k]) split.push_back(k);
  }
  // Each round takes one choice of pieces; axes with two pieces have at least two places, so there are no more rounds than
  // elements.
  std::vector<bool> second(split.size(), false);
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

}  // namespace

Value rotate(Context& cx, Value w, Value x) {
  if (rank_of(w) > 1) fail(cx, "Rotate: 𝕨 must be an integer or a list of integers (got shape " + shape_text(w) + ")");
  std::size_t count = length_of(w);
  if (count > rank_of(x))
    fail(cx, "Rotate: 𝕨 must not have more numbers than 𝕩 has axes (" + std::to_string(count) + " numbers, shape " +
                 shape_text(x) + ")");
  x = as_array(cx.heap, std::move(x));
  const Array& a = x.array();
  std::vector<std::size_t> rotation;
  for (std::size_t k = 0; k < count; k++)
    rotation.push_back(read_rotation(cx, w.is_array() ? element(w.array(), k) : w, a.shape()[k]));
  bool moves = std::any_of(rotation.begin(), rotation.end(), [](std::size_t r) { return r != 0; });
  if (!moves || a.length == 0) return x;
  Ref<Array> out = make_like(cx.heap, a.type(), a);
  copy_rotated(*out, a, rotation);
  return with_fill_like(cx.heap, to_value(std::move(out)), x);
}

Value transpose(Context& cx, Value x) {
  x = as_array(cx.heap, std::move(x));
  const Array& a = x.array();
  if (a.rank() <= 1) return x;
  Shape shape(a.shape().subspan(1));
  shape.push_back(a.cells());
  std::size_t rows = a.cell_length(), columns = a.cells();
  if (a.length == 0 || rows == 1 || columns == 1) return with_shape(cx.heap, std::move(x), shape);
  Ref<Array> out = make_array(cx.heap, a.type(), shape);
  BoxAxis axes[2] = {{rows, static_cast<std::ptrdiff_t>(columns), 1}, {columns, 1, static_cast<std::ptrdiff_t>(rows)}};
  copy_box(*out, 0, a, 0, axes);
  return with_fill_like(cx.heap, to_value(std::move(out)), x);
}

Value reorder_axes(Context& cx, Value w, Value x) {
  std::vector<std::size_t> order = read_naturals(cx, "Reorder axes: 𝕨", w);
  x = as_array(cx.heap, std::move(x));
  const Array& a = x.array();
  std::size_t rank = a.rank();
  if (order.size() > rank)
    fail(cx, "Reorder axes: 𝕨 must not have more numbers than 𝕩 has axes (" + std::to_string(order.size()) + " numbers, shape " +
                 shape_text(x) + ")");
  std::vector<bool> used(rank, false);
  std::size_t result_rank = rank;
  for (std::size_t k : order) {
    if (k >= rank)
      fail(cx, "Reorder axes: 𝕨 must consist of axes of 𝕩 (got " + std::to_string(k) + ", shape " + shape_text(x) + ")");
    if (used[k]) result_rank--;
    used[k] = true;
  }
  for (std::size_t k = result_rank; k < rank; k++)
    if (used[k])
      fail(cx, "Reorder axes: 𝕨 skips an axis of the result (got " + std::to_string(k) + " for a result of rank " +
                   std::to_string(result_rank) + ")");
  for (std::size_t k = 0; order.size() < rank; k++)
    if (!used[k]) order.push_back(k);

  std::ptrdiff_t steps[max_rank];
  row_major(a.shape(), steps);
  Shape shape;
  shape.resize(result_rank, max_length);
  std::vector<BoxAxis> axes(result_rank, BoxAxis{0, 0, 0});
  for (std::size_t k = 0; k < rank; k++) {
    shape[order[k]] = std::min(shape[order[k]], a.shape()[k]);
    axes[order[k]].from += steps[k];
  }
  bool same_order = true;
  for (std::size_t k = 0; k < rank; k++) same_order &= order[k] == k;
  if (same_order) return x;
  std::vector<std::ptrdiff_t> to(result_rank);
  row_major(shape, to.data());
  for (std::size_t k = 0; k < result_rank; k++) axes[k].length = shape[k], axes[k].to = to[k];
  Ref<Array> out = make_array(cx.heap, a.type(), shape);
  copy_box(*out, 0, a, 0, axes);
  return with_fill_like(cx.heap, to_value(std::move(out)), x);
}

}  // namespace griddle::primitives
