#include "primitives/kernels/search/hash_bytes.h"

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace hash_bytes_unit {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<std::uint64_t, 8>;
using V = hn::Vec<D>;

// The first digits of π, and the step from one stripe to the next.
HWY_ALIGN constexpr std::uint64_t keys[8] = {0x243F6A8885A308D3, 0x13198A2E03707344, 0xA4093822299F31D0, 0x082EFA98EC4E6C89,
                                             0x452821E638D01377, 0xBE5466CF34E90C6C, 0xC0AC29B7C97C50DD, 0x3F84D5B5B5470917};
constexpr std::uint64_t key_step = 0x9E3779B97F4A7C15;

// Adds the product of the halves of the word under its key, and the word with its halves swapped.
HWY_INLINE V add_words(V sum, V word, V key) {
  const V mixed = hn::Xor(word, key);
  const hn::Repartition<std::uint32_t, D> halves;
  const V product = hn::MulEven(hn::BitCast(halves, mixed), hn::BitCast(halves, hn::ShiftRight<32>(mixed)));
  return hn::Add(hn::Add(sum, hn::BitCast(D(), hn::Shuffle2301(hn::BitCast(halves, word)))), product);
}

void add(HashSums& sums, const std::uint8_t* bytes, std::size_t stripes, std::uint64_t place) {
  const D d;
  constexpr std::size_t lanes = hn::MaxLanes(d), vectors = 8 / lanes;
  const std::uint64_t* words = reinterpret_cast<const std::uint64_t*>(bytes);
  V sum[vectors], key[vectors];
  for (std::size_t k = 0; k < vectors; k++) {
    sum[k] = hn::LoadU(d, sums.data() + k * lanes);
    key[k] = hn::Add(hn::Load(d, keys + k * lanes), hn::Set(d, place * key_step));
  }
  const V step = hn::Set(d, key_step);
  for (std::size_t i = 0; i < stripes; i++, words += 8) {
    for (std::size_t k = 0; k < vectors; k++) {
      sum[k] = add_words(sum[k], hn::LoadU(d, words + k * lanes), key[k]);
      key[k] = hn::Add(key[k], step);
    }
  }
  for (std::size_t k = 0; k < vectors; k++) hn::StoreU(sum[k], d, sums.data() + k * lanes);
}

AddStripes hash_bytes_kernels() { return add; }

}  // namespace
}  // namespace hash_bytes_unit
using hash_bytes_unit::hash_bytes_kernels;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(hash_bytes_kernels);
AddStripes add_stripes() { return HWY_DYNAMIC_DISPATCH(hash_bytes_kernels)(); }
}  // namespace griddle::kernels
#endif
