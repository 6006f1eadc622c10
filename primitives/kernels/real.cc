#include "primitives/kernels/real.h"

#include <cmath>

#include "primitives/kernels/from_right.h"

namespace griddle::kernels {

double modulus(double w, double x) {
  constexpr double exact = 9007199254740992.0;
  if (w >= -exact && w <= exact && x >= -exact && x <= exact) {
    const auto divisor = static_cast<std::int64_t>(w), number = static_cast<std::int64_t>(x);
    if (divisor != 0 && static_cast<double>(divisor) == w && static_cast<double>(number) == x) {
      const std::int64_t rest = number % divisor;
      return static_cast<double>(rest != 0 && (rest < 0) != (divisor < 0) ? rest + divisor : rest);
    }
  }
  double r = std::fmod(x, w);
  if (r != 0 && (r < 0) != (w < 0)) r += w;
  return r;
}

namespace {

double logic_or(double w, double x) { return (w + x) - w * x; }
double span(double w, double x) { return 1 + (w - x); }

template <double f(double, double), Form form>
std::size_t loop(void* out_bytes, const void* w_bytes, const void* x_bytes, std::size_t n) {
  double* out = static_cast<double*>(out_bytes);
  const double* w = static_cast<const double*>(w_bytes);
  const double* x = static_cast<const double*>(x_bytes);
  // Reads a single operand once: the output may overwrite the place it came from.
  const double one = form == scalar_array ? *w : form == array_scalar ? *x : 0;
  for (std::size_t i = 0; i < n; i++) out[i] = f(form == scalar_array ? one : w[i], form == array_scalar ? one : x[i]);
  return n;
}
template <double f(double, double)>
constexpr DyadForms forms() {
  return {{loop<f, array_array>, loop<f, array_scalar>, loop<f, scalar_array>}};
}

}  // namespace

const DyadForms modulus_f64 = forms<modulus>();
const DyadForms logic_or_f64 = forms<logic_or>();
const DyadForms span_f64 = forms<span>();

double difference_from_right(const double* x, std::size_t n, double so_far) {
  return fold_from_right(x, n, 0, so_far, std::minus<>());
}
double product_from_right(const double* x, std::size_t n, double so_far) {
  return fold_from_right(x, n, 0, so_far, std::multiplies<>());
}

}  // namespace griddle::kernels
