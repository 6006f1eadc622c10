// Runs of equal neighbours as jobs of the look-back engine: where they are, and sums over them.
#pragma once

#include "gpu/cuda/lookback.cuh"

namespace griddle::cuda {

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
  u32 flags = ahead != g.of[0] || (very_first && lane == 0);
#pragma unroll
  for (int i = 1; i < nibble; i++) flags |= static_cast<u32>(g.of[i - 1] != g.of[i]) << i;
  if (left < row_length) {
    const u32 at = lane * nibble;
    if (at + nibble > left) flags &= at >= left ? 0 : (1u << (left - at)) - 1;
  }
  return flags;
}

// A list of keys in tiles. In its stage a part keeps a number for each lane: the flags of the lane's keys that begin a run, four
// bits a row.
template <class Key, int warps_, int rows>
struct KeyTiles : List<warps_ * rows * row_length> {
  using Base = List<warps_ * rows * row_length>;
  using Base::tile_length, Base::first_in, Base::count_in;
  static constexpr int warps = warps_;
  static constexpr bool aligned = true, writes_stage = false;
  static constexpr u32 part_length = rows * row_length;
  static constexpr u32 keys_at = 16;  // the 16 bytes before hold the key before the tile
  static constexpr u32 keys_end = keys_at + tile_length * sizeof(Key);
  static constexpr u32 scratch_bytes = 0;
  using Flags = std::conditional_t<rows <= 2, u8, std::conditional_t<rows <= 4, std::uint16_t, u32>>;
  static constexpr u32 flag_bytes = warps * 32 * sizeof(Flags);
  static_assert(rows <= 8);

  const Key* keys;
  Key* keys_out;
  u64* runs;

  __device__ Piece key_piece(u32 tile) const {
    const char* from = reinterpret_cast<const char*>(keys + first_in(tile));
    const u32 bytes = up_to_16(count_in(tile) * sizeof(Key));
    return tile == 0 ? Piece{from, keys_at, bytes} : Piece{from - 16, keys_at - 16, bytes + 16};
  }
  static __device__ const Key* part_of(const char* stage, int warp) {
    return reinterpret_cast<const Key*>(stage + keys_at) + warp * part_length;
  }
  static __device__ Flags& flags_in(char* stage, u32 flags_at, int warp, int lane) {
    return reinterpret_cast<Flags*>(stage + flags_at)[warp * 32 + lane];
  }
  // Gives how many keys of a part are there.
  __device__ u32 left_in_part(u32 tile, int warp) const {
    const u32 count = count_in(tile);
    return count > warp * part_length ? count - warp * part_length : 0;
  }
  __device__ u32 flags_of(const char* stage, u32 tile, int warp, int lane) const {
    const Key* part = part_of(stage, warp);
    const u32 left = left_in_part(tile, warp);
    u32 flags = 0;
#pragma unroll
    for (int r = 0; r < rows; r++)
      flags |= head_flags(part + r * row_length, lane, tile == 0 && warp == 0 && r == 0, left_in_row(left, r)) << (r * nibble);
    return flags;
  }
};

// Counts heads by rows: gives how many of each row come before the lane's own, and of all lanes, a byte a row.
struct HeadsByRow {
  u32 before, all;

  __device__ __forceinline__ HeadsByRow(u32 flags, int lane) {
    u32 mine = 0;
#pragma unroll
    for (int r = 0; r < 4; r++) mine |= __popc(flags >> (r * nibble) & 15) << (8 * r);
    const u32 through = warp_scan(mine, lane, [](u32 a, u32 b) { return a + b; });
    before = through - mine;
    all = __shfl_sync(whole_warp, through, 31);
  }
  __device__ __forceinline__ u32 before_in(int row) const { return before >> (8 * row) & 255; }
  __device__ __forceinline__ u32 all_in(int row) const { return all >> (8 * row) & 255; }
};

// Finds runs of equal keys: writes the key of each (where `keys_out`), and where it starts (where `starts`). Lengths are the
// differences of the starts. Where runs of a part start is gathered in shared memory, so that neighbouring lanes write
// neighbours.
template <class Key, int warps_, int rows>
struct Runs : KeyTiles<Key, warps_, rows>, Counting {
  using Carry = u32;
  using Tiles = KeyTiles<Key, warps_, rows>;
  using Place = std::uint16_t;
  static constexpr u32 flags_at = Tiles::keys_end;
  static constexpr u32 stage_bytes = (flags_at + Tiles::flag_bytes + 127) / 128 * 128;
  static constexpr u32 scratch_bytes = Tiles::tile_length * sizeof(Place);
  static constexpr int pieces = 1;
  static_assert(rows <= 4);

  u32* starts;

  __device__ void finish(Carry all) const { *this->runs = all; }
  __device__ void pieces_of(u32 tile, Piece (&p)[1]) const { p[0] = this->key_piece(tile); }
  __device__ Carry sum(char* stage, u32 tile, int warp, int lane) const {
    const u32 flags = this->flags_of(stage, tile, warp, lane);
    Tiles::flags_in(stage, flags_at, warp, lane) = static_cast<typename Tiles::Flags>(flags);
    return __reduce_add_sync(whole_warp, __popc(flags));
  }
  __device__ void write(char* stage, char* scratch, u32 tile, int warp, int lane, Carry before) const {
    const u32 flags = Tiles::flags_in(stage, flags_at, warp, lane);
    if (__ballot_sync(whole_warp, flags != 0) == 0) return;
    const Key* const part = Tiles::part_of(stage, warp);
    Place* const places = reinterpret_cast<Place*>(scratch) + warp * Tiles::part_length;
    const HeadsByRow heads(flags, lane);
    u32 found = 0;
#pragma unroll
    for (int r = 0; r < rows; r++) {
      u32 to = found + heads.before_in(r);
#pragma unroll
      for (int i = 0; i < nibble; i++)
        if (flags >> (r * nibble + i) & 1) places[to++] = static_cast<Place>((r * 32 + lane) * nibble + i);
      found += heads.all_in(r);
    }
    __syncwarp();
    const u32 first = static_cast<u32>(this->first_in(tile) + warp * Tiles::part_length);
    for (u32 k = lane; k < found; k += 32) {
      const u32 at = places[k];
      if (this->keys_out) this->keys_out[before + k] = part[at];
      if (starts) starts[before + k] = first + at;
    }
    __syncwarp();
  }
};

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

// Keys of runs and their sums are gathered in the stage, in place of the elements that they come from, so that neighbouring lanes
// write neighbours.
template <class Key, class Value, int warps_, int rows>
struct FoldRuns : KeyTiles<Key, warps_, rows> {
  using Carry = RunSum<Value>;
  using Tiles = KeyTiles<Key, warps_, rows>;
  static constexpr u32 values_at = Tiles::keys_end;
  static constexpr u32 flags_at = values_at + Tiles::tile_length * sizeof(Value);
  static constexpr u32 stage_bytes = (flags_at + Tiles::flag_bytes + 127) / 128 * 128;
  static constexpr bool writes_stage = true;
  static constexpr int pieces = 2;
  static_assert(rows <= 4);

  const Value* values;
  Value* sums;

  static __device__ Carry join(Carry a, Carry b) {
    return run_sum<Value>(a.heads + b.heads, b.heads ? sum_in<Value>(b) : sum_in<Value>(a) + sum_in<Value>(b));
  }
  __device__ Carry identity() const { return run_sum<Value>(0, Value{}); }
  __device__ Carry initial() const { return identity(); }
  __device__ Carry combine(Carry a, Carry b) const { return join(a, b); }
  __device__ void finish(Carry all) const {
    *this->runs = all.heads;
    sums[all.heads - 1] = sum_in<Value>(all);
  }
  __device__ void pieces_of(u32 tile, Piece (&p)[2]) const {
    p[0] = this->key_piece(tile);
    p[1] = {values + this->first_in(tile), values_at, up_to_16(this->count_in(tile) * sizeof(Value))};
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
  // Gives the last row in which a run begins, or -1.
  static __device__ int last_row_with_head(u32 flags) {
    const u32 of_all_lanes = __reduce_or_sync(whole_warp, flags);
    return of_all_lanes ? (31 - __clz(of_all_lanes)) / nibble : -1;
  }
  // Only what follows the last head of a part stays open: values before it are not looked at.
  __device__ Carry sum(char* stage, u32 tile, int warp, int lane) const {
    const u32 flags = this->flags_of(stage, tile, warp, lane), left = this->left_in_part(tile, warp);
    Tiles::flags_in(stage, flags_at, warp, lane) = static_cast<typename Tiles::Flags>(flags);
    const int last = last_row_with_head(flags);
    Value open{};  // this lane's share of the run that is open
#pragma unroll
    for (int r = 0; r < rows; r++) {
      if (r < last) continue;
      const Values v = values_of(stage, r, left_in_row(left, r), warp, lane);
      if (r > last) {
        open += (v.of[0] + v.of[1]) + (v.of[2] + v.of[3]);
      } else {
        const u32 here = flags >> (r * nibble) & 15;
        const int owner = 31 - __clz(__ballot_sync(whole_warp, here != 0));
        const int from = lane < owner ? nibble : lane > owner ? 0 : 31 - __clz(here);
#pragma unroll
        for (int i = 0; i < nibble; i++)
          if (i >= from) open += v.of[i];
      }
    }
    return run_sum<Value>(__reduce_add_sync(whole_warp, __popc(flags)), warp_sum(open));
  }
  // What follows the last head of a part is written by whoever closes the run.
  __device__ void write(char* stage, char*, u32 tile, int warp, int lane, Carry before) const {
    const u32 flags = Tiles::flags_in(stage, flags_at, warp, lane), left = this->left_in_part(tile, warp);
    const int last = last_row_with_head(flags);
    if (last < 0) return;
    Key* const part = const_cast<Key*>(Tiles::part_of(stage, warp));
    Value* const closed = reinterpret_cast<Value*>(stage + values_at) + warp * Tiles::part_length;
    const HeadsByRow by_row(flags, lane);
    u32 heads = 0;
    Value open = lane == 0 ? sum_in<Value>(before) : Value{};  // this lane's share of the run that is open
#pragma unroll
    for (int r = 0; r < rows; r++) {
      if (r > last) break;
      const u32 here = flags >> (r * nibble) & 15;
      const u32 with_heads = __ballot_sync(whole_warp, here != 0);
      const Values v = values_of(stage, r, left_in_row(left, r), warp, lane);
      const Key* const row = part + r * row_length;
      if (with_heads == 0) {
        open += (v.of[0] + v.of[1]) + (v.of[2] + v.of[3]);
      } else if (by_row.all_in(r) <= few_heads) {
        __syncwarp();
        close_few(row, v, here, with_heads, lane, part, closed, heads, open);
      } else {
        close_many(row, v, here, with_heads, lane, part + heads + by_row.before_in(r), closed + heads + by_row.before_in(r),
                   open);
        heads += by_row.all_in(r);
      }
    }
    __syncwarp();
    const u32 first = before.heads;
    for (u32 k = lane; k < heads; k += 32) {
      this->keys_out[first + k] = part[k];
      if (first + k > 0) sums[first + k - 1] = closed[k];
    }
  }

 private:
  // Rows with more heads are scanned at once rather than summed once a head.
  static constexpr u32 few_heads = 1;

  __device__ void close_few(const Key* row, const Values& v, u32 here, u32 with_heads, int lane, Key* keys, Value* closed,
                            u32& heads, Value& open) const {
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
          closed[heads] = open;
          keys[heads] = row[head];
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

  // Sums from head to head by a scan that restarts at lanes with heads. What is closed goes from `keys` and `closed` on.
  __device__ void close_many(const Key* row, const Values& v, u32 here, u32 with_heads, int lane, Key* keys, Value* closed,
                             Value& open) const {
    const Value carried = warp_sum(open);
    Key key[nibble];
#pragma unroll
    for (int i = 0; i < nibble; i++) key[i] = row[lane * nibble + i];
    Value tail = lane == 0 ? carried : Value{};  // from the lane's last head on
#pragma unroll
    for (int i = 0; i < nibble; i++) tail = here >> i & 1 ? v.of[i] : tail + v.of[i];
    const u32 heads_up_to = with_heads & (whole_warp >> (31 - lane));
    const int begin = heads_up_to ? 31 - __clz(heads_up_to) : 0;
#pragma unroll
    for (int by = 1; by < 32; by *= 2) {
      const Value earlier = shuffle_up(tail, by);
      if (lane - by >= begin) tail += earlier;
    }
    Value running = shuffle_up(tail, 1);
    if (lane == 0) running = carried;
    const Value row_end = shuffle(tail, 31);
    __syncwarp();
    u32 to = 0;
#pragma unroll
    for (int i = 0; i < nibble; i++) {
      if (here >> i & 1) {
        closed[to] = running;
        keys[to++] = key[i];
        running = v.of[i];
      } else {
        running += v.of[i];
      }
    }
    open = lane == 0 ? row_end : Value{};
  }
};

}  // namespace griddle::cuda
