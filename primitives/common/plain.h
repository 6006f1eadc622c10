// What is plain: elements without a fill of their own, lists of them.
#pragma once

#include <cstdint>
#include <type_traits>

#include "runtime/value/array.h"
#include "runtime/value/context.h"

namespace griddle::primitives {

// Tells whether a device has nothing to say about a function of a value, which is never worth sending it for.
inline bool stays_here(const Context& cx, const Value& v) { return !belongs_to_device(cx, v); }

// Tells whether an array is a list, or a table, of plain elements with the fill that these have by themselves.
inline bool is_plain_list(const Array& a) {
  return a.type() != ElementType::boxed && PlainList::described(a) == PlainList::described(a.type());
}
inline bool is_plain_table(const Array& a) {
  constexpr std::uint32_t one_axis_more = 1u << 16;
  return a.type() != ElementType::boxed && PlainList::described(a) == PlainList::described(a.type()) + one_axis_more;
}

// Tells whether the elements are atoms and the fill is what such elements have without being told.
inline bool has_plain_fill(const Array& a) {
  static constexpr std::uint8_t plain_flags[] = {1, 1, 1, 1, 1, 2, 2, 2, 0xFF};
  static_assert(static_cast<int>(FillKind::zero) == 1 && static_cast<int>(FillKind::space) == 2);
  return (a.flags & Array::fill_mask) == plain_flags[a.a];
}
// Tells whether a value is a list of plain elements with the plain fill, in the host's memory.
inline bool is_flat_list(const Value& v) {
  if (!v.is_array()) return false;
  const Array& a = v.array();
  return a.is_list() && a.type() != ElementType::boxed && has_plain_fill(a) && !a.data.elsewhere();
}

// Tells whether results of pervasive functions on an array that has elements are filled as their elements say. What is not known
// of the fill does not matter then.
inline bool is_filled_by_elements(const Array& a) {
  return has_plain_fill(a) || (a.fill_kind() == FillKind::none && a.type() != ElementType::boxed);
}

// Makes an array of numbers or characters in the shape of a list or a table without calls, or in another shape; bits have no
// padding then.
inline Ref<Array> make_plain_like(Heap& heap, ElementType type, const Array& like) {
  if (like.rank() == 2) [[likely]]
    return make_plain_table(heap, type, like.shape()[0], like.shape()[1]);
  return like.rank() == 1 ? make_plain_list(heap, type, like.length) : make_like(heap, type, like).leak();
}

// Calls f with std::type_identity of the integer that is as wide as elements of a type, for moving them; of bool for bits.
template <class F>
decltype(auto) with_width_of(ElementType type, F f) {
  switch (bits_of(type)) {
    case 1: return f(std::type_identity<bool>{});
    case 8: return f(std::type_identity<std::uint8_t>{});
    case 16: return f(std::type_identity<std::uint16_t>{});
    case 32: return f(std::type_identity<std::uint32_t>{});
    default: return f(std::type_identity<std::uint64_t>{});
  }
}

}  // namespace griddle::primitives
