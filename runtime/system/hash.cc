#include "runtime/system/hash.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

#include "primitives/kernels/folds/reduce.h"
#include "primitives/kernels/search/hash_bytes.h"
#include "primitives/kernels/shared/convert.h"
#include "runtime/value/array.h"
#include "runtime/value/function.h"

namespace griddle {

namespace {

using hashing::mix, hashing::multiplier, hashing::hash_number;

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
constexpr std::size_t converted_at_once = 1024;

ElementType narrowest_integer(std::int64_t least, std::int64_t greatest) {
  if (least >= 0 && greatest <= 1) return ElementType::bit;
  if (least >= INT8_MIN && greatest <= INT8_MAX) return ElementType::i8;
  if (least >= INT16_MIN && greatest <= INT16_MAX) return ElementType::i16;
  return ElementType::i32;
}

// Looks no further once an element needs the type that they have.
template <class T>
ElementType narrowest_of(const T* x, std::size_t n, kernels::Lane lane, ElementType type) {
  ElementType widest = ElementType::bit;
  // Most lists show their type at once.
  for (const T v : {x[0], x[n / 2], x[n - 1]}) widest = std::max(widest, narrowest_integer(v, v));
  for (std::size_t i = 0; i < n && widest != type; i += converted_at_once) {
    const std::size_t count = std::min(converted_at_once, n - i);
    T least, greatest;
    kernels::reduce().minimum[lane](&least, x + i, count);
    kernels::reduce().maximum[lane](&greatest, x + i, count);
    widest = std::max(widest, narrowest_integer(least, greatest));
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
      for (const double v : {a.as<double>()[0], a.as<double>()[n / 2], a.as<double>()[n - 1]})
        if (!(v >= INT32_MIN && v <= INT32_MAX) || v != static_cast<double>(static_cast<std::int32_t>(v)))
          return ElementType::f64;
      const kernels::Monad narrow =
          kernels::convert().narrow[static_cast<int>(ElementType::f64)][static_cast<int>(ElementType::i32)];
      ElementType widest = ElementType::bit;
      std::int32_t integers[converted_at_once];
      for (std::size_t i = 0; i < n; i += converted_at_once) {
        const std::size_t count = std::min(converted_at_once, n - i);
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
  // As long as registers allow: four vectors a round.
#pragma GCC unroll 4
  for (std::size_t i = 0; i < n; i++) {
    if constexpr (std::is_floating_point_v<T>)
      out[i] = x[i] + 0.0;  // there is no negative zero
    else
      out[i] = static_cast<T>(x[i]);
  }
}

// Multiplies, and adds a factor's high bits, so that a factor of 0 does not forget the other.
std::uint64_t multiply(std::uint64_t a, std::uint64_t b) {
  const __uint128_t wide = static_cast<__uint128_t>(a) * b;
  return (static_cast<std::uint64_t>(wide) ^ static_cast<std::uint64_t>(wide >> 64)) + std::rotl(a, 32);
}

class ByteHash {
 public:
  explicit ByteHash(std::uint64_t seed) : seed_(seed), place_(seed) {}
  // Adds bytes, of which only the last ones may be other than whole stripes.
  void add(const std::uint8_t* bytes, std::size_t n) {
    const std::size_t stripes = n / kernels::hash_stripe, rest = n % kernels::hash_stripe;
    if (stripes != 0) add_stripes_(sums_, bytes, stripes, place_);
    place_ += stripes;
    if (rest == 0) return;
    std::uint8_t padded[kernels::hash_stripe] = {};
    std::memcpy(padded, bytes + n - rest, rest);
    add_stripes_(sums_, padded, 1, place_++);
  }
  std::uint64_t finish() const {
    std::uint64_t h = seed_;
    for (std::size_t i = 0; i < sums_.size(); i += 2) h += multiply(sums_[i] ^ seed_, sums_[i + 1] ^ multiplier * (i + 1));
    return mix(seed_, h);
  }

 private:
  std::uint64_t seed_, place_;
  kernels::HashSums sums_{};
  kernels::AddStripes add_stripes_ = kernels::add_stripes();
};

constexpr std::size_t few_bytes = 16, some_bytes = 256;

// Both factors of a product begin with the hash: nobody who does not know it can make one of them 0, or any other number.
std::uint64_t second_key(std::uint64_t h) { return std::rotl(h, 29) ^ multiplier; }

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
  return mix(h, multiply(first ^ h, last ^ second_key(h)));
}

// Reads more bytes than that; what each word adds does not wait for the others.
std::uint64_t hash_some(std::uint64_t h, const std::uint8_t* bytes, std::size_t n) {
  std::uint64_t sum = 0, place = second_key(h);
  const auto add = [&](const std::uint8_t* at) {
    std::uint64_t words[2];
    std::memcpy(words, at, sizeof words);
    sum += multiply(words[0] ^ h, words[1] ^ place);
    place += multiplier;
  };
  for (std::size_t i = 0; i + few_bytes < n; i += few_bytes) add(bytes + i);
  // The last ones may have been read in part.
  add(bytes + n - few_bytes);
  return mix(h, sum);
}

// Reads bytes that lie together: 1 to some_bytes.
std::uint64_t hash_short(std::uint64_t h, const std::uint8_t* bytes, std::size_t n) {
  return n <= few_bytes ? hash_few(h, bytes, n) : hash_some(h, bytes, n);
}

// Begins with what an array is, its elements aside.
std::uint64_t begun(std::uint64_t h, const Array& a, ElementType type) {
  return h + (a.rank() * 256 + static_cast<std::uint64_t>(type) + a.length * 65536) * multiplier;
}

// Hashes a few integers as hash_flat does any number of them; `own` is the type T.
constexpr std::size_t few_integers = 8;
template <class T>
std::uint64_t hash_few_integers(std::uint64_t h, const Array& a, const T* x, ElementType own) {
  const std::size_t n = a.length;
  T least = x[0], greatest = x[0];
  for (std::size_t i = 1; i < n; i++) least = std::min(least, x[i]), greatest = std::max(greatest, x[i]);
  const ElementType type = narrowest_integer(least, greatest);
  h = begun(h, a, type);
  const auto hash_as = [&]<class To>(To) {
    To elements[few_integers];
    for (std::size_t i = 0; i < n; i++) elements[i] = static_cast<To>(x[i]);
    return hash_short(h, reinterpret_cast<const std::uint8_t*>(elements), n * sizeof(To));
  };
  if (type == own) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(x);
    return few_integers * sizeof(T) <= few_bytes ? hash_few(h, bytes, n * sizeof(T)) : hash_short(h, bytes, n * sizeof(T));
  }
  if (type == ElementType::i8) return hash_as(std::int8_t{});
  if (type == ElementType::i16) return hash_as(std::int16_t{});
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < n; i++) bits |= std::uint64_t{x[i] != 0} << i;
  return hash_few(h, reinterpret_cast<const std::uint8_t*>(&bits), sizeof bits);
}

// Tells whether a few doubles are integers of 32 bits, and writes these.
bool are_integers(const double* x, std::size_t n, std::int32_t* integers) {
  for (std::size_t i = 0; i < n; i++) {
    if (!(x[i] >= INT32_MIN && x[i] <= INT32_MAX)) return false;
    integers[i] = static_cast<std::int32_t>(x[i]);
    if (integers[i] != x[i]) return false;
  }
  return true;
}

std::uint64_t hash_flat(std::uint64_t h, const Array& a) {
  const std::size_t n = a.length;
  if (n <= few_integers) switch (a.type()) {
      case ElementType::i8: return hash_few_integers(h, a, a.as<std::int8_t>(), a.type());
      case ElementType::i16: return hash_few_integers(h, a, a.as<std::int16_t>(), a.type());
      case ElementType::i32: return hash_few_integers(h, a, a.as<std::int32_t>(), a.type());
      case ElementType::f64:
        if (std::int32_t integers[few_integers]; are_integers(a.as<double>(), n, integers))
          return hash_few_integers(h, a, integers, ElementType::i32);
        break;
      default: break;
    }
  const ElementType type = hashed_type(a);
  h = begun(h, a, type);
  if (type == a.type() && type != ElementType::bit && type != ElementType::f64 && bytes_for(type, n) <= some_bytes)
    return hash_short(h, a.data, bytes_for(type, n));
  std::optional<std::uint64_t> few;
  ByteHash hash(h);
  if (type == ElementType::bit && a.type() == type) {
    if (n <= converted_at_once) {
      std::uint64_t words[converted_at_once / 64];
      const std::size_t count = (n + 63) / 64;
      std::memcpy(words, a.data, count * 8);
      if (n % 64 != 0) words[count - 1] &= (std::uint64_t{1} << (n % 64)) - 1;
      return hash_short(h, reinterpret_cast<const std::uint8_t*>(words), count * 8);
    }
    const std::size_t whole = n / 64;
    const std::size_t in_stripes = whole / 8 * 8;
    hash.add(a.data, in_stripes * 8);
    std::uint64_t last[8] = {};
    std::memcpy(last, a.as<std::uint64_t>() + in_stripes, (whole - in_stripes) * 8);
    if (n % 64 != 0) last[whole - in_stripes] = a.as<std::uint64_t>()[whole] & ((std::uint64_t{1} << (n % 64)) - 1);
    hash.add(reinterpret_cast<const std::uint8_t*>(last), ((n + 63) / 64 - in_stripes) * 8);
  } else if (type == ElementType::bit) {
    std::uint64_t words[converted_at_once / 64];
    for (std::size_t i = 0; i < n; i += converted_at_once) {
      const std::size_t count = std::min(converted_at_once, n - i), whole = (count + 63) / 64;
      std::fill_n(words, whole, 0);
      for (std::size_t k = 0; k < count; k++) words[k / 64] |= std::uint64_t{number_at(a, i + k) != 0} << (k % 64);
      if (n <= converted_at_once) return hash_short(h, reinterpret_cast<const std::uint8_t*>(words), whole * 8);
      hash.add(reinterpret_cast<const std::uint8_t*>(words), whole * 8);
    }
  } else if (type == a.type() && type != ElementType::f64) {
    hash.add(a.data, bytes_for(type, n));
  } else {
    with_type(type, [&]<class To>(std::type_identity<To>) {
      with_type(a.type(), [&]<class From>(std::type_identity<From>) {
        if constexpr (std::is_arithmetic_v<To> && std::is_arithmetic_v<From>) {
          To part[converted_at_once];
          for (std::size_t i = 0; i < n; i += converted_at_once) {
            const std::size_t count = std::min(converted_at_once, n - i);
            copy_as(part, a.as<From>() + i, count);
            if (n * sizeof(To) <= some_bytes) {
              few = hash_short(h, reinterpret_cast<const std::uint8_t*>(part), n * sizeof(To));
              return;
            }
            hash.add(reinterpret_cast<const std::uint8_t*>(part), count * sizeof(To));
          }
        }
      });
    });
  }
  if (few) return *few;
  return hash.finish();
}

std::uint64_t hash_array(Context& cx, std::uint64_t h, const Value& v) {
  cx.check_stack();
  const Array& a = v.array();
  // Short text is looked up most.
  if (a.type() == ElementType::c8 && a.is_list() && a.length - 1 < some_bytes)
    return hash_short(begun(h, a, ElementType::c8), a.data, a.length);
  // The length of a list is part of what hash_flat begins with.
  if (a.rank() != 1 || a.length == 0)
    for (std::size_t n : a.shape()) h = mix(h, n);
  if (a.length == 0) return mix(h, a.rank());
  if (a.type() != ElementType::boxed) return hash_flat(h, a);
  if (std::none_of(a.boxes().begin(), a.boxes().end(), [](const Value& e) { return e.is_object(); })) {
    const Value flat = narrowed(cx.heap, v);
    if (flat.array().type() != ElementType::boxed) return hash_flat(h, flat.array());
  }
  h = mix(begun(h, a, ElementType::boxed), multiplier);
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

std::uint64_t hash_from(Context& cx, const Value& v, std::uint64_t h) {
  // Pairs of small integers are looked up most, text aside.
  if (v.is_array() && v.array().is_list() && v.array().type() == ElementType::i8 && v.array().length - 1 < few_integers)
    return hash_few_integers(h, v.array(), v.array().as<std::int8_t>(), ElementType::i8);
  return hash_value(cx, h, v);
}

}  // namespace griddle
