// Putting new values into places.
#include "primitives/common/element_reader.h"
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

Value Positions::scattered(const Value& places, const Value& v, Value& x) {
  const auto known = expansion_of_.find(1);
  if (known == expansion_of_.end() || !x.is_array() || (places.is_array() && !is_number(places.array().type()))) return Value();
  const Expansion& root = expansions_[known->second];
  const ElementReader numbers(places);
  HeapVector<std::size_t> targets(length_of(places), cx_.heap);
  for (std::size_t i = 0; i < targets.size(); i++) {
    // What lies elsewhere becomes a place that there is not.
    targets[i] = static_cast<std::size_t>(numbers[i].number()) - root.first;
    if (targets[i] >= root.array->length) return Value();
  }
  return replace_cells(cx_, std::move(x), 1, targets, places.is_array() ? v : enclose(cx_.heap, v));
}

Value Positions::replaced(const Value& places, const Value& v, Value x) {
  if (Value result = scattered(places, v, x); !result.is_absent()) return result;
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
