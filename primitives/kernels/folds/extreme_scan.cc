#include "primitives/kernels/folds/scan.h"

#include <limits>
#include <type_traits>

#include "hwy/highway.h"
#include "primitives/kernels/folds/fold_operations-inl.h"
#include "primitives/kernels/shared/across_lanes-inl.h"
#include "primitives/kernels/shared/past_caches-inl.h"
#include "primitives/kernels/shared/pieces.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace extreme_scan_unit {
namespace {

using std::int16_t, std::int32_t, std::int8_t, std::uint8_t;

template <class T, bool greatest>
void extreme_one_by_one(T* out, const T* x, std::size_t n) {
  T best = Best<greatest>::template neutral<T>();
  for (std::size_t i = 0; i < n; i++) out[i] = best = Best<greatest>::of_two(best, x[i]);
}

// Says for shifts by 1, 2, 4 and 8 lanes which bytes of a block come to which place; lanes that nothing is shifted into stay.
template <class T>
struct ShiftedBytes {
  alignas(16) uint8_t from[4][16];
  constexpr ShiftedBytes() : from() {
    for (unsigned step = 0; step < 4; step++)
      for (unsigned i = 0; i < 16; i++) {
        const unsigned by = static_cast<unsigned>(sizeof(T)) << step;
        from[step][i] = static_cast<uint8_t>(i >= by ? i - by : i);
      }
  }
};

enum class Found { nothing_better, better, limit, no_number };

// Scans vectors of one block of 128 bits, two or four.
template <class D, bool greatest>
struct ExtremeScan {
  using T = hn::TFromD<D>;
  using V = hn::Vec<D>;
  static constexpr std::size_t lanes = hn::MaxLanes(D());
  static constexpr T limit = greatest ? std::numeric_limits<T>::max() : std::numeric_limits<T>::min();

  static HWY_INLINE V better(V a, V b) { return greatest ? hn::Max(a, b) : hn::Min(a, b); }

  static HWY_INLINE V shifted(V v, const uint8_t* from) {
    const hn::Repartition<uint8_t, D> bytes;
    return better(v, hn::BitCast(D(), hn::TableLookupBytes(hn::BitCast(bytes, v), hn::LoadDup128(bytes, from))));
  }
  static HWY_INLINE V scan_in_blocks(V v) {
    static constexpr ShiftedBytes<T> shift;
    v = shifted(v, shift.from[0]);
    if constexpr (sizeof(T) <= 4) v = shifted(v, shift.from[1]);
    if constexpr (sizeof(T) <= 2) v = shifted(v, shift.from[2]);
    if constexpr (sizeof(T) == 1) v = shifted(v, shift.from[3]);
    return v;
  }
  // Scans what was scanned in blocks; gives the last result in all lanes.
  static HWY_INLINE V scan_across_blocks(V& v) {
    const D d;
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
    if constexpr (sizeof(V) == 64) {
      static constexpr BlockEnds<T> ends;
      const hn::RebindToUnsigned<D> places;
      v = better(v, lanes_from(d, v, hn::Load(places, ends.before[0])));
      v = better(v, lanes_from(d, v, hn::Load(places, ends.before[1])));
      return lanes_from(d, v, hn::Load(places, ends.last));
    }
#endif
    const V last = last_lane(d, v);
    if constexpr (sizeof(V) != 32) return last;
    v = better(v, hn::ConcatLowerLower(d, last, v));
    return better(last, hn::ConcatLowerUpper(d, last, last));
  }
  // Scans onto `carry`, which is in all lanes.
  static HWY_INLINE V scan(V v, V& carry) {
    v = scan_in_blocks(v);
    const V last = scan_across_blocks(v);
    v = better(v, carry);
    carry = better(carry, last);
    return v;
  }

  static HWY_INLINE hn::Mask<D> is_worse(V v, V carry) { return greatest ? hn::Ge(carry, v) : hn::Le(carry, v); }
  static HWY_INLINE hn::Mask<D> is_worse_too(hn::Mask<D> worse, V v, V carry) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
    // Comparisons of whole vectors take up a mask.
    if constexpr (sizeof(V) == 64)
      return hn::Mask<D>{_mm512_mask_cmp_pd_mask(worse.raw, carry.raw, v.raw, greatest ? _CMP_GE_OQ : _CMP_LE_OQ)};
#endif
    return hn::And(worse, is_worse(v, carry));
  }
  // Tells whether no lane of `count` vectors is better than `carry`; a NaN is no worse than anything.
  template <std::size_t count>
  static HWY_INLINE bool are_worse(const V* v, V carry) {
    const D d;
    if constexpr (std::is_floating_point_v<T>) {
      auto worse = is_worse(v[0], carry);
      for (std::size_t k = 1; k < count; k++) worse = is_worse_too(worse, v[k], carry);
      return hn::AllTrue(d, worse);
    } else {
      V best = v[0];
      for (std::size_t k = 1; k < count; k++) best = better(best, v[k]);
      return hn::AllFalse(d, greatest ? hn::Lt(carry, best) : hn::Lt(best, carry));
    }
  }
  template <std::size_t count>
  static HWY_INLINE bool are_numbers(const V* v) {
    auto numbers = hn::Eq(v[0], v[0]);
    for (std::size_t k = 1; k < count; k++) numbers = hn::And(numbers, hn::Eq(v[k], v[k]));
    return hn::AllTrue(D(), numbers);
  }

  // Scans `count` vectors. Most of most data hold nothing better than what came before.
  template <std::size_t count>
  static HWY_INLINE Found scan_some(T* to, const T* from, V& carry, bool past_caches = false) {
    const D d;
    V v[count];
    for (std::size_t k = 0; k < count; k++) v[k] = hn::LoadU(d, from + k * lanes);
    if (HWY_LIKELY(are_worse<count>(v, carry))) {
      for (std::size_t k = 0; k < count; k++) store(past_caches, carry, d, to + k * lanes);
      return Found::nothing_better;
    }
    if constexpr (std::is_floating_point_v<T>)
      if (!are_numbers<count>(v)) return Found::no_number;
    for (std::size_t k = 0; k < count; k++) hn::StoreU(scan(v[k], carry), d, to + k * lanes);
    return Found::better;
  }
  // The same for the last vectors of a list, some of which may have been scanned: to do so once more gives the same, even where
  // the results have replaced them.
  template <std::size_t count>
  static HWY_INLINE bool scan_last(T* out, const T* x, std::size_t n) {
    const std::size_t start = n - count * lanes;
    V carry = hn::Set(D(), start == 0 ? Best<greatest>::template neutral<T>() : out[start - 1]);
    return scan_some<count>(out + start, x + start, carry) != Found::no_number;
  }
  // Fills the rest of a list with what nothing is better than.
  static void fill_with_limit(T* out, const T* x, std::size_t i, std::size_t n, bool past_caches) {
    const D d;
    for (const V v = hn::Set(d, limit); n - i >= lanes; i += lanes) store(past_caches, v, d, out + i);
    if (i != n) scan_last<1>(out, x, n);
  }

  // Scans `count` vectors at a time up to place `end`, or until there is something to say of the last ones.
  template <std::size_t count>
  static HWY_INLINE Found scan_until(std::size_t end, T* out, const T* x, std::size_t& i, V& carry, bool past_caches) {
    while (i + count * lanes <= end) {
      const Found found = scan_some<count>(out + i, x + i, carry, past_caches);
      if (found == Found::no_number) return found;
      i += count * lanes;
      if (found == Found::better && std::is_integral_v<T> && hn::GetLane(carry) == limit) return Found::limit;
    }
    return Found::nothing_better;
  }

  // The same, in pieces, for a list whose results are apart from it.
  template <std::size_t count>
  static HWY_INLINE Found scan_in_pieces(std::size_t n, T* out, const T* x, std::size_t& i, V& carry, bool past_caches) {
    Found found = Found::nothing_better;
    while (found == Found::nothing_better && n - i >= count * lanes) {
      found = scan_until<count>(n - i > long_pass ? i + long_pass : n, out, x, i, carry, past_caches);
      checkpoint();
    }
    return found;
  }

  // False where there is a NaN.
  template <bool is_long>
  static HWY_INLINE bool scan_list(T* out, const T* x, std::size_t n) {
    // What is better than all before soon becomes rare.
    constexpr std::size_t few = lanes >= 8 ? 2 : 4, many = 4, first = 128 * lanes;
    if (n < few * lanes) return scan_short_list(out, x, n);
    const bool past_caches = goes_past_caches(out, x, n * sizeof(T));
    V carry = hn::Set(D(), Best<greatest>::template neutral<T>());
    std::size_t i = 0;
    Found found = scan_until<few>(n < first ? n : first, out, x, i, carry, past_caches);
    if (found == Found::nothing_better && n > first) {
      if constexpr (is_long)
        found = scan_in_pieces<many>(n, out, x, i, carry, past_caches);
      else
        found = scan_until<many>(n, out, x, i, carry, past_caches);
    }
    if (found == Found::nothing_better && n > first) found = scan_until<few>(n, out, x, i, carry, past_caches);
    if (found == Found::limit) fill_with_limit(out, x, i, n, past_caches);
    if (found != Found::nothing_better) return found == Found::limit;
    return i == n || scan_last<few>(out, x, n);
  }
  static bool scan_short_list(T* out, const T* x, std::size_t n) {
    if constexpr (sizeof(V) > 16) {
      if (n < lanes) return ExtremeScan<hn::Half<D>, greatest>::scan_short_list(out, x, n);
    } else if (n < lanes) {
      extreme_one_by_one<T, greatest>(out, x, n);
      return true;
    }
    V carry = hn::Set(D(), Best<greatest>::template neutral<T>());
    std::size_t i = 0;
    for (; n - i >= lanes; i += lanes)
      if (scan_some<1>(out + i, x + i, carry) == Found::no_number) return false;
    return i == n || scan_last<1>(out, x, n);
  }
};

template <class D, bool greatest, class T = hn::TFromD<D>>
HWY_NOINLINE bool extreme_of_many(T* out, const T* x, std::size_t n) {
  if (!ExtremeScan<D, greatest>::template scan_list<true>(out, x, n)) extreme_one_by_one<T, greatest>(out, x, n);
  return true;
}

template <class T, bool greatest>
bool extreme(void* out_bytes, const void* bytes, std::size_t n) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  constexpr std::size_t most_bytes = shuffles_across_blocks<T> ? 64 : 32;
#else
  constexpr std::size_t most_bytes = 32;
#endif
  using D = hn::CappedTag<T, most_bytes / sizeof(T)>;
  const T* x = static_cast<const T*>(bytes);
  T* out = static_cast<T*>(out_bytes);
  if (n > long_pass && out != x) [[unlikely]]
    return extreme_of_many<D, greatest>(out, x, n);
  if (!ExtremeScan<D, greatest>::template scan_list<false>(out, x, n)) extreme_one_by_one<T, greatest>(out, x, n);
  return true;
}

const ExtremeScanKernels* extreme_scan_kernels() {
  static constexpr ExtremeScanKernels kernels = {
      .minimum = {extreme<int8_t, false>, extreme<int16_t, false>, extreme<int32_t, false>, extreme<double, false>},
      .maximum = {extreme<int8_t, true>, extreme<int16_t, true>, extreme<int32_t, true>, extreme<double, true>},
  };
  return &kernels;
}

}  // namespace
}  // namespace extreme_scan_unit
using extreme_scan_unit::extreme_scan_kernels;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(extreme_scan_kernels);
const ExtremeScanKernels& extreme_scan() { return *HWY_DYNAMIC_DISPATCH(extreme_scan_kernels)(); }
}  // namespace griddle::kernels
#endif
