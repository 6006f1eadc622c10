// Chains of elementwise functions as one kernel: each thread takes groups of consecutive places and follows the chain's steps for
// the whole group, so that a step's decoding is paid once a group and a warp's memory accesses are wide. Folds end in the same
// loop.
#include <cmath>

#include "gpu/cuda/device.h"

namespace griddle::cuda {

namespace {

constexpr int group = 8;
constexpr int threads = 256;

template <class T>
struct alignas(sizeof(T) * group >= 16 ? 16 : sizeof(T) * group) Group {
  T of[group];
};

template <class T, class V>
__device__ __forceinline__ void load_group(V (&v)[group], const void* from, std::uint64_t at) {
  const Group<T> g = *reinterpret_cast<const Group<T>*>(static_cast<const T*>(from) + at);
#pragma unroll
  for (int i = 0; i < group; i++) v[i] = static_cast<V>(g.of[i]);
}
template <class T, class V>
__device__ __forceinline__ void store_group(const V (&v)[group], void* to, std::uint64_t at) {
  Group<T> g;
#pragma unroll
  for (int i = 0; i < group; i++) g.of[i] = static_cast<T>(v[i]);
  *reinterpret_cast<Group<T>*>(static_cast<T*>(to) + at) = g;
}

// Memory reaches far enough past the end for whole groups.
template <class V>
__device__ __forceinline__ void load_typed(V (&v)[group], const void* from, std::uint8_t type, std::uint64_t at) {
  switch (type) {
    case griddle_bit: {
      const std::uint32_t bits = static_cast<const std::uint8_t*>(from)[at / 8];
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
template <class V>
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

// Whatever is computed beyond `length` stays in the padding of the result.
template <class V>
__device__ __forceinline__ void store_typed(const V (&v)[group], void* to, std::uint8_t type, std::uint64_t at) {
  switch (type) {
    case griddle_bit: {
      std::uint32_t bits = 0;
#pragma unroll
      for (int i = 0; i < group; i++) bits |= static_cast<std::uint32_t>(v[i] != 0) << i;
      static_cast<std::uint8_t*>(to)[at / 8] = static_cast<std::uint8_t>(bits);
      break;
    }
    case griddle_i8: store_group<std::int8_t>(v, to, at); break;
    case griddle_i16: store_group<std::int16_t>(v, to, at); break;
    case griddle_i32: store_group<std::int32_t>(v, to, at); break;
    case griddle_c8: store_group<std::uint8_t>(v, to, at); break;
    case griddle_c16: store_group<std::uint16_t>(v, to, at); break;
    case griddle_c32: store_group<std::uint32_t>(v, to, at); break;
    default: store_group<double>(v, to, at);
  }
}

__device__ __forceinline__ std::int32_t modulus_of(std::int32_t w, std::int32_t x) {
  if (w == 0) return x;
  const std::int32_t r = x % w;
  return r != 0 && (r ^ w) < 0 ? r + w : r;
}
__device__ __forceinline__ double modulus_of(double w, double x) {
  const double r = fmod(x, w);
  return r != 0 && (r < 0) != (w < 0) ? r + w : r;
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

// Follows the steps of a chain for one group. Only chains that are `spread` have inputs whose elements serve several places: even
// untaken, that path would halve the speed of the others, so their kernels are compiled without it.
template <bool spread, class V>
__device__ __forceinline__ void follow(const griddle_chain& chain, V* slots, std::uint64_t at, V (&v)[group]) {
  constexpr bool real = sizeof(V) == 8;
  for (std::uint32_t s = 0; s < chain.step_count; s++) {
    const griddle_step step = chain.steps[s];
    V y[group];
    if (step.operation <= griddle_not_equal && step.operation != griddle_keep) {
      switch (step.source) {
        case griddle_from_input: {
          const void* from = chain.inputs[step.index];
          if constexpr (spread) {
            const std::uint64_t each = chain.input_each[step.index], period = chain.input_period[step.index];
            if (each != 1 || period != 0) {
              load_spread(y, from, chain.input_types[step.index], at, each, period);
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
            for (int i = 0; i < group; i++) v[i] = modulus_of(v[i], y[i]);
          } else if (step.operation == griddle_integer_modulus) {
            // The operand is the modulus: a constant as a rule, and not 0.
            const double inverse = 1 / y[0];
            const bool same = step.source == griddle_from_constant;
#pragma unroll
            for (int i = 0; i < group; i++) v[i] = integer_modulus_of(y[i], same ? inverse : 1 / y[i], v[i]);
          } else {
            EACH(modulus_of(a, b));
          }
          break;
        } else {
          EACH(modulus_of(a, b));
        }
      default:
        if constexpr (real) {
          switch (step.operation) {
            case griddle_divide: EACH(a / (b + 0.0));
            case griddle_power: EACH(pow(a + 0.0, b));
            case griddle_root: EACH(a == 2 && b >= 0 ? sqrt(b) : pow(b + 0.0, 1 / (a + 0.0)));
            case griddle_reciprocal: EACH_ALONE(1 / (v[i] + 0.0));
            case griddle_exponential: EACH_ALONE(exp(v[i]));
            case griddle_square_root: EACH_ALONE(sqrt(v[i]));
            case griddle_floor: EACH_ALONE(floor(v[i]));
            case griddle_ceiling: EACH_ALONE(ceil(v[i]));
            default: break;
          }
        }
    }
  }
}
#undef EACH
#undef EACH_ALONE

template <class V, bool spread>
__global__ void __launch_bounds__(threads)
    map_kernel(const __grid_constant__ griddle_chain chain, void* out, std::uint64_t length) {
  __shared__ V slots[griddle_most_slots * group * threads];
  const std::uint64_t stride = static_cast<std::uint64_t>(gridDim.x) * threads * group;
  for (std::uint64_t at = (static_cast<std::uint64_t>(blockIdx.x) * threads + threadIdx.x) * group; at < length; at += stride) {
    V v[group];
    follow<spread>(chain, slots + threadIdx.x, at, v);
    store_typed(v, out, chain.result_type, at);
  }
}

template <class T>
__device__ T joined(griddle_fold f, T a, T b) {
  switch (f) {
    case griddle_fold_add: return a + b;
    case griddle_fold_minimum: return a != a || a < b ? a : b;
    case griddle_fold_maximum: return a != a || a > b ? a : b;
    default: return a * b;
  }
}
__device__ double identity_of(griddle_fold f) {
  return f == griddle_fold_add ? 0 : f == griddle_fold_minimum ? INFINITY : f == griddle_fold_maximum ? -INFINITY : 1;
}

__device__ double block_fold(griddle_fold f, double mine) {
  __shared__ double parts[threads / 32];
  __syncthreads();
  for (int by = 16; by; by /= 2) mine = joined(f, mine, __shfl_xor_sync(0xFFFFFFFF, mine, by));
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = mine;
  __syncthreads();
  mine = parts[0];
  for (int w = 1; w < threads / 32; w++) mine = joined(f, mine, parts[w]);
  return mine;
}

// Leaves the answer to the block that finishes last. Partial folds are combined in a fixed order.
__device__ void finish_fold(griddle_fold f, double mine, double* partials, std::uint32_t* arrivals, double* answer) {
  __shared__ bool last;
  mine = block_fold(f, mine);
  if (threadIdx.x == 0) {
    partials[blockIdx.x] = mine;
    __threadfence();
    last = atomicAdd(arrivals, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  __threadfence();
  double all = identity_of(f);
  for (std::uint32_t i = threadIdx.x; i < gridDim.x; i += threads) all = joined(f, all, __ldcg(partials + i));
  all = block_fold(f, all);
  if (threadIdx.x == 0) {
    *answer = all;
    *arrivals = 0;
  }
}

template <class V, bool spread>
__global__ void __launch_bounds__(threads)
    fold_kernel(const __grid_constant__ griddle_chain chain, griddle_fold f, std::uint64_t length, double* partials,
                std::uint32_t* arrivals, double* answer) {
  __shared__ V slots[griddle_most_slots * group * threads];
  const std::uint64_t stride = static_cast<std::uint64_t>(gridDim.x) * threads * group;
  double so_far = identity_of(f);
  long long sum = 0;  // of integers, exact
  for (std::uint64_t at = (static_cast<std::uint64_t>(blockIdx.x) * threads + threadIdx.x) * group; at < length; at += stride) {
    V v[group];
    follow<spread>(chain, slots + threadIdx.x, at, v);
    const int here = length - at < group ? static_cast<int>(length - at) : group;
    if (here == group) {
      if (f == griddle_fold_add) {
        if constexpr (sizeof(V) == 4) {
#pragma unroll
          for (int i = 0; i < group; i++) sum += v[i];
        } else {
          so_far += ((v[0] + v[1]) + (v[2] + v[3])) + ((v[4] + v[5]) + (v[6] + v[7]));
        }
      } else {
        V all = v[0];
#pragma unroll
        for (int i = 1; i < group; i++) {
          if constexpr (sizeof(V) == 8)
            all = joined(f, all, v[i]);
          else
            all = f == griddle_fold_minimum ? min(all, v[i]) : max(all, v[i]);
        }
        if (sizeof(V) == 4 && f == griddle_fold_multiply) {
#pragma unroll
          for (int i = 0; i < group; i++) so_far *= v[i];
        } else {
          so_far = joined(f, so_far, static_cast<double>(all));
        }
      }
    } else {
      for (int i = 0; i < group; i++)
        if (i < here) so_far = joined(f, so_far, static_cast<double>(v[i]));
    }
  }
  if (f == griddle_fold_add) so_far += static_cast<double>(sum);
  finish_fold(f, so_far, partials, arrivals, answer);
}

__global__ void __launch_bounds__(threads)
    count_kernel(const uint4* mask, std::uint64_t length, double* partials, std::uint32_t* arrivals, double* answer) {
  const std::uint64_t quads = (length + 127) / 128;
  std::uint64_t count = 0;
  for (std::uint64_t q = static_cast<std::uint64_t>(blockIdx.x) * threads + threadIdx.x; q < quads;
       q += static_cast<std::uint64_t>(gridDim.x) * threads) {
    const uint4 w = mask[q];
    if (q + 1 < quads || length % 128 == 0) {
      count += __popc(w.x) + __popc(w.y) + __popc(w.z) + __popc(w.w);
    } else {
      const std::uint32_t words[4] = {w.x, w.y, w.z, w.w};
      const std::uint32_t left = static_cast<std::uint32_t>(length - q * 128);
#pragma unroll
      for (std::uint32_t i = 0; i < 4; i++)
        if (left >= i * 32 + 32)
          count += __popc(words[i]);
        else if (left > i * 32)
          count += __popc(words[i] & ((1u << (left - i * 32)) - 1));
    }
  }
  finish_fold(griddle_fold_add, static_cast<double>(count), partials, arrivals, answer);
}

std::uint32_t resident_blocks(const griddle_device& d, std::uint64_t places) {
  return blocks_for(places, threads * group, static_cast<std::uint32_t>(d.multiprocessors) * 8);
}

bool is_spread(const griddle_chain& chain) {
  for (std::uint32_t i = 0; i < chain.input_count; i++)
    if (chain.input_each[i] != 1 || chain.input_period[i] != 0) return true;
  return false;
}

template <class V, bool spread>
void start_map(const griddle_device& d, const griddle_chain& chain, void* out, std::uint64_t length) {
  map_kernel<V, spread><<<resident_blocks(d, length), threads, 0, d.stream>>>(chain, out, length);
}
template <class V, bool spread>
void start_fold(const griddle_device& d, const griddle_chain& chain, griddle_fold f, std::uint64_t length) {
  fold_kernel<V, spread>
      <<<resident_blocks(d, length), threads, 0, d.stream>>>(chain, f, length, d.partials, d.arrivals, d.answer);
}

}  // namespace

griddle_status map(griddle_device* d, const griddle_chain* chain, void* out, uint64_t length) {
  const bool spread = is_spread(*chain);
  const auto start = chain->in_i32 ? (spread ? start_map<std::int32_t, true> : start_map<std::int32_t, false>)
                                   : (spread ? start_map<double, true> : start_map<double, false>);
  start(*d, *chain, out, length);
  return launched(*d);
}

griddle_status fold(griddle_device* d, const griddle_chain* chain, griddle_fold f, uint64_t length, double* result) {
  const bool spread = is_spread(*chain);
  const auto start = chain->in_i32 ? (spread ? start_fold<std::int32_t, true> : start_fold<std::int32_t, false>)
                                   : (spread ? start_fold<double, true> : start_fold<double, false>);
  start(*d, *chain, f, length);
  const griddle_status s = launched(*d);
  return s == griddle_done ? take_answer(*d, result) : s;
}

griddle_status count_bits(griddle_device* d, const void* mask, uint64_t length, uint64_t* count) {
  const std::uint32_t blocks = blocks_for(length, threads * 128 * 4, static_cast<std::uint32_t>(d->multiprocessors) * 8);
  count_kernel<<<blocks, threads, 0, d->stream>>>(static_cast<const uint4*>(mask), length, d->partials, d->arrivals, d->answer);
  griddle_status s = launched(*d);
  double answer = 0;
  if (s == griddle_done) s = take_answer(*d, &answer);
  *count = static_cast<uint64_t>(answer);
  return s;
}

}  // namespace griddle::cuda
