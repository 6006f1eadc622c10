#include "primitives/kernels/text/text.h"

#include <cstring>

#include "hwy/highway.h"
#include "primitives/kernels/shared/pieces.h"
#include "primitives/kernels/text/utf8_check-inl.h"
#include "primitives/kernels/text/utf8_decode-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace text_unit {
namespace {

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
  ElementsDone done;
  while (i < n) {
    if (i + lanes <= n) {
      done.add(lanes);
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
