#include "primitives/table_structure.h"

#include <bit>

#include "primitives/at_hand.h"
#include "primitives/elements.h"
#include "primitives/kernels/replicate.h"
#include "primitives/kernels/transpose.h"
#include "primitives/window_copies.h"

namespace griddle::primitives {

std::uint64_t reverse_table(Heap& heap, std::uint64_t x) {
  const Array* const a = plain_table(x);
  if (a == nullptr || a->type() == ElementType::bit) return declined;
  const std::size_t rows = a->shape()[0], columns = a->shape()[1], bytes = columns * bits_of(a->type()) / 8;
  Array* const out = table_at_hand(heap, plain_of(*a), rows, columns);
  if (out == nullptr) return declined;
  if (bytes <= 8 && std::has_single_bit(bytes))
    kernels::reverse(static_cast<unsigned>(8 * bytes), out->data.here(), a->data.here(), rows);
  else
    for (std::size_t i = 0; i < rows; i++)
      copy_piece(out->data.here() + i * bytes, a->data.here() + (rows - 1 - i) * bytes, bytes);
  return bits_of_array(out);
}

std::uint64_t nudge_table(Heap& heap, std::uint64_t x, bool front) {
  const Array* const a = plain_table(x);
  if (a == nullptr || a->type() == ElementType::bit) return declined;
  const std::size_t rows = a->shape()[0], columns = a->shape()[1];
  const unsigned width = bits_of(a->type());
  Array* const out = table_at_hand(heap, plain_of(*a), rows, columns);
  if (out == nullptr) return declined;
  const std::size_t row = columns * width / 8, kept = (rows - 1) * row;
  std::uint8_t* const to = out->data.here();
  const std::uint8_t* const from = a->data.here();
  copy_piece(front ? to + row : to, front ? from : from + row, kept);
  kernels::fill(width, front ? to : to + kept, is_character(a->type()) ? U' ' : 0, columns);
  return bits_of_array(out);
}

std::uint64_t transpose_table(Heap& heap, std::uint64_t x) {
  const Array* const a = plain_table(x);
  if (a == nullptr) return declined;
  const std::size_t rows = a->shape()[0], columns = a->shape()[1];
  if (rows == 1 || columns == 1) return declined;
  Array* const out = table_at_hand(heap, plain_of(*a), columns, rows);
  if (out == nullptr) return declined;
  if (a->type() == ElementType::bit)
    kernels::transpose_bits(words_of(out), 0, rows, words_of(a), 0, columns, columns, rows);
  else
    kernels::transpose(bits_of(a->type()), out->data.here(), static_cast<std::ptrdiff_t>(rows), a->data.here(),
                       static_cast<std::ptrdiff_t>(columns), columns, rows);
  return bits_of_array(out);
}

std::uint64_t keep_rows(Heap& heap, std::uint64_t w, std::uint64_t x) {
  const Array *const marks = plain_list(w), *const a = plain_table(x);
  if (marks == nullptr || a == nullptr || marks->type() != ElementType::bit || a->type() == ElementType::bit) return declined;
  const std::size_t rows = a->shape()[0], columns = a->shape()[1], bytes = columns * bits_of(a->type()) / 8;
  constexpr std::size_t long_row = 16;
  if (marks->length != rows || (bytes < long_row && !std::has_single_bit(bytes))) return declined;
  const std::size_t total = kernels::count_ones(words_of(marks), rows);
  Array* const out = table_at_hand(heap, plain_of(*a), total, columns);
  if (out != nullptr) kernels::compress_cells(bytes, out->data.here(), total, a->data.here(), words_of(marks), rows);
  return bits_of_array(out);
}

std::uint64_t windows_of_list(Heap& heap, std::uint64_t w, std::uint64_t x) {
  const Array* const a = plain_list(x);
  std::int32_t n;
  if (a == nullptr || !read_integer(w, n) || n < 1 || static_cast<std::size_t>(n) > a->length) return declined;
  const std::size_t size = static_cast<std::size_t>(n), count = a->length - size + 1;
  Array* const out = table_at_hand(heap, plain_of(*a), count, size);
  if (out == nullptr) return declined;
  if (a->type() == ElementType::bit)
    copy_bit_windows(words_of(out), words_of(a), size, count);
  else
    copy_windows(*out, *a, size);
  return bits_of_array(out);
}

}  // namespace griddle::primitives
