// Values of which a register holds several: bits by 32, bytes by four, 16 bits by two. Steps compute all of them at once.
#pragma once

#include "gpu/cuda/device.h"

namespace griddle::cuda {

__device__ __forceinline__ std::uint32_t permuted(std::uint32_t low, std::uint32_t high, std::uint32_t selector) {
  std::uint32_t out;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(out) : "r"(low), "r"(high), "r"(selector));
  return out;
}

// Integers of 8 or 16 bits.
template <class T>
struct Lanes {
  std::uint32_t word;
};
// Bits, the first one lowest.
struct Bits {
  std::uint32_t word;
};

// How the values of neighbouring places lie in one V.
template <class V>
struct Packing {
  using Place = V;
  static constexpr int places = 1;
  static __device__ __forceinline__ V everywhere(V value) { return value; }
  static __device__ __forceinline__ V at(V values, int) { return values; }
  static __device__ __forceinline__ V joined(V, V piece, int, int) { return piece; }
  static __device__ __forceinline__ V turned(V values) { return values; }
  static __device__ __forceinline__ V behind(V values, int) { return values; }
};
// What those that are packed share, by how many bits one of them has.
template <class V, int bits>
struct PackedWords {
  using Place = std::int32_t;
  static constexpr int places = 32 / bits;
  static __device__ __forceinline__ std::uint32_t first(int count) { return count < places ? (1u << count * bits) - 1 : ~0u; }
  // Puts the first `count` of a piece behind so many; the others are 0.
  static __device__ __forceinline__ V joined(V values, V piece, int behind, int count) {
    return {values.word | (piece.word & first(count)) << behind * bits};
  }
  // The values behind the first `count`, in their place.
  static __device__ __forceinline__ V behind(V values, int count) { return {values.word >> count * bits}; }
};
template <class T>
struct Packing<Lanes<T>> : PackedWords<Lanes<T>, 8 * sizeof(T)> {
  static constexpr bool narrow = sizeof(T) == 1;
  static __device__ __forceinline__ Lanes<T> everywhere(std::int32_t value) {
    return {(static_cast<std::uint32_t>(value) & (narrow ? 0xFF : 0xFFFF)) * (narrow ? 0x01010101u : 0x00010001u)};
  }
  static __device__ __forceinline__ std::int32_t at(Lanes<T> values, int i) {
    return static_cast<T>(values.word >> i * (narrow ? 8 : 16));
  }
  static __device__ __forceinline__ Lanes<T> turned(Lanes<T> values) {
    return {permuted(values.word, 0, narrow ? 0x0123 : 0x1032)};
  }
};
template <>
struct Packing<Bits> : PackedWords<Bits, 1> {
  static __device__ __forceinline__ Bits everywhere(std::int32_t value) { return {value != 0 ? ~0u : 0}; }
  static __device__ __forceinline__ std::int32_t at(Bits values, int i) {
    return static_cast<std::int32_t>(values.word >> i & 1);
  }
  static __device__ __forceinline__ Bits turned(Bits values) { return {__brev(values.word)}; }
};
template <class V>
constexpr bool is_packed = Packing<V>::places > 1;
template <class V>
using PlaceOf = typename Packing<V>::Place;

// Gives the values of V at so many neighbouring places, which `piece` brings: it is told how many are wanted, and lowers that to
// how many it gives, of which the first one is lowest.
template <class V, class F>
__device__ __forceinline__ V in_pieces(F piece) {
  V all{};
  for (int done = 0; done < Packing<V>::places;) {
    int count = Packing<V>::places - done;
    const V some = piece(count);
    all = Packing<V>::joined(all, some, done, count);
    done += count;
  }
  return all;
}
// The same value at all places.
template <class V, class T>
__device__ __forceinline__ V everywhere(T value) {
  return Packing<V>::everywhere(static_cast<PlaceOf<V>>(value));
}

// --- what steps.h calls, of values of any kind

template <class V>
__device__ __forceinline__ V least_of(V a, V b) {
  return a < b ? a : b;
}
template <class V>
__device__ __forceinline__ V greatest_of(V a, V b) {
  return a > b ? a : b;
}
template <class V>
__device__ __forceinline__ V magnitude_of(V a) {
  return a < 0 ? -a : a;
}
// What is no number has the sign ¯1, as on the host.
template <class V>
__device__ __forceinline__ V sign_of(V a) {
  return (a > 0) - !(a >= 0);
}

// Sums and differences of bits that are bits.
__device__ __forceinline__ Bits operator+(Bits a, Bits b) { return {a.word ^ b.word}; }
__device__ __forceinline__ Bits operator-(Bits a, Bits b) { return {a.word ^ b.word}; }
__device__ __forceinline__ Bits operator-(int a, Bits b) { return {a != 0 ? ~b.word : b.word}; }
__device__ __forceinline__ Bits operator*(Bits a, Bits b) { return {a.word & b.word}; }
__device__ __forceinline__ Bits operator<(Bits a, Bits b) { return {~a.word & b.word}; }
__device__ __forceinline__ Bits operator<=(Bits a, Bits b) { return {~a.word | b.word}; }
__device__ __forceinline__ Bits operator==(Bits a, Bits b) { return {~(a.word ^ b.word)}; }
__device__ __forceinline__ Bits operator>=(Bits a, Bits b) { return {a.word | ~b.word}; }
__device__ __forceinline__ Bits operator>(Bits a, Bits b) { return {a.word & ~b.word}; }
__device__ __forceinline__ Bits operator!=(Bits a, Bits b) { return {a.word ^ b.word}; }
__device__ __forceinline__ Bits least_of(Bits a, Bits b) { return a * b; }
__device__ __forceinline__ Bits greatest_of(Bits a, Bits b) { return {a.word | b.word}; }
__device__ __forceinline__ Bits magnitude_of(Bits a) { return a; }
__device__ __forceinline__ Bits sign_of(Bits a) { return a; }
__device__ __forceinline__ Bits modulus_of(Bits a, Bits b) { return b > a; }

// Functions of CUDA, of signed bytes, unsigned ones and 16 bits.
#define GRIDDLE_OF_LANES(of_i8, of_u8, of_i16) \
  if constexpr (sizeof(T) == 2)                \
    return {of_i16(a.word, b.word)};           \
  else if constexpr (static_cast<T>(-1) < 0)   \
    return {of_i8(a.word, b.word)};            \
  else                                         \
    return {of_u8(a.word, b.word)};
#define GRIDDLE_LANES(name, of_i8, of_u8, of_i16)                    \
  template <class T>                                                 \
  __device__ __forceinline__ Lanes<T> name(Lanes<T> a, Lanes<T> b) { \
    GRIDDLE_OF_LANES(of_i8, of_u8, of_i16)                           \
  }
GRIDDLE_LANES(operator+, __vadd4, __vadd4, __vadd2)
GRIDDLE_LANES(operator-, __vsub4, __vsub4, __vsub2)
GRIDDLE_LANES(operator<, __vsetlts4, __vsetltu4, __vsetlts2)
GRIDDLE_LANES(operator<=, __vsetles4, __vsetleu4, __vsetles2)
GRIDDLE_LANES(operator==, __vseteq4, __vseteq4, __vseteq2)
GRIDDLE_LANES(operator>=, __vsetges4, __vsetgeu4, __vsetges2)
GRIDDLE_LANES(operator>, __vsetgts4, __vsetgtu4, __vsetgts2)
GRIDDLE_LANES(operator!=, __vsetne4, __vsetne4, __vsetne2)
GRIDDLE_LANES(least_of, __vmins4, __vminu4, __vmins2)
GRIDDLE_LANES(greatest_of, __vmaxs4, __vmaxu4, __vmaxs2)
#undef GRIDDLE_LANES
#undef GRIDDLE_OF_LANES

// Calls f with the values of each place.
template <class T, class F>
__device__ __forceinline__ Lanes<T> place_by_place(Lanes<T> a, Lanes<T> b, F f) {
  using P = Packing<Lanes<T>>;
  std::uint32_t of[P::places];
#pragma unroll
  for (int i = 0; i < P::places; i++) of[i] = static_cast<std::uint32_t>(f(P::at(a, i), P::at(b, i)));
  if constexpr (P::places == 2)
    return {permuted(of[0], of[1], 0x5410)};
  else
    return {permuted(permuted(of[0], of[1], 0x0040), permuted(of[2], of[3], 0x0040), 0x5410)};
}
template <class T>
__device__ __forceinline__ Lanes<T> operator*(Lanes<T> a, Lanes<T> b) {
  return place_by_place(a, b, [](std::int32_t x, std::int32_t y) { return x * y; });
}
template <class T>
__device__ __forceinline__ Lanes<T> operator-(int a, Lanes<T> b) {
  return Packing<Lanes<T>>::everywhere(a) - b;
}
template <class T>
__device__ __forceinline__ Lanes<T> magnitude_of(Lanes<T> a) {
  return greatest_of(a, 0 - a);
}
template <>
__device__ __forceinline__ Lanes<std::uint8_t> magnitude_of(Lanes<std::uint8_t> a) {
  return a;
}
template <class T>
__device__ __forceinline__ Lanes<T> sign_of(Lanes<T> a) {
  const Lanes<T> none{0};
  return (a > none) - (a < none);
}

// --- from elements of memory to values and back

// Makes values of bits, as many as V holds of the lowest.
template <class V>
__device__ __forceinline__ V spread_bits(std::uint32_t bits) {
  if constexpr (Packing<V>::places == 4)
    return {(bits & 15) * 0x00204081u & 0x01010101u};
  else if constexpr (Packing<V>::places == 2)
    return {(bits & 1) | (bits & 2) << 15};
  else
    return {bits};
}
template <class V>
__device__ __forceinline__ std::uint32_t gathered_bits(V values) {
  if constexpr (Packing<V>::places == 4)
    return (values.word & 0x01010101u) * 0x10204080u >> 28;
  else if constexpr (Packing<V>::places == 2)
    return (values.word & 1) | (values.word >> 15 & 2);
  else
    return values.word;
}

// Bits of an element of a type that packed values are loaded from.
__device__ __forceinline__ int packed_bits(std::uint8_t type) {
  return type == griddle_device_bit ? 1 : type == griddle_device_i8 || type == griddle_device_c8 ? 8 : 16;
}
// Makes values of words of elements, which `bring` brings by how many there are, and how many bits an element has.
template <class T, int group, class F>
__device__ __forceinline__ void unpack(Lanes<T> (&v)[group], std::uint8_t type, F bring) {
  constexpr int places = Packing<Lanes<T>>::places;
  if (type == griddle_device_bit) {
    std::uint32_t words[group * places / 32];
    bring(words, 1);
#pragma unroll
    for (int i = 0; i < group; i++) v[i] = spread_bits<Lanes<T>>(words[i * places / 32] >> i * places % 32);
    return;
  }
  if (sizeof(T) == 1 || packed_bits(type) == 16) {
    std::uint32_t words[group];
    bring(words, 8 * static_cast<int>(sizeof(T)));
#pragma unroll
    for (int i = 0; i < group; i++) v[i].word = words[i];
    return;
  }
  std::uint32_t words[group / 2];
  bring(words, 8);
  const bool has_sign = type == griddle_device_i8;
#pragma unroll
  for (int i = 0; i < group; i++)
    v[i].word = permuted(words[i / 2], 0, has_sign ? (i % 2 ? 0xB3A2 : 0x9180) : (i % 2 ? 0x4342 : 0x4140));
}
template <int group, class F>
__device__ __forceinline__ void unpack(Bits (&v)[group], std::uint8_t, F bring) {
  std::uint32_t words[group];
  bring(words, 1);
#pragma unroll
  for (int i = 0; i < group; i++) v[i].word = words[i];
}

}  // namespace griddle::cuda
