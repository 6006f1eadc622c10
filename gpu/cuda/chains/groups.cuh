// Groups of consecutive places, which a thread takes at once: how they are loaded from inputs of any type and stored.
#pragma once

#include <type_traits>

#include "gpu/cuda/chains/packed.cuh"
#include "gpu/cuda/device.h"

namespace griddle::cuda {

// How many values a thread takes at once, as many as keep enough bytes on their way, and of how many places they are.
template <class V>
constexpr int group_of = 64 / sizeof(V);
template <>
inline constexpr int group_of<Bits> = 8;
template <class V>
constexpr int places_of = group_of<V>* Packing<V>::places;

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

template <int count>
__device__ __forceinline__ void load_words(std::uint32_t (&words)[count], const char* from) {
  load_group<std::uint32_t>(words, from, 0);
}
// Memory reaches far enough past the end for whole groups.
template <class V, int group>
__device__ __forceinline__ void load_typed(V (&v)[group], const void* from, std::uint8_t type, std::uint64_t at) {
  if constexpr (is_packed<V>) {
    unpack(v, type, [&](auto& words, int bits) { load_words(words, static_cast<const char*>(from) + at * bits / 8); });
  } else
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
// Gives the values of `count` elements from any one on.
template <class V>
__device__ __forceinline__ V take_places(const void* from, std::uint8_t type, std::int64_t at, int count) {
  if constexpr (!is_packed<V>) {
    return read_typed<V>(from, type, static_cast<std::uint64_t>(at));
  } else {
    if (type == griddle_device_bit) {
      const std::uint32_t* word = static_cast<const std::uint32_t*>(from) + (at >> 5);
      const int first = static_cast<int>(at & 31);
      return spread_bits<V>(__funnelshift_r(word[0], first + count > 32 ? word[1] : 0, first));
    }
    V all{};
    if constexpr (Packing<V>::places < 32) {
#pragma unroll
      for (int i = 0; i < Packing<V>::places; i++)
        if (i < count)
          all = Packing<V>::joined(all, everywhere<V>(read_typed<std::int32_t>(from, type, static_cast<std::uint64_t>(at + i))),
                                   i, 1);
    }
    return all;
  }
}
// Stores one element, of any type but bits.
template <class V>
__device__ __forceinline__ void write_typed(V v, void* to, std::uint8_t type, std::uint64_t at) {
  switch (type) {
    case griddle_device_i8: static_cast<std::int8_t*>(to)[at] = static_cast<std::int8_t>(v); break;
    case griddle_device_i16: static_cast<std::int16_t*>(to)[at] = static_cast<std::int16_t>(v); break;
    case griddle_device_i32: static_cast<std::int32_t*>(to)[at] = static_cast<std::int32_t>(v); break;
    case griddle_device_c8: static_cast<std::uint8_t*>(to)[at] = static_cast<std::uint8_t>(v); break;
    case griddle_device_c16: static_cast<std::uint16_t*>(to)[at] = static_cast<std::uint16_t>(v); break;
    case griddle_device_c32: static_cast<std::uint32_t*>(to)[at] = static_cast<std::uint32_t>(v); break;
    default: static_cast<double*>(to)[at] = static_cast<double>(v);
  }
}
// Loads packed values from an input whose elements serve several places, of which the first one is place r of element q.
template <class V>
__device__ __noinline__ void spread_packed(V* v, int count, const void* from, std::uint8_t type, std::uint64_t q, std::uint64_t r,
                                           std::uint64_t each, std::uint64_t period) {
  V element{};
  bool is_read = false;
#pragma unroll 1
  for (int i = 0; i < count; i++)
    v[i] = in_pieces<V>([&](int& taken) {
      if (!is_read) element = everywhere<V>(read_typed<std::int32_t>(from, type, q));
      is_read = r + taken < each;
      if (is_read) {
        r += taken;
      } else {
        taken = static_cast<int>(each - r);
        r = 0;
        if (++q == period) q = 0;
      }
      return element;
    });
}
// Loads from an input whose elements serve several places: as a rule one element serves the whole group.
template <class V, int group>
__device__ __forceinline__ void load_spread(V (&v)[group], const void* from, std::uint8_t type, std::uint64_t at,
                                            std::uint64_t each, std::uint64_t period) {
  const bool narrow = ((at | each) >> 32) == 0;
  std::uint64_t q = narrow ? static_cast<std::uint32_t>(at) / static_cast<std::uint32_t>(each) : at / each;
  std::uint64_t r = at - q * each;
  if (period != 0) q %= period;
  if constexpr (is_packed<V>) {
    V packed[group];
    spread_packed(packed, group, from, type, q, r, each, period);
#pragma unroll
    for (int i = 0; i < group; i++) v[i] = packed[i];
  } else {
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
// Loads packed values where some places have the fill.
template <class V>
__device__ __noinline__ void shift_packed(V* v, int count, const void* from, std::uint8_t type, std::int64_t first, V fill,
                                          std::int64_t length) {
#pragma unroll 1
  for (int i = 0; i < count; i++)
    v[i] = in_pieces<V>([&](int& taken) {
      const std::int64_t here = first < 0 ? -first : length - first;
      if (here > 0 && here < taken) taken = static_cast<int>(here);
      const V some = first < 0 || here <= 0 ? fill : take_places<V>(from, type, first, taken);
      first += taken;
      return some;
    });
}
template <class V, int group>
__device__ __forceinline__ void load_run(V (&v)[group], const void* from, std::uint8_t type, std::int64_t at);
template <class V, int group>
__device__ __forceinline__ void load_shifted(V (&v)[group], const void* from, std::uint8_t type, std::uint64_t at,
                                             std::int64_t shift, V fill, std::uint64_t length) {
  if constexpr (is_packed<V>) {
    const std::int64_t first = static_cast<std::int64_t>(at) + shift, all = static_cast<std::int64_t>(length);
    if (first >= 0 && first + group * Packing<V>::places <= all) {
      load_run(v, from, type, first);
    } else {
      V packed[group];
      shift_packed(packed, group, from, type, first, fill, all);
#pragma unroll
      for (int i = 0; i < group; i++) v[i] = packed[i];
    }
  } else
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

// Loads words from any byte on, by aligned ones, and nothing beyond the last of these. `element` bytes stand together, at a
// multiple of that.
template <int element, int count>
__device__ __forceinline__ void load_words_of(std::uint32_t (&words)[count], const void* from) {
  const std::uintptr_t address = reinterpret_cast<std::uintptr_t>(from);
  std::uint32_t word[count + 4];
  if constexpr (count < 4) {
    const std::uint32_t* aligned = reinterpret_cast<const std::uint32_t*>(address & ~std::uintptr_t{3});
#pragma unroll
    for (int i = 0; i <= count; i++) word[i] = aligned[i == count && address % 4 == 0 ? i - 1 : i];
  } else {
    const uint4* aligned = reinterpret_cast<const uint4*>(address & ~std::uintptr_t{15});
#pragma unroll
    for (int i = 0; i <= count / 4; i++) {
      const uint4 four = aligned[count % 4 == 0 && i == count / 4 && address % 16 == 0 ? i - 1 : i];
      word[i * 4] = four.x, word[i * 4 + 1] = four.y, word[i * 4 + 2] = four.z, word[i * 4 + 3] = four.w;
    }
    if (address & 4) {
#pragma unroll
      for (int i = 0; i < count + 3; i++) word[i] = word[i + 1];
    }
    if (address & 8) {
#pragma unroll
      for (int i = 0; i < count + 1; i++) word[i] = word[i + 2];
    }
  }
  const std::uint32_t bits = static_cast<std::uint32_t>(address & 3) * 8;
#pragma unroll
  for (int i = 0; i < count; i++) words[i] = element < 4 ? __funnelshift_r(word[i], word[i + 1], bits) : word[i];
}
// Loads a group from any element on.
template <class T, class V, int group>
__device__ __forceinline__ void load_run_of(V (&v)[group], const void* from, std::int64_t at) {
  constexpr int count = static_cast<int>(sizeof(T)) * group / 4;
  const T* const first = static_cast<const T*>(from) + at;
  if (reinterpret_cast<std::uintptr_t>(first) % (count < 4 ? count * 4 : 16) == 0)
    return load_group<T>(v, from, static_cast<std::uint64_t>(at));
  std::uint32_t words[count];
  load_words_of<sizeof(T)>(words, first);
  T element[group];
  memcpy(element, words, sizeof element);
#pragma unroll
  for (int i = 0; i < group; i++) v[i] = static_cast<V>(element[i]);
}
// Loads words of packed bits from any bit on.
template <int count>
__device__ __forceinline__ void load_bit_words(std::uint32_t (&words)[count], const void* from, std::int64_t at) {
  const std::uint32_t* const first = static_cast<const std::uint32_t*>(from) + (at >> 5);
  std::uint32_t word[count + 1];
  if constexpr (count < 4) {
#pragma unroll
    for (int i = 0; i <= count; i++) word[i] = first[i];
  } else {
    load_words_of<4>(word, first);
  }
#pragma unroll
  for (int i = 0; i < count; i++) words[i] = __funnelshift_r(word[i], word[i + 1], static_cast<std::uint32_t>(at & 31));
}
template <class V, int group>
__device__ __forceinline__ void load_run(V (&v)[group], const void* from, std::uint8_t type, std::int64_t at) {
  if constexpr (is_packed<V>) {
    unpack(v, type, [&](auto& words, int bits) {
      if (bits == 1)
        load_bit_words(words, from, at);
      else if (bits == 8)
        load_words_of<1>(words, static_cast<const char*>(from) + at);
      else
        load_words_of<2>(words, static_cast<const char*>(from) + at * 2);
    });
  } else
    switch (type) {
      case griddle_device_bit: {
        const std::uint32_t* word = static_cast<const std::uint32_t*>(from) + (at >> 5);
        const std::uint32_t bits = __funnelshift_r(word[0], word[1], static_cast<std::uint32_t>(at & 31));
#pragma unroll
        for (int i = 0; i < group; i++) v[i] = static_cast<V>(bits >> i & 1);
        break;
      }
      case griddle_device_i8: load_run_of<std::int8_t>(v, from, at); break;
      case griddle_device_i16: load_run_of<std::int16_t>(v, from, at); break;
      case griddle_device_i32: load_run_of<std::int32_t>(v, from, at); break;
      case griddle_device_c8: load_run_of<std::uint8_t>(v, from, at); break;
      case griddle_device_c16: load_run_of<std::uint16_t>(v, from, at); break;
      case griddle_device_c32: load_run_of<std::uint32_t>(v, from, at); break;
      default:
        if constexpr (sizeof(V) == 8) load_run_of<double>(v, from, at);
    }
}

// Loads packed values from a list that is repeated, from element q on.
template <class V>
__device__ __noinline__ void repeat_packed(V* v, int count, const void* from, std::uint8_t type, std::uint64_t q,
                                           std::uint64_t period) {
#pragma unroll 1
  for (int i = 0; i < count; i++)
    v[i] = in_pieces<V>([&](int& taken) {
      if (period - q < taken) taken = static_cast<int>(period - q);
      const V some = take_places<V>(from, type, static_cast<std::int64_t>(q), taken);
      q += taken;
      if (q == period) q = 0;
      return some;
    });
}
// Puts the first words of a list of bits behind the first `count` bits of others.
template <int words>
__device__ __forceinline__ void put_behind(std::uint32_t (&word)[words], int count, const void* list) {
  std::uint32_t before = 0;
#pragma unroll
  for (int i = 0; i < words; i++) {
    const std::uint32_t next = i >= count / 32 ? static_cast<const std::uint32_t*>(list)[i - count / 32] : 0;
    const int here = count - 32 * i;
    const std::uint32_t kept = here >= 32 ? ~0u : here <= 0 ? 0 : (1u << here) - 1;
    word[i] = (word[i] & kept) | __funnelshift_l(before, next, count % 32);
    before = next;
  }
}
// Loads from a short list that is repeated, as runs of it where they do not begin anew. `period` is not 0.
template <class V, int group>
__device__ __forceinline__ void load_repeated(V (&v)[group], const void* from, std::uint8_t type, std::uint64_t at,
                                              std::uint64_t period) {
  const bool narrow = ((at | period) >> 32) == 0;
  const std::uint64_t first = narrow ? static_cast<std::uint32_t>(at) % static_cast<std::uint32_t>(period) : at % period;
  constexpr int places = group * Packing<V>::places;
  if (Packing<V>::places != 32 && first + places <= period) return load_run(v, from, type, static_cast<std::int64_t>(first));
  if constexpr (is_packed<V>) {
    if (Packing<V>::places == 32 && period >= places) {
      std::uint32_t words[group];
      load_bit_words(words, from, static_cast<std::int64_t>(first));
      if (first + places > period) put_behind(words, static_cast<int>(period - first), from);
#pragma unroll
      for (int i = 0; i < group; i++) v[i].word = words[i];
      return;
    }
    V packed[group];
    repeat_packed(packed, group, from, type, first, period);
#pragma unroll
    for (int i = 0; i < group; i++) v[i] = packed[i];
  } else {
    load_spread(v, from, type, at, 1, period);
  }
}
// Loads from an input of which each element serves many neighbouring places: as a rule all of a group.
template <class V, int group>
__device__ __forceinline__ void load_long_spread(V (&v)[group], const void* from, std::uint8_t type, std::uint64_t at,
                                                 std::uint64_t each, std::uint64_t period) {
  const bool narrow = ((at | each) >> 32) == 0;
  std::uint64_t q = narrow ? static_cast<std::uint32_t>(at) / static_cast<std::uint32_t>(each) : at / each;
  if (at - q * each + group * Packing<V>::places > each) return load_spread(v, from, type, at, each, period);
  if (period != 0) q %= period;
  const V element = everywhere<V>(read_typed<PlaceOf<V>>(from, type, q));
#pragma unroll
  for (int i = 0; i < group; i++) v[i] = element;
}

template <class V, int group>
__device__ __forceinline__ void store_packed(const V (&v)[group], void* to, std::uint8_t type, std::uint64_t at, bool whole) {
  constexpr int places = Packing<V>::places;
  if (places == 32 || type == griddle_device_bit) {
    std::uint32_t words[group * places / 32] = {};
#pragma unroll
    for (int i = 0; i < group; i++) words[i * places / 32] |= gathered_bits(v[i]) << i * places % 32;
    store_group<std::uint32_t>(words, to, at / 32, whole);
  } else if (places == 2 && packed_bits(type) == 8) {
    std::uint32_t words[group / 2];
#pragma unroll
    for (int i = 0; i < group / 2; i++) words[i] = permuted(v[i * 2].word, v[i * 2 + 1].word, 0x6420);
    store_group<std::uint32_t>(words, to, at / 4, whole);
  } else {
    std::uint32_t words[group];
#pragma unroll
    for (int i = 0; i < group; i++) words[i] = v[i].word;
    store_group<std::uint32_t>(words, to, at / places, whole);
  }
}
// Whatever is computed beyond `length` stays in the padding of the result.
template <class V, int group>
__device__ __forceinline__ void store_typed(const V (&v)[group], void* to, std::uint8_t type, std::uint64_t at, bool whole) {
  if constexpr (is_packed<V>) {
    store_packed(v, to, type, at, whole);
  } else
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
