#include "primitives/kernels/bool_rows.h"

#define HWY_WANT_AVX3_DL
#include "primitives/kernels/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "primitives/kernels/bool_rows.cc"
#include "hwy/foreach_target.h"
//
#include <algorithm>
#include <bit>
#include <cstring>

#include "hwy/highway.h"
#include "primitives/kernels/bit_runs.h"
#include "primitives/kernels/bits-inl.h"
#include "primitives/kernels/long_rows-inl.h"
#include "primitives/kernels/loops-inl.h"
#include "primitives/kernels/row_reader-inl.h"
#include "primitives/kernels/short_bool_rows.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace {

using std::uint16_t, std::uint32_t, std::uint64_t, std::uint8_t;

#if HWY_TARGET != HWY_SCALAR

// Gives lanes whose row has an odd number of 1s.
template <class D, class V>
HWY_INLINE hn::Mask<D> odd_lanes(D d, V v) {
#if HWY_TARGET == HWY_AVX3_DL
  return hn::TestBit(hn::PopulationCount(v), hn::Set(d, 1));
#else
  const hn::Repartition<uint8_t, D> bytes;
  alignas(16) static constexpr uint8_t parities[16] = {0, 1, 1, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 1, 0};
  if constexpr (sizeof(hn::TFromD<D>) == 8) v = hn::Xor(v, hn::ShiftRight<32>(v));
  if constexpr (sizeof(hn::TFromD<D>) >= 4) v = hn::Xor(v, hn::ShiftRight<16>(v));
  if constexpr (sizeof(hn::TFromD<D>) >= 2) v = hn::Xor(v, hn::ShiftRight<8>(v));
  v = hn::And(hn::Xor(v, hn::ShiftRight<4>(v)), hn::Set(d, 15));
  v = hn::BitCast(d, hn::TableLookupBytes(hn::LoadDup128(bytes, parities), hn::BitCast(bytes, v)));
  return hn::TestBit(v, hn::Set(d, 1));
#endif
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

// Compares rows that are whole elements of type T with `row`, 64 rows at a time.
template <class T>
void compare_whole_rows(uint64_t* out, const uint64_t* bits, std::size_t rows, uint64_t row, uint64_t flip) {
  const hn::ScalableTag<T> d;
  struct Equal {
    const T* rows;
    hn::Vec<hn::ScalableTag<T>> row;
    HWY_INLINE auto mask_at(std::size_t i) const { return hn::Eq(hn::LoadU(hn::ScalableTag<T>(), rows + i), row); }
  };
  const T* from = reinterpret_cast<const T*>(bits);
  const Equal equal = {from, hn::Set(d, static_cast<T>(row))};
  std::size_t r = 0;
  for (; r + 64 <= rows; r += 64) out[r / 64] = bits_of_64(d, equal, r) ^ flip;
  if (r == rows) return;
  uint64_t last = 0;
  std::size_t k = r;
  for (; k + hn::Lanes(d) <= rows; k += hn::Lanes(d)) last |= bits_of_mask(d, equal.mask_at(k)) << (k - r);
  for (; k < rows; k++) last |= uint64_t{from[k] == static_cast<T>(row)} << (k - r);
  out[r / 64] = last ^ flip;
}

// Folds rows of two or four bits where they lie, and brings the results together: eight to a byte.
template <std::size_t columns>
struct TinyRows {
  // Gives the results at the first bits of their rows.
  template <class V, class Shifted>
  static HWY_INLINE V fold(RowFunction f, V v, Shifted by) {
    const auto onto = [=](auto combine) HWY_ATTR {
      V folded = combine(v, by(v, std::integral_constant<int, 1>()));
      if constexpr (columns == 4) folded = combine(folded, by(folded, std::integral_constant<int, 2>()));
      return folded;
    };
    switch (f) {
      case RowFunction::and_: return onto([](V a, V b) HWY_ATTR { return hn::And(a, b); });
      case RowFunction::or_: return onto([](V a, V b) HWY_ATTR { return hn::Or(a, b); });
      default: return onto([](V a, V b) HWY_ATTR { return hn::Xor(a, b); });
    }
  }

  static void run(RowFunction f, uint64_t* out_words, const uint64_t* bits, std::size_t rows) {
    constexpr std::size_t results = 64 / columns;  // of a word
    const std::size_t words = (rows + results - 1) / results;
    const uint64_t flip = f == RowFunction::equal ? ~uint64_t{0} : 0;
    uint8_t* out = reinterpret_cast<uint8_t*>(out_words);
    const hn::ScalableTag<uint64_t> d;
    using D = decltype(d);
    constexpr std::size_t lanes = hn::MaxLanes(D());
    const auto flips = hn::Set(d, flip);
    std::size_t i = 0;
    for (; i + lanes <= words; i += lanes) {
      auto v = fold(f, hn::LoadU(d, bits + i), [](auto v, auto by) HWY_ATTR { return hn::ShiftRight<decltype(by)::value>(v); });
      v = hn::Xor(v, flips);
      if constexpr (columns == 2) {
        v = hn::And(v, hn::Set(d, 0x5555555555555555));
        v = hn::And(hn::Or(v, hn::ShiftRight<1>(v)), hn::Set(d, 0x3333333333333333));
        v = hn::And(hn::Or(v, hn::ShiftRight<2>(v)), hn::Set(d, 0x0F0F0F0F0F0F0F0F));
        v = hn::And(hn::Or(v, hn::ShiftRight<4>(v)), hn::Set(d, 0x00FF00FF00FF00FF));
        const hn::Repartition<std::int16_t, D> wide;
        const hn::Rebind<uint8_t, decltype(wide)> bytes;
        hn::StoreU(hn::DemoteTo(bytes, hn::BitCast(wide, v)), bytes, out + i * 4);
      } else {
        v = hn::And(v, hn::Set(d, 0x1111111111111111));
        v = hn::And(hn::Or(v, hn::ShiftRight<3>(v)), hn::Set(d, 0x0303030303030303));
        v = hn::And(hn::Or(v, hn::ShiftRight<6>(v)), hn::Set(d, 0x000F000F000F000F));
        v = hn::And(hn::Or(v, hn::ShiftRight<12>(v)), hn::Set(d, 0x000000FF000000FF));
        const hn::Repartition<std::int32_t, D> wide;
        const hn::Rebind<uint8_t, decltype(wide)> bytes;
        hn::StoreU(hn::DemoteTo(bytes, hn::BitCast(wide, v)), bytes, out + i * 2);
      }
    }
    for (; i < words; i++) {
      const hn::CappedTag<uint64_t, 1> one;
      const auto v =
          fold(f, hn::Set(one, bits[i]), [](auto v, auto by) HWY_ATTR { return hn::ShiftRight<decltype(by)::value>(v); });
      const uint64_t folded = hn::GetLane(v) ^ flip;
      uint64_t together = 0;
      for (std::size_t k = 0; k < results; k++) together |= (folded >> (k * columns) & 1) << k;
      std::memcpy(out + i * results / 8, &together, results / 8);
    }
  }
};

void fold(RowFunction f, uint64_t* out, const uint64_t* bits, std::size_t columns, std::size_t rows) {
  if (f <= RowFunction::equal && columns == 2) return TinyRows<2>::run(f, out, bits, rows);
  if (f <= RowFunction::equal && columns == 4) return TinyRows<4>::run(f, out, bits, rows);
  const std::size_t done = fold_short_bool_rows(f, out, bits, columns, rows);
  if (done == rows) return;
  out += done / 64, bits += done / 64 * columns, rows -= done;
  const bool by_lanes = with_reader(columns, [=]<class Reader>(std::type_identity<Reader>) HWY_ATTR {
    using V = typename Reader::V;
    using T = hn::TFromD<typename Reader::D>;
    const uint64_t all = low_bits(columns), top = uint64_t{1} << (columns - 1), no = ~uint64_t{0};
    const auto equal_to = [=](uint64_t row, uint64_t flip) HWY_ATTR {
      if (columns == 8 * sizeof(T)) return compare_whole_rows<T>(out, bits, rows, row, flip);
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

#if HWY_TARGET != HWY_AVX3_DL
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
#endif

void count_i8(std::int8_t* out, const uint64_t* bits, std::size_t columns, std::size_t rows) {
  uint8_t* to = reinterpret_cast<uint8_t*>(out);
#if HWY_TARGET != HWY_AVX3_DL
  if (columns == 64) return count_words(to, bits, rows);
#endif
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

#else

void fold(RowFunction f, uint64_t* out, const uint64_t* bits, std::size_t columns, std::size_t rows) {
  fold_rows_in_turn(f, out, bits, columns, rows);
}
void count_i8(std::int8_t* out, const uint64_t* bits, std::size_t columns, std::size_t rows) {
  count_rows_in_turn(out, bits, columns, rows);
}

#endif

const BoolRowKernels* table() {
  static constexpr BoolRowKernels kernels = {fold, count_i8, count_rows_in_turn<std::int16_t>, count_rows_in_turn<double>};
  return &kernels;
}

}  // namespace
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(table);
const BoolRowKernels& bool_rows() { return *HWY_DYNAMIC_DISPATCH(table)(); }
}  // namespace griddle::kernels
#endif
