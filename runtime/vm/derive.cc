// Forming derived functions and trains.
#include <algorithm>

#include "runtime/vm/call.h"
#include "runtime/vm/error.h"

namespace griddle {

namespace {

const Train& train(const Function& self) { return static_cast<const Train&>(self); }

Value atop_monad(Context& cx, const Function& self, Value x) {
  const Train& t = train(self);
  return call(cx, t.g, call(cx, t.h, std::move(x)));
}
Value atop_dyad(Context& cx, const Function& self, Value w, Value x) {
  const Train& t = train(self);
  return call(cx, t.g, call(cx, t.h, std::move(w), std::move(x)));
}

Value fork_monad(Context& cx, const Function& self, Value x) {
  const Train& t = train(self);
  Value right = call(cx, t.h, x);
  Value left = call(cx, t.f, std::move(x));
  return call(cx, t.g, std::move(left), std::move(right));
}
Value fork_dyad(Context& cx, const Function& self, Value w, Value x) {
  const Train& t = train(self);
  Value right = call(cx, t.h, w, x);
  Value left = call(cx, t.f, std::move(w), std::move(x));
  return call(cx, t.g, std::move(left), std::move(right));
}

// A constant left tine gives itself.
Value bound_fork_monad(Context& cx, const Function& self, Value x) {
  const Train& t = train(self);
  return call(cx, t.g, t.f, call(cx, t.h, std::move(x)));
}
Value bound_fork_dyad(Context& cx, const Function& self, Value w, Value x) {
  const Train& t = train(self);
  return call(cx, t.g, t.f, call(cx, t.h, std::move(w), std::move(x)));
}

Value derive(Context& cx, const Value& modifier, Value f, Value g) {
  Modifier& m = modifier.modifier();
  return m.derive(cx, m, std::move(f), std::move(g));
}

// Gives the nesting of a function that `arithmetic` may know; 0 for any other.
unsigned arithmetic_nesting(const Value& f) {
  if (!f.is_function()) return 0;
  const Function& o = f.function();
  switch (o.kind) {
    case ObjectKind::primitive_function: return static_cast<const PrimitiveFunction&>(o).scalar() != ScalarOp::none;
    case ObjectKind::derived: return static_cast<const Derived&>(o).bound() != ScalarOp::none;
    case ObjectKind::train: return o.a;
    default: return 0;
  }
}

// Notes whether a train is one of arithmetic alone.
Value noted(Value train) {
  constexpr unsigned deepest = 16;
  Train& t = static_cast<Train&>(train.function());
  const unsigned h = arithmetic_nesting(t.h), g = arithmetic_nesting(t.g);
  const unsigned f = t.f.is_absent() || t.f.is_number() ? 1 : arithmetic_nesting(t.f);
  const bool simple = t.f.is_absent() || (t.g.is_function() && t.g.object()->kind == ObjectKind::primitive_function);
  const unsigned most = std::max({f, g, h});
  if (f != 0 && g != 0 && h != 0 && simple && most < deepest) t.a = static_cast<std::uint8_t>(most + 1);
  return train;
}

void check_part(Context& cx, const Value& v, const char* where) {
  if (v.is_modifier()) fail(cx, std::string(where) + ": Modifiers cannot be called (got a " + kind_text(v) + ")");
}

}  // namespace

Value call_other(Context& cx, const Value& f) {
  if (f.is_modifier()) fail(cx, "Call: Modifiers cannot be called (got a " + kind_text(f) + ")");
  if (f.is_mark()) fail(cx, "Call: Nothing cannot be called");
  return f;
}

Value derive1(Context& cx, const Value& modifier, Value f) {
  if (!modifier.is_modifier1()) fail(cx, "Modifier application: Expected a 1-modifier (got a " + kind_text(modifier) + ")");
  return derive(cx, modifier, std::move(f), Value());
}
Value derive2(Context& cx, const Value& modifier, Value f, Value g) {
  if (!modifier.is_modifier2()) fail(cx, "Modifier application: Expected a 2-modifier (got a " + kind_text(modifier) + ")");
  return derive(cx, modifier, std::move(f), std::move(g));
}

Value make_atop(Context& cx, Value g, Value h) {
  check_part(cx, h, "Train");
  check_part(cx, g, "Train");
  return noted(make_train(cx.heap, Value(), std::move(g), std::move(h), atop_monad, atop_dyad));
}
Value make_fork(Context& cx, Value f, Value g, Value h) {
  check_part(cx, h, "Train");
  check_part(cx, g, "Train");
  check_part(cx, f, "Train");
  bool bound = !f.is_function();
  MonadCode monad = bound ? bound_fork_monad : fork_monad;
  DyadCode dyad = bound ? bound_fork_dyad : fork_dyad;
  return noted(make_train(cx.heap, std::move(f), std::move(g), std::move(h), monad, dyad));
}

char32_t glyph_of(const Value& v) {
  if (!v.is_operation()) return 0;
  switch (v.object()->kind) {
    case ObjectKind::primitive_function: return static_cast<const PrimitiveFunction&>(v.function()).entry->glyph;
    case ObjectKind::primitive_modifier: return static_cast<const PrimitiveModifier&>(v.modifier()).entry->glyph;
    default: return 0;
  }
}

}  // namespace griddle
