// The types that arithmetic of numbers runs on, narrowest first, as kernels number them.
#pragma once

#include "primitives/kernels/elementwise/arithmetic.h"
#include "runtime/value/element_type.h"

namespace griddle::primitives {

inline int lane_of(ElementType t) { return t <= ElementType::i8 ? kernels::lane_i8 : static_cast<int>(t) - 1; }
// The same for types that are no bits.
inline int lane_above_bits(ElementType t) { return static_cast<int>(t) - static_cast<int>(ElementType::i8); }
inline constexpr ElementType number_types[] = {ElementType::i8, ElementType::i16, ElementType::i32, ElementType::f64};

}  // namespace griddle::primitives
