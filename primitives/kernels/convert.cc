#include "primitives/kernels/convert.h"

#include "primitives/kernels/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "primitives/kernels/convert.cc"
#include "hwy/foreach_target.h"
//
#include "hwy/highway.h"
#include "primitives/kernels/loops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace {

using std::int16_t, std::int32_t, std::int8_t, std::uint16_t, std::uint32_t, std::uint64_t, std::uint8_t;

// Passes values that the narrow type T holds.
template <class T>
struct Fits {
  static constexpr bool checked = true;
  template <class D, class V>
  static HWY_INLINE V apply(D, V a) {
    return a;
  }
  template <class D, class V>
  static HWY_INLINE auto bad(D d, V, V r) {
    using C = hn::TFromD<D>;
    const auto outside = hn::Or(hn::Lt(r, hn::Set(d, static_cast<C>(hwy::LimitsMin<T>()))),
                                hn::Gt(r, hn::Set(d, static_cast<C>(hwy::LimitsMax<T>()))));
    if constexpr (std::is_floating_point_v<C>)
      return hn::Or(outside, hn::Not(hn::Eq(r, hn::Round(r))));
    else
      return outside;
  }
};

template <class From, class To>
constexpr Monad widening() {
  return monad_loop<Lanes<From, To>, Lanes<To>, Keep>;
}
template <class From, class To>
constexpr Monad narrowing() {
  return monad_loop<Lanes<From>, Lanes<To, From>, Fits<To>>;
}

// Gives the 64 bits from place `offset` on; reads no word in which none of the `left` bits lies.
HWY_INLINE uint64_t bits_at(const uint64_t* bits, std::size_t offset, std::size_t left) {
  const std::size_t word = offset >> 6, shift = offset & 63;
  uint64_t b = bits[word] >> shift;
  if (shift != 0 && shift + left > 64) b |= bits[word + 1] << (64 - shift);
  return b;
}

template <class T>
void expand_bits(void* out_bytes, const uint64_t* bits, std::size_t offset, std::size_t n) {
  T* out = static_cast<T*>(out_bytes);
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto one = hn::Set(d, T{1});
  std::size_t i = 0;
  for (; i + 64 <= n; i += 64) {
    const uint64_t word = bits_at(bits, offset + i, n - i);
    for (std::size_t k = 0; k < 64; k += lanes) {
      const uint64_t part = word >> k;
      hn::StoreU(hn::IfThenElseZero(hn::LoadMaskBits(d, reinterpret_cast<const uint8_t*>(&part)), one), d, out + i + k);
    }
  }
  if (i < n) {
    uint64_t word = bits_at(bits, offset + i, n - i);
    for (; i < n; i++, word >>= 1) out[i] = static_cast<T>(word & 1);
  }
}

const ConvertKernels* table() {
  using E = ElementType;
  static constexpr auto at = [](E t) { return static_cast<int>(t); };
  static constexpr ConvertKernels kernels = [] {
    ConvertKernels k = {};
    k.widen[at(E::i8)][at(E::i16)] = widening<int8_t, int16_t>();
    k.widen[at(E::i8)][at(E::i32)] = widening<int8_t, int32_t>();
    k.widen[at(E::i8)][at(E::f64)] = widening<int8_t, double>();
    k.widen[at(E::i16)][at(E::i32)] = widening<int16_t, int32_t>();
    k.widen[at(E::i16)][at(E::f64)] = widening<int16_t, double>();
    k.widen[at(E::i32)][at(E::f64)] = widening<int32_t, double>();
    k.widen[at(E::c8)][at(E::c16)] = widening<uint8_t, uint16_t>();
    k.widen[at(E::c8)][at(E::c32)] = widening<uint8_t, uint32_t>();
    k.widen[at(E::c16)][at(E::c32)] = widening<uint16_t, uint32_t>();
    k.narrow[at(E::f64)][at(E::i32)] = narrowing<double, int32_t>();
    k.narrow[at(E::f64)][at(E::i16)] = narrowing<double, int16_t>();
    k.narrow[at(E::f64)][at(E::i8)] = narrowing<double, int8_t>();
    k.narrow[at(E::i32)][at(E::i16)] = narrowing<int32_t, int16_t>();
    k.narrow[at(E::i32)][at(E::i8)] = narrowing<int32_t, int8_t>();
    k.narrow[at(E::i16)][at(E::i8)] = narrowing<int16_t, int8_t>();
    k.expand[at(E::i8)] = expand_bits<int8_t>;
    k.expand[at(E::i16)] = expand_bits<int16_t>;
    k.expand[at(E::i32)] = expand_bits<int32_t>;
    k.expand[at(E::f64)] = expand_bits<double>;
    return k;
  }();
  return &kernels;
}

}  // namespace
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(table);
const ConvertKernels& convert() { return *HWY_DYNAMIC_DISPATCH(table)(); }

namespace {
template <class T>
void spread_of(T* out, const T* from, std::size_t cell, std::size_t skip, std::size_t n) {
  std::size_t room = cell - skip;
  while (n != 0) {
    const std::size_t count = room < n ? room : n;
    const T value = *from++;
    for (std::size_t i = 0; i < count; i++) out[i] = value;
    out += count;
    n -= count;
    room = cell;
  }
}
}  // namespace

void spread(void* out, const void* first, unsigned width, std::size_t cell, std::size_t skip, std::size_t n) {
  switch (width) {
    case 1: return spread_of(static_cast<std::uint8_t*>(out), static_cast<const std::uint8_t*>(first), cell, skip, n);
    case 2: return spread_of(static_cast<std::uint16_t*>(out), static_cast<const std::uint16_t*>(first), cell, skip, n);
    case 4: return spread_of(static_cast<std::uint32_t*>(out), static_cast<const std::uint32_t*>(first), cell, skip, n);
    default: return spread_of(static_cast<std::uint64_t*>(out), static_cast<const std::uint64_t*>(first), cell, skip, n);
  }
}
}  // namespace griddle::kernels
#endif
