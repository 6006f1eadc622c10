// Transfers between the memory of programs and the device. They go through pinned buffers, and large ones in several lanes at
// once, each with a thread: one core fills a buffer at a fifth of the speed of the bus.
#include <algorithm>
#include <system_error>
#include <thread>

#include "gpu/cuda/device.h"

namespace griddle::cuda {

namespace {

// Smaller transfers are done before threads have started.
constexpr std::size_t lanes_from_bytes = std::size_t{8} << 20;

// What one lane of a transfer does: every `lanes`-th piece, from the one of its own number on.
struct Share {
  griddle_device& d;
  cudaStream_t stream;
  int lane, lanes;
  char* on_device;
  std::size_t bytes;

  std::size_t pieces() const { return (bytes + piece_bytes - 1) / piece_bytes; }
  std::size_t length_of(std::size_t piece) const { return std::min(piece_bytes, bytes - piece * piece_bytes); }
  char* half(int turn) const { return d.lanes[lane].pinned + turn * piece_bytes; }
  cudaEvent_t half_free(int turn) const { return d.lanes[lane].half_free[turn]; }

  // While one half is on its way, the other is filled.
  cudaError_t upload(const char* from) const {
    int turn = 0;
    for (std::size_t p = lane; p < pieces(); p += lanes, turn ^= 1) {
      cudaError_t e = cudaEventSynchronize(half_free(turn));
      if (e != cudaSuccess) return e;
      std::memcpy(half(turn), from + p * piece_bytes, length_of(p));
      e = cudaMemcpyAsync(on_device + p * piece_bytes, half(turn), length_of(p), cudaMemcpyHostToDevice, stream);
      if (e == cudaSuccess) e = cudaEventRecord(half_free(turn), stream);
      if (e != cudaSuccess) return e;
    }
    return cudaSuccess;
  }
  // While one half is on its way, the other is emptied.
  cudaError_t download(char* to) const {
    int turn = 0;
    const auto empty = [&](std::size_t p, int filled) {
      const cudaError_t e = cudaEventSynchronize(half_free(filled));
      if (e == cudaSuccess) std::memcpy(to + p * piece_bytes, half(filled), length_of(p));
      return e;
    };
    std::size_t before = ~std::size_t{0};
    for (std::size_t p = lane; p < pieces(); p += lanes, turn ^= 1) {
      cudaError_t e = cudaMemcpyAsync(half(turn), on_device + p * piece_bytes, length_of(p), cudaMemcpyDeviceToHost, stream);
      if (e == cudaSuccess) e = cudaEventRecord(half_free(turn), stream);
      if (e == cudaSuccess && before != ~std::size_t{0}) e = empty(before, turn ^ 1);
      if (e != cudaSuccess) return e;
      before = p;
    }
    return before != ~std::size_t{0} ? empty(before, turn ^ 1) : cudaSuccess;
  }
};

// Runs all lanes of a transfer after the work enqueued so far, and before what is enqueued later.
template <class F>
griddle_status in_lanes(griddle_device& d, void* on_device, std::size_t bytes, F run) {
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  const int lanes = bytes < lanes_from_bytes ? 1 : std::clamp(cores / 2, 1, most_lanes);
  const auto share = [&](int lane) {
    return Share{d, lanes == 1 ? d.stream : d.lanes[lane].stream, lane, lanes, static_cast<char*>(on_device), bytes};
  };
  if (lanes == 1) return status_of(d, run(share(0)));
  cudaError_t errors[most_lanes] = {};
  const auto follow = [&](int lane) {
    const Share mine = share(lane);
    cudaError_t& e = errors[lane];
    e = cudaStreamWaitEvent(mine.stream, d.before_lanes, 0);
    if (e == cudaSuccess) e = run(mine);
    if (e == cudaSuccess) e = cudaEventRecord(d.lanes[lane].done, mine.stream);
  };
  griddle_status s = status_of(d, cudaEventRecord(d.before_lanes, d.stream));
  if (s != griddle_done) return s;
  std::thread threads[most_lanes];
  for (int lane = 1; lane < lanes; lane++) {
    try {
      threads[lane] = std::thread(follow, lane);
    } catch (const std::system_error&) {
      follow(lane);
    }
  }
  follow(0);
  for (std::thread& t : threads)
    if (t.joinable()) t.join();
  for (int lane = 0; lane < lanes && s == griddle_done; lane++) {
    s = status_of(d, errors[lane]);
    if (s == griddle_done) s = status_of(d, cudaStreamWaitEvent(d.stream, d.lanes[lane].done, 0));
  }
  return s;
}

}  // namespace

cudaError_t open_lanes(griddle_device& d) {
  cudaError_t e = cudaMallocHost(reinterpret_cast<void**>(&d.pinned), most_lanes * 2 * piece_bytes);
  const auto make_event = [&](cudaEvent_t& event) {
    if (e == cudaSuccess) e = cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  };
  make_event(d.before_lanes);
  for (int i = 0; i < most_lanes; i++) {
    Lane& lane = d.lanes[i];
    lane.pinned = d.pinned + static_cast<std::size_t>(i) * 2 * piece_bytes;
    if (e == cudaSuccess) e = cudaStreamCreateWithFlags(&lane.stream, cudaStreamNonBlocking);
    for (cudaEvent_t* event : {&lane.half_free[0], &lane.half_free[1], &lane.done}) make_event(*event);
  }
  return e;
}

void close_lanes(griddle_device& d) {
  for (Lane& lane : d.lanes) {
    for (cudaEvent_t event : {lane.half_free[0], lane.half_free[1], lane.done})
      if (event) cudaEventDestroy(event);
    if (lane.stream) cudaStreamDestroy(lane.stream);
  }
  if (d.before_lanes) cudaEventDestroy(d.before_lanes);
  cudaFreeHost(d.pinned);
}

griddle_status upload(griddle_device* d, void* to, const void* from, size_t bytes) {
  return in_lanes(*d, to, bytes, [&](const Share& share) { return share.upload(static_cast<const char*>(from)); });
}

griddle_status download(griddle_device* d, void* to, const void* from, size_t bytes) {
  if (bytes == 0) return status_of(*d, cudaStreamSynchronize(d->stream));
  void* on_device = const_cast<void*>(from);  // only read
  return in_lanes(*d, on_device, bytes, [&](const Share& share) { return share.download(static_cast<char*>(to)); });
}

}  // namespace griddle::cuda
