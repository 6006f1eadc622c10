// ⌾: common 𝔾 have routes of their own, other structural 𝔾 go by positions, and the rest by 𝔾⁼.
#include <optional>

#include "primitives/common/by_door.h"
#include "primitives/common/pervasive.h"
#include "primitives/functions.h"
#include "primitives/inverse/positions.h"
#include "primitives/inverse/replace_cells.h"
#include "primitives/inverse/under_routes.h"
#include "primitives/inverse/undo.h"
#include "primitives/modifiers.h"
#include "runtime/vm/call.h"
#include "runtime/vm/error.h"
#include "runtime/vm/wiring.h"

namespace griddle::primitives {
namespace {

Value under(Context&, const Value& g, Value x, const Change&);

// A primitive with data on its left.
struct Bound {
  const PrimitiveFunctionEntry* p = nullptr;
  const Value* k = nullptr;
};

// Gives k and p where g is k⊸p, or k⊸p after something else; null otherwise.
Bound bound_of(const Wiring& wiring) {
  if (!wiring || wiring.left.by == nullptr || wiring.left.by->is_operation()) return {};
  return {primitive_entry(*wiring.last), wiring.left.by};
}

// Tells whether a function gives its one argument back, by its form.
bool is_identity(Context& cx, const Value& g) {
  cx.check_stack();
  if (primitive_entry(g) != nullptr) return side_passed_by(g) != ScalarOp::none;
  const Wiring wiring = wiring_of(g, false);
  const auto passes = [&](const Value* by) { return by == nullptr || is_identity(cx, *by); };
  return wiring && is_identity(cx, *wiring.last) && passes(wiring.left.by) && passes(wiring.right.by);
}

// Tells whether the function selects no place twice and adds none, so that what follows it may be undone by itself.
bool is_injective(Context& cx, const Value& g) {
  if (is_identity(cx, g)) return true;
  if (const PrimitiveFunctionEntry* p = primitive_entry(g)) return p->one.injective;
  const Wiring wiring = wiring_of(g, false);
  if (!wiring || (wiring.right.by != nullptr && !is_injective(cx, *wiring.right.by))) return false;
  if (!wiring.has_left()) return is_injective(cx, *wiring.last);
  const Bound bound = bound_of(wiring);
  return bound.p != nullptr && bound.p->two.injective;
}

// Goes through two functions, of which one does its work on what the other gives.
Value under_parts(Context& cx, const Value& first, const Value& second, Value x, const Change& change) {
  const auto selected_again = [&](Value selected) { return under(cx, second, std::move(selected), change); };
  return under(cx, first, std::move(x), selected_again);
}

// Gives the result where 𝔾 has a route of its own. Takes x only then.
std::optional<Value> route(Context& cx, const Value& g, Value& x, const Change& change) {
  if (const PrimitiveFunctionEntry* p = primitive_entry(g)) return p->under ? p->under(cx, x, change) : std::nullopt;
  const Wiring wiring = wiring_of(g, false);
  if (!wiring) return {};
  const Bound bound = bound_of(wiring);
  const Value* first = wiring.right.by;
  const auto route_bound = [&] { return bound.p->under_bound ? bound.p->under_bound(cx, *bound.k, x, change) : std::nullopt; };
  if (bound.p != nullptr && first == nullptr) return route_bound();
  if (is_identity(cx, g)) return change(std::move(x));
  if (!wiring.has_left()) {
    if (first == nullptr) return x.is_array() ? std::optional(under(cx, *wiring.last, std::move(x), change)) : std::nullopt;
    if (!is_injective(cx, *first)) return {};
    return under_parts(cx, *first, *wiring.last, std::move(x), change);
  }
  if (bound.p == nullptr || first == nullptr) return {};
  if (is_identity(cx, *first)) return route_bound();
  if (!is_injective(cx, *first)) return {};
  const Value second = make_fork(cx, Value(*bound.k), Value(*wiring.last), Value(primitive_by<right>(cx)));
  return under_parts(cx, *first, second, std::move(x), change);
}

// What a function gives of places, as far as its form tells.
enum class Gives { data, places, unknown, nothing };

// Evaluates a function on what is data or places; `nothing` is what looks at values.
Gives gives(const Value& f, const Gives* w, Gives x, int depth) {
  if (!f.is_function() || (x == Gives::data && (w == nullptr || *w == Gives::data))) return Gives::data;
  if (const PrimitiveFunctionEntry* p = primitive_entry(f)) {
    if (passes_on(*p)) return p->scalar == ScalarOp::left && w != nullptr ? *w : x;
    if (x == Gives::unknown || (w != nullptr && *w == Gives::unknown)) return Gives::unknown;
    const Moves moves = p->facts(w != nullptr).moves;
    if (moves == Moves::no || (moves == Moves::elements && w != nullptr && *w != Gives::data)) return Gives::nothing;
    return moves == Moves::shape ? Gives::data : Gives::places;
  }
  const Wiring wiring = wiring_of(f, w != nullptr);
  if (!wiring || depth == 0) return f.function().kind == ObjectKind::derived ? Gives::unknown : Gives::nothing;
  const auto part = [&](const Value& g, const Gives* left, Gives right) { return gives(g, left, right, depth - 1); };
  return follow(wiring, w, x, part, [](Gives known) { return known != Gives::nothing; });
}

// Tells from its form alone that a function cannot be structural, to save the attempt.
bool looks_at_values(const Value& g) {
  constexpr int deepest = 16;
  const Gives given = gives(g, nullptr, Gives::places, deepest);
  return given == Gives::data || given == Gives::nothing;
}

Value under(Context& cx, const Value& g, Value x, const Change& change) {
  cx.check_stack();
  if (std::optional<Value> result = route(cx, g, x, change)) return std::move(*result);
  Positions positions(cx, x);
  Value places;
  if (!looks_at_values(g)) {
    try {
      places = positions.result_of(g);
    } catch (const NotStructural&) {
    } catch (const Error& error) {
      if (!error.catchable) throw;
    }
  }
  if (places.is_absent()) {
    // One of two parts may still be structural.
    if (const Wiring wiring = wiring_of(g, false); wiring.is_sequence())
      return under_parts(cx, *wiring.right.by, *wiring.last, std::move(x), change);
    return undo_call(cx, g, change(call(cx, g, std::move(x))));
  }
  Value v = change(call(cx, g, x));
  if (Positions::fits(places, v)) return positions.replaced(places, v, std::move(x));
  // The shape has changed: only a true inverse can tell what leads there.
  try {
    return undo_call(cx, g, v);
  } catch (const Error& error) {
    if (!error.catchable) throw;
  }
  if (v.is_array() && same_shape(shape_of(places), shape_of(v)))
    fail(cx, "Under: Elements of the result of 𝔽 must have the shapes that 𝔾 gives");
  fail_shape(cx, shape_of(places), v);
}

}  // namespace

Value under_monad(Context& cx, const Function& self, Value x) {
  const ComputingHere here(cx, "Under");
  const Derived& d = static_cast<const Derived&>(self);
  const auto call_operand = [&](Value selected) { return call(cx, d.f, std::move(selected)); };
  Change change(call_operand);
  if (applies_by(d.f) == Applies::to_elements)
    if (const Value& each = static_cast<const Derived&>(d.f.function()).f; each.is_number() || each.is_character())
      change.each = &each;
  if (!d.f.is_operation()) change.given = &d.f;
  return under(cx, d.g, std::move(x), change);
}

Value under_dyad(Context& cx, const Function& self, Value w, Value x) {
  const ComputingHere here(cx, "Under");
  const Derived& d = static_cast<const Derived&>(self);
  auto change = [&](Value selected) {
    Value left = call(cx, d.g, w);
    return call(cx, d.f, std::move(left), std::move(selected));
  };
  return under(cx, d.g, std::move(x), change);
}

}  // namespace griddle::primitives
