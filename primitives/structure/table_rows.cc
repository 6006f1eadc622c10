#include "primitives/structure/table_rows.h"

#include <bit>

#include "primitives/common/elements.h"
#include "primitives/common/plain.h"
#include "primitives/kernels/moves/select.h"
#include "primitives/kernels/shared/bit_runs.h"

namespace griddle::primitives {

std::uint64_t table_part(Heap& heap, Table a, KeptCells rows, KeptCells columns) {
  Array* const out = make_plain_table(heap, a->type(), rows.count, columns.count);
  const std::size_t whole = a->shape()[1], start = rows.start * whole + columns.start;
  // For more rows a kernel pays.
  if (rows.count <= tuning().few_part_rows) {
    for (std::size_t r = 0; r < rows.count; r++) copy_elements_of(out, r * columns.count, a, start + r * whole, columns.count);
  } else {
    const BoxAxis box[2] = {{rows.count, static_cast<std::ptrdiff_t>(columns.count), static_cast<std::ptrdiff_t>(whole)},
                            {columns.count, 1, 1}};
    copy_box(*out, 0, *a.array, start, box);
  }
  return bits_of_array(out);
}

std::uint64_t rotated_table(Heap& heap, Table a, std::int64_t rows, std::int64_t columns) {
  const auto place = [](std::int64_t by, std::size_t length) {
    const std::int64_t cells = static_cast<std::int64_t>(length), first = by % cells;
    return static_cast<std::size_t>(first < 0 ? first + cells : first);
  };
  const std::size_t width = a->shape()[1], moved = place(columns, width);
  std::size_t from = place(rows, a->shape()[0]) * width;
  if (from == 0 && moved == 0) return shared(a);
  Array* const out = cells_like(heap, a, 0, a->shape()[0]);
  for (std::size_t to = 0; to < a->length; to += width) {
    copy_elements_of(out, to, a, from + moved, width - moved);
    copy_elements_of(out, to + width - moved, a, from, moved);
    from += width;
    if (from == a->length) from = 0;
  }
  return bits_of_array(out);
}

std::uint64_t marked_columns(Heap& heap, Table a, List marks) {
  constexpr std::size_t most = 64;
  const std::size_t columns = a->shape()[1];
  if (marks->type() != ElementType::bit || marks->length != columns || columns > most || a->type() == ElementType::bit)
    return declined;
  std::size_t places[most], count = 0;
  for (std::uint64_t left = *words_of(marks.array) & kernels::low_bits(columns); left != 0; left &= left - 1)
    places[count++] = static_cast<std::size_t>(std::countr_zero(left));
  if (count == 0) return declined;
  if (count == columns) return shared(a);
  Ref<Array> out = make_plain_table(heap, a->type(), a->shape()[0], count);
  kernels::select_columns(bits_of(a->type()), out->data.here(), a->data.here(), a->shape()[0], columns, places, count);
  return bits_of_array(out.leak());
}

}  // namespace griddle::primitives
