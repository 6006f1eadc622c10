// Each element as often as one number says.
#include <algorithm>
#include <cstring>
#include <type_traits>

#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "primitives/kernels/moves/bit_spread-inl.h"
#include "primitives/kernels/moves/replicate.h"
#include "primitives/kernels/moves/replicate_places.h"
#include "primitives/kernels/shared/bit_runs.h"
#include "primitives/kernels/shared/past_caches-inl.h"
#include "primitives/kernels/shared/pieces.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace repeat_unit {
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

}  // namespace
}  // namespace repeat_unit
using repeat_unit::repeat_any;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {

HWY_EXPORT(repeat_any);

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

}  // namespace griddle::kernels
#endif  // HWY_ONCE
