// Sorts by the leading digits alone, after which few items are out of order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "primitives/kernels/sort/radix_passes.h"

namespace griddle::kernels {

template <class Item>
class LeadingDigits {
  using Passes = RadixPasses<Item>;

 public:
  // Sorts by bits [low, high), above which all have the same, and below which those agree that agree in these or come in order.
  // Two passes over the leading ones leave few neighbours that differ in others alone, unless items lie in heaps or are very
  // many. Gives the array that holds the result.
  static Item* sort(Item* items, Item* other, std::size_t n, unsigned low, unsigned high) {
    constexpr std::size_t most_led = std::size_t{1} << 18;
    const unsigned leading = 2 * (n < Passes::many ? Passes::narrow_digit : Passes::wide_digit);
    if (n > Passes::few && n <= most_led && high - low > leading && are_spread(items, n, high)) {
      Item* const sorted = Passes::run(items, other, n, high - leading, high);
      if (put_right(sorted, n, high - leading)) return sorted;
      if (sorted == other) std::swap(items, other);
    }
    return Passes::run(items, other, n, low, high);
  }

 private:
  // Puts items right that are in order but for their `low` lowest bits; false, and no item lost, where this is much work.
  static bool put_right(Item* items, std::size_t n, unsigned low) {
    constexpr std::size_t for_each_pair = 8, most_moved = 4;
    const Item greatest = static_cast<Item>((Item{1} << low) - 2);
    std::size_t pairs = 0;
    for (std::size_t i = 1; i < n; i++) pairs += static_cast<Item>((items[i] ^ items[i - 1]) - 1) <= greatest;
    if (pairs > n / for_each_pair) return false;
    std::size_t moved = 0;
    for (std::size_t i = 1; i < n; i++) {
      const Item item = items[i];
      if (item >= items[i - 1]) continue;
      std::size_t k = i;
      for (; k != 0 && items[k - 1] > item; k--) items[k] = items[k - 1];
      items[k] = item;
      moved += i - k;
      if (moved > most_moved * n) return false;
    }
    return true;
  }

  // Tells by the ten leading bits of some items whether they are spread over their range rather than heaped.
  static bool are_spread(const Item* items, std::size_t n, unsigned high) {
    constexpr std::size_t least_looks = 64, most_looks = 512, for_each_look = 16, places = 1024;
    const std::size_t looks = std::clamp(n / for_each_look, std::min(n, least_looks), most_looks), step = n / looks;
    std::uint16_t met[places] = {};
    std::size_t pairs = 0;
    for (std::size_t i = 0; i < looks; i++) pairs += met[(items[i * step] >> (high - 10)) % places]++;
    const std::size_t least_heaps = n < Passes::many ? 48 : 256;
    return pairs <= looks * looks / (2 * least_heaps);
  }
};

}  // namespace griddle::kernels
