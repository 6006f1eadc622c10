#include "primitives/kernels/search/bucket_search.h"

#include <bit>
#include <limits>

#include "hwy/highway.h"
#include "primitives/kernels/search/bins.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace bucket_search_unit {
namespace {

#if HWY_TARGET == HWY_AVX3

constexpr std::size_t lanes = 16;

HWY_INLINE __m512i all_lanes(std::size_t v) { return _mm512_set1_epi32(static_cast<int>(v)); }

HWY_INLINE __m512i buckets_of(const IntegerBuckets& b, __m512i v) {
  const __m512i low = _mm512_set1_epi32(b.low);
  const __m512i within = _mm512_min_epi32(_mm512_max_epi32(v, low), _mm512_set1_epi32(b.high));
  return _mm512_srl_epi32(_mm512_sub_epi32(within, low), _mm_cvtsi32_si128(static_cast<int>(b.shift)));
}

// Goes on from the start of a bucket: one by one through short ones, by halves through long ones.
HWY_INLINE __m512i search(const Bucketed& in, __m512i at, __m512i x) {
  const __m512i n = all_lanes(in.n), one = all_lanes(1);
  const auto is_at_most = [=](__m512i places)
                              HWY_ATTR { return _mm512_cmple_epi32_mask(_mm512_i32gather_epi32(places, in.w, 4), x); };
  if (in.fullest <= bins_margin) {
    for (std::size_t k = 0; k < in.fullest; k++) at = _mm512_mask_add_epi32(at, is_at_most(at), at, one);
    return _mm512_min_epu32(at, n);
  }
  for (std::size_t step = std::bit_floor(in.fullest); step != 0; step >>= 1) {
    const __m512i moved = _mm512_min_epu32(_mm512_add_epi32(at, all_lanes(step)), n);
    at = _mm512_mask_mov_epi32(at, is_at_most(_mm512_sub_epi32(moved, one)), moved);
  }
  return at;
}

std::size_t search_all(const IntegerBuckets& buckets, const Bucketed& in, const std::int32_t* x, std::size_t count,
                       std::uint32_t* out) {
  if (in.n >> 31 != 0) return 0;
  const IntegerBuckets by = buckets;
  const Bucketed from = in;
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const __m512i v = _mm512_loadu_si512(x + i);
    const __m512i starts = _mm512_i32gather_epi32(buckets_of(by, v), from.starts, 4);
    _mm512_storeu_si512(out + i, search(from, starts, v));
  }
  return i;
}

// Up to 127 values stand in registers: four tables of 32, of the first ones of each four values, of the second ones, and so on.
// Of more values these are the last ones of each run of a power of two, where a search by halves goes on in memory.
constexpr std::size_t most_in_tables = 127, longest_run = 32, most_few = most_in_tables * longest_run;

struct FewValues {
  HWY_INLINE FewValues(const std::int32_t* w, std::size_t n, std::size_t run) {
    alignas(64) std::int32_t tables[4][2 * lanes];
    for (std::size_t i = 0; i < 8 * lanes; i++) {
      const std::size_t at = (i + 1) * run - 1;
      tables[i % 4][i / 4] = at < n ? w[at] : std::numeric_limits<std::int32_t>::max();
    }
    for (std::size_t k = 0; k < 4; k++) low[k] = _mm512_load_si512(tables[k]), high[k] = _mm512_load_si512(tables[k] + lanes);
  }
  HWY_INLINE __mmask16 is_at_most(std::size_t table, __m512i places, __m512i x) const {
    return _mm512_cmple_epi32_mask(_mm512_permutex2var_epi32(low[table], places, high[table]), x);
  }
  // Finds how many fours are at most x to their last, and then how many of the next four are.
  HWY_INLINE __m512i count(__m512i x) const {
    __m512i fours = _mm512_setzero_si512();
#pragma GCC unroll 5
    for (std::size_t step = 16; step != 0; step >>= 1) {
      const __mmask16 more = is_at_most(3, _mm512_add_epi32(fours, all_lanes(step - 1)), x);
      fours = _mm512_mask_add_epi32(fours, more, fours, all_lanes(step));
    }
    __m512i at = _mm512_slli_epi32(fours, 2);
#pragma GCC unroll 3
    for (std::size_t k = 0; k < 3; k++) at = _mm512_mask_add_epi32(at, is_at_most(k, fours, x), at, all_lanes(1));
    return at;
  }
  __m512i low[4], high[4];
};

// Goes on in the next run of values by halves.
HWY_INLINE __m512i search_run(const std::int32_t* w, __m512i n, std::size_t run, __m512i at, __m512i x) {
  for (std::size_t step = run / 2; step != 0; step /= 2) {
    const __m512i last = _mm512_min_epu32(_mm512_add_epi32(at, all_lanes(step - 1)), n);
    const __mmask16 more = _mm512_cmple_epi32_mask(_mm512_i32gather_epi32(last, w, 4), x);
    at = _mm512_mask_add_epi32(at, more, at, all_lanes(step));
  }
  return _mm512_min_epu32(at, n);
}

void count_few(const std::int32_t* w, std::size_t n, const std::int32_t* x, std::size_t count, std::uint32_t* out) {
  const std::size_t run = std::bit_ceil((n + most_in_tables - 1) / most_in_tables);
  const FewValues values(w, n, run);
  const __m512i most = all_lanes(n);
  const __m128i run_bits = _mm_cvtsi32_si128(std::countr_zero(run));
  const auto search = [&](__m512i v)
                          HWY_ATTR { return search_run(w, most, run, _mm512_sll_epi32(values.count(v), run_bits), v); };
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) _mm512_storeu_si512(out + i, search(_mm512_loadu_si512(x + i)));
  if (i == count) return;
  const auto some = static_cast<__mmask16>((1u << (count - i)) - 1);
  _mm512_mask_storeu_epi32(out + i, some, search(_mm512_maskz_loadu_epi32(some, x + i)));
}

#else

constexpr std::size_t most_few = 0;

std::size_t search_all(const IntegerBuckets&, const Bucketed&, const std::int32_t*, std::size_t, std::uint32_t*) { return 0; }
void count_few(const std::int32_t*, std::size_t, const std::int32_t*, std::size_t, std::uint32_t*) {}

#endif

std::size_t most_few_values() { return most_few; }

}  // namespace
}  // namespace bucket_search_unit
using bucket_search_unit::search_all, bucket_search_unit::count_few, bucket_search_unit::most_few_values;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {

HWY_EXPORT(search_all);
HWY_EXPORT(count_few);
HWY_EXPORT(most_few_values);

std::size_t search_in_vectors(const IntegerBuckets& buckets, const Bucketed& in, const std::int32_t* x, std::size_t count,
                              std::uint32_t* out) {
  return HWY_DYNAMIC_DISPATCH(search_all)(buckets, in, x, count, out);
}
std::size_t most_in_registers() { return HWY_DYNAMIC_DISPATCH(most_few_values)(); }
void count_in_registers(const std::int32_t* w, std::size_t n, const std::int32_t* x, std::size_t count, std::uint32_t* out) {
  HWY_DYNAMIC_DISPATCH(count_few)(w, n, x, count, out);
}

}  // namespace griddle::kernels
#endif  // HWY_ONCE
