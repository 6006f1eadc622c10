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

// Where the next elements go, and what they are.
struct Written {
  using D = hn::CappedTag<std::uint16_t, 8>;
  std::uint16_t *to, *const end;
  hn::Vec<D> all;
  const hn::Vec<D> next;

  HWY_INLINE Written(std::uint16_t* out, std::size_t n, std::uint16_t first, std::uint16_t turn)
      : to(out), end(out + n), all(hn::Set(D(), first)), next(hn::Set(D(), turn)) {}
  HWY_INLINE std::size_t room() const { return static_cast<std::size_t>(end - to); }
  // Writes a vector of an element, of which `count` stay.
  HWY_INLINE void put_few(std::size_t count) {
    hn::StoreU(all, D(), to);
    to += count;
    all = hn::Add(all, next);
  }
  HWY_INLINE void put(std::size_t count) {
    const std::size_t lanes = hn::Lanes(D());
    if (count <= lanes && room() >= lanes) return put_few(count);
    to = std::fill_n(to, count, hn::GetLane(all));
    all = hn::Add(all, next);
  }
};

// Writes some of each element at once, without asking how many there are where eight counts are small, as most are.
void write_counted(std::uint16_t* out, std::size_t n, std::uint16_t first, std::uint16_t turn, std::size_t range,
                   const std::uint8_t* counts, std::ptrdiff_t step) {
  Written written(out, n, first, turn);
  const std::size_t lanes = hn::Lanes(Written::D());
  const std::uint64_t large = 0x0101010101010101 * (256 - lanes);
  std::size_t k = 0;
  for (; k + 8 <= range; k += 8, counts += 8 * step) {
    std::uint64_t eight;
    std::memcpy(&eight, step > 0 ? counts : counts - 7, sizeof eight);
    if (step < 0) eight = __builtin_bswap64(eight);
    if ((eight & large) != 0 || written.room() < 8 * lanes) {
      for (std::ptrdiff_t i = 0; i < 8; i++) written.put(counts[i * step]);
      continue;
    }
#pragma GCC unroll 8
    for (unsigned i = 0; i < 8; i++) written.put_few(eight >> 8 * i & 255);
  }
  for (; k < range; k++, counts += step) written.put(*counts);
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
