// Leaf blocks: bodies of nothing but arithmetic on numbers and characters, captured ones too, comparisons, jumps, and what reads
// an element of an array, or its length. Loops like ¨ and ´ call them very often, and they need no frame: nothing in them can
// fail or make anything. Arrays lie in the slots without being counted: whoever calls holds the arguments, and what a block
// captures or contains stays where it is while nothing is assigned. Where another value turns up, or something fails, the
// ordinary loop starts the block again; nothing has happened yet.
#include <cmath>

#include "runtime/vm/dispatch.h"
#include "runtime/vm/machine.h"
#include "runtime/vm/scalar.h"

namespace griddle {

#define SUM(name, op, w, x)                                                      \
  do {                                                                           \
    if constexpr (op != ScalarOp::add && op != ScalarOp::subtract) return false; \
    base[pc->a] = character_sum(op, bits(w), bits(x));                           \
    if (base[pc->a] == Value::absent_bits) return false;                         \
  } while (0)
#define OPERATE(name) return false
#define OPERATE_ALONE return false
#define TEST(name, holds) return false

bool Machine::run_leaf(const Instruction* pc, Bits* base, const Environment* scope) {
  static const void* const labels[opcode_count] = {
#define OPCODE(name, immediates, operands) &&decline,
#define LEAF_OPCODE(name, immediates, operands) &&do_##name,
#include "runtime/bytecode/opcodes.inc"
#undef OPCODE
  };
  goto* labels[static_cast<std::uint8_t>(pc->op)];

do_constant:
  base[pc->a] = pc->immediate(0);
  NEXT(constant);
do_copy:
  base[pc->a] = base[pc->b];
  NEXT(copy);
do_move:
  base[pc->a] = base[pc->b];
  NEXT(move);
do_outer : {
  const Environment* e = scope;
  for (unsigned hops = pc->b; hops; hops--) e = e->parent;
  const Bits v = e->slots()[pc->c].bits();
  if (!is_number_or_character(v) && v >> 48 != Value::array_tag) return false;
  base[pc->a] = v;
  NEXT(outer);
}
do_leave:
  base[pc->a] = base[pc->c];
  NEXT(leave);
do_fused:
  NEXT(fused);  // atoms alone
do_nothing:
  base[pc->a] = Value::nothing_bits;
  NEXT(nothing);
  // Atoms need no release.
do_drop:
  NEXT(drop);
do_absent:
  NEXT(absent);
do_clear:
  NEXT(clear);
do_jump:
  JUMP(pc->distance());
do_jump_dyadic:
  if (base[pc->a] == Value::nothing_bits) NEXT(jump_dyadic);
  JUMP(pc->distance());
do_test : {
  double v = number(base[pc->a]);
  if (v == 1) NEXT(test);
  if (v == 0) JUMP(pc->distance());
  return false;
}
do_choose : {
  const double v = number(base[pc->a]);
  if (!(v >= 0 && v < pc->b && static_cast<std::int32_t>(v) == v)) return false;
  JUMP(1 + static_cast<std::int32_t>(v));
}
do_first : {
  const Bits v = base[pc->b];
  if (!is_number_or_character(v)) {
    const Array* const a = array_in(v);
    if (a == nullptr || a->length == 0) return false;
    base[pc->a] = element_bits(*a, 0);
  } else {
    base[pc->a] = v;
  }
  NEXT(first);
}
do_pick : {
  const Array* const a = array_in(base[pc->c]);
  std::size_t i;
  if (a == nullptr || !finds_place(*a, number(base[pc->b]), i)) return false;
  base[pc->a] = element_bits(*a, i);
  NEXT(pick);
}
do_length : {
  const Bits v = base[pc->b];
  const Array* const a = array_in(v);
  if (a == nullptr && !is_number_or_character(v)) return false;
  base[pc->a] = a == nullptr ? one : bits(static_cast<double>(a->cells()));
  NEXT(length);
}
do_return_value : {
  const Bits v = base[pc->a];
  if (!is_number_or_character(v)) {
    if (v >> 48 != Value::array_tag) return false;
    retain(object(v));
  }
  *base = v;
  return true;
}
decline:
  return false;
#include "runtime/vm/scalar_instructions.inc"
}

#undef SUM
#undef OPERATE
#undef OPERATE_ALONE
#undef TEST

}  // namespace griddle
