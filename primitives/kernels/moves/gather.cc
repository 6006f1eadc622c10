#include "primitives/kernels/moves/gather.h"

#include <bit>
#include <cstring>

#include "hwy/highway.h"
#include "primitives/kernels/shared/bits-inl.h"

#ifdef __x86_64__
#include <cpuid.h>
#endif

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace gather_unit {
namespace {

#undef GRIDDLE_GATHERS_512
#define GRIDDLE_GATHERS_512 (HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL)
#if HWY_TARGET == HWY_AVX2 || GRIDDLE_GATHERS_512

// Sixteen words of 32 bits at once take longer than eight twice, where they come from the second-level cache.
using Places = hn::CappedTag<std::int32_t, 8>;
constexpr std::size_t lanes = hn::MaxLanes(Places());

// Elements of 1 to 32 bits lie in words of 32; memory is read by whole words.
template <unsigned width>
struct Words {
  const std::int32_t* start;
  std::int32_t before;  // elements from there to the first
  std::int32_t length;  // what is added to negative indices

  Words(const void* from, std::size_t first_bit, std::size_t n) : length(static_cast<std::int32_t>(n)) {
    const auto address = reinterpret_cast<std::uintptr_t>(from);
    start = reinterpret_cast<const std::int32_t*>(static_cast<const std::uint8_t*>(from) - address % 4);
    before = static_cast<std::int32_t>((address % 4 * 8 + first_bit) / width);
  }

  // Gives the elements at a vector of places, in the lowest bits of the lanes.
  HWY_INLINE auto at(hn::Vec<Places> place) const {
    const Places d;
    constexpr int per_word = 32 / width, word_shift = std::countr_zero(unsigned{per_word});
    const hn::RebindToUnsigned<Places> words;
    place = hn::Add(place, hn::And(hn::BroadcastSignBit(place), hn::Set(d, length)));
    if constexpr (width == 32) return hn::BitCast(words, hn::GatherIndex(d, start, place));
    place = hn::Add(place, hn::Set(d, before));
    const auto found = hn::BitCast(words, hn::GatherIndex(d, start, hn::ShiftRight<word_shift>(place)));
    const auto within = hn::And(place, hn::Set(d, per_word - 1));
    return hn::Shr(found, hn::BitCast(words, hn::ShiftLeft<5 - word_shift>(within)));
  }
};

template <class D, class I>
HWY_INLINE hn::Vec<D> load_places(D d, const I* index) {
  if constexpr (sizeof(I) == 4)
    return hn::LoadU(d, index);
  else
    return hn::PromoteTo(d, hn::LoadU(hn::Rebind<I, D>(), index));
}

template <class T, class I>
HWY_INLINE void gather_vector(T* to, const Words<8 * sizeof(T)>& from, const I* index) {
  const hn::Rebind<T, Places> d;
  const auto found = from.at(load_places(Places(), index));
  if constexpr (sizeof(T) == 4) {
    hn::StoreU(found, d, to);
  } else {
#if GRIDDLE_GATHERS_512
    if constexpr (sizeof(T) == 1)
      _mm_storel_epi64(reinterpret_cast<__m128i*>(to), _mm256_cvtepi32_epi8(found.raw));
    else
      _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm256_cvtepi32_epi16(found.raw));
#else
    hn::StoreU(hn::TruncateTo(d, found), d, to);
#endif
  }
}

template <class I>
HWY_INLINE void gather_vector(std::uint64_t* to, const std::uint64_t* from, std::size_t n, const I* index) {
  const hn::ScalableTag<std::int64_t> d;
  const hn::ScalableTag<std::uint64_t> elements;
  auto place = hn::PromoteTo(d, load_places(hn::Rebind<std::int32_t, decltype(d)>(), index));
  place = hn::Add(place, hn::And(hn::BroadcastSignBit(place), hn::Set(d, static_cast<std::int64_t>(n))));
  hn::StoreU(hn::GatherIndex(elements, from, place), elements, to);
}

// Calls f with the start of each vector of a list that holds one at least; the last may begin within the one before.
template <class F>
HWY_INLINE void for_vectors(std::size_t count, std::size_t step, F f) {
  for (std::size_t i = 0; i + step <= count; i += step) f(i);
  if (count % step != 0) f(count - step);
}

template <class T, class I>
void gather_elements(void* to, const void* from, std::size_t n, const I* index, std::size_t count) {
  T* out = static_cast<T*>(to);
  if constexpr (sizeof(T) == 8) {
    const T* in = static_cast<const T*>(from);
    constexpr std::size_t words = hn::MaxLanes(hn::ScalableTag<T>());
    for_vectors(count, words, [&](std::size_t i) HWY_ATTR { gather_vector(out + i, in, n, index + i); });
  } else {
    const Words<8 * sizeof(T)> words(from, 0, n);
    for_vectors(count, lanes, [&](std::size_t i) HWY_ATTR { gather_vector(out + i, words, index + i); });
  }
}

template <class I>
struct GatheredBits {
  Words<1> from;
  const I* index;
  HWY_INLINE auto mask_at(std::size_t i) const {
    const hn::RebindToUnsigned<Places> d;
    const auto bits = from.at(load_places(Places(), index + i));
    return hn::RebindMask(Places(), hn::TestBit(bits, hn::Set(d, 1)));
  }
};

template <class I>
void gather_bits(void* to, const void* from, std::size_t from_bit, std::size_t n, const I* index, std::size_t count) {
  auto* out = static_cast<std::uint64_t*>(to);
  const GatheredBits<I> source{{from, from_bit, n}, index};
  std::size_t i = 0;
  for (; i + 64 <= count; i += 64) out[i / 64] = bits_of_64(Places(), source, i);
  if (i == count) return;
  I last[64] = {};
  std::memcpy(last, index + i, (count - i) * sizeof(I));
  const std::uint64_t kept = ~std::uint64_t{0} << (count - i);
  const std::uint64_t bits = bits_of_64(Places(), GatheredBits<I>{source.from, last}, 0);
  out[i / 64] = (out[i / 64] & kept) | (bits & ~kept);
}

template <class I>
void gather_by(unsigned width, void* to, const void* from, std::size_t from_bit, std::size_t n, const Indices& indices) {
  const I* index = static_cast<const I*>(indices.data);
  switch (width) {
    case 1: return gather_bits(to, from, from_bit, n, index, indices.count);
    case 8: return gather_elements<std::uint8_t>(to, from, n, index, indices.count);
    case 16: return gather_elements<std::uint16_t>(to, from, n, index, indices.count);
    case 32: return gather_elements<std::uint32_t>(to, from, n, index, indices.count);
    default: return gather_elements<std::uint64_t>(to, from, n, index, indices.count);
  }
}

bool gather_any(unsigned width, void* to, const void* from, std::size_t from_bit, std::size_t n, const Indices& indices) {
  if (indices.count < lanes) return false;
  switch (indices.type) {
    case ElementType::i8: gather_by<std::int8_t>(width, to, from, from_bit, n, indices); return true;
    case ElementType::i16: gather_by<std::int16_t>(width, to, from, from_bit, n, indices); return true;
    case ElementType::i32: gather_by<std::int32_t>(width, to, from, from_bit, n, indices); return true;
    default: return false;
  }
}

#else

bool gather_any(unsigned, void*, const void*, std::size_t, std::size_t, const Indices&) { return false; }

#endif

}  // namespace
}  // namespace gather_unit
using gather_unit::gather_any;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
namespace {

// Intel's cores gather well that know AVX-VNNI: earlier ones do not since their microcode keeps gathers from telling secrets.
// Those of other makers do it in microcode.
bool processor_gathers_well() {
#ifdef __x86_64__
  unsigned a = 0, b = 0, c = 0, d = 0;
  constexpr unsigned avx_vnni = 1 << 4;
  return __builtin_cpu_is("intel") && __get_cpuid_count(7, 1, &a, &b, &c, &d) != 0 && (a & avx_vnni) != 0;
#else
  return false;
#endif
}

}  // namespace

bool gathers_are_quick() {
  static const bool quick = processor_gathers_well();
  return quick;
}

HWY_EXPORT(gather_any);
bool gather(unsigned width, void* to, const void* from, std::size_t from_bit, std::size_t n, const Indices& indices) {
  return HWY_DYNAMIC_DISPATCH(gather_any)(width, to, from, from_bit, n, indices);
}

}  // namespace griddle::kernels
#endif
