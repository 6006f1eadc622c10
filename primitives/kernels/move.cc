#include "primitives/kernels/move.h"

#include <cstring>

#define HWY_WANT_AVX3_DL
#include "primitives/kernels/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "primitives/kernels/move.cc"
#include "hwy/foreach_target.h"
//
#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "primitives/kernels/bit_runs.h"
#include "primitives/kernels/shuffle_rows.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

#define GRIDDLE_MOVES_512 (HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL)

#if GRIDDLE_MOVES_512
using Words = hn::Full512<std::uint64_t>;

// Gives words of which each lies `shift` bits above one of `low`, whose last one is followed by the first one of `next`.
HWY_INLINE hn::Vec<Words> shifted_down(hn::Vec<Words> low, hn::Vec<Words> next, int shift) {
  const Words d;
  const hn::Vec<Words> above{_mm512_alignr_epi64(next.raw, low.raw, 1)};
  return hn::Or(hn::ShiftRightSame(low, shift), hn::ShiftLeftSame(above, 64 - shift));
}
#endif

// Writes whole words, each from two neighbours of the source; `shift` is 1 to 63.
void shift_words(std::uint64_t* to, const std::uint64_t* from, unsigned shift, std::size_t words) {
  const int bits = static_cast<int>(shift);
  std::size_t i = 0;
#if GRIDDLE_MOVES_512
  // Reads what lies in the same places of lines once: to read all neighbours, too, would cross lines.
  const Words d;
  constexpr std::size_t lanes = 8;
  if (words >= 2 * lanes) {
    auto low = hn::LoadU(d, from);
    for (; i + 2 * lanes <= words; i += lanes) {
      const auto next = hn::LoadU(d, from + i + lanes);
      hn::StoreU(shifted_down(low, next, bits), d, to + i);
      low = next;
    }
  }
#else
  const hn::ScalableTag<std::uint64_t> d;
  const std::size_t lanes = hn::Lanes(d);
#endif
  for (; i + lanes <= words; i += lanes) {
    const auto low = hn::ShiftRightSame(hn::LoadU(d, from + i), bits);
    const auto high = hn::ShiftLeftSame(hn::LoadU(d, from + i + 1), 64 - bits);
    hn::StoreU(hn::Or(low, high), d, to + i);
  }
  for (; i < words; i++) to[i] = from[i] >> shift | from[i + 1] << (64 - shift);
}

// Faster than memcpy where `to` lies a little after `from` within a page, because then no read meets the write just before it.
[[maybe_unused]] void move_backward(std::uint8_t* to, const std::uint8_t* from, std::size_t bytes) {
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

// Copies at least a vector of bytes. All stores but the first and the last one begin a line.
[[maybe_unused]] void copy_by_lines(std::uint8_t* to, const std::uint8_t* from, std::size_t bytes) {
  const hn::ScalableTag<std::uint8_t> d;
  const std::size_t lanes = hn::Lanes(d), last = bytes - lanes;
  const auto end = hn::LoadU(d, from + last);
  hn::StoreU(hn::LoadU(d, from), d, to);
  std::size_t i = lanes - reinterpret_cast<std::uintptr_t>(to) % lanes;
  for (; i + 4 * lanes <= bytes; i += 4 * lanes) {
    const auto v0 = hn::LoadU(d, from + i), v1 = hn::LoadU(d, from + i + lanes);
    const auto v2 = hn::LoadU(d, from + i + 2 * lanes), v3 = hn::LoadU(d, from + i + 3 * lanes);
    hn::Store(v0, d, to + i);
    hn::Store(v1, d, to + i + lanes);
    hn::Store(v2, d, to + i + 2 * lanes);
    hn::Store(v3, d, to + i + 3 * lanes);
  }
  for (; i < last; i += lanes) hn::Store(hn::LoadU(d, from + i), d, to + i);
  hn::StoreU(end, d, to + last);
}

// The C library's way begins sooner to copy whole lines by one instruction, which takes long to start, and meets what was just
// written where the places are a little apart within a page.
void copy_any(std::uint8_t* to, const std::uint8_t* from, std::size_t bytes) {
  constexpr std::size_t page = 4096, near = 512;
  const std::size_t ahead = (reinterpret_cast<std::uintptr_t>(to) - reinterpret_cast<std::uintptr_t>(from)) % page;
  const bool is_near = ahead != 0 && ahead < near;
#if GRIDDLE_MOVES_512
  constexpr std::size_t longest = std::size_t{1} << 15, longest_near = std::size_t{1} << 19;
  if (bytes >= 64 && bytes <= (is_near ? longest_near : longest)) return copy_by_lines(to, from, bytes);
#else
  if (bytes >= 1024 && is_near) return move_backward(to, from, bytes);
#endif
  if (bytes != 0) std::memcpy(to, from, bytes);
}

#if HWY_TARGET != HWY_SCALAR
// For elements of each size, the places of the bytes of a block with its elements in reverse order.
template <std::size_t size>
struct ReversedBlock {
  alignas(16) std::uint8_t places[16] = {};
  constexpr ReversedBlock() {
    for (std::size_t i = 0; i < 16; i++) places[i] = static_cast<std::uint8_t>(16 - size - i / size * size + i % size);
  }
};
template <std::size_t size>
constexpr ReversedBlock<size> reversed_block;
#endif

template <class D>
HWY_INLINE hn::Vec<D> reversed_in_blocks([[maybe_unused]] D d, hn::Vec<D> v) {
#if HWY_TARGET == HWY_SCALAR
  return v;
#else
  const hn::Repartition<std::uint8_t, D> bytes;
  const auto places = hn::LoadDup128(bytes, reversed_block<sizeof(hn::TFromD<D>)>.places);
  return hn::BitCast(d, hn::TableLookupBytes(hn::BitCast(bytes, v), places));
#endif
}
template <class D>
HWY_INLINE hn::Vec<D> reversed([[maybe_unused]] D d, hn::Vec<D> v) {
#if HWY_TARGET == HWY_SCALAR
  return v;
#else
#if HWY_TARGET == HWY_AVX3_DL
  if constexpr (sizeof(v.raw) == 64 && sizeof(hn::TFromD<D>) == 1) {
    const auto last_first = hn::Sub(hn::Set(d, 63), hn::Iota(d, 0));
    return hn::Vec<D>{_mm512_permutexvar_epi8(last_first.raw, v.raw)};
  }
#endif
  if constexpr (sizeof(hn::TFromD<D>) <= 2)
    return hn::ReverseBlocks(d, reversed_in_blocks(d, v));
  else
    return hn::Reverse(d, v);
#endif
}
// Loads a vector in reverse order. Where it has two blocks, they change places as they are loaded, which costs less than to move
// them afterwards.
template <class D>
HWY_INLINE hn::Vec<D> load_reversed(D d, const hn::TFromD<D>* from) {
#if HWY_TARGET == HWY_AVX2
  if constexpr (hn::MaxLanes(D()) * sizeof(hn::TFromD<D>) == 32) {
    const hn::Half<D> half;
    return reversed_in_blocks(d, hn::Combine(d, hn::LoadU(half, from), hn::LoadU(half, from + hn::Lanes(half))));
  }
#endif
  return reversed(d, hn::LoadU(d, from));
}

// Reverses at least a vector of elements; the last vector may write again what is there.
template <class D, class T>
HWY_INLINE void reverse_vectors(D d, T* to, const T* from, std::size_t n) {
  const std::size_t lanes = hn::Lanes(d);
  const auto turn = [&](std::size_t i) HWY_ATTR { hn::StoreU(load_reversed(d, from + n - i - lanes), d, to + i); };
  std::size_t i = 0;
  for (; i + 4 * lanes <= n; i += 4 * lanes)
    for (std::size_t k = 0; k < 4; k++) turn(i + k * lanes);
  for (; i + lanes <= n; i += lanes) turn(i);
  if (i < n) turn(n - lanes);
}

template <class T>
void reverse_elements(T* to, const T* from, std::size_t n) {
  const hn::ScalableTag<T> d;
  const hn::CappedTag<T, 16 / sizeof(T)> block;
  if (n >= hn::Lanes(d)) return reverse_vectors(d, to, from, n);
  if (n >= hn::Lanes(block)) return reverse_vectors(block, to, from, n);
  for (std::size_t i = 0; i < n; i++) to[i] = from[n - 1 - i];
}

// Reverses each row of `length` elements. Several short rows are turned by one shuffle; what it writes too much, the next one
// sets right.
template <class T>
void reverse_rows(T* to, const T* from, std::size_t length, std::size_t rows) {
  for (std::size_t i = 0; i < rows; i++) reverse_elements(to + i * length, from + i * length, length);
}

void reverse_any(unsigned width, void* to, const void* from, std::size_t length, std::size_t rows) {
  const auto run = [=]<class T>(T) HWY_ATTR { reverse_rows(static_cast<T*>(to), static_cast<const T*>(from), length, rows); };
  switch (width) {
    case 8: return run(std::uint8_t{});
    case 16: return run(std::uint16_t{});
    case 32: return run(std::uint32_t{});
    default: return run(std::uint64_t{});
  }
}

#if HWY_TARGET != HWY_SCALAR
// Reverses the bits of each byte.
template <class D>
HWY_INLINE hn::Vec<D> with_reversed_bits([[maybe_unused]] D d, hn::Vec<D> v) {
#if HWY_TARGET == HWY_AVX3_DL
  // A product of each byte with a matrix of bits. Highway does not name GFNI among the instruction sets of its target.
  const auto matrix = hn::Set(hn::Repartition<std::uint64_t, D>(), 0x8040201008040201);
  hn::Vec<D> turned;
  asm("vgf2p8affineqb $0, %2, %1, %0" : "=v"(turned.raw) : "v"(v.raw), "v"(matrix.raw));
  return turned;
#else
  const hn::Repartition<std::uint64_t, D> words;
  HWY_ALIGN static constexpr std::uint8_t nibbles[16] = {0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15};
  const auto table = hn::LoadDup128(d, nibbles);
  const auto mask = hn::Set(d, 15);
  const auto high = hn::And(hn::BitCast(d, hn::ShiftRight<4>(hn::BitCast(words, v))), mask);
  const auto low = hn::TableLookupBytes(table, hn::And(v, mask));
  return hn::Or(hn::BitCast(d, hn::ShiftLeft<4>(hn::BitCast(words, low))), hn::TableLookupBytes(table, high));
#endif
}
#endif

// Writes whole words of reversed bits; word 0 comes from the 64 bits before bit `end` of the source.
void reverse_words(std::uint64_t* to, const std::uint64_t* from, std::size_t end, std::size_t words) {
  std::size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::ScalableTag<std::uint64_t> d;
  const hn::ScalableTag<std::uint8_t> bytes;
  const std::size_t lanes = hn::Lanes(d), shift = end & 63;
#if GRIDDLE_MOVES_512
  // Only its first word counts.
  auto next = hn::Set(d, shift ? from[end >> 6] : 0);
#endif
  for (; i + lanes <= words; i += lanes) {
    const std::uint64_t* const start = from + (end >> 6) - i - lanes;
    auto v = hn::LoadU(d, start);
#if GRIDDLE_MOVES_512
    const auto low = v;
    if (shift) v = shifted_down(low, next, static_cast<int>(shift));
    next = low;
#else
    if (shift)
      v = hn::Or(hn::ShiftRightSame(v, static_cast<int>(shift)),
                 hn::ShiftLeftSame(hn::LoadU(d, start + 1), static_cast<int>(64 - shift)));
#endif
    hn::StoreU(hn::BitCast(d, with_reversed_bits(bytes, reversed(bytes, hn::BitCast(bytes, v)))), d, to + i);
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
}

template <class T>
void fill_elements(T* to, T element, std::size_t n) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto v = hn::Set(d, element);
  if (n < lanes) {
    for (std::size_t i = 0; i < n; i++) to[i] = element;
    return;
  }
  std::size_t i = 0;
  for (; i + 4 * lanes <= n; i += 4 * lanes)
    for (std::size_t k = 0; k < 4; k++) hn::StoreU(v, d, to + i + k * lanes);
  for (; i + lanes <= n; i += lanes) hn::StoreU(v, d, to + i);
  hn::StoreU(v, d, to + n - lanes);
}
void fill_any(unsigned width, void* to, std::uint64_t element, std::size_t n) {
  switch (width) {
    case 8: return fill_elements(static_cast<std::uint8_t*>(to), static_cast<std::uint8_t>(element), n);
    case 16: return fill_elements(static_cast<std::uint16_t*>(to), static_cast<std::uint16_t>(element), n);
    case 32: return fill_elements(static_cast<std::uint32_t*>(to), static_cast<std::uint32_t>(element), n);
    default: return fill_elements(static_cast<std::uint64_t*>(to), element, n);
  }
}

template <class T>
void count_elements(T* to, std::size_t n) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  auto a = hn::Iota(d, T{0}), b = hn::Iota(d, static_cast<T>(lanes));
  const auto step = hn::Set(d, static_cast<T>(2 * lanes));
  std::size_t i = 0;
  for (; i + 2 * lanes <= n; i += 2 * lanes) {
    hn::StoreU(a, d, to + i);
    hn::StoreU(b, d, to + i + lanes);
    a = hn::Add(a, step);
    b = hn::Add(b, step);
  }
  for (; i < n; i++) to[i] = static_cast<T>(i);
}
void count_any(unsigned width, void* to, std::size_t n) {
  switch (width) {
    case 8: return count_elements(static_cast<std::int8_t*>(to), n);
    case 16: return count_elements(static_cast<std::int16_t*>(to), n);
    case 32: return count_elements(static_cast<std::int32_t*>(to), n);
    default: return count_elements(static_cast<double*>(to), n);
  }
}

}  // namespace
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {

HWY_EXPORT(shift_words);
HWY_EXPORT(copy_any);
HWY_EXPORT(stream);
HWY_EXPORT(reverse_any);
HWY_EXPORT(reverse_words);
HWY_EXPORT(fill_any);
HWY_EXPORT(count_any);

void copy_bits(std::uint64_t* to, std::size_t to_at, const std::uint64_t* from, std::size_t from_at, std::size_t n) {
  if (n < 512) return copy_bit_run(to, to_at, from, from_at, n);
  if (std::size_t head = (64 - (to_at & 63)) & 63) {
    write_bits(to, to_at, head, read_bits(from, from_at, head));
    to_at += head, from_at += head, n -= head;
  }
  std::size_t words = n >> 6, shift = from_at & 63;
  if (shift == 0)
    copy_bytes(to + (to_at >> 6), from + (from_at >> 6), words * 8);
  else
    HWY_DYNAMIC_DISPATCH(shift_words)(to + (to_at >> 6), from + (from_at >> 6), static_cast<unsigned>(shift), words);
  if (std::size_t rest = n & 63) write_bits(to, to_at + (words << 6), rest, read_bits(from, from_at + (words << 6), rest));
}

void copy_bytes(void* to, const void* from, std::size_t bytes) {
  HWY_DYNAMIC_DISPATCH(copy_any)(static_cast<std::uint8_t*>(to), static_cast<const std::uint8_t*>(from), bytes);
}

void stream_bytes(void* to, const void* from, std::size_t bytes) {
  HWY_DYNAMIC_DISPATCH(stream)(static_cast<std::uint8_t*>(to), static_cast<const std::uint8_t*>(from), bytes);
}
void finish_streaming() { hwy::FlushStream(); }

void reverse(unsigned width, void* to, const void* from, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(reverse_any)(width, to, from, n, 1);
}

void reverse_rows(unsigned width, void* to, const void* from, std::size_t length, std::size_t rows) {
  constexpr std::size_t few_rows = 32;
  const std::size_t bytes = width / 8;
  if (rows >= few_rows && length * bytes <= longest_shuffled_row) {
    ChosenBytes bytes_of_row;
    for (std::size_t i = length; i-- > 0;) bytes_of_row.append(i, bytes);
    return shuffle_rows(static_cast<std::uint8_t*>(to), length * bytes, static_cast<const std::uint8_t*>(from), length * bytes,
                        rows, bytes_of_row.places);
  }
  HWY_DYNAMIC_DISPATCH(reverse_any)(width, to, from, length, rows);
}

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

void fill(unsigned width, void* to, std::uint64_t element, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(fill_any)(width, to, element, n);
}

void count_up(unsigned width, void* to, std::size_t n) { HWY_DYNAMIC_DISPATCH(count_any)(width, to, n); }

}  // namespace griddle::kernels
#endif  // HWY_ONCE
