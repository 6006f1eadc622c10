// Comparisons to packed booleans, and the functions of two packed booleans.
#pragma once

#include "primitives/kernels/shared/kernel.h"
#include "runtime/value/element_type.h"

namespace griddle::kernels {

enum class Comparison { less, less_equal, equal, greater_equal, greater, not_equal };
inline constexpr int comparison_count = 6;

// Swaps the operands of a comparison.
constexpr Comparison mirrored(Comparison c) {
  constexpr Comparison mirror[] = {Comparison::greater,    Comparison::greater_equal, Comparison::equal,
                                   Comparison::less_equal, Comparison::less,          Comparison::not_equal};
  return mirror[static_cast<int>(c)];
}

enum class BitFunction { and_, or_, less, greater, less_equal, greater_equal, equal, not_equal };
inline constexpr int bit_function_count = 8;

// Places of the types that compare differently. Wide characters compare as i32.
enum ComparedLane { compared_i8, compared_i16, compared_i32, compared_f64, compared_u8, compared_u16 };
inline constexpr int compared_lane_count = 6;
// Gives the place of a type other than bits and boxes.
constexpr ComparedLane compared_lane(ElementType type) {
  switch (type) {
    case ElementType::i8: return compared_i8;
    case ElementType::i16: return compared_i16;
    case ElementType::f64: return compared_f64;
    case ElementType::c8: return compared_u8;
    case ElementType::c16: return compared_u16;
    default: return compared_i32;
  }
}

struct CompareKernels {
  // Write n bits in whole 64-bit words, 0 beyond the end; `out` overlaps no input. Never stop early.
  DyadForms compare[comparison_count][compared_lane_count];
  // Take n in bits and work on whole words; a single operand is a word of equal bits. `out` may be an input. Never stop early.
  DyadForms bits[bit_function_count];
  Monad not_bits;
  // Tell which integers are odd, as `compare` does; by lanes of integers.
  Monad odd[lane_f64];
  // Compare two arrays of different number types, as `compare` does; null where the types agree.
  Dyad mixed[comparison_count][lane_count][lane_count];
};

const CompareKernels& compare();

}  // namespace griddle::kernels
