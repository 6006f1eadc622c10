#include "primitives/kernels/random/alias.h"

#include <algorithm>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace alias_unit {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using std::size_t;

constexpr double largest_limit = 0xFFFFFFFF;

void make(std::uint64_t* table, const double* weights, size_t n, double total) {
  const double count = static_cast<double>(n);
  const auto share = [=](size_t i) { return weights[i] / total * count; };
  const auto enter = [=](size_t i, double kept, size_t alias) {
    const double limit = std::min(kept * 0x1p32 + 0.5, largest_limit);
    table[i] = static_cast<std::uint64_t>(alias) << 32 | static_cast<std::uint64_t>(limit);
  };
  const auto next = [=](size_t i, bool heavy) {
    while (i < n && (share(i) >= 1) != heavy) i++;
    return i;
  };
  size_t light = next(0, false), heavy = next(0, true);
  // Rounding may leave equal weights all a little below their mean.
  if (heavy == n) {
    for (size_t i = 0; i < n; i++) enter(i, 1, i);
    heavy = static_cast<size_t>(std::max_element(weights, weights + n) - weights);
    for (size_t i = 0; i < n; i++)
      if (!(weights[i] > 0)) enter(i, 0, heavy);
    return;
  }
  double rest = share(heavy);
  for (size_t following;;) {
    if (rest < 1 && (following = next(heavy + 1, true)) < n) {
      // What a heavy one lacks after it has filled others up comes from the next heavy one.
      enter(heavy, rest, following);
      rest = share(following) - (1 - rest);
      heavy = following;
    } else if (light < n) {
      enter(light, share(light), heavy);
      rest -= 1 - share(light);
      light = next(light + 1, false);
    } else {
      break;
    }
  }
  for (; heavy < n; heavy = next(heavy + 1, true)) enter(heavy, 1, heavy);
}

// Draws are independent of each other, so that the processor waits for many of them at once: as many as it has instructions
// under way, which vectors make fewer.
void draw(std::int32_t* places, const std::uint64_t* words, size_t count, const std::uint64_t* table, size_t n) {
  size_t i = 0;
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  const hn::ScalableTag<std::uint64_t> d;
  const hn::RebindToSigned<decltype(d)> signed_d;
  const hn::Rebind<std::int32_t, decltype(d)> narrow;
  const hn::Rebind<std::uint32_t, decltype(d)> unsigned_narrow;
  const size_t lanes = hn::Lanes(d);
  const hn::Repartition<std::uint32_t, decltype(d)> halves;
  const auto length = hn::Set(halves, static_cast<std::uint32_t>(n));
  const auto low_half = hn::Set(d, 0xFFFFFFFF);
  const auto product_of_low = [=](auto v) HWY_ATTR { return hn::MulEven(hn::BitCast(halves, v), length); };
  for (; i + lanes <= count; i += lanes) {
    const auto word = hn::LoadU(d, words + i);
    const auto place = hn::Add(product_of_low(hn::ShiftRight<32>(word)), hn::ShiftRight<32>(product_of_low(word)));
    const auto index = hn::ShiftRight<32>(place);
    const auto entry = hn::GatherIndex(d, table, hn::BitCast(signed_d, index));
    const auto is_kept = hn::Lt(hn::BitCast(signed_d, hn::And(place, low_half)), hn::BitCast(signed_d, hn::And(entry, low_half)));
    const auto drawn = hn::IfThenElse(is_kept, hn::BitCast(signed_d, index), hn::BitCast(signed_d, hn::ShiftRight<32>(entry)));
    hn::StoreU(hn::BitCast(narrow, hn::TruncateTo(unsigned_narrow, hn::BitCast(d, drawn))), narrow, places + i);
  }
#endif
  for (; i < count; i++) places[i] = static_cast<std::int32_t>(draw_alias(table, n, words[i]));
}

const AliasKernels* alias_kernels() {
  static constexpr AliasKernels kernels = {make, draw};
  return &kernels;
}

}  // namespace
}  // namespace alias_unit
using alias_unit::alias_kernels;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(alias_kernels);
const AliasKernels& aliases() { return *HWY_DYNAMIC_DISPATCH(alias_kernels)(); }
}  // namespace griddle::kernels
#endif
