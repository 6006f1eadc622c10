#include "primitives/kernels/moves/transpose.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "hwy/highway.h"
#include "primitives/kernels/moves/rectangles_512-inl.h"
#include "primitives/kernels/moves/short_rows_512-inl.h"
#include "primitives/kernels/shared/interleave-inl.h"
#include "primitives/kernels/shared/pieces.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace transpose_unit {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
HWY_INLINE void transpose_edge(T* to, std::ptrdiff_t to_stride, const T* from, std::ptrdiff_t from_stride, std::ptrdiff_t rows,
                               std::ptrdiff_t columns) {
  for (std::ptrdiff_t r = 0; r < rows; r++)
    for (std::ptrdiff_t c = 0; c < columns; c++) to[r * to_stride + c] = from[r + c * from_stride];
}

// Elements in 16 bytes, the side of a square that interleaving turns over. Vectors of two such blocks hold two squares.
template <class T>
constexpr std::ptrdiff_t side = 16 / sizeof(T);
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
constexpr std::ptrdiff_t most_blocks = 2;
#else
constexpr std::ptrdiff_t most_blocks = 1;
#endif
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
constexpr std::ptrdiff_t most_tile_blocks = 4;
#else
constexpr std::ptrdiff_t most_tile_blocks = most_blocks;
#endif
template <class T, std::ptrdiff_t blocks>
using Tag = hn::FixedTag<T, blocks * 16 / sizeof(T)>;

// Loads blocks that lie `step` elements apart.
template <std::ptrdiff_t blocks, class T>
HWY_INLINE hn::Vec<Tag<T, blocks>> load_blocks(const T* from, [[maybe_unused]] std::ptrdiff_t step) {
  if constexpr (blocks == 1) {
    return hn::LoadU(Tag<T, 1>(), from);
  } else {
    const auto low = load_blocks<blocks / 2>(from, step), high = load_blocks<blocks / 2>(from + blocks / 2 * step, step);
    return hn::Combine(Tag<T, blocks>(), high, low);
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

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3

HWY_INLINE void transpose_four(std::uint64_t* to, std::ptrdiff_t to_stride, const std::uint64_t* from,
                               std::ptrdiff_t from_stride) {
  const hn::FixedTag<std::uint64_t, 4> d;
  const auto a = hn::LoadU(d, from), b = hn::LoadU(d, from + from_stride);
  const auto c = hn::LoadU(d, from + 2 * from_stride), e = hn::LoadU(d, from + 3 * from_stride);
  const auto ab_even = hn::InterleaveLower(d, a, b), ab_odd = hn::InterleaveUpper(d, a, b);
  const auto ce_even = hn::InterleaveLower(d, c, e), ce_odd = hn::InterleaveUpper(d, c, e);
  hn::StoreU(hn::ConcatLowerLower(d, ce_even, ab_even), d, to);
  hn::StoreU(hn::ConcatLowerLower(d, ce_odd, ab_odd), d, to + to_stride);
  hn::StoreU(hn::ConcatUpperUpper(d, ce_even, ab_even), d, to + 2 * to_stride);
  hn::StoreU(hn::ConcatUpperUpper(d, ce_odd, ab_odd), d, to + 3 * to_stride);
}

// Takes sides of four or more: a line of each of some rows, or of all, where these few make whole lines of the source, which is
// read in order then. The last squares overlap those before.
void transpose_fours(std::uint64_t* to, std::ptrdiff_t to_stride, const std::uint64_t* from, std::ptrdiff_t from_stride,
                     std::ptrdiff_t rows, std::ptrdiff_t columns) {
  constexpr std::ptrdiff_t few_rows = 40, line = 8, n = 4;
  const std::ptrdiff_t height = rows <= few_rows && from_stride < 2 * rows ? rows : line;
  for (std::ptrdiff_t r0 = 0; r0 < rows; r0 += height) {
    const std::ptrdiff_t r1 = std::min(r0 + height, rows);
    for (std::ptrdiff_t c0 = 0; c0 < columns; c0 += line) {
      const std::ptrdiff_t c1 = std::min(c0 + line, columns);
      for (std::ptrdiff_t k = r0; k < r1; k += n)
        for (std::ptrdiff_t i = c0; i < c1; i += n) {
          const std::ptrdiff_t r = std::min(k, rows - n), c = std::min(i, columns - n);
          transpose_four(to + r * to_stride + c, to_stride, from + r + c * from_stride, from_stride);
        }
    }
  }
}

#endif

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
#if HWY_TARGET == HWY_AVX3_DL
  if (transpose_whole_vectors(to, to_stride, from, from_stride, rows, columns)) return;
  if constexpr (sizeof(T) >= 4)
    if (covered_by_rectangles<T>(rows, columns)) return transpose_rectangles(to, to_stride, from, from_stride, rows, columns);
#endif
  if (transpose_short_side(to, to_stride, from, from_stride, rows, columns)) return;
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
  if constexpr (sizeof(T) == 8)
    if (rows >= 4 && columns >= 4) return transpose_fours(to, to_stride, from, from_stride, rows, columns);
#endif
  if (rows < side<T> || columns < side<T>) return transpose_edge(to, to_stride, from, from_stride, rows, columns);
  if (columns < most_blocks * side<T>) return transpose_tiles<1>(to, to_stride, from, from_stride, rows, columns);
  if (most_tile_blocks > most_blocks && columns >= most_tile_blocks * side<T>)
    return transpose_tiles<most_tile_blocks>(to, to_stride, from, from_stride, rows, columns);
  transpose_tiles<most_blocks>(to, to_stride, from, from_stride, rows, columns);
}

void transpose_any(unsigned width, const Matrices<void*>& to, const Matrices<const void*>& from, std::ptrdiff_t rows,
                   std::ptrdiff_t columns, std::size_t count) {
  const auto run = [&]<class T>(T) HWY_ATTR {
    T* out = static_cast<T*>(to.first);
    const T* in = static_cast<const T*>(from.first);
    for (std::size_t i = 0; i < count; i++, out += to.step, in += from.step)
      transpose_elements(out, to.stride, in, from.stride, rows, columns);
  };
  switch (width) {
    case 8: return run(std::uint8_t{});
    case 16: return run(std::uint16_t{});
    case 32: return run(std::uint32_t{});
    default: return run(std::uint64_t{});
  }
}

}  // namespace
}  // namespace transpose_unit
using transpose_unit::transpose_any;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {

HWY_EXPORT(transpose_any);

namespace {

[[gnu::always_inline]] inline void transpose_some(unsigned width, const Matrices<void*>& to, const Matrices<const void*>& from,
                                                  std::size_t rows, std::size_t columns, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(transpose_any)
  (width, to, from, static_cast<std::ptrdiff_t>(rows), static_cast<std::ptrdiff_t>(columns), count);
}

// Goes along the longer side; parts end where vectors and lines of the cache do.
[[gnu::noinline]] void transpose_in_parts(unsigned width, const Matrices<void*>& to, const Matrices<const void*>& from,
                                          std::size_t rows, std::size_t columns, std::size_t count) {
  const std::size_t longer = std::max(rows, columns), shorter = std::min(rows, columns);
  const std::size_t part = std::max<std::size_t>(long_pass / shorter / 64, 1) * 64;
  const std::size_t together = std::max<std::size_t>(long_pass / (longer * shorter), 1);
  const auto at = [width]<class Byte>(Byte* first, std::size_t i, std::ptrdiff_t step) {
    return first + static_cast<std::ptrdiff_t>(i * (width / 8)) * step;
  };
  for (std::size_t k = 0; k < count; k += together) {
    auto* const target = at(static_cast<std::uint8_t*>(to.first), k, to.step);
    const auto* const source = at(static_cast<const std::uint8_t*>(from.first), k, from.step);
    const std::size_t n = std::min(together, count - k);
    for (std::size_t i = 0; i < longer; i += part) {
      const bool by_rows = rows >= columns;
      const std::size_t m = std::min(part, longer - i);
      checkpoint();
      transpose_some(width, {at(target, i, by_rows ? to.stride : 1), to.stride, to.step},
                     {at(source, i, by_rows ? 1 : from.stride), from.stride, from.step}, by_rows ? m : rows,
                     by_rows ? columns : m, n);
    }
  }
}

}  // namespace

void transpose_each(unsigned width, const Matrices<void*>& to, const Matrices<const void*>& from, std::size_t rows,
                    std::size_t columns, std::size_t count) {
  if (rows * columns * count > long_pass) [[unlikely]]
    return transpose_in_parts(width, to, from, rows, columns, count);
  transpose_some(width, to, from, rows, columns, count);
}
void transpose(unsigned width, void* to, std::ptrdiff_t to_stride, const void* from, std::ptrdiff_t from_stride, std::size_t rows,
               std::size_t columns) {
  if (rows * columns > long_pass) [[unlikely]]
    return transpose_in_parts(width, {to, to_stride, 0}, {from, from_stride, 0}, rows, columns, 1);
  transpose_some(width, {to, to_stride, 0}, {from, from_stride, 0}, rows, columns, 1);
}

}  // namespace griddle::kernels
#endif  // HWY_ONCE
