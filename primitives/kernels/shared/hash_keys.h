// Secret numbers that hashes begin with, so that nobody can make keys that collide. They are drawn once for each process.
#pragma once

#include <cstdint>

namespace griddle::kernels {

// Nothing that a program sees may depend on them, not even the order of what is found: tables only number keys as they come.
struct HashKeys {
  std::uint64_t factor, part_factor, step;                     // odd
  std::uint64_t number, character, array, operation, of_maps;  // any
};
extern const HashKeys hash_keys;

}  // namespace griddle::kernels
