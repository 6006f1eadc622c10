#include "primitives/kernels/moves/transpose.h"

#include <algorithm>
#include <utility>

#include "hwy/highway.h"
#include "primitives/kernels/booleans/bit_columns.h"
#include "primitives/kernels/elementwise/compare.h"
#include "primitives/kernels/shared/bit_interleave-inl.h"
#include "primitives/kernels/shared/bit_runs.h"
#include "primitives/kernels/shared/convert.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace transpose_bits_unit {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Takes the last steps of transposing bits, in which both rows lie in one vector.
template <class D>
HWY_INLINE void exchange_within(D d, std::uint64_t* rows, const std::uint64_t* earlier) {
  auto v = hn::Load(d, rows);
  const auto exchange = [&](auto other, int j, auto later_row) HWY_ATTR {
    const auto mask = hn::Set(d, earlier[j - 1]);
    const auto from_first = hn::And(hn::ShiftRightSame(other, j), mask),
               from_second = hn::AndNot(mask, hn::ShiftLeftSame(other, j));
    return hn::IfThenElse(later_row, hn::Or(hn::AndNot(mask, v), from_first), hn::Or(hn::And(mask, v), from_second));
  };
  const auto row = hn::Iota(d, 0);
  const auto is_later = [&](std::uint64_t bit) HWY_ATTR { return hn::TestBit(row, hn::Set(d, bit)); };
  if constexpr (hn::MaxLanes(d) == 4) v = exchange(hn::ConcatLowerUpper(d, v, v), 2, is_later(2));
  hn::Store(exchange(hn::Shuffle01(v), 1, is_later(1)), d, rows);
}

// Transposes a 64×64 square of bits in place by exchanging ever smaller quarters: of each two rows j apart, the later bits of the
// first with the earlier ones of the second.
void transpose_bit_square(std::uint64_t* a) {
  constexpr std::uint64_t earlier[6] = {0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F,
                                        0x00FF00FF00FF00FF, 0x0000FFFF0000FFFF, 0x00000000FFFFFFFF};
  std::size_t step = 6;
  const hn::CappedTag<std::uint64_t, 4> d;
  constexpr std::size_t lanes = hn::MaxLanes(d);
  for (; std::size_t{1} << (step - 1) >= lanes; step--) {
    const std::size_t j = std::size_t{1} << (step - 1);
    const auto mask = hn::Set(d, earlier[step - 1]);
    for (std::size_t k = 0; k < 64; k = (k + j + lanes) & ~j) {
      const auto first = hn::Load(d, a + k), second = hn::Load(d, a + k + j);
      const auto changed = hn::And(hn::Xor(hn::ShiftRightSame(first, static_cast<int>(j)), second), mask);
      hn::Store(hn::Xor(first, hn::ShiftLeftSame(changed, static_cast<int>(j))), d, a + k);
      hn::Store(hn::Xor(second, changed), d, a + k + j);
    }
  }
  if constexpr (lanes > 1) {
    for (std::size_t k = 0; k < 64; k += lanes) exchange_within(d, a + k, earlier);
    return;
  }
  for (; step != 0; step--) {
    const std::size_t j = std::size_t{1} << (step - 1);
    for (std::size_t k = 0; k < 64; k = (k + j + 1) & ~j) {
      const std::uint64_t changed = ((a[k] >> j) ^ a[k + j]) & earlier[step - 1];
      a[k] ^= changed << j;
      a[k + j] ^= changed;
    }
  }
}

#if HWY_TARGET != HWY_AVX3_DL
// Transposes squares of 8×8 bytes, and then of 8×8 bits in each word.
HWY_INLINE void transpose_eight_words(std::uint64_t* a) {
  constexpr std::uint64_t earlier[3] = {0x00FF00FF00FF00FF, 0x0000FFFF0000FFFF, 0x00000000FFFFFFFF};
#pragma GCC unroll 3
  for (std::size_t step = 3; step-- > 0;) {
    const std::size_t j = std::size_t{1} << step;
#pragma GCC unroll 4
    for (std::size_t k = 0; k < 8; k = (k + j + 1) & ~j) {
      const std::uint64_t changed = ((a[k] >> 8 * j) ^ a[k + j]) & earlier[step];
      a[k] ^= changed << 8 * j;
      a[k + j] ^= changed;
    }
  }
  const hn::CappedTag<std::uint64_t, 8> d;
  const auto exchange = [=](auto v, int distance, std::uint64_t mask) HWY_ATTR {
    const auto changed = hn::And(hn::Xor(v, hn::ShiftRightSame(v, distance)), hn::Set(d, mask));
    return hn::Xor(v, hn::Xor(changed, hn::ShiftLeftSame(changed, distance)));
  };
  for (std::size_t k = 0; k < 8; k += hn::Lanes(d)) {
    const auto pairs = exchange(hn::Load(d, a + k), 7, 0x00AA00AA00AA00AA);
    hn::Store(exchange(exchange(pairs, 14, 0x0000CCCC0000CCCC), 28, 0x00000000F0F0F0F0), d, a + k);
  }
}

#endif

// Puts `length` rows of 8 bits together that begin with a word; the source has 8 rows of `length` bits.
void mix_eight(std::uint64_t* to, const std::uint64_t* from, std::size_t from_start, std::size_t from_stride,
               std::size_t length) {
  alignas(64) std::uint64_t words[8];
  for (std::size_t r = 0; r < length; r += 64) {
    const std::size_t count = length - r < 64 ? length - r : 64;
    for (std::size_t c = 0; c < 8; c++) words[c] = read_bits(from, from_start + c * from_stride + r, count);
#if HWY_TARGET == HWY_AVX3_DL
    const __m512i rows = eight_columns_to_rows(_mm512_load_si512(words));
    if (count == 64) {
      _mm512_storeu_si512(to, rows);
      to += 8;
      continue;
    }
    _mm512_store_si512(words, rows);
#else
    transpose_eight_words(words);
#endif
    for (std::size_t k = 0; k < count / 8; k++) *to++ = words[k];
    if (count % 8 != 0) write_bits(to, 0, count % 8 * 8, words[count / 8]);
  }
}

#undef GRIDDLE_TRANSPOSE_DEPOSITS
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
#define GRIDDLE_TRANSPOSE_DEPOSITS 1

// Rows of so many bits or fewer are taken apart and put together by extracting and depositing bits.
constexpr std::size_t most_deposited = 8;
// Up to so many are put together and taken apart by it, however many there are.
constexpr std::size_t longest_mixed = HWY_TARGET == HWY_AVX3_DL ? 3 : 7, longest_split = HWY_TARGET == HWY_AVX3_DL ? 3 : 4;

// For each word of 64 rows of `width` bits, where the bits of each column stand, and the first one of them in its column.
template <std::size_t width>
struct RowWords {
  std::uint64_t places[width][width] = {};
  int first[width][width] = {};
  constexpr RowWords() {
    for (std::size_t c = 0; c < width; c++)
      for (std::size_t j = 0, start = c, taken = 0; j < width; j++) {
        first[j][c] = static_cast<int>(taken);
        for (; start < 64; start += width, taken++) places[j][c] |= std::uint64_t{1} << start;
        start -= 64;
      }
  }
};

template <std::size_t width>
constexpr RowWords<width> row_words;

// Gives the bits of one column of 64 rows, which take `width` words, and one of these words of `width` columns.
template <std::size_t column, std::size_t... j>
HWY_INLINE std::uint64_t column_of(const std::uint64_t* words, std::index_sequence<j...>) {
  constexpr const auto& rows = row_words<sizeof...(j)>;
  return (... | (_pext_u64(words[j], rows.places[j][column]) << rows.first[j][column]));
}
template <std::size_t word, std::size_t... c>
HWY_INLINE std::uint64_t word_of(const std::uint64_t* columns, std::index_sequence<c...>) {
  constexpr const auto& rows = row_words<sizeof...(c)>;
  return (... | _pdep_u64(columns[c] >> rows.first[word][c], rows.places[word][c]));
}

// Takes `length` rows of `width` bits, which begin with a word, apart, 64 rows at a time. Columns end from the last one on,
// because each keeps what follows it in its last word.
template <std::size_t... c>
void split_bits(std::uint64_t* to, std::size_t to_start, std::size_t to_stride, const std::uint64_t* from, std::size_t length,
                std::index_sequence<c...> all) {
  constexpr std::size_t width = sizeof...(c);
  BitWriter columns[] = {BitWriter(to, to_start + c * to_stride)...};
  for (; length >= 64; length -= 64, from += width) (columns[c].append_word(column_of<c>(from, all)), ...);
  std::uint64_t words[width] = {};
  std::copy_n(from, (length * width + 63) / 64, words);
  const std::uint64_t last[] = {column_of<c>(words, all)...};
  for (std::size_t k = width; k-- > 0;) {
    columns[k].append(last[k] & low_bits(length), length);
    columns[k].finish_before_others();
  }
}
void split_bits(std::uint64_t* to, std::size_t to_start, std::size_t to_stride, const std::uint64_t* from, std::size_t width,
                std::size_t length) {
  if (width == 3) return split_bits(to, to_start, to_stride, from, length, std::make_index_sequence<3>());
  if (width == 4) return split_bits(to, to_start, to_stride, from, length, std::make_index_sequence<4>());
#if HWY_TARGET == HWY_AVX3_DL
  split_two_columns(to, to_start, to_stride, from, length);
#else
  split_bits(to, to_start, to_stride, from, length, std::make_index_sequence<2>());
#endif
}
// Puts rows together that begin with a word; the source has `width` rows of `length` bits.
template <std::size_t... c>
void mix_bits(std::uint64_t* to, const std::uint64_t* from, std::size_t from_start, std::size_t from_stride, std::size_t length,
              std::index_sequence<c...> all) {
  constexpr std::size_t width = sizeof...(c);
  for (; length >= 64; length -= 64, from_start += 64, to += width) {
    const std::uint64_t columns[] = {read_bits_anywhere(from, from_start + c * from_stride, 64)...};
    ((to[c] = word_of<c>(columns, all)), ...);
  }
  if (length == 0) return;
  const std::uint64_t columns[] = {read_bits(from, from_start + c * from_stride, length)...};
  const std::uint64_t words[] = {word_of<c>(columns, all)...};
  for (std::size_t i = 0; i < length * width; i += 64)
    write_bits(to, i, std::min<std::size_t>(length * width - i, 64), words[i / 64]);
}
#if HWY_TARGET != HWY_AVX3_DL
// Does so with two columns, a vector of rows at a time: each nibble becomes every other bit of a byte. Gives the number of rows
// done, whole words of them; the rest is left.
std::size_t mix_two(std::uint64_t* to, const std::uint64_t* from, std::size_t from_start, std::size_t from_stride,
                    std::size_t length) {
  const hn::CappedTag<std::uint8_t, 32> d;
  const hn::Repartition<std::uint16_t, decltype(d)> pairs;
  const hn::Rebind<std::uint8_t, decltype(pairs)> half;
  const hn::Repartition<std::uint64_t, decltype(half)> words;
  alignas(16) static constexpr std::uint8_t apart[] = {0x00, 0x01, 0x04, 0x05, 0x10, 0x11, 0x14, 0x15,
                                                       0x40, 0x41, 0x44, 0x45, 0x50, 0x51, 0x54, 0x55};
  const auto even = hn::LoadDup128(d, apart), odd = hn::Add(even, even);
  const auto nibble = hn::Set(pairs, std::uint16_t{0x0F0F});
  const std::size_t at_once = 8 * hn::Lanes(half);
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(from);
  const auto column = [=](std::size_t bit) HWY_ATTR {
    const auto first = hn::BitCast(words, hn::LoadU(half, bytes + bit / 8)),
               next = hn::BitCast(words, hn::LoadU(half, bytes + bit / 8 + 8));
    const int shift = static_cast<int>(bit % 8);
    const auto whole = hn::Or(hn::ShiftRightSame(first, shift), hn::ShiftLeftSame(hn::ShiftLeft<1>(next), 63 - shift));
    const auto wide = hn::PromoteTo(pairs, hn::BitCast(half, whole));
    return hn::BitCast(d, hn::And(hn::Or(wide, hn::ShiftLeft<4>(wide)), nibble));
  };
  std::size_t r = 0;
  // The second column is followed by nothing that may be read.
  for (; r + at_once + 64 <= length; r += at_once)
    hn::StoreU(hn::Or(hn::TableLookupBytes(even, column(from_start + r)),
                      hn::TableLookupBytes(odd, column(from_start + from_stride + r))),
               d, reinterpret_cast<std::uint8_t*>(to) + r / 4);
  return r / 64 * 64;
}
#endif

void mix_bits(std::uint64_t* to, const std::uint64_t* from, std::size_t from_start, std::size_t from_stride, std::size_t width,
              std::size_t length) {
#if HWY_TARGET != HWY_AVX3_DL
  if (width == 2) {
    const std::size_t done = mix_two(to, from, from_start, from_stride, length);
    to += done / 32, from_start += done, length -= done;
  }
#endif
  const auto run = [=](auto all) HWY_ATTR { mix_bits(to, from, from_start, from_stride, length, all); };
  switch (width) {
    case 2: return run(std::make_index_sequence<2>());
    case 3: return run(std::make_index_sequence<3>());
    case 4: return run(std::make_index_sequence<4>());
    case 5: return run(std::make_index_sequence<5>());
    case 6: return run(std::make_index_sequence<6>());
    case 7: return run(std::make_index_sequence<7>());
    default: return run(std::make_index_sequence<8>());
  }
}
#else
#define GRIDDLE_TRANSPOSE_DEPOSITS 0
#endif

// Packs bytes that are 0 and 1; `packed` has room for them.
void pack_bytes(std::uint64_t* to, std::size_t to_start, const std::uint8_t* bytes, std::size_t n, std::uint64_t* packed) {
  const Dyad differs = compare().compare[static_cast<int>(Comparison::not_equal)][compared_i8][array_scalar];
  const std::uint8_t zero = 0;
  const bool in_words = to_start % 64 == 0 && n % 64 == 0;
  if (in_words) packed = to + to_start / 64;
  differs(packed, bytes, &zero, n);
  if (!in_words)
    for (std::size_t i = 0; i < n; i += 64) write_bits(to, to_start + i, n - i < 64 ? n - i : 64, packed[i / 64]);
}

// Takes a matrix of bits that lies in one piece and has a side below 64 through bytes, which are quicker to rearrange.
void transpose_short_bits(std::uint64_t* to, std::size_t to_start, const std::uint64_t* from, std::size_t from_start,
                          std::size_t rows, std::size_t columns) {
  constexpr std::size_t room = 8192;
  alignas(64) std::uint8_t bytes[room], turned[room];
  std::uint64_t packed[room / 64 + 1];
  const auto expand = convert().expand[static_cast<int>(ElementType::i8)];
  const bool splits = rows < columns;
  const std::size_t width = splits ? rows : columns, length = splits ? columns : rows, most = room / width / 64 * 64;
  for (std::size_t at = 0; at < length; at += most) {
    const std::size_t count = length - at < most ? length - at : most;
    const auto short_side = static_cast<std::ptrdiff_t>(width), long_side = static_cast<std::ptrdiff_t>(count);
    if (splits) {
      expand(bytes, from, from_start + at * width, count * width);
      transpose(8, turned, long_side, bytes, short_side, short_side, long_side);
      // All rows of results together are one piece of memory.
      if (count == length) return pack_bytes(to, to_start, turned, width * length, packed);
      for (std::size_t r = 0; r < width; r++) pack_bytes(to, to_start + r * length + at, turned + r * count, count, packed);
    } else {
      const std::size_t pieces = count == length ? 1 : width;
      for (std::size_t k = 0; k < pieces; k++)
        expand(bytes + k * count, from, from_start + k * length + at, count * width / pieces);
      transpose(8, turned, short_side, bytes, long_side, long_side, short_side);
      pack_bytes(to, to_start + at * width, turned, count * width, packed);
    }
  }
}

// Goes by squares of 64 rows and columns: some side by side, so that rows of the result are written from end to end.
class BitSquares {
 public:
  static constexpr std::size_t most_columns = 1024;

  void read(const std::uint64_t* from, std::size_t place, std::size_t stride, std::size_t height, std::size_t breadth) {
    count_ = (breadth + 63) / 64;
    last_ = breadth - 64 * (count_ - 1);
    for (std::size_t s = 0; s < count_; s++) {
      const std::size_t columns = s + 1 < count_ ? 64 : last_;
      for (std::size_t k = 0; k < columns; k++, place += stride) squares_[s][k] = read_bits(from, place, height);
      for (std::size_t k = columns; k < 64; k++) squares_[s][k] = 0;
      transpose_bit_square(squares_[s]);
    }
  }
  // Writes a row; `others_follow` in its last word, which stay.
  HWY_INLINE void append_row(BitWriter& to, std::size_t row, bool others_follow) const {
    for (std::size_t s = 0; s + 1 < count_; s++) append(to, squares_[s][row], 64, others_follow);
    append(to, squares_[count_ - 1][row], last_, others_follow);
  }

 private:
  HWY_INLINE static void append(BitWriter& to, std::uint64_t bits, std::size_t n, bool others_follow) {
    others_follow ? to.append(bits, n) : to.append_before_more(bits, n);
  }

  alignas(64) std::uint64_t squares_[most_columns / 64][64];
  std::size_t count_ = 0, last_ = 0;  // squares, and columns of the last one
};

void transpose_bit_squares(std::uint64_t* to, std::size_t to_start, std::size_t to_stride, const std::uint64_t* from,
                           std::size_t from_start, std::size_t from_stride, std::size_t rows, std::size_t columns) {
  constexpr std::size_t most = BitSquares::most_columns;
  BitSquares squares;
  const bool in_one_piece = to_stride == columns && columns <= most;
  BitWriter all(to, to_start);
  for (std::size_t r = 0; r < rows; r += 64) {
    const std::size_t height = rows - r < 64 ? rows - r : 64;
    for (std::size_t c = 0; c < columns; c += most) {
      squares.read(from, from_start + r + c * from_stride, from_stride, height, columns - c < most ? columns - c : most);
      if (in_one_piece) {
        for (std::size_t k = 0; k < height; k++) squares.append_row(all, k, r + k + 1 == rows);
        continue;
      }
      for (std::size_t k = 0; k < height; k++) {
        BitWriter row(to, to_start + (r + k) * to_stride + c);
        squares.append_row(row, k, true);
        row.finish_before_others();
      }
    }
  }
  if (in_one_piece) all.finish_before_others();
}

void transpose_bits_any(std::uint64_t* to, std::size_t to_start, std::size_t to_stride, const std::uint64_t* from,
                        std::size_t from_start, std::size_t from_stride, std::size_t rows, std::size_t columns) {
  constexpr std::size_t most_mixed = HWY_TARGET == HWY_AVX3_DL ? ~std::size_t{0} : 1024;
  if (columns == 8 && to_stride == 8 && to_start % 64 == 0 && rows <= most_mixed)
    return mix_eight(to + to_start / 64, from, from_start, from_stride, rows);
#if HWY_TARGET == HWY_AVX3_DL
  if (rows == 8 && from_stride == 8 && from_start % 64 == 0 && columns <= most_rows_of_eight)
    return split_eight_columns(to, to_start, to_stride, from + from_start / 64, columns);
#endif
#if GRIDDLE_TRANSPOSE_DEPOSITS
  // Each bit costs the more, the longer the rows are.
  const std::size_t short_side = rows < columns ? rows : columns;
  if (short_side >= 2 && short_side <= most_deposited) {
    const bool few = rows * columns <= 2048;
    // Many pairs are sooner taken apart in vectors, below.
    const bool in_vectors = HWY_TARGET != HWY_AVX3_DL && short_side == 2 && !few && from_start == 0;
    if ((short_side <= longest_split || few) && !in_vectors && from_stride == rows && rows == short_side && rows <= 4 &&
        from_start % 64 == 0)
      return split_bits(to, to_start, to_stride, from + from_start / 64, rows, columns);
    if ((short_side <= longest_mixed || few) && to_stride == columns && columns == short_side && to_start % 64 == 0)
      return mix_bits(to + to_start / 64, from, from_start, from_stride, columns, rows);
  }
#endif
  constexpr std::size_t many = 64;
  if (from_start == 0 && from_stride == rows && rows >= 2 && rows <= 64 && columns >= many &&
      bit_columns().split(to, to_start, to_stride, from, rows, columns))
    return;
  if (from_stride == rows && to_stride == columns && (rows < 64 || columns < 64))
    return transpose_short_bits(to, to_start, from, from_start, rows, columns);
  transpose_bit_squares(to, to_start, to_stride, from, from_start, from_stride, rows, columns);
}

}  // namespace
}  // namespace transpose_bits_unit
using transpose_bits_unit::transpose_bits_any;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(transpose_bits_any);
void transpose_bits(std::uint64_t* to, std::size_t to_start, std::size_t to_stride, const std::uint64_t* from,
                    std::size_t from_start, std::size_t from_stride, std::size_t rows, std::size_t columns) {
  HWY_DYNAMIC_DISPATCH(transpose_bits_any)(to, to_start, to_stride, from, from_start, from_stride, rows, columns);
}
}  // namespace griddle::kernels
#endif
