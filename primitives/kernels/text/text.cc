#include "primitives/kernels/text/text.h"

#include <cstring>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace text_unit {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using std::int8_t, std::size_t, std::uint16_t, std::uint32_t, std::uint64_t, std::uint8_t;
using Bytes = hn::ScalableTag<uint8_t>;
using SignedBytes = hn::ScalableTag<int8_t>;

HWY_INLINE auto load_signed(const uint8_t* p) { return hn::LoadU(SignedBytes(), reinterpret_cast<const int8_t*>(p)); }

// Gives the place of the first byte for which the mask holds; `is_hit` says the same of one byte.
template <class MaskOf, class IsHit>
HWY_INLINE size_t first_of(const uint8_t* bytes, size_t n, MaskOf mask_of, IsHit is_hit) {
  const size_t lanes = hn::Lanes(SignedBytes());
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const auto hit = hn::FindFirstTrue(SignedBytes(), mask_of(load_signed(bytes + i)));
    if (hit >= 0) return i + static_cast<size_t>(hit);
  }
  while (i < n && !is_hit(bytes[i])) i++;
  return i;
}

size_t ascii_length(const uint8_t* bytes, size_t n) {
  const SignedBytes d;
  const size_t lanes = hn::Lanes(d);
  const auto zero = hn::Zero(d);
  size_t i = 0;
  // Looks at four vectors at a time as long as nothing is found.
  for (; i + 4 * lanes <= n; i += 4 * lanes) {
    const auto all = hn::Or(hn::Or(load_signed(bytes + i), load_signed(bytes + i + lanes)),
                            hn::Or(load_signed(bytes + i + 2 * lanes), load_signed(bytes + i + 3 * lanes)));
    if (!hn::AllFalse(d, hn::Lt(all, zero))) break;
  }
  return i + first_of(
                 bytes + i, n - i, [&](auto v) { return hn::Lt(v, zero); }, [](uint8_t b) { return b >= 0x80; });
}

size_t line_length(const uint8_t* bytes, size_t n) {
  const SignedBytes d;
  const auto lf = hn::Set(d, int8_t{'\n'}), cr = hn::Set(d, int8_t{'\r'});
  return first_of(
      bytes, n, [&](auto v) { return hn::Or(hn::Eq(v, lf), hn::Eq(v, cr)); }, [](uint8_t b) { return b == '\n' || b == '\r'; });
}

// Gives the length of the code point that begins here, or 0 where it is not well formed.
size_t code_point_length(const uint8_t* p, size_t left) {
  const auto continues = [&](size_t i) { return i < left && (p[i] & 0xC0) == 0x80; };
  const uint8_t b = p[0];
  if (b < 0x80) return 1;
  if (b < 0xC2) return 0;
  if (b < 0xE0) return continues(1) ? 2 : 0;
  if (b < 0xF0) return continues(1) && continues(2) && (b != 0xE0 || p[1] >= 0xA0) ? 3 : 0;
  const bool complete = b < 0xF5 && continues(1) && continues(2) && continues(3);
  return complete && (b != 0xF0 || p[1] >= 0x90) && (b != 0xF4 || p[1] < 0x90) ? 4 : 0;
}

// Checks from the code point at `i` on.
size_t utf8_length_from(const uint8_t* bytes, size_t i, size_t n) {
  while (i < n) {
    const size_t length = code_point_length(bytes + i, n - i);
    if (length == 0) break;
    i += length;
  }
  return i;
}

// What can be wrong with a byte and the one before it, a bit each. Three lookups, by both halves of the byte before and by the
// upper half of this one, give sets of faults; what they have in common is there.
enum Fault : uint8_t {
  too_short = 1,            // a leading byte is followed by no continuation
  too_long = 2,             // ASCII is followed by a continuation
  overlong3 = 4,            // E0 80 … E0 9F
  too_large = 8,            // F4 90 … and above
  overlong2 = 16,           // C0, C1
  overlong4 = 32,           // F0 80 … F0 8F
  too_large_low = 64,       // F5 80 … and above, where the second byte is below 90
  two_continuations = 128,  // right only as third or fourth byte
};
constexpr uint8_t any_low = too_short | too_long | two_continuations;
constexpr uint8_t large_low = any_low | too_large | too_large_low;
constexpr uint8_t second = too_long | overlong2 | two_continuations;

alignas(16) constexpr uint8_t by_upper_half_before[16] = {too_long,
                                                          too_long,
                                                          too_long,
                                                          too_long,
                                                          too_long,
                                                          too_long,
                                                          too_long,
                                                          too_long,
                                                          two_continuations,
                                                          two_continuations,
                                                          two_continuations,
                                                          two_continuations,
                                                          too_short | overlong2,
                                                          too_short,
                                                          too_short | overlong3,
                                                          too_short | too_large | too_large_low | overlong4};
alignas(16) constexpr uint8_t by_lower_half_before[16] = {any_low | overlong2 | overlong3 | overlong4,
                                                          any_low | overlong2,
                                                          any_low,
                                                          any_low,
                                                          any_low | too_large,
                                                          large_low,
                                                          large_low,
                                                          large_low,
                                                          large_low,
                                                          large_low,
                                                          large_low,
                                                          large_low,
                                                          large_low,
                                                          large_low,
                                                          large_low,
                                                          large_low};
alignas(16) constexpr uint8_t by_upper_half[16] = {too_short,
                                                   too_short,
                                                   too_short,
                                                   too_short,
                                                   too_short,
                                                   too_short,
                                                   too_short,
                                                   too_short,
                                                   second | overlong3 | overlong4 | too_large_low,
                                                   second | overlong3 | too_large,
                                                   second | too_large,
                                                   second | too_large,
                                                   too_short,
                                                   too_short,
                                                   too_short,
                                                   too_short};

// Tells whether the vector of bytes at p, which three others precede, is free of faults.
HWY_INLINE bool is_well_formed(const uint8_t* p) {
  const Bytes d;
  const hn::RepartitionToWide<Bytes> d16;
  const auto low = hn::Set(d, uint8_t{15});
  const auto upper = [&](auto v) { return hn::And(hn::BitCast(d, hn::ShiftRight<4>(hn::BitCast(d16, v))), low); };
  const auto look_up = [&](const uint8_t* table, auto v) { return hn::TableLookupBytes(hn::LoadDup128(d, table), v); };
  const auto here = hn::LoadU(d, p), before = hn::LoadU(d, p - 1);
  const auto faults = hn::And(look_up(by_upper_half_before, upper(before)),
                              hn::And(look_up(by_lower_half_before, hn::And(before, low)), look_up(by_upper_half, upper(here))));
  // Third and fourth bytes are continuations after continuations.
  const auto third = hn::SaturatedSub(hn::LoadU(d, p - 2), hn::Set(d, uint8_t{0xE0 - 0x80}));
  const auto fourth = hn::SaturatedSub(hn::LoadU(d, p - 3), hn::Set(d, uint8_t{0xF0 - 0x80}));
  const auto expected = hn::And(hn::Or(third, fourth), hn::Set(d, uint8_t{0x80}));
  return hn::AllTrue(d, hn::Eq(faults, expected));
}

size_t utf8_length(const uint8_t* bytes, size_t n) {
  const SignedBytes d;
  const size_t lanes = hn::Lanes(d);
  // The first and the last vector are checked in a copy between zeros.
  uint8_t copy[3 + 2 * hn::MaxLanes(Bytes())] = {};
  const size_t head = n < lanes ? n : lanes;
  std::memcpy(copy + 3, bytes, head);
  if (!is_well_formed(copy + 3)) return utf8_length_from(bytes, 0, n);
  // A zero behind the end has shown a code point that it cuts short.
  if (n < lanes) return n;
  size_t i = head;
  bool ascii = false;  // the last vector was ASCII
  for (; i + lanes <= n; i += lanes) {
    const bool next_ascii = hn::AllFalse(d, hn::Lt(load_signed(bytes + i), hn::Zero(d)));
    if (!(ascii && next_ascii) && !is_well_formed(bytes + i)) break;
    ascii = next_ascii;
  }
  if (i + lanes > n) {
    const size_t kept = i < 3 ? i : 3;
    std::memset(copy, 0, sizeof copy);
    std::memcpy(copy + 3 - kept, bytes + i - kept, kept + n - i);
    if (is_well_formed(copy + 3)) return n;
  }
  // Goes back to where a code point begins, and finds the fault.
  for (size_t back = 0; back < 4 && i > 0; back++) {
    i--;
    if ((bytes[i] & 0xC0) != 0x80) break;
  }
  return utf8_length_from(bytes, i, n);
}

Utf8Size measure(const uint8_t* bytes, size_t n) {
  const SignedBytes d;
  const Bytes unsigned_bytes;
  const size_t lanes = hn::Lanes(d);
  const auto first_lead = hn::Set(d, int8_t{-64});
  auto largest = hn::Zero(unsigned_bytes);
  size_t continuations = 0, i = 0;
  for (; i + lanes <= n; i += lanes) {
    const auto v = load_signed(bytes + i);
    continuations += hn::CountTrue(d, hn::Lt(v, first_lead));
    largest = hn::Max(largest, hn::BitCast(unsigned_bytes, v));
  }
  uint8_t each[hn::MaxLanes(Bytes())] = {}, most = 0;
  if (i < n) {
    // Counts what is left between zeros, which are no continuations.
    std::memcpy(each, bytes + i, n - i);
    const auto v = load_signed(each);
    continuations += hn::CountTrue(d, hn::Lt(v, first_lead));
    largest = hn::Max(largest, hn::BitCast(unsigned_bytes, v));
  }
  hn::StoreU(largest, unsigned_bytes, each);
  for (size_t k = 0; k < lanes; k++) most = each[k] > most ? each[k] : most;
  return {n - continuations, most < 0xC4 ? 1u : most < 0xF0 ? 2u : 4u};
}

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
  while (end - bytes > static_cast<std::ptrdiff_t>(few_bytes)) decode_block(out, bytes);
  decode_few(out, bytes, static_cast<size_t>(end - bytes));
}

template <class T>
HWY_INLINE uint8_t* put_code_point(uint8_t* out, T element) {
  const uint32_t c = element;
  const auto tail = [&](unsigned shift) { *out++ = static_cast<uint8_t>(0x80 | (c >> shift & 63)); };
  if (c < 0x80) {
    *out++ = static_cast<uint8_t>(c);
    return out;
  }
  if (sizeof(T) == 1 || c < 0x800) {
    *out++ = static_cast<uint8_t>(0xC0 | c >> 6);
  } else {
    if (sizeof(T) == 2 || c < 0x10000) {
      *out++ = static_cast<uint8_t>(0xE0 | c >> 12);
    } else {
      *out++ = static_cast<uint8_t>(0xF0 | c >> 18);
      tail(12);
    }
    tail(6);
  }
  tail(0);
  return out;
}

template <class T>
size_t encoded_size(const T* text, size_t n) {
  size_t size = n;
  for (size_t i = 0; i < n; i++) {
    const uint32_t c = text[i];
    size += c >= 0x80;
    if constexpr (sizeof(T) > 1) size += c >= 0x800;
    if constexpr (sizeof(T) > 2) size += c >= 0x10000;
  }
  return size;
}

template <class T>
size_t encode(uint8_t* out, const T* text, size_t n) {
  const hn::ScalableTag<T> d;
  const size_t lanes = hn::Lanes(d);
  uint8_t* const first = out;
  const auto ascii = hn::Set(d, T{0x80});
  size_t i = 0;
  while (i < n) {
    if (i + lanes <= n) {
      const auto v = hn::LoadU(d, text + i);
      if (hn::AllTrue(d, hn::Lt(v, ascii))) {
        const hn::Rebind<uint8_t, decltype(d)> narrow;
        if constexpr (sizeof(T) == 1) {
          hn::StoreU(v, d, out);
        } else {
          const hn::RebindToSigned<decltype(d)> as_signed;
          hn::StoreU(hn::DemoteTo(narrow, hn::BitCast(as_signed, v)), narrow, out);
        }
        out += lanes;
        i += lanes;
        continue;
      }
      for (const size_t stop = i + lanes; i < stop; i++) out = put_code_point(out, text[i]);
    } else {
      out = put_code_point(out, text[i++]);
    }
  }
  return static_cast<size_t>(out - first);
}

const TextKernels* text_kernels() {
  static constexpr TextKernels kernels = {ascii_length,
                                          line_length,
                                          utf8_length,
                                          measure,
                                          decode<uint8_t>,
                                          decode<uint16_t>,
                                          decode<uint32_t>,
                                          encoded_size<uint8_t>,
                                          encoded_size<uint16_t>,
                                          encoded_size<uint32_t>,
                                          encode<uint8_t>,
                                          encode<uint16_t>,
                                          encode<uint32_t>};
  return &kernels;
}

}  // namespace
}  // namespace text_unit
using text_unit::text_kernels;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(text_kernels);
const TextKernels& text() { return *HWY_DYNAMIC_DISPATCH(text_kernels)(); }
}  // namespace griddle::kernels
#endif
