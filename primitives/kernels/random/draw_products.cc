#include "primitives/kernels/random/draw_products.h"

#include <algorithm>
#include <limits>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace draw_products_unit {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using std::size_t;

using D = hn::CappedTag<double, numbers_in_piece>;
using V = hn::Vec<D>;
constexpr size_t lanes = hn::MaxLanes(D()), parts = numbers_in_piece / lanes,
                 pieces_in_block = numbers_in_block / numbers_in_piece;

constexpr double infinity = std::numeric_limits<double>::infinity();

// A piece, in vectors one behind the other.
struct Piece {
  V part[parts];
};

HWY_INLINE Piece product(const double* a, const double* b) {
  const D d;
  Piece p;
  for (size_t k = 0; k < parts; k++) p.part[k] = hn::Mul(hn::LoadU(d, a + k * lanes), hn::LoadU(d, b + k * lanes));
  return p;
}
// The same of n < 8 numbers each.
HWY_INLINE Piece product_of_first(const double* a, const double* b, size_t n) {
#if HWY_MAX_BYTES >= 32
  const D d;
  Piece p;
  for (size_t k = 0; k < parts; k++) {
    const auto here = hn::FirstN(d, n > k * lanes ? n - k * lanes : 0);
    p.part[k] = hn::Mul(hn::MaskedLoad(here, d, a + k * lanes), hn::MaskedLoad(here, d, b + k * lanes));
  }
  return p;
#else
  double left[numbers_in_piece] = {}, right[numbers_in_piece] = {};
  std::copy_n(a, n, left);
  std::copy_n(b, n, right);
  return product(left, right);
#endif
}
HWY_INLINE Piece nothing() {
  Piece p;
  for (size_t k = 0; k < parts; k++) p.part[k] = hn::Zero(D());
  return p;
}
HWY_INLINE Piece sum(Piece a, Piece b) {
  for (size_t k = 0; k < parts; k++) a.part[k] = hn::Add(a.part[k], b.part[k]);
  return a;
}

// Writes the sums of 8 pieces.
HWY_INLINE void sums_of(const Piece* p, double* out) {
#if HWY_MAX_BYTES >= 32
  const hn::FixedTag<double, 4> d;
  const auto folded = [=](size_t i) HWY_ATTR {
#if HWY_MAX_BYTES >= 64
    return hn::Add(hn::LowerHalf(d, p[i].part[0]), hn::UpperHalf(d, p[i].part[0]));
#else
    return hn::Add(p[i].part[0], p[i].part[1]);
#endif
  };
  const auto pairs = [=](size_t i) HWY_ATTR {
    const auto a = folded(i), b = folded(i + 1);
    return hn::Add(hn::InterleaveLower(d, a, b), hn::InterleaveUpper(d, a, b));
  };
  for (size_t i = 0; i < pieces_in_block; i += 4) {
    const auto first = pairs(i), second = pairs(i + 2);
    hn::StoreU(hn::Add(hn::ConcatLowerLower(d, second, first), hn::ConcatUpperUpper(d, second, first)), d, out + i);
  }
#else
  const D d;
  const auto pairs = [=](const auto& a, const auto& b)
                         HWY_ATTR { return hn::Add(hn::InterleaveLower(d, a, b), hn::InterleaveUpper(d, a, b)); };
  for (size_t i = 0; i < pieces_in_block; i += 2) {
    const Piece &a = p[i], &b = p[i + 1];
    const auto first = pairs(hn::Add(a.part[0], a.part[2]), hn::Add(b.part[0], b.part[2]));
    const auto second = pairs(hn::Add(a.part[1], a.part[3]), hn::Add(b.part[1], b.part[3]));
    hn::StoreU(hn::Add(first, second), d, out + i);
  }
#endif
}

// Writes the sums of the pieces of a block of n products.
HWY_INLINE void piece_sums(const double* a, const double* b, size_t n, double* out) {
  Piece pieces[pieces_in_block];
  size_t i = 0;
  for (; (i + 1) * numbers_in_piece <= n; i++) pieces[i] = product(a + i * numbers_in_piece, b + i * numbers_in_piece);
  if (const size_t rest = n % numbers_in_piece; rest != 0) {
    pieces[i] = product_of_first(a + i * numbers_in_piece, b + i * numbers_in_piece, rest);
    i++;
  }
  for (; i < pieces_in_block; i++) pieces[i] = nothing();
  sums_of(pieces, out);
}

// Adds up the pieces of a block of n products, number by number.
HWY_INLINE Piece added_pieces(const double* a, const double* b, size_t n) {
  if (n < numbers_in_piece) return product_of_first(a, b, n);
  Piece all = product(a, b);
  size_t i = numbers_in_piece;
  for (; i + numbers_in_piece <= n; i += numbers_in_piece) all = sum(all, product(a + i, b + i));
  return i < n ? sum(all, product_of_first(a + i, b + i, n - i)) : all;
}

// Finds the first of n numbers up to which the sum from `before` on is above what is wanted, else the last above 0; adds to
// `before` what comes before it.
HWY_INLINE size_t find(const double* numbers, size_t n, double wanted, double& before) {
  size_t place = 0;
  double sum = before;
  for (size_t i = 0; i < n; i++) {
    sum += numbers[i];
    const bool goes_on = sum <= wanted;
    place += goes_on;
    before = goes_on ? sum : before;
  }
  if (place < n) [[likely]]
    return place;
  while (place > 1 && !(numbers[place - 1] > 0)) place--;
  return place - 1;
}

// Draws one place; `length` where the products have no sum to draw by.
HWY_INLINE size_t draw_one(const double* a, const double* b, size_t length, double fraction, double* sums) {
  double of_pieces[pieces_in_block], products[numbers_in_piece];
  const size_t blocks = (length + numbers_in_block - 1) / numbers_in_block;
  const bool several = blocks > 1;
  if (several) {
    for (size_t block = 0; block < blocks; block += pieces_in_block) {
      Piece added[pieces_in_block];
      for (size_t k = 0; k < pieces_in_block; k++) {
        const size_t at = (block + k) * numbers_in_block;
        added[k] = at < length ? added_pieces(a + at, b + at, std::min(length - at, numbers_in_block)) : nothing();
      }
      sums_of(added, of_pieces);
      std::copy_n(of_pieces, std::min(blocks - block, pieces_in_block), sums + block);
    }
  } else {
    piece_sums(a, b, length, of_pieces);
  }
  const double* const of_most = several ? sums : of_pieces;
  const size_t most = several ? blocks : pieces_in_block;
  double total = 0;
  for (size_t i = 0; i < most; i++) total += of_most[i];
  if (!(total > 0 && total < infinity)) [[unlikely]]
    return length;

  const double wanted = fraction * total;
  double before = 0;
  size_t place = 0;
  if (several) {
    place = numbers_in_block * find(sums, blocks, wanted, before);
    piece_sums(a + place, b + place, std::min(length - place, numbers_in_block), of_pieces);
  }
  place += numbers_in_piece * find(of_pieces, pieces_in_block, wanted, before);
  const size_t rest = length - place;
  const Piece p = rest >= numbers_in_piece ? product(a + place, b + place) : product_of_first(a + place, b + place, rest);
  for (size_t k = 0; k < parts; k++) hn::StoreU(p.part[k], D(), products + k * lanes);
  return place + find(products, numbers_in_piece, wanted, before);
}

// Rows lie anywhere in large tables: so many draws ahead they are fetched, or what is likely to stay in the first-level cache.
// tests/bench/SAMPLING.md has the sweep.
constexpr size_t draws_ahead = 6, most_lines_ahead = 64, line = 64 / sizeof(double);

HWY_INLINE void fetch_row(const double* row, size_t length) {
  const size_t lines = std::min((length + line - 1) / line, most_lines_ahead);
  for (size_t k = 0; k < lines; k++) __builtin_prefetch(row + k * line);
}

size_t draw(std::int32_t* places, const ProductDraws& d, double* sums) {
  const auto row = [&](const double* table, std::int32_t number) { return table + static_cast<size_t>(number) * d.length; };
  for (size_t i = 0; i < d.count; i++) {
    if (const size_t next = i + draws_ahead; next < d.count) {
      // Draws of one document follow each other.
      if (d.first_rows[next] != d.first_rows[next - 1]) fetch_row(row(d.first, d.first_rows[next]), d.length);
      fetch_row(row(d.second, d.second_rows[next]), d.length);
    }
    const size_t place = draw_one(row(d.first, d.first_rows[i]), row(d.second, d.second_rows[i]), d.length, d.fractions[i], sums);
    if (place == d.length) [[unlikely]]
      return i;
    places[i] = static_cast<std::int32_t>(place);
  }
  return d.count;
}

size_t first_no_weight(const double* numbers, size_t n) {
  const hn::ScalableTag<double> d;
  const size_t step = 4 * hn::Lanes(d);
  const auto zero = hn::Zero(d), limit = hn::Set(d, infinity);
  const auto is_weight = [=](auto v) HWY_ATTR { return hn::And(hn::Ge(v, zero), hn::Lt(v, limit)); };
  size_t i = 0;
  for (; i + step <= n; i += step) {
    const double* at = numbers + i;
    const size_t one = hn::Lanes(d);
    const auto all = hn::And(hn::And(is_weight(hn::LoadU(d, at)), is_weight(hn::LoadU(d, at + one))),
                             hn::And(is_weight(hn::LoadU(d, at + 2 * one)), is_weight(hn::LoadU(d, at + 3 * one))));
    if (!hn::AllTrue(d, all)) break;
  }
  while (i < n && numbers[i] >= 0 && numbers[i] < infinity) i++;
  return i;
}

const DrawProductKernels* draw_product_kernels() {
  static constexpr DrawProductKernels kernels = {draw, first_no_weight};
  return &kernels;
}

}  // namespace
}  // namespace draw_products_unit
using draw_products_unit::draw_product_kernels;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(draw_product_kernels);
const DrawProductKernels& draw_products() { return *HWY_DYNAMIC_DISPATCH(draw_product_kernels)(); }
}  // namespace griddle::kernels
#endif
