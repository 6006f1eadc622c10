#include "primitives/kernels/sort/sort.h"

#include <algorithm>
#include <cstring>

#include "hwy/highway.h"
#include "primitives/kernels/shared/pieces.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace sort_dense_unit {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using std::uint16_t, std::uint32_t, std::uint64_t;

// Counts elements in 16 bits, which stay in near caches; false where some count does not fit and 65536 of the sum are lost. Few
// counts are made twice, so that equal elements wait for each other less often.
bool count_in_shorts(const uint16_t* x, std::size_t n, uint16_t low, std::size_t range, uint16_t* counts) {
  constexpr std::size_t few = 2048;
  uint16_t more[few];
  uint16_t* const second = range <= few ? more : counts;
  std::memset(counts, 0, range * sizeof *counts);
  std::memset(second, 0, range * sizeof *counts);
  in_pieces(n, [=](std::size_t i, std::size_t end) {
    for (; i + 4 <= end; i += 4) {
      uint64_t four;
      std::memcpy(&four, x + i, sizeof four);
      counts[static_cast<uint16_t>(four - low)]++;
      second[static_cast<uint16_t>((four >> 16) - low)]++;
      counts[static_cast<uint16_t>((four >> 32) - low)]++;
      second[static_cast<uint16_t>((four >> 48) - low)]++;
    }
    for (; i < end; i++) counts[static_cast<uint16_t>(x[i] - low)]++;
  });
  std::size_t sum = 0;
  for (std::size_t k = 0; k < range; k++) {
    if (range <= few) counts[k] = static_cast<uint16_t>(counts[k] + second[k]);
    sum += counts[k];
  }
  return sum == n;
}

// Where the next elements go, and what they are: blocks of `bytes`, of which most runs need but one.
template <std::size_t bytes>
struct Written {
  using D = hn::CappedTag<uint16_t, bytes / 2>;
  static constexpr std::size_t most = bytes / 2;
  uint16_t *to, *const end;
  hn::Vec<D> all;
  const hn::Vec<D> next;

  HWY_INLINE Written(uint16_t* out, std::size_t n, uint16_t first, uint16_t turn)
      : to(out), end(out + n), all(hn::Set(D(), first)), next(hn::Set(D(), turn)) {}
  HWY_INLINE std::size_t room() const { return static_cast<std::size_t>(end - to); }
  // Writes a block of an element, of which `count` stay.
  HWY_INLINE void put_few(std::size_t count) {
    for (std::size_t i = 0; i < most; i += hn::MaxLanes(D())) hn::StoreU(all, D(), to + i);
    to += count;
    all = hn::Add(all, next);
  }
  HWY_INLINE void put(std::size_t count) {
    for (; count > most && room() >= most; count -= most, to += most)
      for (std::size_t i = 0; i < most; i += hn::MaxLanes(D())) hn::StoreU(all, D(), to + i);
    if (count <= most && room() >= most) return put_few(count);
    to = std::fill_n(to, count, hn::GetLane(all));
    all = hn::Add(all, next);
  }
};

// Writes some of each element at once, without asking how many there are where four counts are small, as most are.
template <std::size_t bytes>
void write_counted(uint16_t* out, std::size_t n, uint16_t first, uint16_t turn, std::size_t range, const uint16_t* counts,
                   std::ptrdiff_t step) {
  Written<bytes> written(out, n, first, turn);
  constexpr std::size_t most = Written<bytes>::most;
  constexpr uint64_t large = uint64_t{0x0001000100010001} * (65536 - most);
  std::size_t k = 0;
  for (; k + 4 <= range; k += 4, counts += 4 * step) {
    uint64_t four;
    std::memcpy(&four, step > 0 ? counts : counts - 3, sizeof four);
    if ((four & large) != 0 || written.room() < 4 * most) {
      for (std::ptrdiff_t i = 0; i < 4; i++) written.put(counts[i * step]);
      continue;
    }
#pragma GCC unroll 4
    for (unsigned i = 0; i < 4; i++) written.put_few(four >> 16 * (step > 0 ? i : 3 - i) & 0xFFFF);
  }
  for (; k < range; k++, counts += step) written.put(*counts);
}

bool sort_dense_any(const void* x, std::size_t n, std::int64_t low, std::size_t range, uint16_t* counts, void* out, bool down) {
  const auto least = static_cast<uint16_t>(low);
  if (!count_in_shorts(static_cast<const uint16_t*>(x), n, least, range, counts)) return false;
  const auto first = static_cast<uint16_t>(down ? least + range - 1 : least), turn = static_cast<uint16_t>(down ? -1 : 1);
  const auto write = n < 4 * range ? write_counted<16> : write_counted<64>;
  write(static_cast<uint16_t*>(out), n, first, turn, range, down ? counts + range - 1 : counts, down ? -1 : 1);
  return true;
}

}  // namespace
}  // namespace sort_dense_unit
using sort_dense_unit::sort_dense_any;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(sort_dense_any);
bool sort_dense(const void* x, std::size_t n, std::int64_t low, std::size_t range, std::uint16_t* counts, void* out, bool down) {
  return HWY_DYNAMIC_DISPATCH(sort_dense_any)(x, n, low, range, counts, out, down);
}
}  // namespace griddle::kernels
#endif  // HWY_ONCE
