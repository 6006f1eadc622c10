// How kernels follow chains of elementwise functions: each thread takes groups of consecutive places and follows the chain's
// steps for the whole group, so that a step's decoding is paid once a group and a warp's memory accesses are wide.
#pragma once

#include <cmath>
#include <type_traits>

#include "gpu/cuda/device.h"

namespace griddle::cuda {

constexpr int threads = 256;
// How many places a thread takes at once: as many as keep enough bytes on their way.
template <class V>
constexpr int group_of = 64 / sizeof(V);

// What helps to divide by a constant.
struct Divisor {
  double inverse;
  std::uint32_t multiplier, shift;  // for 31 bits: the quotient is the high half of the product, shifted
};
// A chain, and what is computed of it once.
struct Plan {
  griddle_chain chain;
  Divisor divisors[griddle_most_constants];
};

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
    case griddle_bit: {
      using Bits = std::conditional_t<group == 8, std::uint8_t, std::uint16_t>;
      const std::uint32_t bits = static_cast<const Bits*>(from)[at / group];
#pragma unroll
      for (int i = 0; i < group; i++) v[i] = static_cast<V>(bits >> i & 1);
      break;
    }
    case griddle_i8: load_group<std::int8_t>(v, from, at); break;
    case griddle_i16: load_group<std::int16_t>(v, from, at); break;
    case griddle_i32: load_group<std::int32_t>(v, from, at); break;
    case griddle_c8: load_group<std::uint8_t>(v, from, at); break;
    case griddle_c16: load_group<std::uint16_t>(v, from, at); break;
    case griddle_c32: load_group<std::uint32_t>(v, from, at); break;
    default:
      if constexpr (sizeof(V) == 8) load_group<double>(v, from, at);
  }
}

template <class V>
__device__ __forceinline__ V read_typed(const void* from, std::uint8_t type, std::uint64_t at) {
  switch (type) {
    case griddle_bit: return static_cast<V>(static_cast<const std::uint8_t*>(from)[at / 8] >> at % 8 & 1);
    case griddle_i8: return static_cast<V>(static_cast<const std::int8_t*>(from)[at]);
    case griddle_i16: return static_cast<V>(static_cast<const std::int16_t*>(from)[at]);
    case griddle_i32: return static_cast<V>(static_cast<const std::int32_t*>(from)[at]);
    case griddle_c8: return static_cast<V>(static_cast<const std::uint8_t*>(from)[at]);
    case griddle_c16: return static_cast<V>(static_cast<const std::uint16_t*>(from)[at]);
    case griddle_c32: return static_cast<V>(static_cast<const std::uint32_t*>(from)[at]);
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
    case griddle_bit: {
      const auto load = [&](std::uint64_t place) { return place < length ? read_typed<V>(from, griddle_bit, place) : fill; };
      if (shift == -1) {
        load_typed(v, from, griddle_bit, at);
#pragma unroll
        for (int i = group - 1; i > 0; i--) v[i] = v[i - 1];
        v[0] = load(at - 1);
        break;
      }
#pragma unroll
      for (int i = 0; i < group; i++) v[i] = load(at + i + static_cast<std::uint64_t>(shift));
      break;
    }
    case griddle_i8: load_shifted_group<std::int8_t>(v, from, at, shift, fill, length); break;
    case griddle_i16: load_shifted_group<std::int16_t>(v, from, at, shift, fill, length); break;
    case griddle_i32: load_shifted_group<std::int32_t>(v, from, at, shift, fill, length); break;
    case griddle_c8: load_shifted_group<std::uint8_t>(v, from, at, shift, fill, length); break;
    case griddle_c16: load_shifted_group<std::uint16_t>(v, from, at, shift, fill, length); break;
    case griddle_c32: load_shifted_group<std::uint32_t>(v, from, at, shift, fill, length); break;
    default:
      if constexpr (sizeof(V) == 8) load_shifted_group<double>(v, from, at, shift, fill, length);
  }
}

// Whatever is computed beyond `length` stays in the padding of the result.
template <class V, int group>
__device__ __forceinline__ void store_typed(const V (&v)[group], void* to, std::uint8_t type, std::uint64_t at, bool whole) {
  switch (type) {
    case griddle_bit: {
      std::uint32_t bits = 0;
#pragma unroll
      for (int i = 0; i < group; i++) bits |= static_cast<std::uint32_t>(v[i] != 0) << i;
      using Bits = std::conditional_t<group == 8, std::uint8_t, std::uint16_t>;
      static_cast<Bits*>(to)[at / group] = static_cast<Bits>(bits);
      break;
    }
    case griddle_i8: store_group<std::int8_t>(v, to, at, whole); break;
    case griddle_i16: store_group<std::int16_t>(v, to, at, whole); break;
    case griddle_i32: store_group<std::int32_t>(v, to, at, whole); break;
    case griddle_c8: store_group<std::uint8_t>(v, to, at, whole); break;
    case griddle_c16: store_group<std::uint16_t>(v, to, at, whole); break;
    case griddle_c32: store_group<std::uint32_t>(v, to, at, whole); break;
    default: store_group<double>(v, to, at, whole);
  }
}

__device__ __forceinline__ std::int32_t modulus_of(std::int32_t w, std::int32_t x) {
  if (w == 0) return x;
  const std::int32_t r = x % w;
  return r != 0 && (r ^ w) < 0 ? r + w : r;
}
// By a positive constant: a product gives the quotient, rounded down.
__device__ __forceinline__ std::int32_t modulus_by(std::int32_t w, const Divisor& by, std::int32_t x) {
  const std::int32_t sign = x >> 31;
  const std::int32_t quotient =
      static_cast<std::int32_t>(__umulhi(static_cast<std::uint32_t>(x ^ sign), by.multiplier) >> by.shift);
  return x - (quotient ^ sign) * w;
}
// The remainder of integers is never a negative zero.
__device__ __forceinline__ double modulus_of(double w, double x) {
  const double r = fmod(x, w);
  if (r == 0) return w == floor(w) && x == floor(x) ? 0.0 : r;
  return (r < 0) != (w < 0) ? r + w : r;
}
// Quotients are exact to within one, and products within 2^53.
__device__ __forceinline__ double integer_modulus_of(double w, double inverse, double x) {
  double r = fma(-floor(x * inverse), w, x);
  if (w > 0) {
    r = r < 0 ? r + w : r;
    return r >= w ? r - w : r;
  }
  r = r > 0 ? r + w : r;
  return r <= w ? r - w : r;
}
// Powers of integers that are integers are exact.
__device__ __forceinline__ double power_of(double w, double x) {
  constexpr double most_factors = 64, most = 0x1p53;
  if (x >= 0 && x <= most_factors && w == floor(w) && x == floor(x)) {
    double product = 1;
    for (double i = x; i > 0 && fabs(product) <= most; i--) product *= w;
    if (fabs(product) <= most) return product;
  }
  return pow(w + 0.0, x);
}

#define EACH(expression)                                          \
  _Pragma("unroll") for (int i = 0; i < group; i++) {             \
    const V a = swapped ? y[i] : v[i], b = swapped ? v[i] : y[i]; \
    (void)a, (void)b;                                             \
    v[i] = static_cast<V>(expression);                            \
  }                                                               \
  break
#define EACH_ALONE(expression)                                                         \
  _Pragma("unroll") for (int i = 0; i < group; i++) v[i] = static_cast<V>(expression); \
  break

// What a chain may hold besides the commonest. Even untaken, those paths would halve the speed of the others, or cost them half
// of their threads: kernels are compiled without what their chains do not hold.
template <bool has_displaced, bool has_functions>
struct Extent {
  static constexpr bool displaced = has_displaced;  // inputs whose elements serve several places, or other ones
  static constexpr bool functions = has_functions;  // what takes many registers
};
constexpr bool takes_many_registers(std::uint8_t operation) {
  return operation == griddle_power || operation == griddle_root || operation == griddle_exponential ||
         operation == griddle_modulus;
}

// Follows the steps of a chain for one group.
template <class E, class V, int group>
__device__ __forceinline__ void follow(const Plan& plan, V* slots, std::uint64_t at, std::uint64_t length, V (&v)[group]) {
  const griddle_chain& chain = plan.chain;
  constexpr bool real = sizeof(V) == 8;
  for (std::uint32_t s = 0; s < chain.step_count; s++) {
    const griddle_step step = chain.steps[s];
    V y[group];
    if (step.operation <= griddle_not_equal && step.operation != griddle_keep) {
      switch (step.source) {
        case griddle_from_input: {
          const void* from = chain.inputs[step.index];
          if constexpr (E::displaced) {
            const std::uint64_t each = chain.input_each[step.index], period = chain.input_period[step.index];
            if (each != 1 || period != 0) {
              load_spread(y, from, chain.input_types[step.index], at, each, period);
              break;
            }
            if (const std::int64_t shift = chain.input_shift[step.index]; shift != 0) {
              load_shifted(y, from, chain.input_types[step.index], at, shift, static_cast<V>(chain.input_fill[step.index]),
                           length);
              break;
            }
          }
          load_typed(y, from, chain.input_types[step.index], at);
          break;
        }
        case griddle_from_constant: {
          const V c = static_cast<V>(chain.constants[step.index]);
#pragma unroll
          for (int i = 0; i < group; i++) y[i] = c;
          break;
        }
        case griddle_from_slot:
#pragma unroll
          for (int i = 0; i < group; i++) y[i] = slots[(step.index * group + i) * threads];
          break;
        case griddle_from_value:
#pragma unroll
          for (int i = 0; i < group; i++) y[i] = v[i];
          break;
        default:
#pragma unroll
          for (int i = 0; i < group; i++) y[i] = static_cast<V>(at + i);
      }
    }
    const bool swapped = step.swapped;
    switch (step.operation) {
      case griddle_load:
#pragma unroll
        for (int i = 0; i < group; i++) v[i] = y[i];
        break;
      case griddle_keep:
#pragma unroll
        for (int i = 0; i < group; i++) slots[(step.index * group + i) * threads] = v[i];
        break;
      case griddle_add: EACH(a + b);
      case griddle_subtract: EACH(a - b);
      case griddle_multiply: EACH(a * b);
      case griddle_minimum: EACH(a != a || a < b ? a : b);
      case griddle_maximum: EACH(a != a || a > b ? a : b);
      case griddle_less: EACH(a < b);
      case griddle_less_equal: EACH(a <= b);
      case griddle_equal: EACH(a == b);
      case griddle_greater_equal: EACH(a >= b);
      case griddle_greater: EACH(a > b);
      case griddle_not_equal: EACH(a != b);
      case griddle_negate: EACH_ALONE(0 - v[i]);
      case griddle_complement: EACH_ALONE(1 - v[i]);
      case griddle_magnitude: EACH_ALONE(v[i] < 0 ? -v[i] : v[i]);
      case griddle_sign: EACH_ALONE((v[i] > 0) - (v[i] < 0));
      case griddle_modulus:
      case griddle_integer_modulus:
        if constexpr (real) {
          if (step.operation == griddle_integer_modulus && !swapped) {
#pragma unroll
            for (int i = 0; i < group; i++) v[i] = integer_modulus_of(v[i], 1 / v[i], y[i]);
          } else if (step.operation == griddle_integer_modulus) {
            // The operand is the modulus: a constant as a rule, and not 0.
            if (step.source == griddle_from_constant) {
              const double inverse = plan.divisors[step.index].inverse;
#pragma unroll
              for (int i = 0; i < group; i++) v[i] = integer_modulus_of(y[i], inverse, v[i]);
            } else {
#pragma unroll
              for (int i = 0; i < group; i++) v[i] = integer_modulus_of(y[i], 1 / y[i], v[i]);
            }
          } else if constexpr (E::functions) {
            EACH(modulus_of(a, b));
          }
          break;
        } else {
          if (swapped && step.source == griddle_from_constant && y[0] > 1) {
            const Divisor by = plan.divisors[step.index];
#pragma unroll
            for (int i = 0; i < group; i++) v[i] = modulus_by(y[i], by, v[i]);
            break;
          }
          EACH(modulus_of(a, b));
        }
      default:
        if constexpr (real) {
          switch (step.operation) {
            case griddle_divide: EACH(a / (b + 0.0));
            case griddle_reciprocal: EACH_ALONE(1 / (v[i] + 0.0));
            case griddle_square_root: EACH_ALONE(sqrt(v[i]));
            case griddle_floor: EACH_ALONE(floor(v[i]));
            case griddle_ceiling: EACH_ALONE(ceil(v[i]));
            default: break;
          }
          if constexpr (E::functions) {
            switch (step.operation) {
              case griddle_power: EACH(power_of(a, b));
              case griddle_root: EACH(a == 2 && b >= 0 ? sqrt(b) : pow(b + 0.0, 1 / (a + 0.0)));
              case griddle_exponential: EACH_ALONE(exp(v[i]));
              default: break;
            }
          }
        }
    }
  }
}
#undef EACH
#undef EACH_ALONE

}  // namespace griddle::cuda
