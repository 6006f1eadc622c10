#include "primitives/kernels/moves/permute_blocks.h"

#include <array>
#include <cstring>
#include <utility>

#include "hwy/highway.h"
#include "primitives/kernels/shared/interleave-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace permute_blocks_unit {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_AVX3_DL

// Permutes blocks that so many vectors cover: each vector of results comes from all of the source, one more each step.
template <class T, std::size_t vectors>
class BlockPermutation {
 public:
  BlockPermutation(std::size_t block, const std::uint16_t* places) : block_(block) {
    for (std::size_t v = 0; v < vectors; v++)
      for (std::size_t lane = 0; lane < lanes; lane++) {
        const std::size_t at = v * lanes + lane, source = at < block ? places[at] : 0;
        for (std::size_t step = 0; step < steps; step++) taken_[v][step][lane] = static_cast<T>(lane);
        const std::size_t vector = source / lanes, within = source % lanes;
        taken_[v][vector == 0 ? 0 : vector - 1][lane] = static_cast<T>(vector == 0 ? within : lanes + within);
      }
  }

  // Writes whole vectors, of which what lies behind a block is set right by the next one; the last ones pass through memory.
  void run(T* to, const T* from, std::size_t blocks) const {
    const std::size_t all = blocks * block_;
    std::size_t at = 0;
    for (; at + covered <= all; at += block_) permute(to + at, from + at);
    T source[covered] = {}, result[covered];
    for (; at < all; at += block_) {
      std::memcpy(source, from + at, block_ * sizeof(T));
      permute(result, source);
      std::memcpy(to + at, result, block_ * sizeof(T));
    }
  }

 private:
  static constexpr std::size_t lanes = 64 / sizeof(T), steps = vectors == 1 ? 1 : vectors - 1, covered = vectors * lanes;

  HWY_INLINE void permute(T* to, const T* from) const {
    __m512i v[vectors];
#pragma GCC unroll 8
    for (std::size_t k = 0; k < vectors; k++) v[k] = _mm512_loadu_si512(from + k * lanes);
#pragma GCC unroll 8
    for (std::size_t k = 0; k < vectors; k++) {
      if constexpr (vectors == 1)
        _mm512_storeu_si512(to, lanes_of_two(v[0], taken_[0][0], v[0]));
      else
        _mm512_storeu_si512(to + k * lanes, lanes_of_many<T, vectors>(v, taken_[k]));
    }
  }

  alignas(64) T taken_[vectors][steps][lanes];
  std::size_t block_;
};

template <class T, std::size_t vectors>
void permute_covered(void* to, const void* from, std::size_t block, const std::uint16_t* places, std::size_t blocks) {
  BlockPermutation<T, vectors>(block, places).run(static_cast<T*>(to), static_cast<const T*>(from), blocks);
}

constexpr std::size_t piece = 64, most_pieces = longest_permuted_block / piece;

// The tables take as long to write as some blocks; blocks much shorter than a vector leave most of it idle.
bool pays(std::size_t block_bytes, std::size_t, std::size_t blocks) {
  const std::size_t vectors = (block_bytes + piece - 1) / piece;
  return block_bytes >= 32 && vectors <= most_pieces && blocks >= 2 * vectors * vectors;
}

#else

// Permutes blocks of bytes that so many parts of 16 cover: each vector of results takes bytes of every part.
template <std::size_t parts>
class BlockPermutation {
 public:
  template <class T>
  BlockPermutation(T, std::size_t block, const std::uint16_t* places) : bytes_(block * sizeof(T)) {
    std::memset(taken_, 0x80, sizeof taken_);  // a byte that takes nothing
    constexpr std::size_t in_part = 16 / sizeof(T), in_vector = lanes / sizeof(T);
    for (std::size_t to = 0; to < block; to++) {
      const std::size_t from = places[to];
      const T bytes = static_cast<T>(0x0706050403020100 + from % in_part * sizeof(T) * 0x0101010101010101);
      std::memcpy(&taken_[to / in_vector][from / in_part][to % in_vector * sizeof(T)], &bytes, sizeof bytes);
    }
  }

  // Writes whole vectors, of which what lies behind a block is set right by the next one; the last ones pass through memory.
  void run(std::uint8_t* to, const std::uint8_t* from, std::size_t blocks) const {
    const std::size_t all = blocks * bytes_;
    std::size_t at = 0;
    for (; at + covered <= all; at += bytes_) permute(to + at, from + at);
    std::uint8_t source[16 * parts] = {}, result[covered];
    for (; at < all; at += bytes_) {
      std::memcpy(source, from + at, bytes_);
      permute(result, source);
      std::memcpy(to + at, result, bytes_);
    }
  }

 private:
  using D = hn::CappedTag<std::uint8_t, 32>;
  static constexpr std::size_t lanes = hn::MaxLanes(D()), vectors = (16 * parts + lanes - 1) / lanes, covered = vectors * lanes;

  HWY_INLINE void permute(std::uint8_t* to, const std::uint8_t* from) const {
    hn::Vec<D> v[parts];
#pragma GCC unroll 8
    for (std::size_t k = 0; k < parts; k++) v[k] = hn::LoadDup128(D(), from + 16 * k);
#pragma GCC unroll 8
    for (std::size_t k = 0; k < vectors; k++) {
      auto result = hn::TableLookupBytesOr0(v[0], hn::Load(D(), taken_[k][0]));
#pragma GCC unroll 8
      for (std::size_t j = 1; j < parts; j++) result = hn::Or(result, hn::TableLookupBytesOr0(v[j], hn::Load(D(), taken_[k][j])));
      hn::StoreU(result, D(), to + k * lanes);
    }
  }

  alignas(32) std::uint8_t taken_[vectors][parts][lanes];
  std::size_t bytes_;
};

template <class T, std::size_t parts>
void permute_covered(void* to, const void* from, std::size_t block, const std::uint16_t* places, std::size_t blocks) {
  const BlockPermutation<parts> permutation(T{}, block, places);
  permutation.run(static_cast<std::uint8_t*>(to), static_cast<const std::uint8_t*>(from), blocks);
}

constexpr std::size_t piece = 16, most_pieces = 8;

// A vector of results takes two instructions for each part, so that longer blocks go by squares sooner, those of 64 bits first.
// The tables take as long to write as some blocks.
bool pays(std::size_t block_bytes, std::size_t block, std::size_t blocks) {
  const std::size_t longest = block_bytes == 8 * block ? 96 : piece * most_pieces;
  return block_bytes >= 8 && block_bytes <= longest && 16 * blocks >= block;
}

#endif

template <class T>
void permute_elements(void* to, const void* from, std::size_t block, const std::uint16_t* places, std::size_t blocks) {
  static constexpr auto ways = []<std::size_t... k>(std::index_sequence<k...>) {
    using Way = void (*)(void*, const void*, std::size_t, const std::uint16_t*, std::size_t);
    return std::array<Way, most_pieces>{permute_covered<T, k + 1>...};
  }
  (std::make_index_sequence<most_pieces>());
  ways[(block * sizeof(T) + piece - 1) / piece - 1](to, from, block, places, blocks);
}

void permute_any(unsigned width, void* to, const void* from, std::size_t block, const std::uint16_t* places, std::size_t blocks) {
  const auto run = [=]<class T>(T) HWY_ATTR { permute_elements<T>(to, from, block, places, blocks); };
  switch (width) {
    case 8: return run(std::uint8_t{});
    case 16: return run(std::uint16_t{});
    case 32: return run(std::uint32_t{});
    default: return run(std::uint64_t{});
  }
}

}  // namespace
}  // namespace permute_blocks_unit
using permute_blocks_unit::permute_any, permute_blocks_unit::pays;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(permute_any);
HWY_EXPORT(pays);
bool pays_to_permute_blocks(unsigned width, std::size_t block, std::size_t blocks) {
  return HWY_DYNAMIC_DISPATCH(pays)(width / 8 * block, block, blocks);
}
void permute_blocks(unsigned width, void* to, const void* from, std::size_t block, const std::uint16_t* places,
                    std::size_t blocks) {
  HWY_DYNAMIC_DISPATCH(permute_any)(width, to, from, block, places, blocks);
}
}  // namespace griddle::kernels
#endif  // HWY_ONCE
