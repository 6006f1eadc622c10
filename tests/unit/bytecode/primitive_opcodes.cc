#include "runtime/bytecode/primitive_opcodes.h"

#include <doctest/doctest.h>

#include "runtime/primitive.h"

using namespace griddle;

TEST_CASE("arithmetic and comparison have instructions, for constants and branches too") {
  const ScalarOpcodes add = scalar_opcodes(ScalarOp::add), less = scalar_opcodes(ScalarOp::less),
                      none = scalar_opcodes(ScalarOp::none);
  CHECK(add.slots != no_opcode);
  CHECK(add.right_constant != no_opcode);
  CHECK(add.test == no_opcode);
  CHECK(less.test != no_opcode);
  CHECK(less.test_right_constant != less.test_left_constant);
  CHECK(none.slots == no_opcode);
  CHECK(none.test == no_opcode);
}

TEST_CASE("every primitive has an instruction for one and for two arguments") {
  for (const PrimitiveFunctionEntry& entry : primitive_table().functions) {
    CHECK(monad_opcode(entry) != no_opcode);
    CHECK(dyad_opcode(entry) != no_opcode);
  }
}
