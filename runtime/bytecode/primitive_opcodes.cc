#include "runtime/bytecode/primitive_opcodes.h"

namespace griddle {

ScalarOpcodes scalar_opcodes(ScalarOp op) {
  using enum Opcode;
  switch (op) {
    case ScalarOp::add: return {add, add_constant, add_constant, true};
    case ScalarOp::subtract: return {subtract, subtract_constant, constant_subtract, false};
    case ScalarOp::multiply: return {multiply, multiply_constant, multiply_constant, true};
    case ScalarOp::divide: return {divide, divide_constant, constant_divide, false};
    case ScalarOp::minimum: return {minimum, minimum_constant, minimum_constant, true};
    case ScalarOp::maximum: return {maximum, maximum_constant, maximum_constant, true};
    case ScalarOp::modulus: return {modulus, no_opcode, constant_modulus, false};
    case ScalarOp::logic_and: return {logic_and};
    case ScalarOp::logic_or: return {logic_or};
    case ScalarOp::less:
      return {less, less_constant, greater_constant, true, test_less, test_less_constant, test_greater_constant};
    case ScalarOp::less_equal:
      return {less_equal,      less_equal_constant,      greater_equal_constant,     true,
              test_less_equal, test_less_equal_constant, test_greater_equal_constant};
    case ScalarOp::equal:
      return {equal, equal_constant, equal_constant, true, test_equal, test_equal_constant, test_equal_constant};
    case ScalarOp::greater_equal:
      return {greater_equal,      greater_equal_constant,      less_equal_constant,     true,
              test_greater_equal, test_greater_equal_constant, test_less_equal_constant};
    case ScalarOp::greater:
      return {greater, greater_constant, less_constant, true, test_greater, test_greater_constant, test_less_constant};
    case ScalarOp::not_equal:
      return {not_equal,      not_equal_constant,      not_equal_constant,     true,
              test_not_equal, test_not_equal_constant, test_not_equal_constant};
    default: return {};
  }
}

Opcode dyad_opcode(const PrimitiveFunctionEntry& entry) {
  switch (entry.name) {
    case Glyph::match: return Opcode::matches;
    case Glyph::not_match: return Opcode::differs;
    default: break;
  }
  if (is_pick(entry)) return Opcode::pick;
  if (entry.only_refuses) return Opcode::require_for;
  ScalarOpcodes ops = scalar_opcodes(entry.scalar);
  return ops.slots == no_opcode ? Opcode::dyad : ops.slots;
}

Opcode monad_opcode(const PrimitiveFunctionEntry& entry) {
  if (entry.only_refuses) return Opcode::require;
  switch (entry.scalar) {
    case ScalarOp::subtract: return Opcode::negate;
    case ScalarOp::span_not: return Opcode::complement;
    case ScalarOp::minimum: return Opcode::floor;
    case ScalarOp::modulus: return Opcode::magnitude;
    case ScalarOp::root: return Opcode::square_root;
    case ScalarOp::divide: return Opcode::reciprocal;
    case ScalarOp::multiply: return Opcode::sign;
    case ScalarOp::not_equal: return Opcode::length;
    default: return is_pick(entry) ? Opcode::first : Opcode::monad;
  }
}

}  // namespace griddle
