// Arithmetic on numbers of two different types, which are brought to the wider one in registers.
#pragma once

#include "primitives/kernels/shared/kernel.h"

namespace griddle::kernels {

enum MixedOperation { mixed_add, mixed_subtract, mixed_multiply, mixed_minimum, mixed_maximum, mixed_divide };
inline constexpr int mixed_operation_count = 6;
// Places of the number types, bits first, as in ElementType.
inline constexpr int mixed_type_count = 5;

struct MixedKernels {
  // By operation and the types of 𝕨 and 𝕩. Results have the wider type; integers stop where one does not fit. A single operand is
  // a number of the wider type, so that there is one form for it, and none for bits. Null where the types agree,
  // and for quotients where neither is f64.
  DyadForms by_types[mixed_operation_count][mixed_type_count][mixed_type_count];
};

const MixedKernels& mixed();

}  // namespace griddle::kernels
