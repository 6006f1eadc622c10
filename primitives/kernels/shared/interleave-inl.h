// Vectors of columns to vectors of short rows and back, by permutations of two vectors each (AVX3_DL). Included once a target.
#if defined(GRIDDLE_INTERLEAVE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDDLE_INTERLEAVE_INL_H_
#undef GRIDDLE_INTERLEAVE_INL_H_
#else
#define GRIDDLE_INTERLEAVE_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <utility>

#include "hwy/highway.h"

#ifndef GRIDDLE_INTERLEAVE_TABLES_
#define GRIDDLE_INTERLEAVE_TABLES_
namespace griddle::kernels {

// Lanes of two vectors, those of the second counted behind those of the first. Step j of result c takes what comes from vector
// j + 1, and leaves what is there already; the first takes vectors 0 and 1.
template <class T, std::size_t width>
struct TakenLanes {
  static constexpr std::size_t lanes = 64 / sizeof(T);
  alignas(64) T of_column[width][width - 1][lanes], of_rows[width][width - 1][lanes];

  constexpr TakenLanes() : of_column{}, of_rows{} {
    for (std::size_t c = 0; c < width; c++)
      for (std::size_t j = 1; j < width; j++)
        for (std::size_t i = 0; i < lanes; i++) {
          const std::size_t in_rows = i * width + c, in_column = c * lanes + i;
          set(of_column[c][j - 1][i], i, j, in_rows / lanes, in_rows % lanes);
          set(of_rows[c][j - 1][i], i, j, in_column % width, in_column / width);
        }
  }

 private:
  static constexpr void set(T& taken, std::size_t lane, std::size_t step, std::size_t vector, std::size_t from) {
    taken = static_cast<T>(vector == step ? lanes + from : step == 1 && vector == 0 ? from : lane);
  }
};
template <class T, std::size_t width>
constexpr TakenLanes<T, width> taken_lanes{};

// Even and odd lanes of two vectors, and the lower and the upper halves of two vectors by turns.
template <class T>
struct TurnsOfLanes {
  static constexpr std::size_t lanes = 64 / sizeof(T);
  alignas(64) T even[lanes], odd[lanes], lower[lanes], upper[lanes];
  constexpr TurnsOfLanes() : even{}, odd{}, lower{}, upper{} {
    for (std::size_t i = 0; i < lanes; i++) {
      even[i] = static_cast<T>(2 * i);
      odd[i] = static_cast<T>(2 * i + 1);
      lower[i] = static_cast<T>(i / 2 + i % 2 * lanes);
      upper[i] = static_cast<T>(lanes / 2 + i / 2 + i % 2 * lanes);
    }
  }
};
template <class T>
constexpr TurnsOfLanes<T> turns_of_lanes{};

}  // namespace griddle::kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace {

#if HWY_TARGET == HWY_AVX3_DL

// Takes lanes of two vectors by numbers in memory.
template <class T>
HWY_INLINE __m512i lanes_of_two(__m512i a, const T* numbers, __m512i b) {
  const __m512i n = _mm512_load_si512(numbers);
  if constexpr (sizeof(T) == 1) return _mm512_permutex2var_epi8(a, n, b);
  if constexpr (sizeof(T) == 2) return _mm512_permutex2var_epi16(a, n, b);
  if constexpr (sizeof(T) == 4) return _mm512_permutex2var_epi32(a, n, b);
  if constexpr (sizeof(T) == 8) return _mm512_permutex2var_epi64(a, n, b);
}

// Takes a vector from as many others as the rows are wide, one more each step.
template <class T, std::size_t width>
HWY_INLINE __m512i lanes_of_many(const __m512i* v, const T (*steps)[64 / sizeof(T)]) {
  __m512i taken = lanes_of_two(v[0], steps[0], v[1]);
#pragma GCC unroll 8
  for (std::size_t j = 2; j < width; j++) taken = lanes_of_two(taken, steps[j - 1], v[j]);
  return taken;
}

// Makes vectors of each column of those that hold rows of `width` elements, one after the other.
template <class T, std::size_t width>
HWY_INLINE void rows_to_columns(__m512i* v) {
  if constexpr (width > 1) {
    __m512i w[width];
    if constexpr (width % 2 == 0) {
      constexpr std::size_t half = width / 2;
#pragma GCC unroll 8
      for (std::size_t k = 0; k < half; k++) {
        w[k] = lanes_of_two(v[2 * k], turns_of_lanes<T>.even, v[2 * k + 1]);
        w[half + k] = lanes_of_two(v[2 * k], turns_of_lanes<T>.odd, v[2 * k + 1]);
      }
      rows_to_columns<T, half>(w);
      rows_to_columns<T, half>(w + half);
#pragma GCC unroll 8
      for (std::size_t k = 0; k < half; k++) v[2 * k] = w[k], v[2 * k + 1] = w[half + k];
    } else {
#pragma GCC unroll 8
      for (std::size_t c = 0; c < width; c++) w[c] = lanes_of_many<T, width>(v, taken_lanes<T, width>.of_column[c]);
#pragma GCC unroll 8
      for (std::size_t c = 0; c < width; c++) v[c] = w[c];
    }
  }
}

// The reverse.
template <class T, std::size_t width>
HWY_INLINE void columns_to_rows(__m512i* v) {
  if constexpr (width > 1) {
    __m512i w[width];
    if constexpr (width % 2 == 0) {
      constexpr std::size_t half = width / 2;
#pragma GCC unroll 8
      for (std::size_t k = 0; k < half; k++) w[k] = v[2 * k], w[half + k] = v[2 * k + 1];
      columns_to_rows<T, half>(w);
      columns_to_rows<T, half>(w + half);
#pragma GCC unroll 8
      for (std::size_t k = 0; k < half; k++) {
        v[2 * k] = lanes_of_two(w[k], turns_of_lanes<T>.lower, w[half + k]);
        v[2 * k + 1] = lanes_of_two(w[k], turns_of_lanes<T>.upper, w[half + k]);
      }
    } else {
#pragma GCC unroll 8
      for (std::size_t c = 0; c < width; c++) w[c] = lanes_of_many<T, width>(v, taken_lanes<T, width>.of_rows[c]);
#pragma GCC unroll 8
      for (std::size_t c = 0; c < width; c++) v[c] = w[c];
    }
  }
}

#endif

}  // namespace
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
