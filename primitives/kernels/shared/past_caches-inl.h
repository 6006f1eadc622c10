// Results that are too many for the nearest cache, or for all, which are then written past them. Included once per target.
#if defined(GRIDDLE_KERNELS_PAST_CACHES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDDLE_KERNELS_PAST_CACHES_INL_H_
#undef GRIDDLE_KERNELS_PAST_CACHES_INL_H_
#else
#define GRIDDLE_KERNELS_PAST_CACHES_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/cache_control.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Tells whether results are to be written past the caches: they are too many, new, and begin where vectors may.
HWY_INLINE bool goes_past_caches(const void* out, const void* x, std::size_t bytes) {
  constexpr std::size_t many = std::size_t{16} << 20;
  return bytes >= many && out != x && reinterpret_cast<std::uintptr_t>(out) % 64 == 0;
}

// The same for results of which little or nothing is read: those alone are too many.
HWY_INLINE bool alone_go_past_caches(const void* out, std::size_t bytes) {
  constexpr std::size_t many = std::size_t{24} << 20;
  return bytes >= many && reinterpret_cast<std::uintptr_t>(out) % 64 == 0;
}

// Asks for the line that results will reach soon. A store that crosses lines waits for both, one after the other, where they are
// not in the nearest cache.
template <class T>
HWY_INLINE void fetch_for_results(const T* to) {
  constexpr std::size_t ahead = 256;
  hwy::Prefetch(to + ahead / sizeof(T));
}

template <class D, class V>
HWY_INLINE void store(bool past_caches, V v, D d, hn::TFromD<D>* to) {
  if (past_caches)
    hn::Stream(v, d, to);
  else
    hn::StoreU(v, d, to);
}

}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
