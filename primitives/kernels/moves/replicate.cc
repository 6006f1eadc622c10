#include "primitives/kernels/moves/replicate.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "hwy/highway.h"
#include "primitives/kernels/elementwise/compare.h"
#include "primitives/kernels/moves/replicate_places.h"
#include "primitives/kernels/shared/bit_runs.h"
#include "primitives/kernels/shared/convert.h"
#include "primitives/kernels/shared/pieces.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace replicate_unit {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

// So many elements are written at once, however often one is repeated.
template <class T>
constexpr std::size_t few_repeated = 16 / sizeof(T) < 4 ? 4 : 16 / sizeof(T);

template <class T>
HWY_INLINE void write_few(T* to, T v) {
  constexpr std::size_t most = hn::MaxLanes(hn::ScalableTag<T>()), lanes = few_repeated<T> < most ? few_repeated<T> : most;
  const hn::CappedTag<T, lanes> d;
  const auto all = hn::Set(d, v);
  for (std::size_t k = 0; k < few_repeated<T>; k += lanes) hn::StoreU(all, d, to + k);
}

// Gives the bits that some natural counts have, which are all below a power of two that is above it.
template <class C>
HWY_INLINE std::uint64_t bits_of_counts(const C* counts, std::size_t n) {
  using Bits = std::conditional_t<std::is_integral_v<C>, C, std::uint64_t>;
  Bits all = 0;
  for (std::size_t k = 0; k < n; k++) all = static_cast<Bits>(all | static_cast<Bits>(counts[k]));
  return static_cast<std::uint64_t>(all);
}
template <class C>
HWY_INLINE std::size_t sum_of(const C* counts, std::size_t n) {
  std::size_t sum = 0;
  for (std::size_t k = 0; k < n; k++) sum += static_cast<std::size_t>(counts[k]);
  return sum;
}
// Tells whether so many more than are counted fit, where no count is above that. Counts only where it is near.
template <class C>
HWY_INLINE bool has_room(std::size_t room, const C* counts, std::size_t n, std::size_t more) {
  return room >= n * more || room >= sum_of(counts, n) + more;
}

#undef GRIDDLE_RUNS_OF_FOUR
#define GRIDDLE_RUNS_OF_FOUR (HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL)

// What is repeated: elements of a list, or places from the first on.
template <class T>
struct Repeated {
  using Element = T;
  const T* from;
  HWY_INLINE T at(std::size_t i) const { return from[i]; }
};
template <class T>
struct RepeatedPlaces {
  using Element = T;
  std::size_t first;
  HWY_INLINE T at(std::size_t i) const { return static_cast<T>(first + i); }
};

#if GRIDDLE_RUNS_OF_FOUR

constexpr std::size_t written_for_four = 16;

HWY_INLINE void store_256(void* to, __m256i v) { _mm256_storeu_si256(static_cast<__m256i*>(to), v); }

// Write 16 elements, up to 12 of which come of four as the places say.
template <class T>
HWY_INLINE void write_runs_of_four(T* to, Repeated<T> source, std::size_t i, __m128i places) {
  const auto* const four = reinterpret_cast<const __m128i*>(source.from + i);
  if constexpr (sizeof(T) == 1) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm_shuffle_epi8(_mm_loadu_si32(four), places));
  } else if constexpr (sizeof(T) == 2) {
    const __m256i low_bytes = _mm256_mullo_epi16(_mm256_cvtepu8_epi16(places), _mm256_set1_epi16(0x0202));
    const __m256i bytes = _mm256_add_epi16(low_bytes, _mm256_set1_epi16(0x0100));
    store_256(to, _mm256_shuffle_epi8(_mm256_broadcastq_epi64(_mm_loadl_epi64(four)), bytes));
  } else {
    const __m256i v = _mm256_castsi128_si256(_mm_loadu_si128(four));
    store_256(to, _mm256_permutevar8x32_epi32(v, _mm256_cvtepu8_epi32(places)));
    store_256(to + 8, _mm256_permutevar8x32_epi32(v, _mm256_cvtepu8_epi32(_mm_srli_si128(places, 8))));
  }
}
template <class T>
HWY_INLINE void write_runs_of_four(T* to, RepeatedPlaces<T> source, std::size_t i, __m128i places) {
  const T first = source.at(i);
  if constexpr (sizeof(T) == 1) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm_add_epi8(places, _mm_set1_epi8(first)));
  } else if constexpr (sizeof(T) == 2) {
    store_256(to, _mm256_add_epi16(_mm256_cvtepu8_epi16(places), _mm256_set1_epi16(first)));
  } else {
    const __m256i all = _mm256_set1_epi32(first);
    store_256(to, _mm256_add_epi32(_mm256_cvtepu8_epi32(places), all));
    store_256(to + 8, _mm256_add_epi32(_mm256_cvtepu8_epi32(_mm_srli_si128(places, 8)), all));
  }
}

// Gives four counts below 4 as a byte. A product brings the bits of four lanes together.
template <class C>
HWY_INLINE std::size_t four_counts(const C* counts) {
  if constexpr (sizeof(C) == 1) {
    std::uint32_t lanes;
    std::memcpy(&lanes, counts, sizeof lanes);
    return lanes * (1u << 24 | 1u << 18 | 1u << 12 | 1u << 6) >> 24;
  } else if constexpr (sizeof(C) == 2) {
    std::uint64_t lanes;
    std::memcpy(&lanes, counts, sizeof lanes);
    return lanes * (1ull << 48 | 1ull << 34 | 1ull << 20 | 1ull << 6) >> 48 & 255;
  } else {
    std::size_t all = 0;
    for (std::size_t k = 0; k < 4; k++) all |= static_cast<std::size_t>(counts[k]) << 2 * k;
    return all;
  }
}

// Writes what n elements from i on become, a multiple of four, and gives where that ends.
template <class T, class C, class Source>
HWY_INLINE T* write_few_runs(T* to, const C* counts, std::size_t i, std::size_t n, Source source) {
  for (const std::size_t end = i + n; i < end; i += 4) {
    const auto& places = runs_of_four.of[four_counts(counts + i)];
    write_runs_of_four(to, source, i, _mm_load_si128(reinterpret_cast<const __m128i*>(places)));
    to += places[15];
  }
  return to;
}

#endif

// Writes each element of the source counts[i] times. Where the result has the room, and a block of counts is small, a few are
// always written, so that short runs need no jump; runs of up to three are shuffled four at a time.
template <class T, class C, class Source>
HWY_INLINE void write_runs(T* to, std::size_t total, const C* counts, std::size_t n, Source source) {
  constexpr std::size_t few = few_repeated<T>, block = 64;
  T* const end = to + total;
  for (std::size_t i = 0; i < n; i += block) {
    const std::size_t m = n - i < block ? n - i : block;
    const std::uint64_t all = bits_of_counts(counts + i, m);
    const auto has_room_for = [&](std::size_t more) { return has_room(static_cast<std::size_t>(end - to), counts + i, m, more); };
#if GRIDDLE_RUNS_OF_FOUR
    if constexpr (sizeof(T) <= 4 && std::is_integral_v<T>)
      if (all < 4 && m % 4 == 0 && has_room_for(written_for_four)) {
        to = write_few_runs(to, counts, i, m, source);
        continue;
      }
#endif
    if (all < few && has_room_for(few)) {
      for (std::size_t k = 0; k < m; k++) {
        write_few(to, source.at(i + k));
        to += static_cast<std::size_t>(counts[i + k]);
      }
      continue;
    }
    for (std::size_t k = 0; k < m; k++) {
      const auto count = static_cast<std::size_t>(counts[i + k]);
      const T v = source.at(i + k);
      if (count > few || static_cast<std::size_t>(end - to) < few)
        std::fill_n(to, count, v);
      else
        write_few(to, v);
      to += count;
    }
  }
}

// Repeats bits as bytes, a piece at a time, where they do not become many.
template <class C>
void bit_runs_by_counts(std::uint64_t* to, const std::uint64_t* from, const C* counts, std::size_t n) {
  constexpr std::size_t piece = 256, most = 2048, beyond = few_repeated<std::uint8_t>;
  const auto expand = convert().expand[static_cast<int>(ElementType::i8)];
  const Dyad differs = compare().compare[static_cast<int>(Comparison::not_equal)][compared_i8][array_scalar];
  const std::uint8_t zero = 0;
  std::uint8_t bytes[piece], repeated[most + beyond];
  std::uint64_t words[most / 64];
  BitWriter writer(to);
  ElementsDone done;
  for (std::size_t i = 0; i < n; i += piece) {
    const std::size_t m = std::min(piece, n - i), sum = sum_of(counts + i, m);
    done.add(m + sum / 64);
    if (sum > most) {
      for (std::size_t k = i; k < i + m; k++) writer.append_run(read_bit(from, k), static_cast<std::size_t>(counts[k]));
      continue;
    }
    expand(bytes, from, i, m);
    write_runs(repeated, sum + beyond, counts + i, m, Repeated<std::uint8_t>{bytes});
    differs(words, repeated, &zero, sum);
    for (std::size_t k = 0; k < sum; k += 64)
      writer.append(words[k / 64] & low_bits(sum - k), std::min<std::size_t>(64, sum - k));
  }
  writer.finish();
}

template <class C>
void runs_by_counts(unsigned width, void* to, std::size_t total, const void* from, const C* counts, std::size_t n) {
  auto run = [=]<class T>(T)
                 HWY_ATTR { write_runs(static_cast<T*>(to), total, counts, n, Repeated<T>{static_cast<const T*>(from)}); };
  switch (width) {
    case 1: return bit_runs_by_counts(static_cast<std::uint64_t*>(to), static_cast<const std::uint64_t*>(from), counts, n);
    case 8: return run(std::uint8_t{});
    case 16: return run(std::uint16_t{});
    case 32: return run(std::uint32_t{});
    default: return run(std::uint64_t{});
  }
}
void runs_any(unsigned width, void* to, std::size_t total, const void* from, ElementType type, const void* counts,
              std::size_t n) {
  with_counts(type, counts, [=](const auto* p) HWY_ATTR { runs_by_counts(width, to, total, from, p, n); });
}

void place_runs_any(ElementType to_type, void* to, std::size_t total, ElementType type, const void* counts, std::size_t n,
                    std::size_t first) {
  with_counts(type, counts, [=](const auto* p) HWY_ATTR {
    auto run = [=]<class T>(T) HWY_ATTR { write_runs(static_cast<T*>(to), total, p, n, RepeatedPlaces<T>{first}); };
    switch (to_type) {
      case ElementType::i8: return run(std::int8_t{});
      case ElementType::i16: return run(std::int16_t{});
      case ElementType::i32: return run(std::int32_t{});
      default: return run(double{});
    }
  });
}

std::size_t add_counts_in(ElementType type, const void* counts, std::size_t n, double* sum) {
  return with_counts(type, counts, [&]<class T>(const T* p) HWY_ATTR {
    constexpr std::size_t block = 256;
    constexpr double largest = 9007199254740992.0;
    auto natural = [](T v) HWY_ATTR {
      auto d = static_cast<double>(v);
      return d >= 0 && d <= largest && static_cast<double>(static_cast<std::int64_t>(d)) == d;
    };
    double total = 0;
    for (std::size_t i = 0; i < n; i += block) {
      std::size_t end = std::min(n, i + block);
      bool bad = false;
      if constexpr (std::is_same_v<T, double>) {
        for (std::size_t j = i; j < end; j++) {
          bad |= !natural(p[j]);
          total += p[j];
        }
      } else {
        // A block of narrow counts fits 32 bits.
        std::conditional_t<sizeof(T) == 4, std::int64_t, std::int32_t> part = 0;
        T all = 0;
        for (std::size_t j = i; j < end; j++) {
          all |= p[j];
          part += p[j];
        }
        bad = all < 0;
        total += static_cast<double>(part);
      }
      if (bad)
        for (std::size_t j = i; j < end; j++)
          if (!natural(p[j])) return j;
    }
    *sum = total;
    return n;
  });
}

}  // namespace
}  // namespace replicate_unit
using replicate_unit::runs_any, replicate_unit::place_runs_any, replicate_unit::add_counts_in;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {

HWY_EXPORT(runs_any);
HWY_EXPORT(place_runs_any);
HWY_EXPORT(add_counts_in);

std::size_t add_counts(ElementType type, const void* counts, std::size_t n, double* sum) {
  return HWY_DYNAMIC_DISPATCH(add_counts_in)(type, counts, n, sum);
}

namespace {

// Calls write(i, m, done) for pieces of counts, the i-th and m - 1 more, before which others add up to `done`.
template <class Write>
[[gnu::noinline]] void run_in_pieces(ElementType type, const void* counts, std::size_t n, std::size_t total, Write write) {
  const std::size_t some = std::max<std::size_t>(64, unasked_results / (total / n + 1));
  for (std::size_t i = 0, done = 0; i < n; i += some) {
    const std::size_t m = std::min(some, n - i);
    double sum = 0;
    add_counts(type, static_cast<const std::uint8_t*>(counts) + i * bits_of(type) / 8, m, &sum);
    write(i, m, done);
    done += static_cast<std::size_t>(sum);
    checkpoint();
  }
}

}  // namespace

void repeat_by_counts(unsigned width, void* to, std::size_t total, const void* from, ElementType type, const void* counts,
                      std::size_t n) {
  if (total <= unasked_results || width == 1) return HWY_DYNAMIC_DISPATCH(runs_any)(width, to, total, from, type, counts, n);
  run_in_pieces(type, counts, n, total, [=](std::size_t i, std::size_t m, std::size_t done) {
    HWY_DYNAMIC_DISPATCH(runs_any)
    (width, static_cast<std::uint8_t*>(to) + done * width / 8, total - done,
     static_cast<const std::uint8_t*>(from) + i * width / 8, type,
     static_cast<const std::uint8_t*>(counts) + i * bits_of(type) / 8, m);
  });
}

void places_by_counts(ElementType to_type, void* to, std::size_t total, ElementType type, const void* counts, std::size_t n) {
  if (total <= unasked_results) return HWY_DYNAMIC_DISPATCH(place_runs_any)(to_type, to, total, type, counts, n, 0);
  run_in_pieces(type, counts, n, total, [=](std::size_t i, std::size_t m, std::size_t done) {
    HWY_DYNAMIC_DISPATCH(place_runs_any)
    (to_type, static_cast<std::uint8_t*>(to) + done * bits_of(to_type) / 8, total - done, type,
     static_cast<const std::uint8_t*>(counts) + i * bits_of(type) / 8, m, i);
  });
}

}  // namespace griddle::kernels
#endif  // HWY_ONCE
