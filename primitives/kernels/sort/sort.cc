#include "primitives/kernels/sort/sort.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

#include "primitives/kernels/shared/bit_runs.h"
#include "primitives/kernels/shared/bounds.h"
#include "primitives/kernels/shared/pieces.h"
#include "primitives/kernels/sort/counting.h"
#include "primitives/kernels/sort/leading_digits.h"
#include "primitives/kernels/sort/radix_passes.h"

namespace griddle::kernels {

std::size_t cell_key_bits(ElementType type, std::size_t cell) { return cell > 64 ? 65 : cell * bits_of(type); }

namespace {

// A double as an unsigned number in the same order; ¯0 becomes 0 and every NaN the greatest.
std::uint64_t key_of(double d) {
  if (d != d) return ~std::uint64_t{0};
  auto bits = std::bit_cast<std::int64_t>(d + 0.0);
  return static_cast<std::uint64_t>(bits ^ ((bits >> 63) | std::int64_t{1} << 63));
}

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
    touch_pages(to, n);
    ElementsDone done;
    for (std::size_t k = 0; k < range; k++) {
      std::size_t v = down ? range - 1 - k : k;
      to = put_run(to, end, static_cast<T>(low + static_cast<std::int64_t>(v)), counts[v]);
      if (n > long_piece) done.add(counts[v]);
    }
  });
}

std::uint8_t* sort_radix(std::uint8_t* keys, std::uint8_t* other, std::size_t n) {
  if (sort_in_vectors(keys, other, n)) return keys;
  return RadixPasses<std::uint8_t>::run(keys, other, n, 0, 8);
}
std::uint16_t* sort_radix(std::uint16_t* keys, std::uint16_t* other, std::size_t n) {
  if (sort_in_vectors(keys, other, n)) return keys;
  // What keys lead with in common needs no pass.
  const Bounds bounds = bounds_of(ElementType::c16, keys, n);
  const auto bits = static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(bounds.high ^ bounds.low)));
  return RadixPasses<std::uint16_t>::run(keys, other, n, 0, bits);
}
std::uint32_t* sort_radix(std::uint32_t* keys, std::uint32_t* other, std::size_t n) {
  if (sort_in_vectors(keys, other, n)) return keys;
  const Bounds bounds = bounds_of(ElementType::c32, keys, n);
  const auto low = static_cast<std::uint32_t>(bounds.low), high = static_cast<std::uint32_t>(bounds.high);
  using Passes = RadixPasses<std::uint32_t>;
  // What keys lead with in common needs no pass. Their distances from the least may need one less.
  const auto bits = static_cast<unsigned>(std::bit_width(high ^ low)),
             least_bits = static_cast<unsigned>(std::bit_width(high - low));
  if (Passes::passes_for(n, least_bits) == Passes::passes_for(n, bits))
    return LeadingDigits<std::uint32_t>::sort(keys, other, n, 0, bits);
  const auto add = [n](std::uint32_t* all, std::uint32_t what) {
    in_pieces(
        n,
        [=](std::size_t i, std::size_t end) {
          for (; i < end; i++) all[i] += what;
        },
        long_pass);
  };
  add(keys, 0 - low);
  std::uint32_t* sorted = LeadingDigits<std::uint32_t>::sort(keys, other, n, 0, least_bits);
  add(sorted, low);
  return sorted;
}
std::uint64_t* sort_radix(std::uint64_t* keys, std::uint64_t* other, std::size_t n) {
  if (sort_in_vectors(keys, other, n)) return keys;
  if (n == 0) return keys;
  // What keys lead with in common needs no pass.
  std::uint64_t least = keys[0], greatest = least;
  for (std::size_t i = 1; i < n; i++) least = std::min(least, keys[i]), greatest = std::max(greatest, keys[i]);
  const auto bits = static_cast<unsigned>(std::bit_width(greatest ^ least));
  if (std::uint64_t* const led = LeadingDigits<std::uint64_t>::of_doubles(keys, other, n, 0, bits)) return led;
  // Leaves the lowest bits to comparisons: few keys agree in all others.
  constexpr unsigned low = 24;
  std::uint64_t* sorted = RadixPasses<std::uint64_t>::run(keys, other, n, low, 64);
  // Those of more than a piece, which hardly ever agree so far, go on by digits.
  constexpr std::size_t few = 16;
  std::size_t i = 0;
  in_pieces(n, [&](std::size_t, std::size_t piece_end) {
    while (i < piece_end) {
      std::size_t end = i + 1;
      while (end < n && sorted[end] >> low == sorted[i] >> low) end++;
      const std::size_t ties = end - i;
      if (ties > long_piece) {
        std::uint64_t* const room = sorted == keys ? other : keys;
        if (RadixPasses<std::uint64_t>::run(sorted + i, room + i, ties, 0, low) != sorted + i)
          std::memcpy(sorted + i, room + i, ties * sizeof *sorted);
      } else if (ties > few) {
        std::sort(sorted + i, sorted + end);
      } else if (ties > 1) {
        RadixPasses<std::uint64_t>::sort_few(sorted + i, ties, 0);
      }
      i = end;
    }
  });
  return sorted;
}

}  // namespace griddle::kernels
