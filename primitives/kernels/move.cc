#include "primitives/kernels/move.h"

#include <cstring>

#include "primitives/kernels/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "primitives/kernels/move.cc"
#include "hwy/foreach_target.h"
//
#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "primitives/kernels/bit_runs.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

// Writes whole words, each from two neighbours of the source; `shift` is 1 to 63.
void shift_words(std::uint64_t* to, const std::uint64_t* from, unsigned shift, std::size_t words) {
  const hn::ScalableTag<std::uint64_t> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= words; i += lanes) {
    const auto low = hn::ShiftRightSame(hn::LoadU(d, from + i), static_cast<int>(shift));
    const auto high = hn::ShiftLeftSame(hn::LoadU(d, from + i + 1), static_cast<int>(64 - shift));
    hn::StoreU(hn::Or(low, high), d, to + i);
  }
  for (; i < words; i++) to[i] = from[i] >> shift | from[i + 1] << (64 - shift);
}

void move_backward(std::uint8_t* to, const std::uint8_t* from, std::size_t bytes) {
  const hn::ScalableTag<std::uint8_t> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = bytes;
  for (; i >= 4 * lanes; i -= 4 * lanes) {
    const auto a = hn::LoadU(d, from + i - lanes), b = hn::LoadU(d, from + i - 2 * lanes);
    const auto c = hn::LoadU(d, from + i - 3 * lanes), e = hn::LoadU(d, from + i - 4 * lanes);
    hn::StoreU(a, d, to + i - lanes);
    hn::StoreU(b, d, to + i - 2 * lanes);
    hn::StoreU(c, d, to + i - 3 * lanes);
    hn::StoreU(e, d, to + i - 4 * lanes);
  }
  std::memmove(to, from, i);
}

template <class D, class V>
HWY_INLINE V reversed(D d, V v) {
#if HWY_TARGET == HWY_SCALAR
  (void)d;
  return v;
#else
  if constexpr (sizeof(hn::TFromD<D>) == 1) {
    HWY_ALIGN static constexpr std::uint8_t places[16] = {15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0};
    return hn::ReverseBlocks(d, hn::TableLookupBytes(v, hn::LoadDup128(d, places)));
  } else {
    return hn::Reverse(d, v);
  }
#endif
}

// Reverses at least a vector of elements; the last vector may write again what is there.
template <class D, class T>
HWY_INLINE void reverse_vectors(D d, T* to, const T* from, std::size_t n) {
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t i = 0; i + lanes <= n; i += lanes) hn::StoreU(reversed(d, hn::LoadU(d, from + n - i - lanes)), d, to + i);
  if (n % lanes != 0) hn::StoreU(reversed(d, hn::LoadU(d, from)), d, to + n - lanes);
}

template <class T>
void reverse_elements(T* to, const T* from, std::size_t n) {
  const hn::ScalableTag<T> d;
  const hn::CappedTag<T, 16 / sizeof(T)> block;
  if (n >= hn::Lanes(d)) return reverse_vectors(d, to, from, n);
  if (n >= hn::Lanes(block)) return reverse_vectors(block, to, from, n);
  for (std::size_t i = 0; i < n; i++) to[i] = from[n - 1 - i];
}

void reverse_any(unsigned width, void* to, const void* from, std::size_t n) {
  switch (width) {
    case 8: return reverse_elements(static_cast<std::uint8_t*>(to), static_cast<const std::uint8_t*>(from), n);
    case 16: return reverse_elements(static_cast<std::uint16_t*>(to), static_cast<const std::uint16_t*>(from), n);
    case 32: return reverse_elements(static_cast<std::uint32_t*>(to), static_cast<const std::uint32_t*>(from), n);
    default: return reverse_elements(static_cast<std::uint64_t*>(to), static_cast<const std::uint64_t*>(from), n);
  }
}

// Writes whole words of reversed bits; word 0 comes from the 64 bits before bit `end` of the source.
void reverse_words(std::uint64_t* to, const std::uint64_t* from, std::size_t end, std::size_t words) {
  std::size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::ScalableTag<std::uint64_t> d;
  const hn::ScalableTag<std::uint8_t> bytes;
  const std::size_t lanes = hn::Lanes(d);
  HWY_ALIGN static constexpr std::uint8_t nibbles[16] = {0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15};
  const auto low = hn::LoadDup128(bytes, nibbles);
  const auto mask = hn::Set(bytes, 15);
  for (; i + lanes <= words; i += lanes) {
    const std::size_t start = end - 64 * (i + lanes), shift = start & 63;
    auto v = hn::LoadU(d, from + (start >> 6));
    if (shift)
      v = hn::Or(hn::ShiftRightSame(v, static_cast<int>(shift)),
                 hn::ShiftLeftSame(hn::LoadU(d, from + (start >> 6) + 1), static_cast<int>(64 - shift)));
    const auto b = reversed(bytes, hn::BitCast(bytes, v));
    const auto first = hn::TableLookupBytes(low, hn::And(b, mask));
    const auto second =
        hn::TableLookupBytes(low, hn::BitCast(bytes, hn::And(hn::BitCast(bytes, hn::ShiftRight<4>(hn::BitCast(d, b))), mask)));
    const auto swapped = hn::Or(hn::BitCast(bytes, hn::ShiftLeft<4>(hn::BitCast(d, first))), second);
    hn::StoreU(hn::BitCast(d, swapped), d, to + i);
  }
#endif
  for (; i < words; i++) to[i] = reversed_bits(read_bits(from, end - 64 * (i + 1), 64));
}

void stream(std::uint8_t* to, const std::uint8_t* from, std::size_t bytes) {
  const hn::ScalableTag<std::uint8_t> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + 64 <= bytes; i += 64)
    for (std::size_t k = 0; k < 64; k += lanes) hn::Stream(hn::LoadU(d, from + i + k), d, to + i + k);
  if (i < bytes) std::memcpy(to + i, from + i, bytes - i);
  hwy::FlushStream();
}

}  // namespace
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {

HWY_EXPORT(shift_words);
HWY_EXPORT(move_backward);
HWY_EXPORT(stream);
HWY_EXPORT(reverse_any);
HWY_EXPORT(reverse_words);

void copy_bits(std::uint64_t* to, std::size_t to_at, const std::uint64_t* from, std::size_t from_at, std::size_t n) {
  if (n < 512) return copy_bit_run(to, to_at, from, from_at, n);
  if (std::size_t head = (64 - (to_at & 63)) & 63) {
    write_bits(to, to_at, head, read_bits(from, from_at, head));
    to_at += head, from_at += head, n -= head;
  }
  std::size_t words = n >> 6, shift = from_at & 63;
  if (shift == 0)
    std::memcpy(to + (to_at >> 6), from + (from_at >> 6), words * 8);
  else
    HWY_DYNAMIC_DISPATCH(shift_words)(to + (to_at >> 6), from + (from_at >> 6), static_cast<unsigned>(shift), words);
  if (std::size_t rest = n & 63) write_bits(to, to_at + (words << 6), rest, read_bits(from, from_at + (words << 6), rest));
}

void copy_backward(void* to, const void* from, std::size_t bytes) {
  HWY_DYNAMIC_DISPATCH(move_backward)(static_cast<std::uint8_t*>(to), static_cast<const std::uint8_t*>(from), bytes);
}

void copy_bytes(void* to, const void* from, std::size_t bytes) {
  constexpr std::size_t page = 4096, near = 512;
  std::size_t ahead = (reinterpret_cast<std::uintptr_t>(to) - reinterpret_cast<std::uintptr_t>(from)) % page;
  if (bytes >= 1024 && ahead != 0 && ahead < near)
    copy_backward(to, from, bytes);
  else if (bytes)
    std::memcpy(to, from, bytes);
}

void stream_bytes(void* to, const void* from, std::size_t bytes) {
  HWY_DYNAMIC_DISPATCH(stream)(static_cast<std::uint8_t*>(to), static_cast<const std::uint8_t*>(from), bytes);
}

void reverse(unsigned width, void* to, const void* from, std::size_t n) { HWY_DYNAMIC_DISPATCH(reverse_any)(width, to, from, n); }

void reverse_bits(std::uint64_t* to, std::size_t to_at, const std::uint64_t* from, std::size_t from_at, std::size_t n) {
  std::size_t end = from_at + n;
  std::size_t head = (64 - (to_at & 63)) & 63;
  if (head > n) head = n;
  auto copy = [&](std::size_t count) {
    if (count) write_bits(to, to_at, count, reversed_bits(read_bits(from, end - count, count)) >> (64 - count));
    to_at += count, end -= count, n -= count;
  };
  copy(head);
  std::size_t words = n >> 6;
  if (words) HWY_DYNAMIC_DISPATCH(reverse_words)(to + (to_at >> 6), from, end, words);
  to_at += words << 6, end -= words << 6, n &= 63;
  copy(n);
}

}  // namespace griddle::kernels
#endif  // HWY_ONCE
