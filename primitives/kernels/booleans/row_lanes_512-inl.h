// Folds of boolean rows of at most 64 bits, one in each lane of a vector, at any place of it (AVX-512). Included once per target.
#if defined(GRIDDLE_KERNELS_ROW_LANES_512_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDDLE_KERNELS_ROW_LANES_512_INL_H_
#undef GRIDDLE_KERNELS_ROW_LANES_512_INL_H_
#else
#define GRIDDLE_KERNELS_ROW_LANES_512_INL_H_
#endif

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "hwy/highway.h"
#include "primitives/kernels/booleans/bit_matrix-inl.h"
#include "primitives/kernels/booleans/bool_rows.h"
#include "primitives/kernels/booleans/row_places.h"
#include "primitives/kernels/shared/bit_runs.h"

#if HWY_TARGET == HWY_AVX3_DL

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using std::uint16_t, std::uint32_t, std::uint64_t, std::uint8_t;

// How rows get into lanes: they are these; with the bits before them in their first byte; alone, where those of a word of lanes
// lie within eight bytes; alone, out of two words each.
enum class RowWay { whole, in_place, shifted, two_words };

template <class T, RowWay way>
class RowLanes {
 public:
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;
  static constexpr std::size_t lanes = 64 / sizeof(T);

  explicit RowLanes(std::size_t columns) : columns_(columns) {
    const D d;
    if constexpr (way == RowWay::in_place || way == RowWay::two_words) {
      constexpr uint64_t bytes = 0x0706050403020100, each = 0x0101010101010101;
      const V start = hn::Mul(hn::Iota(d, 0), hn::Set(d, static_cast<T>(columns)));
      const V places =
          hn::Add(hn::Mul(hn::ShiftRight<3>(start), hn::Set(d, static_cast<T>(each))), hn::Set(d, static_cast<T>(bytes)));
      offsets_ = hn::And(start, hn::Set(d, 7));
      places_ = places.raw;
      shifts_ = way == RowWay::two_words ? _mm512_add_epi8(places_, _mm512_set1_epi8(8)) : places_;
    } else if constexpr (way == RowWay::shifted) {
      set_shifts();
    }
  }

  // Give the bits of rows in each lane; those at odd places of rows.
  V mask() const { return at_rows(low_bits(columns_)); }
  V odd_places() const { return hn::And(at_rows(0xAAAAAAAAAAAAAAAA), mask()); }
  HWY_INLINE V rows(__m512i from) const {
    if constexpr (way == RowWay::whole) return V{from};
    const __m512i bytes = _mm512_permutexvar_epi8(places_, from);
    if constexpr (way == RowWay::shifted) return V{_mm512_multishift_epi64_epi8(shifts_, bytes)};
    if constexpr (way == RowWay::two_words)
      return V{_mm512_shrdv_epi64(bytes, _mm512_permutexvar_epi8(shifts_, from), offsets_.raw)};
    return V{bytes};
  }

 private:
  V at_rows(uint64_t bits) const {
    const V v = hn::Set(D(), static_cast<T>(bits));
    if constexpr (way == RowWay::in_place)
      return hn::Shl(v, offsets_);
    else
      return v;
  }
  void set_shifts() {
    const hn::ScalableTag<uint64_t> d;
    constexpr std::size_t rows_in_word = 8 / sizeof(T);
    constexpr uint64_t each = 0x0101010101010101, bytes = 0x0706050403020100;
    constexpr uint64_t row = sizeof(T) == 1 ? bytes : sizeof(T) == 2 ? 0x0303020201010000 : 0x0101010100000000;
    constexpr uint64_t within = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 0x0800080008000800 : 0x1810080018100800;
    const auto start = hn::Mul(hn::Iota(d, 0), hn::Set(d, rows_in_word * columns_)), spread = hn::Set(d, each);
    places_ = hn::Add(hn::Mul(hn::ShiftRight<3>(start), spread), hn::Set(d, bytes)).raw;
    shifts_ = hn::Add(hn::Mul(hn::And(start, hn::Set(d, 7)), spread), hn::Set(d, row * columns_ + within)).raw;
  }
  std::size_t columns_;
  V offsets_ = {};
  __m512i places_ = {}, shifts_ = {};
};

// Calls f(lanes) with the narrowest lanes that take rows of so many columns, of which a lane holds 64 at most.
template <class F>
HWY_INLINE void with_row_lanes(std::size_t columns, F f) {
  switch (columns) {
    case 8: return f(RowLanes<uint8_t, RowWay::whole>(columns));
    case 16: return f(RowLanes<uint16_t, RowWay::whole>(columns));
    case 32: return f(RowLanes<uint32_t, RowWay::whole>(columns));
    case 64: return f(RowLanes<uint64_t, RowWay::whole>(columns));
    default: break;
  }
  if (columns < 8) return f(RowLanes<uint8_t, RowWay::shifted>(columns));
  if (rows_fit(columns, 16)) return f(RowLanes<uint16_t, RowWay::in_place>(columns));
  if (columns < 16) return f(RowLanes<uint16_t, RowWay::shifted>(columns));
  if (rows_fit(columns, 32)) return f(RowLanes<uint32_t, RowWay::in_place>(columns));
  if (columns < 31) return f(RowLanes<uint32_t, RowWay::shifted>(columns));
  if (rows_fit(columns, 64)) return f(RowLanes<uint64_t, RowWay::in_place>(columns));
  f(RowLanes<uint64_t, RowWay::two_words>(columns));
}

// Reads 64 bytes, or as many as there are before `end`, and 0s.
HWY_INLINE __m512i bytes_before(const uint8_t* from, const uint8_t* end) {
  const std::size_t count = std::min<std::size_t>(64, static_cast<std::size_t>(end - from));
  return _mm512_maskz_loadu_epi8(low_bits(count), from);
}

// Calls use(r, count, rows) for vectors of rows from row r on, of which `count` are there.
template <class Lanes, class Use>
HWY_INLINE void each_row_vector(const Lanes lanes, const uint64_t* bits, std::size_t columns, std::size_t rows, Use use) {
  constexpr std::size_t step = Lanes::lanes;
  const std::size_t total = (rows * columns + 63) / 64 * 8, advance = step * columns / 8;
  const uint8_t* from = reinterpret_cast<const uint8_t*>(bits);
  const uint8_t* const end = from + total;
  const std::size_t whole = total < 64 ? 0 : std::min(rows / step, (total - 64) / advance + 1) * step;
  std::size_t r = 0;
  HWY_UNROLL(4)
  for (; r < whole; r += step, from += advance) use(r, step, lanes.rows(_mm512_loadu_si512(from)));
  for (; r < rows; r += step, from += advance) use(r, std::min(step, rows - r), lanes.rows(bytes_before(from, end)));
}

// Tell which lanes have a common 1, or none.
template <class T, bool none, class V>
HWY_INLINE auto lanes_meeting(V a, V b) {
  if constexpr (sizeof(T) == 1)
    return none ? _mm512_testn_epi8_mask(a.raw, b.raw) : _mm512_test_epi8_mask(a.raw, b.raw);
  else if constexpr (sizeof(T) == 2)
    return none ? _mm512_testn_epi16_mask(a.raw, b.raw) : _mm512_test_epi16_mask(a.raw, b.raw);
  else if constexpr (sizeof(T) == 4)
    return none ? _mm512_testn_epi32_mask(a.raw, b.raw) : _mm512_test_epi32_mask(a.raw, b.raw);
  else
    return none ? _mm512_testn_epi64_mask(a.raw, b.raw) : _mm512_test_epi64_mask(a.raw, b.raw);
}

template <class Lanes>
class RowLaneFold {
 public:
  using D = typename Lanes::D;
  using V = typename Lanes::V;
  using T = hn::TFromD<D>;

  RowLaneFold(const Lanes& lanes, uint64_t* out, const uint64_t* bits, std::size_t columns, std::size_t rows)
      : lanes_(lanes), out_(reinterpret_cast<uint8_t*>(out)), bits_(bits), columns_(columns), rows_(rows), mask_(lanes.mask()) {}

  void run(RowFunction f) const {
    const bool is_even = columns_ % 2 == 0;
    const V mask = mask_, last = hn::AndNot(hn::ShiftRight<1>(mask), mask);
    switch (f) {
      case RowFunction::and_: return equal_to<false>(mask);
      case RowFunction::or_: return any();
      case RowFunction::exclusive_or: return parity<false>();
      case RowFunction::equal: return is_even ? parity<true>() : parity<false>();
      case RowFunction::less: return equal_to<false>(last);
      case RowFunction::less_equal: return equal_to<true>(hn::Xor(mask, last));
      // Where there is no 0, or 1, the result is that of an odd number of bits.
      case RowFunction::greater: return is_even ? first<false>(ones) : first<true>(ones);
      case RowFunction::greater_equal: return is_even ? first<true>(0) : first<false>(0);
    }
  }

 private:
  // Stores a bit for each lane.
  template <class Test>
  HWY_INLINE void store(Test test) const {
    each_row_vector(lanes_, bits_, columns_, rows_, [test, out = out_](std::size_t r, std::size_t, V rows) HWY_ATTR {
      const auto found = test(rows);
      std::memcpy(out + r / 8, &found, sizeof found);
    });
  }
  void any() const {
    store([mask = mask_](V rows) HWY_ATTR { return lanes_meeting<T, false>(rows, mask); });
  }
  template <bool unlike>
  HWY_INLINE void equal_to(V row) const {
    store([mask = mask_, row](V rows) HWY_ATTR {
      const V bits = hn::And(rows, mask);
      return unlike ? hn::Ne(bits, row).raw : hn::Eq(bits, row).raw;
    });
  }
  template <bool even>
  void parity() const {
    if constexpr (sizeof(T) == 1) {
      store([matrix = low_bits(columns_) * 0x0101010101010101](V rows) HWY_ATTR {
        const __mmask64 odd = _mm512_movepi8_mask(bit_matrix_product(rows.raw, matrix));
        return even ? _knot_mask64(odd) : odd;
      });
    } else {
      store([mask = mask_, one = hn::Set(D(), 1)](V rows)
                HWY_ATTR { return lanes_meeting<T, even>(hn::PopulationCount(hn::And(rows, mask)), one); });
    }
  }
  // Tells whether the first 1 of rows stands at an odd place of an even number, or at an even place of an odd number; or of none
  // that it does not. `flip` is exclusive-ored to all rows.
  template <bool none>
  void first(uint64_t flip) const {
    const V odd = lanes_.odd_places(), places = columns_ % 2 == 0 ? odd : hn::AndNot(odd, mask_);
    store([mask = mask_, places, flips = hn::Set(D(), static_cast<T>(flip))](V rows) HWY_ATTR {
      const V bits = hn::And(hn::Xor(rows, flips), mask);
      return lanes_meeting<T, none>(hn::And(bits, places), hn::Sub(hn::Zero(D()), bits));
    });
  }

  static constexpr uint64_t ones = ~uint64_t{0};
  const Lanes& lanes_;
  uint8_t* out_;
  const uint64_t* bits_;
  std::size_t columns_, rows_;
  V mask_;
};

// Narrows lanes, and stores the first `count` of them. Stores under a mask are slow, those that also narrow even more so.
template <class T, class Out>
HWY_INLINE void store_narrow(Out* out, __m512i lanes, std::size_t count) {
  constexpr std::size_t all = 64 / sizeof(T), width = all * sizeof(Out);
  __m512i narrow = lanes;
  if constexpr (sizeof(T) == 2 && sizeof(Out) == 1) narrow = _mm512_castsi256_si512(_mm512_cvtepi16_epi8(lanes));
  if constexpr (sizeof(T) == 4 && sizeof(Out) == 1) narrow = _mm512_castsi128_si512(_mm512_cvtepi32_epi8(lanes));
  if constexpr (sizeof(T) == 4 && sizeof(Out) == 2) narrow = _mm512_castsi256_si512(_mm512_cvtepi32_epi16(lanes));
  if constexpr (sizeof(T) == 8 && sizeof(Out) == 1) narrow = _mm512_castsi128_si512(_mm512_cvtepi64_epi8(lanes));
  if constexpr (sizeof(T) == 8 && sizeof(Out) == 2) narrow = _mm512_castsi128_si512(_mm512_cvtepi64_epi16(lanes));
  if (count < all)
    _mm512_mask_storeu_epi8(out, low_bits(count * sizeof(Out)), narrow);
  else if constexpr (width == 64)
    _mm512_storeu_si512(out, narrow);
  else if constexpr (width == 32)
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), _mm512_castsi512_si256(narrow));
  else if constexpr (width == 16)
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm512_castsi512_si128(narrow));
  else
    _mm_storel_epi64(reinterpret_cast<__m128i*>(out), _mm512_castsi512_si128(narrow));
}

// Counts the 1s of rows of which `flips` is exclusive-ored to all, from -`less` on.
template <class Lanes, class V>
HWY_INLINE void count_lanes(const Lanes& lanes, uint8_t* out, const uint64_t* bits, std::size_t columns, std::size_t rows,
                            V flips, uint8_t less) {
  using T = hn::TFromD<typename Lanes::D>;
  const hn::ScalableTag<T> d;
  const V mask = lanes.mask(), start = hn::Set(d, less);
  each_row_vector(lanes, bits, columns, rows, [=](std::size_t r, std::size_t count, V rows_here) HWY_ATTR {
    const V counts = hn::Sub(hn::PopulationCount(hn::And(hn::Xor(rows_here, flips), mask)), start);
    store_narrow<T>(out + r, counts.raw, count);
  });
}

// Folds pairs of bits: op(bits, bits moved down by one) has results at even places, 64 of which make 8 bytes.
template <class Op>
HWY_INLINE void fold_pairs(uint64_t* out, const uint64_t* bits, std::size_t rows, Op op) {
  const hn::ScalableTag<uint64_t> d;
  const hn::ScalableTag<uint8_t> bytes;
  using V = hn::Vec<decltype(d)>;
  const __m512i even = hn::Add(hn::Iota(bytes, 0), hn::Iota(bytes, 0)).raw, odd = _mm512_add_epi8(even, _mm512_set1_epi8(1));
  // Results of a byte are four bits, given twice, as it depends on the byte which half they are to fill.
  const auto in_bytes = [=](__m512i from) HWY_ATTR {
    return bit_matrix_product(op(V{from}, hn::ShiftRight<1>(V{from})).raw, 0x0104104001041040);
  };
  const auto together = [=](__m512i first, __m512i second) HWY_ATTR {
    const __m512i a = in_bytes(first), b = in_bytes(second);
    const __m512i lower = _mm512_permutex2var_epi8(a, even, b), upper = _mm512_permutex2var_epi8(a, odd, b);
    return _mm512_ternarylogic_epi64(_mm512_set1_epi8(0x0F), lower, upper, 0xCA);
  };
  uint8_t* to = reinterpret_cast<uint8_t*>(out);
  const uint8_t* from = reinterpret_cast<const uint8_t*>(bits);
  const uint8_t* const end = from + (rows * 2 + 7) / 8;
  for (; end - from >= 128; from += 128, to += 64)
    _mm512_storeu_si512(to, together(_mm512_loadu_si512(from), _mm512_loadu_si512(from + 64)));
  if (from == end) return;
  const __m512i second = end - from > 64 ? bytes_before(from + 64, end) : _mm512_setzero_si512();
  _mm512_mask_storeu_epi8(to, low_bits(static_cast<std::size_t>(end - from + 1) / 2), together(bytes_before(from, end), second));
}
inline void fold_pairs(RowFunction f, uint64_t* out, const uint64_t* bits, std::size_t rows) {
  const auto run = [=](auto op) HWY_ATTR { fold_pairs(out, bits, rows, op); };
  switch (f) {
    case RowFunction::and_: return run([](auto w, auto x) HWY_ATTR { return hn::And(w, x); });
    case RowFunction::or_: return run([](auto w, auto x) HWY_ATTR { return hn::Or(w, x); });
    case RowFunction::exclusive_or: return run([](auto w, auto x) HWY_ATTR { return hn::Xor(w, x); });
    case RowFunction::equal: return run([](auto w, auto x) HWY_ATTR { return hn::Not(hn::Xor(w, x)); });
    case RowFunction::less: return run([](auto w, auto x) HWY_ATTR { return hn::AndNot(w, x); });
    case RowFunction::less_equal: return run([](auto w, auto x) HWY_ATTR { return hn::Or(hn::Not(w), x); });
    case RowFunction::greater: return run([](auto w, auto x) HWY_ATTR { return hn::AndNot(x, w); });
    case RowFunction::greater_equal: return run([](auto w, auto x) HWY_ATTR { return hn::Or(w, hn::Not(x)); });
  }
}

// Folds rows of at most 64 bits.
inline void fold_in_lanes(RowFunction f, uint64_t* out, const uint64_t* bits, std::size_t columns, std::size_t rows) {
  if (columns == 2) return fold_pairs(f, out, bits, rows);
  with_row_lanes(columns, [=](const auto& lanes) HWY_ATTR { RowLaneFold(lanes, out, bits, columns, rows).run(f); });
}
inline void count_in_lanes(uint8_t* out, const uint64_t* bits, std::size_t columns, std::size_t rows) {
  with_row_lanes(columns, [=](const auto& lanes) HWY_ATTR {
    const auto mask = lanes.mask();
    count_lanes(lanes, out, bits, columns, rows, hn::Xor(mask, mask), 0);
  });
}
inline void differences_in_lanes(uint8_t* out, const uint64_t* bits, std::size_t columns, std::size_t rows) {
  with_row_lanes(columns, [=](const auto& lanes) HWY_ATTR {
    count_lanes(lanes, out, bits, columns, rows, lanes.odd_places(), static_cast<uint8_t>(columns / 2));
  });
}

}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // AVX-512

#endif  // toggle
