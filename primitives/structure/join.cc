// Join to ∾: two arrays.
#include <algorithm>

#include "primitives/common/plain.h"
#include "primitives/common/tuning.h"
#include "primitives/functions.h"
#include "primitives/kernels/shared/bit_runs.h"
#include "primitives/kernels/shared/pieces.h"
#include "primitives/structure/side_by_side.h"
#include "runtime/value/append.h"
#include "runtime/vm/operand_error.h"

namespace griddle::primitives {

// --- join to: ways

namespace {

Array* joined_list(Heap& heap, ElementType a, ElementType b, std::size_t length) {
  return make_plain_list(heap, a == b ? a : wider(a, b), length);
}

std::uint64_t join_lists(Heap& heap, List w, List x) {
  if (w->type() != x->type() && is_number(w->type()) != is_number(x->type())) return declined;
  Array* const out = joined_list(heap, w->type(), x->type(), w->length + x->length);
  copy_behind(*out, 0, w);
  copy_behind(*out, w->length, x);
  return bits_of_array(out);
}

// Gives the element that an atom, or an array without axes of one plain element, stands for; absent for any other value.
Value one_element(std::uint64_t v) {
  const Array* const unit = array_of(v);
  if (unit == nullptr) return v < Value::first_object ? Value::from_bits(v) : Value();
  const bool is_plain = PlainList::described(*unit) + one_axis == described_lists[static_cast<std::size_t>(unit->type())];
  return is_plain && !unit->data.elsewhere() ? plain_element(*unit, 0) : Value();
}

std::uint64_t join_nothing(Heap&, AnyList w, AnyList x) {
  if ((w->length != 0 && x->length != 0) || is_number(w->type()) != is_number(x->type())) return declined;
  return shared(w->length == 0 ? x : w);
}
// Join a list and one element of its kind. A list of no characters, such as words may be, is one of few.
template <bool behind>
std::uint64_t join_element(Heap& heap, AnyList list, std::uint64_t one) {
  if (!is_some_at_hand(list->length) && (list->length != 0 || !is_character(list->type()))) return declined;
  const Value element = one_element(one);
  if (is_number(list->type()) ? !element.is_number() : !element.is_character()) return declined;
  Array* const out = joined_list(heap, list->type(), type_of_atom(element), list->length + 1);
  if (list->length != 0) copy_behind(*out, behind ? 0 : 1, List{list.array});
  const std::size_t at = behind ? list->length : 0;
  if (out->type() == ElementType::bit)
    kernels::write_bit(words_of(out), at, element.number() != 0);
  else
    store(*out, at, element);
  return bits_of_array(out);
}
std::uint64_t join_behind(Heap& heap, AnyList w, std::uint64_t x) { return join_element<true>(heap, w, x); }
std::uint64_t join_before(Heap& heap, std::uint64_t w, AnyList x) { return join_element<false>(heap, x, w); }
// Join nothing and one element, of which a list grows, where it is known with what that is filled.
std::uint64_t join_only(Heap& heap, EmptyList list, std::uint64_t one) {
  Value element = one_element(one);
  const bool fits = element.is_number() ? is_number(list->type()) && list->fill_kind() <= FillKind::zero
                                        : element.is_character() && list->fill_kind() == FillKind::space;
  return fits ? make_values(heap, {&element, 1}).leak() : declined;
}
std::uint64_t join_only_behind(Heap& heap, EmptyList w, std::uint64_t x) { return join_only(heap, w, x); }
std::uint64_t join_only_before(Heap& heap, std::uint64_t w, EmptyList x) { return join_only(heap, x, w); }
std::uint64_t join_atoms(Heap& heap, std::uint64_t w, std::uint64_t x) {
  const bool are_atoms = w < Value::absent_bits && x < Value::absent_bits;
  return are_atoms ? make_pair(heap, Value::from_bits(w), Value::from_bits(x)).leak() : declined;
}

// Joins the rows of two tables, or such a table and one more row.
template <class W, class X>
std::uint64_t join_rows(Heap& heap, W w, X x) {
  const std::size_t columns = is_table<W> ? w->shape()[1] : x->shape()[1];
  if (w->shape().back() != columns || x->shape().back() != columns || w->type() != x->type()) return declined;
  Array* const out = make_plain_table(heap, w->type(), (w->length + x->length) / columns, columns);
  copy_elements_of(out, 0, w, 0, w->length);
  copy_elements_of(out, w->length, x, 0, x->length);
  return bits_of_array(out);
}

// Joins a list and nothing that is known of no kind: numbers stay what they are, characters have no fill then.
std::uint64_t join_unknown(Heap& heap, EmptyList nothing, List list) {
  if (nothing->fill_kind() != FillKind::none) return declined;
  if (is_number(list->type())) return is_number(nothing->type()) ? shared(list) : declined;
  Array* const out = make_plain_list(heap, list->type(), list->length);
  copy_behind(*out, 0, list);
  out->set_fill_kind(FillKind::none);
  return bits_of_array(out);
}
std::uint64_t join_unknown_before(Heap& heap, EmptyList w, List x) { return join_unknown(heap, w, x); }
std::uint64_t join_unknown_behind(Heap& heap, List w, EmptyList x) { return join_unknown(heap, x, w); }

// Tells whether a value is an empty list.
bool is_nothing(std::uint64_t v) { return empty_list(v) != nullptr; }

// Joins lists and single values to a list of boxes.
std::uint64_t join_boxes(Heap& heap, std::uint64_t w, std::uint64_t x) {
  const Joined left(w);
  if (left.length == 0 && !is_nothing(w)) return declined;
  const Joined right(x);
  if ((right.length == 0 && !is_nothing(x)) || left.length + right.length - 1 >= most_boxes_at_hand) return declined;
  JoinedFill fill(w);
  fill.add(x);
  // Where no side has boxes, only numbers and characters make some.
  if (!fill.is_known() || (!left.has_boxes() && !right.has_boxes() && (left.length == 0 || right.length == 0))) return declined;
  // What has no fill stays as it is behind nothing, or before it.
  const Joined& all = left.length == 0 ? right : left;
  if (left.length * right.length == 0 && all.list != nullptr && all.list->fill_kind() == fill.kind()) return shared(*all.list);
  // Of boxes alone the first is that of the result.
  if (fill.kind() == FillKind::of_first && left.length == 0) return declined;
  Array* const out = boxes_with_fill(heap, fill.kind(), nullptr, left.length + right.length, 1, false);
  left.share_with(words_of(out));
  right.share_with(words_of(out) + left.length);
  return bits_of_array(out);
}

constexpr DyadWay joins_to[] = {{"lists", way<join_lists>},
                                {"element behind", way<join_behind>},
                                {"element before", way<join_before>},
                                {"atoms", way<join_atoms>},
                                {"nothing", way<join_nothing>},
                                {"boxes", way<join_boxes>},
                                {"tables", way<join_rows<Table, Table>>},
                                {"row behind", way<join_rows<Table, List>>},
                                {"row before", way<join_rows<List, Table>>},
                                {"unknown behind", way<join_unknown_behind>},
                                {"unknown before", way<join_unknown_before>},
                                {"only element behind", way<join_only_behind>},
                                {"only element before", way<join_only_before>}};

std::uint64_t grow_or_try(Context& cx, std::uint64_t w, std::uint64_t x, DyadCall call) {
  // A list that the caller gives grows in place, if it is worth that: that is the general way's.
  const Array* const list = array_of(w);
  if (call.gives_w() && list != nullptr && list->refs == 1 && !is_remade(*list)) return declined;
  if (call.gives_x()) {
    const Array* const longer = array_of(x);
    if (longer != nullptr && longer->unique() && is_prepended(list == nullptr ? 1 : list->length, longer->length))
      return declined;
  }
  return try_ways<joins_to>(cx, w, x, call);
}

}  // namespace

constexpr DyadWays join_to_ways{grow_or_try, joins_to};

// --- join to: any arguments

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

Value join_to(Context& cx, Value w, Value x) {
  if (append(cx.heap, w, x)) return w;
  if (prepend(cx.heap, w, x)) return x;
  unsigned rw = rank_of(w), rx = rank_of(x);
  if (rw == 0 && rx == 0) {
    if (w.is_atom() && x.is_atom()) return make_pair(cx.heap, std::move(w), std::move(x));
    return couple(cx, as_array(cx.heap, std::move(w)), as_array(cx.heap, std::move(x)));
  }
  if (Value message = join_to_refusal(cx, w, x); !message.is_absent()) fail_on(std::move(message), w, x);
  const unsigned rank = std::max(rw, rx);
  auto count = [rank](const Value& v) { return rank_of(v) == rank ? v.array().cells() : std::size_t{1}; };
  Shape shape{count(w) + count(x)};
  shape.append(joined_cell(w, rank));
  checked_length(cx, "Join to", shape);
  return put_together(cx, w, x, shape);
}

}  // namespace griddle::primitives
