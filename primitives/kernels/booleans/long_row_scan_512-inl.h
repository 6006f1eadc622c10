// Running functions along boolean rows of more than 64 bits, of which at most one begins in each word, eight words at a time, and
// of rows that bytes divide into (AVX-512). Included once per target.
#if defined(GRIDDLE_KERNELS_LONG_ROW_SCAN_512_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDDLE_KERNELS_LONG_ROW_SCAN_512_INL_H_
#undef GRIDDLE_KERNELS_LONG_ROW_SCAN_512_INL_H_
#else
#define GRIDDLE_KERNELS_LONG_ROW_SCAN_512_INL_H_
#endif

#include <cstdint>

#include "hwy/highway.h"
#include "primitives/kernels/booleans/prefix_parity-inl.h"
#include "primitives/kernels/booleans/row_bit_words.h"
#include "primitives/kernels/shared/lanes-inl.h"

#if HWY_TARGET == HWY_AVX3_DL

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Scans vectors of words: next(words, bits from where a row begins on, how many words there are, carry) gives the results, and
// carries on.
template <class Next>
HWY_INLINE void each_vector_of_long_rows(std::uint64_t* out, const std::uint64_t* bits, std::size_t columns, std::size_t words,
                                         Next next) {
  unsigned kept = 0;
  const auto block = [&](std::size_t first, std::size_t count, const std::uint64_t* starts) HWY_ATTR {
    const hn::ScalableTag<std::uint64_t> d;
    const auto none = hn::Zero(d);
    unsigned carry = kept;  // in a register, since what is stored could change the other
    std::size_t i = 0;
    for (; i + 8 <= count; i += 8)
      hn::StoreU(next(hn::LoadU(d, bits + first + i), hn::Sub(none, hn::LoadU(d, starts + i)), 8, carry), d, out + first + i);
    kept = carry;
    if (i == count) return;
    const auto rest = hn::FirstN(d, count - i);
    const auto after = hn::Sub(none, hn::MaskedLoad(rest, d, starts + i));
    hn::BlendedStore(next(hn::MaskedLoad(rest, d, bits + first + i), after, count - i, kept), rest, d, out + first + i);
  };
  each_block_of_row_bits(RowBits::first_places, columns, words, block);
}

// Scans rows of 2, 4 or 8 bits.
inline void parities_in_parts_of_bytes(std::uint64_t* out, const std::uint64_t* bits, std::size_t columns, std::size_t words) {
  const std::uint64_t matrix = columns == 8 ? prefix_parity_matrix : columns == 4 ? 0x0103070F103070F0 : 0x0103040C103040C0;
  const hn::ScalableTag<std::uint64_t> d;
  using V = hn::Vec<decltype(d)>;
  std::size_t i = 0;
  for (; i + 8 <= words; i += 8) hn::StoreU(V{bit_matrix_product(hn::LoadU(d, bits + i).raw, matrix)}, d, out + i);
  if (i == words) return;
  const auto rest = hn::FirstN(d, words - i);
  hn::BlendedStore(V{bit_matrix_product(hn::MaskedLoad(rest, d, bits + i).raw, matrix)}, rest, d, out + i);
}

// Each word is scanned as if 0s came before it and before the row that begins in it. It ends then in the result that it has alone
// or, if no row begins, in that and the one before it.
inline void parities_of_long_rows(std::uint64_t* out, const std::uint64_t* bits, std::size_t columns, std::size_t words) {
  using V = hn::Vec<hn::ScalableTag<std::uint64_t>>;
  const __m512i ones = _mm512_set1_epi64(-1);
  const auto next = [=](V word, V after, std::size_t count, unsigned& carry) HWY_ATTR {
    const __m512i even = _mm512_clmulepi64_epi128(word.raw, ones, 0x00), odd = _mm512_clmulepi64_epi128(word.raw, ones, 0x01);
    const __m512i all = _mm512_unpacklo_epi64(even, odd),
                  before = _mm512_srli_epi64(_mm512_sub_epi64(_mm512_setzero_si512(), after.raw), 1);
    const __m512i alone = _mm512_mask_xor_epi64(all, _mm512_test_epi64_mask(all, before), all, after.raw);
    const unsigned ends = _mm512_movepi64_mask(alone), passes = _mm512_testn_epi64_mask(after.raw, after.raw);
    unsigned carried = ends << 1, reach = passes << 1;
    carried ^= carried << 1 & reach, reach &= reach << 1;
    carried ^= carried << 2 & reach, reach &= reach << 2;
    carried ^= carried << 4 & reach, reach &= reach << 4;
    carried ^= carried << 8 & reach;
    carried ^= (0 - carry) & ((passes ^ (passes + 1)));
    carry = carried >> count & 1;
    // Turns what lies before the row that begins.
    return V{_mm512_mask_ternarylogic_epi64(alone, static_cast<__mmask8>(carried), after.raw, after.raw, 0xC3)};
  };
  each_vector_of_long_rows(out, bits, columns, words, next);
}

// Keeps the 1s that rows begin with: adding 1 to a word turns them to 0s.
template <std::uint64_t flip>
void first_ones_of_long_rows(std::uint64_t* out, const std::uint64_t* bits, std::size_t columns, std::size_t words) {
  using V = hn::Vec<hn::ScalableTag<std::uint64_t>>;
  const V ones = in_register(hn::Set(hn::ScalableTag<std::uint64_t>(), ~std::uint64_t{0}));
  const auto next = [=](V given, V after, std::size_t count, unsigned& carry) HWY_ATTR {
    const V word = flip == 0 ? given : hn::Xor(given, ones);
    const V begun = hn::Or(word, hn::AndNot(after, ones));
    const V from_start = hn::AndNot(hn::Sub(begun, ones), hn::And(word, after));
    const V from_before = hn::AndNot(hn::Or(hn::Sub(word, ones), after), word);
    const __mmask8 begins = _mm512_test_epi64_mask(after.raw, after.raw);
    const unsigned ends = _mm512_mask_cmpeq_epi64_mask(begins, begun.raw, ones.raw);
    const unsigned passes = _mm512_mask_cmpeq_epi64_mask(static_cast<__mmask8>(~begins), word.raw, ones.raw);
    // What comes into each word: the carries of an addition.
    const unsigned sum = (ends << 1 | carry) + passes, carried = sum ^ passes;
    carry = count == 8 ? sum >> 8 : carried >> count & 1;
    const V found{_mm512_mask_or_epi64(from_start.raw, static_cast<__mmask8>(carried), from_start.raw, from_before.raw)};
    return flip == 0 ? found : hn::Xor(found, ones);
  };
  each_vector_of_long_rows(out, bits, columns, words, next);
}

}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // AVX-512

#endif  // toggle
