#include "primitives/kernels/transpose.h"

#include "primitives/kernels/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "primitives/kernels/transpose.cc"
#include "hwy/foreach_target.h"
//
#include "hwy/highway.h"
#include "primitives/kernels/bit_runs.h"

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

// 16 bytes hold one row of a square of side `side`.
template <class T>
using Row = hn::FixedTag<T, 16 / sizeof(T)>;
template <class T>
constexpr std::ptrdiff_t side = 16 / sizeof(T);

// Interleaves `count` vectors with those `count` further on, until neighbours stand where columns stood.
// Each round halves the distance between elements of one column; after log2(side) rounds vector k is column k.
template <class T>
HWY_INLINE void transpose_square(T* to, std::ptrdiff_t to_stride, const T* from, std::ptrdiff_t from_stride) {
  const Row<T> d;
  constexpr std::ptrdiff_t n = side<T>;
  hn::Vec<Row<T>> a[n], b[n];
  for (std::ptrdiff_t k = 0; k < n; k++) a[k] = hn::LoadU(d, from + k * from_stride);
  for (std::ptrdiff_t round = 1; round < n; round *= 2) {
    for (std::ptrdiff_t k = 0; k < n / 2; k++) {
      b[2 * k] = hn::InterleaveLower(d, a[k], a[k + n / 2]);
      b[2 * k + 1] = hn::InterleaveUpper(d, a[k], a[k + n / 2]);
    }
    for (std::ptrdiff_t k = 0; k < n; k++) a[k] = b[k];
  }
  for (std::ptrdiff_t k = 0; k < n; k++) hn::StoreU(a[k], d, to + k * to_stride);
}

// Walks in squares of a cache line, so that lines on both sides are used whole.
template <class T>
void transpose_tiles(T* to, std::ptrdiff_t to_stride, const T* from, std::ptrdiff_t from_stride, std::ptrdiff_t rows,
                     std::ptrdiff_t columns) {
  constexpr std::ptrdiff_t n = side<T>, line = 64 / sizeof(T);
  const std::ptrdiff_t whole_rows = rows - rows % n, whole_columns = columns - columns % n;
  for (std::ptrdiff_t r0 = 0; r0 < whole_rows; r0 += line) {
    const std::ptrdiff_t r1 = r0 + line < whole_rows ? r0 + line : whole_rows;
    for (std::ptrdiff_t c = 0; c < whole_columns; c += n)
      for (std::ptrdiff_t r = r0; r < r1; r += n)
        transpose_square(to + r * to_stride + c, to_stride, from + r + c * from_stride, from_stride);
  }
  transpose_edge(to + whole_rows * to_stride, to_stride, from + whole_rows, from_stride, rows - whole_rows, columns);
  transpose_edge(to + whole_columns, to_stride, from + whole_columns * from_stride, from_stride, whole_rows,
                 columns - whole_columns);
}

// Splits `streams` interleaved streams, a power of two: each round parts neighbours into even and odd.
template <std::ptrdiff_t streams, class T>
std::ptrdiff_t split_streams(T* to, std::ptrdiff_t to_stride, const T* from, std::ptrdiff_t columns) {
  const hn::ScalableTag<T> d;
  const auto lanes = static_cast<std::ptrdiff_t>(hn::Lanes(d));
  std::ptrdiff_t c = 0;
  for (; c + lanes <= columns; c += lanes) {
    hn::Vec<decltype(d)> a[streams], b[streams];
    for (std::ptrdiff_t k = 0; k < streams; k++) a[k] = hn::LoadU(d, from + c * streams + k * lanes);
    for (std::ptrdiff_t round = 1; round < streams; round *= 2) {
      for (std::ptrdiff_t k = 0; k < streams / 2; k++) {
        b[k] = hn::ConcatEven(d, a[2 * k + 1], a[2 * k]);
        b[k + streams / 2] = hn::ConcatOdd(d, a[2 * k + 1], a[2 * k]);
      }
      for (std::ptrdiff_t k = 0; k < streams; k++) a[k] = b[k];
    }
    for (std::ptrdiff_t k = 0; k < streams; k++) hn::StoreU(a[k], d, to + k * to_stride + c);
  }
  return c;
}

template <class T>
std::ptrdiff_t split_three(T* to, std::ptrdiff_t to_stride, const T* from, std::ptrdiff_t columns) {
  const Row<T> d;
  std::ptrdiff_t c = 0;
  for (; c + side<T> <= columns; c += side<T>) {
    hn::Vec<Row<T>> v0, v1, v2;
    hn::LoadInterleaved3(d, from + 3 * c, v0, v1, v2);
    hn::StoreU(v0, d, to + c);
    hn::StoreU(v1, d, to + to_stride + c);
    hn::StoreU(v2, d, to + 2 * to_stride + c);
  }
  return c;
}

// Interleaves `streams` streams, a power of two.
template <std::ptrdiff_t streams, class T>
std::ptrdiff_t mix_streams(T* to, const T* from, std::ptrdiff_t from_stride, std::ptrdiff_t rows) {
  const Row<T> d;
  std::ptrdiff_t r = 0;
  for (; r + side<T> <= rows; r += side<T>) {
    hn::Vec<Row<T>> a[streams], b[streams];
    for (std::ptrdiff_t k = 0; k < streams; k++) a[k] = hn::LoadU(d, from + k * from_stride + r);
    for (std::ptrdiff_t round = 1; round < streams; round *= 2) {
      for (std::ptrdiff_t k = 0; k < streams / 2; k++) {
        b[2 * k] = hn::InterleaveLower(d, a[k], a[k + streams / 2]);
        b[2 * k + 1] = hn::InterleaveUpper(d, a[k], a[k + streams / 2]);
      }
      for (std::ptrdiff_t k = 0; k < streams; k++) a[k] = b[k];
    }
    for (std::ptrdiff_t k = 0; k < streams; k++) hn::StoreU(a[k], d, to + r * streams + k * side<T>);
  }
  return r;
}

// Interleaves two streams by vectors of at most two halves.
template <class T>
std::ptrdiff_t mix_two(T* to, const T* from, std::ptrdiff_t from_stride, std::ptrdiff_t rows) {
  const hn::CappedTag<T, 32 / sizeof(T)> d;
  const auto lanes = static_cast<std::ptrdiff_t>(hn::Lanes(d));
  std::ptrdiff_t r = 0;
  for (; r + lanes <= rows; r += lanes) {
    const auto a = hn::LoadU(d, from + r), b = hn::LoadU(d, from + from_stride + r);
    const auto lower = hn::InterleaveLower(d, a, b), upper = hn::InterleaveUpper(d, a, b);
    if constexpr (hn::MaxLanes(hn::CappedTag<T, 32 / sizeof(T)>()) * sizeof(T) <= 16) {
      hn::StoreU(lower, d, to + 2 * r);
      hn::StoreU(upper, d, to + 2 * r + lanes);
    } else {
      hn::StoreU(hn::ConcatLowerLower(d, upper, lower), d, to + 2 * r);
      hn::StoreU(hn::ConcatUpperUpper(d, upper, lower), d, to + 2 * r + lanes);
    }
  }
  return r;
}

template <class T>
void transpose_elements(T* to, std::ptrdiff_t to_stride, const T* from, std::ptrdiff_t from_stride, std::ptrdiff_t rows,
                        std::ptrdiff_t columns) {
  if (from_stride == rows && rows <= 8) {
    std::ptrdiff_t done = rows == 2   ? split_streams<2>(to, to_stride, from, columns)
                          : rows == 3 ? split_three(to, to_stride, from, columns)
                          : rows == 4 ? split_streams<4>(to, to_stride, from, columns)
                          : rows == 8 ? split_streams<8>(to, to_stride, from, columns)
                                      : 0;
    to += done, from += done * from_stride, columns -= done;
  } else if (to_stride == columns && columns <= 8) {
    std::ptrdiff_t done = columns == 2   ? mix_two(to, from, from_stride, rows)
                          : columns == 4 ? mix_streams<4>(to, from, from_stride, rows)
                          : columns == 8 ? mix_streams<8>(to, from, from_stride, rows)
                                         : 0;
    to += done * to_stride, from += done, rows -= done;
  }
  transpose_tiles(to, to_stride, from, from_stride, rows, columns);
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

// Transposes the 8×8 bits of a word.
HWY_INLINE std::uint64_t transpose_bit_word(std::uint64_t v) {
  std::uint64_t t = (v ^ v >> 7) & 0x00AA00AA00AA00AAull;
  v ^= t ^ t << 7;
  t = (v ^ v >> 14) & 0x0000CCCC0000CCCCull;
  v ^= t ^ t << 14;
  t = (v ^ v >> 28) & 0x00000000F0F0F0F0ull;
  return v ^ t ^ t << 28;
}

HWY_INLINE std::uint64_t take_bits(std::uint64_t v, std::uint64_t mask) {
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  return _pext_u64(v, mask);
#else
  std::uint64_t out = 0;
  for (std::uint64_t bit = 1; mask; mask &= mask - 1, bit <<= 1)
    if (v & mask & (~mask + 1)) out |= bit;
  return out;
#endif
}

// Splits `rows` (2 to 7) interleaved streams of bits. Groups of 64 ÷ rows columns fit a word.
void split_bit_streams(std::uint64_t* to, std::size_t to_start, std::size_t to_stride, const std::uint64_t* from,
                       std::size_t from_start, std::size_t rows, std::size_t columns) {
  const std::size_t group = 64 / rows;
  std::uint64_t stream = 0;
  for (std::size_t k = 0; k < group; k++) stream |= std::uint64_t{1} << (k * rows);
  std::size_t c = 0;
  if (rows == 2)
    for (; c + 64 <= columns; c += 64) {
      const std::uint64_t low = read_bits(from, from_start + 2 * c, 64), high = read_bits(from, from_start + 2 * c + 64, 64);
      for (std::size_t r = 0; r < 2; r++)
        write_bits(to, to_start + r * to_stride + c, 64, take_bits(low >> r, stream) | take_bits(high >> r, stream) << 32);
    }
  while (c < columns) {
    // Gathers up to 64 columns of each stream before it writes them.
    std::uint64_t words[8] = {};
    std::size_t held = 0;
    while (held < 64 && c + held < columns) {
      std::size_t count = columns - c - held < group ? columns - c - held : group;
      if (count > 64 - held) count = 64 - held;
      const std::uint64_t v = read_bits(from, from_start + (c + held) * rows, count * rows);
      for (std::size_t r = 0; r < rows; r++) words[r] |= take_bits(v >> r, stream) << held;
      held += count;
    }
    for (std::size_t r = 0; r < rows; r++) write_bits(to, to_start + r * to_stride + c, held, words[r] & low_bits(held));
    c += held;
  }
}

// Splits 8 interleaved streams of bits.
void split_eight_bit_streams(std::uint64_t* to, std::size_t to_start, std::size_t to_stride, const std::uint64_t* from,
                             std::size_t from_start, std::size_t columns) {
  for (std::size_t c = 0; c < columns; c += 64) {
    const std::size_t held = columns - c < 64 ? columns - c : 64;
    std::uint64_t words[8] = {};
    for (std::size_t k = 0; k < held; k += 8) {
      const std::size_t count = held - k < 8 ? held - k : 8;
      const std::uint64_t v = transpose_bit_word(read_bits(from, from_start + (c + k) * 8, count * 8));
      for (std::size_t r = 0; r < 8; r++) words[r] |= (v >> (8 * r) & 0xFF) << k;
    }
    for (std::size_t r = 0; r < 8; r++) write_bits(to, to_start + r * to_stride + c, held, words[r] & low_bits(held));
  }
}

// Interleaves 8 streams of bits.
void mix_eight_bit_streams(std::uint64_t* to, std::size_t to_start, const std::uint64_t* from, std::size_t from_start,
                           std::size_t from_stride, std::size_t rows) {
  for (std::size_t r = 0; r < rows; r += 64) {
    const std::size_t held = rows - r < 64 ? rows - r : 64;
    std::uint64_t words[8];
    for (std::size_t k = 0; k < 8; k++) words[k] = read_bits(from, from_start + k * from_stride + r, held);
    for (std::size_t k = 0; k < held; k += 8) {
      const std::size_t count = held - k < 8 ? held - k : 8;
      std::uint64_t v = 0;
      for (std::size_t j = 0; j < 8; j++) v |= (words[j] >> k & 0xFF) << (8 * j);
      write_bits(to, to_start + (r + k) * 8, count * 8, transpose_bit_word(v) & low_bits(count * 8));
    }
  }
}

void transpose_bits_any(std::uint64_t* to, std::size_t to_start, std::size_t to_stride, const std::uint64_t* from,
                        std::size_t from_start, std::size_t from_stride, std::size_t rows, std::size_t columns) {
  if (from_stride == rows && rows < 8 && rows > 1)
    return split_bit_streams(to, to_start, to_stride, from, from_start, rows, columns);
  if (from_stride == 8 && rows == 8) return split_eight_bit_streams(to, to_start, to_stride, from, from_start, columns);
  if (to_stride == 8 && columns == 8) return mix_eight_bit_streams(to, to_start, from, from_start, from_stride, rows);
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
