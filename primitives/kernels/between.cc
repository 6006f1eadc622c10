#include "primitives/kernels/between.h"

#include "primitives/kernels/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "primitives/kernels/between.cc"
#include "hwy/foreach_target.h"
//
#include <cstring>

#include "hwy/highway.h"
#include "primitives/kernels/bits-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace {

template <class T>
T value_at(const void* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

// Moves the range to the least integers there are, so that one comparison tells what lies in it.
template <class T>
struct IntegersBetween {
  using D = hn::ScalableTag<T>;
  const T* x;
  hn::Vec<D> move, end;

  HWY_INLINE IntegersBetween(const T* elements, const void* low, const void* high) : x(elements) {
    using U = std::make_unsigned_t<T>;
    const U first = static_cast<U>(value_at<T>(low)), last = static_cast<U>(value_at<T>(high));
    const U least = static_cast<U>(hwy::LimitsMin<T>());
    move = hn::Set(D(), static_cast<T>(static_cast<U>(least - first)));
    end = hn::Set(D(), static_cast<T>(static_cast<U>(least + last - first + 1)));
  }
  HWY_INLINE hn::Mask<D> mask_at(std::size_t i) const { return hn::Lt(hn::Add(hn::LoadU(D(), x + i), move), end); }
};

struct DoublesBetween {
  using D = hn::ScalableTag<double>;
  const double* x;
  hn::Vec<D> first, last;

  HWY_INLINE DoublesBetween(const double* elements, const void* low, const void* high) : x(elements) {
    first = hn::Set(D(), value_at<double>(low));
    last = hn::Set(D(), value_at<double>(high));
  }
  HWY_INLINE hn::Mask<D> mask_at(std::size_t i) const {
    const auto v = hn::LoadU(D(), x + i);
    return hn::And(hn::Le(first, v), hn::Le(v, last));
  }
};

template <class T, class Source>
void test(void* bits, const void* x_bytes, const void* low, const void* high, std::size_t n) {
  const typename Source::D d;
  auto* out = static_cast<std::uint64_t*>(bits);
  const T* x = static_cast<const T*>(x_bytes);
  const Source source(x, low, high);
  std::size_t i = 0;
  for (; i + 64 <= n; i += 64) *out++ = bits_of_64(d, source, i);
  const std::size_t rest = n - i;
  if (rest == 0) return;
  if (n >= 64) {
    // Tests the last 64 again and shifts out what is there already.
    *out = bits_of_64(d, source, n - 64) >> (64 - rest);
  } else {
    T few[64] = {};
    std::memcpy(few, x, n * sizeof(T));
    *out = bits_of_64(d, Source(few, low, high), 0);
  }
}

const BetweenKernels* table() {
  static constexpr BetweenKernels kernels = {{
      test<std::int8_t, IntegersBetween<std::int8_t>>,
      test<std::int16_t, IntegersBetween<std::int16_t>>,
      test<std::int32_t, IntegersBetween<std::int32_t>>,
      test<double, DoublesBetween>,
  }};
  return &kernels;
}

}  // namespace
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(table);
const BetweenKernels& between() { return *HWY_DYNAMIC_DISPATCH(table)(); }
}  // namespace griddle::kernels
#endif
