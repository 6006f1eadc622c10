#include "primitives/kernels/elementwise/mixed.h"

#include <utility>

#include "hwy/highway.h"
#include "primitives/kernels/elementwise/with_one-inl.h"
#include "primitives/kernels/shared/loops-inl.h"
#include "primitives/kernels/shared/operations-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace mixed_unit {
namespace {

using std::int16_t, std::int32_t, std::int8_t, std::uint32_t, std::uint64_t, std::uint8_t;

template <class Op, class V>
HWY_INLINE V result_of(V a, V b, V& bad) {
  const hn::DFromV<V> d;
  const V r = Op::apply(d, a, b);
  if constexpr (Op::checked) bad = hn::Or(bad, marked(d, Op::bad(d, a, b, r)));
  return r;
}

// --- two types of elements, which are loaded as `Left` and `Right` (Lanes) say

template <class Left, class Right, class Op, Form form>
struct MixedSource {
  using V = typename Left::V;
  const typename Left::Memory* w;
  const typename Right::Memory* x;
  V one;

  HWY_INLINE MixedSource(const typename Left::Memory* left, const typename Right::Memory* right) : w(left), x(right) {
    hn::TFromD<typename Left::D> single{};
    if constexpr (form != array_array) single = form == scalar_array ? *w : *x;
    one = hn::Set(typename Left::D(), single);
  }
  HWY_INLINE bool reads(const void* out) const {
    return (form != scalar_array && out == w) || (form != array_scalar && out == x);
  }
  HWY_INLINE V at(std::size_t i, V& bad) const {
    return result_of<Op>(form == scalar_array ? one : Left::load(w + i), form == array_scalar ? one : Right::load(x + i), bad);
  }
  HWY_INLINE V few(std::size_t n, V& bad) const {
    return result_of<Op>(form == scalar_array ? one : load_few<Left>(w, n), form == array_scalar ? one : load_few<Right>(x, n),
                         bad);
  }
  template <class Out>
  HWY_INLINE std::size_t streamed(typename Out::Memory* out, std::size_t n) const {
    return streamed_dyad<Out, Left, Right, Op>(out, w, x, n, form);
  }
};

template <class Left, class Right, class Op, Form form>
std::size_t mixed_loop(void* out, const void* w_bytes, const void* x_bytes, std::size_t n) {
  using T = hn::TFromD<typename Left::D>;
  static_assert(std::is_same_v<typename Left::D, typename Right::D>);
  if (n == 0) return 0;
  const auto* w = static_cast<const typename Left::Memory*>(w_bytes);
  const auto* x = static_cast<const typename Right::Memory*>(x_bytes);
  return each_vector<Lanes<T>, Op::checked, MixedSource<Left, Right, Op, form>>(static_cast<T*>(out), n, w, x);
}

#if HWY_NATIVE_FMA
// Divides by a number that is read as a double.
template <class T>
std::size_t quotients_by_real(void* out, const void* w, const void* x, std::size_t n) {
  const double by = *static_cast<const double*>(x);
  const bool is_integer = by >= -2147483648.0 && by <= 2147483647.0 && by == static_cast<int32_t>(by);
  if (by == 0 || !is_integer) return mixed_loop<Lanes<T, double>, Lanes<double>, Divide, array_scalar>(out, w, x, n);
  return each_vector<Lanes<double>, false, QuotientByOneSource<T>>(static_cast<double*>(out), n, static_cast<const T*>(w), by);
}
#endif

// --- bits and elements

// Chooses what a bit keeps.
template <class T>
struct Keeps : Unchecked {
  template <class D, class M, class V>
  static HWY_INLINE V apply(D d, M bits, V a) {
    // A double times 0 may be NaN or negative zero.
    if constexpr (std::is_floating_point_v<T>)
      return hn::Mul(a, hn::IfThenElseZero(bits, hn::Set(d, T{1})));
    else
      return hn::IfThenElseZero(bits, a);
  }
};
// Combines a bit as 0 or 1 with an element.
template <class T, class Op, bool bits_left>
struct OnNumber : Op {
  template <class D, class M, class V>
  static HWY_INLINE V apply(D d, M bits, V a) {
    const V b = hn::IfThenElseZero(bits, hn::Set(d, T{1}));
    return bits_left ? Op::apply(d, b, a) : Op::apply(d, a, b);
  }
  template <class D, class M, class V>
  static HWY_INLINE auto bad(D d, M bits, V a, V r) {
    const V b = hn::IfThenElseZero(bits, hn::Set(d, T{1}));
    return bits_left ? Op::bad(d, b, a, r) : Op::bad(d, a, b, r);
  }
};

template <class T, class Op>
struct BitsSource {
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;
  const uint64_t* bits;
  const T* x;

  template <class M>
  static HWY_INLINE V result(M mask, V a, V& bad) {
    const D d;
    a = loaded_first(a);
    const V r = Op::apply(d, mask, a);
    if constexpr (Op::checked) bad = hn::Or(bad, marked(d, Op::bad(d, mask, a, r)));
    return r;
  }
  HWY_INLINE bool reads(const void* out) const { return out == x; }
  // Gives the bits from place i on, lowest first; no bits of another word.
  HWY_INLINE uint64_t word_at(std::size_t i) const { return bits[i >> 6] >> (i & 63); }
  HWY_INLINE V at(std::size_t i, V& bad) const {
    const uint64_t word = word_at(i);
    return result(hn::LoadMaskBits(D(), reinterpret_cast<const uint8_t*>(&word)), hn::LoadU(D(), x + i), bad);
  }
  HWY_INLINE V few(std::size_t i, std::size_t n, V& bad) const {
    // The last bit is repeated as the last element is, so that padding never fails where they do not.
    const uint64_t own = (uint64_t{2} << (n - 1)) - 1, last = word_at(i) >> (n - 1) & 1;
    const uint64_t word = last != 0 ? word_at(i) | ~own : word_at(i) & own;
    return result(hn::LoadMaskBits(D(), reinterpret_cast<const uint8_t*>(&word)), load_few<Lanes<T>>(x + i, n), bad);
  }
};

// Computes from place `begin` on, which no vector's bits cross a word from: by vectors, and what is left of one.
template <class T, class Op>
HWY_INLINE std::size_t bits_vectors(T* out, const BitsSource<T, Op>& source, std::size_t begin, std::size_t n) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = begin;
  for (; i + lanes <= n; i += lanes) {
    auto bad = hn::Zero(d);
    const auto r = source.at(i, bad);
    if (Op::checked && !none_marked(d, bad)) return i;
    hn::StoreU(r, d, out + i);
  }
  if (i == n) return n;
  if (n - i >= hn::MaxLanes(d)) __builtin_unreachable();
  auto bad = hn::Zero(d);
  const auto r = source.few(i, n - i, bad);
  if (Op::checked && !none_marked(d, bad)) return i;
  HWY_ALIGN T part[hn::MaxLanes(d)];
  hn::Store(r, d, part);
  copy_few(out + i, part, (n - i) * sizeof(T));
  return n;
}

// Computes several vectors at a time, in the way that each instruction set likes best, from place i on; gives the place that this
// gets to. Goes no further than the vectors that hold something that does not fit.
#if HWY_TARGET == HWY_AVX2
template <class T, class Op>
HWY_INLINE std::size_t several_bits_vectors(T* out, const BitsSource<T, Op>& source, std::size_t i, std::size_t n) {
  const hn::ScalableTag<T> d;
  constexpr std::size_t lanes = hn::MaxLanes(d);
  if constexpr (std::is_same_v<T, double>) {
    // Every lane gets all bits, its own of the last vector's next to the highest place but for the shift.
    static_assert(!Op::checked);
    const hn::Repartition<std::uint32_t, decltype(d)> d32;
    const hn::Repartition<std::uint64_t, decltype(d)> du;
    const hn::Repartition<std::int64_t, decltype(d)> ds;
    const auto to_highest = hn::Sub(hn::Set(du, lanes - 1), hn::Iota(du, 0));
    for (; i + 8 * lanes <= n; i += 8 * lanes) {
      uint32_t own;
      std::memcpy(&own, reinterpret_cast<const uint8_t*>(source.bits) + i / 8, sizeof own);
      const auto word = hn::Shl(hn::BitCast(du, hn::Set(d32, own)), to_highest);
      const auto store = [&]<int k>(std::integral_constant<int, k>) HWY_ATTR {
        auto bad = hn::Zero(d);
        const auto mask = hn::MaskFromVec(hn::BroadcastSignBit(hn::BitCast(ds, hn::ShiftLeft<28 - 4 * k>(word))));
        hn::StoreU(source.result(hn::RebindMask(d, mask), hn::LoadU(d, source.x + i + k * lanes), bad), d, out + i + k * lanes);
        stored_first(out[i + k * lanes]);
      };
      [&]<int... k>(std::integer_sequence<int, k...>) HWY_ATTR { (store(std::integral_constant<int, k>{}), ...); }
      (std::make_integer_sequence<int, 8>{});
    }
  } else if constexpr (sizeof(T) == 4) {
    // Every lane gets all bits, and moves its own to the highest place.
    const hn::ScalableTag<hwy::MakeUnsigned<T>> du;
    const hn::ScalableTag<hwy::MakeSigned<T>> ds;
    const auto to_highest = hn::Sub(hn::Set(du, 31), hn::Iota(du, 0)), fewer = hn::Set(du, lanes);
    const auto second = hn::Sub(to_highest, fewer), third = hn::Sub(second, fewer), fourth = hn::Sub(third, fewer);
    for (; i + 4 * lanes <= n; i += 4 * lanes) {
      uint32_t own;
      std::memcpy(&own, reinterpret_cast<const uint8_t*>(source.bits) + i / 8, sizeof own);
      const auto word = hn::Set(du, own);
      auto bad = hn::Zero(d);
      const auto result = [&](hn::Vec<decltype(du)> shift, std::size_t place) HWY_ATTR {
        const auto mask = hn::MaskFromVec(hn::BroadcastSignBit(hn::BitCast(ds, hn::Shl(word, shift))));
        return source.result(hn::RebindMask(d, mask), hn::LoadU(d, source.x + place), bad);
      };
      const auto r0 = result(to_highest, i);
      if constexpr (!Op::checked) hn::StoreU(r0, d, out + i), stored_first(out[i]);
      const auto r1 = result(second, i + lanes);
      if constexpr (!Op::checked) hn::StoreU(r1, d, out + i + lanes), stored_first(out[i + lanes]);
      const auto r2 = result(third, i + 2 * lanes);
      if constexpr (!Op::checked) hn::StoreU(r2, d, out + i + 2 * lanes), stored_first(out[i + 2 * lanes]);
      const auto r3 = result(fourth, i + 3 * lanes);
      if constexpr (!Op::checked) {
        hn::StoreU(r3, d, out + i + 3 * lanes);
        continue;
      }
      if (!none_marked(d, bad)) return i;
      hn::StoreU(r0, d, out + i);
      hn::StoreU(r1, d, out + i + lanes);
      hn::StoreU(r2, d, out + i + 2 * lanes);
      hn::StoreU(r3, d, out + i + 3 * lanes);
    }
  }
  return i;
}
#elif HWY_TARGET == HWY_AVX3
template <class T, class Op>
HWY_INLINE std::size_t several_bits_vectors(T* out, const BitsSource<T, Op>& source, std::size_t i, std::size_t n) {
  // Masks are loaded as they are.
  const hn::ScalableTag<T> d;
  constexpr std::size_t lanes = hn::MaxLanes(d);
  const auto* bytes = reinterpret_cast<const uint8_t*>(source.bits);
  for (; i + 4 * lanes <= n; i += 4 * lanes) {
    auto bad = hn::Zero(d);
    hn::Vec<hn::ScalableTag<T>> r[4];
    for (std::size_t k = 0; k < 4; k++) {
      const std::size_t place = i + k * lanes;
      r[k] = source.result(hn::LoadMaskBits(d, bytes + place / 8), hn::LoadU(d, source.x + place), bad);
    }
    if (Op::checked && !none_marked(d, bad)) return i;
    for (std::size_t k = 0; k < 4; k++) hn::StoreU(r[k], d, out + i + k * lanes);
  }
  return i;
}
#elif HWY_TARGET == HWY_SSE4
template <class T, class Op>
HWY_INLINE std::size_t several_bits_vectors(T* out, const BitsSource<T, Op>& source, std::size_t i, std::size_t n) {
  // Every lane gets as many bits as it is wide, and looks at the highest: the last of the word's vectors comes first, and the
  // next one's bits follow from below.
  if constexpr (sizeof(T) >= 4) {
    const hn::ScalableTag<T> d;
    const hn::ScalableTag<hwy::MakeUnsigned<T>> du;
    const hn::ScalableTag<hwy::MakeSigned<T>> ds;
    constexpr std::size_t lanes = hn::MaxLanes(d), together = 8 * sizeof(T), vectors = together / lanes;
    const auto to_highest = hn::Sub(hn::Set(du, lanes - 1), hn::Iota(du, 0));
    for (; i + together <= n; i += together) {
      auto word = hn::Shl(hn::Set(du, static_cast<hwy::MakeUnsigned<T>>(source.word_at(i))), to_highest);
      auto bad = hn::Zero(d);
      hn::Vec<hn::ScalableTag<T>> r[vectors];
      for (std::size_t k = vectors; k-- != 0; word = hn::ShiftLeft<lanes>(word)) {
        const auto mask = hn::RebindMask(d, hn::MaskFromVec(hn::BroadcastSignBit(hn::BitCast(ds, word))));
        r[k] = source.result(mask, hn::LoadU(d, source.x + i + k * lanes), bad);
        if constexpr (!Op::checked) hn::StoreU(r[k], d, out + i + k * lanes);
      }
      if constexpr (Op::checked) {
        if (!none_marked(d, bad)) return i;
        for (std::size_t k = 0; k < vectors; k++) hn::StoreU(r[k], d, out + i + k * lanes);
      }
    }
  }
  return i;
}
#else
template <class T, class Op>
HWY_INLINE std::size_t several_bits_vectors(T*, const BitsSource<T, Op>&, std::size_t i, std::size_t) {
  return i;
}
#endif

template <class T, class Op, bool bits_left>
std::size_t bits_loop(void* out_bytes, const void* w, const void* x, std::size_t n) {
  using Source = BitsSource<T, Op>;
  T* out = static_cast<T*>(out_bytes);
  const Source source = {static_cast<const uint64_t*>(bits_left ? w : x), static_cast<const T*>(bits_left ? x : w)};
  std::size_t i = 0;
  if (goes_past_caches<Lanes<T>>(out, source, n)) [[unlikely]] {
    constexpr std::size_t together = 4 * hn::MaxLanes(hn::ScalableTag<T>());
    const std::size_t end = n / together * together;
    i = streamed_vectors<Lanes<T>, Op::checked>(out, source, end);
    if (i != end) return i;
  }
  return bits_vectors(out, source, several_bits_vectors(out, source, i, n), n);
}

// --- the table

template <class T>
struct Place;
template <>
struct Place<int8_t> {
  static constexpr int value = 1;
};
template <>
struct Place<int16_t> {
  static constexpr int value = 2;
};
template <>
struct Place<int32_t> {
  static constexpr int value = 3;
};
template <>
struct Place<double> {
  static constexpr int value = 4;
};

template <class Narrow, class Wide, class Op>
constexpr void fill_pair(DyadForms (*types)[mixed_type_count], bool commutes) {
  using N = Lanes<Narrow, Wide>;
  using W = Lanes<Wide>;
  DyadForms& narrow_left = types[Place<Narrow>::value][Place<Wide>::value];
  DyadForms& wide_left = types[Place<Wide>::value][Place<Narrow>::value];
  narrow_left.by_form[array_array] = mixed_loop<N, W, Op, array_array>;
  narrow_left.by_form[array_scalar] = mixed_loop<N, W, Op, array_scalar>;
  if (commutes) {
    wide_left.by_form[array_array] = swapped<mixed_loop<N, W, Op, array_array>>;
    wide_left.by_form[scalar_array] = swapped<mixed_loop<N, W, Op, array_scalar>>;
  }
}
template <class Narrow, class Wide, class Op>
constexpr void fill_other_side(DyadForms (*types)[mixed_type_count]) {
  DyadForms& wide_left = types[Place<Wide>::value][Place<Narrow>::value];
  wide_left.by_form[array_array] = mixed_loop<Lanes<Wide>, Lanes<Narrow, Wide>, Op, array_array>;
  wide_left.by_form[scalar_array] = mixed_loop<Lanes<Wide>, Lanes<Narrow, Wide>, Op, scalar_array>;
}
template <class T, class Left, class Right>
constexpr void fill_bits(DyadForms (*types)[mixed_type_count]) {
  types[0][Place<T>::value].by_form[array_array] = bits_loop<T, Left, true>;
  types[Place<T>::value][0].by_form[array_array] = bits_loop<T, Right, false>;
}
template <class T, class Op>
constexpr void fill_commuting_bits(DyadForms (*types)[mixed_type_count]) {
  types[0][Place<T>::value].by_form[array_array] = bits_loop<T, Op, true>;
  types[Place<T>::value][0].by_form[array_array] = swapped<bits_loop<T, Op, true>>;
}

// Minima and maxima commute but for a NaN.
template <class Narrow, class Wide, class Op>
constexpr void fill_extremes(DyadForms (*types)[mixed_type_count]) {
  constexpr bool commutes = !std::is_floating_point_v<Wide>;
  fill_pair<Narrow, Wide, Op>(types, commutes);
  if constexpr (!commutes) fill_other_side<Narrow, Wide, Op>(types);
}
template <class T, class Op>
constexpr void fill_bit_extremes(DyadForms (*types)[mixed_type_count]) {
  if constexpr (std::is_floating_point_v<T>)
    fill_bits<T, OnNumber<T, Op, true>, OnNumber<T, Op, false>>(types);
  else
    fill_commuting_bits<T, OnNumber<T, Op, true>>(types);
}

// Fills in everything that has results of type Wide.
template <class Narrow, class Wide, class Sum, class Difference, class Product>
constexpr void fill(MixedKernels& k) {
  fill_pair<Narrow, Wide, Sum>(k.by_types[mixed_add], true);
  fill_pair<Narrow, Wide, Difference>(k.by_types[mixed_subtract], false);
  fill_other_side<Narrow, Wide, Difference>(k.by_types[mixed_subtract]);
  fill_pair<Narrow, Wide, Product>(k.by_types[mixed_multiply], true);
  fill_extremes<Narrow, Wide, Minimum>(k.by_types[mixed_minimum]);
  fill_extremes<Narrow, Wide, Maximum>(k.by_types[mixed_maximum]);
}
template <class Narrow>
constexpr void fill_quotients(MixedKernels& k) {
  fill_pair<Narrow, double, Divide>(k.by_types[mixed_divide], false);
  fill_other_side<Narrow, double, Divide>(k.by_types[mixed_divide]);
#if HWY_NATIVE_FMA
  k.by_types[mixed_divide][Place<Narrow>::value][Place<double>::value].by_form[array_scalar] = quotients_by_real<Narrow>;
#endif
}
template <class T, class Sum, class Difference>
constexpr void fill_with_bits(MixedKernels& k) {
  fill_commuting_bits<T, OnNumber<T, Sum, true>>(k.by_types[mixed_add]);
  fill_bits<T, OnNumber<T, Difference, true>, OnNumber<T, Difference, false>>(k.by_types[mixed_subtract]);
  fill_commuting_bits<T, Keeps<T>>(k.by_types[mixed_multiply]);
  fill_bit_extremes<T, Minimum>(k.by_types[mixed_minimum]);
  fill_bit_extremes<T, Maximum>(k.by_types[mixed_maximum]);
}

const MixedKernels* mixed_kernels() {
  static constexpr MixedKernels kernels = [] {
    MixedKernels k = {};
    fill<int8_t, int16_t, AddNarrow, SubtractNarrow, MultiplyI16>(k);
    fill<int8_t, int32_t, Add, Subtract, MultiplyI32>(k);
    fill<int16_t, int32_t, Add, Subtract, MultiplyI32>(k);
    fill<int8_t, double, AddWithin, SubtractWithin, MultiplyWithin>(k);
    fill<int16_t, double, AddWithin, SubtractWithin, MultiplyWithin>(k);
    fill<int32_t, double, AddWithin, SubtractWithin, MultiplyWithin>(k);
    fill_quotients<int8_t>(k);
    fill_quotients<int16_t>(k);
    fill_quotients<int32_t>(k);
    fill_with_bits<int8_t, AddNarrow, SubtractNarrow>(k);
    fill_with_bits<int16_t, AddNarrow, SubtractNarrow>(k);
    fill_with_bits<int32_t, Add, Subtract>(k);
    fill_with_bits<double, AddWithin, SubtractWithin>(k);
    return k;
  }();
  return &kernels;
}

}  // namespace
}  // namespace mixed_unit
using mixed_unit::mixed_kernels;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(mixed_kernels);
const MixedKernels& mixed() { return *HWY_DYNAMIC_DISPATCH(mixed_kernels)(); }
}  // namespace griddle::kernels
#endif
