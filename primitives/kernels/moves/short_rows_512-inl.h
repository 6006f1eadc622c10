// Matrices with a short side, a vector of short rows at a time (AVX3_DL). Included once a target.
#if defined(GRIDDLE_SHORT_ROWS_512_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDDLE_SHORT_ROWS_512_INL_H_
#undef GRIDDLE_SHORT_ROWS_512_INL_H_
#else
#define GRIDDLE_SHORT_ROWS_512_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "hwy/highway.h"
#include "primitives/kernels/shared/interleave-inl.h"
#include "primitives/kernels/shared/past_caches-inl.h"

#ifndef GRIDDLE_SEVEN_PLACES_
#define GRIDDLE_SEVEN_PLACES_
namespace griddle::kernels {

// Where the elements of rows of seven stand in a vector that has its columns together, an eighth of it each, and the reverse.
template <class T>
struct SevenPlaces {
  static constexpr std::size_t lanes = 64 / sizeof(T), rows = lanes / 8;
  alignas(64) T apart[lanes], together[lanes];
  constexpr SevenPlaces() : apart{}, together{} {
    for (std::size_t r = 0; r < rows; r++)
      for (std::size_t c = 0; c < 7; c++) {
        apart[c * rows + r] = static_cast<T>(r * 7 + c);
        together[r * 7 + c] = static_cast<T>(c * rows + r);
      }
  }
};
template <class T>
constexpr SevenPlaces<T> seven_places{};

}  // namespace griddle::kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace {

#if HWY_TARGET == HWY_AVX3_DL

template <class T>
HWY_INLINE __m512i lanes_of_one(const T* numbers, __m512i v) {
  const __m512i n = _mm512_load_si512(numbers);
  if constexpr (sizeof(T) == 1) return _mm512_permutexvar_epi8(n, v);
  if constexpr (sizeof(T) == 2) return _mm512_permutexvar_epi16(n, v);
  if constexpr (sizeof(T) == 4) return _mm512_permutexvar_epi32(n, v);
  if constexpr (sizeof(T) == 8) return v;
}

constexpr __mmask64 first_seven_eighths = ~__mmask64{0} >> 8;

// Rows of seven take fewer permutations as a square of eight: as many of them as a vector has whole ones bring their columns
// together, and these eighths of vectors are exchanged.
template <class T>
HWY_INLINE void load_sevens(__m512i* v, const T* from) {
  constexpr std::ptrdiff_t step = 7 * SevenPlaces<T>::rows;
#pragma GCC unroll 8
  for (std::ptrdiff_t k = 0; k < 8; k++)
    v[k] = lanes_of_one(seven_places<T>.apart, _mm512_maskz_loadu_epi8(first_seven_eighths, from + k * step));
  rows_to_columns<std::uint64_t, 8>(v);
}
// Writes an eighth of a vector too much each time, which the next one sets right.
template <class T>
HWY_INLINE void store_sevens(__m512i* v, T* to) {
  constexpr std::ptrdiff_t step = 7 * SevenPlaces<T>::rows;
  v[7] = _mm512_setzero_si512();
  columns_to_rows<std::uint64_t, 8>(v);
#pragma GCC unroll 8
  for (std::ptrdiff_t k = 0; k < 8; k++) {
    const __m512i rows = lanes_of_one(seven_places<T>.together, v[k]);
    if (k < 7)
      _mm512_storeu_si512(to + k * step, rows);
    else
      _mm512_mask_storeu_epi8(to + k * step, first_seven_eighths, rows);
  }
}

// Take matrices with one short side whose short rows lie one after the other, a vector of them at a time. The last ones overlap
// those before.
template <std::ptrdiff_t width, class T>
void split_rows(T* to, std::ptrdiff_t to_stride, const T* from, std::ptrdiff_t length) {
  constexpr std::ptrdiff_t lanes = 64 / sizeof(T);
  for (std::ptrdiff_t r = 0; r < length; r += lanes) {
    if (r + lanes > length) r = length - lanes;
    __m512i v[width + 1];
    if constexpr (width == 7) {
      load_sevens(v, from + r * width);
    } else {
#pragma GCC unroll 16
      for (std::ptrdiff_t k = 0; k < width; k++) v[k] = _mm512_loadu_si512(from + r * width + k * lanes);
      rows_to_columns<T, width>(v);
    }
#pragma GCC unroll 16
    for (std::ptrdiff_t k = 0; k < width; k++) {
      fetch_for_results(to + r + k * to_stride);
      _mm512_storeu_si512(to + r + k * to_stride, v[k]);
    }
  }
}
template <std::ptrdiff_t width, class T>
void mix_rows(T* to, const T* from, std::ptrdiff_t from_stride, std::ptrdiff_t length) {
  constexpr std::ptrdiff_t lanes = 64 / sizeof(T);
  for (std::ptrdiff_t r = 0; r < length; r += lanes) {
    if (r + lanes > length) r = length - lanes;
    __m512i v[width + 1];
#pragma GCC unroll 16
    for (std::ptrdiff_t k = 0; k < width; k++) v[k] = _mm512_loadu_si512(from + r + k * from_stride);
    if constexpr (width == 7) {
      store_sevens(v, to + r * width);
      continue;
    }
    columns_to_rows<T, width>(v);
#pragma GCC unroll 16
    for (std::ptrdiff_t k = 0; k < width; k++) _mm512_storeu_si512(to + r * width + k * lanes, v[k]);
  }
}

// Does so where rows are short; false for any other matrix.
template <class T>
bool transpose_whole_vectors(T* to, std::ptrdiff_t to_stride, const T* from, std::ptrdiff_t from_stride, std::ptrdiff_t rows,
                             std::ptrdiff_t columns) {
  const bool splits = from_stride == rows && rows <= columns, mixes = to_stride == columns && columns <= rows;
  const std::ptrdiff_t width = splits ? rows : columns, length = splits ? columns : rows;
  // Rectangles take fewer permutations of long elements.
  if ((!splits && !mixes) || length < 64 / static_cast<std::ptrdiff_t>(sizeof(T)) || (sizeof(T) == 8 && width > 8)) return false;
  const auto run = [=](auto known) HWY_ATTR {
    splits ? split_rows<known()>(to, to_stride, from, length) : mix_rows<known()>(to, from, from_stride, length);
    return true;
  };
  switch (width) {
    case 2: return run(std::integral_constant<std::ptrdiff_t, 2>());
    case 3: return run(std::integral_constant<std::ptrdiff_t, 3>());
    case 4: return run(std::integral_constant<std::ptrdiff_t, 4>());
    case 5: return run(std::integral_constant<std::ptrdiff_t, 5>());
    case 6: return run(std::integral_constant<std::ptrdiff_t, 6>());
    case 7: return run(std::integral_constant<std::ptrdiff_t, 7>());
    case 8: return run(std::integral_constant<std::ptrdiff_t, 8>());
    case 10: return run(std::integral_constant<std::ptrdiff_t, 10>());
    case 12: return run(std::integral_constant<std::ptrdiff_t, 12>());
    default: return false;
  }
}

#endif

}  // namespace
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
