#include "primitives/kernels/moves/transpose.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "hwy/highway.h"
#include "primitives/kernels/moves/rectangles_512-inl.h"
#include "primitives/kernels/moves/short_rows_512-inl.h"
#include "primitives/kernels/moves/transpose_tiles-inl.h"
#include "primitives/kernels/shared/interleave-inl.h"
#include "primitives/kernels/shared/pieces.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace transpose_unit {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
HWY_INLINE void transpose_edge(EvenLines<T> to, EvenLines<const T> from, std::ptrdiff_t rows, std::ptrdiff_t columns) {
  for (std::ptrdiff_t r = 0; r < rows; r++)
    for (std::ptrdiff_t c = 0; c < columns; c++) to.first[r * to.stride + c] = from.first[r + c * from.stride];
}
template <class T>
HWY_INLINE void transpose_edge(PlacedLines<T> to, PlacedLines<const T> from, std::ptrdiff_t rows, std::ptrdiff_t columns) {
  for (std::ptrdiff_t r = 0; r < rows; r++)
    for (std::ptrdiff_t c = 0; c < columns; c++) to[r][c] = from[c][r];
}

// The type of which a block holds `places`.
template <std::ptrdiff_t places>
using Piece = std::conditional_t<
    places == 2, std::uint64_t,
    std::conditional_t<places == 4, std::uint32_t, std::conditional_t<places == 8, std::uint16_t, std::uint8_t>>>;

// Where each byte of a block comes from that holds several short rows, each of `width` elements in `places` places: with elements
// of one column together, and the reverse.
template <std::ptrdiff_t places, class T>
struct BlockOrders {
  static constexpr std::ptrdiff_t size = sizeof(T), rows_of_block = side<T> / places;
  struct Order {
    alignas(16) std::uint8_t apart[16] = {};
    alignas(16) std::uint8_t together[16] = {};
  } of[places + 1];
  constexpr BlockOrders() : of() {
    for (std::ptrdiff_t width = 1; width <= places; width++)
      for (std::ptrdiff_t i = 0; i < 16; i++) {
        const std::ptrdiff_t element = i / size, byte = i % size;
        const std::ptrdiff_t column = element / rows_of_block, row = element % rows_of_block;
        of[width].apart[i] = static_cast<std::uint8_t>(column < width ? (row * width + column) * size + byte : 0x80);
        const std::ptrdiff_t short_row = element / width, place = element % width;
        of[width].together[i] =
            static_cast<std::uint8_t>(short_row < rows_of_block ? (place * rows_of_block + short_row) * size + byte : 0x80);
      }
  }
};
template <std::ptrdiff_t places, class T>
constexpr BlockOrders<places, T> block_orders;

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

  explicit ShortSide(std::ptrdiff_t width_) : width(width_), order(block_orders<places, T>.of[std::min(width_, places)]) {}
  HWY_INLINE V shuffled(V v, const std::uint8_t* sources) const {
    const Bytes bytes;
    return hn::BitCast(D(), hn::TableLookupBytes(hn::BitCast(bytes, v), hn::LoadDup128(bytes, sources)));
  }

  // Turns `height` short rows into columns; reads up to 16 bytes from where the last block of them begins.
  HWY_INLINE void split(T* to, std::ptrdiff_t to_stride, const T* from) const {
    if (width > places) __builtin_unreachable();
    V a[places];
    for (std::ptrdiff_t k = 0; k < places; k++)
      a[k] = shuffled(load_blocks<blocks, T>(EvenLines<const T>{from + k * rows_of_block * width, width}, 0), order.apart);
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
    for (std::ptrdiff_t k = 0; k < places; k++) a[k] = shuffled(a[k], order.together);
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

  // Tells whether the last block of the short rows from r on lies within so many of them.
  bool fits(std::ptrdiff_t r, std::ptrdiff_t length) const { return (r + height - rows_of_block) * width + n <= length * width; }
  // Go through `length` short rows, of which there are `height` or more. The last ones pass through a buffer, because whole
  // blocks reach beyond them.
  void split_all(T* to, std::ptrdiff_t to_stride, const T* from, std::ptrdiff_t length) const {
    if (width > places) __builtin_unreachable();
    std::ptrdiff_t r = 0;
    for (; fits(r, length); r += height) split(to + r, to_stride, from + r * width);
    for (; r < length; r += height) {
      if (r + height > length) r = length - height;
      T part[buffer_length];
      const std::size_t taken = static_cast<std::size_t>(height * width);
      std::memcpy(part, from + r * width, taken * sizeof(T));
      std::memset(part + taken, 0, 16);
      split(to + r, to_stride, part);
    }
  }
  void mix_all(T* to, const T* from, std::ptrdiff_t from_stride, std::ptrdiff_t length) const {
    std::ptrdiff_t r = 0;
    for (; fits(r, length); r += height) mix(to + r * width, from + r, from_stride);
    for (; r < length; r += height) {
      if (r + height > length) r = length - height;
      T part[buffer_length];
      mix(part, from + r, from_stride);
      std::memcpy(to + r * width, part, static_cast<std::size_t>(height * width) * sizeof(T));
    }
  }

  std::ptrdiff_t width;
  const typename BlockOrders<places, T>::Order& order;
};

// Where elements of three columns stand in three blocks of short rows: no two of one column at the same place of a block, as
// three has no divisor in common with a block. So a column is put together of all three, and shuffled once.
template <class T>
struct ThirdsOfBlocks {
  struct Column {
    alignas(16) std::uint8_t of_first[16] = {}, of_second[16] = {};  // all ones for bytes of the column in these blocks
    alignas(16) std::uint8_t in_order[16] = {}, in_place[16] = {};   // to the order of the column, and from it
  } of[3];
  constexpr ThirdsOfBlocks() : of() {
    for (std::size_t i = 0; i < 3 * 16; i++) {
      const std::size_t element = i / sizeof(T), byte = i % sizeof(T), place = i % 16;
      const std::size_t in_column = element / 3 * sizeof(T) + byte;
      Column& column = of[element % 3];
      column.of_first[place] = i < 16 ? 0xFF : column.of_first[place];
      column.of_second[place] = i >= 16 && i < 32 ? 0xFF : column.of_second[place];
      column.in_order[in_column] = static_cast<std::uint8_t>(place);
      column.in_place[place] = static_cast<std::uint8_t>(in_column);
    }
  }
};
template <class T>
constexpr ThirdsOfBlocks<T> thirds_of_blocks;

// Takes matrices with a side of three.
template <class T>
struct SideOfThree {
  static constexpr std::ptrdiff_t n = side<T>, blocks = most_blocks, height = blocks * n;
  using D = Tag<T, blocks>;
  using Bytes = hn::Repartition<std::uint8_t, D>;
  using V = hn::Vec<Bytes>;
  struct Column {
    V of_first, of_second, order;
  };
  static HWY_INLINE V load(const std::uint8_t* table) { return hn::LoadDup128(Bytes(), table); }
  // Takes the places of a column in a block from `chosen`, where `mask` has ones, all others from `rest`; in the last block the
  // mask has ones for these.
  template <std::size_t column, std::size_t block>
  static HWY_INLINE V choose(V chosen, [[maybe_unused]] V mask, V rest) {
#if HWY_TARGET == HWY_AVX2
    // Several times as fast on some chips: the instruction names the places.
    constexpr int places = places_of(column, block);
    if constexpr (sizeof(T) == 4)
      return V{_mm256_blend_epi32(rest.raw, chosen.raw, places | places << 4)};
    else if constexpr (sizeof(T) == 2)
      return V{_mm256_blend_epi16(rest.raw, chosen.raw, places)};
    else
#endif
      return block == 2 ? hn::IfVecThenElse(mask, rest, chosen) : hn::IfVecThenElse(mask, chosen, rest);
  }
  static constexpr int places_of(std::size_t column, std::size_t block) {
    int places = 0;
    for (std::size_t i = 0; i < n; i++) places |= ((block * n + i) % 3 == column) << i;
    return places;
  }

  // Turns short rows into columns.
  struct Split {
    Column columns[3];
    HWY_INLINE Split() {
      for (std::size_t c = 0; c < 3; c++) {
        const auto& tables = thirds_of_blocks<T>.of[c];
        columns[c] = {load(tables.of_first), load(tables.of_second), load(tables.in_order)};
      }
    }
    HWY_INLINE void operator()(T* to, std::ptrdiff_t to_stride, const T* from) const {
      V v[3];
      for (std::ptrdiff_t k = 0; k < 3; k++)
        v[k] = hn::BitCast(Bytes(), load_blocks<blocks, T>(EvenLines<const T>{from + k * n, 3}, 0));
      store_column<0>(to, v), store_column<1>(to + to_stride, v), store_column<2>(to + 2 * to_stride, v);
    }
    template <std::size_t c>
    HWY_INLINE void store_column(T* to, const V* v) const {
      const V mixed = choose<c, 0>(v[0], columns[c].of_first, choose<c, 1>(v[1], columns[c].of_second, v[2]));
      hn::StoreU(hn::BitCast(D(), hn::TableLookupBytes(mixed, columns[c].order)), D(), to);
    }
  };
  // Turns columns into short rows. The place of a byte in its block says of which column it is, and the first and second of the
  // places that belong to a column are in these blocks.
  struct Mix {
    V order[3], of_first[3], of_second[3];
    HWY_INLINE Mix() {
      for (std::size_t c = 0; c < 3; c++) {
        const auto& tables = thirds_of_blocks<T>.of[c];
        order[c] = load(tables.in_place), of_first[c] = load(tables.of_first), of_second[c] = load(tables.of_second);
      }
    }
    HWY_INLINE void operator()(T* to, const T* from, std::ptrdiff_t from_stride) const {
      V v[3];
      for (std::ptrdiff_t c = 0; c < 3; c++)
        v[c] = hn::TableLookupBytes(hn::BitCast(Bytes(), hn::LoadU(D(), from + c * from_stride)), order[c]);
      store(to, choose<0, 0>(v[0], of_first[0], choose<1, 0>(v[1], of_first[1], v[2])));
      store(to + n, choose<0, 1>(v[0], of_second[0], choose<1, 1>(v[1], of_second[1], v[2])));
      const auto not_third = [&](std::size_t c) HWY_ATTR { return hn::Or(of_first[c], of_second[c]); };
      store(to + 2 * n, choose<0, 2>(v[0], not_third(0), choose<1, 2>(v[1], not_third(1), v[2])));
    }
    static HWY_INLINE void store(T* to, V bytes) {
      const auto v = hn::BitCast(D(), bytes);
      const Tag<T, 1> half;
      if constexpr (blocks == 1) {
        hn::StoreU(v, half, to);
      } else {
        hn::StoreU(hn::LowerHalf(half, v), half, to);
        hn::StoreU(hn::UpperHalf(half, v), half, to + 3 * n);
      }
    }
  };
};

// Calls f with the place of each `step` of a length that is as long or longer: the last may begin within the one before.
template <class F>
HWY_INLINE void in_steps(std::ptrdiff_t length, std::ptrdiff_t step, F f) {
  std::ptrdiff_t i = 0;
  for (; i + step <= length; i += step) f(i);
  if (i != length) f(length - step);
}

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
  using Three = SideOfThree<T>;
  if (width == 3 && splits) {
    const typename Three::Split split;
    in_steps(length, Three::height, [&](std::ptrdiff_t i) HWY_ATTR { split(to + i, to_stride, from + 3 * i); });
  } else if (width == 3) {
    const typename Three::Mix mix;
    in_steps(length, Three::height, [&](std::ptrdiff_t i) HWY_ATTR { mix(to + 3 * i, from + i, from_stride); });
  } else if (width == 2 && splits) {
    ShortSide<2, T>(width).split_all(to, to_stride, from, length);
  } else if (width == 2) {
    const Tag<T, most_blocks> d;
    in_steps(length, static_cast<std::ptrdiff_t>(hn::Lanes(d)), [&](std::ptrdiff_t i) HWY_ATTR {
      hn::StoreInterleaved2(hn::LoadU(d, from + i), hn::LoadU(d, from + from_stride + i), d, to + 2 * i);
    });
  } else if (width <= 4) {
    run(ShortSide < 4 < side<T> ? 4 : side<T>, T > (width));
  } else if (width <= 8) {
    run(ShortSide < 8 < side<T> ? 8 : side<T>, T > (width));
  } else {
    run(ShortSide < 16 < side<T> ? 16 : side<T>, T > (width));
  }
  return true;
}

// Does the same for elements of which a block holds two: sides of two to four.
template <std::ptrdiff_t width>
HWY_INLINE void split_pairs(std::uint64_t* to, std::ptrdiff_t to_stride, const std::uint64_t* from, std::ptrdiff_t length) {
  const hn::ScalableTag<std::uint64_t> d;
  in_steps(length, static_cast<std::ptrdiff_t>(hn::Lanes(d)), [=](std::ptrdiff_t i) HWY_ATTR {
    const std::uint64_t* in = from + i * width;
    auto a = hn::Zero(d), b = a, c = a, e = a;
    if constexpr (width == 2) {
#if HWY_TARGET == HWY_AVX2
      // Blocks come to their places as they are loaded, so that a vector takes one shuffle.
      const auto even = load_blocks<2, std::uint64_t>(EvenLines<const std::uint64_t>{in, 2}, 0);
      const auto odd = load_blocks<2, std::uint64_t>(EvenLines<const std::uint64_t>{in + 2, 2}, 0);
      a = hn::InterleaveLower(d, even, odd), b = hn::InterleaveUpper(d, even, odd);
#else
      hn::LoadInterleaved2(d, in, a, b);
#endif
    } else if constexpr (width == 3) {
      hn::LoadInterleaved3(d, in, a, b, c);
    } else {
      hn::LoadInterleaved4(d, in, a, b, c, e);
    }
    hn::StoreU(a, d, to + i), hn::StoreU(b, d, to + to_stride + i);
    if constexpr (width > 2) hn::StoreU(c, d, to + 2 * to_stride + i);
    if constexpr (width > 3) hn::StoreU(e, d, to + 3 * to_stride + i);
  });
}
template <std::ptrdiff_t width>
HWY_INLINE void mix_pairs(std::uint64_t* to, const std::uint64_t* from, std::ptrdiff_t from_stride, std::ptrdiff_t length) {
  const hn::ScalableTag<std::uint64_t> d;
  in_steps(length, static_cast<std::ptrdiff_t>(hn::Lanes(d)), [=](std::ptrdiff_t i) HWY_ATTR {
    std::uint64_t* out = to + i * width;
    const auto column = [=](std::ptrdiff_t c) HWY_ATTR { return hn::LoadU(d, from + c * from_stride + i); };
    if constexpr (width == 2)
      hn::StoreInterleaved2(column(0), column(1), d, out);
    else if constexpr (width == 3)
      hn::StoreInterleaved3(column(0), column(1), column(2), d, out);
    else
      hn::StoreInterleaved4(column(0), column(1), column(2), column(3), d, out);
  });
}
bool transpose_short_side(std::uint64_t* to, std::ptrdiff_t to_stride, const std::uint64_t* from, std::ptrdiff_t from_stride,
                          std::ptrdiff_t rows, std::ptrdiff_t columns) {
  const bool splits = from_stride == rows && rows <= 4, mixes = to_stride == columns && columns <= 4;
  const std::ptrdiff_t width = splits ? rows : columns, length = splits ? columns : rows;
  if ((!splits && !mixes) || width < 2 || length < static_cast<std::ptrdiff_t>(hn::MaxLanes(hn::ScalableTag<std::uint64_t>())))
    return false;
  const auto run = [=](auto known) HWY_ATTR {
    if (splits)
      split_pairs<known>(to, to_stride, from, length);
    else
      mix_pairs<known>(to, from, from_stride, length);
  };
  switch (width) {
    case 2: run(std::integral_constant<std::ptrdiff_t, 2>()); break;
    case 3: run(std::integral_constant<std::ptrdiff_t, 3>()); break;
    default: run(std::integral_constant<std::ptrdiff_t, 4>()); break;
  }
  return true;
}

// Tells whether a matrix of a result of so many bytes goes through a buffer, by tiles that its sides must be long enough for,
// past the caches: where lines meet, since all else takes longer then, as soon as result and source together pass them. Rows that
// do not begin lines of the cache are to be many otherwise, because their ends fill but parts of lines.
template <class T>
bool goes_past_caches(std::ptrdiff_t rows, std::ptrdiff_t columns, bool all_begin_lines, bool meet, std::size_t bytes) {
  constexpr std::ptrdiff_t line = 64 / sizeof(T), many = std::ptrdiff_t{24} << 20;
  if (bytes < (meet ? least_past_caches : least_in_order_past_caches) || rows < line || columns < 2 * line) return false;
  return all_begin_lines || (meet && sizeof(T) >= 4) || rows * columns >= many / std::ptrdiff_t{sizeof(T)};
}

// What takes much of the stack, and what takes many registers, stands apart: small matrices would pay for it.
template <class T, class To, class From>
HWY_NOINLINE void transpose_by_buffer(To to, From from, std::ptrdiff_t rows, std::ptrdiff_t columns, bool meet,
                                      bool all_begin_lines) {
  TileBuffer<T> buffer;
  transpose_past_caches<most_blocks>(to, from, rows, columns, meet, all_begin_lines, buffer);
}

// Takes matrices of any lines; `meet` and `rows_meet` say whether lines of either, or rows of the target, have a stride that is
// bad for caches.
template <class T, class To, class From>
HWY_NOINLINE void transpose_lines(To to, From from, std::ptrdiff_t rows, std::ptrdiff_t columns, bool meet, bool rows_meet,
                                  std::size_t bytes) {
  if (rows < side<T> || columns < side<T>) return transpose_edge(to, from, rows, columns);
  if constexpr (most_blocks > 1)
    if (columns < most_blocks * side<T>) {
      if (rows < most_blocks * side<T>) return transpose_squares<1, most_blocks - 1, T>(to, from, rows, columns);
      return transpose_few_columns<T>(to, from, rows, columns);
    }
  if (bytes >= least_past_caches) {
    const bool all_begin_lines = begin_lines(to, rows);
    if (goes_past_caches<T>(rows, columns, all_begin_lines, meet, bytes))
      return transpose_by_buffer<T>(to, from, rows, columns, meet, all_begin_lines);
  }
  if constexpr (most_tile_blocks > most_blocks)
    if (columns < most_tile_blocks * side<T>) return transpose_squares<most_blocks, 1, T>(to, from, rows, columns);
  transpose_straight<most_tile_blocks, T>(to, from, rows, columns, rows_meet);
}

template <class T>
HWY_INLINE void transpose_elements(T* to, std::ptrdiff_t to_stride, const T* from, std::ptrdiff_t from_stride,
                                   std::ptrdiff_t rows, std::ptrdiff_t columns, std::size_t bytes) {
  constexpr std::ptrdiff_t size = sizeof(T);
#if HWY_TARGET == HWY_AVX3_DL
  if (transpose_whole_vectors(to, to_stride, from, from_stride, rows, columns)) return;
  if constexpr (sizeof(T) >= 4)
    if (covered_by_rectangles<T>(rows, columns)) return transpose_rectangles(to, to_stride, from, from_stride, rows, columns);
#endif
  if (transpose_short_side(to, to_stride, from, from_stride, rows, columns)) return;
  const bool rows_meet = lines_meet(to_stride * size), meet = rows_meet || lines_meet(from_stride * size);
  transpose_lines<T>(EvenLines<T>{to, to_stride}, EvenLines<const T>{from, from_stride}, rows, columns, meet, rows_meet, bytes);
}

void transpose_any(unsigned width, const Matrices<void*>& to, const Matrices<const void*>& from, std::ptrdiff_t rows,
                   std::ptrdiff_t columns, std::size_t count, std::size_t bytes) {
  const auto run = [&]<class T>(T) HWY_ATTR {
    T* out = static_cast<T*>(to.first);
    const T* in = static_cast<const T*>(from.first);
    if (count > 1 && are_of_few_columns<T>(rows, columns))
      return transpose_small_each<most_blocks>(out, to.stride, to.step, in, from.stride, from.step, rows, columns, count);
    for (std::size_t i = 0; i < count; i++, out += to.step, in += from.step)
      transpose_elements(out, to.stride, in, from.stride, rows, columns, bytes);
  };
  with_element(width, run);
}

void transpose_placed_any(unsigned width, void* to, const std::ptrdiff_t* row_places, const void* from,
                          const std::ptrdiff_t* column_places, std::ptrdiff_t rows, std::ptrdiff_t columns, std::size_t bytes) {
  const auto run = [&]<class T>(T) HWY_ATTR {
    const PlacedLines<T> target{static_cast<T*>(to), row_places};
    const PlacedLines<const T> source{static_cast<const T*>(from), column_places};
    transpose_lines<T>(target, source, rows, columns, false, false, bytes);
  };
  with_element(width, run);
}

}  // namespace
}  // namespace transpose_unit
using transpose_unit::transpose_any, transpose_unit::transpose_placed_any;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {

HWY_EXPORT(transpose_any);
HWY_EXPORT(transpose_placed_any);

namespace {

[[gnu::always_inline]] inline void transpose_some(unsigned width, const Matrices<void*>& to, const Matrices<const void*>& from,
                                                  std::size_t rows, std::size_t columns, std::size_t count, std::size_t bytes) {
  HWY_DYNAMIC_DISPATCH(transpose_any)
  (width, to, from, static_cast<std::ptrdiff_t>(rows), static_cast<std::ptrdiff_t>(columns), count, bytes);
}

// Goes through many matrices in groups, and through a long narrow one along its longer side; parts end where vectors and lines of
// the cache do. A large one with two long sides goes in tiles, which are parts of themselves.
[[gnu::noinline]] void transpose_in_parts(unsigned width, const Matrices<void*>& to, const Matrices<const void*>& from,
                                          std::size_t rows, std::size_t columns, std::size_t count, std::size_t bytes) {
  constexpr std::size_t long_side = 64;
  const std::size_t longer = std::max(rows, columns), shorter = std::min(rows, columns);
  const std::size_t part = shorter >= long_side ? longer : std::max<std::size_t>(long_pass / shorter / 64, 1) * 64;
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
                     by_rows ? columns : m, n, bytes);
    }
  }
}

}  // namespace

void transpose_each(unsigned width, const Matrices<void*>& to, const Matrices<const void*>& from, std::size_t rows,
                    std::size_t columns, std::size_t count, std::size_t bytes) {
  if (rows * columns * count > long_pass) [[unlikely]]
    return transpose_in_parts(width, to, from, rows, columns, count, bytes);
  transpose_some(width, to, from, rows, columns, count, bytes);
}
void transpose(unsigned width, void* to, std::ptrdiff_t to_stride, const void* from, std::ptrdiff_t from_stride, std::size_t rows,
               std::size_t columns) {
  transpose_each(width, {to, to_stride, 0}, {from, from_stride, 0}, rows, columns, 1, rows * columns * (width / 8));
}
void transpose_placed(unsigned width, void* to, const std::ptrdiff_t* row_places, const void* from,
                      const std::ptrdiff_t* column_places, std::size_t rows, std::size_t columns, std::size_t bytes) {
  HWY_DYNAMIC_DISPATCH(transpose_placed_any)
  (width, to, row_places, from, column_places, static_cast<std::ptrdiff_t>(rows), static_cast<std::ptrdiff_t>(columns), bytes);
}

}  // namespace griddle::kernels
#endif  // HWY_ONCE
