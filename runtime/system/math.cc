// Functions of numbers: •math
#include <cmath>
#include <limits>

#include "runtime/system/argument.h"
#include "runtime/system/functions.h"
#include "runtime/system/table.h"
#include "runtime/value/namespace.h"

namespace griddle::system_functions {

namespace {

using NumberMonad = double (*)(double);
using NumberDyad = double (*)(double w, double x);

constexpr double largest_factorial = 170;
// Sets the bound from where binomial coefficients are computed from gamma functions.
constexpr double most_factors = 10000;

double at(Context& cx, const Function& self, const Value& v, const char* which) {
  if (!v.is_number()) fail_in(cx, self, std::string(which) + " must consist of numbers (got a " + kind_text(v) + ")");
  return v.number();
}

Value pervade(Context& cx, const Function& self, const Value& x, NumberMonad f) {
  if (!x.is_array()) return f(at(cx, self, x, "𝕩"));
  cx.check_stack();
  const Array& a = x.array();
  if (!is_number(a.type())) {
    Ref<Array> result = make_like(cx.heap, ElementType::boxed, a);
    for (std::size_t i = 0; i < a.length; i++) result->boxes()[i] = pervade(cx, self, element(a, i), f);
    return narrowed(cx.heap, to_value(std::move(result)));
  }
  Ref<Array> result = make_like(cx.heap, ElementType::f64, a);
  for (std::size_t i = 0; i < a.length; i++) result->as<double>()[i] = f(number_at(a, i));
  return to_value(std::move(result));
}

Value pervade(Context& cx, const Function& self, const Value& w, const Value& x, NumberDyad f) {
  if (!w.is_array() && !x.is_array()) return f(at(cx, self, w, "𝕨"), at(cx, self, x, "𝕩"));
  cx.check_stack();
  const Value& longer = !w.is_array() || (x.is_array() && x.array().rank() >= w.array().rank()) ? x : w;
  const Value& shorter = &longer == &x ? w : x;
  std::span<const std::size_t> frame = shape_of(shorter);
  if (!same_shape(frame, shape_of(longer).first(frame.size())))
    fail_in(cx, self, "The shape of one argument must begin the other's (" + shape_text(w) + " and " + shape_text(x) + ")");
  const Array& a = longer.array();
  std::size_t cell = frame.empty() ? a.length : product(a.shape().subspan(frame.size()));
  Ref<Array> result = make_like(cx.heap, ElementType::boxed, a);
  for (std::size_t i = 0; i < a.length; i++) {
    Value e = element(a, i);
    Value partner = shorter.is_array() ? element(shorter.array(), cell ? i / cell : 0) : shorter;
    result->boxes()[i] = &longer == &x ? pervade(cx, self, partner, e, f) : pervade(cx, self, e, partner, f);
  }
  return narrowed(cx.heap, to_value(std::move(result)));
}

template <NumberMonad f>
Value monad(Context& cx, const Function& self, Value x) {
  return pervade(cx, self, x, f);
}
template <NumberDyad f>
Value dyad(Context& cx, const Function& self, Value w, Value x) {
  return pervade(cx, self, w, x, f);
}

bool is_natural(double d) { return d >= 0 && std::floor(d) == d && !std::isinf(d); }

double power_of_two(double x) { return std::exp2(x); }
double power_of_ten(double x) { return std::pow(10, x); }
double cube(double x) { return x * x * x; }
double arc_tangent(double w, double x) { return std::atan2(x, w); }
double hypotenuse(double w, double x) { return std::hypot(w, x); }

double factorial(double x) {
  if (!is_natural(x) || x > largest_factorial)
    return x < 0 && std::floor(x) == x ? std::numeric_limits<double>::infinity() : std::tgamma(x + 1);
  long double product = 1;
  for (double i = 2; i <= x; i++) product *= i;
  return static_cast<double>(product);
}

// Gives log |Γ(x)| and the sign of Γ(x).
double log_gamma(double x, int& sign) { return lgamma_r(x, &sign); }

double log_factorial(double x) {
  int sign;
  return log_gamma(x + 1, sign);
}

// Finds the argument of at least 0 whose factorial is x, by halving.
double inverse_factorial(double x) {
  double low = 0, high = largest_factorial + 1;
  if (!(x >= 1) || std::isinf(x)) return std::numeric_limits<double>::quiet_NaN();
  for (double n = 1; n <= largest_factorial; n++)
    if (factorial(n) == x) return n;
  for (int step = 0; step < 200 && low < high; step++) {
    double middle = low + (high - low) / 2;
    (log_factorial(middle) < std::log(x) ? low : high) = middle;
  }
  return low;
}

// Gives the number of ways to choose x of w.
double binomial(double w, double x) {
  bool whole = std::floor(w) == w;
  if (whole && is_natural(x)) {
    if (w >= 0 && x > w) return 0;
    if (w >= 0) x = std::fmin(x, w - x);
  }
  if (is_natural(x) && x <= most_factors) {
    double product = 1;
    for (double i = 1; i <= x && std::isfinite(product); i++) product = product * (w - x + i) / i;
    return whole ? std::round(product) : product;
  }
  int signs[3];
  double logarithm = log_gamma(w + 1, signs[0]) - log_gamma(x + 1, signs[1]) - log_gamma(w - x + 1, signs[2]);
  return signs[0] * signs[1] * signs[2] * std::exp(logarithm);
}

double common_divisor(double w, double x) {
  while (w != 0) {
    double rest = std::fmod(x, w);
    x = w;
    w = rest;
  }
  return x;
}
double common_multiple(double w, double x) { return w == 0 || x == 0 ? 0 : w / common_divisor(w, x) * x; }

void check_naturals(Context& cx, const Function& self, const Value& v, const char* which) {
  if (v.is_array()) {
    cx.check_stack();
    for (std::size_t i = 0; i < v.array().length; i++) check_naturals(cx, self, element(v.array(), i), which);
  } else if (!is_natural(at(cx, self, v, which))) {
    fail_in(cx, self, std::string(which) + " must consist of natural numbers (got " + number_text(v.number()) + ")");
  }
}

template <NumberDyad f>
Value natural_dyad(Context& cx, const Function& self, Value w, Value x) {
  check_naturals(cx, self, w, "𝕨");
  check_naturals(cx, self, x, "𝕩");
  return pervade(cx, self, w, x, f);
}

Value sum(Context& cx, const Function& self, Value x) {
  if (!x.is_array() || !x.array().is_list()) fail_in(cx, self, "𝕩 must be a list of numbers (got a " + kind_text(x) + ")");
  const Array& a = x.array();
  // Four sums side by side: the order is free here.
  double sums[4] = {};
  with_type(a.type(), [&]<class T>(std::type_identity<T>) {
    for (std::size_t i = 0; i < a.length; i++) {
      if constexpr (std::is_same_v<T, Bit>)
        sums[i % 4] += a.bit(i);
      else if constexpr (std::is_same_v<T, Value>)
        sums[i % 4] += at(cx, self, a.boxes()[i], "𝕩");
      else if (is_number(a.type()))
        sums[i % 4] += static_cast<double>(a.as<T>()[i]);
      else
        at(cx, self, element(a, i), "𝕩");
    }
  });
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

struct MathEntry {
  const char* spelling;
  MonadCode monad;
  DyadCode dyad = nullptr;
  MonadCode undo = nullptr;
};

constexpr MathEntry entries[] = {
    {"•math.Sin", monad<std::sin>, nullptr, monad<std::asin>},
    {"•math.Cos", monad<std::cos>, nullptr, monad<std::acos>},
    {"•math.Tan", monad<std::tan>, nullptr, monad<std::atan>},
    {"•math.Asin", monad<std::asin>, nullptr, monad<std::sin>},
    {"•math.Acos", monad<std::acos>, nullptr, monad<std::cos>},
    {"•math.Atan", monad<std::atan>, nullptr, monad<std::tan>},
    {"•math.Atan2", nullptr, dyad<arc_tangent>},
    {"•math.Sinh", monad<std::sinh>, nullptr, monad<std::asinh>},
    {"•math.Cosh", monad<std::cosh>, nullptr, monad<std::acosh>},
    {"•math.Tanh", monad<std::tanh>, nullptr, monad<std::atanh>},
    {"•math.Asinh", monad<std::asinh>, nullptr, monad<std::sinh>},
    {"•math.Acosh", monad<std::acosh>, nullptr, monad<std::cosh>},
    {"•math.Atanh", monad<std::atanh>, nullptr, monad<std::tanh>},
    {"•math.Cbrt", monad<std::cbrt>, nullptr, monad<cube>},
    {"•math.Log2", monad<std::log2>, nullptr, monad<power_of_two>},
    {"•math.Log10", monad<std::log10>, nullptr, monad<power_of_ten>},
    {"•math.Log1p", monad<std::log1p>, nullptr, monad<std::expm1>},
    {"•math.Expm1", monad<std::expm1>, nullptr, monad<std::log1p>},
    {"•math.Hypot", nullptr, dyad<hypotenuse>},
    {"•math.Fact", monad<factorial>, nullptr, monad<inverse_factorial>},
    {"•math.LogFact", monad<log_factorial>},
    {"•math.Erf", monad<std::erf>},
    {"•math.ErfC", monad<std::erfc>},
    {"•math.Comb", nullptr, dyad<binomial>},
    {"•math.GCD", nullptr, natural_dyad<common_divisor>},
    {"•math.LCM", nullptr, natural_dyad<common_multiple>},
    {"•math.Sum", sum},
};

}  // namespace

Value math_namespace(Context& cx, Unit&) {
  std::vector<std::pair<std::string, Value>> fields;
  for (const MathEntry& entry : entries) {
    std::string_view name = entry.spelling;
    Ref<NativeObject> state;
    if (entry.undo) {
      Ref<UndoCodes> codes = make_native<UndoCodes>(cx.heap);
      codes->undo = entry.undo;
      state = Ref<NativeObject>(codes.leak());
    }
    fields.emplace_back(name.substr(name.find('.') + 1),
                        make_system_function(cx, entry.spelling, entry.monad, entry.dyad, std::move(state)));
  }
  return make_namespace(cx.heap, std::move(fields));
}

}  // namespace griddle::system_functions
