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
  // Gives the array that holds the result.
  static Item* sort(Item* items, Item* other, std::size_t n, unsigned low, unsigned high) {
    Item* const sorted = of_spread(items, other, n, low, high);
    return sorted != nullptr ? sorted : Passes::run(items, other, n, low, high);
  }
  // The same for what two passes over the leading digits suffice for: they leave few neighbours that differ in others alone,
  // unless items lie in heaps or are very many. Null elsewhere; then `items` are still all of them.
  static Item* of_spread(Item*& items, Item*& other, std::size_t n, unsigned low, unsigned high) {
    return by_leading(items, other, n, low, high, 2, high - looked_at);
  }
  // The same for keys of doubles, whose first bits are exponents: for what three passes suffice for. Heaps are told by the last
  // bits of these.
  static Item* of_doubles(Item*& items, Item*& other, std::size_t n, unsigned low, unsigned high) {
    constexpr unsigned passes = 3;
    return by_leading(items, other, n, low, high, passes, high - passes * digit_for(n));
  }

 private:
  static constexpr unsigned looked_at = 10;
  static unsigned digit_for(std::size_t n) { return n < Passes::many ? Passes::narrow_digit : Passes::wide_digit; }

  static Item* by_leading(Item*& items, Item*& other, std::size_t n, unsigned low, unsigned high, unsigned passes,
                          unsigned looked_from) {
    constexpr std::size_t most_led = std::size_t{1} << 18;
    const unsigned leading = passes * digit_for(n);
    if (n <= Passes::few || n > most_led || high - low <= leading || !are_spread(items, n, looked_from)) return nullptr;
    Item* const sorted = Passes::run(items, other, n, high - leading, high);
    if (put_right(sorted, n, high - leading)) return sorted;
    if (sorted == other) std::swap(items, other);
    return nullptr;
  }

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

  // Tells by ten bits of some items whether they are spread over their range rather than heaped.
  static bool are_spread(const Item* items, std::size_t n, unsigned from_bit) {
    constexpr std::size_t least_looks = 64, most_looks = 512, for_each_look = 16, places = std::size_t{1} << looked_at;
    const std::size_t looks = std::clamp(n / for_each_look, std::min(n, least_looks), most_looks), step = n / looks;
    std::uint16_t met[places] = {};
    std::size_t pairs = 0;
    for (std::size_t i = 0; i < looks; i++) pairs += met[(items[i * step] >> from_bit) % places]++;
    const std::size_t least_heaps = n < Passes::many ? 48 : 256;
    return pairs <= looks * looks / (2 * least_heaps);
  }
};

}  // namespace griddle::kernels
