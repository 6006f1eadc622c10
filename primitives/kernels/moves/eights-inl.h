// What a mask selects of eight elements, and the places of its ones there. Included once a target.
#if defined(GRIDDLE_EIGHTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDDLE_EIGHTS_INL_H_
#undef GRIDDLE_EIGHTS_INL_H_
#else
#define GRIDDLE_EIGHTS_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "hwy/highway.h"
#include "primitives/kernels/moves/replicate_places.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

#undef GRIDDLE_REPLICATE_VECTORS
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
#define GRIDDLE_REPLICATE_VECTORS 1
#else
#define GRIDDLE_REPLICATE_VECTORS 0
#endif

// Calls f(place) for each one of a word whose first bit has the place `base`.
template <class F>
HWY_INLINE void for_ones(std::uint64_t word, std::size_t base, F f) {
  for (; word; word &= word - 1) f(base + static_cast<std::size_t>(__builtin_ctzll(word)));
}

#if GRIDDLE_REPLICATE_VECTORS

// Gives the places of the ones of a byte, each as a byte.
HWY_INLINE hn::Vec<hn::FixedTag<std::uint8_t, 8>> places_in_byte(std::uint64_t byte) {
  return hn::LoadU(hn::FixedTag<std::uint8_t, 8>(), reinterpret_cast<const std::uint8_t*>(&places_of_ones_in.of[byte]));
}

// Writes the selected ones of 8 elements, and up to 8 elements in all.
HWY_INLINE void compress_8(std::uint8_t* to, const std::uint8_t* from, std::uint64_t byte) {
  const hn::FixedTag<std::uint8_t, 8> d;
  hn::StoreU(hn::TableLookupBytes(hn::LoadU(d, from), places_in_byte(byte)), d, to);
}
HWY_INLINE void compress_8(std::uint16_t* to, const std::uint16_t* from, std::uint64_t byte) {
  const hn::FixedTag<std::uint8_t, 16> d;
  const auto order = hn::Load(d, pairs_of_ones_in.of[byte]);
  hn::StoreU(hn::TableLookupBytes(hn::LoadU(d, reinterpret_cast<const std::uint8_t*>(from)), order), d,
             reinterpret_cast<std::uint8_t*>(to));
}
HWY_INLINE void compress_8(std::uint32_t* to, const std::uint32_t* from, std::uint64_t byte) {
  const hn::FixedTag<std::uint32_t, 8> d;
  const hn::FixedTag<std::int32_t, 8> places;
  const auto order = hn::PromoteTo(places, places_in_byte(byte));
  hn::StoreU(hn::TableLookupLanes(hn::LoadU(d, from), hn::IndicesFromVec(d, order)), d, to);
}
// Elements of eight bytes are kept in halves of a vector, which need no table. Bit 1 of a lane says whether the second one of its
// half goes there: always to the upper place, and to the lower one where the first is not kept. A shift by four gives what the
// next four bits of a mask say.
HWY_INLINE __m256i chosen_of_two(std::uint64_t mask) {
  return _mm256_setr_epi64x(static_cast<long long>(~mask << 1), -1, static_cast<long long>(~mask >> 1), -1);
}
// Writes both halves, of which the first keeps so many.
HWY_INLINE void compress_4(std::uint64_t* to, std::size_t of_first, const std::uint64_t* from, __m256i choice) {
  const __m256d four = _mm256_loadu_pd(reinterpret_cast<const double*>(from)), kept = _mm256_permutevar_pd(four, choice);
  _mm_storeu_pd(reinterpret_cast<double*>(to), _mm256_castpd256_pd128(kept));
  _mm_storeu_pd(reinterpret_cast<double*>(to + of_first), _mm256_extractf128_pd(kept, 1));
}
HWY_INLINE void compress_8(std::uint64_t* to, const std::uint64_t* from, std::uint64_t byte) {
  const auto count = [byte](std::uint64_t bits) { return static_cast<std::size_t>(__builtin_popcountll(byte & bits)); };
  const __m256i choice = chosen_of_two(byte);
  compress_4(to, count(3), from, choice);
  compress_4(to + count(15), count(0x30), from + 4, _mm256_srli_epi64(choice, 4));
}

// Writes the places of the ones of a byte, of which the first bit has the place `base`, and 8 numbers in all.
template <class T>
HWY_INLINE void places_8(T* to, hn::Vec<hn::FixedTag<T, 8>> base, std::uint64_t byte) {
  const hn::FixedTag<T, 8> d;
  hn::StoreU(hn::Add(hn::PromoteTo(d, places_in_byte(byte)), base), d, to);
}
HWY_INLINE void places_8(std::int8_t* to, std::size_t base, std::uint64_t byte) {
  // They are below 128, so that no sum carries.
  const std::uint64_t places = places_of_ones_in.of[byte] + base * 0x0101010101010101ull;
  std::memcpy(to, &places, 8);
}

#endif

// Writes the places of the ones of eight bits and the next ones, one after the other.
template <class T>
struct PlacesOfEights {
  std::size_t first;
  HWY_INLINE explicit PlacesOfEights(std::size_t place) : first(place) {}
  HWY_INLINE void operator()(T* to, std::size_t k, std::uint64_t byte) const {
#if GRIDDLE_REPLICATE_VECTORS
    if constexpr (std::is_same_v<T, std::int8_t>) return places_8(to, first + k, byte);
#endif
    for_ones(byte, first + k, [&](std::size_t place) HWY_ATTR { *to++ = static_cast<T>(place); });
  }
};
#if GRIDDLE_REPLICATE_VECTORS
template <class T>
requires(sizeof(T) == 2 || std::is_same_v<T, std::int32_t>) struct PlacesOfEights<T> {
  hn::Vec<hn::FixedTag<T, 8>> base, step;
  HWY_INLINE explicit PlacesOfEights(std::size_t place)
      : base(hn::Set(hn::FixedTag<T, 8>(), static_cast<T>(place))), step(hn::Set(hn::FixedTag<T, 8>(), T{8})) {}
  HWY_INLINE void operator()(T* to, std::size_t, std::uint64_t byte) {
    places_8(to, base, byte);
    base = hn::Add(base, step);
  }
};
#endif

}  // namespace
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
