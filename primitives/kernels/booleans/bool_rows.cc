#include "primitives/kernels/booleans/bool_rows.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "hwy/highway.h"
#include "primitives/kernels/booleans/long_rows-inl.h"
#include "primitives/kernels/booleans/row_reader-inl.h"
#include "primitives/kernels/booleans/short_bool_rows.h"
#include "primitives/kernels/booleans/two_word_rows-inl.h"
#include "primitives/kernels/booleans/wide_rows_512-inl.h"
#include "primitives/kernels/shared/bit_runs.h"
#include "primitives/kernels/shared/bits-inl.h"
#include "primitives/kernels/shared/loops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace bool_rows_unit {
namespace {

using std::uint16_t, std::uint32_t, std::uint64_t, std::uint8_t;

#if HWY_TARGET == HWY_AVX3_DL

void fold(RowFunction f, uint64_t* out, const uint64_t* bits, std::size_t columns, std::size_t rows) {
  if (columns <= 64) return fold_in_lanes(f, out, bits, columns, rows);
  if (!fold_wide_rows(f, out, bits, columns, rows)) fold_rows_in_turn(f, out, bits, columns, rows);
}
void count_i8(std::int8_t* out, const uint64_t* bits, std::size_t columns, std::size_t rows) {
  if (columns <= 64) return count_in_lanes(reinterpret_cast<uint8_t*>(out), bits, columns, rows);
  if (!count_wide_rows(out, bits, columns, rows)) count_rows_in_turn(out, bits, columns, rows);
}
void count_i16(std::int16_t* out, const uint64_t* bits, std::size_t columns, std::size_t rows) {
  if (!count_wide_rows(out, bits, columns, rows)) count_rows_in_turn(out, bits, columns, rows);
}
void difference_i8(std::int8_t* out, const uint64_t* bits, std::size_t columns, std::size_t rows) {
  differences_in_lanes(reinterpret_cast<uint8_t*>(out), bits, columns, rows);
}

#else

// Gives lanes whose row has an odd number of 1s.
template <class D, class V>
HWY_INLINE hn::Mask<D> odd_lanes(D d, V v) {
  const hn::Repartition<uint8_t, D> bytes;
  alignas(16) static constexpr uint8_t parities[16] = {0, 1, 1, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 1, 0};
  if constexpr (sizeof(hn::TFromD<D>) == 8) v = hn::Xor(v, hn::ShiftRight<32>(v));
  if constexpr (sizeof(hn::TFromD<D>) >= 4) v = hn::Xor(v, hn::ShiftRight<16>(v));
  if constexpr (sizeof(hn::TFromD<D>) >= 2) v = hn::Xor(v, hn::ShiftRight<8>(v));
  v = hn::And(hn::Xor(v, hn::ShiftRight<4>(v)), hn::Set(d, 15));
  v = hn::BitCast(d, hn::TableLookupBytes(hn::LoadDup128(bytes, parities), hn::BitCast(bytes, v)));
  return hn::TestBit(v, hn::Set(d, 1));
}

// Stores a bit a row: `test(d, rows)` gives the lanes; `flip` is exclusive-ored to all.
template <class Reader, class Test>
HWY_INLINE void test_rows(uint64_t* out, const uint64_t* bits, std::size_t columns, std::size_t rows, uint64_t flip, Test test) {
  uint8_t* to = reinterpret_cast<uint8_t*>(out);
  each_step<Reader>(bits, columns, rows, [=](std::size_t r, std::size_t, const Reader& reader, const uint8_t* from) HWY_ATTR {
    const typename Reader::D d;
    uint64_t found = 0;
    for (std::size_t v = 0; v < Reader::vectors; v++)
      found |= bits_of_mask(d, test(d, reader.rows(from, v), reader.mask())) << (v * Reader::lanes % 64);
    found ^= flip;
    // The last step ends within the last word.
    std::memcpy(to + r / 8, &found, Reader::step / 8);
  });
}

// Compares rows that are whole elements of type T with `row`, 64 rows at a time; tells of those that are equal, or of the others.
template <class T, bool of_others>
void compare_whole_rows(uint64_t* out, const uint64_t* bits, std::size_t rows, uint64_t row) {
  const hn::ScalableTag<T> d;
  struct Equal {
    const T* rows;
    hn::Vec<hn::ScalableTag<T> > row;
    HWY_INLINE auto mask_at(std::size_t i) const { return hn::Eq(hn::LoadU(hn::ScalableTag<T>(), rows + i), row); }
  };
  constexpr uint64_t flip = of_others ? ~uint64_t{0} : 0;
  const T* from = reinterpret_cast<const T*>(bits);
  const Equal equal = {from, hn::Set(d, static_cast<T>(row))};
  const std::size_t words = rows / 64;
  std::size_t i = 0;
  for (; i + 4 <= words; i += 4) HWY_UNROLL(4)
  for (std::size_t k = i; k < i + 4; k++) out[k] = bits_of_64(d, equal, 64 * k) ^ flip;
  for (; i < words; i++) out[i] = bits_of_64(d, equal, 64 * i) ^ flip;
  const std::size_t r = 64 * words;
  if (r == rows) return;
  uint64_t last = 0;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t k = r;
  for (; k + lanes <= rows; k += lanes) last |= bits_of_mask(d, equal.mask_at(k)) << (k - r);
  if (k < rows && rows >= lanes)  // reads some again
    last |= bits_of_mask(d, equal.mask_at(rows - lanes)) >> (lanes - (rows - k)) << (k - r);
  else
    for (; k < rows; k++) last |= uint64_t{from[k] == static_cast<T>(row)} << (k - r);
  out[words] = last ^ flip;
}

constexpr bool result_on_bits(RowFunction f, bool w, bool x) {
  switch (f) {
    case RowFunction::and_: return w && x;
    case RowFunction::or_: return w || x;
    case RowFunction::exclusive_or: return w != x;
    case RowFunction::equal: return w == x;
    case RowFunction::less: return w < x;
    case RowFunction::less_equal: return w <= x;
    case RowFunction::greater: return w > x;
    case RowFunction::greater_equal: return w >= x;
  }
  return false;
}
// Gives for four bits, which are two rows or one, the results side by side.
template <std::size_t columns>
struct TinyResults {
  uint8_t low[8][16], high[8][16];  // by function; the second for the upper four bits of a byte
  constexpr TinyResults() : low(), high() {
    for (unsigned f = 0; f < 8; f++)
      for (unsigned bits = 0; bits < 16; bits++) {
        for (unsigned row = 0; row < 4 / columns; row++) {
          const auto bit = [=](std::size_t i) { return (bits >> (row * columns + i) & 1) != 0; };
          bool result = bit(columns - 1);
          for (std::size_t i = columns - 1; i-- > 0;) result = result_on_bits(static_cast<RowFunction>(f), bit(i), result);
          low[f][bits] = static_cast<uint8_t>(low[f][bits] | result << row);
        }
        high[f][bits] = static_cast<uint8_t>(low[f][bits] << 4 / columns);
      }
  }
};

// Looks up the results of rows of two or four bits, and brings them together: eight to a byte.
template <std::size_t columns>
struct TinyRows {
  static constexpr TinyResults<columns> results = {};
  using D = Blocks<uint8_t>;
  using V = hn::Vec<D>;
  static constexpr std::size_t lanes = hn::MaxLanes(D());
  // Of so many vectors the results fill one.
  static constexpr std::size_t vectors = columns;

  V low, high, nibble;
  explicit TinyRows(RowFunction f)
      : low(hn::LoadDup128(D(), results.low[static_cast<int>(f)])),
        high(hn::LoadDup128(D(), results.high[static_cast<int>(f)])),
        nibble(hn::Set(D(), 15)) {}

  // Gives the results of each byte side by side, in its lowest bits.
  HWY_INLINE V in_bytes(V bits) const {
    const D d;
    const hn::Repartition<uint16_t, D> wide;
    const V upper = hn::BitCast(d, hn::ShiftRight<4>(hn::BitCast(wide, bits)));
    return hn::Or(hn::TableLookupBytes(low, hn::And(bits, nibble)), hn::TableLookupBytes(high, hn::And(upper, nibble)));
  }
  // Gives the results of each two or four bytes in elements of that size.
  HWY_INLINE auto in_elements(V bits) const {
    const hn::Repartition<uint16_t, D> wide;
    const auto pairs = hn::BitCast(wide, in_bytes(bits));
    constexpr int there = 8 - 8 / columns;
    const auto together = hn::And(hn::Or(pairs, hn::ShiftRight<there>(pairs)), hn::Set(wide, (1 << 16 / columns) - 1));
    if constexpr (columns == 2) {
      return together;
    } else {
      const hn::Repartition<std::uint32_t, D> wider;
      const auto fours = hn::BitCast(wider, together);
      return hn::And(hn::Or(fours, hn::ShiftRight<12>(fours)), hn::Set(wider, 0xFF));
    }
  }
  HWY_INLINE void store_vectors(uint8_t* to, const uint8_t* from) const {
    const D d;
    const auto at = [&](std::size_t k) HWY_ATTR { return in_elements(hn::LoadU(d, from + k * lanes)); };
#if HWY_TARGET == HWY_AVX2
    __m256i all;
    if constexpr (columns == 2) {
      all = _mm256_permute4x64_epi64(_mm256_packus_epi16(at(0).raw, at(1).raw), 0xD8);
    } else {
      const __m256i first = _mm256_packus_epi32(at(0).raw, at(1).raw), second = _mm256_packus_epi32(at(2).raw, at(3).raw);
      all = _mm256_permutevar8x32_epi32(_mm256_packus_epi16(first, second), _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
    }
    hn::StoreU(V{all}, d, to);
#else
    for (std::size_t k = 0; k < vectors; k++) {
      const auto elements = at(k);
      const hn::RebindToSigned<hn::DFromV<decltype(elements)> > sd;
      const hn::Rebind<uint8_t, decltype(sd)> bytes;
      hn::StoreU(hn::DemoteTo(bytes, hn::BitCast(sd, elements)), bytes, to + k * lanes / columns);
    }
#endif
  }

  static void run(RowFunction f, uint64_t* out, const uint64_t* bits, std::size_t rows) {
    const TinyRows tiny(f);
    const std::size_t bytes = (rows * columns + 7) / 8, step = vectors * lanes;
    const uint8_t* from = reinterpret_cast<const uint8_t*>(bits);
    uint8_t* const to = reinterpret_cast<uint8_t*>(out);
    std::size_t i = 0;
    for (; i + step <= bytes; i += step) tiny.store_vectors(to + i / columns, from + i);
    if (i == bytes) return;
    HWY_ALIGN uint8_t last[vectors * lanes] = {};
    HWY_ALIGN uint8_t found[lanes];
    std::memcpy(last, from + i, bytes - i);
    tiny.store_vectors(found, last);
    std::memcpy(to + i / columns, found, (bytes - i + columns - 1) / columns);
  }
};

void fold(RowFunction f, uint64_t* out, const uint64_t* bits, std::size_t columns, std::size_t rows) {
  if (columns == 2) return TinyRows<2>::run(f, out, bits, rows);
  if (columns == 4) return TinyRows<4>::run(f, out, bits, rows);
  if (columns < 64 && rows >= fewest_short_rows[columns]) {
    const std::size_t done = fold_short_bool_rows(f, out, bits, columns, rows);
    if (done == rows) return;
    out += done / 64, bits += done / 64 * columns, rows -= done;
  }
  if (TwoWordRows::take(columns, rows) && fold_two_word_rows(f, out, bits, columns, rows)) return;
  const bool by_lanes = with_reader(columns, [=]<class Reader>(std::type_identity<Reader>) HWY_ATTR {
    using V = typename Reader::V;
    using T = hn::TFromD<typename Reader::D>;
    const uint64_t all = low_bits(columns), top = uint64_t{1} << (columns - 1), no = ~uint64_t{0};
    const auto equal_to = [=](uint64_t row, uint64_t flip) HWY_ATTR {
      if (columns == 8 * sizeof(T))
        return (flip == 0 ? compare_whole_rows<T, false> : compare_whole_rows<T, true>)(out, bits, rows, row);
      test_rows<Reader>(out, bits, columns, rows, flip,
                        [row](auto d, V v, V) HWY_ATTR { return hn::Eq(v, hn::Set(d, static_cast<T>(row))); });
    };
    const auto parity = [=](uint64_t flip) HWY_ATTR {
      test_rows<Reader>(out, bits, columns, rows, flip, [](auto d, V v, V) HWY_ATTR { return odd_lanes(d, v); });
    };
    // Tells whether the first 0 stands at an odd place.
    const auto first_is_odd = [=](bool complement, uint64_t flip) HWY_ATTR {
      test_rows<Reader>(out, bits, columns, rows, flip, [complement](auto d, V v, V mask) HWY_ATTR {
        if (complement) v = hn::Xor(v, mask);
        const V first = hn::AndNot(v, hn::Add(v, hn::Set(d, 1)));
        return hn::Ne(hn::And(first, hn::Set(d, static_cast<T>(0xAAAAAAAAAAAAAAAA))), hn::Zero(d));
      });
    };
    switch (f) {
      case RowFunction::and_: return equal_to(all, 0);
      case RowFunction::or_: return equal_to(0, no);
      case RowFunction::exclusive_or: return parity(0);
      case RowFunction::equal: return parity(columns % 2 == 0 ? no : 0);
      case RowFunction::less: return equal_to(top, 0);
      case RowFunction::less_equal: return equal_to(all ^ top, no);
      case RowFunction::greater: return first_is_odd(false, 0);
      case RowFunction::greater_equal: return first_is_odd(true, no);
    }
  });
  if (!by_lanes) fold_rows_in_turn(f, out, bits, columns, rows);
}

// Counts rows that are whole words: four vectors of counts become one of 16-bit lanes, whose bytes are then put in order.
void count_words(uint8_t* out, const uint64_t* bits, std::size_t rows) {
  const hn::CappedTag<uint64_t, 4> d;
  constexpr std::size_t lanes = hn::MaxLanes(decltype(d)());
  const hn::Repartition<uint8_t, decltype(d)> bytes;
  const hn::Repartition<std::int16_t, decltype(d)> middle;
  const hn::Rebind<uint8_t, decltype(middle)> narrow;
  HWY_ALIGN uint8_t order[16];
  for (std::size_t i = 0; i < 16; i++) order[i] = static_cast<uint8_t>(i % lanes * 4 + i / lanes % 4);
  const auto places = hn::Load(narrow, order);
  const auto counts = [&](std::size_t r)
                          HWY_ATTR { return hn::SumsOf8(hn::PopulationCount(hn::BitCast(bytes, hn::LoadU(d, bits + r)))); };
  std::size_t r = 0;
  for (; r + 4 * lanes <= rows; r += 4 * lanes) {
    const auto low = hn::Or(counts(r), hn::ShiftLeft<16>(counts(r + lanes)));
    const auto high = hn::Or(hn::ShiftLeft<32>(counts(r + 2 * lanes)), hn::ShiftLeft<48>(counts(r + 3 * lanes)));
    const auto all = hn::DemoteTo(narrow, hn::BitCast(middle, hn::Or(low, high)));
    hn::StoreU(hn::TableLookupBytes(all, places), narrow, out + r);
  }
  for (; r < rows; r++) out[r] = static_cast<uint8_t>(std::popcount(bits[r]));
}

// Counts pairs: each byte of bits becomes four counts.
void count_pairs(uint8_t* out, const uint64_t* bits, std::size_t rows) {
  const Blocks<std::uint32_t> d;
  const hn::Repartition<uint8_t, decltype(d)> bytes;
  const hn::Rebind<uint8_t, decltype(d)> narrow;
  constexpr std::size_t lanes = hn::MaxLanes(decltype(d)());
  alignas(16) static constexpr uint8_t counts[16] = {0, 1, 1, 2};
  const uint8_t* from = reinterpret_cast<const uint8_t*>(bits);
  const auto count = [&](const uint8_t* some) HWY_ATTR {
    auto v = hn::PromoteTo(d, hn::LoadU(narrow, some));
    v = hn::Or(v, hn::ShiftLeft<12>(v));
    v = hn::And(hn::Or(v, hn::ShiftLeft<6>(v)), hn::Set(d, 0x03030303));
    return hn::TableLookupBytes(hn::LoadDup128(bytes, counts), hn::BitCast(bytes, v));
  };
  std::size_t r = 0;
  for (; r + 4 * lanes <= rows; r += 4 * lanes) hn::StoreU(count(from + r / 4), bytes, out + r);
  for (; r < rows; r++) out[r] = counts[from[r / 4] >> r % 4 * 2 & 3];
}

void count_i8(std::int8_t* out, const uint64_t* bits, std::size_t columns, std::size_t rows) {
  uint8_t* to = reinterpret_cast<uint8_t*>(out);
  if (columns == 2) return count_pairs(to, bits, rows);
  if (columns == 64) return count_words(to, bits, rows);
  if (TwoWordRows::take(columns, rows)) return count_two_word_rows(to, bits, columns, rows);
  const bool by_lanes = with_reader(columns, [=]<class Reader>(std::type_identity<Reader>) HWY_ATTR {
    using D = typename Reader::D;
    each_step<Reader>(
        bits, columns, rows, [=](std::size_t r, std::size_t count, const Reader& reader, const uint8_t* from) HWY_ATTR {
          HWY_ALIGN uint8_t few[Reader::step];
          uint8_t* const place = count == Reader::step ? to + r : few;
          for (std::size_t v = 0; v < Reader::vectors; v++) {
            const auto counts = hn::PopulationCount(reader.rows(from, v));
            const hn::Rebind<uint8_t, D> narrow;
            if constexpr (sizeof(hn::TFromD<D>) == 1)
              hn::StoreU(counts, narrow, place);
            else if constexpr (sizeof(hn::TFromD<D>) == 4)  // Highway 1.0.3 truncates these wrongly for AVX3_DL.
              hn::StoreU(hn::DemoteTo(narrow, hn::BitCast(hn::RebindToSigned<D>(), counts)), narrow, place + v * Reader::lanes);
            else
              hn::StoreU(hn::TruncateTo(narrow, counts), narrow, place + v * Reader::lanes);
          }
          if (count != Reader::step) std::memcpy(to + r, few, count);
        });
  });
  if (!by_lanes) count_rows_in_turn(out, bits, columns, rows);
}

#endif

#if HWY_TARGET != HWY_AVX3_DL
constexpr auto count_i16 = count_rows_in_turn<std::int16_t>;
constexpr BoolRowKernels::Differences difference_i8 = nullptr;
#endif

const BoolRowKernels* bool_rows_kernels() {
  static constexpr BoolRowKernels kernels = {fold, count_i8, count_i16, count_rows_in_turn<double>, difference_i8};
  return &kernels;
}

}  // namespace
}  // namespace bool_rows_unit
using bool_rows_unit::bool_rows_kernels;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(bool_rows_kernels);
const BoolRowKernels& bool_rows() { return *HWY_DYNAMIC_DISPATCH(bool_rows_kernels)(); }
}  // namespace griddle::kernels
#endif
