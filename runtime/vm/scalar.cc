#include "runtime/vm/scalar.h"

#include <algorithm>

#include "runtime/vm/call.h"
#include "runtime/vm/wiring.h"

namespace griddle {

namespace {

constexpr unsigned deepest_train = 16;

unsigned nesting_of(const Train&, unsigned depth);

// Gives the nesting of a function that `arithmetic` may know; 0 for any other.
unsigned nesting_of(const Value& f, unsigned depth) {
  if (!f.is_function()) return 0;
  const Function& o = f.function();
  switch (o.kind) {
    case ObjectKind::primitive_function: return static_cast<const PrimitiveFunction&>(o).scalar() != ScalarOp::none;
    case ObjectKind::derived: return static_cast<const Derived&>(o).bound() != ScalarOp::none;
    case ObjectKind::train: return nesting_of(static_cast<const Train&>(o), depth);
    default: return 0;
  }
}

unsigned nesting_of_parts(const Train& t, unsigned depth) {
  const unsigned right = nesting_of(t.h, depth);
  if (right == 0) return 0;
  const unsigned middle = nesting_of(t.g, depth);
  if (middle == 0) return 0;
  unsigned left = 1;
  if (!t.f.is_absent()) {
    if (t.g.object()->kind != ObjectKind::primitive_function) return 0;
    if (!t.f.is_number()) left = nesting_of(t.f, depth);
    if (left == 0) return 0;
  }
  const unsigned most = std::max({left, middle, right});
  return most < deepest_train ? most + 1 : 0;
}

unsigned nesting_of(const Train& t, unsigned depth) {
  if (t.a != Train::unknown) return t.a;
  if (depth == 0) return 0;
  // What is found out about a function is no change that anybody sees.
  return const_cast<Train&>(t).a = static_cast<std::uint8_t>(nesting_of_parts(t, depth - 1));
}

}  // namespace

unsigned arithmetic_nesting(const Train& t) { return nesting_of(t, deepest_train); }

double arithmetic(const Function& f, double x) {
  if (f.kind == ObjectKind::derived) {
    const Derived& d = static_cast<const Derived&>(f);
    return d.bound() == ScalarOp::none ? NAN : bound_number(d, x);
  }
  if (f.kind == ObjectKind::primitive_function) {
    switch (static_cast<const PrimitiveFunction&>(f).scalar()) {
      case ScalarOp::add:
      case ScalarOp::left:
      case ScalarOp::right: return x;
      case ScalarOp::subtract: return 0 - x;
      case ScalarOp::divide: return 1 / (x + 0.0);
      case ScalarOp::minimum: return std::floor(x);
      case ScalarOp::maximum: return std::ceil(x);
      case ScalarOp::modulus: return std::fabs(x);
      case ScalarOp::span_not: return 1 - x;
      default: return NAN;
    }
  }
  if (f.kind != ObjectKind::train) return NAN;
  const Train& t = static_cast<const Train&>(f);
  if (t.a == 0 || (t.a == Train::unknown && arithmetic_nesting(t) == 0)) return NAN;
  const double right = arithmetic(t.h.function(), x);
  if (t.f.is_absent()) return right == right ? arithmetic(t.g.function(), right) : NAN;
  const double left = t.f.is_number() ? t.f.number() : arithmetic(t.f.function(), x);
  if (right != right || left != left) return NAN;
  return scalar_numbers(static_cast<const PrimitiveFunction&>(t.g.function()).scalar(), left, right);
}

namespace {

double on_numbers(const Function& f, const double* w, double x, int depth) {
  if (w != nullptr && f.kind == ObjectKind::primitive_function)
    return scalar_numbers(static_cast<const PrimitiveFunction&>(f).scalar(), *w, x);
  if (w == nullptr)
    if (const double r = arithmetic(f, x); r == r) return r;
  const Wiring wiring = wiring_of(f, w != nullptr);
  if (!wiring || depth == 0) return NAN;
  const auto apply = [&](const Value& g, const double* l, double r) {
    return g.is_number() ? g.number() : g.is_function() ? on_numbers(g.function(), l, r, depth - 1) : NAN;
  };
  return follow(wiring, w, x, apply, [](double known) { return known == known; });
}

}  // namespace

double result_on_numbers(const Function& f, double w, double x) {
  constexpr int deepest = 8;
  return on_numbers(f, &w, x, deepest);
}

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
