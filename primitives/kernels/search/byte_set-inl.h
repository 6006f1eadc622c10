// Sets of bytes in registers, that vectors of bytes are looked up in. Included once per target.
#if defined(GRIDDLE_KERNELS_BYTE_SET_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDDLE_KERNELS_BYTE_SET_INL_H_
#undef GRIDDLE_KERNELS_BYTE_SET_INL_H_
#else
#define GRIDDLE_KERNELS_BYTE_SET_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "hwy/highway.h"
#include "primitives/kernels/shared/bits-inl.h"
#include "primitives/kernels/shared/byte_table-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace byte_set {
namespace hn = hwy::HWY_NAMESPACE;
using std::uint64_t, std::uint8_t;

#if HWY_TARGET == HWY_AVX3_DL
// A set of bytes that is looked up as it is.
struct Members {
  const uint64_t* set;

  HWY_INLINE explicit Members(const uint64_t* of) : set(of) {}
};
// Tells of a vector of bytes which are in a set.
struct ByteLookup {
  ByteTable is_member;

  HWY_INLINE explicit ByteLookup(const Members& members) : is_member(members.set) {}
  // Holds nothing.
  HWY_INLINE ByteLookup() : is_member(nothing) {}
  // Takes bytes that were added to the set: one by one, and then all.
  HWY_INLINE void add(unsigned) {}
  HWY_INLINE void take(const Members& members) { is_member = ByteTable(members.set); }
  HWY_INLINE uint64_t operator()(const uint8_t* p) const { return _mm512_movepi8_mask(is_member[_mm512_loadu_si512(p)]); }
  // Tells whether `run` bytes are all in the set.
  template <bool>
  HWY_INLINE bool have_all(const uint8_t* p) const {
    uint64_t all = ~uint64_t{0};
    for (std::size_t k = 0; k < run; k += 64) all &= (*this)(p + k);
    return all == ~uint64_t{0};
  }
  static constexpr std::size_t run = 256;

 private:
  static constexpr uint64_t nothing[4] = {};
};
#else
// A set of bytes as rows of bits: the low half of a byte picks a row, the high half a bit of it.
struct Members {
  HWY_ALIGN uint8_t rows[2][16] = {};

  // Rows are columns of the set's 16 words of 16 bits, 8 of them for each half of all bytes.
  HWY_INLINE explicit Members(const uint64_t* set) {
    for (std::size_t k = 0; k < 4; k++) {
      uint64_t square = 0;  // of half the rows for half of all bytes
      for (std::size_t j = 0; j < 8; j++) square |= (set[k / 2 * 2 + j / 4] >> (j % 4 * 16 + k % 2 * 8) & 0xFF) << 8 * j;
      square = turned(square);
      std::memcpy(rows[k / 2] + k % 2 * 8, &square, sizeof square);
    }
  }

 private:
  // Exchanges rows and columns of 8 × 8 bits.
  static HWY_INLINE uint64_t turned(uint64_t square) {
    const auto exchange = [&square](int distance, uint64_t which) HWY_ATTR {
      const uint64_t differing = (square ^ square >> distance) & which;
      square ^= differing ^ differing << distance;
    };
    exchange(7, 0x00AA00AA00AA00AA);
    exchange(14, 0x0000CCCC0000CCCC);
    exchange(28, 0x00000000F0F0F0F0);
    return square;
  }
};
struct ByteLookup {
  using D = hn::ScalableTag<uint8_t>;
  hn::Vec<D> low_rows, high_rows, bits;

  HWY_INLINE explicit ByteLookup(const Members& set) : ByteLookup() {
    const D d;
    low_rows = hn::LoadDup128(d, set.rows[0]), high_rows = hn::LoadDup128(d, set.rows[1]);
  }
  // Holds nothing.
  HWY_INLINE ByteLookup() {
    const D d;
    HWY_ALIGN static constexpr uint8_t bit[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    low_rows = high_rows = hn::Zero(d), bits = hn::LoadDup128(d, bit);
  }
  // The rows stay in registers, where loads need not wait for what was stored.
  HWY_INLINE void add(unsigned c) {
    const D d;
    HWY_ALIGN static constexpr uint8_t places[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const auto own = hn::VecFromMask(d, hn::Eq(hn::LoadDup128(d, places), hn::Set(d, static_cast<uint8_t>(c & 15))));
    const unsigned bit = 1u << (c >> 4 & 7), in_high = 0 - (c >> 7);
    low_rows = hn::Or(low_rows, hn::And(own, hn::Set(d, static_cast<uint8_t>(bit & ~in_high))));
    high_rows = hn::Or(high_rows, hn::And(own, hn::Set(d, static_cast<uint8_t>(bit & in_high))));
  }
  HWY_INLINE void take(const Members&) {}
  HWY_INLINE uint64_t operator()(const uint8_t* p) const {
    const D d;
    const hn::RebindToSigned<D> signed_d;
    const auto half = hn::Set(d, uint8_t{15});
    const auto v = hn::LoadU(d, p);
    const auto low = hn::And(v, half);
    const auto high = hn::And(hn::BitCast(d, hn::ShiftRight<4>(hn::BitCast(hn::RepartitionToWide<D>(), v))), half);
    const auto upper = hn::RebindMask(d, hn::Lt(hn::BitCast(signed_d, v), hn::Zero(signed_d)));
    const auto row = hn::IfThenElse(upper, hn::TableLookupBytes(high_rows, low), hn::TableLookupBytes(low_rows, low));
    const auto one = hn::TableLookupBytes(bits, high);
    return bits_of_mask(d, hn::Eq(hn::And(row, one), one));
  }
  // Tells whether `run` bytes are all in the set, which may have those below 128 alone.
  template <bool low_alone>
  HWY_INLINE bool have_all(const uint8_t* p) const {
    const D d;
    const auto upper = hn::Set(d, uint8_t{0x80}), within = hn::Set(d, uint8_t{0x8F}), half = hn::Set(d, uint8_t{15});
    auto missing = hn::Zero(d);
    for (std::size_t k = 0; k < run; k += hn::MaxLanes(d)) {
      const auto v = hn::LoadU(d, p + k);
      const auto high = hn::And(hn::BitCast(d, hn::ShiftRight<4>(hn::BitCast(hn::RepartitionToWide<D>(), v))), half);
      // Places from 128 on give 0.
      const auto place = hn::And(v, within);
      auto row = hn::TableLookupBytesOr0(low_rows, place);
      if constexpr (!low_alone) row = hn::Or(row, hn::TableLookupBytesOr0(high_rows, hn::Xor(place, upper)));
      missing = hn::Or(missing, hn::AndNot(row, hn::TableLookupBytes(bits, high)));
    }
    return hn::AllTrue(d, hn::Eq(missing, hn::Zero(d)));
  }
  static constexpr std::size_t run = 256;
};
#endif

// Tells which of 64 bytes are not in a set.
HWY_INLINE uint64_t not_among(const ByteLookup& known, const uint8_t* x) {
  uint64_t unknown = ~uint64_t{0};
  for (std::size_t k = 0; k < 64; k += hn::MaxLanes(hn::ScalableTag<uint8_t>())) unknown &= ~(known(x + k) << k);
  return unknown;
}
// Tells which of 64 bytes are equal to one.
HWY_INLINE uint64_t equal_to(uint8_t c, const uint8_t* x) {
  const hn::ScalableTag<uint8_t> d;
  uint64_t equal = 0;
  for (std::size_t k = 0; k < 64; k += hn::MaxLanes(d)) equal |= bits_of_mask(d, hn::Eq(hn::LoadU(d, x + k), hn::Set(d, c))) << k;
  return equal;
}

}  // namespace byte_set
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
