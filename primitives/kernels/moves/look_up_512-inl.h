// Tables of 128 to 512 bytes in registers of AVX-512, which shuffles of two registers look into. Included by `look_up.cc` for
// AVX3_DL alone.
#pragma once

#include <algorithm>
#include <cstdint>

#include "hwy/highway.h"
#include "primitives/kernels/moves/select.h"
#include "primitives/kernels/shared/bit_runs.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace {

template <class T>
constexpr std::size_t lanes_of = 64 / sizeof(T);

template <class T>
HWY_INLINE __m512i shuffle_two(__m512i a, __m512i place, __m512i b) {
  if constexpr (sizeof(T) == 1) return _mm512_permutex2var_epi8(a, place, b);
  if constexpr (sizeof(T) == 2) return _mm512_permutex2var_epi16(a, place, b);
  if constexpr (sizeof(T) == 4) return _mm512_permutex2var_epi32(a, place, b);
  if constexpr (sizeof(T) == 8) return _mm512_permutex2var_epi64(a, place, b);
}

// Takes the second where the place has a bit, the first elsewhere.
template <class T>
HWY_INLINE __m512i choose(unsigned bit, __m512i place, __m512i a, __m512i b) {
  if constexpr (sizeof(T) == 1)
    return _mm512_mask_blend_epi8(_mm512_test_epi8_mask(place, _mm512_set1_epi8(static_cast<char>(bit))), a, b);
  if constexpr (sizeof(T) == 2)
    return _mm512_mask_blend_epi16(_mm512_test_epi16_mask(place, _mm512_set1_epi16(static_cast<short>(bit))), a, b);
  if constexpr (sizeof(T) == 4)
    return _mm512_mask_blend_epi32(_mm512_test_epi32_mask(place, _mm512_set1_epi32(static_cast<int>(bit))), a, b);
  if constexpr (sizeof(T) == 8) return _mm512_mask_blend_epi64(_mm512_test_epi64_mask(place, _mm512_set1_epi64(bit)), a, b);
}

// Gives the elements at some places of 2, 4 or 8 vectors. Bits of a place above those that count are passed over.
template <class T, std::size_t vectors>
HWY_INLINE __m512i elements_at(const __m512i* table, __m512i place) {
  if constexpr (vectors == 2) {
    return shuffle_two<T>(table[0], place, table[1]);
  } else {
    const __m512i low = elements_at<T, vectors / 2>(table, place), high = elements_at<T, vectors / 2>(table + vectors / 2, place);
    return choose<T>(static_cast<unsigned>(vectors / 2 * lanes_of<T>), place, low, high);
  }
}

// Gives the lower halves of the lanes of two vectors; T are the halves.
template <class T>
HWY_INLINE __m512i lower_halves(__m512i a, __m512i b) {
  alignas(64) static constexpr auto even = [] {
    struct {
      T lane[lanes_of<T>];
    } places{};
    for (std::size_t i = 0; i < lanes_of<T>; i++) places.lane[i] = static_cast<T>(2 * i);
    return places;
  }();
  return shuffle_two<T>(a, _mm512_load_si512(&even), b);
}

// Reads as many indices as a vector has elements of type T, as lanes of that size.
template <class T, class I>
HWY_INLINE __m512i places_of(const I* index) {
  if constexpr (sizeof(I) == sizeof(T)) {
    return _mm512_loadu_si512(index);
  } else if constexpr (sizeof(I) > sizeof(T)) {
    using Wider = std::conditional_t<sizeof(T) == 1, std::uint16_t, std::uint32_t>;
    return lower_halves<T>(places_of<Wider>(index), places_of<Wider>(index + lanes_of<Wider>));
  } else {
    const auto* whole = reinterpret_cast<const __m256i*>(index);
    const auto* half = reinterpret_cast<const __m128i*>(index);
    if constexpr (sizeof(I) == 1 && sizeof(T) == 2) return _mm512_cvtepi8_epi16(_mm256_loadu_si256(whole));
    if constexpr (sizeof(I) == 1 && sizeof(T) == 4) return _mm512_cvtepi8_epi32(_mm_loadu_si128(half));
    if constexpr (sizeof(I) == 1 && sizeof(T) == 8) return _mm512_cvtepi8_epi64(_mm_loadl_epi64(half));
    if constexpr (sizeof(I) == 2 && sizeof(T) == 4) return _mm512_cvtepi16_epi32(_mm256_loadu_si256(whole));
    if constexpr (sizeof(I) == 2 && sizeof(T) == 8) return _mm512_cvtepi16_epi64(_mm_loadu_si128(half));
    if constexpr (sizeof(I) == 4 && sizeof(T) == 8) return _mm512_cvtepi32_epi64(_mm256_loadu_si256(whole));
  }
}

// Tells whether a table of some room holds n elements so that every index finds its own. Negative ones, of which the lowest bits
// count, find the same elements at its end.
HWY_INLINE bool has_room(std::size_t room, std::size_t n, bool negative) {
  return negative ? n == room || 2 * n <= room : n <= room;
}

// Loads n bytes to places of a table, of which this is the vector that begins at `first`, from `start` on.
HWY_INLINE __m512i load_at(const std::uint8_t* from, std::size_t n, std::size_t start, std::size_t first) {
  const auto within = [first](std::size_t place) {
    return place <= first ? std::size_t{0} : std::min(place - first, std::size_t{64});
  };
  const __mmask64 loaded = low_bits(within(start + n)) & ~low_bits(within(start));
  return _mm512_maskz_loadu_epi8(loaded, reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(from) + first - start));
}

template <class T, std::size_t vectors, class I>
void look_up_in(T* to, const T* from, std::size_t n, const Indices& indices) {
  constexpr std::size_t lanes = lanes_of<T>, bytes = 64 * vectors;
  __m512i table[vectors];
  for (std::size_t k = 0; k < vectors; k++) {
    const auto* source = reinterpret_cast<const std::uint8_t*>(from);
    table[k] = load_at(source, n * sizeof(T), 0, 64 * k);
    if (indices.negative) table[k] = _mm512_or_si512(table[k], load_at(source, n * sizeof(T), bytes - n * sizeof(T), 64 * k));
  }
  const I* index = static_cast<const I*>(indices.data);
  const auto take = [&](std::size_t i)
                        HWY_ATTR { _mm512_storeu_si512(to + i, elements_at<T, vectors>(table, places_of<T>(index + i))); };
  std::size_t i = 0;
  for (; i + lanes <= indices.count; i += lanes) take(i);
  if (i != indices.count) take(indices.count - lanes);
}

// The same for bits: the byte that holds one is looked up, and the bit tested.
template <std::size_t vectors, class I>
void look_up_bits(std::uint64_t* to, const std::uint64_t* from, std::size_t from_bit, std::size_t n, const Indices& indices) {
  alignas(64) std::uint64_t bits[8 * vectors] = {};
  copy_bit_run(bits, 0, from, from_bit, n);
  if (indices.negative) copy_bit_run(bits, 512 * vectors - n, from, from_bit, n);
  __m512i table[vectors];
  for (std::size_t k = 0; k < vectors; k++) table[k] = _mm512_load_si512(bits + 8 * k);
  const I* index = static_cast<const I*>(indices.data);
  const __m512i one_bit = _mm512_set1_epi64(static_cast<long long>(0x8040201008040201)), seven = _mm512_set1_epi8(7);
  const auto word = [&](std::size_t i) HWY_ATTR -> std::uint64_t {
    const __m512i low = places_of<std::uint16_t>(index + i), high = places_of<std::uint16_t>(index + i + 32);
    const __m512i byte = lower_halves<std::uint8_t>(_mm512_srli_epi16(low, 3), _mm512_srli_epi16(high, 3));
    const __m512i bit = _mm512_shuffle_epi8(one_bit, _mm512_and_si512(lower_halves<std::uint8_t>(low, high), seven));
    return _mm512_test_epi8_mask(elements_at<std::uint8_t, vectors>(table, byte), bit);
  };
  std::size_t i = 0;
  for (; i + 64 <= indices.count; i += 64) to[i / 64] = word(i);
  if (const std::size_t rest = indices.count % 64; rest != 0) write_bits(to, i, rest, word(indices.count - 64) >> (64 - rest));
}

template <class T, class I>
bool look_up_elements(T* to, const T* from, std::size_t n, const Indices& indices) {
  constexpr std::size_t lanes = lanes_of<T>;
  if (indices.count < lanes) return false;
  if (has_room(2 * lanes, n, indices.negative)) return look_up_in<T, 2, I>(to, from, n, indices), true;
  if (has_room(4 * lanes, n, indices.negative)) return look_up_in<T, 4, I>(to, from, n, indices), true;
  // Of longer elements as many are taken one by one in that time.
  if constexpr (sizeof(T) == 2 || sizeof(T) == 4)
    if (has_room(8 * lanes, n, indices.negative)) return look_up_in<T, 8, I>(to, from, n, indices), true;
  return false;
}

template <class I>
bool look_up_by(unsigned width, void* to, const void* from, std::size_t from_bit, std::size_t n, const Indices& indices) {
  const auto elements = [&]<class T>(T) HWY_ATTR {
    return look_up_elements<T, I>(static_cast<T*>(to), static_cast<const T*>(from), n, indices);
  };
  switch (width) {
    case 1: {
      auto* words = static_cast<std::uint64_t*>(to);
      const auto* in = static_cast<const std::uint64_t*>(from);
      if (indices.count < 64) return false;
      if (has_room(1024, n, indices.negative)) return look_up_bits<2, I>(words, in, from_bit, n, indices), true;
      return has_room(2048, n, indices.negative) && (look_up_bits<4, I>(words, in, from_bit, n, indices), true);
    }
    case 8: return elements(std::uint8_t{});
    case 16: return elements(std::uint16_t{});
    case 32: return elements(std::uint32_t{});
    default: return elements(std::uint64_t{});
  }
}

}  // namespace
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
