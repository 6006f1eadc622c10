#include "primitives/kernels/folds/row_scan.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "hwy/highway.h"
#include "primitives/kernels/folds/fold_operations-inl.h"
#include "primitives/kernels/shared/across_lanes-inl.h"
#include "primitives/kernels/shared/loops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace row_scan_unit {
namespace {

using std::int16_t, std::int32_t, std::int8_t;

template <class Memory, class Result, class Op>
void scan_one_by_one(Result* out, const Memory* x, std::size_t columns, std::size_t rows) {
  for (std::size_t r = 0; r < rows; r++, x += columns, out += columns) {
    Result so_far = out[0] = static_cast<Result>(x[0]);
    for (std::size_t j = 1; j < columns; j++) out[j] = so_far = Op::of_two(so_far, static_cast<Result>(x[j]));
  }
}

// Scans blocks of 128 bits, each lane onto those before it that are of the same row. A vector of two blocks takes one of either
// half of the rows, so that blocks need nothing of each other.
template <class Memory, class Result, class Op, int steps>
void scan_blocks(Result* out, const Memory* x, std::size_t columns, std::size_t rows) {
  const Blocks<Result> d;
  using D = decltype(d);
  using V = hn::Vec<D>;
  constexpr std::size_t block = 16 / sizeof(Result), blocks = hn::MaxLanes(D()) / block;
  const hn::CappedTag<Result, block> block_tag;
  using Block = Lanes<Memory, Result, hn::CappedTag<Result, block>>;
  const hn::RebindToUnsigned<D> ud;
  using U = hn::TFromD<decltype(ud)>;
  // Places of lanes in their rows.
  HWY_ALIGN U lane_numbers[hn::MaxLanes(D())], first_places[hn::MaxLanes(D())];
  for (std::size_t i = 0; i < hn::MaxLanes(D()); i++) {
    lane_numbers[i] = static_cast<U>(i % block);
    first_places[i] = static_cast<U>(i % block % columns);
  }
  const auto lane = hn::BitCast(d, hn::Load(ud, lane_numbers));
  const auto ahead = hn::Set(ud, static_cast<U>(block % columns)), width = hn::Set(ud, static_cast<U>(columns));
  const auto onto = [](V v, V earlier, auto where) HWY_ATTR {
    if constexpr (Op::sums)
      return hn::Add(v, hn::IfThenElseZero(where, earlier));
    else
      return hn::IfThenElse(where, Op::of(earlier, v), v);
  };
  const std::size_t half_rows = rows / blocks, n = half_rows * columns;
  auto place = hn::Load(ud, first_places);
  V carry = hn::Zero(d);
  const auto next = [&](V v) HWY_ATTR {
    const V at = hn::BitCast(d, place);
    // Sums may take the zeros that are shifted in.
    const V within = Op::sums ? at : hn::Min(at, lane);
    const auto reaches = [=](int by) HWY_ATTR { return hn::Gt(within, hn::Set(d, static_cast<Result>(by - 1))); };
    if constexpr (steps > 0) v = onto(v, hn::ShiftLeftLanes<1>(d, v), reaches(1));
    if constexpr (steps > 1) v = onto(v, hn::ShiftLeftLanes<2>(d, v), reaches(2));
    if constexpr (steps > 2) v = onto(v, hn::ShiftLeftLanes<4>(d, v), reaches(4));
    if constexpr (steps > 3) v = onto(v, hn::ShiftLeftLanes<8>(d, v), reaches(8));
    v = onto(v, carry, hn::Gt(at, lane));
    carry = last_lane(d, v);
    place = hn::Add(place, ahead);
    place = hn::Min(place, hn::Sub(place, width));
    return v;
  };
  const auto load_all = [=](const Memory* p, std::size_t apart) HWY_ATTR {
    if constexpr (blocks == 2)
      return hn::Combine(d, Block::load(p + apart), Block::load(p));
    else
      return Block::load(p);
  };
  const auto store_all = [=](V v, Result* to, std::size_t apart) HWY_ATTR {
    if constexpr (blocks == 2) {
      hn::StoreU(hn::LowerHalf(block_tag, v), block_tag, to);
      hn::StoreU(hn::UpperHalf(block_tag, v), block_tag, to + apart);
    } else {
      hn::StoreU(v, block_tag, to);
    }
  };
  std::size_t i = 0;
  for (; i + block <= n; i += block) store_all(next(load_all(x + i, n)), out + i, n);
  if (i != n) {
    HWY_ALIGN Memory part[2 * block] = {};
    HWY_ALIGN Result results[2 * block];
    for (std::size_t b = 0; b < blocks; b++) std::memcpy(part + b * block, x + b * n + i, (n - i) * sizeof(Memory));
    store_all(next(load_all(part, block)), results, block);
    for (std::size_t b = 0; b < blocks; b++) std::memcpy(out + b * n + i, results + b * block, (n - i) * sizeof(Result));
  }
  scan_one_by_one<Memory, Result, Op>(out + blocks * n, x + blocks * n, columns, rows - blocks * half_rows);
}

template <class Memory, class Result, class Op>
void scan_integers(void* out_bytes, const void* x_bytes, std::size_t columns, std::size_t rows) {
  Result* out = static_cast<Result*>(out_bytes);
  const Memory* x = static_cast<const Memory*>(x_bytes);
  constexpr int most_steps = std::countr_zero(16 / sizeof(Result));
  switch (std::min(static_cast<int>(std::bit_width(columns - 1)), most_steps)) {
    case 0: return scan_one_by_one<Memory, Result, Op>(out, x, columns, rows);
    case 1: return scan_blocks<Memory, Result, Op, 1>(out, x, columns, rows);
    case 2: return scan_blocks<Memory, Result, Op, 2>(out, x, columns, rows);
    case 3: return scan_blocks<Memory, Result, Op, std::min(3, most_steps)>(out, x, columns, rows);
    default: return scan_blocks<Memory, Result, Op, most_steps>(out, x, columns, rows);
  }
}

// Scans to doubles: as many rows together as a vector has lanes, turned to columns in registers and back.
template <class Memory, class Op>
void scan_turned(void* out_bytes, const void* x_bytes, std::size_t columns, std::size_t rows) {
  const Blocks<double> d;
  using V = hn::Vec<decltype(d)>;
  using In = Lanes<Memory, double, Blocks<double>>;
  constexpr std::size_t lanes = hn::MaxLanes(decltype(d)());
  double* out = static_cast<double*>(out_bytes);
  const Memory* x = static_cast<const Memory*>(x_bytes);
  const std::size_t whole = columns / lanes * lanes;
  std::size_t r = 0;
  for (; whole != 0 && r + lanes <= rows; r += lanes) {
    const Memory* from = x + r * columns;
    double* to = out + r * columns;
    V so_far = hn::Set(d, Op::start);
    for (std::size_t j = 0; j < whole; j += lanes) {
      V v[lanes];
      for (std::size_t k = 0; k < lanes; k++) v[k] = In::load(from + k * columns + j);
      turn(d, v);
      for (std::size_t k = 0; k < lanes; k++) v[k] = so_far = Op::of(so_far, v[k]);
      turn(d, v);
      for (std::size_t k = 0; k < lanes; k++) hn::StoreU(v[k], d, to + k * columns + j);
    }
    for (std::size_t j = whole; j < columns; j++)
      for (std::size_t k = 0; k < lanes; k++)
        to[k * columns + j] = Op::of_two(to[k * columns + j - 1], static_cast<double>(from[k * columns + j]));
  }
  scan_one_by_one<Memory, double, Op>(out + r * columns, x + r * columns, columns, rows - r);
}

const RowScanKernels* row_scan_kernels() {
  using Least = Best<false>;
  using Greatest = Best<true>;
  static constexpr RowScanKernels kernels = {
      .sum = {scan_integers<int8_t, int16_t, Plus>, scan_integers<int16_t, int32_t, Plus>, scan_integers<int32_t, int32_t, Plus>,
              scan_turned<double, Plus>},
      .sum_within = {scan_integers<int8_t, int8_t, Plus>, scan_integers<int16_t, int16_t, Plus>},
      .sum_f64 = scan_turned<int32_t, Plus>,
      .minimum = {scan_integers<int8_t, int8_t, Least>, scan_integers<int16_t, int16_t, Least>,
                  scan_integers<int32_t, int32_t, Least>, scan_turned<double, Least>},
      .maximum = {scan_integers<int8_t, int8_t, Greatest>, scan_integers<int16_t, int16_t, Greatest>,
                  scan_integers<int32_t, int32_t, Greatest>, scan_turned<double, Greatest>},
  };
  return &kernels;
}

}  // namespace
}  // namespace row_scan_unit
using row_scan_unit::row_scan_kernels;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(row_scan_kernels);
const RowScanKernels& row_scan() { return *HWY_DYNAMIC_DISPATCH(row_scan_kernels)(); }
}  // namespace griddle::kernels
#endif
