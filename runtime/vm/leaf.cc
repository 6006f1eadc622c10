// Leaf blocks: bodies of nothing but arithmetic on numbers, comparisons and jumps. Loops like ¨ and ´ call them very often, and
// for numbers they need no frame: nothing in them can fail or refer to anything. Where a value turns up that is no number, the
// ordinary loop starts the block again; nothing has happened yet.
#include <cmath>

#include "runtime/vm/machine.h"

namespace griddle {

namespace {

using Bits = std::uint64_t;

double number(Bits b) { return std::bit_cast<double>(b); }

}  // namespace

bool Machine::run_leaf(const Instruction* pc, Bits* base) {
#define LEAF_RESULT(result)               \
  do {                                    \
    double v = result;                    \
    if (v != v) [[unlikely]]              \
      return false;                       \
    base[pc->a] = std::bit_cast<Bits>(v); \
    pc = pc->next();                      \
  } while (0);                            \
  break
#define LEAF_TEST(left, relation, right, place)                                                  \
  do {                                                                                           \
    double l = left, r = right;                                                                  \
    if (__builtin_isunordered(l, r)) [[unlikely]]                                                \
      return false;                                                                              \
    pc = l relation r ? pc->next() : after(pc, static_cast<std::int32_t>(pc->immediate(place))); \
  } while (0);                                                                                   \
  break
#define LEAF_COMPARE(left, relation, right)                      \
  do {                                                           \
    double l = left, r = right;                                  \
    if (__builtin_isunordered(l, r)) [[unlikely]]                \
      return false;                                              \
    base[pc->a] = std::bit_cast<Bits>(l relation r ? 1.0 : 0.0); \
    pc = pc->next();                                             \
  } while (0);                                                   \
  break
  auto after = [](const Instruction* i, std::int32_t distance) {
    return reinterpret_cast<const Instruction*>(reinterpret_cast<const Bits*>(i) + distance);
  };
  auto b = [&] { return number(base[pc->b]); };
  auto c = [&] { return number(base[pc->c]); };
  auto k = [&] { return number(pc->immediate(1)); };
  for (;;) {
    switch (pc->op) {
      case Opcode::constant:
        base[pc->a] = pc->immediate(0);
        pc = pc->next();
        break;
      case Opcode::copy:
      case Opcode::move:
        base[pc->a] = base[pc->b];
        pc = pc->next();
        break;
      case Opcode::nothing:
        base[pc->a] = Value::nothing_bits;
        pc = pc->next();
        break;
      case Opcode::drop:
      case Opcode::absent:
      case Opcode::clear: pc = pc->next(); break;
      case Opcode::jump: pc = after(pc, pc->distance()); break;
      case Opcode::jump_dyadic: pc = base[pc->a] == Value::nothing_bits ? pc->next() : after(pc, pc->distance()); break;
      case Opcode::leave:
        base[pc->a] = base[pc->c];
        pc = pc->next();
        break;
      case Opcode::return_value: *base = base[pc->a]; return *base < Value::first_tagged;
      case Opcode::test: {
        double v = number(base[pc->a]);
        if (v == 1)
          pc = pc->next();
        else if (v == 0)
          pc = after(pc, pc->distance());
        else
          return false;
        break;
      }
      case Opcode::add: LEAF_RESULT(b() + c());
      case Opcode::add_constant: LEAF_RESULT(b() + k());
      case Opcode::subtract: LEAF_RESULT(b() - c());
      case Opcode::subtract_constant: LEAF_RESULT(b() - k());
      case Opcode::constant_subtract: LEAF_RESULT(k() - b());
      case Opcode::multiply: LEAF_RESULT(b() * c());
      case Opcode::multiply_constant: LEAF_RESULT(b() * k());
      case Opcode::divide: LEAF_RESULT(b() / (c() + 0.0));
      case Opcode::divide_constant: LEAF_RESULT(b() / (k() + 0.0));
      case Opcode::constant_divide: LEAF_RESULT(k() / (b() + 0.0));
      case Opcode::modulus: LEAF_RESULT(small_modulus(b(), c()));
      case Opcode::constant_modulus: LEAF_RESULT(small_modulus(k(), b()));
      case Opcode::logic_and: LEAF_RESULT(b() * c());
      case Opcode::logic_or: LEAF_RESULT(b() + c() - b() * c());
      case Opcode::minimum: LEAF_RESULT(__builtin_isunordered(b(), c()) ? NAN : b() < c() ? b() : c());
      case Opcode::minimum_constant: LEAF_RESULT(__builtin_isunordered(b(), k()) ? NAN : b() < k() ? b() : k());
      case Opcode::maximum: LEAF_RESULT(__builtin_isunordered(b(), c()) ? NAN : b() > c() ? b() : c());
      case Opcode::maximum_constant: LEAF_RESULT(__builtin_isunordered(b(), k()) ? NAN : b() > k() ? b() : k());
      case Opcode::negate: LEAF_RESULT(-b());
      case Opcode::complement: LEAF_RESULT(1 - b());
      case Opcode::magnitude: LEAF_RESULT(std::fabs(b()));
      case Opcode::less: LEAF_COMPARE(b(), <, c());
      case Opcode::less_constant: LEAF_COMPARE(b(), <, k());
      case Opcode::less_equal: LEAF_COMPARE(b(), <=, c());
      case Opcode::less_equal_constant: LEAF_COMPARE(b(), <=, k());
      case Opcode::equal: LEAF_COMPARE(b(), ==, c());
      case Opcode::equal_constant: LEAF_COMPARE(b(), ==, k());
      case Opcode::greater_equal: LEAF_COMPARE(b(), >=, c());
      case Opcode::greater_equal_constant: LEAF_COMPARE(b(), >=, k());
      case Opcode::greater: LEAF_COMPARE(b(), >, c());
      case Opcode::greater_constant: LEAF_COMPARE(b(), >, k());
      case Opcode::not_equal: LEAF_COMPARE(b(), !=, c());
      case Opcode::not_equal_constant: LEAF_COMPARE(b(), !=, k());
      case Opcode::test_less: LEAF_TEST(b(), <, c(), 1);
      case Opcode::test_less_constant: LEAF_TEST(b(), <, k(), 2);
      case Opcode::test_less_equal: LEAF_TEST(b(), <=, c(), 1);
      case Opcode::test_less_equal_constant: LEAF_TEST(b(), <=, k(), 2);
      case Opcode::test_equal: LEAF_TEST(b(), ==, c(), 1);
      case Opcode::test_equal_constant: LEAF_TEST(b(), ==, k(), 2);
      case Opcode::test_greater_equal: LEAF_TEST(b(), >=, c(), 1);
      case Opcode::test_greater_equal_constant: LEAF_TEST(b(), >=, k(), 2);
      case Opcode::test_greater: LEAF_TEST(b(), >, c(), 1);
      case Opcode::test_greater_constant: LEAF_TEST(b(), >, k(), 2);
      case Opcode::test_not_equal: LEAF_TEST(b(), !=, c(), 1);
      case Opcode::test_not_equal_constant: LEAF_TEST(b(), !=, k(), 2);
      default: return false;
    }
  }
#undef LEAF_RESULT
#undef LEAF_TEST
#undef LEAF_COMPARE
}

}  // namespace griddle
