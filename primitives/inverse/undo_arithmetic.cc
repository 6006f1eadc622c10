// Inverses of arithmetic primitives that no primitive gives by itself.
#include "primitives/arithmetic/dispatch.h"
#include "primitives/common/by_door.h"
#include "primitives/functions.h"
#include "primitives/inverse/undo.h"
#include "primitives/kernels/functions/exponential.h"
#include "primitives/structure/match.h"
#include "runtime/value/fill.h"
#include "runtime/vm/call.h"
#include "runtime/vm/error.h"

namespace griddle::primitives {
namespace {

Value logarithm_of_atom(Context& cx, const Value& x) {
  if (x.is_number()) return kernels::of_one(kernels::exponentials().logarithm, x.number());
  fail(cx, "Undo of Power: 𝕩 must consist of numbers (got " + value_text(x) + ")");
}
bool logarithm_step(ElementType x, int, MonadStep& step) {
  step = {ElementType::f64, ElementType::f64, kernels::exponentials().logarithm};
  return is_number(x);
}
constexpr MonadRule logarithm_rule = {"Undo of Power", undo_exponential, logarithm_of_atom, logarithm_step};
constexpr RealCall logarithm_call = {RealFunction::logarithm, logarithm_rule.name, undo_exponential};

// Compute by a primitive's door, so that arrays on a device stay there.
Value quotient(Context& cx, Value w, Value x) { return call_primitive(cx, entry_by<divide>(), std::move(w), std::move(x)); }
Value difference(Context& cx, Value w, Value x) { return call_primitive(cx, entry_by<subtract>(), std::move(w), std::move(x)); }

bool is_boolean(Context& cx, const Value& x) {
  if (x.is_number()) return x.number() == 0 || x.number() == 1;
  if (x.is_atom()) return false;
  cx.check_stack();
  const Array& a = x.array();
  if (a.type() == ElementType::bit) return true;
  for (std::size_t i = 0; i < a.length; i++)
    if (!is_boolean(cx, element(a, i))) return false;
  return true;
}

// Gives x if it is a possible result: one that f leaves as it is.
Value if_fixed(Context& cx, Monad f, Value x, const char* failure) {
  if (!matches(cx, f(cx, x), x)) fail(cx, std::string(failure) + " (got " + kind_text(x) + ")");
  return x;
}

}  // namespace

Value undo_sign(Context& cx, Value x) { return if_fixed(cx, sign, std::move(x), "Undo of Sign: 𝕩 must consist of ¯1, 0 and 1"); }
Value undo_exponential(Context& cx, Value x) {
  if (Value there = real_on_device(cx, logarithm_call, Value(), x); !there.is_absent()) return there;
  const bool of_spaces = x.is_array() && x.array().fill_kind() == FillKind::space;
  Value result = pervade(cx, logarithm_rule, x);
  return of_spaces ? with_fill(cx.heap, std::move(result), Value(0.0)) : result;
}
Value undo_square_root(Context& cx, Value x) { return call_primitive(cx, entry_by<multiply>(), x, x); }
Value undo_sort_up(Context& cx, Value x) {
  return if_fixed(cx, sort_up, std::move(x), "Undo of Sort Up: 𝕩 must be in ascending order");
}
Value undo_sort_down(Context& cx, Value x) {
  return if_fixed(cx, sort_down, std::move(x), "Undo of Sort Down: 𝕩 must be in descending order");
}

Value undo_power(Context& cx, Value w, Value x) {
  return quotient(cx, undo_exponential(cx, std::move(x)), undo_exponential(cx, std::move(w)));
}
Value undo_logic_or(Context& cx, Value w, Value x) {
  Value divisor = difference(cx, Value(1), w);
  return quotient(cx, difference(cx, std::move(x), std::move(w)), std::move(divisor));
}
Value undo_not_equal(Context& cx, Value w, Value x) {
  if (!is_boolean(cx, w) || !is_boolean(cx, x)) fail(cx, "Undo of Not Equal: 𝕨 and 𝕩 must be boolean");
  return not_equal(cx, std::move(w), std::move(x));
}
Value undo_left(Context& cx, Value w, Value x) {
  if (!matches(cx, w, x)) fail(cx, "Undo of Left: 𝕨 and 𝕩 must match");
  return x;
}

Value undo_add_swapped(Context& cx, Value x) { return quotient(cx, std::move(x), Value(2)); }
Value undo_logic_or_swapped(Context& cx, Value x) { return complement(cx, square_root(cx, complement(cx, std::move(x)))); }
Value undo_root_swapped(Context& cx, Value w, Value x) {
  return quotient(cx, undo_exponential(cx, std::move(w)), undo_exponential(cx, std::move(x)));
}
Value undo_span_not_swapped(Context& cx, Value w, Value x) {
  return difference(cx, call_primitive(cx, entry_by<add>(), std::move(x), std::move(w)), Value(1));
}

}  // namespace griddle::primitives
