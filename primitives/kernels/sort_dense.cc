#include <algorithm>
#include <cstring>

#include "primitives/kernels/sort.h"
#include "primitives/kernels/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "primitives/kernels/sort_dense.cc"
#include "hwy/foreach_target.h"
//
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

// Counts elements in bytes, which stay in near caches; false where some count does not fit and 256 of the sum are lost.
bool count_in_bytes(const std::uint16_t* x, std::size_t n, std::uint16_t low, std::size_t range, std::uint8_t* counts) {
  std::memset(counts, 0, range);
  for (std::size_t i = 0; i < n; i++) counts[static_cast<std::uint16_t>(x[i] - low)]++;
  std::uint32_t sum = 0;
  for (std::size_t k = 0; k < range; k++) sum += counts[k];
  return sum == n;
}

// Writes some of each element at once, without asking how many there are: few are more.
void write_counted(std::uint16_t* to, std::size_t n, std::uint16_t first, std::uint16_t turn, std::size_t range,
                   const std::uint8_t* counts, std::ptrdiff_t step) {
  const hn::CappedTag<std::uint16_t, 8> d;
  const std::size_t lanes = hn::Lanes(d);
  std::uint16_t* const end = to + n;
  auto all = hn::Set(d, first);
  const auto next = hn::Set(d, turn);
  for (std::size_t k = 0; k < range; k++, counts += step) {
    const std::size_t count = *counts;
    if (count > lanes || static_cast<std::size_t>(end - to) < lanes)
      std::fill_n(to, count, hn::GetLane(all));
    else
      hn::StoreU(all, d, to);
    to += count;
    all = hn::Add(all, next);
  }
}

bool sort_dense_any(const void* x, std::size_t n, std::int64_t low, std::size_t range, std::uint8_t* counts, void* out,
                    bool down) {
  const auto least = static_cast<std::uint16_t>(low);
  if (!count_in_bytes(static_cast<const std::uint16_t*>(x), n, least, range, counts)) return false;
  auto* to = static_cast<std::uint16_t*>(out);
  if (down)
    write_counted(to, n, static_cast<std::uint16_t>(least + range - 1), 0xFFFF, range, counts + range - 1, -1);
  else
    write_counted(to, n, least, 1, range, counts, 1);
  return true;
}

}  // namespace
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(sort_dense_any);
bool sort_dense(const void* x, std::size_t n, std::int64_t low, std::size_t range, std::uint8_t* counts, void* out, bool down) {
  return HWY_DYNAMIC_DISPATCH(sort_dense_any)(x, n, low, range, counts, out, down);
}
}  // namespace griddle::kernels
#endif  // HWY_ONCE
