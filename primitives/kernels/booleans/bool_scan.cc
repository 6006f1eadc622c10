#include "primitives/kernels/booleans/bool_scan.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "hwy/highway.h"
#include "primitives/kernels/booleans/first_place-inl.h"
#include "primitives/kernels/booleans/long_strides-inl.h"
#include "primitives/kernels/booleans/prefix_parity-inl.h"
#include "primitives/kernels/shared/bits-inl.h"
#include "primitives/kernels/shared/loops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace bool_scan_unit {
namespace {

using std::uint64_t, std::uint8_t;

constexpr uint64_t ones = ~uint64_t{0};
constexpr uint64_t odd_places = 0xAAAAAAAAAAAAAAAA;

// --- what depends on one place

// Writes n bits: `before` up to place p, the opposite from there on.
void write_switch(uint64_t* out, std::size_t n, std::size_t p, bool before) {
  const std::size_t words = words_of(n), full = std::min(p, n) / 64;
  std::memset(out, before ? 0xFF : 0, 8 * full);
  if (full == words) return;
  const uint64_t after_mask = ones << (p % 64);
  out[full] = p >= n ? (before ? ones : 0) : before ? ~after_mask : after_mask;
  std::memset(out + full + 1, before ? 0 : 0xFF, 8 * (words - full - 1));
}

// Writes n bits: those of `flip`, which are all the same, up to the first that differs from them, the opposite from there on.
// Copies words from place i on, of `count`, as long as all bits of a vector are those of `flip`; gives the place of the first one
// left.
template <uint64_t flip, std::size_t lanes>
HWY_INLINE std::size_t copy_alike(uint64_t* out, const uint64_t* bits, std::size_t i, std::size_t count) {
  const hn::CappedTag<uint64_t, lanes> d;
  const std::size_t step = hn::Lanes(d);
  const auto all = in_register(hn::Set(d, flip));
  for (; i + step <= count; i += step) {
    if (!hn::AllTrue(d, hn::Eq(hn::LoadU(d, bits + i), all))) break;
    hn::StoreU(all, d, out + i);
  }
  return i;
}

// Writes n bits: those of `flip`, which are all the same, up to the first that differs from them, the opposite from there on.
template <uint64_t flip>
void scan_to_switch(uint64_t* out, const uint64_t* bits, std::size_t n) {
  const hn::ScalableTag<uint64_t> d;
  // Bits beyond n may differ: the last word is looked at alone.
  const std::size_t lanes = hn::Lanes(d), words = words_of(n), whole = n / 64;
  const auto before = in_register(hn::Set(d, flip)), after = hn::Set(d, ~flip);
  std::size_t i = 0;
  for (; i + 4 * lanes <= whole; i += 4 * lanes) {
    const auto differs = [&](std::size_t k) HWY_ATTR { return hn::Xor(hn::LoadU(d, bits + i + k * lanes), before); };
    if (!hn::AllTrue(d, hn::Eq(hn::Or(hn::Or(differs(0), differs(1)), hn::Or(differs(2), differs(3))), hn::Zero(d)))) break;
    for (std::size_t k = 0; k < 4; k++) hn::StoreU(before, d, out + i + k * lanes);
  }
  i = copy_alike<flip, 8>(out, bits, i, whole);
  i = copy_alike<flip, 4>(out, bits, i, whole);
  i = copy_alike<flip, 2>(out, bits, i, whole);
  for (; i < words; i++) {
    const uint64_t differs = bits[i] ^ flip;
    out[i] = flip;
    if (differs == 0) continue;
    // All ones from the lowest one on.
    out[i++] = flip ^ (differs | (0 - differs));
    break;
  }
  // Vectors go on where they cross no line.
  if (i + lanes <= words) {
    hn::StoreU(after, d, out + i);
    i += lanes - reinterpret_cast<std::uintptr_t>(out + i) / sizeof(uint64_t) % lanes;
  }
  for (; i + lanes <= words; i += lanes) hn::StoreU(after, d, out + i);
  for (; i < words; i++) out[i] = ~flip;
}

template <uint64_t flip>
void scan_greater(uint64_t* out, const uint64_t* bits, std::size_t n) {
  if (((bits[0] ^ flip) & 1) == 0) return write_switch(out, n, n, flip != 0);
  std::size_t p = n;
  if (const uint64_t rest = (bits[0] ^ flip) & ~uint64_t{1}; rest != 0)
    p = std::min(n, static_cast<std::size_t>(std::countr_zero(rest)));
  else if (n > 64)
    p = 64 + first_place(bits + 1, n - 64, flip);
  write_switch(out, n, p, flip == 0);
}

// --- exclusive or: words are scanned on their own, and what they carry is found from their parities

template <uint64_t flip>
void scan_exclusive_or(uint64_t* out, const uint64_t* bits, std::size_t n) {
  std::size_t i = 0;
  const std::size_t words = words_of(n);
  uint64_t carry = 0;  // all ones where the last result is 1
#if HWY_TARGET == HWY_AVX3_DL
  i = prefix_parity_by_bytes(out, bits, words, flip, carry);
#else
  using D = hn::CappedTag<uint64_t, 4>;
  const D d;
  const hn::RebindToSigned<D> sd;
  constexpr std::size_t lanes = hn::MaxLanes(D());
  const auto flips = in_register(hn::Set(d, flip));
  for (std::size_t odd = 0; i + lanes <= words; i += lanes) {
    const auto word = prefix_parity_in_words(hn::LoadU(d, bits + i));
    const uint64_t signs = bits_of_mask(sd, hn::Lt(hn::BitCast(sd, word), hn::Zero(sd)));
    const auto carried = hn::LoadU(d, carried_parities[odd][signs]);
    hn::StoreU(hn::Xor(hn::Xor(word, flips), carried), d, out + i);
    odd ^= 0x6996 >> signs & 1;
    carry = 0 - uint64_t{odd};
  }
#endif
  for (; i < words; i++) {
    uint64_t word = bits[i];
    for (unsigned shift = 1; shift < 64; shift *= 2) word ^= word << shift;
    word ^= carry;
    carry = 0 - (word >> 63);
    out[i] = word ^ flip;
  }
}

// --- less: every other 1 of each run of ones is turned off, counted from the run's start

uint64_t alternate_in_runs(uint64_t x) {
  const uint64_t starts = x & ~(x << 1);
  const uint64_t from_even = x & ~(x + (starts & ~odd_places));
  return x & ~(from_even ^ ~odd_places);
}

template <uint64_t flip>
void scan_less(uint64_t* out, const uint64_t* bits, std::size_t n) {
  const std::size_t words = words_of(n);
  std::size_t i = 0;
  uint64_t carry = 0;  // the last result
  using D = hn::CappedTag<uint64_t, 4>;
  const D d;
  const hn::RebindToSigned<D> sd;
  constexpr std::size_t lanes = hn::MaxLanes(D());
  const auto even = hn::Set(d, ~odd_places), one = hn::Set(d, 1), all = in_register(hn::Set(d, ones)),
             flips = in_register(hn::Set(d, flip));
  for (; i + lanes <= words; i += lanes) {
    const auto x = hn::Xor(hn::LoadU(d, bits + i), flips);
    const auto starts = hn::AndNot(hn::Add(x, x), x);
    const auto from_even = hn::AndNot(hn::Add(x, hn::And(starts, even)), x);
    const auto alone = hn::AndNot(hn::Xor(from_even, even), x);
    // Where the bit before is on, the run that begins a word alternates the other way round.
    const auto leading = hn::AndNot(hn::Add(x, one), x);
    // A word ends in the result that it has alone, or, if it is all ones, in the one that came before it: carries of an addition.
    const uint64_t ends = bits_of_mask(sd, hn::Lt(hn::BitCast(sd, alone), hn::Zero(sd)));
    const uint64_t passes = bits_of_mask(d, hn::Eq(x, all));
    const uint64_t carried = ((ends << 1 | carry) + passes) ^ passes;
    const auto turned = hn::And(leading, hn::LoadU(d, lane_masks[carried & 15]));
    hn::StoreU(hn::Xor(hn::Xor(alone, turned), flips), d, out + i);
    carry = carried >> lanes & 1;
  }
  for (; i < words; i++) {
    const uint64_t x = bits[i] ^ flip, alone = alternate_in_runs(x);
    const uint64_t result = alone ^ (carry != 0 ? x & ~(x + 1) : 0);
    carry = result >> 63;
    out[i] = result ^ flip;
  }
}

// --- down columns

uint64_t combined(bool exclusive, uint64_t a, uint64_t b) { return exclusive ? a ^ b : a | b; }

// Says for each of 16 bytes which byte repeats the last `size` ones of its word, or of all.
template <std::size_t size>
struct LastBytes {
  alignas(16) uint8_t of_word[16];
  alignas(16) uint8_t of_block[16];
  constexpr LastBytes() : of_word(), of_block() {
    for (std::size_t k = 0; k < 16; k++) {
      of_word[k] = static_cast<uint8_t>(k / 8 * 8 + 8 - size + k % size);
      of_block[k] = static_cast<uint8_t>(16 - size + k % size);
    }
  }
};

// Scans by strides that are powers of two below 64; gives the number of words done and the last result, not flipped, in `before`.
template <bool exclusive, uint64_t flip, int stride>
std::size_t scan_by_power(uint64_t* out, const uint64_t* bits, std::size_t words, uint64_t& before) {
  using D = hn::CappedTag<uint64_t, 4>;
  const D d;
  const hn::Repartition<uint8_t, D> bytes;
  constexpr std::size_t lanes = hn::MaxLanes(D()), size = stride < 8 ? 1 : stride / 8;
  static constexpr LastBytes<size> last_bytes;
  alignas(16) static constexpr auto last_bits = [] {
    std::array<uint8_t, 16> repeated = {};
    for (unsigned k = 0; k < 16 && stride < 8; k++) repeated[k] = static_cast<uint8_t>(stride == 2 ? k / 4 * 0x55 : k * 0x11);
    return repeated;
  }();
  const auto in_word = hn::LoadDup128(bytes, last_bytes.of_word), in_block = hn::LoadDup128(bytes, last_bytes.of_block);
  const auto places = [&](auto v, auto where)
                          HWY_ATTR { return hn::BitCast(d, hn::TableLookupBytes(hn::BitCast(bytes, v), where)); };
  const auto combine = [](auto a, auto b) HWY_ATTR {
    if constexpr (exclusive)
      return hn::Xor(a, b);
    else
      return hn::Or(a, b);
  };
  const auto flips = in_register(hn::Set(d, flip));
  auto carry = hn::Zero(d);
  std::size_t i = 0;
  for (; i + lanes <= words; i += lanes) {
    auto word = hn::LoadU(d, bits + i);
    if constexpr (flip != 0) word = hn::Xor(word, flips);
    if constexpr (stride <= 2) word = combine(word, hn::ShiftLeft<2>(word));
    if constexpr (stride <= 4) word = combine(word, hn::ShiftLeft<4>(word));
    if constexpr (stride <= 8) word = combine(word, hn::ShiftLeft<8>(word));
    if constexpr (stride <= 16) word = combine(word, hn::ShiftLeft<16>(word));
    word = combine(word, hn::ShiftLeft<32>(word));
    auto ends = places(word, in_word);
    if constexpr (stride < 8)
      ends = places(hn::LoadDup128(d, reinterpret_cast<const uint64_t*>(last_bits.data())),
                    hn::BitCast(bytes, hn::And(hn::ShiftRight<4>(ends), hn::Set(d, 0x0F0F0F0F0F0F0F0F))));
    // What the words before end in.
    auto ahead = hn::ShiftLeftLanes<1>(d, ends);
    if constexpr (lanes == 4)
      ahead = combine(ahead, hn::ConcatLowerLower(d, places(combine(ends, ahead), in_block), hn::Zero(d)));
    const auto result = combine(combine(word, carry), ahead);
    hn::StoreU(flip != 0 ? hn::Xor(result, flips) : result, d, out + i);
    auto last = places(combine(ends, ahead), in_block);
    if constexpr (lanes == 4) last = hn::ConcatUpperUpper(d, last, last);
    carry = combine(carry, last);
  }
  if (i != 0) before = out[i - 1] ^ flip;
  return i;
}

// Says how often a stride below 64 is doubled to make 64 bits or more: a division takes as long as a few words.
constexpr auto steps_in_word = [] {
  std::array<uint8_t, 64> steps = {};
  for (unsigned stride = 1; stride < 64; stride++) steps[stride] = static_cast<uint8_t>(std::bit_width(63 / stride));
  return steps;
}();

// Scans words by a stride below 64, onto the word before: 2^steps strides are 64 bits or more.
template <bool exclusive, uint64_t flip, int steps>
void scan_by_steps(std::size_t stride, uint64_t* out, const uint64_t* bits, std::size_t words, uint64_t before) {
  // Repeats the last `stride` results before a word through the whole word by a multiplication.
  uint64_t repeat = 1;
  for (int s = 0; s < steps; s++) repeat |= repeat << (stride << s & 63);
  const std::size_t back = 64 - stride;
  for (std::size_t i = 0; i < words; i++) {
    uint64_t word = bits[i] ^ flip;
    word = combined(exclusive, word, word << stride);
    if constexpr (steps > 1) word = combined(exclusive, word, word << 2 * stride);
    if constexpr (steps > 2) word = combined(exclusive, word, word << 4 * stride);
    if constexpr (steps > 3) word = combined(exclusive, word, word << 8 * stride);
    if constexpr (steps > 4) word = combined(exclusive, word, word << 16 * stride);
    if constexpr (steps > 5) word = combined(exclusive, word, word << 32 * stride);
    before = combined(exclusive, word, (before >> back) * repeat);
    out[i] = before ^ flip;
  }
}

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL

// For each stride below 64, where so many words on lie in it.
constexpr auto turns_of_words = [] {
  std::array<std::array<uint8_t, 16>, 64> turns = {};
  for (unsigned stride = 1; stride < 64; stride++)
    for (unsigned word = 0; word <= 8; word++) turns[stride][word] = static_cast<uint8_t>(64 * word % stride);
  return turns;
}();

// Scans eight words at a time: each by itself, then their last `stride` results one onto the other, turned to where they stand a
// word on.
template <bool exclusive, uint64_t flip, int steps>
void scan_by_vectors(std::size_t stride, uint64_t* out, const uint64_t* bits, std::size_t words) {
  const hn::ScalableTag<uint64_t> d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t lanes = 8;
  const int by = static_cast<int>(stride);
  uint64_t repeat = 1;
  for (int s = 0; s < steps; s++) repeat |= repeat << (stride << s & 63);
  const auto& turns = turns_of_words[stride];
  const auto bytes = hn::LoadU(hn::CappedTag<uint8_t, lanes>(), turns.data());
  const V right = hn::PromoteTo(d, hn::PromoteTo(hn::Rebind<uint32_t, decltype(d)>(), bytes)),
          left = hn::Sub(hn::Set(d, stride), right);
  const V flips = in_register(hn::Set(d, flip)), low = hn::Set(d, ~(ones << stride)), none = hn::Zero(d);
  const auto combine = [](V a, V b) HWY_ATTR { return exclusive ? hn::Xor(a, b) : hn::Or(a, b); };
  const auto turned = [=](V v, int turn)
                          HWY_ATTR { return hn::And(hn::Or(hn::ShiftRightSame(v, turn), hn::ShiftLeftSame(v, by - turn)), low); };
  V last = none;  // results before a vector, in all lanes
  const auto scanned = [&](V word) HWY_ATTR {
    word = hn::Xor(word, flips);
    for (int s = 0; s < steps; s++) word = combine(word, hn::ShiftLeftSame(word, by << s));
    V ends = hn::ShiftRightSame(word, 64 - by);
    ends = combine(ends, turned(V{_mm512_alignr_epi64(ends.raw, none.raw, 7)}, turns[1]));
    ends = combine(ends, turned(V{_mm512_alignr_epi64(ends.raw, none.raw, 6)}, turns[2]));
    ends = combine(ends, turned(V{_mm512_alignr_epi64(ends.raw, none.raw, 4)}, turns[4]));
    const V last_here = hn::And(hn::Or(hn::Shr(last, right), hn::Shl(last, left)), low);
    const V before = combine(V{_mm512_alignr_epi64(ends.raw, none.raw, 7)}, last_here);
    last = combine(V{_mm512_permutexvar_epi64(_mm512_set1_epi64(7), ends.raw)}, turned(last, turns[8]));
    return hn::Xor(combine(word, V{_mm512_mullo_epi64(before.raw, _mm512_set1_epi64(static_cast<long long>(repeat)))}), flips);
  };
  std::size_t i = 0;
  for (; i + lanes <= words; i += lanes) hn::StoreU(scanned(hn::LoadU(d, bits + i)), d, out + i);
  if (i == words) return;
  const auto rest = hn::FirstN(d, words - i);
  hn::BlendedStore(scanned(hn::MaskedLoad(rest, d, bits + i)), rest, d, out + i);
}

#endif

template <bool exclusive, uint64_t flip>
void scan_by(std::size_t stride, uint64_t* out, const uint64_t* bits, std::size_t n) {
  const std::size_t words = words_of(n);
  if (stride >= 64) {
    using Op = std::conditional_t<exclusive, RunningExclusiveOr, std::conditional_t<flip == 0, RunningOr, RunningAnd>>;
    return scan_by_long<Op>(stride, out, bits, words);
  }
  uint64_t before = 0;
  std::size_t i = 0;
  switch (stride) {
    case 2: i = scan_by_power<exclusive, flip, 2>(out, bits, words, before); break;
    case 4: i = scan_by_power<exclusive, flip, 4>(out, bits, words, before); break;
    case 8: i = scan_by_power<exclusive, flip, 8>(out, bits, words, before); break;
    case 16: i = scan_by_power<exclusive, flip, 16>(out, bits, words, before); break;
    case 32: i = scan_by_power<exclusive, flip, 32>(out, bits, words, before); break;
    default: break;
  }
  if (i == words) return;
  const auto rest = [=]<int steps>(std::integral_constant<int, steps>) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
    if (i == 0) return scan_by_vectors<exclusive, flip, steps>(stride, out, bits, words);
#endif
    scan_by_steps<exclusive, flip, steps>(stride, out + i, bits + i, words - i, before);
  };
  switch (steps_in_word[stride]) {
    case 1: return rest(std::integral_constant<int, 1>());
    case 2: return rest(std::integral_constant<int, 2>());
    case 3: return rest(std::integral_constant<int, 3>());
    case 4: return rest(std::integral_constant<int, 4>());
    case 5: return rest(std::integral_constant<int, 5>());
    default: return rest(std::integral_constant<int, 6>());
  }
}

template <void (*function)(uint64_t*, const uint64_t*, std::size_t)>
bool scan(void* out, const void* bits, std::size_t n) {
  function(static_cast<uint64_t*>(out), static_cast<const uint64_t*>(bits), n);
  return true;
}

const BoolScanKernels* bool_scan_kernels() {
  static constexpr BoolScanKernels kernels = {
      .and_ = scan<scan_to_switch<ones>>,
      .or_ = scan<scan_to_switch<0>>,
      .exclusive_or = scan<scan_exclusive_or<0>>,
      .equal = scan<scan_exclusive_or<odd_places>>,
      .less = scan<scan_less<0>>,
      .less_equal = scan<scan_less<ones>>,
      .greater = scan<scan_greater<0>>,
      .greater_equal = scan<scan_greater<ones>>,
      .and_by = scan_by<false, ones>,
      .or_by = scan_by<false, 0>,
      .exclusive_or_by = scan_by<true, 0>,
  };
  return &kernels;
}

}  // namespace
}  // namespace bool_scan_unit
using bool_scan_unit::bool_scan_kernels;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(bool_scan_kernels);
const BoolScanKernels& bool_scan() { return *HWY_DYNAMIC_DISPATCH(bool_scan_kernels)(); }
}  // namespace griddle::kernels
#endif
