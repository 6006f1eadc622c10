#include "primitives/kernels/booleans/bit_columns.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "hwy/highway.h"
#include "primitives/kernels/booleans/row_reader-inl.h"
#include "primitives/kernels/shared/bits-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace bit_columns_unit {
namespace {

// Gives the highest bit of each lane.
template <class D>
HWY_INLINE uint64_t highest_bits(D d, hn::Vec<D> v) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_EMU128
  return bits_of_mask(d, hn::MaskFromVec(v));
#else
  const hn::RebindToSigned<D> sd;
  return bits_of_mask(sd, hn::Lt(hn::BitCast(sd, v), hn::Zero(sd)));
#endif
}

constexpr std::size_t group = 64;  // rows whose bits of a column are a word

// Takes the bytes of a group of rows apart: all first ones, all second ones.
template <class T>
HWY_INLINE void split_bytes(uint8_t (*planes)[group], const T* rows) {
  if constexpr (sizeof(T) == 1) {
    std::memcpy(planes[0], rows, group);
  } else {
    const hn::ScalableTag<uint16_t> d;
    using D = decltype(d);
    const hn::RebindToSigned<D> sd;
    const hn::Rebind<uint8_t, D> bytes;
    const std::size_t lanes = hn::Lanes(d);
    const auto low = hn::Set(d, 0xFF);
    const auto store = [=](hn::Vec<D> v, std::size_t plane, std::size_t at) HWY_ATTR {
      hn::StoreU(hn::DemoteTo(bytes, hn::BitCast(sd, hn::And(v, low))), bytes, planes[plane] + at);
      hn::StoreU(hn::DemoteTo(bytes, hn::BitCast(sd, hn::ShiftRight<8>(v))), bytes, planes[plane + 1] + at);
    };
    const uint16_t* from = reinterpret_cast<const uint16_t*>(rows);
    for (std::size_t at = 0; at < group; at += lanes) {
      hn::Vec<D> v0, v1, v2, v3;
      if constexpr (sizeof(T) == 2) {
        store(hn::LoadU(d, from + at), 0, at);
      } else if constexpr (sizeof(T) == 4) {
        hn::LoadInterleaved2(d, from + 2 * at, v0, v1);
        store(v0, 0, at);
        store(v1, 2, at);
      } else {
        hn::LoadInterleaved4(d, from + 4 * at, v0, v1, v2, v3);
        store(v0, 0, at);
        store(v1, 2, at);
        store(v2, 4, at);
        store(v3, 6, at);
      }
    }
  }
}

// Collects a column from the highest bits of bytes, which move up from column to column.
HWY_INLINE void split_plane(const uint8_t* plane, std::size_t columns, uint64_t* words, std::size_t stride) {
  const hn::ScalableTag<uint8_t> d;
  constexpr std::size_t lanes = hn::MaxLanes(decltype(d)()), vectors = group / lanes;
  hn::Vec<decltype(d)> v[vectors];
  for (std::size_t k = 0; k < vectors; k++) {
    v[k] = hn::LoadU(d, plane + k * lanes);
    for (std::size_t skipped = columns; skipped < 8; skipped++) v[k] = hn::Add(v[k], v[k]);
  }
  for (std::size_t c = columns; c-- > 0;) {
    uint64_t word = 0;
    for (std::size_t k = 0; k < vectors; k++) {
      word |= highest_bits(d, v[k]) << (k * lanes % 64);
      v[k] = hn::Add(v[k], v[k]);
    }
    words[c * stride] = word;
  }
}

// Takes pairs of bits apart. Each nibble becomes two bits of either kind, of which four make a byte: those of two bytes come
// together.
void split_pairs(uint64_t* to, std::size_t start, std::size_t stride, const uint64_t* from, std::size_t rows) {
  const hn::ScalableTag<uint8_t> d;
  const hn::Repartition<uint16_t, decltype(d)> pairs;
  const hn::RebindToSigned<decltype(pairs)> wide;
  const hn::Rebind<uint8_t, decltype(pairs)> half;
  const std::size_t lanes = hn::Lanes(hn::Repartition<uint64_t, decltype(d)>()), words = (2 * rows + 63) / 64;
  constexpr std::size_t most = 256;  // words of pairs that are split at a time
  HWY_ALIGN static constexpr uint8_t apart[16] = {0x00, 0x01, 0x10, 0x11, 0x02, 0x03, 0x12, 0x13,
                                                  0x20, 0x21, 0x30, 0x31, 0x22, 0x23, 0x32, 0x33};
  const auto low = hn::LoadDup128(d, apart);
  const auto high = hn::BitCast(d, hn::ShiftLeft<2>(hn::BitCast(pairs, low)));
  const auto nibble = hn::Set(d, 0x0F), nibbles = hn::BitCast(d, hn::Set(pairs, 0x0F0F));
  const auto byte = hn::Set(pairs, 0x00FF);
  const auto shifted = [=](auto v) HWY_ATTR { return hn::BitCast(d, hn::ShiftRight<4>(hn::BitCast(pairs, v))); };
  // Puts the lower nibbles of two bytes together.
  const auto together = [=](auto v) HWY_ATTR {
    const auto each = hn::BitCast(pairs, hn::And(v, nibbles));
    return hn::DemoteTo(half, hn::BitCast(wide, hn::And(hn::Or(each, hn::ShiftRight<4>(each)), byte)));
  };
  HWY_ALIGN uint64_t even[most / 2];
  HWY_ALIGN uint64_t odd[most / 2];
  HWY_ALIGN uint64_t few[most];
  for (std::size_t i = 0; i < words; i += most) {
    const std::size_t count = std::min(most, words - i), whole = (count + lanes - 1) / lanes * lanes;
    const uint64_t* x = from + i;
    if (whole != count) {
      std::memset(few, 0, sizeof few);
      std::memcpy(few, x, count * sizeof(uint64_t));
      x = few;
    }
    const std::size_t done = 32 * i, n = std::min(rows - done, 32 * most);
    // Whole words go where they belong.
    const auto target = [=](std::size_t first, uint64_t* words_of) HWY_ATTR {
      return reinterpret_cast<uint8_t*>(first % 64 == 0 && n == 32 * most ? to + first / 64 : words_of);
    };
    uint8_t *const even_to = target(start + done, even), *const odd_to = target(start + stride + done, odd);
    for (std::size_t k = 0; k < whole; k += lanes) {
      const auto v = hn::LoadU(d, reinterpret_cast<const uint8_t*>(x + k));
      const auto both =
          hn::Or(hn::TableLookupBytes(low, hn::And(v, nibble)), hn::TableLookupBytes(high, hn::And(shifted(v), nibble)));
      hn::StoreU(together(both), half, even_to + 4 * k);
      hn::StoreU(together(shifted(both)), half, odd_to + 4 * k);
    }
    if (even_to == reinterpret_cast<uint8_t*>(even)) copy_bit_run(to, start + done, even, 0, n);
    if (odd_to == reinterpret_cast<uint8_t*>(odd)) copy_bit_run(to, start + stride + done, odd, 0, n);
  }
}

bool split(uint64_t* to, std::size_t start, std::size_t stride, const uint64_t* from, std::size_t width, std::size_t rows) {
  if (width == 2) return split_pairs(to, start, stride, from, rows), true;
  return with_reader(width, [=]<class Reader>(std::type_identity<Reader>) HWY_ATTR {
    using D = typename Reader::D;
    using T = hn::TFromD<D>;
    const D d;
    // Columns are written so many words at a time.
    constexpr std::size_t most = 16;
    uint64_t words[64][most];
    HWY_ALIGN T held[group];
    HWY_ALIGN uint8_t planes[sizeof(T)][group];
    std::size_t done = 0;
    each_step<Reader>(from, width, rows, [&](std::size_t r, std::size_t count, const Reader& reader, const uint8_t* at) HWY_ATTR {
      const bool in_bytes = sizeof(T) == 2 && width < 8;
      for (std::size_t v = 0; v < Reader::vectors; v++) {
        const std::size_t place = r % group + v * Reader::lanes;
        if constexpr (sizeof(T) == 2) {
          const hn::Rebind<uint8_t, D> bytes;
          if (in_bytes) {
            hn::StoreU(hn::DemoteTo(bytes, hn::BitCast(hn::RebindToSigned<D>(), reader.rows(at, v))), bytes, planes[0] + place);
            continue;
          }
        }
        hn::StoreU(reader.rows(at, v), d, held + place);
      }
      const std::size_t end = r + count;
      if (end % group != 0 && end != rows) return;
      if (!in_bytes) split_bytes(planes, held);
      const std::size_t word = (end - 1 - done) / group;
      for (std::size_t p = 0; 8 * p < width; p++)
        split_plane(planes[p], std::min<std::size_t>(8, width - 8 * p), words[8 * p] + word, most);
      if (word + 1 < most && end != rows) return;
      for (std::size_t c = 0; c < width; c++) copy_bit_run(to, start + c * stride + done, words[c], 0, end - done);
      done = end;
    });
  });
}

// The rows that have a bit.
template <class T>
struct RowsWithBit {
  const T* rows;
  T bit;
  HWY_INLINE auto mask_at(std::size_t i) const {
    const hn::ScalableTag<T> d;
    return hn::TestBit(hn::LoadU(d, rows + i), hn::Set(d, bit));
  }
};

template <class T>
void take_of(std::uint64_t* to, const void* from, std::size_t rows, std::size_t column) {
  const hn::ScalableTag<T> d;
  RowsWithBit<T> with{static_cast<const T*>(from), static_cast<T>(T{1} << column)};
  const std::size_t whole = rows / 64 * 64, rest = rows % 64;
  for (std::size_t i = 0; i < whole; i += 64) to[i / 64] = bits_of_64(d, with, i);
  if (rest == 0) return;
  if (whole != 0) {
    to[whole / 64] = bits_of_64(d, with, rows - 64) >> (64 - rest);
    return;
  }
  T few[64] = {};
  std::memcpy(few, from, rest * sizeof(T));
  with.rows = few;
  *to = bits_of_64(d, with, 0);
}

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL

// Takes the bits out of as many words as 64 rows fill, which have the same places each time.
bool take_of_words(std::uint64_t* to, const std::uint64_t* from, std::size_t width, std::size_t rows, std::size_t column) {
  std::uint64_t mask[64], every = 0;
  int before[64];
  for (std::size_t i = 0; i < 64; i += width) every |= std::uint64_t{1} << i;
  std::size_t bits = 0, first = column;
  for (std::size_t j = 0; j < width; j++) {
    mask[j] = every << first;
    before[j] = static_cast<int>(bits);
    const auto count = static_cast<std::size_t>(std::popcount(mask[j]));
    bits += count;
    first += count * width - 64;
  }
  for (std::size_t r = 0; r < rows; r += 64, from += width) {
    const std::size_t count = std::min<std::size_t>(64, rows - r), words = (count * width + 63) / 64;
    std::uint64_t taken = 0;
    for (std::size_t j = 0; j < words; j++) taken |= _pext_u64(from[j], mask[j]) << before[j];
    *to++ = taken & (~std::uint64_t{0} >> (64 - count));
  }
  return true;
}

#else

// Elsewhere bits are taken out slowly, or not at once.
bool take_of_words(std::uint64_t*, const std::uint64_t*, std::size_t, std::size_t, std::size_t) { return false; }

#endif

bool take(std::uint64_t* to, const std::uint64_t* from, std::size_t width, std::size_t rows, std::size_t column) {
  switch (width) {
    case 8: return take_of<std::uint8_t>(to, from, rows, column), true;
    case 16: return take_of<std::uint16_t>(to, from, rows, column), true;
    case 32: return take_of<std::uint32_t>(to, from, rows, column), true;
    case 64: return take_of<std::uint64_t>(to, from, rows, column), true;
    default: return take_of_words(to, from, width, rows, column);
  }
}

const BitColumnKernels* bit_columns_kernels() {
  static constexpr BitColumnKernels kernels = {split, take};
  return &kernels;
}

}  // namespace
}  // namespace bit_columns_unit
using bit_columns_unit::bit_columns_kernels;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(bit_columns_kernels);
const BitColumnKernels& bit_columns() { return *HWY_DYNAMIC_DISPATCH(bit_columns_kernels)(); }
}  // namespace griddle::kernels
#endif
