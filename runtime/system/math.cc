// Functions of numbers: •math
#include <cmath>

#include "primitives/arithmetic/dispatch.h"
#include "primitives/kernels/booleans/bool_fold.h"
#include "primitives/kernels/folds/reduce.h"
#include "primitives/kernels/functions/arcs.h"
#include "primitives/kernels/functions/exponential.h"
#include "primitives/kernels/functions/hyperbolic.h"
#include "primitives/kernels/functions/mathematics.h"
#include "primitives/kernels/functions/power.h"
#include "primitives/kernels/functions/trigonometry.h"
#include "primitives/kernels/shared/convert.h"
#include "runtime/system/argument.h"
#include "runtime/system/functions.h"
#include "runtime/system/table.h"
#include "runtime/value/namespace.h"

namespace griddle::system_functions {

namespace {

using kernels::DyadForms;
using primitives::DyadRule, primitives::DyadStep, primitives::MonadRule, primitives::MonadStep;

// A name as a template argument.
template <std::size_t size>
struct Name {
  constexpr Name(const char (&from)[size]) {
    for (std::size_t i = 0; i < size; i++) text[i] = from[i];
  }
  char text[size];
};

[[noreturn]] void fail_number(Context& cx, const char* name, const char* which, const char* expected, const Value& v) {
  const std::string got = v.is_number() ? number_text(v.number()) : "a " + kind_text(v);
  fail(cx, std::string(name) + ": " + which + " must consist of " + expected + " (got " + got + ")");
}

template <double (*of)(double)>
kernels::Monad each() {
  return kernels::each_number<of>;
}

// How a function of one number is computed: by a kernel here, or on a device that has a function for it.
template <kernels::Monad (*of)(), RealFunction function = RealFunction::none>
struct Computation {
  static constexpr auto kernel = of;
  static constexpr RealFunction there = function;
};

// A function of one number, with the rule that makes it reach into arrays.
template <Name name, class By>
struct OfOne {
  static Value atom(Context& cx, const Value& x) {
    if (!x.is_number()) fail_number(cx, name.text, "𝕩", "numbers", x);
    return kernels::of_one(By::kernel(), x.number() + 0.0);
  }
  static bool step(ElementType x, int, MonadStep& step) {
    step = {ElementType::f64, ElementType::f64, By::kernel()};
    return is_number(x);
  }
  static Value call(Context& cx, Value x) {
    static constexpr RealCall there = {By::there, name.text, call};
    if constexpr (By::there != RealFunction::none)
      if (Value result = primitives::real_on_device(cx, there, Value(), x); !result.is_absent()) return result;
    const ComputingHere here(cx, name.text);
    return primitives::pervade(cx, rule, x);
  }
  static constexpr MonadRule rule = {name.text, call, atom, step};
};
template <Name name, class By>
Value math_monad(Context& cx, const Function&, Value x) {
  if (x.is_number()) [[likely]]
    return kernels::of_one(By::kernel(), x.number() + 0.0);
  return OfOne<name, By>::call(cx, std::move(x));
}

// Fails where a number in the argument is below the least one that the function has an inverse for.
void require_least(Context& cx, const char* name, const Value& x, double least) {
  if (x.is_number() && !(x.number() >= least))
    fail(cx, std::string(name) + ": 𝕩 must be at least " + number_text(least) + " (got " + number_text(x.number()) + ")");
  if (!x.is_array() || (x.array().type() != ElementType::boxed && !is_number(x.array().type()))) return;
  cx.check_stack();
  const ComputingHere here(cx, name);
  for (std::size_t i = 0; i < x.array().length; i++) require_least(cx, name, element(x.array(), i), least);
}
template <Name name, double (*of)(double), const double& least>
Value inverse_from(Context& cx, const Function&, Value x) {
  require_least(cx, name.text, x, least);
  return OfOne<name, Computation<each<of>>>::call(cx, std::move(x));
}

bool is_any(double) { return true; }

template <double (*of)(double, double), bool (*holds)(double) = is_any>
const DyadForms& each_two() {
  return kernels::pair_forms<of, holds>;
}

// A function of two numbers, each of which `holds`, by its kernels, or on a device that has a function for it.
template <Name name, const DyadForms& (*forms)(), bool (*holds)(double), RealFunction function>
struct OfTwo {
  static double of(double w, double x) {
    double result = 0;
    forms()[kernels::array_array](&result, &w, &x, 1);
    return result;
  }
  static Value atoms(Context& cx, const Value& w, const Value& x) {
    check(cx, w, "𝕨");
    check(cx, x, "𝕩");
    return of(w.number() + 0.0, x.number() + 0.0);
  }
  static void check(Context& cx, const Value& v, const char* which) {
    if (!v.is_number()) fail_number(cx, name.text, which, "numbers", v);
    if (!holds(v.number())) fail_number(cx, name.text, which, "natural numbers", v);
  }
  static bool step(ElementType w, ElementType x, int attempt, DyadStep& step) {
    step = {ElementType::f64, ElementType::f64, ElementType::f64, forms()};
    return is_number(w) && is_number(x) && attempt == 0;
  }
  static FillKind fill(FillKind w, FillKind x) {
    return w == FillKind::zero && x == FillKind::zero ? FillKind::zero : FillKind::none;
  }
  static Value call(Context& cx, Value w, Value x) {
    static constexpr RealCall there = {function, name.text, nullptr, call};
    if constexpr (function != RealFunction::none)
      if (Value result = primitives::real_on_device(cx, there, w, x); !result.is_absent()) return result;
    const ComputingHere here(cx, name.text);
    return primitives::pervade(cx, rule, w, x);
  }
  static constexpr DyadRule rule = {name.text, call, atoms, step, fill, primitives::direct_dyads<step>};
};
template <Name name, const DyadForms& (*forms)(), bool (*holds)(double) = is_any, RealFunction there = RealFunction::none>
Value math_dyad(Context& cx, const Function&, Value w, Value x) {
  using Rule = OfTwo<name, forms, holds, there>;
  if (w.is_number() && x.is_number() && holds(w.number()) && holds(x.number())) [[likely]]
    return Rule::of(w.number() + 0.0, x.number() + 0.0);
  return Rule::call(cx, std::move(w), std::move(x));
}

// --- kernels

template <kernels::Monad kernels::ExponentialKernels::*kernel>
kernels::Monad exponential_kernel() {
  return kernels::exponentials().*kernel;
}
template <kernels::Monad kernels::TrigonometryKernels::*kernel>
kernels::Monad trigonometric() {
  return kernels::trigonometry().*kernel;
}
template <kernels::Monad kernels::HyperbolicKernels::*kernel>
kernels::Monad of_hyperbola() {
  return kernels::hyperbolic().*kernel;
}
template <kernels::Monad kernels::ArcKernels::*kernel>
kernels::Monad arc() {
  return kernels::arcs().*kernel;
}
using Exponential = kernels::ExponentialKernels;
using Trigonometry = kernels::TrigonometryKernels;
using Hyperbolic = kernels::HyperbolicKernels;
using Arcs = kernels::ArcKernels;

template <int base>
std::size_t power_of(void* out, const void* x, std::size_t n) {
  const double w = base;
  return kernels::powers().power[kernels::scalar_array](out, &w, x, n);
}
template <int base>
kernels::Monad powers_of() {
  return power_of<base>;
}
double cube(double x) { return x * x * x; }
const DyadForms& angle() { return kernels::arcs().angle; }
const DyadForms& distance() { return kernels::arcs().distance; }
// Undo w Atan2 x for x, and for w.
double opposite(double w, double angle) { return w * std::tan(angle); }
double adjacent(double x, double angle) { return x / std::tan(angle); }

// --- Sum

Value sum(Context& cx, const Function& self, Value x) {
  const ComputingHere here(cx, "•math.Sum");
  if (!x.is_array() || !x.array().is_list()) fail_in(cx, self, "𝕩 must be a list of numbers (got a " + kind_text(x) + ")");
  const Array& a = x.array();
  if (a.type() == ElementType::boxed) {
    std::vector<double> numbers(a.length);
    for (std::size_t i = 0; i < a.length; i++) {
      if (!a.boxes()[i].is_number()) fail_number(cx, "•math.Sum", "𝕩", "numbers", a.boxes()[i]);
      numbers[i] = a.boxes()[i].number();
    }
    return kernels::accurate_sum(numbers.data(), numbers.size());
  }
  if (a.length > 0 && !is_number(a.type())) fail_number(cx, "•math.Sum", "𝕩", "numbers", element(a, 0));
  const kernels::ReduceKernels& reduce = kernels::reduce();
  switch (a.type()) {
    case ElementType::bit: return static_cast<double>(kernels::bool_fold().count(a.as<std::uint64_t>(), a.length, 0));
    case ElementType::i8: return static_cast<double>(reduce.sum[kernels::lane_i8](a.data, a.length));
    case ElementType::i16: return static_cast<double>(reduce.sum[kernels::lane_i16](a.data, a.length));
    case ElementType::i32: return static_cast<double>(reduce.sum[kernels::lane_i32](a.data, a.length));
    case ElementType::f64: return kernels::accurate_sum(a.as<double>(), a.length);
    default: return 0.0;
  }
}

// --- the table

struct MathEntry {
  const char* spelling;
  MonadCode monad;
  DyadCode dyad = nullptr;
  MonadCode undo = nullptr;
  DyadCode undo_dyad = nullptr;
  DyadCode undo_swapped_dyad = nullptr;
};

template <Name name, class By>
constexpr MathEntry math_function() {
  return {name.text, math_monad<name, By>};
}
// A function and its inverse.
template <Name name, class By, class Inverse>
constexpr MathEntry math_function() {
  return {name.text, math_monad<name, By>, nullptr, math_monad<name, Inverse>};
}
template <Name name, const DyadForms& (*forms)(), bool (*holds)(double) = is_any, RealFunction there = RealFunction::none>
constexpr MathEntry function_of_two() {
  return {name.text, nullptr, math_dyad<name, forms, holds, there>};
}

using Sine = Computation<trigonometric<&Trigonometry::sine>, RealFunction::sine>;
using Cosine = Computation<trigonometric<&Trigonometry::cosine>, RealFunction::cosine>;
using Tangent = Computation<trigonometric<&Trigonometry::tangent>, RealFunction::tangent>;
using ArcSine = Computation<arc<&Arcs::sine>, RealFunction::arc_sine>;
using ArcCosine = Computation<arc<&Arcs::cosine>, RealFunction::arc_cosine>;
using ArcTangent = Computation<arc<&Arcs::tangent>, RealFunction::arc_tangent>;
using HyperbolicSine = Computation<of_hyperbola<&Hyperbolic::sine>, RealFunction::hyperbolic_sine>;
using HyperbolicCosine = Computation<of_hyperbola<&Hyperbolic::cosine>, RealFunction::hyperbolic_cosine>;
using HyperbolicTangent = Computation<of_hyperbola<&Hyperbolic::tangent>, RealFunction::hyperbolic_tangent>;
using InverseSine = Computation<of_hyperbola<&Hyperbolic::inverse_sine>, RealFunction::inverse_hyperbolic_sine>;
using InverseCosine = Computation<of_hyperbola<&Hyperbolic::inverse_cosine>, RealFunction::inverse_hyperbolic_cosine>;
using InverseTangent = Computation<of_hyperbola<&Hyperbolic::inverse_tangent>, RealFunction::inverse_hyperbolic_tangent>;
using CubeRoot = Computation<exponential_kernel<&Exponential::cube_root>, RealFunction::cube_root>;
using Logarithm2 = Computation<exponential_kernel<&Exponential::logarithm_2>, RealFunction::logarithm_2>;
using Logarithm10 = Computation<exponential_kernel<&Exponential::logarithm_10>, RealFunction::logarithm_10>;
using LogarithmPlus1 = Computation<exponential_kernel<&Exponential::logarithm_plus_1>, RealFunction::logarithm_plus_1>;
using ExponentialLess1 = Computation<exponential_kernel<&Exponential::exponential_less_1>, RealFunction::exponential_less_1>;

constexpr MathEntry math_entries[] = {
    math_function<"•math.Sin", Sine, ArcSine>(),
    math_function<"•math.Cos", Cosine, ArcCosine>(),
    math_function<"•math.Tan", Tangent, ArcTangent>(),
    math_function<"•math.Asin", ArcSine, Sine>(),
    math_function<"•math.Acos", ArcCosine, Cosine>(),
    math_function<"•math.Atan", ArcTangent, Tangent>(),
    math_function<"•math.Sinh", HyperbolicSine, InverseSine>(),
    math_function<"•math.Cosh", HyperbolicCosine, InverseCosine>(),
    math_function<"•math.Tanh", HyperbolicTangent, InverseTangent>(),
    math_function<"•math.Asinh", InverseSine, HyperbolicSine>(),
    math_function<"•math.Acosh", InverseCosine, HyperbolicCosine>(),
    math_function<"•math.Atanh", InverseTangent, HyperbolicTangent>(),
    math_function<"•math.Cbrt", CubeRoot, Computation<each<cube>>>(),
    math_function<"•math.Log2", Logarithm2, Computation<powers_of<2>>>(),
    math_function<"•math.Log10", Logarithm10, Computation<powers_of<10>>>(),
    math_function<"•math.Log1p", LogarithmPlus1, ExponentialLess1>(),
    math_function<"•math.Expm1", ExponentialLess1, LogarithmPlus1>(),
    {"•math.Fact", math_monad<"•math.Fact", Computation<each<kernels::factorial>, RealFunction::factorial>>, nullptr,
     inverse_from<"•math.Fact⁼", kernels::inverse_factorial, kernels::least_factorial>},
    {"•math.LogFact", math_monad<"•math.LogFact", Computation<each<kernels::log_factorial>, RealFunction::log_factorial>>,
     nullptr, inverse_from<"•math.LogFact⁼", kernels::inverse_log_factorial, kernels::least_log_factorial>},
    math_function<"•math.Erf", Computation<each<std::erf>, RealFunction::error_function>>(),
    math_function<"•math.ErfC", Computation<each<std::erfc>, RealFunction::complementary_error_function>>(),
    {"•math.Atan2", nullptr, math_dyad<"•math.Atan2", angle, is_any, RealFunction::angle>, nullptr,
     math_dyad<"•math.Atan2⁼", each_two<opposite>>, math_dyad<"•math.Atan2˜⁼", each_two<adjacent>>},
    function_of_two<"•math.Hypot", distance, is_any, RealFunction::distance>(),
    function_of_two<"•math.Comb", each_two<kernels::binomial>>(),
    function_of_two<"•math.GCD", each_two<kernels::common_divisor, kernels::is_natural>, kernels::is_natural>(),
    function_of_two<"•math.LCM", each_two<kernels::common_multiple, kernels::is_natural>, kernels::is_natural>(),
    {"•math.Sum", sum},
};

}  // namespace

Value math_namespace(Context& cx, Unit&) {
  std::vector<std::pair<std::string, Value>> fields;
  for (const MathEntry& entry : math_entries) {
    std::string_view name = entry.spelling;
    Ref<NativeObject> state;
    if (entry.undo || entry.undo_dyad) {
      Ref<UndoCodes> codes = make_native<UndoCodes>(cx.heap);
      codes->undo = entry.undo;
      codes->undo_dyad = entry.undo_dyad;
      codes->undo_swapped_dyad = entry.undo_swapped_dyad;
      state = Ref<NativeObject>(codes.leak());
    }
    fields.emplace_back(name.substr(name.find('.') + 1),
                        make_system_function(cx, entry.spelling, entry.monad, entry.dyad, std::move(state)));
  }
  return make_namespace(cx.heap, std::move(fields));
}

}  // namespace griddle::system_functions
