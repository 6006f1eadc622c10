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

// Tells whether all of some natural counts are below a limit.
template <class C>
HWY_INLINE bool all_below(std::size_t limit, const C* counts, std::size_t n) {
  const hn::ScalableTag<C> d;
  const std::size_t lanes = hn::Lanes(d);
  const C end = static_cast<C>(limit);
  if (n < lanes) return std::all_of(counts, counts + n, [end](C count) HWY_ATTR { return count < end; });
  // The last vector overlaps the one before.
  auto greatest = hn::LoadU(d, counts + n - lanes);
  for (std::size_t k = 0; k + lanes < n; k += lanes) greatest = hn::Max(greatest, hn::LoadU(d, counts + k));
  return hn::AllTrue(d, hn::Lt(greatest, hn::Set(d, end)));
}
template <class C>
HWY_INLINE std::size_t sum_of(const C* counts, std::size_t n) {
  std::size_t sum = 0;
  for (std::size_t k = 0; k < n; k++) sum += static_cast<std::size_t>(counts[k]);
  return sum;
}

#undef GRIDDLE_RUNS_OF_FOUR
#define GRIDDLE_RUNS_OF_FOUR (HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL)

// Tells whether counts of some type are soon brought together.
template <class C>
constexpr bool joins_counts = sizeof(C) == 1 || (GRIDDLE_RUNS_OF_FOUR && sizeof(C) <= 4);

// Eight counts, a byte each, which add up to no more than a byte, and how many there are before each.
struct EightCounts {
  std::uint64_t counts, until;
  template <class C>
  HWY_INLINE explicit EightCounts(const C* from) {
    const hn::FixedTag<std::uint8_t, 8> d;
    const hn::FixedTag<C, 8> wide;
    if constexpr (sizeof(C) == 1)
      std::memcpy(&counts, from, sizeof counts);
    else
      hn::StoreU(hn::DemoteTo(d, hn::LoadU(wide, from)), d, reinterpret_cast<std::uint8_t*>(&counts));
    until = counts * 0x0101010101010101;
  }
  HWY_INLINE std::size_t before(std::size_t k) const { return until << 8 >> 8 * k & 0xFF; }
  HWY_INLINE std::size_t all() const { return until >> 56; }
};

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

HWY_INLINE void store_256(void* to, __m256i v) { _mm256_storeu_si256(static_cast<__m256i*>(to), v); }
HWY_INLINE __m128i eight_bytes(const std::uint8_t* bytes) { return _mm_loadl_epi64(reinterpret_cast<const __m128i*>(bytes)); }
HWY_INLINE __m128i all_bytes(const std::uint8_t* bytes) { return _mm_load_si128(reinterpret_cast<const __m128i*>(bytes)); }

// Write 16 elements, up to 12 of which come of four as the places say.
template <class T>
HWY_INLINE void write_runs_of_four(T* to, Repeated<T> source, std::size_t i, const std::uint8_t* places) {
  const auto* const four = reinterpret_cast<const __m128i*>(source.from + i);
  if constexpr (sizeof(T) == 1) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm_shuffle_epi8(_mm_loadu_si32(four), all_bytes(places)));
  } else if constexpr (sizeof(T) == 2) {
    __m256i twice = _mm256_set1_epi16(0x0202);
    asm("" : "+x"(twice));  // compilers would rather shift and add
    const __m256i low_bytes = _mm256_mullo_epi16(_mm256_cvtepu8_epi16(all_bytes(places)), twice);
    const __m256i bytes = _mm256_add_epi16(low_bytes, _mm256_set1_epi16(0x0100));
    store_256(to, _mm256_shuffle_epi8(_mm256_broadcastq_epi64(_mm_loadl_epi64(four)), bytes));
  } else {
    const __m256 v = _mm256_castsi256_ps(_mm256_broadcastsi128_si256(_mm_loadu_si128(four)));
    const auto placed = [v](__m128i eight)
                            HWY_ATTR { return _mm256_castps_si256(_mm256_permutevar_ps(v, _mm256_cvtepu8_epi32(eight))); };
    store_256(to, placed(eight_bytes(places)));
    store_256(to + 8, placed(eight_bytes(places + 8)));
  }
}
template <class T>
HWY_INLINE void write_runs_of_four(T* to, RepeatedPlaces<T> source, std::size_t i, const std::uint8_t* places) {
  const T first = source.at(i);
  if constexpr (sizeof(T) == 1) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm_add_epi8(all_bytes(places), _mm_set1_epi8(first)));
  } else if constexpr (sizeof(T) == 2) {
    store_256(to, _mm256_add_epi16(_mm256_cvtepu8_epi16(all_bytes(places)), _mm256_set1_epi16(first)));
  } else {
    const __m256i all = _mm256_set1_epi32(first);
    store_256(to, _mm256_add_epi32(_mm256_cvtepu8_epi32(eight_bytes(places)), all));
    store_256(to + 8, _mm256_add_epi32(_mm256_cvtepu8_epi32(eight_bytes(places + 8)), all));
  }
}

// Writes what n elements from i on become, a multiple of eight, whose counts are below 4, and gives where that ends.
template <class T, class C, class Source>
HWY_INLINE T* write_few_runs(T* to, const C* counts, std::size_t i, std::size_t n, Source source) {
  for (const std::size_t end = i + n; i < end; i += 8) {
    const EightCounts eight(counts + i);
    const std::size_t both = _pext_u64(eight.counts, 0x0303030303030303);
    write_runs_of_four(to, source, i, runs_of_four.of[both & 255]);
    write_runs_of_four(to + eight.before(4), source, i + 4, runs_of_four.of[both >> 8]);
    to += eight.all();
  }
  return to;
}

#endif

// Writes runs of elements from i on, where there is room for a few more, and gives where they end.
template <class T, class C, class Source>
HWY_INLINE T* write_small_runs(T* to, const C* counts, std::size_t i, std::size_t n, Source source) {
  const std::size_t end = i + n;
  if constexpr (joins_counts<C>)
    for (; i + 8 <= end; i += 8) {
      const EightCounts eight(counts + i);
#pragma GCC unroll 8
      for (std::size_t k = 0; k < 8; k++) write_few(to + eight.before(k), source.at(i + k));
      to += eight.all();
    }
  for (; i < end; i++) {
    write_few(to, source.at(i));
    to += static_cast<std::size_t>(counts[i]);
  }
  return to;
}

// Writes each element of the source counts[i] times. Of a block with small counts, a few are always written, so that short runs
// need no jump; runs of up to three are shuffled four at a time. The last ones go through a buffer that has the room.
template <class T, class C, class Source>
HWY_INLINE void write_runs(T* to, std::size_t total, const C* counts, std::size_t n, Source source) {
  constexpr std::size_t few = few_repeated<T>, block = 64, most_beyond = 16;
  T* const end = to + total;
  for (std::size_t i = 0; i < n; i += block) {
    const std::size_t m = n - i < block ? n - i : block, room = static_cast<std::size_t>(end - to);
    bool shuffled = false;
#if GRIDDLE_RUNS_OF_FOUR
    constexpr bool shuffles = sizeof(T) <= 4 && std::is_integral_v<T> && joins_counts<C>;
    shuffled = shuffles && all_below(4, counts + i, m);
#endif
    if (shuffled || all_below(few, counts + i, m)) {
      T last[block * (few - 1) + most_beyond];
      const bool has_room = room >= m * (shuffled ? 3 : few - 1) + most_beyond;
      T* out = has_room ? to : last;
      std::size_t done = 0;
#if GRIDDLE_RUNS_OF_FOUR
      if constexpr (shuffles)
        if (shuffled) out = write_few_runs(out, counts, i, done = m / 8 * 8, source);
#endif
      out = write_small_runs(out, counts, i + done, m - done, source);
      to = has_room ? out : std::copy(static_cast<T*>(last), out, to);
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

// Adds up narrow counts. Gives n, or the place of the first one below 0.
template <class T>
std::size_t add_narrow(const T* p, std::size_t n, double* sum) {
  using Sum = std::conditional_t<sizeof(T) == 1, std::uint64_t, std::int32_t>;
  const hn::ScalableTag<T> d;
  const hn::Repartition<Sum, decltype(d)> wide;
  constexpr std::size_t block = 4096;  // fits
  const std::size_t lanes = hn::Lanes(d), whole = n / lanes * lanes;
  auto all = hn::Zero(d);
  std::size_t total = 0;
  for (std::size_t i = 0; i < whole; i += block) {
    auto sums = hn::Zero(wide);
    const std::size_t end = std::min(whole, i + block);
    for (std::size_t k = i; k < end; k += lanes) {
      const auto v = hn::LoadU(d, p + k);
      all = hn::Or(all, v);
      if constexpr (sizeof(T) == 1) {
        sums = hn::Add(sums, hn::SumsOf8(hn::BitCast(hn::Repartition<std::uint8_t, decltype(d)>(), v)));
      } else {
        const auto pairs = hn::BitCast(wide, v);
        sums = hn::Add(sums, hn::Add(hn::And(pairs, hn::Set(wide, 0xFFFF)), hn::ShiftRight<16>(pairs)));
      }
    }
    total += static_cast<std::size_t>(hn::GetLane(hn::SumOfLanes(wide, sums)));
  }
  T rest = 0;
  for (std::size_t k = whole; k < n; k++) {
    rest = static_cast<T>(rest | p[k]);
    total += static_cast<std::size_t>(p[k]);
  }
  if (!hn::AllFalse(d, hn::Lt(hn::Or(all, hn::Set(d, rest)), hn::Zero(d))))
    return static_cast<std::size_t>(std::find_if(p, p + n, [](T v) { return v < 0; }) - p);
  *sum = static_cast<double>(total);
  return n;
}

std::size_t add_counts_in(ElementType type, const void* counts, std::size_t n, double* sum) {
  if (type == ElementType::i8) return add_narrow(static_cast<const std::int8_t*>(counts), n, sum);
  if (type == ElementType::i16) return add_narrow(static_cast<const std::int16_t*>(counts), n, sum);
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
