#include "runtime/vm/scalar.h"

namespace griddle {

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
  if (f.kind != ObjectKind::train || f.a == 0) return NAN;
  const Train& t = static_cast<const Train&>(f);
  const double right = arithmetic(t.h.function(), x);
  if (t.f.is_absent()) return right == right ? arithmetic(t.g.function(), right) : NAN;
  const double left = t.f.is_number() ? t.f.number() : arithmetic(t.f.function(), x);
  if (right != right || left != left) return NAN;
  return scalar_numbers(static_cast<const PrimitiveFunction&>(t.g.function()).scalar(), left, right);
}

bool scalar_atoms(ScalarOp op, const Value& w, const Value& x, Value& result) {
  auto compare = [&](double l, double r) {
    switch (op) {
      case ScalarOp::less: result = Value(l < r); return true;
      case ScalarOp::less_equal: result = Value(l <= r); return true;
      case ScalarOp::equal: result = Value(l == r); return true;
      case ScalarOp::greater_equal: result = Value(l >= r); return true;
      case ScalarOp::greater: result = Value(l > r); return true;
      case ScalarOp::not_equal: result = Value(l != r); return true;
      default: return false;
    }
  };
  auto shifted = [&](char32_t c, double by) {
    double code = c + by;
    if (!(code >= 0 && code <= 1114111) || code != static_cast<double>(static_cast<std::int32_t>(code))) return false;
    result = Value::character(static_cast<char32_t>(code));
    return true;
  };
  if (w.is_character()) {
    if (x.is_character()) {
      if (op == ScalarOp::subtract) {
        result = Value(static_cast<double>(w.character()) - static_cast<double>(x.character()));
        return true;
      }
      return compare(w.character(), x.character());
    }
    if (!x.is_number()) return false;
    if (op == ScalarOp::add) return shifted(w.character(), x.number());
    if (op == ScalarOp::subtract) return shifted(w.character(), -x.number());
    return false;
  }
  return op == ScalarOp::add && w.is_number() && x.is_character() && shifted(x.character(), w.number());
}

}  // namespace griddle
