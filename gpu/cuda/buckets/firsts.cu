// Equal elements and the first of them. Elements are put into buckets by leading bits that follow from all of an element's, and a
// block at a time finds the first place of each value of a bucket by a table in shared memory.
#include <algorithm>
#include <bit>

#include "gpu/cuda/buckets/starts.cuh"

namespace griddle::cuda {

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr unsigned threads = 256;
constexpr u32 slots = 4096, most_in_bucket = 2048;  // on average
constexpr u32 most_probes = 256;                    // before a table is taken to be too full for a value
constexpr u32 none = ~u32{0};                       // where places are expected

// Gives another number for each number, in which every bit depends on all (the last steps of MurmurHash3).
__device__ __forceinline__ u32 mixed(u32 x) {
  x = (x ^ x >> 16) * 0x85EBCA6B;
  x = (x ^ x >> 13) * 0xC2B2AE35;
  return x ^ x >> 16;
}
__device__ __forceinline__ u64 mixed(u64 x) {
  x = (x ^ x >> 33) * 0xFF51AFD7ED558CCD;
  x = (x ^ x >> 33) * 0xC4CEB9FE1A85EC53;
  return x ^ x >> 33;
}

template <class K>
__global__ void __launch_bounds__(threads) mix_kernel(const K* in, K* keys, std::int32_t* places, u32 length) {
  for (u32 i = blockIdx.x * threads + threadIdx.x; i < length; i += gridDim.x * threads) {
    keys[i] = mixed(in[i]);
    places[i] = static_cast<std::int32_t>(i);
  }
}

__device__ __forceinline__ u32 take_slot(u32* slot, u32 empty, u32 key) { return atomicCAS(slot, empty, key); }
__device__ __forceinline__ u64 take_slot(u64* slot, u64 empty, u64 key) {
  return atomicCAS(reinterpret_cast<unsigned long long*>(slot), empty, key);
}

// Values of a bucket with the first place of each.
template <class K>
struct Table {
  K* keys;
  u32* firsts;
  K empty;

  __device__ __forceinline__ void clear() const {
    for (u32 s = threadIdx.x; s < slots; s += threads) keys[s] = empty, firsts[s] = none;
  }
  // Tells whether there was room: for all elements of a value or for none, since no slot becomes free.
  __device__ __forceinline__ bool put(K key, u32 place) const {
    u32 s = static_cast<u32>(key) % slots;
    for (u32 probe = 0; probe < most_probes; probe++, s = (s + 1) % slots) {
      K there = *const_cast<volatile K*>(keys + s);
      if (there == empty) there = take_slot(keys + s, empty, key);
      if (there != empty && there != key) continue;
      if (*const_cast<volatile u32*>(firsts + s) > place) atomicMin(firsts + s, place);
      return true;
    }
    return false;
  }
  // Gives the first place of a value; none where it is not in the table.
  __device__ __forceinline__ u32 first(K key) const {
    u32 s = static_cast<u32>(key) % slots;
    for (u32 probe = 0; probe < most_probes; probe++, s = (s + 1) % slots)
      if (keys[s] == key) return firsts[s];
    return none;
  }
};

// Marks the first places of a bucket's values, or gives for each element the first place of its value. Where not all values fit
// into the table, those that do are dealt with, then some of the others; of elements that wait meanwhile `firsts` is none, and
// where places are marked `places` is none of those that do not.
template <class K, bool marks_firsts>
__global__ void __launch_bounds__(threads)
    firsts_kernel(const K* keys, u32* places, const u32* starts, int bucket_bits, u32* marks, u32* firsts) {
  extern __shared__ __align__(16) char shared[];
  __shared__ bool full;
  K* const room = reinterpret_cast<K*>(shared);
  const K other_bucket = static_cast<K>(~(static_cast<K>(blockIdx.x) << (8 * sizeof(K) - bucket_bits)));
  const Table<K> table{room, reinterpret_cast<u32*>(room + slots), other_bucket};
  const u32 begin = starts[blockIdx.x], end = starts[blockIdx.x + 1];
  bool again = false;
  do {
    table.clear();
    if (threadIdx.x == 0) full = false;
    __syncthreads();
    for (u32 i = begin + threadIdx.x; i < end; i += threads) {
      const u32 place = places[i];
      const bool waits = marks_firsts ? place != none : !again || firsts[i] == none;
      if (waits && !table.put(keys[i], place)) full = true;
    }
    __syncthreads();
    const bool first_time = !again;
    again = full;
    if constexpr (marks_firsts) {
      for (u32 s = threadIdx.x; s < slots; s += threads)
        if (const u32 place = table.firsts[s]; place != none) atomicOr(marks + place / 32, 1u << place % 32);
      if (again)
        for (u32 i = begin + threadIdx.x; i < end; i += threads)
          if (table.first(keys[i]) != none) places[i] = none;
    } else {
      for (u32 i = begin + threadIdx.x; i < end; i += threads)
        if (first_time || firsts[i] == none) firsts[i] = table.first(keys[i]);
    }
    __syncthreads();
  } while (again);
}

template <class K, bool marks_firsts>
griddle_status firsts_of(griddle_device& d, const K* in, u32* marks, std::int32_t* places, std::int32_t* firsts, u32 length) {
  constexpr int width = 8 * sizeof(K);
  constexpr std::size_t shared = slots * (sizeof(K) + sizeof(u32));
  const int bucket_bits = std::max<int>(1, std::bit_width(length / most_in_bucket));
  const u32 buckets = u32{1} << bucket_bits;
  const Scratch mixed(d, length * sizeof(K)), keys(d, length * sizeof(K)), all(d, length * sizeof(std::int32_t)),
      starts(d, (buckets + u64{1}) * sizeof(u32));
  for (const Scratch* scratch : {&mixed, &keys, &all, &starts})
    if (scratch->status() != griddle_done) return scratch->status();
  mix_kernel<<<blocks_for(length, threads, d.multiprocessors * 16u), threads, 0, d.stream>>>(in, mixed.as<K>(),
                                                                                             all.as<std::int32_t>(), length);
  griddle_status s =
      sort_pairs(d, mixed.as<K>(), keys.as<K>(), all.as<std::int32_t>(), places, length, width - bucket_bits, width);
  const auto kernel = firsts_kernel<K, marks_firsts>;
  if (s == griddle_done)
    s = status_of(d, cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared)));
  if (s != griddle_done) return s;
  find_starts(d, keys.as<K>(), length, buckets, width - bucket_bits, starts.as<u32>());
  kernel<<<buckets, threads, shared, d.stream>>>(keys.as<K>(), reinterpret_cast<u32*>(places), starts.as<u32>(), bucket_bits,
                                                 marks, reinterpret_cast<u32*>(firsts));
  return launched(d);
}

template <class K>
griddle_status firsts_in(griddle_device& d, const void* in, void* marks, std::int32_t* places, std::int32_t* firsts, u64 length) {
  if (length > 0x7FFFFFFF) return griddle_unsupported;
  const K* const elements = static_cast<const K*>(in);
  if (marks == nullptr) return firsts_of<K, false>(d, elements, nullptr, places, firsts, static_cast<u32>(length));
  const Scratch order(d, length * sizeof(std::int32_t));
  if (order.status() != griddle_done) return order.status();
  const griddle_status s = status_of(d, cudaMemsetAsync(marks, 0, (length + 31) / 32 * sizeof(u32), d.stream));
  return s != griddle_done ? s
                           : firsts_of<K, true>(d, elements, static_cast<u32*>(marks), order.as<std::int32_t>(), nullptr,
                                                static_cast<u32>(length));
}

}  // namespace

griddle_status first_equals(griddle_device* d, uint32_t width, const void* in, void* marks, int32_t* places, int32_t* firsts,
                            uint64_t length) {
  if (width == 4) return firsts_in<u32>(*d, in, marks, places, firsts, length);
  return width == 8 ? firsts_in<u64>(*d, in, marks, places, firsts, length) : griddle_unsupported;
}

}  // namespace griddle::cuda
