// Leaf blocks: bodies of nothing but arithmetic on numbers, comparisons and jumps. Loops like ¨ and ´ call them very often, and
// for numbers they need no frame: nothing in them can fail or refer to anything. Where a value turns up that is no number, the
// ordinary loop starts the block again; nothing has happened yet.
#include <cmath>

#include "runtime/vm/machine.h"

namespace griddle {

namespace {

using Bits = std::uint64_t;

double number(Bits b) { return std::bit_cast<double>(b); }
double least(double a, double b) { return __builtin_isunordered(a, b) ? NAN : a < b ? a : b; }
double greatest(double a, double b) { return __builtin_isunordered(a, b) ? NAN : a > b ? a : b; }

}  // namespace

#define NEXT(name)                                   \
  do {                                               \
    pc += 1 + immediates_of(Opcode::name);           \
    goto* labels[static_cast<std::uint8_t>(pc->op)]; \
  } while (0)
#define JUMP(distance)                                                                         \
  do {                                                                                         \
    pc = reinterpret_cast<const Instruction*>(reinterpret_cast<const Bits*>(pc) + (distance)); \
    goto* labels[static_cast<std::uint8_t>(pc->op)];                                           \
  } while (0)
// b and c are operands in slots, k is the constant one.
#define OPERANDS                                                            \
  [[maybe_unused]] double b = number(base[pc->b]), c = number(base[pc->c]); \
  [[maybe_unused]] double k = number(pc->immediate(1))
#define RESULT(name, result)              \
  do {                                    \
    OPERANDS;                             \
    double v = result;                    \
    if (v != v) [[unlikely]]              \
      return false;                       \
    base[pc->a] = std::bit_cast<Bits>(v); \
    NEXT(name);                           \
  } while (0)
#define COMPARE(name, holds, right)                       \
  do {                                                    \
    OPERANDS;                                             \
    if (__builtin_isunordered(b, right)) [[unlikely]]     \
      return false;                                       \
    base[pc->a] = std::bit_cast<Bits>(holds ? 1.0 : 0.0); \
    NEXT(name);                                           \
  } while (0)
#define TEST(name, holds, right)                                                     \
  do {                                                                               \
    OPERANDS;                                                                        \
    if (__builtin_isunordered(b, right)) [[unlikely]]                                \
      return false;                                                                  \
    if (holds) NEXT(name);                                                           \
    JUMP(static_cast<std::int32_t>(pc->immediate(immediates_of(Opcode::name) - 1))); \
  } while (0)

bool Machine::run_leaf(const Instruction* pc, Bits* base) {
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
do_leave:
  base[pc->a] = base[pc->c];
  NEXT(leave);
do_fused:
  NEXT(fused);  // numbers alone
do_nothing:
  base[pc->a] = Value::nothing_bits;
  NEXT(nothing);
  // Numbers need no release.
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
  return *base < Value::first_tagged;
decline:
  return false;

do_add:
  RESULT(add, b + c);
do_add_constant:
  RESULT(add_constant, b + k);
do_subtract:
  RESULT(subtract, b - c);
do_subtract_constant:
  RESULT(subtract_constant, b - k);
do_constant_subtract:
  RESULT(constant_subtract, k - b);
do_multiply:
  RESULT(multiply, b * c);
do_multiply_constant:
  RESULT(multiply_constant, b * k);
do_divide:
  RESULT(divide, b / (c + 0.0));
do_divide_constant:
  RESULT(divide_constant, b / (k + 0.0));
do_constant_divide:
  RESULT(constant_divide, k / (b + 0.0));
do_modulus:
  RESULT(modulus, small_modulus(b, c));
do_constant_modulus:
  RESULT(constant_modulus, small_modulus(k, b));
do_minimum:
  RESULT(minimum, least(b, c));
do_minimum_constant:
  RESULT(minimum_constant, least(b, k));
do_maximum:
  RESULT(maximum, greatest(b, c));
do_maximum_constant:
  RESULT(maximum_constant, greatest(b, k));
do_logic_and:
  RESULT(logic_and, b * c);
do_logic_or:
  RESULT(logic_or, b + c - b * c);
do_less:
  COMPARE(less, b < c, c);
do_less_constant:
  COMPARE(less_constant, b < k, k);
do_less_equal:
  COMPARE(less_equal, b <= c, c);
do_less_equal_constant:
  COMPARE(less_equal_constant, b <= k, k);
do_equal:
  COMPARE(equal, b == c, c);
do_equal_constant:
  COMPARE(equal_constant, b == k, k);
do_greater_equal:
  COMPARE(greater_equal, b >= c, c);
do_greater_equal_constant:
  COMPARE(greater_equal_constant, b >= k, k);
do_greater:
  COMPARE(greater, b > c, c);
do_greater_constant:
  COMPARE(greater_constant, b > k, k);
do_not_equal:
  COMPARE(not_equal, b != c, c);
do_not_equal_constant:
  COMPARE(not_equal_constant, b != k, k);
do_negate:
  RESULT(negate, -b);
do_complement:
  RESULT(complement, 1 - b);
do_magnitude:
  RESULT(magnitude, std::fabs(b));
do_test_less:
  TEST(test_less, b < c, c);
do_test_less_constant:
  TEST(test_less_constant, b < k, k);
do_test_less_equal:
  TEST(test_less_equal, b <= c, c);
do_test_less_equal_constant:
  TEST(test_less_equal_constant, b <= k, k);
do_test_equal:
  TEST(test_equal, b == c, c);
do_test_equal_constant:
  TEST(test_equal_constant, b == k, k);
do_test_greater_equal:
  TEST(test_greater_equal, b >= c, c);
do_test_greater_equal_constant:
  TEST(test_greater_equal_constant, b >= k, k);
do_test_greater:
  TEST(test_greater, b > c, c);
do_test_greater_constant:
  TEST(test_greater_constant, b > k, k);
do_test_not_equal:
  TEST(test_not_equal, b != c, c);
do_test_not_equal_constant:
  TEST(test_not_equal_constant, b != k, k);
}

}  // namespace griddle
