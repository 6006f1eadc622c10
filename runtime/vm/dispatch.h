// What the loop and leaf blocks have in common: slots as bits, and the way from one instruction to the next.
//
// A number that stays behind in a dead slot does no harm, and everything tagged is a NaN as a double, so that one test of a
// result finds both a NaN and an operand that is no number.
#pragma once

#include "runtime/bytecode/chunk.h"
#include "runtime/value/array_layout.h"

namespace griddle {

inline constexpr Bits one = std::bit_cast<Bits>(1.0);

inline double number(Bits b) { return std::bit_cast<double>(b); }
inline bool is_number_or_character(Bits b) { return b < Value::absent_bits; }
// Tells whether operands that are not both numbers are a character and another one, or a number.
inline bool are_atoms_with_character(Bits w, Bits x) {
  return is_number_or_character(w) && is_number_or_character(x) && (w >= Value::first_tagged || x >= Value::first_tagged);
}
inline Object* object(Bits b) { return reinterpret_cast<Object*>(b & Value::pointer_mask); }
// Gives an array whose elements are at hand; null for all else.
inline const Array* array_in(Bits b) {
  if (b >> 48 != Value::array_tag) return nullptr;
  const Array* const a = static_cast<const Array*>(object(b));
  return a->data.elsewhere() ? nullptr : a;
}
// The same of the element that a list of numbers picks.
inline bool finds_place(const Array& a, Bits index, std::size_t& place) {
  const Array* const list = array_in(index);
  return list != nullptr && finds_place(a, *list, place);
}

}  // namespace griddle

// Both stand in a function that has `pc`, `base`, and `labels` for all opcodes.
#define NEXT(name)                                   \
  do {                                               \
    pc += 1 + immediates_of(Opcode::name);           \
    goto* labels[static_cast<std::uint8_t>(pc->op)]; \
  } while (0)
#define JUMP(distance)                               \
  do {                                               \
    pc += (distance);                                \
    goto* labels[static_cast<std::uint8_t>(pc->op)]; \
  } while (0)

// Names the operands of an instruction on numbers: in slots b and c, or the constant k.
#define OPERANDS                                                                  \
  [[maybe_unused]] const double b = number(base[pc->b]), c = number(base[pc->c]); \
  [[maybe_unused]] const double k = number(pc->immediate(1))
