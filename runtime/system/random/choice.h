// What Deal and Subset share: how numbers are drawn until enough are different, and in which type they are given.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>

#include "runtime/system/random/few_choices.h"

namespace griddle::random_functions {

// Up to this many, what has been drawn is noted in a byte each.
inline constexpr std::size_t small_limit = std::size_t{1} << 12;
// Numbers that are drawn at once.
inline constexpr std::size_t batch = 1024;
// So few of many are compared one by one.
inline constexpr std::size_t few = most_drawn_few;
inline constexpr std::uint64_t limit_of_integers = std::uint64_t{1} << 31;

// Fails unless `count` things can be drawn from `limit`.
void check_draw(Context&, const Function& self, std::size_t count, std::size_t limit);
// Gives the first `count` elements of a list of integers below a limit in the narrowest type. They are made as integers of 32
// bits where they fit: processors write shorter ones more slowly.
Value narrowed(Context&, Ref<Array> numbers, std::size_t count, std::size_t limit);
// Makes such a list of numbers that `write` writes as integers of 32 bits, or doubles. There is room for so many.
template <class Write>
Value numbers_below(Context& cx, std::size_t room, std::size_t count, std::size_t limit, Write write) {
  constexpr std::size_t short_room = 80;
  if (const ElementType type = std::max(type_below(limit), ElementType::i8); type < ElementType::i32 && room <= short_room) {
    std::array<std::int32_t, short_room> numbers;
    write(numbers.data());
    Ref<Array> a = make_list(cx.heap, type, count);
    if (type == ElementType::i8)
      std::copy_n(numbers.begin(), count, a->as<std::int8_t>());
    else
      std::copy_n(numbers.begin(), count, a->as<std::int16_t>());
    return to_value(std::move(a));
  }
  Ref<Array> a = make_list(cx.heap, limit > limit_of_integers ? ElementType::f64 : ElementType::i32, room);
  if (limit > limit_of_integers)
    write(a->as<double>());
  else
    write(a->as<std::int32_t>());
  return narrowed(cx, std::move(a), count, limit);
}

inline constexpr unsigned drawn_bits(std::size_t limit) { return limit <= limit_of_32_bits ? 32 : 64; }

// Lets the device choose where there is much to do; absent where the host is to do it. `work` says about how many elements that
// passes over.
Value choose_on_device(Context&, RandomState&, RandomChoice, std::size_t work, std::uint64_t blocks);

// The integers below a limit that a call draws, one after the other.
class Draws {
 public:
  Draws(RandomState& random, std::size_t limit) : random_(random), place_(random.take(0)), limit_(limit) {}
  // Numbers that the room of `next` holds beside those that are wanted.
  static constexpr std::size_t extra = 3 + kernels::room_for_vectors / sizeof(std::int32_t);

  // Writes the next n numbers to some place in the room, which it gives; `use` says how many of them count. Limits above 2^31 are
  // for doubles.
  template <class T>
  T* next(T* room, std::size_t n) {
    kernels::RandomPlace from = place_;
    const std::uint64_t block = kernels::block_of(drawn_, bits());
    from.position += block;
    const std::size_t skipped = drawn_ - block * in_block();
    const kernels::RandomIntegerKernels& integers = kernels::random_integers();
    if (const std::size_t blocks = kernels::blocks_for(drawn_ + n, bits()); blocks <= RandomState::few_blocks) {
      const std::uint64_t* words = random_.look_ahead(blocks) + 2 * block;
      if constexpr (sizeof(T) == 8)
        integers.f64_of(room, words, from, skipped + n, limit_);
      else
        (bits() == 32 ? integers.i32_of : integers.i32_wide_of)(room, words, from, skipped + n,
                                                                static_cast<std::uint32_t>(limit_));
      return room + skipped;
    }
    if constexpr (sizeof(T) == 8)
      integers.below_f64(room, from, skipped + n, limit_);
    else
      (bits() == 32 ? integers.below_i32 : integers.below_i32_wide)(room, from, skipped + n, static_cast<std::uint32_t>(limit_));
    return room + skipped;
  }
  void use(std::size_t n) { drawn_ += n; }
  std::uint64_t blocks() const { return kernels::blocks_for(drawn_, bits()); }

 private:
  unsigned bits() const { return drawn_bits(limit_); }
  std::size_t in_block() const { return bits() == 32 ? 4 : 2; }
  RandomState& random_;
  kernels::RandomPlace place_;
  std::size_t limit_;
  std::uint64_t drawn_ = 0;
};

// Draws numbers, of which `take` keeps some and gives their number, until `missing` are kept.
template <class T, class Take>
void draw_until(Context& cx, Draws& draws, std::size_t missing, Take take) {
  std::array<T, batch + Draws::extra> room;
  const T* next = nullptr;
  for (std::size_t there = 0; missing > 0;) {
    cx.check_interrupt();
    if (there == 0) {
      // Draws for those that come twice as well.
      there = std::min(batch, missing + (missing > few ? missing / 8 : 0));
      next = draws.next(room.data(), there);
    }
    const std::size_t n = std::min(there, missing);
    missing -= take(next, n);
    draws.use(n);
    next += n;
    there -= n;
  }
}

// Notes which of few numbers have been drawn. Bytes are hardly ever read just after they were written, as words of bits would be.
class SmallSet {
 public:
  explicit SmallSet(std::size_t limit) { std::fill_n(bytes_.begin(), (limit + 63) / 64 * 64, 0); }
  // Tells whether the number is new.
  bool add(std::size_t number) {
    const bool is_new = bytes_[number] == 0;
    bytes_[number] = 1;
    return is_new;
  }
  void copy_to(std::uint64_t* bits, std::size_t words) const {
    constexpr std::uint64_t gather = 0x0102040810204080;  // brings the lowest bits of eight bytes into the highest one
    for (std::size_t i = 0; i < words; i++) {
      bits[i] = 0;
      for (std::size_t k = 0; k < 8; k++) {
        std::uint64_t eight;
        std::memcpy(&eight, bytes_.data() + 64 * i + 8 * k, sizeof eight);
        bits[i] |= (eight * gather >> 56) << (8 * k);
      }
    }
  }

 private:
  std::array<std::uint8_t, small_limit> bytes_;
};

// Gives memory for n bits, all 0.
Ref<Array> no_bits(Context&, std::size_t n);

// Makes a list of numbers that are written as those of `numbers_below`, with room for Draws::extra more.
template <class Write>
Value list_drawn(Context& cx, std::size_t count, std::size_t limit, Write write) {
  return numbers_below(cx, count + Draws::extra, count, limit, write);
}

}  // namespace griddle::random_functions
