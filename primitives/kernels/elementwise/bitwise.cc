#include "primitives/kernels/elementwise/bitwise.h"

#include <cstring>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace bitwise_unit {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

struct Not {
  template <class V>
  static HWY_INLINE V apply(V, V x) {
    return hn::Not(x);
  }
};
struct And {
  template <class V>
  static HWY_INLINE V apply(V w, V x) {
    return hn::And(w, x);
  }
};
struct Or {
  template <class V>
  static HWY_INLINE V apply(V w, V x) {
    return hn::Or(w, x);
  }
};
struct ExclusiveOr {
  template <class V>
  static HWY_INLINE V apply(V w, V x) {
    return hn::Xor(w, x);
  }
};
struct Add {
  template <class V>
  static HWY_INLINE V apply(V w, V x) {
    return hn::Add(w, x);
  }
};
struct Subtract {
  template <class V>
  static HWY_INLINE V apply(V w, V x) {
    return hn::Sub(w, x);
  }
};

// Reads and writes a vector at any address.
template <class T, class D = hn::ScalableTag<T>>
HWY_INLINE hn::Vec<D> load(const std::uint8_t* from) {
  return hn::BitCast(D(), hn::LoadU(hn::Repartition<std::uint8_t, D>(), from));
}
template <class T, class D = hn::ScalableTag<T>>
HWY_INLINE void store(hn::Vec<D> v, std::uint8_t* to) {
  const hn::Repartition<std::uint8_t, D> bytes;
  hn::StoreU(hn::BitCast(bytes, v), bytes, to);
}

template <class T, class Op, bool one_w>
void combine(std::uint8_t* out, const std::uint8_t* w, const std::uint8_t* x, std::size_t n) {
  const hn::ScalableTag<T> d;
  const std::size_t step = hn::Lanes(d) * sizeof(T), bytes = n * sizeof(T);
  T piece = 0;
  if (one_w) std::memcpy(&piece, w, sizeof piece);
  const auto one = hn::Set(d, piece);
  const auto left = [&](const std::uint8_t* at) HWY_ATTR { return one_w ? one : load<T>(at); };
  std::size_t i = 0;
  for (; bytes - i >= 2 * step; i += 2 * step) {
    const auto a = Op::apply(left(w + i), load<T>(x + i)), b = Op::apply(left(w + i + step), load<T>(x + i + step));
    store<T>(a, out + i);
    store<T>(b, out + i + step);
  }
  while (i < bytes) {
    if (bytes - i >= step) {
      store<T>(Op::apply(left(w + i), load<T>(x + i)), out + i);
      i += step;
      continue;
    }
    HWY_ALIGN std::uint8_t last_w[hn::MaxLanes(d) * sizeof(T)] = {}, last_x[hn::MaxLanes(d) * sizeof(T)] = {};
    if (!one_w) std::memcpy(last_w, w + i, bytes - i);
    std::memcpy(last_x, x + i, bytes - i);
    store<T>(Op::apply(left(last_w), load<T>(last_x)), last_x);
    std::memcpy(out + i, last_x, bytes - i);
    i = bytes;
  }
}

template <class T, class Op>
constexpr BitwiseKernels::Forms forms() {
  return {combine<T, Op, false>, combine<T, Op, true>};
}

const BitwiseKernels* bitwise_kernels() {
  using Word = std::uint64_t;
  static const BitwiseKernels kernels = {
      .logic_not = combine<Word, Not, true>,
      .logic_and = forms<Word, And>(),
      .logic_or = forms<Word, Or>(),
      .exclusive_or = forms<Word, ExclusiveOr>(),
      .add = {forms<std::uint8_t, Add>(), forms<std::uint16_t, Add>(), forms<std::uint32_t, Add>(), forms<Word, Add>()},
      .subtract = {forms<std::uint8_t, Subtract>(), forms<std::uint16_t, Subtract>(), forms<std::uint32_t, Subtract>(),
                   forms<Word, Subtract>()},
  };
  return &kernels;
}

}  // namespace
}  // namespace bitwise_unit
using bitwise_unit::bitwise_kernels;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(bitwise_kernels);
const BitwiseKernels& bitwise() { return *HWY_DYNAMIC_DISPATCH(bitwise_kernels)(); }
}  // namespace griddle::kernels
#endif
