#include "primitives/kernels/select.h"

#include <cstring>
#include <type_traits>

#include "primitives/kernels/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "primitives/kernels/select.cc"
#include "hwy/foreach_target.h"
//
#include "hwy/highway.h"
#include "primitives/kernels/bit_runs.h"
#include "primitives/kernels/bits-inl.h"
#include "primitives/kernels/bounds.h"
#include "primitives/kernels/shuffle_rows.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace {

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL

using D32 = hn::ScalableTag<std::int32_t>;

// Reads a vector of indices and makes negative ones count from the end.
template <class I>
HWY_INLINE hn::Vec<D32> load_indices(const I* p, hn::Vec<D32> n) {
  const D32 d;
  hn::Vec<D32> v;
  if constexpr (sizeof(I) == 4)
    v = hn::LoadU(d, p);
  else
    v = hn::PromoteTo(d, hn::LoadU(hn::Rebind<I, D32>(), p));
  return hn::Add(v, hn::And(hn::BroadcastSignBit(v), n));
}

// Calls f with the start of each vector of a list; the last one may begin within the one before. Gives the number of elements
// done, all or none.
template <class F>
HWY_INLINE std::size_t for_vectors(std::size_t count, std::size_t lanes, F f) {
  if (count < lanes) return 0;
  for (std::size_t i = 0; i + lanes <= count; i += lanes) f(i);
  if (count % lanes != 0) f(count - lanes);
  return count;
}

template <class I>
std::size_t gather_32(std::uint32_t* to, const std::uint32_t* from, std::size_t n, const I* index, std::size_t count) {
  const hn::ScalableTag<std::uint32_t> d;
  const auto length = hn::Set(D32(), static_cast<std::int32_t>(n));
  const std::size_t lanes = hn::Lanes(d);
  return for_vectors(count, lanes, [&](std::size_t i) HWY_ATTR {
    hn::StoreU(hn::GatherIndex(d, from, load_indices(index + i, length)), d, to + i);
  });
}

template <class I>
std::size_t gather_64(std::uint64_t* to, const std::uint64_t* from, std::size_t n, const I* index, std::size_t count) {
  const hn::ScalableTag<std::uint64_t> d;
  const hn::ScalableTag<std::int64_t> signed_d;
  const hn::Half<D32> half;
  const auto length = hn::Set(D32(), static_cast<std::int32_t>(n));
  const std::size_t lanes = hn::Lanes(D32());
  return for_vectors(count, lanes, [&](std::size_t i) HWY_ATTR {
    const auto v = load_indices(index + i, length);
    const auto low = hn::PromoteTo(signed_d, hn::LowerHalf(half, v)), high = hn::PromoteTo(signed_d, hn::UpperHalf(half, v));
    hn::StoreU(hn::GatherIndex(d, from, low), d, to + i);
    hn::StoreU(hn::GatherIndex(d, from, high), d, to + i + lanes / 2);
  });
}

// Reads four bytes from each element on, but never beyond the end of the array: there it reads earlier and shifts.
template <class T, class I>
std::size_t gather_narrow(T* to, const T* from, std::size_t n, const I* index, std::size_t count) {
  if (n * sizeof(T) < 4 || n * sizeof(T) > (std::size_t{1} << 31) - 8) return 0;
  const D32 d;
  const hn::RebindToUnsigned<D32> unsigned_d;
  const auto length = hn::Set(d, static_cast<std::int32_t>(n));
  const auto last = hn::Set(d, static_cast<std::int32_t>(n * sizeof(T) - 4));
  const auto keep = hn::Set(d, sizeof(T) == 1 ? 0xFF : 0xFFFF);
  const std::size_t lanes = hn::Lanes(d);
  const auto* base = reinterpret_cast<const std::int32_t*>(from);
  return for_vectors(count, lanes, [&](std::size_t i) HWY_ATTR {
    const auto offset = hn::ShiftLeft < sizeof(T) == 1 ? 0 : 1 > (load_indices(index + i, length));
    const auto start = hn::Min(offset, last);
    const auto shift = hn::ShiftLeft<3>(hn::Sub(offset, start));
    const auto v = hn::BitCast(unsigned_d, hn::GatherOffset(d, base, start)) >> hn::BitCast(unsigned_d, shift);
    const hn::Rebind<T, D32> narrow;
    hn::StoreU(hn::DemoteTo(narrow, hn::And(hn::BitCast(d, v), keep)), narrow, to + i);
  });
}

// Looks elements up in a table of at most 16, which is a table of bytes for each byte of an element.
template <class T>
std::size_t look_up_16(T* to, const T* from, std::size_t n, const std::int8_t* index, std::size_t count) {
  const hn::ScalableTag<std::uint8_t> d;
  const hn::ScalableTag<std::int8_t> signed_d;
  HWY_ALIGN std::uint8_t table[sizeof(T)][16] = {};
  for (std::size_t k = 0; k < n; k++)
    for (std::size_t byte = 0; byte < sizeof(T); byte++) table[byte][k] = static_cast<std::uint8_t>(from[k] >> (8 * byte));
  const auto length = hn::Set(signed_d, static_cast<std::int8_t>(n));
  const std::size_t lanes = hn::Lanes(d);
  const auto values = [&](std::size_t byte, auto v) HWY_ATTR { return hn::TableLookupBytes(hn::LoadDup128(d, table[byte]), v); };
  return for_vectors(count, lanes, [&](std::size_t i) HWY_ATTR {
    auto places = hn::LoadU(signed_d, index + i);
    places = hn::Add(places, hn::IfThenElseZero(hn::Lt(places, hn::Zero(signed_d)), length));
    const auto v = hn::BitCast(d, places);
    if constexpr (sizeof(T) == 1)
      hn::StoreU(values(0, v), d, to + i);
    else if constexpr (sizeof(T) == 2)
      hn::StoreInterleaved2(values(0, v), values(1, v), d, reinterpret_cast<std::uint8_t*>(to + i));
    else
      hn::StoreInterleaved4(values(0, v), values(1, v), values(2, v), values(3, v), d, reinterpret_cast<std::uint8_t*>(to + i));
  });
}

// Looks bytes up in a table of at most 128, of which each shuffle knows 16.
std::size_t look_up_128(std::uint8_t* to, const std::uint8_t* from, std::size_t n, const std::int8_t* index, std::size_t count) {
  const hn::ScalableTag<std::uint8_t> d;
  HWY_ALIGN std::uint8_t table[128] = {};
  std::memcpy(table, from, n);
  const std::size_t lanes = hn::Lanes(d), shuffles = (n + 15) / 16;
  const auto length = hn::Set(d, static_cast<std::uint8_t>(n)), sixteen = hn::Set(d, 16), out_of_reach = hn::Set(d, 0x70);
  return for_vectors(count, lanes, [&](std::size_t i) HWY_ATTR {
    auto place = hn::LoadU(d, reinterpret_cast<const std::uint8_t*>(index + i));
    const auto sign = hn::BroadcastSignBit(hn::BitCast(hn::RebindToSigned<decltype(d)>(), place));
    place = hn::Add(place, hn::And(hn::BitCast(d, sign), length));
    auto found = hn::Zero(d);
    for (std::size_t k = 0; k < shuffles; k++, place = hn::Sub(place, sixteen)) {
      // Places beyond the sixteen get a high bit, for which a shuffle gives 0.
      const auto within = hn::SaturatedAdd(place, out_of_reach);
      found = hn::Or(found, hn::TableLookupBytesOr0(hn::LoadDup128(d, table + 16 * k), within));
    }
    hn::StoreU(found, d, to + i);
  });
}

// Gives whole words of bits.
template <class I>
std::size_t gather_bits(std::uint64_t* to, const std::uint64_t* from, std::size_t from_bit, std::size_t n, const I* index,
                        std::size_t count) {
  if (from_bit + n >= std::size_t{1} << 31) return 0;
  const D32 d;
  constexpr std::size_t lanes = hn::MaxLanes(D32());
  const auto length = hn::Set(d, static_cast<std::int32_t>(n));
  const auto start = hn::Set(d, static_cast<std::int32_t>(from_bit));
  const auto* base = reinterpret_cast<const std::int32_t*>(from);
  std::size_t i = 0;
  for (; i + 64 <= count; i += 64) {
    std::uint64_t word = 0;
    for (std::size_t k = 0; k < 64; k += lanes) {
      const auto place = hn::Add(load_indices(index + i + k, length), start);
      const auto words = hn::GatherIndex(d, base, hn::ShiftRight<5>(place));
      // Moves the wanted bit to the top, where it is the sign.
      const auto top = words << hn::AndNot(place, hn::Set(d, 31));
      word |= bits_of_mask(d, hn::Lt(top, hn::Zero(d))) << k;
    }
    to[i / 64] = word;
  }
  return i;
}

// Takes elements one by one, which is as fast as a gather where the chip does that one by one itself.
template <class T, class I>
std::size_t pick(T* to, const T* from, const I* index, std::size_t count) {
#pragma GCC unroll 8
  for (std::size_t i = 0; i < count; i++) to[i] = from[static_cast<std::make_unsigned_t<I>>(index[i])];
  return count;
}
constexpr bool picks = HWY_TARGET == HWY_AVX2;

template <class I>
std::size_t gather(unsigned width, void* to, const void* from, std::size_t from_bit, std::size_t n, const Indices& indices) {
  const I* index = static_cast<const I*>(indices.data);
  const std::size_t count = indices.count;
  const bool few = sizeof(I) == 1 && n <= 16;
  const auto elements = [&]<class T>(T, auto gathered) HWY_ATTR {
    T* out = static_cast<T*>(to);
    const T* in = static_cast<const T*>(from);
    if constexpr (sizeof(I) == 1 && sizeof(T) <= 4)
      if (few) return look_up_16(out, in, n, index, count);
    if constexpr (sizeof(I) == 1 && sizeof(T) == 1)
      if (n <= 128) return look_up_128(out, in, n, index, count);
    return picks && !indices.negative ? pick(out, in, index, count) : gathered(out, in);
  };
  const auto narrow = [&](auto* out, const auto* in) HWY_ATTR { return gather_narrow(out, in, n, index, count); };
  switch (width) {
    case 1:
      return gather_bits(static_cast<std::uint64_t*>(to), static_cast<const std::uint64_t*>(from), from_bit, n, index, count);
    case 8: return elements(std::uint8_t{}, narrow);
    case 16: return elements(std::uint16_t{}, narrow);
    case 32:
      return elements(std::uint32_t{}, [&](auto* out, const auto* in) HWY_ATTR { return gather_32(out, in, n, index, count); });
    default:
      return elements(std::uint64_t{}, [&](auto* out, const auto* in) HWY_ATTR { return gather_64(out, in, n, index, count); });
  }
}

#else

template <class I>
std::size_t gather(unsigned, void*, const void*, std::size_t, std::size_t, const Indices&) {
  return 0;
}

#endif

std::size_t gather_any(unsigned width, void* to, const void* from, std::size_t from_bit, std::size_t n, const Indices& indices) {
  switch (indices.type) {
    case ElementType::i8: return gather<std::int8_t>(width, to, from, from_bit, n, indices);
    case ElementType::i16: return gather<std::int16_t>(width, to, from, from_bit, n, indices);
    default: return gather<std::int32_t>(width, to, from, from_bit, n, indices);
  }
}

}  // namespace
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
namespace {

HWY_EXPORT(gather_any);

// Gathers leading elements with vector instructions and tells how many; the rest is left to plain code.
std::size_t gather(unsigned width, void* to, const void* from, std::size_t from_bit, std::size_t n, const Indices& indices) {
  if (n >= std::size_t{1} << 31 || indices.type == ElementType::bit || indices.type == ElementType::f64) return 0;
  return HWY_DYNAMIC_DISPATCH(gather_any)(width, to, from, from_bit, n, indices);
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

// Calls f(first, indices, count) with pieces of the index list as integers of type I that are no longer negative.
template <class I, class T, class F>
void convert_pieces(const T* p, std::size_t count, std::size_t n, F f) {
  I piece[chunk];
  for (std::size_t i = 0; i < count; i += chunk) {
    std::size_t m = count - i < chunk ? count - i : chunk;
    for (std::size_t j = 0; j < m; j++) {
      I v = static_cast<I>(p[i + j]);
      piece[j] = v + (v < 0 ? static_cast<I>(n) : 0);
    }
    f(i, piece, m);
  }
}

template <class I, class F>
void convert_bits(const std::uint64_t* p, std::size_t count, F f) {
  I piece[chunk];
  for (std::size_t i = 0; i < count; i += chunk) {
    std::size_t m = count - i < chunk ? count - i : chunk;
    for (std::size_t j = 0; j < m; j += 64) {
      std::uint64_t word = p[(i + j) / 64];
      for (std::size_t k = 0; k < 64; k++) piece[j + k] = static_cast<I>(word >> k & 1);
    }
    f(i, piece, m);
  }
}

template <class I, class F>
void for_pieces(ElementType type, const void* indices, std::size_t count, std::size_t n, F f) {
  switch (type) {
    case ElementType::bit: return convert_bits<I>(static_cast<const std::uint64_t*>(indices), count, f);
    case ElementType::i8: return convert_pieces<I>(static_cast<const std::int8_t*>(indices), count, n, f);
    case ElementType::i16: return convert_pieces<I>(static_cast<const std::int16_t*>(indices), count, n, f);
    case ElementType::i32: return convert_pieces<I>(static_cast<const std::int32_t*>(indices), count, n, f);
    default: return convert_pieces<I>(static_cast<const double*>(indices), count, n, f);
  }
}

template <class F>
void for_pieces(ElementType type, const void* indices, std::size_t count, std::size_t n, F f) {
  if (n < (std::size_t{1} << 31))
    for_pieces<std::int32_t>(type, indices, count, n, f);
  else
    for_pieces<std::int64_t>(type, indices, count, n, f);
}

// Gives the place of an index that begins a byte.
const void* place_in(const Indices& indices, std::size_t i) {
  return static_cast<const std::uint8_t*>(indices.data) + i * bits_of(indices.type) / 8;
}

template <class T>
void select_elements(T* to, const T* from, std::size_t n, const Indices& indices) {
  const std::size_t done = gather(8 * sizeof(T), to, from, 0, n, indices);
  if (done == indices.count) return;
  to += done;
  for_pieces(indices.type, place_in(indices, done), indices.count - done, n,
             [=](std::size_t at, const auto* index, std::size_t m) {
               T* out = to + at;
               for (std::size_t j = 0; j < m; j++) out[j] = from[index[j]];
             });
}

void select_bits(std::uint64_t* to, std::size_t to_bit, const std::uint64_t* from, std::size_t from_bit, std::size_t n,
                 const Indices& indices) {
  const std::size_t done = to_bit % 64 ? 0 : gather(1, to + to_bit / 64, from, from_bit, n, indices);
  if (done == indices.count) return;
  to_bit += done;
  for_pieces(indices.type, place_in(indices, done), indices.count - done, n,
             [=](std::size_t at, const auto* index, std::size_t m) {
               for (std::size_t j = 0; j < m; j += 64) {
                 std::size_t bits = m - j < 64 ? m - j : 64;
                 std::uint64_t word = 0;
                 for (std::size_t k = 0; k < bits; k++)
                   word |= std::uint64_t{read_bit(from, from_bit + static_cast<std::size_t>(index[j + k]))} << k;
                 write_bits(to, to_bit + at + j, bits, word);
               }
             });
}

void select_bit_cells(std::uint64_t* to, std::size_t to_bit, const std::uint64_t* from, std::size_t from_bit, std::size_t n,
                      std::size_t cell, const Indices& indices) {
  for_pieces(indices.type, indices.data, indices.count, n, [=](std::size_t at, const auto* index, std::size_t m) {
    for (std::size_t j = 0; j < m; j++)
      copy_bit_run(to, to_bit + (at + j) * cell, from, from_bit + static_cast<std::size_t>(index[j]) * cell, cell);
  });
}

bool aligned(const void* p, std::size_t bytes) { return reinterpret_cast<std::uintptr_t>(p) % bytes == 0; }

}  // namespace

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
  for_pieces(indices.type, indices.data, indices.count, n, [=](std::size_t at, const auto* index, std::size_t m) {
    for (std::size_t j = 0; j < m; j++)
      std::memcpy(to + (at + j) * bytes, from + static_cast<std::size_t>(index[j]) * bytes, bytes);
  });
}
template <std::size_t bytes>
using Bytes = std::integral_constant<std::size_t, bytes>;

}  // namespace

void select_cells(unsigned width, void* to, std::size_t to_bit, const void* from, std::size_t from_bit, std::size_t n,
                  std::size_t cell, const Indices& indices) {
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
    case 1: return select_fixed_columns<T, 1>(to, from, rows, row_length, chosen);
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
