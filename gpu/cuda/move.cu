// Moving elements: pieces, repetition, gathering by index.
#include <type_traits>

#include "gpu/cuda/chains/groups.cuh"
#include "gpu/cuda/device.h"

namespace griddle::cuda {

namespace {

constexpr unsigned threads = 256;

std::uint32_t grid_for(const griddle_device& d, uint64_t items) { return blocks_for(items, threads, d.multiprocessors * 16u); }

template <class F>
__global__ void __launch_bounds__(threads) for_each(uint64_t count, F f) {
  for (uint64_t i = blockIdx.x * uint64_t{threads} + threadIdx.x; i < count; i += gridDim.x * uint64_t{threads}) f(i);
}
template <class F>
griddle_status each(griddle_device& d, uint64_t count, F f) {
  if (count == 0) return griddle_done;
  for_each<<<grid_for(d, count), threads, 0, d.stream>>>(count, f);
  return launched(d);
}

__device__ __forceinline__ std::uint32_t bit_at(const std::uint32_t* words, int64_t i) { return words[i >> 5] >> (i & 31) & 1; }

// Makes words of packed bits: `get` gives the bit for each place. Words that the range does not fill keep their other bits.
template <class F>
griddle_status each_bit(griddle_device& d, std::uint32_t* out, int64_t to, uint64_t count, F get) {
  if (count == 0) return griddle_done;
  const int64_t first = to / 32, last = (to + static_cast<int64_t>(count) - 1) / 32;
  const int64_t end = to + static_cast<int64_t>(count);
  return each(d, static_cast<uint64_t>(last - first + 1), [=] __device__(uint64_t w) {
    const int64_t base = (first + static_cast<int64_t>(w)) * 32;
    std::uint32_t mask = 0, bits = 0;
    for (int b = 0; b < 32; b++) {
      const int64_t place = base + b;
      if (place < to || place >= end) continue;
      mask |= 1u << b;
      bits |= get(place - to) << b;
    }
    std::uint32_t* at = out + base / 32;
    *at = mask == 0xFFFFFFFF ? bits : (*at & ~mask) | bits;
  });
}

// Copies bits that lie together: four words a thread, of five that hold them. `from` is what place `to` takes.
__global__ void __launch_bounds__(threads)
    move_bits(const std::uint32_t* in, int64_t from, std::uint32_t* out, int64_t to, int64_t end) {
  const int64_t first = (to / 128 + blockIdx.x * int64_t{threads} + threadIdx.x) * 4;  // of the words
  const int shift = static_cast<int>((from - to) & 31);
  const int64_t apart = (from - to) >> 5;
  if (first * 32 >= end) return;
  if (first * 32 >= to && first * 32 + 128 <= end) {
    const std::uint32_t* const word = in + first + apart;
    const std::uint32_t a = word[0], b = word[1], c = word[2], d = word[3], e = shift != 0 ? word[4] : 0;
    reinterpret_cast<uint4*>(out)[first / 4] = make_uint4(__funnelshift_r(a, b, shift), __funnelshift_r(b, c, shift),
                                                          __funnelshift_r(c, d, shift), __funnelshift_r(d, e, shift));
    return;
  }
  for (int64_t w = first; w < first + 4; w++) {
    const int64_t begin = w * 32 < to ? to - w * 32 : 0, behind = end - w * 32 < 32 ? end - w * 32 : 32;
    if (begin >= behind) continue;
    std::uint32_t bits = 0, mask = 0;
    for (int64_t b = begin; b < behind; b++) {
      bits |= bit_at(in, w * 32 + b + from - to) << b;
      mask |= 1u << b;
    }
    out[w] = (out[w] & ~mask) | bits;
  }
}

// Copies bytes that lie together, where they come to lie otherwise in their 16: a thread makes 16 of the target.
__global__ void __launch_bounds__(threads) move_bytes(const char* in, char* out, uint64_t count) {
  const int64_t ahead = static_cast<int64_t>(reinterpret_cast<std::uintptr_t>(out) % 16);
  const int64_t end = static_cast<int64_t>(count), stride = gridDim.x * int64_t{threads} * 16;
  for (int64_t at = (blockIdx.x * int64_t{threads} + threadIdx.x) * 16 - ahead; at < end; at += stride) {
    if (at >= 0 && at + 16 <= end) {
      std::uint32_t words[4];
      load_words_of<1>(words, in + at);
      *reinterpret_cast<uint4*>(out + at) = make_uint4(words[0], words[1], words[2], words[3]);
    } else {
      for (int64_t i = at < 0 ? 0 : at; i < at + 16 && i < end; i++) out[i] = in[i];
    }
  }
}

// Gives the place that an index of so many cells means, held in a P that holds all places.
template <class P, class I>
__device__ __forceinline__ int64_t place_of(I index, uint64_t cells, bool& bad) {
  P i = static_cast<P>(index);
  if constexpr (std::is_same_v<I, double>) {
    if (!(index >= -4e18 && index <= 4e18) || static_cast<double>(i) != index) {
      bad = true;
      return 0;
    }
  }
  using Unsigned = std::make_unsigned_t<P>;
  if (i < 0) i += static_cast<P>(cells);
  if (i < 0 || static_cast<Unsigned>(i) >= static_cast<Unsigned>(cells)) {
    bad = true;
    return 0;
  }
  return i;
}
// Calls f with a P for so many cells: of 32 bits where these do.
template <class I, class F>
griddle_status with_places(uint64_t cells, F f) {
  if constexpr (!std::is_same_v<I, double>)
    if (cells < uint64_t{1} << 31) return f(std::int32_t{});
  return f(std::int64_t{});
}

// Device lambdas may stand in function templates, not in generic lambdas: hence one template an operation.
template <class T>
griddle_status stride_of(griddle_device& d, const T* source, int64_t step, T* target, uint64_t count) {
  return each(d, count, [=] __device__(uint64_t i) { target[i] = source[static_cast<int64_t>(i) * step]; });
}
template <class T>
griddle_status tile_of(griddle_device& d, const T* source, uint64_t period, T* target, uint64_t count) {
  return each(d, count, [=] __device__(uint64_t i) { target[i] = source[i % period]; });
}
// Bits by words: as many at once as there are up to the end of the period.
__device__ std::uint32_t repeated_word(const std::uint32_t* source, uint64_t period, uint64_t at) {
  std::uint32_t word = 0;
  for (unsigned have = 0; have < 32;) {
    const auto more = static_cast<unsigned>(min(uint64_t{32} - have, period - at));
    const std::uint32_t bits = __funnelshift_r(source[at / 32], source[at / 32 + 1], at % 32);
    word |= (bits & 0xFFFFFFFF >> (32 - more)) << have;
    have += more;
    at = at + more == period ? 0 : at + more;
  }
  return word;
}
__global__ void __launch_bounds__(threads)
    tile_bits(const std::uint32_t* source, uint64_t period, std::uint32_t* target, uint64_t words) {
  const std::uint32_t first = repeated_word(source, period, 0);
  const bool alike = 32 % period == 0;
  for (uint64_t w = blockIdx.x * uint64_t{threads} + threadIdx.x; w < words; w += gridDim.x * uint64_t{threads})
    target[w] = alike ? first : repeated_word(source, period, w * 32 % period);
}
// Four words a warp: a lane takes a bit of each, so that indices are read side by side.
template <class P, class I>
__global__ void __launch_bounds__(threads) gather_single_bits(const std::uint32_t* words, uint64_t cells, const I* indices,
                                                              std::uint32_t* out, uint64_t count, int* flag) {
  constexpr int each = 4;
  const unsigned lane = threadIdx.x % 32;
  const uint64_t all = (count + 31) / 32, warps = gridDim.x * uint64_t{threads / 32};
  for (uint64_t w = (blockIdx.x * uint64_t{threads / 32} + threadIdx.x / 32) * each; w < all; w += warps * each) {
    std::uint32_t own = 0;
#pragma unroll
    for (int k = 0; k < each; k++) {
      const uint64_t i = (w + k) * 32 + lane;
      bool wrong = false;
      const int64_t at = i < count ? place_of<P>(indices[i], cells, wrong) : 0;
      if (wrong) *flag = 1;
      const std::uint32_t word = __ballot_sync(0xFFFFFFFF, i < count && !wrong && bit_at(words, at));
      if (lane == k) own = word;
    }
    if (lane < each && w + lane < all) out[w + lane] = own;
  }
}
template <class I>
griddle_status gather_bits(griddle_device& d, const std::uint32_t* words, uint64_t cells, uint64_t cell, const I* indices,
                           std::uint32_t* out, uint64_t count, int* flag) {
  if (cell == 1) {
    if (count == 0) return griddle_done;
    return with_places<I>(cells, [&](auto place) {
      gather_single_bits<decltype(place)>
          <<<grid_for(d, (count + 3) / 4), threads, 0, d.stream>>>(words, cells, indices, out, count, flag);
      return launched(d);
    });
  }
  return each_bit(d, out, 0, count * cell, [=] __device__(int64_t i) {
    bool wrong = false;
    const int64_t at = place_of<int64_t>(indices[i / static_cast<int64_t>(cell)], cells, wrong);
    if (wrong) *flag = 1;
    return wrong ? 0u : bit_at(words, at * static_cast<int64_t>(cell) + i % static_cast<int64_t>(cell));
  });
}
// Elements by as many as fill 16 bytes.
template <class P, class T, class I>
__global__ void __launch_bounds__(threads)
    gather_groups(const T* source, uint64_t cells, const I* indices, T* target, uint64_t count, int* flag) {
  constexpr int each = 16 / sizeof(T);
  bool wrong = false;
  const auto element = [&](I index) {
    bool bad = false;
    const int64_t at = place_of<P>(index, cells, bad);
    wrong |= bad;
    return bad ? T{} : source[at];
  };
  const uint64_t stride = gridDim.x * uint64_t{threads} * each;
  for (uint64_t first = (blockIdx.x * uint64_t{threads} + threadIdx.x) * each; first < count; first += stride) {
    if (first + each <= count) {
      const Group<I, each> places = *reinterpret_cast<const Group<I, each>*>(indices + first);
      Group<T, each> found;
#pragma unroll
      for (int k = 0; k < each; k++) found.of[k] = element(places.of[k]);
      *reinterpret_cast<Group<T, each>*>(target + first) = found;
    } else {
      for (uint64_t i = first; i < count; i++) target[i] = element(indices[i]);
    }
  }
  if (wrong) *flag = 1;
}
template <class T, class I>
griddle_status gather_of(griddle_device& d, const T* source, uint64_t cells, uint64_t cell, const I* indices, T* target,
                         uint64_t count, int* flag) {
  if (cell == 1) {
    return with_places<I>(cells, [&](auto place) {
      gather_groups<decltype(place)>
          <<<blocks_for(count, threads * 16 / sizeof(T)), threads, 0, d.stream>>>(source, cells, indices, target, count, flag);
      return launched(d);
    });
  }
  return each(d, count * cell, [=] __device__(uint64_t i) {
    bool wrong = false;
    const uint64_t which = i / cell;
    const int64_t at = place_of<int64_t>(indices[which], cells, wrong);
    if (wrong)
      *flag = 1;
    else
      target[i] = source[static_cast<uint64_t>(at) * cell + (i - which * cell)];
  });
}

}  // namespace

griddle_status move(griddle_device* d, uint32_t bits_wide, const void* in, int64_t from, int64_t from_step, void* out, int64_t to,
                    uint64_t count) {
  if (bits_wide == 1) {
    const std::uint32_t* words = static_cast<const std::uint32_t*>(in);
    if (from_step == 1) {
      if (count == 0) return griddle_done;
      const int64_t end = to + static_cast<int64_t>(count), quads = (end + 127) / 128 - to / 128;
      const uint32_t blocks = static_cast<uint32_t>((quads + threads - 1) / threads);
      move_bits<<<blocks, threads, 0, d->stream>>>(words, from, static_cast<std::uint32_t*>(out), to, end);
      return launched(*d);
    }
    return each_bit(*d, static_cast<std::uint32_t*>(out), to, count,
                    [=] __device__(int64_t i) { return bit_at(words, from + i * from_step); });
  }
  const uint32_t width = bits_wide / 8;
  if (from_step == 1) {
    char* const target = static_cast<char*>(out) + to * width;
    const char* const source = static_cast<const char*>(in) + from * width;
    if (count != 0 && reinterpret_cast<std::uintptr_t>(target) % 16 != reinterpret_cast<std::uintptr_t>(source) % 16) {
      move_bytes<<<blocks_for(count * width + 15, threads * 16), threads, 0, d->stream>>>(source, target, count * width);
      return launched(*d);
    }
    return status_of(*d, cudaMemcpyAsync(target, source, count * width, cudaMemcpyDeviceToDevice, d->stream));
  }
  return with_width(width, [&](auto unit) {
    using T = decltype(unit);
    const T* source = static_cast<const T*>(in) + from;
    T* target = static_cast<T*>(out) + to;
    return stride_of(*d, source, from_step, target, count);
  });
}

griddle_status tile(griddle_device* d, uint32_t bits_wide, const void* in, uint64_t period, void* out, uint64_t count) {
  if (bits_wide == 1) {
    const uint64_t words = (count + 31) / 32;
    if (words == 0) return griddle_done;
    tile_bits<<<grid_for(*d, words), threads, 0, d->stream>>>(static_cast<const std::uint32_t*>(in), period,
                                                              static_cast<std::uint32_t*>(out), words);
    return launched(*d);
  }
  return with_width(bits_wide / 8, [&](auto unit) {
    using T = decltype(unit);
    const T* source = static_cast<const T*>(in);
    T* target = static_cast<T*>(out);
    return tile_of(*d, source, period, target, count);
  });
}

griddle_status gather(griddle_device* d, uint32_t bits_wide, const void* in, uint64_t cells, uint64_t cell,
                      griddle_device_type type, const void* index, void* out, uint64_t count, int* bad) {
  int* flag = reinterpret_cast<int*>(d->answer);
  if (bad) {
    const griddle_status s = status_of(*d, cudaMemsetAsync(d->answer, 0, sizeof(double), d->stream));
    if (s != griddle_done) return s;
  }
  griddle_status s = with_number(type, [&](auto tag) {
    using I = decltype(tag);
    const I* indices = static_cast<const I*>(index);
    if (bits_wide == 1)
      return gather_bits(*d, static_cast<const std::uint32_t*>(in), cells, cell, indices, static_cast<std::uint32_t*>(out), count,
                         flag);
    return with_width(bits_wide / 8, [&](auto unit) {
      using T = decltype(unit);
      return gather_of(*d, static_cast<const T*>(in), cells, cell, indices, static_cast<T*>(out), count, flag);
    });
  });
  if (s != griddle_done || bad == nullptr) return s;
  return take_flag(*d, bad);
}

}  // namespace griddle::cuda
