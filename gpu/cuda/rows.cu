// Folds of rows and of columns, to doubles: integers are added exactly, in 64 bits. Folds of windows. Products of matrices.
#include <algorithm>
#include <cmath>
#include <type_traits>

#include "gpu/cuda/chains/groups.cuh"
#include "gpu/cuda/device.h"
#include "gpu/cuda/toolkit_library.h"

namespace griddle::cuda {

namespace {

template <class T>
using Accumulator = std::conditional_t<std::is_same_v<T, double>, double, long long>;

template <class A>
__device__ __forceinline__ A join(griddle_fold f, A a, A b) {
  switch (f) {
    case griddle_fold_add: return a + b;
    case griddle_fold_minimum: return a != a || a < b ? a : b;
    default: return a != a || a > b ? a : b;
  }
}
template <class A>
__device__ __forceinline__ A start_of(griddle_fold f) {
  if constexpr (std::is_same_v<A, double>)
    return f == griddle_fold_add ? 0 : f == griddle_fold_minimum ? INFINITY : -INFINITY;
  else
    return f == griddle_fold_add ? 0 : f == griddle_fold_minimum ? 0x7FFFFFFFFFFFFFFFll : -0x7FFFFFFFFFFFFFFFll;
}

// So many lanes of a warp, a power of 2, fold a row.
template <class T>
__global__ void __launch_bounds__(256)
    row_kernel(griddle_fold f, const T* in, griddle_device_type out_type, void* out, uint64_t rows, uint64_t length, int lanes) {
  using A = Accumulator<T>;
  const int lane = threadIdx.x % lanes, at_once = 256 / lanes;
  for (uint64_t first = blockIdx.x * static_cast<uint64_t>(at_once); first < rows;
       first += gridDim.x * static_cast<uint64_t>(at_once)) {
    const uint64_t row = first + threadIdx.x / lanes;
    A all = start_of<A>(f);
    if (row < rows)
      for (uint64_t i = lane; i < length; i += lanes) all = join(f, all, static_cast<A>(in[row * length + i]));
    for (int by = lanes / 2; by; by /= 2) all = join(f, all, __shfl_xor_sync(0xFFFFFFFF, all, by));
    if (lane == 0 && row < rows) write_typed(all, out, static_cast<std::uint8_t>(out_type), row);
  }
}

// So many lanes of a block, a power of 2, have neighbouring columns, and the others the next rows of these. Each folds what it
// has of a strip; strips are joined where there are several.
template <class T>
__global__ void __launch_bounds__(256)
    column_kernel(griddle_fold f, const T* in, double* out, uint64_t rows, uint64_t length, uint64_t strip, uint32_t lanes) {
  using A = Accumulator<T>;
  __shared__ A parts[256];
  const uint32_t groups = 256 / lanes;
  const uint64_t column = blockIdx.x * uint64_t{lanes} + threadIdx.x % lanes;
  const uint64_t first = blockIdx.y * strip, end = first + strip < rows ? first + strip : rows;
  A all = start_of<A>(f);
  if (column < length)
#pragma unroll 8
    for (uint64_t r = first + threadIdx.x / lanes; r < end; r += groups)
      all = join(f, all, static_cast<A>(in[r * length + column]));
  if (groups > 1) {
    parts[threadIdx.x] = all;
    __syncthreads();
    if (threadIdx.x >= lanes) return;
    for (uint32_t g = 1; g < groups; g++) all = join(f, all, parts[g * lanes + threadIdx.x]);
  }
  if (column < length) out[blockIdx.y * length + column] = static_cast<double>(all);
}

template <class F>
griddle_status with_numbers(griddle_device_type type, F f) {
  switch (type) {
    case griddle_device_i8: return f(std::int8_t{});
    case griddle_device_i16: return f(std::int16_t{});
    case griddle_device_i32: return f(std::int32_t{});
    case griddle_device_f64: return f(double{});
    default: return griddle_unsupported;
  }
}

}  // namespace

griddle_status fold_rows(griddle_device* d, griddle_fold f, griddle_device_type type, const void* in,
                         griddle_device_type out_type, void* out, uint64_t rows, uint64_t length) {
  if (f == griddle_fold_multiply) return griddle_unsupported;
  if (type <= griddle_device_i16) return fold_narrow_rows(*d, f, type, in, out_type, out, rows, length);
  const auto fold_by = [&](auto tag) {
    using T = decltype(tag);
    const int lanes = length <= 4 ? 2 : length <= 16 ? 4 : length <= 64 ? 8 : 32;
    row_kernel<T><<<blocks_for(rows, 256u / lanes, d->multiprocessors * 16u), 256, 0, d->stream>>>(
        f, static_cast<const T*>(in), out_type, out, rows, length, lanes);
    return launched(*d);
  };
  return type == griddle_device_i32   ? fold_by(std::int32_t{})
         : type == griddle_device_f64 ? fold_by(double{})
                                      : griddle_unsupported;
}

griddle_status fold_columns(griddle_device* d, griddle_fold f, griddle_device_type type, const void* in, double* out,
                            uint64_t rows, uint64_t length) {
  if (f == griddle_fold_multiply) return griddle_unsupported;
  if (const griddle_status s = fold_narrow_columns(*d, f, type, in, out, rows, length); s != griddle_unsupported) return s;
  uint32_t lanes = 1;
  while (lanes < 256 && lanes < length) lanes *= 2;
  // Strips are joined by as many threads as have the rows of one.
  const uint64_t across = (length + lanes - 1) / lanes, groups = 256 / lanes, each = 16 * groups;
  const uint64_t most = std::min<uint64_t>(512 * groups, d->multiprocessors * 16u);
  uint64_t strips = across >= most ? 1 : most / across;
  if (strips > rows / each) strips = rows / each ? rows / each : 1;
  if (across > 0x7FFFFFFF) return griddle_unsupported;
  const uint64_t strip = (rows + strips - 1) / strips;
  strips = (rows + strip - 1) / strip;
  return with_numbers(type, [&](auto tag) {
    using T = decltype(tag);
    const dim3 grid(static_cast<unsigned>(across), static_cast<unsigned>(strips));
    if (strips == 1) {
      column_kernel<T><<<grid, 256, 0, d->stream>>>(f, static_cast<const T*>(in), out, rows, length, strip, lanes);
      return launched(*d);
    }
    Scratch partial(*d, strips * length * sizeof(double));
    if (partial.status() != griddle_done) return partial.status();
    column_kernel<T><<<grid, 256, 0, d->stream>>>(f, static_cast<const T*>(in), partial.as<double>(), rows, length, strip, lanes);
    column_kernel<double>
        <<<dim3(static_cast<unsigned>(across)), 256, 0, d->stream>>>(f, partial.as<double>(), out, strips, length, strips, lanes);
    return launched(*d);
  });
}

// --- folds of windows that nobody makes: each result folds some cells of a block, which lie one behind the other or equally
// apart

namespace {

constexpr int threads = 256, items = 8, tile = threads * items;
// Cells further apart are read again by each result, where they are in a near cache.
constexpr std::uint64_t most_beyond = 1024;

// Sums of integers are exact in what holds results.
template <class T, class O>
using WindowAccumulator =
    std::conditional_t<std::is_same_v<T, double>, double, std::conditional_t<std::is_same_v<O, double>, long long, std::int32_t>>;

// A block takes tiles of long rows of results; the elements that they share are read once.
template <class T, class O>
__global__ void __launch_bounds__(threads)
    tile_kernel(griddle_fold f, const T* in, O* out, std::uint64_t outer, std::uint64_t in_row, std::uint64_t out_row,
                std::uint32_t apart, std::uint32_t width) {
  __shared__ T near[tile + most_beyond];
  const std::uint64_t tiles = (out_row + tile - 1) / tile;
  for (std::uint64_t t = blockIdx.x; t < outer * tiles; t += gridDim.x) {
    const std::uint64_t row = t / tiles, first = (t - row * tiles) * tile;
    const std::uint32_t here = static_cast<std::uint32_t>(out_row - first < tile ? out_row - first : tile);
    const std::uint32_t needed = here + apart * (width - 1);
    const T* from = in + row * in_row + first;
    __syncthreads();
    for (std::uint32_t i = threadIdx.x; i < needed; i += threads) near[i] = from[i];
    __syncthreads();
    O* to = out + row * out_row + first;
    using A = WindowAccumulator<T, O>;
#pragma unroll
    for (int k = 0; k < items; k++) {
      const std::uint32_t i = threadIdx.x + k * threads;
      if (i >= here) break;
      A all = static_cast<A>(near[i]);
      for (std::uint32_t j = 1; j < width; j++) all = join(f, all, static_cast<A>(near[i + j * apart]));
      to[i] = static_cast<O>(all);
    }
  }
}

// The same where elements that are folded lie far apart: neighbouring results read neighbouring elements.
template <class T, class O>
__global__ void __launch_bounds__(threads)
    far_kernel(griddle_fold f, const T* in, O* out, std::uint64_t outer, std::uint64_t in_row, std::uint64_t out_row,
               std::uint64_t apart, std::uint32_t width) {
  const std::uint64_t tiles = (out_row + tile - 1) / tile;
  for (std::uint64_t t = blockIdx.x; t < outer * tiles; t += gridDim.x) {
    const std::uint64_t row = t / tiles, first = (t - row * tiles) * tile + threadIdx.x;
    const T* from = in + row * in_row + first;
    O* to = out + row * out_row + first;
    using A = WindowAccumulator<T, O>;
    A all[items];
#pragma unroll
    for (int k = 0; k < items; k++) all[k] = first + k * threads < out_row ? static_cast<A>(from[k * threads]) : A();
    for (std::uint32_t j = 1; j < width; j++) {
      from += apart;
#pragma unroll
      for (int k = 0; k < items; k++)
        if (first + k * threads < out_row) all[k] = join(f, all[k], static_cast<A>(from[k * threads]));
    }
#pragma unroll
    for (int k = 0; k < items; k++)
      if (first + k * threads < out_row) to[k * threads] = static_cast<O>(all[k]);
  }
}

// The same of short rows, which one block has many of.
template <class T, class O>
__global__ void __launch_bounds__(threads)
    place_kernel(griddle_fold f, const T* in, O* out, std::uint64_t outer, std::uint64_t in_row, std::uint64_t out_row,
                 std::uint64_t apart, std::uint32_t width) {
  using A = WindowAccumulator<T, O>;
  const std::uint64_t length = outer * out_row;
  for (std::uint64_t p = blockIdx.x * std::uint64_t{threads} + threadIdx.x; p < length; p += gridDim.x * std::uint64_t{threads}) {
    const bool narrow = ((p | out_row) >> 32) == 0;
    const std::uint64_t row = narrow ? static_cast<std::uint32_t>(p) / static_cast<std::uint32_t>(out_row) : p / out_row;
    const T* from = in + row * in_row + (p - row * out_row);
    A all = static_cast<A>(from[0]);
    for (std::uint32_t j = 1; j < width; j++) all = join(f, all, static_cast<A>(from[j * apart]));
    out[p] = static_cast<O>(all);
  }
}

template <class T, class O>
griddle_status run_windows(griddle_device& d, const griddle_window_fold& w, const void* in, void* out) {
  const std::uint64_t apart = w.cell * w.step, beyond = apart * (w.width - 1);
  const std::uint64_t in_row = w.length * w.cell, out_row = in_row - beyond;
  const std::uint32_t most = d.multiprocessors * 16u;
  const T* from = static_cast<const T*>(in);
  O* to = static_cast<O*>(out);
  const std::uint32_t width = static_cast<std::uint32_t>(w.width);
  const std::uint32_t blocks = blocks_for(w.outer * ((out_row + tile - 1) / tile), 1, most);
  if (out_row < tile / 2)
    place_kernel<<<blocks_for(w.outer * out_row, threads, most), threads, 0, d.stream>>>(w.fold, from, to, w.outer, in_row,
                                                                                         out_row, apart, width);
  else if (beyond <= most_beyond)
    tile_kernel<<<blocks, threads, 0, d.stream>>>(w.fold, from, to, w.outer, in_row, out_row, static_cast<std::uint32_t>(apart),
                                                  width);
  else
    far_kernel<<<blocks, threads, 0, d.stream>>>(w.fold, from, to, w.outer, in_row, out_row, apart, width);
  return launched(d);
}

}  // namespace

griddle_status fold_windows(griddle_device* d, const griddle_window_fold* w, const void* in, void* out) {
  if (w->fold == griddle_fold_multiply) return griddle_unsupported;
  return with_number(w->in_type, [&](auto from) {
    using T = decltype(from);
    return with_number(w->out_type, [&](auto to) {
      using O = decltype(to);
      if constexpr (std::is_signed_v<T> && std::is_signed_v<O> && sizeof(T) <= sizeof(O))
        return run_windows<T, O>(*d, *w, in, out);
      else
        return griddle_unsupported;
    });
  });
}

// --- Matrix products are cuBLAS's, where the system has it. It is looked for when the first product comes, as the driver is, so
// that the plug-in needs none to be built or to be loaded.

namespace {

// As cuBLAS declares them; status 0 is success, status 3 means that memory was not to be had.
constexpr int blas_no_memory = 3, as_it_is = 0, transposed = 1;
struct Library {
  int (*create)(void** handle) = nullptr;
  int (*set_stream)(void* handle, cudaStream_t) = nullptr;
  int (*multiply)(void* handle, int transpose_a, int transpose_b, std::int64_t m, std::int64_t n, std::int64_t k,
                  const double* alpha, const double* a, std::int64_t step_a, const double* b, std::int64_t step_b,
                  const double* beta, double* c, std::int64_t step_c) = nullptr;
  int (*apply)(void* handle, int transpose, std::int64_t m, std::int64_t n, const double* alpha, const double* a,
               std::int64_t step_a, const double* x, std::int64_t step_x, const double* beta, double* y,
               std::int64_t step_y) = nullptr;
  int (*destroy)(void* handle) = nullptr;
};

Library library_of_the_system() {
  Library l;
  const bool complete = open_of_toolkit("libcublas", [&](void* opened) {
    return find(opened, "cublasCreate_v2", l.create) && find(opened, "cublasSetStream_v2", l.set_stream) &&
           find(opened, "cublasDgemm_v2_64", l.multiply) && find(opened, "cublasDgemv_v2_64", l.apply) &&
           find(opened, "cublasDestroy_v2", l.destroy);
  });
  return complete ? l : Library();
}
const Library& library() {
  static const Library found = library_of_the_system();
  return found;
}

griddle_status status_of_blas(griddle_device& d, int status) {
  if (status == 0) return griddle_done;
  d.message = "cuBLAS gives status " + std::to_string(status);
  return status == blas_no_memory ? griddle_no_memory : griddle_failed;
}

griddle_status prepare(griddle_device& d) {
  if (library().destroy == nullptr) return griddle_unsupported;
  if (d.blas != nullptr) return griddle_done;
  griddle_status s = status_of_blas(d, library().create(&d.blas));
  if (s == griddle_done) s = status_of_blas(d, library().set_stream(d.blas, d.stream));
  return s;
}

}  // namespace

void close_products(griddle_device& d) {
  if (d.blas != nullptr) library().destroy(d.blas);
}

// cuBLAS takes columns for what are rows here, so that it sees each matrix transposed.
griddle_status multiply_matrices(griddle_device* d, const double* w, const double* x, double* out, uint64_t rows, uint64_t inner,
                                 uint64_t columns) {
  if (const griddle_status s = prepare(*d); s != griddle_done) return s;
  const double one = 1, zero = 0;
  const auto r = static_cast<std::int64_t>(rows), n = static_cast<std::int64_t>(inner), c = static_cast<std::int64_t>(columns);
  const Library& l = library();
  if (c == 1) return status_of_blas(*d, l.apply(d->blas, transposed, n, r, &one, w, n, x, 1, &zero, out, 1));
  if (r == 1) return status_of_blas(*d, l.apply(d->blas, as_it_is, c, n, &one, x, c, w, 1, &zero, out, 1));
  return status_of_blas(*d, l.multiply(d->blas, as_it_is, as_it_is, c, r, n, &one, x, c, w, n, &zero, out, c));
}

}  // namespace griddle::cuda
