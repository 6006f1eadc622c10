// Transpose and Reorder axes ⍉.
#include <algorithm>
#include <bit>

#include "primitives/common/by_door.h"
#include "primitives/common/plain.h"
#include "primitives/functions.h"
#include "primitives/inverse/undo.h"
#include "primitives/kernels/moves/transpose.h"
#include "primitives/kernels/shared/pieces.h"
#include "primitives/structure/cells_at_hand.h"
#include "runtime/vm/operand_error.h"

namespace griddle::primitives {
namespace {

// Makes room for elements that are written all over from the beginning on: to more than a few places by turns.
[[gnu::always_inline]] inline Ref<Array> room_for_reordered(Heap& heap, ElementType type, std::span<const std::size_t> shape) {
  constexpr std::size_t few_places = 32;
  Ref<Array> out = make_array(heap, type, shape);
  if (out->length > kernels::long_pass) [[unlikely]]
    if (shape.size() != 2 || std::min(shape[0], shape[1]) > few_places)
      kernels::touch_pages(out->data.get(), bytes_for(type, out->length));
  return out;
}

// Exchanges two axes, or groups of axes.
void copy_transposed(Array& to, const Array& from, std::size_t rows, std::size_t columns) {
  if (from.type() == ElementType::bit)
    kernels::transpose_bits(words_of(&to), 0, rows, words_of(&from), 0, columns, columns, rows);
  else
    kernels::transpose(bits_of(from.type()), to.data.here(), static_cast<std::ptrdiff_t>(rows), from.data.here(),
                       static_cast<std::ptrdiff_t>(columns), columns, rows);
}

template <class A>
std::uint64_t transpose_table(Heap& heap, A a) {
  const std::size_t rows = a->shape()[0], columns = a->shape()[1];
  if (rows == 1 || columns == 1) return declined;  // another shape of the same elements
  Array* const out = table_like(heap, a, columns, rows);
  if (out == nullptr) return declined;
  if constexpr (holds_boxes<A>) {
    for (std::size_t i = 0; i < columns; i++)
      for (std::size_t j = 0; j < rows; j++) words_of(out)[i * rows + j] = shared_box(words_of(a.array)[j * columns + i]);
  } else {
    copy_transposed(*out, a, rows, columns);
  }
  return bits_of_array(out);
}

std::uint64_t keep_one_axis(Heap&, AnyArray a) { return a->rank() <= 1 ? shared(a) : declined; }

constexpr MonadWay transpositions[] = {
    {"table", way<transpose_table<Table>>}, {"table of boxes", way<transpose_table<BoxTable>>}, {"one axis", way<keep_one_axis>}};

// Moves the first axes, `outer` places in all, behind the rest.
Value exchanged(Context& cx, Value x, std::size_t outer, const Shape& shape) {
  const Array& a = x.array();
  std::size_t inner = outer ? a.length / outer : 0;
  if (a.length == 0 || outer == 1 || inner == 1) return with_shape(cx.heap, std::move(x), shape);
  static_cast<void>(a.data.get());
  Ref<Array> out = room_for_reordered(cx.heap, a.type(), shape);
  CopiedElements copied(*out);
  copy_transposed(*out, a, outer, inner);
  copied.share();
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
  Ref<Array> out = room_for_reordered(cx.heap, a.type(), shape);
  copy_box(*out, 0, a, 0, axes);
  return with_fill_like(cx.heap, to_value(std::move(out)), x);
}

// Where the axes of an array go, if they are few: `turned` tells how many places those have that come first and are only
// exchanged with the others, or is 0.
struct FewAxes {
  static constexpr std::size_t most = 8;
  std::size_t rank = 0, turned = 0;
  std::size_t shape[most];
  BoxAxis axes[most];

  // False where the order is no list of bits or bytes, one for each axis, or where it leaves an axis of the result out.
  bool read(const Array& order, const Array& a) {
    const std::size_t given = a.rank();
    if (!order.is_list() || order.type() > ElementType::i8 || order.length != given || given - 1 >= most) return false;
    std::uint8_t to[most];
    if (order.type() == ElementType::bit)
      for (std::size_t k = 0; k < given; k++) to[k] = order.bit(k);
    else
      std::copy_n(order.as<std::uint8_t>(), given, to);
    const std::size_t* const lengths = a.shape().data();
    unsigned named = 0;
    std::size_t outer = 1;
    bool in_turn = to[0] != 0;
    std::ptrdiff_t step = 1;
    for (std::size_t k = given; k-- > 0;) {
      const std::size_t axis = to[k], length = lengths[k];
      if (axis >= given) return false;
      in_turn &= axis == to[0] + k || axis + given == to[0] + k;
      if (axis >= to[0]) outer *= length;
      if ((named >> axis & 1) != 0) {
        axes[axis].from += step;
        axes[axis].length = shape[axis] = std::min(shape[axis], length);
      } else {
        shape[axis] = length;
        axes[axis] = {length, 0, step};
      }
      named |= 1u << axis;
      step *= static_cast<std::ptrdiff_t>(length);
    }
    if ((named & (named + 1)) != 0) return false;
    rank = static_cast<std::size_t>(std::popcount(named));
    turned = in_turn ? outer : 0;
    step = 1;
    for (std::size_t k = rank; k-- > 0;) {
      axes[k].to = step;
      step *= static_cast<std::ptrdiff_t>(shape[k]);
    }
    return true;
  }
};

// Reorders axes of plain elements as a short list says; null for all else.
Array* reorder_plainly(Heap& heap, const Array& order, const Array& a) {
  FewAxes few;
  if (a.type() == ElementType::boxed || !has_plain_fill(a) || !few.read(order, a)) return nullptr;
  Ref<Array> out = room_for_reordered(heap, a.type(), {few.shape, few.rank});
  if (few.turned != 0 && a.length != 0)
    copy_transposed(*out, a, few.turned, a.length / few.turned);
  else
    kernels::copy_box(bits_of(a.type()), out->data, 0, a.data, 0, {few.axes, few.rank});
  return out.leak();
}
std::uint64_t reorder_few(Heap& heap, List order, AnyArray a) {
  if (a->length > longest_at_hand || a->data.elsewhere()) return declined;
  Array* const out = reorder_plainly(heap, order, a);
  return out != nullptr ? bits_of_array(out) : declined;
}
constexpr DyadWay reorderings[] = {{"few elements", way<reorder_few>}};

}  // namespace

constexpr MonadWays transpose_ways = monad_ways<transpositions>;
constexpr DyadWays reorder_axes_ways = dyad_ways<reorderings>;

Value transpose(Context& cx, Value x) {
  x = as_array(cx.heap, std::move(x));
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
  if (a.rank() == 2 && concerns_device(cx, x)) [[unlikely]]
    return call_primitive(cx, entry_by<reorder_axes>(), std::move(x));
  std::size_t last = a.shape().back();
  Shape shape{last};
  shape.append(a.shape().first(a.rank() - 1));
  return exchanged(cx, std::move(x), last ? product(shape) / last : 0, shape);
}

Value reorder_axes(Context& cx, Value w, Value x) {
  if (w.is_array() && x.is_array())
    if (Array* const reordered = reorder_plainly(cx.heap, w.array(), x.array())) return Value(reordered);
  x = as_array(cx.heap, std::move(x));
  const Few<std::size_t> order = on_operands(w, x, [&] { return read_order(cx, w, x); });
  return reordered(cx, order, std::move(x));
}

Value undo_reorder_axes(Context& cx, Value w, Value x) {
  if (x.is_atom()) fail(cx, "Undo of Reorder Axes: 𝕩 must be an array (got " + kind_text(x) + ")");
  x = as_array(cx.heap, std::move(x));
  const Few<std::size_t> order = on_operands(w, x, [&] { return read_order(cx, w, x); });
  Few<std::size_t> inverse(order.size(), order.size());
  for (std::size_t k = 0; k < order.size(); k++) {
    if (inverse[order[k]] != order.size())
      fail(cx, "Undo of Reorder Axes: 𝕨 must not repeat an axis (got " + std::to_string(order[k]) + " twice)");
    inverse[order[k]] = k;
  }
  return reordered(cx, inverse, std::move(x));
}

}  // namespace griddle::primitives
