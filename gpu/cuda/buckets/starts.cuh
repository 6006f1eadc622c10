// Sorted keys whose leading bits name buckets: where each bucket begins.
#pragma once

#include "gpu/cuda/device.h"

namespace griddle::cuda {

constexpr unsigned starts_threads = 256;

// Finds where each of so many buckets begins; the last is the end of all. Only bits from `shift` on need be in order.
template <class K>
__global__ void __launch_bounds__(starts_threads)
    starts_kernel(const K* sorted, std::uint32_t count, std::uint32_t buckets, int shift, std::uint32_t* starts) {
  const std::uint32_t bucket = blockIdx.x * starts_threads + threadIdx.x;
  if (bucket > buckets) return;
  std::uint32_t low = 0, high = count;
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (static_cast<std::uint32_t>(sorted[middle] >> shift) < bucket)
      low = middle + 1;
    else
      high = middle;
  }
  starts[bucket] = low;
}
template <class K>
void find_starts(griddle_device& d, const K* sorted, std::uint32_t count, std::uint32_t buckets, int shift,
                 std::uint32_t* starts) {
  starts_kernel<<<buckets / starts_threads + 1, starts_threads, 0, d.stream>>>(sorted, count, buckets, shift, starts);
}

}  // namespace griddle::cuda
