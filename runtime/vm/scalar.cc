#include "runtime/vm/scalar.h"

#include "runtime/vm/call.h"

namespace griddle {

namespace {

// Nested deeper than this, functions are called.
constexpr int deepest_arithmetic = 16;

Glyph modifier_of(const Derived& d) {
  const Modifier& modifier = d.modifier.modifier();
  if (modifier.kind != ObjectKind::primitive_modifier) return Glyph::none;
  return static_cast<const PrimitiveModifier&>(modifier).entry->name;
}

bool is_train_or_derived(const Function& f) { return f.kind == ObjectKind::train || f.kind == ObjectKind::derived; }

bool is_arithmetic(const Function&, int depth);
bool is_part(const Value& f, int depth) { return f.is_function() && is_arithmetic(f.function(), depth); }
bool is_part_or_number(const Value& f, int depth) { return f.is_number() || is_part(f, depth); }

bool examine(const Derived& d, int depth) {
  switch (modifier_of(d)) {
    case Glyph::swap: return is_part(d.f, depth);
    case Glyph::atop:
    case Glyph::over:
    case Glyph::valences: return is_part(d.f, depth) && is_part(d.g, depth);
    case Glyph::before: return is_part_or_number(d.f, depth) && is_part(d.g, depth);
    case Glyph::after: return is_part(d.f, depth) && is_part_or_number(d.g, depth);
    default: return false;
  }
}
bool examine(const Train& t, int depth) {
  return is_part(t.h, depth) && is_part(t.g, depth) && (t.f.is_absent() || is_part_or_number(t.f, depth));
}

// Powers are left to their kernel.
bool is_arithmetic(const Function& f, int depth) {
  if (f.kind == ObjectKind::primitive_function) {
    const ScalarOp op = static_cast<const PrimitiveFunction&>(f).scalar();
    return op != ScalarOp::none && op != ScalarOp::power;
  }
  if (!is_train_or_derived(f)) return false;
  if (f.a & (Function::arithmetic | Function::not_arithmetic)) return f.a & Function::arithmetic;
  if (depth == 0) return false;
  const bool is = f.kind == ObjectKind::train ? examine(static_cast<const Train&>(f), depth - 1)
                                              : examine(static_cast<const Derived&>(f), depth - 1);
  // What is found out about a function is no change that anybody sees.
  const_cast<Function&>(f).a |= is ? Function::arithmetic : Function::not_arithmetic;
  return is;
}

// Looks at a train or derived function whose mark mostly tells.
inline bool may_compute(const Function& f, int depth) { return f.a & Function::arithmetic || is_arithmetic(f, depth); }

ScalarOp scalar_of(const Function& f) { return static_cast<const PrimitiveFunction&>(f).scalar(); }

double on_one(const Function& f, double x, int depth);
double on_two(const Function& f, double w, double x, int depth);
double part_on_one(const Value& f, double x, int depth) {
  return !f.is_number() ? on_one(f.function(), x, depth) : x == x ? f.number() : NAN;
}

// These follow modifiers themselves: to write down their wiring takes longer than a number does. NaN goes through all that
// computes. It does not get lost in a constant, which takes the place of an argument in k⊸F and F⟜k.
double on_one(const Function& f, double x, int depth) {
  if (f.kind == ObjectKind::primitive_function) return scalar_number(scalar_of(f), x);
  if (depth-- == 0 || !is_train_or_derived(f) || !may_compute(f, depth)) return NAN;
  if (f.kind == ObjectKind::train) {
    const Train& t = static_cast<const Train&>(f);
    const double right = on_one(t.h.function(), x, depth);
    if (t.f.is_absent()) return on_one(t.g.function(), right, depth);
    return on_two(t.g.function(), part_on_one(t.f, x, depth), right, depth);
  }
  const Derived& d = static_cast<const Derived&>(f);
  if (d.bound() != ScalarOp::none)
    return d.b ? scalar_numbers(d.bound(), x, d.g.number()) : scalar_numbers(d.bound(), d.f.number(), x);
  switch (modifier_of(d)) {
    case Glyph::swap: return on_two(d.f.function(), x, x, depth);
    case Glyph::atop:
    case Glyph::over: return on_one(d.f.function(), on_one(d.g.function(), x, depth), depth);
    case Glyph::before: return on_two(d.g.function(), part_on_one(d.f, x, depth), x, depth);
    case Glyph::after: return on_two(d.f.function(), x, part_on_one(d.g, x, depth), depth);
    case Glyph::valences: return on_one(d.f.function(), x, depth);
    default: return NAN;
  }
}

double on_two(const Function& f, double w, double x, int depth) {
  if (f.kind == ObjectKind::primitive_function) return scalar_numbers(scalar_of(f), w, x);
  if (depth-- == 0 || !is_train_or_derived(f) || !may_compute(f, depth)) return NAN;
  if (f.kind == ObjectKind::train) {
    const Train& t = static_cast<const Train&>(f);
    const double right = on_two(t.h.function(), w, x, depth);
    if (t.f.is_absent()) return on_one(t.g.function(), right, depth);
    return on_two(t.g.function(), t.f.is_number() ? t.f.number() : on_two(t.f.function(), w, x, depth), right, depth);
  }
  const Derived& d = static_cast<const Derived&>(f);
  switch (modifier_of(d)) {
    case Glyph::swap: return on_two(d.f.function(), x, w, depth);
    case Glyph::atop: return on_one(d.f.function(), on_two(d.g.function(), w, x, depth), depth);
    case Glyph::over: return on_two(d.f.function(), on_one(d.g.function(), w, depth), on_one(d.g.function(), x, depth), depth);
    case Glyph::before: return on_two(d.g.function(), part_on_one(d.f, w, depth), x, depth);
    case Glyph::after: return on_two(d.f.function(), w, part_on_one(d.g, x, depth), depth);
    case Glyph::valences: return on_two(d.g.function(), w, x, depth);
    default: return NAN;
  }
}

}  // namespace

bool is_arithmetic(const Function& f) { return is_arithmetic(f, deepest_arithmetic); }
double arithmetic(const Function& f, double x) { return on_one(f, x, deepest_arithmetic); }
double arithmetic(const Function& f, double w, double x) { return on_two(f, w, x, deepest_arithmetic); }

namespace {

// Moves a character by a whole number, within the range of code points.
std::uint64_t moved(char32_t c, double by) {
  const double code = c + by;
  if (!(code >= 0 && code <= 1114111) || code != static_cast<double>(static_cast<std::int32_t>(code))) return Value::absent_bits;
  return Value::character(static_cast<char32_t>(code)).bits();
}

}  // namespace

std::uint64_t character_sum(ScalarOp op, std::uint64_t l, std::uint64_t r) {
  const Value &w = reinterpret_cast<const Value&>(l), &x = reinterpret_cast<const Value&>(r);
  const bool adds = op == ScalarOp::add;
  if (w.is_character() && x.is_number()) return moved(w.character(), adds ? x.number() : -x.number());
  if (adds && w.is_number() && x.is_character()) return moved(x.character(), w.number());
  if (adds || !w.is_character() || !x.is_character()) return Value::absent_bits;
  return Value(static_cast<double>(w.character()) - static_cast<double>(x.character())).bits();
}

bool scalar_atoms(ScalarOp op, const Value& w, const Value& x, Value& result) {
  // Numbers come before characters, as their bits do.
  const std::uint64_t l = w.bits(), r = x.bits();
  if (op == ScalarOp::add || op == ScalarOp::subtract) {
    result = Value::from_bits(character_sum(op, l, r));
    return !result.is_absent();
  }
  if (l >= Value::absent_bits || r >= Value::absent_bits || (w.is_number() && x.is_number())) return false;
  switch (op) {
    case ScalarOp::less: result = Value(l < r); return true;
    case ScalarOp::less_equal: result = Value(l <= r); return true;
    case ScalarOp::equal: result = Value(l == r); return true;
    case ScalarOp::greater_equal: result = Value(l >= r); return true;
    case ScalarOp::greater: result = Value(l > r); return true;
    case ScalarOp::not_equal: result = Value(l != r); return true;
    default: return false;
  }
}

}  // namespace griddle
