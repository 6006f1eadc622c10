// Forming derived functions and trains.
#include <algorithm>

#include "runtime/vm/call.h"
#include "runtime/vm/error.h"

namespace griddle {

namespace {

const Train& train(const Function& self) { return static_cast<const Train&>(self); }

// Calls the parts of a train. Those of most trains are functions, which needs no look at each call; the stack is checked once.
struct Functions {
  // Calls with an argument that others need afterwards.
  static Value call(Context& cx, const Value& f, const Value& x) {
    Value shared = x;
    if (f.function().kind == ObjectKind::derived && shared.is_array()) {
      const Derived& derived = static_cast<const Derived&>(f.function());
      if (derived.direct != nullptr)
        if (const std::uint64_t result = derived.direct(cx, derived, shared); result != Value::absent_bits)
          return Value::from_bits(result);
    }
    return call_function(cx, f.function(), std::move(shared));
  }
  static Value call(Context& cx, const Value& f, Value&& x) { return call_function(cx, f.function(), std::move(x)); }
  static Value call(Context& cx, const Value& f, Value&& w, Value&& x) {
    return call_function(cx, f.function(), std::move(w), std::move(x));
  }
};
struct AnyParts {
  static Value call(Context& cx, const Value& f, const Value& x) { return griddle::call(cx, f, x); }
  static Value call(Context& cx, const Value& f, Value&& x) { return griddle::call(cx, f, std::move(x)); }
  static Value call(Context& cx, const Value& f, Value&& w, Value&& x) {
    return griddle::call(cx, f, std::move(w), std::move(x));
  }
};

template <class Parts>
Value atop_monad(Context& cx, const Function& self, Value x) {
  cx.check_stack();
  const Train& t = train(self);
  return Parts::call(cx, t.g, Parts::call(cx, t.h, std::move(x)));
}
template <class Parts>
Value atop_dyad(Context& cx, const Function& self, Value w, Value x) {
  cx.check_stack();
  const Train& t = train(self);
  return Parts::call(cx, t.g, Parts::call(cx, t.h, std::move(w), std::move(x)));
}

template <class Parts>
Value fork_monad(Context& cx, const Function& self, Value x) {
  cx.check_stack();
  const Train& t = train(self);
  Value right = Parts::call(cx, t.h, std::as_const(x));
  return Parts::call(cx, t.g, Parts::call(cx, t.f, std::move(x)), std::move(right));
}
template <class Parts>
Value fork_dyad(Context& cx, const Function& self, Value w, Value x) {
  cx.check_stack();
  const Train& t = train(self);
  Value right = Parts::call(cx, t.h, Value(w), Value(x));
  return Parts::call(cx, t.g, Parts::call(cx, t.f, std::move(w), std::move(x)), std::move(right));
}

// A constant left tine gives itself.
template <class Parts>
Value bound_fork_monad(Context& cx, const Function& self, Value x) {
  cx.check_stack();
  const Train& t = train(self);
  return Parts::call(cx, t.g, Value(t.f), Parts::call(cx, t.h, std::move(x)));
}
template <class Parts>
Value bound_fork_dyad(Context& cx, const Function& self, Value w, Value x) {
  cx.check_stack();
  const Train& t = train(self);
  return Parts::call(cx, t.g, Value(t.f), Parts::call(cx, t.h, std::move(w), std::move(x)));
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

// Tells how deep a train of arithmetic alone nests; 0 for any other.
unsigned train_nesting(const Value& f, const Value& g, const Value& h) {
  constexpr unsigned deepest = 16;
  const unsigned right = arithmetic_nesting(h);
  if (right == 0) return 0;
  const unsigned middle = arithmetic_nesting(g);
  if (middle == 0) return 0;
  unsigned left = 1;
  if (!f.is_absent()) {
    if (g.object()->kind != ObjectKind::primitive_function) return 0;
    if (!f.is_number()) left = arithmetic_nesting(f);
    if (left == 0) return 0;
  }
  const unsigned most = std::max({left, middle, right});
  return most < deepest ? most + 1 : 0;
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

Value make_atop(Context& cx, Value&& g, Value&& h) {
  check_part(cx, h, "Train");
  check_part(cx, g, "Train");
  const unsigned nesting = train_nesting(Value(), g, h);
  const bool functions = g.is_function() && h.is_function();
  Train* t = make_train(cx.heap, Value(), std::move(g), std::move(h), functions ? atop_monad<Functions> : atop_monad<AnyParts>,
                        functions ? atop_dyad<Functions> : atop_dyad<AnyParts>);
  t->a = static_cast<std::uint8_t>(nesting);
  return Value(static_cast<Function*>(t));
}
Value make_fork(Context& cx, Value&& f, Value&& g, Value&& h) {
  check_part(cx, h, "Train");
  check_part(cx, g, "Train");
  check_part(cx, f, "Train");
  const unsigned nesting = train_nesting(f, g, h);
  const bool functions = g.is_function() && h.is_function();
  const bool bound = !f.is_function();
  MonadCode monad = bound       ? functions ? bound_fork_monad<Functions> : bound_fork_monad<AnyParts>
                          : functions ? fork_monad<Functions>
                                : fork_monad<AnyParts>;
  DyadCode dyad = bound       ? functions ? bound_fork_dyad<Functions> : bound_fork_dyad<AnyParts>
                        : functions ? fork_dyad<Functions>
                              : fork_dyad<AnyParts>;
  Train* t = make_train(cx.heap, std::move(f), std::move(g), std::move(h), monad, dyad);
  t->a = static_cast<std::uint8_t>(nesting);
  return Value(static_cast<Function*>(t));
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
