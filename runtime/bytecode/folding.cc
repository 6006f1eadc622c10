#include "runtime/bytecode/folding.h"

#include <cmath>

#include "runtime/value/array.h"
#include "runtime/value/fill.h"
#include "runtime/vm/error.h"

namespace griddle {

namespace {

// Constants stay in memory as long as their program.
constexpr double most_elements = 4096;

std::size_t length(const Value& v) { return v.is_array() ? v.array().length : 1; }

// Multiplies or adds the sizes of numbers; gives infinity where something else is among them.
template <class Combine>
double combined_sizes(const Value& v, double first, Combine combine) {
  if (v.is_number()) return combine(first, std::fabs(v.number()));
  if (!v.is_array() || !is_number(v.array().type())) return INFINITY;
  for (std::size_t i = 0; i < v.array().length; i++) first = combine(first, std::fabs(number_at(v.array(), i)));
  return first;
}
double product_of_sizes(const Value& v) {
  return combined_sizes(v, 1, [](double a, double b) { return a * std::fmax(b, 1); });
}
double sum_of_sizes(const Value& v) {
  return combined_sizes(v, 0, [](double a, double b) { return a + b; });
}

bool stays_small(const PrimitiveFunctionEntry& f, const Value& x) {
  if (f.pervasive_monad || f.one.bounded) return true;
  if (f.one.sized == Sized::by_number) return x.is_number() && x.number() <= most_elements;
  return f.one.sized == Sized::by_sum && sum_of_sizes(x) <= most_elements;
}

bool stays_small(const PrimitiveFunctionEntry& f, const Value& w, const Value& x) {
  if (f.pervasive_dyad || f.two.bounded) return true;
  switch (f.two.sized) {
    case Sized::by_lengths: return product_of_sizes(w) <= most_elements;
    case Sized::by_count: return static_cast<double>(length(w)) * static_cast<double>(length(x)) <= most_elements;
    case Sized::by_sum: return sum_of_sizes(w) * static_cast<double>(length(x)) <= most_elements;
    default: return false;
  }
}

bool is_short(const Value& v) {
  return v.is_number() || v.is_character() || (v.is_array() && static_cast<double>(v.array().length) <= most_elements);
}

}  // namespace

Value literal_value(Context& cx, const Node& node) {
  switch (node.kind) {
    case NodeKind::number: return static_cast<const Number&>(node).value;
    case NodeKind::character: return Value::character(static_cast<const Character&>(node).value);
    case NodeKind::string: return make_string(cx.heap, static_cast<const String&>(node).value);
    case NodeKind::constant_list: {
      const ConstantList& n = static_cast<const ConstantList&>(node);
      if (!n.characters) return make_numbers(cx.heap, n.numbers);
      // Unlike a string, a list of characters has no fill.
      return with_fill(cx.heap, make_string(cx.heap, n.text), Value());
    }
    default: return Value();
  }
}

Value folded_call(Context& cx, const PrimitiveFunctionEntry& f, const Value& w, const Value& x) {
  if (!is_short(x) || !(w.is_absent() || is_short(w))) return Value();
  if (!(w.is_absent() ? stays_small(f, x) : stays_small(f, w, x))) return Value();
  try {
    Value result = w.is_absent() ? call_primitive(cx, f, x) : call_primitive(cx, f, w, x);
    return is_short(result) ? result : Value();
  } catch (const Error& error) {
    if (!error.catchable) throw;
    return Value();
  }
}

}  // namespace griddle
