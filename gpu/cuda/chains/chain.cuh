// How kernels follow chains of elementwise functions: each thread takes groups of consecutive places and follows the chain's
// steps for the whole group, so that a step's decoding is paid once a group and a warp's memory accesses are wide.
#pragma once

#include <cmath>

#include "gpu/cuda/chains/steps.h"
#include "gpu/cuda/chains/views.cuh"

namespace griddle::cuda {

constexpr int threads = 256;

// What helps to divide by a constant.
struct Divisor {
  double inverse;
  std::uint32_t multiplier, shift;  // for 31 bits: the quotient is the high half of the product, shifted
};
// A chain, and what is computed of it once.
struct Plan {
  griddle_chain chain;
  Divisor divisors[griddle_most_constants];
  std::uint32_t first_view;  // which input is the first view
  ReadyView views[griddle_most_inputs];
};

__device__ __forceinline__ std::int32_t modulus_of(std::int32_t w, std::int32_t x) {
  if (w == 0) return x;
  const std::int32_t r = x % w;
  return r != 0 && (r ^ w) < 0 ? r + w : r;
}
template <class T>
__device__ __forceinline__ Lanes<T> modulus_of(Lanes<T> w, Lanes<T> x) {
  return place_by_place(w, x, [](std::int32_t a, std::int32_t b) { return modulus_of(a, b); });
}
// By a positive constant: a product gives the quotient, rounded down.
__device__ __forceinline__ std::int32_t modulus_by(std::int32_t w, const Divisor& by, std::int32_t x) {
  const std::int32_t sign = x >> 31;
  const std::int32_t quotient =
      static_cast<std::int32_t>(__umulhi(static_cast<std::uint32_t>(x ^ sign), by.multiplier) >> by.shift);
  return x - (quotient ^ sign) * w;
}
template <class T>
__device__ __forceinline__ Lanes<T> modulus_by(Lanes<T> w, const Divisor& by, Lanes<T> x) {
  return place_by_place(w, x, [&](std::int32_t a, std::int32_t b) { return modulus_by(a, by, b); });
}
// By a constant.
template <class V>
__device__ __forceinline__ V modulus_by_constant(V w, const Divisor& by, V x) {
  return Packing<V>::at(w, 0) > 1 ? modulus_by(w, by, x) : modulus_of(w, x);
}
__device__ __forceinline__ Bits modulus_by_constant(Bits w, const Divisor&, Bits x) { return modulus_of(w, x); }
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

// As the host's: exact for natural numbers, whose products carry what doubles round off. Beyond the largest one the product is
// infinite, and its rest no number.
__device__ __forceinline__ double factorial_of(double x) {
  constexpr double largest = 170;
  if (!(x >= 0 && x <= largest && x == floor(x))) return tgamma(x + 1);
  double product = 1, rest = 0;
  for (double i = 2; i <= x; i++) {
    const double next = product * i, left = fma(product, i, -next) + rest * i;
    product = next + left;
    rest = left - (product - next);
  }
  return product;
}
__device__ __forceinline__ double log_factorial_of(double x) { return lgamma(x + 1); }
// Of the point with coordinates w and x.
__device__ __forceinline__ double angle_of(double w, double x) { return atan2(x, w); }

#define EACH(expression)                                          \
  _Pragma("unroll") for (int i = 0; i < group; i++) {             \
    const V a = swapped ? y[i] : v[i], b = swapped ? v[i] : y[i]; \
    (void)a, (void)b;                                             \
    v[i] = static_cast<V>(expression);                            \
  }                                                               \
  break
#define EACH_ALONE(expression)                        \
  _Pragma("unroll") for (int i = 0; i < group; i++) { \
    const V a = v[i];                                 \
    v[i] = static_cast<V>(expression);                \
  }                                                   \
  break

#define EACH_STEP_OF_TWO(name, expression) \
  case griddle_##name: {                   \
    EACH(expression);                      \
  }
#define EACH_STEP_OF_ONE(name, expression) \
  case griddle_##name: {                   \
    EACH_ALONE(expression);                \
  }

#define EACH_OF_TWO(name, function) \
  case griddle_##name: {            \
    EACH(function(a, b));           \
  }

#define EACH_OF_ONE(name, function) \
  case griddle_##name: {            \
    EACH_ALONE(function(a + 0.0));  \
  }

// Stands for an input one place beside the value, where the value is that input as it is: »⊸≠ and -⟜» load it once. Of a plan
// only.
constexpr std::uint8_t from_beside = griddle_from_value + 1;

// What a chain may hold besides the commonest. Even untaken, those paths would halve the speed of the others, or cost them half
// of their threads: kernels are compiled without what their chains do not hold.
enum class Functions { common, heavy, all };
template <bool has_displaced, Functions with_functions, bool has_beside = false, bool has_views = false>
struct Extent {
  static constexpr bool displaced = has_displaced;  // inputs whose elements serve several places, or other ones
  static constexpr bool functions = with_functions != Functions::common;  // what takes many registers
  static constexpr bool mathematics = with_functions == Functions::all;   // any function of real numbers
  static constexpr bool beside = has_beside;
  static constexpr bool views = has_views;
};
constexpr bool is_mathematical(std::uint8_t operation) {
  return operation > griddle_complement || operation == griddle_angle || operation == griddle_distance;
}
constexpr bool takes_many_registers(std::uint8_t operation) {
  return operation == griddle_power || operation == griddle_root || operation == griddle_exponential ||
         operation == griddle_modulus || is_mathematical(operation);
}

// Gives the elements one place before or after those of a group. Whole warps take what is beyond their groups from each other.
template <class V, int group>
__device__ __forceinline__ void take_beside(V (&y)[group], const V (&v)[group], const griddle_chain& chain, unsigned input,
                                            std::uint64_t at, std::uint64_t length) {
  const int lane = threadIdx.x % 32;
  const bool whole = at - lane * group + 32 * group <= length, before = chain.input_shift[input] < 0;
  V beyond = 0;
  if (whole) beyond = before ? __shfl_up_sync(0xFFFFFFFF, v[group - 1], 1) : __shfl_down_sync(0xFFFFFFFF, v[0], 1);
  if (!whole || lane == (before ? 0 : 31)) {
    const std::uint64_t place = before ? at - 1 : at + group;
    beyond = place < length ? read_typed<V>(chain.inputs[input], chain.input_types[input], place)
                            : static_cast<V>(chain.input_fill[input]);
  }
  if (before) {
    y[0] = beyond;
#pragma unroll
    for (int i = 1; i < group; i++) y[i] = v[i - 1];
  } else {
    y[group - 1] = beyond;
#pragma unroll
    for (int i = 0; i + 1 < group; i++) y[i] = whole || at + i + 1 < length ? v[i + 1] : static_cast<V>(chain.input_fill[input]);
  }
}

// Brings the operand of a step for one group.
template <class E, class V, int group>
__device__ __forceinline__ void take_operand(V (&y)[group], const V (&v)[group], const griddle_chain& chain,
                                             const griddle_step& step, const V* slots, std::uint64_t at, std::uint64_t length,
                                             const ReadyView* views, const Indices& indices) {
  switch (step.source) {
    case griddle_from_input: {
      const void* from = chain.inputs[step.index];
      if constexpr (E::views) {
        if (const ReadyView& view = views[step.index]; view.is_view) {
          const std::uint32_t place = static_cast<std::uint32_t>(at);
          load_view(y, from, chain.input_types[step.index], view, view, view.same_axes ? indices : indices_in(view, place), place,
                    length, everywhere<V>(chain.input_fill[step.index]));
          break;
        }
      }
      if constexpr (E::displaced) {
        const std::uint64_t each = chain.input_each[step.index], period = chain.input_period[step.index];
        if (is_packed<V> && each == 1 && period != 0) {
          load_repeated(y, from, chain.input_types[step.index], at, period);
          break;
        }
        if (each != 1 || period != 0) {
          if constexpr (is_packed<V>)
            load_long_spread(y, from, chain.input_types[step.index], at, each, period);
          else
            load_spread(y, from, chain.input_types[step.index], at, each, period);
          break;
        }
        if (const std::int64_t shift = chain.input_shift[step.index]; shift != 0) {
          load_shifted(y, from, chain.input_types[step.index], at, shift, everywhere<V>(chain.input_fill[step.index]), length);
          break;
        }
      }
      load_typed(y, from, chain.input_types[step.index], at);
      break;
    }
    case griddle_from_constant: {
      const V c = everywhere<V>(chain.constants[step.index]);
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
    case from_beside:
      if constexpr (E::beside) take_beside(y, v, chain, step.index, at, length);
      break;
    default:
      if constexpr (!is_packed<V>) {
#pragma unroll
        for (int i = 0; i < group; i++) y[i] = static_cast<V>(at + i);
      }
  }
}

// Follows the steps of a chain for one group.
template <class E, class V, int group>
__device__ __forceinline__ void follow(const Plan& plan, const ReadyView* views, V* slots, std::uint64_t at, std::uint64_t length,
                                       V (&v)[group]) {
  const griddle_chain& chain = plan.chain;
  constexpr bool real = sizeof(V) == 8;
  Indices indices{};
  if constexpr (E::views) indices = indices_in(views[plan.first_view], static_cast<std::uint32_t>(at));
  for (std::uint32_t s = 0; s < chain.step_count; s++) {
    const griddle_step step = chain.steps[s];
    V y[group];
    if (step.operation <= griddle_not_equal && step.operation != griddle_keep)
      take_operand<E>(y, v, chain, step, slots, at, length, views, indices);
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
        GRIDDLE_STEPS_OF_TWO(EACH_STEP_OF_TWO)
        GRIDDLE_STEPS_OF_ONE(EACH_STEP_OF_ONE)
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
          if (swapped && step.source == griddle_from_constant) {
            const Divisor by = plan.divisors[step.index];
#pragma unroll
            for (int i = 0; i < group; i++) v[i] = modulus_by_constant(y[i], by, v[i]);
            break;
          }
          EACH(modulus_of(a, b));
        }
      default:
        if constexpr (real) {
          switch (step.operation) {
            GRIDDLE_DOUBLE_STEPS_OF_TWO(EACH_STEP_OF_TWO)
            GRIDDLE_DOUBLE_STEPS_OF_ONE(EACH_STEP_OF_ONE)
            default: break;
          }
          if constexpr (E::functions) {
            switch (step.operation) {
              GRIDDLE_HEAVY_STEPS_OF_TWO(EACH_STEP_OF_TWO)
              GRIDDLE_HEAVY_STEPS_OF_ONE(EACH_STEP_OF_ONE)
              default: break;
            }
          }
          if constexpr (E::mathematics) {
            switch (step.operation) {
              GRIDDLE_REAL_DYADS(EACH_OF_TWO)
              GRIDDLE_REAL_MONADS(EACH_OF_ONE)
              default: break;
            }
          }
        }
    }
  }
}
#undef EACH
#undef EACH_ALONE
#undef EACH_STEP_OF_TWO
#undef EACH_STEP_OF_ONE
#undef EACH_OF_TWO
#undef EACH_OF_ONE

}  // namespace griddle::cuda
