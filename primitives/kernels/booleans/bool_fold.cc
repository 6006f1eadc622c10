#include "primitives/kernels/booleans/bool_fold.h"

#include <algorithm>
#include <bit>

#include "hwy/highway.h"
#include "primitives/kernels/booleans/first_place-inl.h"
#include "primitives/kernels/shared/loops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace bool_fold_unit {
namespace {

using std::uint64_t;

constexpr uint64_t ones = ~uint64_t{0};

uint64_t tail_mask(std::size_t n) { return n % 64 == 0 ? ~uint64_t{0} : (uint64_t{1} << n % 64) - 1; }

template <class V>
HWY_INLINE void carry_save(V& high, V& low, V a, V b) {
  const V u = hn::Xor(low, a);
  high = hn::Or(hn::And(low, a), hn::And(u, b));
  low = hn::Xor(u, b);
}

template <bool flipped>
HWY_INLINE std::size_t count_words(const uint64_t* bits, std::size_t words, uint64_t flip) {
  [[maybe_unused]] std::size_t count = 0;
  std::size_t i = 0;
  const hn::ScalableTag<uint64_t> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto flips = hn::Set(d, flip);
#if HWY_TARGET == HWY_AVX3_DL
  auto count0 = hn::Zero(d), count1 = count0, count2 = count0, count3 = count0;
  const auto counts = [flips](auto v) HWY_ATTR { return hn::PopulationCount(flipped ? hn::Xor(v, flips) : v); };
  const auto at = [&](std::size_t k) HWY_ATTR { return counts(hn::LoadU(d, bits + k)); };
  for (; i + 4 * lanes <= words; i += 4 * lanes) {
    count0 = hn::Add(count0, at(i));
    count1 = hn::Add(count1, at(i + lanes));
    count2 = hn::Add(count2, at(i + 2 * lanes));
    count3 = hn::Add(count3, at(i + 3 * lanes));
  }
  for (; i + lanes <= words; i += lanes) count0 = hn::Add(count0, at(i));
  const auto rest = hn::FirstN(d, words - i);
  const auto last = hn::IfThenElseZero(rest, counts(hn::MaskedLoad(rest, d, bits + i)));
  return hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(count0, count1), hn::Add(hn::Add(count2, last), count3))));
#else
  // Ports for vectors and for words work side by side.
  constexpr std::size_t beside = (flipped ? 2 : 4) * hn::MaxLanes(d);
  if (words >= 8 * lanes + beside) {
    auto low = hn::Zero(d), twos = low, fours = low, total = low;
    std::size_t count0 = 0, count1 = 0;
    for (; i + 8 * lanes + beside <= words; i += 8 * lanes + beside) {
      const auto at = [&](std::size_t k) HWY_ATTR {
        const auto v = kept(hn::LoadU(d, bits + i + k * lanes));
        return flipped ? hn::Xor(v, flips) : v;
      };
      auto twos_a = low, twos_b = low, fours_a = low, fours_b = low, eights = low;
      carry_save(twos_a, low, at(0), at(1));
      carry_save(twos_b, low, at(2), at(3));
      carry_save(fours_a, twos, twos_a, twos_b);
      carry_save(twos_a, low, at(4), at(5));
      carry_save(twos_b, low, at(6), at(7));
      carry_save(fours_b, twos, twos_a, twos_b);
      carry_save(eights, fours, fours_a, fours_b);
      total = hn::Add(total, hn::PopulationCount(eights));
      for (std::size_t k = 0; k < beside; k += 2) {
        const uint64_t* word = bits + i + 8 * lanes + k;
        count0 += static_cast<std::size_t>(std::popcount(flipped ? word[0] ^ flip : word[0]));
        count1 += static_cast<std::size_t>(std::popcount(flipped ? word[1] ^ flip : word[1]));
      }
    }
    total = hn::ShiftLeft<3>(total);
    total = hn::Add(total, hn::ShiftLeft<2>(hn::PopulationCount(fours)));
    total = hn::Add(total, hn::ShiftLeft<1>(hn::PopulationCount(twos)));
    total = hn::Add(total, hn::PopulationCount(low));
    count = hn::GetLane(hn::SumOfLanes(d, total)) + count0 + count1;
  }
#endif
#if HWY_TARGET != HWY_AVX3_DL
  const auto at = [=](std::size_t k) { return static_cast<std::size_t>(std::popcount(flipped ? bits[k] ^ flip : bits[k])); };
  for (; i + 4 <= words; i += 4) count += at(i) + at(i + 1) + (at(i + 2) + at(i + 3));
  for (; i < words; i++) count += at(i);
  return count;
#endif
}

std::size_t count_bits(const uint64_t* bits, std::size_t n, uint64_t flip) {
  const std::size_t words = n / 64;
  std::size_t count = flip != 0 ? count_words<true>(bits, words, flip) : count_words<false>(bits, words, flip);
  if (n % 64 != 0) count += static_cast<std::size_t>(std::popcount((bits[words] ^ flip) & tail_mask(n)));
  return count;
}

bool parity(const uint64_t* bits, std::size_t n) {
  const hn::ScalableTag<uint64_t> d;
  const std::size_t lanes = hn::Lanes(d), words = n / 64;
  auto all0 = hn::Zero(d), all1 = all0;
  std::size_t i = 0;
  for (; i + 8 * lanes <= words; i += 8 * lanes) {
    const auto at = [&](std::size_t k) HWY_ATTR { return hn::LoadU(d, bits + i + k * lanes); };
    all0 = hn::Xor(all0, hn::Xor(hn::Xor(at(0), at(1)), hn::Xor(at(2), at(3))));
    all1 = hn::Xor(all1, hn::Xor(hn::Xor(at(4), at(5)), hn::Xor(at(6), at(7))));
  }
  for (; i + 2 * lanes <= words; i += 2 * lanes) {
    all0 = hn::Xor(all0, hn::LoadU(d, bits + i));
    all1 = hn::Xor(all1, hn::LoadU(d, bits + i + lanes));
  }
  uint64_t all = 0;
#if HWY_TARGET == HWY_AVX3_DL
  if (i + lanes <= words) {
    all0 = hn::Xor(all0, hn::LoadU(d, bits + i));
    i += lanes;
  }
  all1 = hn::Xor(all1, hn::MaskedLoad(hn::FirstN(d, words - i), d, bits + i));
  const hn::Half<hn::DFromV<decltype(all0)>> half;
  const auto both = hn::Xor(all0, all1);
  const auto four = hn::Xor(hn::LowerHalf(half, both), hn::UpperHalf(half, both));
  const hn::Half<decltype(half)> quarter;
  const auto two = hn::Xor(hn::LowerHalf(quarter, four), hn::UpperHalf(quarter, four));
  all = hn::GetLane(hn::Xor(two, hn::Shuffle01(two)));
#else
  HWY_ALIGN uint64_t parts[hn::MaxLanes(d)];
  hn::Store(hn::Xor(all0, all1), d, parts);
  for (std::size_t k = 0; k < lanes; k++) all ^= parts[k];
  for (; i < words; i++) all ^= bits[i];
#endif
  if (n % 64 != 0) all ^= bits[words] & tail_mask(n);
  return std::popcount(all) & 1;
}

std::size_t first(const uint64_t* bits, std::size_t n, uint64_t flip) { return first_place(bits, n, flip); }

const uint64_t* words(const void* x) { return static_cast<const uint64_t*>(x); }

double sum(const void* x, std::size_t n) { return static_cast<double>(count_bits(words(x), n, 0)); }
// Turns every other bit, so that a subtraction counts as an addition less 1.
double difference(const void* x, std::size_t n) {
  constexpr uint64_t odd_places = 0xAAAAAAAAAAAAAAAA;
  return static_cast<double>(count_bits(words(x), n, odd_places)) - static_cast<double>(n / 2);
}
double fold_and(const void* x, std::size_t n) { return first(words(x), n, ones) == n; }
double fold_or(const void* x, std::size_t n) { return first(words(x), n, 0) != n; }
double exclusive_or(const void* x, std::size_t n) { return parity(words(x), n); }
double equal(const void* x, std::size_t n) { return parity(words(x), n) == (n % 2 == 1); }
double less(const void* x, std::size_t n) { return first(words(x), n, 0) == n - 1; }
double less_equal(const void* x, std::size_t n) { return first(words(x), n, ones) != n - 1; }
double greater(const void* x, std::size_t n) { return static_cast<double>(first(words(x), n, ones) % 2); }
double greater_equal(const void* x, std::size_t n) { return first(words(x), n, 0) % 2 == 0; }

const BoolFoldKernels* bool_fold_kernels() {
  static constexpr BoolFoldKernels kernels = {
      .sum = sum,
      .difference = difference,
      .and_ = fold_and,
      .or_ = fold_or,
      .exclusive_or = exclusive_or,
      .equal = equal,
      .less = less,
      .less_equal = less_equal,
      .greater = greater,
      .greater_equal = greater_equal,
      .count = count_bits,
      .first = first,
  };
  return &kernels;
}

}  // namespace
}  // namespace bool_fold_unit
using bool_fold_unit::bool_fold_kernels;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(bool_fold_kernels);
const BoolFoldKernels& bool_fold() { return *HWY_DYNAMIC_DISPATCH(bool_fold_kernels)(); }
}  // namespace griddle::kernels
#endif
