#include "primitives/kernels/shared/hash_keys.h"

#include <sys/random.h>
#include <unistd.h>

#include <chrono>
#include <cstring>

namespace griddle::kernels {
namespace {

// Stirs 64 bits (SplitMix64).
std::uint64_t stirred(std::uint64_t& state) {
  std::uint64_t z = state += 0x9E3779B97F4A7C15;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
  z = (z ^ z >> 27) * 0x94D049BB133111EB;
  return z ^ z >> 31;
}

HashKeys draw() {
  HashKeys keys;
  if (getentropy(&keys, sizeof keys) != 0) {
    // Better than numbers that everybody knows: where this process lies, and when it began.
    std::uint64_t state = reinterpret_cast<std::uintptr_t>(&keys) ^
                          static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
    for (std::uint64_t* key : {&keys.factor, &keys.part_factor, &keys.step, &keys.number, &keys.character, &keys.array,
                               &keys.operation, &keys.of_maps})
      *key = stirred(state);
  }
  // The upper half of the factor is a factor of its own.
  keys.factor |= std::uint64_t{1} << 32 | 1;
  keys.part_factor |= 1;
  keys.step |= 1;
  return keys;
}

}  // namespace

const HashKeys hash_keys = draw();

}  // namespace griddle::kernels
