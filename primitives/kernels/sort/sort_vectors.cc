#include "primitives/kernels/sort/sort.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "hwy/highway.h"
#include "primitives/kernels/shared/compressed-inl.h"
#include "primitives/kernels/shared/pieces.h"
#include "primitives/kernels/sort/sort_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace sort_vectors_unit {
namespace {

#if HWY_TARGET == HWY_AVX3_DL || HWY_TARGET == HWY_AVX2

namespace hn = hwy::HWY_NAMESPACE;

// Sorts in registers: rows of one vector each. Places count down the rows first and then along the lanes.
template <class K>
struct Registers {
  using Lanes = SortLanes<K>;
  using D = typename Lanes::D;
  using V = typename Lanes::V;
  static constexpr std::size_t lanes = Lanes::lanes, most_rows = Lanes::most_rows, most = most_rows * lanes;

  template <std::size_t turned>
  static HWY_INLINE V turn(V v) {
    return Lanes::template turn<turned>(v);
  }
  // Puts the lesser ones of two vectors where the lanes' numbers lack a bit, the greater ones elsewhere.
  template <std::size_t bit>
  static HWY_INLINE V parted(V a, V b) {
    return Lanes::template parted<bit>(a, b);
  }
  static HWY_INLINE void exchange(V& a, V& b) {
    const V low = hn::Min(a, b);
    b = hn::Max(a, b);
    a = low;
  }

  template <std::size_t rows, std::size_t... i>
  static HWY_INLINE void sort_columns(V* v, std::index_sequence<i...>) {
    (exchange(v[network<rows>[i].first], v[network<rows>[i].second]), ...);
  }
  template <std::size_t rows, std::size_t distance>
  static HWY_INLINE void merge_lanes(V* v) {
    if constexpr (distance > 0) {
#pragma GCC unroll 16
      for (std::size_t r = 0; r < rows; r++) v[r] = parted<distance>(v[r], turn<distance>(v[r]));
      merge_lanes<rows, distance / 2>(v);
    }
  }
  template <std::size_t rows, std::size_t distance = rows / 2>
  static HWY_INLINE void merge_rows(V* v) {
    if constexpr (distance > 0) {
#pragma GCC unroll 16
      for (std::size_t r = 0; r < rows; r++)
        if ((r & distance) == 0) exchange(v[r], v[r + distance]);
      merge_rows<rows, distance / 2>(v);
    }
  }
  // Merges what `columns` lanes hold with what the next as many do, the latter backwards, and so on until all is one run.
  template <std::size_t rows, std::size_t columns = 1>
  static HWY_INLINE void merge_columns(V* v) {
    if constexpr (columns < lanes) {
#pragma GCC unroll 16
      for (std::size_t r = 0; r < rows / 2; r++) {
        const V a = v[r], b = v[rows - 1 - r];
        v[r] = parted<columns>(a, turn<2 * columns - 1>(b));
        v[rows - 1 - r] = parted<columns>(b, turn<2 * columns - 1>(a));
      }
      merge_lanes<rows, columns / 2>(v);
      merge_rows<rows>(v);
      merge_columns<rows, 2 * columns>(v);
    }
  }
  template <std::size_t rows>
  static HWY_INLINE void sort(V* v) {
    sort_columns<rows>(v, std::make_index_sequence<comparisons(rows)>());
    merge_columns<rows>(v);
  }

  // Reads up to `rows` vectors, `after_others` or the first ones. What they lack counts as greatest keys.
  template <std::size_t rows>
  static HWY_INLINE void load(const K* keys, std::size_t n, V* v, bool after_others = false) {
#pragma GCC unroll 16
    for (std::size_t r = 0; r < rows; r++) {
      if ((r + 1) * lanes <= n)
        v[r] = hn::LoadU(D(), keys + r * lanes);
      else
        v[r] = r * lanes < n ? Lanes::load_part(keys + r * lanes, n - r * lanes, after_others || r != 0)
                             : hn::Set(D(), static_cast<K>(~K{0}));
    }
  }
  template <std::size_t rows>
  static HWY_INLINE void store_in_order(V* v, K* keys, std::size_t n) {
    Lanes::template to_memory_order<rows>(v);
#pragma GCC unroll 16
    for (std::size_t r = 0; r < rows; r++) {
      if ((r + 1) * lanes <= n)
        hn::StoreU(v[r], D(), keys + r * lanes);
      else if (r * lanes < n)
        Lanes::store_part(v[r], keys + r * lanes, n - r * lanes);
    }
  }

  template <std::size_t rows>
  static void sort_few(K* keys, std::size_t n) {
    V v[rows];
    load<rows>(keys, n, v);
    sort<rows>(v);
    store_in_order<rows>(v, keys, n);
  }

  // Blocks of rows, as many of which as stay in a near cache are merged there. They keep the order of registers.
  static constexpr std::size_t most_blocks = Lanes::most_blocks;
  struct Blocks {
    alignas(64) K rows[most_blocks * most_rows][lanes];
    K* keys;
    std::size_t n;
  };
  static HWY_INLINE void load_block(const Blocks& b, std::size_t block, V* v) {
#pragma GCC unroll 16
    for (std::size_t r = 0; r < most_rows; r++) v[r] = hn::Load(D(), b.rows[block * most_rows + r]);
  }
  static HWY_INLINE void store_block(V* v, Blocks& b, std::size_t block) {
#pragma GCC unroll 16
    for (std::size_t r = 0; r < most_rows; r++) hn::Store(v[r], D(), b.rows[block * most_rows + r]);
  }
  // Sorts a block; `only` one goes back to where its keys came from.
  static HWY_NOINLINE void sort_block(Blocks& b, std::size_t block, bool only) {
    V v[most_rows];
    K* const keys = b.keys + block * most;
    const std::size_t n = b.n - block * most;
    load<most_rows>(keys, n, v, block != 0);
    sort<most_rows>(v);
    if (!only) return store_block(v, b, block);
    store_in_order<most_rows>(v, keys, n);
  }
  // Turns blocks end for end.
  static void reverse_blocks(Blocks& b, std::size_t first, std::size_t count) {
    const D d;
    K(*low)[lanes] = b.rows + first * most_rows;
    K(*high)[lanes] = low + count * most_rows;
    while (low < high) {
      high--;
      const V v = turn<lanes - 1>(hn::Load(d, *low)), w = turn<lanes - 1>(hn::Load(d, *high));
      hn::Store(w, d, *low);
      hn::Store(v, d, *high);
      low++;
    }
  }
  // Merges blocks that fall and then rise; `last` where these are all, which go back to where the keys came from.
  static void merge_blocks(Blocks& b, std::size_t first, std::size_t count, bool last) {
    if (count == 1) {
      V v[most_rows];
      load_block(b, first, v);
      merge_lanes<most_rows, lanes / 2>(v);
      merge_rows<most_rows>(v);
      if (!last) return store_block(v, b, first);
      return store_in_order<most_rows>(v, b.keys + first * most, b.n - first * most);
    }
    const D d;
    const std::size_t half = std::bit_floor(count - 1);
    K(*low)[lanes] = b.rows + first * most_rows;
    K(*high)[lanes] = low + half * most_rows;
    for (std::size_t r = 0; r < (count - half) * most_rows; r++) {
      V v = hn::Load(d, low[r]), w = hn::Load(d, high[r]);
      exchange(v, w);
      hn::Store(v, d, low[r]);
      hn::Store(w, d, high[r]);
    }
    merge_blocks(b, first, half, last);
    merge_blocks(b, first + half, count - half, last);
  }
  static void sort_blocks(Blocks& b, std::size_t first, std::size_t count, bool last) {
    if (count == 1) return sort_block(b, first, last);
    const std::size_t half = count / 2;
    sort_blocks(b, first, half, false);
    sort_blocks(b, first + half, count - half, false);
    reverse_blocks(b, first, half);
    merge_blocks(b, first, count, last);
  }

  static void sort_any_few(K* keys, std::size_t n) {
    if (n <= 2 * lanes) return sort_few<2>(keys, n);
    if (n <= 4 * lanes) return sort_few<4>(keys, n);
    if (n <= 8 * lanes) return sort_few<8>(keys, n);
    Blocks blocks;
    blocks.keys = keys;
    blocks.n = n;
    sort_blocks(blocks, 0, (n + most - 1) / most, true);
  }

#if HWY_TARGET == HWY_AVX3_DL
  // Gives the middle one of `rows` vectors from places all over the keys.
  template <std::size_t rows>
  static K middle_of_sample(const K* keys, std::size_t n) {
    V v[rows];
    const std::size_t step = (n - lanes) / (rows - 1);
#pragma GCC unroll 8
    for (std::size_t r = 0; r < rows; r++) v[r] = hn::LoadU(D(), keys + r * step);
    sort<rows>(v);
    alignas(64) K row[lanes];
    hn::Store(v[0], D(), row);
    return row[lanes / 2];
  }
#endif
};

#endif
#if HWY_TARGET == HWY_AVX3_DL

// Moves keys below the pivot, or up to it, to the front and the others behind them. Gives the number of the first.
template <bool up_to, class K>
std::size_t partition(K* keys, K* room, std::size_t n, K pivot_key) {
  const hn::ScalableTag<K> d;
  constexpr std::size_t lanes = Registers<K>::lanes;
  const auto pivot = hn::Set(d, pivot_key);
  constexpr std::uint64_t all = ~std::uint64_t{0} >> (64 - lanes);
  const auto is_first = [=](auto v) HWY_ATTR {
    return up_to ? ~static_cast<std::uint64_t>(hn::Lt(pivot, v).raw) & all : static_cast<std::uint64_t>(hn::Lt(v, pivot).raw);
  };
  K *first = keys, *second = room;
  // What is written lies before what was read.
  const auto move = [&](auto v) HWY_ATTR {
    const std::uint64_t bits = is_first(v);
    const auto count = static_cast<std::size_t>(__builtin_popcountll(bits));
    hn::StoreU(compressed<K>(v, bits), d, first);
    hn::StoreU(compressed<K>(v, ~bits & all), d, second);
    first += count;
    second += lanes - count;
  };
  std::size_t i = 0;
  for (; i + 4 * lanes <= n; i += 4 * lanes) {
    const auto a = hn::LoadU(d, keys + i), b = hn::LoadU(d, keys + i + lanes);
    const auto c = hn::LoadU(d, keys + i + 2 * lanes), e = hn::LoadU(d, keys + i + 3 * lanes);
    move(a), move(b), move(c), move(e);
  }
  for (; i + lanes <= n; i += lanes) move(hn::LoadU(d, keys + i));
  if (i < n) {
    const auto valid = hn::FirstN(d, n - i);
    const auto v = hn::MaskedLoad(valid, d, keys + i);
    const std::uint64_t some = static_cast<std::uint64_t>(valid.raw), bits = is_first(v) & some;
    const auto count = static_cast<std::size_t>(__builtin_popcountll(bits));
    hn::BlendedStore(compressed<K>(v, bits), hn::FirstN(d, count), d, first);
    hn::BlendedStore(compressed<K>(v, ~bits & some), hn::FirstN(d, n - i - count), d, second);
    first += count;
    second += n - i - count;
  }
  std::memcpy(first, room, static_cast<std::size_t>(second - room) * sizeof(K));
  return static_cast<std::size_t>(first - keys);
}

// Sorts keys, none of which is below `least`.
template <class K>
void sort_by_partition(K* keys, K* room, std::size_t n, K least, unsigned rounds) {
  using R = Registers<K>;
  while (n > R::most_blocks * R::most) {
    if (n > long_piece) checkpoint();
    if (rounds-- == 0) return std::sort(keys, keys + n);
    const K pivot = R::template middle_of_sample<8>(keys, n);
    std::size_t below = pivot == least ? 0 : partition<false>(keys, room, n, pivot);
    if (below == 0) {
      // Those that are as small as any are in place.
      const std::size_t equal = partition<true>(keys, room, n, pivot);
      keys += equal;
      n -= equal;
    } else {
      sort_by_partition(keys, room, below, least, rounds);
      keys += below;
      n -= below;
    }
    least = pivot;
  }
  R::sort_any_few(keys, n);
}

template <class K>
bool sort_keys(K* keys, K* room, std::size_t n) {
  if (n < 2) return true;
  const auto rounds = 2 * static_cast<unsigned>(std::bit_width(n / Registers<K>::most)) + 4;
  sort_by_partition(keys, room, n, K{0}, rounds);
  return true;
}

#else

// AVX2 sorts few keys of the widths of which it has the least and the greatest.
template <class K>
bool sort_keys([[maybe_unused]] K* keys, K*, [[maybe_unused]] std::size_t n) {
#if HWY_TARGET == HWY_AVX2
  if constexpr (sizeof(K) <= 4) {
    if (n > SortLanes<K>::most_keys) return false;
    if (n > 1) Registers<K>::sort_any_few(keys, n);
    return true;
  }
#endif
  return false;
}

#endif

// Tells how many keys of a width are too many; 0 where none are sorted.
std::size_t too_many([[maybe_unused]] unsigned width) {
#if HWY_TARGET == HWY_AVX3_DL
  return ~std::size_t{0};
#elif HWY_TARGET == HWY_AVX2
  return width > 32 ? 0 : 1 + (width == 16 ? SortLanes<std::uint16_t>::most_keys : SortLanes<std::uint32_t>::most_keys);
#else
  return 0;
#endif
}

bool sort_any(unsigned width, void* keys, void* room, std::size_t n) {
  switch (width) {
    case 8: return sort_keys(static_cast<std::uint8_t*>(keys), static_cast<std::uint8_t*>(room), n);
    case 16: return sort_keys(static_cast<std::uint16_t*>(keys), static_cast<std::uint16_t*>(room), n);
    case 32: return sort_keys(static_cast<std::uint32_t*>(keys), static_cast<std::uint32_t*>(room), n);
    default: return sort_keys(static_cast<std::uint64_t*>(keys), static_cast<std::uint64_t*>(room), n);
  }
}

}  // namespace
}  // namespace sort_vectors_unit
using sort_vectors_unit::sort_any, sort_vectors_unit::too_many;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {

HWY_EXPORT(sort_any);
HWY_EXPORT(too_many);

bool sorts_in_vectors() { return sorts_in_vectors(64, 0); }
bool sorts_in_vectors(unsigned width, std::size_t n) { return n < HWY_DYNAMIC_DISPATCH(too_many)(width); }
bool sort_in_vectors(std::uint8_t* keys, std::uint8_t* room, std::size_t n) {
  return HWY_DYNAMIC_DISPATCH(sort_any)(8, keys, room, n);
}
bool sort_in_vectors(std::uint16_t* keys, std::uint16_t* room, std::size_t n) {
  return HWY_DYNAMIC_DISPATCH(sort_any)(16, keys, room, n);
}
bool sort_in_vectors(std::uint32_t* keys, std::uint32_t* room, std::size_t n) {
  return HWY_DYNAMIC_DISPATCH(sort_any)(32, keys, room, n);
}
bool sort_in_vectors(std::uint64_t* keys, std::uint64_t* room, std::size_t n) {
  return HWY_DYNAMIC_DISPATCH(sort_any)(64, keys, room, n);
}

}  // namespace griddle::kernels
#endif  // HWY_ONCE
