#include "primitives/kernels/dot.h"

#include "primitives/kernels/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "primitives/kernels/dot.cc"
#include "hwy/foreach_target.h"
//
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using std::int16_t, std::int32_t, std::int64_t, std::int8_t;

// Neighbouring products are added in 32 bits, which hold 2^16 of them.
int64_t dot_of_bytes(const void* w_bytes, const void* x_bytes, std::size_t n) {
  const int8_t* w = static_cast<const int8_t*>(w_bytes);
  const int8_t* x = static_cast<const int8_t*>(x_bytes);
  int64_t sum = 0;
  std::size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::ScalableTag<int16_t> d;
  const hn::ScalableTag<int32_t> wide;
  const hn::Rebind<int8_t, decltype(d)> narrow;
  const std::size_t lanes = hn::Lanes(d);
  const auto load = [&](const int8_t* p) HWY_ATTR { return hn::PromoteTo(d, hn::LoadU(narrow, p)); };
  auto even = hn::Zero(wide), odd = hn::Zero(wide);
  const auto accumulate = [&](std::size_t place) HWY_ATTR {
#if HWY_TARGET == HWY_AVX2
    even.raw = _mm256_add_epi32(even.raw, _mm256_madd_epi16(load(w + place).raw, load(x + place).raw));
#elif HWY_TARGET == HWY_SSE4
    even.raw = _mm_add_epi32(even.raw, _mm_madd_epi16(load(w + place).raw, load(x + place).raw));
#elif HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
    even.raw = _mm512_add_epi32(even.raw, _mm512_madd_epi16(load(w + place).raw, load(x + place).raw));
#else
    const auto products = hn::BitCast(wide, hn::Mul(load(w + place), load(x + place)));  // each fits 16 bits
    even = hn::Add(even, hn::ShiftRight<16>(hn::ShiftLeft<16>(products)));
    odd = hn::Add(odd, hn::ShiftRight<16>(products));
#endif
  };
  for (; i + lanes <= n; i += lanes) accumulate(i);
  sum = hn::GetLane(hn::SumOfLanes(wide, even)) + int64_t{hn::GetLane(hn::SumOfLanes(wide, odd))};
#endif
  for (; i < n; i++) sum += w[i] * x[i];
  return sum;
}

}  // namespace
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(dot_of_bytes);
std::int64_t dot_i8(const void* w, const void* x, std::size_t n) { return HWY_DYNAMIC_DISPATCH(dot_of_bytes)(w, x, n); }
}  // namespace griddle::kernels
#endif
