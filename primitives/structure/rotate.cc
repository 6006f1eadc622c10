// Reverse and Rotate ⌽.
#include <algorithm>

#include "primitives/common/by_door.h"
#include "primitives/common/tuning.h"
#include "primitives/functions.h"
#include "primitives/inverse/undo.h"
#include "primitives/kernels/booleans/bit_rows.h"
#include "primitives/structure/cells_at_hand.h"
#include "primitives/structure/table_rows.h"
#include "runtime/value/checkpoint.h"
#include "runtime/vm/operand_error.h"

namespace griddle::primitives {

// --- reverse

namespace {

std::uint64_t reverse_list(Heap& heap, List a) {
  const PlainList& plain = plain_of(a);
  Array* const out = make_list_of(heap, plain, a->length);
  kernels::reversal(static_cast<unsigned>(plain.log2_bits))(out->data.here(), a->data.here(), a->length);
  return bits_of_array(out);
}

// Reverses rows, or boxes.
template <class A>
std::uint64_t reverse_cells(Heap& heap, A a) {
  const std::size_t cells = cells_of(a), length = cell_length_of(a);
  // What nobody else holds is better changed in place, unless it is short.
  if (std::is_same_v<A, Boxes> && cells > tuning().few_reversed_boxes && a->unique()) return declined;
  // Many rows of bits have a kernel.
  if (a->type() == ElementType::bit && cells > tuning().few_reversed_bit_rows) return declined;
  Array* const out = cells_like(heap, a, a->length - length, cells);
  if (out == nullptr) return declined;
  if (const std::size_t bits = length << log2_bits_of(a->type());
      is_table<A> && bits <= 64 && std::has_single_bit(bits) && bits >= 8 && !holds_boxes<A>)
    kernels::reverse(static_cast<unsigned>(bits), out->data.here(), a->data.here(), cells);
  else
    for (std::size_t i = 0; i < cells; i++) copy_elements_of(out, i * length, a, (cells - 1 - i) * length, length);
  return bits_of_array(out);
}

std::uint64_t reverse_nothing(Heap&, EmptyList a) { return shared(a); }

constexpr MonadWay reversals[] = {{"list", way<reverse_list>},
                                  {"table", way<reverse_cells<Table>>},
                                  {"boxes", way<reverse_cells<Boxes>>},
                                  {"table of boxes", way<reverse_cells<BoxTable>>},
                                  {"empty list", way<reverse_nothing>}};

// Writes the cells from the last to the first.
void copy_reversed(Array& to, const Array& from) {
  const std::size_t cells = from.cells(), cell = from.cell_length(), bits = cell * bits_of(from.type());
  if (bits == 1) return kernels::reverse_bits(to.as<std::uint64_t>(), 0, from.as<std::uint64_t>(), 0, from.length);
  if (bits % 8 != 0 || bits > 64 || !std::has_single_bit(bits)) {
    const auto step = static_cast<std::ptrdiff_t>(cell);
    const BoxAxis axes[2] = {{cells, step, -step}, {cell, 1, 1}};
    return copy_box(to, 0, from, (cells - 1) * cell, axes);
  }
  CopiedElements copied(to);
  kernels::reverse(static_cast<unsigned>(bits), to.data, from.data, cells);
  copied.share();
}

}  // namespace

constexpr MonadWays reverse_ways = monad_ways<reversals>;

Value reverse(Context& cx, Value x) {
  if (Value message = cells_refusal(cx, "Reverse", x); !message.is_absent()) fail_with(cx, std::move(message));
  Array& a = x.array();
  if (a.cells() <= 1 || a.length == 0) return x;
  if (a.is_list() && a.type() != ElementType::bit && a.writable()) {
    kernels::reverse(bits_of(a.type()), a.data, a.data, a.length);
    return x;
  }
  Ref<Array> out = make_like(cx.heap, a.type(), a);
  copy_reversed(*out, a);
  return with_fill_like(cx.heap, to_value(std::move(out)), x);
}

// --- rotate

namespace {

template <class A>
std::uint64_t rotate_cells(Heap& heap, std::int32_t n, A a) {
  const auto cells = static_cast<std::int32_t>(cells_of(a));
  if (n < -cells || n >= cells) n %= cells;
  if (n == 0) return shared(a);
  const std::size_t moved = static_cast<std::size_t>(n < 0 ? n + cells : n) * cell_length_of(a);
  Array* const out = cells_like(heap, a, moved, static_cast<std::size_t>(cells));
  if (out == nullptr) return declined;
  const std::size_t rest = a->length - moved;
  if constexpr (holds_boxes<A>) {
    copy_elements_of(out, 0, a, moved, rest);
    copy_elements_of(out, rest, a, 0, moved);
  } else if (const std::size_t log2_bits = plain_of(a).log2_bits; log2_bits == 0) {
    kernels::rotate_bits(words_of(out), words_of(a.array), a->length, moved);
  } else {
    const std::size_t shift = log2_bits - 3;
    copy_piece(out->data.here(), a->data.here() + (moved << shift), rest << shift);
    copy_piece(out->data.here() + (rest << shift), a->data.here(), moved << shift);
  }
  return bits_of_array(out);
}

// Rotates along both axes.
std::uint64_t rotate_part(Heap& heap, List amounts, Table a) {
  std::int32_t by[2];
  // Many rows of bits have a kernel.
  const bool has_kernel = a->type() == ElementType::bit && a->shape()[0] > tuning().few_reversed_bit_rows;
  return !has_kernel && read_two_integers(amounts, by) ? rotated_table(heap, a, by[0], by[1]) : declined;
}

std::uint64_t rotate_nothing(Heap&, std::int32_t, EmptyList a) { return shared(a); }

constexpr DyadWay rotations[8] = {{"list", way<rotate_cells<List>>},
                                  {"boxes", way<rotate_cells<Boxes>>},
                                  {"table", way<rotate_cells<Table>>},
                                  {"table along both axes", way<rotate_part>},
                                  {"table of boxes", way<rotate_cells<BoxTable>>},
                                  {"empty list", way<rotate_nothing>},
                                  {"long bits", way<rotate_cells<LongBits>>},
                                  {"number in a unit", by_number_in_unit<rotations>}};

// Reads a rotation, an integer of up to 63 bits, and reduces it to a place in an axis of length n.
Value rotation_refusal(Context& cx, const Value& v) {
  const double d = v.is_number() ? v.number() : NAN;
  if (std::fabs(d) < 9223372036854775808.0 && d == std::floor(d)) return Value();
  return make_string(cx.heap, "Rotate: 𝕨 must consist of integers (got " + offender(v) + ")");
}
std::size_t read_rotation(Context& cx, const Value& v, std::size_t n) {
  if (Value message = rotation_refusal(cx, v); !message.is_absent()) fail_with(cx, std::move(message));
  if (n == 0) return 0;
  const double r = std::fmod(v.number(), static_cast<double>(n));
  return static_cast<std::size_t>(r < 0 ? r + static_cast<double>(n) : r);
}

// Copies an array of which one axis is rotated a little, if so: all moves by as many places, and then what runs round each row is
// put right.
bool copy_shifted(Array& to, const Array& from, std::size_t places, std::size_t inner, std::size_t rotation) {
  const std::size_t row = places * inner, moved = rotation * inner, shift = std::min(moved, row - moved);
  if (row > tuning().short_rotated_row && 4 * shift > row) return false;
  const bool down = shift == moved;
  copy_run(to, down ? 0 : shift, from, down ? shift : 0, from.length - shift);
  const std::ptrdiff_t step = static_cast<std::ptrdiff_t>(row);
  const BoxAxis round[] = {{from.length / row, step, step}, {shift, 1, 1}};
  copy_box(to, down ? row - shift : 0, from, down ? 0 : row - shift, round);
  return true;
}

// Copies the pieces of a rotated array: each rotated axis, from `axis` on, falls into two.
void copy_pieces(Array& to, const Array& from, std::span<const std::size_t> rotation, std::span<BoxAxis> box, std::size_t axis,
                 std::size_t to_start, std::size_t from_start) {
  while (axis < rotation.size() && rotation[axis] == 0) axis++;
  if (axis == rotation.size()) return copy_box(to, to_start, from, from_start, box);
  const std::size_t first = from.shape()[axis] - rotation[axis], step = static_cast<std::size_t>(box[axis].to);
  box[axis].length = first;
  copy_pieces(to, from, rotation, box, axis + 1, to_start, from_start + rotation[axis] * step);
  box[axis].length = rotation[axis];
  copy_pieces(to, from, rotation, box, axis + 1, to_start + first * step, from_start);
}

// Copies bits of which the last axis is rotated, and perhaps the first one, row by row; false where that is not so, or where rows
// are longer than told.
bool copy_rotated_rows(Array& to, const Array& from, std::span<const std::size_t> rotation, std::size_t longest) {
  const std::span<const std::size_t> shape = from.shape();
  const std::size_t last = shape.size() - 1, n = shape[last];
  if (from.type() != ElementType::bit || rotation.size() != shape.size() || rotation[last] == 0 || n > longest) return false;
  for (std::size_t k = 1; k < last; k++)
    if (rotation[k] != 0) return false;
  const auto copy = [&](std::size_t to_at, std::size_t at, std::size_t bits) {
    in_pieces(bits / n, [&](std::size_t i, std::size_t end) {
      kernels::rotate_bit_rows(words_of(&to), to_at + i * n, words_of(&from), at + i * n, n, rotation[last], end - i);
    });
  };
  const std::size_t below = last == 0 ? 0 : rotation[0] * (from.length / shape[0]);
  copy(0, below, from.length - below);
  copy(from.length - below, 0, below);
  return true;
}

void copy_rotated(Array& to, const Array& from, std::span<const std::size_t> rotation) {
  constexpr std::size_t longest_word = 64;
  if (copy_rotated_rows(to, from, rotation, longest_word)) return;
  const std::span<const std::size_t> shape = from.shape();
  std::ptrdiff_t steps[max_rank];
  row_major(shape, steps);
  Few<BoxAxis> box(shape.size());
  for (std::size_t k = 0; k < shape.size(); k++) box[k] = {shape[k], steps[k], steps[k]};
  const auto moves = [](std::size_t r) { return r != 0; };
  if (std::count_if(rotation.begin(), rotation.end(), moves) == 1) {
    const auto k = static_cast<std::size_t>(std::find_if(rotation.begin(), rotation.end(), moves) - rotation.begin());
    if (copy_shifted(to, from, shape[k], static_cast<std::size_t>(steps[k]), rotation[k])) return;
  }
  if (!copy_rotated_rows(to, from, rotation, kernels::longest_bit_row))
    copy_pieces(to, from, rotation, {box.data(), box.size()}, 0, 0, 0);
}

// Reads by how much each axis of x rotates.
Few<std::size_t> read_rotations(Context& cx, const Value& w, const Value& x, bool back) {
  if (rank_of(w) > 1) fail(cx, "Rotate: 𝕨 must be an integer or a list of integers (got shape " + shape_text(w) + ")");
  const std::size_t count = length_of(w);
  if (count > rank_of(x))
    fail(cx, "Rotate: 𝕨 must not have more numbers than 𝕩 has axes (" + std::to_string(count) + " numbers, shape " +
                 shape_text(x) + ")");
  Few<std::size_t> rotation;
  for (std::size_t k = 0; k < count; k++) {
    const std::size_t n = shape_of(x)[k], r = read_rotation(cx, w.is_array() ? element(w.array(), k) : w, n);
    rotation.push_back(back && r ? n - r : r);
  }
  return rotation;
}

Value rotated(Context& cx, const Value& w, Value x, bool back) {
  const Few<std::size_t> rotation = on_operands(w, x, [&] { return read_rotations(cx, w, x, back); });
  const bool moves = std::any_of(rotation.begin(), rotation.end(), [](std::size_t r) { return r != 0; });
  x = as_array(cx.heap, std::move(x));
  const Array& a = x.array();
  if (!moves || a.length == 0) return x;
  Ref<Array> out = make_like(cx.heap, a.type(), a);
  if (rotation.size() == 1) {
    const std::size_t moved = rotation[0] * a.cell_length();
    copy_run(*out, 0, a, moved, a.length - moved);
    copy_run(*out, a.length - moved, a, 0, moved);
  } else {
    copy_rotated(*out, a, rotation);
  }
  return with_fill_like(cx.heap, to_value(std::move(out)), x);
}

}  // namespace

constexpr DyadWays rotate_ways = dyad_ways<rotations>;

Value rotate_refusal(Context& cx, const Value& w, const Value& x) {
  if (w.is_absent()) return cells_refusal(cx, "Reverse", x);
  return w.is_atom() && rank_of(x) != 0 ? rotation_refusal(cx, w) : Value();
}

Value rotate(Context& cx, Value w, Value x) { return rotated(cx, w, std::move(x), false); }
Value undo_rotate(Context& cx, Value w, Value x) {
  if (rank_of(x) == 0) fail(cx, "Undo of Rotate: 𝕩 must have a rank of at least 1 (got " + kind_text(x) + ")");
  const bool by_numbers = w.is_number() || (w.is_array() && is_number(w.array().type()));
  if (by_numbers && concerns_device(cx, x)) [[unlikely]]
    return call_primitive(cx, entry_by<rotate>(), call_primitive(cx, entry_by<subtract>(), std::move(w)), std::move(x));
  return rotated(cx, w, std::move(x), true);
}

std::uint64_t last_element(Context&, const Value& x) {
  if (!x.is_array()) return Value::absent_bits;
  const Array& a = x.array();
  return a.is_list() && a.length != 0 && !a.data.elsewhere() ? element(a, a.length - 1).leak() : Value::absent_bits;
}

}  // namespace griddle::primitives
