#include "primitives/kernels/moves/select.h"

#include <cstring>
#include <type_traits>

#include "hwy/highway.h"
#include "primitives/kernels/booleans/bit_rows.h"
#include "primitives/kernels/moves/gather.h"
#include "primitives/kernels/moves/look_up.h"
#include "primitives/kernels/moves/move.h"
#include "primitives/kernels/moves/pick-inl.h"
#include "primitives/kernels/moves/shuffle_rows.h"
#include "primitives/kernels/shared/bit_runs.h"
#include "primitives/kernels/shared/bits-inl.h"
#include "primitives/kernels/shared/bounds.h"
#include "primitives/kernels/shared/pieces.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace select_unit {
namespace {

template <class T>
std::size_t pick_below(void* to, const void* from, std::size_t n, const Indices& indices) {
  const auto run = [&]<class I>(I) HWY_ATTR {
    return pick_while_below(static_cast<T*>(to), static_cast<const T*>(from), n, static_cast<const I*>(indices.data),
                            indices.count);
  };
  switch (indices.type) {
    case ElementType::i8: return run(std::int8_t{});
    case ElementType::i16: return run(std::int16_t{});
    default: return run(std::int32_t{});
  }
}
std::size_t pick_any_below(unsigned width, void* to, const void* from, std::size_t n, const Indices& indices) {
  switch (width) {
    case 8: return pick_below<std::uint8_t>(to, from, n, indices);
    case 16: return pick_below<std::uint16_t>(to, from, n, indices);
    case 32: return pick_below<std::uint32_t>(to, from, n, indices);
    default: return pick_below<std::uint64_t>(to, from, n, indices);
  }
}

// Makes negative indices count from the end, and adds `start`.
template <class I>
HWY_INLINE void write_places(std::uint32_t* places, const I* index, std::size_t count, std::size_t n, std::size_t start) {
  const hn::ScalableTag<std::int32_t> d;
  const hn::RebindToUnsigned<decltype(d)> unsigned_d;
  const std::size_t lanes = hn::Lanes(d);
  const auto length = hn::Set(d, static_cast<std::int32_t>(n)), first = hn::Set(d, static_cast<std::int32_t>(start));
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    hn::Vec<decltype(d)> v;
    if constexpr (sizeof(I) == 4)
      v = hn::LoadU(d, index + i);
    else
      v = hn::PromoteTo(d, hn::LoadU(hn::Rebind<I, decltype(d)>(), index + i));
    v = hn::Add(hn::Add(v, first), hn::And(hn::BroadcastSignBit(v), length));
    hn::StoreU(hn::BitCast(unsigned_d, v), unsigned_d, places + i);
  }
  for (; i < count; i++)
    places[i] = static_cast<std::uint32_t>(index[i]) + static_cast<std::uint32_t>((index[i] < 0 ? n : 0) + start);
}

// The same for indices of any integer type; apart, so that what picks by places is compiled once.
HWY_NOINLINE void write_places_of(const Indices& indices, std::size_t i, std::uint32_t* places, std::size_t count, std::size_t n,
                                  std::size_t start) {
  const auto at = [&]<class I>(I) { return static_cast<const I*>(indices.data) + i; };
  switch (indices.type) {
    case ElementType::i8: return write_places(places, at(std::int8_t{}), count, n, start);
    case ElementType::i16: return write_places(places, at(std::int16_t{}), count, n, start);
    default: return write_places(places, at(std::int32_t{}), count, n, start);
  }
}

constexpr std::size_t piece = 512;

template <class T>
void pick_elements(void* to, const void* from, std::size_t n, const Indices& indices) {
  T* out = static_cast<T*>(to);
  const T* in = static_cast<const T*>(from);
  if (!indices.negative) switch (indices.type) {
      case ElementType::i8: return pick(out, in, static_cast<const std::int8_t*>(indices.data), indices.count);
      case ElementType::i16: return pick(out, in, static_cast<const std::int16_t*>(indices.data), indices.count);
      default: return pick(out, in, static_cast<const std::int32_t*>(indices.data), indices.count);
    }
  std::uint32_t places[piece];
  for (std::size_t i = 0; i < indices.count; i += piece) {
    const std::size_t count = indices.count - i < piece ? indices.count - i : piece;
    write_places_of(indices, i, places, count, n, 0);
    pick(out + i, in, places, count);
  }
}

// Whether bytes are odd.
struct OddBytes {
  const std::uint8_t* bytes;
  HWY_INLINE auto mask_at(std::size_t i) const {
    const hn::ScalableTag<std::uint8_t> d;
    return hn::TestBit(hn::LoadU(d, bytes + i), hn::Set(d, 1));
  }
};

// Bits are picked as bytes first.
void pick_bits(void* to, const void* from, std::size_t from_bit, std::size_t n, const Indices& indices) {
  const hn::ScalableTag<std::uint8_t> d;
  auto* out = static_cast<std::uint64_t*>(to);
  const auto* in = static_cast<const std::uint32_t*>(from);
  std::uint32_t places[piece];
  HWY_ALIGN std::uint8_t picked[piece] = {};
  for (std::size_t i = 0; i < indices.count; i += piece) {
    const std::size_t count = indices.count - i < piece ? indices.count - i : piece;
    write_places_of(indices, i, places, count, n, from_bit);
#pragma GCC unroll 8
    for (std::size_t k = 0; k < count; k++) picked[k] = static_cast<std::uint8_t>(in[places[k] >> 5] >> (places[k] & 31));
    std::size_t k = 0;
    for (; k + 64 <= count; k += 64) out[(i + k) / 64] = bits_of_64(d, OddBytes{picked}, k);
    if (k < count) write_bits(out, i + k, count - k, bits_of_64(d, OddBytes{picked}, k) & low_bits(count - k));
  }
}

void pick_any(unsigned width, void* to, const void* from, std::size_t from_bit, std::size_t n, const Indices& indices) {
  switch (width) {
    case 1: return pick_bits(to, from, from_bit, n, indices);
    case 8: return pick_elements<std::uint8_t>(to, from, n, indices);
    case 16: return pick_elements<std::uint16_t>(to, from, n, indices);
    case 32: return pick_elements<std::uint32_t>(to, from, n, indices);
    default: return pick_elements<std::uint64_t>(to, from, n, indices);
  }
}

}  // namespace
}  // namespace select_unit
using select_unit::pick_any, select_unit::pick_any_below;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
namespace {

HWY_EXPORT(pick_any);
HWY_EXPORT(pick_any_below);

// Takes elements by index in one of three ways; false where the indices are booleans or doubles, or too many places for 32 bits.
bool take(unsigned width, void* to, const void* from, std::size_t from_bit, std::size_t n, const Indices& indices) {
  if (indices.type == ElementType::bit || indices.type == ElementType::f64 || from_bit + n >= std::size_t{1} << 31) return false;
  if (look_up(width, to, from, from_bit, n, indices)) return true;
  if (gathers_are_quick() && gather(width, to, from, from_bit, n, indices)) return true;
  HWY_DYNAMIC_DISPATCH(pick_any)(width, to, from, from_bit, n, indices);
  return true;
}

// Looks at a block at a time, so that the loop vectorises, and finds the place only where a block has a bad index.
template <class T, class Bad>
std::size_t find_bad(const T* p, std::size_t count, Bad bad) {
  constexpr std::size_t block = 512;
  for (std::size_t i = 0; i < count; i += block) {
    std::size_t end = count - i < block ? count : i + block;
    bool any = false;
    for (std::size_t j = i; j < end; j++) any |= bad(p[j]);
    if (any)
      for (std::size_t j = i; j < end; j++)
        if (bad(p[j])) return j;
  }
  return count;
}

template <class T>
std::size_t find_outside(Indices& indices, std::size_t n) {
  const T* p = static_cast<const T*>(indices.data);
  indices.negative = false;
  if (indices.count == 0) return 0;
  const Bounds bounds = bounds_of(indices.type, p, indices.count);
  const auto limit = static_cast<std::int64_t>(n);
  indices.negative = bounds.low < 0;
  if (bounds.low >= -limit && bounds.high < limit) return indices.count;
  return find_bad(p, indices.count, [=](T v) { return v < -limit || v >= limit; });
}

constexpr std::size_t chunk = 512;

// Writes indices as integers of type I that are no longer negative.
template <class I, class T>
void write_integers(I* piece, const T* p, std::size_t count, std::size_t n) {
  for (std::size_t j = 0; j < count; j++) {
    I v = static_cast<I>(p[j]);
    piece[j] = v + (v < 0 ? static_cast<I>(n) : 0);
  }
}
template <class I>
void write_integers_of_bits(I* piece, const std::uint64_t* p, std::size_t count) {
  for (std::size_t j = 0; j < count; j += 64) {
    std::uint64_t word = p[j / 64];
    for (std::size_t k = 0; k < 64; k++) piece[j + k] = static_cast<I>(word >> k & 1);
  }
}

// Calls f(first, indices, count) with pieces of the index list as such integers. Pieces are written apart from f, so that this is
// compiled once and not for each type of indices.
template <class I>
HWY_NOINLINE void write_piece(I* piece, const Indices& indices, std::size_t i, std::size_t count, std::size_t n) {
  const auto at = [&]<class T>(T) { return static_cast<const T*>(indices.data) + i; };
  switch (indices.type) {
    case ElementType::bit: return write_integers_of_bits(piece, static_cast<const std::uint64_t*>(indices.data) + i / 64, count);
    case ElementType::i8: return write_integers(piece, at(std::int8_t{}), count, n);
    case ElementType::i16: return write_integers(piece, at(std::int16_t{}), count, n);
    case ElementType::i32: return write_integers(piece, at(std::int32_t{}), count, n);
    default: return write_integers(piece, at(double{}), count, n);
  }
}
template <class I, class F>
void for_pieces(const Indices& indices, std::size_t n, F f) {
  I piece[chunk];
  for (std::size_t i = 0; i < indices.count; i += chunk) {
    const std::size_t m = indices.count - i < chunk ? indices.count - i : chunk;
    write_piece(piece, indices, i, m, n);
    f(i, piece, m);
  }
}

template <class F>
void for_pieces(const Indices& indices, std::size_t n, F f) {
  if (n < (std::size_t{1} << 31))
    for_pieces<std::int32_t>(indices, n, f);
  else
    for_pieces<std::int64_t>(indices, n, f);
}

template <class T>
void select_elements(T* to, const T* from, std::size_t n, const Indices& indices) {
  if (take(8 * sizeof(T), to, from, 0, n, indices)) return;
  for_pieces(indices, n, [=](std::size_t at, const auto* index, std::size_t m) {
    T* out = to + at;
    for (std::size_t j = 0; j < m; j++) out[j] = from[index[j]];
  });
}

void select_bits(std::uint64_t* to, std::size_t to_bit, const std::uint64_t* from, std::size_t from_bit, std::size_t n,
                 const Indices& indices) {
  if (to_bit % 64 == 0 && take(1, to + to_bit / 64, from, from_bit, n, indices)) return;
  for_pieces(indices, n, [=](std::size_t at, const auto* index, std::size_t m) {
    for (std::size_t j = 0; j < m; j += 64) {
      std::size_t bits = m - j < 64 ? m - j : 64;
      std::uint64_t word = 0;
      for (std::size_t k = 0; k < bits; k++)
        word |= std::uint64_t{read_bit(from, from_bit + static_cast<std::size_t>(index[j + k]))} << k;
      write_bits(to, to_bit + at + j, bits, word);
    }
  });
}

// Takes rows of few bits as bytes, where the table is not long.
bool select_narrow_rows(std::uint64_t* to, std::size_t to_bit, const std::uint64_t* from, std::size_t from_bit, std::size_t n,
                        std::size_t cell, const Indices& indices) {
  constexpr std::size_t most = 4096, widest = 8, fewest = 64, spare = 8;
  if (cell > widest || n > most || indices.count < fewest || 4 * indices.count < n || indices.type == ElementType::f64)
    return false;
  std::uint8_t table[most + spare], picked[chunk + spare];
  if (!spread_bit_rows(table, from, from_bit, cell, n)) return false;
  const auto* const data = static_cast<const std::uint8_t*>(indices.data);
  for (std::size_t i = 0; i < indices.count; i += chunk) {
    const std::size_t count = indices.count - i < chunk ? indices.count - i : chunk;
    select_elements(picked, table, n, {indices.type, data + i * bits_of(indices.type) / 8, count, indices.negative});
    std::memset(picked + count, 0, spare);  // collected with the last rows, and left out
    collect_bit_rows(to, to_bit + i * cell, picked, cell, count);
  }
  return true;
}

void select_bit_cells(std::uint64_t* to, std::size_t to_bit, const std::uint64_t* from, std::size_t from_bit, std::size_t n,
                      std::size_t cell, const Indices& indices) {
  if (select_narrow_rows(to, to_bit, from, from_bit, n, cell, indices)) return;
  for_pieces<std::int32_t>(indices, n, [=](std::size_t at, const auto* index, std::size_t m) {
    if (cell <= longest_bit_row) return select_bit_rows(to, to_bit + at * cell, from, from_bit, cell, index, m);
    for (std::size_t j = 0; j < m; j++)
      copy_bits(to, to_bit + (at + j) * cell, from, from_bit + static_cast<std::size_t>(index[j]) * cell, cell);
  });
}

bool aligned(const void* p, std::size_t bytes) { return reinterpret_cast<std::uintptr_t>(p) % bytes == 0; }

}  // namespace

bool selects_below(unsigned width, std::size_t n, ElementType indices) {
  constexpr std::size_t most_looked_up = 256;
  return n > most_looked_up && width != 1 && indices != ElementType::bit && indices <= ElementType::i32 && !gathers_are_quick();
}
bool select_below(unsigned width, void* to, const void* from, std::size_t n, const Indices& indices) {
  return aligned(to, width / 8) && aligned(from, width / 8) &&
         HWY_DYNAMIC_DISPATCH(pick_any_below)(width, to, from, n, indices) == indices.count;
}

std::size_t first_bad_index(Indices& indices, std::size_t n) {
  const std::size_t count = indices.count;
  switch (indices.type) {
    case ElementType::bit: {
      indices.negative = false;
      if (n >= 2) return count;
      const auto* p = static_cast<const std::uint64_t*>(indices.data);
      if (n == 0) return 0;
      for (std::size_t i = 0; i < count; i++)
        if (read_bit(p, i)) return i;
      return count;
    }
    case ElementType::i8: return find_outside<std::int8_t>(indices, n);
    case ElementType::i16: return find_outside<std::int16_t>(indices, n);
    case ElementType::i32: return find_outside<std::int32_t>(indices, n);
    default: {
      auto limit = static_cast<double>(n);
      return find_bad(static_cast<const double*>(indices.data), count, [=](double d) {
        bool inside = d >= -limit && d < limit;
        return !inside || static_cast<double>(static_cast<std::int64_t>(d)) != d;
      });
    }
  }
}

namespace {

// Takes cells of so many bytes, which are known where they are few and copied without a call.
template <class Bytes>
void select_byte_cells(std::uint8_t* to, const std::uint8_t* from, std::size_t n, Bytes bytes, const Indices& indices) {
  for_pieces(indices, n, [=](std::size_t at, const auto* index, std::size_t m) {
    for (std::size_t j = 0; j < m; j++)
      std::memcpy(to + (at + j) * bytes, from + static_cast<std::size_t>(index[j]) * bytes, bytes);
  });
}
template <std::size_t bytes>
using Bytes = std::integral_constant<std::size_t, bytes>;

// Takes cells of more than `half` bytes in pieces of so many, of which the last two may overlap.
template <std::size_t half>
void select_in_pieces(std::uint8_t* to, const std::uint8_t* from, std::size_t n, std::size_t bytes, const Indices& indices) {
  for_pieces(indices, n, [=](std::size_t at, const auto* index, std::size_t m) {
    for (std::size_t j = 0; j < m; j++) {
      std::uint8_t* const out = to + (at + j) * bytes;
      const std::uint8_t* const cell = from + static_cast<std::size_t>(index[j]) * bytes;
      for (std::size_t k = 0; k < bytes - half; k += half) std::memcpy(out + k, cell + k, half);
      std::memcpy(out + bytes - half, cell + bytes - half, half);
    }
  });
}
void select_byte_cells(std::uint8_t* to, const std::uint8_t* from, std::size_t n, std::size_t bytes, const Indices& indices) {
  constexpr std::size_t long_cell = 512;
  if (bytes > long_cell || bytes <= 8) return select_byte_cells<std::size_t>(to, from, n, bytes, indices);
  if (bytes <= 16) return select_in_pieces<8>(to, from, n, bytes, indices);
  if (bytes <= 64) return select_in_pieces<16>(to, from, n, bytes, indices);
  select_in_pieces<64>(to, from, n, bytes, indices);
}

}  // namespace

namespace {

[[gnu::noinline]] void select_piece_by_piece(unsigned width, void* to, std::size_t to_bit, const void* from, std::size_t from_bit,
                                             std::size_t n, std::size_t cell, const Indices& indices) {
  // Packed indices begin with a word.
  in_pieces(indices.count, [&](std::size_t i, std::size_t end) {
    const std::size_t bit = to_bit + i * cell * width, start = width == 1 ? bit / 64 * 8 : bit / 8;
    select_cells(width, static_cast<std::uint8_t*>(to) + start, bit - 8 * start, from, from_bit, n, cell,
                 {indices.type, static_cast<const std::uint8_t*>(indices.data) + i * bits_of(indices.type) / 8, end - i,
                  indices.negative});
  });
}

}  // namespace

void select_cells(unsigned width, void* to, std::size_t to_bit, const void* from, std::size_t from_bit, std::size_t n,
                  std::size_t cell, const Indices& indices) {
  if (indices.count > long_piece) return select_piece_by_piece(width, to, to_bit, from, from_bit, n, cell, indices);
  std::size_t bits = width * cell;
  if (width == 1 && (bits % 8 || to_bit % 8 || from_bit % 8)) {
    auto* out = static_cast<std::uint64_t*>(to);
    const auto* in = static_cast<const std::uint64_t*>(from);
    if (cell == 1) return select_bits(out, to_bit, in, from_bit, n, indices);
    return select_bit_cells(out, to_bit, in, from_bit, n, cell, indices);
  }
  std::size_t bytes = bits / 8;
  auto* out = static_cast<std::uint8_t*>(to) + to_bit / 8;
  const auto* in = static_cast<const std::uint8_t*>(from) + from_bit / 8;
  const auto elements = [&]<class T>(T) {
    select_elements(reinterpret_cast<T*>(out), reinterpret_cast<const T*>(in), n, indices);
  };
  if (bytes <= 8 && aligned(out, bytes) && aligned(in, bytes)) switch (bytes) {
      case 1: return elements(std::uint8_t{});
      case 2: return elements(std::uint16_t{});
      case 4: return elements(std::uint32_t{});
      case 8: return elements(std::uint64_t{});
      default: break;
    }
  switch (bytes) {
    case 3: return select_byte_cells(out, in, n, Bytes<3>(), indices);
    case 6: return select_byte_cells(out, in, n, Bytes<6>(), indices);
    case 12: return select_byte_cells(out, in, n, Bytes<12>(), indices);
    case 16: return select_byte_cells(out, in, n, Bytes<16>(), indices);
    case 24: return select_byte_cells(out, in, n, Bytes<24>(), indices);
    case 32: return select_byte_cells(out, in, n, Bytes<32>(), indices);
    case 64: return select_byte_cells(out, in, n, Bytes<64>(), indices);
    default: return select_byte_cells(out, in, n, bytes, indices);
  }
}

namespace {

template <class T, std::size_t N>
void select_fixed_columns(T* to, const T* from, std::size_t rows, std::size_t row_length, const std::size_t* chosen) {
  std::size_t at[N];
  std::memcpy(at, chosen, sizeof at);
  for (std::size_t r = 0; r < rows; r++, to += N, from += row_length)
    for (std::size_t i = 0; i < N; i++) to[i] = from[at[i]];
}

template <class T>
void select_columns(T* to, const T* from, std::size_t rows, std::size_t row_length, const std::size_t* chosen,
                    std::size_t count) {
  switch (count) {
    case 2: return select_fixed_columns<T, 2>(to, from, rows, row_length, chosen);
    case 3: return select_fixed_columns<T, 3>(to, from, rows, row_length, chosen);
    case 4: return select_fixed_columns<T, 4>(to, from, rows, row_length, chosen);
    case 5: return select_fixed_columns<T, 5>(to, from, rows, row_length, chosen);
    case 6: return select_fixed_columns<T, 6>(to, from, rows, row_length, chosen);
    default:
      for (std::size_t r = 0; r < rows; r++, to += count, from += row_length)
        for (std::size_t i = 0; i < count; i++) to[i] = from[chosen[i]];
  }
}

}  // namespace

void select_columns(unsigned width, void* to, const void* from, std::size_t rows, std::size_t row_length,
                    const std::size_t* chosen, std::size_t count) {
  if (count == 1) return take_column(width, to, from, rows, row_length, *chosen);
  constexpr std::size_t few_rows = 4;
  const std::size_t bytes = width / 8;
  if (rows >= few_rows && row_length * bytes <= longest_shuffled_row && count * bytes <= longest_shuffled_row) {
    ChosenBytes bytes_of_row;
    for (std::size_t i = 0; i < count; i++) bytes_of_row.append(chosen[i], bytes);
    return shuffle_rows(static_cast<std::uint8_t*>(to), count * bytes, static_cast<const std::uint8_t*>(from), row_length * bytes,
                        rows, bytes_of_row.places);
  }
  const auto run = [&]<class T>(T) {
    select_columns(static_cast<T*>(to), static_cast<const T*>(from), rows, row_length, chosen, count);
  };
  switch (width) {
    case 8: return run(std::uint8_t{});
    case 16: return run(std::uint16_t{});
    case 32: return run(std::uint32_t{});
    default: return run(std::uint64_t{});
  }
}

}  // namespace griddle::kernels
#endif  // HWY_ONCE
