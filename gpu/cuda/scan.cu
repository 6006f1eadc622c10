// Scans: which types have a kernel, and how rows are laid out.
#include "gpu/cuda/bit_scan.cuh"
#include "gpu/cuda/launch.cuh"
#include "gpu/cuda/scan.cuh"

namespace griddle::cuda {

namespace {

// Rows shorter than this are scanned by a warp each, one after the other: a tile of the engine would be mostly empty.
constexpr uint64_t short_row = 2048;

template <class In, class Out, class Op>
__global__ void __launch_bounds__(256) scan_short_rows(const In* in, Out* out, u64 rows, u32 length) {
  using Carry = typename Op::Carry;
  const int lane = threadIdx.x % 32;
  const u64 warps = static_cast<u64>(gridDim.x) * 8;
  for (u64 row = static_cast<u64>(blockIdx.x) * 8 + threadIdx.x / 32; row < rows; row += warps) {
    Carry before = Op::identity();
    for (u32 start = 0; start < length; start += 32) {
      const u32 i = start + lane;
      Carry c = i < length ? static_cast<Carry>(in[row * length + i]) : Op::identity();
      c = Op::combine(before, warp_scan(c, lane, Op::combine));
      if (i < length) out[row * length + i] = static_cast<Out>(c);
      before = shuffle(c, 31);
    }
  }
}

template <class In, class Out, class Op>
griddle_status scan_with(griddle_device& d, const void* in, void* out, uint64_t rows, uint64_t length) {
  constexpr bool bits = std::is_same_v<In, Bit>;
  if constexpr (!bits) {
    if (rows > 1 && length < short_row) {
      scan_short_rows<In, Out, Op><<<blocks_for(rows, 8, d.multiprocessors * 8u), 256, 0, d.stream>>>(
          static_cast<const In*>(in), static_cast<Out*>(out), rows, static_cast<u32>(length));
      return launched(d);
    }
  } else if (rows > 1) {
    return griddle_unsupported;
  }
  const auto fill = [&](auto& job) {
    const u32 tiles_in_row = tiles_for(length, job.tile_length);
    job.in = static_cast<const char*>(in);
    job.out = static_cast<Out*>(out);
    job.table = {static_cast<i64>(length), tiles_in_row};
    job.tiles = static_cast<u32>(tiles_in_row * rows);
    return job.tiles;
  };
  if constexpr (!bits) {
    if (rows > 1 && (length * sizeof(In) % 16 != 0 || length * sizeof(Out) % 16 != 0)) {
      Scan<In, Out, Op, 16, 2, false> job{};
      const u32 tiles = fill(job);
      return run_tile_a_block(d, job, tiles);
    }
  }
  constexpr int in_bits = bits ? 1 : 8 * sizeof(In), out_bits = 8 * sizeof(Out);
  constexpr Tuning t = scan_tuning(in_bits, out_bits), small = small_scan_tuning(in_bits, out_bits);
  return run<Scan<In, Out, Op, t.warps, t.rows>, Scan<In, Out, Op, small.warps, small.rows>, t>(
      d, static_cast<long long>(rows * length * sizeof(Out)), fill);
}

template <template <class> class Op>
griddle_status scan_alike(griddle_device& d, griddle_device_type type, const void* in, void* out, uint64_t rows,
                          uint64_t length) {
  switch (type) {
    case griddle_device_i8: return scan_with<std::int8_t, std::int8_t, Op<int>>(d, in, out, rows, length);
    case griddle_device_i16: return scan_with<std::int16_t, std::int16_t, Op<int>>(d, in, out, rows, length);
    case griddle_device_i32: return scan_with<int, int, Op<int>>(d, in, out, rows, length);
    case griddle_device_f64: return scan_with<double, double, Op<double>>(d, in, out, rows, length);
    default: return griddle_unsupported;
  }
}

// Sums in 32 bits, or exactly in 64 and as doubles.
template <class In>
griddle_status sum_integers(griddle_device& d, griddle_device_type out_type, const void* in, void* out, uint64_t rows,
                            uint64_t length) {
  if (out_type == griddle_device_i32) return scan_with<In, int, Add<int>>(d, in, out, rows, length);
  if (out_type == griddle_device_f64) return scan_with<In, double, Add<long long>>(d, in, out, rows, length);
  return griddle_unsupported;
}

}  // namespace

griddle_status scan(griddle_device* d, griddle_fold f, griddle_device_type in_type, griddle_device_type out_type, const void* in,
                    void* out, uint64_t rows, uint64_t length) {
  if (f == griddle_fold_minimum || f == griddle_fold_maximum) {
    if (in_type != out_type) return griddle_unsupported;
    return f == griddle_fold_minimum ? scan_alike<Minimum>(*d, in_type, in, out, rows, length)
                                     : scan_alike<Maximum>(*d, in_type, in, out, rows, length);
  }
  if (f == griddle_fold_multiply) {
    if (in_type != griddle_device_f64 || out_type != griddle_device_f64) return griddle_unsupported;
    return scan_with<double, double, Multiply<double>>(*d, in, out, rows, length);
  }
  switch (in_type) {
    case griddle_device_bit: return sum_integers<Bit>(*d, out_type, in, out, rows, length);
    case griddle_device_i8: return sum_integers<std::int8_t>(*d, out_type, in, out, rows, length);
    case griddle_device_i16: return sum_integers<std::int16_t>(*d, out_type, in, out, rows, length);
    case griddle_device_i32: return sum_integers<int>(*d, out_type, in, out, rows, length);
    case griddle_device_f64:
      return out_type == griddle_device_f64 ? scan_with<double, double, Add<double>>(*d, in, out, rows, length)
                                            : griddle_unsupported;
    default: return griddle_unsupported;
  }
}

griddle_status scan_bits(griddle_device* d, const griddle_bit_map* map, const void* in, void* out, uint64_t length) {
  const auto fill = [&](auto& job) {
    job.in = static_cast<const char*>(in);
    job.out = static_cast<u32*>(out);
    job.length = static_cast<i64>(length);
    job.map = {map->fix_x, map->fix, map->flip_x, map->flip, map->start, map->first_flips};
    job.tiles = tiles_for(length, job.tile_length);
    return job.tiles;
  };
  constexpr Tuning t = bit_scan_tuning;
  const long long bytes = static_cast<long long>(length / 4);
  if (map->fix_x == 0 && map->fix == 0) return run<BitScan<true, t.warps, t.rows>, BitScan<true, 8, 2>, t>(*d, bytes, fill);
  return run<BitScan<false, t.warps, t.rows>, BitScan<false, 8, 2>, t>(*d, bytes, fill);
}

}  // namespace griddle::cuda
