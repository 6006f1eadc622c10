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

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace {

// Gives the smallest and the largest of the integers.
template <class T>
void find_bounds(const T* p, std::size_t count, T* low, T* high) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  T least = 0, most = 0;
  std::size_t i = 0;
  if (count >= lanes) {
    auto a = hn::Zero(d), b = a;
    for (; i + lanes <= count; i += lanes) {
      const auto v = hn::LoadU(d, p + i);
      a = hn::Min(a, v);
      b = hn::Max(b, v);
    }
    HWY_ALIGN T part_a[hn::MaxLanes(d)], part_b[hn::MaxLanes(d)];
    hn::Store(a, d, part_a);
    hn::Store(b, d, part_b);
    for (std::size_t k = 0; k < lanes; k++) {
      least = part_a[k] < least ? part_a[k] : least;
      most = part_b[k] > most ? part_b[k] : most;
    }
  }
  for (; i < count; i++) {
    least = p[i] < least ? p[i] : least;
    most = p[i] > most ? p[i] : most;
  }
  *low = least;
  *high = most;
}
void find_bounds_i8(const std::int8_t* p, std::size_t count, std::int8_t* low, std::int8_t* high) {
  find_bounds(p, count, low, high);
}
void find_bounds_i16(const std::int16_t* p, std::size_t count, std::int16_t* low, std::int16_t* high) {
  find_bounds(p, count, low, high);
}
void find_bounds_i32(const std::int32_t* p, std::size_t count, std::int32_t* low, std::int32_t* high) {
  find_bounds(p, count, low, high);
}

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

// Each gives the number of leading elements done; a shorter rest than a vector is the caller's.
template <class I>
std::size_t gather_32(std::uint32_t* to, const std::uint32_t* from, std::size_t n, const I* index, std::size_t count) {
  const hn::ScalableTag<std::uint32_t> d;
  const auto length = hn::Set(D32(), static_cast<std::int32_t>(n));
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) hn::StoreU(hn::GatherIndex(d, from, load_indices(index + i, length)), d, to + i);
  return i;
}

template <class I>
std::size_t gather_64(std::uint64_t* to, const std::uint64_t* from, std::size_t n, const I* index, std::size_t count) {
  const hn::ScalableTag<std::uint64_t> d;
  const hn::ScalableTag<std::int64_t> signed_d;
  const hn::Half<D32> half;
  const auto length = hn::Set(D32(), static_cast<std::int32_t>(n));
  const std::size_t lanes = hn::Lanes(D32());
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto v = load_indices(index + i, length);
    const auto low = hn::PromoteTo(signed_d, hn::LowerHalf(half, v)), high = hn::PromoteTo(signed_d, hn::UpperHalf(half, v));
    hn::StoreU(hn::GatherIndex(d, from, low), d, to + i);
    hn::StoreU(hn::GatherIndex(d, from, high), d, to + i + lanes / 2);
  }
  return i;
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
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto offset = hn::ShiftLeft < sizeof(T) == 1 ? 0 : 1 > (load_indices(index + i, length));
    const auto start = hn::Min(offset, last);
    const auto shift = hn::ShiftLeft<3>(hn::Sub(offset, start));
    const auto v = hn::BitCast(unsigned_d, hn::GatherOffset(d, base, start)) >> hn::BitCast(unsigned_d, shift);
    const hn::Rebind<T, D32> narrow;
    hn::StoreU(hn::DemoteTo(narrow, hn::And(hn::BitCast(d, v), keep)), narrow, to + i);
  }
  return i;
}

// Looks bytes up in a table of at most 16.
std::size_t look_up_16(std::uint8_t* to, const std::uint8_t* from, std::size_t n, const std::int8_t* index, std::size_t count) {
  const hn::ScalableTag<std::uint8_t> d;
  const hn::ScalableTag<std::int8_t> signed_d;
  HWY_ALIGN std::uint8_t table[16] = {};
  std::memcpy(table, from, n);
  const auto values = hn::LoadDup128(d, table);
  const auto length = hn::Set(signed_d, static_cast<std::int8_t>(n));
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    auto v = hn::LoadU(signed_d, index + i);
    v = hn::Add(v, hn::IfThenElseZero(hn::Lt(v, hn::Zero(signed_d)), length));
    hn::StoreU(hn::TableLookupBytes(values, hn::BitCast(d, v)), d, to + i);
  }
  return i;
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

template <class I>
std::size_t gather(unsigned width, void* to, const void* from, std::size_t from_bit, std::size_t n, const I* index,
                   std::size_t count) {
  switch (width) {
    case 1:
      return gather_bits(static_cast<std::uint64_t*>(to), static_cast<const std::uint64_t*>(from), from_bit, n, index, count);
    case 8:
      if constexpr (sizeof(I) == 1)
        if (n <= 16) return look_up_16(static_cast<std::uint8_t*>(to), static_cast<const std::uint8_t*>(from), n, index, count);
      return gather_narrow(static_cast<std::uint8_t*>(to), static_cast<const std::uint8_t*>(from), n, index, count);
    case 16: return gather_narrow(static_cast<std::uint16_t*>(to), static_cast<const std::uint16_t*>(from), n, index, count);
    case 32: return gather_32(static_cast<std::uint32_t*>(to), static_cast<const std::uint32_t*>(from), n, index, count);
    default: return gather_64(static_cast<std::uint64_t*>(to), static_cast<const std::uint64_t*>(from), n, index, count);
  }
}

#else

template <class I>
std::size_t gather(unsigned, void*, const void*, std::size_t, std::size_t, const I*, std::size_t) {
  return 0;
}

#endif

std::size_t gather_i8(unsigned width, void* to, const void* from, std::size_t from_bit, std::size_t n, const std::int8_t* index,
                      std::size_t count) {
  return gather(width, to, from, from_bit, n, index, count);
}
std::size_t gather_i16(unsigned width, void* to, const void* from, std::size_t from_bit, std::size_t n, const std::int16_t* index,
                       std::size_t count) {
  return gather(width, to, from, from_bit, n, index, count);
}
std::size_t gather_i32(unsigned width, void* to, const void* from, std::size_t from_bit, std::size_t n, const std::int32_t* index,
                       std::size_t count) {
  return gather(width, to, from, from_bit, n, index, count);
}

}  // namespace
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
namespace {

HWY_EXPORT(find_bounds_i8);
HWY_EXPORT(find_bounds_i16);
HWY_EXPORT(find_bounds_i32);
HWY_EXPORT(gather_i8);
HWY_EXPORT(gather_i16);
HWY_EXPORT(gather_i32);

void find_bounds(const std::int8_t* p, std::size_t n, std::int8_t* low, std::int8_t* high) {
  HWY_DYNAMIC_DISPATCH(find_bounds_i8)(p, n, low, high);
}
void find_bounds(const std::int16_t* p, std::size_t n, std::int16_t* low, std::int16_t* high) {
  HWY_DYNAMIC_DISPATCH(find_bounds_i16)(p, n, low, high);
}
void find_bounds(const std::int32_t* p, std::size_t n, std::int32_t* low, std::int32_t* high) {
  HWY_DYNAMIC_DISPATCH(find_bounds_i32)(p, n, low, high);
}

// Gathers leading elements with vector instructions and tells how many; the rest is left to plain code.
std::size_t gather(unsigned width, void* to, const void* from, std::size_t from_bit, std::size_t n, ElementType type,
                   const void* indices, std::size_t count) {
  if (n >= std::size_t{1} << 31) return 0;
  switch (type) {
    case ElementType::i8:
      return HWY_DYNAMIC_DISPATCH(gather_i8)(width, to, from, from_bit, n, static_cast<const std::int8_t*>(indices), count);
    case ElementType::i16:
      return HWY_DYNAMIC_DISPATCH(gather_i16)(width, to, from, from_bit, n, static_cast<const std::int16_t*>(indices), count);
    case ElementType::i32:
      return HWY_DYNAMIC_DISPATCH(gather_i32)(width, to, from, from_bit, n, static_cast<const std::int32_t*>(indices), count);
    default: return 0;
  }
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
std::size_t find_outside(const T* p, std::size_t count, std::size_t n) {
  T low, high;
  find_bounds(p, count, &low, &high);
  auto limit = static_cast<std::int64_t>(n);
  if (low >= -limit && high < limit && n > 0) return count;
  return find_bad(p, count, [=](T v) { return v < -limit || v >= limit; });
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
const void* place_in(ElementType type, const void* indices, std::size_t i) {
  return static_cast<const std::uint8_t*>(indices) + i * bits_of(type) / 8;
}

template <class T>
void select_elements(T* to, const T* from, std::size_t n, ElementType type, const void* indices, std::size_t count) {
  std::size_t done = gather(8 * sizeof(T), to, from, 0, n, type, indices, count);
  if (done == count) return;
  to += done;
  for_pieces(type, place_in(type, indices, done), count - done, n, [=](std::size_t at, const auto* index, std::size_t m) {
    T* out = to + at;
    for (std::size_t j = 0; j < m; j++) out[j] = from[index[j]];
  });
}

void select_bits(std::uint64_t* to, std::size_t to_bit, const std::uint64_t* from, std::size_t from_bit, std::size_t n,
                 ElementType type, const void* indices, std::size_t count) {
  std::size_t done = to_bit % 64 ? 0 : gather(1, to + to_bit / 64, from, from_bit, n, type, indices, count);
  if (done == count) return;
  to_bit += done;
  for_pieces(type, place_in(type, indices, done), count - done, n, [=](std::size_t at, const auto* index, std::size_t m) {
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
                      std::size_t cell, ElementType type, const void* indices, std::size_t count) {
  for_pieces(type, indices, count, n, [=](std::size_t at, const auto* index, std::size_t m) {
    for (std::size_t j = 0; j < m; j++)
      copy_bit_run(to, to_bit + (at + j) * cell, from, from_bit + static_cast<std::size_t>(index[j]) * cell, cell);
  });
}

bool aligned(const void* p, std::size_t bytes) { return reinterpret_cast<std::uintptr_t>(p) % bytes == 0; }

}  // namespace

std::size_t first_bad_index(ElementType type, const void* indices, std::size_t count, std::size_t n) {
  switch (type) {
    case ElementType::bit: {
      if (n >= 2) return count;
      const auto* p = static_cast<const std::uint64_t*>(indices);
      if (n == 0) return 0;
      for (std::size_t i = 0; i < count; i++)
        if (read_bit(p, i)) return i;
      return count;
    }
    case ElementType::i8: return find_outside(static_cast<const std::int8_t*>(indices), count, n);
    case ElementType::i16: return find_outside(static_cast<const std::int16_t*>(indices), count, n);
    case ElementType::i32: return find_outside(static_cast<const std::int32_t*>(indices), count, n);
    default: {
      auto limit = static_cast<double>(n);
      return find_bad(static_cast<const double*>(indices), count, [=](double d) {
        bool inside = d >= -limit && d < limit;
        return !inside || static_cast<double>(static_cast<std::int64_t>(d)) != d;
      });
    }
  }
}

void select_cells(unsigned width, void* to, std::size_t to_bit, const void* from, std::size_t from_bit, std::size_t n,
                  std::size_t cell, ElementType type, const void* indices, std::size_t count) {
  std::size_t bits = width * cell;
  if (width == 1 && (bits % 8 || to_bit % 8 || from_bit % 8)) {
    auto* out = static_cast<std::uint64_t*>(to);
    const auto* in = static_cast<const std::uint64_t*>(from);
    if (cell == 1) return select_bits(out, to_bit, in, from_bit, n, type, indices, count);
    return select_bit_cells(out, to_bit, in, from_bit, n, cell, type, indices, count);
  }
  std::size_t bytes = bits / 8;
  auto* out = static_cast<std::uint8_t*>(to) + to_bit / 8;
  const auto* in = static_cast<const std::uint8_t*>(from) + from_bit / 8;
  if (bytes <= 8 && aligned(out, bytes) && aligned(in, bytes)) switch (bytes) {
      case 1: return select_elements(out, in, n, type, indices, count);
      case 2:
        return select_elements(reinterpret_cast<std::uint16_t*>(out), reinterpret_cast<const std::uint16_t*>(in), n, type,
                               indices, count);
      case 4:
        return select_elements(reinterpret_cast<std::uint32_t*>(out), reinterpret_cast<const std::uint32_t*>(in), n, type,
                               indices, count);
      case 8:
        return select_elements(reinterpret_cast<std::uint64_t*>(out), reinterpret_cast<const std::uint64_t*>(in), n, type,
                               indices, count);
      default: break;
    }
  for_pieces(type, indices, count, n, [=](std::size_t at, const auto* index, std::size_t m) {
    for (std::size_t j = 0; j < m; j++)
      std::memcpy(out + (at + j) * bytes, in + static_cast<std::size_t>(index[j]) * bytes, bytes);
  });
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
