#include "primitives/kernels/elementwise/between.h"

#include <cstring>

#include "hwy/highway.h"
#include "primitives/kernels/elementwise/tested-inl.h"
#include "primitives/kernels/shared/loops-inl.h"
#include "primitives/kernels/shared/operations-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace between_unit {
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
  hn::Vec<D> move, end;

  HWY_INLINE IntegersBetween(const void* low, const void* high) {
    using U = std::make_unsigned_t<T>;
    const U first = static_cast<U>(value_at<T>(low)), last = static_cast<U>(value_at<T>(high));
    const U least = static_cast<U>(hwy::LimitsMin<T>());
    move = hn::Set(D(), static_cast<T>(static_cast<U>(least - first)));
    end = hn::Set(D(), static_cast<T>(static_cast<U>(least + last - first + 1)));
  }
  HWY_INLINE hn::Mask<D> mask_of(hn::Vec<D> v) const { return hn::Lt(hn::Add(v, move), end); }
};

struct DoublesBetween {
  using D = hn::ScalableTag<double>;
  hn::Vec<D> first, last;

  HWY_INLINE DoublesBetween(const void* low, const void* high) {
    first = hn::Set(D(), value_at<double>(low));
    last = hn::Set(D(), value_at<double>(high));
  }
  HWY_INLINE hn::Mask<D> mask_of(hn::Vec<D> v) const { return hn::And(hn::Le(first, v), hn::Le(v, last)); }
};

template <class T, class Range>
void test(void* bits, const void* x, const void* low, const void* high, std::size_t n) {
  test_elements(static_cast<std::uint64_t*>(bits), static_cast<const T*>(x), Range(low, high), n);
}

template <class T>
struct LimitedSource {
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;
  const T* x;
  V low, high;

  HWY_INLINE LimitedSource(const T* elements, T least, T greatest)
      : x(elements), low(hn::Set(D(), least)), high(hn::Set(D(), greatest)) {}
  HWY_INLINE bool reads(const void* out) const { return out == x; }
  HWY_INLINE V at(std::size_t i, V&) const { return result(hn::LoadU(D(), x + i)); }
  HWY_INLINE V few(std::size_t n, V&) const { return result(load_few<Lanes<T>>(x, n)); }

 private:
  HWY_INLINE V result(V v) const { return extreme_of<true>(low, extreme_of<false>(high, v)); }
};

template <class T>
void limit(void* out, const void* x, const void* low, const void* high, std::size_t n) {
  each_vector<Lanes<T>, false, LimitedSource<T>>(static_cast<T*>(out), n, static_cast<const T*>(x), value_at<T>(low),
                                                 value_at<T>(high));
}

const BetweenKernels* between_kernels() {
  static constexpr BetweenKernels kernels = {
      {
          test<std::int8_t, IntegersBetween<std::int8_t>>,
          test<std::int16_t, IntegersBetween<std::int16_t>>,
          test<std::int32_t, IntegersBetween<std::int32_t>>,
          test<double, DoublesBetween>,
      },
      {limit<std::int8_t>, limit<std::int16_t>, limit<std::int32_t>, limit<double>},
  };
  return &kernels;
}

}  // namespace
}  // namespace between_unit
using between_unit::between_kernels;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(between_kernels);
const BetweenKernels& between() { return *HWY_DYNAMIC_DISPATCH(between_kernels)(); }
}  // namespace griddle::kernels
#endif
