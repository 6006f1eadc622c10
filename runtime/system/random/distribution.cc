// Numbers of other distributions: Uniform, Normal, Exponential and Gamma of generators.
#include <algorithm>
#include <cmath>
#include <vector>

#include "runtime/system/argument.h"
#include "runtime/system/random/generator.h"
#include "runtime/value/checkpoint.h"

namespace griddle::random_functions {

namespace {

// A parameter: one number for all results, or one for each element of a cell.
struct Parameter {
  std::vector<double> numbers;
  std::span<const std::size_t> shape;
  bool is_array = false;
};

// Reads a number or an array of numbers that `holds` accepts.
template <class Holds>
Parameter parameter(Context& cx, const Function& self, const Value& v, const char* which, const char* expected, Holds holds) {
  Parameter p;
  const std::size_t n = v.is_array() ? v.array().length : 1;
  p.numbers.resize(n);
  p.is_array = v.is_array();
  if (v.is_array()) p.shape = v.array().shape();
  const auto refuse = [&](const std::string& got) {
    fail_in(cx, self, std::string(which) + " must be " + expected + " (got " + got + ")");
  };
  if (v.is_array() && is_number(v.array().type())) {
    const Value numbers = widened(cx.heap, v, ElementType::f64);
    std::copy_n(numbers.array().as<double>(), n, p.numbers.data());
  } else {
    for (std::size_t i = 0; i < n; i++) {
      const Value e = v.is_array() ? element(v.array(), i) : v;
      if (!e.is_number()) refuse("a " + kind_text(e));
      p.numbers[i] = e.number();
    }
  }
  for (const double d : p.numbers)
    if (!holds(d)) refuse(number_text(d));
  return p;
}

constexpr auto is_finite = [](double d) { return std::isfinite(d); };
constexpr auto is_size = [](double d) { return d >= 0 && std::isfinite(d); };
constexpr auto is_shape = [](double d) { return d > 0 && std::isfinite(d); };

using Kernel = void (*)(double* out, kernels::RandomPlace, std::size_t n);

constexpr unsigned bits_of_number = 64, bits_of_block = 128;

// Makes the result: for each element of the shape 𝕨 (of one, where 𝕨 is absent) a number for each parameter.
class Result {
 public:
  Result(Context& cx, const Function& self, const Value& w, std::span<const std::size_t> cell, bool is_array) : cx_(cx) {
    const std::size_t cells = product(cell);
    if (!w.is_absent()) shape_ = shape_argument(cx, self, w, cells);
    single_ = w.is_absent() && !is_array;
    for (std::size_t n : cell) shape_.push_back(n);
    if (shape_.size() > max_rank)
      fail_in(cx, self, "The result would have too many axes (" + std::to_string(shape_.size()) + ")");
  }
  double* numbers() {
    if (!array_) array_ = make_array(cx_.heap, ElementType::f64, shape_);
    return array_->as<double>();
  }
  std::size_t length() const { return product(shape_); }
  // Makes them on the device where that is worth it; absent where the host is to make them.
  Value on_device(const RandomNumbers& numbers) const {
    return random_functions::on_device(cx_, numbers, ElementType::f64, shape_);
  }
  Value on_device(RandomNumbers::Kind kind, kernels::RandomPlace place, double start, double factor) const {
    return on_device({kind, place.key, place.position, 0, true, start, factor});
  }
  // Replaces each number by of(number, place among the parameters).
  template <class Of>
  void change(std::size_t cells, Of of) {
    if (cells == 0) return;
    double* out = numbers();
    in_pieces(
        array_->length / cells,
        [=](std::size_t i, std::size_t end) {
          if (cells == 1)
            for (; i < end; i++) out[i] = of(out[i], 0);
          else
            for (; i < end; i++)
              for (std::size_t k = 0; k < cells; k++) out[i * cells + k] = of(out[i * cells + k], k);
        },
        std::max<std::size_t>(long_piece / cells, 1));
  }
  // Has a kernel write them all, or replace them, where each takes so many bits from the place on.
  void draw(Kernel kernel, const kernels::RandomPlace& place, unsigned bits) {
    double* out = numbers();
    in_pieces(length(), [=](std::size_t i, std::size_t end) {
      kernel(out + i, {place.key, place.position + kernels::blocks_for(i, bits)}, end - i);
    });
  }
  Value finish() {
    if (single_) return *numbers();
    return to_value(std::move(array_));
  }

 private:
  Context& cx_;
  Shape shape_;
  Ref<Array> array_;
  bool single_;
};

// Gives first + second × a standard number (from first to second, if `between`).
Value of_two_parameters(Context& cx, const Function& self, const Value& w, const Value& x, Kernel standard, bool between) {
  if (!x.is_array() || !x.array().is_list() || x.array().length != 2)
    fail_in(cx, self, "𝕩 must be a list of two parameters (got a " + kind_text(x) + ")");
  const Value a = element(x.array(), 0), b = element(x.array(), 1);
  const Parameter first = parameter(cx, self, a, between ? "The lower bound" : "The mean", "a finite number", is_finite);
  const Parameter second = between ? parameter(cx, self, b, "The upper bound", "a finite number", is_finite)
                                   : parameter(cx, self, b, "The deviation", "a finite number of at least 0", is_size);
  if (first.is_array && second.is_array && !same_shape(first.shape, second.shape))
    fail_in(cx, self, "Parameters must have the same shape (" + shape_text(a) + " and " + shape_text(b) + ")");
  const Parameter& shaped = first.is_array ? first : second;
  Result result(cx, self, w, shaped.shape, shaped.is_array);
  const kernels::RandomPlace place = state_of(self).take(kernels::blocks_for(result.length(), bits_of_number));
  const double* from = first.numbers.data();
  std::vector<double> factors(shaped.numbers.size());
  const std::size_t step_first = first.is_array, step_second = second.is_array;
  for (std::size_t i = 0; i < factors.size(); i++)
    factors[i] = between ? second.numbers[i * step_second] - from[i * step_first] : second.numbers[i * step_second];
  const bool plain = shaped.numbers.size() == 1;
  if (plain && !w.is_absent())
    if (Value there = result.on_device(between ? RandomNumbers::fractions : RandomNumbers::normals, place, *from, factors[0]);
        !there.is_absent())
      return there;
  result.draw(standard, place, bits_of_number);
  if (plain) {
    const double start = *from, factor = factors[0];
    result.change(1, [=](double d, std::size_t) { return start + factor * d; });
  } else {
    result.change(shaped.numbers.size(), [&](double d, std::size_t k) { return from[k * step_first] + factors[k] * d; });
  }
  return result.finish();
}

Value exponentials(Context& cx, const Function& self, const Value& w, const Value& x) {
  const Parameter means = parameter(cx, self, x, "The mean", "a finite number of at least 0", is_size);
  Result result(cx, self, w, means.shape, means.is_array);
  const kernels::RandomPlace place = state_of(self).take(kernels::blocks_for(result.length(), bits_of_number));
  if (means.numbers.size() == 1 && !w.is_absent())
    if (Value there = result.on_device(RandomNumbers::exponentials, place, 0, means.numbers[0]); !there.is_absent()) return there;
  result.draw(kernels::random_numbers().exponentials, place, bits_of_number);
  if (means.numbers.size() != 1 || means.numbers[0] != 1)
    result.change(means.numbers.size(), [&](double d, std::size_t k) { return means.numbers[k] * d; });
  return result.finish();
}

Value gammas(Context& cx, const Function& self, const Value& w, const Value& x) {
  const bool is_array = x.is_array();
  Result result(cx, self, w, is_array ? x.array().shape() : std::span<const std::size_t>(), is_array);
  const kernels::RandomPlace place = state_of(self).take(result.length());
  // The device looks at the shapes itself: they may lie there.
  if (is_array ? is_number(x.array().type()) : x.is_number() && is_shape(x.number()) && !w.is_absent())
    if (Value there = result.on_device({RandomNumbers::gammas, place.key, place.position, 0, false, 0, 1, &x});
        !there.is_absent())
      return there;
  const Parameter shapes = parameter(cx, self, x, "A shape parameter", "a finite number above 0", is_shape);
  result.change(shapes.numbers.size(), [&](double, std::size_t k) { return shapes.numbers[k]; });
  result.draw(kernels::random_numbers().gammas, place, bits_of_block);
  return result.finish();
}

}  // namespace

Value one_uniform(Context& cx, const Function& self, Value x) { return uniform(cx, self, Value(), std::move(x)); }
Value uniform(Context& cx, const Function& self, Value w, Value x) {
  return of_two_parameters(cx, self, w, x, kernels::random_numbers().fractions, true);
}
Value one_normal(Context& cx, const Function& self, Value x) { return normal(cx, self, Value(), std::move(x)); }
Value normal(Context& cx, const Function& self, Value w, Value x) {
  return of_two_parameters(cx, self, w, x, kernels::random_numbers().normals, false);
}
Value one_exponential(Context& cx, const Function& self, Value x) { return exponentials(cx, self, Value(), x); }
Value exponential(Context& cx, const Function& self, Value w, Value x) { return exponentials(cx, self, w, x); }
Value one_gamma(Context& cx, const Function& self, Value x) { return gammas(cx, self, Value(), x); }
Value gamma(Context& cx, const Function& self, Value w, Value x) { return gammas(cx, self, w, x); }

}  // namespace griddle::random_functions
