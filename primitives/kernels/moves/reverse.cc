#include "primitives/kernels/moves/move.h"

#include <algorithm>
#include <bit>

#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "primitives/kernels/moves/shuffle_rows.h"
#include "primitives/kernels/shared/bit_runs.h"
#include "primitives/kernels/shared/past_caches-inl.h"
#include "primitives/kernels/shared/pieces.h"
#include "primitives/kernels/shared/word_shifts-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace reverse_unit {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

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

template <class D>
HWY_INLINE hn::Vec<D> reversed_in_blocks([[maybe_unused]] D d, hn::Vec<D> v) {
  const hn::Repartition<std::uint8_t, D> bytes;
  const auto places = hn::LoadDup128(bytes, reversed_block<sizeof(hn::TFromD<D>)>.places);
  return hn::BitCast(d, hn::TableLookupBytes(hn::BitCast(bytes, v), places));
}
#if HWY_TARGET == HWY_AVX3_DL
// Gives the elements at these places of a vector of 64 bytes, whatever stands in the upper bits of the places.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V permuted(D, V v, V places) {
  constexpr std::size_t size = sizeof(hn::TFromD<D>);
  if constexpr (size == 1)
    return V{_mm512_permutexvar_epi8(places.raw, v.raw)};
  else if constexpr (size == 2)
    return V{_mm512_permutexvar_epi16(places.raw, v.raw)};
  else if constexpr (size == 4)
    return V{_mm512_permutexvar_epi32(places.raw, v.raw)};
  else
    return V{_mm512_permutexvar_epi64(places.raw, v.raw)};
}
#endif

template <class D>
HWY_INLINE hn::Vec<D> reversed([[maybe_unused]] D d, hn::Vec<D> v) {
#if HWY_TARGET == HWY_AVX3_DL
  if constexpr (sizeof(v.raw) == 64) {
    const auto last = hn::Set(d, static_cast<hn::TFromD<D>>(hn::MaxLanes(d) - 1));
    return permuted(d, v, hn::Sub(last, hn::Iota(d, 0)));
  }
#endif
  if constexpr (sizeof(hn::TFromD<D>) <= 2)
    return hn::ReverseBlocks(d, reversed_in_blocks(d, v));
  else
    return hn::Reverse(d, v);
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

// Reverses at least a vector of elements; the last vector may write again what is there. Past the caches, what lies a page ahead
// is fetched.
template <bool past_caches = false, class D, class T>
HWY_INLINE void reverse_vectors(D d, T* to, const T* from, std::size_t n) {
  constexpr std::size_t page = 4096 / sizeof(T), line = 64 / sizeof(T);
  const std::size_t lanes = hn::Lanes(d);
  const auto turn = [&](std::size_t i) HWY_ATTR { store(past_caches, load_reversed(d, from + n - i - lanes), d, to + i); };
  std::size_t i = 0;
  for (; i + 4 * lanes <= n; i += 4 * lanes) {
    if constexpr (past_caches)
      for (std::size_t k = 0; k < 4 * lanes; k += line) hwy::Prefetch(from + (n - i > page + k ? n - i - page - k : 0));
    for (std::size_t k = 0; k < 4; k++) turn(i + k * lanes);
  }
  for (; i + lanes <= n; i += lanes) turn(i);
  if (i < n) hn::StoreU(load_reversed(d, from), d, to + n - lanes);
}

#if HWY_TARGET == HWY_AVX3_DL
// Reverses less than a vector of elements, and touches no others.
template <class D, class T>
HWY_INLINE void reverse_few(D d, T* to, const T* from, std::size_t n) {
  using M = hn::Mask<D>;
  using Raw = decltype(M::raw);
  const M few{static_cast<Raw>((std::uint64_t{1} << n) - 1)};
  const auto last_first = hn::Sub(hn::Set(d, static_cast<T>(n - 1)), hn::Iota(d, 0));
  hn::BlendedStore(permuted(d, hn::MaskedLoad(few, d, from), last_first), few, d, to);
}
#endif

// Reverses a list where it lies: vectors from both ends change places.
template <class D, class T>
HWY_INLINE void exchange_ends(D d, T* list, std::size_t n) {
  const std::size_t lanes = hn::Lanes(d);
  const auto exchange = [=](T* left, T* right) HWY_ATTR {
    const auto first = load_reversed(d, left), last = load_reversed(d, right);
    hn::StoreU(last, d, left);
    hn::StoreU(first, d, right);
  };
  for (; n >= 2 * lanes; list += lanes, n -= 2 * lanes) exchange(list, list + n - lanes);
  if (n >= lanes) return exchange(list, list + n - lanes);
#if HWY_TARGET == HWY_AVX3_DL
  reverse_few(d, list, list, n);
#else
  const hn::CappedTag<T, 16 / sizeof(T)> block;
  if constexpr (hn::MaxLanes(D()) > hn::MaxLanes(block))
    exchange_ends(block, list, n);
  else
    std::reverse(list, list + n);
#endif
}

template <class T>
HWY_NOINLINE void reverse_many(T* to, const T* from, std::size_t n) {
  const hn::ScalableTag<T> d;
  const bool past_caches = goes_past_caches(to, from, n * sizeof(T));
  in_pieces(n, [=](std::size_t i, std::size_t end) HWY_ATTR {
    past_caches ? reverse_vectors<true>(d, to + i, from + (n - end), end - i)
                : reverse_vectors(d, to + i, from + (n - end), end - i);
  });
  if (past_caches) hwy::FlushStream();
}

template <class T>
void reverse_elements(T* to, const T* from, std::size_t n) {
  const hn::ScalableTag<T> d;
  if (to == from) return exchange_ends(d, to, n);
#if HWY_TARGET == HWY_AVX3_DL
  if (n < hn::Lanes(d)) return reverse_few(d, to, from, n);
#endif
  const hn::CappedTag<T, 16 / sizeof(T)> block;
  if (n >= hn::Lanes(d)) {
    if (n <= long_piece) [[likely]]
      return reverse_vectors(d, to, from, n);
    return reverse_many(to, from, n);
  }
  if (n >= hn::Lanes(block)) return reverse_vectors(block, to, from, n);
  for (std::size_t i = 0; i < n; i++) to[i] = from[n - 1 - i];
}

// For elements of each size, the places of the bytes of a block whose rows of so many bytes are reversed.
template <std::size_t size, std::size_t row>
struct ReversedRows {
  alignas(16) std::uint8_t places[16] = {};
  constexpr ReversedRows() {
    for (std::size_t i = 0; i < 16; i++)
      places[i] = static_cast<std::uint8_t>(i / row * row + (row - size - i % row / size * size) + i % size);
  }
};
template <std::size_t size, std::size_t row>
constexpr ReversedRows<size, row> reversed_rows_of;

// Reverses rows of which a block holds one or more.
template <class T, std::size_t row>
HWY_INLINE void reverse_rows_in_blocks(T* to, const T* from, std::size_t rows) {
  const hn::ScalableTag<std::uint8_t> d;
  const std::size_t lanes = hn::Lanes(d), bytes = rows * row;
  const auto places = hn::LoadDup128(d, reversed_rows_of<sizeof(T), row>.places);
  auto* const out = reinterpret_cast<std::uint8_t*>(to);
  const auto* const in = reinterpret_cast<const std::uint8_t*>(from);
  const auto turn = [=](std::size_t i) HWY_ATTR { hn::StoreU(hn::TableLookupBytes(hn::LoadU(d, in + i), places), d, out + i); };
  std::size_t i = 0;
  for (; i + 4 * lanes <= bytes; i += 4 * lanes)
    for (std::size_t k = 0; k < 4; k++) turn(i + k * lanes);
  for (; i + lanes <= bytes; i += lanes) turn(i);
  for (std::size_t k = i / sizeof(T), length = row / sizeof(T); k < rows * length; k += length)
    std::reverse_copy(from + k, from + k + length, to + k);
}
// Reverses rows that fill so many vectors.
template <class T, std::size_t row>
HWY_INLINE void reverse_rows_of_vectors(T* to, const T* from, std::size_t rows) {
  using D = hn::CappedTag<T, row / sizeof(T)>;
  constexpr std::size_t lanes = hn::MaxLanes(D()), length = row / sizeof(T);
  for (std::size_t end = rows * length, i = 0; i < end; i += length)
    for (std::size_t k = 0; k < length; k += lanes)
      hn::StoreU(load_reversed(D(), from + i + length - lanes - k), D(), to + i + k);
}

// Reverses each row of `length` elements, many short ones by a shuffle each or together.
template <class T>
void reverse_rows(T* to, const T* from, std::size_t length, std::size_t rows) {
  if (to != from && rows > 1) {
    switch (length * sizeof(T)) {
      case 4:
        if constexpr (sizeof(T) <= 2) return reverse_rows_in_blocks<T, 4>(to, from, rows);
        break;
      case 8:
        if constexpr (sizeof(T) <= 4) return reverse_rows_in_blocks<T, 8>(to, from, rows);
        break;
      case 16: return reverse_rows_in_blocks<T, 16>(to, from, rows);
      case 32: return reverse_rows_of_vectors<T, 32>(to, from, rows);
      case 64: return reverse_rows_of_vectors<T, 64>(to, from, rows);
      default: break;
    }
  }
  for (std::size_t i = 0; i < rows; i++) reverse_elements(to + i * length, from + i * length, length);
}

template <class T>
void reverse_list(void* to, const void* from, std::size_t n) {
  reverse_elements(static_cast<T*>(to), static_cast<const T*>(from), n);
}
const ListReversal* reversals_of_elements() {
  static constexpr ListReversal by_size[] = {reverse_list<std::uint8_t>, reverse_list<std::uint16_t>, reverse_list<std::uint32_t>,
                                             reverse_list<std::uint64_t>};
  return by_size;
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

// Writes whole words of reversed bits; word 0 comes from the 64 bits before bit `end` of the source.
void reverse_words(std::uint64_t* to, const std::uint64_t* from, std::size_t end, std::size_t words) {
  std::size_t i = 0;
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
  for (; i < words; i++) to[i] = reversed_bits(read_bits(from, end - 64 * (i + 1), 64));
}

}  // namespace
}  // namespace reverse_unit
using reverse_unit::reversals_of_elements, reverse_unit::reverse_any, reverse_unit::reverse_words;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {

HWY_EXPORT(reversals_of_elements);
HWY_EXPORT(reverse_any);
HWY_EXPORT(reverse_words);

ListReversal reversal(unsigned log2_bits) {
  if (log2_bits != 0) return HWY_DYNAMIC_DISPATCH(reversals_of_elements)()[log2_bits - 3];
  return [](void* to, const void* from, std::size_t n) {
    reverse_bits(static_cast<std::uint64_t*>(to), 0, static_cast<const std::uint64_t*>(from), 0, n);
  };
}

void reverse(unsigned width, void* to, const void* from, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(reverse_any)(width, to, from, n, 1);
}

namespace {

[[gnu::noinline]] void reverse_rows_in_pieces(unsigned width, std::uint8_t* to, const std::uint8_t* from, std::size_t length,
                                              std::size_t rows) {
  const std::size_t bytes = length * width / 8;
  in_pieces(
      rows,
      [=](std::size_t i, std::size_t end) {
        HWY_DYNAMIC_DISPATCH(reverse_any)(width, to + i * bytes, from + i * bytes, length, end - i);
      },
      long_pass / length + 1);
}

}  // namespace

void reverse_rows(unsigned width, void* to, const void* from, std::size_t length, std::size_t rows) {
  constexpr std::size_t few_rows = 32;
  const std::size_t bytes = width / 8;
  // Rows that fill vectors need no places of their bytes.
  const bool fills_vectors = std::has_single_bit(length * bytes) && length * bytes >= 4;
  if (rows >= few_rows && length * bytes <= longest_shuffled_row && !fills_vectors) {
    ChosenBytes bytes_of_row;
    for (std::size_t i = length; i-- > 0;) bytes_of_row.append(i, bytes);
    return shuffle_rows(static_cast<std::uint8_t*>(to), length * bytes, static_cast<const std::uint8_t*>(from), length * bytes,
                        rows, bytes_of_row.places);
  }
  if (rows * length <= long_pass || to == from) [[likely]]
    return HWY_DYNAMIC_DISPATCH(reverse_any)(width, to, from, length, rows);
  reverse_rows_in_pieces(width, static_cast<std::uint8_t*>(to), static_cast<const std::uint8_t*>(from), length, rows);
}

namespace {

[[gnu::noinline]] void reverse_words_in_pieces(std::uint64_t* to, const std::uint64_t* from, std::size_t end, std::size_t words) {
  in_pieces(words, [=](std::size_t i, std::size_t last) {
    HWY_DYNAMIC_DISPATCH(reverse_words)(to + i, from, end - 64 * i, last - i);
  });
}

}  // namespace

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
  if (words > long_piece) [[unlikely]]
    reverse_words_in_pieces(to + (to_at >> 6), from, end, words);
  else if (words)
    HWY_DYNAMIC_DISPATCH(reverse_words)(to + (to_at >> 6), from, end, words);
  to_at += words << 6, end -= words << 6, n &= 63;
  copy(n);
}

}  // namespace griddle::kernels
#endif  // HWY_ONCE
