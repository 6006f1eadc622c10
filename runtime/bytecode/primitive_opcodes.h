// Which instructions compute primitives.
#pragma once

#include "runtime/bytecode/chunk.h"
#include "runtime/primitive.h"

namespace griddle {

inline constexpr Opcode no_opcode{opcode_count};

// Instructions for a scalar operation; no_opcode where there is none.
struct ScalarOpcodes {
  Opcode slots = no_opcode;
  Opcode right_constant = no_opcode;
  Opcode left_constant = no_opcode;
  bool mirrored = false;  // left_constant is written with the operands swapped
  Opcode test = no_opcode;
  Opcode test_right_constant = no_opcode;
  Opcode test_left_constant = no_opcode;
};

ScalarOpcodes scalar_opcodes(ScalarOp);
Opcode monad_opcode(const PrimitiveFunctionEntry&);
Opcode dyad_opcode(const PrimitiveFunctionEntry&);

}  // namespace griddle
