#include "primitives/search/flat_hash.h"

#include <algorithm>
#include <cstring>

#include "primitives/common/prefetch.h"
#include "primitives/kernels/shared/hash_keys.h"
#include "primitives/search/hash.h"

namespace griddle::primitives {
namespace {

using kernels::hash_keys;

// Longer arrays are not converted.
constexpr std::size_t most_converted = 64;

template <class Word>
std::uint64_t word_at(const std::uint8_t* bytes) {
  Word word;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

// Reads one byte at least; the last ones may be read twice. What each pair of words adds does not wait for the others.
std::uint64_t hash_bytes(const std::uint8_t* bytes, std::size_t n) {
  std::uint64_t h = hash_keys.array ^ n * hash_keys.step, place = hash_keys.step;
  if (n < 4) return folded_product(h ^ (bytes[0] | bytes[n / 2] << 8 | bytes[n - 1] << 16), hash_keys.step);
  if (n < 8)
    return folded_product(h ^ word_at<std::uint32_t>(bytes), hash_keys.step ^ word_at<std::uint32_t>(bytes + n - 4) << 32);
  if (n < 16) return folded_product(h ^ word_at<std::uint64_t>(bytes), hash_keys.step ^ word_at<std::uint64_t>(bytes + n - 8));
  std::uint64_t sum = 0;
  const auto add = [&](const std::uint8_t* at) {
    sum += folded_product(word_at<std::uint64_t>(at) ^ h, word_at<std::uint64_t>(at + 8) ^ place);
    place += hash_keys.step;
  };
  for (std::size_t i = 0; i + 16 < n; i += 16) add(bytes + i);
  add(bytes + n - 16);
  return sum;
}

// Writes elements as T; gives false where one is NaN.
template <class T>
bool convert(const Array& a, T* to) {
  bool ordered = true;
  with_type(a.type(), [&]<class From>(std::type_identity<From>) {
    if constexpr (std::is_same_v<From, Bit>)
      for (std::size_t i = 0; i < a.length; i++) to[i] = static_cast<T>(a.bit(i));
    else if constexpr (std::is_arithmetic_v<From>)
      for (std::size_t i = 0; i < a.length; i++) {
        // There is no negative zero.
        to[i] = static_cast<T>(a.as<From>()[i] + From{0});
        ordered &= to[i] == to[i];
      }
  });
  return ordered;
}

Hash hash_converted(const Array& a, ElementType type) {
  alignas(std::uint64_t) std::uint8_t room[most_converted * sizeof(double)];
  bool ordered = true;
  with_type(type, [&]<class T>(std::type_identity<T>) {
    if constexpr (std::is_same_v<T, Bit>) {
      const std::uint64_t bits = *a.as<std::uint64_t>() & ~std::uint64_t{0} >> (64 - a.length);
      std::memcpy(room, &bits, sizeof bits);
    } else if constexpr (std::is_arithmetic_v<T>) {
      ordered = convert(a, reinterpret_cast<T*>(room));
    }
  });
  return {hash_bytes(room, bytes_for(type, a.length)), ordered};
}

Hash hash_elements(const Array& a, ElementType type) {
  if (a.length == 0) return {hash_keys.array};
  if (a.type() == type && type != ElementType::f64 && type != ElementType::bit)
    return {hash_bytes(a.data, bytes_for(type, a.length))};
  return a.length <= most_converted ? hash_converted(a, type) : hash_storage(a, 0, a.length);
}

}  // namespace

bool add_held(std::span<const Value> values, HeldElements& held) {
  for (const Value& v : values) {
    fetch_ahead(&v, values.data() + values.size());
    if (!v.is_array() || v.array().type() == ElementType::boxed) return false;
    const Array& a = v.array();
    // Arrays without elements match whatever their type.
    if (a.length == 0) continue;
    if (held.type == ElementType::boxed) held.type = a.type();
    if (is_character(a.type()) != is_character(held.type)) return false;
    held.of_one_type &= a.type() == held.type;
    held.longest = std::max(held.longest, a.length);
    held.type = wider(held.type, a.type());
    if (!held.of_one_type && held.longest > most_converted) return false;
  }
  return true;
}

Hash hash_held(const Array& a, ElementType type) {
  Hash h = hash_elements(a, type);
  // The number of elements is hashed with them.
  if (a.rank() != 1)
    for (std::size_t n : a.shape()) h.bits = folded_product(h.bits ^ n, hash_keys.step);
  h.bits = folded_product(h.bits ^ a.rank(), hash_keys.array);
  return h;
}

}  // namespace griddle::primitives
