// Transposition: two axes change places within each of many tables, tile by tile.
#include "gpu/cuda/device.h"

namespace griddle::cuda {

namespace {

constexpr int threads = 256;

// The tables: places of the other axes, the last first.
struct Tables {
  std::uint64_t length[griddle_most_axes];
  std::int64_t from[griddle_most_axes], to[griddle_most_axes];
  int count;
};

// One tile of one of the tables.
struct Tile {
  std::int64_t from, to;  // where its table starts
  std::uint64_t across, down;
};
__device__ Tile tile_of(const Tables& tables, std::uint64_t block, std::uint64_t tiles_across, std::uint64_t tiles_down) {
  Tile tile{};
  tile.down = block % tiles_down;
  block /= tiles_down;
  tile.across = block % tiles_across;
  block /= tiles_across;
  for (int a = 0; a < tables.count; a++) {
    const std::uint64_t next = block / tables.length[a];
    const std::int64_t index = static_cast<std::int64_t>(block - next * tables.length[a]);
    tile.from += index * tables.from[a];
    tile.to += index * tables.to[a];
    block = next;
  }
  return tile;
}

// Element across‿down of a table is source[across × from_step + down], and target[across + down × to_step].
template <class T>
__global__ void __launch_bounds__(threads)
    transpose_kernel(const __grid_constant__ Tables tables, const T* in, T* out, std::uint64_t across, std::uint64_t down,
                     std::int64_t from_step, std::int64_t to_step, std::uint64_t tiles_across, std::uint64_t tiles_down) {
  constexpr int side = sizeof(T) == 1 ? 64 : 32;
  __shared__ T tile[side][side + 4 / sizeof(T) + (sizeof(T) > 4)];
  const Tile mine = tile_of(tables, blockIdx.x, tiles_across, tiles_down);
  const T* source = in + mine.from;
  T* target = out + mine.to;
  const std::uint64_t first_across = mine.across * side, first_down = mine.down * side;
  const int x = threadIdx.x % side;
  for (int y = threadIdx.x / side; y < side; y += threads / side)
    if (first_across + y < across && first_down + x < down)
      tile[y][x] = source[static_cast<std::int64_t>(first_across + y) * from_step + static_cast<std::int64_t>(first_down + x)];
  __syncthreads();
  for (int y = threadIdx.x / side; y < side; y += threads / side)
    if (first_down + y < down && first_across + x < across)
      target[static_cast<std::int64_t>(first_down + y) * to_step + static_cast<std::int64_t>(first_across + x)] = tile[x][y];
}

// Turns 32 words of 32 bits, one in each lane: bit c of lane r becomes bit r of lane c.
__device__ std::uint32_t turned(std::uint32_t word, int lane) {
  std::uint32_t low = 0x0000FFFF;
#pragma unroll
  for (int by = 16; by; by /= 2, low ^= low << by) {
    const std::uint32_t other = __shfl_xor_sync(0xFFFFFFFF, word, by);
    word = lane & by ? (word & ~low) | (other >> by & low) : (word & low) | (other << by & ~low);
  }
  return word;
}

// The same for packed bits, in tiles of 256 × 256: a warp turns eight tiles of 32 × 32, which lie one after another in the
// result. Where results are not `whole` words, the memory holds zeros and is added to.
constexpr int bit_tile = 256;
template <bool whole>
__global__ void __launch_bounds__(threads)
    transpose_bits_kernel(const __grid_constant__ Tables tables, std::int64_t start, const std::uint32_t* in, std::uint32_t* out,
                          std::uint64_t across, std::uint64_t down, std::int64_t from_step, std::int64_t to_step,
                          std::uint64_t tiles_across, std::uint64_t tiles_down) {
  const Tile mine = tile_of(tables, blockIdx.x, tiles_across, tiles_down);
  const int lane = threadIdx.x % 32;
  const std::uint64_t first_across = mine.across * bit_tile, first_down = mine.down * bit_tile + threadIdx.x / 32 * 32;
  if (first_down >= down) return;
  std::uint32_t words[bit_tile / 32];
#pragma unroll
  for (int k = 0; k < bit_tile / 32; k++) {
    const std::uint64_t row = first_across + k * 32 + lane;
    words[k] = 0;
    if (row < across) {
      const std::uint64_t at =
          static_cast<std::uint64_t>(start + mine.from + static_cast<std::int64_t>(row) * from_step) + first_down;
      words[k] = __funnelshift_r(in[at / 32], in[at / 32 + 1], at % 32);
    }
    words[k] = turned(words[k], lane);
  }
  if (first_down + lane >= down) return;
  const std::uint64_t to =
      static_cast<std::uint64_t>(mine.to + static_cast<std::int64_t>(first_down + lane) * to_step) + first_across;
#pragma unroll
  for (int k = 0; k < bit_tile / 32; k++) {
    if (first_across + k * 32 >= across) break;
    if (whole) {
      out[to / 32 + k] = words[k];
    } else if (words[k] != 0) {
      atomicOr(out + to / 32 + k, words[k] << to % 32);
      if (const std::uint32_t high = __funnelshift_l(words[k], 0, to % 32); high != 0) atomicOr(out + to / 32 + k + 1, high);
    }
  }
}

// Finds the axis that is last in the source where another is last in the result; -1 where nothing is gained by going through
// tiles.
int swapped_axis(const griddle_box& b) {
  constexpr std::uint64_t worth_a_tile = 8;
  const int last = static_cast<int>(b.axis_count) - 1;
  if (last < 1 || b.axes[last].step == 1 || b.axes[last].length < worth_a_tile) return -1;
  for (int a = 0; a <= last; a++)
    if (b.axes[a].limit != 0) return -1;
  for (int a = 0; a < last; a++)
    if (b.axes[a].step == 1 && b.axes[a].length >= worth_a_tile) return a;
  return -1;
}

griddle_status transpose_bits(griddle_device& d, const griddle_box& b, const Tables& tables, const void* in, void* out,
                              std::uint64_t across, std::uint64_t down, std::int64_t from_step, std::int64_t to_step,
                              std::uint64_t count) {
  const std::uint64_t tiles_across = (across + bit_tile - 1) / bit_tile, tiles_down = (down + bit_tile - 1) / bit_tile;
  const std::uint64_t blocks = tiles_across * tiles_down * count;
  if (blocks > 0x7FFFFFFF) return griddle_unsupported;
  bool whole = across % 32 == 0 && to_step % 32 == 0;
  for (int a = 0; a < tables.count; a++) whole = whole && tables.to[a] % 32 == 0;
  if (!whole) {
    const std::size_t bytes = (across * down * count + 31) / 32 * 4;
    const griddle_status s = status_of(d, cudaMemsetAsync(out, 0, bytes, d.stream));
    if (s != griddle_done) return s;
  }
  const auto kernel = whole ? transpose_bits_kernel<true> : transpose_bits_kernel<false>;
  kernel<<<static_cast<unsigned>(blocks), threads, 0, d.stream>>>(tables, b.from, static_cast<const std::uint32_t*>(in),
                                                                  static_cast<std::uint32_t*>(out), across, down, from_step,
                                                                  to_step, tiles_across, tiles_down);
  return launched(d);
}

}  // namespace

griddle_status transpose(griddle_device& d, const griddle_box& b, const void* in, void* out) {
  const int swapped = swapped_axis(b);
  if (swapped < 0) return griddle_unsupported;
  const int last = static_cast<int>(b.axis_count) - 1;
  Tables tables{};
  std::int64_t to = static_cast<std::int64_t>(b.axes[last].length), to_step = 0;
  std::uint64_t count = 1;
  for (int a = last - 1; a >= 0; a--) {
    if (a == swapped) {
      to_step = to;
    } else {
      tables.length[tables.count] = b.axes[a].length;
      tables.from[tables.count] = b.axes[a].step;
      tables.to[tables.count] = to;
      tables.count++;
      count *= b.axes[a].length;
    }
    to *= static_cast<std::int64_t>(b.axes[a].length);
  }
  const std::uint64_t across = b.axes[last].length, down = b.axes[swapped].length;
  if (b.bits_wide == 1) return transpose_bits(d, b, tables, in, out, across, down, b.axes[last].step, to_step, count);
  return with_width(b.bits_wide / 8, [&](auto unit) {
    using T = decltype(unit);
    constexpr std::uint64_t side = sizeof(T) == 1 ? 64 : 32;
    const std::uint64_t tiles_across = (across + side - 1) / side, tiles_down = (down + side - 1) / side;
    const std::uint64_t blocks = tiles_across * tiles_down * count;
    if (blocks > 0x7FFFFFFF) return griddle_unsupported;
    transpose_kernel<T><<<static_cast<unsigned>(blocks), threads, 0, d.stream>>>(
        tables, static_cast<const T*>(in) + b.from, static_cast<T*>(out), across, down, b.axes[last].step, to_step, tiles_across,
        tiles_down);
    return launched(d);
  });
}

}  // namespace griddle::cuda
