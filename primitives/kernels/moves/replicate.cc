#include "primitives/kernels/moves/replicate.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "primitives/kernels/elementwise/compare.h"
#include "primitives/kernels/moves/bit_spread-inl.h"
#include "primitives/kernels/moves/replicate_places.h"
#include "primitives/kernels/shared/bit_runs.h"
#include "primitives/kernels/shared/convert.h"
#include "primitives/kernels/shared/past_caches-inl.h"
#include "primitives/kernels/shared/pieces.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace replicate_unit {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
HWY_INLINE std::uint64_t deposit_bits(std::uint64_t v, std::uint64_t mask) { return _pdep_u64(v, mask); }
#else
// Puts the low bits of `v` where the mask has ones.
HWY_INLINE std::uint64_t deposit_bits(std::uint64_t v, std::uint64_t mask) {
  std::uint64_t out = 0;
  for (; mask; mask &= mask - 1, v >>= 1)
    if (v & 1) out |= mask & (~mask + 1);
  return out;
}
#endif

// Tells how one of the `times` words that repeat a word of bits comes about. It starts inside a run whose first `begun` bits'
// runs came before; `lead` covers what is left of the last of them.
struct RepeatedWord {
  std::uint64_t starts = 0;
  std::uint64_t lead = 0;
  std::size_t begun = 0;
};

constexpr void plan_repeated_words(RepeatedWord* words, std::size_t times) {
  std::size_t start = 0, begun = 0;  // place of the next run, relative to the word
  for (std::size_t j = 0; j < times; j++) {
    words[j].lead = start ? (std::uint64_t{1} << start) - 1 : 0;
    words[j].begun = begun;
    for (; start < 64; start += times, begun++) words[j].starts |= std::uint64_t{1} << start;
    start -= 64;
  }
}

HWY_INLINE std::uint64_t repeated_word(std::uint64_t word, const RepeatedWord& w, std::uint64_t run) {
  const std::uint64_t rest = w.begun < 64 ? word >> w.begun : 0;
  const std::uint64_t last = w.begun ? word >> (w.begun - 1) & 1 : 0;
  return (w.lead & (0 - last)) | deposit_bits(rest, w.starts) * run;
}

#if HWY_TARGET == HWY_AVX3_DL
// Writes words of n repeated bits, 512 or more, in vectors: which bytes a word's bits come from, which 4 bits each byte, and what
// these become. The last 8 words of the source may come twice.
template <std::size_t times>
void repeat_many_bits_by(std::uint64_t* to, const std::uint64_t* from, std::size_t n) {
  constexpr auto& table = repeated_bits<times>;
  constexpr std::size_t words = 8;
  const __m512i low = _mm512_load_si512(table.bytes_of), high = _mm512_load_si512(table.bytes_of + 64);
  const auto repeated = [=](__m512i bits, std::size_t j) HWY_ATTR {
    const auto& v = table.vectors[j];
    const __m512i bytes = _mm512_permutexvar_epi8(_mm512_load_si512(v.sources), bits);
    const __m512i shifted = _mm512_multishift_epi64_epi8(_mm512_load_si512(v.starts), bytes);
    constexpr int first_and_second_or_third = 0xEA;
    const __m512i place =
        _mm512_ternarylogic_epi32(shifted, _mm512_set1_epi8(0x0F), _mm512_load_si512(v.phases), first_and_second_or_third);
    return _mm512_permutex2var_epi8(low, place, high);
  };
  const std::size_t last = (n + 63) / 64 - words;
  for (std::size_t i = 0; i < last; i += words) {
    const __m512i bits = _mm512_loadu_si512(from + i);
#pragma GCC unroll 8
    for (std::size_t j = 0; j < times; j++) _mm512_storeu_si512(to + i * times + words * j, repeated(bits, j));
  }
  const __m512i bits = _mm512_loadu_si512(from + last);
#pragma GCC unroll 8
  for (std::size_t j = 0; j + 1 < times; j++) _mm512_storeu_si512(to + last * times + words * j, repeated(bits, j));
  const std::size_t written = last * times + words * (times - 1), rest = (n * times + 63) / 64 - written;
  _mm512_mask_storeu_epi64(to + written, static_cast<__mmask8>(low_bits(rest)), repeated(bits, times - 1));
}
#endif

template <std::size_t times>
struct RepeatPlan {
  RepeatedWord words[times];
  constexpr RepeatPlan() { plan_repeated_words(words, times); }
};

// Writes words of n repeated bits, with everything that depends on `times` known beforehand.
template <std::size_t times>
void repeat_bits_by(std::uint64_t* to, const std::uint64_t* from, std::size_t n) {
  static constexpr RepeatPlan<times> plan;
  constexpr std::uint64_t run = (std::uint64_t{1} << times) - 1;
#if HWY_TARGET == HWY_AVX3_DL
  if (n >= 512) return repeat_many_bits_by<times>(to, from, n);
#endif
  for (; n >= 64; n -= 64, to += times) {
    const std::uint64_t word = *from++;
#pragma GCC unroll 8
    for (std::size_t j = 0; j < times; j++) to[j] = repeated_word(word, plan.words[j], run);
  }
  if (n == 0) return;
  const std::uint64_t word = *from & low_bits(n);
  const std::size_t count = (n * times + 63) / 64;
  for (std::size_t j = 0; j < count; j++) to[j] = repeated_word(word, plan.words[j], run);
}

// Writes words of repeated bits, `times` of them for each word of the source; 2 to 63 times.
void repeat_bits(std::uint64_t* to, const std::uint64_t* from, std::size_t n, std::size_t times) {
  static_assert(most_repeated_bits == 8);
  switch (times) {
    case 2: return repeat_bits_by<2>(to, from, n);
    case 3: return repeat_bits_by<3>(to, from, n);
    case 4: return repeat_bits_by<4>(to, from, n);
    case 5: return repeat_bits_by<5>(to, from, n);
    case 6: return repeat_bits_by<6>(to, from, n);
    case 7: return repeat_bits_by<7>(to, from, n);
    case 8: return repeat_bits_by<8>(to, from, n);
    default: break;
  }
  const std::size_t done = spread_bits(to, from, n, times);
  if (done == n) return;
  to += done / 64 * times, from += done / 64, n -= done;
  RepeatedWord words[64];
  plan_repeated_words(words, times);
  const std::uint64_t run = low_bits(times);
  for (std::size_t i = 0; i < n; i += 64) {
    const std::uint64_t word = (from[i / 64] & low_bits(n - i));
    const std::size_t bits = n - i < 64 ? n - i : 64, count = (bits * times + 63) / 64;
    for (std::size_t j = 0; j < count; j++) *to++ = repeated_word(word, words[j], run);
  }
}

#undef GRIDDLE_REPEAT_BYTES
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
#define GRIDDLE_REPEAT_BYTES 32
#else
#define GRIDDLE_REPEAT_BYTES 16
#endif

// Writes `times` vectors for each vector of elements. Vectors for each place are ready where `times` is known when this is
// compiled.
template <class T, class Times>
HWY_INLINE void repeat_vectors(T* to, const T* from, std::size_t n, Times times) {
  constexpr std::size_t bytes = GRIDDLE_REPEAT_BYTES, lanes = bytes / sizeof(T);
  const hn::FixedTag<std::uint8_t, bytes> d;
  const auto& sources = repeated_sources<bytes, sizeof(T)>.by_times[times];
  const auto write_block = [&](std::size_t i) HWY_ATTR {
    const auto* in = reinterpret_cast<const std::uint8_t*>(from + i);
    auto* out = reinterpret_cast<std::uint8_t*>(to + i * times);
    for (std::size_t t = 0; t < times; t++) {
      const auto v = hn::LoadDup128(d, in + sources.start[t]);
      hn::StoreU(hn::TableLookupBytes(v, hn::Load(d, sources.places[t])), d, out + bytes * t);
    }
  };
  for (std::size_t i = 0; i + lanes <= n; i += lanes) write_block(i);
  // The last block may write again what is there.
  if (n % lanes != 0) write_block(n - lanes);
}

#if HWY_TARGET == HWY_AVX3_DL
// The same with vectors of 64 bytes.
template <bool past_caches, class T, class Times>
HWY_INLINE void repeat_whole_vectors(T* to, const T* from, std::size_t n, Times times) {
  constexpr std::size_t bytes = 64, lanes = bytes / sizeof(T);
  const auto& places = repeated_sources<bytes, sizeof(T), bytes>.by_times[times].places;
  const auto write_block = [&](std::size_t i) HWY_ATTR {
    const __m512i v = _mm512_loadu_si512(from + i);
    T* out = to + i * times;
    for (std::size_t t = 0; t < times; t++) {
      const __m512i repeated = _mm512_permutexvar_epi8(_mm512_load_si512(places[t]), v);
      if constexpr (past_caches)
        _mm512_stream_si512(reinterpret_cast<__m512i*>(out + lanes * t), repeated);
      else
        _mm512_storeu_si512(out + lanes * t, repeated);
    }
  };
  const std::size_t whole = n / lanes * lanes;
  for (std::size_t i = 0; i < whole; i += lanes) write_block(i);
  if (n != whole) repeat_whole_vectors<false>(to + (n - lanes) * times, from + n - lanes, lanes, times);
}
template <class T, class Times>
HWY_INLINE void repeat_whole_vectors(T* to, const T* from, std::size_t n, Times times) {
  if (!alone_go_past_caches(to, n * times * sizeof(T))) return repeat_whole_vectors<false>(to, from, n, times);
  repeat_whole_vectors<true>(to, from, n, times);
  hwy::FlushStream();
}
#endif

#if HWY_TARGET == HWY_AVX3_DL
// Shuffles less than a vector of elements into as many vectors as they fill.
template <class T>
HWY_INLINE void repeat_few(T* to, const T* from, std::size_t n, std::size_t times) {
  constexpr std::size_t bytes = 64;
  const auto& places = repeated_sources<bytes, sizeof(T), bytes>.by_times[times].places;
  const __m512i v = _mm512_maskz_loadu_epi8(low_bits(n * sizeof(T)), from);
  const std::size_t total = n * times * sizeof(T);
  for (std::size_t t = 0; t * bytes < total; t++)
    _mm512_mask_storeu_epi8(reinterpret_cast<std::uint8_t*>(to) + t * bytes, low_bits(total - t * bytes),
                            _mm512_permutexvar_epi8(_mm512_load_si512(places[t]), v));
}
#endif

// Shuffles vectors of elements into `times` vectors each. Gives the number of elements done, all or none.
template <class T>
std::size_t repeat_blocks(T* to, const T* from, std::size_t n, std::size_t times) {
  if (times > most_repeated) return 0;
#if HWY_TARGET == HWY_AVX3_DL
  if (n < 64 / sizeof(T) && times > 1) {
    repeat_few(to, from, n, times);
    return n;
  }
#endif
  if (n < GRIDDLE_REPEAT_BYTES / sizeof(T)) return 0;
  const auto run = [=](auto known_times) HWY_ATTR {
#if HWY_TARGET == HWY_AVX3_DL
    if (n >= 64 / sizeof(T)) return repeat_whole_vectors(to, from, n, known_times);
#endif
    repeat_vectors(to, from, n, known_times);
  };
  switch (times) {
    case 2: run(std::integral_constant<std::size_t, 2>()); break;
    case 3: run(std::integral_constant<std::size_t, 3>()); break;
    case 4: run(std::integral_constant<std::size_t, 4>()); break;
    case 5: run(std::integral_constant<std::size_t, 5>()); break;
    case 6: run(std::integral_constant<std::size_t, 6>()); break;
    case 7: run(std::integral_constant<std::size_t, 7>()); break;
    case 8: run(std::integral_constant<std::size_t, 8>()); break;
    default: run(times);
  }
  return n;
}

// Repeats elements so often that a run takes up to four vectors, of which the last runs on over the next run. Gives the number of
// elements done: for others there is no room to run on.
template <class T>
std::size_t repeat_by_vectors(T* to, const T* from, std::size_t n, std::size_t times) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d), vectors = (times + lanes - 1) / lanes;
  if (vectors > 4 || n * times < vectors * lanes) return 0;
  const std::size_t with_room = (n * times - vectors * lanes) / times + 1;
  const auto run = [=](auto known) HWY_ATTR {
    T* out = to;
    for (std::size_t i = 0; i < with_room; i++, out += times) {
      const auto all = hn::Set(d, from[i]);
      for (std::size_t k = 0; k < known; k++) hn::StoreU(all, d, out + k * lanes);
    }
  };
  switch (vectors) {
    case 1: run(std::integral_constant<std::size_t, 1>()); break;
    case 2: run(std::integral_constant<std::size_t, 2>()); break;
    case 3: run(std::integral_constant<std::size_t, 3>()); break;
    default: run(std::integral_constant<std::size_t, 4>()); break;
  }
  return with_room;
}

template <class T>
void repeat_elements(T* to, const T* from, std::size_t n, std::size_t times) {
  std::size_t done = repeat_blocks(to, from, n, times);
  constexpr std::size_t few = 16;
  if (times > few) done += repeat_by_vectors(to + done * times, from + done, n - done, times);
  to += done * times;
  if (times <= few)
    for (std::size_t i = done; i < n; i++)
      for (std::size_t t = 0; t < times; t++) *to++ = from[i];
  else
    for (std::size_t i = done; i < n; i++) to = std::fill_n(to, times, from[i]);
}

void repeat_any(unsigned width, void* to, const void* from, std::size_t n, std::size_t times) {
  if (times == 1 && width != 1) {
    if (n != 0) std::memcpy(to, from, n * width / 8);
    return;
  }
  switch (width) {
    case 1: {
      const auto repeat = times >= 64 || (n < 64 && times > most_repeated_bits) ? repeat_bit_runs : repeat_bits;
      return repeat(static_cast<std::uint64_t*>(to), static_cast<const std::uint64_t*>(from), n, times);
    }
    case 8: return repeat_elements(static_cast<std::uint8_t*>(to), static_cast<const std::uint8_t*>(from), n, times);
    case 16: return repeat_elements(static_cast<std::uint16_t*>(to), static_cast<const std::uint16_t*>(from), n, times);
    case 32: return repeat_elements(static_cast<std::uint32_t*>(to), static_cast<const std::uint32_t*>(from), n, times);
    default: return repeat_elements(static_cast<std::uint64_t*>(to), static_cast<const std::uint64_t*>(from), n, times);
  }
}

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

// Tells whether all of some natural counts are below a power of two.
template <class C>
HWY_INLINE bool is_below(const C* counts, std::size_t n, std::size_t power) {
  std::uint64_t all = 0;
  for (std::size_t k = 0; k < n; k++) all |= static_cast<std::uint64_t>(counts[k]);
  return all < power;
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

// Writes value(i) counts[i] times. Where the result has the room, and a block of counts is small, a few are always written, so
// that short runs need no jump.
template <class T, class C, class F>
HWY_INLINE void write_runs(T* to, std::size_t total, const C* counts, std::size_t n, F value) {
  constexpr std::size_t few = few_repeated<T>, block = 64;
  T* const end = to + total;
  for (std::size_t i = 0; i < n; i += block) {
    const std::size_t m = n - i < block ? n - i : block;
    if (is_below(counts + i, m, few) && has_room(static_cast<std::size_t>(end - to), counts + i, m, few)) {
      for (std::size_t k = 0; k < m; k++) {
        write_few(to, value(i + k));
        to += static_cast<std::size_t>(counts[i + k]);
      }
      continue;
    }
    for (std::size_t k = 0; k < m; k++) {
      const auto count = static_cast<std::size_t>(counts[i + k]);
      const T v = value(i + k);
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
    write_runs(repeated, sum + beyond, counts + i, m, [&bytes](std::size_t k) HWY_ATTR { return bytes[k]; });
    differs(words, repeated, &zero, sum);
    for (std::size_t k = 0; k < sum; k += 64)
      writer.append(words[k / 64] & low_bits(sum - k), std::min<std::size_t>(64, sum - k));
  }
  writer.finish();
}

template <class C>
void runs_by_counts(unsigned width, void* to, std::size_t total, const void* from, const C* counts, std::size_t n) {
  auto run = [=]<class T>(T) HWY_ATTR {
    const T* in = static_cast<const T*>(from);
    write_runs(static_cast<T*>(to), total, counts, n, [in](std::size_t i) HWY_ATTR { return in[i]; });
  };
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
    auto run = [=]<class T>(T) HWY_ATTR {
      write_runs(static_cast<T*>(to), total, p, n, [first](std::size_t i) HWY_ATTR { return static_cast<T>(first + i); });
    };
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
using replicate_unit::repeat_any, replicate_unit::runs_any, replicate_unit::place_runs_any, replicate_unit::add_counts_in;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {

HWY_EXPORT(repeat_any);
HWY_EXPORT(runs_any);
HWY_EXPORT(place_runs_any);
HWY_EXPORT(add_counts_in);

std::size_t add_counts(ElementType type, const void* counts, std::size_t n, double* sum) {
  return HWY_DYNAMIC_DISPATCH(add_counts_in)(type, counts, n, sum);
}

namespace {

// Pieces of bits begin with a word.
constexpr std::size_t least_repeated = 64;

[[gnu::noinline]] void repeat_in_pieces(unsigned width, void* to, const void* from, std::size_t n, std::size_t times) {
  const std::size_t some = std::max(least_repeated, unasked_results / times / 64 * 64);
  for (std::size_t i = 0; i < n; i += some) {
    repeat_each(width, static_cast<std::uint8_t*>(to) + i * times * width / 8,
                static_cast<const std::uint8_t*>(from) + i * width / 8, std::min(some, n - i), times);
    checkpoint();
  }
}

}  // namespace

void repeat_each(unsigned width, void* to, const void* from, std::size_t n, std::size_t times) {
  if (n > least_repeated && n * times > unasked_results) return repeat_in_pieces(width, to, from, n, times);
  HWY_DYNAMIC_DISPATCH(repeat_any)(width, to, from, n, times);
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
