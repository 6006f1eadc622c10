#include "primitives/structure/box_structure.h"

#include <algorithm>
#include <bit>

#include "primitives/common/element_place.h"
#include "primitives/structure/boxes_at_hand.h"

namespace griddle::primitives {

namespace {

// A list that nobody else holds is better changed in place, unless it is short.
bool is_better_changed(const Array& a) {
  constexpr std::size_t few = 8;
  return a.length > few && a.unique();
}

}  // namespace

std::uint64_t reverse_boxes(Heap& heap, std::uint64_t x) {
  const Array* const a = box_list(x);
  if (a == nullptr || is_better_changed(*a)) return declined;
  const std::size_t n = a->length;
  Array* const out = box_list_like(heap, *a, n - 1, n);
  if (out == nullptr) return declined;
  for (std::size_t i = 0; i < n; i++) words_of(out)[i] = shared_box(words_of(a)[n - 1 - i]);
  return bits_of_array(out);
}

namespace {

std::uint64_t piece_of_boxes(Heap& heap, std::uint64_t x, const Array& a, std::size_t start, std::size_t count) {
  if (count == a.length) return shared(x);
  if (count > most_copied) {
    const FillKind fill = a.fill_kind();
    return fill <= FillKind::space ? bits_of_array(list_view_at_hand(heap, a, start, count)) : declined;
  }
  Array* const out = box_list_like(heap, a, start, count);
  if (out != nullptr) share_boxes(words_of(out), words_of(&a) + start, count);
  return bits_of_array(out);
}

}  // namespace

std::uint64_t take_of_boxes(Heap& heap, std::uint64_t w, std::uint64_t x) {
  const Array* const a = box_list(x);
  std::int32_t n;
  if (a == nullptr || !read_integer(w, n) || n == 0 || magnitude(n) > a->length) return declined;
  return piece_of_boxes(heap, x, *a, n < 0 ? a->length - magnitude(n) : 0, magnitude(n));
}

std::uint64_t drop_of_boxes(Heap& heap, std::uint64_t w, std::uint64_t x) {
  const Array* const a = box_list(x);
  std::int32_t n;
  if (a == nullptr || !read_integer(w, n) || magnitude(n) >= a->length) return declined;
  return piece_of_boxes(heap, x, *a, n < 0 ? 0 : magnitude(n), a->length - magnitude(n));
}

std::uint64_t rotate_boxes(Heap& heap, std::uint64_t w, std::uint64_t x) {
  const Array* const a = box_list(x);
  std::int32_t n;
  if (a == nullptr || !read_integer(w, n)) return declined;
  const std::int32_t length = static_cast<std::int32_t>(a->length);
  n %= length;
  if (n == 0) return shared(x);
  const std::size_t moved = static_cast<std::size_t>(n < 0 ? n + length : n);
  Array* const out = box_list_like(heap, *a, moved, a->length);
  if (out == nullptr) return declined;
  share_boxes(words_of(out), words_of(a) + moved, a->length - moved);
  share_boxes(words_of(out) + a->length - moved, words_of(a), moved);
  return bits_of_array(out);
}

std::uint64_t with_box(Heap& heap, std::uint64_t x, std::size_t place, std::uint64_t v) {
  const Array* const a = box_list(x);
  if (a == nullptr || a->fill_kind() == FillKind::of_first) return declined;
  Array* const out = box_list_like(heap, *a, 0, a->length);
  if (out == nullptr) return declined;
  share_boxes(words_of(out), words_of(a), place);
  words_of(out)[place] = shared_box(v);
  share_boxes(words_of(out) + place + 1, words_of(a) + place + 1, a->length - place - 1);
  return bits_of_array(out);
}

namespace {

// Gives a box as an array without axes.
std::uint64_t unit_of_box(Heap& heap, const Array& a, std::size_t i) {
  const FillKind fill = a.fill_kind();
  if (fill > FillKind::space) return declined;
  void* const memory = heap.allocate_at_hand(sizeof(Array) + sizeof(std::uint64_t));
  if (memory == nullptr) return declined;
  std::uint8_t* const data = static_cast<std::uint8_t*>(memory) + sizeof(Array);
  const std::uint64_t described = described_boxes - one_axis + (static_cast<std::uint32_t>(fill) << 24);
  Array* const unit = new (memory) Array{std::bit_cast<Object>(described << 32 | 1), 1, data};
  *words_of(unit) = shared_box(words_of(&a)[i]);
  return bits_of_array(unit);
}

// Writes the boxes at some places; false where one is none.
template <class I>
bool read_places(std::uint64_t* to, const Array& from, const I* places, std::size_t count) {
  const std::int64_t length = static_cast<std::int64_t>(from.length);
  for (std::size_t k = 0; k < count; k++) {
    const std::int64_t i = places[k] < 0 ? places[k] + length : places[k];
    if (i < 0 || i >= length) return false;
    to[k] = words_of(&from)[i];
  }
  return true;
}
bool read_places(std::uint64_t* to, const Array& from, const Array& places) {
  switch (places.type()) {
    case ElementType::i8: return read_places(to, from, places.as<std::int8_t>(), places.length);
    case ElementType::i16: return read_places(to, from, places.as<std::int16_t>(), places.length);
    case ElementType::i32: return read_places(to, from, places.as<std::int32_t>(), places.length);
    default: return false;
  }
}

std::uint64_t boxes_at(Heap& heap, const Array& places, const Array& a) {
  constexpr std::size_t most = 64;
  std::uint64_t found[most];
  if (places.length > most || !read_places(found, a, places)) return declined;
  // What is known to be numbers alone becomes a list of these.
  if (std::all_of(found, found + places.length, [](std::uint64_t v) { return v < Value::first_tagged; })) return declined;
  if (a.fill_kind() == FillKind::of_first) return declined;
  Array* const out = box_list_like(heap, a, 0, places.length);
  if (out != nullptr) share_boxes(words_of(out), found, places.length);
  return bits_of_array(out);
}

}  // namespace

std::uint64_t first_of_boxes(Heap& heap, std::uint64_t x) {
  const Array* const a = box_list(x);
  return a == nullptr ? declined : unit_of_box(heap, *a, 0);
}

std::uint64_t select_of_boxes(Heap& heap, std::uint64_t w, std::uint64_t x) {
  const Array* const a = box_list(x);
  if (a == nullptr) return declined;
  if (const Array* const places = plain_list(w)) return boxes_at(heap, *places, *a);
  std::int32_t i;
  if (!read_integer(w, i)) return declined;
  const std::size_t place = static_cast<std::size_t>(i < 0 ? i + static_cast<std::int64_t>(a->length) : i);
  return place < a->length ? unit_of_box(heap, *a, place) : declined;
}

std::uint64_t pick_of_boxes(std::uint64_t w, std::uint64_t x) {
  const Array* a = box_list(x);
  std::size_t place;
  if (std::int32_t i; a != nullptr && read_integer(w, i)) {
    place = static_cast<std::size_t>(i < 0 ? i + static_cast<std::int64_t>(a->length) : i);
    if (place >= a->length) return declined;
  } else {
    a = a != nullptr ? a : box_table(x);
    const Array* const index = plain_list(w);
    if (a == nullptr || index == nullptr || !find_place(*index, *a, place)) return declined;
  }
  return shared_box(words_of(a)[place]);
}

namespace {

std::uint64_t kept_boxes(Heap& heap, const Array& marks, std::uint64_t x, const Array& a) {
  constexpr std::size_t word_bits = 64;
  if (marks.type() != ElementType::bit || marks.length != a.length || a.length > word_bits) return declined;
  std::uint64_t ones = *words_of(&marks) & ~std::uint64_t{0} >> (word_bits - a.length);
  const auto total = static_cast<std::size_t>(std::popcount(ones));
  if (total == a.length) return shared(x);
  if (total == 0) return declined;
  Array* const out = box_list_like(heap, a, static_cast<std::size_t>(std::countr_zero(ones)), total);
  if (out == nullptr) return declined;
  for (std::uint64_t* to = words_of(out); ones != 0; ones &= ones - 1) *to++ = shared_box(words_of(&a)[std::countr_zero(ones)]);
  return bits_of_array(out);
}

}  // namespace

std::uint64_t replicate_boxes(Heap& heap, std::uint64_t w, std::uint64_t x) {
  const Array* const a = box_list(x);
  if (a == nullptr) return declined;
  if (const Array* const marks = plain_list(w)) return kept_boxes(heap, *marks, x, *a);
  std::int32_t times;
  if (!read_integer(w, times) || times < 2 || magnitude(times) * a->length > most_boxes_at_hand) return declined;
  Array* const out = box_list_like(heap, *a, 0, a->length * magnitude(times));
  if (out == nullptr) return declined;
  std::uint64_t* to = words_of(out);
  for (std::size_t i = 0; i < a->length; i++)
    for (std::int32_t k = 0; k < times; k++) *to++ = shared_box(words_of(a)[i]);
  return bits_of_array(out);
}

namespace {

constexpr std::size_t most_levels = 16, unknown_depth = 1024;

// Gives the depth of an array; unknown_depth or more where it is nested further than so many levels.
std::size_t depth_within(const Array& a, std::size_t levels) {
  if (a.type() != ElementType::boxed) return 1;
  if (levels == 0 || a.data.elsewhere()) return unknown_depth;
  std::size_t deepest = 0;
  for (std::size_t i = 0; i < a.length; i++)
    if (const Array* const inner = array_of(words_of(&a)[i])) deepest = std::max(deepest, depth_within(*inner, levels - 1));
  return deepest + 1;
}

}  // namespace

std::uint64_t depth_of_boxes(std::uint64_t x) {
  const std::size_t depth = depth_within(*array_of(x), most_levels);
  return depth >= unknown_depth ? declined : Value(depth).bits();
}

}  // namespace griddle::primitives
