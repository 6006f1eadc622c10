#include "primitives/kernels/elementwise/compare.h"

#include "hwy/highway.h"
#include "primitives/kernels/elementwise/compared-inl.h"
#include "primitives/kernels/shared/bits-inl.h"
#include "primitives/kernels/shared/loops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace compare_unit {
namespace {

using std::int16_t, std::int32_t, std::int8_t, std::uint16_t, std::uint64_t, std::uint8_t;

// Compares fewer elements than a vector has. Stands apart, so that longer loops need no room for parts of vectors.
template <Comparison c, class Left, class Right, Form form>
HWY_NOINLINE uint64_t compare_few(const typename Left::Memory* w, const typename Right::Memory* x, std::size_t n) {
  const typename Left::D d;
  if (n == 0 || n >= hn::MaxLanes(d)) __builtin_unreachable();
  const auto b = form == array_scalar ? Right::splat(*x) : load_few<Right>(x, n);
  return bits_of_mask(d, compared<c, hn::TFromD<typename Left::D>>(load_few<Left>(w, n), b));
}

// Compares 1 to 16 bytes of elements in words.
template <Comparison c, class Left, class Right, Form form>
HWY_INLINE uint64_t compare_in_words(const typename Left::Memory* w, const typename Right::Memory* x, std::size_t n) {
  using From = FewLanes<Left>;
  using T = hn::TFromD<typename Left::D>;
  const typename From::D d;
  const auto a = load_words<From>(w, n);
  const auto b = form == array_scalar ? FewLanes<Right>::splat(*x) : load_words<FewLanes<Right>>(x, n);
  return bits_of_mask(d, compared<c, T>(a, b));
}

// Says where two lists from the second-level cache are read by vectors half of which lies in the next line of it, so that each
// line is asked for twice. Zen 5 has two lists of 100 kB 12 % sooner then, and of 200 kB as soon; of one list, it makes no
// difference. Intel's chips take 1.4 times as long.
template <class Left, class Right, Form form>
constexpr bool across_lines = HWY_TARGET == HWY_AVX3&& form == array_array &&
                              sizeof(typename Left::Memory) <= 2 && std::is_same_v<typename Left::Memory, typename Right::Memory>;
constexpr std::size_t across_lines_from = 32768, across_lines_to = 163840;  // bytes of each list
HWY_INLINE bool reads_sooner_across_lines() {
#ifdef __x86_64__
  return __builtin_cpu_is("amd");
#else
  return false;
#endif
}

// Compares whole words and what is left of one.
template <Comparison c, class Left, class Right, Form form>
HWY_INLINE std::size_t compare_words(uint64_t* out, const typename Left::Memory* w, const typename Right::Memory* x,
                                     std::size_t n) {
  using D = typename Left::D;
  const D d;
  constexpr std::size_t lanes = hn::MaxLanes(D());
  constexpr uint64_t flip = negated<c, hn::TFromD<D>> ? ~uint64_t{0} : 0;
  if (n == 0) return 0;
  if (n <= FewLanes<Left>::count() && in_words(w, form == array_array ? static_cast<const void*>(x) : nullptr)) {
    *out = (compare_in_words<c, Left, Right, form>(w, x, n) ^ flip) & ((uint64_t{1} << n) - 1);
    return n;
  }
  if (n < lanes) {
    *out = (compare_few<c, Left, Right, form>(w, x, n) ^ flip) & ((uint64_t{1} << n) - 1);
    return n;
  }
  const ComparedSource<c, Left, Right, form> source = {w, x, Right::splat(*x)};
  std::size_t i = 0;
  const auto two_words = [&](void* to, std::size_t place) HWY_ATTR {
    const uint64_t words[] = {bits_of_64(d, source, place) ^ flip, bits_of_64(d, source, place + 64) ^ flip};
    std::memcpy(to, words, sizeof words);
  };
  if constexpr (across_lines<Left, Right, form>) {
    const std::size_t bytes = n * sizeof(*w);
    if (bytes >= across_lines_from && bytes <= across_lines_to && reads_sooner_across_lines()) {
      two_words(out, 0);
      for (i = lanes / 2; i + 128 <= n; i += 128) two_words(reinterpret_cast<unsigned char*>(out) + i / 8, i);
      i = i / 128 * 128;
      out += i / 64;
    }
  }
  for (const std::size_t end = n / 128 * 128; i != end; i += 128, out += 2) two_words(out, i);
  if (i + 64 <= n) {
    *out++ = bits_of_64(d, source, i) ^ flip;
    i += 64;
  }
  if (i == n) return n;
  uint64_t word = 0;
  std::size_t k = 0;
  for (; i + k + lanes <= n; k += lanes) word |= bits_of_mask(d, source.mask_at(i + k)) << k;
  // Compares the last whole vector and shifts out what is there already.
  if (const std::size_t rest = n - i - k; rest != 0) word |= bits_of_mask(d, source.mask_at(n - lanes)) >> (lanes - rest) << k;
  *out = (word ^ flip) & ((uint64_t{1} << (n - i)) - 1);
  return n;
}
#if HWY_TARGET == HWY_AVX2
// Stands apart, so that longer loops need no room for parts of vectors.
template <Comparison c, class Left, class Right, Form form>
HWY_NOINLINE std::size_t compare_short(uint64_t* out, const typename Left::Memory* w, const typename Right::Memory* x,
                                       std::size_t n) {
  if (n >= 64) __builtin_unreachable();
  return compare_words<c, Left, Right, form>(out, w, x, n);
}
#endif

// Never called with the scalar on the left, which is mirrored. Arrays of two types are loaded as Left and Right (Lanes) say.
template <Comparison c, class Left, class Right, Form form>
std::size_t compare_loop(void* out_bytes, const void* w_bytes, const void* x_bytes, std::size_t n) {
  static_assert(std::is_same_v<typename Left::D, typename Right::D>);
  uint64_t* out = static_cast<uint64_t*>(out_bytes);
  const auto* w = static_cast<const typename Left::Memory*>(w_bytes);
  const auto* x = static_cast<const typename Right::Memory*>(x_bytes);
#if HWY_TARGET == HWY_AVX2
  if (n < 64) return compare_short<c, Left, Right, form>(out, w, x, n);
  // Bits of 32 elements come together, and are written as they come, in order.
  using T = hn::TFromD<typename Left::D>;
  const typename Left::D d;
  constexpr std::uint32_t flip = negated<c, T> ? ~std::uint32_t{0} : 0;
  const ComparedSource<c, Left, Right, form> source = {w, x, Right::splat(*x)};
  auto* to = static_cast<unsigned char*>(out_bytes);
  std::size_t i = 0;
  const auto half_at = [&](std::size_t place) HWY_ATTR { return bits_of_32(d, source, place) ^ flip; };
  const auto store_halves = [&](std::size_t count) HWY_ATTR {
    for (std::size_t k = 0; k < count; k++) {
      const std::uint32_t half = half_at(i + 32 * k);
      std::memcpy(to + 4 * k, &half, sizeof half);
      stored_first(to[4 * k]);
    }
    i += 32 * count, to += 4 * count;
  };
  constexpr std::size_t halves = sizeof(T) == 1 ? 8 : 4;
  const std::size_t end = n / (32 * halves) * (32 * halves);
  while (i != end) store_halves(halves);
  if constexpr (halves == 8)
    if (n & 128) store_halves(4);
  if (n & 64) [[likely]]
    store_halves(2);
  // Compares the last whole vectors and shifts out what is there already.
  if (const std::size_t rest = n % 64; rest != 0) [[likely]] {
    std::uint64_t word = half_at(n - 32);
    if (rest > 32)
      word = (word << 32 | half_at(n - 64)) >> (64 - rest);
    else
      word >>= 32 - rest;
    std::memcpy(to, &word, sizeof word);
  }
  return n;
#else
  return compare_words<c, Left, Right, form>(out, w, x, n);
#endif
}

// Writes `words` words, whose vectors `at(d, i)` gives from place i on, each read before it is written.
template <class At>
HWY_INLINE void each_word(uint64_t* out, std::size_t words, At at) {
  const hn::ScalableTag<uint64_t> d;
  const hn::CappedTag<uint64_t, 1> one;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + 4 * lanes <= words; i += 4 * lanes) {
    // Processors like stores best in order, amid loads.
    for (std::size_t k = 0; k < 4; k++) {
      hn::StoreU(at(d, i + k * lanes), d, out + i + k * lanes);
      stored_first(out[i + k * lanes]);
    }
  }
  for (; i + lanes <= words; i += lanes) hn::StoreU(at(d, i), d, out + i);
  for (; i < words; i++) hn::StoreU(at(one, i), one, out + i);
}

template <BitFunction f, class V>
HWY_INLINE V on_bits(V a, V b) {
  if constexpr (f == BitFunction::and_)
    return hn::And(a, b);
  else if constexpr (f == BitFunction::or_)
    return hn::Or(a, b);
  else if constexpr (f == BitFunction::less)
    return hn::AndNot(a, b);
  else if constexpr (f == BitFunction::greater)
    return hn::AndNot(b, a);
  else if constexpr (f == BitFunction::less_equal)
    return hn::Or(hn::Not(a), b);
  else if constexpr (f == BitFunction::greater_equal)
    return hn::Or(a, hn::Not(b));
  else if constexpr (f == BitFunction::equal)
    return hn::Not(hn::Xor(a, b));
  else
    return hn::Xor(a, b);
}

template <BitFunction f, Form form>
std::size_t bits_loop(void* out, const void* w_bytes, const void* x_bytes, std::size_t n) {
  const uint64_t* w = static_cast<const uint64_t*>(w_bytes);
  const uint64_t* x = static_cast<const uint64_t*>(x_bytes);
  const uint64_t atom = form == array_array || n == 0 ? 0 : *(form == scalar_array ? w : x);
  each_word(static_cast<uint64_t*>(out), (n + 63) / 64, [=](auto d, std::size_t i) HWY_ATTR {
    if constexpr (form == scalar_array)
      return on_bits<f>(hn::Set(d, atom), hn::LoadU(d, x + i));
    else if constexpr (form == array_scalar)
      return on_bits<f>(hn::LoadU(d, w + i), hn::Set(d, atom));
    else
      return on_bits<f>(hn::LoadU(d, w + i), hn::LoadU(d, x + i));
  });
  return n;
}
std::size_t not_loop(void* out, const void* x_bytes, std::size_t n) {
  const uint64_t* x = static_cast<const uint64_t*>(x_bytes);
  each_word(static_cast<uint64_t*>(out), (n + 63) / 64,
            [=](auto d, std::size_t i) HWY_ATTR { return hn::Not(hn::LoadU(d, x + i)); });
  return n;
}

// Gives the lowest bits of `count` integers, less than 64 of them.
template <class T>
HWY_INLINE uint64_t lowest_bits(const T* x, std::size_t count) {
  uint64_t word = 0;
  std::size_t i = 0;
  if constexpr (sizeof(T) == 1)
    for (; i + 8 <= count; i += 8) {
      constexpr uint64_t each = 0x0101010101010101, gather = 0x0102040810204080;
      uint64_t eight;
      std::memcpy(&eight, x + i, sizeof eight);
      word |= (eight & each) * gather >> 56 << i;
    }
  for (; i < count; i++) word |= static_cast<uint64_t>(x[i] & 1) << i;
  return word;
}
template <class T>
std::size_t odd_loop(void* out_bytes, const void* x_bytes, std::size_t n) {
  const hn::ScalableTag<T> d;
  uint64_t* out = static_cast<uint64_t*>(out_bytes);
  const T* x = static_cast<const T*>(x_bytes);
  const std::size_t lanes = hn::Lanes(d);
  const auto one = hn::Set(d, T{1});
  std::size_t i = 0;
  for (; i + 64 <= n; i += 64) {
    uint64_t word = 0;
    for (std::size_t k = 0; k < 64; k += lanes) word |= bits_of_mask(d, hn::TestBit(hn::LoadU(d, x + i + k), one)) << k;
    out[i / 64] = word;
  }
  if (i != n) out[i / 64] = lowest_bits(x + i, n - i);
  return n;
}

template <Comparison c, class Left, class Right = Left>
std::size_t swapped_arrays(void* out, const void* w, const void* x, std::size_t n) {
  return compare_loop<mirrored(c), Right, Left, array_array>(out, x, w, n);
}
template <Comparison c, class L>
std::size_t swapped_scalar(void* out, const void* w, const void* x, std::size_t n) {
  return compare_loop<mirrored(c), L, L, array_scalar>(out, x, w, n);
}
template <Comparison c>
constexpr bool swaps = c == Comparison::greater || c == Comparison::greater_equal;
template <Comparison c, class T>
constexpr DyadForms forms() {
  using L = Lanes<T>;
  if constexpr (swaps<c>)
    return {{swapped_arrays<c, L>, compare_loop<c, L, L, array_scalar>, swapped_scalar<c, L>}};
  else
    return {{compare_loop<c, L, L, array_array>, compare_loop<c, L, L, array_scalar>, swapped_scalar<c, L>}};
}
// Fills in both orders of two types.
template <Comparison c, class Narrow, class Wide>
constexpr void fill_mixed(Dyad& narrow_left, Dyad& wide_left) {
  using N = Lanes<Narrow, Wide>;
  using W = Lanes<Wide>;
  constexpr bool symmetric = c == Comparison::equal || c == Comparison::not_equal;
  narrow_left = swaps<c> ? swapped_arrays<c, N, W> : compare_loop<c, N, W, array_array>;
  wide_left = swaps<c> || symmetric ? swapped_arrays<c, W, N> : compare_loop<c, W, N, array_array>;
}
template <Comparison c>
constexpr void fill_mixed(Dyad (*types)[lane_count]) {
  fill_mixed<c, int8_t, int16_t>(types[lane_i8][lane_i16], types[lane_i16][lane_i8]);
  fill_mixed<c, int8_t, int32_t>(types[lane_i8][lane_i32], types[lane_i32][lane_i8]);
  fill_mixed<c, int16_t, int32_t>(types[lane_i16][lane_i32], types[lane_i32][lane_i16]);
  fill_mixed<c, int8_t, double>(types[lane_i8][lane_f64], types[lane_f64][lane_i8]);
  fill_mixed<c, int16_t, double>(types[lane_i16][lane_f64], types[lane_f64][lane_i16]);
  fill_mixed<c, int32_t, double>(types[lane_i32][lane_f64], types[lane_f64][lane_i32]);
}
template <BitFunction f>
constexpr DyadForms bit_forms() {
  return {{bits_loop<f, array_array>, bits_loop<f, array_scalar>, bits_loop<f, scalar_array>}};
}
template <Comparison c>
constexpr void fill_row(DyadForms* row) {
  row[compared_i8] = forms<c, int8_t>();
  row[compared_i16] = forms<c, int16_t>();
  row[compared_i32] = forms<c, int32_t>();
  row[compared_f64] = forms<c, double>();
  constexpr bool signless = c == Comparison::equal || c == Comparison::not_equal;
  if constexpr (signless) {
    row[compared_u8] = row[compared_i8];
    row[compared_u16] = row[compared_i16];
  } else {
    row[compared_u8] = forms<c, uint8_t>();
    row[compared_u16] = forms<c, uint16_t>();
  }
}

const CompareKernels* compare_kernels() {
  static constexpr CompareKernels kernels = [] {
    CompareKernels k = {};
    fill_row<Comparison::less>(k.compare[0]);
    fill_row<Comparison::less_equal>(k.compare[1]);
    fill_row<Comparison::equal>(k.compare[2]);
    fill_row<Comparison::greater_equal>(k.compare[3]);
    fill_row<Comparison::greater>(k.compare[4]);
    fill_row<Comparison::not_equal>(k.compare[5]);
    k.bits[static_cast<int>(BitFunction::and_)] = bit_forms<BitFunction::and_>();
    k.bits[static_cast<int>(BitFunction::or_)] = bit_forms<BitFunction::or_>();
    k.bits[static_cast<int>(BitFunction::less)] = bit_forms<BitFunction::less>();
    k.bits[static_cast<int>(BitFunction::greater)] = bit_forms<BitFunction::greater>();
    k.bits[static_cast<int>(BitFunction::less_equal)] = bit_forms<BitFunction::less_equal>();
    k.bits[static_cast<int>(BitFunction::greater_equal)] = bit_forms<BitFunction::greater_equal>();
    k.bits[static_cast<int>(BitFunction::equal)] = bit_forms<BitFunction::equal>();
    k.bits[static_cast<int>(BitFunction::not_equal)] = bit_forms<BitFunction::not_equal>();
    k.not_bits = not_loop;
    k.odd[lane_i8] = odd_loop<int8_t>;
    k.odd[lane_i16] = odd_loop<int16_t>;
    k.odd[lane_i32] = odd_loop<int32_t>;
    fill_mixed<Comparison::less>(k.mixed[0]);
    fill_mixed<Comparison::less_equal>(k.mixed[1]);
    fill_mixed<Comparison::equal>(k.mixed[2]);
    fill_mixed<Comparison::greater_equal>(k.mixed[3]);
    fill_mixed<Comparison::greater>(k.mixed[4]);
    fill_mixed<Comparison::not_equal>(k.mixed[5]);
    return k;
  }();
  return &kernels;
}

}  // namespace
}  // namespace compare_unit
using compare_unit::compare_kernels;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(compare_kernels);
const CompareKernels& compare() { return *HWY_DYNAMIC_DISPATCH(compare_kernels)(); }
}  // namespace griddle::kernels
#endif
