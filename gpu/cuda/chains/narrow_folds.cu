// Folds of rows and columns of bits, bytes and 16 bits, several of which are folded at once.
#include <algorithm>

#include "gpu/cuda/chains/fold.cuh"

namespace griddle::cuda {

namespace {

template <class V>
constexpr std::uint8_t type_of = Packing<V>::places == 32  ? griddle_device_bit
                                 : Packing<V>::places == 4 ? griddle_device_i8
                                                           : griddle_device_i16;

// So many lanes of a warp, a power of 2, fold a row, which may begin anywhere.
template <class V, bool adds>
__global__ void __launch_bounds__(threads) narrow_row_kernel(griddle_fold f, const void* in, std::uint8_t out_type, void* out,
                                                             std::uint64_t rows, std::uint64_t length, unsigned lanes) {
  constexpr int group = 4, bits = 32 / Packing<V>::places;
  constexpr unsigned places = group * Packing<V>::places;
  const unsigned lane = threadIdx.x % lanes, at_once = threads / lanes;
  const bool even = length % places == 0;
  for (std::uint64_t first = blockIdx.x * std::uint64_t{at_once}; first < rows; first += gridDim.x * std::uint64_t{at_once}) {
    const std::uint64_t row = first + threadIdx.x / lanes;
    FoldSoFar<V, adds> so_far{identity_of(f)};
    if (row < rows)
      for (std::uint64_t i = lane * places; i < length; i += lanes * places) {
        const std::uint64_t at = row * length + i;
        if (at + places > rows * length) {  // nothing behind the last element is read
          for (unsigned k = 0; i + k < length; k += Packing<V>::places) {
            const int count = static_cast<int>(min(length - i - k, std::uint64_t{Packing<V>::places}));
            V last[] = {take_places<V>(in, type_of<V>, static_cast<std::int64_t>(at + k), count)};
            so_far.take(f, last, static_cast<std::uint64_t>(count));
          }
          continue;
        }
        std::uint32_t words[group];
        const char* const from = static_cast<const char*>(in) + at * bits / 8;
        if (even)
          load_words(words, from);
        else if constexpr (bits == 1)
          load_bit_words(words, in, static_cast<std::int64_t>(at));
        else
          load_words_of<bits / 8>(words, from);
        V v[group];
#pragma unroll
        for (int k = 0; k < group; k++) v[k].word = words[k];
        so_far.take(f, v, length - i);
      }
    double all = so_far.value();
    for (unsigned by = lanes / 2; by; by /= 2) all = joined(f, all, __shfl_xor_sync(0xFFFFFFFF, all, static_cast<int>(by)));
    if (lane == 0 && row < rows) write_typed(all, out, out_type, row);
  }
}

// So many lanes of a block, a power of 2, have neighbouring words of a row, and the others the next rows of these.
template <class V, griddle_fold f>
__global__ void __launch_bounds__(threads) narrow_column_kernel(const std::uint32_t* in, double* out, std::uint64_t rows,
                                                                std::uint64_t words, std::uint64_t strip, unsigned lanes) {
  using P = Packing<V>;
  __shared__ std::int32_t parts[P::places * threads];
  const unsigned groups = threads / lanes;
  const std::uint64_t column = blockIdx.x * std::uint64_t{lanes} + threadIdx.x % lanes;
  const std::uint64_t first = blockIdx.y * strip, end = first + strip < rows ? first + strip : rows;
  constexpr std::int32_t start = f == griddle_fold_add ? 0 : f == griddle_fold_minimum ? 0x7FFFFFFF : -0x7FFFFFFF - 1;
  std::int32_t all[P::places];
#pragma unroll
  for (std::int32_t& one : all) one = start;
  if (column < words)
#pragma unroll 4
    for (std::uint64_t r = first + threadIdx.x / lanes; r < end; r += groups) {
      const V values{in[r * words + column]};
#pragma unroll
      for (int k = 0; k < P::places; k++) all[k] = joined(f, all[k], P::at(values, k));
    }
#pragma unroll
  for (int k = 0; k < P::places; k++) parts[k * threads + threadIdx.x] = all[k];
  __syncthreads();
  if (threadIdx.x >= lanes || column >= words) return;
  for (int k = 0; k < P::places; k++) {
    std::int32_t sum = parts[k * threads + threadIdx.x];
    for (unsigned g = 1; g < groups; g++) sum = joined(f, sum, parts[k * threads + g * lanes + threadIdx.x]);
    out[(blockIdx.y * words + column) * P::places + static_cast<unsigned>(k)] = static_cast<double>(sum);
  }
}

template <class F>
griddle_status with_narrow(griddle_device_type type, F f) {
  switch (type) {
    case griddle_device_bit: return f(Bits{});
    case griddle_device_i8: return f(Lanes<std::int8_t>{});
    case griddle_device_i16: return f(Lanes<std::int16_t>{});
    default: return griddle_unsupported;
  }
}

}  // namespace

griddle_status fold_narrow_rows(griddle_device& d, griddle_fold f, griddle_device_type type, const void* in,
                                griddle_device_type out_type, void* out, std::uint64_t rows, std::uint64_t length) {
  return with_narrow(type, [&]<class V>(V) {
    constexpr unsigned places = 4 * Packing<V>::places;
    unsigned lanes = 1;
    while (lanes < 32 && lanes * places < length) lanes *= 2;
    const auto kernel = f == griddle_fold_add ? narrow_row_kernel<V, true> : narrow_row_kernel<V, false>;
    kernel<<<blocks_for(rows, threads / lanes, static_cast<std::uint32_t>(d.multiprocessors) * 32), threads, 0, d.stream>>>(
        f, in, static_cast<std::uint8_t>(out_type), out, rows, length, lanes);
    return launched(d);
  });
}

griddle_status fold_narrow_columns(griddle_device& d, griddle_fold f, griddle_device_type type, const void* in, double* out,
                                   std::uint64_t rows, std::uint64_t length) {
  return with_narrow(type, [&]<class V>(V) {
    constexpr unsigned places = Packing<V>::places;
    if (length % places != 0) return griddle_unsupported;
    const std::uint64_t words = length / places;
    unsigned lanes = 1;
    while (lanes < 64 && lanes < words) lanes *= 2;
    const std::uint64_t across = (words + lanes - 1) / lanes, groups = threads / lanes;
    // Sums of a strip fit 32 bits. Beyond that, as many strips as keep all multiprocessors busy, of rows enough for each thread,
    // and so many that what they come to is an eighth of what they are made of.
    constexpr std::uint64_t most_rows = std::uint64_t{1} << (places == 2 ? 15 : 23), shortest_strip = 32 * places;
    if (across > 0x7FFFFFFF || rows / most_rows >= 0xFFFF) return griddle_unsupported;
    const std::uint64_t busy = static_cast<std::uint64_t>(d.multiprocessors) * 16 / across;
    const std::uint64_t most_strips = rows / std::max(shortest_strip, 16 * groups);
    std::uint64_t strips = std::max({std::min(busy, most_strips), (rows + most_rows - 1) / most_rows, std::uint64_t{1}});
    const std::uint64_t strip = (rows + strips - 1) / strips;
    strips = (rows + strip - 1) / strip;
    Scratch partial(d, strips > 1 ? strips * length * sizeof(double) : 0);
    if (partial.status() != griddle_done) return partial.status();
    double* const to = strips > 1 ? partial.as<double>() : out;
    const dim3 grid(static_cast<unsigned>(across), static_cast<unsigned>(strips));
    const auto kernel = f == griddle_fold_add       ? narrow_column_kernel<V, griddle_fold_add>
                        : f == griddle_fold_minimum ? narrow_column_kernel<V, griddle_fold_minimum>
                                                    : narrow_column_kernel<V, griddle_fold_maximum>;
    kernel<<<grid, threads, 0, d.stream>>>(static_cast<const std::uint32_t*>(in), to, rows, words, strip, lanes);
    const griddle_status s = launched(d);
    return s == griddle_done && strips > 1 ? fold_columns(&d, f, griddle_device_f64, to, out, strips, length) : s;
  });
}

}  // namespace griddle::cuda
