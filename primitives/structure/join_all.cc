// Join ∾: the elements of one array.
#include <algorithm>
#include <vector>

#include "primitives/common/plain.h"
#include "primitives/common/tuning.h"
#include "primitives/functions.h"
#include "primitives/kernels/shared/pieces.h"
#include "primitives/structure/side_by_side.h"
#include "runtime/vm/operand_error.h"

namespace griddle::primitives {

// --- join: ways

namespace {

// Joins lists of numbers, or of characters; the absent value for all else.
Value join_flat_lists(Context& cx, const Value& x) {
  FlatLists all;
  if (!is_boxed(x) || !x.array().is_list() || x.array().length == 0 || x.array().data.elsewhere()) return Value();
  if (!survey_flat_lists(x.array().boxes(), all)) return Value();
  Value list(make_plain_list(cx.heap, all.type, all.total));
  lay_out(list.array(), x.array().boxes(), all);
  return list;
}

std::uint64_t join_all_boxes(Heap& heap, Boxes a) {
  JoinedFill fill(words_of(a.array)[0]);
  std::size_t total = 0;
  bool has_boxes = false, has_list = false;
  for (std::size_t i = 0; i < a->length; i++) {
    const Joined one(words_of(a.array)[i]);
    if (one.length == 0) return declined;
    has_boxes |= one.has_boxes();
    has_list |= one.list != nullptr;
    if (i != 0) fill.add(words_of(a.array)[i]);
    total += one.length;
  }
  // Units alone have no axis along which they could be joined.
  if (!has_boxes || !has_list || !fill.is_known() || total > most_boxes_at_hand) return declined;
  Array* const out = boxes_with_fill(heap, fill.kind(), nullptr, total, 1, false);
  std::uint64_t* to = words_of(out);
  for (std::size_t i = 0; i < a->length; i++) {
    const Joined one(words_of(a.array)[i]);
    one.share_with(to);
    to += one.length;
  }
  return bits_of_array(out);
}

// Joins such lists where empty ones of no known fill, or of numbers, stand between them: these have no say but as the first.
std::uint64_t join_over_nothing(Heap& heap, Boxes x) {
  const auto holds_nothing = [](const Array& a) {
    return a.length == 0 && is_any(a.fill_kind(), FillKind::none, FillKind::zero);
  };
  const Array* some = nullptr;
  ElementType type = ElementType::bit;
  std::size_t total = 0;
  for (const Value& v : x->boxes()) {
    if (!v.is_array() || !v.array().is_list() || v.array().data.elsewhere()) return declined;
    const Array& a = v.array();
    if (holds_nothing(a)) continue;
    if (!is_plain_list(a) || (some != nullptr && is_number(a.type()) != is_number(some->type()))) return declined;
    type = some == nullptr ? a.type() : std::max(type, a.type());
    some = &a;
    total += a.length;
  }
  const Array& first = x->boxes()[0].array();
  const bool no_fill = holds_nothing(first) && first.fill_kind() == FillKind::none;
  if (some == nullptr || (holds_nothing(first) && !no_fill && !is_number(type))) return declined;
  Array* const list = make_plain_list(heap, type, total);
  std::size_t at = 0;
  for (const Value& v : x->boxes()) {
    const Array& a = v.array();
    if (a.length != 0) copy_elements(*list, at, a, 0, a.length);
    at += a.length;
  }
  if (no_fill) list->set_fill_kind(FillKind::none);
  return bits_of_array(list);
}
// Joins lists of numbers and numbers, or lists of characters and characters.
std::uint64_t join_lists_and_atoms(Heap& heap, Boxes x) {
  ElementType type = ElementType::bit;
  std::size_t total = 0;
  bool has_list = false, has_number = false, has_character = false;
  for (const Value& v : x->boxes()) {
    const bool is_list = v.is_array();
    if (is_list ? !is_plain_list(v.array()) || v.array().length == 0 || v.array().data.elsewhere()
                : !(v.is_number() || v.is_character()))
      return declined;
    has_list |= is_list;
    const ElementType own = type_of(v);
    (is_number(own) ? has_number : has_character) = true;
    type = std::max(type, own);
    total += is_list ? v.array().length : 1;
  }
  if (!has_list || (has_number && has_character)) return declined;
  Array* const list = make_plain_list(heap, type, total);
  std::size_t at = 0;
  for (const Value& v : x->boxes()) {
    copy_value(*list, at, v);
    at += v.is_array() ? v.array().length : 1;
  }
  return bits_of_array(list);
}
std::uint64_t join_none(Heap& heap, EmptyList a) {
  if (a->type() != ElementType::boxed) return declined;
  if (a->fill_kind() == FillKind::none) return shared(a);
  if (a->fill_kind() != FillKind::nested) return declined;
  const Value fill = a->nested_fill();
  if (!fill.is_array() || !is_plain_list(fill.array())) return declined;
  return bits_of_array(make_plain_list(heap, fill.array().type(), 0));
}

constexpr MonadWay joins[] = {{"lists", way<join_flat_lists>},
                              {"lists of boxes", way<join_all_boxes>},
                              {"lists and atoms", way<join_lists_and_atoms>},
                              {"lists and nothing", way<join_over_nothing>},
                              {"no lists", way<join_none>}};

}  // namespace

constexpr MonadWays join_ways = monad_ways<joins>;

// --- join: any arguments

namespace {

// `passes_over_nothing`: see Common.
Value join_list(Context& cx, const Value& x, bool passes_over_nothing) {
  std::span<const Value> elements = x.array().boxes();
  if (Value list = join_flat_lists(cx, x); !list.is_absent()) return list;
  unsigned rank = 0;
  for (const Value& v : elements) rank = std::max(rank, rank_of(v));
  if (rank == 0) fail(cx, "Join: Some element of 𝕩 must have a rank of at least that of 𝕩 (1), but all are units");
  std::span<const std::size_t> cell;
  bool known = false;
  std::size_t count = 0;
  Common common(cx.heap, passes_over_nothing);
  kernels::ElementsDone done;
  for (const Value& v : elements) {
    done.add(1);
    unsigned r = rank_of(v);
    if (rank - r > 1)
      fail(cx, "Join: Ranks of elements must differ by at most 1 (shape " + shape_text(v) + " beside rank " +
                   std::to_string(rank) + ")");
    std::span<const std::size_t> s = r == rank ? shape_of(v).subspan(1) : shape_of(v);
    if (!known) {
      cell = s;
      known = true;
    } else if (!same_shape(s, cell)) {
      fail(cx, "Join: Cells of the elements must have equal shapes (" + shape_text(cell) + " and " + shape_text(s) + ")");
    }
    count += r == rank ? v.array().cells() : 1;
    common.add(v);
  }
  Shape shape{count};
  shape.append(cell);
  checked_length(cx, "Join", shape);
  Ref<Array> out = make_array(cx.heap, common.type(), shape);
  std::size_t at = 0;
  for (const Value& v : elements) {
    copy_value(*out, at, v);
    at += length_of(v);
    done.add(length_of(v));
  }
  return with_fill(cx.heap, to_value(std::move(out)), common.fill());
}

Value join_empty(Context& cx, Value x) {
  Value fill = fill_of(cx.heap, x);
  if (fill.is_absent()) return x;
  if (!fill.is_array() && rank_of(x) == 1) return with_fill(cx.heap, std::move(x), Value());
  std::span<const std::size_t> outer = shape_of(x), inner = shape_of(fill);
  if (inner.size() < outer.size())
    fail(cx,
         "Join: Rank of the fill must be at least that of the empty 𝕩 (fill " + shape_text(fill) + ", 𝕩 " + shape_text(x) + ")");
  Shape shape;
  for (std::size_t k = 0; k < inner.size(); k++) {
    std::size_t length = inner[k];
    if (k < outer.size() && __builtin_mul_overflow(length, outer[k], &length)) length = max_length + 1;
    shape.push_back(length);
  }
  checked_length(cx, "Join", shape);
  Ref<Array> out = make_array(cx.heap, fill.array().type(), shape);
  return with_fill_like(cx.heap, to_value(std::move(out)), fill);
}

// What the positions along one axis of 𝕩 contribute to the result.
struct JoinedAxis {
  std::vector<bool> present;        // whether elements there have this axis
  std::vector<std::size_t> length;  // 1 where they do not
  std::vector<std::size_t> start;   // where they begin in the result
  std::size_t total = 0;
};

// Reads the axis from the elements at (0,…,k,…,0). `before` is the number of its axes that belong to earlier axes of 𝕩.
JoinedAxis read_axis(Context& cx, std::span<const Value> elements, std::size_t step, std::size_t positions, std::size_t before) {
  JoinedAxis axis;
  unsigned rank = 0;
  for (std::size_t k = 0; k < positions; k++) rank = std::max(rank, rank_of(elements[k * step]));
  for (std::size_t k = 0; k < positions; k++) {
    const Value& v = elements[k * step];
    if (rank - rank_of(v) > 1)
      fail(cx, "Join: Ranks of elements along an axis must differ by at most 1 (shape " + shape_text(v) + " beside rank " +
                   std::to_string(rank) + ")");
    bool present = rank_of(v) == rank;
    if (present && before >= rank) fail(cx, "Join: Ranks of the elements are too small for 𝕩's (shape " + shape_text(v) + ")");
    axis.present.push_back(present);
    axis.length.push_back(present ? shape_of(v)[before] : 1);
    axis.start.push_back(axis.total);
    axis.total += axis.length.back();
  }
  return axis;
}

Value join_blocks(Context& cx, const Value& x) {
  const Array& a = x.array();
  std::span<const Value> elements = a.boxes();
  std::size_t outer = a.rank();
  std::ptrdiff_t steps[max_rank];
  row_major(a.shape(), steps);
  std::vector<JoinedAxis> axes;
  std::size_t before = 0;
  for (std::size_t j = 0; j < outer; j++) {
    axes.push_back(read_axis(cx, elements, static_cast<std::size_t>(steps[j]), a.shape()[j], before));
    before += axes.back().present[0];
  }
  std::span<const std::size_t> trailing = shape_of(elements[0]).subspan(before);
  Shape shape;
  for (const JoinedAxis& axis : axes) shape.push_back(axis.total);
  shape.append(trailing);
  checked_length(cx, "Join", shape);

  Common common(cx.heap, true);
  std::vector<std::size_t> index(outer, 0);
  auto advance = [&] {
    for (std::size_t k = outer; k-- > 0 && ++index[k] == a.shape()[k];) index[k] = 0;
  };
  for (const Value& v : elements) {
    Shape expected;
    for (std::size_t j = 0; j < outer; j++)
      if (axes[j].present[index[j]]) expected.push_back(axes[j].length[index[j]]);
    expected.append(trailing);
    if (!same_shape(expected, shape_of(v)))
      fail(cx, "Join: Element shapes must agree along the axes of 𝕩 (expected " + shape_text(expected) + ", got " +
                   shape_text(v) + ")");
    common.add(v);
    advance();
  }

  Ref<Array> out = make_array(cx.heap, common.type(), shape);
  std::vector<std::ptrdiff_t> to(shape.size());
  row_major(shape, to.data());
  for (const Value& v : elements) {
    std::size_t start = 0;
    std::vector<BoxAxis> box;
    std::ptrdiff_t from[max_rank];
    row_major(shape_of(v), from);
    std::size_t own = 0;
    for (std::size_t j = 0; j < outer; j++) {
      start += axes[j].start[index[j]] * static_cast<std::size_t>(to[j]);
      if (axes[j].present[index[j]]) box.push_back({axes[j].length[index[j]], to[j], from[own]}), own++;
    }
    for (std::size_t j = 0; j < trailing.size(); j++) box.push_back({trailing[j], to[outer + j], from[own + j]});
    if (length_of(v)) {
      Value same = widened(cx.heap, as_array(cx.heap, v), common.type());
      copy_box(*out, start, same.array(), 0, box);
    }
    advance();
  }
  return with_fill(cx.heap, to_value(std::move(out)), common.fill());
}

// Joins a table of tables of plain numbers or characters; the absent value where shapes do not agree, or for others.
Value joined_table_of_tables(Context& cx, const Value& x) {
  const Array& a = x.array();
  const std::size_t rows = a.shape()[0], columns = a.shape()[1];
  constexpr std::size_t most = 16;
  if (rows > most || columns > most) return Value();
  const std::span<const Value> elements = a.boxes();
  std::size_t heights[most], widths[most], height = 0, width = 0;
  ElementType type = ElementType::bit;
  for (std::size_t i = 0; i < elements.size(); i++) {
    if (!elements[i].is_array()) return Value();
    const Array& e = elements[i].array();
    const std::size_t row = i / columns, column = i % columns;
    if (e.rank() != 2 || e.type() == ElementType::boxed || !has_plain_fill(e) || e.data.elsewhere()) return Value();
    if (i == 0) type = e.type();
    if (is_number(e.type()) != is_number(type)) return Value();
    type = common_type(type, e.type());
    if (column == 0) height += heights[row] = e.shape()[0];
    if (row == 0) width += widths[column] = e.shape()[1];
    if (e.shape()[0] != heights[row] || e.shape()[1] != widths[column]) return Value();
  }
  constexpr std::size_t longest = std::size_t{1} << 24;
  if (height == 0 || width == 0 || height > longest / width) return Value();
  Value result(make_plain_table(cx.heap, type, height, width));
  Array& to = result.array();
  std::size_t start = 0;
  for (std::size_t i = 0; i < elements.size(); i++) {
    const Array& e = elements[i].array();
    const std::size_t length = e.shape()[1];
    const BoxAxis rows_of_it[] = {{e.shape()[0], static_cast<std::ptrdiff_t>(width), static_cast<std::ptrdiff_t>(length)},
                                  {length, 1, 1}};
    copy_box(to, start, widened(cx.heap, elements[i], type).array(), 0, rows_of_it);
    start += length;
    if ((i + 1) % columns == 0) start += (e.shape()[0] - 1) * width;
  }
  return result;
}

}  // namespace

bool some_list_is_there(Context& cx, const Array& lists) {
  constexpr std::size_t few = 16;
  const std::span<const Value> boxes = lists.boxes();
  return std::any_of(boxes.begin(), boxes.begin() + static_cast<std::ptrdiff_t>(boxes.size() <= few ? boxes.size() : 1),
                     [&](const Value& v) { return belongs_to_device(cx, v); });
}

Value join(Context& cx, Value x) {
  if (x.is_atom()) fail(cx, "Join: 𝕩 must be an array (got " + kind_text(x) + ")");
  const Array& a = x.array();
  if (a.rank() == 0) return merge(cx, std::move(x));
  if (a.length == 0) return join_empty(cx, std::move(x));
  if (a.type() != ElementType::boxed)
    fail(cx,
         "Join: Some element of 𝕩 must have a rank of at least that of 𝕩 (" + std::to_string(a.rank()) + "), but all are atoms");
  if (a.rank() == 1) {
    if (uses_device(cx) && some_list_is_there(cx, a)) [[unlikely]]
      if (Value there = cx.device->monad(cx, Glyph::join, x); !there.is_absent()) return there;
    return on_operands(Value(), x, [&] { return join_list(cx, x, true); });
  }
  if (a.rank() == 2)
    if (Value joined = joined_table_of_tables(cx, x); !joined.is_absent()) return joined;
  return on_operands(Value(), x, [&] { return join_blocks(cx, x); });
}

Value join_one_by_one(Context& cx, Value x) { return x.array().type() == ElementType::boxed ? join_list(cx, x, false) : x; }

}  // namespace griddle::primitives
