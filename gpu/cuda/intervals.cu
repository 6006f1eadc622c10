// Intervals: the load-balancing search, and what is moved by it.
#include "gpu/cuda/intervals.cuh"

#include "gpu/cuda/device.h"
#include "gpu/cuda/expand.cuh"
#include "gpu/cuda/moves.cuh"

namespace griddle::cuda {

namespace {

using namespace intervals;

template <class F>
griddle_status with_ends(griddle_device_type type, F f) {
  switch (type) {
    case griddle_device_i32: return f(std::int32_t{});
    case griddle_device_f64: return f(double{});
    default: return griddle_unsupported;
  }
}

// Finds the first marker of each tile and starts a kernel that keeps so much of intervals.
template <class Kept, class S, class Kernel, class... Arguments>
griddle_status start_tiles(griddle_device& d, S starts, u64 count, u64 total, Kernel kernel, Arguments... arguments) {
  const u64 tiles = tiles_of<Kept>(count, total);
  if (count >= u64{1} << 31 || tiles >= u64{1} << 31) return griddle_unsupported;
  const Scratch firsts(d, (tiles + 1) * sizeof(u32));
  if (firsts.status() != griddle_done) return firsts.status();
  partition<<<static_cast<u32>((tiles + threads) / threads), threads, 0, d.stream>>>(starts, count, static_cast<u32>(tiles),
                                                                                     places_of<Kept>, firsts.as<u32>());
  const griddle_status s = status_of(
      d, cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared_bytes<Kept>)));
  if (s != griddle_done) return s;
  kernel<<<static_cast<u32>((tiles + warps - 1) / warps), threads, shared_bytes<Kept>, d.stream>>>(
      Intervals<S>{starts, total, static_cast<u32>(tiles), firsts.as<u32>()}, arguments...);
  return launched(d);
}

template <u32 wide, class E, class P>
griddle_status move_chunks(griddle_device& d, const griddle_intervals& in, const P* from, const P* to, const void* source,
                           void* out) {
  const u32* const words_from = static_cast<const u32*>(source);
  u32* const words_to = static_cast<u32*>(out);
  const StartsInChunks<wide, E> starts{static_cast<const E*>(in.ends)};
  const u64 bits = in.total * wide, chunks = (bits + chunk - 1) / chunk;
  if (!to)
    return start_tiles<u32>(d, starts, in.count, chunks, gather_chunks<wide, E, P>, in.count, bits, from, words_from, words_to);
  if (!from)
    return start_tiles<u32>(d, starts, in.count, chunks, scatter_chunks<wide, false, E, P>, in.count, bits, from, to, words_from,
                            words_to);
  return start_tiles<u32>(d, starts, in.count, chunks, scatter_chunks<wide, true, E, P>, in.count, bits, from, to, words_from,
                          words_to);
}

template <class T, bool gathers, bool scatters, class E, class P>
griddle_status move_elements(griddle_device& d, const griddle_intervals& in, const P* from, const P* to, const T* source,
                             T* out) {
  return start_tiles<Shift<gathers, scatters, E, P>>(d, Starts<E>{static_cast<const E*>(in.ends)}, in.count, in.total,
                                                     move_wide<T, gathers, scatters, E, P>, from, to, source, out);
}
template <class T, class E, class P>
griddle_status move_elements(griddle_device& d, const griddle_intervals& in, const P* from, const P* to, const void* source,
                             void* out) {
  const T* const read = static_cast<const T*>(source);
  T* const written = static_cast<T*>(out);
  if (!to) return move_elements<T, true, false, E>(d, in, from, to, read, written);
  if (!from) return move_elements<T, false, true, E>(d, in, from, to, read, written);
  return move_elements<T, true, true, E>(d, in, from, to, read, written);
}

}  // namespace

griddle_status expand(griddle_device* d, const griddle_intervals* in, uint32_t width, const void* values, void* out) {
  return with_ends(in->end_type, [&]<class E>(E) {
    return with_width(width, [&]<class T>(T) {
      return start_tiles<T>(*d, Starts<E>{static_cast<const E*>(in->ends)}, in->count, in->total, intervals::expand<T, Starts<E>>,
                            static_cast<const T*>(values), static_cast<T*>(out));
    });
  });
}

griddle_status sum_counts(griddle_device* d, const int8_t* counts, uint64_t count, double* ends) {
  const u64 groups = (count + griddle_count_group - 1) / griddle_count_group;
  const Scratch sums(*d, groups * sizeof(std::int32_t));
  if (sums.status() != griddle_done) return sums.status();
  sum_groups<<<static_cast<u32>((groups + warps - 1) / warps), threads, 0, d->stream>>>(counts, count, sums.as<std::int32_t>());
  if (const griddle_status s = launched(*d); s != griddle_done) return s;
  return scan(d, griddle_fold_add, griddle_device_i32, griddle_device_f64, sums.as<std::int32_t>(), ends, 1, groups);
}

griddle_status expand_counts(griddle_device* d, const int8_t* counts, uint64_t count, const double* ends, uint32_t width,
                             const void* values, void* out) {
  const u64 groups = (count + griddle_count_group - 1) / griddle_count_group;
  return with_width(width, [&]<class T>(T) {
    expand_group<T><<<static_cast<u32>((groups + warps - 1) / warps), threads, 0, d->stream>>>(
        counts, count, ends, static_cast<const T*>(values), static_cast<T*>(out));
    return launched(*d);
  });
}

griddle_status move_intervals(griddle_device* d, const griddle_intervals* in, uint32_t bits_wide, const void* source, void* out) {
  return with_ends(in->end_type, [&]<class E>(E) {
    return with_ends(in->place_type, [&]<class P>(P) {
      const P *const from = static_cast<const P*>(in->from), *const to = static_cast<const P*>(in->to);
      if (!from && !to) return move(d, bits_wide, source, 0, 1, out, 0, in->total);
      switch (bits_wide) {
        case 1: return move_chunks<1, E>(*d, *in, from, to, source, out);
        case 8: return move_chunks<8, E>(*d, *in, from, to, source, out);
        case 16: return move_chunks<16, E>(*d, *in, from, to, source, out);
        case 32: return move_elements<std::uint32_t, E>(*d, *in, from, to, source, out);
        case 64: return move_elements<std::uint64_t, E>(*d, *in, from, to, source, out);
        default: return griddle_unsupported;
      }
    });
  });
}

griddle_status check_intervals(griddle_device* d, const griddle_intervals* in, uint64_t in_length, uint64_t out_length,
                               int* bad) {
  griddle_status s = status_of(*d, cudaMemsetAsync(d->answer, 0, sizeof(double), d->stream));
  if (s != griddle_done) return s;
  s = with_ends(in->end_type, [&]<class E>(E) {
    return with_ends(in->place_type, [&]<class P>(P) {
      intervals::check<<<blocks_for(in->count, threads, d->multiprocessors * 16u), threads, 0, d->stream>>>(
          static_cast<const E*>(in->ends), in->count, static_cast<const P*>(in->from), in_length, static_cast<const P*>(in->to),
          out_length, reinterpret_cast<u32*>(d->answer));
      return launched(*d);
    });
  });
  if (s != griddle_done) return s;
  return take_flag(*d, bad);
}

}  // namespace griddle::cuda
