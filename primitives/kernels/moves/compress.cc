#include "primitives/kernels/moves/replicate.h"

#include <cstring>
#include <type_traits>

#include "hwy/highway.h"
#include "primitives/kernels/booleans/bool_fold.h"
#include "primitives/kernels/moves/eights-inl.h"
#include "primitives/kernels/moves/replicate_places.h"
#include "primitives/kernels/shared/bit_runs.h"
#include "primitives/kernels/shared/compressed-inl.h"
#include "primitives/kernels/shared/past_caches-inl.h"
#include "primitives/kernels/shared/pieces.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace compress_unit {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

HWY_INLINE std::uint64_t mask_word(const std::uint64_t* mask, std::size_t i, std::size_t n) {
  return mask[i / 64] & low_bits(n - i);
}

// Words with this many ones or fewer are faster bit by bit. Among many ones it is hard to foresee which way a word goes: there
// only such words do of whose elements a vector holds less than eight.
constexpr int few_ones = 6;
template <class T>
constexpr int few_among_many = sizeof(T) == 8 ? few_ones : 1;

#if GRIDDLE_REPLICATE_VECTORS
HWY_INLINE std::uint64_t extract_bits(std::uint64_t v, std::uint64_t mask) { return _pext_u64(v, mask); }
#else
// Gathers the bits of `v` that the mask selects at the low end.
HWY_INLINE std::uint64_t extract_bits(std::uint64_t v, std::uint64_t mask) {
  std::uint64_t out = 0;
  for (std::uint64_t bit = 1; mask; mask &= mask - 1, bit <<= 1)
    if (v & mask & (~mask + 1)) out |= bit;
  return out;
}
#endif

// Some words of a mask with few ones: their places are listed first, the same number of each word whether it has them or not. It
// is hard to foresee how many ones a word has, and what reads their elements then waits for none but memory.
HWY_INLINE std::size_t ones_of_words(const std::uint64_t* mask, std::size_t words) {
  std::size_t ones = 0;
#pragma GCC unroll 4
  for (std::size_t i = 0; i < words; i++) ones += static_cast<std::size_t>(__builtin_popcountll(mask[i]));
  return ones;
}
constexpr std::size_t block_words = 64, few_in_block = 3 * block_words;
// From so many ones in a word on, on an average, all words of a block go by eights.
template <class T>
constexpr std::size_t dense = sizeof(T) == 8 ? 8 : 3;
template <std::size_t at_once, class T, class Few>
HWY_INLINE T* for_block_of_few(T* to, const std::uint64_t* mask, std::size_t first, Few few) {
  constexpr std::uint64_t top = std::uint64_t{1} << 63;  // so that there is a place to list
  std::uint16_t places[64 * block_words + at_once];
  std::uint16_t* end = places;
  for (std::size_t i = 0; i < block_words; i++) {
    std::uint64_t word = mask[i];
    const auto ones = static_cast<std::size_t>(__builtin_popcountll(word));
    for (std::size_t k = 0; k < at_once; k++, word &= word - 1)
      end[k] = static_cast<std::uint16_t>(64 * i + static_cast<std::size_t>(__builtin_ctzll(word | top)));
    if (ones > at_once) [[unlikely]] {
      std::uint16_t* more = end + at_once;
      for_ones(word, 64 * i, [&](std::size_t place) HWY_ATTR { *more++ = static_cast<std::uint16_t>(place); });
    }
    end += ones;
  }
  for (const std::uint16_t* place = places; place < end; place++) few(to++, first + *place);
  return to;
}
template <class T, class Few>
HWY_INLINE T* for_few(T* to, const std::uint64_t* mask, std::size_t first, std::size_t ones, Few few) {
  if (ones <= block_words / 4) return for_block_of_few<1>(to, mask, first, few);
  if (ones <= block_words) return for_block_of_few<2>(to, mask, first, few);
  return for_block_of_few<4>(to, mask, first, few);
}

// Whole words with ones enough to go by eights, however few some of them have: nothing is asked on the way. A byte of the mask
// that is read on its own needs no shift; but narrow elements are bound by what they read already, places are not.
template <class T>
constexpr bool reads_bytes = sizeof(T) >= 4 || std::is_signed_v<T>;
template <class T, class Eight>
HWY_INLINE T* for_dense_words(T* to, const std::uint64_t* mask, std::size_t words, Eight eight) {
  if constexpr (requires { eight.words(to, mask, words); }) return eight.words(to, mask, words);
  for (std::size_t i = 0; i < words; i++) {
    const std::uint64_t word = mask[i];
#pragma GCC unroll 8
    for (std::size_t k = 0; k < 64; k += 8) {
      const std::uint64_t byte = reads_bytes<T> ? reinterpret_cast<const std::uint8_t*>(mask + i)[k / 8] : word >> k & 0xFF;
      if (sizeof(T) >= 4 && k % (128 / sizeof(T)) == 0) fetch_for_results(to);
      eight(to, 64 * i + k, byte);
      to += __builtin_popcountll(byte);
    }
  }
  return to;
}

// Runs through the mask. Vector code reads eight elements and writes as many, and is used where both have the room: `eights`
// gives for a place what is called for it and each eighth place behind it, one after the other.
template <class T, class Few, class Eights>
HWY_INLINE void for_mask(T* to, std::size_t room, const std::uint64_t* mask, std::size_t n, Few few, Eights eights) {
  T* const end = to + room;
  const auto next_eight = [&](auto& eight, std::uint64_t word, std::size_t k) HWY_ATTR {
    const std::uint64_t byte = word >> k & 0xFF;
    if constexpr (sizeof(T) >= 4) fetch_for_results(to);
    eight(to, k, byte);
    to += __builtin_popcountll(byte);
  };
  constexpr std::size_t block = 64 * block_words;
  int most_few = few_ones;
  std::size_t ones = block;
  for (std::size_t i = 0; i < n; i += 64) {
    if (i % block == 0) {
      T* const begin = to;
      const std::size_t words = std::min(block_words, (n - i) / 64);
      // A block is taken to be like the one before, if that had few.
      if (words < block_words || ones > few_in_block) ones = ones_of_words(mask + i / 64, words);
      const bool has_few = words == block_words && ones <= few_in_block;
      const bool has_many = ones > dense<T> * words && static_cast<std::size_t>(end - to) >= ones + 8;
      if (has_few)
        to = for_few(to, mask + i / 64, i, ones, few);
      else if (GRIDDLE_REPLICATE_VECTORS && has_many)
        to = for_dense_words(to, mask + i / 64, words, eights(i));
      if (has_few || (GRIDDLE_REPLICATE_VECTORS && has_many)) {
        ones = static_cast<std::size_t>(to - begin);
        i += 64 * (words - 1);
        continue;
      }
      if (i != 0) most_few = few_among_many<T>;
    }
    std::uint64_t word = mask_word(mask, i, n);
    if (word == 0) continue;
    const int ones_of_word = __builtin_popcountll(word);
    if (GRIDDLE_REPLICATE_VECTORS && ones_of_word > most_few && end - to >= ones_of_word + 8) {
      auto eight = eights(i);
      if (n - i >= 64) [[likely]] {
        to = for_dense_words(to, mask + i / 64, 1, eight);
        continue;
      }
      const std::size_t whole = (n - i) / 8 * 8;
      for (std::size_t k = 0; k < whole; k += 8) next_eight(eight, word, k);
      word = word >> whole << whole;
    }
    for_ones(word, i, [&](std::size_t place) HWY_ATTR { few(to++, place); });
  }
}

#if GRIDDLE_COMPRESSES_LANES

template <class T>
struct ElementsFrom {
  const T* from;
  T operator[](std::size_t i) const { return from[i]; }
  auto at(std::size_t i) const { return hn::LoadU(hn::ScalableTag<T>(), from + i); }
  auto few(std::size_t i, std::size_t n) const {
    const hn::ScalableTag<T> d;
    return hn::MaskedLoad(hn::FirstN(d, n), d, from + i);
  }
};
// Gives the bits of a mask for the lanes of a vector, from place i on: read on their own, they need no shift.
template <std::size_t lanes>
HWY_INLINE std::uint64_t mask_bits(const std::uint64_t* mask, std::size_t i) {
  std::conditional_t<lanes == 64, std::uint64_t,
                     std::conditional_t<lanes == 32, std::uint32_t, std::conditional_t<lanes == 16, std::uint16_t, std::uint8_t>>>
      bits;
  std::memcpy(&bits, reinterpret_cast<const unsigned char*>(mask) + i / 8, sizeof(bits));
  return bits;
}

// Writes what the mask selects of four vectors of a source, whose places are known before any is written, and gives the place
// behind it; the absent pointer where there may be no room for whole vectors.
template <class T, class Source>
HWY_INLINE T* keep_of_four(T* to, std::size_t room, const std::uint64_t* mask, std::size_t i, Source source) {
  const hn::ScalableTag<T> d;
  constexpr std::size_t lanes = hn::MaxLanes(hn::ScalableTag<T>());
  std::uint64_t bits[4];
  std::size_t places[5] = {};
#pragma GCC unroll 4
  for (std::size_t k = 0; k < 4; k++) {
    bits[k] = mask_bits<lanes>(mask, i + k * lanes);
    places[k + 1] = places[k] + static_cast<std::size_t>(__builtin_popcountll(bits[k]));
  }
  if (room < places[3] + lanes) return nullptr;
  hn::Vec<hn::ScalableTag<T>> kept[4];
#pragma GCC unroll 4
  for (std::size_t k = 0; k < 4; k++) kept[k] = compressed<T>(source.at(i + k * lanes), bits[k]);
#pragma GCC unroll 4
  for (std::size_t k = 0; k < 4; k++) {
    fetch_for_results(to + places[k]);
    hn::StoreU(kept[k], d, to + places[k]);
  }
  return to + places[4];
}

// Writes the lanes of a source that the mask selects; whole vectors of them while there is the room.
template <class T, class Source>
HWY_INLINE void keep_marked(T* to, std::size_t room, const std::uint64_t* mask, std::size_t n, Source source) {
  const hn::ScalableTag<T> d;
  constexpr std::size_t lanes = hn::MaxLanes(hn::ScalableTag<T>());
  // So many ones of a word are faster bit by bit than in its vectors.
  constexpr std::size_t few = lanes >= 32 ? 0 : lanes == 16 ? 2 : 6;
  T* const end = to + room;
  std::size_t i = 0;
  if constexpr (few == 0) {
    for (; i + 4 * lanes <= n; i += 4 * lanes) {
      T* const next = keep_of_four(to, static_cast<std::size_t>(end - to), mask, i, source);
      if (next == nullptr) break;
      to = next;
    }
  }
  for (; i < n; i += 64) {
    const std::uint64_t word = mask_word(mask, i, n);
    const auto ones = static_cast<std::size_t>(__builtin_popcountll(word));
    if (ones <= few) {
      for_ones(word, i, [&](std::size_t place) HWY_ATTR { *to++ = source[place]; });
      continue;
    }
    if (HWY_LIKELY(n - i >= 64 && static_cast<std::size_t>(end - to) >= ones + lanes)) {
#pragma GCC unroll 8
      for (std::size_t k = 0; k < 64; k += lanes) {
        const std::uint64_t bits = mask_bits<lanes>(mask, i + k);
        fetch_for_results(to);
        hn::StoreU(compressed<T>(source.at(i + k), bits), d, to);
        to += __builtin_popcountll(bits);
      }
      continue;
    }
    for (std::size_t k = 0; k < 64 && i + k < n; k += lanes) {
      const std::uint64_t bits = word >> k & low_bits(lanes);
      const auto count = static_cast<std::size_t>(__builtin_popcountll(bits));
      hn::BlendedStore(compressed<T>(source.few(i + k, n - i - k), bits), hn::FirstN(d, count), d, to);
      to += count;
    }
  }
}

template <class T>
struct PlacesFrom {
  T operator[](std::size_t i) const { return static_cast<T>(i); }
  auto at(std::size_t i) const {
    const hn::ScalableTag<T> d;
    return hn::Add(hn::Iota(d, 0), hn::Set(d, static_cast<T>(i)));
  }
  auto few(std::size_t i, std::size_t) const { return at(i); }
};

#if HWY_TARGET == HWY_AVX3_DL

// Writes the places of the ones of each word, which are found as bytes.
template <class T>
HWY_INLINE void write_places(T* to, std::size_t room, const std::uint64_t* bits, std::size_t n) {
  const hn::ScalableTag<T> d;
  const hn::ScalableTag<std::uint8_t> bytes;
  constexpr std::size_t lanes = hn::MaxLanes(hn::ScalableTag<T>());
  T* const end = to + room;
  const auto byte_places = hn::Iota(bytes, 0);
  for (std::size_t i = 0; i < n; i += 64) {
    const std::uint64_t word = mask_word(bits, i, n);
    if (word == 0) continue;
    const auto count = static_cast<std::size_t>(__builtin_popcountll(word));
    const auto places = compressed<std::uint8_t>(byte_places, word);
    const auto base = hn::Set(d, static_cast<T>(i));
    if (HWY_LIKELY(end - to >= 64)) {
      fetch_for_results(to);
      hn::StoreU(numbers_in(d, places, 0, base), d, to);
      if (count > 16) {
        fetch_for_results(to + lanes);
        hn::StoreU(numbers_in(d, places, 1, base), d, to + lanes);
        if constexpr (sizeof(T) == 4) {
          fetch_for_results(to + 2 * lanes);
          hn::StoreU(numbers_in(d, places, 2, base), d, to + 2 * lanes);
          if (count > 48) hn::StoreU(numbers_in(d, places, 3, base), d, to + 3 * lanes);
        }
      }
    } else {
      for (std::size_t k = 0; k * lanes < count; k++)
        hn::BlendedStore(numbers_in(d, places, k, base), hn::FirstN(d, count - k * lanes), d, to + k * lanes);
    }
    to += count;
  }
}

#endif
#endif

// What a mask selects of eight elements, and of the next ones.
template <class T>
struct EightsFrom {
  const T* from;
  HWY_INLINE void operator()(T* to, std::size_t k, std::uint64_t byte) const {
#if GRIDDLE_REPLICATE_VECTORS
    compress_8(to, from + k, byte);
#else
    (void)to, (void)k, (void)byte;
#endif
  }
#if GRIDDLE_REPLICATE_VECTORS
  HWY_INLINE T* words(T* to, const std::uint64_t* mask, std::size_t count) const requires(sizeof(T) == 8) {
    for (std::size_t i = 0; i < count; i++) {
      const std::uint64_t word = mask[i], of_two = word - (word >> 1 & 0x5555555555555555);
      const std::uint64_t of_four = (of_two & 0x3333333333333333) + (of_two >> 2 & 0x3333333333333333);
      __m256i choice = chosen_of_two(word);
#pragma GCC unroll 16
      for (std::size_t k = 0; k < 64; k += 4) {
        if (k % 16 == 0) fetch_for_results(to);
        compress_4(to, of_two >> k & 3, from + 64 * i + k, choice);
        choice = _mm256_srli_epi64(choice, 4);
        to += of_four >> k & 15;
      }
    }
    return to;
  }
#endif
};

template <class T>
void compress_elements(T* to, std::size_t room, const T* from, const std::uint64_t* mask, std::size_t n) {
#if GRIDDLE_COMPRESSES_LANES
  if constexpr (compresses_lanes<T>) return keep_marked(to, room, mask, n, ElementsFrom<T>{from});
#endif
  for_mask(
      to, room, mask, n, [from](T* out, std::size_t place) HWY_ATTR { *out = from[place]; },
      [from](std::size_t first) HWY_ATTR { return EightsFrom<T>{from + first}; });
}

void compress_bits(std::uint64_t* to, const std::uint64_t* from, const std::uint64_t* mask, std::size_t n) {
  BitWriter writer(to);
  const auto append = [&writer](std::uint64_t bits, std::uint64_t kept) HWY_ATTR {
    writer.append(extract_bits(bits, kept), static_cast<std::size_t>(__builtin_popcountll(kept)));
  };
  const std::size_t words = n / 64;
  std::size_t i = 0;
  for (; i + 2 <= words; i += 2) {
    append(from[i], mask[i]);
    append(from[i + 1], mask[i + 1]);
  }
  if (i < words) append(from[i], mask[i]);
  if (n % 64 != 0) append(from[words], mask[words] & low_bits(n % 64));
  writer.finish();
}

void compress_any(unsigned width, void* to, std::size_t room, const void* from, const std::uint64_t* mask, std::size_t n) {
  switch (width) {
    case 1: return compress_bits(static_cast<std::uint64_t*>(to), static_cast<const std::uint64_t*>(from), mask, n);
    case 8: return compress_elements(static_cast<std::uint8_t*>(to), room, static_cast<const std::uint8_t*>(from), mask, n);
    case 16: return compress_elements(static_cast<std::uint16_t*>(to), room, static_cast<const std::uint16_t*>(from), mask, n);
    case 32: return compress_elements(static_cast<std::uint32_t*>(to), room, static_cast<const std::uint32_t*>(from), mask, n);
    default: return compress_elements(static_cast<std::uint64_t*>(to), room, static_cast<const std::uint64_t*>(from), mask, n);
  }
}

template <class T>
void places_in(T* to, std::size_t room, const std::uint64_t* bits, std::size_t n) {
#if HWY_TARGET == HWY_AVX3_DL
  if constexpr (sizeof(T) == 2 || sizeof(T) == 4) return write_places(to, room, bits, n);
#endif
#if GRIDDLE_COMPRESSES_LANES
  if constexpr (compresses_lanes<T> && std::is_integral_v<T>) return keep_marked(to, room, bits, n, PlacesFrom<T>());
#endif
  for_mask(
      to, room, bits, n, [](T* out, std::size_t place) HWY_ATTR { *out = static_cast<T>(place); },
      [](std::size_t first) HWY_ATTR { return PlacesOfEights<T>(first); });
}

void places_any(ElementType type, void* to, std::size_t room, const std::uint64_t* bits, std::size_t n) {
  switch (type) {
    case ElementType::i8: return places_in(static_cast<std::int8_t*>(to), room, bits, n);
    case ElementType::i16: return places_in(static_cast<std::int16_t*>(to), room, bits, n);
    case ElementType::i32: return places_in(static_cast<std::int32_t*>(to), room, bits, n);
    default: return places_in(static_cast<double*>(to), room, bits, n);
  }
}

#if HWY_TARGET == HWY_AVX3_DL
std::size_t ones_in_vectors(const std::uint64_t* bits, std::size_t words) {
  __m512i counts = _mm512_setzero_si512();
  for (std::size_t i = 0; i < words; i += 8) {
    const __mmask8 whole = words - i < 8 ? static_cast<__mmask8>(low_bits(words - i)) : __mmask8{0xFF};
    __m512i these = _mm512_maskz_loadu_epi64(whole, bits + i);
    // Highway does not name VPOPCNTDQ among the instruction sets of its target.
    asm("vpopcntq %0, %0" : "+v"(these));
    counts = _mm512_add_epi64(counts, these);
  }
  return static_cast<std::size_t>(_mm512_reduce_add_epi64(counts));
}
#endif

std::size_t count_ones_in(const std::uint64_t* bits, std::size_t n) {
  const std::size_t words = n / 64;
  std::size_t sum = n % 64 != 0 ? static_cast<std::size_t>(__builtin_popcountll(bits[words] & low_bits(n % 64))) : 0, i = 0;
#if HWY_TARGET == HWY_AVX3_DL
  constexpr std::size_t few = 4;
  if (words > few) return sum + ones_in_vectors(bits, words);
#endif
  for (; i + 4 <= words; i += 4)
    for (std::size_t k = 0; k < 4; k++) sum += static_cast<std::size_t>(__builtin_popcountll(bits[i + k]));
  for (; i < words; i++) sum += static_cast<std::size_t>(__builtin_popcountll(bits[i]));
  return sum;
}

}  // namespace
}  // namespace compress_unit
using compress_unit::count_ones_in, compress_unit::compress_any, compress_unit::places_any;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {

HWY_EXPORT(count_ones_in);
HWY_EXPORT(compress_any);
HWY_EXPORT(places_any);

std::size_t count_ones(const std::uint64_t* bits, std::size_t n) {
  // Many words are counted together.
  constexpr std::size_t many = 4096;
  return n >= many ? bool_fold().count(bits, n, 0) : HWY_DYNAMIC_DISPATCH(count_ones_in)(bits, n);
}

namespace {

constexpr std::size_t compressed_at_once = 8 * long_piece;

[[gnu::noinline]] void compress_in_pieces(unsigned width, void* to, std::size_t room, const void* from, const std::uint64_t* mask,
                                          std::size_t n) {
  const std::size_t bytes = width / 8;
  for (std::size_t i = 0, kept = 0; i < n; i += compressed_at_once) {
    const std::size_t m = std::min(compressed_at_once, n - i);
    compress(width, static_cast<std::uint8_t*>(to) + kept * bytes, room - kept,
             static_cast<const std::uint8_t*>(from) + i * bytes, mask + i / 64, m);
    kept += count_ones(mask + i / 64, m);
    checkpoint();
  }
}

}  // namespace

void compress(unsigned width, void* to, std::size_t room, const void* from, const std::uint64_t* mask, std::size_t n) {
  if (n > compressed_at_once && width != 1) return compress_in_pieces(width, to, room, from, mask, n);
  HWY_DYNAMIC_DISPATCH(compress_any)(width, to, room, from, mask, n);
}

void places_of_ones(ElementType to_type, void* to, std::size_t room, const std::uint64_t* bits, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(places_any)(to_type, to, room, bits, n);
}

}  // namespace griddle::kernels
#endif  // HWY_ONCE
