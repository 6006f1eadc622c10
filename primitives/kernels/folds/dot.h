// Sums of products.
#pragma once

#include "primitives/kernels/shared/kernel.h"

namespace griddle::kernels {

// Sums the products of n pairs of i8; n ≤ 2^16.
std::int64_t dot_i8(const void* w, const void* x, std::size_t n);
// The same for i16; n ≤ 2^32.
std::int64_t dot_i16(const void* w, const void* x, std::size_t n);

}  // namespace griddle::kernels
