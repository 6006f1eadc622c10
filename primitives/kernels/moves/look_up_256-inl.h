// Tables of up to 256 bytes or bits in registers of AVX2, whose shuffles know 16 bytes each. Included by `look_up.cc` for AVX2
// alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "hwy/highway.h"
#include "primitives/kernels/moves/select.h"
#include "primitives/kernels/shared/bit_runs.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace {

constexpr std::size_t places_at_a_time = 32;

HWY_INLINE __m256i load_256(const void* from) { return _mm256_loadu_si256(static_cast<const __m256i*>(from)); }
HWY_INLINE void store_256(void* to, __m256i v) { _mm256_storeu_si256(static_cast<__m256i*>(to), v); }

// Gives 32 places as bytes without signs, in order; those below 0 count from n, which is at most 256.
HWY_INLINE __m256i places_of(const std::int8_t* index, std::size_t n) {
  const __m256i v = load_256(index), below = _mm256_cmpgt_epi8(_mm256_setzero_si256(), v);
  return _mm256_add_epi8(v, _mm256_and_si256(below, _mm256_set1_epi8(static_cast<char>(n))));
}
HWY_INLINE __m256i from_end(__m256i v, std::size_t n) {
  return _mm256_add_epi16(v, _mm256_and_si256(_mm256_srai_epi16(v, 15), _mm256_set1_epi16(static_cast<short>(n))));
}
HWY_INLINE __m256i places_of(const std::int16_t* index, std::size_t n) {
  const __m256i packed = _mm256_packus_epi16(from_end(load_256(index), n), from_end(load_256(index + 16), n));
  return _mm256_permute4x64_epi64(packed, 0xd8);
}
HWY_INLINE __m256i places_of(const std::int32_t* index, std::size_t n) {
  const __m256i first = _mm256_packs_epi32(load_256(index), load_256(index + 8)),
                second = _mm256_packs_epi32(load_256(index + 16), load_256(index + 24));
  const __m256i packed = _mm256_packus_epi16(from_end(first, n), from_end(second, n));
  return _mm256_permutevar8x32_epi32(packed, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
}

// Bytes in so many registers, each of which has 16 twice. A place has a bit for each half, and its upper bits are 0.
// Of 256 bytes, of which registers have no room, each is loaded where it is looked into.
template <std::size_t registers>
struct BytesAtHand {
  __m256i part[registers];

  HWY_INLINE explicit BytesAtHand(const std::uint8_t* bytes) {
    for (std::size_t k = 0; k < registers; k++)
      part[k] = _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + 16 * k)));
  }
  template <std::size_t count = registers, std::size_t first = 0>
  HWY_INLINE __m256i at(__m256i place) const {
    if constexpr (count == 1) {
      return _mm256_shuffle_epi8(part[first], place);
    } else if constexpr (count == 16) {
      const __m256i within = _mm256_and_si256(place, _mm256_set1_epi8(127));
      return _mm256_blendv_epi8(at<8>(within), at<8, 8>(within), place);
    } else {
      // The bit that tells the halves apart goes where a blend looks for it.
      constexpr int shift = count == 2 ? 3 : count == 4 ? 2 : 1;
      return _mm256_blendv_epi8(at<count / 2, first>(place), at<count / 2, first + count / 2>(place),
                                _mm256_slli_epi16(place, shift));
    }
  }
};

// Puts places in the order in which the bytes of elements of T are then put together within the halves of registers.
template <class T>
HWY_INLINE __m256i places_for(__m256i place) {
  if constexpr (sizeof(T) == 1) {
    return place;
  } else if constexpr (sizeof(T) == 2) {
    return _mm256_permute4x64_epi64(place, 0xd8);
  } else if constexpr (sizeof(T) == 4) {
    return _mm256_permutevar8x32_epi32(place, _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7));
  } else {
    const __m256i even_first = _mm256_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15,  //
                                                0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15);
    return _mm256_permute4x64_epi64(_mm256_shuffle_epi8(place, even_first), 0xd8);
  }
}

// Stores 32 elements of which byte k stands in v[k].
template <class T>
HWY_INLINE void store_elements(T* to, const __m256i* v) {
  if constexpr (sizeof(T) == 1) {
    store_256(to, v[0]);
  } else if constexpr (sizeof(T) == 2) {
    store_256(to, _mm256_unpacklo_epi8(v[0], v[1]));
    store_256(to + 16, _mm256_unpackhi_epi8(v[0], v[1]));
  } else if constexpr (sizeof(T) == 4) {
    for (std::size_t half = 0; half < 2; half++) {
      const __m256i low = half == 0 ? _mm256_unpacklo_epi8(v[0], v[1]) : _mm256_unpackhi_epi8(v[0], v[1]);
      const __m256i high = half == 0 ? _mm256_unpacklo_epi8(v[2], v[3]) : _mm256_unpackhi_epi8(v[2], v[3]);
      store_256(to + 16 * half, _mm256_unpacklo_epi16(low, high));
      store_256(to + 16 * half + 8, _mm256_unpackhi_epi16(low, high));
    }
  } else {
    for (std::size_t half = 0; half < 2; half++) {
      __m256i pair[4];
      for (std::size_t k = 0; k < 4; k++)
        pair[k] = half == 0 ? _mm256_unpacklo_epi8(v[2 * k], v[2 * k + 1]) : _mm256_unpackhi_epi8(v[2 * k], v[2 * k + 1]);
      for (std::size_t quarter = 0; quarter < 2; quarter++) {
        const auto fours = [&](std::size_t k) HWY_ATTR {
          return quarter == 0 ? _mm256_unpacklo_epi16(pair[k], pair[k + 1]) : _mm256_unpackhi_epi16(pair[k], pair[k + 1]);
        };
        const __m256i low = fours(0), high = fours(2);
        T* const out = to + 16 * half + 8 * quarter;
        store_256(out, _mm256_unpacklo_epi32(low, high));
        store_256(out + 4, _mm256_unpackhi_epi32(low, high));
      }
    }
  }
}

// Looks elements up in a table of at most 16 * registers, which is a table of bytes for each byte of an element. There are 32
// places at least, and the last 32 may begin within those before.
template <class T, std::size_t registers, class I>
HWY_INLINE void look_elements_up(T* to, const T* from, std::size_t n, const I* index, std::size_t count) {
  constexpr std::size_t room = 16 * registers;
  std::uint8_t bytes[sizeof(T) * room] = {};
  if constexpr (sizeof(T) == 1)
    std::memcpy(bytes, from, n);
  else
    for (std::size_t k = 0; k < n; k++)
      for (std::size_t byte = 0; byte < sizeof(T); byte++)
        bytes[room * byte + k] = static_cast<std::uint8_t>(from[k] >> (8 * byte));
  const auto store_at = [&](std::size_t i) HWY_ATTR {
    const __m256i place = places_for<T>(places_of(index + i, n));
    __m256i v[sizeof(T)];
    for (std::size_t byte = 0; byte < sizeof(T); byte++) v[byte] = BytesAtHand<registers>(bytes + room * byte).at(place);
    store_elements(to + i, v);
  };
  for (std::size_t i = 0; i + places_at_a_time <= count; i += places_at_a_time) store_at(i);
  if (count % places_at_a_time != 0) store_at(count - places_at_a_time);
}

template <std::size_t registers, class I>
HWY_INLINE void look_bits_up(std::uint64_t* to, const std::uint8_t* table, std::size_t n, const I* index, std::size_t count) {
  const BytesAtHand<registers> bytes(table);
  const __m256i one_bit = _mm256_set1_epi64x(static_cast<long long>(0x8040201008040201)), low = _mm256_set1_epi8(7);
  const auto bits_at = [&](const I* at) HWY_ATTR {
    const __m256i place = places_of(at, n), bit = _mm256_shuffle_epi8(one_bit, _mm256_and_si256(place, low));
    const __m256i byte = bytes.at(_mm256_and_si256(_mm256_srli_epi16(place, 3), _mm256_set1_epi8(31)));
    return static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_and_si256(byte, bit), bit)));
  };
  std::size_t i = 0;
  for (; i + 2 * places_at_a_time <= count; i += 2 * places_at_a_time)
    to[i / 64] = bits_at(index + i) | std::uint64_t{bits_at(index + i + places_at_a_time)} << places_at_a_time;
  if (i == count) return;
  I last[2 * places_at_a_time] = {};
  std::memcpy(last, index + i, (count - i) * sizeof(I));
  write_bits(to, i, count - i,
             (bits_at(last) | std::uint64_t{bits_at(last + places_at_a_time)} << places_at_a_time) & low_bits(count - i));
}

// Up to how many elements are looked up sooner than they are picked from memory, where there are enough places.
template <class T>
constexpr std::size_t most_in_registers = sizeof(T) == 1   ? 256
                                          : sizeof(T) == 2 ? 128
                                          : sizeof(T) == 4 ? 64
                                                           : 16;
constexpr std::size_t places_for_each_byte = 2;

template <class I>
bool look_up_by(unsigned width, void* to, const void* from, std::size_t from_bit, std::size_t n, const Indices& indices) {
  const I* const index = static_cast<const I*>(indices.data);
  const std::size_t count = indices.count;
  if (count < places_at_a_time) return false;
  const auto elements = [&]<class T>(T) HWY_ATTR {
    if (n > most_in_registers<T> || count < places_for_each_byte * n * sizeof(T)) return false;
    T* const out = static_cast<T*>(to);
    const T* const in = static_cast<const T*>(from);
    if (n <= 16) return look_elements_up<T, 1>(out, in, n, index, count), true;
    if constexpr (sizeof(T) <= 4)
      if (n <= 32) return look_elements_up<T, 2>(out, in, n, index, count), true;
    if constexpr (sizeof(T) <= 4)
      if (n <= 64) return look_elements_up<T, 4>(out, in, n, index, count), true;
    if constexpr (sizeof(T) <= 2)
      if (n <= 128) return look_elements_up<T, 8>(out, in, n, index, count), true;
    if constexpr (sizeof(T) == 1) look_elements_up<T, 16>(out, in, n, index, count);
    return true;
  };
  switch (width) {
    case 1: {
      if (n > 256) return false;
      std::uint64_t table[4] = {};
      copy_bit_run(table, 0, static_cast<const std::uint64_t*>(from), from_bit, n);
      auto* const out = static_cast<std::uint64_t*>(to);
      const auto* const bytes = reinterpret_cast<const std::uint8_t*>(table);
      n <= 128 ? look_bits_up<1>(out, bytes, n, index, count) : look_bits_up<2>(out, bytes, n, index, count);
      return true;
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
