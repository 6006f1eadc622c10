// Putting new values into places.
#include "primitives/inverse/positions.h"
#include "primitives/inverse/replace_cells.h"
#include "runtime/value/heap_memory.h"
#include "runtime/vm/error.h"

namespace griddle::primitives {
bool Positions::fits(const Value& places, const Value& v) {
  if (places.is_number()) return true;
  if (v.is_atom() || !same_shape(shape_of(places), shape_of(v))) return false;
  const Array& a = places.array();
  if (a.type() != ElementType::boxed) return true;
  for (std::size_t i = 0; i < a.length; i++)
    if (!fits(a.boxes()[i], element(v.array(), i))) return false;
  return true;
}

void Positions::assign_place(std::size_t place, Value v) {
  if (place == 0) fail(cx_, "Under: A fill that 𝔾 adds has no place in 𝕩");
  Value* slot = &new_root_;
  if (place > 1) {
    Expansion* e = expansion_holding(place);
    if (e->place == 0) {
      if (!agree(cx_, element(*e->array, place - e->first), v)) fail(cx_, "Under: A constant that 𝔾 adds cannot be replaced");
      return;
    }
    if (e->news.empty()) e->news.resize(e->array->length);
    slot = &e->news[place - e->first];
  }
  if (slot->is_absent())
    *slot = std::move(v);
  else if (!agree(cx_, *slot, v))
    fail_conflict(cx_, *slot, v);
}

void Positions::assign(const Value& places, const Value& v) {
  if (places.is_number()) {
    cx_.check_interrupt();
    assign_place(static_cast<std::size_t>(places.number()), v);
    return;
  }
  cx_.check_stack();
  const Array& a = places.array();
  for (std::size_t i = 0; i < a.length; i++) assign(element(a, i), element(v.array(), i));
}

Value Positions::rebuilt(Expansion& e, Value array) {
  ElementType type = array.array().type();
  for (const Value& v : e.news)
    if (!v.is_absent()) type = common_type(type, element_type_of(v));
  Ref<Array> result = make_writable(cx_.heap, widened(cx_.heap, std::move(array), type));
  for (std::size_t i = 0; i < e.news.size(); i++)
    if (!e.news[i].is_absent()) store(*result, i, std::move(e.news[i]));
  return to_value(std::move(result));
}

// Replaces elements of x itself, without boxing.
Value Positions::scatter(const Array& places, const Value& v, Value x) {
  std::size_t first = expansions_[expansion_of_.at(1)].first;
  HeapVector<std::size_t> targets(places.length, cx_.heap);
  for (std::size_t i = 0; i < places.length; i++) targets[i] = static_cast<std::size_t>(number_at(places, i)) - first;
  return replace_cells(cx_, std::move(x), 1, targets, v);
}

Value Positions::replaced(const Value& places, const Value& v, Value x) {
  // A single element needs no list of what replaces all.
  if (places.is_number() && x.is_array() && expansion_of_.contains(1)) {
    const Expansion& root = expansions_[expansion_of_.at(1)];
    const std::size_t place = static_cast<std::size_t>(places.number());
    if (place >= root.first && place < root.first + root.array->length) {
      const ElementType type = common_type(x.array().type(), element_type_of(v));
      const std::size_t at = place - root.first;
      Ref<Array> result = make_writable(cx_.heap, widened(cx_.heap, std::move(x), type));
      store(*result, at, v);
      return to_value(std::move(result));
    }
  }
  if (places.is_array() && x.is_array() && is_number(places.array().type()) && expansion_of_.contains(1)) {
    const Expansion& root = expansions_[expansion_of_.at(1)];
    const Array& a = places.array();
    bool inside = true;
    for (std::size_t i = 0; i < a.length && inside; i++) {
      double p = number_at(a, i);
      inside = p >= static_cast<double>(root.first) && p < static_cast<double>(root.first + root.array->length);
    }
    if (inside) return scatter(a, v, std::move(x));
  }
  assign(places, v);
  // Goes from the innermost places outwards; children always have larger numbers than their parent.
  for (std::size_t k = expansions_.size(); k-- > 0;) {
    Expansion& e = expansions_[k];
    if (e.news.empty()) continue;
    Expansion* parent = e.place == 1 ? nullptr : expansion_holding(e.place);
    Value whole = !parent ? new_root_ : parent->news.empty() ? Value() : parent->news[e.place - parent->first];
    if (whole.is_absent()) {
      bool is_root_array = e.place == 1 && x.is_array();
      assign_place(e.place, rebuilt(e, is_root_array ? std::move(x) : e.holder));
      continue;
    }
    // The place got a value as a whole as well: its elements must agree with it.
    if (whole.is_atom() || !same_shape(shape_of(whole), e.array->shape()))
      fail_conflict(cx_, whole, e.holder.is_absent() ? x : e.holder);
    for (std::size_t i = 0; i < e.news.size(); i++)
      if (!e.news[i].is_absent() && !agree(cx_, element(whole.array(), i), e.news[i]))
        fail_conflict(cx_, element(whole.array(), i), e.news[i]);
  }
  if (!new_root_.is_absent()) return std::move(new_root_);
  // An atom that was looked into is a unit, even where nothing of it was taken.
  return x.is_atom() && expansion_of_.contains(1) ? enclose(cx_.heap, std::move(x)) : std::move(x);
}

}  // namespace griddle::primitives
