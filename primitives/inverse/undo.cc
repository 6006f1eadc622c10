// ⁼: finds the inverse of a function by taking it apart.
#include "primitives/inverse/undo.h"
#include "primitives/common/by_door.h"

#include "primitives/common/pervasive.h"
#include "primitives/functions.h"
#include "primitives/modifiers.h"
#include "primitives/structure/match.h"
#include "runtime/value/array_builder.h"
#include "runtime/value/fill.h"
#include "runtime/vm/block_undo.h"
#include "runtime/vm/call.h"
#include "runtime/vm/error.h"
#include "runtime/vm/wiring.h"

namespace griddle::primitives {
namespace {

Value solve(Context&, const Value& f, const Equation&, Value x);

[[noreturn]] void no_inverse(Context& cx, const Value& f, const Equation& e) {
  fail(cx, std::string("Undo: 𝔽 has no inverse for ") + (e.w.is_absent() ? "one argument" : "two arguments") +
               (e.swapped ? ", swapped" : "") + " (" + function_text(cx, f) + ")");
}

Value undone(Context& cx, const Value& f, bool swapped) {
  Value g = swapped ? derived_by<swap_monad>(cx, f) : f;
  return derived_by<undo_monad>(cx, std::move(g));
}

Value if_constant(Context& cx, const Value& k, Value x) {
  if (!matches(cx, k, x)) fail(cx, "Undo: 𝕩 must match the constant 𝔽 (" + value_text(x) + " and " + value_text(k) + ")");
  return x;
}

// Calls what undoes a primitive. Where that is another primitive its errors say what it stands for.
template <class Call>
Value undoing(Context& cx, const char* name, const Call& call) {
  try {
    return call();
  } catch (Error& error) {
    const Value& message = error.message;
    if (error.catchable && rank_of(message) == 1 && is_character(message.array().type())) {
      const std::string text = to_utf8(message.array());
      const std::string own = std::string(name) + ": ";
      if (!text.starts_with("Undo of "))
        error.message = make_string(cx.heap, "Undo of " + (text.starts_with(own) ? text : own + text));
    }
    throw;
  }
}

// Gives one of two codes, by the side of what is known; fails where there is none.
template <class Code>
Code code_for(Context& cx, const Value& f, const Equation& e, Code plain, Code swapped) {
  const Code code = e.swapped ? swapped : plain;
  if (!code) no_inverse(cx, f, e);
  return code;
}

Value solve_primitive(Context& cx, const Value& f, const Equation& e, Value x) {
  const PrimitiveFunctionEntry* p = primitive_entry(f);
  if (e.w.is_absent()) {
    const Monad code = code_for(cx, f, e, p->undo, p->undo_swapped);
    return undoing(cx, e.swapped ? p->dyad_name : p->monad_name, [&] { return code(cx, std::move(x)); });
  }
  const Dyad code = code_for(cx, f, e, p->undo_dyad, p->undo_swapped_dyad);
  return undoing(cx, p->dyad_name, [&] { return code(cx, e.w, std::move(x)); });
}

Value solve_native(Context& cx, const Value& f, const Equation& e, Value x) {
  const Function& function = f.function();
  const UndoCodes* codes = dynamic_cast<const UndoCodes*>(static_cast<const NativeFunction&>(function).state);
  if (!codes) no_inverse(cx, f, e);
  if (e.w.is_absent()) return code_for(cx, f, e, codes->undo, codes->undo_swapped)(cx, function, std::move(x));
  return code_for(cx, f, e, codes->undo_dyad, codes->undo_swapped_dyad)(cx, function, e.w, std::move(x));
}

// Undoes what is called last, and then the part of the wiring whose result that gives: the other one is known beforehand.
Value solve_wiring(Context& cx, const Value& f, const Wiring& wiring, const Equation& e, Value x) {
  using From = Wiring::From;
  const From known_side = e.swapped ? From::x : From::w;
  const auto known = [&](const Wiring::Input& i) -> Value {
    if (const Value* k = i.by == nullptr ? nullptr : constant_of(*i.by)) return *k;
    if (e.w.is_absent()) return Value();
    if (i.from == known_side) return i.by == nullptr ? e.w : call(cx, *i.by, e.w);
    const bool passes = i.from == From::both && side_passed_by(*i.by) == (e.swapped ? ScalarOp::right : ScalarOp::left);
    return passes ? e.w : Value();
  };
  const Equation plain{Value(), false};
  const auto solve_part = [&](const Wiring::Input& i, Value made) {
    // What meets the known argument alone tells nothing of the other one.
    if (!e.w.is_absent() && i.from == known_side) no_inverse(cx, f, e);
    return i.by == nullptr ? made : solve(cx, *i.by, i.from == From::both ? e : plain, std::move(made));
  };
  const Wiring::Input &left = wiring.left, &right = wiring.right;
  if (!wiring.has_left()) return solve_part(right, solve(cx, *wiring.last, plain, std::move(x)));
  if (Value k = known(left); !k.is_absent())
    return solve_part(right, solve(cx, *wiring.last, {std::move(k), false}, std::move(x)));
  if (Value k = known(right); !k.is_absent())
    return solve_part(left, solve(cx, *wiring.last, {std::move(k), true}, std::move(x)));
  // y f y reads the same from both sides.
  if (left.by != right.by || left.from == From::both) no_inverse(cx, f, e);
  return solve_part(right, solve(cx, *wiring.last, {Value(), true}, std::move(x)));
}

const Derived& derived(const Value& f) { return static_cast<const Derived&>(f.function()); }

// Each result undoes the step from the element before it: for the first cells that is 𝕨, which comes in as by `w » x`.
Value solve_steps(Context& cx, const Value& f, const Equation& e, Value x) {
  if (rank_of(x) == 0) fail(cx, "Undo of Scan: 𝕩 must have rank at least 1 (got " + kind_text(x) + ")");
  const Array& a = x.array();
  std::span<const std::size_t> cell_shape = a.shape().subspan(1);
  if (!e.w.is_absent() && !same_shape(shape_of(e.w), cell_shape) &&
      !(rank_of(e.w) == a.rank() && same_shape(shape_of(e.w).subspan(1), cell_shape)))
    fail(cx, "Undo of Scan: 𝕨 must be a cell of 𝕩 or several (shapes " + shape_text(e.w) + " and " + shape_text(x) + ")");
  if (a.length == 0) return x;
  std::size_t cell = a.cell_length();
  const PrimitiveFunctionEntry* p = primitive_entry(f);
  const bool arithmetic = p && p->pervasive_dyad && p->undo_dyad;
  const Value before = e.w.is_absent() ? Value() : shift_before(cx, e.w, x);
  if (arithmetic && !before.is_absent()) return p->undo_dyad(cx, before, std::move(x));
  if (arithmetic && a.cells() > 1) {
    Shape rest(a.shape());
    rest[0]--;
    Value head = slice(cx.heap, x, 0, cell_shape);
    Value tail = p->undo_dyad(cx, slice(cx.heap, x, 0, rest), slice(cx.heap, x, cell, rest));
    return join_to(cx, std::move(head), std::move(tail));
  }
  ArrayBuilder builder(cx.heap, a.length);
  for (std::size_t i = 0; i < a.length; i++) {
    cx.check_interrupt();
    if (before.is_absent() && i < cell)
      builder.push(element(a, i));
    else
      builder.push(solve(cx, f, {before.is_absent() ? element(a, i - cell) : element(before.array(), i), false}, element(a, i)));
  }
  return with_fill_like(cx.heap, builder.finish(a.shape()), x);
}

Value solve_derived(Context& cx, const Value& f, const Equation& e, Value x) {
  const Derived& d = derived(f);
  const bool dyadic = !e.w.is_absent();
  if (d.modifier.object()->kind == ObjectKind::primitive_modifier) {
    const PrimitiveModifierEntry& modifier = *static_cast<const PrimitiveModifier&>(d.modifier.modifier()).entry;
    if (modifier.solve != nullptr) return modifier.solve(cx, f, e, std::move(x));
    if (const Wiring wiring = wiring_of(f, dyadic || e.swapped)) return solve_wiring(cx, f, wiring, e, std::move(x));
    no_inverse(cx, f, e);
  }
  if (d.modifier.object()->kind != ObjectKind::native_modifier || e.swapped) no_inverse(cx, f, e);
  const NativeModifier& native = static_cast<const NativeModifier&>(d.modifier.modifier());
  if (dyadic ? !native.undo_dyad : !native.undo) no_inverse(cx, f, e);
  return dyadic ? native.undo_dyad(cx, d, e.w, std::move(x)) : native.undo(cx, d, std::move(x));
}

Value solve(Context& cx, const Value& f, const Equation& e, Value x) {
  cx.check_stack();
  if (!f.is_function()) {
    if (f.is_modifier()) no_inverse(cx, f, e);
    return if_constant(cx, f, std::move(x));
  }
  switch (f.object()->kind) {
    case ObjectKind::primitive_function: return solve_primitive(cx, f, e, std::move(x));
    case ObjectKind::train: return solve_wiring(cx, f, wiring_of(f, !e.w.is_absent() || e.swapped), e, std::move(x));
    case ObjectKind::derived: return solve_derived(cx, f, e, std::move(x));
    case ObjectKind::native_function: return solve_native(cx, f, e, std::move(x));
    case ObjectKind::block_function:
    case ObjectKind::derived_block: return (e.swapped ? block_undo_swapped : block_undo)(cx, f.function(), e.w, std::move(x));
    default: no_inverse(cx, f, e);
  }
}

}  // namespace

// --- modifiers

Value solve_constant(Context& cx, const Value& f, const Equation&, Value x) {
  return if_constant(cx, derived(f).f, std::move(x));
}
Value solve_under(Context& cx, const Value& f, const Equation& e, Value x) {
  if (e.swapped) no_inverse(cx, f, e);
  const Derived& d = derived(f);
  return call_maybe(cx, derive2(cx, d.modifier, undone(cx, d.f, false), d.g), e.w, std::move(x));
}
Value solve_undo(Context& cx, const Value& f, const Equation& e, Value x) {
  // `w f⁼ y = x` says `w f x = y`; swapped, `y f⁼ w = x` says `y f x = w`.
  if (!e.swapped) return call_maybe(cx, derived(f).f, e.w, std::move(x));
  if (e.w.is_absent()) no_inverse(cx, f, e);
  return solve(cx, derived(f).f, {std::move(x), true}, e.w);
}
Value solve_each(Context& cx, const Value& f, const Equation& e, Value x) {
  const Derived& d = derived(f);
  const PrimitiveModifierEntry& modifier = *static_cast<const PrimitiveModifier&>(d.modifier.modifier()).entry;
  const bool by_cells = modifier.applies == Applies::to_cells;
  if (x.is_atom() || (by_cells && rank_of(x) == 0))
    fail(cx, std::string("Undo of ") + modifier.words + ": 𝕩 must be an array" + (by_cells ? " of rank at least 1" : "") +
                 " (got " + kind_text(x) + ")");
  return call_maybe(cx, derive1(cx, d.modifier, undone(cx, d.f, e.swapped)), e.w, std::move(x));
}
Value solve_table(Context& cx, const Value& f, const Equation& e, Value x) {
  if (!e.w.is_absent() || e.swapped) no_inverse(cx, f, e);
  return solve_each(cx, f, e, std::move(x));
}
Value solve_scan(Context& cx, const Value& f, const Equation& e, Value x) {
  if (e.swapped) no_inverse(cx, f, e);
  return solve_steps(cx, derived(f).f, e, std::move(x));
}
Value solve_repeat(Context& cx, const Value& f, const Equation& e, Value x) {
  const Derived& d = derived(f);
  std::int64_t n;
  if (e.swapped || !d.g.to_integer(n)) no_inverse(cx, f, e);
  return call_maybe(cx, derive2(cx, d.modifier, d.f, Value(-static_cast<double>(n))), e.w, std::move(x));
}

Value undo_call(Context& cx, const Value& f, Value x) { return solve(cx, f, {Value(), false}, std::move(x)); }
Value undo_call(Context& cx, const Value& f, Value w, Value x) { return solve(cx, f, {std::move(w), false}, std::move(x)); }

Value undo_monad(Context& cx, const Function& self, Value x) {
  if (const PrimitiveFunctionEntry* p = primitive_entry(static_cast<const Derived&>(self).f); p != nullptr && p->undo)
    return undoing(cx, p->monad_name, [&] { return p->undo(cx, std::move(x)); });
  return undo_call(cx, static_cast<const Derived&>(self).f, std::move(x));
}
Value undo_dyad(Context& cx, const Function& self, Value w, Value x) {
  return undo_call(cx, static_cast<const Derived&>(self).f, std::move(w), std::move(x));
}

}  // namespace griddle::primitives
