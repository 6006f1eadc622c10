// Elements put to places of their own. Places all over an array that no cache holds cost a piece of memory each: there elements
// are first sorted by the leading bits of their places, and then a block at a time puts those of one bucket together in shared
// memory.
#include <bit>
#include <cub/device/device_radix_sort.cuh>

#include "gpu/cuda/buckets/starts.cuh"

namespace griddle::cuda {

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr unsigned threads = 256, bucket_threads = 512;
constexpr u64 bucket_bytes = 65536;               // of elements; three blocks of a multiprocessor have room for them
constexpr u64 sorted_from_bytes = u64{24} << 20;  // of the array, as much as stays in the cache while it is written
constexpr u64 sparse = 16;                        // places of the array for each element that is put there, at most

// Notes that a place is taken; tells whether it was.
__device__ __forceinline__ bool taken(u32* marks, u32 place) {
  const u32 bit = 1u << place % 32;
  return (atomicOr(marks + place / 32, bit) & bit) != 0;
}

template <class T>
__global__ void __launch_bounds__(threads)
    scatter_kernel(const T* in, const std::int32_t* index, T* out, u64 count, u32* marks, int* repeated) {
  bool twice = false;
  for (u64 i = blockIdx.x * u64{threads} + threadIdx.x; i < count; i += gridDim.x * u64{threads}) {
    const u32 at = static_cast<u32>(index[i]);
    out[at] = in[i];
    if (marks) twice |= taken(marks, at);
  }
  if (twice) *repeated = 1;
}

// Looks at some of the places: counts warps whose neighbouring places are not near each other.
constexpr unsigned looks = 256;
__global__ void __launch_bounds__(1024) look_kernel(const std::int32_t* index, u64 count, int near, int* apart) {
  for (u64 look = threadIdx.x / 32; look < looks; look += 32) {
    const int at = index[count / looks * look + threadIdx.x % 32];
    const int span = __reduce_max_sync(0xFFFFFFFF, at) - __reduce_min_sync(0xFFFFFFFF, at);
    if (threadIdx.x % 32 == 0 && span > near) atomicAdd(apart, 1);
  }
}

// What no element is put to stays as it was before.
template <class T>
__global__ void __launch_bounds__(bucket_threads) bucket_kernel(const T* in, const std::int32_t* index, const u32* starts,
                                                                int shift, const T* before, T* out, u64 cells, int* repeated) {
  extern __shared__ __align__(16) char shared[];
  T* const elements = reinterpret_cast<T*>(shared);
  const u32 places = 1u << shift, first = blockIdx.x << shift;
  u32* const marks = reinterpret_cast<u32*>(elements + places);
  for (u32 w = threadIdx.x; w < places / 32; w += bucket_threads) marks[w] = 0;
  __syncthreads();
  bool twice = false;
  for (u32 i = starts[blockIdx.x] + threadIdx.x; i < starts[blockIdx.x + 1]; i += bucket_threads) {
    const u32 at = static_cast<u32>(index[i]) - first;
    elements[at] = in[i];
    twice |= taken(marks, at);
  }
  if (twice) *repeated = 1;
  __syncthreads();
  const u32 here = cells - first < places ? static_cast<u32>(cells - first) : places;
  for (u32 p = threadIdx.x; p < here; p += bucket_threads)
    out[first + p] = before == nullptr || marks[p / 32] >> p % 32 & 1 ? elements[p] : before[first + p];
}

u32 grid_for(const griddle_device& d, u64 items) { return blocks_for(items, threads, d.multiprocessors * 16u); }

griddle_status clear_flag(griddle_device& d) { return status_of(d, cudaMemsetAsync(d.answer, 0, sizeof(double), d.stream)); }

// Tells whether most places lie far from those beside them.
griddle_status look(griddle_device& d, const std::int32_t* index, u64 count, int near, bool& apart) {
  griddle_status s = clear_flag(d);
  if (s != griddle_done) return s;
  look_kernel<<<1, 1024, 0, d.stream>>>(index, count, near, reinterpret_cast<int*>(d.answer));
  s = launched(d);
  double answer = 0;
  if (s == griddle_done) s = fetch_answer(d, &answer);
  int found;
  std::memcpy(&found, &answer, sizeof found);
  apart = found > static_cast<int>(looks / 2);
  return s;
}

// Unsupported where there is no memory to sort in.
template <class T>
griddle_status sorted_scatter(griddle_device& d, const T* before, const T* in, const std::int32_t* index, T* out, u64 count,
                              u64 cells, int* repeated) {
  constexpr int shift = std::bit_width(bucket_bytes / sizeof(T)) - 1;
  constexpr std::size_t shared = bucket_bytes + (1u << shift) / 8;
  const u32 buckets = static_cast<u32>((cells - 1) >> shift) + 1;
  const int end = std::bit_width(cells - 1), length = static_cast<int>(count);
  std::size_t bytes = 0;
  griddle_status s = status_of(d, cub::DeviceRadixSort::SortPairs(nullptr, bytes, index, static_cast<std::int32_t*>(nullptr), in,
                                                                  static_cast<T*>(nullptr), length, shift, end, d.stream));
  if (s != griddle_done) return s;
  const Scratch places(d, count * sizeof(*index)), elements(d, count * sizeof(T)), work(d, bytes),
      starts(d, (buckets + u64{1}) * sizeof(u32));
  for (const Scratch* scratch : {&places, &elements, &work, &starts})
    if (scratch->status() != griddle_done) return griddle_unsupported;
  std::int32_t* const at = places.as<std::int32_t>();
  s = status_of(
      d, cub::DeviceRadixSort::SortPairs(work.as<void>(), bytes, index, at, in, elements.as<T>(), length, shift, end, d.stream));
  if (s == griddle_done)
    s = status_of(d,
                  cudaFuncSetAttribute(bucket_kernel<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared)));
  if (s != griddle_done) return s;
  find_starts(d, at, static_cast<u32>(count), buckets, shift, starts.as<u32>());
  bucket_kernel<T><<<buckets, bucket_threads, shared, d.stream>>>(elements.as<T>(), at, starts.as<u32>(), shift, before, out,
                                                                  cells, repeated);
  return launched(d);
}

template <class T>
griddle_status plain_scatter(griddle_device& d, const T* before, const T* in, const std::int32_t* index, T* out, u64 count,
                             u64 cells, bool marks_places, int* repeated) {
  const u64 mark_bytes = marks_places ? (cells + 31) / 32 * sizeof(u32) : 0;
  const Scratch marks(d, mark_bytes);
  griddle_status s = marks.status();
  if (s == griddle_done && before)
    s = status_of(d, cudaMemcpyAsync(out, before, cells * sizeof(T), cudaMemcpyDeviceToDevice, d.stream));
  if (s == griddle_done && marks_places) s = status_of(d, cudaMemsetAsync(marks.as<void>(), 0, mark_bytes, d.stream));
  if (s != griddle_done) return s;
  scatter_kernel<<<grid_for(d, count), threads, 0, d.stream>>>(in, index, out, count, marks_places ? marks.as<u32>() : nullptr,
                                                               repeated);
  return launched(d);
}

template <class T>
griddle_status scatter_of(griddle_device& d, const T* before, const T* in, const std::int32_t* index, T* out, u64 count,
                          u64 cells, int* repeated) {
  int* const flag = reinterpret_cast<int*>(d.answer);
  bool apart = false;
  griddle_status s = griddle_done;
  if constexpr (sizeof(T) >= 4) {
    constexpr int near = 32 * 256 / sizeof(T);  // a warp's places within 32 pieces of 256 bytes
    if (cells * sizeof(T) >= sorted_from_bytes && count >= cells / sparse && count <= 0x7FFFFFFF)
      s = look(d, index, count, near, apart);
  }
  if (s == griddle_done) s = clear_flag(d);
  if (s != griddle_done) return s;
  s = griddle_unsupported;
  if constexpr (sizeof(T) >= 4)
    if (apart) s = sorted_scatter(d, before, in, index, out, count, cells, flag);
  if (s == griddle_unsupported) s = plain_scatter(d, before, in, index, out, count, cells, repeated != nullptr, flag);
  return s == griddle_done && repeated ? take_flag(d, repeated) : s;
}

}  // namespace

griddle_status scatter(griddle_device* d, uint32_t width, const void* before, const void* in, const int32_t* index, void* out,
                       uint64_t count, uint64_t cells, int* repeated) {
  return with_width(width, [&](auto unit) {
    using T = decltype(unit);
    return scatter_of(*d, static_cast<const T*>(before), static_cast<const T*>(in), index, static_cast<T*>(out), count, cells,
                      repeated);
  });
}

}  // namespace griddle::cuda
