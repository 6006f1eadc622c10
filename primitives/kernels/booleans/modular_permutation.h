// The modular permutation: of rows of f bits, f odd, one bit each stands at f×i + f-1 for row i. Modulo a power of two n these
// are all places once, so that bits from f registers of n bits fill one register; the permutation then puts bit i at place i.
//
// It is a series of swaps. Modulo 2h the place of bit i depends on i modulo 2h alone: once bits are in order modulo h, what
// remains is to exchange those of the places i and i+h whose bit h differs from that of where they come from. From the least h
// up.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace griddle::kernels {

// Says where to swap, by the distance of swapped bits. `units` bits that stay together count as one.
struct ModularSwaps {
  static constexpr int steps_within = 6;
  std::uint64_t within[steps_within];  // distances 1 to 32: a word, repeated
  std::uint64_t by_words;              // distance 64: a word, repeated
  std::uint64_t by_pairs[2];           // distance 128: two words, repeated

  static constexpr ModularSwaps make(std::size_t factor, unsigned log2_unit) {
    const auto swaps = [=](std::size_t place, std::size_t distance) {
      const std::size_t i = place >> log2_unit, h = distance >> log2_unit;
      return h > 1 && ((i ^ (factor * i + factor - 1)) & h) != 0;
    };
    const auto word = [&](std::size_t start, std::size_t distance) {
      std::uint64_t mask = 0;
      for (std::size_t k = 0; k < 64; k++) mask |= std::uint64_t{swaps(start + k, distance)} << k;
      return mask;
    };
    ModularSwaps m = {};
    for (int s = 0; s < steps_within; s++) m.within[s] = word(0, std::size_t{1} << s);
    m.by_words = word(0, 64);
    for (std::size_t k = 0; k < 2; k++) m.by_pairs[k] = word(64 * k, 128);
    return m;
  }
};

// By the base-two logarithm of the unit, and half the factor.
inline constexpr unsigned most_log2_unit = 3;
inline constexpr auto modular_swaps = [] {
  std::array<std::array<ModularSwaps, 32>, most_log2_unit + 1> all = {};
  for (unsigned unit = 0; unit <= most_log2_unit; unit++)
    for (std::size_t f = 0; f < 32; f++) all[unit][f] = ModularSwaps::make(2 * f + 1, unit);
  return all;
}();

}  // namespace griddle::kernels
