#include "runtime/vm/scalar.h"

#include <algorithm>

#include "runtime/vm/call.h"

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

// Nesting of functions that is followed here.
constexpr int deepest_form = 8;

double on_numbers(const Function& f, double w, double x, int depth);

double on_number(const Function& f, double x, int depth) {
  const double r = arithmetic(f, x);
  if (r == r || f.kind != ObjectKind::derived || depth == 0) return r;
  const Derived& d = static_cast<const Derived&>(f);
  if (!d.f.is_function() && !d.f.is_number()) return NAN;
  const auto of = [&](const Value& v, double y) {
    return v.is_number() ? v.number() : v.is_function() ? on_number(v.function(), y, depth - 1) : NAN;
  };
  const auto both = [&](const Value& v, double l, double y) {
    return l == l && y == y && v.is_function() ? on_numbers(v.function(), l, y, depth - 1) : NAN;
  };
  switch (glyph_of(d.modifier)) {
    case U'˜': return both(d.f, x, x);
    case U'⊸': return both(d.g, of(d.f, x), x);
    case U'⟜': return both(d.f, x, of(d.g, x));
    case U'∘':
    case U'○': {
      const double inner = of(d.g, x);
      return inner == inner ? of(d.f, inner) : NAN;
    }
    default: return NAN;
  }
}

double on_numbers(const Function& f, double w, double x, int depth) {
  if (f.kind == ObjectKind::primitive_function) return scalar_numbers(static_cast<const PrimitiveFunction&>(f).scalar(), w, x);
  if (depth == 0) return NAN;
  const auto one = [&](const Value& v, double y) {
    return v.is_number() ? v.number() : v.is_function() ? on_number(v.function(), y, depth - 1) : NAN;
  };
  const auto both = [&](const Value& v, double l, double y) -> double {
    if (l != l || y != y) return NAN;
    return v.is_number() ? v.number() : v.is_function() ? on_numbers(v.function(), l, y, depth - 1) : NAN;
  };
  if (f.kind == ObjectKind::train) {
    const Train& t = static_cast<const Train&>(f);
    const double right = both(t.h, w, x);
    if (right != right) return NAN;
    return t.f.is_absent() ? one(t.g, right) : both(t.g, both(t.f, w, x), right);
  }
  if (f.kind != ObjectKind::derived) return NAN;
  const Derived& d = static_cast<const Derived&>(f);
  switch (glyph_of(d.modifier)) {
    case U'˜': return both(d.f, x, w);
    case U'⊸': return both(d.g, one(d.f, w), x);
    case U'⟜': return both(d.f, w, one(d.g, x));
    case U'∘': {
      const double inner = both(d.g, w, x);
      return inner == inner ? one(d.f, inner) : NAN;
    }
    case U'○': return both(d.f, one(d.g, w), one(d.g, x));
    default: return NAN;
  }
}

}  // namespace

namespace {

// What a part of a function comes to, as far as adds_multiple() follows it.
struct Part {
  enum Kind { other, constant, left, right, multiple, sum } kind = other;
  double number = 1;  // the constant, or the factor of a multiple of the right argument
};

Part part_of_primitive(const PrimitiveFunction& f, const Part& w, const Part& x) {
  switch (f.scalar()) {
    case ScalarOp::left: return w.kind == Part::other ? x : w;
    case ScalarOp::right: return x;
    case ScalarOp::multiply:
      if (w.kind == Part::constant && x.kind == Part::right) return {Part::multiple, w.number};
      if (x.kind == Part::constant && w.kind == Part::right) return {Part::multiple, x.number};
      return {};
    case ScalarOp::add:
      if (w.kind == Part::right && x.kind == Part::right) return {Part::multiple, 2};
      if (w.kind == Part::left && x.kind == Part::multiple) return {Part::sum, x.number};
      if (x.kind == Part::left && w.kind == Part::multiple) return {Part::sum, w.number};
      return {};
    default: return {};
  }
}

// `w` is of another kind where there is one argument.
Part part_of(const Value& v, const Part& w, const Part& x, int depth) {
  if (x.kind == Part::other) return {};
  if (v.is_number()) return {Part::constant, v.number()};
  if (!v.is_function() || depth == 0) return {};
  const Function& f = v.function();
  const bool dyadic = w.kind != Part::other;
  if (f.kind == ObjectKind::primitive_function) {
    const PrimitiveFunction& p = static_cast<const PrimitiveFunction&>(f);
    return dyadic || p.scalar() >= ScalarOp::left ? part_of_primitive(p, w, x) : Part{};
  }
  const auto one = [&](const Value& g, const Part& y) { return part_of(g, {}, y, depth - 1); };
  const auto two = [&](const Value& g, const Part& l, const Part& r) {
    return l.kind == Part::other ? Part{} : part_of(g, l, r, depth - 1);
  };
  if (f.kind == ObjectKind::train) {
    const Train& t = static_cast<const Train&>(f);
    const Part h = part_of(t.h, w, x, depth - 1);
    return t.f.is_absent() ? one(t.g, h) : two(t.g, part_of(t.f, w, x, depth - 1), h);
  }
  if (f.kind != ObjectKind::derived) return {};
  const Derived& d = static_cast<const Derived&>(f);
  switch (glyph_of(d.modifier)) {
    case U'˜': return dyadic ? two(d.f, x, w) : two(d.f, x, x);
    case U'⊸': return two(d.g, one(d.f, dyadic ? w : x), x);
    case U'⟜': return two(d.f, dyadic ? w : x, one(d.g, x));
    default: return {};
  }
}

}  // namespace

bool adds_multiple(const Function& f, double& factor) {
  if (f.kind != ObjectKind::derived && f.kind != ObjectKind::train) return false;
  const Value function = Value::share(const_cast<Function*>(&f));
  const Part all = part_of(function, {Part::left}, {Part::right}, deepest_form);
  factor = all.number;
  return all.kind == Part::sum;
}

double result_on_numbers(const Function& f, double w, double x) { return on_numbers(f, w, x, deepest_form); }

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
