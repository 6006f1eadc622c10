// Sorting by CUB's radix sort, and places in a sorted list by bisection.
#include <cub/device/device_radix_sort.cuh>

#include "gpu/cuda/device.h"

namespace griddle::cuda {

namespace {

__global__ void count_up(int32_t* to, uint64_t length) {
  for (uint64_t i = blockIdx.x * uint64_t{256} + threadIdx.x; i < length; i += gridDim.x * uint64_t{256})
    to[i] = static_cast<int32_t>(i);
}

template <class T>
griddle_status sort_keys(griddle_device& d, const T* in, T* out, uint64_t length, bool descending) {
  const auto call = [&](void* scratch, std::size_t& bytes) {
    return descending ? cub::DeviceRadixSort::SortKeysDescending(scratch, bytes, in, out, length, 0, sizeof(T) * 8, d.stream)
                      : cub::DeviceRadixSort::SortKeys(scratch, bytes, in, out, length, 0, sizeof(T) * 8, d.stream);
  };
  std::size_t bytes = 0;
  const griddle_status s = status_of(d, call(nullptr, bytes));
  if (s != griddle_done) return s;
  Scratch scratch(d, bytes);
  if (scratch.status() != griddle_done) return scratch.status();
  return status_of(d, call(scratch.as<void>(), bytes));
}

template <class T>
griddle_status sort_places(griddle_device& d, const T* in, int32_t* order, uint64_t length, bool descending) {
  Scratch places(d, length * sizeof(int32_t)), sorted(d, length * sizeof(T));
  if (places.status() != griddle_done) return places.status();
  if (sorted.status() != griddle_done) return sorted.status();
  count_up<<<blocks_for(length, 256, d.multiprocessors * 16u), 256, 0, d.stream>>>(places.as<int32_t>(), length);
  const auto call = [&](void* scratch, std::size_t& bytes) {
    return descending ? cub::DeviceRadixSort::SortPairsDescending(scratch, bytes, in, sorted.as<T>(), places.as<int32_t>(), order,
                                                                  length, 0, sizeof(T) * 8, d.stream)
                      : cub::DeviceRadixSort::SortPairs(scratch, bytes, in, sorted.as<T>(), places.as<int32_t>(), order, length,
                                                        0, sizeof(T) * 8, d.stream);
  };
  std::size_t bytes = 0;
  const griddle_status s = status_of(d, call(nullptr, bytes));
  if (s != griddle_done) return s;
  Scratch scratch(d, bytes);
  if (scratch.status() != griddle_done) return scratch.status();
  return status_of(d, call(scratch.as<void>(), bytes));
}

template <class T>
__global__ void bins_kernel(const T* sorted, uint64_t length, const T* sought, int32_t* out, uint64_t count, bool after) {
  for (uint64_t i = blockIdx.x * uint64_t{256} + threadIdx.x; i < count; i += gridDim.x * uint64_t{256}) {
    const T key = sought[i];
    uint64_t low = 0, high = length;
    while (low < high) {
      const uint64_t middle = (low + high) / 2;
      const T other = sorted[middle];
      if (after ? other <= key : other < key)
        low = middle + 1;
      else
        high = middle;
    }
    out[i] = static_cast<int32_t>(low);
  }
}

}  // namespace

griddle_status sort(griddle_device* d, griddle_type type, const void* in, void* out, int32_t* order, uint64_t length,
                    int descending) {
  return with_number(type, [&](auto tag) {
    using T = decltype(tag);
    const T* from = static_cast<const T*>(in);
    return order ? sort_places(*d, from, order, length, descending != 0)
                 : sort_keys(*d, from, static_cast<T*>(out), length, descending != 0);
  });
}

griddle_status bins(griddle_device* d, griddle_type type, const void* sorted, uint64_t length, const void* sought, int32_t* out,
                    uint64_t count, int after_equals) {
  return with_number(type, [&](auto tag) {
    using T = decltype(tag);
    bins_kernel<<<blocks_for(count, 256, d->multiprocessors * 16u), 256, 0, d->stream>>>(
        static_cast<const T*>(sorted), length, static_cast<const T*>(sought), out, count, after_equals != 0);
    return launched(*d);
  });
}

}  // namespace griddle::cuda
