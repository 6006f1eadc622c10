// Merge >, Join and Join to ∾, Couple ≍, Enlist and Pair ⋈, Enclose <.
#include <algorithm>
#include <bit>
#include <cstring>

#include "primitives/common/elements.h"
#include "primitives/common/plain.h"
#include "primitives/functions.h"
#include "primitives/kernels/shared/bit_runs.h"
#include "primitives/mapping/units.h"
#include "primitives/structure/boxes_at_hand.h"
#include "primitives/structure/list_structure.h"
#include "primitives/structure/match.h"
#include "primitives/structure/plain_structure.h"
#include "primitives/structure/short_structure.h"
#include "runtime/value/append.h"

namespace griddle::primitives {

Value enclose_value(Context& cx, Value x) { return enclose(cx.heap, std::move(x)); }

namespace {

// Makes a list of arrays that all have the prototype of the first.
Value list_of_like(Context& cx, std::span<Value> arrays) {
  Ref<Array> list = make_list(cx.heap, ElementType::boxed, arrays.size());
  for (std::size_t i = 0; i < arrays.size(); i++) new (list->as<Value>() + i) Value(std::move(arrays[i]));
  list->flags = static_cast<std::uint8_t>(FillKind::of_first);
  return to_value(std::move(list));
}

}  // namespace

Value enlist(Context& cx, Value x) {
  if (!x.is_array()) return make_values(cx.heap, {&x, 1});
  return list_of_like(cx, {&x, 1});
}

Value pair(Context& cx, Value w, Value x) {
  if (!w.is_array() || !x.is_array() || !same_shape(shape_of(w), shape_of(x)))
    return make_pair(cx.heap, std::move(w), std::move(x));
  if (prototypes_alike(w.bits(), x.bits()) == Alike::yes) {
    Value both[2] = {std::move(w), std::move(x)};
    return list_of_like(cx, both);
  }
  Value fill = prototype(cx.heap, w);
  if (!fill.is_absent()) {
    Value other = prototype(cx.heap, x);
    if (other.is_absent() || !matches(cx, fill, other)) fill = Value();
  }
  return with_fill(cx.heap, make_pair(cx.heap, std::move(w), std::move(x)), fill);
}

namespace {

ElementType type_of(const Value& v) { return v.is_array() ? v.array().type() : element_type_of(v); }

// Copies the elements of a value, an atom being one element. Boxed targets hold no objects there yet.
void copy_value(Array& to, std::size_t at, const Value& v) {
  if (v.is_array())
    copy_run(to, at, v.array(), 0, v.array().length);
  else
    fill_run(to, at, 1, v);
}

// Finds the type and the fill that elements of many values have in common. The values outlive it.
class Common {
 public:
  // `passes_over_nothing`: empty arrays that could hold numbers as well as nothing known have no say, unless they come first.
  explicit Common(Heap& heap, bool passes_over_nothing = false) : heap_(heap), passes_over_nothing_(passes_over_nothing) {}
  void add(const Value& v) {
    ElementType t = type_of(v);
    FillKind kind = v.is_array()      ? v.array().fill_kind()
                    : is_number(t)    ? FillKind::zero
                    : is_character(t) ? FillKind::space
                                      : FillKind::none;
    if (first_ != nullptr) {
      // Empty arrays hold nothing that would need their type.
      if (length_of(v)) {
        type_ = typed_ ? common_type(type_, t) : t;
        typed_ = true;
      } else if (passes_over_nothing_ && (kind == FillKind::none || kind == FillKind::zero)) {
        return;
      }
      if (kind == kind_ && kind != FillKind::nested && kind != FillKind::of_first) return;
      if (kind_ == FillKind::none) return;
      fill_ = common_fill(heap_, *first_, v);
      if (fill_.is_absent()) kind_ = FillKind::none;
      return;
    }
    first_ = &v;
    kind_ = kind;
    type_ = t;
    typed_ = length_of(v) != 0;
  }
  ElementType type() const { return type_; }
  Value fill() const {
    if (kind_ == FillKind::none) return Value();
    return fill_.is_absent() ? fill_of(heap_, *first_) : fill_;
  }

 private:
  Heap& heap_;
  bool passes_over_nothing_;
  const Value* first_ = nullptr;
  bool typed_ = false;
  ElementType type_ = ElementType::bit;
  FillKind kind_ = FillKind::none;
  Value fill_;  // absent where it is that of the first
};

// What flat lists of one family with the plain fill have in common.
struct FlatLists {
  ElementType type = ElementType::bit;  // that holds all elements
  bool of_one_type = true;
  std::size_t total = 0;
  std::size_t first = 0;  // length of the first one
  bool of_equal_length = true;
};

// Looks over a list of such lists; false where something else is among them.
bool survey_flat_lists(std::span<const Value> lists, FlatLists& all) {
  FlatLists found;          // in registers
  std::uint32_t usual = 0;  // how the first list is described
  for (const Value& v : lists) {
    if (!v.is_array()) return false;
    const Array& a = v.array();
    if (a.data.elsewhere()) return false;
    const std::uint32_t described = PlainList::described(a);
    if (described != usual) {
      if (!is_plain_list(a) || (usual != 0 && is_number(a.type()) != is_number(found.type))) return false;
      if (usual == 0)
        usual = described, found.first = a.length, found.type = a.type();
      else
        found.of_one_type = false;
    }
    found.of_equal_length &= a.length == found.first;
    found.total += a.length;
  }
  // Empty lists hold nothing that would need their type.
  if (!found.of_one_type && found.total != 0) {
    found.type = ElementType::bit;
    for (const Value& v : lists)
      if (v.array().length != 0) found.type = std::max(found.type, v.array().type());
  }
  all = found;
  return found.total <= max_length;
}

// Copies lists of equally many bytes, each by its first and its last few.
template <std::size_t few>
void copy_by_ends(std::uint8_t* to, std::span<const Value> lists, std::size_t bytes) {
  for (const Value& v : lists) {
    const std::uint8_t* from = v.array().data.here();
    unsigned char first[few], last[few];
    std::memcpy(first, from, few);
    std::memcpy(last, from + bytes - few, few);
    std::memcpy(to, first, few);
    std::memcpy(to + bytes - few, last, few);
    to += bytes;
  }
}

// Copies lists of elements of 2⋆shift bytes one after the other, `whole` bytes in all.
void copy_lists(std::uint8_t* to, std::span<const Value> lists, const FlatLists& all, unsigned shift, std::size_t whole) {
  constexpr std::size_t most_by_ends = 64;
  if (const std::size_t bytes = all.first << shift; all.of_equal_length && bytes != 0 && bytes <= most_by_ends) {
    switch (std::bit_floor(bytes)) {
      case 1: return copy_by_ends<1>(to, lists, bytes);
      case 2: return copy_by_ends<2>(to, lists, bytes);
      case 4: return copy_by_ends<4>(to, lists, bytes);
      case 8: return copy_by_ends<8>(to, lists, bytes);
      case 16: return copy_by_ends<16>(to, lists, bytes);
      default: return copy_by_ends<32>(to, lists, bytes);
    }
  }
  for (const Value& v : lists) {
    const std::size_t bytes = v.array().length << shift;
    copy_piece(to, v.array().data.here(), bytes, whole);
    to += bytes;
  }
}

// Puts flat lists one after the other into an array of that many elements.
Value laid_out(const std::span<const Value> lists, const FlatLists& all, Ref<Array> out) {
  std::size_t at = 0;
  if (all.of_one_type && all.type != ElementType::bit) {
    const unsigned shift = log2_bits_of(all.type) - 3;
    copy_lists(out->data.here(), lists, all, shift, out->length << shift);
    return to_value(std::move(out));
  }
  for (const Value& v : lists) {
    const Array& a = v.array();
    if (a.length != 0 && out->type() == ElementType::bit)
      kernels::copy_bit_run(out->as<std::uint64_t>(), at, a.as<std::uint64_t>(), 0, a.length);
    else if (a.length != 0)
      copy_elements(*out, at, a, 0, a.length);
    at += a.length;
  }
  return to_value(std::move(out));
}

Value merge_empty(Context& cx, Value x) {
  Value fill = fill_of(cx.heap, x);
  if (!fill.is_array()) return x;
  Shape shape(shape_of(x));
  shape.append(shape_of(fill));
  checked_length(cx, "Merge", shape);
  Ref<Array> out = make_array(cx.heap, fill.array().type(), shape);
  return with_fill_like(cx.heap, to_value(std::move(out)), fill);
}

}  // namespace

namespace {

Value unequal_shapes(Context& cx, std::span<const std::size_t> cell, const Value& v) {
  return make_string(cx.heap, "Merge: Elements of 𝕩 must have equal shapes (" + shape_text(cell) + " and " + shape_text(v) + ")");
}

}  // namespace

Value merge_refusal(Context& cx, const Value& w, const Value& x) {
  if (!w.is_absent() || !x.is_array() || x.array().type() != ElementType::boxed || x.array().length == 0) return Value();
  std::span<const Value> elements = x.array().boxes();
  std::span<const std::size_t> cell = shape_of(elements[0]);
  for (const Value& v : elements)
    if (!same_shape(shape_of(v), cell)) return unequal_shapes(cx, cell, v);
  return Value();
}

Value merge_plainly(Context& cx, const Value& x) {
  if (!x.is_array() || !x.array().is_list() || x.array().type() != ElementType::boxed || x.array().length == 0) return Value();
  const std::span<const Value> elements = x.array().boxes();
  FlatLists all;
  if (!survey_flat_lists(elements, all) || !all.of_equal_length) return Value();
  return laid_out(elements, all, make_plain_table(cx.heap, all.type, elements.size(), all.first));
}

Value merge(Context& cx, Value x) {
  if (Value table = merge_plainly(cx, x); !table.is_absent()) return table;
  if (x.is_atom()) return x;
  const Array& a = x.array();
  if (a.length == 0) return merge_empty(cx, std::move(x));
  if (is_character(a.type())) return with_fill(cx.heap, std::move(x), Value::character(U' '));
  if (a.type() != ElementType::boxed) return x;
  if (Value units = merge_units(cx, a); !units.is_absent()) return units;
  std::span<const Value> elements = a.boxes();
  std::span<const std::size_t> cell = shape_of(elements[0]);
  if (FlatLists all; a.rank() < max_rank && survey_flat_lists(elements, all) && all.of_equal_length) {
    Shape shape(a.shape());
    shape.push_back(all.first);
    return laid_out(elements, all, make_array(cx.heap, all.type, shape));
  }
  Common common(cx.heap, true);
  bool atoms = true;
  for (const Value& v : elements) {
    if (!same_shape(shape_of(v), cell)) fail_with(cx, unequal_shapes(cx, cell, v));
    atoms &= v.is_atom();
    common.add(v);
  }
  if (atoms) {
    x = narrowed(cx.heap, std::move(x));
    return is_character(x.array().type()) ? with_fill(cx.heap, std::move(x), Value::character(U' ')) : x;
  }
  Shape shape(a.shape());
  shape.append(cell);
  checked_length(cx, "Merge", shape);
  Ref<Array> out = make_array(cx.heap, common.type(), shape);
  std::size_t step = length_of(elements[0]);
  for (std::size_t i = 0; i < elements.size(); i++) copy_value(*out, i * step, elements[i]);
  return with_fill(cx.heap, to_value(std::move(out)), common.fill());
}

Value couple_refusal(Context& cx, const Value& w, const Value& x) {
  if (w.is_absent() || same_shape(shape_of(w), shape_of(x))) return Value();
  return make_string(cx.heap, "Couple: 𝕨 and 𝕩 must have equal shapes (" + shape_text(w) + " and " + shape_text(x) + ")");
}

namespace {

// Makes room for two arrays like one of plain elements with the plain fill.
Value room_for_two(Context& cx, const Array& a) {
  if (a.rank() == 0) return Value(make_plain_list(cx.heap, a.type(), 2));
  if (a.is_list()) return Value(make_plain_table(cx.heap, a.type(), 2, a.length));
  Shape shape{2};
  shape.append(a.shape());
  return to_value(make_array(cx.heap, a.type(), shape));
}

// Couples two arrays of plain elements of one type; absent for others.
Value couple_plainly(Context& cx, const Array& a, const Array& b) {
  if (!same_shape(a.shape(), b.shape()) || a.rank() == max_rank || a.type() != b.type() || a.type() == ElementType::boxed ||
      !has_plain_fill(a) || !has_plain_fill(b) || a.length == 0 || a.data.elsewhere() || b.data.elsewhere())
    return Value();
  const std::size_t n = a.length;
  Value result = room_for_two(cx, a);
  Array& to = result.array();
  if (a.type() == ElementType::bit) {
    kernels::copy_bits(to.as<std::uint64_t>(), 0, a.as<std::uint64_t>(), 0, n);
    kernels::copy_bits(to.as<std::uint64_t>(), n, b.as<std::uint64_t>(), 0, n);
  } else {
    const std::size_t bytes = n * bits_of(a.type()) / 8;
    kernels::copy_part(to.data, a.data, bytes, 2 * bytes);
    kernels::copy_part(to.data + bytes, b.data, bytes, 2 * bytes);
  }
  return result;
}

// Puts the elements of two values one after the other, in an array of a shape that has room for both.
Value put_together(Context& cx, const Value& w, const Value& x, const Shape& shape) {
  Common common(cx.heap);
  common.add(w);
  common.add(x);
  Ref<Array> out = make_array(cx.heap, common.type(), shape);
  copy_value(*out, 0, w);
  copy_value(*out, length_of(w), x);
  // Numbers are filled with 0 even where nothing is known: as in lists that begin as ⟨⟩.
  const auto fits = [](const Value& v) {
    return is_number(type_of(v)) && (v.is_atom() || v.array().fill_kind() <= FillKind::zero);
  };
  const bool numbers = out->length != 0 && fits(w) && fits(x);
  return with_fill(cx.heap, to_value(std::move(out)), numbers ? Value(0.0) : common.fill());
}

}  // namespace

Value couple(Context& cx, Value w, Value x) {
  if (w.is_array() && x.is_array())
    if (Value result = couple_plainly(cx, w.array(), x.array()); !result.is_absent()) return result;
  if (Value message = couple_refusal(cx, w, x); !message.is_absent()) fail_with(cx, std::move(message));
  if (w.is_atom() && x.is_atom()) return make_pair(cx.heap, std::move(w), std::move(x));
  Shape shape{2};
  shape.append(shape_of(w));
  checked_length(cx, "Couple", shape);
  return put_together(cx, w, x, shape);
}

namespace {

// Gives the shape of what an argument adds to a result of this rank: its cells, or itself.
std::span<const std::size_t> joined_cell(const Value& v, unsigned rank) {
  return rank_of(v) == rank ? shape_of(v).subspan(1) : shape_of(v);
}

}  // namespace

Value join_to_refusal(Context& cx, const Value& w, const Value& x) {
  if (w.is_absent()) return Value();
  const unsigned rw = rank_of(w), rx = rank_of(x), rank = std::max(rw, rx);
  if (rank == 0) return Value();
  const auto message = [&](const char* what) {
    return make_string(cx.heap, std::string("Join to: ") + what + " (shapes " + shape_text(w) + " and " + shape_text(x) + ")");
  };
  if (rank - std::min(rw, rx) > 1) return message("Ranks of 𝕨 and 𝕩 must differ by at most 1");
  return same_shape(joined_cell(w, rank), joined_cell(x, rank)) ? Value() : message("Cells of 𝕨 and 𝕩 must have equal shapes");
}

std::uint64_t join_ways(Context& cx, std::uint64_t w, std::uint64_t x, DyadCall call) {
  // A list that the caller gives grows in place, if it is worth that.
  constexpr std::size_t short_list = 8;
  const Array* const list = array_of(w);
  if (call.gives_w() && list != nullptr && list->refs == 1 && list->length > short_list) return declined;
  return quickly<U'∾', join_two_lists, short_join>(cx, w, x, call);
}

Value join_to(Context& cx, Value w, Value x) {
  if (append(cx.heap, w, x)) return w;
  if (w.is_array() && x.is_array() && w.array().is_list() && x.array().is_list() && w.array().type() == x.array().type() &&
      w.array().type() != ElementType::bit && has_plain_fill(w.array()) && has_plain_fill(x.array())) {
    const Array &a = w.array(), &b = x.array();
    const std::size_t width = bits_of(a.type()) / 8;
    Ref<Array> out = make_list(cx.heap, a.type(), a.length + b.length);
    const std::size_t whole = out->length * width;
    kernels::copy_part(out->data, a.data, a.length * width, whole);
    kernels::copy_part(out->data + a.length * width, b.data, b.length * width, whole);
    return to_value(std::move(out));
  }
  unsigned rw = rank_of(w), rx = rank_of(x);
  if (rw == 0 && rx == 0) {
    if (w.is_atom() && x.is_atom()) return make_pair(cx.heap, std::move(w), std::move(x));
    return couple(cx, as_array(cx.heap, std::move(w)), as_array(cx.heap, std::move(x)));
  }
  if (Value message = join_to_refusal(cx, w, x); !message.is_absent()) fail_with(cx, std::move(message));
  const unsigned rank = std::max(rw, rx);
  auto count = [rank](const Value& v) { return rank_of(v) == rank ? v.array().cells() : std::size_t{1}; };
  Shape shape{count(w) + count(x)};
  shape.append(joined_cell(w, rank));
  checked_length(cx, "Join to", shape);
  return put_together(cx, w, x, shape);
}

namespace {

// `passes_over_nothing`: see Common.
Value join_list(Context& cx, const Value& x, bool passes_over_nothing) {
  std::span<const Value> elements = x.array().boxes();
  if (FlatLists all; survey_flat_lists(elements, all))
    return laid_out(elements, all, make_plain_list(cx.heap, all.type, all.total));
  unsigned rank = 0;
  for (const Value& v : elements) rank = std::max(rank, rank_of(v));
  if (rank == 0) fail(cx, "Join: Some element of 𝕩 must have a rank of at least that of 𝕩 (1), but all are units");
  std::span<const std::size_t> cell;
  bool known = false;
  std::size_t count = 0;
  Common common(cx.heap, passes_over_nothing);
  for (const Value& v : elements) {
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

// Copies rows of a table of plain elements to places that are `width` elements apart, in the same type or a wider one.
void copy_table_rows(Array& to, std::size_t start, std::size_t width, const Array& from) {
  const std::size_t rows = from.shape()[0], length = from.shape()[1];
  if (from.type() != to.type()) {
    for (std::size_t r = 0; r < rows; r++) copy_elements(to, start + r * width, from, r * length, length);
  } else if (to.type() != ElementType::bit) {
    const unsigned shift = log2_bits_of(to.type()) - 3;
    std::uint8_t* out = to.data.here() + (start << shift);
    const std::uint8_t* in = from.data.here();
    const std::size_t bytes = length << shift;
    for (std::size_t r = 0; r < rows; r++, out += width << shift, in += bytes) copy_piece(out, in, bytes);
  } else {
    for (std::size_t r = 0; r < rows; r++)
      kernels::copy_bit_run(to.as<std::uint64_t>(), start + r * width, from.as<std::uint64_t>(), r * length, length);
  }
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
    copy_table_rows(to, start, width, e);
    start += e.shape()[1];
    if ((i + 1) % columns == 0) start += (e.shape()[0] - 1) * width;
  }
  return result;
}

}  // namespace

namespace {

// Joins a few numbers and lists of numbers; absent for anything else.
Value join_few_numbers(Context& cx, std::span<const Value> elements) {
  constexpr std::size_t most = 64;
  std::uint64_t numbers[most];  // bits of values that own nothing
  std::size_t count = 0;
  bool any_list = false;
  for (const Value& v : elements) {
    const bool is_list = v.is_array() && is_plain_list(v.array()) && is_number(v.array().type()) && !v.array().data.elsewhere();
    if (!is_list && !v.is_number()) return Value();
    const std::size_t length = is_list ? v.array().length : 1;
    if (length == 0 || count + length > most) return Value();
    any_list |= is_list;
    if (!is_list) numbers[count] = v.bits();
    for (std::size_t i = 0; is_list && i < length; i++) numbers[count + i] = plain_element(v.array(), i).bits();
    count += length;
  }
  return any_list ? make_values(cx.heap, {reinterpret_cast<Value*>(numbers), count}) : Value();
}

}  // namespace

Value join_plainly(Context& cx, const Value& x) {
  if (!x.is_array() || !x.array().is_list() || x.array().type() != ElementType::boxed || x.array().length == 0) return Value();
  const std::span<const Value> elements = x.array().boxes();
  FlatLists all;
  if (!survey_flat_lists(elements, all)) return join_few_numbers(cx, elements);
  return laid_out(elements, all, make_plain_list(cx.heap, all.type, all.total));
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
    if (cx.device != nullptr && belongs_to_device(cx, a.boxes()[0])) [[unlikely]]
      if (Value there = cx.device->monad(cx, U'∾', x); !there.is_absent()) return there;
    return join_list(cx, x, true);
  }
  if (a.rank() == 2)
    if (Value joined = joined_table_of_tables(cx, x); !joined.is_absent()) return joined;
  return join_blocks(cx, x);
}

Value join_one_by_one(Context& cx, Value x) { return x.array().type() == ElementType::boxed ? join_list(cx, x, false) : x; }

}  // namespace griddle::primitives
