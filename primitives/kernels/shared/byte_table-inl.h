// Tables of 256 bytes in registers. Included once per target.
#if defined(GRIDDLE_KERNELS_BYTE_TABLE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDDLE_KERNELS_BYTE_TABLE_INL_H_
#undef GRIDDLE_KERNELS_BYTE_TABLE_INL_H_
#else
#define GRIDDLE_KERNELS_BYTE_TABLE_INL_H_
#endif

#include <cstdint>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX3_DL
// Holds a table of 256 bytes in four registers.
struct ByteTable {
  HWY_INLINE explicit ByteTable(const std::uint8_t* table)
      : a(_mm512_loadu_si512(table)),
        b(_mm512_loadu_si512(table + 64)),
        c(_mm512_loadu_si512(table + 128)),
        d(_mm512_loadu_si512(table + 192)) {}
  // All ones for the members of a set.
  HWY_INLINE explicit ByteTable(const std::uint64_t* set)
      : a(_mm512_movm_epi8(set[0])), b(_mm512_movm_epi8(set[1])), c(_mm512_movm_epi8(set[2])), d(_mm512_movm_epi8(set[3])) {}
  HWY_INLINE __m512i operator[](__m512i v) const {
    return _mm512_mask_blend_epi8(_mm512_movepi8_mask(v), _mm512_permutex2var_epi8(a, v, b), _mm512_permutex2var_epi8(c, v, d));
  }
  __m512i a, b, c, d;
};
#endif

}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
