// Frame: one running body. Frames and their slots lie on two stacks that never move.
#pragma once

#include "runtime/bytecode/chunk.h"

namespace griddle {

struct Frame {
  const Instruction* pc;  // where it goes on after the call that it is waiting for
  Value* base;            // its slots: arguments, variables, temporaries
  const Code* code;
  const Object* self;        // 𝕤 (for an immediate modifier 𝕣); kept alive by `keep`, or by whoever called
  Environment* environment;  // the innermost one: its own, or the one that the block was made in
  std::uint64_t keep;        // a Value's bits that the frame owns: the called function, where it came from a temporary
};

}  // namespace griddle
