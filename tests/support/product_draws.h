// Tables of weights to draw from by products, and what a draw by them must give.
#pragma once

#include <cmath>
#include <numeric>
#include <vector>

#include "primitives/kernels/random/draw_products.h"
#include "tests/support/kernel_cases.h"

namespace griddle::testing {

// The lengths of rows: all short ones, and those about which blocks and pieces begin.
inline std::vector<std::size_t> row_lengths() {
  std::vector<std::size_t> lengths;
  for (std::size_t n = 1; n <= 140; n++) lengths.push_back(n);
  for (std::size_t n : {191, 192, 193, 208, 240, 511, 512, 513, 520, 575, 577, 1000, 1030}) lengths.push_back(n);
  return lengths;
}

// Two tables of weights, with draws from their rows.
struct Sample {
  std::vector<double> first, second, fractions;
  std::vector<std::int32_t> first_rows, second_rows, places;
  std::size_t length;

  template <class Weight>
  Sample(std::size_t rows, std::size_t length, std::size_t draws, Weight weight)
      : first(rows * length), second(rows * length), fractions(draws), length(length) {
    Random random;
    for (double& d : first) d = weight(random);
    for (double& d : second) d = weight(random);
    for (std::size_t i = 0; i < draws; i++) {
      first_rows.push_back(static_cast<std::int32_t>(random.next() % rows));
      second_rows.push_back(static_cast<std::int32_t>(random.next() % rows));
      fractions[i] = random.next() * 0x1p-24;
    }
  }
  // Draws by a function from draws to how many of them it made.
  template <class Draw>
  std::size_t draw_by(Draw draw) {
    const std::size_t n = fractions.size();
    places.assign(n + 1, -1);
    const std::size_t drawn =
        draw(places.data(), griddle::kernels::ProductDraws{first.data(), second.data(), length, first_rows.data(),
                                                           second_rows.data(), fractions.data(), n});
    CHECK(places[n] == -1);
    return drawn;
  }
  std::vector<double> products(std::size_t i) const {
    std::vector<double> p(length);
    for (std::size_t k = 0; k < length; k++)
      p[k] = first[static_cast<std::size_t>(first_rows[i]) * length + k] *
             second[static_cast<std::size_t>(second_rows[i]) * length + k];
    return p;
  }
};

// The first place up to which the sum from the left is above a share of the whole.
inline std::size_t plain_search(const std::vector<double>& products, double fraction) {
  const double wanted = fraction * std::accumulate(products.begin(), products.end(), 0.0);
  double sum = 0;
  for (std::size_t k = 0; k < products.size(); k++)
    if (wanted < (sum += products[k])) return k;
  return products.size();
}

inline double small_integer(Random& random) { return random.next() % 3 == 0 ? 0 : random.next() % 50; }
// Draws from tables of integers, with a row of which one weight is above 0 at most, and one that is all 1s; and what they must
// give.
inline Sample sample_of_integers(std::size_t length, std::size_t draws, std::vector<std::size_t>& expected) {
  Sample s(7, length, draws, small_integer);
  for (std::size_t k = 0; k < length; k++) s.first[k] = k == length / 2, s.second[k] = s.second[length + k] = 1;
  for (std::size_t i = 0; i < draws; i++) {
    std::vector<double> products = s.products(i);
    if (std::accumulate(products.begin(), products.end(), 0.0) == 0) s.first_rows[i] = s.second_rows[i] = 0;
    products = s.products(i);
    expected.push_back(plain_search(products, s.fractions[i]));
  }
  return s;
}

inline double any_number(Random& random) { return random.next() % 5 == 0 ? 0 : std::exp(random.next() % 1000 * 0.02 - 10); }

}  // namespace griddle::testing
