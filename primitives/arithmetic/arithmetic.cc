// The dyads + - × ÷ ⋆ √ ⌊ ⌈ | ¬ ∧ ∨.
#include <cmath>
#include <utility>

#include "primitives/arithmetic/direct_lists.h"
#include "primitives/arithmetic/dispatch.h"
#include "primitives/common/by_door.h"
#include "primitives/common/elements.h"
#include "primitives/common/number_lanes.h"
#include "primitives/functions.h"
#include "primitives/kernels/elementwise/arithmetic.h"
#include "primitives/kernels/elementwise/compare.h"
#include "primitives/kernels/elementwise/mixed.h"
#include "primitives/kernels/elementwise/real.h"
#include "primitives/kernels/functions/power.h"
#include "primitives/kernels/shared/convert.h"
#include "runtime/vm/error.h"

namespace griddle::primitives {

namespace {

using kernels::BitFunction;
using kernels::DyadForms;

// --- two atoms

Value unfit_atoms(Context& cx, const char* name, const char* expected, const Value& w, const Value& x) {
  return make_string(cx.heap,
                     std::string(name) + ": Expected " + expected + " (got " + value_text(w) + " and " + value_text(x) + ")");
}
[[noreturn]] void fail_atoms(Context& cx, const char* name, const char* expected, const Value& w, const Value& x) {
  fail_with(cx, unfit_atoms(cx, name, expected, w, x));
}
constexpr const char* addends = "numbers, or a character and a number";
constexpr const char* differing = "numbers, characters, or a character 𝕨 and a number 𝕩";

Value character_at_distance(Context& cx, const char* name, char32_t c, double distance) {
  const double code = c + distance;
  if (distance != std::floor(distance) || std::isinf(distance))
    fail(cx, std::string(name) + ": The number added to a character must be an integer (got " + number_text(distance) + ")");
  if (!(code >= 0 && code <= 0x10FFFF))
    fail(cx, std::string(name) + ": Characters range from code point 0 to 1114111 (got " + number_text(code) + ")");
  return Value::character(static_cast<char32_t>(code));
}

Value add_atoms(Context& cx, const Value& w, const Value& x) {
  if (w.is_number() && x.is_number()) return w.number() + x.number();
  if (w.is_character() && x.is_number()) return character_at_distance(cx, "Add", w.character(), x.number());
  if (w.is_number() && x.is_character()) return character_at_distance(cx, "Add", x.character(), w.number());
  fail_atoms(cx, "Add", addends, w, x);
}
Value subtract_atoms(Context& cx, const char* name, const Value& w, const Value& x) {
  if (w.is_number() && x.is_number()) return w.number() - x.number();
  if (w.is_character() && x.is_number()) return character_at_distance(cx, name, w.character(), -x.number());
  if (w.is_character() && x.is_character()) return static_cast<double>(w.character()) - static_cast<double>(x.character());
  fail_atoms(cx, name, differing, w, x);
}
Value subtract_atoms(Context& cx, const Value& w, const Value& x) { return subtract_atoms(cx, "Subtract", w, x); }
Value span_atoms(Context& cx, const Value& w, const Value& x) {
  Value difference = subtract_atoms(cx, "Span", w, x);
  if (difference.is_number()) return 1 + difference.number();
  return character_at_distance(cx, "Span", difference.character(), 1);
}

// Says what stands on the page of each function that takes numbers alone.
struct NumberDyad {
  const char* name;
  double (*of)(double w, double x);
};
constexpr NumberDyad multiplication = {"Multiply", [](double w, double x) { return w * x; }};
constexpr NumberDyad division = {"Divide", [](double w, double x) { return w / (x + 0.0); }};
constexpr NumberDyad exponentiation = {"Power", kernels::power};
constexpr NumberDyad root_taking = {"Root", kernels::root};
constexpr NumberDyad lower = {"Minimum", [](double w, double x) { return w < x ? w : x; }};
constexpr NumberDyad higher = {"Maximum", [](double w, double x) { return w > x ? w : x; }};
constexpr NumberDyad remainder = {"Modulus", kernels::modulus};
constexpr NumberDyad conjunction = {"And", [](double w, double x) { return w * x; }};
constexpr NumberDyad disjunction = {"Or", [](double w, double x) { return (w + x) - w * x; }};

// Gives an atom of the kind that all elements of a value are of; absent where there is none. It reads no element: those of a
// device would have to come.
Value specimen(const Value& v) {
  if (!v.is_array()) return v;
  const Array& a = v.array();
  if (a.length == 0 || a.type() == ElementType::boxed) return Value();
  return is_character(a.type()) ? Value::character(U' ') : Value(0);
}
// Gives the first element of an array, or the atom that a value is.
Value first_of(const Value& v) { return v.is_array() ? element(v.array(), 0) : v; }

// Says why a function of numbers has no result for atoms, or arrays of nothing else, of these types, or for two arrays because of
// their shapes; absent for all else. Two atoms may be characters or numbers where `fits` says so.
template <class Fits>
Value refusal(Context& cx, const PrimitiveFunctionEntry& f, const char* expected, const Value& w, const Value& x, Fits fits) {
  const Value of_x = specimen(x);
  if (w.is_absent())
    return of_x.is_character() ? make_string(cx.heap, std::string(f.monad_name) + ": 𝕩 must consist of numbers (got character)")
                               : Value();
  if (w.is_array() && x.is_array())
    if (Value message = disagreement(cx, f.dyad_name, w, x); !message.is_absent()) return message;
  const Value of_w = specimen(w);
  if (of_w.is_absent() || of_x.is_absent() || fits(of_w, of_x)) return Value();
  return unfit_atoms(cx, f.dyad_name, expected, first_of(w), first_of(x));
}
bool are_numbers(const Value& w, const Value& x) { return w.is_number() && x.is_number(); }

template <const NumberDyad& f>
Value number_atoms(Context& cx, const Value& w, const Value& x) {
  if (w.is_number() && x.is_number()) return f.of(w.number(), x.number());
  fail_atoms(cx, f.name, "numbers", w, x);
}

// --- the ways to compute with each pair of types

constexpr ElementType character_types[] = {ElementType::c8, ElementType::c16, ElementType::c32};
int width_index(ElementType t) {
  return is_character(t) ? static_cast<int>(t) - static_cast<int>(ElementType::c8) : std::min(lane_of(t), +kernels::lane_i32);
}

bool both_numbers(ElementType w, ElementType x) { return is_number(w) && is_number(x); }
bool both_bits(ElementType w, ElementType x) { return w == ElementType::bit && x == ElementType::bit; }

bool number_step(const DyadForms* lanes, ElementType w, ElementType x, int attempt, DyadStep& step) {
  const int lane = std::max(lane_of(w), lane_of(x)) + attempt;
  if (!both_numbers(w, x) || lane >= kernels::lane_count) return false;
  step = {number_types[lane], number_types[lane], number_types[lane], lanes[lane]};
  return true;
}
// The narrowest type first; where it overflows, the next wider one holds every result.
bool checked_step(const DyadForms* lanes, const DyadForms* widening, ElementType w, ElementType x, int attempt, DyadStep& step) {
  if (attempt == 0) return number_step(lanes, w, x, 0, step);
  const int lane = std::max(lane_of(w), lane_of(x));
  if (!both_numbers(w, x) || attempt != 1 || lane == kernels::lane_f64) return false;
  step = {number_types[lane], number_types[lane], number_types[lane + 1], widening[lane]};
  return true;
}
bool bit_step(BitFunction f, DyadStep& step) {
  step = {ElementType::bit, ElementType::bit, ElementType::bit, kernels::compare().bits[static_cast<int>(f)]};
  return true;
}
bool real_step(const DyadForms& forms, ElementType w, ElementType x, int attempt, DyadStep& step) {
  if (!both_numbers(w, x) || attempt != 0) return false;
  step = {ElementType::f64, ElementType::f64, ElementType::f64, forms};
  return true;
}
bool character_step(const DyadForms* widths, ElementType w, ElementType x, int attempt, DyadStep& step) {
  const int width = std::max(width_index(w), width_index(x)) + attempt;
  if (width > 2) return false;
  step = {character_types[width], number_types[width], character_types[width], widths[width]};
  return true;
}

bool add_step(ElementType w, ElementType x, int attempt, DyadStep& step) {
  if (is_character(w) && is_number(x)) return character_step(kernels::arithmetic().character_up, w, x, attempt, step);
  if (is_number(w) && is_character(x)) {
    if (!character_step(kernels::arithmetic().up_character, w, x, attempt, step)) return false;
    std::swap(step.w, step.x);
    return true;
  }
  const auto& k = kernels::arithmetic();
  return checked_step(k.add, k.add_widening, w, x, attempt, step);
}
bool subtract_numbers_step(ElementType w, ElementType x, int attempt, DyadStep& step) {
  const auto& k = kernels::arithmetic();
  return checked_step(k.subtract, k.subtract_widening, w, x, attempt, step);
}
bool subtract_step(ElementType w, ElementType x, int attempt, DyadStep& step) {
  if (!is_character(w)) return subtract_numbers_step(w, x, attempt, step);
  if (is_number(x)) return character_step(kernels::arithmetic().character_down, w, x, attempt, step);
  const int width = std::max(width_index(w), width_index(x)) + attempt;
  if (!is_character(x) || width > 2) return false;
  step = {character_types[width], character_types[width], number_types[width], kernels::arithmetic().character_distance[width]};
  return true;
}
bool complement_step(ElementType w, ElementType x, int attempt, DyadStep& step) {
  if (both_bits(w, x)) return bit_step(BitFunction::greater, step);
  return subtract_numbers_step(w, x, attempt, step);
}
bool multiply_step(ElementType w, ElementType x, int attempt, DyadStep& step) {
  if (both_bits(w, x)) return bit_step(BitFunction::and_, step);
  const auto& k = kernels::arithmetic();
  return checked_step(k.multiply, k.multiply_widening, w, x, attempt, step);
}
bool minimum_step(ElementType w, ElementType x, int attempt, DyadStep& step) {
  if (both_bits(w, x)) return bit_step(BitFunction::and_, step);
  return number_step(kernels::arithmetic().minimum, w, x, attempt, step);
}
bool maximum_step(ElementType w, ElementType x, int attempt, DyadStep& step) {
  if (both_bits(w, x)) return bit_step(BitFunction::or_, step);
  return number_step(kernels::arithmetic().maximum, w, x, attempt, step);
}
bool modulus_step(ElementType w, ElementType x, int attempt, DyadStep& step) {
  if (!both_numbers(w, x)) return false;
  const int lane = std::max(lane_of(w), lane_of(x));
  const DyadForms& forms = kernels::arithmetic().modulus[lane];
  // What the vectors cannot do is left to the mathematical library.
  if (forms.by_form[0] == nullptr) return real_step(kernels::modulus_f64, w, x, attempt, step);
  if (attempt == 0) return number_step(kernels::arithmetic().modulus, w, x, 0, step);
  // Remainders by 0 are no integers.
  const DyadForms& reals = kernels::arithmetic().modulus[kernels::lane_f64];
  const bool by_vectors = lane != kernels::lane_f64 && reals.by_form[0] != nullptr;
  if (attempt == 1 && by_vectors) return real_step(reals, w, x, 0, step);
  return real_step(kernels::modulus_f64, w, x, attempt - (by_vectors ? 2 : 1), step);
}
bool divide_step(ElementType w, ElementType x, int attempt, DyadStep& step) {
  if (wider(w, x) == ElementType::i32 && attempt == 0) {
    step = {ElementType::i32, ElementType::i32, ElementType::f64, kernels::arithmetic().divide_i32};
    return true;
  }
  return real_step(kernels::arithmetic().divide_f64, w, x, attempt, step);
}
bool power_step(ElementType w, ElementType x, int attempt, DyadStep& step) {
  return real_step(kernels::powers().power, w, x, attempt, step);
}
bool root_step(ElementType w, ElementType x, int attempt, DyadStep& step) {
  return real_step(kernels::powers().root, w, x, attempt, step);
}
bool or_step(ElementType w, ElementType x, int attempt, DyadStep& step) {
  if (both_bits(w, x)) return bit_step(BitFunction::or_, step);
  return real_step(kernels::arithmetic().logic_or_f64, w, x, attempt, step);
}
bool span_step(ElementType w, ElementType x, int attempt, DyadStep& step) {
  return real_step(kernels::span_f64, w, x, attempt, step);
}

bool mixed_pair(kernels::MixedOperation operation, kernels::Form form, ElementType w, ElementType x, DirectDyad& way) {
  if (!both_numbers(w, x)) return false;
  way.kernel = kernels::mixed().by_types[operation][static_cast<int>(w)][static_cast<int>(x)][form];
  way.result = way.atom = wider(w, x);
  return way.kernel != nullptr;
}
template <kernels::MixedOperation operation>
bool arithmetic_pair(kernels::Form form, ElementType w, ElementType x, DirectDyad& way) {
  constexpr bool sum = operation == kernels::mixed_add;
  if constexpr (sum || operation == kernels::mixed_subtract) {
    if (both_bits(w, x) && form == kernels::array_array) {
      way.kernel = sum ? kernels::convert().sum_of_bits : kernels::convert().difference_of_bits;
      way.result = ElementType::i8;
      return true;
    }
  }
  return mixed_pair(operation, form, w, x, way);
}

FillKind number_fill(FillKind w, FillKind x) {
  return w == FillKind::zero && x == FillKind::zero ? FillKind::zero : FillKind::none;
}
FillKind add_fill(FillKind w, FillKind x) {
  if (w == FillKind::space) return x == FillKind::zero ? FillKind::space : FillKind::none;
  return x;
}
FillKind subtract_fill(FillKind w, FillKind x) {
  if (x == FillKind::zero) return w;
  return w == FillKind::space ? FillKind::zero : FillKind::none;
}

// Keeps the fill of 𝕩, as functions of one argument do that fail on it.
FillKind complement_fill(FillKind, FillKind x) { return x; }
Value complement_dyad(Context& cx, Value, Value x) { return complement(cx, std::move(x)); }
Value complement_atoms(Context& cx, const Value&, const Value& x) {
  if (x.is_number()) return 1 - x.number();
  fail(cx, "Not: 𝕩 must consist of numbers (got " + kind_text(x) + ")");
}

// Rules whose kernels read two types of numbers as they are, and whose lists take a look into a table.
template <const DyadRule& rule, FindDyadStep step, kernels::MixedOperation operation>
constexpr DyadRule mixed(const char* name, griddle::Dyad self, decltype(DyadRule::atoms) atoms,
                         decltype(DyadRule::fill) fill = number_fill) {
  return {name, self, atoms, step, fill, direct_dyads<step, arithmetic_pair<operation>>, on_lists_by<rule>};
}

}  // namespace

constexpr DyadRule add_rule = mixed<add_rule, add_step, kernels::mixed_add>("Add", add, add_atoms, add_fill);
constexpr DyadRule subtract_rule =
    mixed<subtract_rule, subtract_step, kernels::mixed_subtract>("Subtract", subtract, subtract_atoms, subtract_fill);
constexpr DyadRule multiply_rule =
    mixed<multiply_rule, multiply_step, kernels::mixed_multiply>("Multiply", multiply, number_atoms<multiplication>);
constexpr DyadRule divide_rule = {"Divide",    divide,      number_atoms<division>,
                                  divide_step, number_fill, direct_dyads<divide_step, arithmetic_pair<kernels::mixed_divide>>,
                                  divide_lists};
static constexpr DyadRule power_rule = {"Power",    power,       number_atoms<exponentiation>,
                                        power_step, number_fill, direct_dyads<power_step>};
static constexpr DyadRule root_rule = {"Root", root, number_atoms<root_taking>, root_step, number_fill, direct_dyads<root_step>};
constexpr DyadRule minimum_rule =
    mixed<minimum_rule, minimum_step, kernels::mixed_minimum>("Minimum", minimum, number_atoms<lower>);
constexpr DyadRule maximum_rule =
    mixed<maximum_rule, maximum_step, kernels::mixed_maximum>("Maximum", maximum, number_atoms<higher>);
constexpr DyadRule modulus_rule = {
    "Modulus", modulus, number_atoms<remainder>, modulus_step, number_fill, direct_dyads<modulus_step>, modulus_lists};
constexpr DyadRule and_rule =
    mixed<and_rule, multiply_step, kernels::mixed_multiply>("And", logic_and, number_atoms<conjunction>);
constexpr DyadRule or_rule = {
    "Or", logic_or, number_atoms<disjunction>, or_step, number_fill, direct_dyads<or_step>, on_lists_by<or_rule>};
constexpr DyadRule span_rule = {"Span", span_not, span_atoms, span_step, subtract_fill, direct_dyads<span_step>};
constexpr DyadRule complement_rule = {"Not",           complement_dyad, complement_atoms,
                                      complement_step, complement_fill, direct_dyads<complement_step>};

namespace {

// Computes in doubles; of integers, results often are integers too.
Value real_function(Context& cx, const DyadRule& rule, Value w, Value x) {
  if (w.is_number() && x.is_number()) return rule.atoms(cx, w, x);
  const bool integers = holds_integers(w) && holds_integers(x);
  Value result = pervade(cx, rule, w, x);
  return integers ? integers_if_whole(cx.heap, std::move(result)) : result;
}

}  // namespace

// Two atoms come here where the machine does not compute on them itself.
Value add(Context& cx, Value w, Value x) { return pervade(cx, add_rule, w, x); }
Value subtract(Context& cx, Value w, Value x) { return pervade(cx, subtract_rule, w, x); }
Value multiply(Context& cx, Value w, Value x) { return pervade(cx, multiply_rule, w, x); }
// The machine leaves 0÷0 to the function.
Value divide(Context& cx, Value w, Value x) { return real_function(cx, divide_rule, std::move(w), std::move(x)); }
Value power(Context& cx, Value w, Value x) {
  if (w.is_array() && is_number(w.array().type()) && x.is_number() && x.number() == 2) {
    Value same = w;
    return multiply(cx, std::move(same), std::move(w));
  }
  return real_function(cx, power_rule, std::move(w), std::move(x));
}
Value root(Context& cx, Value w, Value x) { return pervade(cx, root_rule, w, x); }
Value minimum(Context& cx, Value w, Value x) { return pervade(cx, minimum_rule, w, x); }
Value maximum(Context& cx, Value w, Value x) { return pervade(cx, maximum_rule, w, x); }
Value modulus(Context& cx, Value w, Value x) {
  if (w.is_number() && x.is_array())
    if (Value result = small_remainders(cx, w.number(), x.array()); !result.is_absent()) return result;
  const bool of_doubles = x.is_array() && x.array().type() == ElementType::f64 && holds_integers(w);
  Value remainders = pervade(cx, modulus_rule, w, x);
  // Those of integers too large for their type come down to one.
  return of_doubles ? integers_if_whole(cx.heap, std::move(remainders)) : remainders;
}
Value logic_and(Context& cx, Value w, Value x) { return pervade(cx, and_rule, w, x); }
Value logic_or(Context& cx, Value w, Value x) {
  if (w.is_array() && x.is_array() && holds_integers(w) && holds_integers(x)) {
    // Booleans meet as bits, however they are stored.
    Value left = bits_if_boolean(cx.heap, w), right = bits_if_boolean(cx.heap, x);
    if (left.array().type() == ElementType::bit && right.array().type() == ElementType::bit)
      return pervade(cx, or_rule, left, right);
  }
  return real_function(cx, or_rule, std::move(w), std::move(x));
}
Value span_not(Context& cx, Value w, Value x) { return real_function(cx, span_rule, std::move(w), std::move(x)); }

// --- errors

Value add_refusal(Context& cx, const Value& w, const Value& x) {
  return refusal(cx, entry_by<add>(), addends, w, x, [](const Value& l, const Value& r) {
    return are_numbers(l, r) || (l.is_number() && r.is_character()) || (l.is_character() && r.is_number());
  });
}
Value subtract_refusal(Context& cx, const Value& w, const Value& x) {
  return refusal(cx, entry_by<subtract>(), differing, w, x, [](const Value& l, const Value& r) {
    return are_numbers(l, r) || (l.is_character() && (r.is_character() || r.is_number()));
  });
}
Value numbers_refusal(Context& cx, const PrimitiveFunctionEntry& f, const Value& w, const Value& x) {
  if (w.is_absent() && !f.pervasive_monad) return cells_refusal(cx, f.monad_name, x);
  return refusal(cx, f, "numbers", w, x, are_numbers);
}

}  // namespace griddle::primitives
