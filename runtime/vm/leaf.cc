// Leaf blocks: bodies of nothing but arithmetic on numbers and characters, captured ones too, comparisons and jumps. Loops like ¨
// and ´ call them very often, and for such atoms they need no frame: nothing in them can fail or refer to anything. Where another
// value turns up, or something fails, the ordinary loop starts the block again; nothing has happened yet.
#include <cmath>

#include "runtime/vm/dispatch.h"
#include "runtime/vm/machine.h"
#include "runtime/vm/scalar.h"

namespace griddle {

#define ARITHMETIC(name, function, w, x)                                           \
  do_##name : {                                                                    \
    OPERANDS;                                                                      \
    constexpr ScalarOp op = ScalarOp::function;                                    \
    const double v = scalar_numbers(op, w, x);                                     \
    Bits result = bits(v);                                                         \
    if (v != v) [[unlikely]] {                                                     \
      if constexpr (op != ScalarOp::add && op != ScalarOp::subtract) return false; \
      result = character_sum(op, bits(w), bits(x));                                \
      if (result == Value::absent_bits) return false;                              \
    }                                                                              \
    base[pc->a] = result;                                                          \
    NEXT(name);                                                                    \
  }
#define MONADIC(name, result) \
  do_##name : {               \
    OPERANDS;                 \
    const double v = result;  \
    if (v != v) [[unlikely]]  \
      return false;           \
    base[pc->a] = bits(v);    \
    NEXT(name);               \
  }
// In order, numbers come before characters, as their bits do.
#define HOLDS(w, relation, x) (__builtin_isunordered(w, x) ? bits(w) relation bits(x) : w relation x)
#define DECLINES(w, x) (__builtin_isunordered(w, x) && !are_atoms_with_character(bits(w), bits(x)))
#define COMPARISON(name, w, relation, x)           \
  do_##name : {                                    \
    OPERANDS;                                      \
    if (DECLINES(w, x)) [[unlikely]]               \
      return false;                                \
    base[pc->a] = HOLDS(w, relation, x) ? one : 0; \
    NEXT(name);                                    \
  }
#define PREDICATE(name, w, relation, x)                                              \
  do_##name : {                                                                      \
    OPERANDS;                                                                        \
    if (DECLINES(w, x)) [[unlikely]]                                                 \
      return false;                                                                  \
    if (HOLDS(w, relation, x)) NEXT(name);                                           \
    JUMP(static_cast<std::int32_t>(pc->immediate(immediates_of(Opcode::name) - 1))); \
  }

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
  if (!is_number_or_character(v)) return false;
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
do_return_value:
  *base = base[pc->a];
  return is_number_or_character(*base);
decline:
  return false;
#include "runtime/vm/scalar_instructions.inc"
#undef HOLDS
#undef DECLINES
}

}  // namespace griddle
