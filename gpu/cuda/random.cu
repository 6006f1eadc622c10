// Random numbers: a thread makes what follows from one block.
#include "gpu/cuda/device.h"
#include "gpu/cuda/random_derivation.h"

namespace griddle::cuda {

namespace {

constexpr unsigned threads = 256;

template <class T, int n>
struct alignas(sizeof(T) * n) Numbers {
  T of[n];
};

// What a kernel makes of the block at a position: `count` numbers.
struct Words {
  using Number = std::uint64_t;
  static constexpr int count = 2;
  __device__ Numbers<Number, count> operator()(const random_derivation::Block& b, std::uint64_t, std::uint64_t) const {
    return {{b.half(0), b.half(1)}};
  }
};
struct Fractions {
  using Number = double;
  static constexpr int count = 2;
  __device__ Numbers<Number, count> operator()(const random_derivation::Block& b, std::uint64_t, std::uint64_t) const {
    return {{random_derivation::fraction(b.half(0)), random_derivation::fraction(b.half(1))}};
  }
};
struct Exponentials {
  using Number = double;
  static constexpr int count = 2;
  __device__ Numbers<Number, count> operator()(const random_derivation::Block& b, std::uint64_t, std::uint64_t) const {
    return {{random_derivation::exponential(b.half(0)), random_derivation::exponential(b.half(1))}};
  }
};
struct Normals {
  using Number = double;
  static constexpr int count = 2;
  __device__ Numbers<Number, count> operator()(const random_derivation::Block& b, std::uint64_t, std::uint64_t) const {
    const random_derivation::TwoNormals n = random_derivation::normals(b.half(0), b.half(1));
    return {{n.of[0], n.of[1]}};
  }
};
template <class T>
struct Places {
  using Number = T;
  static constexpr int count = 2;
  const std::uint64_t* table;
  std::uint64_t length;
  __device__ Numbers<Number, count> operator()(const random_derivation::Block& b, std::uint64_t, std::uint64_t) const {
    return {{static_cast<T>(random_derivation::alias(table, length, b.half(0))),
             static_cast<T>(random_derivation::alias(table, length, b.half(1)))}};
  }
};
template <int bits, class T>
struct Below {
  using Number = T;
  static constexpr int count = 128 / bits;
  std::uint64_t limit, threshold;
  __device__ Numbers<Number, count> operator()(const random_derivation::Block& b, std::uint64_t key,
                                               std::uint64_t position) const {
    Numbers<Number, count> n;
#pragma unroll
    for (int i = 0; i < count; i++)
      n.of[i] = static_cast<T>(random_derivation::below<bits>(b, key, position, i, limit, threshold));
    return n;
  }
};

// The last block's numbers may reach past the end, into the padding.
template <class Make>
__global__ void __launch_bounds__(threads)
    random_kernel(Make make, std::uint64_t key, std::uint64_t position, std::uint32_t use, void* out, uint64_t blocks) {
  for (uint64_t i = blockIdx.x * uint64_t{threads} + threadIdx.x; i < blocks; i += gridDim.x * uint64_t{threads})
    static_cast<Numbers<typename Make::Number, Make::count>*>(out)[i] =
        make(random_derivation::block_at(key, position + i, 0, use), key, position + i);
}

template <class Make>
griddle_status make_numbers(griddle_device& d, const griddle_random& r, void* out, uint64_t length, Make make) {
  const uint64_t blocks = (length + Make::count - 1) / Make::count;
  random_kernel<<<blocks_for(blocks, threads, d.multiprocessors * 16u), threads, 0, d.stream>>>(make, r.key, r.position, r.use,
                                                                                                out, blocks);
  return launched(d);
}
template <int bits, class T>
griddle_status make_below(griddle_device& d, const griddle_random& r, void* out, uint64_t length) {
  return make_numbers(d, r, out, length, Below<bits, T>{r.limit, random_derivation::threshold_of<bits>(r.limit)});
}
template <class T>
griddle_status make_places(griddle_device& d, const griddle_random& r, void* out, uint64_t length) {
  return make_numbers(d, r, out, length, Places<T>{static_cast<const std::uint64_t*>(r.table), r.limit});
}

__global__ void __launch_bounds__(threads) gamma_kernel(std::uint64_t key, std::uint64_t position, const double* shapes,
                                                        std::uint64_t count, double* out, uint64_t length) {
  for (uint64_t i = blockIdx.x * uint64_t{threads} + threadIdx.x; i < length; i += gridDim.x * uint64_t{threads})
    out[i] = random_derivation::gamma(key, position + i, shapes[count == length ? i : i % count]);
}

}  // namespace

griddle_status random(griddle_device* d, const griddle_random* r, void* out, uint64_t length) {
  switch (r->kind) {
    case griddle_random_words: return make_numbers(*d, *r, out, length, Words{});
    case griddle_random_fractions: return make_numbers(*d, *r, out, length, Fractions{});
    case griddle_random_exponentials: return make_numbers(*d, *r, out, length, Exponentials{});
    case griddle_random_normals: return make_numbers(*d, *r, out, length, Normals{});
    case griddle_random_below_16: return make_below<16, std::int8_t>(*d, *r, out, length);
    case griddle_random_below_32:
      return r->limit <= 1u << 15 ? make_below<32, std::int16_t>(*d, *r, out, length)
                                  : make_below<32, std::int32_t>(*d, *r, out, length);
    case griddle_random_below_64:
      return r->limit <= std::uint64_t{1} << 31 ? make_below<64, std::int32_t>(*d, *r, out, length)
                                                : make_below<64, double>(*d, *r, out, length);
    case griddle_random_gammas:
      gamma_kernel<<<blocks_for(length, threads, d->multiprocessors * 16u), threads, 0, d->stream>>>(
          r->key, r->position, static_cast<const double*>(r->table), r->table_length, static_cast<double*>(out), length);
      return launched(*d);
    case griddle_random_aliases:
      if (r->limit <= 1u << 7) return make_places<std::int8_t>(*d, *r, out, length);
      if (r->limit <= 1u << 15) return make_places<std::int16_t>(*d, *r, out, length);
      return make_places<std::int32_t>(*d, *r, out, length);
  }
  return griddle_unsupported;
}

}  // namespace griddle::cuda
