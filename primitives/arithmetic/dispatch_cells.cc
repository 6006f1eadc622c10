// Dispatch of pervasive functions where elements meet cells: each those of one of its own, or a list those of all.
#include <algorithm>
#include <cstring>

#include "primitives/arithmetic/dispatch.h"
#include "primitives/common/elements.h"
#include "primitives/common/tuning.h"
#include "primitives/kernels/moves/replicate.h"

namespace griddle::primitives {

namespace {

// Computes on each element with all of a cell by a kernel for that, which writes bits.
Value by_rows(Context& cx, const DyadRule& rule, const Array& few, const Array& all, bool few_left) {
  // Shorter cells meet repeated elements sooner.
  const ElementType type = all.type();
  if (all.length < std::max(tuning().shortest_compared_cell, tuning().shortest_compared_bytes * 8 / bits_of(type)) * few.length)
    return Value();
  if (is_number(few.type()) != is_number(type) || wider(few.type(), type) != type || type == ElementType::bit) return Value();
  DyadStep step;
  if (!rule.step(type, type, 0, step)) return Value();
  const kernels::Table kernel = few_left ? step.forms.rows : step.forms.rows_left;
  if (kernel == nullptr || step.w != type || step.result != ElementType::bit) return Value();
  const Value each = widened(cx.heap, Value::share(const_cast<Array*>(&few)), type);
  Ref<Array> made = make_like(cx.heap, step.result, all);
  const std::size_t cell = all.length / few.length, width = bits_of(type) / 8;
  // Results begin at a word each time.
  const std::size_t at_once = ((std::size_t{1} << 20) / cell + 64) / 64 * 64;
  for (std::size_t i = 0; i < few.length; i += at_once) {
    cx.check_interrupt();
    kernel(made->data + i * cell / 8, each.array().data + i * width, std::min(at_once, few.length - i),
           all.data + i * cell * width, cell);
  }
  return to_value(std::move(made));
}

// Computes with elements that are repeated for the cells that they meet, a piece at a time. Absent where results do not fit.
Value by_repeated_cells(Context& cx, kernels::Dyad kernel, ElementType result, const Array& few, const Array& all,
                        bool few_left) {
  constexpr std::size_t piece_bytes = 16384;
  const std::size_t cell = all.length / few.length, width = bits_of(few.type());
  std::size_t together = 8 * piece_bytes / (cell * width);
  // Bits are read and written from whole words on.
  const auto is_bit = [](ElementType type) { return type == ElementType::bit; };
  if (is_bit(result) || is_bit(all.type()) || is_bit(few.type())) together = together / 64 * 64;
  if (cell == 1 || together == 0) return Value();
  alignas(64) std::uint8_t repeated[piece_bytes];
  Ref<Array> made = is_bit(result) ? make_like(cx.heap, result, all) : make_plain_like(cx.heap, result, all);
  for (std::size_t i = 0; i < few.length; i += together) {
    if (i / together % 1024 == 0) cx.check_interrupt();
    const std::size_t elements = std::min(together, few.length - i), place = i * cell, count = elements * cell;
    kernels::repeat_each(static_cast<unsigned>(width), repeated, few.data + i * width / 8, elements, cell);
    const std::uint8_t* whole = all.data + bytes_before(all.type(), place);
    if (kernel(made->data + bytes_before(result, place), few_left ? repeated : whole, few_left ? whole : repeated, count) !=
        count)
      return Value();
  }
  return to_value(std::move(made));
}

}  // namespace

Value on_short_cells(Context& cx, const DyadRule& rule, const Array& w, const Array& x) {
  const bool left = w.rank() < x.rank();
  const Array& few = left ? w : x;
  const Array& all = left ? x : w;
  if (few.rank() == all.rank() || few.length == 0 || all.length == 0 || !has_plain_fill(w) || !has_plain_fill(x) ||
      few.type() == ElementType::boxed || all.type() == ElementType::boxed ||
      !same_shape(few.shape(), all.shape().first(few.rank())))
    return Value();
  if (Value result = by_rows(cx, rule, few, all, left); !result.is_absent()) return result;
  // Larger results may have the memory of an argument.
  if (all.length >= tuning().worth_reusing && all.unique()) return Value();
  const DirectDyad& way = rule.direct().find(kernels::array_array, w.type(), x.type());
  if (way.kernel == nullptr) return Value();
  if (Value result = by_repeated_cells(cx, way.kernel, way.result, few, all, left); !result.is_absent()) return result;
  // Where results did not fit, they may in the next type.
  DyadStep step;
  const bool reads_both = rule.step(w.type(), x.type(), 1, step) && step.w == w.type() && step.x == x.type();
  if (!reads_both || step.result <= way.result) return Value();
  return by_repeated_cells(cx, step.forms[kernels::array_array], step.result, few, all, left);
}

Value pervade_rows(Context& cx, const DyadRule& rule, const Value& w, const Value& x) {
  constexpr std::size_t piece_bytes = 4096;
  const Array& a = w.array();
  const Array& b = x.array();
  const bool left = a.rank() < b.rank();
  const Array& row = left ? a : b;
  const Array& all = left ? b : a;
  if (a.type() == ElementType::boxed || b.type() == ElementType::boxed) return Value();
  const DirectDyad& way = rule.direct().find(kernels::array_array, a.type(), b.type());
  if (way.kernel == nullptr || way.result == ElementType::bit || row.type() == ElementType::bit ||
      all.type() == ElementType::bit || row.length == 0 || all.length == 0 || !has_plain_fill(a) || !has_plain_fill(b))
    return Value();
  const std::size_t width = bits_of(row.type()) / 8, bytes = row.length * width;
  const std::size_t together = std::clamp<std::size_t>(piece_bytes / bytes, 1, all.length / row.length);
  alignas(64) std::uint8_t repeated[piece_bytes];
  const std::uint8_t* rows = row.data;
  if (together > 1) {
    std::memcpy(repeated, rows, bytes);
    repeat_bytes(repeated, bytes, together * bytes);
    rows = repeated;
  }
  Ref<Array> made = make_plain_like(cx.heap, way.result, all);
  const std::size_t from_width = bits_of(all.type()) / 8, to_width = bits_of(way.result) / 8;
  for (std::size_t i = 0, piece = 0; i < all.length; i += together * row.length) {
    if (piece++ % 256 == 0) cx.check_interrupt();
    const std::size_t count = std::min(together * row.length, all.length - i);
    const std::uint8_t* from = all.data + i * from_width;
    if (way.kernel(made->data + i * to_width, left ? rows : from, left ? from : rows, count) != count) return Value();
  }
  return to_value(std::move(made));
}

}  // namespace griddle::primitives
