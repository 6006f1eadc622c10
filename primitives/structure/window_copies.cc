#include "primitives/structure/window_copies.h"

#include <algorithm>
#include <cstring>

#include "primitives/common/tuning.h"
#include "primitives/kernels/booleans/bit_pairs.h"
#include "primitives/kernels/moves/transpose.h"
#include "primitives/kernels/shared/bit_runs.h"
#include "primitives/kernels/shared/pieces.h"

namespace griddle::primitives {

namespace {

// Copies runs of `row` bytes, each begun `step` bytes after the one before, in pieces of which the last may be written beyond
// the end of a run: the next run is written over that.
template <std::size_t piece>
void copy_overlapping(std::uint8_t* to, const std::uint8_t* from, std::size_t row, std::size_t step, std::size_t count) {
  const std::size_t whole = (row + piece - 1) / piece * piece, beyond = whole - row;
  const std::size_t alone = std::min(count, beyond / std::min(step, row) + 1);  // for which there may be no room beyond
  for (std::size_t i = alone; i < count; i++, to += row, from += step) {
    for (std::size_t k = 0; k < whole; k += piece) {
      unsigned char held[piece];
      std::memcpy(held, from + k, piece);
      std::memcpy(to + k, held, piece);
    }
  }
  for (std::size_t i = 0; i < alone; i++, to += row, from += step) std::memcpy(to, from, row);
}

[[gnu::always_inline]] inline void copy_some_windows(std::uint8_t* to, const std::uint8_t* from, std::size_t width,
                                                     std::size_t size, std::size_t count) {
  const std::size_t row = size * width;
  if (size == 2 || (size == 4 && row <= 8))
    // The list, begun one element later each time, makes the columns.
    kernels::transpose(static_cast<unsigned>(8 * width), to, static_cast<std::ptrdiff_t>(size), from, 1, count, size);
  else if (row <= 8)
    copy_overlapping<8>(to, from, row, width, count);
  else if (row <= tuning().short_window_row)
    copy_overlapping<16>(to, from, row, width, count);
  else
    for (std::size_t i = 0; i < count; i++) std::memcpy(to + i * row, from + i * width, row);
}

[[gnu::noinline]] void copy_windows_in_pieces(std::uint8_t* to, const std::uint8_t* from, std::size_t width, std::size_t size,
                                              std::size_t count) {
  const std::size_t row = size * width;
  const auto copy = [=](std::size_t i, std::size_t end) {
    copy_some_windows(to + i * row, from + i * width, width, size, end - i);
  };
  in_pieces(count, copy, kernels::long_pass / row + 1);
}

}  // namespace

void copy_windows(Array& to, const Array& from, std::size_t size) {
  const std::size_t width = bits_of(from.type()) / 8, count = to.length / size;
  if (to.length > kernels::long_pass) [[unlikely]]
    copy_windows_in_pieces(to.data, from.data, width, size, count);
  else
    copy_some_windows(to.data, from.data, width, size, count);
}

void copy_bit_table_windows(std::uint64_t* to, const Array& a, std::size_t rows, std::size_t columns) {
  const std::uint64_t* from = a.as<std::uint64_t>();
  const std::size_t width = a.shape()[1];
  kernels::BitWriter writer(to);
  for (std::size_t i = 0; i + rows <= a.shape()[0]; i++)
    for (std::size_t j = 0; j + columns <= width; j++) {
      std::uint64_t window = 0;
      for (std::size_t r = 0; r < rows; r++) window |= kernels::read_bits(from, (i + r) * width + j, columns) << r * columns;
      writer.append(window, rows * columns);
    }
  writer.finish();
}

void copy_bit_windows(std::uint64_t* to, const std::uint64_t* from, std::size_t size, std::size_t count) {
  constexpr std::size_t most = 64;
  if (size == 2) {
    kernels::pair_bits(to, from, count);
  } else if (size < most) {
    kernels::BitWriter writer(to);
    for (std::size_t i = 0; i < count; i++) writer.append(kernels::read_bits(from, i, size), size);
    writer.finish();
  } else {
    for (std::size_t i = 0; i < count; i++) kernels::copy_bit_run(to, i * size, from, i, size);
  }
}

}  // namespace griddle::primitives
