#include "primitives/kernels/elementwise/real.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "primitives/kernels/folds/from_right.h"
#include "primitives/kernels/folds/reduce.h"
#include "primitives/kernels/shared/convert.h"

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
const DyadForms span_f64 = forms<span>();

double difference_from_right(const double* x, std::size_t n, double so_far) {
  return fold_from_right(x, n, 0, so_far, std::minus<>());
}
double product_from_right(const double* x, std::size_t n, double so_far) {
  return fold_from_right(x, n, 0, so_far, std::multiplies<>());
}

namespace {

constexpr double exact_limit = 9007199254740992.0;  // integers up to here are exact doubles

// Goes on from 0 or an infinity: only signs matter then, and whether an infinity meets a 0.
template <class T>
double settled_product(const T* x, std::size_t n, double so_far) {
  T signs = 0, zeros = 0;  // marks as wide as the elements vectorise
  for (std::size_t i = 0; i < n; i++) {
    signs = static_cast<T>(signs ^ x[i]);
    zeros = static_cast<T>(zeros | (x[i] == 0 ? -1 : 0));
  }
  return so_far * (zeros != 0 ? 0.0 : 1.0) * (signs < 0 ? -1 : 1);
}

// Multiplies blocks from the right, each in any order, as long as all products are exact; gives how many elements are left.
template <class T>
std::size_t multiply_exactly(const T* x, std::size_t n, double& so_far) {
  constexpr std::size_t block = 1024;
  constexpr ElementType type = sizeof(T) == 1 ? ElementType::i8 : sizeof(T) == 2 ? ElementType::i16 : ElementType::i32;
  const Monad widen = convert().widen[static_cast<int>(type)][static_cast<int>(ElementType::f64)];
  double elements[block];
  for (std::size_t count; n != 0; n -= count) {
    count = std::min(n, block);
    widen(elements, x + n - count, count);
    double product = so_far, size = std::fmax(1, std::fabs(so_far));
    reduce().product_f64(elements, count, product, size);
    if (size > exact_limit) break;
    so_far = product;
  }
  return n;
}

template <class T>
double multiply_integers(const void* elements, std::size_t n, double so_far) {
  constexpr std::size_t some = 64, block = 16;
  const T* const x = static_cast<const T*>(elements);
  for (std::size_t begun = 0; n >= block; begun += block) {
    // Products that have kept small so far are likely to do so.
    if (begun == some && std::fabs(so_far) <= exact_limit) n = multiply_exactly(x, n, so_far);
    const std::size_t count = std::min(n, block);
    so_far = fold_from_right(x, n, n - count, so_far, std::multiplies<>());
    n -= count;
    if (so_far == 0 || std::isinf(so_far)) return settled_product(x, n, so_far);
  }
  return fold_from_right(x, n, 0, so_far, std::multiplies<>());
}
template <class T>
double fold_product(const void* elements, std::size_t n) {
  const T* const x = static_cast<const T*>(elements);
  if constexpr (std::is_same_v<T, double>)
    return product_from_right(x, n - 1, x[n - 1]);
  else
    return multiply_integers<T>(x, n - 1, static_cast<double>(x[n - 1]));
}
// Joins integers by their bits; what is over after whole words is joined one by one.
template <class T>
T bitwise_or(const T* x, std::size_t n) {
  constexpr std::size_t in_word = sizeof(std::uint64_t) / sizeof(T);
  std::uint64_t words = 0;
  std::size_t i = 0;
  for (; i + in_word <= n; i += in_word) {
    std::uint64_t word;
    std::memcpy(&word, x + i, sizeof word);
    words |= word;
  }
  T all = 0;
  for (; i < n; i++) all = static_cast<T>(all | x[i]);
  for (std::size_t k = 0; k < in_word; k++) all = static_cast<T>(all | static_cast<T>(words >> k * 8 * sizeof(T)));
  return all;
}

template <class T>
double fold_or(const void* elements, std::size_t n) {
  const T* const x = static_cast<const T*>(elements);
  // Booleans need no arithmetic.
  if constexpr (!std::is_same_v<T, double>)
    if (const T all = bitwise_or(x, n); all == 0 || all == 1) return all;
  return fold_from_right(x, n - 1, 0, static_cast<double>(x[n - 1]), logic_or);
}

}  // namespace

double (*const integer_product_from_right[lane_f64])(const void*, std::size_t, double) = {
    multiply_integers<std::int8_t>, multiply_integers<std::int16_t>, multiply_integers<std::int32_t>};
const Fold product_fold[lane_count] = {fold_product<std::int8_t>, fold_product<std::int16_t>, fold_product<std::int32_t>,
                                       fold_product<double>};
const Fold or_fold[lane_count] = {fold_or<std::int8_t>, fold_or<std::int16_t>, fold_or<std::int32_t>, fold_or<double>};

}  // namespace griddle::kernels
