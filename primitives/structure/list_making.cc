// Lists and tables made anew: of what others hold, or of atoms.
#include <algorithm>
#include <span>

#include "primitives/common/at_hand.h"
#include "primitives/common/elements.h"
#include "primitives/common/small_integer.h"
#include "primitives/kernels/moves/move.h"
#include "primitives/kernels/shared/bit_runs.h"
#include "primitives/structure/box_structure.h"
#include "primitives/structure/list_structure.h"
#include "primitives/structure/table_structure.h"

namespace griddle::primitives {

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

// Reads two lengths, of which ∘ leaves one to so many elements, which must make whole rows then.
bool read_two_lengths(const Array& w, std::size_t given, std::size_t* lengths) {
  if (!w.is_list() || w.length != 2 || is_character(w.type()) || w.data.elsewhere()) return false;
  std::size_t computed = 2;
  for (std::size_t k = 0; k < 2; k++) {
    const Value length = element(w, k);
    std::int32_t n;
    if (is_small_integer(length, n) && n > 0)
      lengths[k] = static_cast<std::size_t>(n);
    else if (computed == 2 && length.is_modifier() && glyph_of(length) == U'∘')
      computed = k;
    else
      return false;
  }
  if (computed == 2) return true;
  lengths[computed] = given / lengths[1 - computed];
  return lengths[0] * lengths[1] == given;
}

// Fills a table with the elements of a list, over and over.
std::uint64_t table_of(Heap& heap, const Array& a, std::size_t rows, std::size_t columns) {
  if (a.type() == ElementType::bit || rows > longest_at_hand || columns > longest_at_hand || rows * columns > longest_at_hand)
    return declined;
  const unsigned shift = log2_bits_of(a.type()) - 3;
  // Long pieces stay where they are.
  if (rows * columns < a.length && rows * columns << shift > copied_up_to_bytes) return declined;
  Array* const out = table_at_hand(heap, plain_of(a), rows, columns);
  if (out == nullptr) return declined;
  copy_piece(out->data.here(), a.data.here(), std::min(a.length, out->length) << shift);
  repeat_run(*out, a, out->length);
  return bits_of_array(out);
}

// Gives a list as a table.
std::uint64_t as_table(Heap& heap, const Array& w, std::uint64_t x) {
  const Array* const a = plain_list(x);
  std::size_t lengths[2];
  if (array_of(x) == nullptr || !read_two_lengths(w, array_of(x)->length, lengths)) return declined;
  if (a == nullptr) return table_of_boxes(heap, x, lengths[0], lengths[1]);
  const bool is_whole = lengths[0] * lengths[1] == a->length && lengths[0] <= a->length;
  return is_whole ? bits_of_array(table_view_at_hand(heap, *a, lengths[0], lengths[1]))
                  : table_of(heap, *a, lengths[0], lengths[1]);
}

}  // namespace

std::uint64_t reshape_list(Heap& heap, std::uint64_t w, std::uint64_t x) {
  std::int32_t n;
  if (const Array* const lengths = array_of(w)) return as_table(heap, *lengths, x);
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
  if (log2_bits == 0) return kernels::copy_bits(words_of(&to), at, words_of(&from), 0, from.length);
  const unsigned log2_bytes = log2_bits - 3;
  copy_piece(to.data.here() + (at << log2_bytes), from.data.here(), from.length << log2_bytes, to.length << log2_bytes);
}

// Gives the element that an atom, or an array without axes of one plain element, stands for; absent for any other value.
Value one_element(std::uint64_t v) {
  const Array* const unit = array_of(v);
  if (unit == nullptr) return v < Value::first_object ? Value::from_bits(v) : Value();
  constexpr std::uint32_t one_axis = 1u << 16;
  const bool is_plain = PlainList::described(*unit) + one_axis == described_lists[static_cast<std::size_t>(unit->type())];
  return is_plain && !unit->data.elsewhere() ? plain_element(*unit, 0) : Value();
}

// Joins a list and one element of its kind.
std::uint64_t join_one(Heap& heap, const Array& list, std::uint64_t one, bool behind) {
  const Value element = one_element(one);
  if (is_number(list.type()) ? !element.is_number() : !element.is_character()) return declined;
  const ElementType type = wider(list.type(), element_type_of(element));
  Array* const out = list_at_hand(heap, plain_lists[static_cast<int>(type)], list.length + 1);
  if (out == nullptr) return declined;
  const std::size_t at = behind ? list.length : 0, rest = behind ? 0 : 1;
  if (type == list.type())
    copy_behind(*out, rest, list);
  else
    copy_elements(*out, rest, list, 0, list.length);
  if (type == ElementType::bit)
    kernels::write_bit(words_of(out), at, element.number() != 0);
  else
    store_atom(type, out->data.here() + (at << (log2_bits_of(type) - 3)), element);
  return bits_of_array(out);
}

// Joins what is not two plain lists.
std::uint64_t join_other(Heap& heap, const Array* a, std::uint64_t w, const Array* b, std::uint64_t x) {
  const std::uint64_t list = a != nullptr ? join_one(heap, *a, x, true) : b != nullptr ? join_one(heap, *b, w, false) : declined;
  if (list != declined) return list;
  const std::uint64_t boxes = join_two_boxed(heap, w, x);
  return boxes != declined ? boxes : join_tables(heap, w, x);
}

}  // namespace

std::uint64_t join_two_lists(Heap& heap, std::uint64_t w, std::uint64_t x) {
  const Array *const a = plain_list(w), *const b = plain_list(x);
  if (a == nullptr || b == nullptr) return join_other(heap, a, w, b, x);
  if (a->type() != b->type()) return declined;
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
  return a == nullptr ? declined : boxes_of(heap, {&x, 1}, 1, FillKind::of_first);
}

std::uint64_t paired_lists(Heap& heap, std::uint64_t w, std::uint64_t x) {
  const Array *const a = array_of(w), *const b = array_of(x);
  if (a == nullptr || b == nullptr || !a->is_list() || !b->is_list()) return declined;
  const std::uint64_t both[] = {w, x};
  // What has another shape brings no fill along.
  if (a->length != b->length) return boxes_of(heap, both, 1, FillKind::none);
  const bool alike = plain_list(w) != nullptr && plain_list(x) != nullptr && is_number(a->type()) == is_number(b->type());
  return alike ? boxes_of(heap, both, 1, FillKind::of_first) : pair_of_arrays(heap, w, x);
}

std::uint64_t first_of_list(Heap& heap, std::uint64_t x) {
  const Array* const a = plain_list(x);
  return a == nullptr ? first_of_boxes(heap, x) : unit_of(heap, *a, 0);
}

namespace {

// Copies the elements at some places; false where one is none.
template <class T, class I>
bool copy_elements_at(T* to, const Array& from, const I* places, std::size_t count) {
  const auto length = static_cast<std::int64_t>(from.length);
  const T* const elements = reinterpret_cast<const T*>(from.data.here());
  bool outside = false;
  for (std::size_t k = 0; k < count; k++) {
    const std::int64_t i = places[k] + (places[k] < 0 ? length : 0);
    const bool is_place = static_cast<std::uint64_t>(i) < static_cast<std::uint64_t>(length);
    to[k] = elements[is_place ? i : 0];
    outside |= !is_place;
  }
  return !outside;
}
template <class T>
bool copy_elements_at(T* to, const Array& from, const Array& places) {
  switch (places.type()) {
    case ElementType::i8: return copy_elements_at(to, from, places.as<std::int8_t>(), places.length);
    case ElementType::i16: return copy_elements_at(to, from, places.as<std::int16_t>(), places.length);
    case ElementType::i32: return copy_elements_at(to, from, places.as<std::int32_t>(), places.length);
    default: return false;
  }
}
bool copy_elements_at(Array& to, const Array& from, const Array& places) {
  switch (log2_bits_of(from.type())) {
    case 3: return copy_elements_at(to.as<std::uint8_t>(), from, places);
    case 4: return copy_elements_at(to.as<std::uint16_t>(), from, places);
    case 5: return copy_elements_at(to.as<std::uint32_t>(), from, places);
    default: return copy_elements_at(to.as<std::uint64_t>(), from, places);
  }
}

std::uint64_t elements_at(Heap& heap, const Array& places, const Array& a) {
  constexpr std::size_t most_places = 48;  // kernels are quicker for more
  if (places.length > most_places || a.type() == ElementType::bit || places.type() == ElementType::bit) return declined;
  Array* const out = list_at_hand(heap, plain_of(a), places.length);
  if (out == nullptr || copy_elements_at(*out, a, places)) return bits_of_array(out);
  Heap::free(out);
  return declined;
}

}  // namespace

std::uint64_t select_of_list(Heap& heap, std::uint64_t w, std::uint64_t x) {
  const Array* const a = long_plain_list(x);
  std::int32_t i;
  if (a == nullptr) {
    const std::uint64_t boxes = select_of_boxes(heap, w, x);
    return boxes != declined ? boxes : rows_at(heap, w, x);
  }
  if (const Array* const places = plain_list(w)) return elements_at(heap, *places, *a);
  if (!read_integer(w, i)) return declined;
  const std::size_t place = static_cast<std::size_t>(i < 0 ? i + static_cast<std::int64_t>(a->length) : i);
  return place < a->length ? unit_of(heap, *a, place) : declined;
}

std::uint64_t pick_of_list(Heap&, std::uint64_t w, std::uint64_t x) {
  const Array* const a = long_plain_list(x);
  std::int32_t i;
  if (a == nullptr) return pick_of_boxes(w, x);
  if (!read_integer(w, i)) return declined;
  const std::size_t place = static_cast<std::size_t>(i < 0 ? i + static_cast<std::int64_t>(a->length) : i);
  return place < a->length ? plain_element(*a, place).bits() : declined;
}

std::uint64_t ravel_of_table(Heap& heap, std::uint64_t x) {
  const Array* const a = plain_table(x);
  return a == nullptr ? ravel_of_boxes(heap, x) : bits_of_array(piece_at_hand(heap, *a, 0, a->length));
}

std::uint64_t row_of_list(Heap& heap, std::uint64_t x) {
  const Array* const a = plain_list(x);
  return a == nullptr ? declined : bits_of_array(table_view_at_hand(heap, *a, 1, a->length));
}

}  // namespace griddle::primitives
