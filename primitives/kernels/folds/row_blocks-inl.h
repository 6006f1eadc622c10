// Folds of rows of integers in any order: vectors of some rows each, folded by halves of their blocks until each lane holds what
// a row gives. Included once per target.
#if defined(GRIDDLE_KERNELS_ROW_BLOCKS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDDLE_KERNELS_ROW_BLOCKS_INL_H_
#undef GRIDDLE_KERNELS_ROW_BLOCKS_INL_H_
#else
#define GRIDDLE_KERNELS_ROW_BLOCKS_INL_H_
#endif

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "hwy/highway.h"
#include "primitives/kernels/folds/fold_operations-inl.h"
#include "primitives/kernels/shared/across_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {

// Ways to fold: elements of type Memory in memory, some neighbours of which make a lane of(d, bytes); lanes are combined by
// of_lanes. `fill` changes nothing; a way that may repeat elements needs none.
template <class T, class Op>
struct ExtremeInBlocks {
  using Memory = T;
  using Lane = T;
  static constexpr bool may_repeat = true, alternates = false;
  static constexpr T fill = 0;
  template <class D, class Bytes>
  static HWY_INLINE hn::Vec<D> of(D d, Bytes bytes) {
    return hn::BitCast(d, bytes);
  }
  template <class V>
  static HWY_INLINE V of_lanes(V a, V b) {
    return Op::of(a, b);
  }
};
template <class T, bool alternating>
struct SumInBlocks {
  using Memory = T;
  using Lane = std::int32_t;
  static constexpr bool may_repeat = false, alternates = alternating;
  static constexpr T fill = 0;
  template <class D, class Bytes>
  static HWY_INLINE hn::Vec<D> of(D d, Bytes bytes) {
    const hn::Repartition<std::int16_t, D> middle;
    auto narrow = hn::BitCast(middle, bytes);
    if constexpr (sizeof(T) == 1) narrow = alternates ? pair_differences(middle, narrow) : pair_sums(middle, narrow);
    const auto wide = hn::BitCast(d, narrow);
    return alternates && sizeof(T) == 2 ? pair_differences(d, wide) : pair_sums(d, wide);
  }
  template <class V>
  static HWY_INLINE V of_lanes(V a, V b) {
    return hn::Add(a, b);
  }
};
// Multiplies in floats, which are right in any order where the last result is less than 2^24: none on the way was greater, or
// one of the factors is 0.
template <class T>
struct ProductInBlocks {
  using Memory = T;
  using Lane = float;
  static constexpr bool may_repeat = false, alternates = false;
  static constexpr T fill = 1;
  template <class D, class Bytes>
  static HWY_INLINE hn::Vec<D> of(D d, Bytes bytes) {
    const hn::Repartition<std::int16_t, D> middle;
    const hn::Repartition<std::int32_t, D> wide;
    auto products = hn::BitCast(wide, bytes);
    if constexpr (sizeof(T) == 1) {
      const auto both = hn::BitCast(middle, bytes);
      products = hn::BitCast(wide, hn::MulHigh(hn::ShiftLeft<8>(both), hn::And(both, hn::Set(middle, -256))));
    }
    if constexpr (sizeof(T) <= 2) products = pair_products(wide, products);
    return hn::ConvertTo(d, products);
  }
  template <class V>
  static HWY_INLINE V of_lanes(V a, V b) {
    return hn::Mul(a, b);
  }
};

// Says, for rows of so many bytes in lanes of `lane` bytes, which bytes of a block go where: as many lanes a row as a power of
// two, the first ones of all rows first, then the second ones. Places behind a row repeat its first element, or are left to
// `fill`, which is all ones there.
struct BlockPlaces {
  std::uint8_t from[16], fill[16];
};
template <class Way>
constexpr auto block_places = [] {
  constexpr std::size_t lane = sizeof(typename Way::Lane), element = sizeof(typename Way::Memory);
  std::array<BlockPlaces, 17> all = {};
  for (std::size_t row = element; row <= 16; row += element) {
    const std::size_t width = std::bit_ceil((row + lane - 1) / lane), rows = 16 / lane / width;
    for (std::size_t i = 0; i < 16; i++) {
      const std::size_t r = i / lane % rows, at = i / lane / rows * lane + i % lane;
      const bool is_inside = at < row;
      const std::size_t source = is_inside ? at : i % element;
      all[row].from[i] = static_cast<std::uint8_t>(is_inside || Way::may_repeat ? r * row + source : 0x80);
      all[row].fill[i] = is_inside ? 0 : 0xFF;
    }
  }
  return all;
}();
// Says which lane each row of a block ends in.
template <std::size_t lane, std::size_t width>
constexpr auto block_order = [] {
  constexpr std::size_t rows = 16 / lane / width;
  std::array<std::uint8_t, 16> order = {};
  for (std::size_t i = 0; i < 16; i++)
    order[i] = static_cast<std::uint8_t>((i / lane % rows * width + i / lane / rows) * lane + i % lane);
  return order;
}();

// Folds `count` of `width` vectors, from k on and `width / count` apart.
template <class Way, std::size_t width, std::size_t count, class D, class Read>
HWY_INLINE hn::Vec<D> folded_vectors(D d, const Read& read, std::size_t k) {
  if constexpr (count == 1) {
    return read(k);
  } else {
    const auto a = folded_vectors<Way, width, count / 2>(d, read, k),
               b = folded_vectors<Way, width, count / 2>(d, read, k + width / count);
    return Way::of_lanes(hn::InterleaveLower(d, a, b), hn::InterleaveUpper(d, a, b));
  }
}

// Folds rows that fill `width` lanes of a block of 128 bits. Calls take(r, results) for the rows from r on, in turn, and
// take.few(r, count, results) for the last ones, as long as take.goes_on(r); gives what `take` is then.
template <class Way, std::size_t width, class Take>
HWY_INLINE Take fold_narrow_rows(const typename Way::Memory* x, std::size_t columns, std::size_t rows, Take take) {
  const Blocks<typename Way::Lane> d;
  using D = Blocks<typename Way::Lane>;
  const hn::Repartition<std::uint8_t, D> bytes;
  constexpr std::size_t lane = sizeof(typename Way::Lane), lanes = hn::MaxLanes(D()), in_block = 16 / lane;
  const std::size_t row = columns * sizeof(typename Way::Memory), advance = in_block / width * row;
  const auto& places = block_places<Way>[row];
  const auto from_places = hn::LoadDup128(bytes, places.from);
  const auto fill = hn::And(hn::LoadDup128(bytes, places.fill),
                            hn::BitCast(bytes, hn::Set(hn::Repartition<typename Way::Memory, D>(), Way::fill)));
  const auto order = hn::LoadDup128(bytes, block_order<lane, width>.data());
  const auto fold = [=](const std::uint8_t* from) HWY_ATTR {
    const auto read = [=](std::size_t k) HWY_ATTR {
      const std::uint8_t* const start = from + k * advance;
      auto v = [=]() HWY_ATTR {
        if constexpr (lanes == in_block)
          return hn::LoadU(bytes, start);
        else
          return hn::Combine(bytes, hn::LoadU(hn::Half<decltype(bytes)>(), start + in_block * row),
                             hn::LoadU(hn::Half<decltype(bytes)>(), start));
      }();
      if constexpr (Way::may_repeat)
        v = hn::TableLookupBytes(v, from_places);
      else
        v = hn::TableLookupBytesOr0(v, from_places);
      if constexpr (Way::fill != 0) v = hn::Or(v, fill);
      return Way::of(d, v);
    };
    auto results = folded_vectors<Way, width, width>(d, read, 0);
    if constexpr (width > 1 && width < in_block)
      results = hn::BitCast(d, hn::TableLookupBytes(hn::BitCast(bytes, results), order));
    return results;
  };
  // Blocks may reach into the next rows.
  const std::size_t beyond = (16 - in_block / width * row + row - 1) / row;
  const std::uint8_t* from = reinterpret_cast<const std::uint8_t*>(x);
  std::size_t r = 0;
  for (; take.goes_on(r) && r + lanes + beyond <= rows; r += lanes, from += lanes * row) take(r, fold(from));
  for (; take.goes_on(r) && r < rows; r += lanes, from += lanes * row) {
    const std::size_t count = std::min(rows - r, lanes);
    HWY_ALIGN std::uint8_t last[lanes * 16 + 16] = {};
    std::memcpy(last, from, count * row);
    take.few(r, count, fold(last));
  }
  return take;
}

// Reads rows of more than 16 bytes, two a vector: pieces of `piece` bytes, the last of which ends with the row. What the one
// before it holds already is filled there.
template <class Way, std::size_t piece>
class WideRows {
 public:
  using D = Blocks<typename Way::Lane>;
  using V = hn::Vec<D>;
  static constexpr std::size_t lane = sizeof(typename Way::Lane), lanes = hn::MaxLanes(D()), in_block = 16 / lane;
  explicit WideRows(std::size_t row) : whole_((row - 1) / piece * piece), last_(row - piece) {
    const Bytes bytes;
    HWY_ALIGN std::uint8_t is_new[lanes * lane];
    for (std::size_t i = 0; i < lanes * lane; i++) is_new[i] = last_ + i % piece >= whole_ ? 0xFF : 0;
    keep_ = hn::Load(bytes, is_new);
    fill_ = hn::AndNot(keep_, hn::BitCast(bytes, hn::Set(hn::Repartition<typename Way::Memory, D>(), Way::fill)));
  }
  std::size_t pieces_before_last() const { return whole_ / piece; }

  // Gives a vector whose blocks fold a row each, of which so many pieces come before the last one.
  template <class Count>
  HWY_INLINE V folded(const std::uint8_t* first, const std::uint8_t* second, Count before) const {
    const D d;
    if constexpr (piece == lanes * lane) {
      const V a = folded_pieces(first, first, before);
      if constexpr (lanes == in_block) return a;
      const V b = folded_pieces(second, second, before);
      return Way::of_lanes(hn::ConcatLowerLower(d, b, a), hn::ConcatUpperUpper(d, b, a));
    } else {
      return folded_pieces(first, second, before);
    }
  }

 private:
  using Bytes = hn::Repartition<std::uint8_t, D>;
  template <class Count>
  HWY_INLINE V folded_pieces(const std::uint8_t* first, const std::uint8_t* second, Count before) const {
    V so_far = of_last(load(first + last_, second + last_));
    for (std::size_t i = 0; i < before; i++)
      so_far = Way::of_lanes(so_far, Way::of(D(), load(first + i * piece, second + i * piece)));
    return so_far;
  }
  static HWY_INLINE hn::Vec<Bytes> load(const std::uint8_t* first, [[maybe_unused]] const std::uint8_t* second) {
    const Bytes bytes;
    if constexpr (piece == lanes * lane)
      return hn::LoadU(bytes, first);
    else
      return hn::Combine(bytes, hn::LoadU(hn::Half<Bytes>(), second), hn::LoadU(hn::Half<Bytes>(), first));
  }
  HWY_INLINE V of_last(hn::Vec<Bytes> v) const {
    if constexpr (!Way::may_repeat) v = hn::And(v, keep_);
    if constexpr (!Way::may_repeat && Way::fill != 0) v = hn::Or(v, fill_);
    if constexpr (Way::alternates) {
      // A piece that begins at an odd place begins with an element that is taken away.
      const V sums = Way::of(D(), v);
      return last_ / sizeof(typename Way::Memory) % 2 == 0 ? sums : hn::Neg(sums);
    }
    return Way::of(D(), v);
  }
  std::size_t whole_, last_;
  hn::Vec<Bytes> keep_, fill_;
};

// Folds rows of more than 16 bytes, by the same rule.
template <class Way, std::size_t piece, class Take>
HWY_INLINE Take fold_wide_rows(const typename Way::Memory* x, std::size_t columns, std::size_t rows, Take take) {
  using Rows = WideRows<Way, piece>;
  const typename Rows::D d;
  constexpr std::size_t lanes = Rows::lanes, in_block = Rows::in_block;
  const std::size_t row = columns * sizeof(typename Way::Memory);
  const Rows reader(row);
  const auto fold_all = [=](auto before, Take take) HWY_ATTR {
    std::size_t r = 0;
    const std::uint8_t* from = reinterpret_cast<const std::uint8_t*>(x);
    for (; take.goes_on(r) && r + lanes <= rows; r += lanes, from += lanes * row) {
      const auto read = [&](std::size_t k)
                            HWY_ATTR { return reader.folded(from + k * row, from + (k + in_block) * row, before); };
      take(r, folded_vectors<Way, in_block, in_block>(d, read, 0));
    }
    if (!take.goes_on(r) || r == rows) return take;
    // Rows that are not there are taken from those that are.
    const std::size_t last = rows - r - 1;
    HWY_ALIGN typename Way::Lane folded[in_block * lanes];
    for (std::size_t k = 0; k < in_block; k++)
      hn::Store(reader.folded(from + std::min(k, last) * row, from + std::min(k + in_block, last) * row, before), d,
                folded + k * lanes);
    const auto read = [d, folds = &folded[0]](std::size_t k) HWY_ATTR { return hn::Load(d, folds + k * hn::MaxLanes(d)); };
    take.few(r, rows - r, folded_vectors<Way, in_block, in_block>(d, read, 0));
    return take;
  };
  switch (reader.pieces_before_last()) {
    case 0: return fold_all(std::integral_constant<std::size_t, 0>(), take);
    case 1: return fold_all(std::integral_constant<std::size_t, 1>(), take);
    case 2: return fold_all(std::integral_constant<std::size_t, 2>(), take);
    case 3: return fold_all(std::integral_constant<std::size_t, 3>(), take);
    default: return fold_all(reader.pieces_before_last(), take);
  }
}

// Folds all rows, by the same rule.
template <class Way, class Take>
HWY_INLINE Take fold_rows_by_blocks(const typename Way::Memory* x, std::size_t columns, std::size_t rows, Take take) {
  constexpr std::size_t lane = sizeof(typename Way::Lane), in_block = 16 / lane;
  const std::size_t row = columns * sizeof(typename Way::Memory);
  constexpr std::size_t vector = hn::MaxLanes(Blocks<typename Way::Lane>()) * lane;
  if (row >= vector && row > 16) return fold_wide_rows<Way, vector>(x, columns, rows, take);
  if (row > 16) return fold_wide_rows<Way, 16>(x, columns, rows, take);
  const auto by_width = [=]<std::size_t width>(std::integral_constant<std::size_t, width>) HWY_ATTR {
    if constexpr (width <= in_block)
      return fold_narrow_rows<Way, width>(x, columns, rows, take);
    else
      return take;
  };
  switch (std::bit_width((row + lane - 1) / lane - 1)) {
    case 0: return by_width(std::integral_constant<std::size_t, 1>());
    case 1: return by_width(std::integral_constant<std::size_t, 2>());
    case 2: return by_width(std::integral_constant<std::size_t, 4>());
    case 3: return by_width(std::integral_constant<std::size_t, 8>());
    default: return by_width(std::integral_constant<std::size_t, 16>());
  }
}

}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
