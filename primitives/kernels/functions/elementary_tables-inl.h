// Exponentials and logarithms of vectors of doubles with tables of sixteen entries, which lie in registers where the processor
// looks into these. Included once per target.
#if defined(GRIDDLE_KERNELS_ELEMENTARY_TABLES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDDLE_KERNELS_ELEMENTARY_TABLES_INL_H_
#undef GRIDDLE_KERNELS_ELEMENTARY_TABLES_INL_H_
#else
#define GRIDDLE_KERNELS_ELEMENTARY_TABLES_INL_H_
#endif

#include <cstdint>

#include "hwy/highway.h"
#include "primitives/kernels/functions/elementary-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Sixteen rows of doubles, by columns and, for processors that look into memory, by rows of whole vectors.
template <std::size_t columns>
struct RowTable {
  static constexpr std::size_t rows = 16, width = columns < 3 ? columns : 4;
  using Columns = double[columns][rows];

  constexpr explicit RowTable(const Columns& from) {
    for (std::size_t c = 0; c < columns; c++)
      for (std::size_t r = 0; r < rows; r++) column[c][r] = row[r][c] = from[c][r];
  }
  // Gives a table with the same first column.
  constexpr RowTable with_logarithms(const double (&high)[rows], const double (&low)[rows]) const {
    RowTable table = *this;
    for (std::size_t r = 0; r < rows; r++) {
      table.column[1][r] = table.row[r][1] = high[r];
      table.column[2][r] = table.row[r][2] = low[r];
    }
    return table;
  }

  alignas(64) double column[columns][rows] = {};
  alignas(64) double row[rows][width] = {};
};

// Takes a row for each lane, whose place says which in its lowest four bits.
template <class D, std::size_t columns>
class RowPicker {
 public:
  using V = hn::Vec<D>;
  using Places = hn::Vec<hn::RebindToUnsigned<D>>;
  using Table = RowTable<columns>;

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  HWY_INLINE explicit RowPicker(const Table& table) {
    for (std::size_t c = 0; c < columns; c++) {
      low[c] = hn::Load(D(), table.column[c]);
      high[c] = hn::Load(D(), table.column[c] + 8);
    }
  }
  HWY_INLINE void take(Places places, V (&row)[columns]) const {
    for (std::size_t c = 0; c < columns; c++) row[c] = V{_mm512_permutex2var_pd(low[c].raw, places.raw, high[c].raw)};
  }

 private:
  V low[columns], high[columns];
#else
  HWY_INLINE explicit RowPicker(const Table& t) : table(t) {}
  HWY_INLINE void take(Places places, V (&row)[columns]) const {
    const hn::RebindToUnsigned<D> bits;
    HWY_ALIGN std::uint64_t place[hn::MaxLanes(bits)];
    hn::Store(hn::And(places, hn::Set(bits, Table::rows - 1)), bits, place);
    // Lets them be read one by one: to take each out of the vector is slower.
    asm("" : "+m"(place));
    take_at(place, row);
  }

 private:
#if HWY_TARGET == HWY_AVX2
  HWY_INLINE void take_at(const std::uint64_t (&place)[4], V (&row)[columns]) const {
    const auto& r = table.row;
    if constexpr (columns == 2) {
      const auto halves = [&](std::size_t i) HWY_ATTR {
        return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_load_pd(r[place[i]])), _mm_load_pd(r[place[i + 2]]), 1);
      };
      const __m256d even = halves(0), odd = halves(1);
      row[0] = V{_mm256_unpacklo_pd(even, odd)};
      row[1] = V{_mm256_unpackhi_pd(even, odd)};
    } else {
      const __m256d a = _mm256_load_pd(r[place[0]]), b = _mm256_load_pd(r[place[1]]);
      const __m256d c = _mm256_load_pd(r[place[2]]), d = _mm256_load_pd(r[place[3]]);
      const __m256d ab = _mm256_unpacklo_pd(a, b), cd = _mm256_unpacklo_pd(c, d);
      row[0] = V{_mm256_permute2f128_pd(ab, cd, 0x20)};
      row[1] = V{_mm256_permute2f128_pd(_mm256_unpackhi_pd(a, b), _mm256_unpackhi_pd(c, d), 0x20)};
      row[2] = V{_mm256_permute2f128_pd(ab, cd, 0x31)};
    }
  }
#else
  template <std::size_t lanes>
  HWY_INLINE void take_at(const std::uint64_t (&place)[lanes], V (&row)[columns]) const {
    for (std::size_t c = 0; c < columns; c++) {
      HWY_ALIGN double taken[lanes];
      for (std::size_t i = 0; i < lanes; i++) taken[i] = table.column[c][place[i]];
      row[c] = hn::Load(D(), taken);
    }
  }
#endif
  const Table& table;
#endif
};

// --- logarithm

// About 1 ÷ 1 + i÷16, in so few bits that products with numbers that are near their reciprocal, less 1, are exact. Then the
// logarithms of their reciprocals, natural ones: multiples of 2^-42, and what these lack.
inline constexpr RowTable<3> logarithm_table({
    {0x1p+0, 0x1.ep-1, 0x1.c8p-1, 0x1.bp-1, 0x1.98p-1, 0x1.88p-1, 0x1.7p-1, 0x1.6p-1, 0x1.58p-1, 0x1.48p-1, 0x1.38p-1, 0x1.3p-1,
     0x1.28p-1, 0x1.18p-1, 0x1.1p-1, 0x1.08p-1},
    {0, 0x1.08598b59e4000p-4, 0x1.da72763844000p-4, 0x1.5bf406b544000p-3, 0x1.d1037f2656000p-3, 0x1.1178e8227e000p-2,
     0x1.522ae0738a000p-2, 0x1.7fafa3bd81000p-2, 0x1.973a343135000p-2, 0x1.c7ff9c7455000p-2, 0x1.fb358af7a5000p-2,
     0x1.0ae76e2d05800p-1, 0x1.188ee40f24000p-1, 0x1.35028ad9d9000p-1, 0x1.43d9ff2f92000p-1, 0x1.5322e26867800p-1},
    {0, -0x1.7e5dd7009902cp-46, 0x1.a89401fa71733p-46, -0x1.27023eb68981cp-46, -0x1.84a7e75b6f6e4p-47, 0x1.1ef78ce2d07f2p-44,
     0x1.ebe708164c759p-45, 0x1.46fb79bf6d4cbp-44, 0x1.ab73b16bf4984p-44, 0x1.324911f56db29p-44, -0x1.def40b87d36d9p-44,
     -0x1.82de51de06076p-44, -0x1.accec41d52e6cp-44, -0x1.bd1f01ab60655p-44, 0x1.e267b0b7efae1p-44, 0x1.5ccc45d257531p-47},
});

// Stands for (1 + f) × 2⋆k × e⋆(high + low), where f is exact, from -0.0342 to 0.0313; or another base.
template <class V>
struct NearOne {
  V f, k, high, low;
};
// x is normal and above 0.
template <class D, class V>
HWY_INLINE NearOne<V> near_one(D d, const RowPicker<D, 3>& table, V x) {
  const hn::RebindToUnsigned<D> bits;
  // Rounds to sixteenths, so that numbers just below a power of two belong to it.
  const auto shifted = hn::Add(hn::BitCast(bits, x), hn::Set(bits, std::uint64_t{1} << 47));
  const auto less_one = hn::Sub(shifted, hn::Set(bits, std::uint64_t{1023} << 52));
  const V m = hn::BitCast(d, hn::Sub(hn::BitCast(bits, x), hn::And(less_one, hn::Set(bits, 0xFFF0000000000000))));
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  const hn::RebindToSigned<D> integers;
  const V k = hn::ConvertTo(d, hn::ShiftRight<52>(hn::BitCast(integers, less_one)));
#else
  const V k =
      hn::Sub(hn::BitCast(d, hn::Or(hn::ShiftRight<52>(shifted), hn::Set(bits, 0x4330000000000000))), hn::Set(d, 0x1p52 + 1023));
#endif
  V row[3];
  table.take(hn::ShiftRight<48>(shifted), row);
#if HWY_NATIVE_FMA
  const V f = hn::MulSub(m, row[0], hn::Set(d, 1.0));
#else
  const V upper = hn::BitCast(d, hn::And(hn::BitCast(bits, m), hn::Set(bits, 0xFFFFFFFFF8000000)));
  const V f = hn::Add(hn::Sub(hn::Mul(upper, row[0]), hn::Set(d, 1.0)), hn::Mul(hn::Sub(m, upper), row[0]));
#endif
  return {f, k, row[1], row[2]};
}

// Gives ln x to about 2^-66 of it, in parts that overlap.
template <class D, class V>
HWY_INLINE Pair<V> precise_logarithm(D d, const RowPicker<D, 3>& table, V x) {
  const NearOne<V> n = near_one(d, table, x);
  // s is f ÷ 2 + f, and its rest twice what it lacks.
  const V s = hn::Div(n.f, hn::Add(n.f, hn::Set(d, 2.0)));
#if HWY_NATIVE_FMA
  const V lacks = hn::NegMulAdd(s, n.f, hn::NegMulAdd(hn::Set(d, 2.0), s, n.f));
#else
  const Pair<V> back = exact_product(d, s, n.f);
  const V lacks = hn::Sub(hn::Sub(hn::Sub(n.f, hn::Add(s, s)), back.high), back.low);
#endif
  const V rest = hn::NegMulAdd(hn::NegMulAdd(lacks, s, lacks), s, lacks);
  // 2 atanh s
  const V z = hn::Mul(s, s);
  const V p = polynomial<true>(d, z, 0x1.5555555555555p-1, 0x1.99999999a365cp-2, 0x1.249247445baa0p-2, 0x1.c75d936bdf9acp-3);
  const V most = hn::MulAdd(n.k, hn::Set(d, ln2_high), n.high);
  const V least = hn::MulAdd(n.k, hn::Set(d, ln2_low), n.low);
  const V high = hn::MulAdd(hn::Set(d, 2.0), s, most);
  const V lost = hn::MulAdd(hn::Set(d, 2.0), s, hn::Sub(most, high));
  return {high, hn::MulAdd(hn::Mul(s, z), p, hn::Add(hn::Add(least, rest), lost))};
}

// Gives ln (1 + f) - f.
template <class D, class V>
HWY_INLINE V less_than_f(D d, V f) {
  const V f2 = hn::Mul(f, f), f4 = hn::Mul(f2, f2);
  const V p0 = polynomial<true>(d, f, -0.5, 0x1.55555555554e2p-2),
          p2 = polynomial<true>(d, f, -0x1.fffffffffd860p-3, 0x1.9999999bccbfcp-3);
  const V p4 = polynomial<true>(d, f, -0x1.5555558badd43p-3, 0x1.24922f59c2041p-3);
  const V p6 = polynomial<true>(d, f, -0x1.fffd2cc82899bp-4, 0x1.c808b14975f21p-4);
  const V p8 = hn::MulAdd(f4, hn::Set(d, -0x1.9fb6b37cc42adp-4), hn::MulAdd(p6, f2, p4));
  return hn::Mul(f2, hn::MulAdd(p8, f4, hn::MulAdd(p2, f2, p0)));
}

// Gives ln x in two parts, of which the second is exact to a few bits.
template <class D, class V>
HWY_INLINE Pair<V> logarithm_parts(D d, const RowPicker<D, 3>& table, V x) {
  const NearOne<V> n = near_one(d, table, x);
  const V most = hn::MulAdd(n.k, hn::Set(d, ln2_high), n.high), least = hn::MulAdd(n.k, hn::Set(d, ln2_low), n.low);
  const Pair<V> sum = quick_sum(most, n.f);
  return {sum.high, hn::Add(less_than_f(d, n.f), hn::Add(sum.low, least))};
}
// Gives the logarithm of a sum, of which the second part is small.
template <class D, class V>
HWY_INLINE V logarithm_of_sum(D d, const RowPicker<D, 3>& table, Pair<V> x) {
  const Pair<V> l = logarithm_parts(d, table, x.high), all = quick_sum(l.high, hn::Div(x.low, x.high));
  return hn::Add(all.high, hn::Add(all.low, l.low));
}

// --- exponential

// The logarithm of 2, of which the first part has 38 bits: its products with sixteenths are exact.
inline constexpr double short_ln2_high = 0x1.62e42fefa0000p-1, short_ln2_low = 0x1.cf79abc9e3b3ap-40;

// The powers of two of sixteenths, and what these lack in parts of them.
inline constexpr RowTable<2> exponential_table({
    {0x1.0000000000000p+0, 0x1.0b5586cf9890fp+0, 0x1.172b83c7d517bp+0, 0x1.2387a6e756238p+0, 0x1.306fe0a31b715p+0,
     0x1.3dea64c123422p+0, 0x1.4bfdad5362a27p+0, 0x1.5ab07dd485429p+0, 0x1.6a09e667f3bcdp+0, 0x1.7a11473eb0187p+0,
     0x1.8ace5422aa0dbp+0, 0x1.9c49182a3f090p+0, 0x1.ae89f995ad3adp+0, 0x1.c199bdd85529cp+0, 0x1.d5818dcfba487p+0,
     0x1.ea4afa2a490dap+0},
    {0, 0x1.79aa65d837b6cp-54, -0x1.01b15eaa59348p-55, 0x1.68efde3a8a893p-54, 0x1.34d754db0abb6p-55, 0x1.59f48a72a4c6cp-55,
     0x1.690cebb7aafb0p-56, 0x1.063e1e21c5409p-54, -0x1.3b3efbf5e2229p-54, -0x1.b32dcb94da51dp-56, 0x1.db72fc1f0eab4p-55,
     0x1.1affc2b91ce27p-56, 0x1.c1a7792cb3386p-55, 0x1.36eae30af0cb3p-56, 0x1.4a385a63d07a7p-56, -0x1.ff7128fd391f1p-55},
});

// Multiplies a result near 1 by 2⋆k, which is rounded down. Sixteen times k stands in the last bits of `shifted`. Where nothing
// else is said, the product is normal.
template <bool any_size, class D, class V>
HWY_INLINE V times_power(D d, V v, [[maybe_unused]] V k, [[maybe_unused]] V shifted) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  (void)d;
  return V{_mm512_scalef_pd(v.raw, k.raw)};
#else
  const hn::RebindToUnsigned<D> bits;
  const auto integer = hn::ShiftRight<4>(hn::BitCast(bits, shifted));
  if constexpr (any_size)
    return scale(d, v, hn::BitCast(d, integer));
  else
    return hn::BitCast(d, hn::Add(hn::BitCast(bits, v), hn::ShiftLeft<52>(integer)));
#endif
}

// Stands for e⋆x = (power + power × less_1) × 2⋆k rounded down; `shifted` has sixteen times k in its last bits.
template <class V>
struct NearPower {
  V power, less_1, k, shifted;
};
// x is a sum, whose second part is small.
template <class D, class V>
HWY_INLINE NearPower<V> near_power(D d, const RowPicker<D, 2>& table, Pair<V> x) {
  const hn::RebindToUnsigned<D> bits;
  // Leaves sixteenths in the last bits.
  const V to_sixteenths = hn::Set(d, 0x1.8p48);
  const V shifted = hn::MulAdd(hn::Add(x.high, x.low), hn::Set(d, reciprocal_ln2), to_sixteenths);
  const V k = hn::Sub(shifted, to_sixteenths);
  const V rest = hn::NegMulAdd(k, hn::Set(d, short_ln2_high), x.high);
  const V r = hn::Add(hn::NegMulAdd(k, hn::Set(d, short_ln2_low), rest), x.low), r2 = hn::Mul(r, r);
  const V q0 = polynomial<true>(d, r, 0.5, 0x1.555555555553ep-3);
  const V q1 = polynomial<true>(d, r, 0x1.55555554e6645p-5, 0x1.1111111338edcp-7);
  const V q2 = polynomial<true>(d, r, 0x1.6c17f902a6068p-10, 0x1.a017b2ebe710bp-13);
  const V q = hn::MulAdd(hn::MulAdd(q2, r2, q1), r2, q0);
  V row[2];
  table.take(hn::BitCast(bits, shifted), row);
  return {row[0], hn::MulAdd(r2, q, hn::Add(r, row[1])), k, shifted};
}

// Gives e⋆x for a sum, whose second part is small; from -746 to 710 if `any_size`, else to 708 on either side.
template <bool any_size, class D, class V>
HWY_INLINE V exponential_of(D d, const RowPicker<D, 2>& table, Pair<V> x) {
  const NearPower<V> p = near_power(d, table, x);
  return times_power<any_size>(d, hn::MulAdd(p.power, p.less_1, p.power), p.k, p.shifted);
}
// Gives e⋆x ÷ 2 to about 2^-58 of it in two parts, for x from 0 to 710.475.
template <class D, class V>
HWY_INLINE Pair<V> half_exponential(D d, const RowPicker<D, 2>& table, V x) {
  const NearPower<V> p = near_power(d, table, Pair<V>{x, hn::Zero(d)});
  const V one = hn::Set(d, 1.0), k = hn::Sub(p.k, one), shifted = hn::Sub(p.shifted, one);
  const V high = hn::MulAdd(p.power, p.less_1, p.power), low = hn::MulAdd(p.power, p.less_1, hn::Sub(p.power, high));
  const V factor = times_power<false>(d, one, k, shifted);
  return {hn::Mul(high, factor), hn::Mul(low, factor)};
}

}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
