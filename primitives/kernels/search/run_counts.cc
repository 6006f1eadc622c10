#include "primitives/kernels/search/run_counts.h"

#include <algorithm>
#include <type_traits>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace run_counts_unit {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using Bytes = hn::FixedTag<std::uint8_t, 16>;

template <class T>
HWY_INLINE std::size_t write_each(std::int8_t* counts, const T* numbers, const std::int32_t* ends, std::size_t runs) {
  std::size_t all = 0;
  for (std::size_t k = 0; k < runs; k++) {
    const std::int32_t count = ends[k] - ends[k - 1];
    counts[static_cast<std::size_t>(numbers[k])] = static_cast<std::int8_t>(count);
    all |= static_cast<std::size_t>(count);
  }
  return all;
}

#if HWY_TARGET == HWY_AVX3_DL
HWY_INLINE __m512i eight_places(const std::int8_t* p) {
  return _mm512_cvtepi8_epi64(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p)));
}
HWY_INLINE __m512i eight_places(const std::int16_t* p) {
  return _mm512_cvtepi16_epi64(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
}
HWY_INLINE __m512i eight_places(const std::int32_t* p) {
  return _mm512_cvtepi32_epi64(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
}
HWY_INLINE __m512i eight_places(const double* p) { return _mm512_cvttpd_epi64(_mm512_loadu_pd(p)); }

// Gives a word with a bit for each of eight places from `first` on, which lie within 64.
template <class T>
HWY_INLINE __mmask64 marks_of_eight(const T* numbers, std::size_t first) {
  const __m512i from_first = _mm512_sub_epi64(eight_places(numbers), _mm512_set1_epi64(static_cast<long long>(first)));
  const __m512i bits = _mm512_sllv_epi64(_mm512_set1_epi64(1), from_first);
  const __m256i four = _mm256_or_si256(_mm512_castsi512_si256(bits), _mm512_extracti64x4_epi64(bits, 1));
  const __m128i two = _mm_or_si128(_mm256_castsi256_si128(four), _mm256_extracti128_si256(four, 1));
  return static_cast<__mmask64>(_mm_cvtsi128_si64(two) | _mm_extract_epi64(two, 1));
}
#endif

// Eight counts at a time go to their places within 64 bytes; zeros that are written beyond are there already.
template <class T>
std::size_t write_counts(std::int8_t* counts, [[maybe_unused]] std::size_t length, const T* numbers, const std::int32_t* ends,
                         std::size_t runs) {
  std::size_t k = 0, all = 0;
#if HWY_TARGET == HWY_AVX3_DL
  __m256i any = _mm256_setzero_si256();
  for (; k + 8 <= runs; k += 8) {
    const std::size_t first = static_cast<std::size_t>(numbers[k]), last = static_cast<std::size_t>(numbers[k + 7]);
    if (first + 64 > length) break;
    if (last - first >= 64) {
      all |= write_each(counts, numbers + k, ends + k, 8);
      continue;
    }
    const auto load = [&](const std::int32_t* p) HWY_ATTR { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)); };
    const __m256i count = _mm256_sub_epi32(load(ends + k), load(ends + k - 1));
    any = _mm256_or_si256(any, count);
    const __m512i bytes = _mm512_castsi128_si512(_mm256_cvtepi32_epi8(count));
    _mm512_storeu_si512(counts + first, _mm512_maskz_expand_epi8(marks_of_eight(numbers + k, first), bytes));
  }
  alignas(32) std::uint32_t parts[8];
  _mm256_store_si256(reinterpret_cast<__m256i*>(parts), any);
  for (const std::uint32_t part : parts) all |= part;
#endif
  return all | write_each(counts, numbers + k, ends + k, runs - k);
}

std::size_t write_any(std::int8_t* counts, std::size_t length, ElementType type, const void* numbers, const std::int32_t* ends,
                      std::size_t runs) {
  const auto write = [=](const auto* p) HWY_ATTR { return write_counts(counts, length, p, ends, runs); };
  switch (type) {
    case ElementType::i8: return write(static_cast<const std::int8_t*>(numbers));
    case ElementType::i16: return write(static_cast<const std::int16_t*>(numbers));
    case ElementType::i32: return write(static_cast<const std::int32_t*>(numbers));
    default: return write(static_cast<const double*>(numbers));
  }
}

// Tells for 16 numbers which differ from the one before: bytes of ones.
template <class T>
HWY_INLINE hn::Vec<Bytes> differ_from_last(const T* p) {
  const hn::FixedTag<T, 16 / sizeof(T)> d;
  const hn::FixedTag<std::int8_t, 16> bytes;
  const auto differ = [=](std::size_t i) HWY_ATTR {
    constexpr std::size_t lanes = 16 / sizeof(T);
    return hn::VecFromMask(d, hn::Ne(hn::LoadU(d, p + i * lanes), hn::LoadU(d, p + i * lanes - 1)));
  };
  const auto narrow = [=](auto low, auto high) HWY_ATTR {
    const hn::Half<decltype(bytes)> half;
    return hn::Combine(bytes, hn::DemoteTo(half, high), hn::DemoteTo(half, low));
  };
  if constexpr (sizeof(T) == 1) {
    return hn::BitCast(Bytes(), differ(0));
  } else if constexpr (sizeof(T) == 2) {
    return hn::BitCast(Bytes(), narrow(differ(0), differ(1)));
  } else {
    const hn::FixedTag<std::int16_t, 8> words;
    const hn::Half<decltype(words)> half;
    const auto pair = [=](std::size_t i) HWY_ATTR {
      return hn::Combine(words, hn::DemoteTo(half, differ(i + 1)), hn::DemoteTo(half, differ(i)));
    };
    return hn::BitCast(Bytes(), narrow(pair(0), pair(2)));
  }
}

// Each number stores how often it has come so far, so that what the last one of a run stores stays: no store waits for another.
template <class T>
std::size_t count_each(std::int8_t* counts, const T* p, std::size_t n, std::size_t before) {
  std::uint8_t count = static_cast<std::uint8_t>(std::min<std::size_t>(before + 1, 255));
  std::size_t all = count, i = 1;
  counts[static_cast<std::size_t>(p[0])] = static_cast<std::int8_t>(count);
  if constexpr (std::is_integral_v<T>) {
    const Bytes d;
    const auto place = hn::Iota(d, 1), next_place = hn::Iota(d, 2), last = hn::Set(d, 15);
    auto any = hn::Zero(d), so_far = hn::Set(d, count);
    alignas(16) std::uint8_t found[16];
    for (; i + 16 <= n; i += 16) {
      // The place after the beginning of the run that each belongs to; 0 where that is further back.
      auto begun = hn::And(differ_from_last(p + i), place);
      begun = hn::Max(begun, hn::ShiftLeftBytes<1>(begun));
      begun = hn::Max(begun, hn::ShiftLeftBytes<2>(begun));
      begun = hn::Max(begun, hn::ShiftLeftBytes<4>(begun));
      begun = hn::Max(begun, hn::ShiftLeftBytes<8>(begun));
      const auto found_here =
          hn::IfThenElse(hn::Eq(begun, hn::Zero(d)), hn::SaturatedAdd(place, so_far), hn::Sub(next_place, begun));
      any = hn::Or(any, found_here);
      so_far = hn::TableLookupBytes(found_here, last);
      hn::Store(found_here, d, found);
#pragma GCC unroll 16
      for (std::size_t k = 0; k < 16; k++) counts[static_cast<std::size_t>(p[i + k])] = static_cast<std::int8_t>(found[k]);
    }
    count = hn::GetLane(so_far);
    hn::Store(any, d, found);
    for (const std::uint8_t part : found) all |= part;
  }
  for (; i < n; i++) {
    count = p[i] == p[i - 1] ? static_cast<std::uint8_t>(count + (count != 255)) : 1;
    counts[static_cast<std::size_t>(p[i])] = static_cast<std::int8_t>(count);
    all |= count;
  }
  return all;
}

std::size_t count_ordered(std::int8_t* counts, ElementType type, const void* numbers, std::size_t n, std::size_t before) {
  const auto count = [=](const auto* p) HWY_ATTR { return count_each(counts, p, n, before); };
  switch (type) {
    case ElementType::i8: return count(static_cast<const std::int8_t*>(numbers));
    case ElementType::i16: return count(static_cast<const std::int16_t*>(numbers));
    case ElementType::i32: return count(static_cast<const std::int32_t*>(numbers));
    default: return count(static_cast<const double*>(numbers));
  }
}

bool count_better_each() { return HWY_TARGET != HWY_AVX3_DL; }

}  // namespace
}  // namespace run_counts_unit
using run_counts_unit::write_any, run_counts_unit::count_ordered, run_counts_unit::count_better_each;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(write_any);
std::size_t write_run_counts(std::int8_t* counts, std::size_t length, ElementType type, const void* numbers,
                             const std::int32_t* ends, std::size_t runs) {
  return HWY_DYNAMIC_DISPATCH(write_any)(counts, length, type, numbers, ends, runs);
}
HWY_EXPORT(count_ordered);
HWY_EXPORT(count_better_each);
bool counts_better_each() { return HWY_DYNAMIC_DISPATCH(count_better_each)(); }
std::size_t count_each_in_order(std::int8_t* counts, ElementType type, const void* numbers, std::size_t n, std::size_t before) {
  return HWY_DYNAMIC_DISPATCH(count_ordered)(counts, type, numbers, n, before);
}
}  // namespace griddle::kernels
#endif
