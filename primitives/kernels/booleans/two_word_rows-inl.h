// Folds of rows of packed bits that lie within 16 bytes each, but not within a word: eight rows at a time, since these end
// with a byte. Included once per target.
#if defined(GRIDDLE_KERNELS_TWO_WORD_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDDLE_KERNELS_TWO_WORD_ROWS_INL_H_
#undef GRIDDLE_KERNELS_TWO_WORD_ROWS_INL_H_
#else
#define GRIDDLE_KERNELS_TWO_WORD_ROWS_INL_H_
#endif

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "hwy/highway.h"
#include "primitives/kernels/booleans/row_places.h"
#include "primitives/kernels/shared/across_lanes-inl.h"
#include "primitives/kernels/shared/bit_runs.h"
#include "primitives/kernels/shared/bits-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {

class TwoWordRows {
 public:
  using D = Blocks<std::uint64_t>;
  using V = hn::Vec<D>;
  static constexpr std::size_t blocks = hn::MaxLanes(D()) / 2, step = 8, vectors = step / blocks;
  static constexpr std::size_t in_group = 4 * blocks;  // rows of which one vector of 32-bit lanes tells

  // Tells whether rows can be read so, and are so many that it is worth it.
  static bool take(std::size_t columns, std::size_t rows) {
    return rows >= 32 && columns < 128 && !rows_fit(columns, 64) && rows_fit(columns, 128);
  }

  explicit TwoWordRows(std::size_t columns) {
    HWY_ALIGN std::uint64_t masks[2 * blocks];
    for (std::size_t k = 0; k < vectors; k++) {
      for (std::size_t b = 0; b < blocks; b++) {
        const std::size_t at = row_of(k, b) * columns;
        start_[k][b] = at / 8;
        const std::size_t end = at % 8 + columns;
        masks[2 * b] = low_bits(end) & ~std::uint64_t{0} << at % 8;
        masks[2 * b + 1] = end > 64 ? low_bits(end - 64) : 0;
      }
      masks_[k] = hn::Load(D(), masks);
    }
  }

  // Calls use(r, count, from) for eight rows at a time, of which `count` are there, from byte `from` on.
  template <class Use>
  static HWY_INLINE void each_step(const std::uint64_t* bits, std::size_t columns, std::size_t rows, Use use) {
    const std::uint8_t* from = reinterpret_cast<const std::uint8_t*>(bits);
    const std::size_t total = (rows * columns + 63) / 64 * 8, reach = (step - 1) * columns / 8 + 16;
    std::size_t r = 0, at = 0;
    for (; r + step <= rows && at + reach <= total; r += step, at += columns) use(r, step, from + at);
    if (r == rows) return;
    HWY_ALIGN std::uint8_t last[4 * step * 16] = {};
    std::memcpy(last, from + at, total - at);
    for (at = 0; r < rows; r += step, at += columns) use(r, std::min(rows - r, step), last + at);
  }

  // Gives the bits of the rows that vector k is of, or those that are 0.
  HWY_INLINE V row_bits(const std::uint8_t* from, std::size_t k, bool complement) const {
    const V all = load(from, k);
    return complement ? hn::AndNot(all, masks_[k]) : hn::And(all, masks_[k]);
  }
  // Folds bits of rows to 32 each, by an operation on bits; a group is of the vectors from 4g on.
  template <class Op>
  HWY_INLINE hn::Vec<Blocks<std::uint32_t>> folded(const std::uint8_t* from, std::size_t g, bool complement, Op op) const {
    const D d;
    const Blocks<std::uint32_t> half;
    const auto pair = [&](std::size_t i) HWY_ATTR {
      const V a = row_bits(from, 4 * g + i, complement), b = row_bits(from, 4 * g + i + 2, complement);
      return op(hn::InterleaveLower(d, a, b), hn::InterleaveUpper(d, a, b));
    };
    const V even = pair(0), odd = pair(1);
    return hn::OddEven(hn::BitCast(half, op(odd, hn::ShiftLeft<32>(odd))), hn::BitCast(half, op(even, hn::ShiftRight<32>(even))));
  }
  // Counts the 1s of rows, by 32-bit lanes.
  HWY_INLINE hn::Vec<Blocks<std::uint32_t>> counts(const std::uint8_t* from, std::size_t g) const {
    const D d;
    const hn::Repartition<std::uint8_t, D> bytes;
    const auto pair = [&](std::size_t i) HWY_ATTR {
      const V a = hn::BitCast(d, hn::PopulationCount(hn::BitCast(bytes, row_bits(from, 4 * g + i, false))));
      const V b = hn::BitCast(d, hn::PopulationCount(hn::BitCast(bytes, row_bits(from, 4 * g + i + 2, false))));
      return hn::SumsOf8(
          hn::Add(hn::BitCast(bytes, hn::InterleaveLower(d, a, b)), hn::BitCast(bytes, hn::InterleaveUpper(d, a, b))));
    };
    return hn::BitCast(Blocks<std::uint32_t>(), hn::Or(pair(0), hn::ShiftLeft<32>(pair(1))));
  }

 private:
  // Vectors hold rows that are four apart, and groups four vectors.
  static constexpr std::size_t row_of(std::size_t k, std::size_t b) { return k / 4 * in_group + b * 4 + k % 4; }
  HWY_INLINE V load(const std::uint8_t* from, std::size_t k) const {
    const hn::Repartition<std::uint8_t, D> bytes;
    if constexpr (blocks == 1)
      return hn::BitCast(D(), hn::LoadU(bytes, from + start_[k][0]));
    else
      return hn::BitCast(D(), hn::Combine(bytes, hn::LoadU(hn::Half<decltype(bytes)>(), from + start_[k][1]),
                                          hn::LoadU(hn::Half<decltype(bytes)>(), from + start_[k][0])));
  }
  V masks_[vectors];
  std::size_t start_[vectors][blocks];
};

// Writes a byte for eight rows: test(32-bit lanes) gives a mask of the rows' results, which are exclusive-ored with `flip`.
template <class Op, class Test>
HWY_INLINE void test_two_word_rows(std::uint64_t* out, const std::uint64_t* bits, std::size_t columns, std::size_t rows,
                                   bool complement, unsigned flip, Op op, Test test) {
  const TwoWordRows reader(columns);
  std::uint8_t* const to = reinterpret_cast<std::uint8_t*>(out);
  TwoWordRows::each_step(bits, columns, rows, [=](std::size_t r, std::size_t, const std::uint8_t* from) HWY_ATTR {
    std::uint64_t found = 0;
    for (std::size_t g = 0; g < TwoWordRows::step / TwoWordRows::in_group; g++)
      found |= bits_of_mask(Blocks<std::uint32_t>(), test(reader.folded(from, g, complement, op))) << (g * TwoWordRows::in_group);
    to[r / 8] = static_cast<std::uint8_t>(found ^ flip);
  });
}

// Folds by functions that may be folded in any order; false for others.
inline bool fold_two_word_rows(RowFunction f, std::uint64_t* out, const std::uint64_t* bits, std::size_t columns,
                               std::size_t rows) {
  const Blocks<std::uint32_t> d;
  const auto any = [](auto a, auto b) HWY_ATTR { return hn::Or(a, b); };
  const auto is_none = [d](auto v) HWY_ATTR { return hn::Eq(v, hn::Zero(d)); };
  const auto parity = [=](unsigned flip) HWY_ATTR {
    test_two_word_rows(
        out, bits, columns, rows, false, flip, [](auto a, auto b) HWY_ATTR { return hn::Xor(a, b); },
        [d](auto v) HWY_ATTR {
          v = hn::Xor(v, hn::ShiftLeft<16>(v));
          v = hn::Xor(v, hn::ShiftLeft<8>(v));
          v = hn::Xor(v, hn::ShiftLeft<4>(v));
          v = hn::Xor(v, hn::ShiftLeft<2>(v));
          v = hn::Xor(v, hn::ShiftLeft<1>(v));
          return hn::MaskFromVec(hn::BitCast(d, hn::BroadcastSignBit(hn::BitCast(hn::RebindToSigned<decltype(d)>(), v))));
        });
  };
  switch (f) {
    case RowFunction::and_: return test_two_word_rows(out, bits, columns, rows, true, 0, any, is_none), true;
    case RowFunction::or_: return test_two_word_rows(out, bits, columns, rows, false, 0xFF, any, is_none), true;
    case RowFunction::exclusive_or: return parity(0), true;
    case RowFunction::equal: return parity(columns % 2 == 0 ? 0xFF : 0), true;
    default: return false;
  }
}

inline void count_two_word_rows(std::uint8_t* out, const std::uint64_t* bits, std::size_t columns, std::size_t rows) {
  const TwoWordRows reader(columns);
  TwoWordRows::each_step(bits, columns, rows, [=](std::size_t r, std::size_t count, const std::uint8_t* from) HWY_ATTR {
    const Blocks<std::uint32_t> d;
    const hn::Rebind<std::uint8_t, decltype(d)> narrow;
    HWY_ALIGN std::uint8_t few[TwoWordRows::step];
    std::uint8_t* const to = count == TwoWordRows::step ? out + r : few;
    for (std::size_t g = 0; g < TwoWordRows::step / TwoWordRows::in_group; g++)
      hn::StoreU(hn::DemoteTo(narrow, hn::BitCast(hn::RebindToSigned<decltype(d)>(), reader.counts(from, g))), narrow,
                 to + g * TwoWordRows::in_group);
    if (to == few) std::memcpy(out + r, few, count);
  });
}

}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
