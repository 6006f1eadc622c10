#include "primitives/list_structure.h"

#include <algorithm>
#include <cstring>
#include <span>

#include "primitives/at_hand.h"
#include "primitives/elements.h"
#include "primitives/kernels/bit_runs.h"
#include "primitives/kernels/move.h"
#include "primitives/kernels/replicate.h"
#include "primitives/table_structure.h"

namespace griddle::primitives {

namespace {

// Gives `count` elements, of which there is one, from `start` on.
std::uint64_t piece_of(Heap& heap, std::uint64_t x, const Array& a, std::size_t start, std::size_t count) {
  if (count == a.length) return shared(x);
  if (Array* const piece = piece_at_hand(heap, a, start, count)) return bits_of_array(piece);
  if (a.type() != ElementType::bit) return declined;
  Array* const bits = list_at_hand(heap, plain_of(a), count);
  if (bits != nullptr) kernels::copy_bits(words_of(bits), 0, words_of(&a), start, count);
  return bits_of_array(bits);
}

}  // namespace

std::uint64_t reverse_list(Heap& heap, std::uint64_t x) {
  const Array* const a = plain_list(x);
  if (a == nullptr) return reverse_table(heap, x);
  const PlainList& plain = plain_of(*a);
  Array* const out = list_at_hand(heap, plain, a->length);
  if (out == nullptr) return declined;
  kernels::reversal(static_cast<unsigned>(plain.log2_bits))(out->data.here(), a->data.here(), a->length);
  return bits_of_array(out);
}

std::uint64_t take_of_list(Heap& heap, std::uint64_t w, std::uint64_t x) {
  const Array* const a = plain_list(x);
  std::int32_t n;
  if (a == nullptr || !read_integer(w, n) || n == 0 || magnitude(n) > a->length) return declined;
  return piece_of(heap, x, *a, n < 0 ? a->length - magnitude(n) : 0, magnitude(n));
}

std::uint64_t drop_of_list(Heap& heap, std::uint64_t w, std::uint64_t x) {
  const Array* const a = plain_list(x);
  std::int32_t n;
  if (a == nullptr || !read_integer(w, n) || magnitude(n) >= a->length) return declined;
  return piece_of(heap, x, *a, n < 0 ? 0 : magnitude(n), a->length - magnitude(n));
}

std::uint64_t rotate_list(Heap& heap, std::uint64_t w, std::uint64_t x) {
  const Array* const a = plain_list(x);
  std::int32_t n;
  if (a == nullptr || !read_integer(w, n)) return declined;
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
  if (a == nullptr) return nudge_table(heap, x, front);
  if (a->type() == ElementType::bit) return bits_moved_by_one<front>(heap, *a, false);
  const std::uint64_t fill = is_character(a->type()) ? ' ' : 0;
  return moved_by_one<front>(heap, *a, &fill);
}

template <bool front>
std::uint64_t shifted(Heap& heap, std::uint64_t w, std::uint64_t x) {
  const Array* const a = plain_list(x);
  if (a == nullptr || w >= Value::first_object) return declined;
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
std::uint64_t sorted_bits(Heap& heap, const Array& bits, bool down) {
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
  return a->type() == ElementType::bit && plain_list(x) != nullptr ? sorted_bits(heap, *a, down) : declined;
}

}  // namespace

std::uint64_t sort_list_up(Heap& heap, std::uint64_t x) { return sorted(heap, x, false); }
std::uint64_t sort_list_down(Heap& heap, std::uint64_t x) { return sorted(heap, x, true); }

namespace {

// Gives the type in which places of so many elements are told, none of which is above the longest list at hand.
ElementType type_of_places(std::size_t n) { return n <= 128 ? ElementType::i8 : ElementType::i16; }

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
  return a == nullptr || a->type() == ElementType::boxed ? declined : Value(1.0).bits();
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
  if (a == nullptr) return declined;
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

namespace {

// Makes a list of equal elements.
std::uint64_t list_of(Heap& heap, const Value& atom, std::size_t n) {
  if (!atom.is_number() && !atom.is_character()) return declined;
  Array* const out = list_at_hand(heap, plain_lists[static_cast<int>(element_type_of(atom))], n);
  if (out == nullptr) return declined;
  if (out->type() == ElementType::bit)
    std::fill_n(words_of(out), (n + 63) / 64, atom.number() != 0 ? ~std::uint64_t{0} : 0);
  else
    fill_run(*out, 0, n, atom);
  return bits_of_array(out);
}

std::uint64_t repeated(Heap& heap, const Array& a, std::size_t n) {
  const PlainList& plain = plain_of(a);
  Array* const out = list_at_hand(heap, plain, n);
  if (out == nullptr) return declined;
  copy_piece(out->data.here(), a.data.here(), ((a.length << plain.log2_bits) + 7) / 8);
  repeat_run(*out, a, n);
  return bits_of_array(out);
}

}  // namespace

std::uint64_t reshape_list(Heap& heap, std::uint64_t w, std::uint64_t x) {
  std::int32_t n;
  if (!read_integer(w, n) || n <= 0) return declined;
  const std::size_t length = static_cast<std::size_t>(n);
  if (x < Value::first_object) return length <= longest_at_hand ? list_of(heap, Value::from_bits(x), length) : declined;
  const Array* const a = plain_list(x);
  if (a == nullptr || length > longest_at_hand) return declined;
  return length <= a->length ? piece_of(heap, x, *a, 0, length) : repeated(heap, *a, length);
}

namespace {

// Copies a list of the type of another one behind the first elements of that.
void copy_behind(Array& to, std::size_t at, const Array& from) {
  const unsigned log2_bits = log2_bits_of(from.type());
  if (log2_bits == 0)
    kernels::copy_bits(words_of(&to), at, words_of(&from), 0, from.length);
  else
    copy_piece(to.data.here() + (at << (log2_bits - 3)), from.data.here(), from.length << (log2_bits - 3));
}

}  // namespace

namespace {

// Puts an atom that the type of a list holds before or behind its elements.
template <bool before>
std::uint64_t joined_with_atom(Heap& heap, std::uint64_t list, std::uint64_t atom) {
  const Array* const a = plain_list(list);
  if (a == nullptr || a->type() == ElementType::bit) return declined;
  const Value one = Value::from_bits(atom);
  if (!one.is_number() && !one.is_character()) return declined;
  const PlainList& plain = plain_of(*a);
  Array* const out = list_at_hand(heap, plain, a->length + 1);
  if (out == nullptr) return declined;
  const std::size_t width = std::size_t{1} << (plain.log2_bits - 3), bytes = a->length * width;
  std::uint8_t* const to = out->data.here();
  if (!store_atom(a->type(), before ? to : to + bytes, one)) {
    release(out);
    return declined;
  }
  copy_piece(before ? to + width : to, a->data.here(), bytes);
  return bits_of_array(out);
}

}  // namespace

std::uint64_t join_two_lists(Heap& heap, std::uint64_t w, std::uint64_t x) {
  if (x < Value::first_object) return joined_with_atom<false>(heap, w, x);
  if (w < Value::first_object) return joined_with_atom<true>(heap, x, w);
  const Array *const a = plain_list(w), *const b = plain_list(x);
  if (a == nullptr || b == nullptr || a->type() != b->type()) return declined;
  Array* const out = list_at_hand(heap, plain_of(*a), a->length + b->length);
  if (out == nullptr) return declined;
  copy_behind(*out, 0, *a);
  copy_behind(*out, a->length, *b);
  return bits_of_array(out);
}

std::uint64_t couple_lists(Heap& heap, std::uint64_t w, std::uint64_t x) {
  const Array *const a = plain_list(w), *const b = plain_list(x);
  if (a == nullptr || b == nullptr || a->type() != b->type() || a->length != b->length) return declined;
  Array* const out = table_at_hand(heap, plain_of(*a), 2, a->length);
  if (out == nullptr) return declined;
  copy_behind(*out, 0, *a);
  copy_behind(*out, a->length, *b);
  return bits_of_array(out);
}

std::uint64_t range_below(Heap& heap, std::uint64_t x) {
  std::int32_t n;
  if (!read_integer(x, n) || n < 1 || static_cast<std::size_t>(n) > longest_at_hand) return declined;
  const PlainList& plain = plain_lists[static_cast<int>(type_of_places(static_cast<std::size_t>(n)))];
  Array* const out = list_at_hand(heap, plain, static_cast<std::size_t>(n));
  if (out == nullptr) return declined;
  kernels::count_up(1u << plain.log2_bits, out->data.here(), out->length);
  out->note_order(false);
  return bits_of_array(out);
}

namespace {

// Makes an array of one box or two, of no axis or one.
std::uint64_t boxes_of(Heap& heap, std::span<const std::uint64_t> values, std::uint8_t rank, FillKind fill) {
  void* const memory = heap.allocate_at_hand(sizeof(Array) + values.size_bytes());
  if (memory == nullptr) return declined;
  std::uint8_t* const data = static_cast<std::uint8_t*>(memory) + sizeof(Array);
  Array* const a = new (memory)
      Array{{1, ObjectKind::array, static_cast<std::uint8_t>(ElementType::boxed), rank, static_cast<std::uint8_t>(fill)},
            values.size(),
            data};
  for (std::size_t i = 0; i < values.size(); i++) reinterpret_cast<std::uint64_t*>(data)[i] = shared(values[i]);
  return bits_of_array(a);
}

// Gives an element as an array without axes.
std::uint64_t unit_of(Heap& heap, const Array& a, std::size_t i) {
  const PlainList& plain = plain_of(a);
  void* const memory = heap.allocate_at_hand(sizeof(Array) + sizeof(std::uint64_t));
  if (memory == nullptr) return declined;
  constexpr std::uint64_t one_axis = std::uint64_t{1} << 48;
  std::uint8_t* const data = static_cast<std::uint8_t*>(memory) + sizeof(Array);
  Array* const unit = new (memory) Array{std::bit_cast<Object>(plain.head - one_axis), 1, data};
  if (plain.log2_bits == 0)
    *words_of(unit) = kernels::read_bit(words_of(&a), i);
  else
    copy_few(data, a.data.here() + (i << (plain.log2_bits - 3)), std::size_t{1} << (plain.log2_bits - 3));
  return bits_of_array(unit);
}

}  // namespace

std::uint64_t enclosed_array(Heap& heap, std::uint64_t x) {
  return array_of(x) == nullptr ? declined : boxes_of(heap, {&x, 1}, 0, FillKind::of_first);
}

std::uint64_t enlisted_array(Heap& heap, std::uint64_t x) {
  const Array* const a = array_of(x);
  return a == nullptr || a->type() == ElementType::boxed ? declined : boxes_of(heap, {&x, 1}, 1, FillKind::of_first);
}

std::uint64_t paired_lists(Heap& heap, std::uint64_t w, std::uint64_t x) {
  const Array *const a = array_of(w), *const b = array_of(x);
  if (a == nullptr || b == nullptr || !a->is_list() || !b->is_list()) return declined;
  const std::uint64_t both[] = {w, x};
  // What has another shape brings no fill along.
  if (a->length != b->length) return boxes_of(heap, both, 1, FillKind::none);
  const bool alike = plain_list(w) != nullptr && plain_list(x) != nullptr && is_number(a->type()) == is_number(b->type());
  return alike ? boxes_of(heap, both, 1, FillKind::of_first) : declined;
}

std::uint64_t first_of_list(Heap& heap, std::uint64_t x) {
  const Array* const a = plain_list(x);
  return a == nullptr ? declined : unit_of(heap, *a, 0);
}

std::uint64_t select_of_list(Heap& heap, std::uint64_t w, std::uint64_t x) {
  const Array* const a = plain_list(x);
  std::int32_t i;
  if (a == nullptr || !read_integer(w, i)) return declined;
  const std::size_t place = static_cast<std::size_t>(i < 0 ? i + static_cast<std::int64_t>(a->length) : i);
  return place < a->length ? unit_of(heap, *a, place) : declined;
}

}  // namespace griddle::primitives
