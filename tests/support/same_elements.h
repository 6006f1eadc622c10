// Compares arrays of which tests make many, and long ones: elements whose bits are the same are not looked at one by one.
#pragma once

#include <cmath>
#include <cstring>

#include "primitives/structure/match.h"
#include "runtime/value/array.h"

namespace griddle::testing {

// How many elements at the start of two arrays of one type are the same, as their memory tells at once; 0 where it does not.
inline std::size_t same_in_memory(const Array& a, const Array& b) {
  const ElementType type = a.type();
  if (type == ElementType::boxed || b.type() != type) return 0;
  const std::size_t n = type == ElementType::bit ? a.length / 64 * 64 : a.length;
  return std::memcmp(a.as<unsigned char>(), b.as<unsigned char>(), n * bits_of(type) / 8) == 0 ? n : 0;
}

// Tells whether two values are the same, NaN for NaN.
inline bool same_elements(Context& cx, const Value& a, const Value& b) {
  if (!same_shape(shape_of(a), shape_of(b)) || a.is_array() != b.is_array()) return false;
  const bool arrays = a.is_array();
  const std::size_t n = length_of(a);
  for (std::size_t i = arrays ? same_in_memory(a.array(), b.array()) : 0; i < n; i++) {
    const Value p = arrays ? element(a.array(), i) : a, q = arrays ? element(b.array(), i) : b;
    if (p.bits() == q.bits()) continue;
    if (p.is_number() && q.is_number() && std::isnan(p.number()) && std::isnan(q.number())) continue;
    if (p.is_array() && q.is_array() && same_elements(cx, p, q)) continue;
    if (!primitives::matches(cx, p, q)) return false;
  }
  return true;
}

}  // namespace griddle::testing
