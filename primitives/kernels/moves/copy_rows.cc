#include "primitives/kernels/moves/copy_rows.h"

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace copy_rows_unit {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Moves `rows` rows of which f copies one.
template <class F>
HWY_INLINE void each_row(std::uint8_t* to, std::ptrdiff_t to_step, const std::uint8_t* from, std::ptrdiff_t from_step,
                         std::size_t rows, F f) {
#pragma GCC unroll 4
  for (std::size_t r = 0; r < rows; r++, to += to_step, from += from_step) f(to, from);
}

template <class D>
HWY_INLINE void move(D d, std::uint8_t* to, const std::uint8_t* from) {
  hn::StoreU(hn::LoadU(d, from), d, to);
}

// Rows of up to two vectors, which may overlap, or of many, of which the last two may.
template <std::size_t size>
void rows_of(std::uint8_t* to, std::ptrdiff_t to_step, const std::uint8_t* from, std::ptrdiff_t from_step, std::size_t bytes,
             std::size_t rows) {
  const hn::CappedTag<std::uint8_t, size> d;
  constexpr std::size_t lanes = hn::MaxLanes(d);
  const std::size_t last = bytes - lanes;
  if (bytes <= 2 * lanes)
    return each_row(to, to_step, from, from_step, rows, [=](std::uint8_t* out, const std::uint8_t* in) HWY_ATTR {
      const auto first = hn::LoadU(d, in), second = hn::LoadU(d, in + last);
      hn::StoreU(first, d, out);
      hn::StoreU(second, d, out + last);
    });
  each_row(to, to_step, from, from_step, rows, [=](std::uint8_t* out, const std::uint8_t* in) HWY_ATTR {
    for (std::size_t i = 0; i < last; i += lanes) move(d, out + i, in + i);
    move(d, out + last, in + last);
  });
}

void rows_of_bytes(std::uint8_t* to, std::ptrdiff_t to_step, const std::uint8_t* from, std::ptrdiff_t from_step,
                   std::size_t bytes, std::size_t rows) {
  if (bytes < 16) return rows_of<8>(to, to_step, from, from_step, bytes, rows);
  if (bytes < 32) return rows_of<16>(to, to_step, from, from_step, bytes, rows);
  if (bytes < 64) return rows_of<32>(to, to_step, from, from_step, bytes, rows);
  rows_of<64>(to, to_step, from, from_step, bytes, rows);
}

}  // namespace
}  // namespace copy_rows_unit
using copy_rows_unit::rows_of_bytes;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(rows_of_bytes);
void copy_rows(void* to, std::ptrdiff_t to_step, const void* from, std::ptrdiff_t from_step, std::size_t bytes,
               std::size_t rows) {
  HWY_DYNAMIC_DISPATCH(rows_of_bytes)
  (static_cast<std::uint8_t*>(to), to_step, static_cast<const std::uint8_t*>(from), from_step, bytes, rows);
}
}  // namespace griddle::kernels
#endif
