// Blocks of Philox 4×32-10 in vectors, one to a lane of 64 bits. Included once per target.
#if defined(GRIDDLE_KERNELS_PHILOX_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDDLE_KERNELS_PHILOX_INL_H_
#undef GRIDDLE_KERNELS_PHILOX_INL_H_
#else
#define GRIDDLE_KERNELS_PHILOX_INL_H_
#endif

#include <cstdint>
#include <cstring>

#include "hwy/highway.h"
#include "primitives/kernels/random.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D64 = hn::ScalableTag<std::uint64_t>;
using V64 = hn::Vec<D64>;

// Two halves of blocks: the first and the last two words of each.
struct Halves {
  V64 first, last;
};

// Multiplies the lower halves of 64 bits.
HWY_INLINE V64 multiply_low_words(V64 a, V64 b) {
#if HWY_TARGET == HWY_SCALAR
  return hn::Set(D64(), (hn::GetLane(a) & 0xFFFFFFFF) * (hn::GetLane(b) & 0xFFFFFFFF));
#else
  const hn::Repartition<std::uint32_t, D64> d32;
  return hn::MulEven(hn::BitCast(d32, a), hn::BitCast(d32, b));
#endif
}
HWY_INLINE V64 multiply_low_words(V64 a, std::uint32_t b) { return multiply_low_words(a, hn::Set(D64(), b)); }
HWY_INLINE V64 swapped_words(V64 a) {
#if HWY_TARGET == HWY_SCALAR
  return hn::RotateRight<32>(a);
#else
  const hn::Repartition<std::uint32_t, D64> d32;
  return hn::BitCast(D64(), hn::Shuffle2301(hn::BitCast(d32, a)));
#endif
}

// Holds the keys of all rounds, a vector each, so that they need no registers.
class Keys {
 public:
  explicit Keys(std::uint64_t key) {
    std::uint32_t k0 = static_cast<std::uint32_t>(key), k1 = static_cast<std::uint32_t>(key >> 32);
    for (int round = 0; round < philox::rounds; round++) {
      hn::Store(hn::Set(D64(), k0), D64(), first_[round]);
      hn::Store(hn::Set(D64(), k1), D64(), last_[round]);
      k0 += philox::key_steps[0];
      k1 += philox::key_steps[1];
    }
  }
  HWY_INLINE V64 first(int round) const { return hn::Load(D64(), first_[round]); }
  HWY_INLINE V64 last(int round) const { return hn::Load(D64(), last_[round]); }

 private:
  HWY_ALIGN std::uint64_t first_[philox::rounds][hn::MaxLanes(D64())];
  HWY_ALIGN std::uint64_t last_[philox::rounds][hn::MaxLanes(D64())];
};

// The counters of several vectors of blocks, whose steps fill each other's waiting. Upper halves of lanes hold anything.
template <int groups>
struct Counters {
  V64 c0[groups], c1[groups], c2[groups], c3[groups];
};
// Runs the rounds from `round` on; a loop would keep the counters in memory.
template <int round, int groups>
HWY_INLINE void run_rounds(Counters<groups>& c, const Keys& keys, Halves (&out)[groups]) {
  constexpr bool is_last = round + 1 == philox::rounds;
  for (int g = 0; g < groups; g++) {
    const V64 k0 = keys.first(round), k1 = keys.last(round);
    const V64 a = multiply_low_words(c.c0[g], philox::multipliers[0]);
    const V64 b = multiply_low_words(c.c2[g], philox::multipliers[1]);
    if constexpr (is_last) {
      const V64 low = hn::Set(D64(), 0xFFFFFFFF);
      out[g] = {hn::Xor(swapped_words(b), hn::Xor(hn::And(c.c1[g], low), k0)),
                hn::Xor(swapped_words(a), hn::Xor(hn::And(c.c3[g], low), k1))};
    } else {
      c.c0[g] = hn::Xor(hn::Xor(c.c1[g], k0), hn::ShiftRight<32>(b));
      c.c1[g] = b;
      c.c2[g] = hn::Xor(hn::Xor(c.c3[g], k1), hn::ShiftRight<32>(a));
      c.c3[g] = a;
    }
  }
  if constexpr (!is_last) run_rounds<round + 1>(c, keys, out);
}

// Computes the blocks of any positions.
template <int groups>
HWY_INLINE void compute_blocks(const V64 (&positions)[groups], const Keys& keys, std::uint32_t attempt, std::uint32_t use,
                               Halves (&out)[groups]) {
  const D64 d;
  Counters<groups> c;
  for (int g = 0; g < groups; g++) {
    c.c0[g] = positions[g];
    c.c1[g] = hn::ShiftRight<32>(positions[g]);
    c.c2[g] = hn::Set(d, attempt);
    c.c3[g] = hn::Set(d, use);
  }
  run_rounds<0>(c, keys, out);
}

// Computes blocks one after the other, as long as their positions have the same upper word. What the first rounds do to the words
// that all these blocks share is done once, and the first product of each block comes from the one before it by addition.
class Stream {
 public:
  explicit Stream(RandomPlace place) : keys_(place.key) {
    const D64 d;
    std::uint32_t k0[3], k1[3];
    for (std::uint32_t round = 0; round < 3; round++) {
      k0[round] = static_cast<std::uint32_t>(place.key) + round * philox::key_steps[0];
      k1[round] = static_cast<std::uint32_t>(place.key >> 32) + round * philox::key_steps[1];
    }
    const std::uint64_t b = std::uint64_t{place.attempt} * philox::multipliers[1];
    const auto c0 = static_cast<std::uint32_t>((b >> 32) ^ (place.position >> 32) ^ k0[0]);
    const std::uint64_t a = std::uint64_t{c0} * philox::multipliers[0];
    hn::Store(hn::Set(d, place.use ^ k1[0]), d, first_round_);
    hn::Store(hn::Set(d, static_cast<std::uint32_t>(b) ^ k0[1]), d, second_round_first_);
    hn::Store(hn::Set(d, (a >> 32) ^ k1[1]), d, second_round_last_);
    hn::Store(hn::Set(d, static_cast<std::uint32_t>(a) ^ k1[2]), d, third_round_);
    HWY_ALIGN std::uint64_t lanes[hn::MaxLanes(d)];
    const std::size_t count = hn::Lanes(d);
    // Puts positions so that interleaving the halves of their blocks puts these in order.
    for (std::size_t i = 0; i < count; i++)
      lanes[i] = ((place.position & 0xFFFFFFFF) + i / 2 + (i % 2) * (count / 2)) * philox::multipliers[0];
    product_ = hn::Load(d, lanes);
    step_ = hn::Set(d, std::uint64_t{count} * philox::multipliers[0]);
  }

  // Computes the blocks of the next so many vectors.
  template <int groups>
  HWY_INLINE void next(Halves (&out)[groups]) {
    const D64 d;
    Counters<groups> c;
    for (int g = 0; g < groups; g++) {
      const V64 b = multiply_low_words(hn::Xor(hn::ShiftRight<32>(product_), hn::Load(d, first_round_)), philox::multipliers[1]);
      const V64 c0 = hn::Xor(hn::ShiftRight<32>(b), hn::Load(d, second_round_first_));
      const V64 c2 = hn::Xor(product_, hn::Load(d, second_round_last_));
      const V64 a3 = multiply_low_words(c0, philox::multipliers[0]);
      const V64 b3 = multiply_low_words(c2, philox::multipliers[1]);
      c.c0[g] = hn::Xor(hn::Xor(b, keys_.first(2)), hn::ShiftRight<32>(b3));
      c.c1[g] = b3;
      c.c2[g] = hn::Xor(hn::ShiftRight<32>(a3), hn::Load(d, third_round_));
      c.c3[g] = a3;
      product_ = hn::Add(product_, step_);
    }
    run_rounds<3>(c, keys_, out);
  }

 private:
  Keys keys_;
  HWY_ALIGN std::uint64_t first_round_[hn::MaxLanes(D64())];
  HWY_ALIGN std::uint64_t second_round_first_[hn::MaxLanes(D64())];
  HWY_ALIGN std::uint64_t second_round_last_[hn::MaxLanes(D64())];
  HWY_ALIGN std::uint64_t third_round_[hn::MaxLanes(D64())];
  V64 product_, step_;
};

HWY_INLINE void store_in_order(Halves h, std::uint64_t* out) {
  const D64 d;
#if HWY_TARGET == HWY_SCALAR
  hn::StoreU(h.first, d, out);
  hn::StoreU(h.last, d, out + 1);
#else
  hn::StoreU(hn::InterleaveLower(d, h.first, h.last), d, out);
  hn::StoreU(hn::InterleaveUpper(d, h.first, h.last), d, out + hn::Lanes(d));
#endif
}

// Writes what `of` makes of the halves of blocks, n words of 64 bits from the block of a place on.
template <int groups, class Of>
HWY_INLINE void generate(std::uint64_t* out, RandomPlace place, std::size_t n, Of of) {
  const std::size_t in_vector = 2 * hn::Lanes(D64());
  while (n > 0) {
    const std::uint64_t same_upper_word = (std::uint64_t{1} << 32) - (place.position & 0xFFFFFFFF);
    const std::size_t count = n / 2 < same_upper_word ? n : 2 * same_upper_word;
    Stream stream(place);
    std::size_t i = 0;
    for (; count - i >= groups * in_vector; i += groups * in_vector) {
      Halves blocks[groups];
      stream.next(blocks);
      for (std::size_t g = 0; g < groups; g++) store_in_order(of(blocks[g]), out + i + g * in_vector);
    }
    for (; i < count; i += in_vector) {
      Halves blocks[1];
      stream.next(blocks);
      if (count - i >= in_vector) {
        store_in_order(of(blocks[0]), out + i);
      } else {
        HWY_ALIGN std::uint64_t rest[2 * hn::MaxLanes(D64())];
        store_in_order(of(blocks[0]), rest);
        std::memcpy(out + i, rest, (count - i) * sizeof(*out));
      }
    }
    out += count;
    n -= count;
    place.position += same_upper_word;
  }
}
// Computes as many vectors at a time as registers hold.
constexpr int usual_groups = HWY_TARGET == HWY_SCALAR ? 1 : 4;
inline void generate_words(std::uint64_t* out, RandomPlace place, std::size_t n) {
  generate<usual_groups>(out, place, n, [](Halves h) { return h; });
}

}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
