// Transfers between the memory of programs and the device. They go through pinned buffers, and large ones in several lanes at
// once, each with a thread: one core fills a buffer at a fifth of the speed of the bus. The device's stream takes the pieces of
// all: several streams that take turns lose a quarter of the bus, as do pieces of half the size.
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <thread>

#include "gpu/cuda/device.h"

namespace griddle::cuda {

namespace {

// Smaller transfers are done before threads have started.
constexpr std::size_t lanes_from_bytes = std::size_t{8} << 20;
constexpr std::size_t page_bytes = 4096, least_piece_bytes = std::size_t{256} << 10;

// How large transfers are divided. There, few lanes with long pieces leave the bus the fewest gaps; back, more threads are wanted
// to find pages for what arrives.
struct Way {
  int most_lanes;
  std::size_t most_piece_bytes;

  constexpr std::size_t buffer_bytes() const { return 2 * static_cast<std::size_t>(most_lanes) * most_piece_bytes; }
};
constexpr Way there = {8, std::size_t{4} << 20}, back = {most_lanes, std::size_t{2} << 20};

// Deals the pieces of a transfer out to lanes, each to the one that is ready first. Those of the first rounds are short, each
// round's twice as long as those of the one before: so the bus waits for one core to copy a short one. What comes back ends with
// them, since the last ones are still to be copied when the bus is done.
struct Pieces {
  struct Extent {
    std::size_t start, length;
  };

  Pieces(griddle_device& d, const Way& way, void* on_device, std::size_t bytes, std::size_t lanes)
      : d(d), way(way), on_device(static_cast<char*>(on_device)), bytes(bytes), lanes(lanes) {
    const std::size_t even = bytes / (2 * lanes) / page_bytes * page_bytes;
    longest = std::clamp(even, least_piece_bytes, way.most_piece_bytes);
    while (lanes > 1 && least_piece_bytes << (rounds + 1) <= longest && started(rounds + 1) <= bytes) rounds++;
    const std::size_t rest = bytes - std::min(bytes, started(rounds));
    count = rounds * lanes + (rest + longest - 1) / longest;
  }

  // Tells how much the first rounds take.
  std::size_t started(std::size_t round) const { return lanes * least_piece_bytes * ((std::size_t{1} << round) - 1); }
  Extent operator[](std::size_t piece) const {
    const std::size_t round = std::min(piece / lanes, rounds), length = round < rounds ? least_piece_bytes << round : longest;
    const std::size_t start = started(round) + (piece - round * lanes) * length;
    return {start, std::min(length, bytes - start)};
  }

  // Gives one of a lane's two buffers. What is on its way through one of another way is done with it, since copies go in turn.
  char* half(int lane, int turn) const { return d.pinned + static_cast<std::size_t>(2 * lane + turn) * way.most_piece_bytes; }

  // While one half is on its way, the other is filled.
  cudaError_t upload(int lane, const char* from) {
    const cudaEvent_t* half_free = d.lanes[lane].half_free;
    for (int turn = 0;; turn ^= 1) {
      const std::size_t p = next++;
      if (p >= count) return cudaSuccess;
      const Extent piece = (*this)[p];
      cudaError_t e = cudaEventSynchronize(half_free[turn]);
      if (e != cudaSuccess) return e;
      std::memcpy(half(lane, turn), from + piece.start, piece.length);
      e = cudaMemcpyAsync(on_device + piece.start, half(lane, turn), piece.length, cudaMemcpyHostToDevice, d.stream);
      if (e == cudaSuccess) e = cudaEventRecord(half_free[turn], d.stream);
      if (e != cudaSuccess) return e;
    }
  }
  // While one half is on its way, the other is emptied.
  cudaError_t download(int lane, char* to) {
    const cudaEvent_t* half_free = d.lanes[lane].half_free;
    Extent before = {0, 0};
    for (int turn = 0;; turn ^= 1) {
      const std::size_t p = next++;
      cudaError_t e = cudaSuccess;
      Extent piece = {0, 0};
      if (p < count) {
        piece = (*this)[count - 1 - p];
        e = cudaMemcpyAsync(half(lane, turn), on_device + piece.start, piece.length, cudaMemcpyDeviceToHost, d.stream);
        if (e == cudaSuccess) e = cudaEventRecord(half_free[turn], d.stream);
      }
      if (e == cudaSuccess && before.length != 0) {
        e = cudaEventSynchronize(half_free[turn ^ 1]);
        if (e == cudaSuccess) std::memcpy(to + before.start, half(lane, turn ^ 1), before.length);
      }
      if (e != cudaSuccess || piece.length == 0) return e;
      before = piece;
    }
  }

  griddle_device& d;
  const Way& way;
  char* on_device;
  std::size_t bytes, lanes, longest, count;
  std::size_t rounds = 0;  // of short pieces
  std::atomic<std::size_t> next{0};
};

// Runs `run` on several lanes at once, or on one where little moves.
template <class F>
griddle_status in_lanes(griddle_device& d, const Way& way, void* on_device, std::size_t bytes, F run) {
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  const int lanes = bytes < lanes_from_bytes ? 1 : std::clamp(cores * 3 / 4, 1, way.most_lanes);
  Pieces pieces(d, way, on_device, bytes, static_cast<std::size_t>(lanes));
  if (lanes == 1) return status_of(d, run(pieces, 0));
  cudaError_t errors[most_lanes] = {};
  const auto follow = [&](int lane) { errors[lane] = run(pieces, lane); };
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

// Few bytes go along with a kernel, as its argument, and are written back to the host's memory by one.
template <std::size_t most>
struct FewBytes {
  uint4 of[most / sizeof(uint4)];
};
template <std::size_t most>
__global__ void bring(const __grid_constant__ FewBytes<most> bytes, char* to, unsigned count) {
  for (unsigned i = threadIdx.x; i < count; i += blockDim.x) to[i] = reinterpret_cast<const char*>(&bytes)[i];
}
__global__ void take_back(const char* from, unsigned count, char* to, double* answer) {
  if (threadIdx.x < count) to[threadIdx.x] = from[threadIdx.x];
  __threadfence_system();
  __syncthreads();
  if (threadIdx.x == 0) *answer = 0;
}
unsigned threads_for(std::size_t bytes) {
  return static_cast<unsigned>(std::min<std::size_t>((bytes + 31) / 32 * 32, few_bytes));
}
template <std::size_t most>
griddle_status bring_few(griddle_device& d, void* to, const void* from, std::size_t bytes) {
  FewBytes<most> few;
  std::memcpy(&few, from, bytes);
  bring<<<1, threads_for(bytes), 0, d.stream>>>(few, static_cast<char*>(to), static_cast<unsigned>(bytes));
  return launched(d);
}
// As many as the arguments of a kernel may be, beside two more.
constexpr std::size_t most_brought = 4064;

}  // namespace

// Large pages are pinned in half the time that others take.
cudaError_t open_lanes(griddle_device& d) {
  constexpr std::size_t page = std::size_t{2} << 20, bytes = std::max(there.buffer_bytes(), back.buffer_bytes());
  static_assert(bytes % page == 0);
  char* const memory = static_cast<char*>(std::aligned_alloc(page, bytes));
  if (memory == nullptr) return cudaErrorMemoryAllocation;
  madvise(memory, bytes, MADV_HUGEPAGE);  // no more than a wish
  cudaError_t e = cudaHostRegister(memory, bytes, cudaHostRegisterDefault);
  if (e == cudaSuccess)
    d.pinned = memory;
  else
    std::free(memory);
  for (Lane& lane : d.lanes)
    for (cudaEvent_t& event : lane.half_free)
      if (e == cudaSuccess) e = cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  return e;
}

void close_lanes(griddle_device& d) {
  for (Lane& lane : d.lanes)
    for (cudaEvent_t event : lane.half_free)
      if (event) cudaEventDestroy(event);
  if (d.pinned) cudaHostUnregister(d.pinned);
  std::free(d.pinned);
}

griddle_status upload(griddle_device* d, void* to, const void* from, size_t bytes) {
  if (bytes == 0) return griddle_done;
  if (bytes <= few_bytes) return bring_few<few_bytes>(*d, to, from, bytes);
  if (bytes <= most_brought) return bring_few<most_brought>(*d, to, from, bytes);
  return in_lanes(*d, there, to, bytes,
                  [&](Pieces& pieces, int lane) { return pieces.upload(lane, static_cast<const char*>(from)); });
}

griddle_status download(griddle_device* d, void* to, const void* from, size_t bytes) {
  if (bytes == 0) return status_of(*d, cudaStreamSynchronize(d->stream));
  if (bytes <= few_bytes) {
    char* const here = reinterpret_cast<char*>(d->host_answer + 8);
    take_back<<<1, threads_for(bytes), 0, d->stream>>>(static_cast<const char*>(from), static_cast<unsigned>(bytes), here,
                                                       d->host_answer);
    griddle_status s = launched(*d);
    double answer;
    if (s == griddle_done) s = take_answer(*d, &answer);
    if (s == griddle_done) std::memcpy(to, here, bytes);
    return s;
  }
  void* on_device = const_cast<void*>(from);  // only read
  return in_lanes(*d, back, on_device, bytes,
                  [&](Pieces& pieces, int lane) { return pieces.download(lane, static_cast<char*>(to)); });
}

}  // namespace griddle::cuda
