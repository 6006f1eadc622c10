// Groups of consecutive places, which a thread takes at once: how they are loaded from inputs of any type and stored.
#pragma once

#include <type_traits>

#include "gpu/cuda/device.h"

namespace griddle::cuda {

// How many places a thread takes at once: as many as keep enough bytes on their way.
template <class V>
constexpr int group_of = 64 / sizeof(V);

template <class T, int group>
struct alignas(sizeof(T) * group >= 16 ? 16 : sizeof(T) * group) Group {
  T of[group];
};

template <class T, class V, int group>
__device__ __forceinline__ void load_group(V (&v)[group], const void* from, std::uint64_t at) {
  const Group<T, group> g = *reinterpret_cast<const Group<T, group>*>(static_cast<const T*>(from) + at);
#pragma unroll
  for (int i = 0; i < group; i++) v[i] = static_cast<V>(g.of[i]);
}
// Gives lane q of four what was piece q of each.
__device__ __forceinline__ void turn_quad(uint4 (&piece)[4]) {
  const auto exchange = [](uint4& low, uint4& high, int by) {
    const bool upper = threadIdx.x & by;
    uint4 sent = upper ? low : high;
    for (std::uint32_t* word : {&sent.x, &sent.y, &sent.z, &sent.w}) *word = __shfl_xor_sync(0xFFFFFFFF, *word, by);
    (upper ? low : high) = sent;
  };
  exchange(piece[0], piece[1], 1);
  exchange(piece[2], piece[3], 1);
  exchange(piece[0], piece[2], 2);
  exchange(piece[1], piece[3], 2);
}

// Groups of 64 bytes change lanes on the way where a warp is `whole`, so that neighbouring lanes write neighbouring pieces.
template <class T, class V, int group>
__device__ __forceinline__ void store_group(const V (&v)[group], void* to, std::uint64_t at, bool whole) {
  Group<T, group> g;
#pragma unroll
  for (int i = 0; i < group; i++) g.of[i] = static_cast<T>(v[i]);
  if constexpr (sizeof g == 64) {
    if (whole) {
      uint4 piece[4];
      memcpy(piece, &g, sizeof g);
      turn_quad(piece);
      const int lane = threadIdx.x % 4;
      uint4* target = reinterpret_cast<uint4*>(static_cast<T*>(to) + at - lane * group) + lane;
#pragma unroll
      for (int k = 0; k < 4; k++) target[k * 4] = piece[k];
      return;
    }
  }
  *reinterpret_cast<Group<T, group>*>(static_cast<T*>(to) + at) = g;
}

// Memory reaches far enough past the end for whole groups.
template <class V, int group>
__device__ __forceinline__ void load_typed(V (&v)[group], const void* from, std::uint8_t type, std::uint64_t at) {
  switch (type) {
    case griddle_device_bit: {
      using Bits = std::conditional_t<group == 8, std::uint8_t, std::uint16_t>;
      const std::uint32_t bits = static_cast<const Bits*>(from)[at / group];
#pragma unroll
      for (int i = 0; i < group; i++) v[i] = static_cast<V>(bits >> i & 1);
      break;
    }
    case griddle_device_i8: load_group<std::int8_t>(v, from, at); break;
    case griddle_device_i16: load_group<std::int16_t>(v, from, at); break;
    case griddle_device_i32: load_group<std::int32_t>(v, from, at); break;
    case griddle_device_c8: load_group<std::uint8_t>(v, from, at); break;
    case griddle_device_c16: load_group<std::uint16_t>(v, from, at); break;
    case griddle_device_c32: load_group<std::uint32_t>(v, from, at); break;
    default:
      if constexpr (sizeof(V) == 8) load_group<double>(v, from, at);
  }
}

template <class V>
__device__ __forceinline__ V read_typed(const void* from, std::uint8_t type, std::uint64_t at) {
  switch (type) {
    case griddle_device_bit: return static_cast<V>(static_cast<const std::uint8_t*>(from)[at / 8] >> at % 8 & 1);
    case griddle_device_i8: return static_cast<V>(static_cast<const std::int8_t*>(from)[at]);
    case griddle_device_i16: return static_cast<V>(static_cast<const std::int16_t*>(from)[at]);
    case griddle_device_i32: return static_cast<V>(static_cast<const std::int32_t*>(from)[at]);
    case griddle_device_c8: return static_cast<V>(static_cast<const std::uint8_t*>(from)[at]);
    case griddle_device_c16: return static_cast<V>(static_cast<const std::uint16_t*>(from)[at]);
    case griddle_device_c32: return static_cast<V>(static_cast<const std::uint32_t*>(from)[at]);
    default: return static_cast<V>(static_cast<const double*>(from)[at]);
  }
}
// Loads from an input whose elements serve several places: as a rule one element serves the whole group.
template <class V, int group>
__device__ __forceinline__ void load_spread(V (&v)[group], const void* from, std::uint8_t type, std::uint64_t at,
                                            std::uint64_t each, std::uint64_t period) {
  const bool narrow = ((at | each) >> 32) == 0;
  std::uint64_t q = narrow ? static_cast<std::uint32_t>(at) / static_cast<std::uint32_t>(each) : at / each;
  std::uint64_t r = at - q * each;
  if (period != 0) q %= period;
  V element = read_typed<V>(from, type, q);
#pragma unroll
  for (int i = 0; i < group; i++) {
    v[i] = element;
    if (++r < each || i == group - 1) continue;
    r = 0;
    if (++q == period) q = 0;
    element = read_typed<V>(from, type, q);
  }
}

// Loads from an input that is shifted against the places, as a rule by one: then all but one come as a group.
template <class T, class V, int group>
__device__ __forceinline__ void load_shifted_group(V (&v)[group], const void* from, std::uint64_t at, std::int64_t shift, V fill,
                                                   std::uint64_t length) {
  const auto load = [&](std::uint64_t place) {
    return place < length ? static_cast<V>(static_cast<const T*>(from)[place]) : fill;
  };
  if (shift == -1) {
    load_group<T>(v, from, at);
#pragma unroll
    for (int i = group - 1; i > 0; i--) v[i] = v[i - 1];
    v[0] = load(at - 1);
  } else if (shift == 1 && at + group < length) {
    load_group<T>(v, from, at);
#pragma unroll
    for (int i = 0; i + 1 < group; i++) v[i] = v[i + 1];
    v[group - 1] = load(at + group);
  } else {
#pragma unroll
    for (int i = 0; i < group; i++) v[i] = load(at + i + static_cast<std::uint64_t>(shift));
  }
}
template <class V, int group>
__device__ __forceinline__ void load_shifted(V (&v)[group], const void* from, std::uint8_t type, std::uint64_t at,
                                             std::int64_t shift, V fill, std::uint64_t length) {
  switch (type) {
    case griddle_device_bit: {
      const auto load = [&](std::uint64_t place) {
        return place < length ? read_typed<V>(from, griddle_device_bit, place) : fill;
      };
      if (shift == -1) {
        load_typed(v, from, griddle_device_bit, at);
#pragma unroll
        for (int i = group - 1; i > 0; i--) v[i] = v[i - 1];
        v[0] = load(at - 1);
        break;
      }
#pragma unroll
      for (int i = 0; i < group; i++) v[i] = load(at + i + static_cast<std::uint64_t>(shift));
      break;
    }
    case griddle_device_i8: load_shifted_group<std::int8_t>(v, from, at, shift, fill, length); break;
    case griddle_device_i16: load_shifted_group<std::int16_t>(v, from, at, shift, fill, length); break;
    case griddle_device_i32: load_shifted_group<std::int32_t>(v, from, at, shift, fill, length); break;
    case griddle_device_c8: load_shifted_group<std::uint8_t>(v, from, at, shift, fill, length); break;
    case griddle_device_c16: load_shifted_group<std::uint16_t>(v, from, at, shift, fill, length); break;
    case griddle_device_c32: load_shifted_group<std::uint32_t>(v, from, at, shift, fill, length); break;
    default:
      if constexpr (sizeof(V) == 8) load_shifted_group<double>(v, from, at, shift, fill, length);
  }
}

// Whatever is computed beyond `length` stays in the padding of the result.
template <class V, int group>
__device__ __forceinline__ void store_typed(const V (&v)[group], void* to, std::uint8_t type, std::uint64_t at, bool whole) {
  switch (type) {
    case griddle_device_bit: {
      std::uint32_t bits = 0;
#pragma unroll
      for (int i = 0; i < group; i++) bits |= static_cast<std::uint32_t>(v[i] != 0) << i;
      using Bits = std::conditional_t<group == 8, std::uint8_t, std::uint16_t>;
      static_cast<Bits*>(to)[at / group] = static_cast<Bits>(bits);
      break;
    }
    case griddle_device_i8: store_group<std::int8_t>(v, to, at, whole); break;
    case griddle_device_i16: store_group<std::int16_t>(v, to, at, whole); break;
    case griddle_device_i32: store_group<std::int32_t>(v, to, at, whole); break;
    case griddle_device_c8: store_group<std::uint8_t>(v, to, at, whole); break;
    case griddle_device_c16: store_group<std::uint16_t>(v, to, at, whole); break;
    case griddle_device_c32: store_group<std::uint32_t>(v, to, at, whole); break;
    default: store_group<double>(v, to, at, whole);
  }
}

}  // namespace griddle::cuda
