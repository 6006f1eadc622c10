// Hashes of values that agree with ≡: equal values hash alike, however they are stored.
#pragma once

#include <bit>
#include <cstdint>

#include "runtime/value/context.h"

namespace griddle {

namespace hashing {

inline constexpr std::uint64_t multiplier = 0x9E3779B97F4A7C15;

constexpr std::uint64_t mix(std::uint64_t h, std::uint64_t v) {
  const __uint128_t wide = static_cast<__uint128_t>(h ^ v ^ multiplier) * (multiplier ^ std::rotl(v, 32));
  return static_cast<std::uint64_t>(wide) ^ static_cast<std::uint64_t>(wide >> 64);
}
inline std::uint64_t hash_number(std::uint64_t h, double d) { return mix(h, std::bit_cast<std::uint64_t>(d == 0 ? 0.0 : d)); }

}  // namespace hashing

// Hashes what a hash begun before goes on with.
std::uint64_t hash_from(Context&, const Value&, std::uint64_t h);

inline std::uint64_t hash_of(Context& cx, const Value& v, std::uint64_t seed = 0) {
  return hash_from(cx, v, hashing::mix(seed, hashing::multiplier));
}

}  // namespace griddle
