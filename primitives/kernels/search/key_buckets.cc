#include "primitives/kernels/search/key_buckets.h"

#include <algorithm>
#include <cstring>

#include "hwy/highway.h"
#include "primitives/kernels/shared/pieces.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace key_buckets_unit {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using std::size_t, std::uint32_t, std::uint64_t, std::uint8_t;

using D = hn::CappedTag<uint32_t, keys_of_bucket>;
constexpr size_t lanes = hn::MaxLanes(D());

HWY_INLINE bool holds(const uint32_t* bucket, uint32_t key) {
  const D d;
  const auto wanted = hn::Set(d, key);
  auto found = hn::Eq(hn::LoadU(d, bucket), wanted);
  for (size_t k = lanes; k < keys_of_bucket; k += lanes) found = hn::Or(found, hn::Eq(hn::LoadU(d, bucket + k), wanted));
  return !hn::AllFalse(d, found);
}

HWY_INLINE const uint32_t* bucket_of(const KeyBuckets& set, uint32_t key, int shift) {
  return set.keys + keys_of_bucket * (key * set.factor >> shift);
}

bool fill(const KeyBuckets& set, uint8_t* counts, const uint32_t* x, size_t n) {
  const size_t buckets = size_t{1} << set.bits;
  const int shift = 32 - static_cast<int>(set.bits);
  // What is free holds a key that is looked for in one bucket alone, where it is.
  std::fill_n(set.keys, keys_of_bucket * buckets, x[0]);
  std::memset(counts, 0, buckets);
  counts[x[0] * set.factor >> shift] = 1;
  for (size_t i = 1; i < n; i++) {
    const size_t bucket = x[i] * set.factor >> shift;
    uint32_t* const keys = set.keys + keys_of_bucket * bucket;
    if (holds(keys, x[i])) continue;
    if (counts[bucket] == keys_of_bucket) return false;
    keys[counts[bucket]++] = x[i];
  }
  return true;
}

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL

// Tells which of eight keys are in buckets that begin at these bytes: comparisons of four keys are packed to nibbles of bits.
HWY_INLINE uint32_t match_eight(const uint8_t* buckets, const uint32_t* starts, const uint32_t* x) {
  const auto equal = [=](size_t k) HWY_ATTR {
    return _mm256_cmpeq_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(buckets + starts[k])),
                              _mm256_castps_si256(_mm256_broadcast_ss(reinterpret_cast<const float*>(x + k))));
  };
  const auto nibbles = [=](size_t k) HWY_ATTR {
    const __m256i both =
        _mm256_packs_epi16(_mm256_packs_epi32(equal(k), equal(k + 1)), _mm256_packs_epi32(equal(k + 2), equal(k + 3)));
    const auto bits = static_cast<uint32_t>(_mm256_movemask_epi8(both));
    return (bits | bits >> 16) & 0xFFFF;
  };
  uint32_t found = nibbles(0) | nibbles(4) << 16;
  found |= found >> 2;
  return static_cast<uint32_t>(_pext_u32(found | found >> 1, 0x11111111));
}

HWY_INLINE uint64_t match_word(const KeyBuckets& set, int shift, const uint32_t* x) {
  const hn::FixedTag<uint32_t, 8> d;
  const auto factor = hn::Set(d, set.factor);
  constexpr int bucket_bytes = 5;
  HWY_ALIGN uint32_t starts[64];
  for (size_t k = 0; k < 64; k += 8)
    hn::Store(hn::ShiftLeft<bucket_bytes>(hn::ShiftRightSame(hn::Mul(hn::LoadU(d, x + k), factor), shift)), d, starts + k);
  uint64_t word = 0;
#pragma GCC unroll 8
  for (size_t k = 0; k < 64; k += 8)
    word |= uint64_t{match_eight(reinterpret_cast<const uint8_t*>(set.keys), starts + k, x + k)} << k;
  return word;
}

#else

HWY_INLINE uint64_t match_word(const KeyBuckets& set, int shift, const uint32_t* x) {
  constexpr size_t part = 16;
  uint64_t word = 0;
  for (size_t k = 0; k < 64; k += part) {
    uint64_t some = 0;
#pragma GCC unroll 16
    for (size_t j = 0; j < part; j++) some |= uint64_t{holds(bucket_of(set, x[k + j], shift), x[k + j])} << j;
    word |= some << k;
  }
  return word;
}

#endif

void match(const KeyBuckets& all, const uint32_t* x, size_t n, uint64_t* out) {
  const KeyBuckets set = all;
  const int shift = 32 - static_cast<int>(set.bits);
  const size_t whole = n & ~size_t{63};
  for (size_t i = 0; i < whole; i += 64) out[i / 64] = match_word(set, shift, x + i);
  if (whole == n) return;
  uint64_t word = 0;
  for (size_t i = whole; i < n; i++) word |= uint64_t{holds(bucket_of(set, x[i], shift), x[i])} << (i - whole);
  out[whole / 64] = word;
}

}  // namespace
}  // namespace key_buckets_unit
using key_buckets_unit::fill, key_buckets_unit::match;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(fill);
HWY_EXPORT(match);
bool fill_buckets(const KeyBuckets& set, std::uint8_t* counts, const std::uint32_t* x, std::size_t n) {
  return HWY_DYNAMIC_DISPATCH(fill)(set, counts, x, n);
}
void match_buckets(const KeyBuckets& set, const std::uint32_t* x, std::size_t n, std::uint64_t* out) {
  in_pieces(n, [=](std::size_t i, std::size_t end) { HWY_DYNAMIC_DISPATCH(match)(set, x + i, end - i, out + i / 64); });
}
}  // namespace griddle::kernels
#endif
