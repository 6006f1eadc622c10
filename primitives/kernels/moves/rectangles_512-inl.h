// Matrices transposed by rectangles with sides of 2, 4 or 8, of 32 or 64 bits an element (AVX3_DL). Included once a target.
#if defined(GRIDDLE_RECTANGLES_512_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDDLE_RECTANGLES_512_INL_H_
#undef GRIDDLE_RECTANGLES_512_INL_H_
#else
#define GRIDDLE_RECTANGLES_512_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "primitives/kernels/shared/interleave-inl.h"
#include "primitives/kernels/shared/pieces.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace {

#if HWY_TARGET == HWY_AVX3_DL

// Load as many short lines as fill a vector, which lie `stride` apart, and store them.
template <std::ptrdiff_t length>
HWY_INLINE __m512i load_lines(const std::uint64_t* from, std::ptrdiff_t stride) {
  if constexpr (length == 8) {
    return _mm512_loadu_si512(from);
  } else if constexpr (length == 4) {
    const __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
    return _mm512_inserti64x4(_mm512_castsi256_si512(low), _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + stride)),
                              1);
  } else {
    const auto line = [=](std::ptrdiff_t k)
                          HWY_ATTR { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + k * stride)); };
    const __m256i low = _mm256_inserti128_si256(_mm256_castsi128_si256(line(0)), line(1), 1);
    const __m256i high = _mm256_inserti128_si256(_mm256_castsi128_si256(line(2)), line(3), 1);
    return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
  }
}
template <std::ptrdiff_t length>
HWY_INLINE void store_lines(__m512i v, std::uint64_t* to, std::ptrdiff_t stride) {
  if constexpr (length == 8) {
    _mm512_storeu_si512(to, v);
  } else if constexpr (length == 4) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm512_castsi512_si256(v));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + stride), _mm512_extracti64x4_epi64(v, 1));
  } else {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm512_castsi512_si128(v));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to + stride), _mm512_extracti64x2_epi64(v, 1));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to + 2 * stride), _mm512_extracti64x2_epi64(v, 2));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to + 3 * stride), _mm512_extracti64x2_epi64(v, 3));
  }
}

// Turns a square of 8 over: blocks of two elements of all columns are loaded, and need but one exchange.
HWY_INLINE void transpose_square(std::uint64_t* to, std::ptrdiff_t to_stride, const std::uint64_t* from,
                                 std::ptrdiff_t from_stride) {
#pragma GCC unroll 4
  for (std::ptrdiff_t r = 0; r < 8; r += 2) {
    const __m512i even = load_lines<2>(from + r, 2 * from_stride), odd = load_lines<2>(from + r + from_stride, 2 * from_stride);
    _mm512_storeu_si512(to + r * to_stride, _mm512_unpacklo_epi64(even, odd));
    _mm512_storeu_si512(to + (r + 1) * to_stride, _mm512_unpackhi_epi64(even, odd));
  }
}

// The same for two or four of both.
template <std::ptrdiff_t rows, std::ptrdiff_t columns>
HWY_INLINE void transpose_small(std::uint64_t* to, std::ptrdiff_t to_stride, const std::uint64_t* from,
                                std::ptrdiff_t from_stride) {
  const auto line = [=](std::ptrdiff_t r, std::ptrdiff_t c)
                        HWY_ATTR { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + r + c * from_stride)); };
#pragma GCC unroll 2
  for (std::ptrdiff_t r = 0; r < rows; r += 2)
#pragma GCC unroll 2
    for (std::ptrdiff_t c = 0; c < columns; c += 2) {
      const __m128i first = line(r, c), second = line(r, c + 1);
      std::uint64_t* out = to + r * to_stride + c;
      _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm_unpacklo_epi64(first, second));
      _mm_storeu_si128(reinterpret_cast<__m128i*>(out + to_stride), _mm_unpackhi_epi64(first, second));
    }
}

// to[r × to_stride + c] = from[r + c × from_stride] for r < rows, c < columns. The compiler would otherwise compute all places
// before a loop, more than there are registers.
template <std::ptrdiff_t rows, std::ptrdiff_t columns>
[[gnu::noinline]] void transpose_rectangle(std::uint64_t* to, std::ptrdiff_t to_stride, const std::uint64_t* from,
                                           std::ptrdiff_t from_stride) {
  if constexpr (rows == 8 && columns == 8) return transpose_square(to, to_stride, from, from_stride);
  if constexpr (rows < 8 && columns < 8) return transpose_small<rows, columns>(to, to_stride, from, from_stride);
  constexpr std::ptrdiff_t vectors = rows * columns / 8, loaded = 8 / rows, stored = 8 / columns;
  __m512i v[vectors];
#pragma GCC unroll 8
  for (std::ptrdiff_t k = 0; k < vectors; k++) v[k] = load_lines<rows>(from + k * loaded * from_stride, from_stride);
  if constexpr (columns == 8)
    rows_to_columns<std::uint64_t, vectors>(v);
  else
    columns_to_rows<std::uint64_t, vectors>(v);
#pragma GCC unroll 8
  for (std::ptrdiff_t k = 0; k < vectors; k++) store_lines<columns>(v[k], to + k * stored * to_stride, to_stride);
}

// Does so for a square of 8, of which two lines stand in a vector: first halves of four lines come together, then whole ones.
template <std::ptrdiff_t rows, std::ptrdiff_t columns>
[[gnu::noinline]] void transpose_rectangle(std::uint32_t* to, std::ptrdiff_t to_stride, const std::uint32_t* from,
                                           std::ptrdiff_t from_stride) {
  static_assert(rows == 8 && columns == 8);
  const __m512i first = _mm512_setr_epi32(0, 8, 16, 24, 1, 9, 17, 25, 2, 10, 18, 26, 3, 11, 19, 27);
  const __m512i second = _mm512_add_epi32(first, _mm512_set1_epi32(4));
  __m512i v[4], w[4];
#pragma GCC unroll 4
  for (std::ptrdiff_t k = 0; k < 4; k++) {
    const auto line = [=](std::ptrdiff_t c)
                          HWY_ATTR { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + c * from_stride)); };
    v[k] = _mm512_inserti64x4(_mm512_castsi256_si512(line(2 * k)), line(2 * k + 1), 1);
  }
#pragma GCC unroll 2
  for (std::size_t k = 0; k < 2; k++) {
    w[k] = _mm512_permutex2var_epi32(v[2 * k], first, v[2 * k + 1]);
    w[2 + k] = _mm512_permutex2var_epi32(v[2 * k], second, v[2 * k + 1]);
  }
  const __m512i low = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11), high = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
#pragma GCC unroll 4
  for (std::ptrdiff_t k = 0; k < 4; k++) {
    const __m512i two = _mm512_permutex2var_epi64(w[k / 2 * 2], k % 2 == 0 ? low : high, w[k / 2 * 2 + 1]);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + 2 * k * to_stride), _mm512_castsi512_si256(two));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + (2 * k + 1) * to_stride), _mm512_extracti64x4_epi64(two, 1));
  }
}

template <std::ptrdiff_t n>
struct Length {
  static constexpr std::ptrdiff_t value = n;
};

// Calls f(start, length) for runs of 8, 4 or 2, or of 8 alone, that cover a side. The last ones overlap those before.
template <class T, class F>
HWY_INLINE void each_run(std::ptrdiff_t side, F f) {
  const std::ptrdiff_t rest = side % 8;
  for (std::ptrdiff_t i = 0; i + 8 <= side; i += 8) f(i, Length<8>());
  if (rest != 0 && side >= 8 && (rest > 4 || sizeof(T) < 8)) return f(side - 8, Length<8>());
  if constexpr (sizeof(T) == 8) {
    if (rest > 4) f(0, Length<4>());
    if (rest > 2 && side >= 4) return f(side - 4, Length<4>());
    if (rest > 2) f(0, Length<2>());
    if (rest > 0) f(side - 2, Length<2>());
  }
}

// Tells whether sides are long enough for rectangles.
template <class T>
constexpr bool covered_by_rectangles(std::ptrdiff_t rows, std::ptrdiff_t columns) {
  constexpr std::ptrdiff_t least = sizeof(T) == 8 ? 2 : 8;
  return sizeof(T) >= 4 && rows >= least && columns >= least;
}

// Calls f(start, length) for parts of a side, of which the last one may be a little longer.
template <class F>
HWY_INLINE void each_part(std::ptrdiff_t side, std::ptrdiff_t part, F f) {
  for (std::ptrdiff_t i = 0, length; i < side; i += length) {
    length = side - i < part + 8 ? side - i : part;
    f(i, length);
  }
}

// Writes a few rows from end to end, or all rows, where these few make whole lines of the source, a line at a time: it is read in
// order then.
template <class T>
void transpose_rectangles(T* to, std::ptrdiff_t to_stride, const T* from, std::ptrdiff_t from_stride, std::ptrdiff_t rows,
                          std::ptrdiff_t columns) {
  constexpr std::ptrdiff_t few_rows = 40, line = 64 / sizeof(T);
  const bool in_order = rows <= few_rows && from_stride < 2 * rows;
  ElementsDone done;
  each_part(columns, in_order ? line : columns, [=, &done](std::ptrdiff_t c0, std::ptrdiff_t some_columns) HWY_ATTR {
    each_run<T>(rows, [=, &done](std::ptrdiff_t r, auto height) HWY_ATTR {
      done.add(static_cast<std::size_t>(height.value * some_columns));
      each_run<T>(some_columns, [=](std::ptrdiff_t c, auto breadth) HWY_ATTR {
        transpose_rectangle<height.value, breadth.value>(to + r * to_stride + c0 + c, to_stride,
                                                         from + r + (c0 + c) * from_stride, from_stride);
      });
    });
  });
}

#endif

}  // namespace
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
