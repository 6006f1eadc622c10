// Compaction: selection by mask, runs of equal neighbours, sums over runs.
#include "gpu/cuda/compact.cuh"

#include "gpu/cuda/compact_narrow.cuh"
#include "gpu/cuda/launch.cuh"
#include "gpu/cuda/runs.cuh"

namespace griddle::cuda {

namespace {

template <class T, bool both, Tuning t>
using SelectJob = std::conditional_t<sizeof(T) <= 2 && !both, SelectNarrow<T, t.warps, t.rows>, Select<T, both, t.warps, t.rows>>;
template <class T, bool both>
griddle_status select_with(griddle_device& d, const void* in, const void* mask, void* out, void* rest, uint64_t length) {
  constexpr Tuning t = both ? partition_tuning(sizeof(T)) : select_tuning(sizeof(T));
  constexpr Tuning small = small_tuning;
  const auto fill = [&](auto& job) {
    job.in = static_cast<const T*>(in);
    job.mask = static_cast<const u32*>(mask);
    job.out = static_cast<T*>(out);
    if constexpr (both) job.rest = static_cast<T*>(rest);
    job.kept = nullptr;
    job.length = static_cast<i64>(length);
    job.tiles = tiles_for(length, job.tile_length);
    return job.tiles;
  };
  using Small = SelectJob<T, both, small>;
  if (in == out) {
    Small job{};
    const u32 tiles = fill(job);
    return run_tile_a_block(d, job, tiles);
  }
  return run<SelectJob<T, both, t>, Small, t>(d, static_cast<long long>(length * sizeof(T) * 2), fill);
}

template <class Key>
griddle_status runs_of(griddle_device& d, const void* in, void* firsts, int32_t* starts, uint64_t length, u64* count) {
  constexpr Tuning t = runs_tuning(sizeof(Key));
  constexpr Tuning small = small_tuning;
  const auto fill = [&](auto& job) {
    job.keys = static_cast<const Key*>(in);
    job.keys_out = static_cast<Key*>(firsts);
    job.starts = reinterpret_cast<u32*>(starts);
    job.runs = count;
    job.length = static_cast<i64>(length);
    job.tiles = tiles_for(length, job.tile_length);
    return job.tiles;
  };
  return run<Runs<Key, t.warps, t.rows>, Runs<Key, small.warps, small.rows>, t>(
      d, static_cast<long long>(length * sizeof(Key) * 2), fill);
}

template <class Key>
griddle_status fold_runs_of(griddle_device& d, const void* keys, const double* values, void* firsts, double* sums,
                            uint64_t length, u64* count) {
  constexpr Tuning t = fold_runs_tuning(8), small = small_fold_runs_tuning;
  const auto fill = [&](auto& job) {
    job.keys = static_cast<const Key*>(keys);
    job.values = values;
    job.keys_out = static_cast<Key*>(firsts);
    job.sums = sums;
    job.runs = count;
    job.length = static_cast<i64>(length);
    job.tiles = tiles_for(length, job.tile_length);
    return job.tiles;
  };
  return run<FoldRuns<Key, double, t.warps, t.rows>, FoldRuns<Key, double, small.warps, small.rows>, t>(
      d, static_cast<long long>(length * (sizeof(Key) + 8) * 2), fill);
}

template <bool both>
griddle_status places_of_marks(griddle_device& d, const void* mask, void* out, void* rest, uint64_t length) {
  constexpr Tuning t = places_tuning(both), small = small_tuning;
  using Large = PlacesOfMarks<both, t.warps, t.rows>;
  return run<Large, PlacesOfMarks<both, small.warps, 1>, t>(d, static_cast<long long>(length), [&](auto& job) {
    job.mask = static_cast<const u32*>(mask);
    job.out = static_cast<u32*>(out);
    job.rest = static_cast<u32*>(rest);
    job.length = static_cast<i64>(length);
    job.tiles = tiles_for(length, job.tile_length);
    return job.tiles;
  });
}

griddle_status take_count(griddle_device& d, griddle_status s, uint64_t* count) {
  double bits = 0;
  if (s == griddle_done) s = take_answer(d, &bits);
  std::memcpy(count, &bits, sizeof bits);
  return s;
}

}  // namespace

griddle_status select_if(griddle_device* d, uint32_t width, const void* in, const void* mask, void* out, void* rest,
                         uint64_t length) {
  if (in == nullptr)
    return rest ? places_of_marks<true>(*d, mask, out, rest, length) : places_of_marks<false>(*d, mask, out, rest, length);
  return with_width(width, [&](auto unit) {
    using T = decltype(unit);
    return rest ? select_with<T, true>(*d, in, mask, out, rest, length) : select_with<T, false>(*d, in, mask, out, rest, length);
  });
}

griddle_status select_bits(griddle_device* d, const void* in, const void* mask, void* out, uint64_t count, uint64_t length) {
  const griddle_status s = status_of(*d, cudaMemsetAsync(out, 0, (count + 31) / 32 * 4, d->stream));
  if (s != griddle_done) return s;
  constexpr Tuning t = select_bits_tuning, small = small_tuning;
  return run<SelectBits<t.warps, t.rows>, SelectBits<small.warps, 1>, t>(*d, static_cast<long long>(length / 4), [&](auto& job) {
    job.in = static_cast<const u32*>(in);
    job.mask = static_cast<const u32*>(mask);
    job.out = static_cast<u32*>(out);
    job.length = static_cast<i64>(length);
    job.tiles = tiles_for(length, job.tile_length);
    return job.tiles;
  });
}

griddle_status runs(griddle_device* d, uint32_t width, const void* in, void* firsts, int32_t* starts, uint64_t length,
                    uint64_t* count) {
  u64* answer = reinterpret_cast<u64*>(d->host_answer);
  return take_count(
      *d, with_width(width, [&](auto unit) { return runs_of<decltype(unit)>(*d, in, firsts, starts, length, answer); }), count);
}

griddle_status fold_runs(griddle_device* d, uint32_t width, const void* keys, const double* values, void* firsts, double* sums,
                         uint64_t length, uint64_t* count) {
  u64* answer = reinterpret_cast<u64*>(d->host_answer);
  if (width != 4 && width != 8) return griddle_unsupported;
  const griddle_status s = width == 4 ? fold_runs_of<std::uint32_t>(*d, keys, values, firsts, sums, length, answer)
                                      : fold_runs_of<std::uint64_t>(*d, keys, values, firsts, sums, length, answer);
  return take_count(*d, s, count);
}

}  // namespace griddle::cuda
