// Deal: all integers below a limit in random order, the one that spec/system/random.md says. Exchanging an element with a later
// one, for each element in turn, need not go one by one: exchanges that touch no place in common may go at once. So a block takes
// the next exchanges of its part of the list, each puts its number down at both its places unless a lower one is there, and those
// that find their own number at both places are made. The others try again.
#include <algorithm>
#include <iterator>
#include <vector>

#include "gpu/cuda/device.h"
#include "gpu/cuda/random_derivation.h"

namespace griddle::cuda {

namespace {

constexpr unsigned threads = 512;
constexpr std::uint32_t largest_part = 1u << 17, part_count = 256;

struct Part {
  std::uint32_t start, length, use;
};

__global__ void __launch_bounds__(threads) count_up_kernel(std::int32_t* to, std::uint64_t length) {
  for (std::uint64_t i = blockIdx.x * std::uint64_t{threads} + threadIdx.x; i < length; i += gridDim.x * std::uint64_t{threads})
    to[i] = static_cast<std::int32_t>(i);
}

// Writes the random bytes of all places.
__global__ void __launch_bounds__(threads)
    bytes_kernel(std::uint64_t key, std::uint64_t position, random_derivation::Block* out, std::uint64_t blocks) {
  for (std::uint64_t i = blockIdx.x * std::uint64_t{threads} + threadIdx.x; i < blocks; i += gridDim.x * std::uint64_t{threads})
    out[i] = random_derivation::block_at(key, position + i, 0);
}
// Writes for each place its part, and within a part that is dealt out again the byte that says where to.
__global__ void __launch_bounds__(threads)
    second_keys_kernel(std::uint64_t key, std::uint64_t position, const Part* parts, std::uint64_t length, std::uint16_t* out) {
  for (std::uint64_t i = blockIdx.x * std::uint64_t{threads} + threadIdx.x; i < length; i += gridDim.x * std::uint64_t{threads}) {
    std::uint32_t low = 0, high = part_count;  // the last part that starts here or before
    while (high - low > 1) {
      const std::uint32_t middle = (low + high) / 2;
      (parts[middle].start <= i ? low : high) = middle;
    }
    std::uint32_t within = 0;
    if (parts[low].length > largest_part)
      within = random_derivation::byte_of(random_derivation::block_at(key, position + i / 16, 0, 1), static_cast<int>(i % 16));
    out[i] = static_cast<std::uint16_t>(low * part_count + within);
  }
}
__global__ void __launch_bounds__(threads)
    follow_kernel(const std::int32_t* in, const std::int32_t* order, std::int32_t* out, std::uint64_t length) {
  for (std::uint64_t i = blockIdx.x * std::uint64_t{threads} + threadIdx.x; i < length; i += gridDim.x * std::uint64_t{threads})
    out[i] = in[order[i]];
}

// `taken` is all ones at first. A number is lower in later rounds, so that nobody need take it away.
__global__ void __launch_bounds__(threads) shuffle_kernel(std::uint64_t key, std::uint64_t position, const Part* parts,
                                                          std::uint32_t count, std::int32_t* list, std::uint32_t* taken) {
  constexpr std::uint32_t most_rounds = ~std::uint32_t{0} / threads;
  for (std::uint32_t p = blockIdx.x; p < count; p += gridDim.x) {
    const Part part = parts[p];
    std::uint32_t round = most_rounds;
    for (std::uint32_t first = 0; first < part.length; first += threads) {
      const std::uint32_t i = first + threadIdx.x, here = part.start + i;
      bool left = i + 1 < part.length;
      std::uint32_t there = here;
      if (left) {
        const std::uint64_t limit = part.length - i, at = position + here / 4;
        there += static_cast<std::uint32_t>(random_derivation::below<32>(random_derivation::block_at(key, at, 0, part.use), key,
                                                                         at, static_cast<int>(here % 4), limit,
                                                                         random_derivation::threshold_of<32>(limit), part.use));
        left = there != here;
      }
      while (__syncthreads_or(left)) {
        const std::uint32_t number = --round * threads + threadIdx.x;
        if (left) {
          atomicMin(taken + here, number);
          atomicMin(taken + there, number);
        }
        __syncthreads();
        if (left && __ldcg(taken + here) == number && __ldcg(taken + there) == number) {
          const std::int32_t element = list[here];
          list[here] = list[there];
          list[there] = element;
          left = false;
        }
      }
    }
  }
}

// Gives the parts of a list whose elements have these many of each key; parts of length 0 too.
std::vector<Part> parts_of(const std::vector<std::int32_t>& counts) {
  std::vector<Part> parts;
  std::uint32_t start = 0;
  for (std::int32_t n : counts) {
    parts.push_back({start, static_cast<std::uint32_t>(n), 1});
    start += static_cast<std::uint32_t>(n);
  }
  return parts;
}
griddle_status counts_of(griddle_device& d, griddle_device_type type, const void* keys, std::uint64_t length,
                         std::uint64_t values, std::vector<std::int32_t>& to) {
  Scratch counts(d, values * sizeof(std::int32_t));
  if (counts.status() != griddle_done) return counts.status();
  griddle_status s = count_values(&d, type, keys, length, 0, values, counts.as<std::int32_t>());
  to.resize(values);
  if (s == griddle_done) s = download(&d, to.data(), counts.as<void>(), values * sizeof(std::int32_t));
  return s;
}

griddle_status shuffle(griddle_device& d, std::uint64_t key, std::uint64_t position, const std::vector<Part>& parts,
                       std::uint64_t limit, std::int32_t* list) {
  Scratch there(d, parts.size() * sizeof(Part)), taken(d, limit * sizeof(std::uint32_t));
  if (there.status() != griddle_done) return there.status();
  if (taken.status() != griddle_done) return taken.status();
  griddle_status s = upload(&d, there.as<void>(), parts.data(), parts.size() * sizeof(Part));
  if (s == griddle_done) s = status_of(d, cudaMemsetAsync(taken.as<void>(), 0xFF, limit * sizeof(std::uint32_t), d.stream));
  if (s != griddle_done) return s;
  const std::uint32_t count = static_cast<std::uint32_t>(parts.size());
  shuffle_kernel<<<std::min(count, d.multiprocessors * 4u), threads, 0, d.stream>>>(key, position, there.as<Part>(), count, list,
                                                                                    taken.as<std::uint32_t>());
  return launched(d);
}

}  // namespace

griddle_status deal(griddle_device* d, uint64_t key, uint64_t position, uint64_t limit, int32_t* out) {
  const std::uint32_t most = d->multiprocessors * 8u, blocks = blocks_for(limit, threads, most);
  if (limit <= largest_part) {
    count_up_kernel<<<blocks, threads, 0, d->stream>>>(out, limit);
    return shuffle(*d, key, position, {{0, static_cast<std::uint32_t>(limit), 0}}, limit, out);
  }
  const std::uint64_t byte_blocks = (limit + 15) / 16;
  std::vector<std::int32_t> counts;
  griddle_status s;
  {
    Scratch bytes(*d, byte_blocks * 16);
    if (bytes.status() != griddle_done) return bytes.status();
    bytes_kernel<<<blocks_for(byte_blocks, threads, most), threads, 0, d->stream>>>(
        key, position, bytes.as<random_derivation::Block>(), byte_blocks);
    s = sort(d, griddle_device_c8, bytes.as<void>(), nullptr, out, limit, 0);
    if (s == griddle_done) s = counts_of(*d, griddle_device_c8, bytes.as<void>(), limit, part_count, counts);
    if (s != griddle_done) return s;
  }
  std::vector<Part> parts = parts_of(counts);
  const auto is_large = [](const Part& p) { return p.length > largest_part; };
  if (std::any_of(parts.begin(), parts.end(), is_large)) {
    Scratch first_parts(*d, parts.size() * sizeof(Part)), keys(*d, limit * sizeof(std::uint16_t));
    Scratch order(*d, limit * sizeof(std::int32_t)), dealt(*d, limit * sizeof(std::int32_t));
    for (const Scratch* memory : {&first_parts, &keys, &order, &dealt})
      if (memory->status() != griddle_done) return memory->status();
    s = upload(d, first_parts.as<void>(), parts.data(), parts.size() * sizeof(Part));
    if (s != griddle_done) return s;
    second_keys_kernel<<<blocks, threads, 0, d->stream>>>(key, position, first_parts.as<Part>(), limit, keys.as<std::uint16_t>());
    s = sort(d, griddle_device_c16, keys.as<void>(), nullptr, order.as<std::int32_t>(), limit, 0);
    if (s != griddle_done) return s;
    follow_kernel<<<blocks, threads, 0, d->stream>>>(out, order.as<std::int32_t>(), dealt.as<std::int32_t>(), limit);
    s = status_of(*d, cudaMemcpyAsync(out, dealt.as<void>(), limit * sizeof(std::int32_t), cudaMemcpyDeviceToDevice, d->stream));
    if (s == griddle_done) s = counts_of(*d, griddle_device_c16, keys.as<void>(), limit, part_count * part_count, counts);
    if (s != griddle_done) return s;
    std::vector<Part> all = parts_of(counts);
    for (std::size_t i = 0; i < all.size(); i++)
      if (is_large(parts[i / part_count])) all[i].use = 2;
    parts.clear();
    std::copy_if(all.begin(), all.end(), std::back_inserter(parts), [](const Part& p) { return p.length > 1; });
    if (std::any_of(parts.begin(), parts.end(), is_large)) return griddle_unsupported;
  }
  return shuffle(*d, key, position, parts, limit, out);
}

}  // namespace griddle::cuda
