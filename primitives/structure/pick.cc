// First and Pick ⊑.
#include "primitives/common/indexing.h"
#include "primitives/functions.h"
#include "primitives/kernels/shared/bit_runs.h"
#include "primitives/structure/cells_at_hand.h"
#include "runtime/value/array_builder.h"
#include "runtime/value/array_layout.h"
#include "runtime/vm/operand_error.h"

namespace griddle::primitives {

namespace {

std::uint64_t first_element(Heap&, AnyArray a) {
  return a->length != 0 && !a->data.elsewhere() ? element(a, 0).leak() : declined;
}
template <class A>
std::uint64_t pick_one(Heap&, std::int32_t i, A a) {
  const std::size_t place = static_cast<std::size_t>(i < 0 ? i + static_cast<std::int64_t>(a->length) : i);
  if (place >= a->length) return declined;
  return holds_boxes<A> ? shared_box(words_of(a.array)[place]) : plain_element(a, place).bits();
}
std::uint64_t pick_at(Heap&, List index, AnyArray a) {
  std::size_t place;
  return !a->data.elsewhere() && finds_place(a, index, place) ? element(a, place).leak() : declined;
}

constexpr MonadWay first_elements[] = {{"array", way<first_element>}};
constexpr DyadWay picks[] = {{"list", way<pick_one<LongList>>}, {"boxes", way<pick_one<Boxes>>}, {"place in axes", way<pick_at>}};

}  // namespace

constexpr MonadWays first_ways = monad_ways<first_elements>;
constexpr DyadWays pick_ways = dyad_ways<picks>;

Value pick_refusal(Context& cx, const Value& w, const Value& x) {
  if (w.is_absent()) {
    if (length_of(x) != 0) return Value();
    return make_string(cx.heap, "First: 𝕩 must not be empty (shape " + shape_text(x) + ")");
  }
  if (!w.is_number()) return Value();
  if (rank_of(x) != 1) return make_string(cx.heap, "Pick: 𝕩 must be a list where 𝕨 is a number (got " + kind_text(x) + ")");
  const std::size_t n = x.array().length;
  return is_place(w.number(), n) ? Value() : no_place_message(cx, "Pick", w.number(), n);
}

Value first(Context& cx, Value x) {
  if (x.is_atom()) return x;
  if (x.array().length == 0) fail_with(cx, pick_refusal(cx, Value(), x));
  return element(x.array(), 0);
}

namespace {

Value pick_one(Context& cx, const PickNames& names, const Array& index, const Value& x) {
  const auto refuse = [&](const std::string& rest) {
    fail(cx, std::string(names.primitive) + ": An index in " + names.indices + " must " + rest);
  };
  if (index.rank() != 1 && index.length != 0) refuse("be a list (got shape " + shape_text(index.shape()) + ")");
  if (index.length != rank_of(x))
    refuse(std::string("have one number for each axis of ") + names.array + " (" + std::to_string(index.length) +
           " numbers, shape " + shape_text(x) + ")");
  if (x.is_atom()) return x;
  std::size_t at = 0;
  for (std::size_t k = 0; k < index.length; k++) {
    std::size_t n = x.array().shape()[k];
    double d = index.type() == ElementType::boxed ? index.boxes()[k].number() : number_at(index, k);
    at = at * n + place_of(cx, names.primitive, d, n);
  }
  return element(x.array(), at);
}

// Finds the place that one of many indices picks, each in a box.
bool find_boxed_place(const Value& index, const Array& x, std::size_t& place) {
  return index.is_array() && !index.array().data.elsewhere() && finds_place(x, index.array(), place);
}

}  // namespace

Value pick_places(Context& cx, const Array& indices, const Value& x) {
  if (indices.type() != ElementType::boxed || !indices.is_list() || !x.is_array()) return Value();
  const Array& a = x.array();
  // No indices are one of no axes.
  if (indices.length == 0 || a.type() == ElementType::boxed || a.rank() == 0 || a.data.elsewhere()) return Value();
  const std::span<const Value> boxes = indices.boxes();
  Ref<Array> out = make_list(cx.heap, a.type(), indices.length);
  const bool found = with_type(a.type(), [&]<class T>(std::type_identity<T>) {
    std::size_t place;
    for (std::size_t i = 0; i < boxes.size(); i++) {
      if (!find_boxed_place(boxes[i], a, place)) return false;
      if constexpr (std::is_same_v<T, Bit>)
        kernels::write_bit(out->as<std::uint64_t>(), i, a.bit(place));
      else if constexpr (!std::is_same_v<T, Value>)
        out->as<T>()[i] = a.as<T>()[place];
    }
    return true;
  });
  return found ? to_value(std::move(out)) : Value();
}

namespace {

Value pick_nested(Context& cx, const PickNames& names, const Value& w, const Value& x) {
  cx.check_stack();
  const Array& a = w.array();
  if (Value picked = pick_places(cx, a, x); !picked.is_absent()) return picked;
  switch (contents_of(cx, names.primitive, a, names.indices)) {
    case Contents::numbers: return pick_one(cx, names, a, x);
    case Contents::mixed:
      fail(cx, std::string(names.primitive) + ": Arrays in " + names.indices +
                   " must consist of numbers or of arrays, not both (got list of length " + std::to_string(a.length) + ")");
    case Contents::arrays: break;
  }
  ArrayBuilder out(cx.heap, a.length);
  for (const Value& v : a.boxes()) out.push(pick_nested(cx, names, v, x));
  return out.finish(a.shape());
}

}  // namespace

Value pick(Context& cx, Value w, Value x) {
  if (w.is_number()) {
    if (rank_of(x) != 1 || !is_place(w.number(), x.array().length)) fail_on(pick_refusal(cx, w, x), w, x);
    return element(x.array(), place_of(cx, "Pick", w.number(), x.array().length));
  }
  if (w.is_atom()) fail(cx, "Pick: 𝕨 must be a number or an array of indices (got " + kind_text(w) + ")");
  return on_operands(w, x, [&] { return pick_nested(cx, {"Pick", "𝕨", "𝕩"}, w, x); });
}

Value pick_for(Context& cx, const PickNames& names, Value w, Value x) {
  if (w.is_number()) return pick(cx, std::move(w), std::move(x));
  return pick_nested(cx, names, w, x);
}

}  // namespace griddle::primitives
