// Gives kernel tests arguments off their alignment, guards round the output and the lengths to try.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include "tests/support/targets.h"

namespace griddle::testing {

class Random {
 public:
  std::uint32_t next() { return (state_ = state_ * 1664525u + 1013904223u) >> 8; }
  // Gives a number of the type; `small` ones seldom overflow anything.
  template <class T>
  T number(bool small) {
    const std::uint32_t r = next();
    if constexpr (std::is_floating_point_v<T>) {
      if (!small && r % 61 == 0) return r % 2 ? NAN : INFINITY;
      return small ? static_cast<int>(r % 21) - 10 : (static_cast<double>(r % 60000) - 30000) / 8;
    } else {
      if (small) return static_cast<T>(std::is_signed_v<T> ? static_cast<int>(r % 9) - 4 : static_cast<int>(r % 9));
      if (r % 5 == 0) return r % 2 ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
      return static_cast<T>(r * 2654435761u >> 3);
    }
  }

 private:
  std::uint32_t state_ = 1;
};

// n elements that start `offset` elements into their memory.
template <class T>
struct Elements {
  Elements(Random& random, std::size_t n, std::size_t offset, bool small)
      : memory(n + offset + 1), start(memory.data() + offset) {
    for (T& t : memory) t = random.number<T>(small);
  }
  Elements(const Elements&) = delete;
  std::vector<T> memory;
  T* start;
};

// Room for n elements between guards.
template <class T>
class Guarded {
 public:
  Guarded(std::size_t n, std::size_t offset) : bytes_((n + offset) * sizeof(T) + 2 * guard, 0xA5), offset_(offset) {}
  T* start() { return reinterpret_cast<T*>(bytes_.data() + guard) + offset_; }
  // Tells whether everything outside the first `used` elements is as it was; and behind the word in which they end, where they
  // begin at one and own it.
  bool kept_outside(std::size_t used, bool own_words = false) const {
    const std::size_t first = guard + offset_ * sizeof(T);
    std::size_t end = first + used * sizeof(T);
    if (own_words && first % 8 == 0) end = (end + 7) / 8 * 8;
    return kept(0, first) && kept(end, bytes_.size());
  }

 private:
  static constexpr std::size_t guard = 192;
  bool kept(std::size_t from, std::size_t to) const {
    const unsigned char* const bytes = bytes_.data();
    for (std::size_t i = from; i < to; i++)
      if (bytes[i] != 0xA5) return false;
    return true;
  }
  std::vector<unsigned char> bytes_;
  std::size_t offset_;
};

template <class T>
bool same(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    return a == b || (a != a && b != b);
  else
    return a == b;
}

inline bool bit_of(const std::uint64_t* bits, std::size_t i) { return bits[i / 64] >> (i % 64) & 1; }

// Every length up to two of the widest vectors of bytes, and some longer ones.
template <class F>
void for_lengths(F f) {
  for (std::size_t n = 0; n <= 129; n++) f(n);
  for (std::size_t n : {255, 256, 257, 511, 1000, 2049}) f(n);
}

}  // namespace griddle::testing
