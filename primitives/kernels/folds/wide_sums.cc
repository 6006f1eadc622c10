#include "primitives/kernels/folds/wide_sums.h"

#include <algorithm>
#include <type_traits>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace wide_sums_unit {
namespace {

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL

namespace hn = hwy::HWY_NAMESPACE;
using std::int32_t, std::int64_t;

using D = hn::ScalableTag<int64_t>;
using V = hn::Vec<D>;
constexpr std::size_t group = hn::MaxLanes(D());  // rows whose sums fill a vector

// Sums neighbours.
HWY_INLINE V pair_sums_of(hn::Vec<hn::Repartition<int32_t, D>> v) {
  return hn::Add(V{_mm512_mul_epi32(v.raw, _mm512_set1_epi32(1))}, hn::ShiftRight<32>(hn::BitCast(D(), v)));
}

// Sums the halves of four vectors: of the first two, the lower halves and then the upper ones, then those of the others.
HWY_INLINE V sums_of_halves(const V* v) {
  const D d;
  const auto neighbours = [d](V a, V b) HWY_ATTR { return hn::Add(hn::InterleaveLower(d, a, b), hn::InterleaveUpper(d, a, b)); };
  const V lower = neighbours(v[0], v[1]), upper = neighbours(v[2], v[3]);
  return hn::Add(V{_mm512_shuffle_i64x2(lower.raw, upper.raw, 0x88)}, V{_mm512_shuffle_i64x2(lower.raw, upper.raw, 0xDD)});
}

// Sums a group of rows. at(k) says how far row k begins from the first.
template <class At>
HWY_INLINE V sums_of_group(const int32_t* x, std::size_t columns, const At& at) {
  const D d;
  const hn::CappedTag<int32_t, 8> half;
  const hn::Repartition<int32_t, D> narrow;
  // Each of four vectors holds two rows, such that their sums come in order.
  V sums[4] = {hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d)};
  const auto add = [&](auto load) HWY_ATTR {
    for (std::size_t k = 0; k < 4; k++) {
      const std::size_t row = k / 2 * 4 + k % 2;
      const auto both = hn::Combine(narrow, load(x + at(row + 2)), load(x + at(row)));
      sums[k] = hn::Add(sums[k], pair_sums_of(both));
    }
  };
  std::size_t j = 0;
  for (; j + 8 <= columns; j += 8) add([=](const int32_t* row) HWY_ATTR { return hn::LoadU(half, row + j); });
  if (j != columns) {
    const auto rest = hn::FirstN(half, columns - j);
    add([=](const int32_t* row) HWY_ATTR { return hn::MaskedLoad(rest, half, row + j); });
  }
  return sums_of_halves(sums);
}

// Sums rows of 8 elements, which fill halves of vectors.
HWY_INLINE V sums_of_eights(const int32_t* x) {
  const D d;
  const hn::Repartition<int32_t, D> narrow;
  V sums[4];
  for (std::size_t k = 0; k < 4; k++) sums[k] = pair_sums_of(hn::LoadU(narrow, x + 16 * k));
  HWY_ALIGN static constexpr int64_t order[] = {0, 2, 1, 3, 4, 6, 5, 7};
  return V{_mm512_permutexvar_epi64(hn::Load(d, order).raw, sums_of_halves(sums).raw)};
}

// Where column j of eight rows lies among 32 elements from the first on, and among the next 32.
template <std::size_t columns>
struct ColumnPlaces {
  HWY_ALIGN int32_t of[columns][16] = {};
  __mmask16 beyond[columns] = {};

  constexpr ColumnPlaces() {
    for (std::size_t j = 0; j < columns; j++)
      for (std::size_t k = 0; k < group; k++) {
        const std::size_t place = k * columns + j;
        of[j][k] = static_cast<int32_t>(place % 32);
        if (place >= 32) beyond[j] = static_cast<__mmask16>(beyond[j] | 1 << k);
      }
  }
};
constexpr std::size_t read_for_columns = 64;

// Sums eight rows of few elements column by column. Reads 64 elements.
template <std::size_t columns>
HWY_INLINE V sums_of_columns(const int32_t* x) {
  static constexpr ColumnPlaces<columns> places;
  const hn::Repartition<int32_t, D> narrow;
  const auto from = [&](std::size_t i) HWY_ATTR { return hn::LoadU(narrow, x + i).raw; };
  V sum = hn::Zero(D());
  for (std::size_t j = 0; j < columns; j++) {
    const __m512i at = hn::Load(narrow, places.of[j]).raw;
    __m512i column = _mm512_permutex2var_epi32(from(0), at, from(16));
    if constexpr (columns > 4)
      column = _mm512_mask_blend_epi32(places.beyond[j], column, _mm512_permutex2var_epi32(from(32), at, from(48)));
    sum = hn::Add(sum, V{_mm512_cvtepi32_epi64(_mm512_castsi512_si256(column))});
  }
  return sum;
}
// Gives the number of rows done.
template <std::size_t columns>
std::size_t sum_by_columns(int64_t* out, const int32_t* x, std::size_t rows) {
  std::size_t r = 0;
  for (; r * columns + read_for_columns <= rows * columns; r += group)
    hn::StoreU(sums_of_columns<columns>(x + r * columns), D(), out + r);
  return r;
}
std::size_t sum_few_columns(int64_t* out, const int32_t* x, std::size_t columns, std::size_t rows) {
  switch (columns) {
    case 3: return sum_by_columns<3>(out, x, rows);
    case 4: return sum_by_columns<4>(out, x, rows);
    case 5: return sum_by_columns<5>(out, x, rows);
    case 6: return sum_by_columns<6>(out, x, rows);
    case 7: return sum_by_columns<7>(out, x, rows);
    default: return 0;
  }
}

void sum_rows(int64_t* out, const int32_t* x, std::size_t columns, std::size_t rows) {
  const D d;
  std::size_t r = sum_few_columns(out, x, columns, rows);
  if (columns == 8)
    for (; r + group <= rows; r += group) hn::StoreU(sums_of_eights(x + r * columns), d, out + r);
  for (; r + group <= rows; r += group)
    hn::StoreU(sums_of_group(x + r * columns, columns, [columns](std::size_t k) { return k * columns; }), d, out + r);
  if (r == rows) return;
  // Rows that are not there are taken from the last one.
  const std::size_t last = rows - r - 1;
  const V sums = sums_of_group(x + r * columns, columns, [=](std::size_t k) { return std::min(k, last) * columns; });
  hn::BlendedStore(sums, hn::FirstN(d, rows - r), d, out + r);
}

// Tells whether integers fit i32.
bool fit(const int64_t* x, std::size_t n) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  const auto misfits = [](V v) HWY_ATTR { return hn::Xor(hn::ShiftRight<32>(hn::ShiftLeft<32>(v)), v); };
  const auto none = [d](V found) HWY_ATTR { return hn::AllTrue(d, hn::Eq(found, hn::Zero(d))); };
  if (n < lanes) return none(misfits(hn::MaskedLoad(hn::FirstN(d, n), d, x)));
  // Where they do not fit, most do not.
  if (!none(misfits(hn::LoadU(d, x)))) return false;
  V found = misfits(hn::LoadU(d, x + n - lanes));
  for (std::size_t i = lanes; i + lanes < n; i += lanes) found = hn::Or(found, misfits(hn::LoadU(d, x + i)));
  return none(found);
}

// Writes integers as i32 or as doubles; `out` may be x.
template <class T>
void narrow(void* out, const int64_t* x, std::size_t n) {
  const hn::ScalableTag<int64_t> d;
  const hn::Rebind<T, decltype(d)> result;
  const std::size_t lanes = hn::Lanes(d);
  T* const to = static_cast<T*>(out);
  const auto narrowed = [=](auto v) HWY_ATTR {
    if constexpr (std::is_integral_v<T>)
      return hn::Vec<hn::Rebind<T, hn::ScalableTag<int64_t>>>{_mm512_cvtepi64_epi32(v.raw)};
    else
      return hn::ConvertTo(result, v);
  };
  if (n < lanes) {
    const auto few = hn::FirstN(d, n);
    hn::BlendedStore(narrowed(hn::MaskedLoad(few, d, x)), hn::FirstN(result, n), result, to);
    return;
  }
  const auto last = narrowed(hn::LoadU(d, x + n - lanes));
  for (std::size_t i = 0; i + lanes < n; i += lanes) hn::StoreU(narrowed(hn::LoadU(d, x + i)), result, to + i);
  hn::StoreU(last, result, to + n - lanes);
}

#endif

const WideSumKernels* wide_sums_kernels() {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  static constexpr WideSumKernels kernels = {sum_rows, fit, narrow<int32_t>, narrow<double>};
#else
  static constexpr WideSumKernels kernels = {};
#endif
  return &kernels;
}

}  // namespace
}  // namespace wide_sums_unit
using wide_sums_unit::wide_sums_kernels;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(wide_sums_kernels);
const WideSumKernels& wide_sums() { return *HWY_DYNAMIC_DISPATCH(wide_sums_kernels)(); }
}  // namespace griddle::kernels
#endif
