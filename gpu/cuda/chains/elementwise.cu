// Chains of elementwise functions as one kernel, and folds that end in the same loop.
#include <algorithm>
#include <utility>

#include "gpu/cuda/chains/chain.cuh"
#include "gpu/cuda/chains/fold.cuh"
#include "gpu/cuda/chains/made.h"

namespace griddle::cuda {

namespace {

// How many blocks a multiprocessor is to hold: as many as leave them the registers that they need.
template <class V, class E>
constexpr int blocks_of = E::functions                      ? 2
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
  const std::uint64_t stride = static_cast<std::uint64_t>(gridDim.x) * threads * group;
  for (std::uint64_t at = (static_cast<std::uint64_t>(blockIdx.x) * threads + threadIdx.x) * group; at < length; at += stride) {
    V v[group];
    follow<E>(plan, views, slots + threadIdx.x, at, length, v);
    const bool whole = at - threadIdx.x % 32 * group + 32 * group <= length;
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
  const std::uint64_t stride = static_cast<std::uint64_t>(gridDim.x) * threads * group;
  FoldSoFar<V, adds> so_far{identity_of(f)};
  for (std::uint64_t at = (static_cast<std::uint64_t>(blockIdx.x) * threads + threadIdx.x) * group; at < length; at += stride) {
    V v[group];
    follow<E>(plan, views, slots + threadIdx.x, at, length, v);
    so_far.take(f, v, length - at);
  }
  finish_fold(f, so_far.value(), partials, arrivals, answer);
}

__global__ void __launch_bounds__(threads)
    count_kernel(const uint4* mask, std::uint64_t length, double* partials, std::uint32_t* arrivals, double* answer) {
  const std::uint64_t quads = (length + 127) / 128;
  std::uint64_t count = 0;
  for (std::uint64_t q = static_cast<std::uint64_t>(blockIdx.x) * threads + threadIdx.x; q < quads;
       q += static_cast<std::uint64_t>(gridDim.x) * threads) {
    const uint4 w = mask[q];
    if (q + 1 < quads || length % 128 == 0) {
      count += __popc(w.x) + __popc(w.y) + __popc(w.z) + __popc(w.w);
    } else {
      const std::uint32_t words[4] = {w.x, w.y, w.z, w.w};
      const std::uint32_t left = static_cast<std::uint32_t>(length - q * 128);
#pragma unroll
      for (std::uint32_t i = 0; i < 4; i++)
        if (left >= i * 32 + 32)
          count += __popc(words[i]);
        else if (left > i * 32)
          count += __popc(words[i] & ((1u << (left - i * 32)) - 1));
    }
  }
  finish_fold(griddle_fold_add, static_cast<double>(count), partials, arrivals, answer);
}

// Of a multiprocessor so many blocks, of which it holds two, three, four or six at once: none is left with fewer at the end.
constexpr std::uint32_t blocks_of_each = 12;

template <class V>
std::uint32_t resident_blocks(const griddle_device& d, std::uint64_t places) {
  const std::uint32_t most =
      std::min<std::uint32_t>(static_cast<std::uint32_t>(d.multiprocessors) * blocks_of_each, most_partials);
  return blocks_for(places, threads * group_of<V>, most);
}

// Where blocks have nothing to make ready or to put together, they take a group a thread and end: 2^28 doubles are read and
// written in 1.03 ms, by blocks that stay in 1.11 (one H200, 2026-11-29).
template <class V>
std::uint32_t blocks_that_end(std::uint64_t places) {
  return blocks_for(places, threads * group_of<V>);
}

std::uint32_t blocks_to_follow(const griddle_device& d, const griddle_chain& chain, std::uint64_t places) {
  return chain.in_i32 ? resident_blocks<std::int32_t>(d, places) : resident_blocks<double>(d, places);
}
griddle_status launch(griddle_device& d, cudaKernel_t kernel, std::uint32_t blocks, void** arguments,
                      int threads_of_block = threads) {
  return status_of(d, cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(blocks),
                                       dim3(static_cast<unsigned>(threads_of_block)), arguments, 0, d.stream));
}

// What divides 31 bits by w: with s = ⌈log2 w⌉ the product by ⌊2^(31+s) ÷ w⌋ + 1 exceeds 2^(31+s) times the quotient by too
// little to reach the next one.
Divisor divisor_for(double w) {
  Divisor by{1 / w, 0, 0};
  if (!(w > 1 && w <= 2147483647.0 && w == std::floor(w))) return by;
  const std::uint64_t divisor = static_cast<std::uint64_t>(w);
  std::uint32_t s = 1;
  while (std::uint64_t{1} << s < divisor) s++;
  by.multiplier = static_cast<std::uint32_t>((std::uint64_t{1} << (31 + s)) / divisor + 1);
  by.shift = s - 1;
  return by;
}

ReadyView ready(const griddle_view& view, const ReadyView& first) {
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

Plan plan_for(const griddle_chain& chain) {
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

// Lets the second step take what the first one loads, where it is the same input one place beside. Tells whether it does.
bool take_once(griddle_chain& chain) {
  if (chain.step_count < 2 || chain.input_count < 2) return false;
  griddle_step &load = chain.steps[0], &step = chain.steps[1];
  const bool takes_input =
      step.operation <= griddle_not_equal && step.operation != griddle_keep && step.operation != griddle_load;
  if (load.operation != griddle_load || load.source != griddle_from_input || !takes_input || step.source != griddle_from_input)
    return false;
  if (chain.input_shift[load.index] != 0) {
    std::swap(load.index, step.index);
    step.swapped = !step.swapped;
  }
  const unsigned plain = load.index, beside = step.index;
  step.source = from_beside;
  if (chain.inputs[plain] != chain.inputs[beside] || chain.input_shift[plain] != 0 ||
      (chain.input_shift[beside] != 1 && chain.input_shift[beside] != -1))
    return false;
  for (std::uint32_t i = 0; i < chain.input_count; i++)
    if (chain.input_each[i] != 1 || chain.input_period[i] != 0 || chain.input_views[i].axis_count != 0 ||
        (i != beside && chain.input_shift[i] != 0))
      return false;
  for (std::uint32_t s = 2; s < chain.step_count; s++) {
    const griddle_step& later = chain.steps[s];
    if (takes_many_registers(later.operation)) return false;
    if (later.operation <= griddle_not_equal && later.source == griddle_from_input && later.index == beside) return false;
  }
  return !takes_many_registers(step.operation);
}

// Calls f with what kernels for a chain are compiled for, the type of its values and its extent, and with the chain as they take
// it.
template <class F>
void with_kernel_kind(const griddle_chain& chain, F f) {
  griddle_chain once = chain;
  constexpr Functions common = Functions::common, heavy = Functions::heavy, all = Functions::all;
  if (take_once(once)) {
    if (chain.in_i32)
      f(std::int32_t{}, Extent<false, common, true>{}, once);
    else
      f(double{}, Extent<false, common, true>{}, once);
    return;
  }
  bool displaced = false, views = false, functions = false, mathematics = false;
  for (std::uint32_t i = 0; i < chain.input_count; i++) {
    displaced |= chain.input_each[i] != 1 || chain.input_period[i] != 0 || chain.input_shift[i] != 0;
    views |= chain.input_views[i].axis_count != 0;
  }
  for (std::uint32_t s = 0; s < chain.step_count; s++) {
    functions |= takes_many_registers(chain.steps[s].operation);
    mathematics |= is_mathematical(chain.steps[s].operation);
  }
  if (chain.in_i32 && views)
    f(std::int32_t{}, Extent<true, common, false, true>{}, chain);
  else if (chain.in_i32)
    displaced ? f(std::int32_t{}, Extent<true, common>{}, chain) : f(std::int32_t{}, Extent<false, common>{}, chain);
  else if (mathematics || (views && functions))
    f(double{}, Extent<true, all, false, true>{}, chain);  // once: these are long, and where elements lie matters little to them
  else if (views)
    f(double{}, Extent<true, common, false, true>{}, chain);
  else if (functions)
    displaced ? f(double{}, Extent<true, heavy>{}, chain) : f(double{}, Extent<false, heavy>{}, chain);
  else
    displaced ? f(double{}, Extent<true, common>{}, chain) : f(double{}, Extent<false, common>{}, chain);
}

}  // namespace

namespace {

// Only kernels that are made for a chain fold rows.
griddle_status map_rows(griddle_device& d, const griddle_chain& chain, void* out, std::uint64_t length) {
  if (chain.row_length > longest_row || chain.result_type == griddle_device_bit) return griddle_unsupported;
  cudaKernel_t made;
  const griddle_status s = made_kernel(d, chain, ChainEnd::stored, length, &made);
  if (s != griddle_done || made == nullptr) return s == griddle_done ? griddle_unsupported : s;
  const RowLayout layout = layout_of_rows(chain.row_length);
  const std::uint64_t rows = length / chain.row_length, at_once = static_cast<std::uint64_t>(layout.block / layout.lanes);
  Plan plan = plan_for(chain);
  void* arguments[] = {&plan, &out, &length};
  return launch(d, made, blocks_for(rows, static_cast<std::uint32_t>(at_once)), arguments, layout.block);
}

}  // namespace

griddle_status map(griddle_device* d, const griddle_chain* chain, void* out, uint64_t length) {
  if (chain->row_length != 0) return map_rows(*d, *chain, out, length);
  cudaKernel_t made;
  const griddle_status s = made_kernel(*d, *chain, ChainEnd::stored, length, &made);
  if (s != griddle_done) return s;
  if (made == nullptr && chain->output_count != 0) return griddle_unsupported;
  if (made != nullptr) {
    Plan plan = plan_for(*chain);
    void* arguments[] = {&plan, &out, &length};
    const std::uint32_t blocks = chain->in_i32 ? blocks_that_end<std::int32_t>(length) : blocks_that_end<double>(length);
    return launch(*d, made, blocks, arguments);
  }
  with_kernel_kind(*chain, [&]<class V, class E>(V, E, const griddle_chain& steps) {
    const std::uint32_t blocks = E::views ? resident_blocks<V>(*d, length) : blocks_that_end<V>(length);
    map_kernel<V, E><<<blocks, threads, 0, d->stream>>>(plan_for(steps), out, length);
  });
  return launched(*d);
}

griddle_status fold_chain_columns(griddle_device* d, const griddle_chain* chain, griddle_fold f, double* out, uint64_t rows) {
  const std::uint64_t row_length = chain->row_length, lanes = static_cast<std::uint64_t>(layout_of_columns(row_length));
  const std::uint64_t across = (row_length + lanes - 1) / lanes;
  if (f == griddle_fold_multiply || across > 0x7FFFFFFF) return griddle_unsupported;
  const ChainEnd end = f == griddle_fold_add       ? ChainEnd::column_sums
                       : f == griddle_fold_minimum ? ChainEnd::column_minima
                                                   : ChainEnd::column_maxima;
  cudaKernel_t made;
  griddle_status s = made_kernel(*d, *chain, end, rows * row_length, &made);
  if (s != griddle_done || made == nullptr) return s == griddle_done ? griddle_unsupported : s;
  // As many strips as keep all multiprocessors busy, of rows enough for each thread.
  constexpr std::uint64_t items = 8, most_strips = 4096;
  std::uint64_t strips = static_cast<std::uint64_t>(d->multiprocessors) * blocks_of_each / across;
  strips = std::max<std::uint64_t>(1, std::min({strips, rows * lanes / (threads * items), most_strips}));
  std::uint64_t strip = (rows + strips - 1) / strips;
  strips = (rows + strip - 1) / strip;
  Scratch partial(*d, strips > 1 ? strips * row_length * sizeof(double) : 0);
  if (partial.status() != griddle_done) return partial.status();
  double* to = strips > 1 ? partial.as<double>() : out;
  Plan plan = plan_for(*chain);
  void* arguments[] = {&plan, &rows, &strip, &to};
  const dim3 grid(static_cast<unsigned>(across), static_cast<unsigned>(strips));
  s = status_of(*d, cudaLaunchKernel(reinterpret_cast<const void*>(made), grid, dim3(threads), arguments, 0, d->stream));
  return s == griddle_done && strips > 1 ? fold_columns(d, f, griddle_device_f64, to, out, strips, row_length) : s;
}

griddle_status fold(griddle_device* d, const griddle_chain* chain, griddle_fold f, uint64_t length, double* result) {
  cudaKernel_t made;
  griddle_status s = made_kernel(*d, *chain, f == griddle_fold_add ? ChainEnd::added : ChainEnd::folded, length, &made);
  if (s != griddle_done) return s;
  if (made != nullptr) {
    Plan plan = plan_for(*chain);
    void* arguments[] = {&plan, &f, &length, &d->partials, &d->arrivals, &d->host_answer};
    s = launch(*d, made, blocks_to_follow(*d, *chain, length), arguments);
    return s == griddle_done ? take_answer(*d, result) : s;
  }
  with_kernel_kind(*chain, [&]<class V, class E>(V, E, const griddle_chain& steps) {
    const auto kernel = f == griddle_fold_add ? fold_kernel<V, E, true> : fold_kernel<V, E, false>;
    kernel<<<resident_blocks<V>(*d, length), threads, 0, d->stream>>>(plan_for(steps), f, length, d->partials, d->arrivals,
                                                                      d->host_answer);
  });
  s = launched(*d);
  return s == griddle_done ? take_answer(*d, result) : s;
}

griddle_status count_bits(griddle_device* d, const void* mask, uint64_t length, uint64_t* count) {
  const std::uint32_t blocks = blocks_for(length, threads * 128 * 4, static_cast<std::uint32_t>(d->multiprocessors) * 8);
  count_kernel<<<blocks, threads, 0, d->stream>>>(static_cast<const uint4*>(mask), length, d->partials, d->arrivals,
                                                  d->host_answer);
  griddle_status s = launched(*d);
  double answer = 0;
  if (s == griddle_done) s = take_answer(*d, &answer);
  *count = static_cast<uint64_t>(answer);
  return s;
}

}  // namespace griddle::cuda
