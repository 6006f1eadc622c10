// Many bits repeated 9 to 32 times, a vector of 64 bytes at a time: with AVX-512 alone, where a test of bits makes a mask.
// Included once per target.
#if defined(GRIDDLE_KERNELS_SPREAD_512_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDDLE_KERNELS_SPREAD_512_INL_H_
#undef GRIDDLE_KERNELS_SPREAD_512_INL_H_
#else
#define GRIDDLE_KERNELS_SPREAD_512_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Each byte of results has bits of one byte of the source, and of at most two bits of that: those below a place from the first,
// the others from the second.
class BitSpread {
 public:
  using D = hn::ScalableTag<std::uint8_t>;
  static constexpr std::size_t lanes = hn::MaxLanes(D());

  explicit BitSpread(std::size_t times) {
    std::size_t bit = 0, end = times;  // what a byte begins with, and where its run ends
    for (std::size_t k = 0; k < lanes; k++, end -= 8) {
      for (; end == 0; end += times) bit++;
      source_[k] = static_cast<std::uint8_t>(bit / 8);
      first_[k] = static_cast<std::uint8_t>(1 << bit % 8);
      second_[k] = static_cast<std::uint8_t>(1 << (bit + 1) % 8);
      below_[k] = static_cast<std::uint8_t>(end >= 8 ? 0xFF : (1 << end) - 1);
      if (end < 8) end += times, bit++;
    }
  }
  // Gives the results for the first of eight bytes, as many as there is room for.
  HWY_INLINE hn::Vec<D> of(std::uint64_t bytes) const {
    const D d;
    const auto eight = hn::BitCast(d, hn::Set(hn::Repartition<std::uint64_t, D>(), bytes));
    const auto each = hn::TableLookupBytes(eight, hn::Load(d, source_)), below = hn::Load(d, below_);
    const auto whether = [&](const std::uint8_t* bit)
                             HWY_ATTR { return hn::VecFromMask(d, hn::TestBit(each, hn::Load(d, bit))); };
    return hn::Or(hn::And(whether(first_), below), hn::AndNot(below, whether(second_)));
  }

 private:
  HWY_ALIGN std::uint8_t source_[lanes], first_[lanes], second_[lanes], below_[lanes];
};

// Writes words of n bits, each `times` times; gives how many of them it did, a multiple of 64: none where others are as fast.
inline std::size_t spread_bits(std::uint64_t* to, const std::uint64_t* from, std::size_t n, std::size_t times) {
  constexpr std::size_t lanes = BitSpread::lanes, most_times = 32, fewest = 65536;  // results
  if (times > most_times || n * times < fewest) return 0;
  const BitSpread spread(times);
  const std::size_t bytes = lanes / times < 8 ? lanes / times : 8;
  const auto* const source = reinterpret_cast<const std::uint8_t*>(from);
  auto* const out = reinterpret_cast<std::uint8_t*>(to);
  const std::size_t room = (n * times + 63) / 64 * 8;
  std::size_t i = 0;
  for (; i + 8 <= n / 8 && i * times + lanes <= room; i += bytes) {
    std::uint64_t eight;
    std::memcpy(&eight, source + i, sizeof eight);
    hn::StoreU(spread.of(eight), BitSpread::D(), out + i * times);
  }
  return i / 8 * 64;
}

}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
