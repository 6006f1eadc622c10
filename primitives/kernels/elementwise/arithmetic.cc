#include "primitives/kernels/elementwise/arithmetic.h"

#include "hwy/highway.h"
#include "primitives/kernels/elementwise/modulus-inl.h"
#include "primitives/kernels/elementwise/with_one-inl.h"
#include "primitives/kernels/shared/loops-inl.h"
#include "primitives/kernels/shared/operations-inl.h"
#include "primitives/kernels/shared/rounding-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace arithmetic_unit {
namespace {

using std::int16_t, std::int32_t, std::int64_t, std::int8_t, std::uint64_t;

// Multiplies bytes in pairs: what is moved to the upper half of 16 bits has its whole product in the upper half of 32.
struct MultiplyBytesSource {
  using D = hn::ScalableTag<int8_t>;
  using V = hn::Vec<D>;
  using Wide = hn::Repartition<int16_t, D>;
  const int8_t *w, *x;

  HWY_INLINE V result(V a_bytes, V b_bytes, V& bad) const {
    const Wide d;
    const auto a = hn::BitCast(d, a_bytes), b = hn::BitCast(d, b_bytes);
    const auto low = hn::Set(d, 0xFF), high = hn::Set(d, static_cast<int16_t>(0xFF00));
    const auto even = hn::MulHigh(hn::ShiftLeft<8>(a), hn::ShiftLeft<8>(b)),
               odd = hn::MulHigh(hn::And(a, high), hn::And(b, high));
    // What fits is less than 256 from -128 on.
    const auto half = hn::Set(d, 128);
    bad = hn::Or(bad, hn::BitCast(D(), hn::Or(hn::Add(even, half), hn::Add(odd, half))));
    return hn::BitCast(D(), hn::Or(hn::And(even, low), hn::ShiftLeft<8>(odd)));
  }
  // Tells whether all marks lie in lower bytes, where they say nothing.
  static HWY_INLINE bool none_bad(V bad) {
    const Wide d;
    return hn::AllTrue(d, hn::Eq(hn::And(hn::BitCast(d, bad), hn::Set(d, static_cast<int16_t>(0xFF00))), hn::Zero(d)));
  }
  HWY_INLINE bool reads(const void* out) const { return out == w || out == x; }
  HWY_INLINE V at(std::size_t i, V& bad) const { return result(hn::LoadU(D(), w + i), hn::LoadU(D(), x + i), bad); }
  HWY_INLINE V few(std::size_t n, V& bad) const {
    return result(load_few<Lanes<int8_t>>(w, n), load_few<Lanes<int8_t>>(x, n), bad);
  }
};
std::size_t multiply_bytes(void* out, const void* w, const void* x, std::size_t n) {
  return each_vector<Lanes<int8_t>, true, MultiplyBytesSource>(static_cast<int8_t*>(out), n, static_cast<const int8_t*>(w),
                                                               static_cast<const int8_t*>(x));
}
// Looks at the products in f32, which tells sooner whether they fit, but for those next to the limits.
struct MultiplyWordsSource {
  using D = hn::ScalableTag<int32_t>;
  using V = hn::Vec<D>;
  using Real = hn::Rebind<float, D>;
  const int32_t* w;
  const int32_t* x;

  static HWY_INLINE V result(V a, V b, V& bad) {
    const Real real;
    const V kept_a = in_register(a), kept_b = in_register(b);
    const auto size = hn::Abs(hn::Mul(hn::ConvertTo(real, kept_a), hn::ConvertTo(real, kept_b)));
    bad = worse(bad, hn::BitCast(D(), size));
    return hn::Mul(kept_a, kept_b);
  }
  static HWY_INLINE V worse(V a, V b) {
    const Real real;
    return hn::BitCast(D(), hn::Max(hn::BitCast(real, a), hn::BitCast(real, b)));
  }
  // Three roundings make a product at most 2^-22 of it larger than it looks.
  static HWY_INLINE bool none_bad(V greatest) {
    const Real real;
    constexpr float safe = 2147482624;
    return hn::AllTrue(real, hn::Le(hn::BitCast(real, greatest), hn::Set(real, safe)));
  }
  HWY_INLINE bool reads(const void* out) const { return out == w || out == x; }
  HWY_INLINE V at(std::size_t i, V& bad) const { return result(hn::LoadU(D(), w + i), hn::LoadU(D(), x + i), bad); }
  HWY_INLINE V few(std::size_t n, V& bad) const {
    return result(load_few<Lanes<int32_t>>(w, n), load_few<Lanes<int32_t>>(x, n), bad);
  }
};
std::size_t multiply_words(void* out, const void* w_bytes, const void* x_bytes, std::size_t n) {
  const auto *w = static_cast<const int32_t*>(w_bytes), *x = static_cast<const int32_t*>(x_bytes);
  auto* to = static_cast<int32_t*>(out);
  const std::size_t done = each_vector<Lanes<int32_t>, true, MultiplyWordsSource>(to, n, w, x);
  if (done == n) return n;
  using L = Lanes<int32_t>;
  return done + dyad_loop<L, L, MultiplyI32, array_array>(to + done, w + done, x + done, n - done);
}

// Flips the top bit, so that unsigned characters become signed numbers in the same order.
template <class D>
HWY_INLINE hn::Vec<D> top_bit(D d) {
  return hn::Set(d, hwy::LimitsMin<hn::TFromD<D>>());
}
// Adds an integer to a character.
struct NarrowCharacterUp : Checked {
  template <class D, class V>
  static HWY_INLINE V apply(D, V a, V b) {
    return hn::Add(a, b);  // adding commutes with the flip
  }
  template <class D, class V>
  static HWY_INLINE auto bad(D d, V a, V b, V r) {
    const V flip = top_bit(d);
    return AddNarrow::bad(d, hn::Xor(a, flip), b, hn::Xor(r, flip));
  }
};
struct NarrowCharacterDown : Checked {
  template <class D, class V>
  static HWY_INLINE V apply(D, V a, V b) {
    return hn::Sub(a, b);
  }
  template <class D, class V>
  static HWY_INLINE auto bad(D d, V a, V b, V r) {
    const V flip = top_bit(d);
    return SubtractNarrow::bad(d, hn::Xor(a, flip), b, hn::Xor(r, flip));
  }
};
struct NarrowCharacterDistance : Checked {
  template <class D, class V>
  static HWY_INLINE V apply(D, V a, V b) {
    return hn::Sub(a, b);
  }
  template <class D, class V>
  static HWY_INLINE auto bad(D d, V a, V b, V r) {
    const V flip = top_bit(d);
    return SubtractNarrow::bad(d, hn::Xor(a, flip), hn::Xor(b, flip), r);
  }
};
// Adds or subtracts as Within does.
template <class Within>
struct WideCharacter : Within {
  static constexpr bool checked = true;
  template <class D, class V>
  static HWY_INLINE auto bad(D d, V, V, V r) {
    return hn::Or(hn::Lt(r, hn::Zero(d)), hn::Gt(r, hn::Set(d, 0x10FFFF)));
  }
};

struct Negate : Checked {
  template <class D, class V>
  static HWY_INLINE V apply(D d, V a) {
    return hn::Sub(hn::Zero(d), a);
  }
  template <class D, class V>
  static HWY_INLINE V bad(D, V a, V r) {
    return hn::And(a, r);
  }
};
struct NegateF64 : Unchecked {
  template <class D, class V>
  static HWY_INLINE V apply(D d, V a) {
    return hn::Sub(hn::Zero(d), a);
  }
};
struct Magnitude : Checked {
  template <class D, class V>
  static HWY_INLINE V apply(D, V a) {
    return hn::Abs(a);
  }
  template <class D, class V>
  static HWY_INLINE V bad(D, V, V r) {
    return r;
  }
};
struct MagnitudeF64 : Unchecked {
  template <class D, class V>
  static HWY_INLINE V apply(D, V a) {
    return hn::Abs(a);
  }
};
struct Sign : Unchecked {
  template <class D, class V>
  static HWY_INLINE V apply(D d, V a) {
    using T = hn::TFromD<D>;
    return hn::Max(hn::Min(a, hn::Set(d, T{1})), hn::Set(d, T{-1}));
  }
};
struct SignF64 : Unchecked {  // a NaN counts as negative
  template <class D, class V>
  static HWY_INLINE V apply(D d, V a) {
    const V zero = hn::Zero(d);
    return hn::IfThenElse(hn::Gt(a, zero), hn::Set(d, 1.0), hn::IfThenElse(hn::Eq(a, zero), zero, hn::Set(d, -1.0)));
  }
};
template <class T>
struct FitsInteger : Checked {
  template <class D, class V>
  static HWY_INLINE auto bad(D d, V, V r) {
    return hn::Not(hn::And(hn::Le(hn::Set(d, hwy::LimitsMin<T>()), r), hn::Le(r, hn::Set(d, hwy::LimitsMax<T>()))));
  }
};
template <class T>
struct FloorTo : FitsInteger<T> {
  template <class D, class V>
  static HWY_INLINE V apply(D, V a) {
    return hn::Floor(a);
  }
};
template <class T>
struct CeilingTo : FitsInteger<T> {
  template <class D, class V>
  static HWY_INLINE V apply(D, V a) {
    return hn::Ceil(a);
  }
};
struct Floor : Unchecked {
  template <class D, class V>
  static HWY_INLINE V apply(D, V a) {
    return hn::Floor(a);
  }
};
struct Ceiling : Unchecked {
  template <class D, class V>
  static HWY_INLINE V apply(D, V a) {
    return hn::Ceil(a);
  }
};
struct SquareRoot : Unchecked {
  template <class D, class V>
  static HWY_INLINE V apply(D, V a) {
    return hn::Sqrt(a);
  }
};
struct Reciprocal : Unchecked {
  template <class D, class V>
  static HWY_INLINE V apply(D d, V a) {
    return hn::Div(hn::Set(d, 1.0), hn::Add(a, hn::Zero(d)));
  }
};

using I8 = Lanes<int8_t>;
using I16 = Lanes<int16_t>;
using I32 = Lanes<int32_t>;
using F64 = Lanes<double>;

template <class In, class Out, class Op>
constexpr DyadForms forms() {
  return {{dyad_loop<In, Out, Op, array_array>, dyad_loop<In, Out, Op, array_scalar>, dyad_loop<In, Out, Op, scalar_array>}};
}
template <class L, class Op>
constexpr DyadForms forms() {
  return forms<L, L, Op>();
}
// The same where the operands may change places.
template <class In, class Out, class Op>
constexpr DyadForms commuting_forms() {
  return {
      {dyad_loop<In, Out, Op, array_array>, dyad_loop<In, Out, Op, array_scalar>, swapped<dyad_loop<In, Out, Op, array_scalar>>}};
}
template <class L, class Op>
constexpr DyadForms commuting_forms() {
  return commuting_forms<L, L, Op>();
}
// The forms of integer + character by those of character + integer.
template <class L, class Op>
constexpr DyadForms turned_forms() {
  return {{swapped<dyad_loop<L, L, Op, array_array>>, swapped<dyad_loop<L, L, Op, scalar_array>>,
           swapped<dyad_loop<L, L, Op, array_scalar>>}};
}
template <class T, class Op>
constexpr DyadForms sums() {
  using L = Lanes<T>;
  return {
      {dyad_loop<L, L, Op, array_array>, few_or<L, Op, array_scalar, add_one<T>>, few_or<L, Op, scalar_array, add_to_one<T>>}};
}
template <class T, class Op>
constexpr DyadForms differences() {
  using L = Lanes<T>;
  return {{dyad_loop<L, L, Op, array_array>, few_or<L, Op, array_scalar, subtract_one<T, Op>>,
           few_or<L, Op, scalar_array, subtract_from_one<T>>}};
}
// Reads through Through where there are few.
template <class Through, class Op, Dyad lists, Dyad right, Dyad left>
constexpr DyadForms products() {
  return {{few_or<Through, Op, array_array, lists>, few_or<Through, Op, array_scalar, right>,
           few_or<Through, Op, scalar_array, left>}};
}
// Fills in tables, of lanes of type L, and products through others.
template <class Sum, class Difference, class Product, class Least, class Greatest, class L, class Through = L>
constexpr void fill_tables(ArithmeticKernels& k, Lane lane) {
  k.add[lane].table = table_loop<L, L, Sum>;
  k.subtract[lane].table = table_loop<L, L, Difference>;
  k.multiply[lane].table = table_loop<Through, Through, Product>;
  k.minimum[lane].table = table_loop<L, L, Least>;
  k.maximum[lane].table = table_loop<L, L, Greatest>;
}
// Fills in what characters that become no wider do with one of either.
template <class T>
constexpr void fill_characters(ArithmeticKernels& k, int width) {
  k.character_up[width].by_form[array_scalar] = shift_characters<T, true>;
  k.up_character[width].by_form[scalar_array] = shift_by_one<T>;
  k.character_down[width].by_form[array_scalar] = shift_characters<T, false>;
  k.character_distance[width].by_form[array_scalar] = character_distances<T, true>;
  k.character_distance[width].by_form[scalar_array] = character_distances<T, false>;
}
template <class Op, bool commutes>
constexpr void fill_widening(DyadForms* forms_of) {
  const auto fill = [&]<class In, class Out>(int i, In, Out) {
    if constexpr (commutes)
      forms_of[i] = commuting_forms<In, Out, Op>();
    else
      forms_of[i] = forms<In, Out, Op>();
  };
  fill(0, Lanes<int8_t, int16_t>(), I16());
  fill(1, Lanes<int16_t, int32_t>(), I32());
  fill(2, Lanes<int32_t, double>(), F64());
}
template <class L, class Op>
constexpr Monad same() {
  return monad_in_words<L, L, Op>;
}

template <class T, class Op>
constexpr Monad to_f64() {
  return monad_in_words<Lanes<T, double>, F64, Op>;
}

const ArithmeticKernels* arithmetic_kernels() {
  static constexpr ArithmeticKernels kernels = [] {
    ArithmeticKernels k = {
        .add = {sums<int8_t, AddNarrow>(), sums<int16_t, AddNarrow>(), sums<int32_t, Add>(), commuting_forms<F64, AddWithin>()},
        .subtract = {differences<int8_t, SubtractNarrow>(), differences<int16_t, SubtractNarrow>(),
                     differences<int32_t, Subtract>(), forms<F64, SubtractWithin>()},
        .multiply =
            {products<Lanes<int8_t, int16_t>, MultiplyThrough<int8_t>, multiply_bytes, multiply_by_one<int8_t, true>,
                      multiply_by_one<int8_t, false>>(),
             products<I16, MultiplyI16, dyad_loop<I16, I16, MultiplyI16, array_array>, multiply_by_one<int16_t, true>,
                      multiply_by_one<int16_t, false>>(),
             products<I32, MultiplyI32, multiply_words, multiply_by_one<int32_t, true>, multiply_by_one<int32_t, false>>(),
             commuting_forms<F64, MultiplyWithin>()},
        .minimum = {commuting_forms<I8, Minimum>(), commuting_forms<I16, Minimum>(), commuting_forms<I32, Minimum>(),
                    forms<F64, Minimum>()},
        .maximum = {commuting_forms<I8, Maximum>(), commuting_forms<I16, Maximum>(), commuting_forms<I32, Maximum>(),
                    forms<F64, Maximum>()},
        .add_widening = {},
        .subtract_widening = {},
        .multiply_widening = {},
        .modulus = {forms<Lanes<int8_t, int32_t>, ModulusThroughF32>(),
                    forms<Lanes<int16_t, int32_t>, ModulusThroughF32>(),
                    forms<Lanes<int32_t, double>, ModulusThroughF64>(),
                    {}},
        .divide_f64 = forms<F64, Divide>(),
        .logic_or_f64 = commuting_forms<F64, LogicOr>(),
        .divide_i32 = forms<Lanes<int32_t, double>, F64, Divide>(),
        .character_up = {forms<I8, NarrowCharacterUp>(), forms<I16, NarrowCharacterUp>(), forms<I32, WideCharacter<AddWithin>>()},
        .up_character = {turned_forms<I8, NarrowCharacterUp>(), turned_forms<I16, NarrowCharacterUp>(),
                         turned_forms<I32, WideCharacter<AddWithin>>()},
        .character_down = {forms<I8, NarrowCharacterDown>(), forms<I16, NarrowCharacterDown>(),
                           forms<I32, WideCharacter<SubtractWithin>>()},
        .character_distance = {forms<I8, NarrowCharacterDistance>(), forms<I16, NarrowCharacterDistance>(),
                               forms<I32, SubtractWithin>()},
        .negate = {same<I8, Negate>(), same<I16, Negate>(), same<I32, Negate>(), same<F64, NegateF64>()},
        .magnitude = {same<I8, Magnitude>(), same<I16, Magnitude>(), same<I32, Magnitude>(), same<F64, MagnitudeF64>()},
        .sign = {same<I8, Sign>(), monad_in_words<I16, Lanes<int8_t, int16_t>, Sign>,
                 monad_in_words<I32, Lanes<int8_t, int32_t>, Sign>, monad_in_words<F64, Lanes<int8_t, double>, SignF64>},
        .floor_to = {to_integers<int8_t, FloorTo<int8_t>, true>, to_integers<int16_t, FloorTo<int16_t>, true>,
                     to_integers<int32_t, FloorTo<int32_t>, true>},
        .ceiling_to = {to_integers<int8_t, CeilingTo<int8_t>, true>, to_integers<int16_t, CeilingTo<int16_t>, true>,
                       to_integers<int32_t, CeilingTo<int32_t>, true>},
        .floor_f64 = same<F64, Floor>(),
        .ceiling_f64 = same<F64, Ceiling>(),
        .square_root = {to_f64<int8_t, SquareRoot>(), to_f64<int16_t, SquareRoot>(), to_f64<int32_t, SquareRoot>(),
                        same<F64, SquareRoot>()},
        .reciprocal = {to_f64<int8_t, Reciprocal>(), to_f64<int16_t, Reciprocal>(), to_f64<int32_t, Reciprocal>(),
                       same<F64, Reciprocal>()},
    };
    fill_characters<std::uint8_t>(k, 0);
    fill_characters<std::uint16_t>(k, 1);
    fill_widening<AddWithin, true>(k.add_widening);
    fill_widening<SubtractWithin, false>(k.subtract_widening);
    fill_widening<MultiplyWithin, true>(k.multiply_widening);
    fill_tables<AddWithin, SubtractWithin, MultiplyWithin, Minimum, Maximum, F64>(k, lane_f64);
    fill_tables<AddNarrow, SubtractNarrow, MultiplyThrough<int8_t>, Minimum, Maximum, I8, Lanes<int8_t, int16_t>>(k, lane_i8);
    fill_tables<AddNarrow, SubtractNarrow, MultiplyI16, Minimum, Maximum, I16>(k, lane_i16);
    fill_tables<Add, Subtract, MultiplyI32, Minimum, Maximum, I32>(k, lane_i32);
    k.divide_f64.table = table_loop<F64, F64, Divide>;
    k.divide_f64.by_form[array_scalar] = real_quotients_by_one;
    k.modulus[lane_i8].by_form[scalar_array] = modulus_by_one<int8_t, int32_t>;
    k.modulus[lane_i16].by_form[scalar_array] = modulus_by_one<int16_t, int32_t>;
    k.modulus[lane_i32].by_form[scalar_array] = modulus_by_one<int32_t, double>;
    // These targets have no fused multiply-add.
#if HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SSE4
    k.modulus[lane_f64] = forms<F64, ModulusF64>();
    k.modulus[lane_f64].by_form[scalar_array] = real_modulus_by_one;
    k.divide_i32.by_form[array_scalar] = quotients_by_one<int32_t>;
#endif
    return k;
  }();
  return &kernels;
}

}  // namespace
}  // namespace arithmetic_unit
using arithmetic_unit::arithmetic_kernels;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(arithmetic_kernels);
const ArithmeticKernels& arithmetic() { return *HWY_DYNAMIC_DISPATCH(arithmetic_kernels)(); }
}  // namespace griddle::kernels
#endif
