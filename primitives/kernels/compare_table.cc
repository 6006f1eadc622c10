#include "primitives/kernels/compare_table.h"

#include "primitives/kernels/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "primitives/kernels/compare_table.cc"
#include "hwy/foreach_target.h"
//
#include <algorithm>

#include "hwy/highway.h"
#include "primitives/kernels/bit_runs.h"
#include "primitives/kernels/bits-inl.h"
#include "primitives/kernels/compared-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace {

// The last elements of a row, which do not make a whole word: whole vectors of them, or of a copy where the row is no longer.
template <class T>
struct RestOfRow {
  static constexpr std::size_t lanes = hn::MaxLanes(hn::ScalableTag<T>());
  T copy[64] = {};
  const T* start;
  std::size_t count, read, before;  // elements, those that are read, and those of them that precede the rest

  RestOfRow(const T* row, std::size_t n) : count(n % 64), read((count + lanes - 1) / lanes * lanes), before(read - count) {
    start = row + n - read;
    if (n >= 64) return;
    std::copy_n(row, n, copy);
    start = copy;
    before = 0;
  }
};

// Compares each of `rows` elements with a row, which stands on the right.
template <Comparison c, class T>
bool compare_rows(void* out, const void* each, std::size_t rows, const void* row, std::size_t n) {
  constexpr Comparison turned = mirrored(c);
  constexpr std::uint64_t flip = negated<turned, T> ? ~std::uint64_t{0} : 0;
  using Elements = Lanes<T>;
  using Source = ComparedSource<turned, Elements, Elements, array_scalar>;
  const hn::ScalableTag<T> d;
  const T* const w = static_cast<const T*>(each);
  const T* const x = static_cast<const T*>(row);
  const RestOfRow<T> rest(x, n);
  const std::uint64_t wanted = low_bits(rest.count);
  BitWriter writer(static_cast<std::uint64_t*>(out));
  for (std::size_t i = 0; i < rows; i++) {
    const Source source = {x, nullptr, hn::Set(d, w[i])}, of_rest = {rest.start, nullptr, source.one};
    for (std::size_t k = 0; k + 64 <= n; k += 64) writer.append(bits_of_64(d, source, k) ^ flip, 64);
    if (rest.count == 0) continue;
    std::uint64_t word = 0;
    for (std::size_t k = 0; k < rest.read; k += rest.lanes) word |= bits_of_mask(d, of_rest.mask_at(k)) << k;
    writer.append((word ^ flip) >> rest.before & wanted, rest.count);
  }
  writer.finish();
  return true;
}

template <Comparison c>
constexpr void fill_row(Table* row) {
  row[compared_i8] = compare_rows<c, std::int8_t>;
  row[compared_i16] = compare_rows<c, std::int16_t>;
  row[compared_i32] = compare_rows<c, std::int32_t>;
  row[compared_f64] = compare_rows<c, double>;
  constexpr bool signless = c == Comparison::equal || c == Comparison::not_equal;
  if constexpr (signless) {
    row[compared_u8] = row[compared_i8];
    row[compared_u16] = row[compared_i16];
  } else {
    row[compared_u8] = compare_rows<c, std::uint8_t>;
    row[compared_u16] = compare_rows<c, std::uint16_t>;
  }
}

const CompareTables* tables() {
  static constexpr CompareTables kernels = [] {
    CompareTables k = {};
    fill_row<Comparison::less>(k.compare[0]);
    fill_row<Comparison::less_equal>(k.compare[1]);
    fill_row<Comparison::equal>(k.compare[2]);
    fill_row<Comparison::greater_equal>(k.compare[3]);
    fill_row<Comparison::greater>(k.compare[4]);
    fill_row<Comparison::not_equal>(k.compare[5]);
    return k;
  }();
  return &kernels;
}

}  // namespace
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(tables);
const CompareTables& compare_tables() { return *HWY_DYNAMIC_DISPATCH(tables)(); }
}  // namespace griddle::kernels
#endif
