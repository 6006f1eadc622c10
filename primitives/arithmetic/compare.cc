// The dyads = ≠ < > ≤ ≥.
#include "primitives/kernels/elementwise/compare_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "primitives/arithmetic/direct_lists.h"
#include "primitives/functions.h"
#include "primitives/kernels/shared/convert.h"
#include "primitives/structure/match.h"
#include "runtime/value/fill.h"
#include "runtime/vm/error.h"

namespace griddle::primitives {

namespace {

using kernels::BitFunction;
using kernels::Comparison, kernels::mirrored;

struct Relation {
  Comparison comparison;
  BitFunction on_bits;
  const char* name;
};

bool relation_holds(Comparison c, double w, double x) {
  switch (c) {
    case Comparison::less: return w < x;
    case Comparison::less_equal: return w <= x;
    case Comparison::equal: return w == x;
    case Comparison::greater_equal: return w >= x;
    case Comparison::greater: return w > x;
    case Comparison::not_equal: return w != x;
  }
  __builtin_unreachable();
}

template <const Relation& r>
Value atoms(Context& cx, const Value& w, const Value& x) {
  constexpr bool equality = r.comparison == Comparison::equal || r.comparison == Comparison::not_equal;
  if (w.is_number() && x.is_number()) return relation_holds(r.comparison, w.number(), x.number());
  if (w.is_character() && x.is_character()) return relation_holds(r.comparison, w.character(), x.character());
  if constexpr (equality) {
    return equal_atoms(w, x) == (r.comparison == Comparison::equal);
  } else {
    // Numbers precede characters.
    if (w.is_number() && x.is_character()) return relation_holds(r.comparison, 0, 1);
    if (w.is_character() && x.is_number()) return relation_holds(r.comparison, 1, 0);
    fail(cx, std::string(r.name) + ": Arguments must consist of numbers and characters (got " + kind_text(w) + " and " +
                 kind_text(x) + ")");
  }
}

template <const Relation& r>
bool step(ElementType w, ElementType x, int attempt, DyadStep& s) {
  if (attempt != 0 || is_number(w) != is_number(x)) return false;
  const ElementType type =
      wider(wider(w, x), is_number(w) && wider(w, x) != ElementType::bit ? ElementType::i8 : ElementType::bit);
  s = {type, type, ElementType::bit, {}};
  const auto take = [&](kernels::ComparedLane lane) {
    constexpr int c = static_cast<int>(r.comparison);
    s.forms = kernels::compare().compare[c][lane];
    const kernels::CompareTables& tables = kernels::compare_tables();
    s.forms.table = tables.compare[c][lane];
    s.forms.rows = tables.compare_rows[c][lane];
    s.forms.rows_left = tables.compare_rows[static_cast<int>(mirrored(r.comparison))][lane];
    return true;
  };
  switch (type) {
    case ElementType::bit: s.forms = kernels::compare().bits[static_cast<int>(r.on_bits)]; return true;
    case ElementType::i8: return take(kernels::compared_i8);
    case ElementType::i16: return take(kernels::compared_i16);
    case ElementType::i32:
    case ElementType::c32: return take(kernels::compared_i32);
    case ElementType::f64: return take(kernels::compared_f64);
    case ElementType::c8: return take(kernels::compared_u8);
    case ElementType::c16: return take(kernels::compared_u16);
    case ElementType::boxed: break;
  }
  return false;
}

// Compares bits with other numbers, which they meet as bytes.
template <Comparison c, int lane, bool bits_left>
std::size_t compare_with_bits(void* out, const void* w, const void* x, std::size_t n) {
  constexpr std::size_t piece = 1024, width = lane == kernels::lane_f64 ? 8 : std::size_t{1} << (lane - kernels::lane_i8);
  constexpr Comparison of_bits = bits_left ? c : mirrored(c);
  const kernels::CompareKernels& kernels = kernels::compare();
  const kernels::Dyad compare = lane == kernels::lane_i8
                                    ? kernels.compare[static_cast<int>(of_bits)][kernels::compared_i8][kernels::array_array]
                                    : kernels.mixed[static_cast<int>(of_bits)][kernels::lane_i8][lane];
  const auto* const bits = static_cast<const std::uint64_t*>(bits_left ? w : x);
  const auto* const numbers = static_cast<const std::uint8_t*>(bits_left ? x : w);
  alignas(64) std::uint8_t bytes[piece];
  for (std::size_t i = 0; i < n; i += piece) {
    const std::size_t count = std::min(piece, n - i);
    kernels::convert().expand[index_of(ElementType::i8)](bytes, bits, i, count);
    compare(static_cast<std::uint64_t*>(out) + i / 64, bytes, numbers + i * width, count);
  }
  return n;
}

template <const Relation& r>
bool compared_pair(kernels::Form form, ElementType w, ElementType x, DirectDyad& way) {
  if (!is_number(w) || !is_number(x) || form != kernels::array_array || w == x) return false;
  const auto lane = [](ElementType t) { return static_cast<int>(t) - static_cast<int>(ElementType::i8) + kernels::lane_i8; };
  constexpr int c = static_cast<int>(r.comparison);
  way.result = ElementType::bit;
  if (w != ElementType::bit && x != ElementType::bit) {
    way.kernel = kernels::compare().mixed[c][lane(w)][lane(x)];
    return way.kernel != nullptr;
  }
  constexpr auto with_bits = []<int... lanes>(std::integer_sequence<int, lanes...>) {
    return std::array<std::array<kernels::Dyad, 2>, sizeof...(lanes)>{
        {{compare_with_bits<r.comparison, lanes, false>, compare_with_bits<r.comparison, lanes, true>}...}};
  }
  (std::make_integer_sequence<int, kernels::lane_count>());
  const bool left = w == ElementType::bit;
  way.kernel = with_bits[static_cast<std::size_t>(lane(left ? x : w))][left];
  return true;
}

FillKind zero_fill(FillKind, FillKind) { return FillKind::zero; }

double smallest(ElementType t) {
  return t == ElementType::bit ? 0 : t == ElementType::i8 ? -128 : t == ElementType::i16 ? -32768 : -2147483648.0;
}
double largest(ElementType t) {
  return t == ElementType::bit ? 1 : t == ElementType::i8 ? 127 : t == ElementType::i16 ? 32767 : 2147483647.0;
}

bool is_held(ElementType type, double d) { return d >= smallest(type) && d <= largest(type) && d == std::floor(d); }
// Takes a number that integers of this type are not.
ForeignNumber foreign_number(ElementType type, Comparison c, double d) {
  if (d > largest(type)) return {true, c == Comparison::less || c == Comparison::less_equal || c == Comparison::not_equal};
  if (d < smallest(type)) return {true, c == Comparison::greater || c == Comparison::greater_equal || c == Comparison::not_equal};
  if (std::isnan(d)) return {true, c == Comparison::not_equal};
  if (d == std::floor(d)) return {false, false, d};  // a negative zero
  if (c == Comparison::less_equal || c == Comparison::greater) return {false, false, std::floor(d)};
  if (c == Comparison::less || c == Comparison::greater_equal) return {false, false, std::ceil(d)};
  return {true, c == Comparison::not_equal};
}
template <const Relation& r>
ForeignNumber foreign(ElementType type, double d, bool number_left) {
  return foreign_number(type, number_left ? mirrored(r.comparison) : r.comparison, d);
}

// Spares widening an integer array to meet a number that its type does not hold. Either gives the result, or replaces the number
// by one within the type for which the comparison means the same (then the result is absent).
Value against_foreign_number(Context& cx, Comparison c, const Value& array, Value& number) {
  const ElementType type = array.array().type();
  if (is_held(type, number.number())) return Value();
  const ForeignNumber met = foreign_number(type, c, number.number());
  if (met.is_one_result) return filled(cx.heap, shape_of(array), Value(met.result));
  number = met.instead;
  return Value();
}

// Tells numbers (0) from characters (1), be they one atom or an array of them alone; anything else is 2.
int family_of(const Value& v) {
  if (!v.is_array()) return v.is_number() ? 0 : v.is_character() ? 1 : 2;
  const Array& a = v.array();
  return a.length == 0 || !has_plain_fill(a) ? 2 : is_number(a.type()) ? 0 : 1;
}
// Compares numbers with characters, which follow all of them. Gives the absent value for anything else.
Value across_families(Context& cx, const Relation& r, const Value& w, const Value& x) {
  const int family_w = family_of(w), family_x = family_of(x);
  if (family_w + family_x != 1 || (!w.is_array() && !x.is_array())) return Value();
  check_agreement(cx, r.name, w, x);
  const Value& shaped = !x.is_array() || rank_of(w) >= rank_of(x) ? w : x;
  return filled(cx.heap, shape_of(shaped), Value(relation_holds(r.comparison, family_w, family_x)));
}

// Does so with a list and an atom that stay.
template <const Relation& r>
std::uint64_t with_one_result(Context& cx, const DyadRule&, const Value& w, const Value& x) {
  constexpr std::size_t most = 1 << 16;  // elements; more may be elsewhere, or have to go there
  const Value& list = x.is_array() ? x : w;
  if (w.is_array() == x.is_array() || !is_flat_list(list) || list.array().length > most) return Value::absent_bits;
  return across_families(cx, r, w, x).leak();
}

template <const Relation& r, const DyadRule& rule>
Value compared(Context& cx, Value w, Value x) {
  if (w.is_number() && x.is_number()) [[likely]]
    return relation_holds(r.comparison, w.number(), x.number());
  if (Value v = across_families(cx, r, w, x); !v.is_absent()) return v;
  if (x.is_number() && w.is_array() && is_integer(w.array().type())) {
    if (Value v = against_foreign_number(cx, r.comparison, w, x); !v.is_absent()) return v;
  } else if (w.is_number() && x.is_array() && is_integer(x.array().type())) {
    if (Value v = against_foreign_number(cx, mirrored(r.comparison), x, w); !v.is_absent()) return v;
  }
  return pervade(cx, rule, w, x);
}

template <const Relation& r, const DyadRule& rule>
constexpr DyadRule rule_of = {r.name,
                              compared<r, rule>,
                              atoms<r>,
                              step<r>,
                              zero_fill,
                              direct_dyads<step<r>, compared_pair<r>>,
                              on_lists_by<rule>,
                              with_one_result<r>,
                              foreign<r>};

constexpr Relation is_less = {Comparison::less, BitFunction::less, "Less Than"};
constexpr Relation is_less_equal = {Comparison::less_equal, BitFunction::less_equal, "Less or Equal"};
constexpr Relation is_equal = {Comparison::equal, BitFunction::equal, "Equal"};
constexpr Relation is_greater_equal = {Comparison::greater_equal, BitFunction::greater_equal, "Greater or Equal"};
constexpr Relation is_greater = {Comparison::greater, BitFunction::greater, "Greater Than"};
constexpr Relation is_not_equal = {Comparison::not_equal, BitFunction::not_equal, "Not Equal"};

}  // namespace

constexpr DyadRule less_rule = rule_of<is_less, less_rule>;
constexpr DyadRule less_equal_rule = rule_of<is_less_equal, less_equal_rule>;
constexpr DyadRule equal_rule = rule_of<is_equal, equal_rule>;
constexpr DyadRule greater_equal_rule = rule_of<is_greater_equal, greater_equal_rule>;
constexpr DyadRule greater_rule = rule_of<is_greater, greater_rule>;
constexpr DyadRule not_equal_rule = rule_of<is_not_equal, not_equal_rule>;

Value less(Context& cx, Value w, Value x) { return compared<is_less, less_rule>(cx, std::move(w), std::move(x)); }
Value less_equal(Context& cx, Value w, Value x) {
  return compared<is_less_equal, less_equal_rule>(cx, std::move(w), std::move(x));
}
Value equal(Context& cx, Value w, Value x) { return compared<is_equal, equal_rule>(cx, std::move(w), std::move(x)); }
Value greater_equal(Context& cx, Value w, Value x) {
  return compared<is_greater_equal, greater_equal_rule>(cx, std::move(w), std::move(x));
}
Value greater(Context& cx, Value w, Value x) { return compared<is_greater, greater_rule>(cx, std::move(w), std::move(x)); }
Value not_equal(Context& cx, Value w, Value x) { return compared<is_not_equal, not_equal_rule>(cx, std::move(w), std::move(x)); }

constexpr DyadWays less_ways = ways_on_arrays<on_lists_by<less_rule>>;
constexpr DyadWays less_equal_ways = ways_on_arrays<on_lists_by<less_equal_rule>>;
constexpr DyadWays equal_ways = ways_on_arrays<on_lists_by<equal_rule>>;
constexpr DyadWays greater_equal_ways = ways_on_arrays<on_lists_by<greater_equal_rule>>;
constexpr DyadWays greater_ways = ways_on_arrays<on_lists_by<greater_rule>>;
constexpr DyadWays not_equal_ways = ways_on_arrays<on_lists_by<not_equal_rule>>;

}  // namespace griddle::primitives
