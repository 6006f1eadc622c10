#include "primitives/kernels/moves/intervals.h"

#include <algorithm>
#include <limits>

#include "hwy/highway.h"
#include "primitives/kernels/moves/move.h"
#include "primitives/kernels/shared/bit_runs.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace intervals_unit {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using std::int64_t, std::size_t, std::uint8_t;
using Words = hn::ScalableTag<int64_t>;

// Intervals that are looked at together.
constexpr size_t at_once = 512;

template <class T>
void widen(const void* from, size_t start, size_t n, int64_t* to) {
  const T* x = static_cast<const T*>(from) + start;
  for (size_t i = 0; i < n; i++) to[i] = static_cast<int64_t>(x[i]);
}
void widen_any(IntegerList list, size_t start, size_t n, int64_t* to) {
  switch (list.type) {
    case ElementType::i8: return widen<std::int8_t>(list.data, start, n, to);
    case ElementType::i16: return widen<std::int16_t>(list.data, start, n, to);
    case ElementType::i32: return widen<std::int32_t>(list.data, start, n, to);
    case ElementType::f64: return widen<double>(list.data, start, n, to);
    default: {
      const auto* bits = static_cast<const std::uint64_t*>(list.data) + start / 64;
      for (size_t i = 0; i < n; i++) to[i] = static_cast<int64_t>(bits[i / 64] >> (i % 64) & 1);
    }
  }
}

// A piece of all intervals, with empty ones behind it, far away, up to a whole vector and one more.
struct Piece {
  size_t n;
  int64_t counts[at_once + 8], gather[at_once + 8], scatter[at_once + 8];
};

// Calls f(start, piece) for one piece after the other until it gives false. `gathers` and `scatters` tell whether it asks for
// these places.
template <class F>
HWY_INLINE void each_piece(const Intervals& all, bool gathers, bool scatters, F f) {
  Piece piece;
  int64_t before = 0;  // cells of earlier pieces
  const auto sum_counts = [&](int64_t* to) HWY_ATTR {
    int64_t sum = before;
    for (size_t i = 0; i < piece.n; i++) {
      to[i] = sum;
      sum += piece.counts[i];
    }
    return sum;
  };
  for (size_t start = 0; start < all.n; start += at_once) {
    piece.n = std::min(at_once, all.n - start);
    widen_any(all.counts, start, piece.n, piece.counts);
    const auto places = [&](IntegerList list, int64_t* to) HWY_ATTR {
      if (list.data != nullptr) widen_any(list, start, piece.n, to);
      return list.data != nullptr ? before : sum_counts(to);
    };
    int64_t sum = before;
    if (gathers) sum = std::max(sum, places(all.gather, piece.gather));
    if (scatters) sum = std::max(sum, places(all.scatter, piece.scatter));
    before = sum;  // as it was where no sums were asked for
    for (size_t i = piece.n; i < piece.n + 8; i++) {
      piece.counts[i] = piece.gather[i] = 0;
      piece.scatter[i] = std::numeric_limits<int64_t>::max();
    }
    if (!f(start, piece)) return;
  }
}

// --- what intervals are

// Tells whether an interval not empty lies outside of `limit` cells.
HWY_INLINE bool lies_outside(int64_t count, int64_t place, int64_t limit) {
  return count > 0 && (place < 0 || place > limit - count);
}
template <class V>
HWY_INLINE hn::Mask<Words> lies_outside(V counts, V places, V limit) {
  const auto zero = hn::Zero(Words());
  return hn::And(hn::Gt(counts, zero), hn::Or(hn::Lt(places, zero), hn::Gt(places, hn::Sub(limit, counts))));
}

IntervalSurvey survey(const Intervals& all, size_t readable, size_t writable) {
  const Words d;
  const bool gathers = all.gather.data != nullptr, scatters = all.scatter.data != nullptr;
  const auto from_limit = static_cast<int64_t>(readable), to_limit = static_cast<int64_t>(writable);
  const auto zero = hn::Zero(d), from_limits = hn::Set(d, from_limit), to_limits = hn::Set(d, to_limit);
  IntervalSurvey found = {all.n, 0, 0, 0, true};
  int64_t last_end = 0;
  const auto largest = [=](auto v) HWY_ATTR { return static_cast<size_t>(hn::GetLane(hn::MaxOfLanes(d, v))); };
  each_piece(all, gathers, scatters, [&](size_t start, const Piece& p) HWY_ATTR {
    auto total = zero, longest = zero, end = zero;
    auto wrong = hn::MaskFromVec(zero), descends = hn::MaskFromVec(zero);
    for (size_t i = 0; i < p.n; i += hn::Lanes(d)) {
      const auto counts = hn::LoadU(d, p.counts + i);
      wrong = hn::Or(wrong, hn::Lt(counts, zero));
      total = hn::Add(total, counts);
      longest = hn::Max(longest, counts);
      if (gathers) wrong = hn::Or(wrong, lies_outside(counts, hn::LoadU(d, p.gather + i), from_limits));
      if (scatters) {
        const auto places = hn::LoadU(d, p.scatter + i), ends = hn::Add(places, counts);
        wrong = hn::Or(wrong, lies_outside(counts, places, to_limits));
        end = hn::Max(end, hn::IfThenElseZero(hn::Gt(counts, zero), ends));
        descends = hn::Or(descends, hn::Gt(ends, hn::LoadU(d, p.scatter + i + 1)));
      }
    }
    if (!hn::AllFalse(d, wrong)) {
      size_t i = 0;
      while (p.counts[i] >= 0 && !(gathers && lies_outside(p.counts[i], p.gather[i], from_limit)) &&
             !(scatters && lies_outside(p.counts[i], p.scatter[i], to_limit)))
        i++;
      found.first_wrong = start + i;
      return false;
    }
    constexpr size_t most = ~size_t{0} / 4 + 1;
    found.total = std::min(most, found.total + static_cast<size_t>(hn::GetLane(hn::SumOfLanes(d, total))));
    found.longest = std::max(found.longest, largest(longest));
    found.end = std::max(found.end, largest(end));
    if (scatters) {
      found.ascending = found.ascending && p.scatter[0] >= last_end && hn::AllFalse(d, descends);
      last_end = p.scatter[p.n - 1] + p.counts[p.n - 1];
    }
    return true;
  });
  if (!scatters) {
    found.end = found.total;
    found.ascending = true;
  }
  return found;
}

// Sets bits, and tells whether one of them was set.
HWY_INLINE bool mark_run(std::uint64_t* marks, size_t at, size_t n) {
  std::uint64_t before = 0;
  for (;;) {
    const size_t shift = at % 64, here = std::min(64 - shift, n);
    std::uint64_t& word = marks[at / 64];
    const std::uint64_t bits = low_bits(here) << shift;
    before |= word & bits;
    word |= bits;
    if ((n -= here) == 0) return before != 0;
    at += here;
  }
}

size_t mark(const Intervals& all, std::uint64_t* marks) {
  size_t first = all.n;
  each_piece(all, false, true, [&](size_t start, const Piece& p) HWY_ATTR {
    for (size_t i = 0; i < p.n; i++)
      if (p.counts[i] != 0 && mark_run(marks, static_cast<size_t>(p.scatter[i]), static_cast<size_t>(p.counts[i]))) {
        first = start + i;
        return false;
      }
    return true;
  });
  return first;
}

// --- moving bytes

template <size_t block>
HWY_INLINE void copy_block(uint8_t* to, const uint8_t* from) {
  const hn::CappedTag<uint8_t, block> d;
  constexpr size_t lanes = hn::MaxLanes(d);
  for (size_t i = 0; i < block; i += lanes) hn::StoreU(hn::LoadU(d, from + i), d, to + i);
}

// Copies a block or more, the last one over those before it.
template <size_t block>
HWY_INLINE void copy_blocks(uint8_t* to, const uint8_t* from, size_t bytes) {
  for (size_t i = 0; i < bytes - block; i += block) copy_block<block>(to + i, from + i);
  copy_block<block>(to + bytes - block, from + bytes - block);
}

// Writes what there is and no more.
HWY_INLINE void copy_exactly(uint8_t* to, const uint8_t* from, size_t bytes, size_t whole) {
  constexpr size_t few = 2048;
#if HWY_TARGET <= HWY_AVX3
  const hn::ScalableTag<uint8_t> d;
  if (bytes <= 64) {
    const auto here = hn::FirstN(d, bytes);
    return hn::BlendedStore(hn::MaskedLoad(here, d, from), here, d, to);
  }
#else
  if (bytes < 16) {
    if (bytes >= 8) return copy_blocks<8>(to, from, bytes);
    if (bytes >= 4) return copy_blocks<4>(to, from, bytes);
    if (bytes == 0) return;
    to[0] = from[0];
    to[bytes / 2] = from[bytes / 2];
    to[bytes - 1] = from[bytes - 1];
    return;
  }
  if (bytes < 32) return copy_blocks<16>(to, from, bytes);
  if (bytes < 64) return copy_blocks<32>(to, from, bytes);
#endif
  if (bytes <= few) return copy_blocks<64>(to, from, bytes);
  copy_part(to, from, bytes, whole);
}

struct Bytes {
  uint8_t* to;
  const uint8_t* from;
  size_t written, readable, cell;
};

// Moves intervals that are written one behind the other: a short one is a block, of which the next ones overwrite what is too
// much.
template <size_t block>
void move_in_order(const Bytes& b, const Intervals& all) {
  const bool fits = b.written >= block && b.readable >= block;
  const size_t last_to = b.written - block, last_from = b.readable - block;
  each_piece(all, true, true, [&](size_t, const Piece& p) HWY_ATTR {
    for (size_t i = 0; i < p.n; i++) {
      const size_t bytes = static_cast<size_t>(p.counts[i]) * b.cell, to = static_cast<size_t>(p.scatter[i]) * b.cell,
                   from = static_cast<size_t>(p.gather[i]) * b.cell;
      if (bytes <= block && to <= last_to && from <= last_from && fits)
        copy_block<block>(b.to + to, b.from + from);
      else
        copy_exactly(b.to + to, b.from + from, bytes, b.written);
    }
    return true;
  });
}

void move_apart(const Bytes& b, const Intervals& all) {
  each_piece(all, true, true, [&](size_t, const Piece& p) HWY_ATTR {
    for (size_t i = 0; i < p.n; i++)
      copy_exactly(b.to + static_cast<size_t>(p.scatter[i]) * b.cell, b.from + static_cast<size_t>(p.gather[i]) * b.cell,
                   static_cast<size_t>(p.counts[i]) * b.cell, b.written);
    return true;
  });
}

void move_bytes(const Bytes& b, const Intervals& all, size_t longest, bool in_order) {
  if (!in_order) return move_apart(b, all);
  // A block takes in most intervals: to foresee which do not is hard.
  const size_t usual = std::min(longest * b.cell, 2 * (b.written / all.n + 1));
  if (usual <= 16) return move_in_order<16>(b, all);
  if (usual <= 32) return move_in_order<32>(b, all);
  if (usual <= 64) return move_in_order<64>(b, all);
  if (usual <= 128) return move_in_order<128>(b, all);
  move_in_order<256>(b, all);
}

// --- moving bits

void move_bits_in_order(std::uint64_t* to, const std::uint64_t* from, size_t written, size_t cell, const Intervals& all) {
  constexpr size_t few = 1024;
  const size_t rest = written % 64;
  const std::uint64_t behind = rest == 0 ? 0 : to[written / 64] & ~low_bits(rest);
  BitWriter writer(to);
  each_piece(all, true, true, [&](size_t, const Piece& p) HWY_ATTR {
    for (size_t i = 0; i < p.n; i++) {
      const size_t bits = static_cast<size_t>(p.counts[i]) * cell, at = static_cast<size_t>(p.gather[i]) * cell;
      if (bits == 0) continue;
      if (bits <= 64) {
        writer.append_before_more(read_bits_anywhere(from, at, bits), bits);
      } else if (bits <= few) {
        writer.append_copy(from, at, bits);
      } else {
        const size_t place = static_cast<size_t>(p.scatter[i]) * cell;
        writer.finish();
        copy_bits(to, place, from, at, bits);
        writer = BitWriter(to, place + bits);
      }
    }
    return true;
  });
  writer.finish();
  if (rest != 0) to[written / 64] = (to[written / 64] & low_bits(rest)) | behind;
}

void move_bits_apart(std::uint64_t* to, const std::uint64_t* from, size_t cell, const Intervals& all) {
  each_piece(all, true, true, [&](size_t, const Piece& p) HWY_ATTR {
    for (size_t i = 0; i < p.n; i++) {
      const size_t bits = static_cast<size_t>(p.counts[i]) * cell, place = static_cast<size_t>(p.scatter[i]) * cell,
                   at = static_cast<size_t>(p.gather[i]) * cell;
      if (bits == 0) continue;
      if (bits <= 64)
        write_bits(to, place, bits, read_bits(from, at, bits));
      else
        copy_bits(to, place, from, at, bits);
    }
    return true;
  });
}

void move(void* to, const void* from, size_t readable, size_t cell_bits, const Intervals& all, const IntervalSurvey& found) {
  if (found.total == 0 || cell_bits == 0) return;
  // Intervals in ascending order that leave no place out lie one behind the other.
  const bool in_order = found.ascending && found.end == found.total;
  if (cell_bits % 8 == 0) {
    const size_t cell = cell_bits / 8;
    return move_bytes({static_cast<uint8_t*>(to), static_cast<const uint8_t*>(from), found.total * cell, readable * cell, cell},
                      all, found.longest, in_order);
  }
  auto* out = static_cast<std::uint64_t*>(to);
  const auto* in = static_cast<const std::uint64_t*>(from);
  in_order ? move_bits_in_order(out, in, found.total * cell_bits, cell_bits, all) : move_bits_apart(out, in, cell_bits, all);
}

const IntervalKernels* kernels_of_intervals() {
  static constexpr IntervalKernels kernels = {survey, mark, move};
  return &kernels;
}

}  // namespace
}  // namespace intervals_unit
using intervals_unit::kernels_of_intervals;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(kernels_of_intervals);
const IntervalKernels& interval_kernels() { return *HWY_DYNAMIC_DISPATCH(kernels_of_intervals)(); }
}  // namespace griddle::kernels
#endif
