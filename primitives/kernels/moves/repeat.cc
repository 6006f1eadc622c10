// Each element as often as one number says.
#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>

#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "primitives/kernels/moves/repeat_bits-inl.h"
#include "primitives/kernels/moves/replicate.h"
#include "primitives/kernels/moves/replicate_places.h"
#include "primitives/kernels/shared/past_caches-inl.h"
#include "primitives/kernels/shared/pieces.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace repeat_unit {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

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

// The same for runs of at most a word.
template <class T>
std::size_t repeat_by_words(T* to, const T* from, std::size_t n, std::size_t times) {
  constexpr std::size_t in_word = sizeof(std::uint64_t) / sizeof(T);
  if (times > in_word || n * times < in_word) return 0;
  constexpr std::uint64_t each = ~std::uint64_t{0} / std::numeric_limits<T>::max();
  const std::size_t with_room = (n * times - in_word) / times + 1;
  for (std::size_t i = 0; i < with_room; i++) {
    const std::uint64_t word = from[i] * each;
    std::memcpy(to + i * times, &word, sizeof word);
  }
  return with_room;
}

template <class T>
void repeat_elements(T* to, const T* from, std::size_t n, std::size_t times) {
  std::size_t done = repeat_blocks(to, from, n, times);
  constexpr std::size_t few = 16;
  if constexpr (sizeof(T) < sizeof(std::uint64_t)) done += repeat_by_words(to + done * times, from + done, n - done, times);
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
    case 1:
      return repeat_bits_unit::repeat_bits(static_cast<std::uint64_t*>(to), static_cast<const std::uint64_t*>(from), n, times);
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
