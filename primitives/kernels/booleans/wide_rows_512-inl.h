// Folds of boolean rows of more than 64 bits: a bit for each of their words first, then these rows of bits (AVX-512). Included
// once per target.
#if defined(GRIDDLE_KERNELS_WIDE_ROWS_512_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDDLE_KERNELS_WIDE_ROWS_512_INL_H_
#undef GRIDDLE_KERNELS_WIDE_ROWS_512_INL_H_
#else
#define GRIDDLE_KERNELS_WIDE_ROWS_512_INL_H_
#endif

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>

#include "hwy/highway.h"
#include "primitives/kernels/booleans/row_lanes_512-inl.h"

#if HWY_TARGET == HWY_AVX3_DL

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {

using std::int64_t;
using WordLanes = hn::Vec<hn::ScalableTag<uint64_t>>;

// Gives the bits from place `begin` to `end` of a string of words.
HWY_INLINE __m512i bits_between(__m512i begin, __m512i end, __m512i word) {
  const __m512i ones = _mm512_set1_epi64(-1), none = _mm512_setzero_si512();
  const auto from = [=](__m512i place) HWY_ATTR {
    // A shift by 64 or more gives 0.
    return _mm512_sllv_epi64(ones, _mm512_max_epi64(_mm512_sub_epi64(place, _mm512_slli_epi64(word, 6)), none));
  };
  return _mm512_andnot_si512(from(end), from(begin));
}

// Rows that lie within `words` words, 2, 4 or 8, with the bits before them in their first byte: as many in a vector as fill it.
template <std::size_t words>
class WideBitRows {
 public:
  static constexpr std::size_t in_vector = 8 / words, vectors = words, step = 8;  // rows

  explicit WideBitRows(std::size_t columns) : columns_(columns) {
    const hn::ScalableTag<uint64_t> d;
    const auto lane = hn::Iota(d, 0), word = hn::And(lane, hn::Set(d, words - 1)), row = hn::ShiftRight<log2_words>(lane);
    for (std::size_t v = 0; v < vectors; v++) {
      const std::size_t first = v * in_vector * columns;
      const auto at = hn::Add(hn::Mul(row, hn::Set(d, columns)), hn::Set(d, first % 8)), before = hn::And(at, hn::Set(d, 7));
      start_[v] = first / 8;
      masks_[v] = bits_between(before.raw, hn::Add(before, hn::Set(d, columns)).raw, word.raw);
      const auto byte = hn::Add(hn::ShiftRight<3>(at), hn::ShiftLeft<3>(word));
      places_[v] = hn::Add(hn::Mul(byte, hn::Set(d, 0x0101010101010101)), hn::Set(d, 0x0706050403020100)).raw;
    }
  }

  // Calls use(v, rows, mask) for the vectors of all rows in turn.
  template <class Use>
  HWY_INLINE void each(const uint8_t* from, const uint8_t* end, std::size_t rows, Use use) const {
    std::size_t v = 0;
    for (; rows >= step && end - from >= static_cast<std::ptrdiff_t>(start_[vectors - 1] + 64); rows -= step, from += columns_)
      HWY_UNROLL(8)
    for (std::size_t k = 0; k < vectors; k++, v++) use(v, at(k, _mm512_loadu_si512(from + start_[k])), WordLanes{masks_[k]});
    for (std::size_t r = 0, k = 0; r < rows; r += in_vector, v++) {
      use(v, at(k, bytes_before(from + start_[k], end)), WordLanes{masks_[k]});
      if (++k == vectors) k = 0, from += columns_;
    }
  }

 private:
  static constexpr int log2_words = words == 2 ? 1 : words == 4 ? 2 : 3;
  HWY_INLINE WordLanes at(std::size_t k, __m512i from) const {
    return WordLanes{words == 8 ? from : _mm512_permutexvar_epi8(places_[k], from)};
  }
  std::size_t columns_, start_[vectors];
  __m512i masks_[vectors], places_[vectors];
};

// Rows that lie in more words: their vectors are combined, which gives eight words again.
class LongRows {
 public:
  static constexpr std::size_t most_columns = 16384;  // of longer ones it may be enough to look at few
  explicit LongRows(std::size_t columns)
      : columns_(columns), vectors_((columns + 7 + 511) / 512), period_(8 / std::gcd(columns, std::size_t{8})) {
    const hn::ScalableTag<int64_t> d;
    const auto word = hn::Iota(d, 0);
    const auto between = [&](std::int64_t begin, std::int64_t end)
                             HWY_ATTR { return bits_between(hn::Set(d, begin).raw, hn::Set(d, end).raw, word.raw); };
    for (std::size_t r = 0; r < period_; r++) {
      const auto before = static_cast<std::int64_t>(r * columns % 8), end = before + static_cast<std::int64_t>(columns);
      first_[r] = between(before, end);
      // Rows with fewer bits before them may end a vector sooner.
      vectors_of_[r] = std::max<std::size_t>(2, (static_cast<std::size_t>(end) + 511) / 512);
      last_[r] = between(0, end - 512 * static_cast<std::int64_t>(vectors_of_[r] - 1));
    }
  }

  // Calls use(r, combined) for all rows; combine(so far, words, mask) starts with 0s. Where any 1 `decides`, the rest is not
  // read.
  template <bool decides, class Combine, class Use>
  HWY_INLINE void each(const uint8_t* bits, const uint8_t* end, std::size_t rows, Combine combine, Use use) const {
    const std::size_t columns = columns_, vectors = vectors_, last = period_ - 1, total = static_cast<std::size_t>(end - bits);
    const std::size_t whole = total < 64 * vectors ? 0 : std::min(rows, (total - 64 * vectors) * 8 / columns + 1);
    std::size_t r = 0;
    for (; r < whole; r++) use(r, row<true, decides>(bits + r * columns / 8, end, vectors_of_[r & last], r & last, combine));
    for (; r < rows; r++) use(r, row<false, decides>(bits + r * columns / 8, end, vectors_of_[r & last], r & last, combine));
  }

 private:
  template <bool whole>
  static HWY_INLINE WordLanes load(const uint8_t* from, const uint8_t* end) {
    return WordLanes{whole ? _mm512_loadu_si512(from) : bytes_before(std::min(from, end), end)};
  }
  template <bool whole, bool decides, class Combine>
  HWY_INLINE WordLanes row(const uint8_t* from, const uint8_t* end, std::size_t vectors, std::size_t k, Combine combine) const {
    const hn::ScalableTag<uint64_t> d;
    const uint8_t* const last = from + 64 * (vectors - 1);
    auto so_far = combine(hn::Zero(d), load<whole>(from, end), WordLanes{first_[k]});
    if (decides && _mm512_test_epi64_mask(so_far.raw, so_far.raw) != 0) return so_far;
    for (from += 64; from < last; from += 64) so_far = combine(so_far, load<whole>(from, end), hn::Set(d, ~uint64_t{0}));
    return combine(so_far, load<whole>(last, end), WordLanes{last_[k]});
  }
  std::size_t columns_, vectors_;
  std::size_t period_;  // after so many rows they begin at the same bit of a byte
  std::size_t vectors_of_[8];
  __m512i first_[8], last_[8];
};

// Calls f(rows, words) with what takes rows of so many columns; false where nothing does.
template <class F>
HWY_INLINE bool with_wide_rows(std::size_t columns, F f) {
  if (columns > LongRows::most_columns) return false;
  if (rows_fit(columns, 128))
    f(WideBitRows<2>(columns), std::integral_constant<std::size_t, 2>());
  else if (rows_fit(columns, 256))
    f(WideBitRows<4>(columns), std::integral_constant<std::size_t, 4>());
  else if (rows_fit(columns, 512))
    f(WideBitRows<8>(columns), std::integral_constant<std::size_t, 8>());
  else
    f(LongRows(columns), std::integral_constant<std::size_t, 8>());
  return true;
}

// Folds by conjunction, disjunction or parity: of the words of a row alone, and then of what these give.
enum class WordFold { and_, or_, parity };
template <WordFold fold>
HWY_INLINE WordLanes combined(WordLanes so_far, WordLanes rows, WordLanes mask) {
  if constexpr (fold == WordFold::and_) return hn::Or(so_far, hn::AndNot(rows, mask));
  const WordLanes bits = hn::And(rows, mask);
  return fold == WordFold::or_ ? hn::Or(so_far, bits) : hn::Xor(so_far, bits);
}
template <WordFold fold>
HWY_INLINE uint8_t told_of_words(WordLanes v) {
  if constexpr (fold == WordFold::and_) return _mm512_testn_epi64_mask(v.raw, v.raw);
  if constexpr (fold == WordFold::or_) return _mm512_test_epi64_mask(v.raw, v.raw);
  return _mm512_test_epi64_mask(_mm512_popcnt_epi64(v.raw), _mm512_set1_epi64(1));
}

constexpr std::size_t wide_rows_at_once = 2048;

template <WordFold fold>
bool fold_wide(RowFunction f, uint64_t* out, const uint64_t* bits, std::size_t columns, std::size_t rows) {
  return with_wide_rows(columns, [=](const auto& reader, auto words) HWY_ATTR {
    const uint8_t* const from = reinterpret_cast<const uint8_t*>(bits);
    const uint8_t* const end = from + (rows * columns + 63) / 64 * 8;
    HWY_ALIGN uint8_t told[wide_rows_at_once + 64];  // eight words a byte
    const WordLanes none = hn::Zero(hn::ScalableTag<uint64_t>());
    for (std::size_t r = 0; r < rows; r += wide_rows_at_once) {
      const std::size_t count = std::min(wide_rows_at_once, rows - r);
      const uint8_t* const first = from + r * columns / 8;
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(reader)>, LongRows>)
        reader.template each<fold != WordFold::parity>(
            first, end, count,
            [](WordLanes so_far, WordLanes v, WordLanes mask) HWY_ATTR { return combined<fold>(so_far, v, mask); },
            [&](std::size_t k, WordLanes v) HWY_ATTR { told[k] = told_of_words<fold>(v); });
      else
        reader.each(first, end, count, [&](std::size_t k, WordLanes v, WordLanes mask) HWY_ATTR {
          told[k] = told_of_words<fold>(combined<fold>(none, v, mask));
        });
      fold_in_lanes(f, out + r / 64, reinterpret_cast<const uint64_t*>(told), words, count);
    }
  });
}

// Tells whether there are fewer rows than it takes to prepare for them.
constexpr bool are_few_wide_rows(std::size_t columns, std::size_t rows) { return rows < 16 && columns <= 512; }

// Folds rows of more than 64 bits by functions that may be folded in any order; false for others, and for few or very long rows.
inline bool fold_wide_rows(RowFunction f, uint64_t* out, const uint64_t* bits, std::size_t columns, std::size_t rows) {
  if (are_few_wide_rows(columns, rows)) return false;
  switch (f) {
    case RowFunction::and_: return fold_wide<WordFold::and_>(f, out, bits, columns, rows);
    case RowFunction::or_: return fold_wide<WordFold::or_>(f, out, bits, columns, rows);
    case RowFunction::exclusive_or: return fold_wide<WordFold::parity>(f, out, bits, columns, rows);
    case RowFunction::equal:
      // An odd number of bits is alike in an odd number of them.
      return fold_wide<WordFold::parity>(columns % 2 == 0 ? RowFunction::equal : RowFunction::exclusive_or, out, bits, columns,
                                         rows);
    default: return false;
  }
}

// Adds up the counts of `words` words, a byte each, for each row.
template <std::size_t words, class T>
HWY_INLINE void add_counts(T* out, const uint8_t* counts, std::size_t rows) {
  constexpr std::size_t step = 64 / words;
  const __m512i one = _mm512_set1_epi8(1);
  for (std::size_t r = 0; r < rows; r += step) {
    const __m512i bytes = _mm512_load_si512(counts + r * words);
    const std::size_t count = std::min(step, rows - r);
    if constexpr (words == 8) {
      store_narrow<uint64_t>(out + r, _mm512_sad_epu8(bytes, _mm512_setzero_si512()), count);
    } else {
      const __m512i pairs = _mm512_maddubs_epi16(bytes, one);
      if constexpr (words == 2)
        store_narrow<uint16_t>(out + r, pairs, count);
      else
        store_narrow<uint32_t>(out + r, _mm512_madd_epi16(pairs, _mm512_set1_epi16(1)), count);
    }
  }
}

// Counts the 1s of rows of more than 64 bits; false for few or very long rows.
template <class T>
bool count_wide_rows(T* out, const uint64_t* bits, std::size_t columns, std::size_t rows) {
  if (are_few_wide_rows(columns, rows)) return false;
  return with_wide_rows(columns, [=](const auto& reader, auto words) HWY_ATTR {
    const uint8_t* const from = reinterpret_cast<const uint8_t*>(bits);
    const uint8_t* const end = from + (rows * columns + 63) / 64 * 8;
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(reader)>, LongRows>) {
      const auto add = [](WordLanes so_far, WordLanes v, WordLanes mask)
                           HWY_ATTR { return hn::Add(so_far, hn::PopulationCount(hn::And(v, mask))); };
      reader.template each<false>(from, end, rows, add, [=](std::size_t r, WordLanes v) HWY_ATTR {
        out[r] = static_cast<T>(_mm512_reduce_add_epi64(v.raw));
      });
    } else {
      constexpr std::size_t at_once = 512;
      HWY_ALIGN uint8_t counts[at_once * words + 64];
      for (std::size_t r = 0; r < rows; r += at_once) {
        const std::size_t count = std::min(at_once, rows - r);
        reader.each(from + r * columns / 8, end, count, [&](std::size_t k, WordLanes v, WordLanes mask) HWY_ATTR {
          store_narrow<uint64_t>(counts + 8 * k, hn::PopulationCount(hn::And(v, mask)).raw, 8);
        });
        add_counts<words>(out + r, counts, count);
      }
    }
  });
}

}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // AVX-512

#endif  // toggle
