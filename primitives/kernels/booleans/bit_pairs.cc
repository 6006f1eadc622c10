#include "primitives/kernels/booleans/bit_pairs.h"

#include <algorithm>

#include "hwy/highway.h"
#include "primitives/kernels/shared/bit_runs.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace bit_pairs_unit {
namespace {

// Pairs bytes as long as whole vectors can be read, with the byte after them; gives how many. The bits begin and end whole bytes.

namespace hn = hwy::HWY_NAMESPACE;

std::size_t pair_bytes(std::uint8_t* out, const std::uint8_t* bytes, std::size_t n) {
  const hn::ScalableTag<std::uint16_t> d;
  const hn::Repartition<std::uint8_t, decltype(d)> in_bytes;
  const hn::Rebind<std::uint8_t, decltype(d)> narrow;
  constexpr std::size_t lanes = hn::MaxLanes(d);
  // The bits of each half of a byte, at even and at odd places.
  alignas(16) static constexpr std::uint8_t spread[16] = {0x00, 0x01, 0x04, 0x05, 0x10, 0x11, 0x14, 0x15,
                                                          0x40, 0x41, 0x44, 0x45, 0x50, 0x51, 0x54, 0x55};
  const auto even = hn::LoadDup128(in_bytes, spread), odd = hn::Add(even, even);
  const auto low = hn::Set(d, 0xFF), halves = hn::Set(d, 0x0F0F);
  const auto spread_by = [=](auto table, auto v) HWY_ATTR {
    return hn::TableLookupBytes(table, hn::BitCast(in_bytes, hn::And(hn::Or(v, hn::ShiftLeft<4>(v)), halves)));
  };
  std::size_t i = 0;
  for (; i + lanes < n; i += lanes) {
    const auto here = hn::PromoteTo(d, hn::LoadU(narrow, bytes + i)), next = hn::PromoteTo(d, hn::LoadU(narrow, bytes + i + 1));
    const auto following = hn::And(hn::ShiftRight<1>(hn::Or(here, hn::ShiftLeft<8>(next))), low);
    hn::StoreU(hn::Or(spread_by(even, here), spread_by(odd, following)), in_bytes, out + 2 * i);
  }
  return i;
}

}  // namespace
}  // namespace bit_pairs_unit
using bit_pairs_unit::pair_bytes;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {

namespace {

// Holds for each run of 9 bits the 8 pairs of neighbours in it.
struct BitPairs {
  std::uint16_t of[512];
  constexpr BitPairs() : of() {
    for (unsigned run = 0; run < 512; run++)
      for (unsigned i = 0; i < 8; i++) of[run] = static_cast<std::uint16_t>(of[run] | (run >> i & 3) << 2 * i);
  }
};
constexpr BitPairs bit_pairs;

HWY_EXPORT(pair_bytes);

}  // namespace

void pair_bits(std::uint64_t* out, const std::uint64_t* bits, std::size_t n) {
  constexpr std::size_t rows = 32;
  const std::size_t bytes = HWY_DYNAMIC_DISPATCH(pair_bytes)(reinterpret_cast<std::uint8_t*>(out),
                                                             reinterpret_cast<const std::uint8_t*>(bits), (n + 1) / 8);
  for (std::size_t i = 8 * bytes / rows * rows; i < n; i += rows) {
    const std::size_t here = std::min(rows, n - i);
    const std::uint64_t run = read_bits(bits, i, here + 1);
    std::uint64_t pairs = 0;
    for (unsigned k = 0; k < 4; k++) pairs |= std::uint64_t{bit_pairs.of[run >> 8 * k & 511]} << 16 * k;
    out[i / rows] = pairs & low_bits(2 * here);
  }
}

}  // namespace griddle::kernels
#endif
