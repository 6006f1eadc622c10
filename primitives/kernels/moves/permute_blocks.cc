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
void permute_covered(T* to, const T* from, std::size_t block, const std::uint16_t* places, std::size_t blocks) {
  BlockPermutation<T, vectors>(block, places).run(to, from, blocks);
}

constexpr std::size_t most_vectors = longest_permuted_block / 64;

template <class T>
void permute_elements(T* to, const T* from, std::size_t block, const std::uint16_t* places, std::size_t blocks) {
  static constexpr auto ways = []<std::size_t... k>(std::index_sequence<k...>) {
    using Way = void (*)(T*, const T*, std::size_t, const std::uint16_t*, std::size_t);
    return std::array<Way, most_vectors>{permute_covered<T, k + 1>...};
  }
  (std::make_index_sequence<most_vectors>());
  ways[(block * sizeof(T) + 63) / 64 - 1](to, from, block, places, blocks);
}

// The tables take as long to write as some blocks; blocks much shorter than a vector leave most of it idle.
bool pays(std::size_t block_bytes, std::size_t blocks) {
  const std::size_t vectors = (block_bytes + 63) / 64;
  return block_bytes >= 32 && vectors <= most_vectors && blocks >= 2 * vectors * vectors;
}

void permute_any(unsigned width, void* to, const void* from, std::size_t block, const std::uint16_t* places, std::size_t blocks) {
  const auto run = [=]<class T>(T)
                       HWY_ATTR { permute_elements(static_cast<T*>(to), static_cast<const T*>(from), block, places, blocks); };
  switch (width) {
    case 8: return run(std::uint8_t{});
    case 16: return run(std::uint16_t{});
    case 32: return run(std::uint32_t{});
    default: return run(std::uint64_t{});
  }
}

#else

bool pays(std::size_t, std::size_t) { return false; }
void permute_any(unsigned, void*, const void*, std::size_t, const std::uint16_t*, std::size_t) {}

#endif

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
  return HWY_DYNAMIC_DISPATCH(pays)(width / 8 * block, blocks);
}
void permute_blocks(unsigned width, void* to, const void* from, std::size_t block, const std::uint16_t* places,
                    std::size_t blocks) {
  HWY_DYNAMIC_DISPATCH(permute_any)(width, to, from, block, places, blocks);
}
}  // namespace griddle::kernels
#endif  // HWY_ONCE
