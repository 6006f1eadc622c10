// Elementwise functions, those of doubles that no glyph names too: what is known of their results, and the links that they
// become.
#include <algorithm>
#include <cmath>

#include "gpu/ways.h"

namespace griddle::gpu {

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

// Two arguments that agree, at least one of them an array, as a link of so many elements; what is known of either.
struct Meeting {
  Link link;
  Bounds of_w, of_x;
  Lengths shape;
  std::size_t length;
};
bool is_numeric(const Value& v) { return v.is_array() ? is_number(v.array().type()) : v.is_number(); }

Link with_operation(Link link, griddle_operation operation) {
  link.operation = operation;
  return link;
}

}  // namespace

Glyph primitive_of(griddle_operation operation, bool of_one_argument) {
  for (Glyph glyph = Glyph::add; glyph <= Glyph::greater_equal; glyph = static_cast<Glyph>(static_cast<int>(glyph) + 1))
    if ((of_one_argument ? ways_of(glyph).link_one : ways_of(glyph).link_two) == operation) return glyph;
  return Glyph::modulus;  // griddle_integer_modulus
}

// Elements that came from the host may be as large as their type. Two passes over them cost less than results of 64 bits.
const Bounds& looked_at(Workshop& shop, const Arg& a) {
  const Bounds most = bounds_of(a->type);
  if (!a->looked_at && a->computed() && a->bounds.low <= most.low && a->bounds.high >= most.high && a->bounds.integral) {
    a->bounds = {folded(shop, griddle_fold_minimum, a, a->maker), folded(shop, griddle_fold_maximum, a, a->maker), true};
    a->looked_at = true;
  }
  return a->bounds;
}

Arg integers(Workshop& shop, const Arg& a, const char* maker) {
  if (!is_number(a->type)) return {};
  if (a->type != ElementType::f64) return a;
  const Bounds most = bounds_of(ElementType::i32);
  const Bounds b{folded(shop, griddle_fold_minimum, a, maker), folded(shop, griddle_fold_maximum, a, maker), true};
  if (!(b.low >= most.low && b.high <= most.high)) return {};
  Arg whole = shop.linked({griddle_floor, {}, a}, {std::floor(b.low), std::ceil(b.high), true}, a->length, maker);
  whole->memory();
  whole->looked_at = true;
  const Arg odd = shop.linked({griddle_not_equal, a, whole}, {0, 1, true}, a->length, maker, true);
  return folded(shop, griddle_fold_maximum, odd, maker) == 0 ? whole : Arg();
}

Value range(Workshop& shop, double count) {
  const std::size_t n = static_cast<std::size_t>(count);
  Arg d = shop.made(type_for({0, count - 1, true}), n, {0, count - 1, true}, "Range");
  d->set_range();
  return shop.wrap_list(std::move(d));
}

Value pervasive_monad(Workshop& shop, Glyph glyph, const Value& x) {
  const griddle_operation op = ways_of(glyph).link_one;
  if (op == griddle_load) return Value();
  Arg a = shop.operand(x);
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
      if (b.integral) return shop.wrap(a, x.array().shape());
      r = {std::floor(b.low), std::ceil(b.high), std::isfinite(b.low) && std::isfinite(b.high)};
      break;
    case griddle_square_root: r = b.low >= 0 ? Bounds{std::sqrt(b.low), std::sqrt(b.high), false} : unbounded; break;
    default:
      if (a->length < real_functions_from) return Value();
      r = unbounded;
  }
  if (op == griddle_complement && a->type == ElementType::bit) r = {0, 1, true};
  const std::size_t n = a->length;
  return shop.wrap(shop.linked({op, {}, std::move(a)}, sane(r), n, entry_of(glyph).monad_name), x.array().shape());
}

static std::optional<Meeting> meeting(Workshop& shop, griddle_operation operation, const Value& w, const Value& x) {
  const Value& shaped = rank_of(w) > rank_of(x) || !x.is_array() ? w : x;
  const Lengths shape = shaped.array().shape();
  const auto agrees = [&](const Value& v) { return same_shape(shape_of(v), shape.first(rank_of(v))); };
  if (!agrees(w) || !agrees(x)) return std::nullopt;
  const bool send = shop.forced() || shop.is_there(w) || shop.is_there(x);
  Meeting m{{operation, shop.operand(w, send), shop.operand(x, send)}, unbounded, unbounded, shape, shaped.array().length};
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
    if (*a && (*a)->length != m.length) *a = shop.spread(*a, m.length / (*a)->length, 0, m.length);
  return m;
}

static Arg shifted_text(Workshop& shop, Link link, Bounds b, std::size_t length, const char* maker) {
  constexpr double most = 1114111;
  if (b.low < 0 || b.high > most) {
    const Arg codes = shop.linked(link, sane(b), length, maker);
    b.low = folded(shop, griddle_fold_minimum, codes, maker);
    b.high = folded(shop, griddle_fold_maximum, codes, maker);
    if (!(b.low >= 0 && b.high <= most)) return {};
  }
  const ElementType type = b.high <= 255 ? ElementType::c8 : b.high <= 65535 ? ElementType::c16 : ElementType::c32;
  Arg d = shop.made(type, length, b, maker);
  d->set_link(std::move(link));
  return d;
}

Value pervasive_dyad(Workshop& shop, Glyph glyph, const Value& w, const Value& x) {
  griddle_operation op = ways_of(glyph).link_two;
  const char* const maker = entry_of(glyph).dyad_name;
  if (op == griddle_load) return Value();
  const auto is_text = [](const Value& v) { return v.is_array() ? is_character(v.array().type()) : v.is_character(); };
  // A character and a number make a character; two characters, a number.
  const bool shifts = is_text(w) != is_text(x);
  const bool defined = shifts       ? op == griddle_add || (op == griddle_subtract && is_text(w))
                       : is_text(w) ? compares(op) || op == griddle_subtract
                                    : true;
  if (!defined || !(is_text(w) || is_numeric(w)) || !(is_text(x) || is_numeric(x)) || (shifts && glyph == Glyph::span))
    return Value();
  std::optional<Meeting> m = meeting(shop, op, w, x);
  if (!m) return Value();
  auto& [link, a, b, shape, n] = *m;
  Bounds r = unbounded;
  const bool integral = a.integral && b.integral;
  if (integral && wide(op, a, b)) {
    if (link.w) a = looked_at(shop, link.w);
    if (link.x) b = looked_at(shop, link.x);
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
        Arg sum = shop.linked(with_operation(link, griddle_add), sane({a.low + b.low, a.high + b.high, integral}), n, maker);
        const Bounds p = product(a, b);
        Arg both = shop.linked(with_operation(link, griddle_multiply), sane(p), n, maker);
        const Bounds known{a.low + b.low - p.high, a.high + b.high - p.low, integral};
        return shop.wrap(shop.linked({griddle_subtract, std::move(sum), std::move(both)}, sane(known), n, maker), shape);
      }
      r = {std::max(a.low, b.low), std::max(a.high, b.high), integral};
      break;
    case griddle_modulus:
      // What 0 leaves is no number.
      if (!integral || (a.low <= 0 && a.high >= 0)) break;
      r = a.low > 0 ? Bounds{0, a.high - 1, true} : Bounds{a.low + 1, 0, true};
      link.operation = griddle_integer_modulus;
      if (link.constant_left && b.low >= 0 && b.high < link.constant) return shop.wrap(link.x, shape);
      break;
    case griddle_power:
      if (link.constant_right && link.constant == 2) {
        Bounds square = product(a, a);
        if (a.integral) square.low = std::max(0.0, square.low);
        return shop.wrap(shop.linked({griddle_multiply, link.w, link.w}, sane(square), n, maker), shape);
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
    default: return shop.wrap(shop.linked(std::move(link), {0, 1, true}, n, maker, true), shape);
  }
  if (shifts) {
    Arg text = integral ? shifted_text(shop, std::move(link), r, n, maker) : Arg();
    return text ? shop.wrap(std::move(text), shape) : Value();
  }
  Arg d = shop.linked(std::move(link), sane(r), n, maker);
  if (glyph == Glyph::span)
    d = shop.linked({griddle_add, d, {}, 1, false, true}, sane({r.low + 1, r.high + 1, r.integral}), n, maker);
  return shop.wrap(std::move(d), shape);
}

// --- functions of doubles that no glyph names

namespace {

#define OPERATION(name, function) griddle_##name,
constexpr griddle_operation real_operations[] = {griddle_load, GRIDDLE_REAL_MONADS(OPERATION) GRIDDLE_REAL_DYADS(OPERATION)};
#undef OPERATION
constexpr griddle_operation operation_of(RealFunction f) { return real_operations[static_cast<std::size_t>(f)]; }
#define IS_IN_PLACE(name, function) static_assert(operation_of(RealFunction::name) == griddle_##name);
GRIDDLE_REAL_MONADS(IS_IN_PLACE)
GRIDDLE_REAL_DYADS(IS_IN_PLACE)
#undef IS_IN_PLACE

}  // namespace

Value real_function(Workshop& shop, const RealCall& call, const Value& w, const Value& x) {
  const griddle_operation operation = operation_of(call.function);
  if (w.is_absent()) {
    Arg a = shop.operand(x);
    if (!a || !is_number(a->type)) return Value();
    if (a->length < real_functions_from) return shop.too_little();
    const std::size_t n = a->length;
    Link link{operation, {}, std::move(a)};
    link.real = &call;
    return shop.wrap(shop.linked(std::move(link), unbounded, n, call.name), x.array().shape());
  }
  if (!is_numeric(w) || !is_numeric(x)) return Value();
  std::optional<Meeting> m = meeting(shop, operation, w, x);
  if (!m) return Value();
  if (m->length < real_functions_from) return shop.too_little();
  m->link.real = &call;
  return shop.wrap(shop.linked(std::move(m->link), unbounded, m->length, call.name), m->shape);
}

}  // namespace griddle::gpu
