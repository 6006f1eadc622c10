// Chains of elementwise functions as one kernel, and folds that end in the same loop.
#include <algorithm>
#include <utility>

#include "gpu/cuda/chains/kernels.cuh"
#include "gpu/cuda/chains/made.h"

namespace griddle::cuda {

namespace {

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

// Calls f with a V that holds the values of a chain.
template <class F>
auto with_values(const griddle_chain& chain, F f) {
  if (are_packed(chain)) return with_packed(chain, f);
  return chain.values == griddle_values_i32 ? f(std::int32_t{}) : f(double{});
}
std::uint32_t blocks_to_follow(const griddle_device& d, const griddle_chain& chain, std::uint64_t places) {
  return with_values(chain, [&]<class V>(V) { return resident_blocks<V>(d, places); });
}
griddle_status launch(griddle_device& d, cudaKernel_t kernel, std::uint32_t blocks, void** arguments,
                      int threads_of_block = threads) {
  return status_of(d, cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(blocks),
                                       dim3(static_cast<unsigned>(threads_of_block)), arguments, 0, d.stream));
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
griddle_status with_kernel_kind(const griddle_chain& chain, F f) {
  griddle_chain once = chain;
  constexpr Functions common = Functions::common, heavy = Functions::heavy, all = Functions::all;
  const bool in_i32 = chain.values == griddle_values_i32;
  if (take_once(once))
    return in_i32 ? f(std::int32_t{}, Extent<false, common, true>{}, once) : f(double{}, Extent<false, common, true>{}, once);
  bool displaced = false, views = false, functions = false, mathematics = false;
  for (std::uint32_t i = 0; i < chain.input_count; i++) {
    displaced |= chain.input_each[i] != 1 || chain.input_period[i] != 0 || chain.input_shift[i] != 0;
    views |= chain.input_views[i].axis_count != 0;
  }
  for (std::uint32_t s = 0; s < chain.step_count; s++) {
    functions |= takes_many_registers(chain.steps[s].operation);
    mathematics |= is_mathematical(chain.steps[s].operation);
  }
  if (in_i32 && views) return f(std::int32_t{}, Extent<true, common, false, true>{}, chain);
  if (in_i32)
    return displaced ? f(std::int32_t{}, Extent<true, common>{}, chain) : f(std::int32_t{}, Extent<false, common>{}, chain);
  if (mathematics || (views && functions))
    return f(double{}, Extent<true, all, false, true>{}, chain);  // once: these are long, and where elements lie matters little
  if (views) return f(double{}, Extent<true, common, false, true>{}, chain);
  if (functions) return displaced ? f(double{}, Extent<true, heavy>{}, chain) : f(double{}, Extent<false, heavy>{}, chain);
  return displaced ? f(double{}, Extent<true, common>{}, chain) : f(double{}, Extent<false, common>{}, chain);
}

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
    const std::uint32_t blocks = with_values(*chain, [&]<class V>(V) { return blocks_that_end<V>(length); });
    return launch(*d, made, blocks, arguments);
  }
  if (are_packed(*chain)) return map_packed(*d, *chain, out, length);
  return with_kernel_kind(
      *chain, [&]<class V, class E>(V, E, const griddle_chain& steps) { return map_by<V, E>(*d, steps, out, length); });
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
  s = are_packed(*chain) ? fold_packed(*d, *chain, f, length)
                         : with_kernel_kind(*chain, [&]<class V, class E>(V, E, const griddle_chain& steps) {
                             return fold_by<V, E>(*d, steps, f, length);
                           });
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
