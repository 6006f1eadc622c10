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

const RowBitKernels* row_bits_kernels() {
  static constexpr RowBitKernels kernels = {flip, keep};
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
