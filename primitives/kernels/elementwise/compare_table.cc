#include "primitives/kernels/elementwise/compare_table.h"

#include <algorithm>

#include "hwy/highway.h"
#include "primitives/kernels/elementwise/compared-inl.h"
#include "primitives/kernels/shared/bit_runs.h"
#include "primitives/kernels/shared/bits-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace compare_table_unit {
namespace {

// Where the last elements of a row are, which do not make a whole word: whole vectors are read, from elements before them on
// where the row has some, else up to others behind it.
template <class T>
struct RestOfRow {
  static constexpr std::size_t lanes = hn::MaxLanes(hn::ScalableTag<T>());
  std::size_t count, read, start, before;

  explicit RestOfRow(std::size_t n) : count(n % 64), read((count + lanes - 1) / lanes * lanes) {
    start = n < 64 ? 0 : n - read;
    before = n < 64 ? 0 : read - count;
  }
  template <class Source>
  HWY_INLINE std::uint64_t bits_of(const Source& source) const {
    std::uint64_t word = 0;
    for (std::size_t k = 0; k < read; k += lanes) word |= bits_of_mask(hn::ScalableTag<T>(), source.mask_at(start + k)) << k;
    return word >> before;
  }
};

// Compares each of `rows` elements with a row, which stands on the right: with the same, or each with its own.
template <Comparison c, class T, bool own_rows>
bool compare_rows(void* out, const void* each, std::size_t rows, const void* row, std::size_t n) {
  constexpr Comparison turned = mirrored(c);
  constexpr std::uint64_t flip = negated<turned, T> ? ~std::uint64_t{0} : 0;
  using Source = ComparedSource<turned, Lanes<T>, Lanes<T>, array_scalar>;
  const hn::ScalableTag<T> d;
  const T* const w = static_cast<const T*>(each);
  const T* x = static_cast<const T*>(row);
  const RestOfRow<T> rest(n);
  const std::uint64_t wanted = low_bits(rest.count);
  // Short rows behind which there is nothing to read are compared in a copy.
  const std::size_t all = own_rows ? rows * n : n;
  const std::size_t in_place = n >= 64 ? rows : all < rest.read ? 0 : own_rows ? (all - rest.read) / n + 1 : rows;
  T copy[128] = {};
  BitWriter writer(static_cast<std::uint64_t*>(out));
  for (std::size_t i = 0; i < rows; i++) {
    if (i == in_place) {
      std::copy_n(x, own_rows ? (rows - i) * n : n, copy);
      x = copy;
    }
    const Source source = {x, nullptr, hn::Set(d, w[i])};
    for (std::size_t k = 0; k + 64 <= n; k += 64) writer.append(bits_of_64(d, source, k) ^ flip, 64);
    if (rest.count != 0) writer.append((rest.bits_of(source) ^ flip) & wanted, rest.count);
    if constexpr (own_rows) x += n;
  }
  writer.finish();
  return true;
}

template <Comparison c, bool own_rows>
constexpr void fill_row(Table* row) {
  row[compared_i8] = compare_rows<c, std::int8_t, own_rows>;
  row[compared_i16] = compare_rows<c, std::int16_t, own_rows>;
  row[compared_i32] = compare_rows<c, std::int32_t, own_rows>;
  row[compared_f64] = compare_rows<c, double, own_rows>;
  constexpr bool signless = c == Comparison::equal || c == Comparison::not_equal;
  if constexpr (signless) {
    row[compared_u8] = row[compared_i8];
    row[compared_u16] = row[compared_i16];
  } else {
    row[compared_u8] = compare_rows<c, std::uint8_t, own_rows>;
    row[compared_u16] = compare_rows<c, std::uint16_t, own_rows>;
  }
}

template <Comparison c>
constexpr void fill(CompareTables& k, int place) {
  fill_row<c, false>(k.compare[place]);
  fill_row<c, true>(k.compare_rows[place]);
}

const CompareTables* tables() {
  static constexpr CompareTables kernels = [] {
    CompareTables k = {};
    fill<Comparison::less>(k, 0);
    fill<Comparison::less_equal>(k, 1);
    fill<Comparison::equal>(k, 2);
    fill<Comparison::greater_equal>(k, 3);
    fill<Comparison::greater>(k, 4);
    fill<Comparison::not_equal>(k, 5);
    return k;
  }();
  return &kernels;
}

}  // namespace
}  // namespace compare_table_unit
using compare_table_unit::tables;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(tables);
const CompareTables& compare_tables() { return *HWY_DYNAMIC_DISPATCH(tables)(); }
}  // namespace griddle::kernels
#endif
