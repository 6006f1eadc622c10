// How arrays are laid out, for the files that make them, or read their elements as bits.
#pragma once

#include <cassert>

#include "runtime/value/array.h"

namespace griddle {

inline constexpr FillKind plain_fill(ElementType t) {
  return is_number(t) ? FillKind::zero : is_character(t) ? FillKind::space : FillKind::none;
}

inline std::size_t bytes_of_elements(ElementType t, std::size_t n) { return n * (bits_of(t) / 8); }  // of whole bytes

// What follows the header: an owner, a nested fill, two axes or more, each where there is one.
inline std::size_t* trailing_of(Array* a) { return reinterpret_cast<std::size_t*>(a + 1); }

inline void set_fill_kind(Array& a, FillKind k) {
  a.flags = static_cast<std::uint8_t>((a.flags & ~Array::fill_mask) | static_cast<std::uint8_t>(k));
}

// Makes an array that points into the memory of `owner`, whose reference it takes.
Array* make_view(Heap& heap, Object* owner, std::uint8_t* data, ElementType type, std::span<const std::size_t> shape,
                 std::size_t length, FillKind fill_kind, const Value& nested_fill);

// Gives the object whose memory a view of `v`'s elements has to keep alive; takes over the value.
Object* view_owner(Value v);

// Makes a short list of boxes that hold nothing yet; whoever asks fills them before anything can fail.
inline Array* make_unset_boxes(Heap& heap, std::size_t length) {
  assert(length * sizeof(Value) < aligned_from_bytes);
  void* memory = heap.allocate(sizeof(Array) + length * sizeof(Value));
  Array* a = new (memory)
      Array{{1, ObjectKind::array, static_cast<std::uint8_t>(ElementType::boxed), 1, static_cast<std::uint8_t>(FillKind::none)},
            length,
            static_cast<std::uint8_t*>(memory) + sizeof(Array)};
  enlist_object(heap, a);
  return a;
}
inline constexpr std::size_t most_unset_boxes = 24;

using Bits = std::uint64_t;
inline Bits bits(double d) { return std::bit_cast<Bits>(d); }

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

}  // namespace griddle
