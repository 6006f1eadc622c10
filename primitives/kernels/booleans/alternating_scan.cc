#include "primitives/kernels/booleans/alternating_scan.h"

#include "hwy/highway.h"
#include "primitives/kernels/booleans/long_strides-inl.h"
#include "primitives/kernels/booleans/prefix_parity-inl.h"
#include "primitives/kernels/booleans/row_bit_words.h"
#include "primitives/kernels/shared/bits-inl.h"
#include "primitives/kernels/shared/loops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace alternating_scan_unit {
namespace {

using std::uint64_t;

constexpr uint64_t ones = ~uint64_t{0};

// The results of words, each as if a 0 came before it, and the bits that a run which begins in the word before does not reach.
template <class V>
struct Alone {
  V results, barred;
};
// `barred` are the bits that continue no run: 0s, and the first bits of lists. The results of twice as many bits are known from
// those of half as many, and of what lies so many places before.
template <class V>
HWY_INLINE Alone<V> alternating(V x, V barred, std::size_t stride) {
  V results = x;
  for (std::size_t by = stride; by < 64; by *= 2) {
    const int places = static_cast<int>(by);
    results = hn::Xor(results, hn::AndNot(barred, hn::ShiftLeftSame(results, places)));
    barred = hn::Or(barred, hn::ShiftLeftSame(barred, places));
  }
  return {results, barred};
}

// --- along rows

template <uint64_t flip>
class RowScan {
 public:
  // Scans words of which `starts` says where rows begin.
  HWY_INLINE void run(uint64_t* out, const uint64_t* bits, const uint64_t* starts, std::size_t words) {
    std::size_t i = 0;
    using D = hn::CappedTag<uint64_t, 4>;
    const D d;
    const hn::RebindToSigned<D> sd;
    constexpr std::size_t lanes = hn::MaxLanes(D());
    const auto is_negative = [sd](auto v) HWY_ATTR { return bits_of_mask(sd, hn::Lt(hn::BitCast(sd, v), hn::Zero(sd))); };
    const auto flips = in_register(hn::Set(d, flip)), all = in_register(hn::Set(d, ones));
    for (; i + lanes <= words; i += lanes) {
      const auto x = hn::Xor(hn::LoadU(d, bits + i), flips);
      const auto alone = alternating(x, hn::Or(hn::Xor(x, all), hn::LoadU(d, starts + i)), 1);
      // A word ends in the result that it has alone, or, if one run fills it, in the one that came before it.
      const uint64_t ends = is_negative(alone.results), passes = is_negative(alone.barred) ^ ((uint64_t{1} << lanes) - 1);
      const uint64_t carried = ((ends << 1 | carry_) + passes) ^ passes;
      const auto turned = hn::AndNot(alone.barred, hn::LoadU(d, lane_masks[carried & 15]));
      hn::StoreU(hn::Xor(hn::Xor(alone.results, turned), flips), d, out + i);
      carry_ = carried >> lanes & 1;
    }
    const hn::CappedTag<uint64_t, 1> one;
    for (; i < words; i++) {
      const uint64_t x = bits[i] ^ flip;
      const auto alone = alternating(hn::Set(one, x), hn::Set(one, ~x | starts[i]), 1);
      const uint64_t result = hn::GetLane(alone.results) ^ (carry_ != 0 ? ~hn::GetLane(alone.barred) : 0);
      carry_ = result >> 63;
      out[i] = result ^ flip;
    }
  }

 private:
  uint64_t carry_ = 0;  // the last result
};

template <uint64_t flip>
void less_in_rows(std::size_t columns, uint64_t* out, const uint64_t* bits, std::size_t n) {
  RowScan<flip> scan;
  each_block_of_row_bits(RowBits::first_places, columns, (n + 63) / 64,
                         [&](std::size_t first, std::size_t count, const uint64_t* starts)
                             HWY_ATTR { scan.run(out + first, bits + first, starts, count); });
}

// --- down columns

template <uint64_t flip>
void less_by_short(std::size_t stride, uint64_t* out, const uint64_t* bits, std::size_t words) {
  const hn::CappedTag<uint64_t, 1> one;
  // Repeats the last `stride` results before a word through the whole word by a multiplication.
  uint64_t repeat = 1, before = 0, first = (uint64_t{1} << stride) - 1;
  for (std::size_t by = stride; by < 64; by *= 2) repeat |= repeat << by;
  for (std::size_t i = 0; i < words; i++, first = 0) {
    const uint64_t x = bits[i] ^ flip;
    const auto alone = alternating(hn::Set(one, x), hn::Set(one, ~x | first), stride);
    const uint64_t carried = (before >> (64 - stride)) * repeat;
    before = hn::GetLane(alone.results) ^ (carried & ~hn::GetLane(alone.barred));
    out[i] = before ^ flip;
  }
}

template <uint64_t flip>
void less_by(std::size_t stride, uint64_t* out, const uint64_t* bits, std::size_t n) {
  const std::size_t words = (n + 63) / 64;
  if (stride < 64) return less_by_short<flip>(stride, out, bits, words);
  scan_by_long<std::conditional_t<flip == 0, RunningLess, RunningLessEqual>>(stride, out, bits, words);
}

const AlternatingScanKernels* alternating_scan_kernels() {
  static constexpr AlternatingScanKernels kernels = {less_in_rows<0>, less_in_rows<ones>, less_by<0>, less_by<ones>};
  return &kernels;
}

}  // namespace
}  // namespace alternating_scan_unit
using alternating_scan_unit::alternating_scan_kernels;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(alternating_scan_kernels);
const AlternatingScanKernels& alternating_scan() { return *HWY_DYNAMIC_DISPATCH(alternating_scan_kernels)(); }
}  // namespace griddle::kernels
#endif
