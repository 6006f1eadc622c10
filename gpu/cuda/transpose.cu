// Transposition: two axes change places within each of many tables, tile by tile.
#include <algorithm>
#include <type_traits>

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

// Elements are taken by words of so many; a square of them, a word for each row, is turned in registers.
template <class T, class W>
constexpr int in_word = sizeof(W) / sizeof(T);
template <class T, class W>
__device__ __forceinline__ void turn(W (&word)[in_word<T, W>]) {
  constexpr int items = in_word<T, W>, width = 8 * static_cast<int>(sizeof(T));
#pragma unroll
  for (int by = items / 2; by; by /= 2) {
    // Those elements of a word whose number lacks this bit.
    W low = 0;
#pragma unroll
    for (int k = 0; k < items; k++)
      if ((k & by) == 0) low |= static_cast<W>(static_cast<T>(~T{0})) << (k * width);
#pragma unroll
    for (int i = 0; i < items; i++)
      if ((i & by) == 0) {
        const W first = word[i], second = word[i + by];
        word[i] = (first & low) | (second & low) << (by * width);
        word[i + by] = (first >> (by * width) & low) | (second & ~low);
      }
  }
}
// Reads or writes a word, of which `left` elements are there.
template <class T, class W>
__device__ __forceinline__ W word_at(const T* from, std::int64_t left) {
  constexpr int items = in_word<T, W>;
  if (left >= items) return *reinterpret_cast<const W*>(from);
  W word = 0;
  for (int i = 0; i < left; i++) word |= static_cast<W>(from[i]) << (i * static_cast<int>(sizeof(T)) * 8);
  return word;
}
template <class T, class W>
__device__ __forceinline__ void put_word(T* to, W word, std::int64_t left) {
  constexpr int items = in_word<T, W>;
  if (left >= items) {
    *reinterpret_cast<W*>(to) = word;
  } else {
    for (int i = 0; i < left; i++) to[i] = static_cast<T>(word >> (i * static_cast<int>(sizeof(T)) * 8));
  }
}

// A table to turn: element across‿down is source[across × from_step + down], and target[across + down × to_step].
struct Turned {
  std::int64_t across, down, from_step, to_step;
};

// Tiles of 32 words each way. Rows of the tile in shared memory are turned by their number, so that neither way meets one bank
// twice.
template <class T, class W>
__global__ void __launch_bounds__(threads)
    transpose_kernel(const __grid_constant__ Tables tables, const T* __restrict__ in, T* __restrict__ out, const Turned all,
                     std::uint64_t tiles_across, std::uint64_t tiles_down) {
  constexpr int items = in_word<T, W>, side = 32 * items, warps = threads / 32, turns = 32 / warps;
  extern __shared__ __align__(16) char shared[];
  W(*const tile)[32] = reinterpret_cast<W(*)[32]>(shared);
  const Tile mine = tile_of(tables, blockIdx.x, tiles_across, tiles_down);
  const T* const source = in + mine.from;
  T* const target = out + mine.to;
  const std::int64_t first_across = static_cast<std::int64_t>(mine.across) * side;
  const std::int64_t first_down = static_cast<std::int64_t>(mine.down) * side;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  W word[turns][items];
  const std::int64_t column = first_down + lane * items;
#pragma unroll
  for (int k = 0; k < turns; k++) {
#pragma unroll
    for (int i = 0; i < items; i++) {
      const std::int64_t row = first_across + (warp + k * warps) * items + i;
      word[k][i] =
          row < all.across && column < all.down ? word_at<T, W>(source + row * all.from_step + column, all.down - column) : 0;
    }
  }
#pragma unroll
  for (int k = 0; k < turns; k++) {
    turn<T, W>(word[k]);
#pragma unroll
    for (int i = 0; i < items; i++) tile[lane * items + i][(warp + k * warps) ^ lane] = word[k][i];
  }
  __syncthreads();
  const std::int64_t place = first_across + lane * items;
#pragma unroll 4
  for (int y = warp; y < side; y += warps) {
    const std::int64_t row = first_down + y;
    if (row < all.down && place < all.across)
      put_word<T, W>(target + row * all.to_step + place, tile[y][lane ^ (y / items)], all.across - place);
  }
}

// Where one side is short no tiles are needed: neighbouring threads take the words along it, and next to them those of the next
// rows, so that both ways memory is met in pieces of a sector or more.
template <class T, class W, bool down_is_short>
__global__ void __launch_bounds__(threads)
    thin_kernel(const __grid_constant__ Tables tables, const T* __restrict__ in, T* __restrict__ out, const Turned all,
                std::uint32_t words_across, std::uint32_t words_down) {
  constexpr int items = in_word<T, W>;
  const Tile mine = tile_of(tables, blockIdx.y, 1, 1);
  const T* const source = in + mine.from;
  T* const target = out + mine.to;
  const std::uint32_t count = words_across * words_down, brief = down_is_short ? words_down : words_across;
#pragma unroll 2
  for (std::uint32_t n = blockIdx.x * threads + threadIdx.x; n < count; n += gridDim.x * threads) {
    const std::uint32_t along = n / brief, within = n - along * brief;
    const std::int64_t across = std::int64_t{down_is_short ? along : within} * items;
    const std::int64_t down = std::int64_t{down_is_short ? within : along} * items;
    W word[items];
#pragma unroll
    for (int i = 0; i < items; i++)
      word[i] = across + i < all.across ? word_at<T, W>(source + (across + i) * all.from_step + down, all.down - down) : 0;
    turn<T, W>(word);
#pragma unroll
    for (int i = 0; i < items; i++)
      if (down + i < all.down) put_word<T, W>(target + (down + i) * all.to_step + across, word[i], all.across - across);
  }
}

// Where the short side is a few whole words and lies without gaps, a thread takes all of it, for a word of the long side: one
// memory is met by the rows of a warp, the other by pieces that follow each other.
template <class W, int items, int words>
struct alignas(items* words * sizeof(W) % 16 == 0 ? 16 : sizeof(W)) Strip {
  W of[items][words];
};
template <class T, class W, int words, bool down_is_short>
__global__ void __launch_bounds__(threads)
    strip_kernel(const __grid_constant__ Tables tables, const T* __restrict__ in, T* __restrict__ out, const Turned all) {
  constexpr int items = in_word<T, W>;
  using Whole = Strip<W, items, words>;
  const Tile mine = tile_of(tables, blockIdx.y, 1, 1);
  const T* const source = in + mine.from;
  T* const target = out + mine.to;
  const std::int64_t count = (down_is_short ? all.across : all.down) / items;
  for (std::int64_t n = blockIdx.x * std::int64_t{threads} + threadIdx.x; n < count; n += gridDim.x * std::int64_t{threads}) {
    Whole strip;
    if constexpr (down_is_short) strip = reinterpret_cast<const Whole*>(source)[n];
    W word[words][items];
#pragma unroll
    for (int w = 0; w < words; w++) {
#pragma unroll
      for (int i = 0; i < items; i++)
        word[w][i] =
            down_is_short ? strip.of[i][w] : *reinterpret_cast<const W*>(source + (w * items + i) * all.from_step + n * items);
      turn<T, W>(word[w]);
#pragma unroll
      for (int i = 0; i < items; i++) {
        if constexpr (down_is_short)
          *reinterpret_cast<W*>(target + (w * items + i) * all.to_step + n * items) = word[w][i];
        else
          strip.of[i][w] = word[w][i];
      }
    }
    if constexpr (!down_is_short) reinterpret_cast<Whole*>(target)[n] = strip;
  }
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

// The same for packed bits, in tiles of 512 × 512, which lie in shared memory as squares of 32 × 32: a warp turns two squares at
// a time, which change places. Rows are read and written by 64 bytes. Where results are not `whole` words, the memory holds zeros
// and is added to.
constexpr int bit_squares = 16, bit_tile = 32 * bit_squares, warps_of_block = threads / 32;
static_assert(bit_squares == 2 * warps_of_block);
template <bool whole>
__global__ void __launch_bounds__(threads)
    transpose_bits_kernel(const __grid_constant__ Tables tables, std::int64_t start, const std::uint32_t* in, std::uint32_t* out,
                          std::uint64_t across, std::uint64_t down, std::int64_t from_step, std::int64_t to_step,
                          std::uint64_t tiles_across, std::uint64_t tiles_down) {
  constexpr int rows_at_once = threads / bit_squares;
  __shared__ std::uint32_t tile[bit_tile][bit_squares + 1];
  const Tile mine = tile_of(tables, blockIdx.x, tiles_across, tiles_down);
  const std::uint64_t first_across = mine.across * bit_tile, first_down = mine.down * bit_tile;
  const int rows = static_cast<int>(min(across - first_across, std::uint64_t{bit_tile}));
  const int columns = static_cast<int>(min(down - first_down, std::uint64_t{bit_tile}));
  const int column = threadIdx.x % bit_squares, first_row = threadIdx.x / bit_squares;
  const std::uint64_t from = static_cast<std::uint64_t>(start + mine.from + static_cast<std::int64_t>(first_across) * from_step) +
                             first_down + 32 * column;
#pragma unroll 8
  for (int row = first_row; row < (rows + 31) / 32 * 32; row += rows_at_once) {
    std::uint32_t word = 0;
    if (row < rows && 32 * column < columns) {
      const std::uint64_t at = from + static_cast<std::uint64_t>(row * from_step);
      word = __funnelshift_r(in[at / 32], in[at / 32 + 1], at % 32);
    }
    tile[row][column] = word;
  }
  __syncthreads();
  // Of the squares on and above the diagonal, a warp takes those of one row from either end.
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int i = 0; i <= bit_squares; i++) {
    const bool upper = i < bit_squares - warp;
    const int k = upper ? warp : bit_squares - 1 - warp, w = upper ? warp + i : i - 1;
    if ((32 * k >= rows || 32 * w >= columns) && (32 * w >= rows || 32 * k >= columns)) continue;
    const std::uint32_t one = turned(tile[32 * k + lane][w], lane), other = turned(tile[32 * w + lane][k], lane);
    __syncwarp();
    tile[32 * w + lane][k] = one;
    tile[32 * k + lane][w] = other;
  }
  __syncthreads();
  const std::uint64_t to =
      static_cast<std::uint64_t>(mine.to + static_cast<std::int64_t>(first_down) * to_step) + first_across + 32 * column;
  if (32 * column >= rows) return;
#pragma unroll 4
  for (int row = first_row; row < columns; row += rows_at_once) {
    const std::uint64_t at = to + static_cast<std::uint64_t>(row * to_step);
    const std::uint32_t word = tile[row][column];
    if (whole) {
      out[at / 32] = word;
    } else if (word != 0) {
      atomicOr(out + at / 32, word << at % 32);
      if (const std::uint32_t high = __funnelshift_l(word, 0, at % 32); high != 0) atomicOr(out + at / 32 + 1, high);
    }
  }
}

// Finds the axis that is last in the source where another is last in the result; -1 where nothing is gained by going through
// tiles.
int swapped_axis(const griddle_box& b) {
  // Narrow tables are turned where they are long: one of many short ones would leave a block without work.
  constexpr std::uint64_t worth_a_tile = 8, worth_turning = 1 << 12;
  const int last = static_cast<int>(b.axis_count) - 1;
  if (last < 1 || b.axes[last].step == 1) return -1;
  const std::uint64_t across = b.axes[last].length;
  for (int a = 0; a <= last; a++)
    if (b.axes[a].limit != 0) return -1;
  for (int a = 0; a < last; a++)
    if (const std::uint64_t down = b.axes[a].length; b.axes[a].step == 1)
      if (std::min(across, down) >= worth_a_tile ||
          (b.bits_wide != 1 && across > 1 && down > 1 && across * down >= worth_turning))
        return a;
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

// Starts strip_kernel for so many words; unsupported where these are none that it takes.
template <class T, class W, int words = 1>
griddle_status turn_strips(griddle_device& d, const Tables& tables, const T* in, T* out, const Turned& all, std::uint64_t count,
                           bool down_is_short) {
  constexpr int most_words = 4, items = in_word<T, W>;
  if constexpr (words > most_words) {
    return griddle_unsupported;
  } else {
    if ((down_is_short ? all.down : all.across) != words * items)
      return turn_strips<T, W, words + 1>(d, tables, in, out, all, count, down_is_short);
    const auto kernel = down_is_short ? strip_kernel<T, W, words, true> : strip_kernel<T, W, words, false>;
    const std::uint64_t strips = static_cast<std::uint64_t>(down_is_short ? all.across : all.down) / items;
    const std::uint32_t blocks = blocks_for(strips, threads * 2, static_cast<std::uint32_t>(d.multiprocessors) * 64);
    kernel<<<dim3(blocks, static_cast<unsigned>(count)), threads, 0, d.stream>>>(tables, in, out, all);
    return launched(d);
  }
}

// Tells whether every row begins at a word, where it is read and where it is written.
template <class T, class W>
bool is_in_words(const Tables& tables, const T* in, const T* out, const Turned& all) {
  constexpr std::int64_t items = in_word<T, W>;
  bool whole = reinterpret_cast<std::uintptr_t>(in) % sizeof(W) == 0 && reinterpret_cast<std::uintptr_t>(out) % sizeof(W) == 0 &&
               all.from_step % items == 0 && all.to_step % items == 0;
  for (int a = 0; a < tables.count; a++) whole = whole && tables.from[a] % items == 0 && tables.to[a] % items == 0;
  return whole;
}

// Turns tables by tiles.
template <class T, class W>
griddle_status turn_tiles(griddle_device& d, const Tables& tables, const T* in, T* out, const Turned& all, std::uint64_t count) {
  constexpr std::uint64_t side = 32 * in_word<T, W>;
  constexpr std::size_t shared = side * 32 * sizeof(W);
  const auto tiles = [](std::int64_t length) { return (static_cast<std::uint64_t>(length) + side - 1) / side; };
  const std::uint64_t tiles_across = tiles(all.across), tiles_down = tiles(all.down), blocks = tiles_across * tiles_down * count;
  if (blocks > 0x7FFFFFFF) return griddle_unsupported;
  const auto kernel = transpose_kernel<T, W>;
  const griddle_status s =
      status_of(d, cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared)));
  if (s != griddle_done) return s;
  kernel<<<static_cast<unsigned>(blocks), threads, shared, d.stream>>>(tables, in, out, all, tiles_across, tiles_down);
  return launched(d);
}

// Turns tables by words of W.
template <class T, class W>
griddle_status turn_tables(griddle_device& d, const Tables& tables, const T* in, T* out, const Turned& all, std::uint64_t count) {
  constexpr std::uint64_t items = in_word<T, W>, short_words = 8, most_tables = 65535;
  const auto parts = [](std::int64_t length, std::uint64_t of) { return (static_cast<std::uint64_t>(length) + of - 1) / of; };
  const std::uint64_t words_across = parts(all.across, items), words_down = parts(all.down, items);
  // Whole strips, which begin where vectors may.
  const bool down_is_short = words_down < words_across,
             dense = (down_is_short ? all.from_step : all.to_step) == (down_is_short ? all.down : all.across);
  const void* const strips = down_is_short ? static_cast<const void*>(in) : out;
  if (dense && count == 1 && all.across % static_cast<std::int64_t>(items) == 0 &&
      all.down % static_cast<std::int64_t>(items) == 0 && reinterpret_cast<std::uintptr_t>(strips) % 16 == 0) {
    const griddle_status s = turn_strips<T, W>(d, tables, in, out, all, count, down_is_short);
    if (s != griddle_unsupported) return s;
  }
  if (std::min(words_across, words_down) <= short_words && words_across * words_down < 0x80000000 && count <= most_tables) {
    const auto kernel = down_is_short ? thin_kernel<T, W, true> : thin_kernel<T, W, false>;
    const std::uint32_t blocks =
        blocks_for(words_across * words_down, threads * 2, static_cast<std::uint32_t>(d.multiprocessors) * 64);
    kernel<<<dim3(blocks, static_cast<unsigned>(count)), threads, 0, d.stream>>>(
        tables, in, out, all, static_cast<std::uint32_t>(words_across), static_cast<std::uint32_t>(words_down));
    return launched(d);
  }
  // Tiles of twice the side, where there are enough of them.
  const std::uint64_t tiles = words_across / 64 * (words_down / 64) * count;
  if constexpr (sizeof(W) == 4)
    if (tiles >= static_cast<std::uint64_t>(d.multiprocessors) && is_in_words<T, std::uint64_t>(tables, in, out, all))
      return turn_tiles<T, std::uint64_t>(d, tables, in, out, all, count);
  return turn_tiles<T, W>(d, tables, in, out, all, count);
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
  const Turned all{static_cast<std::int64_t>(across), static_cast<std::int64_t>(down), b.axes[last].step, to_step};
  return with_width(b.bits_wide / 8, [&](auto unit) {
    using T = decltype(unit);
    using W = std::conditional_t<sizeof(T) <= 2, std::uint32_t, std::uint64_t>;
    const T* const source = static_cast<const T*>(in) + b.from;
    T* const target = static_cast<T*>(out);
    return is_in_words<T, W>(tables, source, target, all) ? turn_tables<T, W>(d, tables, source, target, all, count)
                                                          : turn_tables<T, T>(d, tables, source, target, all, count);
  });
}

}  // namespace griddle::cuda
