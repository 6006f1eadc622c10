// Transfers between the memory of programs and the device. They go through pinned buffers, and large ones in several lanes at
// once, each with a thread: one core fills a buffer at a fifth of the speed of the bus. The device's stream takes the pieces of
// all: several streams that take turns lose a quarter of the bus, as do pieces of half the size.
#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>

#include "gpu/cuda/device.h"

namespace griddle::cuda {

namespace {

// Smaller transfers are done before threads have started.
constexpr std::size_t lanes_from_bytes = std::size_t{8} << 20;
constexpr std::size_t page_bytes = 4096, least_piece_bytes = std::size_t{256} << 10;

// Deals the pieces of a transfer out to lanes, each to the one that is ready first.
struct Pieces {
  griddle_device& d;
  char* on_device;
  std::size_t bytes, piece_bytes;
  std::atomic<std::size_t> next{0};

  std::size_t count() const { return (bytes + piece_bytes - 1) / piece_bytes; }
  std::size_t length_of(std::size_t piece) const { return std::min(piece_bytes, bytes - piece * piece_bytes); }

  // While one half is on its way, the other is filled.
  cudaError_t upload(const Lane& lane, const char* from) {
    for (int turn = 0;; turn ^= 1) {
      const std::size_t p = next++;
      if (p >= count()) return cudaSuccess;
      cudaError_t e = cudaEventSynchronize(lane.half_free[turn]);
      if (e != cudaSuccess) return e;
      std::memcpy(lane.half(turn), from + p * piece_bytes, length_of(p));
      e = cudaMemcpyAsync(on_device + p * piece_bytes, lane.half(turn), length_of(p), cudaMemcpyHostToDevice, d.stream);
      if (e == cudaSuccess) e = cudaEventRecord(lane.half_free[turn], d.stream);
      if (e != cudaSuccess) return e;
    }
  }
  // While one half is on its way, the other is emptied.
  cudaError_t download(const Lane& lane, char* to) {
    constexpr std::size_t none = ~std::size_t{0};
    std::size_t before = none;
    for (int turn = 0;; turn ^= 1) {
      const std::size_t p = next++;
      cudaError_t e = cudaSuccess;
      if (p < count()) {
        e = cudaMemcpyAsync(lane.half(turn), on_device + p * piece_bytes, length_of(p), cudaMemcpyDeviceToHost, d.stream);
        if (e == cudaSuccess) e = cudaEventRecord(lane.half_free[turn], d.stream);
      }
      if (e == cudaSuccess && before != none) {
        e = cudaEventSynchronize(lane.half_free[turn ^ 1]);
        if (e == cudaSuccess) std::memcpy(to + before * piece_bytes, lane.half(turn ^ 1), length_of(before));
      }
      if (e != cudaSuccess || p >= count()) return e;
      before = p;
    }
  }
};

// Runs `run` on several lanes at once, or on one where little moves.
template <class F>
griddle_status in_lanes(griddle_device& d, void* on_device, std::size_t bytes, F run) {
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  const int lanes = bytes < lanes_from_bytes ? 1 : std::clamp(cores * 3 / 4, 1, most_lanes);
  const std::size_t even = bytes / (2 * static_cast<std::size_t>(lanes)) / page_bytes * page_bytes;
  Pieces pieces{d, static_cast<char*>(on_device), bytes, std::clamp(even, least_piece_bytes, most_piece_bytes)};
  if (lanes == 1) return status_of(d, run(pieces, d.lanes[0]));
  cudaError_t errors[most_lanes] = {};
  const auto follow = [&](int lane) { errors[lane] = run(pieces, d.lanes[lane]); };
  std::thread threads[most_lanes];
  for (int lane = 1; lane < lanes; lane++) {
    try {
      threads[lane] = std::thread(follow, lane);
    } catch (const std::system_error&) {
      break;  // the others do it
    }
  }
  follow(0);
  for (std::thread& t : threads)
    if (t.joinable()) t.join();
  const auto failed = std::find_if(errors, errors + most_lanes, [](cudaError_t e) { return e != cudaSuccess; });
  return status_of(d, failed == errors + most_lanes ? cudaSuccess : *failed);
}

}  // namespace

cudaError_t open_lanes(griddle_device& d) {
  cudaError_t e = cudaMallocHost(reinterpret_cast<void**>(&d.pinned), most_lanes * 2 * most_piece_bytes);
  for (int i = 0; i < most_lanes; i++) {
    Lane& lane = d.lanes[i];
    lane.pinned = d.pinned + static_cast<std::size_t>(i) * 2 * most_piece_bytes;
    for (cudaEvent_t& event : lane.half_free)
      if (e == cudaSuccess) e = cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  }
  return e;
}

void close_lanes(griddle_device& d) {
  for (Lane& lane : d.lanes)
    for (cudaEvent_t event : lane.half_free)
      if (event) cudaEventDestroy(event);
  cudaFreeHost(d.pinned);
}

griddle_status upload(griddle_device* d, void* to, const void* from, size_t bytes) {
  return in_lanes(*d, to, bytes,
                  [&](Pieces& pieces, const Lane& lane) { return pieces.upload(lane, static_cast<const char*>(from)); });
}

griddle_status download(griddle_device* d, void* to, const void* from, size_t bytes) {
  if (bytes == 0) return status_of(*d, cudaStreamSynchronize(d->stream));
  void* on_device = const_cast<void*>(from);  // only read
  return in_lanes(*d, on_device, bytes,
                  [&](Pieces& pieces, const Lane& lane) { return pieces.download(lane, static_cast<char*>(to)); });
}

}  // namespace griddle::cuda
