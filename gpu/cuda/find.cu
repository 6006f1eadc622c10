// Find: where a pattern begins. A thread compares at one place, and stops at the first element that differs.
#include "gpu/cuda/device.h"

namespace griddle::cuda {

namespace {

constexpr unsigned threads = 256;

struct Box {
  std::uint32_t axis_count;
  std::uint64_t total;
  std::uint64_t lengths[griddle_most_axes], steps[griddle_most_axes];

  // Gives how far the place is from the first.
  __device__ __forceinline__ std::uint64_t at(std::uint64_t place) const {
    std::uint64_t from = 0;
    for (std::uint32_t a = axis_count; a-- > 1;) {
      const std::uint64_t rest = place / lengths[a];
      from += (place - rest * lengths[a]) * steps[a];
      place = rest;
    }
    return from + place * steps[0];
  }
};

// Leaves axes out that count on where the next one ends.
Box box_of(const griddle_axis* axes, std::uint32_t axis_count) {
  Box b{0, 1, {}, {}};
  for (std::uint32_t a = 0; a < axis_count; a++) {
    const std::uint64_t length = axes[a].length, step = static_cast<std::uint64_t>(axes[a].step);
    b.total *= length;
    if (length == 1) continue;
    if (b.axis_count > 0 && b.steps[b.axis_count - 1] == length * step) {
      b.lengths[b.axis_count - 1] *= length;
      b.steps[b.axis_count - 1] = step;
    } else {
      b.lengths[b.axis_count] = length;
      b.steps[b.axis_count++] = step;
    }
  }
  if (b.axis_count == 0) b.lengths[b.axis_count++] = 1;
  return b;
}

__global__ void __launch_bounds__(threads) beside_kernel(Box pattern, std::uint64_t* beside) {
  for (std::uint64_t k = blockIdx.x * std::uint64_t{threads} + threadIdx.x; k < pattern.total;
       k += gridDim.x * std::uint64_t{threads})
    beside[k] = pattern.at(k);
}

// A warp makes a word of 32 bits.
template <class T>
__global__ void __launch_bounds__(threads) find_kernel(const T* text, Box places, const T* pattern, const std::uint64_t* beside,
                                                       std::uint64_t length, std::uint32_t* out) {
  const T first = pattern[0];
  const std::uint64_t words = (places.total + 31) / 32;
  for (std::uint64_t word = (blockIdx.x * std::uint64_t{threads} + threadIdx.x) / 32; word < words;
       word += gridDim.x * (threads / 32)) {
    const std::uint64_t place = word * 32 + threadIdx.x % 32;
    bool same = place < places.total;
    if (same) {
      const T* here = text + places.at(place);
      same = here[0] == first;
      for (std::uint64_t k = 1; same && k < length; k++) same = here[beside[k]] == pattern[k];
    }
    const std::uint32_t bits = __ballot_sync(0xFFFFFFFF, same);
    if (threadIdx.x % 32 == 0) out[word] = bits;
  }
}

}  // namespace

griddle_status find(griddle_device* d, const griddle_find* f, const void* text, const void* pattern, void* out) {
  const Box places = box_of(f->places, f->axis_count), elements = box_of(f->pattern, f->axis_count);
  Scratch beside(*d, elements.total * sizeof(std::uint64_t));
  if (beside.status() != griddle_done) return beside.status();
  const std::uint32_t most = d->multiprocessors * 16u;
  beside_kernel<<<blocks_for(elements.total, threads, most), threads, 0, d->stream>>>(elements, beside.as<std::uint64_t>());
  return with_number(f->type, [&](auto tag) {
    using T = decltype(tag);
    find_kernel<<<blocks_for(places.total, threads, most), threads, 0, d->stream>>>(
        static_cast<const T*>(text), places, static_cast<const T*>(pattern), beside.as<std::uint64_t>(), elements.total,
        static_cast<std::uint32_t*>(out));
    return launched(*d);
  });
}

}  // namespace griddle::cuda
