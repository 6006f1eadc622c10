// Tables of 256 bytes in registers. Included once per target.
#if defined(GRIDDLE_KERNELS_BYTE_TABLE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDDLE_KERNELS_BYTE_TABLE_INL_H_
#undef GRIDDLE_KERNELS_BYTE_TABLE_INL_H_
#else
#define GRIDDLE_KERNELS_BYTE_TABLE_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_AVX3_DL
// Holds a table of 256 bytes in four registers.
struct ByteTable {
  HWY_INLINE explicit ByteTable(const std::uint8_t* table)
      : a(_mm512_loadu_si512(table)),
        b(_mm512_loadu_si512(table + 64)),
        c(_mm512_loadu_si512(table + 128)),
        d(_mm512_loadu_si512(table + 192)) {}
  // All ones for the members of a set.
  HWY_INLINE explicit ByteTable(const std::uint64_t* set)
      : a(_mm512_movm_epi8(set[0])), b(_mm512_movm_epi8(set[1])), c(_mm512_movm_epi8(set[2])), d(_mm512_movm_epi8(set[3])) {}
  HWY_INLINE __m512i operator[](__m512i v) const {
    return _mm512_mask_blend_epi8(_mm512_movepi8_mask(v), _mm512_permutex2var_epi8(a, v, b), _mm512_permutex2var_epi8(c, v, d));
  }
  __m512i a, b, c, d;
};
#else
// A table of 256 bytes as rows of 16, of which those are looked at that are not all of the most usual byte.
class ByteRows {
 public:
  using D = hn::ScalableTag<std::uint8_t>;
  using V = hn::Vec<D>;
  // So many bytes are worth making it.
  static constexpr std::size_t worth = 128;

  explicit ByteRows(const std::uint8_t* table) {
    const hn::FixedTag<std::uint8_t, 16> d;
    const auto is_all = [=](std::size_t r, std::uint8_t byte)
                            HWY_ATTR { return hn::AllTrue(d, hn::Eq(hn::LoadU(d, table + 16 * r), hn::Set(d, byte))); };
    usual_ = table[255];
    for (std::size_t r = 0; r < 16; r++)
      if (is_all(r, table[16 * r])) usual_ = table[16 * r];
    for (std::size_t r = 0; r < 16; r++) {
      if (is_all(r, usual_)) continue;
      hn::Store(hn::Xor(hn::LoadU(d, table + 16 * r), hn::Set(d, usual_)), d, rows_[count_]);
      starts_[count_++] = static_cast<std::uint8_t>(16 * r);
    }
  }
  // Leaves the lower half of a place, and the highest bit, which is all that processors look at.
  static HWY_INLINE V place_in_row(V place) {
#if HWY_TARGET == HWY_EMU128
    return hn::And(place, hn::Set(D(), std::uint8_t{0x8F}));
#else
    return place;
#endif
  }
  // Writes what bytes become, a vector or a few at a time: takes the first place and as many results.
  template <class Store>
  HWY_INLINE std::size_t each(const std::uint8_t* x, std::size_t n, const Store& store) const {
    const D d;
    constexpr std::size_t lanes = hn::MaxLanes(D()), together = 4;
    const V usual = hn::Set(d, usual_), above = hn::Set(d, std::uint8_t{0x70});
    std::size_t i = 0;
    for (; i + together * lanes <= n; i += together * lanes) {
      V v[together], results[together];
      HWY_UNROLL(4) for (std::size_t k = 0; k < together; k++) v[k] = hn::LoadU(d, x + i + k * lanes), results[k] = usual;
      for (std::size_t r = 0; r < count_; r++) {
        const V row = hn::LoadDup128(d, rows_[r]), start = hn::Set(d, starts_[r]);
        // Places in other rows have their highest bit set, and give 0.
        HWY_UNROLL(4)
        for (std::size_t k = 0; k < together; k++)
          results[k] =
              hn::Xor(results[k], hn::TableLookupBytesOr0(row, place_in_row(hn::SaturatedAdd(hn::Xor(v[k], start), above))));
      }
      HWY_UNROLL(4) for (std::size_t k = 0; k < together; k++) store(i + k * lanes, results[k]);
    }
    return i;
  }

 private:
  HWY_ALIGN std::uint8_t rows_[16][16];
  std::uint8_t starts_[16], usual_;
  std::size_t count_ = 0;
};
#endif

}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
