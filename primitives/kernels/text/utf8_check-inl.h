// Finds what is wrong with UTF-8. A part of text.cc, included once per target.
#if defined(GRIDDLE_KERNELS_UTF8_CHECK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDDLE_KERNELS_UTF8_CHECK_INL_H_
#undef GRIDDLE_KERNELS_UTF8_CHECK_INL_H_
#else
#define GRIDDLE_KERNELS_UTF8_CHECK_INL_H_
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
using Bytes = hn::ScalableTag<uint8_t>;
using SignedBytes = hn::ScalableTag<int8_t>;

HWY_INLINE auto load_signed(const uint8_t* p) { return hn::LoadU(SignedBytes(), reinterpret_cast<const int8_t*>(p)); }

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

}  // namespace
}  // namespace text_unit

}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
