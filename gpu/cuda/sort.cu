// Sorting by CUB's radix sort.
#include <cub/device/device_radix_sort.cuh>

#include <type_traits>

#include "gpu/cuda/device.h"

namespace griddle::cuda {

namespace {

__global__ void count_up(int32_t* to, uint64_t length) {
  for (uint64_t i = blockIdx.x * uint64_t{256} + threadIdx.x; i < length; i += gridDim.x * uint64_t{256})
    to[i] = static_cast<int32_t>(i);
}

// CUB's sort takes long to compile: it is compiled for i32 and doubles going up, and everything else is sorted as unsigned
// numbers of 32 or 64 bits that are in the same order, or, for a descending sort, in the opposite one. It is faster with places
// of 32 bits.
template <class T>
using Ordered = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;

template <class T>
__device__ Ordered<T> to_ordered(T v, bool descending) {
  Ordered<T> key;
  if constexpr (std::is_same_v<T, double>) {
    const int64_t bits = __double_as_longlong(v);
    key = static_cast<uint64_t>(bits) ^ (static_cast<uint64_t>(bits >> 63) | uint64_t{1} << 63);
  } else if constexpr (std::is_signed_v<T>) {
    key = static_cast<std::make_unsigned_t<T>>(v) ^ (uint32_t{1} << (8 * sizeof(T) - 1));
  } else {
    key = v;
  }
  constexpr Ordered<T> all = sizeof(T) >= 4 ? ~Ordered<T>{0} : (Ordered<T>{1} << (8 * sizeof(T) % 64)) - 1;
  return descending ? key ^ all : key;
}
template <class T>
__device__ T from_ordered(Ordered<T> key, bool descending) {
  if (descending) key = ~key;
  if constexpr (std::is_same_v<T, double>) {
    const uint64_t bits = key >> 63 ? key ^ uint64_t { 1 } << 63 : ~key;
    return __longlong_as_double(static_cast<int64_t>(bits));
  } else if constexpr (std::is_signed_v<T>) {
    return static_cast<T>(key ^ (uint32_t{1} << (8 * sizeof(T) - 1)));
  } else {
    return static_cast<T>(key);
  }
}
template <class T>
__global__ void order_keys(const T* in, Ordered<T>* out, uint64_t length, bool descending) {
  for (uint64_t i = blockIdx.x * uint64_t{256} + threadIdx.x; i < length; i += gridDim.x * uint64_t{256})
    out[i] = to_ordered(in[i], descending);
}
template <class T>
__global__ void restore_keys(const Ordered<T>* in, T* out, uint64_t length, bool descending) {
  for (uint64_t i = blockIdx.x * uint64_t{256} + threadIdx.x; i < length; i += gridDim.x * uint64_t{256})
    out[i] = from_ordered<T>(in[i], descending);
}

template <class Call>
griddle_status with_scratch(griddle_device& d, Call call) {
  std::size_t bytes = 0;
  const griddle_status s = status_of(d, call(nullptr, bytes));
  if (s != griddle_done) return s;
  Scratch scratch(d, bytes);
  if (scratch.status() != griddle_done) return scratch.status();
  return status_of(d, call(scratch.as<void>(), bytes));
}
template <class K>
griddle_status sort_keys(griddle_device& d, const K* in, K* out, uint32_t length, int bits) {
  return with_scratch(d, [&](void* scratch, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortKeys(scratch, bytes, in, out, length, 0, bits, d.stream);
  });
}
}  // namespace

template <class K>
griddle_status sort_pairs(griddle_device& d, const K* in, K* out, const int32_t* places, int32_t* order, uint32_t length,
                          int first_bit, int end_bit) {
  return with_scratch(d, [&](void* scratch, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(scratch, bytes, in, out, places, order, length, first_bit, end_bit, d.stream);
  });
}
template griddle_status sort_pairs(griddle_device&, const uint32_t*, uint32_t*, const int32_t*, int32_t*, uint32_t, int, int);
template griddle_status sort_pairs(griddle_device&, const uint64_t*, uint64_t*, const int32_t*, int32_t*, uint32_t, int, int);

namespace {

// Writes the sorted elements to `out`, or where `order` is not null their places there.
template <class T>
griddle_status sort_elements(griddle_device& d, const T* in, T* out, int32_t* order, uint64_t whole_length, bool descending) {
  if (whole_length > ~uint32_t{0}) return griddle_unsupported;
  const uint32_t length = static_cast<uint32_t>(whole_length);
  const uint32_t blocks = blocks_for(length, 256, d.multiprocessors * 16u);
  Scratch places(d, order ? length * sizeof(int32_t) : 0);
  if (places.status() != griddle_done) return places.status();
  if (order) count_up<<<blocks, 256, 0, d.stream>>>(places.as<int32_t>(), length);
  constexpr int bits = 8 * sizeof(T);
  // What CUB need not be told how to order takes no passes of its own.
  if constexpr (std::is_same_v<T, std::int32_t> || std::is_same_v<T, double>) {
    if (!descending && order == nullptr) return sort_keys(d, in, out, length, bits);
    if (!descending) {
      Scratch sorted(d, length * sizeof(T));
      if (sorted.status() != griddle_done) return sorted.status();
      return sort_pairs(d, in, sorted.as<T>(), places.as<int32_t>(), order, length, 0, bits);
    }
  }
  using K = Ordered<T>;
  Scratch keys(d, length * sizeof(K)), sorted(d, length * sizeof(K));
  if (keys.status() != griddle_done) return keys.status();
  if (sorted.status() != griddle_done) return sorted.status();
  order_keys<T><<<blocks, 256, 0, d.stream>>>(in, keys.as<K>(), length, descending);
  if (order) return sort_pairs<K>(d, keys.as<K>(), sorted.as<K>(), places.as<int32_t>(), order, length, 0, bits);
  const griddle_status s = sort_keys<K>(d, keys.as<K>(), sorted.as<K>(), length, bits);
  if (s != griddle_done) return s;
  restore_keys<T><<<blocks, 256, 0, d.stream>>>(sorted.as<K>(), out, length, descending);
  return launched(d);
}

}  // namespace

griddle_status sort(griddle_device* d, griddle_device_type type, const void* in, void* out, int32_t* order, uint64_t length,
                    int descending) {
  return with_number(type, [&](auto tag) {
    using T = decltype(tag);
    return sort_elements(*d, static_cast<const T*>(in), static_cast<T*>(out), order, length, descending != 0);
  });
}

}  // namespace griddle::cuda
