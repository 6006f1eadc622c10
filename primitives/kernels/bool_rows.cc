#include "primitives/kernels/bool_rows.h"

#include "primitives/kernels/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "primitives/kernels/bool_rows.cc"
#include "hwy/foreach_target.h"
//
#include <algorithm>
#include <bit>
#include <numeric>

#include "hwy/highway.h"

#if HWY_ARCH_X86
#include <immintrin.h>
#endif

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace {

using std::uint64_t;

constexpr uint64_t ones = ~uint64_t{0};

// Gathers the bits that `mask` names at the low end.
HWY_INLINE uint64_t gathered(uint64_t word, uint64_t mask) {
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  return _pext_u64(word, mask);
#else
  uint64_t result = 0;
  for (unsigned place = 0; mask != 0; mask &= mask - 1, place++) result |= (word >> std::countr_zero(mask) & 1) << place;
  return result;
#endif
}

// Says for each word of a period where rows begin, and which bits a shift within the word must not carry into.
struct Period {
  std::size_t words;
  int steps;
  uint64_t starts[64];
  uint64_t open[64][6];  // bits that lie at least 1, 2, 4, ... places into their row or before any start in the word
  uint64_t carried[64];  // bits that continue a row of the word before

  explicit Period(std::size_t columns) : words(columns / std::gcd(columns, std::size_t{64})), steps(0) {
    while ((std::size_t{1} << steps) < columns) steps++;
    for (std::size_t i = 0; i < words; i++) {
      starts[i] = 0;
      for (std::size_t b = 0; b < 64; b++)
        if ((64 * i + b) % columns == 0) starts[i] |= uint64_t{1} << b;
      carried[i] = starts[i] == 0 ? ones : (starts[i] & (0 - starts[i])) - 1;
      uint64_t barred = starts[i];
      for (int s = 0; s < 6; s++) {
        open[i][s] = ~barred;
        if (s < 5) barred |= barred << (1 << s);
      }
    }
  }
};

// Scans one word of rows; `before` is all ones where the last result of the word before is 1. Conjunction is disjunction of
// complements, which the caller makes.
template <bool exclusive>
HWY_INLINE uint64_t scanned(const Period& p, std::size_t i, uint64_t word, uint64_t before) {
  for (int s = 0; s < p.steps; s++) {
    const uint64_t shifted = (word << (1 << s)) & p.open[i][s];
    word = exclusive ? word ^ shifted : word | shifted;
  }
  before &= p.carried[i];
  return exclusive ? word ^ before : word | before;
}

// Calls use(place in the period, result) for each word of results.
template <bool exclusive, class Use>
HWY_INLINE void scan_words(const Period& p, uint64_t flip, const uint64_t* bits, std::size_t n, Use use) {
  uint64_t before = 0;
  for (std::size_t i = 0, place = 0; i < (n + 63) / 64; i++) {
    const uint64_t word = scanned<exclusive>(p, place, bits[i] ^ flip, before);
    before = 0 - (word >> 63);
    use(i, place, word ^ flip);
    if (++place == p.words) place = 0;
  }
}

void scan(RowFunction f, uint64_t* out, const uint64_t* bits, std::size_t columns, std::size_t n) {
  const Period p(columns);
  const auto store = [out](std::size_t i, std::size_t, uint64_t word) { out[i] = word; };
  if (f == RowFunction::exclusive_or)
    scan_words<true>(p, 0, bits, n, store);
  else
    scan_words<false>(p, f == RowFunction::and_ ? ones : 0, bits, n, store);
}

// Folds rows that are whole words.
template <class Of>
HWY_INLINE void fold_words(uint64_t* out, const uint64_t* bits, std::size_t rows, Of of) {
  for (std::size_t r = 0; r < rows; r += 64) {
    const std::size_t count = std::min<std::size_t>(rows - r, 64);
    uint64_t word = 0;
    for (std::size_t k = 0; k < count; k++) word |= uint64_t{of(bits[r + k])} << k;
    *out++ = word;
  }
}

void fold(RowFunction f, uint64_t* out, const uint64_t* bits, std::size_t columns, std::size_t rows) {
  if (columns == 64) {
    if (f == RowFunction::and_) return fold_words(out, bits, rows, [](uint64_t row) HWY_ATTR { return row == ones; });
    if (f == RowFunction::or_) return fold_words(out, bits, rows, [](uint64_t row) HWY_ATTR { return row != 0; });
    return fold_words(out, bits, rows, [](uint64_t row) HWY_ATTR { return std::popcount(row) % 2 == 1; });
  }
  const Period p(columns);
  uint64_t ends[64];
  for (std::size_t i = 0; i < p.words; i++) ends[i] = p.starts[i] >> 1 | p.starts[i + 1 == p.words ? 0 : i + 1] << 63;
  // The results of a row stand at its end; what a word has of them is appended.
  uint64_t* const end = out + (rows + 63) / 64;
  uint64_t pending = 0;
  std::size_t filled = 0;
  const auto append = [&](std::size_t, std::size_t place, uint64_t word) HWY_ATTR {
    const uint64_t found = gathered(word, ends[place]);
    const std::size_t count = static_cast<std::size_t>(std::popcount(ends[place]));
    pending |= found << filled;
    if (filled + count >= 64) {
      *out++ = pending;
      pending = filled == 0 ? 0 : found >> (64 - filled);
      filled += count - 64;
    } else {
      filled += count;
    }
  };
  const std::size_t n = rows * columns;
  if (f == RowFunction::exclusive_or)
    scan_words<true>(p, 0, bits, n, append);
  else
    scan_words<false>(p, f == RowFunction::and_ ? ones : 0, bits, n, append);
  // The last word may show ends of rows that are not there.
  if (out != end) *out = pending;
}

template <class T>
void count(T* out, const uint64_t* bits, std::size_t columns, std::size_t rows) {
  std::size_t place = 0;
  for (std::size_t r = 0; r < rows; r++) {
    std::size_t found = 0;
    for (std::size_t left = columns; left != 0;) {
      const std::size_t step = std::min<std::size_t>(left, 64), shift = place & 63;
      uint64_t word = bits[place >> 6] >> shift;
      if (shift + step > 64) word |= bits[(place >> 6) + 1] << (64 - shift);
      found += static_cast<std::size_t>(std::popcount(word << (64 - step)));
      place += step;
      left -= step;
    }
    out[r] = static_cast<T>(found);
  }
}

const BoolRowKernels* table() {
  static constexpr BoolRowKernels kernels = {scan, fold, count<std::int8_t>, count<std::int16_t>, count<double>};
  return &kernels;
}

}  // namespace
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(table);
const BoolRowKernels& bool_rows() { return *HWY_DYNAMIC_DISPATCH(table)(); }
}  // namespace griddle::kernels
#endif
