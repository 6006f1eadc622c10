// Rows of packed boolean tables, one in each lane of a vector. Included once per target.
#if defined(GRIDDLE_KERNELS_ROW_READER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDDLE_KERNELS_ROW_READER_INL_H_
#undef GRIDDLE_KERNELS_ROW_READER_INL_H_
#else
#define GRIDDLE_KERNELS_ROW_READER_INL_H_
#endif

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "hwy/highway.h"
#include "primitives/kernels/booleans/row_places.h"
#include "primitives/kernels/shared/across_lanes-inl.h"
#include "primitives/kernels/shared/bit_runs.h"
#include "primitives/kernels/shared/loops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using std::uint16_t, std::uint32_t, std::uint64_t, std::uint8_t;

// Puts rows of bits into lanes of type T, one row a lane. Reads whole blocks.
template <class T>
class RowReader {
 public:
#if HWY_TARGET == HWY_AVX3_DL
  using D = hn::ScalableTag<T>;
#else
  using D = Blocks<T>;
#endif
  using V = hn::Vec<D>;
  static constexpr std::size_t lanes = hn::MaxLanes(D());
  static constexpr std::size_t vectors = lanes >= 8 ? 1 : 8 / lanes;
  static constexpr std::size_t step = vectors * lanes;  // rows

  explicit RowReader(std::size_t columns) : kept_(static_cast<int>(8 * sizeof(T) - columns)) {
    const D d;
    const auto& places = row_places<T>;
    for (std::size_t v = 0; v < vectors; v++) {
      const uint8_t* from = (whole_load ? places.bytes : places.bytes_in_block)[columns] + v * lanes * sizeof(T);
      places_[v] = hn::BitCast(d, hn::LoadU(Bytes(), from));
      shifts_[v] = hn::LoadU(d, places.shifts[columns] + v * lanes);
      for (std::size_t block = 0; block < blocks; block++)
        start_[v][block] = (v * lanes + block * places.rows_in_block) * columns / 8;
    }
    mask_ = hn::Set(d, static_cast<T>(low_bits(columns)));
  }

  // Tells how many bytes from the first row of a step on are read.
  std::size_t reach() const { return whole_load ? 64 : start_[vectors - 1][blocks - 1] + 16; }
  V mask() const { return mask_; }

  HWY_INLINE V rows(const uint8_t* from, std::size_t v) const {
    const D d;
#if HWY_TARGET == HWY_AVX3_DL
    const auto all = hn::LoadU(Bytes(), from);
    const V apart = hn::BitCast(d, hn::Vec<Bytes>{_mm512_permutexvar_epi8(hn::BitCast(Bytes(), places_[v]).raw, all.raw)});
#else
    const ByteBlock block;
    V together;
    if constexpr (blocks == 2) {
      const hn::Half<Bytes> half;
      together = hn::BitCast(d, hn::Combine(Bytes(), hn::LoadU(half, from + start_[v][1]), hn::LoadU(half, from + start_[v][0])));
    } else {
      together = hn::BitCast(d, hn::LoadU(block, from + start_[v][0]));
    }
    const V apart = hn::BitCast(d, hn::TableLookupBytes(hn::BitCast(Bytes(), together), hn::BitCast(Bytes(), places_[v])));
#endif
    if constexpr (sizeof(T) == 2)
      return hn::ShiftRightSame(hn::Mul(apart, shifts_[v]), kept_);
    else
      return hn::And(hn::Shr(apart, shifts_[v]), mask_);
  }

 private:
  using Bytes = hn::Repartition<uint8_t, D>;
  using ByteBlock = hn::Full128<uint8_t>;
  static constexpr bool whole_load = HWY_TARGET == HWY_AVX3_DL;
  static constexpr std::size_t blocks = lanes * sizeof(T) / 16;
  V places_[vectors], shifts_[vectors], mask_;
  std::size_t start_[vectors][blocks];
  int kept_;
};

#if HWY_TARGET == HWY_AVX3_DL
// Puts 64 rows of at most 8 bits into bytes: a byte is cut out of eight bytes at any place by one instruction.
template <>
class RowReader<uint8_t> {
 public:
  using D = hn::ScalableTag<uint8_t>;
  using V = hn::Vec<D>;
  static constexpr std::size_t lanes = 64, vectors = 1, step = 64;

  explicit RowReader(std::size_t columns) {
    const hn::Repartition<uint64_t, D> words;
    const D d;
    const auto eight = hn::Set(words, 0x0101010101010101), count = hn::Set(words, 0x0706050403020100);
    const auto spread = [&](auto v) HWY_ATTR { return hn::Mul(v, eight); };
    const auto width = hn::Set(words, columns);
    places_ = hn::BitCast(d, hn::Add(spread(hn::Mul(hn::Iota(words, 0), width)), count));
    // Products within bytes stay below 64.
    places_in_word_ = hn::BitCast(d, hn::Mul(width, count));
    mask_ = hn::Set(d, static_cast<uint8_t>(low_bits(columns)));
  }
  std::size_t reach() const { return 64; }
  V mask() const { return mask_; }
  HWY_INLINE V rows(const uint8_t* from, std::size_t) const {
    const auto words = _mm512_permutexvar_epi8(places_.raw, hn::LoadU(D(), from).raw);
    return hn::And(V{_mm512_multishift_epi64_epi8(places_in_word_.raw, words)}, mask_);
  }

 private:
  V places_, places_in_word_, mask_;
};
#endif

// Reads rows that are whole elements.
template <class T>
class WholeRowReader {
 public:
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;
  static constexpr std::size_t lanes = hn::MaxLanes(D()), vectors = lanes >= 8 ? 1 : 8 / lanes, step = vectors * lanes;

  explicit WholeRowReader(std::size_t) {}
  std::size_t reach() const { return step * sizeof(T); }
  V mask() const { return hn::Set(D(), static_cast<T>(~uint64_t{0})); }
  HWY_INLINE V rows(const uint8_t* from, std::size_t v) const {
    const D d;
    return hn::BitCast(d, hn::LoadU(hn::Repartition<uint8_t, D>(), from + v * lanes * sizeof(T)));
  }
};

// Calls use(r, count, reader, from) for steps of rows: `count` rows, the reader's step or fewer in the end, begin at byte `from`.
template <class Reader, class Use>
HWY_INLINE void each_step(const uint64_t* bits, std::size_t columns, std::size_t rows, Use use) {
  const Reader reader(columns);
  const uint8_t* bytes = reinterpret_cast<const uint8_t*>(bits);
  const std::size_t total = (rows * columns + 63) / 64 * 8, advance = Reader::step * columns / 8;
  std::size_t r = 0, at = 0;
  for (; r + Reader::step <= rows && at + reader.reach() <= total; r += Reader::step, at += advance)
    use(r, Reader::step, reader, bytes + at);
  if (r == rows) return;
  const uint8_t* left = bytes + at;
  HWY_ALIGN uint8_t rest[384];
  if (!may_read_on(left, (rows - r - 1) / Reader::step * advance + reader.reach())) {
    std::memset(rest, 0, sizeof rest);
    std::memcpy(rest, left, total - at);
    left = rest;
  }
  for (; r < rows; r += Reader::step, left += advance) use(r, std::min(rows - r, Reader::step), reader, left);
}

// Calls f(reader type) with the narrowest lanes that take rows of so many columns; false where none do.
template <class F>
HWY_INLINE bool with_reader(std::size_t columns, F f) {
  if (columns == 8) return f(std::type_identity<WholeRowReader<uint8_t>>()), true;
  if (columns == 16) return f(std::type_identity<WholeRowReader<uint16_t>>()), true;
  if (columns == 32) return f(std::type_identity<WholeRowReader<uint32_t>>()), true;
  if (columns == 64) return f(std::type_identity<WholeRowReader<uint64_t>>()), true;
#if HWY_TARGET == HWY_AVX3_DL
  if (columns <= 8) return f(std::type_identity<RowReader<uint8_t>>()), true;
#endif
  if (columns > 64) return false;
  if (rows_fit(columns, 16)) return f(std::type_identity<RowReader<uint16_t>>()), true;
  if (rows_fit(columns, 32)) return f(std::type_identity<RowReader<uint32_t>>()), true;
  if (rows_fit(columns, 64)) return f(std::type_identity<RowReader<uint64_t>>()), true;
  return false;
}

}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
