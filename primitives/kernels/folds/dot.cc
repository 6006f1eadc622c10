#include "primitives/kernels/folds/dot.h"

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace dot_unit {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using std::int16_t, std::int32_t, std::int64_t, std::int8_t;

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_SSE4
#if HWY_TARGET == HWY_AVX2
#define GRIDDLE_ON_VECTORS(operation) _mm256_##operation
#else
#define GRIDDLE_ON_VECTORS(operation) _mm_##operation
#endif
// Adds the products of whole vectors, as sizes of w by numbers x with the signs of both; gives how many it did: none where an x
// is -128, which cannot change its sign.
std::size_t add_products_of_vectors(const int8_t* w, const int8_t* x, std::size_t n, int64_t& sum) {
  const hn::ScalableTag<int8_t> d;
  const hn::ScalableTag<int32_t> wide;
  const std::size_t lanes = hn::Lanes(d);
  const auto ones = hn::Set(hn::ScalableTag<int16_t>(), 1);
  auto sums = hn::Zero(wide), more = sums;
  auto least = hn::Zero(d), lesser = least;
  const auto add = [=](std::size_t i, auto& to, auto& low) HWY_ATTR {
    const auto a = hn::LoadU(d, w + i), b = hn::LoadU(d, x + i);
    low = hn::Min(low, b);
    const auto pairs =
        GRIDDLE_ON_VECTORS(maddubs_epi16)(GRIDDLE_ON_VECTORS(abs_epi8)(a.raw), GRIDDLE_ON_VECTORS(sign_epi8)(b.raw, a.raw));
    to.raw = GRIDDLE_ON_VECTORS(add_epi32)(to.raw, GRIDDLE_ON_VECTORS(madd_epi16)(pairs, ones.raw));
  };
  std::size_t i = 0;
  for (; i + 2 * lanes <= n; i += 2 * lanes) {
    add(i, sums, least);
    add(i + lanes, more, lesser);
  }
  if (!hn::AllTrue(d, hn::Gt(hn::Min(least, lesser), hn::Set(d, -128)))) return 0;
  sum += hn::GetLane(hn::SumOfLanes(wide, sums)) + int64_t{hn::GetLane(hn::SumOfLanes(wide, more))};
  return i;
}
#undef GRIDDLE_ON_VECTORS
#endif

#if HWY_TARGET == HWY_AVX3_DL
using Bytes = hn::Vec<hn::ScalableTag<int8_t>>;
using Sums = hn::Vec<hn::ScalableTag<int32_t>>;

// Adds products of numbers that have no sign by such that have one.
HWY_INLINE void add_products(Sums& sums, Bytes without, Bytes with) {
  asm("vpdpbusd %2, %1, %0" : "+v"(sums.raw) : "v"(without.raw), "v"(with.raw));
}

// Adds the products of whole vectors: 128 more than each x has no sign, and what that adds is taken away. Gives how many it did.
std::size_t add_products_of_vectors(const int8_t* w, const int8_t* x, std::size_t n, int64_t& sum) {
  const hn::ScalableTag<int8_t> d;
  const hn::ScalableTag<int32_t> wide;
  const std::size_t lanes = hn::Lanes(d);
  const Bytes offset = hn::Set(d, -128);  // 128 as a number without a sign
  Sums sums[2] = {hn::Zero(wide), hn::Zero(wide)}, offsets[2] = {hn::Zero(wide), hn::Zero(wide)};
  const auto add = [&](Bytes factor, std::size_t i, std::size_t k) HWY_ATTR {
    add_products(sums[k], hn::Xor(hn::LoadU(d, x + i), offset), factor);
    add_products(offsets[k], offset, factor);
  };
  if (n < lanes) return 0;
  std::size_t i = 0;
  for (; i + 2 * lanes <= n; i += 2 * lanes) {
    add(hn::LoadU(d, w + i), i, 0);
    add(hn::LoadU(d, w + i + lanes), i + lanes, 1);
  }
  if (i + lanes <= n) {
    add(hn::LoadU(d, w + i), i, 0);
    i += lanes;
  }
  // Of the last vector, what lies before is there already.
  if (i != n) add(hn::IfThenZeroElse(hn::FirstN(d, lanes - (n - i)), hn::LoadU(d, w + n - lanes)), n - lanes, 1);
  sum += hn::GetLane(hn::SumOfLanes(wide, hn::Sub(hn::Add(sums[0], sums[1]), hn::Add(offsets[0], offsets[1]))));
  return n;
}
#endif

// Neighbouring products are added in 32 bits, which hold 2^16 of them.
int64_t dot_of_bytes(const void* w_bytes, const void* x_bytes, std::size_t n) {
  const int8_t* w = static_cast<const int8_t*>(w_bytes);
  const int8_t* x = static_cast<const int8_t*>(x_bytes);
  int64_t sum = 0;
  std::size_t i = 0;
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_AVX3_DL
  i = add_products_of_vectors(w, x, n, sum);
  if (i == n) return sum;
#endif
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
  sum += hn::GetLane(hn::SumOfLanes(wide, even)) + int64_t{hn::GetLane(hn::SumOfLanes(wide, odd))};
  for (; i < n; i++) sum += w[i] * x[i];
  return sum;
}

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
// Multiplies lanes of i16 and adds neighbouring products. Of all sums only 2^31 does not fit: it comes out as -2^31.
template <class V>
HWY_INLINE auto sums_of_two(V w, V x) {
#if HWY_TARGET == HWY_AVX2
  return hn::VFromD<hn::ScalableTag<int32_t>>{_mm256_madd_epi16(w.raw, x.raw)};
#elif HWY_TARGET == HWY_SSE4
  return hn::VFromD<hn::ScalableTag<int32_t>>{_mm_madd_epi16(w.raw, x.raw)};
#else
  return hn::VFromD<hn::ScalableTag<int32_t>>{_mm512_madd_epi16(w.raw, x.raw)};
#endif
}
#define GRIDDLE_SUMS_OF_TWO
#endif

int64_t dot_of_short_integers(const void* w_bytes, const void* x_bytes, std::size_t n) {
  const int16_t* w = static_cast<const int16_t*>(w_bytes);
  const int16_t* x = static_cast<const int16_t*>(x_bytes);
  int64_t sum = 0;
  std::size_t i = 0;
#ifdef GRIDDLE_SUMS_OF_TWO
#undef GRIDDLE_SUMS_OF_TWO
  // Sums of two products, and this more, are all sorts of u32; those are added up as u64.
  constexpr int32_t more = 0x7FFFFFFF;
  const hn::ScalableTag<int16_t> d;
  const hn::ScalableTag<int32_t> d32;
  const hn::ScalableTag<std::uint64_t> d64;
  const std::size_t lanes = hn::Lanes(d);
  const auto low_half = hn::Set(d64, 0xFFFFFFFF);
  auto even = hn::Zero(d64), odd = even;
  const auto add = [&](auto a, auto b) HWY_ATTR {
    const auto two = hn::BitCast(d64, hn::Add(sums_of_two(a, b), hn::Set(d32, more)));
    even = hn::Add(even, hn::And(two, low_half));
    odd = hn::Add(odd, hn::ShiftRight<32>(two));
  };
  for (; i + lanes <= n; i += lanes) add(hn::LoadU(d, w + i), hn::LoadU(d, x + i));
  std::size_t added = i;
  if (i != n && n >= lanes) {
    // Of the last vector, what lies before is there already.
    add(hn::IfThenZeroElse(hn::FirstN(d, lanes - (n - i)), hn::LoadU(d, w + n - lanes)), hn::LoadU(d, x + n - lanes));
    added += lanes;
    i = n;
  }
  sum = static_cast<int64_t>(hn::GetLane(hn::SumOfLanes(d64, hn::Add(even, odd)))) - static_cast<int64_t>(added / 2) * more;
#endif
  for (; i < n; i++) sum += int64_t{w[i]} * x[i];
  return sum;
}

}  // namespace
}  // namespace dot_unit
using dot_unit::dot_of_bytes, dot_unit::dot_of_short_integers;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(dot_of_bytes);
HWY_EXPORT(dot_of_short_integers);
std::int64_t dot_i8(const void* w, const void* x, std::size_t n) { return HWY_DYNAMIC_DISPATCH(dot_of_bytes)(w, x, n); }
std::int64_t dot_i16(const void* w, const void* x, std::size_t n) { return HWY_DYNAMIC_DISPATCH(dot_of_short_integers)(w, x, n); }
}  // namespace griddle::kernels
#endif
