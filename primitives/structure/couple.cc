// Enclose <, Enlist and Pair ⋈, Solo and Couple ≍.
#include "primitives/functions.h"
#include "primitives/structure/match.h"
#include "primitives/structure/side_by_side.h"
#include "runtime/vm/operand_error.h"

namespace griddle::primitives {

// --- enclose, enlist and pair

namespace {

template <unsigned rank>
std::uint64_t box_array(Heap& heap, AnyArray a) {
  void* const memory = heap.allocate_at_hand(sizeof(Array) + sizeof(Value));
  if (memory == nullptr) return decline_for_memory(heap, sizeof(Array) + sizeof(Value));
  Array* const out = place_boxes(memory, FillKind::of_first, 1, rank);
  words_of(out)[0] = shared(a);
  return bits_of_array(out);
}

std::uint64_t two_boxes(Heap& heap, std::uint64_t w, std::uint64_t x, FillKind fill) {
  Array* const out = new_boxes(heap, fill, 2);
  words_of(out)[0] = shared_box(w);
  words_of(out)[1] = shared_box(x);
  return bits_of_array(out);
}
std::uint64_t pair_lists(Heap& heap, List w, List x) {
  const bool alike = w->length == x->length && is_number(w->type()) == is_number(x->type());
  return two_boxes(heap, bits_of_array(w.array), bits_of_array(x.array), alike ? FillKind::of_first : FillKind::none);
}
// An array and another value; what has another shape brings no fill along.
std::uint64_t pair_any(Heap& heap, std::uint64_t w, std::uint64_t x) {
  if (w >> 48 == Value::mark_tag || x >> 48 == Value::mark_tag || (array_of(w) == nullptr && array_of(x) == nullptr))
    return declined;
  const Alike alike = prototypes_alike(w, x);
  return alike == Alike::unknown ? declined : two_boxes(heap, w, x, alike == Alike::yes ? FillKind::of_first : FillKind::none);
}
// One or two numbers or characters.
bool is_atom(std::uint64_t v) { return v < Value::absent_bits; }
std::uint64_t enlist_atom(Heap& heap, std::uint64_t x) {
  if (!is_atom(x)) return declined;
  Value one = Value::from_bits(x);
  return make_values(heap, {&one, 1}).leak();
}
std::uint64_t pair_atoms(Heap& heap, std::uint64_t w, std::uint64_t x) {
  return is_atom(w) && is_atom(x) ? make_pair(heap, Value::from_bits(w), Value::from_bits(x)).leak() : declined;
}

constexpr MonadWay enclosings[] = {{"array", way<box_array<0>>}};
constexpr MonadWay enlistings[] = {{"array", way<box_array<1>>}, {"atom", way<enlist_atom>}};
constexpr DyadWay pairings[] = {{"lists", way<pair_lists>}, {"array", way<pair_any>}, {"atoms", way<pair_atoms>}};

}  // namespace

constexpr MonadWays enclose_ways = monad_ways<enclosings>, enlist_ways = monad_ways<enlistings>;
constexpr DyadWays pair_ways = dyad_ways<pairings>;

Value enclose_value(Context& cx, Value x) { return enclose(cx.heap, std::move(x)); }

namespace {

// Makes a list of arrays that all have the prototype of the first.
Value list_of_like(Context& cx, std::span<Value> arrays) {
  Ref<Array> list = make_list(cx.heap, ElementType::boxed, arrays.size());
  for (std::size_t i = 0; i < arrays.size(); i++) new (list->as<Value>() + i) Value(std::move(arrays[i]));
  list->set_fill_kind(FillKind::of_first);
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

// --- solo and couple

namespace {

template <class A>
std::uint64_t solo_list(Heap& heap, A a) {
  return bits_of_array(table_view_at_hand(heap, a, 0, 1, a->length));
}

std::uint64_t couple_lists(Heap& heap, List w, List x) {
  if (w->length != x->length || is_number(w->type()) != is_number(x->type())) return declined;
  const ElementType type = w->type() == x->type() ? w->type() : wider(w->type(), x->type());
  Array* const out = make_plain_table(heap, type, 2, w->length);
  copy_behind(*out, 0, w);
  copy_behind(*out, w->length, x);
  return bits_of_array(out);
}

// Two lists with the fill of the first.
std::uint64_t couple_boxes(Heap& heap, Boxes w, Boxes x) {
  const FillKind fill = w->fill_kind();
  if (w->length != x->length || x->fill_kind() != fill || fill == FillKind::nested) return declined;
  if (fill == FillKind::of_first && prototypes_alike(words_of(w.array)[0], words_of(x.array)[0]) != Alike::yes) return declined;
  Array* const out = boxes_like(heap, w, 0, 2, w->length, true);
  share_boxes(words_of(out), words_of(w.array), w->length);
  share_boxes(words_of(out) + w->length, words_of(x.array), x->length);
  return bits_of_array(out);
}

constexpr MonadWay solos[] = {{"list", way<solo_list<List>>}, {"boxes", way<solo_list<Boxes>>}};
constexpr DyadWay couples[] = {{"lists", way<couple_lists>}, {"boxes", way<couple_boxes>}};

}  // namespace

constexpr MonadWays solo_ways = monad_ways<solos>;
constexpr DyadWays couple_ways = dyad_ways<couples>;

Value solo(Context& cx, Value x) {
  if (x.is_atom()) return ravel(cx.heap, std::move(x));
  Shape shape{1};
  shape.append(shape_of(x));
  checked_length(cx, "Solo", shape);
  return with_shape(cx.heap, std::move(x), shape);
}

Value couple_refusal(Context& cx, const Value& w, const Value& x) {
  if (w.is_absent() || same_shape(shape_of(w), shape_of(x))) return Value();
  return make_string(cx.heap, "Couple: 𝕨 and 𝕩 must have equal shapes (" + shape_text(w) + " and " + shape_text(x) + ")");
}

Value couple(Context& cx, Value w, Value x) {
  if (!same_shape(shape_of(w), shape_of(x))) fail_on(couple_refusal(cx, w, x), w, x);
  if (w.is_atom() && x.is_atom()) return make_pair(cx.heap, std::move(w), std::move(x));
  Shape shape{2};
  shape.append(shape_of(w));
  if (w.is_array() && x.is_array() && shape.size() <= max_rank && are_plain_alike(w.array(), x.array()))
    return put_plainly(cx, w.array(), x.array(), shape);
  checked_length(cx, "Couple", shape);
  return put_together(cx, w, x, shape);
}

}  // namespace griddle::primitives
