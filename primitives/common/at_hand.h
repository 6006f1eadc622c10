// What ways (ways.h) ask of values, which are bits.
#pragma once

#include <array>
#include <bit>

#include "primitives/common/small_integer.h"
#include "primitives/common/tuning.h"
#include "runtime/value/array.h"

namespace griddle::primitives {

inline constexpr std::uint64_t declined = Value::absent_bits;
inline constexpr std::uint64_t array_tag = std::uint64_t{Value::array_tag} << 48;

// What plain lists are, by element type; no list for boxes.
inline constexpr auto described_lists = [] {
  std::array<std::uint32_t, 16> described;
  described.fill(0xFF);  // no kind of object
  for (int type = 0; type < static_cast<int>(ElementType::boxed); type++)
    described[static_cast<std::size_t>(type)] = PlainList::described(static_cast<ElementType>(type));
  return described;
}();

// Gives the array that a value is, or null.
[[gnu::always_inline]] inline const Array* array_of(std::uint64_t v) {
  // Without its tag, an array is its address.
  const std::uint64_t address = v ^ array_tag;
  return address >> 48 == 0 ? reinterpret_cast<const Array*>(address) : nullptr;
}

// Gives the list of plain elements, or the table of them, which has one axis more, that a value is, if its length fits; or null.
template <std::uint32_t more_axes, class Fits>
[[gnu::always_inline]] inline const Array* plain_array(std::uint64_t v, Fits fits) {
  constexpr std::uint32_t one_axis = 1u << 16;
  const Array* const a = array_of(v);
  if (a == nullptr) [[unlikely]]
    return nullptr;
  const bool is_plain = PlainList::described(*a) == described_lists[static_cast<std::size_t>(a->type())] + more_axes * one_axis;
  return is_plain && fits(a->length) && !a->data.elsewhere() ? a : nullptr;
}
[[gnu::always_inline]] inline bool is_some_at_hand(std::size_t length) { return length - 1 < longest_at_hand; }
[[gnu::always_inline]] inline const Array* plain_list(std::uint64_t v) { return plain_array<0>(v, is_some_at_hand); }
[[gnu::always_inline]] inline const Array* plain_table(std::uint64_t v) { return plain_array<1>(v, is_some_at_hand); }
// Of any length but 0, and of any length.
[[gnu::always_inline]] inline const Array* long_plain_list(std::uint64_t v) {
  return plain_array<0>(v, [](std::size_t length) { return length != 0; });
}
[[gnu::always_inline]] inline const Array* any_plain_list(std::uint64_t v) {
  return plain_array<0>(v, [](std::size_t) { return true; });
}

// Gives the list without elements that a value is, or null.
[[gnu::always_inline]] inline const Array* empty_list(std::uint64_t v) {
  const Array* const a = array_of(v);
  return a != nullptr && a->length == 0 && a->rank() == 1 ? a : nullptr;
}

// Gives the number that an array without axes holds; declined for any other value.
inline std::uint64_t number_in_unit(std::uint64_t v) {
  const Array* const a = array_of(v);
  if (a == nullptr || a->rank() != 0 || !is_number(a->type()) || a->data.elsewhere()) return declined;
  return plain_element(*a, 0).bits();
}

inline const PlainList& plain_of(const Array& a) { return plain_lists[static_cast<int>(a.type())]; }
inline std::uint64_t bits_of_array(const Array* a) {
  return a == nullptr ? declined : reinterpret_cast<std::uint64_t>(a) | array_tag;
}
inline std::uint64_t shared(std::uint64_t v) {
  retain(reinterpret_cast<Object*>(v & Value::pointer_mask));
  return v;
}

// Reads an integer of 32 bits.
[[gnu::always_inline]] inline bool read_integer(std::uint64_t v, std::int32_t& n) {
  n = truncated(std::bit_cast<double>(v));
  return n == std::bit_cast<double>(v);
}

inline std::uint64_t* words_of(Array* a) { return reinterpret_cast<std::uint64_t*>(a->data.here()); }
inline const std::uint64_t* words_of(const Array* a) { return reinterpret_cast<const std::uint64_t*>(a->data.here()); }

// Where memory is not at hand: fetch some for the next time, and decline. Ways that are over in some twenty instructions ask for
// no more than is at hand, so that none of their values need be kept across a call.
[[gnu::noinline, gnu::cold]] inline std::uint64_t decline_for_memory(Heap& heap, std::size_t bytes) {
  Heap::free(heap.allocate(bytes));
  return declined;
}
[[gnu::noinline, gnu::cold]] inline std::uint64_t decline_for_list(Heap& heap, const PlainList& plain, std::size_t length) {
  release(make_list_anywhere(heap, plain, length));
  return declined;
}

// Gives the type in which places of so many elements are told, none of which is above the longest list at hand.
inline ElementType type_of_places(std::size_t n) { return n <= 128 ? ElementType::i8 : ElementType::i16; }

}  // namespace griddle::primitives
