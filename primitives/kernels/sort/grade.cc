#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

#include "primitives/kernels/folds/scan.h"
#include "primitives/kernels/shared/bounds.h"
#include "primitives/kernels/shared/pieces.h"
#include "primitives/kernels/shared/scatter.h"
#include "primitives/kernels/sort/counting.h"
#include "primitives/kernels/sort/leading_digits.h"
#include "primitives/kernels/sort/radix_passes.h"
#include "primitives/kernels/sort/sort.h"
#include "primitives/kernels/sort/tied_keys.h"

namespace griddle::kernels {
namespace {

// So many are counted at once sooner than by tables that are cleared for each quarter.
constexpr std::size_t few_in_quarters = 4096;
// Gives each of four quarters of the elements its own counts, so that equal neighbours do not wait for each other.
template <class T>
void grade_in_quarters(const T* x, std::size_t n, std::int64_t low, std::size_t range, std::uint32_t* places, bool down) {
  std::uint32_t next[4][256];
  std::size_t quarter = n / 4;
  const T* part[4] = {x, x + quarter, x + 2 * quarter, x + 3 * quarter};
  auto key = [low](T v) { return static_cast<std::size_t>(v - low); };
  if (n < few_in_quarters) {
    for (auto& counts : next) std::fill_n(counts, range, 0);
    for (std::size_t i = 0; i < quarter; i++)
      for (std::size_t q = 0; q < 4; q++) next[q][key(part[q][i])]++;
  } else {
    for (int q = 0; q < 4; q++) count_elements(part[q], quarter, low, range, next[q]);
  }
  for (std::size_t i = 4 * quarter; i < n; i++) next[3][key(x[i])]++;
  std::uint32_t sum = 0;
  for (std::size_t k = 0; k < range; k++)
    for (int q = 0; q < 4; q++) {
      std::uint32_t& place = next[q][down ? range - 1 - k : k];
      std::uint32_t c = place;
      place = sum;
      sum += c;
    }
  in_pieces(quarter, [&](std::size_t i, std::size_t end) {
    for (; i < end; i++)
      for (std::size_t q = 0; q < 4; q++) places[next[q][key(part[q][i])]++] = static_cast<std::uint32_t>(q * quarter + i);
  });
  for (std::size_t i = 4 * quarter; i < n; i++) places[next[3][key(x[i])]++] = static_cast<std::uint32_t>(i);
}
// Equal neighbours may be many then. Four places for each of more keys would be too many lines for the nearest cache.
bool gains_by_quarters(std::size_t n, std::size_t range) { return range <= 64 && n >= 512; }

// Puts places behind each other for each key.
template <class KeyAt>
void put_places(KeyAt key, std::size_t n, std::uint32_t* starts, std::uint32_t* places) {
  scatter(
      n,
      [=](std::size_t i) {
        return Keyed<std::uint32_t>{key(i), static_cast<std::uint32_t>(i)};
      },
      starts, places);
}

// Counts first, then puts places behind each other for each key; `starts` has room for as many numbers as there are keys.
template <class KeyAt>
void grade_by_few(KeyAt key, std::size_t n, std::size_t range, std::uint32_t* starts, std::uint32_t* places, bool down) {
  std::uint32_t sum = 0;
  for (std::size_t k = 0; k < range; k++) sum += std::exchange(starts[down ? range - 1 - k : k], sum);
  put_places(key, n, starts, places);
}

// Puts places behind each other for each byte, of which eight are read at once.
template <class Place>
void grade_single_bytes(ElementType type, const std::uint8_t* x, std::size_t n, Place* places, bool down) {
  constexpr std::size_t kinds = most_counted_bytes, half = kinds / 2;
  std::uint32_t next[kinds + 1];
  next[0] = 0;
  count_bytes(x, n, kinds, next + 1);
  std::int32_t sum = 0;
  scan().sum[2](reinterpret_cast<std::int32_t*>(next), next, kinds, sum);
  next[kinds] = static_cast<std::uint32_t>(n);
  // Now they say how many lesser bytes without a sign there are. With a sign those of the second half come first.
  const bool has_sign = type == ElementType::i8;
  const auto all = static_cast<std::uint32_t>(n), first_half = has_sign ? next[half] : 0;
  const std::uint32_t before_first = has_sign ? all - first_half : 0, beyond_first = has_sign ? first_half : all;
  for (std::size_t k = 0; k < half; k++) next[k] = down ? beyond_first - next[k + 1] : next[k] + before_first;
  for (std::size_t k = half; k < kinds; k++) next[k] = down ? all + first_half - next[k + 1] : next[k] - first_half;
  in_pieces(n, [&](std::size_t i, std::size_t end) {
    for (; i + 8 <= end; i += 8) {
      std::uint64_t eight;
      std::memcpy(&eight, x + i, sizeof eight);
#pragma GCC unroll 8
      for (std::size_t k = 0; k < 8; k++) places[next[eight >> 8 * k & 0xFF]++] = static_cast<Place>(i + k);
    }
    for (; i < end; i++) places[next[x[i]]++] = static_cast<Place>(i);
  });
}

// The same for many keys, whose places lie all over memory: fetches those that come soon where they leave the near caches.
// `starts` are 0 at first; there are `counts_beyond` more of them than keys.
template <class KeyAt>
void grade_from_start(KeyAt key, std::size_t n, std::size_t range, std::uint32_t* starts, std::uint32_t* places) {
  constexpr std::size_t ahead = 32, most_near = std::size_t{1} << 18;
  in_pieces(n, [=](std::size_t i, std::size_t end) {
    for (; i < end; i++) starts[key(i) + 1]++;
  });
  std::int32_t sum = 0;
  // Whole vectors only, since the last of others are summed again where they already are sums.
  const std::size_t whole = (range + counts_beyond - 1) / counts_beyond * counts_beyond;
  scan().sum[2](reinterpret_cast<std::int32_t*>(starts), starts, whole, sum);
  std::size_t i = 0;
  if (n > most_near)
    in_pieces(n - ahead, [&](std::size_t, std::size_t end) {
      for (; i < end; i++) {
        __builtin_prefetch(places + starts[key(i + ahead)], 1);
        places[starts[key(i)]++] = static_cast<std::uint32_t>(i);
      }
    });
  for (; i < n; i++) places[starts[key(i)]++] = static_cast<std::uint32_t>(i);
}

}  // namespace

void grade_by_counting(ElementType type, const void* x, std::size_t n, std::int64_t low, std::size_t range, std::uint32_t* counts,
                       std::uint32_t* places, bool down) {
  touch_pages(places, n);
  with_integers(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T* p = static_cast<const T*>(x);
    if constexpr (sizeof(T) == 1) {
      const Bounds bounds = bounds_of(type, x, n);
      low = bounds.low, range = static_cast<std::size_t>(bounds.high - bounds.low) + 1;
    }
    if (gains_by_quarters(n, range)) return grade_in_quarters(p, n, low, range, places, down);
    const auto key = [p, low](std::size_t i) { return static_cast<std::size_t>(p[i] - low); };
    if (range <= few_graded_keys) {
      if (!down) {
        // Counts stand one place further on, so that their sums are where the places of each begin.
        std::memset(counts + range, 0, counts_beyond * sizeof *counts);
        counts[0] = 0;
        count_elements(p, n, low, range, counts + 1);
        const std::size_t whole = (range + counts_beyond - 1) / counts_beyond * counts_beyond;
        std::int32_t sum = 0;
        scan().sum[2](reinterpret_cast<std::int32_t*>(counts), counts, whole, sum);
        return put_places(key, n, counts, places);
      }
      count_elements(p, n, low, range, counts);
      return grade_by_few(key, n, range, counts, places, down);
    }
    std::memset(counts, 0, (range + counts_beyond) * sizeof *counts);
    const std::int64_t high = low + static_cast<std::int64_t>(range) - 1;
    if (down)
      grade_from_start([p, high](std::size_t i) { return static_cast<std::size_t>(high - p[i]); }, n, range, counts, places);
    else
      grade_from_start(key, n, range, counts, places);
  });
}

bool grade_bytes(ElementType type, const void* x, std::size_t n, ElementType place_type, void* places, bool down) {
  if (n < few_in_quarters) {
    const Bounds bounds = bounds_of(type, x, n);
    if (gains_by_quarters(n, static_cast<std::size_t>(bounds.high - bounds.low) + 1)) return false;
  }
  const auto grade = [&](auto* to) {
    touch_pages(to, n);
    grade_single_bytes(type, static_cast<const std::uint8_t*>(x), n, to, down);
    return true;
  };
  switch (place_type) {
    case ElementType::i8: return grade(static_cast<std::uint8_t*>(places));
    case ElementType::i16: return grade(static_cast<std::uint16_t*>(places));
    default: return grade(static_cast<std::uint32_t*>(places));
  }
}

void grade_by_bytes(ElementType type, const void* x, std::size_t n, std::uint32_t* room, std::uint32_t* places, bool down) {
  touch_pages(room, n);
  touch_pages(places, n);
  const auto* p = static_cast<const std::uint16_t*>(x);
  auto turn = static_cast<std::uint16_t>((type == ElementType::i16 ? 0x8000 : 0) ^ (down ? 0xFFFF : 0));
  std::uint32_t low[256] = {}, high[256] = {};
  in_pieces(n, [&](std::size_t i, std::size_t end) {
    for (; i < end; i++) {
      std::uint32_t k = p[i] ^ turn;
      low[k & 255]++;
      high[k >> 8]++;
    }
  });
  std::uint32_t low_sum = 0, high_sum = 0;
  for (std::size_t d = 0; d < 256; d++) {
    low_sum += std::exchange(low[d], low_sum);
    high_sum += std::exchange(high[d], high_sum);
  }
  // Places go with the digit that is left, so that nothing is read from where they are.
  constexpr unsigned place_bits = 24;
  static_assert(most_graded_by_bytes == std::size_t{1} << place_bits);
  scatter(
      n,
      [=](std::size_t i) {
        const std::uint32_t k = p[i] ^ turn;
        return Keyed<std::uint32_t>{k & 255, k >> 8 << place_bits | static_cast<std::uint32_t>(i)};
      },
      low, room);
  scatter(
      n,
      [=](std::size_t i) {
        const std::uint32_t packed = room[i];
        return Keyed<std::uint32_t>{packed >> place_bits, packed & ((1u << place_bits) - 1)};
      },
      high, places);
}

namespace {

// Tells whether numbers from `low` on have the sum of as many different ones.
bool sum_as_all_different(ElementType type, const void* x, std::size_t n, std::int64_t low) {
  std::uint64_t sum = 0;
  with_integers(type, [&](auto tag) {
    const auto* p = static_cast<const typename decltype(tag)::type*>(x);
    in_pieces(n, [&](std::size_t i, std::size_t end) {
      std::uint64_t of_piece = 0;
      for (; i < end; i++) of_piece += static_cast<std::uint64_t>(static_cast<std::int64_t>(p[i]));
      sum += of_piece;
    });
  });
  return sum == n * static_cast<std::uint64_t>(low) + n * (n - 1) / 2;
}

}  // namespace

bool grade_permutation(ElementType type, const void* x, std::size_t n, std::int64_t low, std::uint32_t* places, bool down) {
  if (!sum_as_all_different(type, x, n, low)) return false;
  constexpr std::uint32_t none = ~std::uint32_t{0};
  std::fill_n(places, n, none);
  with_integers(type, [&](auto tag) {
    const auto* p = static_cast<const typename decltype(tag)::type*>(x);
    const std::int64_t first = down ? low + static_cast<std::int64_t>(n) - 1 : low;
    in_pieces(n, [=](std::size_t i, std::size_t end) {
      for (; i < end; i++) places[static_cast<std::size_t>(down ? first - p[i] : p[i] - first)] = static_cast<std::uint32_t>(i);
    });
  });
  // Where some place was written twice, another one was not.
  std::uint32_t missing = 0;
  for (std::size_t k = 0; k < n; k++) missing |= places[k] == none;
  return missing == 0;
}

namespace {

// Sorts keys above the bits of places, which are in order, in `room`, which holds twice as many.
const std::uint64_t* sort_packed(std::uint64_t* room, std::size_t n, unsigned low, unsigned high) {
  if (sort_in_vectors(room, room + n, n)) return room;
  return RadixPasses<std::uint64_t>::run(room, room + n, n, low, high);
}

// Gives the double that a key stands for.
double double_of(std::uint64_t key) {
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  return std::bit_cast<double>((key & sign) != 0 ? key ^ sign : ~key);
}

// Gives the places of keys of doubles that are spread over the range from `low` to `high`, by where in it they are: exponents,
// with which keys begin, are mostly alike, and what is moved by them waits. False, and nothing written, elsewhere.
bool grade_spread(const std::uint64_t* keys, std::size_t n, std::uint64_t low, std::uint64_t high, std::uint64_t* room,
                  std::uint32_t* places, bool down) {
  constexpr double last = 4294967295.0;
  const double least = double_of(low), scale = last / (double_of(high) - least);
  if (!(scale > 0 && std::isfinite(scale))) return false;
  in_pieces(n, [=](std::size_t i, std::size_t end) {
    for (; i < end; i++) {
      const auto at = static_cast<std::int64_t>(std::min((double_of(keys[i]) - least) * scale, last));
      room[i] = static_cast<std::uint64_t>(down ? static_cast<std::int64_t>(last) - at : at) << 32 | i;
    }
  });
  std::uint64_t *items = room, *other = room + n;
  const std::uint64_t* const sorted = LeadingDigits<std::uint64_t>::of_spread(items, other, n, 32, 64);
  if (sorted == nullptr) return false;
  in_pieces(n, [=](std::size_t i, std::size_t end) {
    for (; i < end; i++) places[i] = static_cast<std::uint32_t>(sorted[i]);
  });
  const auto tied = [=](std::size_t i, std::size_t j) { return sorted[i] >> 32 == sorted[j] >> 32; };
  const auto next_tie = [=](std::size_t i) {
    while (i + 1 < n && !tied(i, i + 1)) i++;
    return i;
  };
  order_tied_keys(keys, places, n, down, n, next_tie, tied);
  return true;
}

}  // namespace

void grade_radix(const std::uint32_t* keys, std::size_t n, std::uint64_t* room, std::uint32_t* places, bool down) {
  const Bounds bounds = bounds_of(ElementType::c32, keys, n);
  const auto low = static_cast<std::uint32_t>(bounds.low), high = static_cast<std::uint32_t>(bounds.high);
  // Leads with the distance from the end that comes first, which often needs few digits, and ends with the place.
  in_pieces(n, [=](std::size_t i, std::size_t end) {
    if (down)
      for (; i < end; i++) room[i] = std::uint64_t{high - keys[i]} << 32 | i;
    else
      for (; i < end; i++) room[i] = std::uint64_t{keys[i] - low} << 32 | i;
  });
  const auto key_bits = static_cast<unsigned>(std::bit_width(high - low));
  const std::uint64_t* const sorted =
      sort_in_vectors(room, room + n, n) ? room : LeadingDigits<std::uint64_t>::sort(room, room + n, n, 32, 32 + key_bits);
  in_pieces(n, [=](std::size_t i, std::size_t end) {
    for (; i < end; i++) places[i] = static_cast<std::uint32_t>(sorted[i]);
  });
}

void grade_radix(const std::uint64_t* keys, std::size_t n, std::uint64_t* room, std::uint32_t* places, bool down) {
  std::uint64_t low = keys[0], high = low;
  for (std::size_t i = 1; i < n; i++) {
    low = std::min(low, keys[i]);
    high = std::max(high, keys[i]);
  }
  if (!sorts_in_vectors() && grade_spread(keys, n, low, high, room, places, down)) return;
  auto place_bits = static_cast<unsigned>(std::bit_width(n - 1));
  auto key_bits = static_cast<unsigned>(std::bit_width(high - low));
  unsigned lead_bits = std::min(key_bits, 64 - place_bits);
  unsigned dropped = key_bits - lead_bits;
  const auto pack = [=](auto distance) {
    in_pieces(n, [=](std::size_t i, std::size_t end) {
      for (; i < end; i++) room[i] = distance(keys[i]) >> dropped << place_bits | i;
    });
  };
  if (down)
    pack([high](std::uint64_t key) { return high - key; });
  else
    pack([low](std::uint64_t key) { return key - low; });
  const std::uint64_t* sorted = sort_packed(room, n, place_bits, place_bits + lead_bits);
  std::uint64_t mask = (std::uint64_t{1} << place_bits) - 1;
  in_pieces(n, [=](std::size_t i, std::size_t end) {
    for (; i < end; i++) places[i] = static_cast<std::uint32_t>(sorted[i] & mask);
  });
  if (dropped == 0) return;
  const auto tied = [=](std::size_t i, std::size_t j) { return (sorted[i] ^ sorted[j]) >> place_bits == 0; };
  const auto next_tie = [=](std::size_t i) {
    while (i + 1 < n && !tied(i, i + 1)) i++;
    return i;
  };
  order_tied_keys(keys, places, n, down, n, next_tie, tied);
}

}  // namespace griddle::kernels
