// How arrays are laid out, for the files that make them, or read their elements as bits.
#pragma once

#include <cassert>
#include <limits>

#include "runtime/value/array.h"
#include "runtime/value/copy_few.h"

namespace griddle {

inline std::size_t bytes_of_elements(ElementType t, std::size_t n) { return n * (bits_of(t) / 8); }  // of whole bytes

// What follows the header: an owner, a nested fill, two axes or more, each where there is one.
inline std::size_t* trailing_of(Array* a) { return reinterpret_cast<std::size_t*>(a + 1); }

// Makes an array that points into the memory of `owner`, whose reference it takes.
Array* make_view(Heap& heap, Object* owner, std::uint8_t* data, ElementType type, std::span<const std::size_t> shape,
                 std::size_t length, FillKind fill_kind, const Value& nested_fill);

// Gives the object whose memory a view of `v`'s elements has to keep alive; takes over the value.
Object* view_owner(Value v);

// Lists of so many bytes are tiny objects, whose memory may be at hand.
inline constexpr std::size_t most_bytes_at_hand = Heap::largest_tiny - sizeof(Array);
static_assert(most_bytes_at_hand <= copied_up_to_bytes);

// Reads at most 64 bits, of which there is one.
inline std::uint64_t bits_from(const std::uint64_t* bits, std::size_t offset, std::size_t length) {
  const std::uint64_t* word = bits + offset / 64;
  const std::size_t skipped = offset % 64;
  return skipped + length <= 64 ? word[0] >> skipped : word[0] >> skipped | word[1] << (64 - skipped);
}

// Copies a short piece as an array of one axis or none, where memory is at hand; null where that is not so simple.
[[gnu::always_inline]] inline Array* short_piece(Heap& heap, const Array& a, std::size_t offset, std::size_t length,
                                                 std::size_t rank) {
  const ElementType type = a.type();
  const std::size_t bits = length << log2_bits_of(type);
  if (bits > 8 * most_bytes_at_hand || a.fill_kind() > FillKind::space) return nullptr;
  void* memory = heap.allocate_at_hand(sizeof(Array) + (bits + 63) / 64 * 8);
  if (memory == nullptr) [[unlikely]]
    return nullptr;
  constexpr std::uint32_t axes = 0xFF0000;
  const std::uint32_t described = (PlainList::described(a) & ~axes) | static_cast<std::uint32_t>(rank) << 16;
  Array* const piece = place_array(memory, described, length, static_cast<std::uint8_t*>(memory) + sizeof(Array));
  if (type == ElementType::bit) {
    if (length > 64)
      copy_bits(piece->as<std::uint64_t>(), 0, a.as<std::uint64_t>(), offset, length);
    else if (length != 0)
      *piece->as<std::uint64_t>() = bits_from(a.as<std::uint64_t>(), offset, length);
  } else {
    const std::uint8_t* const from = a.data + bytes_of_elements(type, offset);
    if (bits - 1 < 64 && !a.is_view())
      copy_word(piece->data.here(), from, bits / 8);
    else
      copy_few(piece->data.here(), from, bits / 8);
    if (type == ElementType::boxed)
      for (const Value& shared : piece->boxes())
        if (shared.is_object()) retain(shared.object());
  }
  return piece;
}

// Makes a short list of boxes that hold nothing yet; whoever asks fills them before anything can fail.
inline Array* make_unset_boxes(Heap& heap, std::size_t length) {
  assert(length * sizeof(Value) < aligned_from_bytes);
  void* memory = heap.allocate(sizeof(Array) + length * sizeof(Value));
  Array* a = place_array(memory, array_description(ElementType::boxed, 1, FillKind::none), length,
                         static_cast<std::uint8_t*>(memory) + sizeof(Array));
  enlist_object(heap, a);
  return a;
}
inline constexpr std::size_t most_unset_boxes = 24;

using Bits = std::uint64_t;
inline Bits bits(double d) { return std::bit_cast<Bits>(d); }

// Gives the type of a number or character.
inline ElementType type_of_atom(const Value& v) {
  const double d = std::bit_cast<double>(v.bits());
  // Anything tagged is a NaN, which no comparison accepts.
  if (!(d >= -2147483648.0 && d <= 2147483647.0)) return v.is_number() ? ElementType::f64 : element_type_of(v);
  const std::int32_t i = static_cast<std::int32_t>(d);
  if (i != d) return ElementType::f64;
  if (i == static_cast<std::int8_t>(i)) return (i & ~1) == 0 ? ElementType::bit : ElementType::i8;
  return i == static_cast<std::int16_t>(i) ? ElementType::i16 : ElementType::i32;
}

// Reads as a value what somebody else goes on holding.
inline const Value& as_value(const Bits& held) { return reinterpret_cast<const Value&>(held); }

// Gives an element, which the array goes on holding.
inline Bits element_bits(const Array& a, std::size_t i) {
  switch (a.type()) {
    case ElementType::bit: return a.bit(i) ? bits(1.0) : 0;
    case ElementType::i8: return bits(a.as<std::int8_t>()[i]);
    case ElementType::i16: return bits(a.as<std::int16_t>()[i]);
    case ElementType::i32: return bits(a.as<std::int32_t>()[i]);
    case ElementType::f64: return Value(a.as<double>()[i]).bits();
    case ElementType::c8: return Value::character(a.as<std::uint8_t>()[i]).bits();
    case ElementType::c16: return Value::character(a.as<std::uint16_t>()[i]).bits();
    case ElementType::c32: return Value::character(a.as<char32_t>()[i]).bits();
    case ElementType::boxed: return a.as<Value>()[i].bits();
  }
  __builtin_unreachable();
}

// Finds the place in a list that a number names, from the end where it is negative.
inline bool finds_place(const Array& a, double index, std::size_t& place) {
  if (!(index >= -2147483648.0 && index < 2147483648.0) || a.rank() != 1) return false;
  const auto whole = static_cast<std::int32_t>(index);
  place = static_cast<std::size_t>(whole) + (whole < 0 ? a.length : 0);
  return whole == index && place < a.length;
}

// The same of one index for each axis, which `index_of` gives.
template <class F>
bool finds_place_in_axes(const Array& a, F&& index_of, std::size_t& place) {
  std::size_t found = 0;
  const auto shape = a.shape();
  for (std::size_t axis = 0; axis < shape.size(); axis++) {
    const std::size_t length = shape[axis];
    const std::int64_t index = index_of(axis);
    const std::size_t i = static_cast<std::size_t>(index) + (index < 0 ? length : 0);
    if (i >= length) return false;
    found = found * length + i;
  }
  place = found;
  return true;
}

// The same of a list of numbers; false where it is no list of so many integers within their axes. Both arrays lie in memory here.
inline bool finds_place(const Array& a, const Array& index, std::size_t& place) {
  if (!index.is_list() || index.length != a.rank()) return false;
  switch (index.type()) {
    case ElementType::i8:
      return finds_place_in_axes(
          a, [&](std::size_t axis) { return index.as<std::int8_t>()[axis]; }, place);
    case ElementType::i16:
      return finds_place_in_axes(
          a, [&](std::size_t axis) { return index.as<std::int16_t>()[axis]; }, place);
    case ElementType::i32:
      return finds_place_in_axes(
          a, [&](std::size_t axis) { return index.as<std::int32_t>()[axis]; }, place);
    case ElementType::bit:
      return finds_place_in_axes(
          a, [&](std::size_t axis) { return index.bit(axis); }, place);
    case ElementType::f64:
      return finds_place_in_axes(
          a,
          [&](std::size_t axis) {
            std::int64_t whole;
            return as_value(bits(index.as<double>()[axis])).to_integer(whole) ? whole : std::numeric_limits<std::int64_t>::min();
          },
          place);
    default: return false;
  }
}

}  // namespace griddle
