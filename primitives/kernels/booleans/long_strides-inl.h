// Running functions of packed bits by strides of a word or more. Included once per target.
#if defined(GRIDDLE_KERNELS_LONG_STRIDES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDDLE_KERNELS_LONG_STRIDES_INL_H_
#undef GRIDDLE_KERNELS_LONG_STRIDES_INL_H_
#else
#define GRIDDLE_KERNELS_LONG_STRIDES_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// What combines a word with the results before it: of words, a part of these at a time, exclusive-ored with `flip`, so that 0s
// change nothing; of vectors all at once.
struct RunningOr {
  static constexpr std::uint64_t flip = 0;
  static HWY_INLINE std::uint64_t of_words(std::uint64_t word, std::uint64_t before) { return word | before; }
  template <class V>
  static HWY_INLINE V of_vectors(V word, V before) {
    return hn::Or(word, before);
  }
};
struct RunningAnd {
  static constexpr std::uint64_t flip = ~std::uint64_t{0};
  static HWY_INLINE std::uint64_t of_words(std::uint64_t word, std::uint64_t before) { return word & ~before; }
  template <class V>
  static HWY_INLINE V of_vectors(V word, V before) {
    return hn::And(word, before);
  }
};
struct RunningExclusiveOr {
  static constexpr std::uint64_t flip = 0;
  static HWY_INLINE std::uint64_t of_words(std::uint64_t word, std::uint64_t before) { return word ^ before; }
  template <class V>
  static HWY_INLINE V of_vectors(V word, V before) {
    return hn::Xor(word, before);
  }
};
struct RunningLess {
  static constexpr std::uint64_t flip = 0;
  static HWY_INLINE std::uint64_t of_words(std::uint64_t word, std::uint64_t before) { return word & ~before; }
  template <class V>
  static HWY_INLINE V of_vectors(V word, V before) {
    return hn::AndNot(before, word);
  }
};
struct RunningLessEqual {
  static constexpr std::uint64_t flip = ~std::uint64_t{0};
  static HWY_INLINE std::uint64_t of_words(std::uint64_t word, std::uint64_t before) { return word | before; }
  template <class V>
  static HWY_INLINE V of_vectors(V word, V before) {
    return hn::Or(word, hn::Not(before));
  }
};

// Scans rows of whole words: those of `lanes` columns of words at a time, from column `begin` on as long as there are so many.
template <class Op, std::size_t lanes>
HWY_INLINE std::size_t scan_word_columns(std::size_t begin, std::size_t back, std::uint64_t* out, const std::uint64_t* bits,
                                         std::size_t words) {
  const hn::CappedTag<std::uint64_t, lanes> d;
  const std::size_t step = hn::Lanes(d);
  for (; begin + step <= back; begin += step) {
    auto so_far = hn::LoadU(d, bits + begin);
    hn::StoreU(so_far, d, out + begin);
    for (std::size_t i = begin + back; i < words; i += back) {
      so_far = Op::of_vectors(hn::LoadU(d, bits + i), so_far);
      hn::StoreU(so_far, d, out + i);
    }
  }
  return begin;
}
template <class Op>
HWY_INLINE void scan_whole_words(std::size_t back, std::uint64_t* out, const std::uint64_t* bits, std::size_t words) {
  constexpr std::size_t many = 64;  // words; longer rows are read in order
  const hn::ScalableTag<std::uint64_t> d;
  const hn::CappedTag<std::uint64_t, 1> one;
  std::size_t i = std::min(back, words);
  if (back < many && words >= back) {
    i = words - words % back;
    std::size_t done = scan_word_columns<Op, 8>(0, back, out, bits, i);
    done = scan_word_columns<Op, 4>(done, back, out, bits, i);
    done = scan_word_columns<Op, 2>(done, back, out, bits, i);
    scan_word_columns<Op, 1>(done, back, out, bits, i);
  } else {
    std::copy_n(bits, i, out);
  }
  const auto next = [=](auto of, std::size_t at) HWY_ATTR {
    hn::StoreU(Op::of_vectors(hn::LoadU(of, bits + at), hn::LoadU(of, out + at - back)), of, out + at);
  };
  for (; back >= many && i + hn::Lanes(d) <= words; i += hn::Lanes(d)) next(d, i);
  for (; i < words; i++) next(one, i);
}

// Scans by a stride of at least 64 bits.
template <class Op>
HWY_INLINE void scan_by_long(std::size_t stride, std::uint64_t* out, const std::uint64_t* bits, std::size_t words) {
  const std::size_t back = stride / 64, shift = stride % 64, rest = 64 - shift;
  if (shift == 0) return scan_whole_words<Op>(back, out, bits, words);
  std::uint64_t beyond = 0;  // what the word before the one `back` words before leaves for this one
  const auto next = [&](std::size_t i, std::uint64_t earlier) HWY_ATTR {
    std::uint64_t part = Op::of_words(bits[i], beyond);
#ifdef __x86_64__
    asm("" : "+r"(part));  // g++ would combine what is before first, which is known last
#endif
    beyond = earlier >> rest;
    return out[i] = Op::of_words(part, earlier << shift);
  };
  if (back == 1) {
    // Results that are needed next stay in registers.
    std::uint64_t last = out[0] = bits[0];
    for (std::size_t i = 1; i < words; i++) last = next(i, last ^ Op::flip);
    return;
  }
  std::copy_n(bits, std::min(back, words), out);
  for (std::size_t i = back; i < words; i++) next(i, out[i - back] ^ Op::flip);
}

}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
