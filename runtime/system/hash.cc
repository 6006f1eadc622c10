#include "runtime/system/hash.h"

#include <bit>

#include "runtime/value/array.h"
#include "runtime/value/function.h"

namespace griddle {

namespace {

constexpr std::uint64_t multiplier = 0x9E3779B97F4A7C15;

std::uint64_t mix(std::uint64_t h, std::uint64_t v) {
  __uint128_t wide = static_cast<__uint128_t>(h ^ v ^ multiplier) * (multiplier ^ std::rotl(v, 32));
  return static_cast<std::uint64_t>(wide) ^ static_cast<std::uint64_t>(wide >> 64);
}

std::uint64_t hash_number(std::uint64_t h, double d) { return mix(h, std::bit_cast<std::uint64_t>(d == 0 ? 0.0 : d)); }
// Keeps characters apart from numbers.
std::uint64_t hash_character(std::uint64_t h, char32_t c) { return mix(h, Value::first_tagged | c); }

std::uint64_t hash_value(Context&, std::uint64_t h, const Value&);

std::uint64_t hash_operation(Context& cx, std::uint64_t h, const Value& v) {
  cx.check_stack();
  if (!v.is_function()) return mix(h, v.bits());
  switch (v.object()->kind) {
    case ObjectKind::train: {
      auto& train = static_cast<const Train&>(v.function());
      return hash_value(cx, hash_value(cx, hash_value(cx, mix(h, 3), train.f), train.g), train.h);
    }
    case ObjectKind::derived: {
      auto& derived = static_cast<const Derived&>(v.function());
      return hash_value(cx, hash_value(cx, hash_value(cx, mix(h, 4), derived.modifier), derived.f), derived.g);
    }
    case ObjectKind::derived_block: {
      auto& derived = static_cast<const DerivedBlock&>(v.function());
      return hash_value(cx, hash_value(cx, hash_value(cx, mix(h, 5), derived.modifier), derived.f), derived.g);
    }
    default: return mix(h, v.bits());
  }
}

std::uint64_t hash_array(Context& cx, std::uint64_t h, const Array& a) {
  cx.check_stack();
  h = mix(h, a.rank());
  for (std::size_t n : a.shape()) h = mix(h, n);
  return with_type(a.type(), [&]<class T>(std::type_identity<T>) {
    for (std::size_t i = 0; i < a.length; i++) {
      if constexpr (std::is_same_v<T, Bit>)
        h = hash_number(h, a.bit(i));
      else if constexpr (std::is_same_v<T, Value>)
        h = hash_value(cx, h, a.boxes()[i]);
      else if (is_character(a.type()))
        h = hash_character(h, static_cast<char32_t>(a.as<T>()[i]));
      else
        h = hash_number(h, static_cast<double>(a.as<T>()[i]));
    }
    return h;
  });
}

std::uint64_t hash_value(Context& cx, std::uint64_t h, const Value& v) {
  if (v.is_number()) return hash_number(h, v.number());
  if (v.is_character()) return hash_character(h, v.character());
  if (v.is_array()) return hash_array(cx, h, v.array());
  return hash_operation(cx, h, v);
}

}  // namespace

std::uint64_t hash_of(Context& cx, const Value& v, std::uint64_t seed) { return hash_value(cx, mix(seed, multiplier), v); }

}  // namespace griddle
