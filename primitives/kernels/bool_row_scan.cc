#include "primitives/kernels/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "primitives/kernels/bool_row_scan.cc"
#include "hwy/foreach_target.h"
//
#include <algorithm>
#include <bit>

#include "hwy/highway.h"
#include "primitives/kernels/bool_rows.h"
#include "primitives/kernels/prefix_parity-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using std::int64_t, std::uint64_t;

constexpr int most_steps = 6;
constexpr std::size_t most_words = 63;  // of a period: after so many words rows lie in them as in the first ones

// Says for each vector of words of a period which bits a shift within the word may reach, and which bits continue a row of the
// word before.
struct RowMasks {
  using D = hn::ScalableTag<uint64_t>;
  using V = hn::Vec<D>;
  std::size_t period;  // vectors
  V open[most_words][most_steps];
  V carried[most_words];

  // Describes no more words than there are.
  RowMasks(std::size_t columns, std::size_t words, int steps) {
    const D d;
    const std::size_t lanes = hn::Lanes(d);
    // Rows of less than 64 bits begin at as many places of a word as their odd factor says; so many vectors as well, since lanes
    // are a power of two.
    period = columns >> std::countr_zero(columns);
    // Places that a shift by each step must not reach, where a row begins at bit 0.
    uint64_t barred[most_steps];
    uint64_t starts = 0;
    for (std::size_t b = 0; b < 64; b += columns) starts |= uint64_t{1} << b;
    barred[0] = starts;
    for (int s = 1; s < steps; s++) barred[s] = barred[s - 1] | barred[s - 1] << (1 << (s - 1));
    // The first start in each word.
    HWY_ALIGN uint64_t firsts[hn::MaxLanes(d)];
    const std::size_t beyond = 64 % columns;
    std::size_t place = 0;
    for (std::size_t i = 0; i < lanes; i++) {
      firsts[i] = place;
      place = place >= beyond ? place - beyond : place + columns - beyond;
    }
    const hn::RebindToSigned<D> sd;
    auto first = hn::BitCast(sd, hn::Load(d, firsts));
    const auto width = hn::Set(sd, static_cast<int64_t>(columns)),
               back = hn::Set(sd, static_cast<int64_t>(place == 0 ? 0 : columns - place));
    for (std::size_t v = 0; v < std::min(period, (words + lanes - 1) / lanes); v++) {
      const V shift = hn::BitCast(d, first);
      for (int s = 0; s < steps; s++) open[v][s] = hn::Not(hn::Shl(hn::Set(d, barred[s]), shift));
      carried[v] = hn::Sub(hn::Shl(hn::Set(d, 1), shift), hn::Set(d, 1));
      first = hn::Sub(first, back);
      first = hn::Add(first, hn::And(hn::BroadcastSignBit(first), width));
    }
  }
};

template <bool exclusive, class V>
HWY_INLINE V combined(V a, V b) {
  return exclusive ? hn::Xor(a, b) : hn::Or(a, b);
}

// Scans within each word: 2^steps is at least the length of a row; open(s) are the bits that the shift by 2^s may reach.
template <bool exclusive, int steps, class V, class Open>
HWY_INLINE V scanned_words(V word, const Open& open) {
  if constexpr (steps > 0) word = combined<exclusive>(word, hn::And(hn::ShiftLeft<1>(word), open(0)));
  if constexpr (steps > 1) word = combined<exclusive>(word, hn::And(hn::ShiftLeft<2>(word), open(1)));
  if constexpr (steps > 2) word = combined<exclusive>(word, hn::And(hn::ShiftLeft<4>(word), open(2)));
  if constexpr (steps > 3) word = combined<exclusive>(word, hn::And(hn::ShiftLeft<8>(word), open(3)));
  if constexpr (steps > 4) word = combined<exclusive>(word, hn::And(hn::ShiftLeft<16>(word), open(4)));
  if constexpr (steps > 5) word = combined<exclusive>(word, hn::And(hn::ShiftLeft<32>(word), open(5)));
  return word;
}

// Calls next(vector) on all words in turn, the last ones padded, and stores what it gives.
template <class Next>
HWY_INLINE void each_vector_of_words(uint64_t* out, const uint64_t* bits, std::size_t words, Next next) {
  const hn::ScalableTag<uint64_t> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= words; i += lanes) hn::StoreU(next(hn::LoadU(d, bits + i)), d, out + i);
  if (i == words) return;
  HWY_ALIGN uint64_t few[hn::MaxLanes(d)] = {};
  for (std::size_t k = 0; i + k < words; k++) few[k] = bits[i + k];
  hn::Store(next(hn::Load(d, few)), d, few);
  for (std::size_t k = 0; i + k < words; k++) out[i + k] = few[k];
}

// Scans rows that words divide into. Conjunction is disjunction of complements.
template <bool exclusive, int steps>
void scan_dividing(uint64_t* out, const uint64_t* bits, std::size_t words, uint64_t flip) {
  const hn::ScalableTag<uint64_t> d;
  constexpr std::size_t columns = std::size_t{1} << steps;
  constexpr uint64_t row = columns == 64 ? ~uint64_t{0} : (uint64_t{1} << columns % 64) - 1, starts = ~uint64_t{0} / row;
  const auto flips = hn::Set(d, flip);
  const auto open = [d](int s) HWY_ATTR { return hn::Set(d, ~(starts * ((uint64_t{1} << (1 << s)) - 1))); };
  each_vector_of_words(out, bits, words, [=](auto word) HWY_ATTR {
    word = hn::Xor(word, flips);
    return hn::Xor(scanned_words<exclusive, steps>(word, open), flips);
  });
}

// Scans rows of any length below 64.
template <bool exclusive, int steps>
void scan_any(uint64_t* out, const uint64_t* bits, std::size_t columns, std::size_t words, uint64_t flip) {
  const hn::ScalableTag<uint64_t> d;
  const hn::RebindToSigned<decltype(d)> sd;
  const RowMasks masks(columns, words, steps);
  const auto flips = hn::Set(d, flip);
#if HWY_TARGET != HWY_SCALAR
  HWY_ALIGN static constexpr int64_t turn[8] = {-1, 0, 1, 2, 3, 4, 5, 6};
  const auto turned_places =
      hn::IndicesFromVec(d, hn::And(hn::LoadU(sd, turn), hn::Set(sd, static_cast<int64_t>(hn::Lanes(d) - 1))));
  const auto first_lane = hn::FirstN(d, 1);
#endif
  // The signs of the results of the vector before, each moved up a lane; lane 0 is the last one's.
  auto before = hn::Zero(d);
  std::size_t place = 0;
  each_vector_of_words(out, bits, words, [&](auto word) HWY_ATTR {
    word = hn::Xor(word, flips);
    word = scanned_words<exclusive, steps>(word, [&](int s) HWY_ATTR { return masks.open[place][s]; });
    // A word holds a start of a row, so that its last result is known now.
    const auto signs = hn::BitCast(d, hn::BroadcastSignBit(hn::BitCast(sd, word)));
#if HWY_TARGET == HWY_SCALAR
    const auto turned = signs, fed = before;
#else
    const auto turned = hn::TableLookupLanes(signs, turned_places);
    const auto fed = hn::IfThenElse(first_lane, before, turned);
#endif
    word = combined<exclusive>(word, hn::And(fed, masks.carried[place]));
    before = turned;
    if (++place == masks.period) place = 0;
    return hn::Xor(word, flips);
  });
}

// Scans rows longer than a word, so that at most one begins in each word.
template <bool exclusive>
void scan_long_rows(uint64_t* out, const uint64_t* bits, std::size_t columns, std::size_t words, uint64_t flip) {
  const hn::ScalableTag<uint64_t> d;
  const std::size_t lanes = hn::Lanes(d);
  constexpr std::size_t block = 512;  // words that stay near
  std::size_t next = columns;         // places from the word's first bit to where a row begins
  uint64_t carry = 0;                 // all ones where the row's last result is 1
  for (std::size_t begin = 0; begin < words; begin += block) {
    const std::size_t end = std::min(words, begin + block);
    std::size_t i = begin;
    if constexpr (exclusive) {
      for (; i + lanes <= end; i += lanes) hn::StoreU(prefix_parity_in_words(hn::LoadU(d, bits + i)), d, out + i);
      const hn::CappedTag<uint64_t, 1> one;
      for (; i < end; i++) out[i] = hn::GetLane(prefix_parity_in_words(hn::Set(one, bits[i])));
    }
    for (i = begin; i < end; i++) {
      const uint64_t word = exclusive ? out[i] : bits[i] ^ flip;
      const bool begins = next < 64;
      const uint64_t after = begins ? ~uint64_t{0} << next : 0;
      uint64_t result;
      if constexpr (exclusive) {
        // What has been counted before the start is taken out behind it.
        const uint64_t inner = 0 - ((word << 1 >> (next & 63)) & 1);
        result = word ^ (carry & ~after) ^ (inner & after);
      } else {
        const uint64_t lower = word & ~after, upper = word & after;
        result = ((lower | (0 - lower) | carry) & ~after) | upper | (0 - upper);
      }
      carry = 0 - (result >> 63);
      next += (begins ? columns : 0) - 64;
      out[i] = exclusive ? result : result ^ flip;
    }
  }
}

template <bool exclusive>
void scan_words(uint64_t* out, const uint64_t* bits, std::size_t columns, std::size_t words, uint64_t flip) {
  if (columns > 64) return scan_long_rows<exclusive>(out, bits, columns, words, flip);
  const auto with_steps = [=]<int steps>(std::integral_constant<int, steps>) HWY_ATTR {
    if (columns == std::size_t{1} << steps)
      scan_dividing<exclusive, steps>(out, bits, words, flip);
    else
      scan_any<exclusive, steps>(out, bits, columns, words, flip);
  };
  switch (std::bit_width(columns - 1)) {
    case 0: return with_steps(std::integral_constant<int, 0>());
    case 1: return with_steps(std::integral_constant<int, 1>());
    case 2: return with_steps(std::integral_constant<int, 2>());
    case 3: return with_steps(std::integral_constant<int, 3>());
    case 4: return with_steps(std::integral_constant<int, 4>());
    case 5: return with_steps(std::integral_constant<int, 5>());
    default: return with_steps(std::integral_constant<int, 6>());
  }
}

void scan(RowFunction f, uint64_t* out, const uint64_t* bits, std::size_t columns, std::size_t n) {
  const std::size_t words = (n + 63) / 64;
  if (f == RowFunction::exclusive_or)
    scan_words<true>(out, bits, columns, words, 0);
  else
    scan_words<false>(out, bits, columns, words, f == RowFunction::and_ ? ~uint64_t{0} : 0);
}

const BoolRowScanKernels* table() {
  static constexpr BoolRowScanKernels kernels = {scan};
  return &kernels;
}

}  // namespace
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(table);
const BoolRowScanKernels& bool_row_scan() { return *HWY_DYNAMIC_DISPATCH(table)(); }
}  // namespace griddle::kernels
#endif
