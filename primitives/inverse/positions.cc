// Running a function on places. See positions_replace.cc for the way back.
#include "primitives/inverse/positions.h"

#include <algorithm>
#include <cmath>

#include "primitives/common/by_door.h"
#include "primitives/common/cells_builder.h"
#include "primitives/common/elements.h"
#include "primitives/common/mapping.h"
#include "primitives/common/pervasive.h"
#include "primitives/functions.h"
#include "primitives/inverse/undo.h"
#include "runtime/value/array_builder.h"
#include "runtime/vm/call.h"
#include "runtime/vm/error.h"
#include "runtime/vm/wiring.h"

namespace griddle::primitives {

namespace {

Symbol real(Value v) { return {std::move(v), false}; }
Symbol structural(Value v) { return {std::move(v), true}; }

}  // namespace

Positions::Positions(Context& cx, const Value& x) : cx_(cx), x_(x), expansions_(cx.heap), expansion_of_(cx.heap) {}

Value Positions::result_of(const Value& g) {
  Symbol result = apply(g, structural(Value(1)));
  if (!result.places) throw NotStructural{};
  return result.value;
}

Positions::Expansion* Positions::expansion_holding(std::size_t place) {
  auto after = std::upper_bound(expansions_.begin(), expansions_.end(), place,
                                [](std::size_t p, const Expansion& e) { return p < e.first; });
  return after == expansions_.begin() ? nullptr : &*std::prev(after);
}

Value Positions::value_at(std::size_t place) {
  if (place == 0) throw NotStructural{};
  if (place == 1) return x_;
  Expansion* e = expansion_holding(place);
  return element(*e->array, place - e->first);
}

Value Positions::children_of(std::size_t place) {
  auto [known, added] = expansion_of_.try_emplace(place, expansions_.size());
  if (!added) return expansions_[known->second].children;
  Value holder;
  const Array* array;
  if (place == 1 && x_.is_array()) {
    array = &x_.array();
  } else {
    holder = value_at(place);
    if (holder.is_atom()) holder = enclose(cx_.heap, std::move(holder));
    array = &holder.array();
  }
  Value numbers = range(cx_, Value(array->length));
  Value children = with_shape(cx_.heap, add(cx_, Value(next_), std::move(numbers)), array->shape());
  expansions_.push_back({place, next_, std::move(holder), array, children, HeapVector<Value>(cx_.heap)});
  next_ += array->length;
  return children;
}

Value Positions::expanded(const Value& v) { return v.is_array() ? v : children_of(static_cast<std::size_t>(v.number())); }

Value Positions::opened(const Symbol& s) {
  if (s.places) return expanded(s.value);
  Value holder = s.value.is_array() ? s.value : enclose(cx_.heap, s.value);
  const Array& array = holder.array();
  Value numbers = add(cx_, Value(next_), range(cx_, Value(array.length)));
  Value places = with_shape(cx_.heap, std::move(numbers), array.shape());
  next_ += array.length;
  expansions_.push_back({0, next_ - array.length, holder, &array, places, HeapVector<Value>(cx_.heap)});
  return places;
}

Value Positions::named(const Symbol& s) {
  return s.places ? s.value : element(opened(real(enclose(cx_.heap, s.value))).array(), 0);
}

Value Positions::parts_of(const Symbol& s) { return s.places ? expanded(s.value) : s.value; }

Value Positions::expanded_twice(const Value& v) {
  Value outer = expanded(v);
  const Array& a = outer.array();
  if (a.length == 0) return outer;
  ArrayBuilder builder(cx_.heap, a.length);
  for (std::size_t i = 0; i < a.length; i++) builder.push(expanded(element(a, i)));
  return builder.finish(a.shape());
}

bool Positions::is_atom(const Symbol& s) {
  if (s.value.is_array()) return false;
  return !s.places || value_at(static_cast<std::size_t>(s.value.number())).is_atom();
}

Symbol Positions::apply(const Value& f, const Symbol& w, const Symbol& x) {
  cx_.check_stack();
  if (f.is_modifier()) throw NotStructural{};
  if (!f.is_function()) return real(f);
  if (!w.places && !x.places) return real(call_maybe(cx_, f, w.value, x.value));
  if (const PrimitiveFunctionEntry* p = primitive_entry(f)) return apply_primitive(f, *p, w, x);
  if (const Wiring wiring = wiring_of(f, !w.is_absent())) {
    const auto part = [&](const Value& g, const Symbol* left, const Symbol& right) {
      return left == nullptr ? apply(g, right) : apply(g, *left, right);
    };
    return follow(wiring, w.is_absent() ? nullptr : &w, x, part, [](const Symbol&) { return true; });
  }
  if (const Glyph modifier = modifier_of(f); modifier != Glyph::none)
    if (const auto on_places = modifier_entry_of(modifier).on_places)
      return on_places(*this, static_cast<const Derived&>(f.function()), w, x);
  throw NotStructural{};
}

Symbol Positions::apply_primitive(const Value& f, const PrimitiveFunctionEntry& p, const Symbol& w, const Symbol& x) {
  if (passes_on(p)) return p.scalar == ScalarOp::left && !w.is_absent() ? w : x;
  if (w.is_absent()) {
    switch (p.one.moves) {
      case Moves::shape: return real(call(cx_, f, expanded(x.value)));
      case Moves::whole: return structural(call(cx_, f, x.value));
      case Moves::elements: return structural(call(cx_, f, expanded(x.value)));
      case Moves::inner_elements: return structural(call(cx_, f, expanded_twice(x.value)));
      default: throw NotStructural{};
    }
  }
  switch (p.two.moves) {
    case Moves::elements:
      if (w.places) throw NotStructural{};
      return structural(call(cx_, f, w.value, expanded(x.value)));
    case Moves::whole: {
      Value left = named(w);
      return structural(call(cx_, f, std::move(left), named(x)));
    }
    case Moves::both: {
      Value left = opened(w);
      return structural(call(cx_, f, std::move(left), opened(x)));
    }
    default: throw NotStructural{};
  }
}

Symbol Positions::repeat(const Value& f, const Symbol& count, const Symbol& w, Symbol x) {
  std::int64_t n;
  if (count.places || !count.value.to_integer(n) || n < 0) throw NotStructural{};
  for (; n > 0; n--) {
    cx_.check_interrupt();
    x = apply(f, w, std::move(x));
  }
  return x;
}

namespace {

// Collects results, which must be of one kind: all places or all values.
class KindCheck {
 public:
  void meet(bool places) {
    if (any_ && places != places_) throw NotStructural{};
    any_ = true;
    places_ = places;
  }
  // An empty result names no places, and can be restored from nothing.
  bool places() const { return !any_ || places_; }

 private:
  bool any_ = false;
  bool places_ = false;
};

}  // namespace

template <class Apply>
Symbol Positions::on_elements(const Side& w, const Side& x, Apply apply_to) {
  const std::size_t shared = std::min(rank_of(w.parts), rank_of(x.parts));
  if (!same_shape(shape_of(w.parts).first(shared), shape_of(x.parts).first(shared))) throw NotStructural{};
  const Array& longer = (rank_of(w.parts) > rank_of(x.parts) || !x.parts.is_array() ? w : x).parts.array();
  const auto part = [&](const Side& side, std::size_t i) {
    if (!side.parts.is_array()) return side.whole;
    return Symbol{element(side.parts.array(), i / (longer.length / side.parts.array().length)), side.whole.places};
  };
  KindCheck kind;
  ArrayBuilder builder(cx_.heap, longer.length);
  for (std::size_t i = 0; i < longer.length; i++) {
    Symbol result = apply_to(part(w, i), part(x, i));
    kind.meet(result.places);
    builder.push(std::move(result.value));
  }
  return {builder.finish(longer.shape()), kind.places()};
}

Symbol Positions::each(const Value& f, const Symbol& w, const Symbol& x) {
  return on_elements({w, parts_of(w)}, {x, parts_of(x)}, [&](const Symbol& l, const Symbol& r) { return apply(f, l, r); });
}

Symbol Positions::reduce(const Value& f, bool by_cells, const Symbol& w, const Symbol& x) {
  const Value whole = parts_of(x);
  if (by_cells ? rank_of(whole) == 0 : rank_of(whole) != 1) throw NotStructural{};
  std::size_t rest = whole.array().cells();
  if (rest == 0 && w.is_absent()) throw NotStructural{};
  const auto part = [&](std::size_t i) {
    return Symbol{by_cells ? cell_at(cx_.heap, whole, i) : element(whole.array(), i), x.places};
  };
  Symbol result = w.is_absent() ? part(--rest) : w;
  while (rest > 0) {
    cx_.check_interrupt();
    result = apply(f, part(--rest), std::move(result));
  }
  return result;
}

Symbol Positions::table(const Value& f, const Symbol& w, const Symbol& x) {
  const Value left = as_array(cx_.heap, parts_of(w)), right = as_array(cx_.heap, parts_of(x));
  return on_elements({w, broadcast_cells(cx_, left, rank_of(left), shape_of(right))},
                     {x, broadcast_cells(cx_, right, 0, shape_of(left))},
                     [&](const Symbol& l, const Symbol& r) { return apply(f, l, r); });
}

Symbol Positions::cells(const Value& f, double rank_w, const Symbol& w, double rank_x, const Symbol& x) {
  const Value left = parts_of(w), right = parts_of(x);
  const std::span<const std::size_t> left_frame = shape_of(left).first(frame_rank(rank_w, left)),
                                     right_frame = shape_of(right).first(frame_rank(rank_x, right)),
                                     frame = left_frame.size() > right_frame.size() ? left_frame : right_frame;
  if (frame.empty()) {
    Symbol result = apply(f, w, x);
    return result.places && is_atom(result) ? structural(enclose(cx_.heap, std::move(result.value))) : result;
  }
  std::size_t shared = std::min(left_frame.size(), right_frame.size());
  std::size_t count = product(frame);
  if (count == 0 || !same_shape(left_frame.first(shared), right_frame.first(shared))) throw NotStructural{};
  auto cell = [&](const Value& v, std::span<const std::size_t> own_frame, std::size_t i) {
    if (own_frame.empty()) return v;
    std::span<const std::size_t> shape = shape_of(v).subspan(own_frame.size());
    return slice(cx_.heap, v, i / (count / product(own_frame)) * product(shape), shape);
  };
  KindCheck kind;
  CellsBuilder builder(cx_, "Under", Shape(frame));
  for (std::size_t i = 0; i < count; i++) {
    Symbol result = apply(f, {cell(left, left_frame, i), w.places}, {cell(right, right_frame, i), x.places});
    kind.meet(result.places);
    builder.push(result.places && !is_atom(result) ? expanded(result.value) : std::move(result.value));
  }
  return {builder.finish(), kind.places()};
}

// Goes down negative levels; an ordinary left argument may also be kept whole by an infinite one.
Symbol Positions::levels(const Value& f, double level_w, const Symbol& w, double level_x, const Symbol& x) {
  auto stays = [&](const Symbol& s, double level) {
    if (s.is_absent()) return true;
    if (level < 0) return is_atom(s);
    if (level == 0 && !s.places) return s.value.is_atom();
    if (!std::isinf(level)) throw NotStructural{};
    return true;
  };
  bool w_stays = stays(w, level_w);
  bool x_stays = stays(x, level_x);
  if (w_stays && x_stays) return apply(f, w, x);
  constexpr double ended = std::numeric_limits<double>::infinity();
  auto next = [&](double level, bool stayed) { return stayed ? level : level == -1 ? ended : level < 0 ? level + 1 : level; };
  double next_w = next(level_w, w_stays);
  double next_x = next(level_x, x_stays);
  return on_elements({w, w_stays ? Value() : parts_of(w)}, {x, x_stays ? Value() : parts_of(x)},
                     [&](const Symbol& l, const Symbol& r) { return levels(f, next_w, l, next_x, r); });
}

// --- modifiers

Symbol constant_on_places(Positions&, const Derived& d, const Symbol&, const Symbol&) { return real(d.f); }
Symbol choose_on_places(Positions& p, const Derived& d, const Symbol& w, const Symbol& x) {
  Symbol index = p.apply(d.f, w, x);
  if (index.places) throw NotStructural{};
  return p.apply(pick(p.context(), index.value, d.g), w, x);
}
Symbol repeat_on_places(Positions& p, const Derived& d, const Symbol& w, const Symbol& x) {
  return p.repeat(d.f, p.apply(d.g, w, x), w, x);
}
Symbol each_on_places(Positions& p, const Derived& d, const Symbol& w, const Symbol& x) { return p.each(d.f, w, x); }
Symbol table_on_places(Positions& p, const Derived& d, const Symbol& w, const Symbol& x) {
  return w.is_absent() ? p.each(d.f, w, x) : p.table(d.f, w, x);
}
Symbol fold_on_places(Positions& p, const Derived& d, const Symbol& w, const Symbol& x) { return p.reduce(d.f, false, w, x); }
Symbol insert_on_places(Positions& p, const Derived& d, const Symbol& w, const Symbol& x) { return p.reduce(d.f, true, w, x); }
Symbol cells_on_places(Positions& p, const Derived& d, const Symbol& w, const Symbol& x) { return p.cells(d.f, -1, w, -1, x); }

// Gives the levels of ⎉ and ⚇, where these do not depend on values.
static Levels known_levels(Positions& p, const char* name, unsigned highest_rank, const Derived& d, const Symbol& w,
                           const Symbol& x) {
  const Symbol operand = p.apply(d.g, w, x);
  if (operand.places || operand.value.is_function()) throw NotStructural{};
  Levels levels = levels_of(p.context(), name, highest_rank, operand.value, Value(), Value());
  if (w.is_absent()) levels.right = levels.one;
  return levels;
}
Symbol rank_on_places(Positions& p, const Derived& d, const Symbol& w, const Symbol& x) {
  const Levels levels = known_levels(p, "Rank", max_rank, d, w, x);
  return p.cells(d.f, levels.left, w, levels.right, x);
}
Symbol depth_on_places(Positions& p, const Derived& d, const Symbol& w, const Symbol& x) {
  const Levels levels = known_levels(p, "Depth", 1, d, w, x);
  return p.levels(d.f, levels.left, w, levels.right, x);
}

Symbol undo_on_places(Positions& p, const Derived& d, const Symbol& w, const Symbol& x) {
  if (!is_any(name_of(d.f), entry_by<rotate>().name, entry_by<reorder_axes>().name) || w.places) throw NotStructural{};
  Value parts = p.expanded(x.value);
  return structural(w.is_absent() ? undo_call(p.context(), d.f, std::move(parts))
                                  : undo_call(p.context(), d.f, w.value, std::move(parts)));
}

}  // namespace griddle::primitives
