// Tests of elements to packed bits. Included once per target.
#if defined(GRIDDLE_KERNELS_TESTED_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDDLE_KERNELS_TESTED_INL_H_
#undef GRIDDLE_KERNELS_TESTED_INL_H_
#else
#define GRIDDLE_KERNELS_TESTED_INL_H_
#endif

#include "hwy/highway.h"
#include "primitives/kernels/shared/bits-inl.h"
#include "primitives/kernels/shared/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// A test has mask_of(v): which lanes of a vector pass it.
template <class T, class Test>
struct TestedSource {
  using D = hn::ScalableTag<T>;
  const T* x;
  const Test& test;

  HWY_INLINE hn::Mask<D> mask_at(std::size_t i) const { return test.mask_of(hn::LoadU(D(), x + i)); }
};

// Tests fewer than 64 elements.
template <class T, class Test>
HWY_INLINE std::uint64_t test_few(const T* x, const Test& test, std::size_t n) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  const TestedSource<T, Test> tested{x, test};
  if (n < lanes) return bits_of_mask(d, test.mask_of(load_few<Lanes<T, T>>(x, n)));
  // The last vector overlaps the one before.
  std::uint64_t bits = bits_of_mask(d, tested.mask_at(n - lanes)) << (n - lanes);
  for (std::size_t i = 0; i + lanes < n; i += lanes) bits |= bits_of_mask(d, tested.mask_at(i)) << i;
  return bits;
}

// Writes a bit for each of n elements, from the start of a word.
template <class T, class Test>
HWY_INLINE void test_elements(std::uint64_t* out, const T* x, const Test& test, std::size_t n) {
  if (n < 64) {
    if (n != 0) *out = test_few(x, test, n);
    return;
  }
  const hn::ScalableTag<T> d;
  const TestedSource<T, Test> tested{x, test};
  std::size_t i = 0;
  for (; i + 64 <= n; i += 64) *out++ = bits_of_64(d, tested, i);
  // Tests the last 64 again and shifts out what is there already.
  if (const std::size_t rest = n - i; rest != 0) *out = bits_of_64(d, tested, n - 64) >> (64 - rest);
}

}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
