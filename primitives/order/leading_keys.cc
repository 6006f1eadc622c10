#include "primitives/order/leading_keys.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

#include "primitives/common/prefetch.h"

namespace griddle::primitives {
namespace {

constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;
// Arrays without elements come before all others.
constexpr std::uint64_t key_of_empty = 0;

// Numbers order by these, NaN behind ∞.
std::uint64_t number_key(double number) {
  if (number != number) return Value(number).bits() | sign_bit;
  const auto bits = std::bit_cast<std::uint64_t>(number + 0.0);
  return (bits & sign_bit) != 0 ? ~bits : bits | sign_bit;
}
// Characters come behind numbers: their tag is greater than the bits of any NaN.
std::uint64_t character_key(char32_t character) { return Value::character(character).bits(); }

// Gives the key of the first atom in a value, at whatever depth; false where it is an operation.
bool first_atom_key(const Value& value, std::uint64_t& key) {
  const Value* v = &value;
  while (v->is_array()) {
    const Array& a = v->array();
    if (a.length == 0) {
      key = key_of_empty;
      return true;
    }
    if (a.type() != ElementType::boxed) {
      key = is_character(a.type()) ? character_key(character_at(a, 0)) : number_key(number_at(a, 0));
      return true;
    }
    v = a.boxes().data();
  }
  if (!v->is_number() && !v->is_character()) return false;
  key = v->is_number() ? number_key(v->number()) : character_key(v->character());
  return true;
}

// Gives the type that holds the elements of all values, which are lists of integers or of characters; boxed where they are not.
ElementType type_of_lists(const Array& boxes, std::size_t cells, std::size_t cell) {
  ElementType type = ElementType::boxed;
  const Value* end = boxes.as<Value>() + boxes.length;
  for (std::size_t i = 0; i < cells; i++) {
    const Value& v = boxes.as<Value>()[i * cell];
    fetch_ahead(&v, end, cell);
    if (!v.is_array() || !v.array().is_list()) return ElementType::boxed;
    const Array& a = v.array();
    if (a.length == 0) continue;
    if (a.type() == ElementType::boxed || a.type() == ElementType::f64) return ElementType::boxed;
    if (type != ElementType::boxed && is_character(type) != is_character(a.type())) return ElementType::boxed;
    type = type == ElementType::boxed ? a.type() : std::max(type, a.type());
  }
  return type == ElementType::bit ? ElementType::i8 : type;
}

// Puts the first elements behind some that are skipped, as T, into a key, the very first into its highest bits. Nothing comes
// before the least element.
template <class T, class From>
std::uint64_t elements_key(const From* elements, std::size_t length, std::size_t skipped) {
  using Bits = std::make_unsigned_t<T>;
  constexpr unsigned width = 8 * sizeof(T);
  constexpr Bits flip = std::is_signed_v<T> ? Bits{1} << (width - 1) : 0;
  const std::size_t start = std::min(skipped, length), count = std::min(length - start, std::size_t{64 / width});
  if (count == 0) return key_of_empty;
  std::uint64_t key = 0;
  for (std::size_t i = 0; i < count; i++)
    key = key << width | static_cast<Bits>(static_cast<Bits>(static_cast<T>(elements[start + i])) ^ flip);
  return key << (64 - width * count);
}

template <class T>
std::uint64_t list_key(const Array& a, std::size_t skipped) {
  return with_type(a.type(), [&]<class From>(std::type_identity<From>) -> std::uint64_t {
    if constexpr (std::is_integral_v<From>) {
      return elements_key<T>(a.as<From>(), a.length, skipped);
    } else {
      std::int8_t bits[8] = {};
      const std::size_t start = std::min(skipped, a.length), count = std::min<std::size_t>(a.length - start, 8);
      for (std::size_t i = 0; i < count; i++) bits[i] = static_cast<std::int8_t>(a.bit(start + i));
      return elements_key<T>(bits, count, 0);
    }
  });
}

}  // namespace

bool leading_keys(const Array& boxes, std::size_t cells, std::size_t cell, std::size_t level, std::uint64_t* keys) {
  const Value* values = boxes.as<Value>();
  const ElementType type = type_of_lists(boxes, cells, cell);
  if (type == ElementType::boxed) {
    if (level != 0) return false;
    for (std::size_t i = 0; i < cells; i++) {
      fetch_ahead(values + i * cell, values + boxes.length, cell);
      if (!first_atom_key(values[i * cell], keys[i])) return false;
    }
    return true;
  }
  with_type(type, [&]<class T>(std::type_identity<T>) {
    if constexpr (std::is_integral_v<T>) {
      const std::size_t skipped = level * (sizeof(std::uint64_t) / sizeof(T));
      for (std::size_t i = 0; i < cells; i++) {
        const Array& a = values[i * cell].array();
        if (a.length == 0)
          keys[i] = key_of_empty;
        else
          keys[i] = a.type() == type ? elements_key<T>(a.as<T>(), a.length, skipped) : list_key<T>(a, skipped);
      }
    }
  });
  return true;
}

}  // namespace griddle::primitives
