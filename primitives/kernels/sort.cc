#include "primitives/kernels/sort.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>
#include <utility>

#include "primitives/kernels/bit_runs.h"
#include "primitives/kernels/bounds.h"

namespace griddle::kernels {
namespace {

template <class T>
struct Type {
  using type = T;
};

template <class F>
decltype(auto) with_integers(ElementType t, F f) {
  switch (t) {
    case ElementType::i8: return f(Type<std::int8_t>());
    case ElementType::i16: return f(Type<std::int16_t>());
    case ElementType::i32: return f(Type<std::int32_t>());
    case ElementType::c8: return f(Type<std::uint8_t>());
    case ElementType::c16: return f(Type<std::uint16_t>());
    default: return f(Type<std::uint32_t>());
  }
}

// Doubles as unsigned numbers in the same order; ¯0 becomes 0 and every NaN the greatest.
std::uint64_t key_of(double d) {
  if (d != d) return ~std::uint64_t{0};
  auto bits = std::bit_cast<std::int64_t>(d + 0.0);
  return static_cast<std::uint64_t>(bits ^ ((bits >> 63) | std::int64_t{1} << 63));
}
double double_of(std::uint64_t key) {
  if (key == ~std::uint64_t{0}) return std::bit_cast<double>(std::uint64_t{0x7FF8} << 48);
  std::uint64_t bits = key >> 63 ? key ^ std::uint64_t{1} << 63 : ~key;
  return std::bit_cast<double>(bits);
}
constexpr std::uint32_t sign32 = 0x80000000;

// Sorts by digits of some bits, the lowest first; the items move between two arrays.
template <class Item>
struct RadixPasses {
  // Wide digits take fewer passes, and equal ones, which wait for each other, come less often; few items do not pay for clearing
  // their counts.
  static constexpr unsigned narrow_digit = 8, wide_digit = sizeof(Item) == 2 ? 8 : sizeof(Item) == 4 ? 11 : 10;
  static constexpr std::size_t many = 2048;
  static constexpr std::size_t most_counts =
      std::max(sizeof(Item) << narrow_digit, ((8 * sizeof(Item) + wide_digit - 1) / wide_digit) << wide_digit);

  // Up to so many items are sorted by insertion.
  static constexpr std::size_t few = 32;
  static void sort_few(Item* a, std::size_t n, unsigned low) {
    for (std::size_t i = 1; i < n; i++) {
      Item v = a[i];
      std::size_t j = i;
      for (; j > 0 && a[j - 1] >> low > v >> low; j--) a[j] = a[j - 1];
      a[j] = v;
    }
  }

  template <unsigned passes>
  static void count_fixed(const Item* a, std::size_t n, unsigned low, unsigned digit, std::uint32_t* counts) {
    const std::size_t mask = (std::size_t{1} << digit) - 1;
    std::size_t i = 0;
    if (digit <= narrow_digit) {
      // Gives every other item counts of its own, for the same reason.
      std::uint32_t more[passes << narrow_digit] = {};
      for (; i + 2 <= n; i += 2) {
        std::uint64_t v = static_cast<std::uint64_t>(a[i]) >> low, w = static_cast<std::uint64_t>(a[i + 1]) >> low;
        for (unsigned p = 0; p < passes; p++, v >>= digit, w >>= digit) {
          counts[(p << digit) + (v & mask)]++;
          more[(p << digit) + (w & mask)]++;
        }
      }
      for (std::size_t k = 0; k < std::size_t{passes} << digit; k++) counts[k] += more[k];
    }
    for (; i < n; i++) {
      std::uint64_t v = static_cast<std::uint64_t>(a[i]) >> low;
      for (unsigned p = 0; p < passes; p++, v >>= digit) counts[(p << digit) + (v & mask)]++;
    }
  }
  static void count_digits(const Item* a, std::size_t n, unsigned low, unsigned digit, unsigned passes, std::uint32_t* counts) {
    std::memset(counts, 0, (std::size_t{passes} << digit) * sizeof *counts);
    switch (passes) {
      case 1: return count_fixed<1>(a, n, low, digit, counts);
      case 2: return count_fixed<2>(a, n, low, digit, counts);
      case 3: return count_fixed<3>(a, n, low, digit, counts);
      case 4: return count_fixed<4>(a, n, low, digit, counts);
      case 5: return count_fixed<5>(a, n, low, digit, counts);
      case 6: return count_fixed<6>(a, n, low, digit, counts);
      case 7: return count_fixed<7>(a, n, low, digit, counts);
      default: return count_fixed<8>(a, n, low, digit, counts);
    }
  }

  // Sorts by bits [low, high). Gives the array that holds the result.
  static Item* run(Item* a, Item* b, std::size_t n, unsigned low, unsigned high) {
    if (n <= few) {
      sort_few(a, n, low);
      return a;
    }
    if (low == high) return a;
    const unsigned bits = high - low, widest = n < many ? narrow_digit : wide_digit;
    const unsigned passes = (bits + widest - 1) / widest, digit = (bits + passes - 1) / passes;
    const std::size_t digits = std::size_t{1} << digit, mask = digits - 1;
    std::uint32_t counts[most_counts], ends[std::size_t{1} << std::max(narrow_digit, wide_digit)];
    count_digits(a, n, low, digit, passes, counts);
    for (unsigned p = 0; p < passes; p++) {
      const unsigned shift = low + p * digit;
      std::uint32_t* starts = counts + (p << digit);
      if (starts[(a[0] >> shift) & mask] == n) continue;
      std::uint32_t sum = 0;
      for (std::size_t d = 0; d < digits; d++) {
        sum += std::exchange(starts[d], sum);
        ends[d] = sum;
      }
      // Goes from both ends, so that half as many items wait for one just before them.
      const std::size_t half = n / 2;
      for (std::size_t i = 0; i < half; i++) {
        const Item v = a[i], w = a[n - 1 - i];
        b[starts[(v >> shift) & mask]++] = v;
        b[--ends[(w >> shift) & mask]] = w;
      }
      if (n % 2 != 0) b[starts[(a[half] >> shift) & mask]] = a[half];
      std::swap(a, b);
    }
    return a;
  }
};

// Orders places of equal leading bits by whole keys.
void settle_ties(const std::uint64_t* keys, const std::uint64_t* packed, std::uint32_t* places, std::size_t n,
                 unsigned place_bits, bool down) {
  auto before = [keys, down](std::uint32_t a, std::uint32_t b) { return down ? keys[a] > keys[b] : keys[a] < keys[b]; };
  for (std::size_t i = 0; i < n;) {
    std::uint64_t lead = packed[i] >> place_bits;
    std::size_t end = i + 1;
    while (end < n && packed[end] >> place_bits == lead) end++;
    if (end - i > 16) {
      std::stable_sort(places + i, places + end, before);
    } else {
      for (std::size_t j = i + 1; j < end; j++) {
        std::uint32_t p = places[j];
        std::size_t k = j;
        for (; k > i && before(p, places[k - 1]); k--) places[k] = places[k - 1];
        places[k] = p;
      }
    }
    i = end;
  }
}

}  // namespace

void order_keys(ElementType type, const void* x, std::size_t n, void* keys, bool down) {
  auto write = [&](const auto* from, auto* to, auto key) {
    for (std::size_t i = 0; i < n; i++) to[i] = key(from[i]);
  };
  if (type == ElementType::f64) {
    std::uint64_t turn = down ? ~std::uint64_t{0} : 0;
    return write(static_cast<const double*>(x), static_cast<std::uint64_t*>(keys), [=](double d) { return key_of(d) ^ turn; });
  }
  if (bits_of(type) == 32) {
    std::uint32_t turn = (type == ElementType::i32 ? sign32 : 0) ^ (down ? ~std::uint32_t{0} : 0);
    return write(static_cast<const std::uint32_t*>(x), static_cast<std::uint32_t*>(keys),
                 [=](std::uint32_t v) { return v ^ turn; });
  }
  auto turn = static_cast<std::uint16_t>((type == ElementType::i16 ? 0x8000 : 0) ^ (down ? 0xFFFF : 0));
  write(static_cast<const std::uint16_t*>(x), static_cast<std::uint16_t*>(keys),
        [=](std::uint16_t v) { return static_cast<std::uint16_t>(v ^ turn); });
}

void elements_of_keys(ElementType type, const void* keys, std::size_t n, void* x, bool down) {
  if (type != ElementType::f64) return order_keys(type, keys, n, x, down);
  std::uint64_t turn = down ? ~std::uint64_t{0} : 0;
  const auto* from = static_cast<const std::uint64_t*>(keys);
  auto* to = static_cast<double*>(x);
  for (std::size_t i = 0; i < n; i++) to[i] = double_of(from[i] ^ turn);
}

std::size_t cell_key_bits(ElementType type, std::size_t cell) { return cell > 64 ? 65 : cell * bits_of(type); }

namespace {

template <class Key>
void write_cell_keys(ElementType type, const void* x, std::size_t cells, std::size_t cell, Key* keys) {
  if (type == ElementType::bit) {
    const auto* bits = static_cast<const std::uint64_t*>(x);
    for (std::size_t i = 0; i < cells; i++)
      keys[i] = static_cast<Key>(reversed_bits(read_bits(bits, i * cell, cell)) >> (64 - cell));
    return;
  }
  if (type == ElementType::f64) {
    const auto* p = static_cast<const double*>(x);
    for (std::size_t i = 0; i < cells; i++) keys[i] = static_cast<Key>(key_of(p[i]));
    return;
  }
  with_integers(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    using Unsigned = std::make_unsigned_t<T>;
    constexpr auto flip = static_cast<Unsigned>(std::is_signed_v<T> ? Unsigned{1} << (8 * sizeof(T) - 1) : 0);
    const auto* p = static_cast<const Unsigned*>(x);
    for (std::size_t i = 0; i < cells; i++, p += cell) {
      std::uint64_t k = 0;
      for (std::size_t j = 0; j < cell; j++) k = k << (8 * sizeof(T) - 1) << 1 | static_cast<Unsigned>(p[j] ^ flip);
      keys[i] = static_cast<Key>(k);
    }
  });
}

}  // namespace

void order_keys_of_cells(ElementType type, const void* x, std::size_t cells, std::size_t cell, std::uint32_t* keys) {
  write_cell_keys(type, x, cells, cell, keys);
}
void order_keys_of_cells(ElementType type, const void* x, std::size_t cells, std::size_t cell, std::uint64_t* keys) {
  write_cell_keys(type, x, cells, cell, keys);
}

namespace {

template <class T>
void count_elements(const T* x, std::size_t n, std::int64_t low, std::size_t range, std::uint32_t* counts) {
  std::memset(counts, 0, range * sizeof(*counts));
  if (range <= 256 && n >= 1024) {
    // Counts into four tables, so that runs of equal elements do not wait for each other.
    std::uint32_t more[3][256];
    std::memset(more, 0, sizeof(more));
    std::size_t i = 0;
    for (; i + 4 <= n; i += 4) {
      counts[static_cast<std::size_t>(x[i] - low)]++;
      more[0][static_cast<std::size_t>(x[i + 1] - low)]++;
      more[1][static_cast<std::size_t>(x[i + 2] - low)]++;
      more[2][static_cast<std::size_t>(x[i + 3] - low)]++;
    }
    for (; i < n; i++) counts[static_cast<std::size_t>(x[i] - low)]++;
    for (std::size_t k = 0; k < range; k++) counts[k] += more[0][k] + more[1][k] + more[2][k];
    return;
  }
  for (std::size_t i = 0; i < n; i++) counts[static_cast<std::size_t>(x[i] - low)]++;
}

// Writes a run of equal elements, mostly few: a block of them, without asking how many, where there is room before the end.
template <class T>
inline T* put_run(T* to, const T* end, T element, std::size_t count) {
  constexpr std::size_t block = 16 / sizeof(T);
  if (static_cast<std::size_t>(end - to) >= block) {
    T elements[block];
    std::fill_n(elements, block, element);
    std::memcpy(to, elements, sizeof elements);
    if (count <= block) return to + count;
  }
  std::fill_n(to, count, element);
  return to + count;
}

}  // namespace

void sort_by_counting(ElementType type, const void* x, std::size_t n, std::int64_t low, std::size_t range, std::uint32_t* counts,
                      void* out, bool down) {
  with_integers(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    count_elements(static_cast<const T*>(x), n, low, range, counts);
    T* to = static_cast<T*>(out);
    const T* end = to + n;
    for (std::size_t k = 0; k < range; k++) {
      std::size_t v = down ? range - 1 - k : k;
      to = put_run(to, end, static_cast<T>(low + static_cast<std::int64_t>(v)), counts[v]);
    }
  });
}

namespace {

// Gives each of four quarters of the elements its own counts, so that equal neighbours do not wait for each other.
template <class T>
void grade_in_quarters(const T* x, std::size_t n, std::int64_t low, std::size_t range, std::uint32_t* places, bool down) {
  std::uint32_t next[4][256];
  std::memset(next, 0, sizeof(next));
  std::size_t quarter = n / 4;
  const T* part[4] = {x, x + quarter, x + 2 * quarter, x + 3 * quarter};
  auto key = [low](T v) { return static_cast<std::size_t>(v - low); };
  for (std::size_t i = 0; i < quarter; i++)
    for (int q = 0; q < 4; q++) next[q][key(part[q][i])]++;
  for (std::size_t i = 4 * quarter; i < n; i++) next[3][key(x[i])]++;
  std::uint32_t sum = 0;
  for (std::size_t k = 0; k < range; k++)
    for (int q = 0; q < 4; q++) {
      std::uint32_t& place = next[q][down ? range - 1 - k : k];
      std::uint32_t c = place;
      place = sum;
      sum += c;
    }
  for (std::size_t i = 0; i < quarter; i++)
    for (std::size_t q = 0; q < 4; q++) places[next[q][key(part[q][i])]++] = static_cast<std::uint32_t>(q * quarter + i);
  for (std::size_t i = 4 * quarter; i < n; i++) places[next[3][key(x[i])]++] = static_cast<std::uint32_t>(i);
}

}  // namespace

void grade_by_counting(ElementType type, const void* x, std::size_t n, std::int64_t low, std::size_t range, std::uint32_t* counts,
                       std::uint32_t* places, bool down) {
  with_integers(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T* p = static_cast<const T*>(x);
    if (range <= 256 && n >= 512) return grade_in_quarters(p, n, low, range, places, down);
    count_elements(p, n, low, range, counts);
    // Goes from both ends, so that equal neighbours wait for each other half as often.
    std::uint32_t* ends = counts + range;
    std::uint32_t sum = 0;
    for (std::size_t k = 0; k < range; k++) {
      std::size_t v = down ? range - 1 - k : k;
      sum += std::exchange(counts[v], sum);
      ends[v] = sum;
    }
    const auto key = [p, low](std::size_t i) { return static_cast<std::size_t>(p[i] - low); };
    const std::size_t half = n / 2;
    for (std::size_t i = 0; i < half; i++) {
      const std::size_t last = n - 1 - i;
      places[counts[key(i)]++] = static_cast<std::uint32_t>(i);
      places[--ends[key(last)]] = static_cast<std::uint32_t>(last);
    }
    if (n % 2) places[counts[key(half)]] = static_cast<std::uint32_t>(half);
  });
}

void grade_by_bytes(ElementType type, const void* x, std::size_t n, std::uint32_t* room, std::uint32_t* places, bool down) {
  const auto* p = static_cast<const std::uint16_t*>(x);
  auto turn = static_cast<std::uint16_t>((type == ElementType::i16 ? 0x8000 : 0) ^ (down ? 0xFFFF : 0));
  std::uint32_t low[256] = {}, high[256] = {};
  for (std::size_t i = 0; i < n; i++) {
    std::uint32_t k = p[i] ^ turn;
    low[k & 255]++;
    high[k >> 8]++;
  }
  std::uint32_t low_sum = 0, high_sum = 0, low_end[256], high_end[256];
  for (std::size_t d = 0; d < 256; d++) {
    low_sum += std::exchange(low[d], low_sum);
    low_end[d] = low_sum;
    high_sum += std::exchange(high[d], high_sum);
    high_end[d] = high_sum;
  }
  // Goes from both ends, as radix passes do.
  const std::size_t half = n / 2, odd = n % 2;
  for (std::size_t i = 0; i < half; i++) {
    const std::size_t last = n - 1 - i;
    room[low[(p[i] ^ turn) & 255]++] = static_cast<std::uint32_t>(i);
    room[--low_end[(p[last] ^ turn) & 255]] = static_cast<std::uint32_t>(last);
  }
  if (odd) room[low[(p[half] ^ turn) & 255]] = static_cast<std::uint32_t>(half);
  const auto high_digit = [p, turn](std::uint32_t place) { return static_cast<std::uint32_t>(p[place] ^ turn) >> 8; };
  for (std::size_t i = 0; i < half; i++) {
    const std::uint32_t first = room[i], last = room[n - 1 - i];
    places[high[high_digit(first)]++] = first;
    places[--high_end[high_digit(last)]] = last;
  }
  if (odd) places[high[high_digit(room[half])]] = room[half];
}

bool grade_permutation(ElementType type, const void* x, std::size_t n, std::int64_t low, std::uint32_t* places, bool down) {
  constexpr std::uint32_t none = ~std::uint32_t{0};
  std::fill_n(places, n, none);
  with_integers(type, [&](auto tag) {
    const auto* p = static_cast<const typename decltype(tag)::type*>(x);
    const std::int64_t first = down ? low + static_cast<std::int64_t>(n) - 1 : low;
    for (std::size_t i = 0; i < n; i++)
      places[static_cast<std::size_t>(down ? first - p[i] : p[i] - first)] = static_cast<std::uint32_t>(i);
  });
  // Where some place was written twice, another one was not.
  std::uint32_t missing = 0;
  for (std::size_t k = 0; k < n; k++) missing |= places[k] == none;
  return missing == 0;
}

std::uint16_t* sort_radix(std::uint16_t* keys, std::uint16_t* other, std::size_t n) {
  return RadixPasses<std::uint16_t>::run(keys, other, n, 0, 16);
}
std::uint32_t* sort_radix(std::uint32_t* keys, std::uint32_t* other, std::size_t n) {
  const Bounds bounds = bounds_of(ElementType::c32, keys, n);
  const auto low = static_cast<std::uint32_t>(bounds.low), high = static_cast<std::uint32_t>(bounds.high);
  for (std::size_t i = 0; i < n; i++) keys[i] -= low;
  std::uint32_t* sorted = RadixPasses<std::uint32_t>::run(keys, other, n, 0, static_cast<unsigned>(std::bit_width(high - low)));
  for (std::size_t i = 0; i < n; i++) sorted[i] += low;
  return sorted;
}
std::uint64_t* sort_radix(std::uint64_t* keys, std::uint64_t* other, std::size_t n) {
  // Leaves the lowest bits to comparisons: few keys agree in all others.
  constexpr unsigned low = 24;
  std::uint64_t* sorted = RadixPasses<std::uint64_t>::run(keys, other, n, low, 64);
  for (std::size_t i = 0; i < n;) {
    std::size_t end = i + 1;
    while (end < n && sorted[end] >> low == sorted[i] >> low) end++;
    if (end - i > 16)
      std::sort(sorted + i, sorted + end);
    else if (end - i > 1)
      RadixPasses<std::uint64_t>::sort_few(sorted + i, end - i, 0);
    i = end;
  }
  return sorted;
}

void grade_radix(const std::uint32_t* keys, std::size_t n, std::uint64_t* room, std::uint32_t* places, bool down) {
  const Bounds bounds = bounds_of(ElementType::c32, keys, n);
  const auto low = static_cast<std::uint32_t>(bounds.low), high = static_cast<std::uint32_t>(bounds.high);
  // Leads with the distance from the end that comes first, which often needs few digits, and ends with the place.
  if (down)
    for (std::size_t i = 0; i < n; i++) room[i] = std::uint64_t{high - keys[i]} << 32 | i;
  else
    for (std::size_t i = 0; i < n; i++) room[i] = std::uint64_t{keys[i] - low} << 32 | i;
  std::uint64_t* sorted =
      RadixPasses<std::uint64_t>::run(room, room + n, n, 32, 32 + static_cast<unsigned>(std::bit_width(high - low)));
  for (std::size_t i = 0; i < n; i++) places[i] = static_cast<std::uint32_t>(sorted[i]);
}

void grade_radix(const std::uint64_t* keys, std::size_t n, std::uint64_t* room, std::uint32_t* places, bool down) {
  std::uint64_t low = keys[0], high = low;
  for (std::size_t i = 1; i < n; i++) {
    low = std::min(low, keys[i]);
    high = std::max(high, keys[i]);
  }
  auto place_bits = static_cast<unsigned>(std::bit_width(n - 1));
  if (place_bits == 0) place_bits = 1;
  auto key_bits = static_cast<unsigned>(std::bit_width(high - low));
  unsigned lead_bits = std::min(key_bits, 64 - place_bits);
  unsigned dropped = key_bits - lead_bits;
  for (std::size_t i = 0; i < n; i++) room[i] = (down ? high - keys[i] : keys[i] - low) >> dropped << place_bits | i;
  std::uint64_t* sorted = RadixPasses<std::uint64_t>::run(room, room + n, n, place_bits, place_bits + lead_bits);
  std::uint64_t mask = (std::uint64_t{1} << place_bits) - 1;
  for (std::size_t i = 0; i < n; i++) places[i] = static_cast<std::uint32_t>(sorted[i] & mask);
  if (dropped) settle_ties(keys, sorted, places, n, place_bits, down);
}

}  // namespace griddle::kernels
