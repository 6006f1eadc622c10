// The state of a generator of random numbers: its key and how many blocks of Philox 4×32-10 it has used up.
#pragma once

#include <array>
#include <cstdint>

#include "primitives/kernels/random/random.h"
#include "runtime/value/array.h"
#include "runtime/value/function.h"
#include "runtime/value/remote.h"

namespace griddle {

// Tells whether a device is asked to make so many numbers.
inline bool is_device_asked_for(const Context& cx, std::size_t count) { return cx.device != nullptr && count >= cx.device->from; }

class RandomState final : public NativeObject {
 public:
  explicit RandomState(std::uint64_t seed) : key_(seed) {}
  // Gives the place of the next numbers, which take so many blocks.
  kernels::RandomPlace take(std::uint64_t blocks) {
    kernels::RandomPlace place{key_, position_, 0, 0};
    position_ += blocks;
    return place;
  }

  // Blocks that are worth keeping beforehand: many at once cost little more than one.
  static constexpr std::size_t few_blocks = 64;
  // Gives the words of the next blocks, up to few_blocks of them, until the next call, and kernels::room_for_vectors more.
  const std::uint64_t* look_ahead(std::size_t blocks) {
    if (position_ - ahead_from_ >= ahead_blocks_ || position_ - ahead_from_ + blocks > ahead_blocks_) fill_ahead(blocks);
    return ahead_.data() + 2 * (position_ - ahead_from_);
  }

 private:
  // Computes blocks beforehand, more each time, so that a generator that is hardly used computes few.
  void fill_ahead(std::size_t blocks);

  static constexpr std::size_t most_ahead = 128;
  std::uint64_t key_;
  std::uint64_t position_ = 0;
  std::uint64_t ahead_from_ = 0, ahead_blocks_ = 0;
  std::array<std::uint64_t, 2 * most_ahead + kernels::room_for_vectors / sizeof(std::uint64_t)> ahead_;
};

// Gives a seed that nobody can guess.
std::uint64_t unpredictable_seed();

namespace random_functions {

// Up to these limits numbers take 16 or 32 bits each.
inline constexpr std::uint64_t limit_of_16_bits = 1 << 7, limit_of_32_bits = 1 << 26;

RandomState& state_of(const Function& self);
// Makes numbers on the device where they are many; absent where the host is to make them.
Value on_device(Context&, const RandomNumbers&, ElementType, std::span<const std::size_t> shape);
// Reads 𝕨 as a shape: a natural number or a list of them; fails where `cells` elements for each are too many.
Shape shape_argument(Context&, const Function& self, const Value& w, std::size_t cells = 1);
// Gives the narrowest type that holds 0 to limit - 1.
ElementType type_below(std::uint64_t limit);

// deal.cc
Value deal_all(Context&, const Function& self, Value x);
Value deal(Context&, const Function& self, Value w, Value x);
// subset.cc
Value any_subset(Context&, const Function& self, Value x);
Value subset(Context&, const Function& self, Value w, Value x);
// distribution.cc
Value one_uniform(Context&, const Function& self, Value x);
Value uniform(Context&, const Function& self, Value w, Value x);
Value one_normal(Context&, const Function& self, Value x);
Value normal(Context&, const Function& self, Value w, Value x);
Value one_exponential(Context&, const Function& self, Value x);
Value exponential(Context&, const Function& self, Value w, Value x);
Value one_gamma(Context&, const Function& self, Value x);
Value gamma(Context&, const Function& self, Value w, Value x);
// draw.cc
Value draw_one(Context&, const Function& self, Value x);
Value draw(Context&, const Function& self, Value w, Value x);
// product.cc
Value draw_product(Context&, const Function& self, Value w, Value x);

}  // namespace random_functions

}  // namespace griddle
