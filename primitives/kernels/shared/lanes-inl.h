// Vectors from memory and back, parts of them, and marks in their lanes. Included once per target.
#if defined(GRIDDLE_KERNELS_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDDLE_KERNELS_LANES_INL_H_
#undef GRIDDLE_KERNELS_LANES_INL_H_
#else
#define GRIDDLE_KERNELS_LANES_INL_H_
#endif

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Reads elements of type Memory into vectors of the wider type Compute, and back. A store narrows; values must fit.
template <class Memory_, class Compute = Memory_, class Tag = hn::ScalableTag<Compute>>
struct Lanes {
  using Memory = Memory_;
  using D = Tag;
  using V = hn::Vec<D>;
  using M = hn::Mask<D>;
  // Tells whether a store writes a whole vector.
  static constexpr bool stores_vectors = std::is_same_v<Memory, Compute>;

  static HWY_INLINE std::size_t count() { return hn::Lanes(D()); }
  static HWY_INLINE V splat(Memory m) { return hn::Set(D(), static_cast<Compute>(m)); }
  static HWY_INLINE V load(const Memory* p) { return widened(hn::LoadU(hn::Rebind<Memory, D>(), p)); }
  static HWY_INLINE V widened(hn::Vec<hn::Rebind<Memory, D>> v) {
    const D d;
    if constexpr (std::is_same_v<Memory, Compute>) {
      return v;
    } else if constexpr (sizeof(Compute) == 8 && sizeof(Memory) < 4) {
      const hn::Rebind<std::int32_t, D> middle;
      return hn::PromoteTo(d, hn::PromoteTo(middle, v));
    } else {
      return hn::PromoteTo(d, v);
    }
  }
  static HWY_INLINE void store(V v, Memory* p) { hn::StoreU(narrowed(v), hn::Rebind<Memory, D>(), p); }
  static HWY_INLINE hn::Vec<hn::Rebind<Memory, D>> narrowed(V v) {
    const hn::Rebind<Memory, D> narrow;
    if constexpr (std::is_same_v<Memory, Compute>) {
      return v;
    } else if constexpr (sizeof(Compute) == 8 && sizeof(Memory) < 4) {
      const hn::Rebind<std::int32_t, D> middle;
      return hn::DemoteTo(narrow, hn::DemoteTo(middle, v));
    } else {
      return hn::DemoteTo(narrow, v);
    }
  }
};

// Keeps a vector that is read more than once in a register: compilers would rather load it again for each use.
template <class V>
HWY_INLINE V in_register(V v) {
#ifdef __x86_64__
  asm("" : "+v"(v.raw));
#endif
  return v;
}

// Keeps what an operation under a mask takes from being loaded by it: such a load waits for the mask, and nothing fetches ahead.
template <class V>
HWY_INLINE V loaded_first(V v) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  return in_register(v);
#else
  return v;
#endif
}

// Gives w where it is greater (less) than x, and x elsewhere: so, too, where one of them is a NaN.
template <bool greatest, class V>
HWY_INLINE V extreme_of(V w, V x) {
#if !HWY_ARCH_X86 || HWY_TARGET == HWY_EMU128
  // Only the instructions of x86 give their second operand then.
  if constexpr (hwy::IsFloat<hn::TFromV<V>>()) return hn::IfThenElse(greatest ? hn::Gt(w, x) : hn::Lt(w, x), w, x);
#endif
  return greatest ? hn::Max(w, x) : hn::Min(w, x);
}

// Keeps a vector that was loaded in its register: compilers load twice what is used twice, and loads are what folds wait for.
template <class V>
HWY_INLINE V kept(V v) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  asm("" : "+v"(v.raw));
#elif defined(__x86_64__) && (HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_SSE4)
  asm("" : "+x"(v.raw));
#endif
  return v;
}

// Copies fewer bytes than the largest vector has, without calling memcpy for them.
HWY_INLINE void copy_few(void* to_bytes, const void* from_bytes, std::size_t n) {
  auto* to = static_cast<unsigned char*>(to_bytes);
  const auto* from = static_cast<const unsigned char*>(from_bytes);
  const auto both_ends = [=]<class Piece>(Piece) HWY_ATTR {
    Piece first, last;
    std::memcpy(&first, from, sizeof(Piece));
    std::memcpy(&last, from + n - sizeof(Piece), sizeof(Piece));
    std::memcpy(to, &first, sizeof(Piece));
    std::memcpy(to + n - sizeof(Piece), &last, sizeof(Piece));
  };
  struct Half {
    std::uint64_t words[2];
  };
  if (n > 32) {
    std::memcpy(to, from, n);
  } else if (n >= 16) {
    both_ends(Half{});
  } else if (n >= 8) {
    both_ends(std::uint64_t{});
  } else if (n >= 4) {
    both_ends(std::uint32_t{});
  } else if (n != 0) {
    // All three may be the same byte.
    const unsigned char first = from[0], middle = from[n / 2], last = from[n - 1];
    to[0] = first;
    to[n / 2] = middle;
    to[n - 1] = last;
  }
}

// Whether memory beyond lists may be read; whoever looks for errors there would find some.
#if HWY_IS_ASAN || HWY_IS_MSAN || HWY_IS_TSAN || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool reads_beyond = false;
#else
inline constexpr bool reads_beyond = true;
#endif
// Tells whether a whole vector may be read from `p` on although fewer elements are there: the rest of a page is readable.
HWY_INLINE bool may_read_on(const void* p, std::size_t bytes) {
  return reads_beyond && (reinterpret_cast<std::uintptr_t>(p) & 4095) <= 4096 - bytes;
}

// Marks the lanes of a mask by their highest bits.
template <class D, class M>
HWY_INLINE hn::Vec<D> marked(D d, M mask_or_vector) {
  if constexpr (std::is_same_v<M, hn::Vec<D>>)
    return mask_or_vector;
  else
    return hn::VecFromMask(d, mask_or_vector);
}
// Tells whether no lane has its highest bit set.
template <class D, class V>
HWY_INLINE bool none_marked([[maybe_unused]] D d, V v) {
#if HWY_TARGET == HWY_AVX2
  const std::uint32_t bits =
      static_cast<std::uint32_t>(_mm256_movemask_epi8(hn::BitCast(hn::ScalableTag<std::uint8_t>(), v).raw));
  constexpr std::uint32_t highest = sizeof(hn::TFromD<D>) == 1   ? 0xFFFFFFFF
                                    : sizeof(hn::TFromD<D>) == 2 ? 0xAAAAAAAA
                                    : sizeof(hn::TFromD<D>) == 4 ? 0x88888888
                                                                 : 0x80808080;
  return (bits & highest) == 0;
#elif HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL || HWY_TARGET == HWY_SSE4
  return hn::AllFalse(d, hn::MaskFromVec(v));
#else
  const hn::RebindToSigned<D> signed_lanes;
  return hn::AllFalse(signed_lanes, hn::Lt(hn::BitCast(signed_lanes, v), hn::Zero(signed_lanes)));
#endif
}

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
// Loads 1 to 16 bytes in the pieces in which copy_few writes them: what was just written so comes from where it waits for the
// cache, while a whole vector would have to wait as well. The bytes behind are 0.
HWY_INLINE __m128i load_bytes(const unsigned char* from, std::size_t n) {
  const auto piece = [=]<class Piece>(Piece, std::size_t place) HWY_ATTR {
    Piece p;
    std::memcpy(&p, from + place, sizeof p);
    return std::uint64_t{p};
  };
  std::uint64_t low, high = 0;
  if (n >= 8) {
    low = piece(std::uint64_t{}, 0);
    const std::size_t half = 64 - 4 * n;  // of what belongs to the other word, which may be all 64 bits
    high = piece(std::uint64_t{}, n - 8) >> half >> half;
  } else if (n >= 4) {
    low = piece(std::uint32_t{}, 0) | piece(std::uint32_t{}, n - 4) << 8 * (n - 4);
  } else {
    low = std::uint64_t{from[0]} | std::uint64_t{from[n / 2]} << 8 * (n / 2) | std::uint64_t{from[n - 1]} << 8 * (n - 1);
  }
  return _mm_set_epi64x(static_cast<long long>(high), static_cast<long long>(low));
}
template <class D>
HWY_INLINE hn::Vec<D> with_zeros_behind(D d, __m128i v) {
  const hn::Repartition<std::uint8_t, D> bytes;
  if constexpr (hn::MaxLanes(bytes) == 64)
    return hn::BitCast(d, hn::Vec<decltype(bytes)>{_mm512_zextsi128_si512(v)});
  else if constexpr (hn::MaxLanes(bytes) == 32)
    return hn::BitCast(d, hn::Vec<decltype(bytes)>{_mm256_zextsi128_si256(v)});
  else
    return hn::BitCast(d, hn::Vec<decltype(bytes)>{v});
}
#endif

// Loads fewer elements than a vector has; the last one is repeated, so that padding never fails where the elements do not.
template <class L>
HWY_INLINE typename L::V load_few(const typename L::Memory* x, std::size_t n) {
  const hn::Rebind<typename L::Memory, typename L::D> d;
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  constexpr std::size_t width = sizeof(x[0]);
  if constexpr (hn::MaxLanes(d) * width >= 16)
    if (n * width <= 16) {
      const auto bytes = load_bytes(reinterpret_cast<const unsigned char*>(x), n * width);
      return hn::IfThenElse(hn::FirstN(typename L::D(), n), L::widened(with_zeros_behind(d, bytes)), L::splat(x[n - 1]));
    }
#endif
  if (may_read_on(x, hn::Lanes(d) * sizeof(x[0]))) {
    const typename L::D wide;
    const auto last = L::splat(x[n - 1]);
    return hn::IfThenElse(hn::FirstN(wide, n), L::load(x), last);
  }
  HWY_ALIGN typename L::Memory part[hn::MaxLanes(d)];
  hn::Store(hn::Set(d, x[n - 1]), d, part);
  std::memcpy(part, x, n * sizeof(part[0]));
  return L::load(part);
}

// --- a few elements
//
// Lists begin at words of 8 bytes and own their last one whole (kernel.h). So a few elements are read and written by such words,
// without a question how many there are; and what was just written, being read in the same words, need not wait for the cache.

// Lanes of 16 bytes, or of 32 for doubles, that compute as L does.
template <class Compute>
inline constexpr std::size_t few_bytes = sizeof(Compute) == 8 && hn::MaxLanes(hn::ScalableTag<std::uint8_t>()) >= 32 ? 32 : 16;
template <class L, class Compute = hn::TFromD<typename L::D>>
using FewLanes = Lanes<typename L::Memory, Compute, hn::CappedTag<Compute, few_bytes<Compute> / sizeof(Compute)>>;

// Tells whether these lists, if not null, are read and written so where they have 1 to FewLanes::count() elements.
HWY_INLINE bool in_words(const void* a, const void* b = nullptr, const void* c = nullptr) {
  const auto place = [](const void* p) { return reinterpret_cast<std::uintptr_t>(p); };
  return reads_beyond && ((place(a) | place(b) | place(c)) & 7) == 0;
}
// Load and store the words that hold so many bytes. Behind the elements are lanes that hold anything.
template <class D>
HWY_INLINE hn::Vec<D> words_at(D d, const hn::TFromD<D>* from, std::size_t bytes) {
  constexpr std::size_t all = hn::MaxLanes(d) * sizeof(from[0]);
  if constexpr (all <= 8) {
    return hn::LoadU(d, from);
  } else {
    const hn::Half<D> half;
    if (bytes <= all / 2) return hn::ZeroExtendVector(d, words_at(half, from, bytes));
    if constexpr (all == 16)
      return hn::LoadU(d, from);
    else
      return hn::Combine(d, words_at(half, from + hn::MaxLanes(half), bytes - all / 2), hn::LoadU(half, from));
  }
}
template <class D>
HWY_INLINE void put_words(hn::Vec<D> v, D d, hn::TFromD<D>* to, std::size_t bytes) {
  constexpr std::size_t all = hn::MaxLanes(d) * sizeof(to[0]);
  if constexpr (all <= 8) {
    hn::StoreU(v, d, to);
  } else {
    const hn::Half<D> half;
    if (bytes <= all / 2) return put_words(hn::LowerHalf(half, v), half, to, bytes);
    if constexpr (all == 16) {
      hn::StoreU(v, d, to);
    } else {
      hn::StoreU(hn::LowerHalf(half, v), half, to);
      put_words(hn::UpperHalf(half, v), half, to + hn::MaxLanes(half), bytes - all / 2);
    }
  }
}
template <class Few>
HWY_INLINE typename Few::V load_words(const typename Few::Memory* x, std::size_t n) {
  return Few::widened(words_at(hn::Rebind<typename Few::Memory, typename Few::D>(), x, n * sizeof(x[0])));
}
template <class Few>
HWY_INLINE void store_words(typename Few::V v, typename Few::Memory* to, std::size_t n) {
  put_words(Few::narrowed(v), hn::Rebind<typename Few::Memory, typename Few::D>(), to, n * sizeof(to[0]));
}
// Tells whether none of the first n lanes of so few bytes is marked.
template <class D, class V>
HWY_INLINE bool none_of_first_marked([[maybe_unused]] D d, V v, std::size_t n) {
#if HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  constexpr std::size_t width = sizeof(hn::TFromD<D>);
  constexpr std::uint32_t highest = width == 1 ? 0xFFFFFFFF : width == 2 ? 0xAAAAAAAA : width == 4 ? 0x88888888 : 0x80808080;
  const auto bytes = hn::BitCast(hn::Repartition<std::uint8_t, D>(), v).raw;
  std::uint32_t marks;
#if HWY_TARGET == HWY_SSE4
  marks = static_cast<std::uint32_t>(_mm_movemask_epi8(bytes));
#else
  if constexpr (sizeof(bytes) == 16)
    marks = static_cast<std::uint32_t>(_mm_movemask_epi8(bytes));
  else
    marks = static_cast<std::uint32_t>(_mm256_movemask_epi8(bytes));
#endif
  return (marks & highest) << (32 - n * width) == 0;
#else
  return none_marked(d, hn::IfThenElseZero(hn::FirstN(d, n), v));
#endif
}

}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
