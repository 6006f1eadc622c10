// Products of matrices of bits (AVX-512). Included once per target.
#if defined(GRIDDLE_KERNELS_BIT_MATRIX_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDDLE_KERNELS_BIT_MATRIX_INL_H_
#undef GRIDDLE_KERNELS_BIT_MATRIX_INL_H_
#else
#define GRIDDLE_KERNELS_BIT_MATRIX_INL_H_
#endif

#include <cstdint>

#include "hwy/highway.h"

#if HWY_TARGET == HWY_AVX3_DL
#include <immintrin.h>

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {

// Gives for each byte the one whose bit k is the parity of the bits that row k of the matrix selects, rows being counted from its
// most significant byte on. Highway has no such operation, nor names the instruction set among those of its target, without which
// g++ would call a function for it.
HWY_INLINE __m512i bit_matrix_product(__m512i bytes, std::uint64_t matrix) {
  __m512i product;
  asm("vgf2p8affineqb $0, %2, %1, %0" : "=v"(product) : "v"(bytes), "v"(_mm512_set1_epi64(static_cast<long long>(matrix))));
  return product;
}

}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // AVX-512

#endif  // toggle
