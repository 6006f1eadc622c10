// Lists of a few atoms, read as doubles: looking at all of them costs less than preparing to look them up, or to order them.
#pragma once

#include <algorithm>
#include <array>

#include "primitives/common/plain.h"
#include "runtime/value/array.h"

namespace griddle::primitives {

inline constexpr std::size_t most_atoms = 16, most_ordered = 32;

// A few atoms of one kind as doubles, which hold every number and every code point.
struct Atoms {
  std::size_t count;
  bool characters;
  std::array<double, most_ordered> at;
};

// Tells whether a value is a list of a few atoms on the host, with the fill of their kind.
inline bool is_short_list(const Value& v, std::size_t most = most_atoms) {
  if (!v.is_array()) return false;
  const Array& a = v.array();
  return a.is_list() && a.length <= most && a.length != 0 && has_plain_fill(a) && !a.data.elsewhere();
}

// Tells whether a value is a list of no atoms.
inline bool is_empty_list(const Value& v) {
  return v.is_array() && v.array().is_list() && v.array().length == 0 && has_plain_fill(v.array());
}

// Reads the elements of a short list.
inline void read(const Array& a, Atoms& atoms) {
  atoms.count = a.length;
  atoms.characters = is_character(a.type());
  const auto copy = [&]<class T>(const T* from) { std::copy_n(from, a.length, atoms.at.begin()); };
  switch (a.type()) {
    case ElementType::bit:
      for (std::size_t i = 0; i < a.length; i++) atoms.at[i] = a.bit(i);
      break;
    case ElementType::i8: copy(a.as<std::int8_t>()); break;
    case ElementType::i16: copy(a.as<std::int16_t>()); break;
    case ElementType::i32: copy(a.as<std::int32_t>()); break;
    case ElementType::f64: copy(a.as<double>()); break;
    case ElementType::c8: copy(a.as<std::uint8_t>()); break;
    case ElementType::c16: copy(a.as<std::uint16_t>()); break;
    default: copy(a.as<char32_t>()); break;
  }
}

// Reads what is looked for: a short list, or a number or character, enclosed or not. False for anything else.
inline bool read_wanted(const Value& v, Atoms& atoms) {
  if (is_short_list(v)) {
    read(v.array(), atoms);
    return true;
  }
  if (v.is_array() && v.array().rank() == 0 && v.array().type() != ElementType::boxed && !v.array().data.elsewhere())
    return read_wanted(plain_element(v.array(), 0), atoms);
  if (!v.is_number() && !v.is_character()) return false;
  atoms.count = 1;
  atoms.characters = v.is_character();
  atoms.at[0] = v.is_number() ? v.number() : static_cast<double>(v.character());
  return true;
}

// Gives the first place below `end` of an atom, or `end`.
inline std::size_t place_in_atoms(const Atoms& atoms, double wanted, std::size_t end) {
  std::size_t i = 0;
  while (i < end && atoms.at[i] != wanted) i++;
  return i;
}

// Makes a list of what f gives for each place. It throws nothing.
template <class F>
Value small_numbers(Context& cx, std::size_t n, F f) {
  Array* const list = make_plain_list(cx.heap, ElementType::i8, n);
  for (std::size_t i = 0; i < n; i++) list->as<std::int8_t>()[i] = static_cast<std::int8_t>(f(i));
  return Value(list);
}

// Tells whether all have an order, as NaN has not.
inline bool have_order(const Atoms& atoms) {
  return std::none_of(atoms.at.begin(), atoms.at.begin() + atoms.count, [](double d) { return d != d; });
}

}  // namespace griddle::primitives
