// One column of a table, and what primitives do to its rows with one argument.
#include <bit>

#include "primitives/common/elements.h"
#include "primitives/common/pervasive.h"
#include "primitives/common/plain.h"
#include "primitives/common/small_integer.h"
#include "primitives/kernels/booleans/bit_columns.h"
#include "primitives/kernels/booleans/short_bool_rows.h"
#include "primitives/kernels/moves/replicate.h"
#include "primitives/kernels/moves/shuffle_rows.h"
#include "primitives/kernels/shared/bit_runs.h"
#include "primitives/mapping/cell_routes.h"

namespace griddle::primitives {
namespace {

// Takes one column of a table of bits whose rows fill whole words together.
void select_bit_column(Array& to, const Array& from, std::size_t row_length, std::size_t column) {
  constexpr std::size_t piece = 64;  // words of the source, which give whole words of the result
  std::uint64_t mask[piece] = {};
  for (std::size_t i = column; i < 64; i += row_length) mask[0] |= std::uint64_t{1} << i;
  std::fill(mask + 1, mask + piece, mask[0]);
  const std::size_t rows = 64 * piece / row_length;
  for (std::size_t done = 0; done < to.length; done += rows) {
    const std::size_t count = std::min(rows, to.length - done);
    kernels::compress(1, to.as<std::uint64_t>() + done / 64, count, from.as<std::uint64_t>() + done / 64 * row_length, mask,
                      count * row_length);
  }
}

// Takes one bit of each row of any length from row `first` on, a multiple of 64, one after the other.
void gather_bit_column(Array& to, const Array& from, std::size_t row_length, std::size_t column, std::size_t first) {
  const auto* const bits = from.as<std::uint64_t>();
  std::uint64_t* out = to.as<std::uint64_t>() + first / 64;
  std::size_t at = first * row_length + column;
  for (std::size_t left = to.length - first; left != 0;) {
    const std::size_t count = std::min<std::size_t>(left, 64);
    // Each bit enters at the top, so that no shift depends on its place.
    std::uint64_t word = 0;
    for (std::size_t k = 0; k < count; k++, at += row_length) word = word >> 1 | bits[at / 64] >> (at % 64) << 63;
    *out++ = word >> (64 - count);
    left -= count;
  }
}

// Takes one column of a table of bits.
void take_bit_column(Array& to, const Array& from, std::size_t row_length, std::size_t column) {
  auto* const out = to.as<std::uint64_t>();
  constexpr std::size_t few_rows = 64;
  const bool short_rows = row_length >= 2 && row_length <= 64 && to.length > few_rows;
  if (short_rows && kernels::bit_columns().take(out, from.as<std::uint64_t>(), row_length, to.length, column)) return;
  if (short_rows && std::has_single_bit(row_length)) return select_bit_column(to, from, row_length, column);
  const std::size_t first =
      short_rows ? kernels::take_short_bool_column(out, from.as<std::uint64_t>(), row_length, to.length, column) : 0;
  if (first < to.length) gather_bit_column(to, from, row_length, column, first);
}

}  // namespace

void take_column(Array& to, const Array& from, std::size_t row_length, std::size_t column) {
  if (from.type() == ElementType::bit)
    take_bit_column(to, from, row_length, column);
  else
    kernels::take_column(bits_of(from.type()), to.data.here(), from.data, to.length, row_length, column);
}

Value select_column(Context& cx, std::size_t index, const Array& table) {
  Array* const out = make_plain_list(cx.heap, table.type(), table.shape()[0]);
  Value result(out);
  take_column(*out, table, table.shape()[1], index);
  return result;
}

// Gives `w f row` for each row of a plain table, where a primitive does that at once.
static Value rows_with(Context& cx, const Value& f, const Value& w, const Value& x) {
  const PrimitiveFunctionEntry* const p = primitive_entry(f);
  if (p == nullptr || p->with_cells == nullptr || !x.is_array() || !is_plain_table(x.array()) || concerns_device(cx, x) ||
      x.array().length == 0 || !is_numeric(w))
    return Value();
  std::size_t index;
  if ((p->with_cells == select_in_cells || p->with_cells == pick_from_rows) && finds(w, x.array().shape()[1], index))
    return select_column(cx, index, x.array());
  Value table = x;
  return p->with_cells(cx, w, 1, table);
}

Value column_route(Context& cx, const Value& f, const Value& x) {
  if (combinator_by(f) != Combinator::before) return Value();
  const Derived& d = static_cast<const Derived&>(f.function());
  return rank_of(d.f) <= 1 ? rows_with(cx, d.g, d.f, x) : Value();
}

Value column_route(Context& cx, const Value& f, const Value& w, const Value& x) {
  return rank_of(w) == 0 ? rows_with(cx, f, w, x) : Value();
}

}  // namespace griddle::primitives
