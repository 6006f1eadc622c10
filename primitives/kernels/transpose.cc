#include "primitives/kernels/transpose.h"

#include "primitives/kernels/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "primitives/kernels/transpose.cc"
#include "hwy/foreach_target.h"
//
#include <cstring>
#include <type_traits>

#include "hwy/highway.h"
#include "primitives/kernels/bit_columns.h"
#include "primitives/kernels/bit_runs.h"
#include "primitives/kernels/compare.h"
#include "primitives/kernels/convert.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
HWY_INLINE void transpose_edge(T* to, std::ptrdiff_t to_stride, const T* from, std::ptrdiff_t from_stride, std::ptrdiff_t rows,
                               std::ptrdiff_t columns) {
  for (std::ptrdiff_t r = 0; r < rows; r++)
    for (std::ptrdiff_t c = 0; c < columns; c++) to[r * to_stride + c] = from[r + c * from_stride];
}

#if HWY_TARGET != HWY_SCALAR

// Elements in 16 bytes, the side of a square that interleaving turns over. Vectors of two such blocks hold two squares.
template <class T>
constexpr std::ptrdiff_t side = 16 / sizeof(T);
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
constexpr std::ptrdiff_t most_blocks = 2;
#else
constexpr std::ptrdiff_t most_blocks = 1;
#endif
template <class T, std::ptrdiff_t blocks>
using Tag = hn::FixedTag<T, blocks * 16 / sizeof(T)>;

// Loads blocks that lie `step` elements apart.
template <std::ptrdiff_t blocks, class T>
HWY_INLINE hn::Vec<Tag<T, blocks>> load_blocks(const T* from, [[maybe_unused]] std::ptrdiff_t step) {
  if constexpr (blocks == 1) {
    return hn::LoadU(Tag<T, 1>(), from);
  } else {
    const Tag<T, 1> half;
    return hn::Combine(Tag<T, 2>(), hn::LoadU(half, from + step), hn::LoadU(half, from));
  }
}

// Turns over a square of side<U> vectors in each block. Each round halves the distance between elements of one column.
template <class U, class D, class V = hn::Vec<D>>
HWY_INLINE void turn_square(D, V* a) {
  const hn::Repartition<U, D> d;
  constexpr std::ptrdiff_t n = side<U>;
  V b[n];
  for (std::ptrdiff_t round = 1; round < n; round *= 2) {
    for (std::ptrdiff_t k = 0; k < n / 2; k++) {
      const auto low = hn::BitCast(d, a[k]), high = hn::BitCast(d, a[k + n / 2]);
      b[2 * k] = hn::BitCast(D(), hn::InterleaveLower(d, low, high));
      b[2 * k + 1] = hn::BitCast(D(), hn::InterleaveUpper(d, low, high));
    }
    for (std::ptrdiff_t k = 0; k < n; k++) a[k] = b[k];
  }
}

template <std::ptrdiff_t blocks, class T>
HWY_INLINE void transpose_square(T* to, std::ptrdiff_t to_stride, const T* from, std::ptrdiff_t from_stride) {
  const Tag<T, blocks> d;
  constexpr std::ptrdiff_t n = side<T>;
  hn::Vec<Tag<T, blocks>> a[n];
  for (std::ptrdiff_t k = 0; k < n; k++) a[k] = load_blocks<blocks>(from + k * from_stride, n * from_stride);
  turn_square<T>(d, a);
  for (std::ptrdiff_t k = 0; k < n; k++) hn::StoreU(a[k], d, to + k * to_stride);
}

// Walks in squares of a cache line, so that lines on both sides are used whole. The last squares overlap those before.
template <std::ptrdiff_t blocks, class T>
void transpose_tiles(T* to, std::ptrdiff_t to_stride, const T* from, std::ptrdiff_t from_stride, std::ptrdiff_t rows,
                     std::ptrdiff_t columns) {
  constexpr std::ptrdiff_t n = side<T>, breadth = blocks * n, line = 64 / sizeof(T);
  for (std::ptrdiff_t r0 = 0; r0 < rows; r0 += line) {
    const std::ptrdiff_t r1 = r0 + line < rows ? r0 + line : rows;
    for (std::ptrdiff_t c0 = 0; c0 < columns; c0 += breadth) {
      const std::ptrdiff_t c = c0 + breadth <= columns ? c0 : columns - breadth;
      for (std::ptrdiff_t k = r0; k < r1; k += n) {
        const std::ptrdiff_t r = k + n <= rows ? k : rows - n;
        transpose_square<blocks>(to + r * to_stride + c, to_stride, from + r + c * from_stride, from_stride);
      }
    }
  }
}

// The type of which a block holds `places`.
template <std::ptrdiff_t places>
using Piece = std::conditional_t<
    places == 2, std::uint64_t,
    std::conditional_t<places == 4, std::uint32_t, std::conditional_t<places == 8, std::uint16_t, std::uint8_t>>>;

// Takes matrices with one short side of `width` elements, at most `places`, a power of two. A block holds several short rows; it
// is shuffled so that the elements of one column lie together, and the columns of several blocks are exchanged like a square.
template <std::ptrdiff_t places, class T>
struct ShortSide {
  static constexpr std::ptrdiff_t n = side<T>, blocks = most_blocks, height = blocks * n, rows_of_block = n / places;
  using D = Tag<T, blocks>;
  using Bytes = hn::Repartition<std::uint8_t, D>;
  using V = hn::Vec<D>;
  // Holds the short rows of all blocks, with room for the bytes that the last one reaches too far.
  static constexpr std::size_t buffer_length = static_cast<std::size_t>(height * places) + 16 / sizeof(T);

  explicit ShortSide(std::ptrdiff_t width_) : width(width_) {
    for (std::ptrdiff_t i = 0; i < 16; i++) {
      const std::ptrdiff_t element = i / size, byte = i % size;
      // Where the element of a block with its columns together comes from, and the reverse.
      const std::ptrdiff_t column = element / rows_of_block, row = element % rows_of_block;
      apart[i] = static_cast<std::uint8_t>(column < width ? (row * width + column) * size + byte : 0x80);
      const std::ptrdiff_t short_row = element / width, place = element % width;
      together[i] =
          static_cast<std::uint8_t>(short_row < rows_of_block ? (place * rows_of_block + short_row) * size + byte : 0x80);
    }
  }
  HWY_INLINE V shuffled(V v, const std::uint8_t* order) const {
    const Bytes bytes;
    return hn::BitCast(D(), hn::TableLookupBytes(hn::BitCast(bytes, v), hn::LoadDup128(bytes, order)));
  }

  // Turns `height` short rows into columns; reads up to 16 bytes from where the last block of them begins.
  HWY_INLINE void split(T* to, std::ptrdiff_t to_stride, const T* from) const {
    if (width > places) __builtin_unreachable();
    V a[places];
    for (std::ptrdiff_t k = 0; k < places; k++)
      a[k] = shuffled(load_blocks<blocks>(from + k * rows_of_block * width, n * width), apart);
    turn_square<Piece<places>>(D(), a);
    for (std::ptrdiff_t k = 0; k < places; k++)
      if (k < width) hn::StoreU(a[k], D(), to + k * to_stride);
  }
  // Turns columns into `height` short rows; writes up to 16 bytes from where the last block of them begins.
  HWY_INLINE void mix(T* to, const T* from, std::ptrdiff_t from_stride) const {
    if (width > places) __builtin_unreachable();
    V a[places];
    for (std::ptrdiff_t k = 0; k < places; k++) a[k] = k < width ? hn::LoadU(D(), from + k * from_stride) : hn::Zero(D());
    turn_square<Piece<places>>(D(), a);
    for (std::ptrdiff_t k = 0; k < places; k++) a[k] = shuffled(a[k], together);
    // What a store writes too much, the next one sets right.
    const Tag<T, 1> half;
    for (std::ptrdiff_t k = 0; k < places; k++) {
      if constexpr (blocks == 1)
        hn::StoreU(a[k], half, to + k * rows_of_block * width);
      else
        hn::StoreU(hn::LowerHalf(half, a[k]), half, to + k * rows_of_block * width);
    }
    if constexpr (blocks == 2)
      for (std::ptrdiff_t k = 0; k < places; k++)
        hn::StoreU(hn::UpperHalf(half, a[k]), half, to + (n + k * rows_of_block) * width);
  }

  // Go through `length` short rows, of which there are `height` or more. The last ones pass through a buffer, because whole
  // blocks reach beyond them.
  void split_all(T* to, std::ptrdiff_t to_stride, const T* from, std::ptrdiff_t length) const {
    std::ptrdiff_t r = 0;
    for (; r + height + side<T> <= length; r += height) split(to + r, to_stride, from + r * width);
    for (; r < length; r += height) {
      if (r + height > length) r = length - height;
      T part[buffer_length] = {};
      std::memcpy(part, from + r * width, static_cast<std::size_t>(height * width) * sizeof(T));
      split(to + r, to_stride, part);
    }
  }
  void mix_all(T* to, const T* from, std::ptrdiff_t from_stride, std::ptrdiff_t length) const {
    std::ptrdiff_t r = 0;
    for (; r + height + side<T> <= length; r += height) mix(to + r * width, from + r, from_stride);
    for (; r < length; r += height) {
      if (r + height > length) r = length - height;
      T part[buffer_length];
      mix(part, from + r, from_stride);
      std::memcpy(to + r * width, part, static_cast<std::size_t>(height * width) * sizeof(T));
    }
  }

  static constexpr std::ptrdiff_t size = sizeof(T);
  std::ptrdiff_t width;
  alignas(16) std::uint8_t apart[16], together[16];
};

// Takes a matrix that lies in one piece and has a side shorter than a block; false for any other.
template <class T>
bool transpose_short_side(T* to, std::ptrdiff_t to_stride, const T* from, std::ptrdiff_t from_stride, std::ptrdiff_t rows,
                          std::ptrdiff_t columns) {
  const bool splits = from_stride == rows && rows < side<T>, mixes = to_stride == columns && columns < side<T>;
  const std::ptrdiff_t width = splits ? rows : columns, length = splits ? columns : rows;
  if ((!splits && !mixes) || width < 2 || length < most_blocks * side<T>) return false;
  const auto run = [=](const auto& short_side) HWY_ATTR {
    splits ? short_side.split_all(to, to_stride, from, length) : short_side.mix_all(to, from, from_stride, length);
  };
  if (width <= 2)
    run(ShortSide<2, T>(width));
  else if (width <= 4)
    run(ShortSide < 4 < side<T> ? 4 : side<T>, T > (width));
  else if (width <= 8)
    run(ShortSide < 8 < side<T> ? 8 : side<T>, T > (width));
  else
    run(ShortSide < 16 < side<T> ? 16 : side<T>, T > (width));
  return true;
}

// Does the same for elements of which a block holds two: sides of two to four.
bool transpose_short_side(std::uint64_t* to, std::ptrdiff_t to_stride, const std::uint64_t* from, std::ptrdiff_t from_stride,
                          std::ptrdiff_t rows, std::ptrdiff_t columns) {
  const hn::ScalableTag<std::uint64_t> d;
  const bool splits = from_stride == rows && rows <= 4, mixes = to_stride == columns && columns <= 4;
  const std::ptrdiff_t width = splits ? rows : columns, length = splits ? columns : rows;
  const std::ptrdiff_t lanes = static_cast<std::ptrdiff_t>(hn::Lanes(d));
  if ((!splits && !mixes) || width < 2 || length < lanes) return false;
  const auto run = [&](std::ptrdiff_t i) HWY_ATTR {
    auto a = hn::Zero(d), b = a, c = a, e = a;
    if (splits) {
      const std::uint64_t* in = from + i * width;
      if (width == 2)
        hn::LoadInterleaved2(d, in, a, b);
      else if (width == 3)
        hn::LoadInterleaved3(d, in, a, b, c);
      else
        hn::LoadInterleaved4(d, in, a, b, c, e);
      hn::StoreU(a, d, to + i), hn::StoreU(b, d, to + to_stride + i);
      if (width > 2) hn::StoreU(c, d, to + 2 * to_stride + i);
      if (width > 3) hn::StoreU(e, d, to + 3 * to_stride + i);
      return;
    }
    a = hn::LoadU(d, from + i), b = hn::LoadU(d, from + from_stride + i);
    if (width > 2) c = hn::LoadU(d, from + 2 * from_stride + i);
    if (width > 3) e = hn::LoadU(d, from + 3 * from_stride + i);
    std::uint64_t* out = to + i * width;
    if (width == 2)
      hn::StoreInterleaved2(a, b, d, out);
    else if (width == 3)
      hn::StoreInterleaved3(a, b, c, d, out);
    else
      hn::StoreInterleaved4(a, b, c, e, d, out);
  };
  for (std::ptrdiff_t i = 0; i + lanes <= length; i += lanes) run(i);
  if (length % lanes != 0) run(length - lanes);
  return true;
}

template <class T>
void transpose_elements(T* to, std::ptrdiff_t to_stride, const T* from, std::ptrdiff_t from_stride, std::ptrdiff_t rows,
                        std::ptrdiff_t columns) {
  if (transpose_short_side(to, to_stride, from, from_stride, rows, columns)) return;
  if (rows < side<T> || columns < side<T>) return transpose_edge(to, to_stride, from, from_stride, rows, columns);
  if (columns < most_blocks * side<T>) return transpose_tiles<1>(to, to_stride, from, from_stride, rows, columns);
  transpose_tiles<most_blocks>(to, to_stride, from, from_stride, rows, columns);
}

#else

template <class T>
void transpose_elements(T* to, std::ptrdiff_t to_stride, const T* from, std::ptrdiff_t from_stride, std::ptrdiff_t rows,
                        std::ptrdiff_t columns) {
  transpose_edge(to, to_stride, from, from_stride, rows, columns);
}

#endif

void transpose_any(unsigned width, void* to, std::ptrdiff_t to_stride, const void* from, std::ptrdiff_t from_stride,
                   std::ptrdiff_t rows, std::ptrdiff_t columns) {
  auto run = [=]<class T>(T) HWY_ATTR {
    transpose_elements(static_cast<T*>(to), to_stride, static_cast<const T*>(from), from_stride, rows, columns);
  };
  switch (width) {
    case 8: return run(std::uint8_t{});
    case 16: return run(std::uint16_t{});
    case 32: return run(std::uint32_t{});
    default: return run(std::uint64_t{});
  }
}

// Transposes a 64×64 square of bits in place by exchanging ever smaller quarters.
void transpose_bit_square(std::uint64_t* a) {
  std::uint64_t mask = 0x00000000FFFFFFFFull;
  for (std::size_t j = 32; j != 0; j >>= 1, mask ^= mask << j)
    for (std::size_t k = 0; k < 64; k = (k + j + 1) & ~j) {
      std::uint64_t t = ((a[k] >> j) ^ a[k + j]) & mask;
      a[k] ^= t << j;
      a[k + j] ^= t;
    }
}

#undef GRIDDLE_TRANSPOSE_DEPOSITS
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
#define GRIDDLE_TRANSPOSE_DEPOSITS 1

// Rows of so many bits or fewer are taken apart and put together by extracting and depositing bits.
constexpr std::size_t most_deposited = 8;

// For each length of rows, the bits of one column in a word of rows one after the other, by its first place there.
struct ColumnBits {
  std::uint64_t of[most_deposited + 1][most_deposited] = {};
  constexpr ColumnBits() {
    for (std::size_t length = 1; length <= most_deposited; length++)
      for (std::size_t start = 0; start < length; start++)
        for (std::size_t place = start; place < 64; place += length) of[length][start] |= std::uint64_t{1} << place;
  }
};
constexpr ColumnBits column_bits;

// Gives the first place of a column in the next word.
HWY_INLINE std::size_t next_start(std::size_t start, std::size_t width) {
  const std::size_t moved = 64 % width;
  return start >= moved ? start - moved : start + width - moved;
}

// Takes `length` rows of `width` bits, which begin with a word, apart.
void split_bits(std::uint64_t* to, std::size_t to_start, std::size_t to_stride, const std::uint64_t* from, std::size_t width,
                std::size_t length) {
  const std::size_t total = width * length;
  for (std::size_t c = 0; c < width; c++) {
    BitWriter column(to, to_start + c * to_stride);
    std::size_t start = c;
    const auto take = [&](std::uint64_t word, std::uint64_t valid) HWY_ATTR {
      const std::uint64_t mask = column_bits.of[width][start] & valid;
      const auto n = static_cast<std::size_t>(__builtin_popcountll(mask));
      column.append(_pext_u64(word, mask), n);
      start = next_start(start, width);
    };
    for (std::size_t i = 0; i < total / 64; i++) take(from[i], ~std::uint64_t{0});
    if (total % 64 != 0) take(from[total / 64], low_bits(total % 64));
    column.finish_before_others();
  }
}
// Puts rows together that begin with a word; the source has `width` rows of `length` bits.
void mix_bits(std::uint64_t* to, const std::uint64_t* from, std::size_t from_start, std::size_t from_stride, std::size_t width,
              std::size_t length) {
  const std::size_t total = width * length;
  std::size_t place[most_deposited], start[most_deposited];
  for (std::size_t c = 0; c < width; c++) place[c] = from_start + c * from_stride, start[c] = c;
  for (std::size_t i = 0; i < total; i += 64) {
    const std::size_t held = total - i < 64 ? total - i : 64;
    std::uint64_t word = 0;
    for (std::size_t c = 0; c < width; c++) {
      const std::uint64_t mask = column_bits.of[width][start[c]] & low_bits(held);
      const auto n = static_cast<std::size_t>(__builtin_popcountll(mask));
      if (n == 0) continue;
      word |= _pdep_u64(read_bits(from, place[c], n), mask);
      place[c] += n, start[c] = next_start(start[c], width);
    }
    write_bits(to, i, held, word);
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
      transpose_elements(turned, long_side, bytes, short_side, short_side, long_side);
      for (std::size_t r = 0; r < width; r++) pack_bytes(to, to_start + r * length + at, turned + r * count, count, packed);
    } else {
      for (std::size_t k = 0; k < width; k++) expand(bytes + k * count, from, from_start + k * length + at, count);
      transpose_elements(turned, short_side, bytes, long_side, long_side, short_side);
      pack_bytes(to, to_start + at * width, turned, count * width, packed);
    }
  }
}

void transpose_bits_any(std::uint64_t* to, std::size_t to_start, std::size_t to_stride, const std::uint64_t* from,
                        std::size_t from_start, std::size_t from_stride, std::size_t rows, std::size_t columns) {
#if GRIDDLE_TRANSPOSE_DEPOSITS
  // Each bit costs the more, the longer the rows are.
  const std::size_t short_side = rows < columns ? rows : columns;
  if (short_side <= most_deposited && (short_side <= 3 || rows * columns <= 2048)) {
    if (from_stride == rows && rows == short_side && rows <= 4 && from_start % 64 == 0)
      return split_bits(to, to_start, to_stride, from + from_start / 64, rows, columns);
    if (to_stride == columns && columns == short_side && to_start % 64 == 0)
      return mix_bits(to + to_start / 64, from, from_start, from_stride, columns, rows);
  }
#endif
  constexpr std::size_t many = 64;
  if (from_start == 0 && from_stride == rows && rows >= 2 && rows <= 64 && columns >= many &&
      bit_columns().split(to, to_start, to_stride, from, rows, columns))
    return;
  if (from_stride == rows && to_stride == columns && (rows < 64 || columns < 64))
    return transpose_short_bits(to, to_start, from, from_start, rows, columns);
  std::uint64_t square[64];
  for (std::size_t r = 0; r < rows; r += 64) {
    std::size_t height = rows - r < 64 ? rows - r : 64;
    for (std::size_t c = 0; c < columns; c += 64) {
      std::size_t breadth = columns - c < 64 ? columns - c : 64;
      for (std::size_t k = 0; k < breadth; k++) square[k] = read_bits(from, from_start + r + (c + k) * from_stride, height);
      for (std::size_t k = breadth; k < 64; k++) square[k] = 0;
      transpose_bit_square(square);
      for (std::size_t k = 0; k < height; k++)
        write_bits(to, to_start + (r + k) * to_stride + c, breadth, square[k] & low_bits(breadth));
    }
  }
}

}  // namespace
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {

HWY_EXPORT(transpose_any);
HWY_EXPORT(transpose_bits_any);

void transpose(unsigned width, void* to, std::ptrdiff_t to_stride, const void* from, std::ptrdiff_t from_stride, std::size_t rows,
               std::size_t columns) {
  HWY_DYNAMIC_DISPATCH(transpose_any)
  (width, to, to_stride, from, from_stride, static_cast<std::ptrdiff_t>(rows), static_cast<std::ptrdiff_t>(columns));
}

void transpose_bits(std::uint64_t* to, std::size_t to_start, std::size_t to_stride, const std::uint64_t* from,
                    std::size_t from_start, std::size_t from_stride, std::size_t rows, std::size_t columns) {
  HWY_DYNAMIC_DISPATCH(transpose_bits_any)(to, to_start, to_stride, from, from_start, from_stride, rows, columns);
}

}  // namespace griddle::kernels
#endif  // HWY_ONCE
