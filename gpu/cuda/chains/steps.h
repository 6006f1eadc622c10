// What the steps of chains compute of a and b, or of a alone. The kernels that follow any chain and those that are made for one
// take their code from these lists; remainders, which divide by constants in another way, are in chain.cuh.
#pragma once

#define GRIDDLE_STEPS_OF_TWO(F) \
  F(add, a + b)                 \
  F(subtract, a - b)            \
  F(multiply, a* b)             \
  F(minimum, least_of(a, b))    \
  F(maximum, greatest_of(a, b)) \
  F(less, a < b)                \
  F(less_equal, a <= b)         \
  F(equal, a == b)              \
  F(greater_equal, a >= b)      \
  F(greater, a > b)             \
  F(not_equal, a != b)
#define GRIDDLE_STEPS_OF_ONE(F) \
  F(negate, 0 - a)              \
  F(complement, 1 - a)          \
  F(magnitude, magnitude_of(a)) \
  F(sign, sign_of(a))
// Of doubles alone.
#define GRIDDLE_DOUBLE_STEPS_OF_TWO(F) F(divide, a / (b + 0.0))
#define GRIDDLE_DOUBLE_STEPS_OF_ONE(F) \
  F(reciprocal, 1 / (a + 0.0))         \
  F(square_root, sqrt(a))              \
  F(floor, floor(a))                   \
  F(ceiling, ceil(a))
// These take many registers.
#define GRIDDLE_HEAVY_STEPS_OF_TWO(F) \
  F(power, power_of(a, b))            \
  F(root, a == 2 && b >= 0 ? sqrt(b) : pow(b + 0.0, 1 / (a + 0.0)))
#define GRIDDLE_HEAVY_STEPS_OF_ONE(F) F(exponential, exp(a))
