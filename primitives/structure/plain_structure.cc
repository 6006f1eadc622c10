// Other arrangements of plain lists and tables: a new array of the same kind and one kernel.
#include "primitives/structure/plain_structure.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "primitives/common/elements.h"
#include "primitives/kernels/moves/move.h"
#include "primitives/kernels/moves/transpose.h"
#include "primitives/kernels/shared/bit_runs.h"

namespace griddle::primitives {

namespace {

Array* make_plain_like(Heap& heap, const Array& a) {
  return a.is_list() ? make_plain_list(heap, a.type(), a.length) : make_plain_table(heap, a.type(), a.shape()[0], a.shape()[1]);
}

// Tells whether an array has elements, each of whole bytes, in a list or in rows. Long ones that nobody else holds are better
// changed in place.
bool is_plain_run(const Array& a) {
  constexpr std::size_t longest = std::size_t{1} << 14;
  return a.type() != ElementType::bit && a.length != 0 && !(a.length > longest && a.unique()) &&
         (is_plain_list(a) || is_plain_table(a));
}

// Writes rows of so many bytes from the last to the first.
void reverse_rows(std::uint8_t* to, const std::uint8_t* from, std::size_t rows, std::size_t bytes) {
  if (bytes <= 8 && std::has_single_bit(bytes)) return kernels::reverse(static_cast<unsigned>(8 * bytes), to, from, rows);
  const std::uint8_t* row = from + rows * bytes;
  for (std::size_t i = 0; i < rows; i++) {
    row -= bytes;
    std::memcpy(to + i * bytes, row, bytes);
  }
}

}  // namespace

Value reverse_plainly(Context& cx, const Value& x) {
  if (!x.is_array() || !stays_here(cx, x)) return Value();
  const Array& a = x.array();
  if (a.type() == ElementType::bit) {
    if (!is_plain_list(a) || a.length == 0) return Value();
    Array* const out = make_plain_like(cx.heap, a);
    kernels::reverse_bits(reinterpret_cast<std::uint64_t*>(out->data.here()), 0, a.as<std::uint64_t>(), 0, a.length);
    return Value(out);
  }
  if (!is_plain_run(a)) return Value();
  Array* const out = make_plain_like(cx.heap, a);
  reverse_rows(out->data.here(), a.data, a.cells(), a.length / a.cells() * bits_of(a.type()) / 8);
  return Value(out);
}

Value transpose_plainly(Context& cx, const Value& x) {
  if (!x.is_array() || !stays_here(cx, x) || !is_plain_table(x.array()) || x.array().length == 0) return Value();
  const Array& a = x.array();
  const std::size_t rows = a.shape()[0], columns = a.shape()[1];
  if (rows == 1 || columns == 1) return Value();
  Array* const out = make_plain_table(cx.heap, a.type(), columns, rows);
  if (a.type() == ElementType::bit)
    kernels::transpose_bits(reinterpret_cast<std::uint64_t*>(out->data.here()), 0, rows, a.as<std::uint64_t>(), 0, columns,
                            columns, rows);
  else
    kernels::transpose(bits_of(a.type()), out->data.here(), static_cast<std::ptrdiff_t>(rows), a.data,
                       static_cast<std::ptrdiff_t>(columns), columns, rows);
  return Value(out);
}

namespace {

// Moves the elements of a list or table on; `entering` of them come in `from` somewhere, or are the fill where that is null.
Value moved(Context& cx, const Array& a, std::size_t entering, const void* from, bool front) {
  Array* const out = make_plain_like(cx.heap, a);
  const std::size_t width = bits_of(a.type()) / 8, in = entering * width, kept = a.length * width - in;
  std::uint8_t* const to = out->data.here();
  const std::uint8_t* const source = a.data;
  kernels::copy_bytes(front ? to + in : to, front ? source : source + in, kept);
  std::uint8_t* const place = front ? to : to + kept;
  if (from != nullptr)
    std::memcpy(place, from, in);
  else
    kernels::fill(8 * static_cast<unsigned>(width), place, is_character(a.type()) ? U' ' : 0, entering);
  return Value(out);
}
Value moved_bits(Context& cx, const Array& a, bool entering, bool front) {
  Array* const out = make_plain_list(cx.heap, ElementType::bit, a.length);
  auto* const to = reinterpret_cast<std::uint64_t*>(out->data.here());
  kernels::copy_bits(to, front ? 1 : 0, a.as<std::uint64_t>(), front ? 0 : 1, a.length - 1);
  kernels::write_bit(to, front ? 0 : a.length - 1, entering);
  return Value(out);
}

// Moves the rows of a table of bits on by one, which is cleared.
Value moved_rows_of_bits(Context& cx, const Array& a, bool front) {
  const std::size_t columns = a.shape()[1], kept = a.length - columns;
  Array* const out = make_plain_table(cx.heap, ElementType::bit, a.shape()[0], columns);
  auto* const to = reinterpret_cast<std::uint64_t*>(out->data.here());
  kernels::copy_bits(to, front ? columns : 0, a.as<std::uint64_t>(), front ? 0 : columns, kept);
  kernels::set_bit_run(to, front ? 0 : kept, columns, false);
  return Value(out);
}

Value nudged_plainly(Context& cx, const Value& x, bool front) {
  if (!x.is_array() || !stays_here(cx, x)) return Value();
  const Array& a = x.array();
  if (a.type() == ElementType::bit && is_plain_table(a) && a.length != 0) return moved_rows_of_bits(cx, a, front);
  if (a.type() == ElementType::bit) return is_plain_list(a) && a.length != 0 ? moved_bits(cx, a, false, front) : Value();
  return is_plain_run(a) ? moved(cx, a, a.length / a.cells(), nullptr, front) : Value();
}

Value shifted_plainly(Context& cx, const Value& w, const Value& x, bool front) {
  if (!x.is_array() || !stays_here(cx, x)) return Value();
  const Array& a = x.array();
  if (!a.is_list() || !(a.type() == ElementType::bit ? is_plain_list(a) && a.length != 0 : is_plain_run(a))) return Value();
  if (w.is_array()) {
    if (!stays_here(cx, w)) return Value();
    const Array& b = w.array();
    if (!is_plain_list(b) || b.type() != a.type() || a.type() == ElementType::bit || b.length > a.length) return Value();
    return moved(cx, a, b.length, b.data, front);
  }
  if (a.type() == ElementType::bit) {
    const bool fits = w.is_number() && (w.number() == 0 || w.number() == 1);
    return fits ? moved_bits(cx, a, w.number() != 0, front) : Value();
  }
  unsigned char atom[8];
  return store_atom(a.type(), atom, w) ? moved(cx, a, 1, atom, front) : Value();
}

}  // namespace

Value nudge_plainly(Context& cx, const Value& x) { return nudged_plainly(cx, x, true); }
Value nudge_back_plainly(Context& cx, const Value& x) { return nudged_plainly(cx, x, false); }
Value shift_before_plainly(Context& cx, const Value& w, const Value& x) { return shifted_plainly(cx, w, x, true); }
Value shift_after_plainly(Context& cx, const Value& w, const Value& x) { return shifted_plainly(cx, w, x, false); }

}  // namespace griddle::primitives
