#include "primitives/structure/table_structure.h"

#include <bit>

#include "primitives/common/at_hand.h"
#include "primitives/common/elements.h"
#include "primitives/kernels/booleans/bit_rows.h"
#include "primitives/kernels/moves/replicate.h"
#include "primitives/kernels/moves/transpose.h"
#include "primitives/structure/box_structure.h"
#include "primitives/structure/window_copies.h"

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
  if (a == nullptr) return transpose_boxes(heap, x);
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

namespace {

std::uint64_t repeat_rows(Heap& heap, const Array& a, std::int32_t times) {
  const std::size_t rows = a.shape()[0], columns = a.shape()[1], bytes = columns * bits_of(a.type()) / 8;
  if (a.type() == ElementType::bit || times < 2 || magnitude(times) * a.length > longest_at_hand) return declined;
  Array* const out = table_at_hand(heap, plain_of(a), rows * magnitude(times), columns);
  if (out == nullptr) return declined;
  std::uint8_t* to = out->data.here();
  for (std::size_t i = 0; i < rows; i++)
    for (std::int32_t k = 0; k < times; k++, to += bytes) copy_piece(to, a.data.here() + i * bytes, bytes);
  return bits_of_array(out);
}

// Keeps rows of bits that are neither short nor long.
std::uint64_t keep_rows_of_bits(Heap& heap, const Array& marks, const Array& a) {
  constexpr std::size_t short_row = 16;
  const std::size_t rows = a.shape()[0], columns = a.shape()[1];
  if (marks.length != rows || columns <= short_row || columns > kernels::longest_bit_row) return declined;
  const std::size_t total = kernels::count_ones(words_of(&marks), rows);
  Array* const out = table_at_hand(heap, plain_of(a), total, columns);
  if (out == nullptr) return declined;
  if (out->length % 64 != 0) words_of(out)[out->length / 64] = 0;
  kernels::keep_bit_rows(words_of(out), words_of(&a), columns, words_of(&marks), rows);
  return bits_of_array(out);
}

}  // namespace

std::uint64_t keep_rows(Heap& heap, std::uint64_t w, std::uint64_t x) {
  const Array *const marks = plain_list(w), *const a = plain_table(x);
  if (a == nullptr) return declined;
  if (std::int32_t times; marks == nullptr && read_integer(w, times)) return repeat_rows(heap, *a, times);
  if (marks == nullptr || marks->type() != ElementType::bit) return declined;
  if (a->type() == ElementType::bit) return keep_rows_of_bits(heap, *marks, *a);
  const std::size_t rows = a->shape()[0], columns = a->shape()[1], bytes = columns * bits_of(a->type()) / 8;
  constexpr std::size_t long_row = 16;
  if (marks->length != rows || (bytes < long_row && !std::has_single_bit(bytes))) return declined;
  const std::size_t total = kernels::count_ones(words_of(marks), rows);
  Array* const out = table_at_hand(heap, plain_of(*a), total, columns);
  if (out != nullptr) kernels::compress_cells(bytes, out->data.here(), total, a->data.here(), words_of(marks), rows);
  return bits_of_array(out);
}

namespace {

template <class I>
bool copy_rows_at(std::uint8_t* to, const Array& from, const I* places, std::size_t count) {
  const auto rows = static_cast<std::int64_t>(from.shape()[0]);
  const std::size_t bytes = from.shape()[1] * bits_of(from.type()) / 8;
  for (std::size_t k = 0; k < count; k++) {
    const std::int64_t i = places[k] < 0 ? places[k] + rows : places[k];
    if (i < 0 || i >= rows) return false;
    copy_piece(to + k * bytes, from.data.here() + static_cast<std::size_t>(i) * bytes, bytes);
  }
  return true;
}
bool copy_rows_at(std::uint8_t* to, const Array& from, const Array& places) {
  switch (places.type()) {
    case ElementType::i8: return copy_rows_at(to, from, places.as<std::int8_t>(), places.length);
    case ElementType::i16: return copy_rows_at(to, from, places.as<std::int16_t>(), places.length);
    case ElementType::i32: return copy_rows_at(to, from, places.as<std::int32_t>(), places.length);
    default: return false;
  }
}

}  // namespace

std::uint64_t rows_at(Heap& heap, std::uint64_t w, std::uint64_t x) {
  constexpr std::size_t most_rows = 64;
  const Array *const places = plain_list(w), *const a = plain_table(x);
  if (places == nullptr || a == nullptr || a->type() == ElementType::bit || places->length > most_rows) return declined;
  const std::size_t columns = a->shape()[1];
  if (places->length * columns > longest_at_hand) return declined;
  Array* const out = table_at_hand(heap, plain_of(*a), places->length, columns);
  if (out == nullptr) return declined;
  if (copy_rows_at(out->data.here(), *a, *places)) return bits_of_array(out);
  Heap::free(out);
  return declined;
}

std::uint64_t join_tables(Heap& heap, std::uint64_t w, std::uint64_t x) {
  const Array *const a = plain_table(w), *const b = plain_table(x);
  if (a == nullptr || b == nullptr || a->type() != b->type() || a->type() == ElementType::bit) return declined;
  if (a->shape()[1] != b->shape()[1]) return declined;
  Array* const out = table_at_hand(heap, plain_of(*a), a->shape()[0] + b->shape()[0], a->shape()[1]);
  if (out == nullptr) return declined;
  const unsigned shift = log2_bits_of(a->type()) - 3;
  copy_piece(out->data.here(), a->data.here(), a->length << shift);
  copy_piece(out->data.here() + (a->length << shift), b->data.here(), b->length << shift);
  return bits_of_array(out);
}

std::uint64_t windows_of_list(Heap& heap, std::uint64_t w, std::uint64_t x) {
  const Array* const a = plain_list(x);
  std::int32_t n;
  if (a == nullptr) return windows_of_boxes(heap, w, x);
  if (!read_integer(w, n) || n < 1 || static_cast<std::size_t>(n) > a->length) return declined;
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
