#include "primitives/kernels/random/draw_methods.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace draw_methods_unit {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using std::size_t;

constexpr size_t width = draws_together;
using D = hn::CappedTag<double, width>;
using V = hn::Vec<D>;
constexpr size_t lanes = hn::MaxLanes(D()), parts = width / lanes;

constexpr double infinity = std::numeric_limits<double>::infinity();

// Draws that are made together, and the rows of the next ones, which are fetched meanwhile.
template <size_t n>
struct Group {
  const double *first[n], *second[n];
  double fractions[n];
  const double* next[2 * n];
  size_t next_count;

  HWY_INLINE void fetch(size_t at) const {
    for (size_t k = 0; k < next_count; k++) __builtin_prefetch(next[k] + at);
  }
};

// Draws n at a time by `draw_group(group, places)`, which gives the length as the place where products have no sum to draw by.
// Draws that are missing in the last group repeat the last one.
template <size_t n, class DrawGroup>
HWY_INLINE size_t in_groups(std::int32_t* places, const ProductDraws& d, DrawGroup draw_group) {
  const auto row = [&](const double* table, std::int32_t number) { return table + static_cast<size_t>(number) * d.length; };
  for (size_t i = 0; i < d.count; i += n) {
    Group<n> group;
    for (size_t k = 0; k < n; k++) {
      const size_t at = std::min(i + k, d.count - 1);
      group.first[k] = row(d.first, d.first_rows[at]);
      group.second[k] = row(d.second, d.second_rows[at]);
      group.fractions[k] = d.fractions[at];
    }
    group.next_count = 0;
    for (size_t at = i + n; at < std::min(i + 2 * n, d.count); at++) {
      // Draws of one document follow each other.
      if (d.first_rows[at] != d.first_rows[at - 1]) group.next[group.next_count++] = row(d.first, d.first_rows[at]);
      group.next[group.next_count++] = row(d.second, d.second_rows[at]);
    }
    size_t found[n];
    draw_group(group, found);
    for (size_t k = 0; k < std::min(n, d.count - i); k++) {
      if (found[k] == d.length) [[unlikely]]
        return i + k;
      places[i + k] = static_cast<std::int32_t>(found[k]);
    }
  }
  return d.count;
}

HWY_INLINE bool can_draw(double total) { return total > 0 && total < infinity; }
// Gives what is searched for, which is below the whole sum even where that is too small for a product to be.
HWY_INLINE double wanted_of(double total, double fraction) {
  return std::min(fraction * total, std::bit_cast<double>(std::bit_cast<std::uint64_t>(total) - 1));
}

// Finds the first of the numbers from `at` on, `step` apart, that is above what is wanted; the last of them is. They ascend.
HWY_INLINE size_t first_above(const double* at, size_t step, size_t n, double wanted) {
  size_t first = 0;
  while (n > 1) {
    const size_t half = n / 2;
    first += at[(first + half - 1) * step] <= wanted ? half : 0;
    n -= half;
  }
  return first;
}

// --- Whole tables, one product after the other

constexpr size_t side_by_side = 4;

template <bool halves>
HWY_INLINE size_t draw_by_prefixes(std::int32_t* places, const ProductDraws& d, double* table) {
  return in_groups<side_by_side>(places, d, [&](const Group<side_by_side>& group, size_t* found) HWY_ATTR {
    double sums[side_by_side] = {};
    for (size_t j = 0; j < d.length; j++) {
      if (j % width == 0) group.fetch(j);
      for (size_t k = 0; k < side_by_side; k++) table[j * side_by_side + k] = sums[k] += group.first[k][j] * group.second[k][j];
    }
    for (size_t k = 0; k < side_by_side; k++) {
      found[k] = d.length;
      if (!can_draw(sums[k])) [[unlikely]]
        continue;
      const double wanted = wanted_of(sums[k], group.fractions[k]);
      const double* const from = table + k;
      if constexpr (halves) {
        found[k] = first_above(from, side_by_side, d.length, wanted);
      } else {
        size_t j = 0;
        while (from[j * side_by_side] <= wanted) j++;
        found[k] = j;
      }
    }
  });
}
size_t prefix_linear(std::int32_t* places, const ProductDraws& d, double* table) {
  return draw_by_prefixes<false>(places, d, table);
}
size_t prefix_binary(std::int32_t* places, const ProductDraws& d, double* table) {
  return draw_by_prefixes<true>(places, d, table);
}

// --- Squares

// A row of a square, in vectors one behind the other.
struct Row {
  V part[parts];
};

HWY_INLINE Row zeros() {
  Row row;
  for (size_t k = 0; k < parts; k++) row.part[k] = hn::Zero(D());
  return row;
}
HWY_INLINE Row product(const double* a, const double* b) {
  const D d;
  Row row;
  for (size_t k = 0; k < parts; k++) row.part[k] = hn::Mul(hn::LoadU(d, a + k * lanes), hn::LoadU(d, b + k * lanes));
  return row;
}
HWY_INLINE void add(Row& to, const Row& row) {
  for (size_t k = 0; k < parts; k++) to.part[k] = hn::Add(to.part[k], row.part[k]);
}
HWY_INLINE void store(const Row& row, double* to) {
  for (size_t k = 0; k < parts; k++) hn::StoreU(row.part[k], D(), to + k * lanes);
}

// Takes lanes whose number has the bit from one vector, the others from another.
template <size_t bit>
HWY_INLINE V chosen(V with, V without) {
  if constexpr (bit == 1)
    return hn::OddEven(with, without);
  else if constexpr (2 * bit == lanes)
    return hn::ConcatUpperLower(D(), with, without);
  else
    return hn::OddEvenBlocks(with, without);
}
// Exchanges lanes whose numbers differ by the bit.
template <size_t bit>
HWY_INLINE V exchanged(V v) {
  if constexpr (bit == 1)
    return hn::Shuffle01(v);
  else if constexpr (2 * bit == lanes)
    return hn::ConcatLowerUpper(D(), v, v);
  else
    return hn::SwapAdjacentBlocks(v);
}

// Replaces [a b; c d], where b and d are the lanes with the bit, by [a d; a+b c+d].
template <size_t bit>
HWY_INLINE void add_across(Row& x, Row& y) {
  if constexpr (bit < lanes) {
    for (size_t k = 0; k < parts; k++) {
      const V v = exchanged<bit>(chosen<bit>(x.part[k], y.part[k]));
      x.part[k] = chosen<bit>(y.part[k], x.part[k]);
      y.part[k] = hn::Add(x.part[k], v);
    }
  } else {
    constexpr size_t step = bit / lanes;
    for (size_t k = 0; k < parts; k++) {
      if (k & step) continue;
      const V left = hn::Add(x.part[k], x.part[k + step]), right = hn::Add(y.part[k], y.part[k + step]);
      x.part[k + step] = y.part[k + step];
      y.part[k] = left;
      y.part[k + step] = right;
    }
  }
}
// Replaces [a b; c d] by [a c; b d].
template <size_t bit>
HWY_INLINE void exchange(Row& x, Row& y) {
  if constexpr (bit < lanes) {
    for (size_t k = 0; k < parts; k++) {
      const V v = exchanged<bit>(chosen<bit>(x.part[k], y.part[k]));
      x.part[k] = chosen<bit>(v, x.part[k]);
      y.part[k] = chosen<bit>(y.part[k], v);
    }
  } else {
    constexpr size_t step = bit / lanes;
    for (size_t k = 0; k < parts; k++)
      if (!(k & step)) std::swap(x.part[k + step], y.part[k]);
  }
}

template <size_t bit = 1>
HWY_INLINE void make_butterfly(Row* square) {
  for (size_t d = bit - 1; d < width; d += 2 * bit) add_across<bit>(square[d], square[d + bit]);
  if constexpr (2 * bit < width) make_butterfly<2 * bit>(square);
}
template <size_t bit = 1>
HWY_INLINE void transpose(Row* square) {
  for (size_t d = 0; d < width; d++)
    if (!(d & bit)) exchange<bit>(square[d], square[d + bit]);
  if constexpr (2 * bit < width) transpose<2 * bit>(square);
}

// Writes the sums of each draw from the left over what rows have over a multiple of 8 products, n of them.
HWY_INLINE Row add_remnant(const Group<width>& group, size_t n, double* table) {
  if (n == 0) return zeros();
  for (size_t k = 0; k < width; k++) {
    double sum = 0;
    for (size_t j = 0; j < n; j++) table[j * width + k] = sum += group.first[k][j] * group.second[k][j];
  }
  Row sums;
  for (size_t k = 0; k < parts; k++) sums.part[k] = hn::LoadU(D(), table + (n - 1) * width + k * lanes);
  return sums;
}

size_t transposed(std::int32_t* places, const ProductDraws& d, double* table) {
  const size_t remnant = d.length % width;
  return in_groups<width>(places, d, [&](const Group<width>& group, size_t* found) HWY_ATTR {
    group.fetch(d.length - 1);
    Row sums = add_remnant(group, remnant, table);
    for (size_t j = remnant; j < d.length; j += width) {
      group.fetch(j - remnant);
      Row square[width];
      for (size_t k = 0; k < width; k++) square[k] = product(group.first[k] + j, group.second[k] + j);
      transpose(square);
      for (size_t k = 0; k < width; k++) {
        add(sums, square[k]);
        store(sums, table + (j + k) * width);
      }
    }
    for (size_t k = 0; k < width; k++) {
      const double total = table[(d.length - 1) * width + k];
      found[k] = can_draw(total) ? first_above(table + k, width, d.length, wanted_of(total, group.fractions[k])) : d.length;
    }
  });
}

// Finds the place of draw number r in a table of butterflies.
HWY_INLINE size_t search_butterflies(const Group<width>& group, size_t r, size_t length, const double* table) {
  const size_t remnant = length % width, squares = length / width;
  const double total = table[(length - 1) * width + r];
  if (!can_draw(total)) [[unlikely]]
    return length;
  const double wanted = wanted_of(total, group.fractions[r]);
  if (remnant != 0 && wanted < table[(remnant - 1) * width + r]) return first_above(table + r, width, remnant, wanted);

  const size_t base = remnant + width * first_above(table + (remnant + width - 1) * width + r, width * width, squares, wanted);
  const double* const square = table + base * width;
  double low = base != 0 ? table[(base - 1) * width + r] : 0, high = square[(width - 1) * width + r];
  size_t flip = 0;
  for (size_t bit = width / 2; bit != 0; bit /= 2) {
    const size_t done = (width - 1) * 2 * bit & (width - 1);
    const double sum = square[((r & done) + bit - 1) * width + (r ^ flip)];
    const double middle = r & bit ? high - sum : low + sum;
    const bool is_below = wanted < middle;
    high = is_below ? middle : high;
    low = is_below ? low : middle;
    flip ^= bit & (is_below ? r : ~r);
  }
  const auto is_above_0 = [&](size_t j) { return group.first[r][j] * group.second[r][j] > 0; };
  const size_t place = base + (flip ^ r);
  if (is_above_0(place)) [[likely]]
    return place;
  for (size_t j = place; j-- > base;)
    if (is_above_0(j)) return j;
  size_t j = place;
  while (!is_above_0(j)) j++;
  return j;
}

size_t butterfly(std::int32_t* places, const ProductDraws& d, double* table) {
  const size_t remnant = d.length % width;
  return in_groups<width>(places, d, [&](const Group<width>& group, size_t* found) HWY_ATTR {
    group.fetch(d.length - 1);
    Row sums = add_remnant(group, remnant, table);
    for (size_t j = remnant; j < d.length; j += width) {
      group.fetch(j - remnant);
      Row square[width];
      for (size_t k = 0; k < width; k++) square[k] = product(group.first[k] + j, group.second[k] + j);
      make_butterfly(square);
      add(sums, square[width - 1]);
      for (size_t k = 0; k < width - 1; k++) store(square[k], table + (j + k) * width);
      store(sums, table + (j + width - 1) * width);
    }
    for (size_t r = 0; r < width; r++) found[r] = search_butterflies(group, r, d.length, table);
  });
}

const DrawMethodKernels* draw_method_kernels() {
  static constexpr DrawMethodKernels kernels = {prefix_linear, prefix_binary, transposed, butterfly};
  return &kernels;
}

}  // namespace
}  // namespace draw_methods_unit
using draw_methods_unit::draw_method_kernels;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(draw_method_kernels);
const DrawMethodKernels& draw_methods() { return *HWY_DYNAMIC_DISPATCH(draw_method_kernels)(); }
}  // namespace griddle::kernels
#endif
