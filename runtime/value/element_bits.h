// Elements of arrays as bits.
#pragma once

#include <bit>

#include "runtime/value/array.h"

namespace griddle {

using Bits = std::uint64_t;
inline Bits bits(double d) { return std::bit_cast<Bits>(d); }

// Gives an element, which the array goes on holding.
inline Bits element_bits(const Array& a, std::size_t i) {
  switch (a.type()) {
    case ElementType::bit: return a.bit(i) ? bits(1.0) : 0;
    case ElementType::i8: return bits(a.as<std::int8_t>()[i]);
    case ElementType::i16: return bits(a.as<std::int16_t>()[i]);
    case ElementType::i32: return bits(a.as<std::int32_t>()[i]);
    case ElementType::f64: return Value(a.as<double>()[i]).bits();
    case ElementType::c8: return Value::character(a.as<std::uint8_t>()[i]).bits();
    case ElementType::c16: return Value::character(a.as<std::uint16_t>()[i]).bits();
    case ElementType::c32: return Value::character(a.as<char32_t>()[i]).bits();
    case ElementType::boxed: return a.as<Value>()[i].bits();
  }
  __builtin_unreachable();
}

}  // namespace griddle
