// Compaction as jobs of the look-back engine: keep the flagged elements, or split by flags, or take the first of each run, or
// fold each run of equal keys. The selection is made in the same pass that finds out where its results go.
#pragma once

#include "gpu/cuda/scan.cuh"

namespace griddle::cuda {

constexpr int nibble = 4;  // elements of a lane in one row; their flags are 4 bits
constexpr u32 row_length = 32 * nibble;

// Copies `count` elements of a warp's shared memory to consecutive global memory.
template <class T>
__device__ __forceinline__ void copy_out(T* to, const T* from, u32 count, int lane) {
  for (u32 i = lane; i < count; i += 32) to[i] = from[i];
}

// Keeps the elements whose bit of `mask` is set (Select), and with `both` puts the others, in order, to `rest`. Bits from
// `length` on may be anything. With in == out it works in place: what a tile overwrites was read before its predecessors were
// settled … provided that one tile a block is the driver, whose tiles are all loaded before they are settled.
template <class T, bool both, int warps_, int rows>
struct Select {
  using Carry = u32;
  using Unit = u32;
  static constexpr int warps = warps_;
  static constexpr bool aligned = true, writes_stage = true;
  static constexpr u32 part_length = rows * row_length;
  static constexpr u32 tile_length = warps * part_length;
  static constexpr u32 item_bytes = tile_length * sizeof(T);
  static constexpr u32 mask_bytes = tile_length / 8;
  static constexpr u32 stage_bytes = item_bytes + mask_bytes;
  static constexpr u32 scratch_bytes = both ? item_bytes : 0;
  static constexpr int pieces = 2;

  const T* in;
  const u32* mask;
  T* out;
  T* rest;
  u64* kept;
  i64 length;
  u32 tiles;

  __device__ Carry identity() const { return 0; }
  __device__ Carry initial() const { return 0; }
  __device__ Carry combine(Carry a, Carry b) const { return a + b; }
  __device__ u32 origin(u32) const { return 0; }
  __device__ bool is_last(u32 tile) const { return tile == tiles - 1; }
  __device__ void finish(Carry all) const {
    if (kept) *kept = all;
  }
  __device__ u32 count_in(u32 tile) const {
    return static_cast<u32>(min(static_cast<i64>(tile_length), length - static_cast<i64>(tile) * tile_length));
  }
  __device__ void pieces_of(u32 tile, Piece (&p)[2]) const {
    const u32 count = count_in(tile);
    p[0] = {in + static_cast<i64>(tile) * tile_length, 0, up_to_16(count * sizeof(T))};
    p[1] = {mask + static_cast<i64>(tile) * (tile_length / 32), item_bytes, up_to_16((count + 7) / 8)};
  }
  // Gives a word of the mask, without bits past the end.
  __device__ u32 mask_word(const char* stage, u32 i, u32 count) const {
    const u32 word = reinterpret_cast<const u32*>(stage + item_bytes)[i];
    return i * 32 + 32 <= count ? word : i * 32 >= count ? 0 : word & ((1u << (count - i * 32)) - 1);
  }
  __device__ Carry sum(const char* stage, u32 tile, int warp, int lane) const {
    const u32 count = count_in(tile);
    Carry c = 0;
#pragma unroll
    for (u32 i = lane; i < part_length / 32; i += 32) c += __popc(mask_word(stage, warp * (part_length / 32) + i, count));
    return __reduce_add_sync(whole_warp, c);
  }
  __device__ void write(char* stage, char* scratch, u32 tile, int warp, int lane, Carry before) const {
    const u32 count = count_in(tile);
    T* part = reinterpret_cast<T*>(stage) + warp * part_length;
    T* others = reinterpret_cast<T*>(scratch) + warp * part_length;
    struct alignas(sizeof(T) * nibble <= 16 ? sizeof(T) * nibble : 16) Group {
      T of[nibble];
    };
    u32 kept_here = 0;
#pragma unroll 4
    for (int r = 0; r < rows; r++) {
      const u32 first_word = warp * (part_length / 32) + r * nibble;
      // All lanes read the row's four words; a lane's rank comes from the bits before its own.
      u32 below = 0, all = 0, mine = 0;
#pragma unroll
      for (int i = 0; i < 4; i++) {
        const u32 word = mask_word(stage, first_word + i, count);
        if (i == lane / 8) {
          mine = word >> (lane % 8 * nibble) & 15;
          below = all + __popc(word & ((1u << (lane % 8 * nibble)) - 1));
        }
        all += __popc(word);
      }
      const Group g = reinterpret_cast<const Group*>(part)[r * 32 + lane];
      __syncwarp();
      u32 to = kept_here + below;
      if constexpr (both) {
        u32 to_other = r * row_length + lane * nibble - to;
#pragma unroll
        for (int i = 0; i < nibble; i++) {
          if (mine >> i & 1)
            part[to++] = g.of[i];
          else
            others[to_other++] = g.of[i];
        }
      } else {
#pragma unroll
        for (int i = 0; i < nibble; i++)
          if (mine >> i & 1) part[to++] = g.of[i];
      }
      kept_here += all;
    }
    __syncwarp();
    copy_out(out + before, part, kept_here, lane);
    if constexpr (both) {
      const i64 first = static_cast<i64>(tile) * tile_length + warp * part_length;
      const u32 here = count > warp * part_length ? min(part_length, count - warp * part_length) : 0;
      copy_out(rest + (first - before), others, here - min(here, kept_here), lane);
    }
  }
};

// --- runs of equal neighbours

template <class T>
__device__ __forceinline__ bool differ(T a, T b) {
  return !(a == b);
}

__device__ __forceinline__ u32 left_in_row(u32 left, int row) { return left > row * row_length ? left - row * row_length : 0; }

// Gives the flags of a lane's four keys: which differ from the key before. `row` is preceded by the key before it. Of a row that
// the end cuts, `left` keys count; a whole row has no more than that.
template <class Key>
__device__ __forceinline__ u32 head_flags(const Key* row, int lane, bool very_first, u32 left) {
  struct alignas(sizeof(Key) * nibble <= 16 ? sizeof(Key) * nibble : 16) Group {
    Key of[nibble];
  };
  const Group g = reinterpret_cast<const Group*>(row)[lane];
  Key ahead = shuffle_up(g.of[nibble - 1], 1);
  if (lane == 0 && !very_first) ahead = *(row - 1);
  u32 flags = differ(ahead, g.of[0]) || (very_first && lane == 0);
#pragma unroll
  for (int i = 1; i < nibble; i++) flags |= static_cast<u32>(differ(g.of[i - 1], g.of[i])) << i;
  if (left < row_length) {
    const u32 at = lane * nibble;
    if (at + nibble > left) flags &= at >= left ? 0 : (1u << (left - at)) - 1;
  }
  return flags;
}

// Finds runs of equal keys: writes the key of each (where `keys_out`), and where it starts (where `starts`). Lengths are the
// differences of the starts.
template <class Key, int warps_, int rows>
struct Runs {
  using Carry = u32;
  using Unit = u32;
  static constexpr int warps = warps_;
  static constexpr bool aligned = true, writes_stage = false;
  static constexpr u32 part_length = rows * row_length;
  static constexpr u32 tile_length = warps * part_length;
  static constexpr u32 keys_at = 16;  // the 16 bytes before hold the key before the tile
  static constexpr u32 flags_at = keys_at + tile_length * sizeof(Key);
  static constexpr u32 scratch_bytes = 0;
  static constexpr u32 stage_bytes = (flags_at + tile_length / nibble + 127) / 128 * 128;
  static constexpr int pieces = 1;

  const Key* in;
  Key* keys_out;
  u32* starts;
  u64* runs;
  i64 length;
  u32 tiles;

  __device__ Carry identity() const { return 0; }
  __device__ Carry initial() const { return 0; }
  __device__ Carry combine(Carry a, Carry b) const { return a + b; }
  __device__ u32 origin(u32) const { return 0; }
  __device__ bool is_last(u32 tile) const { return tile == tiles - 1; }
  __device__ void finish(Carry all) const { *runs = all; }
  __device__ u32 count_in(u32 tile) const {
    return static_cast<u32>(min(static_cast<i64>(tile_length), length - static_cast<i64>(tile) * tile_length));
  }
  __device__ void pieces_of(u32 tile, Piece (&p)[1]) const {
    const char* from = reinterpret_cast<const char*>(in + static_cast<i64>(tile) * tile_length);
    const u32 bytes = up_to_16(count_in(tile) * sizeof(Key));
    if (tile == 0)
      p[0] = {from, keys_at, bytes};
    else
      p[0] = {from - 16, keys_at - 16, bytes + 16};
  }
  __device__ Carry sum(char* stage, u32 tile, int warp, int lane) const {
    const Key* part = reinterpret_cast<const Key*>(stage + keys_at) + warp * part_length;
    u8* flags = reinterpret_cast<u8*>(stage + flags_at) + warp * (part_length / nibble);
    const u32 count = count_in(tile), left = count > warp * part_length ? count - warp * part_length : 0;
    u32 heads = 0;
#pragma unroll 4
    for (int r = 0; r < rows; r++) {
      const u32 here = head_flags(part + r * row_length, lane, tile == 0 && warp == 0 && r == 0, left_in_row(left, r));
      flags[r * 32 + lane] = static_cast<u8>(here);
      heads += __popc(here);
    }
    return __reduce_add_sync(whole_warp, heads);
  }
  __device__ void write(char* stage, char* scratch, u32 tile, int warp, int lane, Carry before) const {
    const Key* part = reinterpret_cast<const Key*>(stage + keys_at) + warp * part_length;
    const u8* flags = reinterpret_cast<const u8*>(stage + flags_at) + warp * (part_length / nibble);
    const i64 first = static_cast<i64>(tile) * tile_length + warp * part_length;
#pragma unroll 4
    for (int r = 0; r < rows; r++) {
      u32 here = flags[r * 32 + lane];
      if (__ballot_sync(whole_warp, here != 0) == 0) continue;
      const u32 mine = __popc(here);
      const u32 through = warp_scan(mine, lane, [](u32 a, u32 b) { return a + b; });
      u32 to = before + through - mine;
      before += __shfl_sync(whole_warp, through, 31);
      while (here) {
        const int i = __ffs(here) - 1;
        here &= here - 1;
        const u32 at = (r * 32 + lane) * nibble + i;
        if (keys_out) keys_out[to] = part[at];
        if (starts) starts[to] = static_cast<u32>(first + at);
        to++;
      }
    }
  }
};

// Turns starts of runs into their lengths.
static __global__ void run_lengths(const u32* starts, u32* lengths, const u64* runs, u32 length) {
  const u64 n = *runs;
  for (u64 i = blockIdx.x * static_cast<u64>(blockDim.x) + threadIdx.x; i < n; i += static_cast<u64>(gridDim.x) * blockDim.x)
    lengths[i] = (i + 1 < n ? starts[i + 1] : length) - starts[i];
}

// --- fold of each run of equal keys

template <class Value>
struct RunSum {
  u32 heads;  // runs begun
  Value sum;  // of the run that is open
};
template <>
struct RunSum<double> {
  u32 heads;
  u32 sum_bits[2];
};
template <class Value>
__device__ __forceinline__ Value sum_in(const RunSum<Value>& c) {
  if constexpr (sizeof(Value) == 8)
    return bits_as<Value>(c.sum_bits);
  else
    return c.sum;
}
template <class Value>
__device__ __forceinline__ RunSum<Value> run_sum(u32 heads, Value sum) {
  RunSum<Value> c;
  c.heads = heads;
  if constexpr (sizeof(Value) == 8)
    memcpy(c.sum_bits, &sum, 8);
  else
    c.sum = sum;
  return c;
}

template <class Key, class Value, int warps_, int rows>
struct FoldRuns {
  using Carry = RunSum<Value>;
  using Unit = u32;
  static constexpr int warps = warps_;
  static constexpr bool aligned = true, writes_stage = false;
  static constexpr u32 part_length = rows * row_length;
  static constexpr u32 tile_length = warps * part_length;
  static constexpr u32 keys_at = 16;
  static constexpr u32 values_at = keys_at + tile_length * sizeof(Key);
  static constexpr u32 flags_at = values_at + tile_length * sizeof(Value);
  static constexpr u32 scratch_bytes = 0;
  static constexpr u32 stage_bytes = (flags_at + tile_length / nibble + 127) / 128 * 128;
  static constexpr int pieces = 2;

  const Key* keys;
  const Value* values;
  Key* keys_out;
  Value* sums;
  u64* runs;
  i64 length;
  u32 tiles;

  static __device__ Carry join(Carry a, Carry b) {
    return run_sum<Value>(a.heads + b.heads, b.heads ? sum_in<Value>(b) : sum_in<Value>(a) + sum_in<Value>(b));
  }
  __device__ Carry identity() const { return run_sum<Value>(0, Value{}); }
  __device__ Carry initial() const { return identity(); }
  __device__ Carry combine(Carry a, Carry b) const { return join(a, b); }
  __device__ u32 origin(u32) const { return 0; }
  __device__ bool is_last(u32 tile) const { return tile == tiles - 1; }
  __device__ void finish(Carry all) const {
    *runs = all.heads;
    sums[all.heads - 1] = sum_in<Value>(all);
  }
  __device__ u32 count_in(u32 tile) const {
    return static_cast<u32>(min(static_cast<i64>(tile_length), length - static_cast<i64>(tile) * tile_length));
  }
  __device__ void pieces_of(u32 tile, Piece (&p)[2]) const {
    const i64 first = static_cast<i64>(tile) * tile_length;
    const char* from = reinterpret_cast<const char*>(keys + first);
    const u32 count = count_in(tile), bytes = up_to_16(count * sizeof(Key));
    if (tile == 0)
      p[0] = {from, keys_at, bytes};
    else
      p[0] = {from - 16, keys_at - 16, bytes + 16};
    p[1] = {values + first, values_at, up_to_16(count * sizeof(Value))};
  }
  struct alignas(sizeof(Value) * nibble <= 16 ? sizeof(Value) * nibble : 16) Values {
    Value of[nibble];
  };
  __device__ Values values_of(const char* stage, int row, u32 left, int warp, int lane) const {
    Values v = reinterpret_cast<const Values*>(stage + values_at)[(warp * rows + row) * 32 + lane];
    if (left < row_length) {
#pragma unroll
      for (int i = 0; i < nibble; i++)
        if (lane * nibble + i >= left) v.of[i] = Value{};
    }
    return v;
  }
  static __device__ Value warp_sum(Value v) {
#pragma unroll
    for (int by = 16; by; by /= 2) v += __shfl_xor_sync(whole_warp, v, by);
    return v;
  }
  __device__ Carry sum(char* stage, u32 tile, int warp, int lane) const {
    const Key* part = reinterpret_cast<const Key*>(stage + keys_at) + warp * part_length;
    u8* flags = reinterpret_cast<u8*>(stage + flags_at) + warp * (part_length / nibble);
    const u32 count = count_in(tile), left = count > warp * part_length ? count - warp * part_length : 0;
    u32 heads = 0;
    Value open{};  // this lane's share of the run that is open
#pragma unroll 4
    for (int r = 0; r < rows; r++) {
      const u32 here = head_flags(part + r * row_length, lane, tile == 0 && warp == 0 && r == 0, left_in_row(left, r));
      flags[r * 32 + lane] = static_cast<u8>(here);
      const Values v = values_of(stage, r, left_in_row(left, r), warp, lane);
      const u32 with_heads = __ballot_sync(whole_warp, here != 0);
      if (with_heads == 0) {
        open += v.of[0] + v.of[1] + v.of[2] + v.of[3];
      } else {
        heads += __popc(here);
        // Only what follows the row's last head stays open.
        const int owner = 31 - __clz(with_heads);
        const int from = lane < owner ? nibble : lane > owner ? 0 : 31 - __clz(here);
        open = Value{};
#pragma unroll
        for (int i = 0; i < nibble; i++)
          if (i >= from) open += v.of[i];
      }
    }
    return run_sum<Value>(__reduce_add_sync(whole_warp, heads), warp_sum(open));
  }
  __device__ void write(char* stage, char* scratch, u32 tile, int warp, int lane, Carry before) const {
    const Key* part = reinterpret_cast<const Key*>(stage + keys_at) + warp * part_length;
    const u8* flags = reinterpret_cast<const u8*>(stage + flags_at) + warp * (part_length / nibble);
    const u32 count = count_in(tile), left = count > warp * part_length ? count - warp * part_length : 0;
    u32 heads = before.heads;
    Value open = lane == 0 ? sum_in<Value>(before) : Value{};  // this lane's share of the run that is open
#pragma unroll 2
    for (int r = 0; r < rows; r++) {
      const u32 here = flags[r * 32 + lane];
      u32 with_heads = __ballot_sync(whole_warp, here != 0);
      const Values v = values_of(stage, r, left_in_row(left, r), warp, lane);
      if (with_heads == 0) {
        open += v.of[0] + v.of[1] + v.of[2] + v.of[3];
      } else if (__popc(with_heads) <= few_heads) {
        close_few(part + r * row_length, v, here, with_heads, lane, heads, open);
      } else {
        close_many(part + r * row_length, v, here, lane, heads, open);
      }
    }
  }

 private:
  // Rows with heads in more lanes are scanned at once rather than summed once a head.
  static constexpr int few_heads = 4;

  __device__ void close_few(const Key* row, const Values& v, u32 here, u32 with_heads, int lane, u32& heads, Value& open) const {
    int from = 0;  // first element of the row in the run that is open
    while (with_heads) {
      const int owner = __ffs(with_heads) - 1;
      with_heads &= with_heads - 1;
      u32 flags = __shfl_sync(whole_warp, here, owner);
      while (flags) {
        const int head = owner * nibble + __ffs(flags) - 1;
        flags &= flags - 1;
#pragma unroll
        for (int i = 0; i < nibble; i++) {
          const int at = lane * nibble + i;
          if (at >= from && at < head) open += v.of[i];
        }
        open = warp_sum(open);
        if (lane == 0) {
          if (heads > 0) sums[heads - 1] = open;
          keys_out[heads] = row[head];
        }
        heads++;
        open = Value{};
        from = head;
      }
    }
#pragma unroll
    for (int i = 0; i < nibble; i++)
      if (lane * nibble + i >= from) open += v.of[i];
  }

  // Sums from head to head by a scan that restarts at heads.
  __device__ void close_many(const Key* row, const Values& v, u32 here, int lane, u32& heads, Value& open) const {
    const Value carried = warp_sum(open);
    Carry mine = identity();
#pragma unroll
    for (int i = 0; i < nibble; i++) mine = join(mine, run_sum<Value>(here >> i & 1, v.of[i]));
    const Carry through = warp_scan(mine, lane, join);
    Carry ahead = shuffle_up(through, 1);
    if (lane == 0) ahead = identity();
    ahead = join(run_sum<Value>(heads, carried), ahead);
    Value running = sum_in<Value>(ahead);
    u32 to = ahead.heads;
#pragma unroll
    for (int i = 0; i < nibble; i++) {
      if (here >> i & 1) {
        if (to > 0) sums[to - 1] = running;
        keys_out[to++] = row[lane * nibble + i];
        running = v.of[i];
      } else {
        running += v.of[i];
      }
    }
    const Carry row_end = shuffle(through, 31);
    heads += row_end.heads;
    open = lane == 0 ? sum_in<Value>(row_end) : Value{};
  }
};

}  // namespace griddle::cuda
