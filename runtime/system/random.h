// Random numbers: Philox 4×32-10, a counter-based generator: block n of a stream is a pure function of key and n.
#pragma once

#include <array>
#include <cstdint>

#include "runtime/value/function.h"

namespace griddle {

class RandomState final : public NativeObject {
 public:
  explicit RandomState(std::uint64_t seed) : key_(seed) {}
  std::uint32_t next_word() {
    if (used_ == words_.size()) refill();
    return words_[used_++];
  }
  std::uint64_t next_long() {
    std::uint64_t low = next_word();
    return low | std::uint64_t{next_word()} << 32;
  }
  // Gives a number from 0 to limit - 1, each equally likely. `limit` is at least 1.
  std::uint64_t below(std::uint64_t limit);
  // Gives a multiple of 2⋆¯53 from 0 to below 1.
  double fraction() { return static_cast<double>(next_long() >> 11) * 0x1p-53; }

 private:
  void refill();
  std::uint64_t key_;
  std::uint64_t counter_ = 0;
  // Computes this many blocks of four words at once.
  static constexpr std::size_t lanes = 16;
  std::array<std::uint32_t, 4 * lanes> words_{};
  std::size_t used_ = 4 * lanes;
};

// Gives a seed that nobody can guess.
std::uint64_t unpredictable_seed();

}  // namespace griddle
