#include "primitives/kernels/moves/move.h"

#include <cstring>

#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "primitives/kernels/shared/bit_runs.h"
#include "primitives/kernels/shared/past_caches-inl.h"
#include "primitives/kernels/shared/pieces.h"
#include "primitives/kernels/shared/word_shifts-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace move_unit {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

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
  const auto shift_vector = [=](std::size_t at) HWY_ATTR {
    const auto low = hn::ShiftRightSame(hn::LoadU(d, from + at), bits);
    const auto high = hn::ShiftLeftSame(hn::LoadU(d, from + at + 1), 64 - bits);
    hn::StoreU(hn::Or(low, high), d, to + at);
  };
  constexpr std::size_t at_once = 4;
  for (; i + at_once * lanes <= words; i += at_once * lanes)
    for (std::size_t k = 0; k < at_once; k++) shift_vector(i + k * lanes);
  for (; i + lanes <= words; i += lanes) shift_vector(i);
  // Says it to the compiler, which would warn of places that no memory has.
  if (words > ~std::size_t{0} / sizeof *to - 1) __builtin_unreachable();
  for (; i < words; i++) to[i] = from[i] >> shift | from[i + 1] << (64 - shift);
}

// Writes bits rotated by `first` places, whole words at a time; at the seam, a word takes the last bits and the first ones.
void rotate_words(std::uint64_t* to, const std::uint64_t* from, std::size_t n, std::size_t first) {
  const auto run = [=](std::size_t at, std::size_t start, std::size_t words) HWY_ATTR {
    if (start % 64 == 0)
      std::memcpy(to + at, from + start / 64, words * sizeof *to);
    else
      shift_words(to + at, from + start / 64, static_cast<unsigned>(start % 64), words);
  };
  const std::size_t last = n - first, whole = last / 64, rest = last % 64;
  run(0, first, whole);
  if (rest != 0) to[whole] = read_bits(from, n - rest, rest) | from[0] << rest;
  const std::size_t begun = whole + (rest != 0), words = (n + 63) / 64;
  run(begun, 64 * begun - last, words - begun);
}

// Copies at least four vectors. Faster than memcpy where `to` lies a little after `from` within a page, because then no read
// meets the write just before it. Lines are written whole, one after the other: beyond the first-level cache others can take
// twice as long. What lies before the first of them is written by vectors, too: for so few bytes the compiler would use an
// instruction that takes long to start.
void move_backward(std::uint8_t* to, const std::uint8_t* from, std::size_t bytes) {
  const hn::ScalableTag<std::uint8_t> d;
  constexpr std::size_t line = 64, lanes = hn::MaxLanes(d), at_once = 4, step = at_once * lanes;
  hn::Vec<decltype(d)> first[at_once];
  for (std::size_t k = 0; k < at_once; k++) first[k] = hn::LoadU(d, from + k * lanes);
  std::memcpy(to + bytes - line, from + bytes - line, line);
  std::size_t i = bytes - (reinterpret_cast<std::uintptr_t>(to) + bytes) % line;
  for (; i >= step; i -= step) {
    hn::Vec<decltype(d)> v[at_once];
    for (std::size_t k = 0; k < at_once; k++) v[k] = hn::LoadU(d, from + i - (k + 1) * lanes);
    for (std::size_t k = 0; k < at_once; k++) hn::Store(v[k], d, to + i - (k + 1) * lanes);
  }
  for (std::size_t k = at_once; k-- > 0;) hn::StoreU(first[k], d, to + k * lanes);
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

// Copies what is too much for the last-level cache. What fetches ahead by itself stays within a page.
void copy_past_caches(std::uint8_t* to, const std::uint8_t* from, std::size_t bytes) {
  const hn::ScalableTag<std::uint8_t> d;
  constexpr std::size_t line = 64, step = 4 * line, ahead = 4096;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = (line - reinterpret_cast<std::uintptr_t>(to) % line) % line;
  std::memcpy(to, from, i);
  for (; i + step <= bytes; i += step) {
    for (std::size_t k = 0; k < step; k += line) hwy::Prefetch(from + i + ahead + k);
    for (std::size_t k = 0; k < step; k += lanes) hn::Stream(hn::LoadU(d, from + i + k), d, to + i + k);
  }
  std::memcpy(to + i, from + i, bytes - i);
  hwy::FlushStream();
}

// The C library's way begins sooner to copy whole lines by one instruction, which takes long to start, longer where the places
// do not lie alike within a line, and meets what was just written where they are a little apart within a page. Beyond the caches
// of a core that instruction is the faster one, with AVX-512 beyond the first-level cache, as it does not fetch the lines that it
// writes whole.
void copy_any(std::uint8_t* to, const std::uint8_t* from, std::size_t bytes, std::size_t whole) {
  constexpr std::size_t page = 4096, near = 512, longest_near = std::size_t{1} << 19;
  const std::size_t ahead = (reinterpret_cast<std::uintptr_t>(to) - reinterpret_cast<std::uintptr_t>(from)) % page;
#if GRIDDLE_MOVES_512
  constexpr std::size_t longest = 20000, longest_by_loop = 2048;
  if (bytes >= 64 && (whole <= longest || bytes < longest_by_loop)) return copy_by_lines(to, from, bytes);
#endif
  if (bytes >= 1024 && whole <= longest_near && ahead != 0 && ahead < near) return move_backward(to, from, bytes);
#if HWY_TARGET == HWY_AVX2
  constexpr std::size_t shortest_by_lines = 512, longest_by_lines = std::size_t{1} << 18;
  if (bytes >= shortest_by_lines && whole <= longest_by_lines) return copy_by_lines(to, from, bytes);
#endif
  constexpr std::size_t past_caches = std::size_t{12} << 20, long_part = std::size_t{1} << 16;
  if (whole >= past_caches && bytes >= long_part) return copy_past_caches(to, from, bytes);
  if (bytes != 0) std::memcpy(to, from, bytes);
}

void stream(std::uint8_t* to, const std::uint8_t* from, std::size_t bytes) {
  const hn::ScalableTag<std::uint8_t> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + 64 <= bytes; i += 64)
    for (std::size_t k = 0; k < 64; k += lanes) hn::Stream(hn::LoadU(d, from + i + k), d, to + i + k);
  if (i < bytes) std::memcpy(to + i, from + i, bytes - i);
}

#if HWY_ARCH_X86_64

// From this many bytes on, the instruction that repeats a store is faster: it does not fetch the lines that it will write whole.
constexpr std::size_t long_fill = std::size_t{1} << 20;

template <class T>
void fill_by_instruction(T* to, T element, std::size_t n) {
  if constexpr (sizeof(T) == 1)
    asm volatile("rep stosb" : "+D"(to), "+c"(n) : "a"(element) : "memory");
  else if constexpr (sizeof(T) == 2)
    asm volatile("rep stosw" : "+D"(to), "+c"(n) : "a"(element) : "memory");
  else if constexpr (sizeof(T) == 4)
    asm volatile("rep stosl" : "+D"(to), "+c"(n) : "a"(element) : "memory");
  else
    asm volatile("rep stosq" : "+D"(to), "+c"(n) : "a"(element) : "memory");
}

#endif

// All vectors but the first and the last one begin where vectors may, which lines of the second-level cache take faster.
template <class T>
void fill_elements(T* to, T element, std::size_t n) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  if (n < lanes) {
    for (std::size_t i = 0; i < n; i++) to[i] = element;
    return;
  }
#if HWY_ARCH_X86_64
  if (n >= long_fill / sizeof(T)) return fill_by_instruction(to, element, n);
#endif
  const auto v = hn::Set(d, element);
  hn::StoreU(v, d, to);
  std::size_t i = lanes - reinterpret_cast<std::uintptr_t>(to) % (lanes * sizeof(T)) / sizeof(T);
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

template <bool past_caches, class T>
HWY_INLINE void count_in_vectors(T* to, std::size_t i, std::size_t n) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  auto a = hn::Iota(d, static_cast<T>(i)), b = hn::Iota(d, static_cast<T>(i + lanes));
  const auto step = hn::Set(d, static_cast<T>(2 * lanes));
  for (; i + 2 * lanes <= n; i += 2 * lanes) {
    store(past_caches, a, d, to + i);
    store(past_caches, b, d, to + i + lanes);
    a = hn::Add(a, step);
    b = hn::Add(b, step);
  }
  for (; i < n; i++) to[i] = static_cast<T>(i);
}
template <class T>
HWY_NOINLINE void count_past_caches(T* to, std::size_t n) {
  in_pieces(n, [=](std::size_t i, std::size_t end) HWY_ATTR { count_in_vectors<true>(to, i, end); });
  hwy::FlushStream();
}
template <class T>
void count_elements(T* to, std::size_t n) {
  if (alone_go_past_caches(to, n * sizeof(T))) return count_past_caches(to, n);
  count_in_vectors<false>(to, 0, n);
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
}  // namespace move_unit
using move_unit::shift_words, move_unit::rotate_words, move_unit::copy_any, move_unit::stream, move_unit::fill_any,
    move_unit::count_any;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {

HWY_EXPORT(shift_words);
HWY_EXPORT(rotate_words);
HWY_EXPORT(copy_any);
HWY_EXPORT(stream);
HWY_EXPORT(fill_any);
HWY_EXPORT(count_any);

namespace {

[[gnu::noinline]] void shift_piece(std::uint64_t* to, const std::uint64_t* from, unsigned shift, std::size_t words) {
  HWY_DYNAMIC_DISPATCH(shift_words)(to, from, shift, words);
}
void shift_in_pieces(std::uint64_t* to, const std::uint64_t* from, unsigned shift, std::size_t words) {
  in_pieces(words, [=](std::size_t i, std::size_t end) { shift_piece(to + i, from + i, shift, end - i); });
}
[[gnu::noinline]] void copy_in_pieces(std::uint8_t* to, const std::uint8_t* from, std::size_t bytes, std::size_t whole) {
  const auto copy = [=](std::size_t i, std::size_t end) { HWY_DYNAMIC_DISPATCH(copy_any)(to + i, from + i, end - i, whole); };
  in_pieces(bytes, copy, long_pass);
}

}  // namespace

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
    (words > long_piece ? shift_in_pieces : shift_piece)(to + (to_at >> 6), from + (from_at >> 6), static_cast<unsigned>(shift),
                                                         words);
  if (std::size_t rest = n & 63) write_bits(to, to_at + (words << 6), rest, read_bits(from, from_at + (words << 6), rest));
}

void rotate_bits(std::uint64_t* to, const std::uint64_t* from, std::size_t n, std::size_t first) {
  HWY_DYNAMIC_DISPATCH(rotate_words)(to, from, n, first);
}

void copy_part(void* to, const void* from, std::size_t bytes, std::size_t whole) {
  auto* const target = static_cast<std::uint8_t*>(to);
  const auto* const source = static_cast<const std::uint8_t*>(from);
  if (bytes > long_pass) [[unlikely]]
    return copy_in_pieces(target, source, bytes, whole);
  HWY_DYNAMIC_DISPATCH(copy_any)(target, source, bytes, whole);
}
void copy_bytes(void* to, const void* from, std::size_t bytes) { copy_part(to, from, bytes, bytes); }

void stream_bytes(void* to, const void* from, std::size_t bytes) {
  HWY_DYNAMIC_DISPATCH(stream)(static_cast<std::uint8_t*>(to), static_cast<const std::uint8_t*>(from), bytes);
}
void finish_streaming() { hwy::FlushStream(); }

void fill(unsigned width, void* to, std::uint64_t element, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(fill_any)(width, to, element, n);
}

void count_up(unsigned width, void* to, std::size_t n) { HWY_DYNAMIC_DISPATCH(count_any)(width, to, n); }

}  // namespace griddle::kernels
#endif  // HWY_ONCE
