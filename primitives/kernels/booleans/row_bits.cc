#include "primitives/kernels/booleans/row_bits.h"

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace row_bits_unit {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using std::uint64_t;

template <class Op>
HWY_INLINE void combine(RowBits kind, uint64_t* out, const uint64_t* bits, std::size_t columns, std::size_t n, Op op) {
  each_block_of_row_bits(kind, columns, (n + 63) / 64, [=](std::size_t first, std::size_t count, const uint64_t* with) HWY_ATTR {
    const hn::ScalableTag<uint64_t> d;
    const hn::CappedTag<uint64_t, 1> one;
    const std::size_t lanes = hn::Lanes(d);
    const uint64_t* const from = bits + first;
    uint64_t* const to = out + first;
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) hn::StoreU(op(hn::LoadU(d, from + i), hn::LoadU(d, with + i)), d, to + i);
    for (; i < count; i++) hn::StoreU(op(hn::LoadU(one, from + i), hn::LoadU(one, with + i)), one, to + i);
  });
}

void flip(RowBits kind, uint64_t* out, const uint64_t* bits, std::size_t columns, std::size_t n) {
  combine(kind, out, bits, columns, n, [](auto a, auto b) HWY_ATTR { return hn::Xor(a, b); });
}
void keep(RowBits kind, uint64_t* out, const uint64_t* bits, std::size_t columns, std::size_t n) {
  combine(kind, out, bits, columns, n, [](auto a, auto b) HWY_ATTR { return hn::And(a, b); });
}

void choose(uint64_t* words, std::size_t count, const uint64_t* zero, const uint64_t* differ, std::size_t period) {
  const hn::ScalableTag<uint64_t> d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t first = 0; first < count; first += period) {
    uint64_t* const to = words + first;
    const std::size_t n = count - first < period ? count - first : period;
    std::size_t i = 0;
    for (; i + lanes <= n; i += lanes) {
      const auto kept = hn::And(hn::LoadU(d, to + i), hn::LoadU(d, differ + i));
      hn::StoreU(hn::Xor(kept, hn::LoadU(d, zero + i)), d, to + i);
    }
    for (; i < n; i++) to[i] = zero[i] ^ (to[i] & differ[i]);
  }
}

const RowBitKernels* row_bits_kernels() {
  static constexpr RowBitKernels kernels = {flip, keep, choose};
  return &kernels;
}

}  // namespace
}  // namespace row_bits_unit
using row_bits_unit::row_bits_kernels;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(row_bits_kernels);
const RowBitKernels& row_bits() { return *HWY_DYNAMIC_DISPATCH(row_bits_kernels)(); }
}  // namespace griddle::kernels
#endif
