// Bits as often as one number says, a vector of results at a time. Included once per target.
#if defined(GRIDDLE_KERNELS_REPEAT_BITS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDDLE_KERNELS_REPEAT_BITS_INL_H_
#undef GRIDDLE_KERNELS_REPEAT_BITS_INL_H_
#else
#define GRIDDLE_KERNELS_REPEAT_BITS_INL_H_
#endif

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <type_traits>

#include "hwy/highway.h"
#include "primitives/kernels/moves/replicate_places.h"
#include "primitives/kernels/moves/spread_512-inl.h"
#include "primitives/kernels/shared/bit_runs.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace repeat_bits_unit {

namespace hn = hwy::HWY_NAMESPACE;
using std::uint64_t, std::uint8_t;

// Longer vectors gain nothing: results are as long as what is stored, and shuffles reach no further than a block.
using Bytes = hn::CappedTag<uint8_t, 32>;
using Byte = hn::Vec<Bytes>;
using Table = std::array<uint8_t, 16>;
inline constexpr std::size_t lanes = hn::MaxLanes(Bytes());

// Says for each nibble which byte it becomes at that place, if each bit comes `times` times and the first is at bit `start`.
constexpr Table table_of_bytes(std::size_t times, std::size_t place, std::size_t start = 0) {
  Table table = {};
  for (std::size_t nibble = 0; nibble < 16; nibble++)
    for (std::size_t k = 0; k < 8; k++) {
      const std::size_t at = 8 * place + k;
      if (at >= start && (at - start) / times < 4)
        table[nibble] |= static_cast<uint8_t>((nibble >> (at - start) / times & 1) << k);
    }
  return table;
}
template <std::size_t times, std::size_t place, std::size_t start = 0>
HWY_INLINE Byte table() {
  alignas(16) static constexpr Table of = table_of_bytes(times, place, start);
  return hn::LoadDup128(Bytes(), of.data());
}

// Puts each nibble into a byte: those of half a vector.
HWY_INLINE Byte nibbles(const uint8_t* from) {
  const hn::Repartition<std::uint16_t, Bytes> d;
  const auto each = hn::PromoteTo(d, hn::LoadU(hn::Rebind<uint8_t, decltype(d)>(), from));
  return hn::BitCast(Bytes(), hn::And(hn::Or(each, hn::ShiftLeft<4>(each)), hn::Set(d, std::uint16_t{0x0F0F})));
}

// Each of these takes some bytes of bits and writes what they become. All may write `written` bytes.

// Nibbles become bytes.
struct Twice {
  static constexpr std::size_t taken = lanes / 2, written = lanes;
  const Byte byte;
  HWY_INLINE Twice() : byte(table<2, 0>()) {}
  HWY_INLINE void operator()(uint8_t* to, const uint8_t* from) const {
    hn::StoreU(hn::TableLookupBytes(byte, nibbles(from)), Bytes(), to);
  }
};

// Nibbles become 12 bits: of each byte three, the middle one with bits of both nibbles.
struct Thrice {
  static constexpr std::size_t taken = lanes, written = 3 * lanes;
  const Byte first, end_of_low, start_of_high, last;
  HWY_INLINE Thrice()
      : first(table<3, 0>()), end_of_low(table<3, 1>()), start_of_high(table<3, 1, 12>()), last(table<3, 2, 12>()) {}
  HWY_INLINE void operator()(uint8_t* to, const uint8_t* from) const {
    const Bytes d;
    const hn::Repartition<std::uint16_t, Bytes> pairs;
    const auto each = hn::LoadU(d, from), nibble = hn::Set(d, uint8_t{0x0F});
    const auto low = hn::And(each, nibble);
    const auto high = hn::And(hn::BitCast(d, hn::ShiftRight<4>(hn::BitCast(pairs, each))), nibble);
    const auto middle = hn::Or(hn::TableLookupBytes(end_of_low, low), hn::TableLookupBytes(start_of_high, high));
    hn::StoreInterleaved3(hn::TableLookupBytes(first, low), middle, hn::TableLookupBytes(last, high), d, to);
  }
};

// Pairs of bits become bytes.
struct FourTimes {
  static constexpr std::size_t taken = lanes / 4, written = lanes;
  const Byte byte;
  HWY_INLINE FourTimes() : byte(table<4, 0>()) {}
  HWY_INLINE void operator()(uint8_t* to, const uint8_t* from) const {
    const hn::Repartition<std::uint32_t, Bytes> d;
    auto each = hn::PromoteTo(d, hn::LoadU(hn::Rebind<uint8_t, decltype(d)>(), from));
    each = hn::Or(each, hn::ShiftLeft<12>(each));
    each = hn::And(hn::Or(each, hn::ShiftLeft<6>(each)), hn::Set(d, std::uint32_t{0x03030303}));
    hn::StoreU(hn::TableLookupBytes(byte, hn::BitCast(Bytes(), each)), Bytes(), to);
  }
};

// Nibbles become three bytes.
struct SixTimes {
  static constexpr std::size_t taken = lanes / 2, written = 3 * lanes;
  const Byte first, middle, last;
  HWY_INLINE SixTimes() : first(table<6, 0>()), middle(table<6, 1>()), last(table<6, 2>()) {}
  HWY_INLINE void operator()(uint8_t* to, const uint8_t* from) const {
    const auto each = nibbles(from);
    hn::StoreInterleaved3(hn::TableLookupBytes(first, each), hn::TableLookupBytes(middle, each), hn::TableLookupBytes(last, each),
                          Bytes(), to);
  }
};

// Where the bytes of a vector of results come from, of which each shows some bits of one byte.
template <std::size_t shown>
struct ShownBits {
  alignas(lanes) std::array<uint8_t, lanes> source = {};      // which of 16 bytes
  std::array<std::array<uint8_t, lanes>, shown> bit = {};     // the bits that it shows
  std::array<std::array<uint8_t, lanes>, shown> places = {};  // and where it shows each
  std::size_t start = 0;                                      // of the 16 bytes
};
template <std::size_t times, std::size_t shown>
constexpr auto shown_bits() {
  std::array<ShownBits<shown>, times> of = {};
  for (std::size_t i = 0; i < times * lanes; i++) {
    ShownBits<shown>& v = of[i / lanes];
    const std::size_t k = i % lanes, in_byte = 8 * (i % times);
    v.start = std::min(i / lanes * lanes / times, lanes - 16);
    v.source[k] = static_cast<uint8_t>(i / times - v.start);
    for (std::size_t place = 0; place < 8; place++) {
      const std::size_t bit = (in_byte + place) / times, which = bit - in_byte / times;
      v.bit[which][k] = static_cast<uint8_t>(1 << bit);
      v.places[which][k] |= static_cast<uint8_t>(1 << place);
    }
  }
  return of;
}

// Bytes become `times` bytes, an odd number, of which each shows up to `shown` bits.
template <std::size_t odd, std::size_t shown, std::size_t blocks = 4>
struct OddTimes {
  static constexpr std::size_t times = odd, taken = blocks * lanes, written = times * taken;
  static constexpr auto vectors = shown_bits<times, shown>();
  HWY_INLINE void operator()(uint8_t* to, const uint8_t* from) const {
    const Bytes d;
#pragma GCC unroll 1
    for (std::size_t j = 0; j < times; j++) {
      const ShownBits<shown>& v = vectors[j];
      const auto source = hn::Load(d, v.source.data());
      Byte bit[shown], places[shown];
      for (std::size_t k = 0; k < shown; k++) bit[k] = hn::Load(d, v.bit[k].data()), places[k] = hn::Load(d, v.places[k].data());
#pragma GCC unroll 4
      for (std::size_t b = 0; b < blocks; b++) {
        const auto byte = hn::TableLookupBytes(hn::LoadDup128(d, from + b * lanes + v.start), source);
        const auto shows = [&](std::size_t k)
                               HWY_ATTR { return hn::And(hn::VecFromMask(d, hn::TestBit(byte, bit[k])), places[k]); };
        auto result = shows(0);
        for (std::size_t k = 1; k < shown; k++) result = hn::Or(result, shows(k));
        hn::StoreU(result, d, to + (b * times + j) * lanes);
      }
    }
  }
};

// Bits become bytes.
struct EightTimes {
  static constexpr std::size_t taken = lanes / 8, written = lanes;
  alignas(lanes) static constexpr auto byte_of = [] {
    std::array<uint8_t, lanes> of = {};
    for (std::size_t k = 0; k < lanes; k++) of[k] = static_cast<uint8_t>(k / 8);
    return of;
  }();
  const Byte source, bit;
  HWY_INLINE EightTimes()
      : source(hn::Load(Bytes(), byte_of.data())),
        bit(hn::BitCast(Bytes(), hn::Set(hn::Repartition<uint64_t, Bytes>(), 0x8040201008040201))) {}
  HWY_INLINE void operator()(uint8_t* to, const uint8_t* from) const {
    std::conditional_t<lanes == 16, std::uint16_t, std::uint32_t> bits;
    std::memcpy(&bits, from, sizeof bits);
    const auto bytes = hn::BitCast(Bytes(), hn::Set(hn::Repartition<decltype(bits), Bytes>(), bits));
    hn::StoreU(hn::VecFromMask(Bytes(), hn::TestBit(hn::TableLookupBytes(bytes, source), bit)), Bytes(), to);
  }
};

// Gives the bytes from `first` on of n bits, up to so many, with zeros beyond the last bit.
HWY_INLINE void read_last_bytes(uint8_t* to, const uint8_t* from, std::size_t first, std::size_t most, std::size_t n) {
  const std::size_t bits = n - 8 * first, bytes = std::min(most, (bits + 7) / 8);
  std::memset(to, 0, most);
  std::memcpy(to, from + first, bytes);
  if (bits / 8 < most && bits % 8 != 0) to[bits / 8] &= static_cast<uint8_t>(low_bits(bits % 8));
}

// Makes 0 of what is in the last word beyond n bits.
HWY_INLINE void clear_beyond(uint8_t* bits, std::size_t n) {
  if (n % 64 == 0) return;
  uint64_t last;
  std::memcpy(&last, bits + n / 64 * 8, sizeof last);
  last &= low_bits(n % 64);
  std::memcpy(bits + n / 64 * 8, &last, sizeof last);
}

template <std::size_t times, class Step>
HWY_INLINE void repeat_in_steps(uint8_t* to, const uint8_t* from, std::size_t n, const Step& step) {
  const std::size_t room = (n * times + 63) / 64 * 8;
  const std::size_t with_room = room < Step::written ? 0 : (room - Step::written) / (Step::taken * times) + 1;
  // The last word of the source may be read whole: what becomes of the rest of it is at the end of the last word here.
  const std::size_t steps = std::min((n + 63) / 64 * 8 / Step::taken, with_room);
  uint8_t* out = to;
  for (std::size_t k = 0; k < steps; k++, out += Step::taken * times) step(out, from + k * Step::taken);
  if (steps * Step::taken * 8 >= n) return clear_beyond(to, n * times);
  std::size_t i = steps * Step::taken;
  for (; i * 8 < n; i += Step::taken) {
    uint8_t in[Step::taken], results[Step::written];
    read_last_bytes(in, from, i, Step::taken, n);
    step(results, in);
    std::memcpy(to + i * times, results, std::min(Step::taken * times, room - i * times));
  }
}

#if HWY_TARGET == HWY_AVX3_DL
// Writes words of n repeated bits, 512 or more, in vectors: which bytes a word's bits come from, which 4 bits each byte, and what
// these become. The last 8 words of the source may come twice.
template <std::size_t times>
void repeat_many_bits_by(uint64_t* to, const uint64_t* from, std::size_t n) {
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

template <std::size_t times, std::size_t shown>
HWY_INLINE void repeat_in_steps(uint8_t* to, const uint8_t* from, std::size_t n, const OddTimes<times, shown>& step) {
  for (; n >= 8 * step.taken; n -= 8 * step.taken, to += step.written, from += step.taken) step(to, from);
  if (n != 0) repeat_in_steps<times>(to, from, n, OddTimes<times, shown, 1>());
}

// Repeats bits up to eight times.
template <std::size_t times, class Step>
void repeat_few_times(uint64_t* to, const uint64_t* from, std::size_t n) {
#if HWY_TARGET == HWY_AVX3_DL
  if (n >= 512) return repeat_many_bits_by<times>(to, from, n);
#endif
  repeat_in_steps<times>(reinterpret_cast<uint8_t*>(to), reinterpret_cast<const uint8_t*>(from), n, Step());
}

// Runs of nine bits or more: a byte of results shows one run, or the end of one and the start of the next. Vectors of results
// repeat in which bits of the source they show, and where: after `vectors` of them, which show `bits` bits.
class RunPlaces {
 public:
  static constexpr std::size_t most_vectors = 128;
  enum class Runs {
    short_ones,  // the halves of a vector together show more than 16
    long_ones,
    of_whole_bytes
  };
  static Runs kind_of(std::size_t times) {
    return halves_apart(times) ? Runs::short_ones : times % 8 == 0 ? Runs::of_whole_bytes : Runs::long_ones;
  }
  // Few places that repeat soon are repeated here, for a longer loop.
  static std::size_t vectors_of(std::size_t times) {
    const std::size_t common = std::gcd(times, 8 * lanes), vectors = times / common;
    return vectors * std::min(common, std::bit_ceil(8 / vectors));
  }
  // Tells whether the quotients below are exact: their factor is too large by a part of less than times ÷ 2^(19 + shift).
  static bool serves(std::size_t times) {
    const std::size_t vectors = vectors_of(times);
    return times > 8 && vectors <= most_vectors && vectors * lanes * times < std::size_t{1} << (16 + shift_for(times));
  }

  // Prepares the first `needed` vectors at most.
  RunPlaces(std::size_t times, std::size_t needed) : vectors(vectors_of(times)), bits(vectors * 8 * lanes / times) {
    const Bytes d;
    const hn::Repartition<std::uint16_t, Bytes> pairs;
    alignas(16) static constexpr uint8_t from_bit[16] = {0xFF, 0xFE, 0xFC, 0xF8, 0xF0, 0xE0, 0xC0, 0x80};
    const auto ends = hn::LoadDup128(d, from_bit);
    const unsigned shift = shift_for(times);
    const std::size_t factor = ((std::size_t{1} << (19 + shift)) + times - 1) / times;
    const auto bit_at_byte = [=](std::size_t byte) { return byte * factor >> (16 + shift); };
    const auto by = hn::Set(pairs, static_cast<std::uint16_t>(factor)), run = hn::Set(pairs, static_cast<std::uint16_t>(times));
    const auto most = hn::Set(pairs, std::uint16_t{8});
    const auto two = [](auto even, auto odd) HWY_ATTR { return hn::BitCast(Bytes(), hn::Or(even, hn::ShiftLeft<8>(odd))); };
    const std::size_t count = std::min(vectors, needed);
    for (std::size_t j = 0; j < count; j++) {
      const std::size_t first = bit_at_byte(j * lanes);
      const auto even =
          hn::Add(hn::Set(pairs, static_cast<std::uint16_t>(j * lanes)), hn::ShiftLeft<1>(hn::Iota(pairs, std::uint16_t{0})));
      const auto odd = hn::Add(even, hn::Set(pairs, std::uint16_t{1}));
      const auto bit_of = [=](auto byte) HWY_ATTR { return hn::ShiftRightSame(hn::MulHigh(byte, by), static_cast<int>(shift)); };
      // Tells how many bits of its byte are of the first run, 8 at most.
      const auto until = [=](auto byte, auto bit) HWY_ATTR {
        return hn::Min(hn::Sub(hn::Mul(hn::Add(bit, hn::Set(pairs, std::uint16_t{1})), run), hn::ShiftLeft<3>(byte)), most);
      };
      const auto bit_of_even = bit_of(even), bit_of_odd = bit_of(odd);
      hn::Store(hn::TableLookupBytes(ends, two(until(even, bit_of_even), until(odd, bit_of_odd))), d, second_[j]);
      const std::size_t middle = halves_apart(times) ? bit_at_byte(j * lanes + lanes / 2) : first;
      start_[j][0] = static_cast<std::uint16_t>(first), start_[j][1] = static_cast<std::uint16_t>(middle);
      const auto base = hn::IfThenElse(hn::FirstN(pairs, lanes / 4), hn::Set(pairs, start_[j][0]), hn::Set(pairs, start_[j][1]));
      const auto source = two(hn::Sub(bit_of_even, base), hn::Sub(bit_of_odd, base));
      hn::Store(source, d, source_[j]);
      hn::Store(hn::Add(source, hn::Set(d, uint8_t{1})), d, next_[j]);
    }
  }
  // Gives a vector of results, where there is a byte of zeros or ones for each bit of the source.
  template <Runs runs>
  HWY_INLINE Byte of(const uint8_t* bytes, std::size_t j) const {
    const Bytes d;
    const auto window = window_at<runs>(bytes, j), first = hn::TableLookupBytes(window, hn::Load(d, source_[j]));
    if constexpr (runs == Runs::of_whole_bytes) return first;
    const auto next = hn::TableLookupBytes(window, hn::Load(d, next_[j])), mask = hn::Load(d, second_[j]);
    return hn::Or(hn::AndNot(mask, first), hn::And(mask, next));
  }

  const std::size_t vectors, bits;

 private:
  // Tells whether the halves of a vector are shuffled from places of their own, since both together show more than 16 bits.
  static bool halves_apart(std::size_t times) { return lanes == 32 && times < 16; }
  static unsigned shift_for(std::size_t times) { return static_cast<unsigned>(std::bit_width(times - 1)) - 4; }
  template <Runs runs>
  HWY_INLINE Byte window_at(const uint8_t* bytes, std::size_t j) const {
    if constexpr (runs == Runs::short_ones && lanes == 32) {
      const hn::Half<Bytes> half;
      return hn::Combine(Bytes(), hn::LoadU(half, bytes + start_[j][1]), hn::LoadU(half, bytes + start_[j][0]));
    } else {
      return hn::LoadDup128(Bytes(), bytes + start_[j][0]);
    }
  }

  HWY_ALIGN uint8_t source_[most_vectors][lanes];  // the byte of the window for the first run
  HWY_ALIGN uint8_t next_[most_vectors][lanes];    // and for the second one
  HWY_ALIGN uint8_t second_[most_vectors][lanes];  // which bits are of the second run
  std::uint16_t start_[most_vectors][2];           // where windows begin
};

template <RunPlaces::Runs runs>
HWY_INLINE void repeat_by_places(uint8_t* to, const uint8_t* from, std::size_t n, std::size_t times) {
  constexpr std::size_t at_once = 8 * lanes;  // bits of the source, which become `times` vectors
  const std::size_t room = (n * times + 63) / 64 * 8;
  const RunPlaces places(times, (room + lanes - 1) / lanes);
  const std::size_t vectors = places.vectors, bits = places.bits;
  const EightTimes spread;
  HWY_ALIGN uint8_t bytes[at_once + 2 * lanes] = {};
  std::size_t i = 0;
  for (; i + at_once <= n; i += at_once) {
#pragma GCC unroll 8
    for (std::size_t k = 0; k < 8; k++) spread(bytes + k * lanes, from + i / 8 + k * lanes / 8);
    for (const uint8_t* source = bytes; source < bytes + at_once; source += bits)
#pragma GCC unroll 2
      for (std::size_t j = 0; j < vectors; j++, to += lanes) hn::StoreU(places.of<runs>(source, j), Bytes(), to);
  }
  if (i == n) return;
  uint8_t last[at_once / 8];
  read_last_bytes(last, from, i / 8, at_once / 8, n);
  for (std::size_t k = 0; k < 8; k++) spread(bytes + k * lanes, last + k * lanes / 8);
  const uint8_t* source = bytes;
  for (std::size_t rest = room - i * times / 8, j = 0; rest != 0; to += lanes) {
    const auto v = places.of<runs>(source, j);
    if (rest < lanes) {
      HWY_ALIGN uint8_t end[lanes];
      hn::Store(v, Bytes(), end);
      std::memcpy(to, end, rest);
      return;
    }
    hn::StoreU(v, Bytes(), to);
    rest -= lanes;
    if (++j == vectors) j = 0, source += bits;
  }
}

// Repeats bits 64 times or more, run by run.
inline void repeat_in_runs(uint64_t* to, const uint64_t* from, std::size_t n, std::size_t times) {
  const hn::CappedTag<uint64_t, 4> d;
  const std::size_t after = (times + 62) / 64, room = (n * times + 63) / 64;  // words that a run may reach after its first
  uint64_t last = 0;
  std::size_t i = 0, place = 0;
  const auto begin_run = [&] {
    const uint64_t bit = 0 - (from[i / 64] >> i % 64 & 1);
    to[place / 64] = last ^ (last ^ bit) << place % 64;  // as the run before it fills the word up to here
    last = bit;
  };
  // What is beyond a run is written again by the next one.
  for (; place / 64 + 1 + after + hn::Lanes(d) <= room; i++, place += times) {
    begin_run();
    const auto all = hn::Set(d, last);
    uint64_t* const out = to + place / 64 + 1;
    for (std::size_t k = 0; k < after; k += hn::Lanes(d)) hn::StoreU(all, d, out + k);
  }
  for (; i < n; i++, place += times) {
    begin_run();
    std::fill(to + place / 64 + 1, to + (place + times + 63) / 64, last);
  }
  if (place % 64 != 0) to[place / 64] &= low_bits(place % 64);
}

// Writes words of n bits, each `times` ≥ 1 times, with zeros beyond the last.
inline void repeat_bits(uint64_t* to, const uint64_t* from, std::size_t n, std::size_t times) {
  switch (times) {
    case 1: return copy_bit_run(to, 0, from, 0, n);
    case 2: return repeat_few_times<2, Twice>(to, from, n);
    case 3: return repeat_few_times<3, Thrice>(to, from, n);
    case 4: return repeat_few_times<4, FourTimes>(to, from, n);
    case 5: return repeat_few_times<5, OddTimes<5, 3>>(to, from, n);
    case 6: return repeat_few_times<6, SixTimes>(to, from, n);
    case 7: return repeat_few_times<7, OddTimes<7, 2>>(to, from, n);
    case 8: return repeat_few_times<8, EightTimes>(to, from, n);
    default: break;
  }
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  const std::size_t done = spread_bits(to, from, n, times);
  if (done == n) return;
  to += done / 64 * times, from += done / 64, n -= done;
#endif
  if (!RunPlaces::serves(times)) return repeat_in_runs(to, from, n, times);
  auto* const out = reinterpret_cast<uint8_t*>(to);
  const auto* const in = reinterpret_cast<const uint8_t*>(from);
  switch (RunPlaces::kind_of(times)) {
    case RunPlaces::Runs::short_ones: return repeat_by_places<RunPlaces::Runs::short_ones>(out, in, n, times);
    case RunPlaces::Runs::long_ones: return repeat_by_places<RunPlaces::Runs::long_ones>(out, in, n, times);
    case RunPlaces::Runs::of_whole_bytes: return repeat_by_places<RunPlaces::Runs::of_whole_bytes>(out, in, n, times);
  }
}

}  // namespace repeat_bits_unit
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
