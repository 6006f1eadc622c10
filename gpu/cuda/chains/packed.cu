// Kernels for chains of which a register holds several values.
#include "gpu/cuda/chains/kernels.cuh"

namespace griddle::cuda {

namespace {

template <class F>
griddle_status with_packed_kind(const griddle_chain& chain, F f) {
  bool elsewhere = false;
  for (std::uint32_t i = 0; i < chain.input_count; i++)
    elsewhere |= chain.input_each[i] != 1 || chain.input_period[i] != 0 || chain.input_shift[i] != 0 ||
                 chain.input_views[i].axis_count != 0;
  return with_packed(chain, [&]<class V>(V of) {
    return elsewhere ? f(of, Extent<true, Functions::common, false, true>{}) : f(of, Extent<false, Functions::common>{});
  });
}

}  // namespace

griddle_status map_packed(griddle_device& d, const griddle_chain& chain, void* out, std::uint64_t length) {
  return with_packed_kind(chain, [&]<class V, class E>(V, E) { return map_by<V, E>(d, chain, out, length); });
}
griddle_status fold_packed(griddle_device& d, const griddle_chain& chain, griddle_fold f, std::uint64_t length) {
  return with_packed_kind(chain, [&]<class V, class E>(V, E) { return fold_by<V, E>(d, chain, f, length); });
}

}  // namespace griddle::cuda
