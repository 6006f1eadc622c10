#include "primitives/kernels/booleans/positional_popcount.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "hwy/highway.h"
#include "primitives/kernels/shared/across_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace positional_popcount_unit {
namespace {

using std::int32_t, std::uint64_t, std::uint8_t;

using D = Blocks<uint8_t>;
using V = hn::Vec<D>;
constexpr std::size_t lanes = hn::MaxLanes(D());

// Keeps counts of the bits of a vector as planes: bit k of the count of a place stands at that place of plane k.
class Planes {
 public:
  static constexpr std::size_t most_rows = 255;

  Planes() {
    for (V& plane : planes_) plane = hn::Zero(D());
  }
  // Adds all rows, `stride` bytes apart: sixteen at a time, since a full adder puts two bits of one weight into one of the next.
  void add(const uint8_t* from, std::size_t stride, std::size_t rows) {
    std::size_t r = 0;
    V ones = planes_[0], twos = planes_[1], fours = planes_[2], eights = planes_[3];
    const auto fours_of_next = [&]() HWY_ATTR {
      const V a = added(ones, row(from), row(from + stride)), b = added(ones, row(from + 2 * stride), row(from + 3 * stride));
      from += 4 * stride;
      return added(twos, a, b);
    };
    const auto eights_of_next = [&]() HWY_ATTR {
      const V a = fours_of_next(), b = fours_of_next();
      return added(fours, a, b);
    };
    for (; r + 16 <= rows; r += 16) {
      const V a = eights_of_next(), b = eights_of_next();
      carry(added(eights, a, b), 4);
    }
    planes_[0] = ones, planes_[1] = twos, planes_[2] = fours, planes_[3] = eights;
    for (; r < rows; r++, from += stride) carry(row(from), 0);
  }
  // Adds the counts of all places, of which none is above `most`.
  void add_to(int32_t* counts, std::size_t most) const {
    const D d;
    const int top = std::bit_width(most);
    HWY_ALIGN uint8_t bits[8 * lanes];
    for (int k = 0; k < top; k++) hn::Store(planes_[k], d, bits + static_cast<std::size_t>(k) * lanes);
    for (std::size_t part = 0; part < 8; part++) {
      V count = hn::Zero(d);
      for (int k = top; k-- > 0;) {
        const uint8_t* const from = bits + static_cast<std::size_t>(k) * lanes + part * (lanes / 8);
        count = hn::Sub(hn::Add(count, count), hn::VecFromMask(d, hn::LoadMaskBits(d, from)));
      }
      const Blocks<int32_t> wide;
      const hn::Rebind<uint8_t, decltype(wide)> narrow;
      HWY_ALIGN uint8_t few[lanes];
      hn::Store(count, d, few);
      for (std::size_t i = 0; i < lanes; i += hn::Lanes(wide), counts += hn::Lanes(wide))
        hn::StoreU(hn::Add(hn::LoadU(wide, counts), hn::PromoteTo(wide, hn::Load(narrow, few + i))), wide, counts);
    }
  }

 private:
  static HWY_INLINE V row(const uint8_t* from) { return hn::LoadU(D(), from); }
  // Adds two bits to a plane and gives the carries.
  static HWY_INLINE V added(V& plane, V a, V b) {
    const V both = hn::Xor(plane, a), carries = hn::Or(hn::And(plane, a), hn::And(both, b));
    plane = hn::Xor(both, b);
    return carries;
  }
  HWY_INLINE void carry(V bits, std::size_t plane) {
    for (; plane < 8; plane++) {
      const V carries = hn::And(planes_[plane], bits);
      planes_[plane] = hn::Xor(planes_[plane], bits);
      bits = carries;
    }
  }
  V planes_[8];
};

void count(int32_t* counts, const uint64_t* bits, std::size_t rows, std::size_t columns) {
  const std::size_t places = counted_places(columns), width = places / 8, n = rows * columns, wide_rows = n / places;
  const uint8_t* const bytes = reinterpret_cast<const uint8_t*>(bits);
  // Rows that do not make a wide one are padded to one.
  const std::size_t rest = n % places;
  HWY_ALIGN uint8_t last[most_columns_counted + lanes];
  if (rest != 0) {
    std::memset(last, 0, width);
    std::memcpy(last, bytes + wide_rows * width, (rest + 7) / 8);
    if (rest % 8 != 0) last[rest / 8] &= static_cast<uint8_t>((1 << rest % 8) - 1);
  }
  std::memset(counts, 0, places * sizeof(int32_t));
  for (std::size_t j = 0; j < width; j += lanes) {
    // The last vector may begin before the end of the one before it, and counts again.
    const std::size_t start = std::min(j, width - lanes);
    if (start != j) std::memset(counts + 8 * start, 0, 8 * lanes * sizeof(int32_t));
    for (std::size_t r = 0; r < wide_rows || r == 0;) {
      const std::size_t some = std::min(wide_rows - r, Planes::most_rows - (rest != 0));
      Planes planes;
      planes.add(bytes + r * width + start, width, some);
      r += some;
      const bool is_end = r == wide_rows && rest != 0;
      if (is_end) planes.add(last + start, 0, 1);
      planes.add_to(counts + 8 * start, some + is_end);
      if (wide_rows == 0) break;
    }
  }
  // Halves of a power of two of rows.
  for (std::size_t left = places / 2; left >= columns; left /= 2)
    for (std::size_t i = 0; i < left; i++) counts[i] += counts[left + i];
}

// Reads 64 bits, or as many as there are, from a place on.
HWY_INLINE uint64_t bits_at(const uint64_t* bits, std::size_t place, std::size_t last) {
  const std::size_t i = place / 64, shift = place % 64;
  return bits[i] >> shift | bits[std::min(i + 1, last)] << 1 << (63 - shift);
}

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL

using BytesD = hn::ScalableTag<uint8_t>;
using Bytes = hn::Vec<BytesD>;

// Adds 64 bits to 64 bytes.
HWY_INLINE Bytes with_bits(Bytes counts, uint64_t bits) {
  return Bytes{_mm512_mask_add_epi8(counts.raw, bits, counts.raw, _mm512_set1_epi8(1))};
}

// Counts rows of which words hold some each.
void count_rows_in_words(uint8_t* counts, const uint64_t* bits, std::size_t rows, std::size_t columns) {
  const BytesD d;
  const std::size_t n = rows * columns, words = n / 64;
  Bytes even = hn::Zero(d), odd = even;
  std::size_t i = 0;
  for (; i + 2 <= words; i += 2) {
    even = with_bits(even, bits[i]);
    odd = with_bits(odd, bits[i + 1]);
  }
  if (i < words) even = with_bits(even, bits[i]);
  if (n % 64 != 0) odd = with_bits(odd, bits[words] & ((uint64_t{1} << n % 64) - 1));
  const auto add = [](auto a, auto b) HWY_ATTR { return hn::Add(a, b); };
  store_folded(counts, d, hn::Add(even, odd), columns, add);
}

// Counts 64 columns at a time.
void count_any_rows(uint8_t* counts, const uint64_t* bits, std::size_t rows, std::size_t columns) {
  const BytesD d;
  const std::size_t last = (rows * columns - 1) / 64;
  for (std::size_t j = 0; j < columns; j += 64) {
    Bytes even = hn::Zero(d), odd = even;
    std::size_t r = 0, place = j;
    for (; r + 2 <= rows; r += 2, place += 2 * columns) {
      even = with_bits(even, bits_at(bits, place, last));
      odd = with_bits(odd, bits_at(bits, place + columns, last));
    }
    if (r < rows) even = with_bits(even, bits_at(bits, place, last));
    hn::BlendedStore(hn::Add(even, odd), hn::FirstN(d, columns - j), d, counts + j);
  }
}

bool count_bytes(uint8_t* counts, const uint64_t* bits, std::size_t rows, std::size_t columns) {
  (64 % columns == 0 ? count_rows_in_words : count_any_rows)(counts, bits, rows, columns);
  return true;
}

#else

// Counts a vector of columns after the other. For more rows the planes take less time.
bool count_bytes(uint8_t* counts, const uint64_t* bits, std::size_t rows, std::size_t columns) {
  using Few = hn::CappedTag<uint8_t, 32>;
  const Few d;
  constexpr std::size_t most_vectors = 512, together = hn::MaxLanes(Few());
  if (rows * ((columns + together - 1) / together) > most_vectors) return false;
  const std::size_t last = (rows * columns - 1) / 64;
  for (std::size_t j = 0; j < columns; j += together) {
    auto count = hn::Zero(d);
    for (std::size_t r = 0; r < rows; r++) {
      const uint64_t some = bits_at(bits, r * columns + j, last);
      count = hn::Sub(count, hn::VecFromMask(d, hn::LoadMaskBits(d, reinterpret_cast<const uint8_t*>(&some))));
    }
    HWY_ALIGN uint8_t stored[together];
    hn::Store(count, d, stored);
    std::memcpy(counts + j, stored, std::min(columns - j, together));
  }
  return true;
}

#endif

}  // namespace
}  // namespace positional_popcount_unit
using positional_popcount_unit::count, positional_popcount_unit::count_bytes;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(count);
HWY_EXPORT(count_bytes);
void count_columns(std::int32_t* counts, const std::uint64_t* bits, std::size_t rows, std::size_t columns) {
  HWY_DYNAMIC_DISPATCH(count)(counts, bits, rows, columns);
}
bool count_to_bytes(std::uint8_t* counts, const std::uint64_t* bits, std::size_t rows, std::size_t columns) {
  return HWY_DYNAMIC_DISPATCH(count_bytes)(counts, bits, rows, columns);
}
}  // namespace griddle::kernels
#endif
