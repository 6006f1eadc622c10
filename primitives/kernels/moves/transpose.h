// Exchanges two axes: rows of the source become columns of the target.
#pragma once

#include <cstddef>
#include <cstdint>

namespace griddle::kernels {

// Results of so many bytes are written past the caches: where lines so far apart meet in a few places of them, and where they do
// not.
inline constexpr std::size_t least_past_caches = std::size_t{6} << 20, least_in_order_past_caches = std::size_t{12} << 20;

// to[r × to_stride + c] = from[r + c × from_stride] for r < rows, c < columns: the target has `rows` rows of `columns`
// neighbours. Strides are in elements; `width` is 8, 16, 32 or 64 bits. No overlap.
void transpose(unsigned width, void* to, std::ptrdiff_t to_stride, const void* from, std::ptrdiff_t from_stride, std::size_t rows,
               std::size_t columns);

// The same for `count` matrices, which may be only some of a result of `bytes` in all; where the first one is, how far its lines
// lie apart, and how far the next matrix.
template <class Pointer>
struct Matrices {
  Pointer first;
  std::ptrdiff_t stride, step;
};
void transpose_each(unsigned width, const Matrices<void*>& to, const Matrices<const void*>& from, std::size_t rows,
                    std::size_t columns, std::size_t count, std::size_t bytes);

// The same for a matrix whose lines lie where tables say: to[row_places[r] + c] = from[column_places[c] + r].
void transpose_placed(unsigned width, void* to, const std::ptrdiff_t* row_places, const void* from,
                      const std::ptrdiff_t* column_places, std::size_t rows, std::size_t columns, std::size_t bytes);

// The same for packed bits, with the place of the first bit in either array.
void transpose_bits(std::uint64_t* to, std::size_t to_start, std::size_t to_stride, const std::uint64_t* from,
                    std::size_t from_start, std::size_t from_stride, std::size_t rows, std::size_t columns);

}  // namespace griddle::kernels
