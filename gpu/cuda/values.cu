// Tables by value: first places, counts and folds of the elements that have each of some integers as their value or key. Few
// values are gathered in a block's shared memory first, in several copies of the table: neighbouring lanes use different ones, so
// that few values do not make all wait for each other.
#include <cmath>
#include <type_traits>

#include "gpu/cuda/chains/groups.cuh"

namespace griddle::cuda {

namespace {

constexpr unsigned threads = 256;
constexpr std::uint64_t most_counts_in_block = 8192, most_folds_in_block = 4096;

// Gives how many copies of a table fit: a power of two up to 32, or 0 where there is no place for one.
std::uint32_t copies_of(std::uint64_t values, std::uint64_t most) {
  if (values > most) return 0;
  std::uint32_t copies = 1;
  while (copies < 32 && 2 * copies * values <= most) copies *= 2;
  return copies;
}

std::uint32_t grid_for(const griddle_device& d, std::uint64_t items) {
  return blocks_for(items, threads, d.multiprocessors * 16u);
}

// Gives the place of an element in the table; false where it has none.
template <class T>
__device__ __forceinline__ bool place_in_table(T element, std::int64_t low, std::uint64_t values, std::uint64_t& place) {
  if constexpr (std::is_same_v<T, double>) {
    const double at = element - static_cast<double>(low);
    if (!(at >= 0 && at < static_cast<double>(values)) || at != floor(at)) return false;
    place = static_cast<std::uint64_t>(at);
    return true;
  } else {
    place = static_cast<std::uint64_t>(static_cast<std::int64_t>(element) - low);
    return place < values;
  }
}

// Goes through so many places in groups, whole warps together: f takes the first place of a group, and how many there are.
constexpr int group = 8;
template <class F>
__device__ __forceinline__ void for_groups(std::uint64_t length, F f) {
  const std::uint64_t stride = gridDim.x * std::uint64_t{threads} * group;
  for (std::uint64_t warp = (blockIdx.x * std::uint64_t{threads} + threadIdx.x / 32 * 32) * group; warp < length;
       warp += stride) {
    const std::uint64_t at = warp + threadIdx.x % 32 * group;
    f(at, at >= length ? 0 : length - at < group ? static_cast<int>(length - at) : group);
  }
}
// Tells whether all places of all lanes have the same key, as in lists that are in order.
__device__ __forceinline__ bool alike(std::uint64_t key, bool all_mine) {
  const std::uint64_t first = __shfl_sync(0xFFFFFFFF, key, 0);
  return __all_sync(0xFFFFFFFF, all_mine && key == first);
}
constexpr std::uint64_t no_key = ~std::uint64_t{0};

template <class T>
__global__ void __launch_bounds__(threads) fill_kernel(T* to, T with, std::uint64_t length) {
  for (std::uint64_t i = blockIdx.x * std::uint64_t{threads} + threadIdx.x; i < length; i += gridDim.x * std::uint64_t{threads})
    to[i] = with;
}
// Goes through the elements in order, so that most find an earlier place than theirs already written.
template <class T, bool in_block>
__global__ void __launch_bounds__(threads)
    first_kernel(const T* in, std::uint64_t length, std::int64_t low, std::uint64_t values, std::int32_t* table) {
  extern __shared__ std::int32_t here[];
  std::int32_t* const firsts = in_block ? here : table;
  const std::int32_t none = static_cast<std::int32_t>(length);
  if constexpr (in_block) {
    for (std::uint64_t v = threadIdx.x; v < values; v += threads) here[v] = none;
    __syncthreads();
  }
  for_groups(length, [&](std::uint64_t first, int here) {
    T element[group];
    if (here > 0) load_group<T>(element, in, first);
#pragma unroll
    for (int i = 0; i < group; i++) {
      std::uint64_t at;
      if (i >= here || !place_in_table(element[i], low, values, at)) continue;
      const std::int32_t place = static_cast<std::int32_t>(first) + i;
      if (*static_cast<volatile std::int32_t*>(firsts + at) > place) atomicMin(firsts + at, place);
    }
  });
  if constexpr (in_block) {
    __syncthreads();
    for (std::uint64_t v = threadIdx.x; v < values; v += threads)
      if (here[v] != none) atomicMin(table + v, here[v]);
  }
}
template <class T>
__global__ void __launch_bounds__(threads)
    look_up_kernel(const T* in, std::uint64_t count, std::int64_t low, std::uint64_t values, const std::int32_t* table,
                   std::int32_t absent, std::int32_t* out) {
  for_groups(count, [&](std::uint64_t first, int here) {
    T element[group];
    if (here > 0) load_group<T>(element, in, first);
    std::int32_t found[group];
#pragma unroll
    for (int i = 0; i < group; i++) {
      std::uint64_t at;
      found[i] = i < here && place_in_table(element[i], low, values, at) ? table[at] : absent;
    }
    if (here == group) {
      int4* const to = reinterpret_cast<int4*>(out + first);
      to[0] = make_int4(found[0], found[1], found[2], found[3]);
      to[1] = make_int4(found[4], found[5], found[6], found[7]);
    } else {
#pragma unroll
      for (int i = 0; i < group; i++)
        if (i < here) out[first + i] = found[i];
    }
  });
}
template <class T>
__global__ void __launch_bounds__(threads) count_values_kernel(const T* in, std::uint64_t length, std::int64_t low,
                                                               std::uint64_t values, std::uint32_t copies, std::int32_t* counts) {
  extern __shared__ std::int32_t here[];
  for (std::uint64_t v = threadIdx.x; v < values * copies; v += threads) here[v] = 0;
  __syncthreads();
  std::int32_t* to = copies ? here + threadIdx.x % copies : counts;
  const std::uint64_t step = copies ? copies : 1;
  const auto count = [&](std::uint64_t key, int times) {
    if (key != no_key) atomicAdd(to + key * step, times);
  };
  for_groups(length, [&](std::uint64_t at, int here) {
    T element[group];
    if (here > 0) load_group<T>(element, in, at);
    std::uint64_t key = no_key;
    int times = 0;
#pragma unroll
    for (int i = 0; i < group; i++) {
      if (i >= here) continue;
      std::uint64_t next;
      if (!place_in_table(element[i], low, values, next)) next = no_key;
      if (next != key) {
        count(key, times);
        key = next;
        times = 0;
      }
      times++;
    }
    if (!alike(key, times == group))
      count(key, times);
    else if (threadIdx.x % 32 == 0)
      count(key, 32 * group);
  });
  if (copies == 0) return;
  __syncthreads();
  for (std::uint64_t v = threadIdx.x; v < values; v += threads) {
    std::int32_t all = 0;
    for (std::uint32_t c = 0; c < copies; c++) all += here[v * copies + c];
    if (all != 0) atomicAdd(counts + v, all);
  }
}

__device__ __forceinline__ double joined(griddle_fold f, double a, double b) {
  return f == griddle_fold_add ? a + b : f == griddle_fold_minimum ? (a != a || a < b ? a : b) : (a != a || a > b ? a : b);
}
__device__ __forceinline__ void join_atomically(griddle_fold f, double* to, double with) {
  if (f == griddle_fold_add) {
    atomicAdd(to, with);
    return;
  }
  unsigned long long* word = reinterpret_cast<unsigned long long*>(to);
  unsigned long long before = *static_cast<volatile unsigned long long*>(word);
  while (true) {
    const double was = __longlong_as_double(static_cast<long long>(before)), will = joined(f, was, with);
    if (was == will) return;
    const unsigned long long found = atomicCAS(word, before, static_cast<unsigned long long>(__double_as_longlong(will)));
    if (found == before) return;
    before = found;
  }
}
template <class K, class V>
__global__ void __launch_bounds__(threads)
    fold_values_kernel(griddle_fold f, const K* keys, const V* numbers, std::uint64_t length, std::int64_t low,
                       std::uint64_t values, std::uint32_t copies, double identity, double* out) {
  extern __shared__ double folded[];
  for (std::uint64_t v = threadIdx.x; v < values * copies; v += threads) folded[v] = identity;
  __syncthreads();
  double* to = copies ? folded + threadIdx.x % copies : out;
  const std::uint64_t step = copies ? copies : 1;
  const auto join = [&](std::uint64_t key, double number) {
    if (key != no_key) join_atomically(f, to + key * step, number);
  };
  for_groups(length, [&](std::uint64_t at, int here) {
    K keys_here[group];
    V numbers_here[group];
    if (here > 0) {
      load_group<K>(keys_here, keys, at);
      load_group<V>(numbers_here, numbers, at);
    }
    std::uint64_t key = no_key;
    double so_far = identity;
    int times = 0;
#pragma unroll
    for (int i = 0; i < group; i++) {
      if (i >= here) continue;
      std::uint64_t next;
      if (!place_in_table(keys_here[i], low, values, next)) next = no_key;
      if (next != key) {
        join(key, so_far);
        key = next;
        so_far = identity;
        times = 0;
      }
      so_far = joined(f, so_far, static_cast<double>(numbers_here[i]));
      times++;
    }
    if (!alike(key, times == group)) {
      join(key, so_far);
    } else {
      for (int by = 16; by; by /= 2) so_far = joined(f, so_far, __shfl_xor_sync(0xFFFFFFFF, so_far, by));
      if (threadIdx.x % 32 == 0) join(key, so_far);
    }
  });
  if (copies == 0) return;
  __syncthreads();
  for (std::uint64_t v = threadIdx.x; v < values; v += threads) {
    double all = identity;
    for (std::uint32_t c = 0; c < copies; c++) all = joined(f, all, folded[v * copies + c]);
    if (all != identity) join_atomically(f, out + v, all);
  }
}

template <class F>
griddle_status with_integer(griddle_device_type type, F f) {
  switch (type) {
    case griddle_device_i8: return f(std::int8_t{});
    case griddle_device_i16: return f(std::int16_t{});
    case griddle_device_i32: return f(std::int32_t{});
    default: return griddle_unsupported;
  }
}

}  // namespace

griddle_status first_places(griddle_device* d, griddle_device_type type, const void* in, uint64_t length, int64_t low,
                            uint64_t values, int32_t* table) {
  fill_kernel<<<grid_for(*d, values), threads, 0, d->stream>>>(table, static_cast<int32_t>(length), values);
  return with_number(type, [&](auto tag) {
    using T = decltype(tag);
    const T* const elements = static_cast<const T*>(in);
    if (values <= most_counts_in_block)
      first_kernel<T, true>
          <<<blocks_for(length, threads * 16, d->multiprocessors * 7u), threads, values * sizeof(*table), d->stream>>>(
              elements, length, low, values, table);
    else
      first_kernel<T, false><<<grid_for(*d, length), threads, 0, d->stream>>>(elements, length, low, values, table);
    return launched(*d);
  });
}

griddle_status look_up(griddle_device* d, griddle_device_type type, const void* in, uint64_t count, int64_t low, uint64_t values,
                       const int32_t* table, int32_t absent, int32_t* out) {
  return with_number(type, [&](auto tag) {
    using T = decltype(tag);
    look_up_kernel<<<grid_for(*d, count), threads, 0, d->stream>>>(static_cast<const T*>(in), count, low, values, table, absent,
                                                                   out);
    return launched(*d);
  });
}

griddle_status count_values(griddle_device* d, griddle_device_type type, const void* in, uint64_t length, int64_t low,
                            uint64_t values, int32_t* counts) {
  const griddle_status s = status_of(*d, cudaMemsetAsync(counts, 0, values * sizeof(*counts), d->stream));
  if (s != griddle_done) return s;
  const std::uint32_t copies = copies_of(values, most_counts_in_block);
  return with_number(type, [&](auto tag) {
    using T = decltype(tag);
    count_values_kernel<<<blocks_for(length, threads * 16, d->multiprocessors * 7u), threads, values * copies * sizeof(*counts),
                          d->stream>>>(static_cast<const T*>(in), length, low, values, copies, counts);
    return launched(*d);
  });
}

griddle_status fold_values(griddle_device* d, griddle_fold f, griddle_device_type type, const void* keys,
                           griddle_device_type number_type, const void* numbers, uint64_t length, int64_t low, uint64_t values,
                           double* out) {
  if (f == griddle_fold_multiply) return griddle_unsupported;
  const double identity = f == griddle_fold_add ? 0 : f == griddle_fold_minimum ? INFINITY : -INFINITY;
  fill_kernel<<<grid_for(*d, values), threads, 0, d->stream>>>(out, identity, values);
  const std::uint32_t copies = copies_of(values, most_folds_in_block);
  return with_integer(type, [&](auto key) {
    using K = decltype(key);
    const auto run = [&](auto number) {
      using V = decltype(number);
      fold_values_kernel<<<blocks_for(length, threads * 16, d->multiprocessors * 7u), threads, values * copies * sizeof(double),
                           d->stream>>>(f, static_cast<const K*>(keys), static_cast<const V*>(numbers), length, low, values,
                                        copies, identity, out);
      return launched(*d);
    };
    return number_type == griddle_device_f64 ? run(double{}) : with_integer(number_type, run);
  });
}

}  // namespace griddle::cuda
