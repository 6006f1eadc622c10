#include "primitives/structure/list_structure.h"

#include <algorithm>

#include "primitives/common/at_hand.h"
#include "primitives/common/elements.h"
#include "primitives/kernels/moves/move.h"
#include "primitives/kernels/moves/replicate.h"
#include "primitives/kernels/shared/bit_runs.h"
#include "primitives/structure/box_structure.h"
#include "primitives/structure/table_structure.h"

namespace griddle::primitives {

std::uint64_t piece_of(Heap& heap, std::uint64_t x, const Array& a, std::size_t start, std::size_t count) {
  if (count == a.length) return shared(x);
  const unsigned log2_bits = log2_bits_of(a.type());
  if (log2_bits != 0 && count << log2_bits > 8 * copied_up_to_bytes)
    return bits_of_array(list_view_at_hand(heap, a, start, count));
  if (Array* const piece = piece_at_hand(heap, a, start, count)) return bits_of_array(piece);
  if (log2_bits != 0 || count > longest_at_hand) return declined;
  Array* const bits = list_at_hand(heap, plain_of(a), count);
  if (bits != nullptr) kernels::copy_bits(words_of(bits), 0, words_of(&a), start, count);
  return bits_of_array(bits);
}

std::uint64_t reverse_list(Heap& heap, std::uint64_t x) {
  const Array* const a = plain_list(x);
  if (a == nullptr) {
    const std::uint64_t table = reverse_table(heap, x);
    return table != declined ? table : reverse_boxes(heap, x);
  }
  const PlainList& plain = plain_of(*a);
  Array* const out = list_at_hand(heap, plain, a->length);
  if (out == nullptr) return declined;
  kernels::reversal(static_cast<unsigned>(plain.log2_bits))(out->data.here(), a->data.here(), a->length);
  return bits_of_array(out);
}

std::uint64_t take_of_list(Heap& heap, std::uint64_t w, std::uint64_t x) {
  const Array* const a = long_plain_list(x);
  std::int32_t n;
  if (a == nullptr) return take_of_boxes(heap, w, x);
  if (!read_integer(w, n) || n == 0 || magnitude(n) > a->length) return declined;
  return piece_of(heap, x, *a, n < 0 ? a->length - magnitude(n) : 0, magnitude(n));
}

std::uint64_t drop_of_list(Heap& heap, std::uint64_t w, std::uint64_t x) {
  const Array* const a = long_plain_list(x);
  std::int32_t n;
  if (a == nullptr) return drop_of_boxes(heap, w, x);
  if (!read_integer(w, n) || magnitude(n) >= a->length) return declined;
  return piece_of(heap, x, *a, n < 0 ? 0 : magnitude(n), a->length - magnitude(n));
}

std::uint64_t rotate_list(Heap& heap, std::uint64_t w, std::uint64_t x) {
  const Array* const a = plain_list(x);
  std::int32_t n;
  if (a == nullptr) return rotate_boxes(heap, w, x);
  if (!read_integer(w, n)) return declined;
  const std::int32_t length = static_cast<std::int32_t>(a->length);
  if (n < -length || n >= length) n %= length;
  if (n == 0) return shared(x);
  const std::size_t moved = static_cast<std::size_t>(n < 0 ? n + length : n);
  const PlainList& plain = plain_of(*a);
  Array* const out = list_at_hand(heap, plain, a->length);
  if (out == nullptr) return declined;
  if (plain.log2_bits == 0) {
    kernels::rotate_bits(words_of(out), words_of(a), a->length, moved);
  } else {
    const std::size_t shift = plain.log2_bits - 3, first = moved << shift, all = a->length << shift;
    copy_piece(out->data.here(), a->data.here() + first, all - first);
    copy_piece(out->data.here() + all - first, a->data.here(), first);
  }
  return bits_of_array(out);
}

namespace {

// Moves all elements on by one, for one that comes in before the first or behind the last one.
template <bool front>
std::uint64_t moved_by_one(Heap& heap, const Array& a, const void* entering) {
  const PlainList& plain = plain_of(a);
  Array* const out = list_at_hand(heap, plain, a.length);
  if (out == nullptr) return declined;
  const std::size_t width = std::size_t{1} << (plain.log2_bits - 3), kept = (a.length - 1) * width;
  std::uint8_t* const to = out->data.here();
  const std::uint8_t* const from = a.data.here();
  copy_piece(front ? to + width : to, front ? from : from + width, kept);
  copy_few(front ? to : to + kept, static_cast<const std::uint8_t*>(entering), width);
  return bits_of_array(out);
}

template <bool front>
std::uint64_t bits_moved_by_one(Heap& heap, const Array& bits, bool entering) {
  Array* const out = list_at_hand(heap, plain_of(bits), bits.length);
  if (out == nullptr) return declined;
  const std::uint64_t* const from = words_of(&bits);
  std::uint64_t* const to = words_of(out);
  const std::size_t words = (bits.length + 63) / 64;
  if constexpr (front) {
    to[0] = from[0] << 1 | std::uint64_t{entering};
    for (std::size_t i = 1; i < words; i++) to[i] = from[i] << 1 | from[i - 1] >> 63;
  } else {
    for (std::size_t i = 0; i + 1 < words; i++) to[i] = from[i] >> 1 | from[i + 1] << 63;
    to[words - 1] = from[words - 1] >> 1;
    kernels::write_bit(to, bits.length - 1, entering);
  }
  return bits_of_array(out);
}

template <bool front>
std::uint64_t nudged(Heap& heap, std::uint64_t x) {
  const Array* const a = plain_list(x);
  if (a == nullptr) {
    const std::uint64_t table = nudge_table(heap, x, front);
    return table != declined ? table : nudge_boxes(heap, x, front);
  }
  if (a->type() == ElementType::bit) return bits_moved_by_one<front>(heap, *a, false);
  const std::uint64_t fill = is_character(a->type()) ? ' ' : 0;
  return moved_by_one<front>(heap, *a, &fill);
}

template <bool front>
std::uint64_t shifted(Heap& heap, std::uint64_t w, std::uint64_t x) {
  const Array* const a = plain_list(x);
  if (a == nullptr) return shift_boxes(heap, w, x, front);
  if (w >= Value::first_object) return declined;
  const Value atom = Value::from_bits(w);
  if (a->type() == ElementType::bit) {
    const bool fits = atom.is_number() && (atom.number() == 0 || atom.number() == 1);
    return fits ? bits_moved_by_one<front>(heap, *a, atom.number() != 0) : declined;
  }
  unsigned char entering[8];
  return store_atom(a->type(), entering, atom) ? moved_by_one<front>(heap, *a, entering) : declined;
}

}  // namespace

std::uint64_t nudge_list(Heap& heap, std::uint64_t x) { return nudged<true>(heap, x); }
std::uint64_t nudge_list_back(Heap& heap, std::uint64_t x) { return nudged<false>(heap, x); }
std::uint64_t shift_list(Heap& heap, std::uint64_t w, std::uint64_t x) { return shifted<true>(heap, w, x); }
std::uint64_t shift_list_back(Heap& heap, std::uint64_t w, std::uint64_t x) { return shifted<false>(heap, w, x); }

namespace {

// Writes zeros and ones in order.
std::uint64_t list_of_sorted_bits(Heap& heap, const Array& bits, bool down) {
  Array* const out = list_at_hand(heap, plain_of(bits), bits.length);
  if (out == nullptr) return declined;
  const std::size_t ones = kernels::count_ones(words_of(&bits), bits.length), first = down ? ones : bits.length - ones;
  const std::size_t whole = first / 64, words = (bits.length + 63) / 64;
  std::uint64_t* const to = words_of(out);
  const std::uint64_t before = down ? ~std::uint64_t{0} : 0;
  // A loop of its own: most lists are too short for calls that fill memory.
  for (std::size_t i = 0; i < words; i++) to[i] = i < whole ? before : ~before;
  if (first % 64 != 0) to[whole] ^= kernels::low_bits(first % 64);
  return bits_of_array(out);
}

std::uint64_t sorted(Heap& heap, std::uint64_t x, bool down) {
  const Array* const a = array_of(x);
  if (a == nullptr || !a->is_list() || a->length == 0) return declined;
  if (a->has_noted_order(down)) return shared(x);
  return a->type() == ElementType::bit && plain_list(x) != nullptr ? list_of_sorted_bits(heap, *a, down) : declined;
}

}  // namespace

std::uint64_t sort_list_up(Heap& heap, std::uint64_t x) { return sorted(heap, x, false); }
std::uint64_t sort_list_down(Heap& heap, std::uint64_t x) { return sorted(heap, x, true); }

namespace {

// Writes the places of one kind of bits, then those of the other. What is written too much for the first is written over.
std::uint64_t graded_bits(Heap& heap, std::uint64_t x, bool down) {
  const Array* const a = plain_list(x);
  if (a == nullptr || a->type() != ElementType::bit) return declined;
  const std::size_t n = a->length, words = (n + 63) / 64, ones = kernels::count_ones(words_of(a), n);
  const ElementType type = type_of_places(n);
  const std::size_t spare = kernels::spare_elements(bits_of(type), n), first = down ? ones : n - ones;
  Array* const out = list_at_hand(heap, plain_lists[static_cast<int>(type)], n + spare);
  if (out == nullptr) return declined;
  out->length = n;
  std::uint64_t zeros[longest_at_hand / 64];
  for (std::size_t i = 0; i < words; i++) zeros[i] = ~words_of(a)[i];
  std::uint8_t* const rest = out->data.here() + first * bits_of(type) / 8;
  kernels::places_of_ones(type, out->data.here(), n + spare, down ? words_of(a) : zeros, n);
  kernels::places_of_ones(type, rest, n - first + spare, down ? zeros : words_of(a), n);
  return bits_of_array(out);
}

}  // namespace

std::uint64_t grade_bits_up(Heap& heap, std::uint64_t x) { return graded_bits(heap, x, false); }
std::uint64_t grade_bits_down(Heap& heap, std::uint64_t x) { return graded_bits(heap, x, true); }

std::uint64_t places_in_list(Heap& heap, std::uint64_t x) {
  const Array* const a = plain_list(x);
  if (a == nullptr || a->type() != ElementType::bit) return declined;
  const std::size_t n = a->length, total = kernels::count_ones(words_of(a), n);
  const ElementType type = type_of_places(n);
  const std::size_t room = total + kernels::spare_elements(bits_of(type), n);
  Array* const out = list_at_hand(heap, plain_lists[static_cast<int>(type)], room);
  if (out == nullptr) return declined;
  out->length = total;
  kernels::places_of_ones(type, out->data.here(), room, words_of(a), n);
  return bits_of_array(out);
}

std::uint64_t rank_of_array(Heap&, std::uint64_t x) {
  const Array* const a = array_of(x);
  return a == nullptr ? declined : Value(static_cast<double>(a->rank())).bits();
}

std::uint64_t length_of_array(Heap&, std::uint64_t x) {
  const Array* const a = array_of(x);
  return a == nullptr ? declined : Value(a->cells()).bits();
}

std::uint64_t depth_of_array(Heap&, std::uint64_t x) {
  const Array* const a = array_of(x);
  if (a == nullptr) return declined;
  return a->type() == ElementType::boxed ? depth_of_boxes(x) : Value(1.0).bits();
}

std::uint64_t shape_of_list(Heap& heap, std::uint64_t x) {
  const Array* const a = array_of(x);
  if (a == nullptr || !a->is_list() || a->length < 2 || a->length > 32767) return declined;
  const ElementType type = a->length <= 127 ? ElementType::i8 : ElementType::i16;
  Array* const out = list_at_hand(heap, plain_lists[static_cast<int>(type)], 1);
  if (out != nullptr) *reinterpret_cast<std::int16_t*>(out->data.here()) = static_cast<std::int16_t>(a->length);
  return bits_of_array(out);
}

namespace {

// Keeps what is marked.
std::uint64_t kept(Heap& heap, const Array& marks, std::uint64_t x, const Array& a) {
  const std::size_t total = kernels::count_ones(words_of(&marks), marks.length);
  if (total == a.length) return shared(x);
  const PlainList& plain = plain_of(a);
  const unsigned width = 1u << plain.log2_bits;
  // Bits are written as whole words, which lists of bits have.
  const std::size_t room = width == 1 ? total : total + kernels::spare_elements(width, a.length);
  Array* const out = list_at_hand(heap, plain, room);
  if (out == nullptr) return declined;
  out->length = total;
  kernels::compress(width, out->data.here(), room, a.data.here(), words_of(&marks), a.length);
  return bits_of_array(out);
}

}  // namespace

std::uint64_t replicate_elements(Heap& heap, std::uint64_t w, std::uint64_t x) {
  const Array* const a = plain_list(x);
  if (a == nullptr) {
    const std::uint64_t rows = keep_rows(heap, w, x);
    return rows != declined ? rows : replicate_boxes(heap, w, x);
  }
  if (const Array* const marks = plain_list(w))
    return marks->type() == ElementType::bit && marks->length == a->length ? kept(heap, *marks, x, *a) : declined;
  std::int32_t times;
  if (!read_integer(w, times) || times < 2 || times > 64) return declined;
  const PlainList& plain = plain_of(*a);
  Array* const out = list_at_hand(heap, plain, a->length * static_cast<std::size_t>(times));
  if (out == nullptr) return declined;
  kernels::repeat_each(1u << plain.log2_bits, out->data.here(), a->data.here(), a->length, static_cast<std::size_t>(times));
  return bits_of_array(out);
}

}  // namespace griddle::primitives
