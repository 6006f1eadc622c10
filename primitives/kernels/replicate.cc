#include "primitives/kernels/replicate.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "primitives/kernels/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "primitives/kernels/replicate.cc"
#include "hwy/foreach_target.h"
//
#include "hwy/highway.h"
#include "primitives/kernels/bit_runs.h"
#include "primitives/kernels/bool_fold.h"
#include "primitives/kernels/replicate_places.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

// Calls f(place) for each one of a word whose first bit has the place `base`.
template <class F>
HWY_INLINE void for_ones(std::uint64_t word, std::size_t base, F f) {
  for (; word; word &= word - 1) f(base + static_cast<std::size_t>(__builtin_ctzll(word)));
}

HWY_INLINE std::uint64_t mask_word(const std::uint64_t* mask, std::size_t i, std::size_t n) {
  return mask[i / 64] & low_bits(n - i);
}

// Words with this many ones or fewer are faster bit by bit.
constexpr int few_ones = 6;

#undef GRIDDLE_REPLICATE_VECTORS
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
#define GRIDDLE_REPLICATE_VECTORS 1
HWY_INLINE std::uint64_t extract_bits(std::uint64_t v, std::uint64_t mask) { return _pext_u64(v, mask); }
HWY_INLINE std::uint64_t deposit_bits(std::uint64_t v, std::uint64_t mask) { return _pdep_u64(v, mask); }
#else
#define GRIDDLE_REPLICATE_VECTORS 0
// Gathers the bits of `v` that the mask selects at the low end.
HWY_INLINE std::uint64_t extract_bits(std::uint64_t v, std::uint64_t mask) {
  std::uint64_t out = 0;
  for (std::uint64_t bit = 1; mask; mask &= mask - 1, bit <<= 1)
    if (v & mask & (~mask + 1)) out |= bit;
  return out;
}
// Puts the low bits of `v` where the mask has ones.
HWY_INLINE std::uint64_t deposit_bits(std::uint64_t v, std::uint64_t mask) {
  std::uint64_t out = 0;
  for (; mask; mask &= mask - 1, v >>= 1)
    if (v & 1) out |= mask & (~mask + 1);
  return out;
}
#endif

#if GRIDDLE_REPLICATE_VECTORS

HWY_INLINE hn::Vec<hn::FixedTag<std::uint8_t, 8>> packed_bytes(std::uint64_t v) {
  return hn::BitCast(hn::FixedTag<std::uint8_t, 8>(), hn::Set(hn::FixedTag<std::uint64_t, 1>(), v));
}

// Writes the selected ones of 8 elements, and up to 8 elements in all.
HWY_INLINE void compress_8(std::uint8_t* to, const std::uint8_t* from, std::uint64_t byte) {
  const hn::FixedTag<std::uint8_t, 8> d;
  hn::StoreU(hn::TableLookupBytes(hn::LoadU(d, from), packed_bytes(places_of_ones_in.of[byte])), d, to);
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
  const auto order = hn::PromoteTo(places, packed_bytes(places_of_ones_in.of[byte]));
  hn::StoreU(hn::TableLookupLanes(hn::LoadU(d, from), hn::IndicesFromVec(d, order)), d, to);
}
// Moves 64-bit elements as pairs of 32 bits.
HWY_INLINE void compress_4(std::uint64_t* to, const std::uint64_t* from, std::uint64_t nibble) {
  const hn::FixedTag<std::uint32_t, 8> d;
  const hn::FixedTag<std::int32_t, 8> places;
  const auto order = hn::Load(places, halves_of_ones_in.of[nibble]);
  const auto v = hn::BitCast(d, hn::LoadU(hn::FixedTag<std::uint64_t, 4>(), from));
  hn::StoreU(hn::BitCast(hn::FixedTag<std::uint64_t, 4>(), hn::TableLookupLanes(v, hn::IndicesFromVec(d, order))),
             hn::FixedTag<std::uint64_t, 4>(), to);
}
HWY_INLINE void compress_8(std::uint64_t* to, const std::uint64_t* from, std::uint64_t byte) {
  compress_4(to, from, byte & 15);
  compress_4(to + __builtin_popcountll(byte & 15), from + 4, byte >> 4);
}

// Writes the places of the ones of a byte, and 8 numbers in all.
template <class T>
HWY_INLINE void places_8(T* to, std::size_t base, std::uint64_t byte) {
  const hn::FixedTag<T, 8> d;
  const auto places = hn::PromoteTo(d, packed_bytes(places_of_ones_in.of[byte]));
  hn::StoreU(hn::Add(places, hn::Set(d, static_cast<T>(base))), d, to);
}

#endif

// Runs through the mask. Vector code reads eight elements and writes as many, and is used where both have the room.
template <class T, class Few, class Eight>
HWY_INLINE void for_mask(T* to, std::size_t room, const std::uint64_t* mask, std::size_t n, Few few, Eight eight) {
  T* const end = to + room;
  const auto next_eight = [&](std::uint64_t word, std::size_t base, std::size_t k) HWY_ATTR {
    const std::uint64_t byte = word >> k & 0xFF;
    eight(to, base + k, byte);
    to += __builtin_popcountll(byte);
  };
  for (std::size_t i = 0; i < n; i += 64) {
    std::uint64_t word = mask_word(mask, i, n);
    if (word == 0) continue;
    const int ones = __builtin_popcountll(word);
    if (GRIDDLE_REPLICATE_VECTORS && ones > few_ones && end - to >= ones + 8) {
      if (n - i >= 64) [[likely]] {
#pragma GCC unroll 8
        for (std::size_t k = 0; k < 64; k += 8) next_eight(word, i, k);
        continue;
      }
      const std::size_t whole = (n - i) / 8 * 8;
      for (std::size_t k = 0; k < whole; k += 8) next_eight(word, i, k);
      word = word >> whole << whole;
    }
    for_ones(word, i, [&](std::size_t place) HWY_ATTR { few(to++, place); });
  }
}

std::size_t count_ones_in(const std::uint64_t* bits, std::size_t n) {
  std::size_t sum = 0;
  for (std::size_t i = 0; i < n / 64; i++) sum += static_cast<std::size_t>(__builtin_popcountll(bits[i]));
  if (n % 64) sum += static_cast<std::size_t>(__builtin_popcountll(bits[n / 64] & low_bits(n % 64)));
  return sum;
}

template <class T>
void compress_elements(T* to, std::size_t room, const T* from, const std::uint64_t* mask, std::size_t n) {
  for_mask(
      to, room, mask, n, [from](T* out, std::size_t place) HWY_ATTR { *out = from[place]; },
      [from](T* out, std::size_t place, std::uint64_t byte) HWY_ATTR {
#if GRIDDLE_REPLICATE_VECTORS
        compress_8(out, from + place, byte);
#else
        (void)from, (void)out, (void)place, (void)byte;
#endif
      });
}

void compress_any(unsigned width, void* to, std::size_t room, const void* from, const std::uint64_t* mask, std::size_t n) {
  switch (width) {
    case 1: {
      BitWriter writer(static_cast<std::uint64_t*>(to));
      const auto* words = static_cast<const std::uint64_t*>(from);
      const auto append = [&](std::size_t i, std::uint64_t word) HWY_ATTR {
        writer.append(extract_bits(words[i], word), static_cast<std::size_t>(__builtin_popcountll(word)));
      };
      for (std::size_t i = 0; i < n / 64; i++) append(i, mask[i]);
      if (n % 64 != 0) append(n / 64, mask[n / 64] & low_bits(n % 64));
      return writer.finish();
    }
    case 8: return compress_elements(static_cast<std::uint8_t*>(to), room, static_cast<const std::uint8_t*>(from), mask, n);
    case 16: return compress_elements(static_cast<std::uint16_t*>(to), room, static_cast<const std::uint16_t*>(from), mask, n);
    case 32: return compress_elements(static_cast<std::uint32_t*>(to), room, static_cast<const std::uint32_t*>(from), mask, n);
    default: return compress_elements(static_cast<std::uint64_t*>(to), room, static_cast<const std::uint64_t*>(from), mask, n);
  }
}

template <class T>
void places_in(T* to, std::size_t room, const std::uint64_t* bits, std::size_t n) {
  for_mask(
      to, room, bits, n, [](T* out, std::size_t place) HWY_ATTR { *out = static_cast<T>(place); },
      [](T* out, std::size_t place, std::uint64_t byte) HWY_ATTR {
#if GRIDDLE_REPLICATE_VECTORS
        if constexpr (std::is_same_v<T, std::int8_t>) {
          // Places of bytes are below 128, so that no sum carries.
          const std::uint64_t places = places_of_ones_in.of[byte] + place * 0x0101010101010101ull;
          std::memcpy(out, &places, 8);
        } else if constexpr (std::is_same_v<T, std::int16_t> || std::is_same_v<T, std::int32_t>)
          places_8(out, place, byte);
        else
          for_ones(byte, place, [&](std::size_t p) HWY_ATTR { *out++ = static_cast<T>(p); });
#else
        (void)out, (void)place, (void)byte;
#endif
      });
}

void places_any(ElementType type, void* to, std::size_t room, const std::uint64_t* bits, std::size_t n) {
  switch (type) {
    case ElementType::i8: return places_in(static_cast<std::int8_t*>(to), room, bits, n);
    case ElementType::i16: return places_in(static_cast<std::int16_t*>(to), room, bits, n);
    case ElementType::i32: return places_in(static_cast<std::int32_t*>(to), room, bits, n);
    default: return places_in(static_cast<double*>(to), room, bits, n);
  }
}

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
  RepeatedWord words[64];
  plan_repeated_words(words, times);
  const std::uint64_t run = low_bits(times);
  for (std::size_t i = 0; i < n; i += 64) {
    const std::uint64_t word = mask_word(from, i, n);
    const std::size_t bits = n - i < 64 ? n - i : 64, count = (bits * times + 63) / 64;
    for (std::size_t j = 0; j < count; j++) *to++ = repeated_word(word, words[j], run);
  }
}

#if HWY_TARGET == HWY_SCALAR

template <class T>
std::size_t repeat_blocks(T*, const T*, std::size_t, std::size_t) {
  return 0;
}

#else

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

// Shuffles vectors of elements into `times` vectors each. Gives the number of elements done, all or none.
template <class T>
std::size_t repeat_blocks(T* to, const T* from, std::size_t n, std::size_t times) {
  if (times > most_repeated || n < GRIDDLE_REPEAT_BYTES / sizeof(T)) return 0;
  switch (times) {
    case 2: repeat_vectors(to, from, n, std::integral_constant<std::size_t, 2>()); break;
    case 3: repeat_vectors(to, from, n, std::integral_constant<std::size_t, 3>()); break;
    case 4: repeat_vectors(to, from, n, std::integral_constant<std::size_t, 4>()); break;
    default: repeat_vectors(to, from, n, times);
  }
  return n;
}

#endif

template <class T>
void repeat_elements(T* to, const T* from, std::size_t n, std::size_t times) {
  std::size_t done = repeat_blocks(to, from, n, times);
  to += done * times;
  constexpr std::size_t few = 16;
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
      if (times < 64) return repeat_bits(static_cast<std::uint64_t*>(to), static_cast<const std::uint64_t*>(from), n, times);
      BitWriter writer(static_cast<std::uint64_t*>(to));
      for (std::size_t i = 0; i < n; i++) writer.append_run(read_bit(static_cast<const std::uint64_t*>(from), i), times);
      return writer.finish();
    }
    case 8: return repeat_elements(static_cast<std::uint8_t*>(to), static_cast<const std::uint8_t*>(from), n, times);
    case 16: return repeat_elements(static_cast<std::uint16_t*>(to), static_cast<const std::uint16_t*>(from), n, times);
    case 32: return repeat_elements(static_cast<std::uint32_t*>(to), static_cast<const std::uint32_t*>(from), n, times);
    default: return repeat_elements(static_cast<std::uint64_t*>(to), static_cast<const std::uint64_t*>(from), n, times);
  }
}

// Writes value(i) counts[i] times. Always writes a few, where the result has the room, so that short runs need no branch.
template <class T, class C, class F>
HWY_INLINE void write_runs(T* to, std::size_t total, const C* counts, std::size_t n, F value) {
  constexpr std::size_t few = 16 / sizeof(T) < 4 ? 4 : 16 / sizeof(T);
  T* const end = to + total;
  for (std::size_t i = 0; i < n; i++) {
    auto count = static_cast<std::size_t>(counts[i]);
    const T v = value(i);
    if (count > few || static_cast<std::size_t>(end - to) < few)
      std::fill_n(to, count, v);
    else
      for (std::size_t k = 0; k < few; k++) to[k] = v;
    to += count;
  }
}

template <class C>
void runs_by_counts(unsigned width, void* to, std::size_t total, const void* from, const C* counts, std::size_t n) {
  auto run = [=]<class T>(T) HWY_ATTR {
    const T* in = static_cast<const T*>(from);
    write_runs(static_cast<T*>(to), total, counts, n, [in](std::size_t i) HWY_ATTR { return in[i]; });
  };
  switch (width) {
    case 1: {
      BitWriter writer(static_cast<std::uint64_t*>(to));
      for (std::size_t i = 0; i < n; i++)
        writer.append_run(read_bit(static_cast<const std::uint64_t*>(from), i), static_cast<std::size_t>(counts[i]));
      return writer.finish();
    }
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

void place_runs_any(ElementType to_type, void* to, std::size_t total, ElementType type, const void* counts, std::size_t n) {
  with_counts(type, counts, [=](const auto* p) HWY_ATTR {
    auto run = [=]<class T>(T) HWY_ATTR {
      write_runs(static_cast<T*>(to), total, p, n, [](std::size_t i) HWY_ATTR { return static_cast<T>(i); });
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
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {

HWY_EXPORT(count_ones_in);
HWY_EXPORT(compress_any);
HWY_EXPORT(places_any);
HWY_EXPORT(repeat_any);
HWY_EXPORT(runs_any);
HWY_EXPORT(place_runs_any);
HWY_EXPORT(add_counts_in);

std::size_t count_ones(const std::uint64_t* bits, std::size_t n) {
  // Many words are counted together.
  constexpr std::size_t many = 4096;
  return n >= many ? bool_fold().count(bits, n, 0) : HWY_DYNAMIC_DISPATCH(count_ones_in)(bits, n);
}

std::size_t add_counts(ElementType type, const void* counts, std::size_t n, double* sum) {
  return HWY_DYNAMIC_DISPATCH(add_counts_in)(type, counts, n, sum);
}

void compress(unsigned width, void* to, std::size_t room, const void* from, const std::uint64_t* mask, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(compress_any)(width, to, room, from, mask, n);
}

void repeat_each(unsigned width, void* to, const void* from, std::size_t n, std::size_t times) {
  HWY_DYNAMIC_DISPATCH(repeat_any)(width, to, from, n, times);
}

void repeat_by_counts(unsigned width, void* to, std::size_t total, const void* from, ElementType type, const void* counts,
                      std::size_t n) {
  HWY_DYNAMIC_DISPATCH(runs_any)(width, to, total, from, type, counts, n);
}

void places_of_ones(ElementType to_type, void* to, std::size_t room, const std::uint64_t* bits, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(places_any)(to_type, to, room, bits, n);
}

void places_by_counts(ElementType to_type, void* to, std::size_t total, ElementType type, const void* counts, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(place_runs_any)(to_type, to, total, type, counts, n);
}

}  // namespace griddle::kernels
#endif  // HWY_ONCE
