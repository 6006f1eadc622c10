#include "runtime/system/hash.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

#include "primitives/kernels/convert.h"
#include "primitives/kernels/reduce.h"
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

// --- flat arrays, by their bytes in the narrowest type that holds all elements

// Elements that are brought to one type at a time; a multiple of what the hash reads at once in every type.
constexpr std::size_t piece = 1024;

ElementType narrowest_integer(double least, double greatest) {
  if (least >= 0 && greatest <= 1) return ElementType::bit;
  if (least >= INT8_MIN && greatest <= INT8_MAX) return ElementType::i8;
  if (least >= INT16_MIN && greatest <= INT16_MAX) return ElementType::i16;
  return ElementType::i32;
}

// Looks no further once an element needs the type that they have.
template <class T>
ElementType narrowest_of(const T* x, std::size_t n, kernels::Lane lane, ElementType type) {
  ElementType widest = ElementType::bit;
  for (std::size_t i = 0; i < n && widest != type; i += piece) {
    const std::size_t count = std::min(piece, n - i);
    T least, greatest;
    kernels::reduce().minimum[lane](&least, x + i, count);
    kernels::reduce().maximum[lane](&greatest, x + i, count);
    widest = std::max(widest, narrowest_integer(static_cast<double>(least), static_cast<double>(greatest)));
  }
  return widest;
}

template <class T>
ElementType narrowest_character(const T* x, std::size_t n) {
  T all = 0;
  for (std::size_t i = 0; i < n; i++) all |= x[i];
  return all <= 0xFF ? ElementType::c8 : all <= 0xFFFF ? ElementType::c16 : ElementType::c32;
}

// Gives the narrowest type for n ≥ 1 elements.
ElementType hashed_type(const Array& a) {
  const std::size_t n = a.length;
  switch (a.type()) {
    case ElementType::i8: return narrowest_of(a.as<std::int8_t>(), n, kernels::lane_i8, a.type());
    case ElementType::i16: return narrowest_of(a.as<std::int16_t>(), n, kernels::lane_i16, a.type());
    case ElementType::i32: return narrowest_of(a.as<std::int32_t>(), n, kernels::lane_i32, a.type());
    case ElementType::f64: {
      const kernels::Monad narrow =
          kernels::convert().narrow[static_cast<int>(ElementType::f64)][static_cast<int>(ElementType::i32)];
      ElementType widest = ElementType::bit;
      std::int32_t integers[piece];
      for (std::size_t i = 0; i < n; i += piece) {
        const std::size_t count = std::min(piece, n - i);
        if (narrow(integers, a.as<double>() + i, count) != count) return ElementType::f64;
        widest = std::max(widest, narrowest_of(integers, count, kernels::lane_i32, ElementType::i32));
      }
      return widest;
    }
    case ElementType::c16: return narrowest_character(a.as<std::uint16_t>(), n);
    case ElementType::c32: return narrowest_character(a.as<std::uint32_t>(), n);
    default: return a.type();
  }
}

// Copies elements, whose values the type T holds.
template <class T, class From>
void copy_as(T* out, const From* x, std::size_t n) {
  for (std::size_t i = 0; i < n; i++) {
    if constexpr (std::is_floating_point_v<T>)
      out[i] = x[i] + 0.0;  // there is no negative zero
    else
      out[i] = static_cast<T>(x[i]);
  }
}

struct ByteHash {
  std::uint64_t lanes[4];

  // Reads bytes up to a multiple of 64, from memory that goes as far.
  void add(const std::uint8_t* bytes, std::size_t n) {
    std::uint64_t h0 = lanes[0], h1 = lanes[1], h2 = lanes[2], h3 = lanes[3];
    for (std::size_t i = 0; i < n; i += 64) {
      std::uint64_t w[8];
      std::memcpy(w, bytes + i, sizeof(w));
      h0 = multiply(w[0] ^ h0, w[1] ^ multiplier);
      h1 = multiply(w[2] ^ h1, w[3] ^ second_multiplier);
      h2 = multiply(w[4] ^ h2, w[5] ^ third_multiplier);
      h3 = multiply(w[6] ^ h3, w[7] ^ fourth_multiplier);
    }
    lanes[0] = h0, lanes[1] = h1, lanes[2] = h2, lanes[3] = h3;
  }
  // Reads the rest, fewer than 64 bytes.
  void add_rest(const std::uint8_t* bytes, std::size_t n) {
    std::uint8_t padded[64] = {};
    std::memcpy(padded, bytes, n);
    add(padded, n);
  }
  void add_all(const std::uint8_t* bytes, std::size_t n) {
    add(bytes, n / 64 * 64);
    if (n % 64 != 0) add_rest(bytes + n / 64 * 64, n % 64);
  }

  static constexpr std::uint64_t second_multiplier = 0xC2B2AE3D27D4EB4F, third_multiplier = 0x165667B19E3779F9,
                                 fourth_multiplier = 0xD6E8FEB86659FD93;
  // Adds a factor's high bits, so that a factor of 0 does not forget the other.
  static std::uint64_t multiply(std::uint64_t a, std::uint64_t b) {
    const __uint128_t wide = static_cast<__uint128_t>(a) * b;
    return (static_cast<std::uint64_t>(wide) ^ static_cast<std::uint64_t>(wide >> 64)) + std::rotl(a, 32);
  }
};

constexpr std::size_t few_bytes = 16;

// Reads 1 to 16 bytes.
std::uint64_t hash_few(std::uint64_t h, const std::uint8_t* bytes, std::size_t n) {
  std::uint64_t first = 0, last = 0;
  if (n >= 8) {
    std::memcpy(&first, bytes, 8);
    std::memcpy(&last, bytes + n - 8, 8);
  } else if (n >= 4) {
    std::uint32_t part;
    std::memcpy(&part, bytes, 4);
    first = part;
    std::memcpy(&part, bytes + n - 4, 4);
    last = part;
  } else {
    first = bytes[0] | bytes[n / 2] << 8 | bytes[n - 1] << 16;
  }
  return mix(h, ByteHash::multiply(first ^ h, last ^ multiplier));
}

std::uint64_t hash_flat(std::uint64_t h, const Array& a) {
  const std::size_t n = a.length;
  const ElementType type = hashed_type(a);
  h = mix(h, a.rank() * 256 + static_cast<std::uint64_t>(type));
  if (type == a.type() && type != ElementType::bit && type != ElementType::f64 && bytes_for(type, n) <= few_bytes)
    return hash_few(h, a.data, bytes_for(type, n));
  std::optional<std::uint64_t> few;
  ByteHash hash = {{h, h + multiplier, ~h, h ^ multiplier}};
  if (type == ElementType::bit) {
    std::uint64_t words[piece / 64];
    for (std::size_t i = 0; i < n; i += piece) {
      const std::size_t count = std::min(piece, n - i), whole = (count + 63) / 64;
      if (a.type() == ElementType::bit) {
        std::memcpy(words, a.as<std::uint64_t>() + i / 64, whole * 8);
        if (count % 64 != 0) words[whole - 1] &= (std::uint64_t{1} << (count % 64)) - 1;
      } else {
        std::fill_n(words, whole, 0);
        for (std::size_t k = 0; k < count; k++) words[k / 64] |= std::uint64_t{number_at(a, i + k) != 0} << (k % 64);
      }
      hash.add_all(reinterpret_cast<const std::uint8_t*>(words), whole * 8);
    }
  } else if (type == a.type() && type != ElementType::f64) {
    hash.add_all(a.data, bytes_for(type, n));
  } else {
    with_type(type, [&]<class To>(std::type_identity<To>) {
      with_type(a.type(), [&]<class From>(std::type_identity<From>) {
        if constexpr (std::is_arithmetic_v<To> && std::is_arithmetic_v<From>) {
          To part[piece];
          for (std::size_t i = 0; i < n; i += piece) {
            const std::size_t count = std::min(piece, n - i);
            copy_as(part, a.as<From>() + i, count);
            if (n * sizeof(To) <= few_bytes) {
              few = hash_few(h, reinterpret_cast<const std::uint8_t*>(part), n * sizeof(To));
              return;
            }
            hash.add_all(reinterpret_cast<const std::uint8_t*>(part), count * sizeof(To));
          }
        }
      });
    });
  }
  if (few) return *few;
  return mix(mix(mix(hash.lanes[0], hash.lanes[1]), hash.lanes[2]), hash.lanes[3]);
}

std::uint64_t hash_array(Context& cx, std::uint64_t h, const Value& v) {
  cx.check_stack();
  const Array& a = v.array();
  for (std::size_t n : a.shape()) h = mix(h, n);
  if (a.length == 0) return mix(h, a.rank());
  if (a.type() != ElementType::boxed) return hash_flat(h, a);
  const Value flat = narrowed(cx.heap, v);
  if (flat.array().type() != ElementType::boxed) return hash_flat(h, flat.array());
  h = mix(h, a.rank() * 256 + static_cast<std::uint64_t>(ElementType::boxed));
  for (const Value& e : a.boxes()) h = hash_value(cx, h, e);
  return h;
}

std::uint64_t hash_value(Context& cx, std::uint64_t h, const Value& v) {
  if (v.is_number()) return hash_number(h, v.number());
  if (v.is_character()) return hash_character(h, v.character());
  if (v.is_array()) return hash_array(cx, h, v);
  return hash_operation(cx, h, v);
}

}  // namespace

std::uint64_t hash_of(Context& cx, const Value& v, std::uint64_t seed) { return hash_value(cx, mix(seed, multiplier), v); }

}  // namespace griddle
