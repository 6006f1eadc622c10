// Folds and scans of rows of packed bits one after the other: any width, any target. Included once per target.
#if defined(GRIDDLE_KERNELS_LONG_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDDLE_KERNELS_LONG_ROWS_INL_H_
#undef GRIDDLE_KERNELS_LONG_ROWS_INL_H_
#else
#define GRIDDLE_KERNELS_LONG_ROWS_INL_H_
#endif

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "hwy/highway.h"
#include "primitives/kernels/booleans/bool_fold.h"
#include "primitives/kernels/booleans/bool_rows.h"
#include "primitives/kernels/shared/bit_runs.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {

// Gives 64 bits from bit `at` on, all of which there are.
HWY_INLINE std::uint64_t word_at(const std::uint64_t* bits, std::size_t at) {
  // At the start of a word both are the same word.
  return bits[at >> 6] >> (at & 63) | bits[(at + 63) >> 6] << (-at & 63);
}

// Reads rows of 57 to 127 bits in pieces of 57 bits, which begin within the first byte of a word at any byte;
// the last one ends with the row. Nothing has to be guessed of where a row decides. Nothing is read behind the byte of the last
// bit.
template <std::size_t pieces>
class RowPieces {
 public:
  static constexpr std::size_t width = 57, most_columns = 127;
  RowPieces(const std::uint64_t* bits, std::size_t columns)
      : bytes_(reinterpret_cast<const std::uint8_t*>(bits)),
        last_(columns - width),
        new_in_last_(low_bits(width) & ~low_bits(width * pieces - columns)) {}
  // Calls take(bits, valid) for the pieces of the row that begins at bit `at`; every bit is valid once.
  template <class Take>
  HWY_INLINE void each(std::size_t at, Take take) const {
    for (std::size_t i = 0; i + 1 < pieces; i++) take(read(at + i * width), low_bits(width));
    take(read(at + last_), new_in_last_);
  }

 private:
  HWY_INLINE std::uint64_t read(std::size_t at) const {
    std::uint64_t word;
    std::memcpy(&word, bytes_ + at / 8, sizeof word);
    return word >> (at & 7);
  }
  const std::uint8_t* bytes_;
  std::size_t last_;
  std::uint64_t new_in_last_;
};
// Reads rows of few whole words.
class WholeWords {
 public:
  static constexpr std::size_t most_columns = 512;
  WholeWords(const std::uint64_t* bits, std::size_t columns) : bits_(bits), count_(columns / 64) {}
  template <class Take>
  HWY_INLINE void each(std::size_t at, Take take) const {
    const std::uint64_t* const from = bits_ + at / 64;
    for (std::size_t i = 0; i < count_; i++) take(from[i], ~std::uint64_t{0});
  }

 private:
  const std::uint64_t* bits_;
  std::size_t count_;
};

// Calls f(pieces) where rows can be read so; false where they cannot.
template <class F>
HWY_INLINE bool with_pieces(const std::uint64_t* bits, std::size_t columns, F f) {
  using Pieces = RowPieces<2>;
  if (columns % 64 == 0 && columns <= WholeWords::most_columns)
    f(WholeWords(bits, columns));
  else if (columns < Pieces::width || columns > Pieces::most_columns)
    return false;
  else if (columns <= 2 * Pieces::width)
    f(Pieces(bits, columns));
  else
    f(RowPieces<3>(bits, columns));
  return true;
}

// Gives the place of the first bit of a row that differs from `flip`'s, which are all the same, or the width.
HWY_INLINE std::size_t first_in_row(const std::uint64_t* bits, std::size_t at, std::size_t columns, std::uint64_t flip) {
  std::size_t i = 0;
  for (; i + 64 <= columns; i += 64)
    if (const std::uint64_t found = word_at(bits, at + i) ^ flip; found != 0)
      return i + static_cast<std::size_t>(std::countr_zero(found));
  if (i == columns) return columns;
  const std::uint64_t found = read_bits(bits, at + i, columns - i) ^ (flip & low_bits(columns - i));
  return found == 0 ? columns : i + static_cast<std::size_t>(std::countr_zero(found));
}

// Counts the 1s of rows in turn. Words that two rows share count for the second row, less the part that belongs to the first.
class RowCounter {
 public:
  explicit RowCounter(const std::uint64_t* bits) : bits_(bits) {}
  HWY_INLINE std::size_t count_to(std::size_t end) {
    constexpr std::size_t many = 64;
    const std::size_t last = end >> 6;
    std::size_t count = 0;
    if (last - next_ >= many) {
      count = bool_fold().count(bits_ + next_, 64 * (last - next_), 0);
      next_ = last;
    }
    for (; next_ < last; next_++) count += static_cast<std::size_t>(std::popcount(bits_[next_]));
    const std::size_t part = end % 64 == 0 ? 0 : static_cast<std::size_t>(std::popcount(bits_[last] & low_bits(end % 64)));
    count += part - before_;
    before_ = part;
    return count;
  }

 private:
  const std::uint64_t* bits_;
  std::size_t next_ = 0, before_ = 0;
};

// Tells in the same way whether rows have an odd number of 1s.
class RowParity {
 public:
  explicit RowParity(const std::uint64_t* bits) : bits_(bits) {}
  HWY_INLINE bool odd_to(std::size_t end) {
    const std::size_t last = end >> 6;
    std::uint64_t all = before_;
    for (; next_ < last; next_++) all ^= bits_[next_];
    before_ = end % 64 == 0 ? 0 : bits_[last] & low_bits(end % 64);
    return std::popcount(all ^ before_) & 1;
  }

 private:
  const std::uint64_t* bits_;
  std::size_t next_ = 0;
  std::uint64_t before_ = 0;
};

// Writes a bit for each row; `of(row)` is asked for in turn.
template <class Of>
HWY_INLINE void each_row_to_bit(std::uint64_t* out, std::size_t rows, Of of) {
  for (std::size_t r = 0; r < rows;) {
    std::uint64_t word = 0;
    for (std::size_t k = 0; k < 64 && r < rows; k++, r++) word |= std::uint64_t{of(r)} << k;
    *out++ = word;
  }
}

inline void fold_rows_in_turn(RowFunction f, std::uint64_t* out, const std::uint64_t* bits, std::size_t columns,
                              std::size_t rows) {
  const auto first_one = [=](std::size_t r) { return first_in_row(bits, r * columns, columns, 0); };
  const auto first_zero = [=](std::size_t r) { return first_in_row(bits, r * columns, columns, ~std::uint64_t{0}); };
  const auto each = [=](auto of) { each_row_to_bit(out, rows, of); };
  using Word = std::uint64_t;
  // Combines the pieces of each row, from `start` on, and tells of what comes out.
  const auto combined = [=](Word start, auto combine, auto tell) {
    return with_pieces(bits, columns, [=](const auto& pieces) {
      each_row_to_bit(out, rows, [=](std::size_t r) {
        Word all = start;
        pieces.each(r * columns, [&](Word piece, Word valid) { all = combine(all, piece, valid); });
        return tell(all);
      });
    });
  };
  // Of an even number of bits an even number of 0s is an even number of 1s.
  const bool even_parity = f == RowFunction::equal && columns % 2 == 0;
  switch (f) {
    case RowFunction::and_:
      if (combined(
              ~Word{0}, [](Word a, Word p, Word valid) { return a & (p | ~valid); }, [](Word a) { return a == ~Word{0}; }))
        return;
      break;
    case RowFunction::or_:
      if (combined(
              0, [](Word a, Word p, Word valid) { return a | (p & valid); }, [](Word a) { return a != 0; }))
        return;
      break;
    case RowFunction::exclusive_or:
    case RowFunction::equal:
      if (combined(
              0, [](Word a, Word p, Word valid) { return a ^ (p & valid); },
              [=](Word a) { return static_cast<bool>(std::popcount(a) & 1) != even_parity; }))
        return;
      break;
    default: break;
  }
  switch (f) {
    case RowFunction::and_: return each([=](std::size_t r) { return first_zero(r) == columns; });
    case RowFunction::or_: return each([=](std::size_t r) { return first_one(r) != columns; });
    case RowFunction::exclusive_or:
    case RowFunction::equal: {
      return each(
          [=, parity = RowParity(bits)](std::size_t r) mutable { return parity.odd_to((r + 1) * columns) != even_parity; });
    }
    case RowFunction::less: return each([=](std::size_t r) { return first_one(r) == columns - 1; });
    case RowFunction::less_equal: return each([=](std::size_t r) { return first_zero(r) != columns - 1; });
    case RowFunction::greater: return each([=](std::size_t r) { return first_zero(r) % 2 == 1; });
    case RowFunction::greater_equal: return each([=](std::size_t r) { return first_one(r) % 2 == 0; });
  }
}

template <class T>
void count_rows_in_turn(T* out, const std::uint64_t* bits, std::size_t columns, std::size_t rows) {
  if (with_pieces(bits, columns, [=](const auto& pieces) {
        for (std::size_t r = 0; r < rows; r++) {
          int count = 0;
          pieces.each(r * columns, [&](std::uint64_t piece, std::uint64_t valid) { count += std::popcount(piece & valid); });
          out[r] = static_cast<T>(count);
        }
      }))
    return;
  RowCounter counter(bits);
  for (std::size_t r = 0; r < rows; r++) out[r] = static_cast<T>(counter.count_to((r + 1) * columns));
}

// Flips less than 64 bits from bit `at` on.
HWY_INLINE void flip_leading(std::uint64_t* out, std::size_t at, std::size_t count) {
  const std::uint64_t bits = low_bits(count), shift = at % 64;
  out[at / 64] ^= bits << shift;
  if (shift + count > 64) out[at / 64 + 1] ^= bits >> (64 - shift);
}
// Scans rows that are so long that most of what they give is all alike: only where that begins is looked for.
constexpr std::size_t mostly_alike = 384;  // columns
template <bool complement>
void first_ones_of_rows_in_turn(std::uint64_t* out, const std::uint64_t* bits, std::size_t columns, std::size_t n) {
  constexpr std::uint64_t leading = complement ? 0 : ~std::uint64_t{0};
  std::fill_n(out, (n + 63) / 64, ~leading);
  for (std::size_t at = 0; at < n; at += columns) {
    const std::size_t count = first_in_row(bits, at, std::min(columns, n - at), leading);
    if (count < 64)
      flip_leading(out, at, count);
    else
      set_bit_run(out, at, count, !complement);
  }
}

}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
