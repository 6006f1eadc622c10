#include "primitives/kernels/search/find.h"

#include "hwy/highway.h"
#include "primitives/kernels/shared/bit_runs.h"
#include "primitives/kernels/shared/bits-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace find_unit {
namespace {

// Tells for 64 places whether the m keys of w begin there; reads x up to a vector beyond 64 + m - 1 keys. The first `heads` keys
// are compared together: most places are told from the pattern by them.
template <std::size_t heads, class Key>
HWY_INLINE std::uint64_t begins(const Key* w, std::size_t m, const Key* x) {
  const hn::ScalableTag<Key> d;
  constexpr std::size_t lanes = hn::MaxLanes(hn::ScalableTag<Key>());
  std::uint64_t word = 0;
  for (std::size_t k = 0; k < 64; k += lanes) {
    auto found = hn::Eq(hn::LoadU(d, x + k), hn::Set(d, w[0]));
    for (std::size_t j = 1; j < heads; j++) found = hn::And(found, hn::Eq(hn::LoadU(d, x + j + k), hn::Set(d, w[j])));
    word |= bits_of_mask(d, found) << k;
  }
  for (std::size_t j = heads; j < m && word != 0; j++) {
    const auto wanted = hn::Set(d, w[j]);
    std::uint64_t equal = 0;
    for (std::size_t k = 0; k < 64; k += lanes) equal |= bits_of_mask(d, hn::Eq(hn::LoadU(d, x + j + k), wanted)) << k;
    word &= equal;
  }
  return word;
}

template <std::size_t heads, class Key>
void find_row_by(const Key* w, std::size_t m, const Key* x, std::size_t count, std::uint64_t* out, std::size_t at) {
  std::size_t i = 0;
  for (; i + 64 <= count; i += 64) write_bits(out, at + i, 64, begins<heads>(w, m, x + i));
  for (; i < count; i += 64) {
    const std::size_t n = count - i;
    Key rest[64 + most_found_keys] = {};
    std::memcpy(rest, x + i, (n + m - 1) * sizeof(Key));
    const std::uint64_t word = begins<heads>(w, m, rest) & low_bits(n);
    write_bits(out, at + i, n, word);
  }
}
template <class Key>
void find_row(const Key* w, std::size_t m, const Key* x, std::size_t count, std::uint64_t* out, std::size_t at) {
  if (m == 1) return find_row_by<1>(w, m, x, count, out, at);
  if (m == 2) return find_row_by<2>(w, m, x, count, out, at);
  find_row_by<3>(w, m, x, count, out, at);
}

void find8(const std::uint8_t* w, std::size_t m, const std::uint8_t* x, std::size_t count, std::uint64_t* out, std::size_t at) {
  find_row(w, m, x, count, out, at);
}
void find16(const std::uint16_t* w, std::size_t m, const std::uint16_t* x, std::size_t count, std::uint64_t* out,
            std::size_t at) {
  find_row(w, m, x, count, out, at);
}
void find32(const std::uint32_t* w, std::size_t m, const std::uint32_t* x, std::size_t count, std::uint64_t* out,
            std::size_t at) {
  find_row(w, m, x, count, out, at);
}
void find64(const std::uint64_t* w, std::size_t m, const std::uint64_t* x, std::size_t count, std::uint64_t* out,
            std::size_t at) {
  find_row(w, m, x, count, out, at);
}

// Finds up to 64 bits at the places of whole words, as long as whole vectors of these and the word after them are there; tells
// how many places it has done.
std::size_t find_in_words(std::uint64_t pattern, std::size_t m, const std::uint64_t* x, std::size_t count, std::uint64_t* out) {
  const hn::ScalableTag<std::uint64_t> d;
  const std::size_t lanes = hn::Lanes(d);
  // Where no place is left after so many bits, as mostly, the rest is not looked at.
  constexpr std::size_t step = 8;
  std::size_t i = 0;
  for (; 64 * (i + lanes + 1) <= count; i += lanes) {
    const auto low = hn::LoadU(d, x + i), high = hn::LoadU(d, x + i + 1);
    auto missing = hn::Xor(low, hn::Set(d, 0 - (pattern & 1)));
    for (std::size_t j = 1; j < m; j++) {
      const auto bits = hn::Or(hn::ShiftRightSame(low, static_cast<int>(j)), hn::ShiftLeftSame(high, static_cast<int>(64 - j)));
      missing = hn::Or(missing, hn::Xor(bits, hn::Set(d, 0 - (pattern >> j & 1))));
      if (j % step == 0 && hn::AllTrue(d, hn::Eq(missing, hn::Set(d, ~std::uint64_t{0})))) break;
    }
    hn::StoreU(hn::Not(missing), d, out + i);
  }
  return 64 * i;
}

}  // namespace
}  // namespace find_unit
using find_unit::find8, find_unit::find16, find_unit::find32, find_unit::find64, find_unit::find_in_words;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {

HWY_EXPORT(find8);
HWY_EXPORT(find16);
HWY_EXPORT(find32);
HWY_EXPORT(find64);
HWY_EXPORT(find_in_words);

void find_keys(const std::uint8_t* w, std::size_t m, const std::uint8_t* x, std::size_t count, std::uint64_t* out,
               std::size_t at) {
  HWY_DYNAMIC_DISPATCH(find8)(w, m, x, count, out, at);
}
void find_keys(const std::uint16_t* w, std::size_t m, const std::uint16_t* x, std::size_t count, std::uint64_t* out,
               std::size_t at) {
  HWY_DYNAMIC_DISPATCH(find16)(w, m, x, count, out, at);
}
void find_keys(const std::uint32_t* w, std::size_t m, const std::uint32_t* x, std::size_t count, std::uint64_t* out,
               std::size_t at) {
  HWY_DYNAMIC_DISPATCH(find32)(w, m, x, count, out, at);
}
void find_keys(const std::uint64_t* w, std::size_t m, const std::uint64_t* x, std::size_t count, std::uint64_t* out,
               std::size_t at) {
  HWY_DYNAMIC_DISPATCH(find64)(w, m, x, count, out, at);
}

void find_bits(const std::uint64_t* w, std::size_t m, const std::uint64_t* x, std::size_t from, std::size_t count,
               std::uint64_t* out, std::size_t at) {
  std::size_t start = 0;
  if (m <= 64) {
    if (from % 64 == 0 && at % 64 == 0)
      start = HWY_DYNAMIC_DISPATCH(find_in_words)(read_bits(w, 0, m), m, x + from / 64, count, out + at / 64);
    // Reads each word once: the places of 64 results and the m - 1 bits after them lie in two words.
    for (; start + 128 <= count; start += 64) {
      std::uint64_t low = read_bits(x, from + start, 64), high = read_bits(x, from + start + 64, 64);
      std::uint64_t found = read_bit(w, 0) ? low : ~low;
      for (std::size_t j = 1; j < m && found; j++) {
        std::uint64_t shifted = low >> j | high << (64 - j);
        found &= read_bit(w, j) ? shifted : ~shifted;
      }
      write_bits(out, at + start, 64, found);
    }
  }
  for (; start < count; start += 64) {
    std::size_t n = count - start < 64 ? count - start : 64;
    std::uint64_t found = low_bits(n);
    for (std::size_t j = 0; j < m && found; j++) {
      std::uint64_t wanted = read_bit(w, j) ? 0 : ~std::uint64_t{0};
      found &= read_bits(x, from + start + j, n) ^ wanted;
    }
    write_bits(out, at + start, n, found);
  }
}

}  // namespace griddle::kernels
#endif
