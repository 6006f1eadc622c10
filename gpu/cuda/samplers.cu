// Draws by products of weights: checks the tables, copies them where they are to be in 24 bits, and starts a method.
#include "gpu/cuda/samplers.cuh"

#include "gpu/cuda/device.h"
#include "gpu/cuda/policy.h"

namespace griddle::cuda {

namespace {

using namespace samplers;

constexpr u32 most_blocks(Method m) {
  switch (m) {
    case Method::prefix_linear:
    case Method::prefix_binary: return prefix_blocks;
    case Method::transposed: return transposed_blocks;
    case Method::butterfly: return butterfly_blocks;
    case Method::warp: return warp_blocks;
    default: return pieces_blocks;
  }
}

template <class T>
griddle_status draw_by(griddle_device& d, const griddle_product_draws& p, std::int32_t* out, u32* fault) {
  const u32 length = static_cast<u32>(p.length), in_part = Part<float>::count;
  const bool copies = std::is_same_v<T, float>;
  const u32 pitch = copies ? (length + in_part - 1) / in_part * in_part : length;
  const Scratch copy(d, copies ? (p.rows[0] + p.rows[1]) * pitch * sizeof(T) : 0);
  if (copy.status() != griddle_done) return copy.status();
  T* const to[] = {copies ? copy.as<T>() : nullptr, copies ? copy.as<T>() + p.rows[0] * pitch : nullptr};
  constexpr u32 threads = 256;
  const auto blocks_over = [&](u64 n) { return blocks_for(n, threads * 8, d.multiprocessors * 8u); };
  for (int k = 0; k < 2; k++) {
    stage<<<blocks_over(p.rows[k] * pitch), threads, 0, d.stream>>>(p.tables[k], to[k], p.rows[k], length, pitch, fault);
    check_rows<<<blocks_over(p.count), threads, 0, d.stream>>>(p.at[k], p.count, p.rows[k], fault);
  }
  const auto table = [&](int k) { return copies ? to[k] : reinterpret_cast<const T*>(p.tables[k]); };
  // Rows of numbers in 24 bits are whole parts: what follows them has no weight.
  const Draws<T> draws{
      table(0), table(1), copies ? pitch : length, pitch, p.at[0], p.at[1], p.count, nullptr, 0, p.key, p.position, out, fault};
  const Method method = static_cast<Method>(p.method);
  const u32 blocks = blocks_of(method, draws, most_blocks(method) * static_cast<u32>(d.multiprocessors));
  const Scratch sums(d, table_length(method, draws, blocks) * sizeof(T));
  if (sums.status() != griddle_done) return sums.status();
  start(method, draws, sums.as<T>(), blocks, draw_lanes(draws.length, sizeof(T)), d.stream);
  return launched(d);
}

}  // namespace

griddle_status draw_products(griddle_device* d, const griddle_product_draws* p, int32_t* out, int* fault) {
  u32* const flag = reinterpret_cast<u32*>(d->answer);
  griddle_status s = status_of(*d, cudaMemsetAsync(d->answer, 0, sizeof(double), d->stream));
  if (s == griddle_done) s = p->single ? draw_by<float>(*d, *p, out, flag) : draw_by<double>(*d, *p, out, flag);
  if (s != griddle_done) return s;
  return take_flag(*d, fault);
}

}  // namespace griddle::cuda
