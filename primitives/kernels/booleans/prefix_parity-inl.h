// Running exclusive or of bits: within words, and what words carry into each other. Included once per target.
#if defined(GRIDDLE_KERNELS_PREFIX_PARITY_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDDLE_KERNELS_PREFIX_PARITY_INL_H_
#undef GRIDDLE_KERNELS_PREFIX_PARITY_INL_H_
#else
#define GRIDDLE_KERNELS_PREFIX_PARITY_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "primitives/kernels/booleans/bit_matrix-inl.h"

#ifndef GRIDDLE_KERNELS_LANE_TABLES
#define GRIDDLE_KERNELS_LANE_TABLES
namespace griddle::kernels {

// Gives for four bits as many words, all ones where the bit is on.
inline constexpr auto lane_masks = [] {
  struct {
    std::uint64_t words[16][4];
    constexpr const std::uint64_t* operator[](std::size_t bits) const { return words[bits]; }
  } table = {};
  for (unsigned bits = 0; bits < 16; bits++)
    for (unsigned k = 0; k < 4; k++) table.words[bits][k] = bits >> k & 1 ? ~std::uint64_t{0} : 0;
  return table;
}();

// Gives for the parity so far and the parities of four words what is carried into each of them.
inline constexpr auto carried_parities = [] {
  struct Table {
    std::uint64_t words[2][16][4];
    constexpr auto operator[](std::size_t odd) const { return words[odd]; }
  } table = {};
  for (unsigned odd = 0; odd < 2; odd++)
    for (unsigned bits = 0; bits < 16; bits++)
      for (unsigned k = 0, so_far = odd; k < 4; so_far ^= bits >> k & 1, k++)
        table.words[odd][bits][k] = so_far ? ~std::uint64_t{0} : 0;
  return table;
}();

}  // namespace griddle::kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class V>
HWY_INLINE V prefix_parity_in_words(V word) {
  word = hn::Xor(word, hn::ShiftLeft<1>(word));
  word = hn::Xor(word, hn::ShiftLeft<2>(word));
  word = hn::Xor(word, hn::ShiftLeft<4>(word));
  word = hn::Xor(word, hn::ShiftLeft<8>(word));
  word = hn::Xor(word, hn::ShiftLeft<16>(word));
  return hn::Xor(word, hn::ShiftLeft<32>(word));
}

#if HWY_TARGET == HWY_AVX3_DL

// Gives in each byte the running exclusive or.
inline constexpr std::uint64_t prefix_parity_matrix = 0x0103070F1F3F7FFF;

// Scans whole vectors: bytes by a product of matrices, then the parities of the 64 bytes by one carry-less product with all ones.
// Gives the number of words done.
HWY_INLINE std::size_t prefix_parity_by_bytes(std::uint64_t* out, const std::uint64_t* bits, std::size_t words,
                                              std::uint64_t flip, std::uint64_t& carry) {
  const __m512i flips = _mm512_set1_epi64(static_cast<long long>(flip)), all = _mm512_set1_epi8(-1);
  const __m128i all_ones = _mm_set1_epi8(-1);
  std::size_t i = 0;
  for (; i + 8 <= words; i += 8) {
    const __m512i in_bytes = bit_matrix_product(_mm512_loadu_si512(bits + i), prefix_parity_matrix);
    const std::uint64_t odd = _cvtmask64_u64(_mm512_movepi8_mask(in_bytes));
    const __m128i product = _mm_clmulepi64_si128(_mm_cvtsi64_si128(static_cast<long long>(odd)), all_ones, 0);
    const std::uint64_t running = static_cast<std::uint64_t>(_mm_cvtsi128_si64(product));
    const __mmask64 into = _cvtu64_mask64(running ^ odd ^ carry);
    carry ^= 0 - (running >> 63);
    // Flips, and turns round the bytes that an odd number of 1s comes before.
    const __m512i turn = _mm512_maskz_mov_epi8(into, all);
    _mm512_storeu_si512(out + i, _mm512_ternarylogic_epi64(in_bytes, turn, flips, 0x96));
  }
  return i;
}

#endif

}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
