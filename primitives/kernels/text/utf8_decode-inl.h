// Decodes UTF-8 that is known to be well formed. A part of text.cc, included once per target.
#if defined(GRIDDLE_KERNELS_UTF8_DECODE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDDLE_KERNELS_UTF8_DECODE_INL_H_
#undef GRIDDLE_KERNELS_UTF8_DECODE_INL_H_
#else
#define GRIDDLE_KERNELS_UTF8_DECODE_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {

namespace text_unit {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using std::int8_t, std::size_t, std::uint16_t, std::uint32_t, std::uint64_t, std::uint8_t;

// Decodes one code point and moves past it.
template <class T>
HWY_INLINE T take_code_point(const uint8_t*& p) {
  const uint32_t b = *p++;
  if (b < 0x80) return static_cast<T>(b);
  if (sizeof(T) == 1 || b < 0xE0) return static_cast<T>((b & 31) << 6 | (*p++ & 63u));
  const uint32_t middle = (p[0] & 63u) << 6 | (p[1] & 63u);
  p += 2;
  if (sizeof(T) == 2 || b < 0xF0) return static_cast<T>((b & 15) << 12 | middle);
  return static_cast<T>((b & 7) << 18 | middle << 6 | (*p++ & 63u));
}

constexpr size_t ascii_step = 16;

// Copies a step's elements to a type that may be wider, and touches nothing beyond them.
template <class T>
HWY_INLINE void copy_widened(T* out, const uint8_t* bytes) {
  const hn::CappedTag<T, ascii_step> d;
  const hn::Rebind<uint8_t, decltype(d)> narrow;
  for (size_t k = 0; k < ascii_step; k += hn::Lanes(d)) {
    const auto v = hn::LoadU(narrow, bytes + k);
    if constexpr (sizeof(T) == 1)
      hn::StoreU(v, d, out + k);
    else
      hn::StoreU(hn::PromoteTo(d, v), d, out + k);
  }
}

// Decodes from one code point to the next beyond ASCII; the input goes on for `ascii_step` bytes, and the output has room for as
// many elements.
template <class T>
HWY_INLINE void decode_step(T*& out, const uint8_t*& bytes) {
  const hn::FixedTag<int8_t, ascii_step> d;
  const auto v = hn::LoadU(d, reinterpret_cast<const int8_t*>(bytes));
  const auto first = hn::FindFirstTrue(d, hn::Lt(v, hn::Zero(d)));
  copy_widened(out, bytes);
  const size_t run = first < 0 ? ascii_step : static_cast<size_t>(first);
  bytes += run;
  out += run;
  if (first >= 0) *out++ = take_code_point<T>(bytes);
}

// How code points lie in the next 12 bytes: which pattern of bytes brings several of them into lanes, and how many bytes they
// take.
struct Layout {
  uint8_t pattern, length;
};
// Six code points of up to two bytes each, in lanes of 16 bits; or four of up to three, in lanes of 32 bits.
constexpr size_t pairs = 6, pair_patterns = 64, triples = 4, triple_patterns = 81, window = 12;
constexpr uint8_t no_pattern = 255;
struct Layouts {
  Layout of[1 << window];
  alignas(16) uint8_t bytes[pair_patterns + triple_patterns][16];
};
// Finds them for all places at which code points may end.
constexpr Layouts layouts = [] {
  Layouts all{};
  for (auto& pattern : all.bytes)
    for (uint8_t& from : pattern) from = 0x80;
  for (size_t ends = 0; ends < 1 << window; ends++) {
    size_t lengths[window + 1] = {}, count = 0;
    for (size_t i = 0, start = 0; i < window; i++) {
      if (!(ends >> i & 1)) continue;
      lengths[count++] = i + 1 - start;
      start = i + 1;
    }
    // Gives the number of the layout of so many code points, each of at most so many bytes.
    const auto found = [&](size_t wanted, size_t most, size_t& length) {
      size_t number = 0, weight = 1;
      length = 0;
      for (size_t i = 0; i < wanted; i++, weight *= most) {
        if (i >= count || lengths[i] > most) return SIZE_MAX;
        number += weight * (lengths[i] - 1);
        length += lengths[i];
      }
      return number;
    };
    const auto enter = [&](size_t pattern, size_t wanted, size_t width, size_t length) {
      size_t end = 0;
      for (size_t i = 0; i < wanted; i++) {
        end += lengths[i];
        for (size_t k = 0; k < lengths[i]; k++) all.bytes[pattern][i * width + k] = static_cast<uint8_t>(end - 1 - k);
      }
      all.of[ends] = {static_cast<uint8_t>(pattern), static_cast<uint8_t>(length)};
    };
    size_t length = 0;
    if (const size_t pair = found(pairs, 2, length); pair != SIZE_MAX) {
      enter(pair, pairs, 2, length);
    } else if (const size_t triple = found(triples, 3, length); triple != SIZE_MAX) {
      enter(pair_patterns + triple, triples, 4, length);
    } else {
      all.of[ends] = {no_pattern, 0};
    }
  }
  return all;
}();

// Decodes several code points that lie as the pattern says, and gives their number. Some bytes and elements beyond are touched.
template <class T>
HWY_INLINE size_t decode_pattern(T* out, const uint8_t* bytes, uint8_t pattern) {
  const hn::FixedTag<uint8_t, 16> d8;
  const hn::FixedTag<uint16_t, 8> d16;
  const hn::FixedTag<uint32_t, 4> d32;
  const auto lanes = hn::TableLookupBytesOr0(hn::LoadU(d8, bytes), hn::Load(d8, layouts.bytes[pattern]));
  if (sizeof(T) == 1 || pattern < pair_patterns) {
    const auto v = hn::BitCast(d16, lanes);
    const auto code = hn::Or(hn::And(v, hn::Set(d16, 0x7F)), hn::ShiftRight<2>(hn::And(v, hn::Set(d16, 0x1F00))));
    if constexpr (sizeof(T) == 1) {
      const hn::FixedTag<uint8_t, 8> narrow;
      hn::StoreU(hn::DemoteTo(narrow, hn::BitCast(hn::RebindToSigned<decltype(d16)>(), code)), narrow, out);
    } else if constexpr (sizeof(T) == 2) {
      hn::StoreU(code, d16, out);
    } else {
      const hn::FixedTag<uint16_t, 4> half;
      hn::StoreU(hn::PromoteTo(d32, hn::LowerHalf(half, code)), d32, out);
      hn::StoreU(hn::PromoteTo(d32, hn::UpperHalf(half, code)), d32, out + 4);
    }
    return pairs;
  }
  if constexpr (sizeof(T) > 1) {
    const auto v = hn::BitCast(d32, lanes);
    const auto code = hn::Or(hn::And(v, hn::Set(d32, 0x7F)), hn::Or(hn::ShiftRight<2>(hn::And(v, hn::Set(d32, 0x3F00))),
                                                                    hn::ShiftRight<4>(hn::And(v, hn::Set(d32, 0xF0000)))));
    if constexpr (sizeof(T) == 2) {
      const hn::FixedTag<uint16_t, 4> narrow;
      hn::StoreU(hn::DemoteTo(narrow, hn::BitCast(hn::RebindToSigned<decltype(d32)>(), code)), narrow, out);
    } else {
      hn::StoreU(code, d32, out);
    }
  }
  return triples;
}

constexpr size_t block_bytes = 64;
// Decodes most of the next 64 bytes, from one code point to another; the input goes on for a while, and the output has room.
template <class T>
HWY_INLINE void decode_block(T*& out, const uint8_t*& bytes) {
  const hn::FixedTag<int8_t, 16> d;
  uint64_t starts = 0;
  for (size_t i = 0; i < block_bytes; i += 16) {
    const auto v = hn::LoadU(d, reinterpret_cast<const int8_t*>(bytes + i));
    uint8_t bits[8] = {};
    hn::StoreMaskBits(d, hn::Gt(v, hn::Set(d, int8_t{-65})), bits);
    uint64_t some;
    std::memcpy(&some, bits, sizeof some);
    starts |= some << i;
  }
  // A code point ends where the next byte starts one; what follows the last byte is not known.
  const uint64_t ends = starts >> 1;
  size_t at = 0;
  while (at + ascii_step < block_bytes) {
    const uint64_t next = ends >> at;
    if ((next & 0xFFFF) == 0xFFFF) {
      copy_widened(out, bytes + at);
      out += ascii_step;
      at += ascii_step;
      continue;
    }
    const Layout layout = layouts.of[next & ((1 << window) - 1)];
    if (layout.pattern == no_pattern) {
      const uint8_t* p = bytes + at;
      *out++ = take_code_point<T>(p);
      at = static_cast<size_t>(p - bytes);
    } else {
      out += decode_pattern(out, bytes + at, layout.pattern);
      at += layout.length;
    }
  }
  bytes += at;
}

constexpr size_t few_bytes = 256;
// Decodes few bytes in a copy, so that vectors may reach beyond their end.
template <class T>
void decode_few(T* out, const uint8_t* bytes, size_t n) {
  uint8_t padded[few_bytes + ascii_step];
  T elements[few_bytes + 2 * ascii_step];
  std::memcpy(padded, bytes, n);
  std::memset(padded + n, 0, ascii_step);
  const uint8_t* from = padded;
  T* to = elements;
  while (from < padded + n) decode_step(to, from);
  const auto beyond = static_cast<size_t>(from - (padded + n));
  std::memcpy(out, elements, (static_cast<size_t>(to - elements) - beyond) * sizeof(T));
}

template <class T>
void decode(T* out, const uint8_t* bytes, size_t n) {
  const uint8_t* const end = bytes + n;
  // A copy would not be written before vectors are to be read from it.
  constexpr size_t one_by_one = 24;
  if (n <= one_by_one) {
    while (bytes != end) *out++ = take_code_point<T>(bytes);
    return;
  }
  // As many elements as a quarter of the bytes there is room for.
  ElementsDone done;
  while (end - bytes > static_cast<std::ptrdiff_t>(few_bytes)) {
    decode_block(out, bytes);
    done.add(block_bytes);
  }
  decode_few(out, bytes, static_cast<size_t>(end - bytes));
}

}  // namespace
}  // namespace text_unit

}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
