#include <algorithm>
#include <bit>

#include "hwy/highway.h"
#include "primitives/kernels/booleans/bool_rows.h"
#include "primitives/kernels/booleans/long_row_scan_512-inl.h"
#include "primitives/kernels/booleans/long_rows-inl.h"
#include "primitives/kernels/booleans/prefix_parity-inl.h"
#include "primitives/kernels/booleans/row_places.h"
#include "primitives/kernels/shared/across_lanes-inl.h"
#include "primitives/kernels/shared/bits-inl.h"
#include "primitives/kernels/shared/loops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace bool_row_scan_unit {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using std::int64_t, std::uint64_t;

constexpr int most_steps = 6;
constexpr std::size_t most_words = 63;  // of a period: after so many words rows lie in them as in the first ones

// Gives the bits where rows of `columns` begin in a word whose first bit begins one.
uint64_t row_starts(std::size_t columns) {
  uint64_t starts = 1;
  for (std::size_t by = columns; by < 64; by *= 2) starts |= starts << by;
  return starts;
}

// Follows where the first row begins in each word of a vector, for rows of less than 64 bits.
class FirstStarts {
 public:
  using D = hn::ScalableTag<uint64_t>;
  using V = hn::Vec<D>;

  explicit FirstStarts(std::size_t columns) {
    const D d;
    static_assert(hn::MaxLanes(D()) < most_word_starts);
    const uint64_t place = word_starts[columns][hn::Lanes(d)];
    first_ = hn::LoadU(d, word_starts[columns]);
    width_ = hn::Set(d, columns);
    back_ = hn::Set(d, place == 0 ? 0 : columns - place);
  }
  // Gives bits as they stand where a row begins at bit 0, for the rows of each word; lower ones are 0.
  HWY_INLINE V moved(uint64_t bits) const { return hn::Shl(hn::Set(D(), bits), first_); }
  // Gives the last bits of rows; `starts` are the first ones of a word that begins with one.
  HWY_INLINE V ends(uint64_t starts) const {
    const D d;
    const V last = hn::Sub(first_, hn::Set(d, 1));
    return hn::Shl(hn::Set(d, starts), hn::Add(last, hn::And(is_negative(last), width_)));
  }
  HWY_INLINE void go_on() {
    first_ = hn::Sub(first_, back_);
    first_ = hn::Add(first_, hn::And(is_negative(first_), width_));
  }

 private:
  static HWY_INLINE V is_negative(V v) {
    const hn::RebindToSigned<D> sd;
    return hn::BitCast(D(), hn::BroadcastSignBit(hn::BitCast(sd, v)));
  }
  V first_, width_, back_;
};

// Rows of less than 64 bits begin at as many places of a word as their odd factor says; so many vectors as well, since lanes are
// a power of two.
std::size_t period_of(std::size_t columns) { return columns >> std::countr_zero(columns); }

// Says which bits a shift within the word may reach, and which bits continue a row of the word before. Either computes the masks
// as it goes on, or keeps those of a period.
class ParityMasks {
 public:
  using V = FirstStarts::V;
  ParityMasks(std::size_t columns, int steps) : starts_(columns) {
    barred_[0] = row_starts(columns);
    for (int s = 1; s < steps; s++) barred_[s] = barred_[s - 1] | barred_[s - 1] << (1 << (s - 1));
  }
  HWY_INLINE V open(int s, V shifted) const { return hn::AndNot(starts_.moved(barred_[s]), shifted); }
  HWY_INLINE V carried(V fed) const {
    const FirstStarts::D d;
    return hn::And(hn::Sub(starts_.moved(1), hn::Set(d, 1)), fed);
  }
  HWY_INLINE void go_on() { starts_.go_on(); }

 private:
  FirstStarts starts_;
  uint64_t barred_[most_steps] = {};  // places that a shift by each step must not reach
};
class KeptParityMasks {
 public:
  using V = FirstStarts::V;
  KeptParityMasks(std::size_t columns, int steps) : period_(period_of(columns)) {
    const FirstStarts::D d;
    const V all = hn::Set(d, ~uint64_t{0});
    ParityMasks masks(columns, steps);
    for (std::size_t v = 0; v < period_; v++, masks.go_on()) {
      for (int s = 0; s < steps; s++) open_[v][s] = masks.open(s, all);
      carried_[v] = masks.carried(all);
    }
  }
  HWY_INLINE V open(int s, V shifted) const { return hn::And(open_[place_][s], shifted); }
  HWY_INLINE V carried(V fed) const { return hn::And(carried_[place_], fed); }
  HWY_INLINE void go_on() { place_ = place_ + 1 == period_ ? 0 : place_ + 1; }

 private:
  std::size_t period_, place_ = 0;
  V open_[most_words][most_steps];
  V carried_[most_words];
};

// The same for where rows begin and end.
class RowEdges {
 public:
  using V = FirstStarts::V;
  explicit RowEdges(std::size_t columns) : places_(columns), first_(row_starts(columns)) {}
  HWY_INLINE V starts() const { return places_.moved(first_); }
  HWY_INLINE V ends() const { return places_.ends(first_); }
  HWY_INLINE void go_on() { places_.go_on(); }

 private:
  FirstStarts places_;
  uint64_t first_;
};
class KeptRowEdges {
 public:
  using V = FirstStarts::V;
  explicit KeptRowEdges(std::size_t columns) : period_(period_of(columns)) {
    RowEdges edges(columns);
    for (std::size_t v = 0; v < period_; v++, edges.go_on()) {
      starts_[v] = edges.starts();
      ends_[v] = edges.ends();
    }
  }
  HWY_INLINE V starts() const { return starts_[place_]; }
  HWY_INLINE V ends() const { return ends_[place_]; }
  HWY_INLINE void go_on() { place_ = place_ + 1 == period_ ? 0 : place_ + 1; }

 private:
  std::size_t period_, place_ = 0;
  V starts_[most_words], ends_[most_words];
};
constexpr std::size_t few_words = 64;  // are not worth masks that are kept

// Scans within each word: 2^steps is at least the length of a row; open(s, shifted) keeps the bits that the shift by 2^s may
// reach.
template <int steps, class V, class Open>
HWY_INLINE V parities_in_words(V word, const Open& open) {
  if constexpr (steps > 0) word = hn::Xor(word, open(0, hn::ShiftLeft<1>(word)));
  if constexpr (steps > 1) word = hn::Xor(word, open(1, hn::ShiftLeft<2>(word)));
  if constexpr (steps > 2) word = hn::Xor(word, open(2, hn::ShiftLeft<4>(word)));
  if constexpr (steps > 3) word = hn::Xor(word, open(3, hn::ShiftLeft<8>(word)));
  if constexpr (steps > 4) word = hn::Xor(word, open(4, hn::ShiftLeft<16>(word)));
  if constexpr (steps > 5) word = hn::Xor(word, open(5, hn::ShiftLeft<32>(word)));
  return word;
}

// Calls next(vector) on all words in turn, the last ones padded, and stores what it gives.
template <class Next>
HWY_INLINE void each_vector_of_words(uint64_t* out, const uint64_t* bits, std::size_t words, Next next) {
  const hn::ScalableTag<uint64_t> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + 2 * lanes <= words; i += 2 * lanes) {
    hn::StoreU(next(hn::LoadU(d, bits + i)), d, out + i);
    hn::StoreU(next(hn::LoadU(d, bits + i + lanes)), d, out + i + lanes);
  }
  for (; i + lanes <= words; i += lanes) hn::StoreU(next(hn::LoadU(d, bits + i)), d, out + i);
  if (i == words) return;
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  const auto rest = hn::FirstN(d, words - i);
  hn::BlendedStore(next(hn::MaskedLoad(rest, d, bits + i)), rest, d, out + i);
#else
  HWY_ALIGN uint64_t few[hn::MaxLanes(d)] = {};
  for (std::size_t k = 0; i + k < words; k++) few[k] = bits[i + k];
  hn::Store(next(hn::Load(d, few)), d, few);
  for (std::size_t k = 0; i + k < words; k++) out[i + k] = few[k];
#endif
}

// --- exclusive or

// Scans rows that words divide into.
template <int steps>
void parities_of_dividing(uint64_t* out, const uint64_t* bits, std::size_t words) {
  const hn::ScalableTag<uint64_t> d;
  constexpr std::size_t columns = std::size_t{1} << steps;
  constexpr uint64_t row = columns == 64 ? ~uint64_t{0} : (uint64_t{1} << columns % 64) - 1, starts = ~uint64_t{0} / row;
  const auto open = [d](int s, auto shifted)
                        HWY_ATTR { return hn::And(hn::Set(d, ~(starts * ((uint64_t{1} << (1 << s)) - 1))), shifted); };
  each_vector_of_words(out, bits, words, [=](auto word) HWY_ATTR { return parities_in_words<steps>(word, open); });
}

// Moves lanes up by one, the last one to the first.
template <class D, class V>
HWY_INLINE V turned_lanes(D d, V v) {
  HWY_ALIGN static constexpr int64_t turn[8] = {-1, 0, 1, 2, 3, 4, 5, 6};
  const hn::RebindToSigned<D> sd;
  const auto places = hn::And(hn::LoadU(sd, turn), hn::Set(sd, static_cast<int64_t>(hn::Lanes(d) - 1)));
  return hn::TableLookupLanes(v, hn::IndicesFromVec(d, places));
}

// Gives each lane the one before it, the first one the last of the vector before.
template <class D, class V>
HWY_INLINE V fed_on([[maybe_unused]] D d, V v, V& before) {
  const V turned = turned_lanes(d, v), fed = hn::IfThenElse(hn::FirstN(d, 1), before, turned);
  before = turned;
  return fed;
}

// Scans rows of any length below 64.
template <class Masks, int steps>
void parities(uint64_t* out, const uint64_t* bits, std::size_t columns, std::size_t words) {
  const hn::ScalableTag<uint64_t> d;
  const hn::RebindToSigned<decltype(d)> sd;
  Masks masks(columns, steps);
  // The signs of the results of the vector before.
  auto before = hn::Zero(d);
  each_vector_of_words(out, bits, words, [&](auto word) HWY_ATTR {
    word = parities_in_words<steps>(word, [&](int s, auto shifted) HWY_ATTR { return masks.open(s, shifted); });
    // A word holds a start of a row, so that its last result is known now.
    const auto fed = fed_on(d, hn::BitCast(d, hn::BroadcastSignBit(hn::BitCast(sd, word))), before);
    word = hn::Xor(word, masks.carried(fed));
    masks.go_on();
    return word;
  });
}

#if HWY_TARGET != HWY_AVX3_DL

// Scans rows longer than a word, so that at most one begins in each word.
void parities_of_long(uint64_t* out, const uint64_t* bits, std::size_t columns, std::size_t words) {
  const hn::ScalableTag<uint64_t> d;
  const std::size_t lanes = hn::Lanes(d);
  constexpr std::size_t block = 512;  // words that stay near
  std::size_t next = columns;         // places from the word's first bit to where a row begins
  uint64_t carry = 0;                 // all ones where the row's last result is 1
  for (std::size_t begin = 0; begin < words; begin += block) {
    const std::size_t end = std::min(words, begin + block);
    std::size_t i = begin;
    for (; i + lanes <= end; i += lanes) hn::StoreU(prefix_parity_in_words(hn::LoadU(d, bits + i)), d, out + i);
    const hn::CappedTag<uint64_t, 1> one;
    for (; i < end; i++) out[i] = hn::GetLane(prefix_parity_in_words(hn::Set(one, bits[i])));
    for (i = begin; i < end; i++) {
      const uint64_t word = out[i];
      const bool begins = next < 64;
      const uint64_t after = begins ? ~uint64_t{0} << next : 0;
      // What has been counted before the start is taken out behind it.
      const uint64_t inner = 0 - ((word << 1 >> (next & 63)) & 1);
      const uint64_t result = word ^ (carry & ~after) ^ (inner & after);
      carry = 0 - (result >> 63);
      next += (begins ? columns : 0) - 64;
      out[i] = result;
    }
  }
}

#endif

// --- conjunction, and disjunction as that of complements

// Adding 1 at the start of a row turns the 1s that it begins with to 0s, and the first 0 to 1. Ends of rows are left out of the
// sum, so that nothing passes them, and get the carry instead.
template <class V>
HWY_INLINE V first_ones(V word, V sum, V ends) {
  return hn::AndNot(hn::Xor(sum, ends), word);
}

#if HWY_TARGET != HWY_AVX3_DL

// Scans rows longer than a word, so that at most one begins in each: a long number in which carries go on to the next word.
void first_ones_of_long(uint64_t* out, const uint64_t* bits, std::size_t columns, std::size_t words, uint64_t flip) {
  std::size_t next = 0;  // places from the word's first bit to where a row begins
  uint64_t carry = 0;
  for (std::size_t i = 0; i < words; i++) {
    const uint64_t word = bits[i] ^ flip;
    if (next > 64) {  // no row begins or ends here
      const uint64_t sum = word + carry;
      carry &= uint64_t{sum == 0};
      next -= 64;
      out[i] = (word & ~sum) ^ flip;
      continue;
    }
    const uint64_t begins = next < 64 ? uint64_t{1} << next : 0;
    next += (begins != 0 ? columns : 0) - 64;
    const uint64_t ends = begins >> 1 | uint64_t{next == 0} << 63;
    const uint64_t part = (word & ~ends) + begins, sum = part + carry;
    carry = uint64_t{part < begins} | uint64_t{sum < carry};
    out[i] = (word & ~(sum ^ ends)) ^ flip;
  }
}

#endif

#if HWY_TARGET != HWY_AVX3_DL

// Scans such rows a vector of words at a time, where words are so many that it is worth keeping for a period of words where rows
// begin and end. Carries between the words of a vector are those of an addition of as many bits: a word carries by itself, or
// passes a carry on where it is all ones.
constexpr std::size_t most_kept_words = 512;
std::size_t words_of_period(std::size_t columns) {
  const std::size_t words = columns >> std::min(std::countr_zero(columns), 6);
  return words < 4 ? 4 * words : words;  // at least a vector
}
void first_ones_of_long_in_vectors(uint64_t* out, const uint64_t* bits, std::size_t columns, std::size_t words, uint64_t flip) {
  using D = Blocks<uint64_t>;
  const D d;
  constexpr std::size_t lanes = hn::MaxLanes(D());
  alignas(32) static constexpr uint64_t carried[16][4] = {
      {0, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}, {1, 1, 0, 0}, {0, 0, 1, 0}, {1, 0, 1, 0}, {0, 1, 1, 0}, {1, 1, 1, 0},
      {0, 0, 0, 1}, {1, 0, 0, 1}, {0, 1, 0, 1}, {1, 1, 0, 1}, {0, 0, 1, 1}, {1, 0, 1, 1}, {0, 1, 1, 1}, {1, 1, 1, 1}};
  const std::size_t period = words_of_period(columns);
  uint64_t begins[most_kept_words + lanes], ends[most_kept_words + lanes];
  for (std::size_t i = 0, next = 0; i < period + lanes; i++) {
    const bool is_here = next < 64;
    begins[i] = is_here ? uint64_t{1} << next : 0;
    next += (is_here ? columns : 0) - 64;
    ends[i] = begins[i] >> 1 | uint64_t{next == 0} << 63;
  }
  const auto flips = in_register(hn::Set(d, flip)), all_ones = hn::Set(d, ~uint64_t{0});
  std::size_t place = 0;
  unsigned carry = 0;
  const auto scanned = [&](auto bits_here) HWY_ATTR {
    const auto word = hn::Xor(bits_here, flips), ends_here = hn::LoadU(d, ends + place), open = hn::AndNot(ends_here, word);
    const auto part = hn::Add(open, hn::LoadU(d, begins + place));
    place += lanes;
    if (place >= period) place -= period;
    // Where a row begins, the sum loses its highest bit if it carries.
    const auto carries = hn::BroadcastSignBit(hn::BitCast(hn::RebindToSigned<D>(), hn::AndNot(part, open)));
    const unsigned own = static_cast<unsigned>(bits_of_mask(d, hn::MaskFromVec(hn::BitCast(d, carries))));
    const unsigned passed = static_cast<unsigned>(bits_of_mask(d, hn::Eq(part, all_ones)));
    const unsigned sum = (own << 1 | carry) + passed;
    carry = sum >> lanes;
    const auto whole = hn::Add(part, hn::Load(d, carried[(sum ^ passed) & ((1u << lanes) - 1)]));
    return hn::Xor(hn::AndNot(hn::Xor(whole, ends_here), word), flips);
  };
  std::size_t i = 0;
  for (; i + lanes <= words; i += lanes) hn::StoreU(scanned(hn::LoadU(d, bits + i)), d, out + i);
  if (i == words) return;
  HWY_ALIGN uint64_t few[lanes] = {};
  for (std::size_t k = 0; i + k < words; k++) few[k] = bits[i + k];
  hn::Store(scanned(hn::Load(d, few)), d, few);
  for (std::size_t k = 0; i + k < words; k++) out[i + k] = few[k];
}

#endif

// Ends are taken out with the starts that are added, and of complements the sum is one difference.
template <bool complement>
void first_ones_of_dividing(uint64_t* out, const uint64_t* bits, std::size_t columns, std::size_t words) {
  const hn::ScalableTag<uint64_t> d;
  const uint64_t first = row_starts(columns);
  const auto starts = hn::Set(d, complement ? first - 1 : first - (first << (columns - 1))),
             ends = hn::Set(d, first << (columns - 1));
  each_vector_of_words(out, bits, words, [=](auto word) HWY_ATTR {
    if constexpr (complement)
      return hn::Or(word, hn::Xor(hn::Sub(starts, hn::Or(word, ends)), ends));
    else
      return first_ones(word, hn::Add(hn::Or(word, ends), starts), ends);
  });
}

// Scans rows of any length below 64.
template <class Edges, bool complement>
void first_ones_of_short(uint64_t* out, const uint64_t* bits, std::size_t columns, std::size_t words) {
  const hn::ScalableTag<uint64_t> d;
  Edges edges(columns);
  const auto flips = in_register(hn::Set(d, complement ? ~uint64_t{0} : 0));
  auto before = hn::Zero(d);
  each_vector_of_words(out, bits, words, [&](auto word) HWY_ATTR {
    word = hn::Xor(word, flips);
    const auto ends = edges.ends(), sum = hn::Add(hn::AndNot(ends, word), edges.starts());
    edges.go_on();
    // A word holds a start of a row, so that what it carries is known now.
    const auto carried = hn::ShiftRight<63>(hn::AndNot(ends, first_ones(word, sum, ends)));
    return hn::Xor(first_ones(word, hn::Add(sum, fed_on(d, carried, before)), ends), flips);
  });
}

template <bool complement>
void scan_first_ones(uint64_t* out, const uint64_t* bits, std::size_t columns, std::size_t words) {
  if (64 % columns == 0) return first_ones_of_dividing<complement>(out, bits, columns, words);
  constexpr uint64_t flip = complement ? ~uint64_t{0} : 0;
#if HWY_TARGET == HWY_AVX3_DL
  if (columns > 64) return first_ones_of_long_rows<flip>(out, bits, columns, words);
#else
  const std::size_t period = words_of_period(columns);
  if (columns > 64 && period <= most_kept_words && words >= 2 * period + few_words)
    return first_ones_of_long_in_vectors(out, bits, columns, words, flip);
#endif
#if HWY_TARGET != HWY_AVX3_DL
  if (columns > 64) return first_ones_of_long(out, bits, columns, words, flip);
#endif
  if (words <= few_words) return first_ones_of_short<RowEdges, complement>(out, bits, columns, words);
  first_ones_of_short<KeptRowEdges, complement>(out, bits, columns, words);
}

void scan_parities(uint64_t* out, const uint64_t* bits, std::size_t columns, std::size_t words) {
#if HWY_TARGET == HWY_AVX3_DL
  if (columns == 2 || columns == 4 || columns == 8) return parities_in_parts_of_bytes(out, bits, columns, words);
  if (columns > 64) return parities_of_long_rows(out, bits, columns, words);
#else
  if (columns > 64) return parities_of_long(out, bits, columns, words);
#endif
  const auto with_steps = [=]<int steps>(std::integral_constant<int, steps>) HWY_ATTR {
    if (columns == std::size_t{1} << steps)
      parities_of_dividing<steps>(out, bits, words);
    else
      (words <= few_words ? parities<ParityMasks, steps> : parities<KeptParityMasks, steps>)(out, bits, columns, words);
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
  if (f == RowFunction::exclusive_or) return scan_parities(out, bits, columns, words);
  const bool is_and = f == RowFunction::and_;
  if (columns >= mostly_alike && out != bits)
    return (is_and ? first_ones_of_rows_in_turn<false> : first_ones_of_rows_in_turn<true>)(out, bits, columns, n);
  (is_and ? scan_first_ones<false> : scan_first_ones<true>)(out, bits, columns, words);
}

const BoolRowScanKernels* bool_row_scan_kernels() {
  static constexpr BoolRowScanKernels kernels = {scan};
  return &kernels;
}

}  // namespace
}  // namespace bool_row_scan_unit
using bool_row_scan_unit::bool_row_scan_kernels;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(bool_row_scan_kernels);
const BoolRowScanKernels& bool_row_scan() { return *HWY_DYNAMIC_DISPATCH(bool_row_scan_kernels)(); }
}  // namespace griddle::kernels
#endif
