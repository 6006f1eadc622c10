// Cells of several elements: what stands for each in search, and whether those that it took for equal are; places of cells, and
// of elements, among sorted ones by bisection.
#include "gpu/cuda/device.h"

namespace griddle::cuda {

namespace {

constexpr unsigned threads = 256;

template <class T>
__device__ __forceinline__ std::uint64_t code_of(T element) {
  if constexpr (std::is_same_v<T, double>)
    return static_cast<std::uint64_t>(__double_as_longlong(element + 0.0));  // both zeros are one number
  else
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(element));
}
__device__ __forceinline__ std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ x >> 32) * 0xD6E8FEB86659FD93;
  x = (x ^ x >> 32) * 0xD6E8FEB86659FD93;
  return x ^ x >> 32;
}
// Gives a double that is a number and not 0, and keeps nearly all bits.
__device__ __forceinline__ double number_from(std::uint64_t bits) {
  constexpr std::uint64_t exponent = std::uint64_t{0x7FF} << 52;
  if ((bits & exponent) == exponent) bits ^= std::uint64_t{1} << 62;
  if ((bits & exponent) == 0) bits ^= std::uint64_t{1} << 52;
  return __longlong_as_double(static_cast<std::int64_t>(bits));
}

// Lets so many neighbouring lanes, a power of two, take a cell together, and so whole warps some cells: f takes the cell, or the
// number of cells where there is none for them.
template <class F>
__device__ __forceinline__ void for_cells(std::uint64_t cells, std::uint32_t lanes, F f) {
  const std::uint64_t at_once = std::uint64_t{gridDim.x} * threads / lanes;
  const std::uint64_t mine = (blockIdx.x * std::uint64_t{threads} + threadIdx.x) / lanes;
  const std::uint64_t of_warp = (blockIdx.x * std::uint64_t{threads} + threadIdx.x / 32 * 32) / lanes;
  for (std::uint64_t done = 0; of_warp + done < cells; done += at_once) f(mine + done < cells ? mine + done : cells);
}

template <class T>
__global__ void __launch_bounds__(threads)
    digest_kernel(const T* in, std::uint64_t cells, std::uint64_t length, std::uint32_t lanes, double* out) {
  const std::uint32_t lane = threadIdx.x % lanes;
  for_cells(cells, lanes, [&](std::uint64_t cell) {
    std::uint64_t sum = 0;
    if (cell < cells)
      for (std::uint64_t i = lane; i < length; i += lanes)
        sum += mixed(code_of(in[cell * length + i]) + (i + 1) * 0x9E3779B97F4A7C15);
    for (std::uint32_t by = lanes / 2; by; by /= 2) sum += __shfl_xor_sync(0xFFFFFFFF, sum, by);
    if (lane == 0 && cell < cells) out[cell] = number_from(mixed(sum));
  });
}

template <class T>
__global__ void __launch_bounds__(threads)
    match_kernel(const T* in, std::uint64_t cells, std::uint64_t length, const T* among, std::uint64_t among_cells,
                 const std::int32_t* at, std::uint32_t lanes, double* differs) {
  const std::uint32_t lane = threadIdx.x % lanes;
  for_cells(cells, lanes, [&](std::uint64_t cell) {
    if (cell >= cells) return;
    const std::uint64_t other = static_cast<std::uint64_t>(at[cell]);
    if (other >= among_cells) return;
    bool same = true;
    for (std::uint64_t i = lane; i < length; i += lanes) same &= in[cell * length + i] == among[other * length + i];
    if (!same) *differs = 1;
  });
}

template <class T>
__global__ void __launch_bounds__(threads)
    bins_kernel(const T* sorted, std::uint64_t length, const T* sought, std::int32_t* out, std::uint64_t count, bool after) {
  for (std::uint64_t i = blockIdx.x * std::uint64_t{threads} + threadIdx.x; i < count; i += gridDim.x * std::uint64_t{threads}) {
    const T key = sought[i];
    std::uint64_t low = 0, high = length;
    while (low < high) {
      const std::uint64_t middle = (low + high) / 2;
      const T other = sorted[middle];
      if (after ? other <= key : other < key)
        low = middle + 1;
      else
        high = middle;
    }
    out[i] = static_cast<std::int32_t>(low);
  }
}

// Below 0, 0 or above, as the first cell comes before the second one, equals it or comes after it.
template <class T>
__device__ __forceinline__ int order_of(const T* a, const T* b, std::uint64_t length, bool descending) {
  for (std::uint64_t i = 0; i < length; i++) {
    const T x = a[i], y = b[i];
    if (x != y) return (x < y) != descending ? -1 : 1;
  }
  return 0;
}
template <class T>
__global__ void __launch_bounds__(threads)
    cell_bins_kernel(const T* sorted, std::uint64_t cells, std::uint64_t length, const T* sought, std::int32_t* out,
                     std::uint64_t count, int most, bool descending) {
  for (std::uint64_t i = blockIdx.x * std::uint64_t{threads} + threadIdx.x; i < count; i += gridDim.x * std::uint64_t{threads}) {
    std::uint64_t low = 0, high = cells;
    while (low < high) {
      const std::uint64_t middle = (low + high) / 2;
      if (order_of(sorted + middle * length, sought + i * length, length, descending) <= most)
        low = middle + 1;
      else
        high = middle;
    }
    out[i] = static_cast<std::int32_t>(low);
  }
}
template <class T>
__global__ void __launch_bounds__(threads)
    in_order_kernel(const T* in, std::uint64_t cells, std::uint64_t length, bool descending, double* wrong) {
  for (std::uint64_t i = 1 + blockIdx.x * std::uint64_t{threads} + threadIdx.x; i < cells;
       i += gridDim.x * std::uint64_t{threads})
    if (order_of(in + (i - 1) * length, in + i * length, length, descending) > 0) *wrong = 1;
}

// As many lanes as leave each four elements.
std::uint32_t lanes_for(std::uint64_t length) {
  std::uint32_t lanes = 1;
  while (lanes < 32 && lanes * 4 < length) lanes *= 2;
  return lanes;
}
std::uint32_t grid_for(const griddle_device& d, std::uint64_t cells, std::uint32_t lanes) {
  return blocks_for(cells * lanes, threads, d.multiprocessors * 16u);
}

}  // namespace

griddle_status digest(griddle_device* d, griddle_device_type type, const void* in, uint64_t cells, uint64_t length, double* out) {
  return with_number(type, [&](auto tag) {
    using T = decltype(tag);
    const std::uint32_t lanes = lanes_for(length);
    digest_kernel<<<grid_for(*d, cells, lanes), threads, 0, d->stream>>>(static_cast<const T*>(in), cells, length, lanes, out);
    return launched(*d);
  });
}

griddle_status match_cells(griddle_device* d, griddle_device_type type, const void* in, uint64_t cells, uint64_t length,
                           const void* among, uint64_t among_cells, const int32_t* at, int* differ) {
  griddle_status s = status_of(*d, cudaMemsetAsync(d->answer, 0, sizeof(double), d->stream));
  if (s != griddle_done) return s;
  s = with_number(type, [&](auto tag) {
    using T = decltype(tag);
    const std::uint32_t lanes = lanes_for(length);
    match_kernel<<<grid_for(*d, cells, lanes), threads, 0, d->stream>>>(
        static_cast<const T*>(in), cells, length, static_cast<const T*>(among), among_cells, at, lanes, d->answer);
    return launched(*d);
  });
  double answer = 0;
  if (s == griddle_done) s = fetch_answer(*d, &answer);
  *differ = answer != 0;
  return s;
}

griddle_status bins(griddle_device* d, griddle_device_type type, const void* sorted, uint64_t cells, uint64_t cell_length,
                    const void* sought, int32_t* out, uint64_t count, int after_equals, int descending) {
  return with_number(type, [&](auto tag) {
    using T = decltype(tag);
    const T* among = static_cast<const T*>(sorted);
    const T* keys = static_cast<const T*>(sought);
    const std::uint32_t blocks = grid_for(*d, count, 1);
    if (cell_length == 1 && !descending)
      bins_kernel<<<blocks, threads, 0, d->stream>>>(among, cells, keys, out, count, after_equals != 0);
    else
      cell_bins_kernel<<<blocks, threads, 0, d->stream>>>(among, cells, cell_length, keys, out, count, after_equals ? 0 : -1,
                                                          descending != 0);
    return launched(*d);
  });
}

griddle_status in_order(griddle_device* d, griddle_device_type type, const void* in, uint64_t cells, uint64_t cell_length,
                        int descending, int* ordered) {
  griddle_status s = status_of(*d, cudaMemsetAsync(d->answer, 0, sizeof(double), d->stream));
  if (s != griddle_done) return s;
  s = with_number(type, [&](auto tag) {
    using T = decltype(tag);
    in_order_kernel<<<grid_for(*d, cells, 1), threads, 0, d->stream>>>(static_cast<const T*>(in), cells, cell_length,
                                                                       descending != 0, d->answer);
    return launched(*d);
  });
  double answer = 0;
  if (s == griddle_done) s = fetch_answer(*d, &answer);
  *ordered = answer == 0;
  return s;
}

}  // namespace griddle::cuda
