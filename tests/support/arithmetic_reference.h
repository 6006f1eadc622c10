// Plain definitions of what elementwise kernels compute. A result that does not fit its type is absent.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>

namespace griddle::reference {

// Gives a number as a T where T holds it; doubles hold everything.
template <class T>
std::optional<T> fitting(double d) {
  if constexpr (std::is_floating_point_v<T>) {
    return d;
  } else {
    if (!(d >= std::numeric_limits<T>::min() && d <= std::numeric_limits<T>::max()) || d != std::floor(d)) return std::nullopt;
    return static_cast<T>(d);
  }
}

inline double add(double w, double x) { return w + x; }
inline double subtract(double w, double x) { return w - x; }
inline double multiply(double w, double x) { return w * x; }
inline double minimum(double w, double x) { return w < x ? w : x; }
inline double maximum(double w, double x) { return w > x ? w : x; }
inline double divide(double w, double x) { return w / (x + 0.0); }
inline double modulus(double w, double x) {
  double r = std::fmod(x, w);
  if (r != 0 && (r < 0) != (w < 0)) r += w;
  return r;
}
inline double negate(double x) { return -x; }
inline double magnitude(double x) { return std::fabs(x); }
inline double sign(double x) { return x == 0 ? 0 : x > 0 ? 1 : -1; }
inline double floor(double x) { return std::floor(x); }
inline double ceiling(double x) { return std::ceil(x); }
inline double square_root(double x) { return std::sqrt(x); }
inline double reciprocal(double x) { return 1 / (x + 0.0); }
inline double keep(double x) { return x; }

}  // namespace griddle::reference
