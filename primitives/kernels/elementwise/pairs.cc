#include "primitives/kernels/elementwise/pairs.h"

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace pairs_unit {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <PairFunction f, class V>
HWY_INLINE V apply(V a, V b) {
  if constexpr (f == PairFunction::add) return hn::Add(a, b);
  if constexpr (f == PairFunction::subtract) return hn::Sub(a, b);
  if constexpr (f == PairFunction::from) return hn::Sub(b, a);
  if constexpr (f == PairFunction::multiply) return hn::Mul(a, b);
}

// Both vectors and single numbers at the end take this way; all is read before results are written.
template <bool rooted, PairFunction first, PairArgument b_is, PairFunction second, PairArgument c_is>
void pair(void* out_bytes, const void* a_bytes, const void* b_bytes, const void* c_bytes, std::size_t n) {
  double* const out = static_cast<double*>(out_bytes);
  const double *const a = static_cast<const double*>(a_bytes), *const b = static_cast<const double*>(b_bytes),
                      *const c = static_cast<const double*>(c_bytes);
  const double single_b = b_is == PairArgument::single ? *b : 0, single_c = c_is == PairArgument::single ? *c : 0;
  const auto store = [=](auto d, auto r, std::size_t i) HWY_ATTR {
    if constexpr (rooted)
      hn::StoreU(hn::Sqrt(r), d, out + i);
    else
      hn::StoreU(r, d, out + i);
  };
  const auto at = [=](auto d, std::size_t i) HWY_ATTR {
    const auto right = b_is == PairArgument::single ? hn::Set(d, single_b) : hn::LoadU(d, b + i);
    const auto between = apply<first>(hn::LoadU(d, a + i), right);
    if constexpr (c_is == PairArgument::itself) {
      store(d, apply<second>(between, between), i);
    } else {
      const auto last = c_is == PairArgument::single ? hn::Set(d, single_c) : hn::LoadU(d, c + i);
      store(d, apply<second>(between, last), i);
    }
  };
  const hn::ScalableTag<double> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + 2 * lanes <= n; i += 2 * lanes) at(d, i), at(d, i + lanes);
  if (i + lanes <= n) {
    at(d, i);
    i += lanes;
  }
  for (; i < n; i++) at(hn::CappedTag<double, 1>(), i);
}

template <bool rooted, PairFunction first, PairArgument b_is, PairArgument c_is>
constexpr void enter_seconds(Pair (&entries)[pair_function_count]) {
  using F = PairFunction;
  entries[0] = pair<rooted, first, b_is, F::add, c_is>;
  entries[1] = pair<rooted, first, b_is, F::subtract, c_is>;
  entries[2] = pair<rooted, first, b_is, F::from, c_is>;
  entries[3] = pair<rooted, first, b_is, F::multiply, c_is>;
}
template <bool rooted, PairFunction first, PairArgument b_is>
constexpr void enter(PairKernels& k) {
  constexpr int f = static_cast<int>(first), b = static_cast<int>(b_is);
  enter_seconds<rooted, first, b_is, PairArgument::array>(k.of_array[f][b]);
  enter_seconds<rooted, first, b_is, PairArgument::single>(k.of_single[f][b]);
  k.squares[f][b] = pair<rooted, first, b_is, PairFunction::multiply, PairArgument::itself>;
}
template <bool rooted, PairFunction first>
constexpr void enter(PairKernels& k) {
  enter<rooted, first, PairArgument::array>(k);
  enter<rooted, first, PairArgument::single>(k);
}

template <bool rooted>
const PairKernels* table_of() {
  static constexpr PairKernels kernels = [] {
    PairKernels k{};
    enter<rooted, PairFunction::add>(k);
    enter<rooted, PairFunction::subtract>(k);
    enter<rooted, PairFunction::from>(k);
    enter<rooted, PairFunction::multiply>(k);
    return k;
  }();
  return &kernels;
}
const PairKernels* pairs_kernels() { return table_of<false>(); }
const PairKernels* rooted_table() { return table_of<true>(); }

}  // namespace
}  // namespace pairs_unit
using pairs_unit::pairs_kernels, pairs_unit::rooted_table;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(pairs_kernels);
HWY_EXPORT(rooted_table);
const PairKernels& pairs() { return *HWY_DYNAMIC_DISPATCH(pairs_kernels)(); }
const PairKernels& rooted_pairs() { return *HWY_DYNAMIC_DISPATCH(rooted_table)(); }
}  // namespace griddle::kernels
#endif
