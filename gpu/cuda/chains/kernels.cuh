// The kernels that follow any chain, and what they are started with.
#pragma once

#include <algorithm>

#include "gpu/cuda/chains/chain.cuh"
#include "gpu/cuda/chains/fold.cuh"

namespace griddle::cuda {

// How many blocks a multiprocessor is to hold: as many as leave them the registers that they need.
template <class V, class E>
constexpr int blocks_of = is_packed<V>                      ? (places_of<V> > 64 ? (E::displaced ? 4 : 6)
                                                               : E::displaced    ? 3
                                                                                 : 4)
                          : E::functions                    ? 2
                          : sizeof(V) == 8 && E::views      ? 2
                          : sizeof(V) == 4 && !E::displaced ? 4
                                                            : 3;

// Copies the views to shared memory, which all threads read at once faster than arguments.
template <class E>
__device__ __forceinline__ const ReadyView* views_nearby(const Plan& plan) {
  if constexpr (E::views) {
    __shared__ ReadyView views[griddle_most_inputs];
    const std::uint32_t* from = reinterpret_cast<const std::uint32_t*>(plan.views);
    for (unsigned i = threadIdx.x; i < sizeof views / 4; i += threads) reinterpret_cast<std::uint32_t*>(views)[i] = from[i];
    __syncthreads();
    return views;
  } else {
    return nullptr;
  }
}

template <class V, class E>
__global__ void __launch_bounds__(threads, blocks_of<V, E>)
    map_kernel(const __grid_constant__ Plan plan, void* out, std::uint64_t length) {
  constexpr int group = group_of<V>;
  __shared__ V slots[griddle_most_slots * group * threads];
  const ReadyView* const views = views_nearby<E>(plan);
  constexpr int places = places_of<V>;
  const std::uint64_t stride = static_cast<std::uint64_t>(gridDim.x) * threads * places;
  for (std::uint64_t at = (static_cast<std::uint64_t>(blockIdx.x) * threads + threadIdx.x) * places; at < length; at += stride) {
    V v[group];
    follow<E>(plan, views, slots + threadIdx.x, at, length, v);
    const bool whole = at - threadIdx.x % 32 * places + 32 * places <= length;
    store_typed(v, out, plan.chain.result_type, at, whole);
  }
}

// Sums, or other folds: apart, so that neither holds registers for the other.
template <class V, class E, bool adds>
__global__ void __launch_bounds__(threads, blocks_of<V, E>)
    fold_kernel(const __grid_constant__ Plan plan, griddle_fold f, std::uint64_t length, double* partials,
                std::uint32_t* arrivals, double* answer) {
  constexpr int group = group_of<V>;
  __shared__ V slots[griddle_most_slots * group * threads];
  const ReadyView* const views = views_nearby<E>(plan);
  constexpr int places = places_of<V>;
  const std::uint64_t stride = static_cast<std::uint64_t>(gridDim.x) * threads * places;
  FoldSoFar<V, adds> so_far{identity_of(f)};
  for (std::uint64_t at = (static_cast<std::uint64_t>(blockIdx.x) * threads + threadIdx.x) * places; at < length; at += stride) {
    V v[group];
    follow<E>(plan, views, slots + threadIdx.x, at, length, v);
    so_far.take(f, v, length - at);
  }
  finish_fold(f, so_far.value(), partials, arrivals, answer);
}

// Of a multiprocessor so many blocks, of which it holds two, three, four or six at once: none is left with fewer at the end.
constexpr std::uint32_t blocks_of_each = 12;

template <class V>
std::uint32_t resident_blocks(const griddle_device& d, std::uint64_t places) {
  const std::uint32_t most =
      std::min<std::uint32_t>(static_cast<std::uint32_t>(d.multiprocessors) * blocks_of_each, most_partials);
  return blocks_for(places, threads * places_of<V>, most);
}

// Where blocks have nothing to make ready or to put together, they take a group a thread and end: 2^28 doubles are read and
// written in 1.03 ms, by blocks that stay in 1.11 (one H200, 2026-11-29).
template <class V>
std::uint32_t blocks_that_end(std::uint64_t places) {
  return blocks_for(places, threads * places_of<V>);
}

// What divides 31 bits by w: with s = ⌈log2 w⌉ the product by ⌊2^(31+s) ÷ w⌋ + 1 exceeds 2^(31+s) times the quotient by too
// little to reach the next one.
inline Divisor divisor_for(double w) {
  Divisor by{1 / w, 0, 0};
  if (!(w > 1 && w <= 2147483647.0 && w == std::floor(w))) return by;
  const std::uint64_t divisor = static_cast<std::uint64_t>(w);
  std::uint32_t s = 1;
  while (std::uint64_t{1} << s < divisor) s++;
  by.multiplier = static_cast<std::uint32_t>((std::uint64_t{1} << (31 + s)) / divisor + 1);
  by.shift = s - 1;
  return by;
}

inline ReadyView ready(const griddle_view& view, const ReadyView& first) {
  ReadyView r{view.from, view.fills, 1, {1, 1, 1}, 1, {}};
  for (std::uint32_t a = 0; a < view.axis_count; a++) {
    const griddle_axis& axis = view.axes[a];
    const std::uint32_t at = a + griddle_most_view_axes - view.axis_count;
    r.length[at] = static_cast<std::uint32_t>(axis.length);
    r.axes[at] = {axis.step, static_cast<std::int32_t>(axis.first), static_cast<std::int32_t>(axis.limit)};
  }
  if (first.is_view) r.same_axes = std::equal(r.length, r.length + griddle_most_view_axes, first.length);
  return r;
}

inline Plan plan_for(const griddle_chain& chain) {
  Plan plan{chain, {}, 0, {}};
  while (plan.first_view + 1u < chain.input_count && chain.input_views[plan.first_view].axis_count == 0) plan.first_view++;
  for (std::uint32_t i = plan.first_view; i < chain.input_count; i++)
    if (chain.input_views[i].axis_count != 0) plan.views[i] = ready(chain.input_views[i], plan.views[plan.first_view]);
  for (std::uint32_t s = 0; s < chain.step_count; s++) {
    const griddle_step& step = chain.steps[s];
    if ((step.operation == griddle_modulus || step.operation == griddle_integer_modulus) && step.source == griddle_from_constant)
      plan.divisors[step.index] = divisor_for(chain.constants[step.index]);
  }
  return plan;
}

template <class V, class E>
griddle_status map_by(griddle_device& d, const griddle_chain& chain, void* out, std::uint64_t length) {
  const std::uint32_t blocks = E::views ? resident_blocks<V>(d, length) : blocks_that_end<V>(length);
  map_kernel<V, E><<<blocks, threads, 0, d.stream>>>(plan_for(chain), out, length);
  return launched(d);
}
// The answer is to be taken.
template <class V, class E>
griddle_status fold_by(griddle_device& d, const griddle_chain& chain, griddle_fold f, std::uint64_t length) {
  const auto kernel = f == griddle_fold_add ? fold_kernel<V, E, true> : fold_kernel<V, E, false>;
  kernel<<<resident_blocks<V>(d, length), threads, 0, d.stream>>>(plan_for(chain), f, length, d.partials, d.arrivals,
                                                                  d.host_answer);
  return launched(d);
}

// Calls f with a V that holds the values of a chain, where several are in a register.
template <class F>
auto with_packed(const griddle_chain& chain, F f) {
  switch (chain.values) {
    case griddle_values_i16: return f(Lanes<std::int16_t>{});
    case griddle_values_u8: return f(Lanes<std::uint8_t>{});
    case griddle_values_i8: return f(Lanes<std::int8_t>{});
    default: return f(Bits{});
  }
}
inline bool are_packed(const griddle_chain& chain) { return chain.values > griddle_values_i32; }

// packed.cu: the same for chains whose values are packed.
griddle_status map_packed(griddle_device&, const griddle_chain&, void* out, std::uint64_t length);
griddle_status fold_packed(griddle_device&, const griddle_chain&, griddle_fold, std::uint64_t length);

}  // namespace griddle::cuda
