#include "primitives/kernels/shared/convert.h"

#include "hwy/highway.h"
#include "primitives/kernels/shared/loops-inl.h"
#include "primitives/kernels/shared/rounding-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace convert_unit {
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
#if HWY_TARGET == HWY_AVX2
// Makes whole vectors of narrower integers: their distances from the least one are below the range of the type where they fit.
template <class From, class To>
struct NarrowedSource {
  using V = hn::Vec<hn::ScalableTag<To>>;
  static constexpr std::size_t lanes = 32 / sizeof(From);
  const From* x;

  static bool reads(const void*) { return false; }
  static HWY_INLINE bool none_bad(V marks) {
    const auto outside = hn::Set(hn::ScalableTag<From>(), static_cast<From>(~From{0} << (8 * sizeof(To))));
    return _mm256_testz_si256(marks.raw, outside.raw) != 0;
  }
  HWY_INLINE V at(std::size_t i, V& bad) const {
    const V half = hn::Set(hn::ScalableTag<To>(), hwy::LimitsMin<To>());
    __m256i packed = two(i, bad);
    if constexpr (sizeof(From) == 2 * sizeof(To)) {
      packed = _mm256_permute4x64_epi64(packed, 0xD8);
    } else {
      packed = _mm256_packus_epi16(packed, two(i + 2 * lanes, bad));
      packed = _mm256_permutevar8x32_epi32(packed, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
    }
    return hn::Xor(V{packed}, half);
  }

 private:
  HWY_INLINE __m256i distances(std::size_t i, V& bad) const {
    const hn::ScalableTag<From> d;
    const __m256i far = hn::Sub(hn::LoadU(d, x + i), hn::Set(d, From{hwy::LimitsMin<To>()})).raw;
    bad.raw = _mm256_or_si256(bad.raw, far);
    return far;
  }
  // Two vectors as elements of half the width, whose halves lie together.
  HWY_INLINE __m256i two(std::size_t i, V& bad) const {
    const __m256i first = distances(i, bad), second = distances(i + lanes, bad);
    return sizeof(From) == 4 ? _mm256_packus_epi32(first, second) : _mm256_packus_epi16(first, second);
  }
};
#endif

template <class From, class To>
std::size_t narrowing(void* out, const void* x, std::size_t n) {
#if HWY_TARGET == HWY_AVX2
  if (n >= Lanes<To>::count())
    return whole_vectors<Lanes<To>, true>(static_cast<To*>(out), NarrowedSource<From, To>{static_cast<const From*>(x)}, n);
#endif
  return monad_loop<Lanes<From>, Lanes<To, From>, Fits<To>>(out, x, n);
}

// Gives the mask of the bits from place `offset` on; reads no word in which none of the `count` bits lies.
template <class D>
HWY_INLINE hn::Mask<D> mask_at(D d, const uint64_t* bits, std::size_t offset, std::size_t count) {
  const std::size_t word = offset >> 6, shift = offset & 63;
  uint64_t b = bits[word] >> shift;
  if (shift + count > 64) b |= bits[word + 1] << (64 - shift);
  return hn::LoadMaskBits(d, reinterpret_cast<const uint8_t*>(&b));
}

// Chooses one of two elements by each bit.
template <class T>
struct ChooseSource {
  using D = hn::ScalableTag<T>;
  const uint64_t* bits;
  std::size_t offset;
  hn::Vec<D> zero, one;

  ChooseSource(const uint64_t* all_bits, std::size_t first, T of_0, T of_1)
      : bits(all_bits), offset(first), zero(hn::Set(D(), of_0)), one(hn::Set(D(), of_1)) {}
  HWY_INLINE hn::Vec<D> at(std::size_t i, hn::Vec<D>&) const {
    const D d;
    return hn::IfThenElse(mask_at(d, bits, offset + i, hn::Lanes(d)), one, zero);
  }
  HWY_INLINE hn::Vec<D> few(std::size_t n, hn::Vec<D>&) const { return hn::IfThenElse(mask_at(D(), bits, offset, n), one, zero); }
};

template <class T>
void choose(void* out, const uint64_t* bits, std::size_t offset, std::size_t n, T zero, T one) {
  std::size_t i = 0;
#if HWY_TARGET == HWY_AVX2
  if constexpr (sizeof(T) == 1) {
    // Every lane of a half gets the byte with its bit, and looks at that.
    const hn::ScalableTag<T> d;
    const hn::ScalableTag<uint8_t> du;
    const hn::ScalableTag<uint64_t> words;
    alignas(32) static constexpr uint8_t bytes[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1,
                                                    2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3};
    const auto low = hn::Load(du, bytes), high = hn::Add(low, hn::Set(du, 4));
    const auto own = hn::BitCast(du, hn::Set(words, 0x8040201008040201));
    const auto of_0 = hn::BitCast(du, hn::Set(d, zero)), of_1 = hn::BitCast(du, hn::Set(d, one));
    uint8_t* to = static_cast<uint8_t*>(out);
    const auto store = [&](uint64_t word, std::size_t place) HWY_ATTR {
      const auto all = hn::BitCast(du, hn::Set(words, word));
      hn::StoreU(hn::IfThenElse(hn::TestBit(hn::TableLookupBytes(all, low), own), of_1, of_0), du, to + place);
      hn::StoreU(hn::IfThenElse(hn::TestBit(hn::TableLookupBytes(all, high), own), of_1, of_0), du, to + place + 32);
    };
    if (offset == 0 && n >= 64) {
      for (; i + 64 <= n; i += 64) store(*bits++, i);
      // The last 64 come from two words.
      if (const std::size_t rest = n % 64; rest != 0) store(bits[-1] >> rest | bits[0] << (64 - rest), n - 64);
      return;
    }
  }
#endif
  each_vector<Lanes<T>, false, ChooseSource<T>>(static_cast<T*>(out) + i, n - i, bits, offset, zero, one);
}
template <class T>
void expand_bits(void* out, const uint64_t* bits, std::size_t offset, std::size_t n) {
  choose<T>(out, bits, offset, n, 0, 1);
}
template <class T>
void choose_by_bits(void* out, const uint64_t* bits, std::size_t n, const void* zero, const void* one) {
  choose<T>(out, bits, 0, n, *static_cast<const T*>(zero), *static_cast<const T*>(one));
}

// The two are bytes of 0 or 1. What lies beyond the last bit is of no account.
void choose_bits_by_bits(void* out, const uint64_t* bits, std::size_t n, const void* zero, const void* one) {
  const uint64_t of_0 = *static_cast<const uint8_t*>(zero) ? ~uint64_t{0} : 0;
  const uint64_t of_1 = *static_cast<const uint8_t*>(one) ? ~uint64_t{0} : 0;
  uint64_t* to = static_cast<uint64_t*>(out);
  for (std::size_t i = 0; i < (n + 63) / 64; i++) to[i] = (bits[i] & of_1) | (~bits[i] & of_0);
}

template <class T>
void overwrite_ones(void* out, const uint64_t* bits, std::size_t n, const void* one) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  T* to = static_cast<T*>(out);
  const T value = *static_cast<const T*>(one);
  const auto of_1 = hn::Set(d, value);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes)
    hn::StoreU(hn::IfThenElse(mask_at(d, bits, i, lanes), of_1, hn::LoadU(d, to + i)), d, to + i);
  for (; i < n; i++)
    if (bits[i >> 6] >> (i & 63) & 1) to[i] = value;
}

template <bool sum>
struct BitsSource {
  using D = hn::ScalableTag<int8_t>;
  const uint64_t *w, *x;

  HWY_INLINE hn::Vec<D> at(std::size_t i, hn::Vec<D>&) const { return combined(i, hn::Lanes(D())); }
  HWY_INLINE hn::Vec<D> few(std::size_t n, hn::Vec<D>&) const { return combined(0, n); }

 private:
  HWY_INLINE hn::Vec<D> combined(std::size_t i, std::size_t count) const {
    const D d;
    // As vectors, masks are 0 and -1.
    const auto left = hn::VecFromMask(d, mask_at(d, w, i, count)), right = hn::VecFromMask(d, mask_at(d, x, i, count));
    if constexpr (sum) return hn::Sub(hn::Sub(hn::Zero(d), left), right);
    return hn::Sub(right, left);
  }
};
template <bool sum>
std::size_t combine_bits(void* out, const void* w, const void* x, std::size_t n) {
  return each_vector<Lanes<int8_t>, false, BitsSource<sum>>(static_cast<int8_t*>(out), n, static_cast<const uint64_t*>(w),
                                                            static_cast<const uint64_t*>(x));
}

// Counts on from vector to vector: Highway makes numbers in a row through memory.
template <class T>
void range_of(void* out_bytes, double start, std::size_t n) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  T* out = static_cast<T*>(out_bytes);
  const auto step = hn::Set(d, static_cast<T>(lanes)), two = hn::Add(step, step), three = hn::Add(two, step),
             four = hn::Add(two, two);
  auto v = hn::Iota(d, static_cast<T>(start));
  std::size_t i = 0;
  for (; i + 4 * lanes <= n; i += 4 * lanes) {
    hn::StoreU(v, d, out + i);
    hn::StoreU(hn::Add(v, step), d, out + i + lanes);
    hn::StoreU(hn::Add(v, two), d, out + i + 2 * lanes);
    hn::StoreU(hn::Add(v, three), d, out + i + 3 * lanes);
    v = hn::Add(v, four);
  }
  for (; i + lanes <= n; i += lanes) {
    hn::StoreU(v, d, out + i);
    v = hn::Add(v, step);
  }
  if (i == n) return;
  HWY_ALIGN T part[hn::MaxLanes(d)];
  hn::Store(v, d, part);
  if (n - i > lanes) __builtin_unreachable();
  std::memcpy(out + i, part, (n - i) * sizeof(T));
}

const ConvertKernels* convert_kernels() {
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
    k.narrow[at(E::f64)][at(E::i32)] = to_integers<int32_t, Fits<int32_t>, false>;
    k.narrow[at(E::f64)][at(E::i16)] = to_integers<int16_t, Fits<int16_t>, false>;
    k.narrow[at(E::f64)][at(E::i8)] = to_integers<int8_t, Fits<int8_t>, false>;
    k.narrow[at(E::i32)][at(E::i16)] = narrowing<int32_t, int16_t>;
    k.narrow[at(E::i32)][at(E::i8)] = narrowing<int32_t, int8_t>;
    k.narrow[at(E::i16)][at(E::i8)] = narrowing<int16_t, int8_t>;
    k.expand[at(E::i8)] = expand_bits<int8_t>;
    k.expand[at(E::i16)] = expand_bits<int16_t>;
    k.expand[at(E::i32)] = expand_bits<int32_t>;
    k.expand[at(E::f64)] = expand_bits<double>;
    k.choose[at(E::bit)] = choose_bits_by_bits;
    k.choose[at(E::i8)] = choose_by_bits<int8_t>;
    k.choose[at(E::i16)] = choose_by_bits<int16_t>;
    k.choose[at(E::i32)] = choose_by_bits<int32_t>;
    k.choose[at(E::f64)] = choose_by_bits<double>;
    k.overwrite[at(E::i8)] = k.overwrite[at(E::c8)] = overwrite_ones<uint8_t>;
    k.overwrite[at(E::i16)] = k.overwrite[at(E::c16)] = overwrite_ones<uint16_t>;
    k.overwrite[at(E::i32)] = k.overwrite[at(E::c32)] = overwrite_ones<uint32_t>;
    k.overwrite[at(E::f64)] = overwrite_ones<double>;
    k.range[lane_i8] = range_of<int8_t>;
    k.range[lane_i16] = range_of<int16_t>;
    k.range[lane_i32] = range_of<int32_t>;
    k.range[lane_f64] = range_of<double>;
    k.sum_of_bits = combine_bits<true>;
    k.difference_of_bits = combine_bits<false>;
    return k;
  }();
  return &kernels;
}

}  // namespace
}  // namespace convert_unit
using convert_unit::convert_kernels;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(convert_kernels);
const ConvertKernels& convert() { return *HWY_DYNAMIC_DISPATCH(convert_kernels)(); }

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
