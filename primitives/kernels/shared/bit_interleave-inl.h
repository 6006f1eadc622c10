// Bits of two or eight columns to rows and back, in vectors (AVX3_DL). Included once a target.
#if defined(GRIDDLE_BIT_INTERLEAVE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDDLE_BIT_INTERLEAVE_INL_H_
#undef GRIDDLE_BIT_INTERLEAVE_INL_H_
#else
#define GRIDDLE_BIT_INTERLEAVE_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "primitives/kernels/shared/bit_runs.h"

#ifndef GRIDDLE_BIT_INTERLEAVE_TABLES_
#define GRIDDLE_BIT_INTERLEAVE_TABLES_
namespace griddle::kernels {

// Places of bytes: the even and the odd ones of two vectors; those of 8 words by turns, from the first word or from the last.
struct BytePlaces {
  alignas(64) std::uint8_t even[64], odd[64], turned[64], turned_from_last[64], words_reversed[64];
  constexpr BytePlaces() : even{}, odd{}, turned{}, turned_from_last{}, words_reversed{} {
    for (std::size_t i = 0; i < 64; i++) {
      even[i] = static_cast<std::uint8_t>(2 * i);
      odd[i] = static_cast<std::uint8_t>(2 * i + 1);
      turned[i] = static_cast<std::uint8_t>(i % 8 * 8 + i / 8);
      turned_from_last[i] = static_cast<std::uint8_t>((7 - i % 8) * 8 + i / 8);
      words_reversed[i] = static_cast<std::uint8_t>(i ^ 7);
    }
  }
};
constexpr BytePlaces byte_places_of;

}  // namespace griddle::kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace {

#if HWY_TARGET == HWY_AVX3_DL

// Writes bits from any place of a list on, 512 at a time.
class BitVectorWriter {
 public:
  HWY_INLINE BitVectorWriter(std::uint64_t* to, std::size_t place) : to_(to + place / 64), shift_(place % 64) {
    const std::uint64_t before = shift_ == 0 ? 0 : *to_ << (64 - shift_);
    last_ = _mm512_set1_epi64(static_cast<long long>(before));
  }
  HWY_INLINE void append(__m512i v) {
    _mm512_storeu_si512(to_, shifted(v));
    last_ = v;
    to_ += 8;
  }
  // Writes the last bits, up to 512, where others stay behind them.
  HWY_INLINE void finish(__m512i v, std::size_t n) {
    alignas(64) std::uint64_t words[9];
    _mm512_store_si512(words, shifted(v));
    words[8] = shift_ == 0 ? 0 : last_word(v) >> (64 - shift_);
    const std::size_t end = shift_ + n;
    for (std::size_t k = 0; k < end / 64; k++) to_[k] = words[k];
    if (end % 64 != 0) write_bits(to_, end / 64 * 64, end % 64, words[end / 64] & low_bits(end % 64));
  }

 private:
  static HWY_INLINE std::uint64_t last_word(__m512i v) {
    return static_cast<std::uint64_t>(_mm_extract_epi64(_mm512_extracti32x4_epi32(v, 3), 1));
  }
  HWY_INLINE __m512i shifted(__m512i v) const {
    return _mm512_shldv_epi64(v, _mm512_alignr_epi64(v, last_, 7), _mm512_set1_epi64(static_cast<long long>(shift_)));
  }
  std::uint64_t* to_;
  std::size_t shift_;
  __m512i last_;
};

// Multiplies bytes by matrices of 8×8 bits. The target's functions are compiled without the instruction's name.
HWY_INLINE __m512i times_bit_matrix(__m512i bytes, __m512i matrices) {
  __m512i product;
  asm("vgf2p8affineqb $0, %2, %1, %0" : "=v"(product) : "v"(bytes), "v"(matrices));
  return product;
}

// Splits bits in each 16 into those of even places, the lower byte, and of odd ones.
HWY_INLINE __m512i split_pairs(__m512i v) {
  const __m512i even_then_odd = _mm512_set1_epi64(0x0104104002082080);
  const __m512i x = times_bit_matrix(v, even_then_odd);
  constexpr int chosen_or = 0xEA;  // (a & b) | c
  const __m512i up = _mm512_and_si512(_mm512_slli_epi16(x, 4), _mm512_set1_epi16(0x0F00));
  const __m512i outer = _mm512_ternarylogic_epi64(x, _mm512_set1_epi16(static_cast<short>(0xF00F)), up, chosen_or);
  return _mm512_ternarylogic_epi64(_mm512_srli_epi16(x, 4), _mm512_set1_epi16(0x00F0), outer, chosen_or);
}

HWY_INLINE __m512i load_bytes(const std::uint8_t* from, std::size_t n) {
  return n >= 64 ? _mm512_loadu_si512(from) : _mm512_maskz_loadu_epi8(low_bits(n), from);
}

// Takes `length` rows of two bits apart.
void split_two_columns(std::uint64_t* to, std::size_t to_start, std::size_t to_stride, const std::uint64_t* from,
                       std::size_t length) {
  BitVectorWriter first(to, to_start), second(to, to_start + to_stride);
  const __m512i even = _mm512_load_si512(byte_places_of.even), odd = _mm512_load_si512(byte_places_of.odd);
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(from);
  for (; length > 512; length -= 512, bytes += 128) {
    const __m512i a = split_pairs(_mm512_loadu_si512(bytes)), b = split_pairs(_mm512_loadu_si512(bytes + 64));
    first.append(_mm512_permutex2var_epi8(a, even, b));
    second.append(_mm512_permutex2var_epi8(a, odd, b));
  }
  const std::size_t left = (length + 3) / 4;
  const __m512i a = split_pairs(load_bytes(bytes, left)), b = split_pairs(load_bytes(bytes + 64, left > 64 ? left - 64 : 0));
  second.finish(_mm512_permutex2var_epi8(a, odd, b), length);
  first.finish(_mm512_permutex2var_epi8(a, even, b), length);
}

// Turns 8 words, whose bits are columns, into 64 rows of 8 bits, and back.
HWY_INLINE __m512i eight_columns_to_rows(__m512i words) {
  const __m512i one_each = _mm512_set1_epi64(static_cast<long long>(0x8040201008040201));
  const __m512i bytes = _mm512_permutexvar_epi8(_mm512_load_si512(byte_places_of.turned_from_last), words);
  return times_bit_matrix(one_each, bytes);
}
HWY_INLINE __m512i eight_rows_to_columns(__m512i rows) {
  const __m512i one_each = _mm512_set1_epi64(static_cast<long long>(0x8040201008040201));
  const __m512i reversed = _mm512_shuffle_epi8(rows, _mm512_load_si512(byte_places_of.words_reversed));
  const __m512i columns = times_bit_matrix(one_each, reversed);
  return _mm512_permutexvar_epi8(_mm512_load_si512(byte_places_of.turned), columns);
}

// Takes up to 512 rows of 8 bits apart.
constexpr std::size_t most_rows_of_eight = 512;
void split_eight_columns(std::uint64_t* to, std::size_t to_start, std::size_t to_stride, const std::uint64_t* from,
                         std::size_t length) {
  alignas(64) std::uint64_t groups[8][8];
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(from);
  for (std::size_t r = 0; r < length; r += 64)
    _mm512_store_si512(groups[r / 64], eight_rows_to_columns(load_bytes(bytes + r, length - r)));
  for (std::size_t c = 0; c < 8; c++) {
    BitWriter column(to, to_start + c * to_stride);
    for (std::size_t r = 0; r < length; r += 64) column.append(groups[r / 64][c], length - r < 64 ? length - r : 64);
    column.finish_before_others();
  }
}

#endif

}  // namespace
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
