// Matrices transposed by squares in registers, and large ones by tiles that pass through a buffer. Included once a target.
#if defined(GRIDDLE_TRANSPOSE_TILES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDDLE_TRANSPOSE_TILES_INL_H_
#undef GRIDDLE_TRANSPOSE_TILES_INL_H_
#else
#define GRIDDLE_TRANSPOSE_TILES_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "primitives/kernels/shared/pieces.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

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

// Calls f with an element of so many bits.
template <class F>
HWY_INLINE void with_element(unsigned width, F f) {
  switch (width) {
    case 8: return f(std::uint8_t{});
    case 16: return f(std::uint16_t{});
    case 32: return f(std::uint32_t{});
    default: return f(std::uint64_t{});
  }
}

// Lines of a matrix, each of neighbours in memory: the same distance apart, or where a table says.
template <class T>
struct EvenLines {
  T* first;
  std::ptrdiff_t stride;
  HWY_INLINE T* operator[](std::ptrdiff_t i) const { return first + i * stride; }
};
template <class T>
struct PlacedLines {
  T* first;
  const std::ptrdiff_t* places;
  HWY_INLINE T* operator[](std::ptrdiff_t i) const { return first + places[i]; }
};

// Keeps compilers from preparing the multiples of a stride, which are too many for registers.
template <class T>
HWY_INLINE EvenLines<T> step_by_step(EvenLines<T> lines) {
  asm("" : "+r"(lines.stride));
  return lines;
}
template <class Lines>
HWY_INLINE const Lines& step_by_step(const Lines& lines) {
  return lines;
}

// Loads the beginnings of lines `side` apart.
template <std::ptrdiff_t blocks, class T, class Lines>
HWY_INLINE hn::Vec<Tag<T, blocks>> load_blocks(const Lines& lines, std::ptrdiff_t line) {
  if constexpr (blocks == 1) {
    return hn::LoadU(Tag<T, 1>(), lines[line]);
  } else {
    const auto low = load_blocks<blocks / 2, T>(lines, line);
    const auto high = load_blocks<blocks / 2, T>(lines, line + blocks / 2 * side<T>);
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

// Turns over the first elements of as many lines as fill a vector with blocks.
template <std::ptrdiff_t blocks, class T, class From>
HWY_INLINE void load_square(hn::Vec<Tag<T, blocks>>* a, const From& from) {
  for (std::ptrdiff_t k = 0; k < side<T>; k++) a[k] = load_blocks<blocks, T>(from, k);
  turn_square<T>(Tag<T, blocks>(), a);
}
template <std::ptrdiff_t blocks, class T, class To, class From>
HWY_INLINE void transpose_square(const To& to, const From& from) {
  hn::Vec<Tag<T, blocks>> a[side<T>];
  load_square<blocks, T>(a, from);
  for (std::ptrdiff_t k = 0; k < side<T>; k++) hn::StoreU(a[k], Tag<T, blocks>(), to[k]);
}

// Some lines of a matrix from the same place on, which a loop along them keeps in registers.
template <class T, std::ptrdiff_t count>
struct SomeLines {
  T* of[count];
  std::ptrdiff_t place = 0;
  HWY_INLINE T* operator[](std::ptrdiff_t i) const { return of[i] + place; }
};
template <std::ptrdiff_t count, class T>
HWY_INLINE EvenLines<T> some_lines(const EvenLines<T>& lines, std::ptrdiff_t first) {
  return {lines[first], lines.stride};
}
template <std::ptrdiff_t count, class T>
HWY_INLINE SomeLines<T, count> some_lines(const PlacedLines<T>& lines, std::ptrdiff_t first) {
  SomeLines<T, count> some;
  for (std::ptrdiff_t k = 0; k < count; k++) some.of[k] = lines[first + k];
  return some;
}
template <class T>
HWY_INLINE EvenLines<T> lines_after(const EvenLines<T>& lines, std::ptrdiff_t count) {
  return {lines[count], lines.stride};
}
template <class T, std::ptrdiff_t all>
HWY_INLINE SomeLines<T, side<T>> lines_after(const SomeLines<T, all>& lines, std::ptrdiff_t count) {
  SomeLines<T, side<T>> some;
  for (std::ptrdiff_t k = 0; k < side<T>; k++) some.of[k] = lines.of[count + k];
  return some;
}
template <class T>
HWY_INLINE EvenLines<T> lines_from(const EvenLines<T>& lines, std::ptrdiff_t place) {
  return {lines.first + place, lines.stride};
}
template <class T, std::ptrdiff_t count>
HWY_INLINE SomeLines<T, count> lines_from(SomeLines<T, count> lines, std::ptrdiff_t place) {
  lines.place = place;
  return lines;
}

// to[r × to_stride + c] = from[first + c][place + r] for r < rows, c < columns; both sides are as long as a vector's squares, or
// longer. The last squares overlap those before.
template <std::ptrdiff_t blocks, class T, class Lines>
HWY_INLINE void transpose_tile(T* to, std::ptrdiff_t to_stride, const Lines& from, std::ptrdiff_t first, std::ptrdiff_t place,
                               std::ptrdiff_t rows, std::ptrdiff_t columns) {
  constexpr std::ptrdiff_t n = side<T>, breadth = blocks * n, line = 64 / sizeof(T);
  for (std::ptrdiff_t c0 = 0; c0 < columns; c0 += breadth) {
    const std::ptrdiff_t c = c0 + breadth <= columns ? c0 : columns - breadth;
    const auto lines = some_lines<breadth>(from, first + c);
    const auto square = [&](std::ptrdiff_t r) HWY_ATTR {
      transpose_square<blocks, T>(EvenLines<T>{to + r * to_stride + c, to_stride}, lines_from(lines, place + r));
    };
    std::ptrdiff_t r = 0;
    for (; r + line <= rows; r += line) {
#pragma GCC unroll 4
      for (std::ptrdiff_t k = 0; k < line; k += n) square(r + k);
    }
    for (; r < rows; r += n) square(r + n <= rows ? r : rows - n);
  }
}

// Fetches what the next tile will read.
template <class T, class Lines>
HWY_INLINE void fetch_tile(const Lines& from, std::ptrdiff_t first, std::ptrdiff_t place, std::ptrdiff_t columns) {
  for (std::ptrdiff_t c = first; c < first + columns; c++) hwy::Prefetch(from[c] + place);
}

// Copies elements, at least a vector of them.
template <class T>
HWY_INLINE void copy_row(T* to, const T* from, std::ptrdiff_t n) {
  const Tag<T, most_blocks> d;
  const std::ptrdiff_t lanes = static_cast<std::ptrdiff_t>(hn::Lanes(d));
  for (std::ptrdiff_t i = 0; i + lanes <= n; i += lanes) hn::StoreU(hn::LoadU(d, from + i), d, to + i);
  if (n % lanes != 0) hn::StoreU(hn::LoadU(d, from + n - lanes), d, to + n - lanes);
}

// Writes elements of the buffer, whole lines past the caches.
template <class T>
HWY_INLINE void write_past_caches(T* to, const T* from, std::ptrdiff_t n) {
  constexpr std::ptrdiff_t line = 64 / sizeof(T);
  const Tag<T, most_blocks> d;
  const std::ptrdiff_t lanes = static_cast<std::ptrdiff_t>(hn::Lanes(d));
  const auto misplaced = static_cast<std::ptrdiff_t>(reinterpret_cast<std::uintptr_t>(to) % 64 / sizeof(T));
  std::ptrdiff_t i = misplaced == 0 ? 0 : std::min(line - misplaced, n);
  if (i != 0) std::memcpy(to, from, static_cast<std::size_t>(i) * sizeof(T));
  for (; i + line <= n; i += line)
    for (std::ptrdiff_t k = 0; k < line; k += lanes) hn::Stream(hn::LoadU(d, from + i + k), d, to + i + k);
  if (i < n) std::memcpy(to + i, from + i, static_cast<std::size_t>(n - i) * sizeof(T));
}

// Calls f(start, end) for parts of a side; the last one may be half as long as others, or half as long again.
template <class F>
HWY_INLINE void each_tile(std::ptrdiff_t side, std::ptrdiff_t part, F f) {
  for (std::ptrdiff_t start = 0, end; start < side; start = end) {
    end = side - start < part + part / 2 ? side : start + part;
    f(start, end);
  }
}

// Room for a tile that passes through a buffer in the nearest cache: a line of the source by some lines of the target, so that
// each line is read and written once, as a whole, and no stride makes lines that are still needed meet in the same places of a
// cache.
template <class T>
struct TileBuffer {
  static constexpr std::ptrdiff_t line = 64 / sizeof(T);
  static constexpr std::ptrdiff_t rows = line;
  static constexpr std::ptrdiff_t columns = (sizeof(T) == 8 ? 8 : sizeof(T) == 1 ? 2 : 4) * line;
  static constexpr std::ptrdiff_t stride = columns + columns / 2 + line;
  alignas(64) T elements[(rows + rows / 2) * stride];
};

// Tells whether each row begins a line of the cache.
template <class Lines>
HWY_INLINE bool begin_lines(const Lines& to, std::ptrdiff_t rows) {
  for (std::ptrdiff_t r = 0; r < rows; r++)
    if (reinterpret_cast<std::uintptr_t>(to[r]) % 64 != 0) return false;
  return true;
}

// Transposes by such tiles along lines of the source, where those of the target go past the caches: each row of a tile begins
// where one does. Lines that meet go in broader tiles: the processor does not fetch them by itself.
template <std::ptrdiff_t blocks, class To, class From, class T>
void transpose_past_caches(To to, From from, std::ptrdiff_t rows, std::ptrdiff_t columns, bool meet, bool all_begin_lines,
                           TileBuffer<T>& buffer) {
  using Buffer = TileBuffer<T>;
  constexpr std::ptrdiff_t line = Buffer::line;
  const std::ptrdiff_t few = meet ? Buffer::columns : 2 * line;
  ElementsDone done;
  each_tile(columns, all_begin_lines ? few : Buffer::columns, [&](std::ptrdiff_t c0, std::ptrdiff_t c1) HWY_ATTR {
    // Rows of the tile that do not begin a line of the target take the beginning of the next tile.
    const std::ptrdiff_t read = all_begin_lines ? c1 : std::min(c1 + line, columns);
    each_tile(rows, Buffer::rows, [&](std::ptrdiff_t r0, std::ptrdiff_t r1) HWY_ATTR {
      if (r1 < rows)
        fetch_tile<T>(from, c0, r1, read - c0);
      else if (c1 < columns)
        fetch_tile<T>(from, c1, 0, std::min(few, columns - c1));
      transpose_tile<blocks>(buffer.elements, Buffer::stride, from, c0, r0, r1 - r0, read - c0);
      for (std::ptrdiff_t r = r0; r < r1; r++) {
        const T* row = buffer.elements + (r - r0) * Buffer::stride;
        T* const out = to[r] + c0;
        const auto misplaced = static_cast<std::ptrdiff_t>(reinterpret_cast<std::uintptr_t>(out) % 64 / sizeof(T));
        const std::ptrdiff_t later = misplaced == 0 ? 0 : line - misplaced;
        const std::ptrdiff_t start = c0 == 0 ? 0 : later, end = c1 == columns ? c1 - c0 : c1 - c0 + later;
        write_past_caches(out + start, row + start, end - start);
      }
      done.add(static_cast<std::size_t>((r1 - r0) * (c1 - c0)));
    });
  });
  hwy::FlushStream();
}

// Calls f with the place of each `step` of a length that is as long or longer: the last may begin within the one before.
template <class F>
HWY_INLINE void each_step(std::ptrdiff_t from, std::ptrdiff_t end, std::ptrdiff_t length, std::ptrdiff_t step, F f) {
  std::ptrdiff_t i = from;
  for (; i + step <= end; i += step) f(i);
  if (i < end) f(std::min(i, length - step));
}

// Transposes some rows of few columns along their lines, so that each row of the target is written at once: one or two squares,
// and one of `last_blocks` that overlaps them.
template <std::ptrdiff_t blocks, std::ptrdiff_t squares, std::ptrdiff_t last_blocks, class T, class To, class From>
HWY_INLINE void transpose_rows_of_columns(To to, From from, std::ptrdiff_t start, std::ptrdiff_t end, std::ptrdiff_t rows,
                                          std::ptrdiff_t columns) {
  constexpr std::ptrdiff_t n = side<T>, breadth = blocks * n;
  const std::ptrdiff_t rest = columns - last_blocks * n;
  const Tag<T, blocks> d;
  const auto first = some_lines<breadth>(from, 0), second = some_lines<breadth>(from, squares > 1 ? breadth : 0);
  const auto last = some_lines<std::max<std::ptrdiff_t>(last_blocks, 1) * n>(from, last_blocks == 0 ? 0 : rest);
  each_step(start, end, rows, n, [&](std::ptrdiff_t r) HWY_ATTR {
    const auto target = some_lines<n>(to, r);
    hn::Vec<Tag<T, blocks>> a[n], b[n];
    hn::Vec<Tag<T, std::max<std::ptrdiff_t>(last_blocks, 1)>> c[n];
    load_square<blocks, T>(a, lines_from(step_by_step(first), r));
    if constexpr (squares > 1) load_square<blocks, T>(b, lines_from(step_by_step(second), r));
    if constexpr (last_blocks != 0) load_square<last_blocks, T>(c, lines_from(step_by_step(last), r));
    for (std::ptrdiff_t k = 0; k < n; k++) {
      hn::StoreU(a[k], d, target[k]);
      if constexpr (squares > 1) hn::StoreU(b[k], d, target[k] + breadth);
      if constexpr (last_blocks != 0) hn::StoreU(c[k], Tag<T, last_blocks>(), target[k] + rest);
    }
  });
}
template <std::ptrdiff_t blocks, std::ptrdiff_t squares, std::ptrdiff_t last_blocks, class T, class To, class From>
HWY_NOINLINE void transpose_columns(To to, From from, std::ptrdiff_t rows, std::ptrdiff_t columns) {
  constexpr std::ptrdiff_t some_rows = 2048;
  ElementsDone done;
  for (std::ptrdiff_t r = 0; r < rows; r += some_rows) {
    const std::ptrdiff_t end = std::min(r + some_rows, rows);
    transpose_rows_of_columns<blocks, squares, last_blocks, T>(to, from, r, end, rows, columns);
    done.add(static_cast<std::size_t>((end - r) * columns));
  }
}
// Calls f with the numbers of squares, one or up to two of `blocks`, and of blocks of the last one, that few columns take.
template <std::ptrdiff_t blocks, std::ptrdiff_t most_squares, class T, class F>
HWY_INLINE void with_squares(std::ptrdiff_t columns, F f) {
  constexpr std::ptrdiff_t breadth = blocks * side<T>, half = blocks / 2;
  const auto with_rest = [&](auto squares) HWY_ATTR {
    const std::ptrdiff_t rest = columns - squares * breadth;
    if (rest == 0) return f(squares, std::integral_constant<std::ptrdiff_t, 0>());
    if constexpr (half != 0)
      if (rest <= half * side<T>) return f(squares, std::integral_constant<std::ptrdiff_t, half>());
    f(squares, std::integral_constant<std::ptrdiff_t, blocks>());
  };
  if (most_squares == 1 || columns < 2 * breadth) return with_rest(std::integral_constant<std::ptrdiff_t, 1>());
  if constexpr (most_squares > 1) with_rest(std::integral_constant<std::ptrdiff_t, 2>());
}

// Transposes columns that are fewer than one square of `blocks` more than most_squares.
template <std::ptrdiff_t blocks, std::ptrdiff_t most_squares, class T, class To, class From>
HWY_NOINLINE void transpose_squares(To to, From from, std::ptrdiff_t rows, std::ptrdiff_t columns) {
  with_squares<blocks, most_squares, T>(columns, [&](auto squares, auto last_blocks) HWY_ATTR {
    transpose_columns<blocks, squares, last_blocks, T>(to, from, rows, columns);
  });
}

// Transposes `count` small matrices of few columns one after the other: to find the way for each would take as long as to go it.
template <class T>
bool are_of_few_columns(std::ptrdiff_t rows, std::ptrdiff_t columns) {
  constexpr std::ptrdiff_t breadth = most_blocks * side<T>, most_rows = 64;
  return most_tile_blocks == most_blocks && rows >= side<T> && rows <= most_rows && columns >= breadth && columns < 3 * breadth;
}
template <std::ptrdiff_t blocks, class T>
void transpose_small_each(T* to, std::ptrdiff_t to_stride, std::ptrdiff_t to_step, const T* from, std::ptrdiff_t from_stride,
                          std::ptrdiff_t from_step, std::ptrdiff_t rows, std::ptrdiff_t columns, std::size_t count) {
  with_squares<blocks, 2, T>(columns, [&](auto squares, auto last_blocks) HWY_ATTR {
    ElementsDone done;
    for (std::size_t i = 0; i < count; i++, to += to_step, from += from_step) {
      const EvenLines<T> target{to, to_stride};
      const EvenLines<const T> source{from, from_stride};
      transpose_rows_of_columns<blocks, squares, last_blocks, T>(target, source, 0, rows, rows, columns);
      done.add(static_cast<std::size_t>(rows * columns));
    }
  });
}

// Transposes a few squares' height of rows along them, for some columns at a time.
template <std::ptrdiff_t blocks, std::ptrdiff_t squares, class T, class To, class From>
HWY_INLINE void transpose_along_rows(To to, From from, std::ptrdiff_t r, std::ptrdiff_t c, std::ptrdiff_t end,
                                     std::ptrdiff_t columns) {
  constexpr std::ptrdiff_t n = side<T>, breadth = blocks * n;
  const auto target = some_lines<squares * n>(to, r);
  each_step(c, end, columns, breadth, [&](std::ptrdiff_t column) HWY_ATTR {
    const auto lines = step_by_step(some_lines<breadth>(from, column));
    const auto results = step_by_step(target);
    const auto square = [&](std::ptrdiff_t k) HWY_ATTR {
      transpose_square<blocks, T>(lines_from(lines_after(results, k), column), lines_from(lines, r + k));
    };
    [&]<std::ptrdiff_t... k>(std::integer_sequence<std::ptrdiff_t, k...>) HWY_ATTR { (square(k * n), ...); }
    (std::make_integer_sequence<std::ptrdiff_t, squares>());
  });
}

// Transposes by squares that go straight to the target, along lines of the source, which the processor fetches ahead. Many rows
// go in bands, whose unfinished lines stay in the second cache; where lines meet, bands are a line of the source, and
// where they are so few that all are fetched ahead at once, some lines. The last squares overlap those before.
template <std::ptrdiff_t blocks, class T, class To, class From>
void transpose_straight(To to, From from, std::ptrdiff_t rows, std::ptrdiff_t columns, bool meet) {
  constexpr std::ptrdiff_t n = side<T>, breadth = blocks * n, line = 64 / sizeof(T), most = 2048, some_columns = 256,
                           few_lines = 16;
  const std::ptrdiff_t band = meet ? line : columns <= few_lines ? 4 * line : most;
  if (columns < 3 * breadth) return transpose_squares<blocks, 2, T>(to, from, rows, columns);
  ElementsDone done;
  if (rows < 2 * line) {
    for (std::ptrdiff_t c = 0; c < columns; c += some_columns) {
      const std::ptrdiff_t end = std::min(c + some_columns, columns);
      std::ptrdiff_t r = 0;
      for (; r + line <= rows; r += line) transpose_along_rows<blocks, line / n, T>(to, from, r, c, end, columns);
      for (; r < rows; r += n) transpose_along_rows<blocks, 1, T>(to, from, std::min(r, rows - n), c, end, columns);
      done.add(static_cast<std::size_t>(rows * (end - c)));
    }
    return;
  }
  for (std::ptrdiff_t r0 = 0; r0 < rows; r0 += band) {
    const std::ptrdiff_t r1 = std::min(r0 + band, rows);
    for (std::ptrdiff_t c1 = 0; c1 < columns; c1 += some_columns) {
      const std::ptrdiff_t end = std::min(c1 + some_columns, columns);
      for (std::ptrdiff_t c0 = c1; c0 < end; c0 += breadth) {
        const std::ptrdiff_t c = c0 + breadth <= columns ? c0 : columns - breadth;
        const auto lines = some_lines<breadth>(from, c);
        const auto square = [&](std::ptrdiff_t r) HWY_ATTR {
          transpose_square<blocks, T>(lines_from(some_lines<n>(to, r), c), lines_from(lines, r));
        };
        std::ptrdiff_t r = r0;
        if constexpr (sizeof(T) >= 4)
          for (; r + line <= r1; r += line) {
#pragma GCC unroll 4
            for (std::ptrdiff_t k = 0; k < line; k += n) square(r + k);
          }
        for (; r < r1; r += n) square(r + n <= rows ? r : rows - n);
      }
      done.add(static_cast<std::size_t>((r1 - r0) * (end - c1)));
    }
  }
}

// Transposes few columns, by vectors along them whose blocks hold squares that follow each other. The last ones overlap those
// before.
template <class T, class To, class From>
void transpose_few_columns(To to, From from, std::ptrdiff_t rows, std::ptrdiff_t columns) {
  using D = Tag<T, most_blocks>;
  constexpr std::ptrdiff_t n = side<T>, height = most_blocks * n, some_rows = 256;
  const Tag<T, 1> block;
  ElementsDone done;
  for (std::ptrdiff_t r1 = 0; r1 < rows; r1 += some_rows) {
    const std::ptrdiff_t end = std::min(r1 + some_rows, rows);
    for (std::ptrdiff_t c0 = 0; c0 < columns; c0 += n) {
      const std::ptrdiff_t c = std::min(c0, columns - n);
      const auto source = some_lines<n>(from, c);
      for (std::ptrdiff_t r0 = r1; r0 < end; r0 += height) {
        const std::ptrdiff_t r = std::min(r0, rows - height);
        const auto lines = lines_from(source, r);
        hn::Vec<D> a[n];
        for (std::ptrdiff_t k = 0; k < n; k++) a[k] = hn::LoadU(D(), lines[k]);
        turn_square<T>(D(), a);
        const auto target = lines_from(some_lines<height>(to, r), c);
        // Neighbours go one after the other, as few columns may share a line.
        if constexpr (most_blocks == 1) {
          for (std::ptrdiff_t k = 0; k < n; k++) hn::StoreU(a[k], block, target[k]);
        } else {
          for (std::ptrdiff_t k = 0; k < n; k++) hn::StoreU(hn::LowerHalf(block, a[k]), block, target[k]);
          for (std::ptrdiff_t k = 0; k < n; k++) hn::StoreU(hn::UpperHalf(block, a[k]), block, target[n + k]);
        }
      }
    }
    done.add(static_cast<std::size_t>((end - r1) * columns));
  }
}

// Tells whether lines so many bytes apart meet in a few places of a cache.
HWY_INLINE bool lines_meet(std::ptrdiff_t stride) {
  constexpr std::ptrdiff_t wrap = 2048, near = 32;
  const std::ptrdiff_t rest = stride & (wrap - 1);
  return rest < near || rest > wrap - near;
}

}  // namespace
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
