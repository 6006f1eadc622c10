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
#include "primitives/kernels/random/random.h"

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
  const hn::Repartition<std::uint32_t, D64> d32;
  return hn::MulEven(hn::BitCast(d32, a), hn::BitCast(d32, b));
}
HWY_INLINE V64 multiply_low_words(V64 a, std::uint32_t b) { return multiply_low_words(a, hn::Set(D64(), b)); }
HWY_INLINE V64 swapped_words(V64 a) {
  const hn::Repartition<std::uint32_t, D64> d32;
  return hn::BitCast(D64(), hn::Shuffle2301(hn::BitCast(d32, a)));
}

// Holds the keys of the rounds, two rounds to a vector, so that they need no registers. The lower half of a product goes into the
// round after the one that takes its upper half, so that one step brings both rounds' keys into the products of even rounds.
class Keys {
 public:
  explicit Keys(std::uint64_t key) {
    const std::uint32_t k0 = static_cast<std::uint32_t>(key), k1 = static_cast<std::uint32_t>(key >> 32);
    for (std::uint32_t round = 0; round < philox::rounds; round += 2) {
      hn::Store(hn::Set(D64(), both_keys(k0, philox::key_steps[0], round)), D64(), first_[round / 2]);
      hn::Store(hn::Set(D64(), both_keys(k1, philox::key_steps[1], round)), D64(), last_[round / 2]);
    }
  }
  // What products of an even round are combined with: for the first and for the last two words.
  HWY_INLINE V64 first(int round) const { return hn::Load(D64(), first_[round / 2]); }
  HWY_INLINE V64 last(int round) const { return hn::Load(D64(), last_[round / 2]); }

 private:
  static std::uint64_t both_keys(std::uint32_t key, std::uint32_t step, std::uint32_t round) {
    return std::uint64_t{key + round * step} << 32 | static_cast<std::uint32_t>(key + (round + 1) * step);
  }
  static_assert(philox::rounds % 2 == 0);
  HWY_ALIGN std::uint64_t first_[philox::rounds / 2][hn::MaxLanes(D64())];
  HWY_ALIGN std::uint64_t last_[philox::rounds / 2][hn::MaxLanes(D64())];
};

// The counters of several vectors of blocks, whose steps fill each other's waiting: the words c0 and c2 of each, and the products
// whose lower halves are c1 and c3, with the key of the round to come where that is odd. Upper halves of lanes hold anything.
template <int groups>
struct Counters {
  V64 c0[groups], c1[groups], c2[groups], c3[groups];
};
// Runs the rounds from `round` on; a loop would keep the counters in memory.
template <int round, int groups>
HWY_INLINE void run_rounds(Counters<groups>& c, const Keys& keys, Halves (&out)[groups]) {
  constexpr bool is_even = round % 2 == 0, is_last = round + 1 == philox::rounds;
  for (int g = 0; g < groups; g++) {
    V64 a = multiply_low_words(c.c0[g], philox::multipliers[0]);
    V64 b = multiply_low_words(c.c2[g], philox::multipliers[1]);
    if constexpr (is_even) {
      a = hn::Xor(a, keys.last(round));
      b = hn::Xor(b, keys.first(round));
    }
    if constexpr (is_last) {
      const V64 low = hn::Set(D64(), 0xFFFFFFFF);
      out[g] = {hn::Xor(swapped_words(b), hn::And(c.c1[g], low)), hn::Xor(swapped_words(a), hn::And(c.c3[g], low))};
    } else {
      c.c0[g] = hn::Xor(swapped_words(b), c.c1[g]);
      c.c1[g] = b;
      c.c2[g] = hn::Xor(swapped_words(a), c.c3[g]);
      c.c3[g] = a;
    }
  }
  if constexpr (!is_last) run_rounds<round + 1>(c, keys, out);
}

// Computes the blocks of any positions and uses.
template <int groups>
HWY_INLINE void compute_blocks(const V64 (&positions)[groups], const Keys& keys, std::uint32_t attempt, const V64 (&uses)[groups],
                               Halves (&out)[groups]) {
  const D64 d;
  Counters<groups> c;
  for (int g = 0; g < groups; g++) {
    c.c0[g] = positions[g];
    c.c1[g] = swapped_words(positions[g]);
    c.c2[g] = hn::Set(d, attempt);
    c.c3[g] = uses[g];
  }
  run_rounds<0>(c, keys, out);
}
template <int groups>
HWY_INLINE void compute_blocks(const V64 (&positions)[groups], const Keys& keys, std::uint32_t attempt, std::uint32_t use,
                               Halves (&out)[groups]) {
  V64 uses[groups];
  for (int g = 0; g < groups; g++) uses[g] = hn::Set(D64(), use);
  compute_blocks<groups>(positions, keys, attempt, uses, out);
}

// Computes blocks one after the other, as long as their positions have the same upper word. What the first rounds do to the words
// that all these blocks share is done once, and the first product of each block comes from the one before it by addition.
class Stream {
 public:
  // Lanes hold blocks in order, or so that interleaving the halves of blocks puts these in order.
  enum class Order { lanes, interleaved };
  Stream(RandomPlace place, Order order) : keys_(place.key) {
    const D64 d;
    std::uint32_t k0[4], k1[4];
    for (std::uint32_t round = 0; round < 4; round++) {
      k0[round] = static_cast<std::uint32_t>(place.key) + round * philox::key_steps[0];
      k1[round] = static_cast<std::uint32_t>(place.key >> 32) + round * philox::key_steps[1];
    }
    const std::uint64_t b = std::uint64_t{place.attempt} * philox::multipliers[1];
    const auto c0 = static_cast<std::uint32_t>((b >> 32) ^ (place.position >> 32) ^ k0[0]);
    const std::uint64_t a = std::uint64_t{c0} * philox::multipliers[0];
    hn::Store(hn::Set(d, place.use ^ k1[0]), d, first_round_);
    hn::Store(hn::Set(d, static_cast<std::uint32_t>(b) ^ k0[1]), d, second_round_first_);
    hn::Store(hn::Set(d, (a >> 32) ^ k1[1]), d, second_round_last_);
    hn::Store(hn::Set(d, (a ^ k1[2]) << 32 | k1[3]), d, third_round_);
    HWY_ALIGN std::uint64_t lanes[hn::MaxLanes(d)];
    const std::size_t count = hn::Lanes(d);
    for (std::size_t i = 0; i < count; i++) {
      const std::size_t block = order == Order::lanes ? i : i / 2 + (i % 2) * (count / 2);
      lanes[i] = ((place.position & 0xFFFFFFFF) + block) * philox::multipliers[0];
    }
    product_ = hn::Load(d, lanes);
    step_ = hn::Set(d, std::uint64_t{count} * philox::multipliers[0]);
  }

  // Computes the blocks of the next so many vectors.
  template <int groups>
  HWY_INLINE void next(Halves (&out)[groups]) {
    const D64 d;
    Counters<groups> c;
    for (int g = 0; g < groups; g++) {
      const V64 b = multiply_low_words(hn::Xor(swapped_words(product_), hn::Load(d, first_round_)), philox::multipliers[1]);
      const V64 c0 = hn::Xor(swapped_words(b), hn::Load(d, second_round_first_));
      const V64 c2 = hn::Xor(product_, hn::Load(d, second_round_last_));
      c.c3[g] = hn::Xor(multiply_low_words(c0, philox::multipliers[0]), hn::Load(d, third_round_));
      c.c1[g] = hn::Xor(multiply_low_words(c2, philox::multipliers[1]), keys_.first(2));
      c.c0[g] = hn::Xor(swapped_words(c.c1[g]), b);
      c.c2[g] = swapped_words(c.c3[g]);
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
  hn::StoreU(hn::InterleaveLower(d, h.first, h.last), d, out);
  hn::StoreU(hn::InterleaveUpper(d, h.first, h.last), d, out + hn::Lanes(d));
}

// Calls `take(blocks, i, count)` with all the blocks that n words of 64 bits take, from that of a place on: several vectors of
// them at a time, then single ones. They hold words i to i + count, the last one more.
template <int groups, class Take>
HWY_INLINE void for_blocks(RandomPlace place, std::size_t n, Stream::Order order, Take take) {
  const std::size_t in_vector = 2 * hn::Lanes(D64());
  for (std::size_t done = 0; done < n;) {
    const std::uint64_t same_upper_word = (std::uint64_t{1} << 32) - (place.position & 0xFFFFFFFF);
    const std::size_t left = n - done, count = left / 2 < same_upper_word ? left : 2 * same_upper_word;
    const std::size_t end = done + count;
    Stream stream(place, order);
    for (; end - done >= groups * in_vector; done += groups * in_vector) {
      Halves blocks[groups];
      stream.next(blocks);
      take(blocks, done, groups * in_vector);
    }
    while (done < end) {
      Halves blocks[1];
      stream.next(blocks);
      const std::size_t taken = end - done < in_vector ? end - done : in_vector;
      take(blocks, done, taken);
      done += taken;
    }
    place.position += same_upper_word;
  }
}
// Computes as many vectors at a time as registers hold.
constexpr int usual_groups = 3;

// Writes what `of` makes of the halves of blocks, n words of 64 bits from the block of a place on.
template <class Of>
HWY_INLINE void generate(std::uint64_t* out, RandomPlace place, std::size_t n, Of of) {
  const auto write = [out, of]<int groups>(const Halves(&blocks)[groups], std::size_t i, std::size_t count) HWY_ATTR {
    const std::size_t in_vector = 2 * hn::Lanes(D64());
    if (count == groups * in_vector) {
      for (std::size_t g = 0; g < groups; g++) store_in_order(of(blocks[g]), out + i + g * in_vector);
    } else {
      HWY_ALIGN std::uint64_t rest[2 * hn::MaxLanes(D64())];
      store_in_order(of(blocks[0]), rest);
      std::memcpy(out + i, rest, count * sizeof(*out));
    }
  };
  for_blocks<usual_groups>(place, n, Stream::Order::interleaved, write);
}
inline void generate_words(std::uint64_t* out, RandomPlace place, std::size_t n) {
  generate(out, place, n, [](Halves h) { return h; });
}

}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
