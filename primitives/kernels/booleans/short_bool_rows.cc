#include "primitives/kernels/booleans/short_bool_rows.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "hwy/highway.h"
#include "primitives/kernels/booleans/modular_permutation.h"
#include "primitives/kernels/booleans/prefix_parity-inl.h"
#include "primitives/kernels/booleans/row_places.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace short_bool_rows_unit {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using std::uint64_t, std::uint8_t;

using D = hn::CappedTag<uint64_t, 4>;
using V = hn::Vec<D>;
constexpr std::size_t lanes = hn::MaxLanes(D());
constexpr std::size_t group = 64 * lanes;  // rows, whose bits fill as many registers as a row has bits
constexpr std::size_t most_columns = 63;

// Exchanges bits of the places p and p+distance wherever `low` has bit p.
template <int distance>
HWY_INLINE V swapped(V v, V low) {
  const V t = hn::And(hn::Xor(v, hn::ShiftRight<distance>(v)), low);
  return hn::Xor(v, hn::Xor(t, hn::ShiftLeft<distance>(t)));
}
// Exchanges what two bits of the number of a place say.
template <int i, int k>
HWY_INLINE V exchanged(V v) {
  constexpr uint64_t low = [] {
    uint64_t mask = 0;
    for (unsigned p = 0; p < 64; p++) mask |= uint64_t{(p >> i & 1) == 1 && (p >> k & 1) == 0} << p;
    return mask;
  }();
  return swapped<(1 << k) - (1 << i)>(v, hn::Set(D(), low));
}
// Takes units of 2^unit bits apart: the first bits of all units of a word come first, then the second ones.
template <unsigned unit>
HWY_INLINE V units_apart(V v) {
  if constexpr (unit == 1) return exchanged<4, 5>(exchanged<3, 4>(exchanged<2, 3>(exchanged<1, 2>(exchanged<0, 1>(v)))));
  if constexpr (unit == 2) return exchanged<3, 5>(exchanged<2, 4>(exchanged<1, 3>(exchanged<0, 2>(v))));
  if constexpr (unit == 3) return exchanged<2, 5>(exchanged<1, 4>(exchanged<0, 3>(v)));
  return v;
}

// Puts bits in the order of rows, units of 2^unit bits at a time.
template <unsigned unit>
class RowOrder {
 public:
  explicit RowOrder(const ModularSwaps& swaps) {
    const D d;
    constexpr uint64_t lower[] = {0, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F};
    for (int s = 1; s < 6; s++) hn::Store(hn::Set(d, swaps.within[s] & (s < 3 ? lower[s] : ~uint64_t{0})), d, masks_[s]);
    hn::Store(hn::Set(d, swaps.by_words), d, masks_[6]);
    if constexpr (lanes == 4) hn::Store(hn::LoadDup128(d, swaps.by_pairs), d, masks_[7]);
  }
  HWY_INLINE V operator()(V v) const {
    const D d;
    const hn::Repartition<uint8_t, D> bytes;
    const hn::Repartition<std::uint32_t, D> halves;
    const auto mask = [this](int step) HWY_ATTR { return hn::Load(D(), masks_[step]); };
    const auto choose = [&](V v, V other, int step) HWY_ATTR { return hn::Xor(v, hn::And(hn::Xor(v, other), mask(step))); };
    const auto moved = [&](V v, const uint8_t* from) HWY_ATTR {
      return hn::BitCast(d, hn::TableLookupBytes(hn::BitCast(bytes, v), hn::LoadDup128(bytes, from)));
    };
    alignas(16) static constexpr uint8_t by_1[] = {1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14};
    alignas(16) static constexpr uint8_t by_2[] = {2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13};
    if constexpr (unit == 0) v = swapped<2>(v, mask(1));
    if constexpr (unit <= 1) v = swapped<4>(v, mask(2));
    if constexpr (unit <= 2) v = choose(v, moved(v, by_1), 3);
    v = choose(v, moved(v, by_2), 4);
    v = choose(v, hn::BitCast(d, hn::Shuffle2301(hn::BitCast(halves, v))), 5);
    if constexpr (lanes >= 2) v = choose(v, hn::Shuffle01(v), 6);
    if constexpr (lanes == 4) v = choose(v, hn::ConcatLowerUpper(d, v, v), 7);
    return v;
  }

 private:
  HWY_ALIGN uint64_t masks_[8][lanes];  // by the distance's logarithm
};

// Says for the registers of a period which bits are the last ones of rows, and which bits of the word before each word belong to
// a row that goes on in it.
struct RowEdges {
  RowEdges(std::size_t columns, std::size_t period) {
    const D d;
    uint64_t first_row = 1;
    for (std::size_t by = columns; by < 64; by *= 2) first_row |= first_row << by;
    const V width = hn::Set(d, columns), begin = hn::LoadU(d, word_starts[columns]), one = hn::Set(d, 1);
    // The first of the last bits in each word.
    V first = hn::Add(hn::Sub(begin, one), hn::And(hn::VecFromMask(d, hn::Eq(begin, hn::Zero(d))), width));
    const V ones = hn::Set(d, ~uint64_t{0}), rows = hn::Set(d, first_row);
    const V back = hn::Set(d, (columns - word_starts[columns][lanes]) % columns), before = hn::Set(d, 64 - columns);
    for (std::size_t v = 0; v < period; v++) {
      hn::Store(hn::Shl(rows, first), d, last + v * lanes);
      hn::Store(hn::ShiftLeft<1>(hn::Shl(ones, hn::Add(before, first))), d, tail + v * lanes);
      hn::Store(hn::Sub(hn::Set(d, 63), first), d, up + v * lanes);
      const hn::RebindToSigned<D> sd;
      const V next = hn::Sub(first, back);
      first = hn::Add(next, hn::And(width, hn::BitCast(d, hn::BroadcastSignBit(hn::BitCast(sd, next)))));
    }
  }
  HWY_ALIGN uint64_t last[lanes * most_columns], tail[lanes * most_columns];
  HWY_ALIGN uint64_t up[lanes * most_columns];  // how far the first last bit lies below the end of its word
};

// Give results at the last bits of rows, from a word and the one before; elsewhere anything.
enum class Way { any, all, only_last, all_but_last };

// A carry from the first bits of a row reaches its last bit if any is 1. What lies in the word before joins as a carry.
template <Way way>
HWY_INLINE V folded(V v, V before, V last, V tail) {
  const D d;
  if constexpr (way == Way::any || way == Way::only_last) {
    const V none = hn::VecFromMask(d, hn::Eq(hn::And(before, tail), hn::Zero(d)));
    const V others = hn::Add(hn::Sub(hn::AndNot(last, v), last), none);
    return way == Way::any ? hn::Or(others, v) : hn::AndNot(others, v);
  } else {
    const V whole = hn::VecFromMask(d, hn::Eq(hn::And(before, tail), tail));
    const V others = hn::Sub(hn::Add(hn::Or(v, last), last), whole);
    return way == Way::all ? hn::And(others, v) : hn::AndNot(v, others);
  }
}

// Collects the results of two periods of registers, which begin at the words `first` and `second`.
template <class Results>
HWY_INLINE void collect(const Results& results, std::size_t first, std::size_t second, std::size_t period, const RowEdges& edges,
                        V& found_first, V& found_second) {
  const D d;
  V found0 = hn::Zero(d), found1 = found0;
  for (std::size_t v = 0; v < period * lanes; v += lanes) {
    const V last = hn::Load(d, edges.last + v);
    const auto edge = results.edge(edges, v);
    found0 = hn::Or(found0, hn::And(results.at(first + v, last, edge), last));
    found1 = hn::Or(found1, hn::And(results.at(second + v, last, edge), last));
  }
  found_first = found0, found_second = found1;
}

// Writes the results of a group, which stand at the last bits of its rows. The bits of a unit are from periods in turn.
template <unsigned unit>
HWY_INLINE void write_group(uint64_t* out, V found, const RowOrder<unit>& order, uint64_t flip) {
  const D d;
  const V apart = hn::Xor(units_apart<unit>(order(found)), hn::Set(d, flip));
  if constexpr (unit == 0) {
    hn::StoreU(apart, d, out);
  } else {
    constexpr std::size_t piece = 8 >> unit, pieces = std::size_t{1} << unit;  // bytes of a word that belong together
    uint8_t* const to = reinterpret_cast<uint8_t*>(out);
    HWY_ALIGN uint8_t bytes[8 * lanes];
    hn::Store(apart, d, reinterpret_cast<uint64_t*>(bytes));
    for (std::size_t p = 0; p < pieces; p++)
      for (std::size_t k = 0; k < lanes; k++) std::memcpy(to + (p * lanes + k) * piece, bytes + (k * pieces + p) * piece, piece);
  }
}

// Folds one or two groups that follow each other.
template <unsigned unit, class Results>
HWY_INLINE void fold_groups(uint64_t* out, const Results& results, std::size_t count, std::size_t columns, const RowEdges& edges,
                            const RowOrder<unit>& order, uint64_t flip) {
  const D d;
  const std::size_t period = columns >> unit;
  if constexpr (unit == 0) {
    V first, second;
    collect(results, 0, count == 2 ? columns * lanes : 0, period, edges, first, second);
    write_group<unit>(out, first, order, flip);
    if (count == 2) write_group<unit>(out + lanes, second, order, flip);
  } else {
    // Both groups are on their way at once.
    V all[2] = {hn::Zero(d), hn::Zero(d)};
    for (std::size_t g = 0; g < count; g++)
      for (int s = (1 << unit) - 1, at = 0; s > 0; s -= 2, at += 2) {
        V first, second;
        const std::size_t start = (g << unit) + static_cast<std::size_t>(at);
        collect(results, start * period * lanes, (start + 1) * period * lanes, period, edges, first, second);
        all[g] = hn::Or(all[g], hn::Or(hn::ShiftRightSame(first, s), hn::ShiftRightSame(second, s - 1)));
      }
    write_group<unit>(out, all[0], order, flip);
    if (count == 2) write_group<unit>(out + lanes, all[1], order, flip);
  }
}

// Folds all rows by Results, which are made for the words of one or two groups, where a word may be read before the first one.
template <unsigned unit, class Results>
std::size_t fold_all(uint64_t* out, const uint64_t* bits, std::size_t columns, std::size_t rows, uint64_t flip, Results results) {
  const std::size_t enough = rows_fit(columns, 64) ? 96 : 32;  // rows that are worth a group that they do not fill
  const std::size_t words = columns * lanes;
  const RowEdges edges(columns, columns >> unit);
  const RowOrder<unit> order(modular_swaps[unit][columns >> (unit + 1)]);
  // The first words are copied to where a word is before them.
  HWY_ALIGN uint64_t copied[lanes + 2 * lanes * most_columns];
  const auto with_word_before = [&](const uint64_t* from, std::size_t count, std::size_t all) {
    std::memcpy(copied + lanes, from, count * sizeof(uint64_t));
    std::memset(copied + lanes + count, 0, (all - count) * sizeof(uint64_t));
    copied[lanes - 1] = 0;
    return copied + lanes;
  };
  std::size_t r = 0;
  while (r + group <= rows) {
    const std::size_t count = r + 2 * group <= rows ? 2 : 1;
    results.read(r == 0 ? with_word_before(bits, count * words, count * words) : bits, count * words);
    fold_groups<unit>(out + r / 64, results, count, columns, edges, order, flip);
    r += count * group;
    bits += count * words;
  }
  if (rows - r < enough) return r;
  HWY_ALIGN uint64_t last[lanes];
  results.read(with_word_before(bits, ((rows - r) * columns + 63) / 64, words), words);
  fold_groups<unit>(last, results, 1, columns, edges, order, flip);
  std::memcpy(out + r / 64, last, (rows - r + 63) / 64 * sizeof(uint64_t));
  return rows;
}

template <Way way>
class Carries {
 public:
  explicit Carries(std::size_t) {}
  void read(const uint64_t* words, std::size_t) { words_ = words; }
  HWY_INLINE V edge(const RowEdges& edges, std::size_t v) const { return hn::Load(D(), edges.tail + v); }
  HWY_INLINE V at(std::size_t place, V last, V tail) const {
    return folded<way>(hn::LoadU(D(), words_ + place), hn::LoadU(D(), words_ + place - 1), last, tail);
  }

 private:
  const uint64_t* words_ = nullptr;
};

// Takes the difference of the running parities within words at the ends of a row and of the row before it; a row that begins in
// the word before has what lies there as well.
class Parities {
 public:
  explicit Parities(std::size_t columns) : width_(static_cast<int>(columns)) { running_[lanes - 1] = 0; }
  void read(const uint64_t* words, std::size_t count) {
    const D d;
    for (std::size_t i = 0; i < count; i += lanes)
      hn::Store(prefix_parity_in_words(hn::LoadU(d, words + i)), d, running_ + lanes + i);
  }
  HWY_INLINE V edge(const RowEdges& edges, std::size_t v) const { return hn::Load(D(), edges.up + v); }
  HWY_INLINE V at(std::size_t place, V, V up) const {
    const D d;
    const V here = hn::Load(d, running_ + lanes + place), before = hn::LoadU(d, running_ + lanes + place - 1);
    const V row_before = hn::Xor(hn::ShiftLeftSame(here, width_), hn::ShiftRightSame(before, 64 - width_));
    return hn::Xor(hn::Xor(here, row_before), hn::Shr(before, up));
  }

 private:
  int width_;
  HWY_ALIGN uint64_t running_[lanes + 2 * lanes * most_columns];
};

// Takes a bit of each row, which moves to the last place for that.
class Column {
 public:
  explicit Column(std::size_t places_up) : up_(static_cast<int>(places_up)) {}
  void read(const uint64_t* words, std::size_t) { words_ = words; }
  HWY_INLINE V edge(const RowEdges&, std::size_t) const { return hn::Zero(D()); }
  HWY_INLINE V at(std::size_t place, V, V) const {
    const D d;
    // No processor shifts by 64 at once.
    const V before = hn::ShiftRightSame(hn::ShiftRight<1>(hn::LoadU(d, words_ + place - 1)), 63 - up_);
    return hn::Or(hn::ShiftLeftSame(hn::LoadU(d, words_ + place), up_), before);
  }

 private:
  int up_;
  const uint64_t* words_ = nullptr;
};

template <unsigned unit>
std::size_t fold_by(RowFunction f, uint64_t* out, const uint64_t* bits, std::size_t columns, std::size_t rows) {
  constexpr uint64_t no = ~uint64_t{0};
  switch (f) {
    case RowFunction::and_: return fold_all<unit>(out, bits, columns, rows, 0, Carries<Way::all>(columns));
    case RowFunction::or_: return fold_all<unit>(out, bits, columns, rows, 0, Carries<Way::any>(columns));
    case RowFunction::less: return fold_all<unit>(out, bits, columns, rows, 0, Carries<Way::only_last>(columns));
    case RowFunction::less_equal: return fold_all<unit>(out, bits, columns, rows, no, Carries<Way::all_but_last>(columns));
    case RowFunction::exclusive_or: return fold_all<unit>(out, bits, columns, rows, 0, Parities(columns));
    case RowFunction::equal: return fold_all<unit>(out, bits, columns, rows, columns % 2 == 0 ? no : 0, Parities(columns));
    default: return 0;
  }
}

std::size_t fold(RowFunction f, uint64_t* out, const uint64_t* bits, std::size_t columns, std::size_t rows) {
  switch (std::countr_zero(columns)) {
    case 0: return fold_by<0>(f, out, bits, columns, rows);
    case 1: return fold_by<1>(f, out, bits, columns, rows);
    case 2: return fold_by<2>(f, out, bits, columns, rows);
    case 3: return fold_by<3>(f, out, bits, columns, rows);
    default: return 0;
  }
}

std::size_t take_column(uint64_t* out, const uint64_t* bits, std::size_t columns, std::size_t rows, std::size_t column) {
  const Column results(columns - 1 - column);
  switch (std::countr_zero(columns)) {
    case 0: return fold_all<0>(out, bits, columns, rows, 0, results);
    case 1: return fold_all<1>(out, bits, columns, rows, 0, results);
    case 2: return fold_all<2>(out, bits, columns, rows, 0, results);
    case 3: return fold_all<3>(out, bits, columns, rows, 0, results);
    default: return 0;
  }
}

}  // namespace
}  // namespace short_bool_rows_unit
using short_bool_rows_unit::fold, short_bool_rows_unit::take_column;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(fold);
HWY_EXPORT(take_column);
std::size_t fold_short_bool_rows(RowFunction f, std::uint64_t* out, const std::uint64_t* bits, std::size_t columns,
                                 std::size_t rows) {
  return HWY_DYNAMIC_DISPATCH(fold)(f, out, bits, columns, rows);
}
std::size_t take_short_bool_column(std::uint64_t* out, const std::uint64_t* bits, std::size_t columns, std::size_t rows,
                                   std::size_t column) {
  return HWY_DYNAMIC_DISPATCH(take_column)(out, bits, columns, rows, column);
}
}  // namespace griddle::kernels
#endif
