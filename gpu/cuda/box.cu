// Elements chosen axis by axis: reversal, rotation, pieces, windows, repetition; transposition where nothing is gained by tiles.
#include <type_traits>

#include "gpu/cuda/chains/groups.cuh"
#include "gpu/cuda/device.h"

namespace griddle::cuda {

namespace {

constexpr unsigned threads = 256;

// A box whose axes are known when the kernel is compiled, the last first. I holds every place of the result.
template <class I, int axes>
struct Box {
  I length[axes];
  std::int64_t step[axes], first[axes], limit[axes];
  std::int64_t from;
  bool fills;
};

// Walks through the places of a box.
template <class I, int axes>
struct Walk {
  I index[axes];
  __device__ Walk(const Box<I, axes>& box, I place) {
#pragma unroll
    for (int a = 0; a < axes; a++) {
      if (a == axes - 1) {
        index[a] = place;
      } else {
        const I next = place / box.length[a];
        index[a] = place - next * box.length[a];
        place = next;
      }
    }
  }
  // Gives the place of the source; `outside` where there is none.
  __device__ std::int64_t source(const Box<I, axes>& box, bool& outside) const {
    std::int64_t at = box.from;
#pragma unroll
    for (int a = 0; a < axes; a++) {
      std::int64_t place = static_cast<std::int64_t>(index[a]);
      if (box.limit[a] != 0) {
        place += box.first[a];
        if (box.fills)
          outside |= static_cast<std::uint64_t>(place) >= static_cast<std::uint64_t>(box.limit[a]);
        else if (place >= box.limit[a])
          place -= box.limit[a];
      }
      at += place * box.step[a];
    }
    return at;
  }
  // Tells whether so many places from here on, of `rest` that are left, are neighbours in the source, up or down.
  __device__ bool has_run(const Box<I, axes>& box, I rest, int count) const {
    if ((box.step[0] != 1 && box.step[0] != -1) || (axes == 1 ? rest : box.length[0] - index[0]) < static_cast<I>(count))
      return false;
    if (box.limit[0] == 0) return true;
    const std::int64_t first = static_cast<std::int64_t>(index[0]) + box.first[0];
    return first >= 0 && (first + count <= box.limit[0] || (!box.fills && first >= box.limit[0]));
  }
  __device__ void advance(const Box<I, axes>& box) {
#pragma unroll
    for (int a = 0; a < axes; a++) {
      if (++index[a] < box.length[a] || a == axes - 1) return;
      index[a] = 0;
    }
  }
};

template <class T>
struct alignas(16) Chunk {
  T of[16 / sizeof(T)];
};

// Reverses elements of so many bits in four words.
template <int bits>
__device__ __forceinline__ void reverse(std::uint32_t (&words)[4]) {
  const auto turned = [](std::uint32_t w) {
    return bits == 1 ? __brev(w) : bits == 8 ? __byte_perm(w, 0, 0x0123) : bits == 16 ? __byte_perm(w, 0, 0x1032) : w;
  };
  const std::uint32_t a = turned(words[0]), b = turned(words[1]), c = turned(words[2]), d = turned(words[3]);
  words[0] = bits == 64 ? c : d;
  words[1] = bits == 64 ? d : c;
  words[2] = bits == 64 ? a : b;
  words[3] = bits == 64 ? b : a;
}

// A thread makes 16 bytes of the result, at once where they are neighbours in the source. Past the end the padding has the fill.
template <class T, class I, int axes>
__global__ void __launch_bounds__(threads)
    box_kernel(const __grid_constant__ Box<I, axes> box, const T* in, T* out, I length, T fill) {
  constexpr int items = 16 / sizeof(T);
  const I chunks = (length + items - 1) / items;
  for (I c = blockIdx.x * I{threads} + threadIdx.x; c < chunks; c += gridDim.x * I{threads}) {
    Walk<I, axes> walk(box, c * items);
    const int here = length - c * items < items ? static_cast<int>(length - c * items) : items;
    Chunk<T> chunk;
    bool outside = here < items;
    if (!outside && walk.has_run(box, length - c * items, items)) {
      const std::int64_t at = walk.source(box, outside);
      if (!outside) {
        const bool down = box.step[0] < 0;
        std::uint32_t words[4];
        load_words_of<sizeof(T)>(words, in + (down ? at - (items - 1) : at));
        if (down) reverse<sizeof(T) * 8>(words);
        reinterpret_cast<uint4*>(out)[c] = make_uint4(words[0], words[1], words[2], words[3]);
        continue;
      }
    }
#pragma unroll
    for (int i = 0; i < items; i++) {
      bool no_place = i >= here;
      const std::int64_t at = walk.source(box, no_place);
      chunk.of[i] = no_place ? fill : in[at];
      walk.advance(box);
    }
    reinterpret_cast<Chunk<T>*>(out)[c] = chunk;
  }
}
// The same of bits: of four words a thread.
template <class I, int axes>
__global__ void __launch_bounds__(threads)
    box_bits_kernel(const __grid_constant__ Box<I, axes> box, const std::uint32_t* in, std::uint32_t* out, I length, bool fill) {
  constexpr int items = 128;
  const I chunks = (length + items - 1) / items;
  for (I c = blockIdx.x * I{threads} + threadIdx.x; c < chunks; c += gridDim.x * I{threads}) {
    Walk<I, axes> walk(box, c * items);
    const int here = length - c * items < items ? static_cast<int>(length - c * items) : items;
    std::uint32_t words[4];
    if (here == items && walk.has_run(box, length - c * items, items)) {
      bool outside = false;
      const std::int64_t at = walk.source(box, outside);
      const bool down = box.step[0] < 0;
      if (outside) {
        words[0] = words[1] = words[2] = words[3] = fill ? ~0u : 0u;
      } else {
        load_bit_words(words, in, down ? at - (items - 1) : at);
        if (down) reverse<1>(words);
      }
      reinterpret_cast<uint4*>(out)[c] = make_uint4(words[0], words[1], words[2], words[3]);
      continue;
    }
    for (int w = 0; w * 32 < here; w++) {
      std::uint32_t bits = 0;
      const int count = here - w * 32 < 32 ? here - w * 32 : 32;
      if (count == 32 && walk.has_run(box, length - c * items - w * 32, 32)) {
        bool outside = false;
        const std::int64_t at = walk.source(box, outside);
        std::uint32_t word[1] = {fill ? ~0u : 0u};
        if (!outside) load_bit_words(word, in, box.step[0] < 0 ? at - 31 : at);
        out[c * 4 + w] = !outside && box.step[0] < 0 ? __brev(word[0]) : word[0];
        for (int i = 0; i < 32; i++) walk.advance(box);
        continue;
      }
#pragma unroll 4
      for (int i = 0; i < count; i++) {
        bool outside = false;
        const std::int64_t at = walk.source(box, outside);
        bits |= (outside ? static_cast<std::uint32_t>(fill) : in[at >> 5] >> (at & 31) & 1) << i;
        walk.advance(box);
      }
      out[c * 4 + w] = bits;
    }
  }
}

template <class I, int axes>
griddle_status run_box(griddle_device& d, const griddle_box& b, const void* in, void* out, std::uint64_t length) {
  Box<I, axes> box;
  for (int a = 0; a < axes; a++) {
    const bool there = a < static_cast<int>(b.axis_count);
    const griddle_axis axis = there ? b.axes[b.axis_count - 1 - a] : griddle_axis{1, 0, 0, 0};
    box.length[a] = static_cast<I>(axis.length);
    box.step[a] = axis.step;
    box.first[a] = axis.first;
    box.limit[a] = static_cast<std::int64_t>(axis.limit);
  }
  box.from = b.from;
  box.fills = b.fills != 0;
  const I n = static_cast<I>(length);
  const std::uint32_t most = d.multiprocessors * 16u;
  if (b.bits_wide == 1) {
    box_bits_kernel<<<blocks_for(length, threads * 128, most), threads, 0, d.stream>>>(
        box, static_cast<const std::uint32_t*>(in), static_cast<std::uint32_t*>(out), n, b.fill != 0);
    return launched(d);
  }
  return with_width(b.bits_wide / 8, [&](auto unit) {
    using T = decltype(unit);
    box_kernel<T><<<blocks_for(length, threads * 16 / sizeof(T), most), threads, 0, d.stream>>>(
        box, static_cast<const T*>(in), static_cast<T*>(out), n, static_cast<T>(b.fill));
    return launched(d);
  });
}
template <class I>
griddle_status box_of(griddle_device& d, const griddle_box& b, const void* in, void* out, std::uint64_t length) {
  switch (b.axis_count) {
    case 1: return run_box<I, 1>(d, b, in, out, length);
    case 2: return run_box<I, 2>(d, b, in, out, length);
    case 3: return run_box<I, 3>(d, b, in, out, length);
    default: return run_box<I, griddle_most_axes>(d, b, in, out, length);
  }
}

}  // namespace

griddle_status box(griddle_device* d, const griddle_box* b, const void* in, void* out) {
  std::uint64_t length = 1;
  for (std::uint32_t a = 0; a < b->axis_count; a++) length *= b->axes[a].length;
  if (const griddle_status s = transpose(*d, *b, in, out); s != griddle_unsupported) return s;
  return length < 0xF0000000 ? box_of<std::uint32_t>(*d, *b, in, out, length) : box_of<std::uint64_t>(*d, *b, in, out, length);
}

}  // namespace griddle::cuda
