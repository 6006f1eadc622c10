#include "primitives/kernels/elementwise/truth_table.h"

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace truth_table_unit {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using std::uint64_t, std::uint8_t;

uint64_t all_of(uint8_t table, unsigned row) { return uint64_t{0} - (table >> row & 1); }

// Takes bits of `yes` where those of `which` are 1, and else of `no`.
template <class V>
HWY_INLINE V chosen(V which, V yes, V no) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  return hn::IfVecThenElse(which, yes, no);
#else
  return hn::Or(hn::And(which, yes), hn::AndNot(which, no));
#endif
}
// Chooses among four rows of the table, from `row` on.
template <class D, class V>
HWY_INLINE V choose(D d, uint8_t table, unsigned row, V a, V b) {
  const auto of = [&](unsigned i) HWY_ATTR { return hn::Set(d, all_of(table, row + i)); };
  return chosen(b, chosen(a, of(3), of(2)), chosen(a, of(1), of(0)));
}

template <bool three>
void by_table(void* out, const void* a_bits, const void* b_bits, const void* c_bits, uint8_t table, std::size_t n) {
  uint64_t* const words = static_cast<uint64_t*>(out);
  const uint64_t *const a = static_cast<const uint64_t*>(a_bits), *const b = static_cast<const uint64_t*>(b_bits),
                        *const c = static_cast<const uint64_t*>(c_bits);
  const std::size_t count = (n + 63) / 64;
  const auto at = [=](auto d, std::size_t i) HWY_ATTR {
    const auto from_a = hn::LoadU(d, a + i), from_b = hn::LoadU(d, b + i);
    auto r = choose(d, table, 0, from_a, from_b);
    if constexpr (three) r = chosen(hn::LoadU(d, c + i), choose(d, table, 4, from_a, from_b), r);
    hn::StoreU(r, d, words + i);
  };
  const hn::ScalableTag<uint64_t> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) at(d, i);
  if (i != count && count >= lanes) {
    at(d, count - lanes);
    return;
  }
  for (; i < count; i++) at(hn::CappedTag<uint64_t, 1>(), i);
}

const TruthTables* truth_table_kernels() {
  static constexpr TruthTables tables = {by_table<false>, by_table<true>};
  return &tables;
}

}  // namespace
}  // namespace truth_table_unit
using truth_table_unit::truth_table_kernels;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(truth_table_kernels);
const TruthTables& truth_tables() { return *HWY_DYNAMIC_DISPATCH(truth_table_kernels)(); }
}  // namespace griddle::kernels
#endif
