#include "primitives/kernels/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "primitives/kernels/scan_columns.cc"
#include "hwy/foreach_target.h"
//
#include <algorithm>
#include <cstring>

#include "hwy/highway.h"
#include "primitives/kernels/loops-inl.h"
#include "primitives/kernels/scan.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace {

using std::int16_t, std::int32_t, std::int8_t;

struct RunningSum {
  template <class V>
  static HWY_INLINE V of(V so_far, V v) {
    return hn::Add(so_far, v);
  }
};
template <bool greatest>
struct RunningBest {
  template <class V>
  static HWY_INLINE V of(V so_far, V v) {
    return extreme_of<greatest>(so_far, v);
  }
};

// Marks lanes where a checked sum has overflowed.
template <bool checked, class V>
HWY_INLINE V scanned_onto([[maybe_unused]] V& bad, V so_far, V v, V next) {
  if constexpr (checked) bad = hn::Or(bad, hn::And(hn::Xor(so_far, next), hn::Xor(v, next)));
  return next;
}

// Scans some vectors of columns through all rows in registers. False where a checked sum overflows.
template <class In, class Op, bool checked, int vectors>
HWY_INLINE bool scan_strip(hn::TFromD<typename In::D>* out, const typename In::Memory* x, std::size_t rows, std::size_t stride) {
  const typename In::D d;
  const std::size_t lanes = In::count();
  auto a = In::load(x), b = a, c = a, e = a, bad = hn::Zero(d);
  hn::StoreU(a, d, out);
  const auto start = [=](int k, auto& v) HWY_ATTR {
    v = In::load(x + static_cast<std::size_t>(k) * lanes);
    hn::StoreU(v, d, out + static_cast<std::size_t>(k) * lanes);
  };
  if constexpr (vectors > 1) start(1, b);
  if constexpr (vectors > 2) start(2, c), start(3, e);
  for (std::size_t r = 1; r < rows; r++) {
    const auto go_on = [&](int k, auto& so_far) HWY_ATTR {
      const std::size_t at = r * stride + static_cast<std::size_t>(k) * lanes;
      const auto v = In::load(x + at);
      so_far = scanned_onto<checked>(bad, so_far, v, Op::of(so_far, v));
      hn::StoreU(so_far, d, out + at);
    };
    go_on(0, a);
    if constexpr (vectors > 1) go_on(1, b);
    if constexpr (vectors > 2) go_on(2, c), go_on(3, e);
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
    for (std::size_t r = 0; r < rows; r++) {
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

template <class In, class Op, bool checked = false>
bool scan_columns(void* out_bytes, const void* x_bytes, std::size_t rows, std::size_t columns) {
  using Result = hn::TFromD<typename In::D>;
  using Memory = typename In::Memory;
  Result* out = static_cast<Result*>(out_bytes);
  const Memory* x = static_cast<const Memory*>(x_bytes);
  const std::size_t lanes = In::count();
  if (columns > 32 * lanes) return scan_wide_rows<In, Op, checked>(out, x, rows, columns);
  if (columns >= lanes) {
    // The last strip may begin before the end of the one before it.
    for (std::size_t j = 0; j != columns;) {
      const std::size_t left = columns - j;
      const auto strip = [&]<int vectors>(std::integral_constant<int, vectors>) HWY_ATTR {
        const std::size_t start = std::min(j, columns - vectors * lanes);
        j = start + vectors * lanes;
        return scan_strip<In, Op, checked, vectors>(out + start, x + start, rows, columns);
      };
      const bool fits = left > 2 * lanes && columns >= 4 * lanes ? strip(std::integral_constant<int, 4>())
                        : left > lanes && columns >= 2 * lanes   ? strip(std::integral_constant<int, 2>())
                                                                 : strip(std::integral_constant<int, 1>());
      if (!fits) return false;
    }
    return true;
  }
  // Fewer columns than lanes go through a buffer.
  const typename In::D d;
  auto so_far = load_few<In>(x, columns);
  auto bad = hn::Zero(d);
  HWY_ALIGN Result part[hn::MaxLanes(typename In::D())];
  for (std::size_t r = 0; r < rows; r++) {
    if (r != 0) {
      const auto v = load_few<In>(x + r * columns, columns);
      so_far = scanned_onto<checked>(bad, so_far, v, Op::of(so_far, v));
    }
    hn::Store(so_far, d, part);
    std::memcpy(out + r * columns, part, columns * sizeof(Result));
  }
  if constexpr (checked)
    return hn::AllFalse(d, hn::Lt(bad, hn::Zero(d)));
  else
    return true;
}

const ScanColumnKernels* table() {
  static constexpr ScanColumnKernels kernels = {
      .sum = {scan_columns<Lanes<int8_t, int32_t>, RunningSum, true>, scan_columns<Lanes<int16_t, int32_t>, RunningSum, true>,
              scan_columns<Lanes<int32_t>, RunningSum, true>, scan_columns<Lanes<double>, RunningSum>},
      .sum_f64 = {scan_columns<Lanes<int8_t, double>, RunningSum>, scan_columns<Lanes<int16_t, double>, RunningSum>,
                  scan_columns<Lanes<int32_t, double>, RunningSum>},
      .minimum = {scan_columns<Lanes<int8_t>, RunningBest<false>>, scan_columns<Lanes<int16_t>, RunningBest<false>>,
                  scan_columns<Lanes<int32_t>, RunningBest<false>>, scan_columns<Lanes<double>, RunningBest<false>>},
      .maximum = {scan_columns<Lanes<int8_t>, RunningBest<true>>, scan_columns<Lanes<int16_t>, RunningBest<true>>,
                  scan_columns<Lanes<int32_t>, RunningBest<true>>, scan_columns<Lanes<double>, RunningBest<true>>},
  };
  return &kernels;
}

}  // namespace
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(table);
const ScanColumnKernels& scan_columns() { return *HWY_DYNAMIC_DISPATCH(table)(); }
}  // namespace griddle::kernels
#endif
