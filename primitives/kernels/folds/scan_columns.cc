#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>

#include "hwy/highway.h"
#include "primitives/kernels/folds/fold_operations-inl.h"
#include "primitives/kernels/folds/scan.h"
#include "primitives/kernels/folds/strips-inl.h"
#include "primitives/kernels/shared/across_lanes-inl.h"
#include "primitives/kernels/shared/bounds.h"
#include "primitives/kernels/shared/loops-inl.h"
#include "primitives/kernels/shared/pieces.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace scan_columns_unit {
namespace {

using std::int16_t, std::int32_t, std::int8_t, std::uint8_t;

// Marks lanes where a checked sum has overflowed.
template <bool checked, class V>
HWY_INLINE V scanned_onto([[maybe_unused]] V& bad, V so_far, V v, V next) {
  if constexpr (checked) bad = hn::Or(bad, hn::And(hn::Xor(so_far, next), hn::Xor(v, next)));
  return next;
}

// Scans some vectors of columns through some rows in registers, onto the row of results before them, if there is one; the last
// vector begins at column `last`. False where a checked sum overflows.
template <class In, class Op, bool checked, std::size_t vectors>
HWY_INLINE bool scan_strip(hn::TFromD<typename In::D>* out, const typename In::Memory* x, std::size_t begin, std::size_t rows,
                           std::size_t stride, std::size_t last) {
  const typename In::D d;
  const std::size_t lanes = In::count();
  const auto column = [=](std::size_t k) HWY_ATTR { return k == vectors - 1 ? last : k * lanes; };
  typename In::V so_far[vectors], bad = hn::Zero(d);
  if (begin != 0) {
    x += (begin - 1) * stride;
    out += (begin - 1) * stride;
    HWY_UNROLL(8) for (std::size_t k = 0; k < vectors; k++) so_far[k] = hn::LoadU(d, out + column(k));
  } else {
    HWY_UNROLL(8) for (std::size_t k = 0; k < vectors; k++) {
      so_far[k] = In::load(x + column(k));
      hn::StoreU(so_far[k], d, out + column(k));
    }
    begin = 1;
  }
  for (std::size_t r = begin; r < rows; r++) {
    if (checked && r % 64 == 0 && !hn::AllFalse(d, hn::Lt(bad, hn::Zero(d)))) return false;
    x += stride;
    out += stride;
    HWY_UNROLL(8) for (std::size_t k = 0; k < vectors; k++) {
      const auto v = In::load(x + column(k));
      so_far[k] = scanned_onto<checked>(bad, so_far[k], v, Op::of(so_far[k], v));
      hn::StoreU(so_far[k], d, out + column(k));
    }
  }
  if constexpr (checked)
    return hn::AllFalse(d, hn::Lt(bad, hn::Zero(d)));
  else
    return true;
}

// Scans wide rows a row at a time, so that memory is passed through in order; the row before is in a near cache.
template <class In, class Op, bool checked>
bool scan_wide_rows(hn::TFromD<typename In::D>* out, const typename In::Memory* x, std::size_t rows, std::size_t stride) {
  const typename In::D d;
  const std::size_t lanes = In::count();
  constexpr std::size_t width = 4096;
  auto bad = hn::Zero(d);
  for (std::size_t begin = 0; begin < stride; begin += width) {
    const std::size_t end = std::min(begin + width, stride), whole = begin + (end - begin) / lanes * lanes, last = end - lanes;
    // The last columns make a vector with some of those before. It stays in a register: what was stored in two parts is slow to
    // load.
    auto kept = bad;
    ElementsDone elements_done;
    for (std::size_t r = 0; r < rows; r++) {
      elements_done.add(end - begin);
      const typename In::Memory* from = x + r * stride;
      hn::TFromD<typename In::D>* const to = out + r * stride;
      if (whole != end) {
        const auto v = In::load(from + last);
        kept = r == 0 ? v : scanned_onto<checked>(bad, kept, v, Op::of(kept, v));
        hn::StoreU(kept, d, to + last);
      }
      for (std::size_t j = begin; j < whole; j += lanes) {
        auto v = In::load(from + j);
        if (r != 0) {
          const auto so_far = hn::LoadU(d, to + j - stride);
          v = scanned_onto<checked>(bad, so_far, v, Op::of(so_far, v));
        }
        hn::StoreU(v, d, to + j);
      }
    }
  }
  if constexpr (checked)
    return hn::AllFalse(d, hn::Lt(bad, hn::Zero(d)));
  else
    return true;
}

// Scans at least as many columns as a vector has lanes, at most as many as `most` vectors have. Rows that registers hold are
// passed through in order; the last vector may begin before the end of the one before it.
template <class In, class Op, bool checked, std::size_t most>
bool scan_in_registers(hn::TFromD<typename In::D>* out, const typename In::Memory* x, std::size_t rows, std::size_t columns) {
  const std::size_t lanes = In::count();
  const auto strip = [=]<std::size_t vectors>(std::integral_constant<std::size_t, vectors>) HWY_ATTR {
    constexpr std::size_t together = long_pass / vectors / 8;
    for (std::size_t r = 0; r < rows; r += together) {
      if (r != 0) checkpoint();
      if (!scan_strip<In, Op, checked, vectors>(out, x, r, std::min(rows, r + together), columns, columns - lanes)) return false;
    }
    return true;
  };
  if constexpr (most == 2)
    return columns > lanes ? strip(std::integral_constant<std::size_t, 2>()) : strip(std::integral_constant<std::size_t, 1>());
  else
    return columns > 4 * lanes ? wide_strip(lanes, columns, strip) : next_strip(lanes, columns, strip);
}

// Says where the lanes of a 128-bit block find what few columns need.
struct ColumnPlaces {
  alignas(16) uint8_t shifts[4][16] = {};  // 1, 2, 4 … rows before; for sums nothing where that lies outside the block
  uint8_t next[2][16] = {};                // the last of each column in a block: for the next one, and for that after it
  int steps = 0;
};
// By the number of columns.
template <std::size_t size, bool sums>
constexpr auto column_places = [] {
  constexpr std::size_t block = 16 / size;
  std::array<ColumnPlaces, block> places = {};
  const auto set = [](uint8_t* to, std::size_t lane, std::size_t from, bool none) {
    for (std::size_t b = 0; b < size; b++) to[lane * size + b] = static_cast<uint8_t>(none ? 0x80 : from * size + b);
  };
  for (std::size_t columns = 1; columns < block; columns++) {
    ColumnPlaces& of = places[columns];
    for (std::size_t i = 0; i < block; i++) {
      of.steps = 0;
      for (std::size_t by = columns; by < block; by *= 2) set(of.shifts[of.steps++], i, i >= by ? i - by : i, sums && i < by);
      const std::size_t next = block - columns + i % columns;
      set(of.next[0], i, next, false);
      set(of.next[1], i, block - columns + next % columns, false);
    }
  }
  return places;
}();

// Scans fewer columns than a block of 128 bits has lanes, in vectors of one block or two. Places in blocks and columns have
// nothing to do with each other, but what is `columns` before a lane always lies equally far off.
template <class In, class Op>
void scan_few_columns(hn::TFromD<typename In::D>* out, const typename In::Memory* x, std::size_t n, std::size_t columns) {
  const typename In::D d;
  using D = typename In::D;
  using V = typename In::V;
  using Result = hn::TFromD<D>;
  constexpr std::size_t size = sizeof(Result), lanes = hn::MaxLanes(D()), blocks = lanes * size / 16;
  const hn::Repartition<std::uint8_t, D> bytes;
  const auto& places = column_places<size, Op::sums>[columns];
  const auto& shifts = places.shifts;
  const auto shuffled = [=](V v, auto by) HWY_ATTR { return hn::BitCast(d, hn::TableLookupBytes(hn::BitCast(bytes, v), by)); };
  const auto for_next = hn::LoadDup128(bytes, places.next[0]), for_carry = hn::LoadDup128(bytes, places.next[blocks - 1]),
             for_following = hn::LoadU(bytes, places.next[0]);
  V carry = hn::Set(d, Op::template neutral<Result>());
  const auto scan_all = [&]<int count>(std::integral_constant<int, count>) HWY_ATTR {
    const auto first = hn::LoadDup128(bytes, shifts[0]), second = hn::LoadDup128(bytes, shifts[count > 1 ? 1 : 0]),
               third = hn::LoadDup128(bytes, shifts[count > 2 ? 2 : 0]),
               fourth = hn::LoadDup128(bytes, shifts[count > 3 ? 3 : 0]);
    const auto next_vector = [&](V v) HWY_ATTR {
      if constexpr (count > 0) v = Op::of(shuffled(v, first), v);
      if constexpr (count > 1) v = Op::of(shuffled(v, second), v);
      if constexpr (count > 2) v = Op::of(shuffled(v, third), v);
      if constexpr (count > 3) v = Op::of(shuffled(v, fourth), v);
      V last = v;
      if constexpr (blocks == 2) {
        const V from_lower = shuffled(v, for_next);
        v = Op::of(v, hn::ConcatLowerLower(d, from_lower, Op::sums ? hn::Zero(d) : v));
        last = hn::ConcatUpperUpper(d, v, v);
      }
      const V results = Op::of(carry, v);
      carry = Op::of(shuffled(last, for_following), shuffled(carry, for_carry));
      return results;
    };
    std::size_t i = 0;
    while (true) {
      const std::size_t end = std::min(n, i + long_pass);
      for (; i + lanes <= end; i += lanes) hn::StoreU(next_vector(In::load(x + i)), d, out + i);
      if (end == n) break;
      checkpoint();
    }
    if (i == n) return;
    HWY_ALIGN typename In::Memory part[lanes] = {};
    HWY_ALIGN Result results[lanes];
    std::memcpy(part, x + i, (n - i) * sizeof(part[0]));
    hn::Store(next_vector(In::load(part)), d, results);
    std::memcpy(out + i, results, (n - i) * size);
  };
  switch (places.steps) {
    case 0: return scan_all(std::integral_constant<int, 0>());
    case 1: return scan_all(std::integral_constant<int, 1>());
    case 2: return scan_all(std::integral_constant<int, 2>());
    case 3: return scan_all(std::integral_constant<int, 3>());
    default: return scan_all(std::integral_constant<int, 4>());
  }
}

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL

// Says which column each lane is of, where rows of so many columns follow each other.
constexpr auto columns_of_lanes = [] {
  std::array<std::array<uint8_t, 64>, 33> columns = {};
  for (std::size_t count = 1; count <= 32; count++)
    for (std::size_t i = 0; i < 64; i++) columns[count][i] = static_cast<uint8_t>(i % count);
  return columns;
}();

template <class D>
HWY_INLINE hn::Vec<D> column_of_each_lane(D places, std::size_t columns) {
  const auto bytes = hn::LoadU(hn::Rebind<uint8_t, D>(), columns_of_lanes[columns].data());
  if constexpr (sizeof(hn::TFromD<D>) == 1)
    return bytes;
  else if constexpr (sizeof(hn::TFromD<D>) == 8)
    return hn::PromoteTo(places, hn::PromoteTo(hn::Rebind<std::uint32_t, D>(), bytes));
  else
    return hn::PromoteTo(places, bytes);
}

// Scans vectors of as many whole rows as they hold, two or more, one vector onto the other: 2^steps rows are no fewer. False
// where extremes meet a NaN, behind which they begin again.
template <class In, class Op, int steps>
HWY_INLINE bool scan_whole_rows(hn::TFromD<typename In::D>* out, const typename In::Memory* x, std::size_t n,
                                std::size_t columns) {
  const typename In::D d;
  using V = typename In::V;
  const hn::RebindToUnsigned<typename In::D> places;
  using Place = hn::TFromD<decltype(places)>;
  constexpr std::size_t lanes = hn::MaxLanes(typename In::D());
  const std::size_t width = lanes - lanes % static_cast<std::uint32_t>(columns);
  const auto own = hn::Iota(places, 0);
  hn::Vec<decltype(places)> earlier[steps];
  hn::Mask<typename In::D> has_earlier[steps];
  for (int s = 0; s < steps; s++) {
    const std::size_t by = columns << s;
    const auto none = hn::FirstN(places, by);
    earlier[s] = hn::IfThenElse(none, own, hn::Sub(own, hn::Set(places, static_cast<Place>(by))));
    has_earlier[s] = hn::FirstN(d, lanes);
    if (Op::sums) has_earlier[s] = hn::Not(hn::FirstN(d, by));
  }
  const auto last_row = hn::Add(column_of_each_lane(places, columns), hn::Set(places, static_cast<Place>(width - columns)));
  V carry = hn::Set(d, Op::template neutral<hn::TFromD<typename In::D>>());
  constexpr bool has_numbers_only = !std::is_floating_point_v<hn::TFromD<typename In::D>> || Op::sums;
  auto numbers = hn::FirstN(d, lanes);
  const auto next = [&](V v) HWY_ATTR {
    if constexpr (!has_numbers_only) numbers = hn::And(numbers, hn::Eq(v, v));
    for (int s = 0; s < steps; s++) v = Op::of(lanes_from(d, v, earlier[s], has_earlier[s]), v);
    const V results = Op::of(carry, v);
    carry = Op::of(lanes_from(d, v, last_row), carry);
    return results;
  };
  std::size_t i = 0;
  // Lanes beyond the rows are written over by the next vector.
  while (true) {
    const std::size_t end = std::min(n, i + long_pass);
    for (; i + lanes <= end; i += width) hn::StoreU(next(In::load(x + i)), d, out + i);
    if (end == n) break;
    checkpoint();
  }
  for (; i < n; i += width) {
    const std::size_t count = std::min(width, n - i);
    HWY_ALIGN typename In::Memory part[lanes] = {};
    std::memcpy(part, x + i, count * sizeof(part[0]));
    hn::BlendedStore(next(In::load(part)), hn::FirstN(d, count), d, out + i);
  }
  return has_numbers_only || hn::AllTrue(d, numbers);
}

// Does so, in any order, where a vector holds two rows or more; gives whether it does.
template <class In, class Op>
bool scan_in_whole_rows(hn::TFromD<typename In::D>* out, const typename In::Memory* x, std::size_t n, std::size_t columns) {
  constexpr std::size_t lanes = hn::MaxLanes(typename In::D());
  if (2 * columns > lanes || !shuffles_across_blocks<hn::TFromD<typename In::D>>) return false;
  const auto scan_all = [=]<int steps>(std::integral_constant<int, steps>) HWY_ATTR {
    if constexpr (std::size_t{1} << steps <= lanes) return scan_whole_rows<In, Op, steps>(out, x, n, columns);
    return false;
  };
  switch (std::bit_width(lanes / static_cast<std::uint32_t>(columns) - 1)) {
    case 1: return scan_all(std::integral_constant<int, 1>());
    case 2: return scan_all(std::integral_constant<int, 2>());
    case 3: return scan_all(std::integral_constant<int, 3>());
    case 4: return scan_all(std::integral_constant<int, 4>());
    case 5: return scan_all(std::integral_constant<int, 5>());
    default: return scan_all(std::integral_constant<int, 6>());
  }
}

#endif

// Tells whether no sum of as many elements as there are rows can overflow.
template <class Memory>
bool sums_fit([[maybe_unused]] const Memory* x, std::size_t rows, [[maybe_unused]] std::size_t columns) {
  std::int64_t most = -static_cast<std::int64_t>(std::numeric_limits<Memory>::min());
  const std::int64_t limit = std::numeric_limits<int32_t>::max() / static_cast<std::int64_t>(rows);
  if constexpr (sizeof(Memory) == 4) {
    const Bounds bounds = bounds_of(ElementType::i32, x, rows * columns);
    most = std::max(bounds.high, -bounds.low);
  }
  return most <= limit;
}

template <class Memory, class Result, class Op, bool checked = false>
bool scan_columns(void* out_bytes, const void* x_bytes, std::size_t rows, std::size_t columns) {
  Result* out = static_cast<Result*>(out_bytes);
  const Memory* x = static_cast<const Memory*>(x_bytes);
  using All = Lanes<Memory, Result>;
  // To look at wide integers takes time, which scanning many rows in a vector is worth.
  constexpr std::size_t worth = HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL ? 32 : 15;
  if constexpr (checked)
    if ((sizeof(Memory) < 4 || columns * sizeof(Result) <= worth) && sums_fit(x, rows, columns))
      return scan_columns<Memory, Result, Op>(out, x, rows, columns);
  if (columns > 8 * All::count()) return scan_wide_rows<All, Op, checked>(out, x, rows, columns);
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  // Sums of doubles are those in order while they are exact.
  constexpr std::size_t exact_rows = std::size_t{1} << 21;
  constexpr bool is_real = std::is_floating_point_v<Memory>, sums_reals = Op::sums && std::is_floating_point_v<Result>;
  if constexpr (!checked && !(is_real && Op::sums) && shuffles_across_blocks<Result>)
    if ((!sums_reals || rows <= exact_rows) && scan_in_whole_rows<All, Op>(out, x, rows * columns, columns)) return true;
#endif
  // Fewer columns than a vector has lanes are taken in smaller vectors, one or two of them, or many rows in one.
  const auto in_vectors_of = [=]<std::size_t bytes>(std::integral_constant<std::size_t, bytes>) HWY_ATTR {
    using In = Lanes<Memory, Result, hn::CappedTag<Result, bytes / sizeof(Result)>>;
    return scan_in_registers<In, Op, checked, 2>(out, x, rows, columns);
  };
  const std::size_t row = columns * sizeof(Result);
  if (row < 64 && hn::MaxLanes(typename All::D()) * sizeof(Result) >= 64 && row >= 32)
    return in_vectors_of(std::integral_constant<std::size_t, 32>());
  if (row < hn::MaxLanes(typename All::D()) * sizeof(Result) && row >= 16)
    return in_vectors_of(std::integral_constant<std::size_t, 16>());
  if (row < 16) {
    if constexpr (sizeof(Result) <= 4) {
      using Few = Lanes<Memory, Result, Blocks<Result>>;
      if constexpr (!checked) {
        scan_few_columns<Few, Op>(out, x, rows * columns, columns);
        return true;
      }
    }
    if (row >= 8) return in_vectors_of(std::integral_constant<std::size_t, 8>());
    return in_vectors_of(std::integral_constant<std::size_t, sizeof(Result)>());
  }
  return scan_in_registers<All, Op, checked, 8>(out, x, rows, columns);
}

const ScanColumnKernels* scan_columns_kernels() {
  static constexpr ScanColumnKernels kernels = {
      .sum = {scan_columns<int8_t, int32_t, Plus, true>, scan_columns<int16_t, int32_t, Plus, true>,
              scan_columns<int32_t, int32_t, Plus, true>, scan_columns<double, double, Plus>},
      .sum_f64 = {scan_columns<int8_t, double, Plus>, scan_columns<int16_t, double, Plus>, scan_columns<int32_t, double, Plus>},
      .sum_bytes = {scan_columns<int8_t, int8_t, Plus>, scan_columns<int8_t, int16_t, Plus>, scan_columns<int8_t, int32_t, Plus>},
      .minimum = {scan_columns<int8_t, int8_t, Best<false>>, scan_columns<int16_t, int16_t, Best<false>>,
                  scan_columns<int32_t, int32_t, Best<false>>, scan_columns<double, double, Best<false>>},
      .maximum = {scan_columns<int8_t, int8_t, Best<true>>, scan_columns<int16_t, int16_t, Best<true>>,
                  scan_columns<int32_t, int32_t, Best<true>>, scan_columns<double, double, Best<true>>},
  };
  return &kernels;
}

}  // namespace
}  // namespace scan_columns_unit
using scan_columns_unit::scan_columns_kernels;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(scan_columns_kernels);
const ScanColumnKernels& scan_columns() { return *HWY_DYNAMIC_DISPATCH(scan_columns_kernels)(); }
}  // namespace griddle::kernels
#endif
