// Nudge, Shift before and Shift after » «.
#include <algorithm>

#include "primitives/functions.h"
#include "primitives/kernels/moves/move.h"
#include "primitives/kernels/shared/bit_runs.h"
#include "primitives/structure/cells_at_hand.h"
#include "runtime/vm/operand_error.h"

namespace griddle::primitives {
namespace {

// Moves elements on for so many others that come in before the first or behind the last one: enter(out, at) writes these.
template <bool front, class A, class Enter>
[[gnu::always_inline]] inline std::uint64_t moved_on(Heap& heap, A a, std::size_t entering, Enter enter) {
  Array* const out = cells_like(heap, a, 0, cells_of(a));
  if (out == nullptr) return declined;
  const std::size_t kept = a->length - entering;
  copy_elements_of(out, front ? entering : 0, a, front ? 0 : entering, kept);
  enter(out, front ? 0 : kept);
  return bits_of_array(out);
}
template <bool front>
std::uint64_t moved_by_one(Heap& heap, List a, const void* entering) {
  const PlainList& plain = plain_of(a);
  Array* const out = list_at_hand(heap, plain, a->length);
  if (out == nullptr) return decline_for_list(heap, plain, a->length);
  const std::size_t width = std::size_t{1} << (plain.log2_bits - 3), kept = (a->length - 1) * width;
  std::uint8_t* const to = out->data.here();
  const std::uint8_t* const from = a->data.here();
  copy_piece(front ? to + width : to, front ? from : from + width, kept);
  copy_few(front ? to : to + kept, static_cast<const std::uint8_t*>(entering), width);
  return bits_of_array(out);
}
template <bool front>
std::uint64_t moved_by_one(Heap& heap, Boxes a, std::uint64_t entering) {
  return moved_on<front>(heap, a, 1, [=](Array* out, std::size_t at) { words_of(out)[at] = shared_box(entering); });
}
template <bool front, class A>
std::uint64_t bits_moved_by_one(Heap& heap, A bits, bool entering) {
  Array* const out = list_at_hand(heap, plain_of(bits), bits->length);
  if (out == nullptr) return decline_for_list(heap, plain_of(bits), bits->length);
  const std::uint64_t* const from = words_of(bits.array);
  std::uint64_t* const to = words_of(out);
  const std::size_t words = (bits->length + 63) / 64;
  constexpr std::size_t few_words = 16;
  if (words > few_words) {
    kernels::copy_bits(to, front, from, !front, bits->length - 1);
    kernels::write_bit(to, front ? 0 : bits->length - 1, entering);
  } else if constexpr (front) {
    to[0] = from[0] << 1 | std::uint64_t{entering};
    for (std::size_t i = 1; i < words; i++) to[i] = from[i] << 1 | from[i - 1] >> 63;
  } else {
    for (std::size_t i = 0; i + 1 < words; i++) to[i] = from[i] >> 1 | from[i + 1] << 63;
    to[words - 1] = from[words - 1] >> 1;
    kernels::write_bit(to, bits->length - 1, entering);
  }
  return bits_of_array(out);
}

// --- nudge

template <bool front>
std::uint64_t nudge_list(Heap& heap, List a) {
  if (a->type() == ElementType::bit) return bits_moved_by_one<front>(heap, a, false);
  const std::uint64_t fill = is_character(a->type()) ? ' ' : 0;
  return moved_by_one<front>(heap, a, &fill);
}
template <bool front>
std::uint64_t nudge_long_bits(Heap& heap, LongBits a) {
  return bits_moved_by_one<front>(heap, a, false);
}
template <bool front>
std::uint64_t nudge_table(Heap& heap, Table a) {
  const std::size_t columns = a->shape()[1];
  return moved_on<front>(heap, a, columns, [=](Array* out, std::size_t at) {
    if (out->type() == ElementType::bit) return kernels::set_bit_run(words_of(out), at, columns, false);
    const unsigned width = bits_of(out->type());
    kernels::fill(width, out->data.here() + at * width / 8, is_character(out->type()) ? U' ' : 0, columns);
  });
}
template <bool front>
std::uint64_t nudge_boxes(Heap& heap, Boxes a) {
  switch (a->fill_kind()) {
    case FillKind::none:
    case FillKind::zero: return moved_by_one<front>(heap, a, Value(0.0).bits());
    case FillKind::space: return moved_by_one<front>(heap, a, Value::character(' ').bits());
    case FillKind::nested: return moved_by_one<front>(heap, a, a->nested_fill().bits());
    default: return declined;
  }
}

template <bool front>
constexpr MonadWay nudges[] = {{"list", way<nudge_list<front>>},
                               {"table", way<nudge_table<front>>},
                               {"boxes", way<nudge_boxes<front>>},
                               {"long bits", way<nudge_long_bits<front>>}};

// --- shift

template <bool front, class A>
std::uint64_t shift_bits(Heap& heap, A bits, const Value& atom) {
  const bool fits = atom.is_number() && (atom.number() == 0 || atom.number() == 1);
  return fits ? bits_moved_by_one<front>(heap, bits, atom.number() != 0) : declined;
}
template <bool front>
std::uint64_t shift_long_bits(Heap& heap, std::uint64_t w, LongBits a) {
  return w < Value::first_object ? shift_bits<front>(heap, a, Value::from_bits(w)) : declined;
}
// Of an atom, or of an array without axes that holds one.
template <bool front>
std::uint64_t shift_list(Heap& heap, std::uint64_t w, List a) {
  if (w >= Value::first_object && (w = element_of_unit(w)) >= Value::first_object) return declined;
  const Value atom = Value::from_bits(w);
  if (a->type() == ElementType::bit) return shift_bits<front>(heap, a, atom);
  unsigned char entering[8];
  return store_atom(a->type(), entering, atom) ? moved_by_one<front>(heap, a, entering) : declined;
}
template <bool front>
std::uint64_t shift_by_list(Heap& heap, List w, List a) {
  if (w->length > a->length) return declined;
  if (w->type() == a->type())
    return moved_on<front>(heap, a, w->length, [=](Array* out, std::size_t at) { copy_elements_of(out, at, w, 0, w->length); });
  if (w->type() > a->type() || is_number(w->type()) != is_number(a->type())) return declined;
  return moved_on<front>(heap, a, w->length, [=](Array* out, std::size_t at) { copy_elements(*out, at, w, 0, w->length); });
}
template <bool front>
std::uint64_t shift_by_row(Heap& heap, List w, Table a) {
  if (w->type() != a->type() || w->length != a->shape()[1]) return declined;
  return moved_on<front>(heap, a, w->length, [=](Array* out, std::size_t at) { copy_elements_of(out, at, w, 0, w->length); });
}
template <bool front>
std::uint64_t shift_boxes(Heap& heap, std::uint64_t w, Boxes a) {
  // Where one argument has no fill, the result has none.
  if (a->fill_kind() != FillKind::none) return declined;
  const Joined entering(w);
  if (entering.length == 0 || entering.length > a->length) return declined;
  return moved_on<front>(heap, a, entering.length, [&](Array* out, std::size_t at) { entering.share_with(words_of(out) + at); });
}

template <bool front>
constexpr DyadWay shifts[] = {{"list", way<shift_list<front>>},
                              {"two lists", way<shift_by_list<front>>},
                              {"row into table", way<shift_by_row<front>>},
                              {"boxes", way<shift_boxes<front>>},
                              {"long bits", way<shift_long_bits<front>>}};

// --- any arguments

// Moves the elements of x on by `count`, in x itself where it may change, which `reuse` allows, and holds the type; and calls
// enter(out, start) to fill in what comes before the first or behind the last one.
template <class Enter>
Value moved_by(Context& cx, const Value& x, ElementType type, std::size_t count, bool front, bool reuse, Enter enter) {
  Array& a = x.array();
  const std::size_t kept = a.length - count;
  const bool in_place = reuse && a.writable() && a.type() == type && type != ElementType::boxed && type != ElementType::bit;
  Value out = in_place ? x : to_value(make_like(cx.heap, type, a));
  (in_place ? copy_elements : copy_run)(out.array(), front ? count : 0, a, front ? 0 : count, kept);
  enter(out.array(), front ? 0 : kept);
  return out;
}

Value nudged_cells(Context& cx, const char* name, Value x, bool front) {
  if (Value message = cells_refusal(cx, name, x); !message.is_absent()) fail_with(cx, std::move(message));
  const std::size_t cell = x.array().cell_length();
  if (x.array().length == 0) return x;
  const Value fill = fill_or_zero(cx.heap, x);
  const ElementType type = common_type(x.array().type(), element_type_of(fill));
  Value out = moved_by(cx, x, type, cell, front, true, [&](Array& to, std::size_t start) { fill_run(to, start, cell, fill); });
  return out.same(x) ? out : with_fill_like(cx.heap, std::move(out), x);
}

Value shifted_cells(Context& cx, const char* name, Value w, Value x, bool front) {
  std::string who(name);
  unsigned rank = rank_of(x);
  if (rank == 0) fail(cx, who + ": 𝕩 must have a rank of at least 1 (got " + kind_text(x) + ")");
  bool one_cell = rank_of(w) + 1 == rank;
  const auto need = [&](bool holds, const char* what) {
    if (holds) return;
    fail_on(make_string(cx.heap, who + what + " (shapes " + shape_text(w) + " and " + shape_text(x) + ")"), w, x);
  };
  need(one_cell || rank_of(w) == rank, ": Rank of 𝕨 must be that of 𝕩 or one less");
  need(same_shape(one_cell ? shape_of(w) : shape_of(w).subspan(1), shape_of(x).subspan(1)),
       ": Cells of 𝕨 and 𝕩 must have equal shapes");
  w = as_array(cx.heap, std::move(w));
  const Array &entering = w.array(), &a = x.array();
  const Value fill = common_fill(cx.heap, w, x);
  const std::size_t count = std::min(entering.length, a.length);
  const auto enter = [&](Array& to, std::size_t start) {
    copy_run(to, start, entering, front ? 0 : entering.length - count, count);
  };
  // What comes in must not be written over before.
  const bool reuse = entering.data != a.data;
  Value out = moved_by(cx, x, common_type(entering.type(), a.type()), count, front, reuse, enter);
  x = Value();
  return with_fill(cx.heap, std::move(out), fill);
}

}  // namespace

constexpr MonadWays nudge_ways = monad_ways<nudges<true>>, nudge_back_ways = monad_ways<nudges<false>>;
constexpr DyadWays shift_before_ways = dyad_ways<shifts<true>>, shift_after_ways = dyad_ways<shifts<false>>;

Value nudge(Context& cx, Value x) { return nudged_cells(cx, "Nudge", std::move(x), true); }
Value nudge_back(Context& cx, Value x) { return nudged_cells(cx, "Nudge back", std::move(x), false); }
Value shift_before(Context& cx, Value w, Value x) { return shifted_cells(cx, "Shift before", std::move(w), std::move(x), true); }
Value shift_after(Context& cx, Value w, Value x) { return shifted_cells(cx, "Shift after", std::move(w), std::move(x), false); }

}  // namespace griddle::primitives
