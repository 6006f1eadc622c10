#include "primitives/kernels/moves/look_up.h"

#include "hwy/highway.h"

#if HWY_TARGET == HWY_AVX3_DL
#include "primitives/kernels/moves/look_up_512-inl.h"
#elif HWY_TARGET == HWY_AVX2
#include "primitives/kernels/moves/look_up_256-inl.h"
#endif

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace look_up_unit {
namespace {

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3_DL

bool look_up_any(unsigned width, void* to, const void* from, std::size_t from_bit, std::size_t n, const Indices& indices) {
  switch (indices.type) {
    case ElementType::i8: return look_up_by<std::int8_t>(width, to, from, from_bit, n, indices);
    case ElementType::i16: return look_up_by<std::int16_t>(width, to, from, from_bit, n, indices);
    default: return look_up_by<std::int32_t>(width, to, from, from_bit, n, indices);
  }
}

#else

bool look_up_any(unsigned, void*, const void*, std::size_t, std::size_t, const Indices&) { return false; }

#endif

}  // namespace
}  // namespace look_up_unit
using look_up_unit::look_up_any;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(look_up_any);
bool look_up(unsigned width, void* to, const void* from, std::size_t from_bit, std::size_t n, const Indices& indices) {
  if (indices.type == ElementType::bit || indices.type == ElementType::f64) return false;
  return HWY_DYNAMIC_DISPATCH(look_up_any)(width, to, from, from_bit, n, indices);
}
}  // namespace griddle::kernels
#endif
