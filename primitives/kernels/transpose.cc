#include "primitives/kernels/transpose.h"

#include "primitives/kernels/bit_runs.h"

namespace griddle::kernels {
namespace {

// Works in square tiles, so that both sides stay in the nearest cache.
template <class T>
void transpose_elements(T* to, std::ptrdiff_t to_stride, const T* from, std::ptrdiff_t from_stride, std::ptrdiff_t rows,
                        std::ptrdiff_t columns) {
  constexpr std::ptrdiff_t tile = 64 / sizeof(T) < 16 ? 16 : 64 / sizeof(T);
  for (std::ptrdiff_t c0 = 0; c0 < columns; c0 += tile) {
    std::ptrdiff_t c1 = c0 + tile < columns ? c0 + tile : columns;
    for (std::ptrdiff_t r0 = 0; r0 < rows; r0 += tile) {
      std::ptrdiff_t r1 = r0 + tile < rows ? r0 + tile : rows;
      for (std::ptrdiff_t r = r0; r < r1; r++)
        for (std::ptrdiff_t c = c0; c < c1; c++) to[r * to_stride + c] = from[r + c * from_stride];
    }
  }
}

// Transposes a 64×64 square of bits in place by exchanging ever smaller quarters.
void transpose_square(std::uint64_t (&a)[64]) {
  std::uint64_t mask = 0x00000000FFFFFFFFull;
  for (std::size_t j = 32; j != 0; j >>= 1, mask ^= mask << j)
    for (std::size_t k = 0; k < 64; k = (k + j + 1) & ~j) {
      std::uint64_t t = ((a[k] >> j) ^ a[k + j]) & mask;
      a[k] ^= t << j;
      a[k + j] ^= t;
    }
}

}  // namespace

void transpose(unsigned width, void* to, std::ptrdiff_t to_stride, const void* from, std::ptrdiff_t from_stride, std::size_t rows,
               std::size_t columns) {
  auto run = [&]<class T>(T) {
    transpose_elements(static_cast<T*>(to), to_stride, static_cast<const T*>(from), from_stride,
                       static_cast<std::ptrdiff_t>(rows), static_cast<std::ptrdiff_t>(columns));
  };
  switch (width) {
    case 8: return run(std::uint8_t{});
    case 16: return run(std::uint16_t{});
    case 32: return run(std::uint32_t{});
    default: return run(std::uint64_t{});
  }
}

void transpose_bits(std::uint64_t* to, std::size_t to_start, std::size_t to_stride, const std::uint64_t* from,
                    std::size_t from_start, std::size_t from_stride, std::size_t rows, std::size_t columns) {
  std::uint64_t square[64];
  for (std::size_t r = 0; r < rows; r += 64) {
    std::size_t height = rows - r < 64 ? rows - r : 64;
    for (std::size_t c = 0; c < columns; c += 64) {
      std::size_t breadth = columns - c < 64 ? columns - c : 64;
      for (std::size_t k = 0; k < breadth; k++) square[k] = read_bits(from, from_start + r + (c + k) * from_stride, height);
      for (std::size_t k = breadth; k < 64; k++) square[k] = 0;
      transpose_square(square);
      for (std::size_t k = 0; k < height; k++)
        write_bits(to, to_start + (r + k) * to_stride + c, breadth, square[k] & low_bits(breadth));
    }
  }
}

}  // namespace griddle::kernels
