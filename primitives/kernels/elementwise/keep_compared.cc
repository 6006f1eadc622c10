#include "primitives/kernels/elementwise/keep_compared.h"

#include "hwy/highway.h"
#include "primitives/kernels/elementwise/compared-inl.h"
#include "primitives/kernels/shared/bit_runs.h"
#include "primitives/kernels/shared/bits-inl.h"
#include "primitives/kernels/shared/compressed-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace keep_compared_unit {
namespace {

#if HWY_TARGET == HWY_AVX3_DL

template <Comparison c, class T>
struct Compared {
  using D = hn::ScalableTag<T>;
  const T* x;
  hn::Vec<D> one;

  HWY_INLINE Compared(const void* elements, const void* number)
      : x(static_cast<const T*>(elements)), one(hn::Set(D(), *static_cast<const T*>(number))) {}
  HWY_INLINE hn::Vec<D> at(std::size_t i) const { return hn::LoadU(D(), x + i); }
  HWY_INLINE hn::Vec<D> few(std::size_t i, std::size_t n) const { return hn::MaskedLoad(hn::FirstN(D(), n), D(), x + i); }
  HWY_INLINE std::uint64_t bits_of(hn::Vec<D> v) const { return bits_of_mask(D(), compared<c, T>(v, one)); }
  HWY_INLINE hn::Mask<D> mask_at(std::size_t i) const { return compared<c, T>(at(i), one); }
};

template <Comparison c, class T>
std::size_t keep_elements(void* to_bytes, const void* x, const void* one, std::size_t n) {
  const hn::ScalableTag<T> d;
  constexpr std::size_t lanes = hn::MaxLanes(hn::ScalableTag<T>()), together = 4;
  const Compared<c, T> source(x, one);
  T* const start = static_cast<T*>(to_bytes);
  T* to = start;
  const auto keep = [&](hn::Vec<decltype(d)> v, std::uint64_t bits) HWY_ATTR {
    hn::StoreU(compressed<T>(v, bits), d, to);
    to += __builtin_popcountll(bits);
  };
  std::size_t i = 0;
  for (; i + together * lanes <= n; i += together * lanes)
    for (std::size_t k = 0; k < together; k++) {
      const auto v = source.at(i + k * lanes);
      keep(v, source.bits_of(v));
    }
  for (; i < n; i += lanes) {
    const auto v = source.few(i, n - i);
    keep(v, source.bits_of(v) & low_bits(n - i));
  }
  return static_cast<std::size_t>(to - start);
}

// Finds the places in each 64 elements as bytes.
template <Comparison c, class T>
std::size_t keep_places(void* to_bytes, const void* x, const void* one, std::size_t n) {
  const hn::ScalableTag<std::int16_t> d;
  const hn::ScalableTag<std::uint8_t> bytes;
  constexpr std::size_t half = hn::MaxLanes(hn::ScalableTag<std::int16_t>());
  const Compared<c, T> source(x, one);
  const auto byte_places = hn::Iota(bytes, 0);
  auto* const start = static_cast<std::int16_t*>(to_bytes);
  auto* to = start;
  const auto keep = [&](std::size_t i, std::uint64_t word) HWY_ATTR {
    const auto places = compressed<std::uint8_t>(byte_places, word);
    const auto base = hn::Set(d, static_cast<std::int16_t>(i));
    const auto count = static_cast<std::size_t>(__builtin_popcountll(word));
    hn::StoreU(numbers_in(d, places, 0, base), d, to);
    if (count > half) hn::StoreU(numbers_in(d, places, 1, base), d, to + half);
    to += count;
  };
  std::size_t i = 0;
  const auto word_at = [&](std::size_t place) HWY_ATTR { return bits_of_64(typename Compared<c, T>::D(), source, place); };
  for (; i + 128 <= n; i += 128) {
    const std::uint64_t first = word_at(i), second = word_at(i + 64);
    if (first != 0) keep(i, first);
    if (second != 0) keep(i + 64, second);
  }
  if (i + 64 <= n) {
    keep(i, word_at(i));
    i += 64;
  }
  std::uint64_t word = 0;
  constexpr std::size_t lanes = hn::MaxLanes(hn::ScalableTag<T>());
  for (std::size_t k = 0; i + k < n; k += lanes) word |= source.bits_of(source.few(i + k, n - i - k)) << k;
  if (i != n) keep(i, word & low_bits(n - i));
  return static_cast<std::size_t>(to - start);
}

template <Comparison c>
constexpr void enter(KeepKernels& k) {
  constexpr int i = static_cast<int>(c);
  const kernels::Keep elements[] = {keep_elements<c, std::int8_t>, keep_elements<c, std::int16_t>, keep_elements<c, std::int32_t>,
                                    keep_elements<c, double>};
  const kernels::Keep places[] = {keep_places<c, std::int8_t>, keep_places<c, std::int16_t>, keep_places<c, std::int32_t>,
                                  keep_places<c, double>};
  for (int lane = 0; lane < lane_count; lane++) k.elements[i][lane] = elements[lane], k.places[i][lane] = places[lane];
}
#endif

const KeepKernels* keep_compared_kernels() {
  static constexpr KeepKernels kernels = [] {
    KeepKernels k = {};
#if HWY_TARGET == HWY_AVX3_DL
    enter<Comparison::less>(k);
    enter<Comparison::less_equal>(k);
    enter<Comparison::equal>(k);
    enter<Comparison::greater_equal>(k);
    enter<Comparison::greater>(k);
    enter<Comparison::not_equal>(k);
#endif
    return k;
  }();
  return &kernels;
}

}  // namespace
}  // namespace keep_compared_unit
using keep_compared_unit::keep_compared_kernels;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(keep_compared_kernels);
const KeepKernels& keep_compared() { return *HWY_DYNAMIC_DISPATCH(keep_compared_kernels)(); }
}  // namespace griddle::kernels
#endif
