// The storage forms of array elements. Kernels and the value layer share this header and nothing else.
#pragma once

#include <cstddef>
#include <cstdint>

namespace griddle {

// Orders numbers before characters before boxes, each family from narrow to wide, so that the
// common type of two arrays of one family is the larger enumerator.
enum class ElementType : std::uint8_t { bit, i8, i16, i32, f64, c8, c16, c32, boxed };

inline constexpr int element_type_count = 9;
// Gives the place of a type in a table of all types.
constexpr int index_of(ElementType t) { return static_cast<int>(t); }

constexpr bool is_number(ElementType t) { return t <= ElementType::f64; }
constexpr bool is_integer(ElementType t) { return t <= ElementType::i32; }
constexpr bool is_character(ElementType t) { return t >= ElementType::c8 && t <= ElementType::c32; }

// Gives the width of one element in bits, or its logarithm.
constexpr unsigned log2_bits_of(ElementType t) {
  // Four bits each spare a look into memory.
  constexpr std::uint64_t logarithms = 0x6'543'6543'0;
  return logarithms >> (4 * static_cast<unsigned>(t)) & 7;
}
constexpr unsigned bits_of(ElementType t) { return 1u << log2_bits_of(t); }

// Gives the bytes that hold `n` elements; bits are packed into whole 64-bit words, least significant bit first.
constexpr std::size_t bytes_for(ElementType t, std::size_t n) {
  return t == ElementType::bit ? (n + 63) / 64 * 8 : n * (bits_of(t) / 8);
}

constexpr const char* name_of(ElementType t) {
  constexpr const char* names[element_type_count] = {"bit", "i8", "i16", "i32", "f64", "c8", "c16", "c32", "boxed"};
  return names[static_cast<int>(t)];
}

constexpr ElementType wider(ElementType a, ElementType b) { return a > b ? a : b; }

}  // namespace griddle
