// Elementwise functions: what is known of their results, and the links that they become.
#include <algorithm>
#include <cmath>

#include "gpu/elementwise.h"
#include "gpu/offload.h"

namespace griddle {

namespace {

Bounds bounds_of_number(double d) { return {d, d, d == std::floor(d) && std::fabs(d) <= exact_limit / 2}; }

Bounds product(const Bounds& a, const Bounds& b) {
  const double p[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
  for (double d : p)
    if (d != d) return unbounded;
  return {*std::min_element(p, p + 4), *std::max_element(p, p + 4), a.integral && b.integral};
}

Bounds arithmetic(griddle_operation o, const Bounds& a, const Bounds& b) {
  const bool integral = a.integral && b.integral;
  switch (o) {
    case griddle_add: return {a.low + b.low, a.high + b.high, integral};
    case griddle_subtract: return {a.low - b.high, a.high - b.low, integral};
    default: return product(a, b);
  }
}

// Tells whether integers become doubles only because they might be large.
bool wide(griddle_operation o, const Bounds& a, const Bounds& b) {
  return (o == griddle_add || o == griddle_subtract || o == griddle_multiply) && type_for(a) != ElementType::f64 &&
         type_for(b) != ElementType::f64 && type_for(sane(arithmetic(o, a, b))) == ElementType::f64;
}

// Rounding keeps the order of quotients. What is unbounded may be no number.
Bounds quotient(const Bounds& a, const Bounds& b) {
  const bool bounded = std::isfinite(a.low) && std::isfinite(a.high) && std::isfinite(b.low) && std::isfinite(b.high);
  if (!bounded || (b.low <= 0 && b.high >= 0)) return unbounded;
  const double q[] = {a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high};
  return {*std::min_element(q, q + 4), *std::max_element(q, q + 4), false};
}

// In the order of Glyph, which begins with them; `griddle_load` where there is none.
constexpr griddle_operation monads[] = {
    griddle_load,        griddle_negate, griddle_sign,    griddle_reciprocal, griddle_exponential,
    griddle_square_root, griddle_floor,  griddle_ceiling, griddle_magnitude,  griddle_complement,
};
constexpr griddle_operation dyads[] = {
    griddle_add,     griddle_subtract, griddle_multiply,  griddle_divide,   griddle_power,      griddle_root,
    griddle_minimum, griddle_maximum,  griddle_modulus,   griddle_subtract, griddle_multiply,   griddle_maximum,
    griddle_less,    griddle_greater,  griddle_not_equal, griddle_equal,    griddle_less_equal, griddle_greater_equal,
};
static_assert(std::size(dyads) == static_cast<std::size_t>(Glyph::greater_equal) + 1);
griddle_operation operation_of(std::span<const griddle_operation> table, Glyph glyph) {
  const std::size_t place = static_cast<std::size_t>(glyph);
  return place < table.size() ? table[place] : griddle_load;
}
Link with_operation(Link link, griddle_operation operation) {
  link.operation = operation;
  return link;
}

}  // namespace

Glyph primitive_of(griddle_operation operation, bool of_one_argument) {
  const std::span<const griddle_operation> table(of_one_argument ? std::span<const griddle_operation>(monads) : dyads);
  const auto place = std::ranges::find(table, operation);
  if (place != table.end()) return static_cast<Glyph>(place - table.begin());
  return Glyph::modulus;  // griddle_integer_modulus
}

// Elements that came from the host may be as large as their type. Two passes over them cost less than results of 64 bits.
const Bounds& Offload::looked_at(const Arg& a) {
  const Bounds most = bounds_of(a->type);
  if (!a->looked_at && a->computed() && a->bounds.low <= most.low && a->bounds.high >= most.high && a->bounds.integral) {
    a->bounds = {folded(griddle_fold_minimum, a, a->maker), folded(griddle_fold_maximum, a, a->maker), true};
    a->looked_at = true;
  }
  return a->bounds;
}

Offload::Arg Offload::integers(const Arg& a, const char* maker) {
  if (!is_number(a->type)) return {};
  if (a->type != ElementType::f64) return a;
  const Bounds most = bounds_of(ElementType::i32);
  const Bounds b{folded(griddle_fold_minimum, a, maker), folded(griddle_fold_maximum, a, maker), true};
  if (!(b.low >= most.low && b.high <= most.high)) return {};
  Arg whole = linked({griddle_floor, {}, a}, {std::floor(b.low), std::ceil(b.high), true}, a->length, maker);
  whole->memory();
  whole->looked_at = true;
  const Arg odd = linked({griddle_not_equal, a, whole}, {0, 1, true}, a->length, maker, true);
  return folded(griddle_fold_maximum, odd, maker) == 0 ? whole : Arg();
}

Value Offload::range(double count) {
  const std::size_t n = static_cast<std::size_t>(count);
  Arg d = made(type_for({0, count - 1, true}), n, {0, count - 1, true}, "Range");
  d->set_range();
  return wrap_list(std::move(d));
}

Value Offload::pervasive_monad(Glyph glyph, const Value& x) {
  const griddle_operation op = operation_of(monads, glyph);
  if (op == griddle_load) return Value();
  Arg a = operand(x, forced);
  if (!a || is_character(a->type)) return Value();
  const Bounds& b = a->bounds;
  Bounds r = b;
  switch (op) {
    case griddle_negate: r = {-b.high, -b.low, b.integral}; break;
    case griddle_complement: r = {1 - b.high, 1 - b.low, b.integral}; break;
    case griddle_sign: r = {-1, 1, b.integral}; break;
    case griddle_magnitude: r = {0, std::max(std::fabs(b.low), std::fabs(b.high)), b.integral}; break;
    case griddle_floor:
    case griddle_ceiling:
      if (b.integral) return wrap(a, x.array().shape());
      r = {std::floor(b.low), std::ceil(b.high), std::isfinite(b.low) && std::isfinite(b.high)};
      break;
    case griddle_square_root: r = b.low >= 0 ? Bounds{std::sqrt(b.low), std::sqrt(b.high), false} : unbounded; break;
    default:
      if (a->length < real_functions_from) return Value();
      r = unbounded;
  }
  if (op == griddle_complement && a->type == ElementType::bit) r = {0, 1, true};
  const std::size_t n = a->length;
  return wrap(linked({op, {}, std::move(a)}, sane(r), n, entry_of(glyph).monad_name), x.array().shape());
}

std::optional<Offload::Meeting> Offload::meeting(griddle_operation operation, const Value& w, const Value& x) {
  const Value& shaped = rank_of(w) > rank_of(x) || !x.is_array() ? w : x;
  const std::span<const std::size_t> shape = shaped.array().shape();
  const auto agrees = [&](const Value& v) { return same_shape(shape_of(v), shape.first(rank_of(v))); };
  if (!agrees(w) || !agrees(x)) return std::nullopt;
  const bool send = forced || is_there(w) || is_there(x);
  Meeting m{{operation, operand(w, send), operand(x, send)}, unbounded, unbounded, shape, shaped.array().length};
  Link& link = m.link;
  if ((w.is_array() && !link.w) || (x.is_array() && !link.x)) return std::nullopt;
  const auto side = [&](const Value& v, const Arg& a, bool& constant) {
    if (a) return a->bounds;
    constant = true;
    link.constant_is_text = v.is_character();
    link.constant = v.is_number() ? v.number() : static_cast<double>(v.character());
    return bounds_of_number(link.constant);
  };
  m.of_w = side(w, link.w, link.constant_left);
  m.of_x = side(x, link.x, link.constant_right);
  for (Arg* a : {&link.w, &link.x})
    if (*a && (*a)->length != m.length) *a = spread(*a, m.length / (*a)->length, 0, m.length);
  return m;
}

Value Offload::pervasive_dyad(Glyph glyph, const Value& w, const Value& x) {
  griddle_operation op = operation_of(dyads, glyph);
  const char* const maker = entry_of(glyph).dyad_name;
  if (op == griddle_load) return Value();
  const auto is_text = [](const Value& v) { return v.is_array() ? is_character(v.array().type()) : v.is_character(); };
  const auto is_numeric = [](const Value& v) { return v.is_array() ? is_number(v.array().type()) : v.is_number(); };
  // A character and a number make a character; two characters, a number.
  const bool shifts = is_text(w) != is_text(x);
  const bool defined = shifts       ? op == griddle_add || (op == griddle_subtract && is_text(w))
                       : is_text(w) ? compares(op) || op == griddle_subtract
                                    : true;
  if (!defined || !(is_text(w) || is_numeric(w)) || !(is_text(x) || is_numeric(x)) || (shifts && glyph == Glyph::span))
    return Value();
  std::optional<Meeting> m = meeting(op, w, x);
  if (!m) return Value();
  auto& [link, a, b, shape, n] = *m;
  Bounds r = unbounded;
  const bool integral = a.integral && b.integral;
  if (integral && wide(op, a, b)) {
    if (link.w) a = looked_at(link.w);
    if (link.x) b = looked_at(link.x);
  }
  switch (op) {
    case griddle_add:
    case griddle_subtract: r = arithmetic(op, a, b); break;
    case griddle_multiply:
      r = arithmetic(op, a, b);
      // Of bits it is the least one, which several in a register give sooner.
      if (integral && a.low >= 0 && a.high <= 1 && b.low >= 0 && b.high <= 1) link.operation = griddle_minimum;
      break;
    case griddle_minimum: r = {std::min(a.low, b.low), std::min(a.high, b.high), integral}; break;
    case griddle_maximum:
      if (glyph == Glyph::logic_or && !(integral && a.low >= 0 && a.high <= 1 && b.low >= 0 && b.high <= 1)) {
        // w + x - w × x
        Arg sum = linked(with_operation(link, griddle_add), sane({a.low + b.low, a.high + b.high, integral}), n, maker);
        const Bounds p = product(a, b);
        Arg both = linked(with_operation(link, griddle_multiply), sane(p), n, maker);
        const Bounds known{a.low + b.low - p.high, a.high + b.high - p.low, integral};
        return wrap(linked({griddle_subtract, std::move(sum), std::move(both)}, sane(known), n, maker), shape);
      }
      r = {std::max(a.low, b.low), std::max(a.high, b.high), integral};
      break;
    case griddle_modulus:
      // What 0 leaves is no number.
      if (!integral || (a.low <= 0 && a.high >= 0)) break;
      r = a.low > 0 ? Bounds{0, a.high - 1, true} : Bounds{a.low + 1, 0, true};
      link.operation = griddle_integer_modulus;
      if (link.constant_left && b.low >= 0 && b.high < link.constant) return wrap(link.x, shape);
      break;
    case griddle_power:
      if (link.constant_right && link.constant == 2) {
        Bounds square = product(a, a);
        if (a.integral) square.low = std::max(0.0, square.low);
        return wrap(linked({griddle_multiply, link.w, link.w}, sane(square), n, maker), shape);
      }
      if (integral && b.low >= 0) {
        const double size = std::max(std::fabs(a.low), std::fabs(a.high)), most = std::max(1.0, std::pow(size, b.high));
        if (most <= exact_limit / 2) {
          r = {a.low < 0 ? -most : 0, most, true};
          break;
        }
      }
      if (n < real_functions_from) return Value();
      break;
    case griddle_root:
      if (n < real_functions_from) return Value();
      break;
    case griddle_divide: r = quotient(a, b); break;
    default: return wrap(linked(std::move(link), {0, 1, true}, n, maker, true), shape);
  }
  if (shifts) {
    Arg text = integral ? shifted_text(std::move(link), r, n, maker) : Arg();
    return text ? wrap(std::move(text), shape) : Value();
  }
  Arg d = linked(std::move(link), sane(r), n, maker);
  if (glyph == Glyph::span) d = linked({griddle_add, d, {}, 1, false, true}, sane({r.low + 1, r.high + 1, r.integral}), n, maker);
  return wrap(std::move(d), shape);
}

Offload::Arg Offload::shifted_text(Link link, Bounds b, std::size_t length, const char* maker) {
  constexpr double most = 1114111;
  if (b.low < 0 || b.high > most) {
    const Arg codes = linked(link, sane(b), length, maker);
    b.low = folded(griddle_fold_minimum, codes, maker);
    b.high = folded(griddle_fold_maximum, codes, maker);
    if (!(b.low >= 0 && b.high <= most)) return {};
  }
  const ElementType type = b.high <= 255 ? ElementType::c8 : b.high <= 65535 ? ElementType::c16 : ElementType::c32;
  Arg d = made(type, length, b, maker);
  d->set_link(std::move(link));
  return d;
}

}  // namespace griddle
