#include "primitives/kernels/random/draw_methods.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "primitives/kernels/random/random.h"
#include "tests/support/product_draws.h"

using namespace griddle::kernels;
using namespace griddle::testing;

namespace {

using Method = DrawMethodKernels::Draw;

template <class F>
void for_methods(F f) {
  const DrawMethodKernels& m = draw_methods();
  for (const auto& [name, method] : {std::pair<std::string, Method>{"prefix_linear", m.prefix_linear},
                                     {"prefix_binary", m.prefix_binary},
                                     {"transposed", m.transposed},
                                     {"butterfly", m.butterfly}}) {
    CAPTURE(name);
    f(method);
  }
}

// Draws with a table that is just large enough, and leaves it behind.
std::size_t draw(Sample& s, Method method, std::vector<double>& table) {
  table.assign(draws_together * s.length + 1, -1);
  const std::size_t drawn =
      s.draw_by([&](std::int32_t* places, const ProductDraws& d) { return method(places, d, table.data()); });
  CHECK(table.back() == -1);
  return drawn;
}
std::size_t draw(Sample& s, Method method) {
  std::vector<double> table;
  return draw(s, method, table);
}

// Sums of weights over the table below are above this for one sample in a million, by Wilson and Hilferty's approximation.
double largest_chi_squared(double freedom) {
  constexpr double deviations = 4.75;
  const double spread = 2 / (9 * freedom);
  return freedom * std::pow(1 - spread + deviations * std::sqrt(spread), 3);
}

}  // namespace

TEST_CASE("all methods draw from products of integers as a plain search does") {
  on_every_target([] {
    for (const std::size_t length : row_lengths()) {
      std::vector<std::size_t> expected;
      Sample s = sample_of_integers(length, 203, expected);
      CAPTURE(length);
      for_methods([&](Method method) {
        REQUIRE(draw(s, method) == s.fractions.size());
        bool right = true;
        for (std::size_t i = 0; i < expected.size(); i++) right = right && static_cast<std::size_t>(s.places[i]) == expected[i];
        CHECK(right);
      });
    }
  });
}

TEST_CASE("methods with whole tables draw from products of any numbers as a plain search does, butterflies hardly otherwise") {
  on_every_target([] {
    const Method by_butterflies = draw_methods().butterfly;
    std::size_t others = 0, draws = 0;
    for (const std::size_t length : row_lengths()) {
      Sample s(9, length, 100, any_number);
      for (std::size_t row = 0; row < 9; row++) s.first[row * length] = s.second[row * length] = 1;
      CAPTURE(length);
      for_methods([&](Method method) {
        REQUIRE(draw(s, method) == s.fractions.size());
        bool right = true;
        for (std::size_t i = 0; i < s.fractions.size(); i++) {
          const std::size_t place = static_cast<std::size_t>(s.places[i]), plain = plain_search(s.products(i), s.fractions[i]);
          right = right && s.products(i)[place] > 0 && (place == plain || method == by_butterflies);
          others += place != plain;
        }
        CHECK(right);
      });
      draws += s.fractions.size();
    }
    CHECK(others <= draws / 1000);
  });
}

TEST_CASE("the table of butterflies has the sums that are said of it, as in the figure for 19 products") {
  on_every_target([] {
    for (const std::size_t length : {8, 16, 19, 40, 47}) {
      constexpr std::size_t n = draws_together;
      Sample s(n, length, n, small_integer);
      s.first[0] = s.second[0] = 1;
      for (std::size_t i = 0; i < n; i++) {
        s.first_rows[i] = s.second_rows[i] = static_cast<std::int32_t>(i);
        s.first[i * length] = s.second[i * length] = 1;
      }
      std::vector<double> table;
      REQUIRE(draw(s, draw_methods().butterfly, table) == n);
      // The sum of the products of a draw over places from `from` to `to`.
      const auto sum = [&](std::size_t draw, std::size_t from, std::size_t to) {
        const std::vector<double> products = s.products(draw);
        double all = 0;
        for (std::size_t k = from; k <= to; k++) all += products[k];
        return all;
      };
      const std::size_t remnant = length % n;
      bool right = true;
      for (std::size_t j = 0; j < length; j++)
        for (std::size_t r = 0; r < n; r++) {
          const std::size_t d = (j - remnant) % n, base = j - d;
          double expected;
          if (j < remnant || d == n - 1) {
            expected = sum(r, 0, j);
          } else {
            const std::size_t m = d ^ (d + 1), v = r & ~(m >> 1);
            expected = sum((d & ~m) + (r & m), base + v, base + v + (m >> 1));
          }
          right = right && table[j * n + r] == expected;
        }
      CAPTURE(length);
      CHECK(right);
    }
  });
}

TEST_CASE("products of 0 are not drawn where rounding leads to them") {
  on_every_target([] {
    Random random;
    for (const std::size_t length : {8, 9, 16, 27, 64, 203})
      for (int trial = 0; trial < 300; trial++) {
        // Numbers of very different sizes lose much where they are added and taken away.
        Sample s(1, length, 20, [](Random& r) { return r.next() % 2 ? 0.0 : std::exp(r.next() % 1000 * 0.08 - 40); });
        for (double& d : s.first) d = random.next() % 3 == 0 ? 0 : std::exp(random.next() % 1000 * 0.05);
        s.first[random.next() % length] = 1;
        for (double& d : s.second) d = random.next() % 2 == 0 ? 0 : 1 / 3.0;
        for (std::size_t k = 0; k < length; k++)
          if (s.first[k] > 0) s.second[k] = 1;
        const std::vector<double> products = s.products(0);
        const double total = std::accumulate(products.begin(), products.end(), 0.0);
        // Fractions that ask for the very limits between places.
        double sum = 0;
        for (std::size_t i = 0; i < 20; i++) {
          sum += products[i * length / 20];
          s.fractions[i] = std::min(sum / total, 1 - 0x1p-53);
        }
        for_methods([&](Method method) {
          REQUIRE(draw(s, method) == 20);
          bool right = true;
          for (std::size_t i = 0; i < 20; i++) right = right && products[static_cast<std::size_t>(s.places[i])] > 0;
          CHECK(right);
        });
      }
  });
}

TEST_CASE("sums that are as small as numbers can be are drawn by") {
  on_every_target([] {
    for (const std::size_t length : {1, 7, 8, 20}) {
      Sample s(1, length, 3, [](Random&) { return 0.0; });
      s.first[length / 2] = s.second[length / 2] = 0x1p-537;
      s.fractions = {0, 0.4, 1 - 0x1p-53};
      for_methods([&](Method method) {
        REQUIRE(draw(s, method) == 3);
        for (std::size_t i = 0; i < 3; i++) CHECK(s.places[i] == static_cast<std::int32_t>(length / 2));
      });
    }
  });
}

TEST_CASE("the first draw whose products have no sum stops every method") {
  on_every_target([] {
    for (const std::size_t length : {1, 7, 8, 64, 65, 300})
      for (const double unfit : {0.0, 1e200}) {
        Sample s(3, length, 40, [](Random&) { return 1.0; });
        std::fill_n(s.first.begin(), length, unfit);
        std::fill_n(s.second.begin(), length, unfit);
        const auto is_unfit = [&](std::size_t i) { return s.first_rows[i] == 0 && s.second_rows[i] == 0; };
        for (std::size_t i = 0; i < 40; i++)
          if (s.first_rows[i] == 0 || s.second_rows[i] == 0) s.first_rows[i] = s.second_rows[i] = 1;
        for (const std::size_t bad : {37, 12, 0}) {
          s.first_rows[bad] = s.second_rows[bad] = 0;
          REQUIRE(is_unfit(bad));
          for_methods([&](Method method) { CHECK(draw(s, method) == bad); });
        }
      }
  });
}

TEST_CASE("every method draws each place as often as its product says, by the test of chi squared") {
  struct Shape {
    const char* name;
    double (*weight)(std::size_t k, std::size_t length);
  };
  const Shape shapes[] = {
      {"equal", [](std::size_t, std::size_t) { return 1.0; }},
      {"skewed", [](std::size_t k, std::size_t) { return 1 / std::pow(static_cast<double>(k + 1), 1.5); }},
      {"one alone", [](std::size_t k, std::size_t length) { return k == length * 2 / 3 ? 0.7 : 0.0; }},
      {"with zeros",
       [](std::size_t k, std::size_t length) { return k % 3 == 1 && length > 1 ? 0.0 : 1.0 + static_cast<double>(k % 5); }},
  };
  constexpr std::size_t draws = 60000;
  for (const Shape& shape : shapes)
    for (const std::size_t length : {1, 2, 3, 7, 8, 9, 15, 16, 31, 64, 100, 208, 1000}) {
      Sample s(1, length, draws, [](Random&) { return 1.0; });
      for (std::size_t k = 0; k < length; k++) s.first[k] = shape.weight(k, length);
      random_numbers().fractions(s.fractions.data(), {2015, 0, 0, 0}, draws);
      const std::vector<double> products = s.products(0);
      const double total = std::accumulate(products.begin(), products.end(), 0.0);
      CAPTURE(shape.name);
      CAPTURE(length);
      for_methods([&](Method method) {
        REQUIRE(draw(s, method) == draws);
        std::vector<double> counts(length);
        for (std::size_t i = 0; i < draws; i++) counts[static_cast<std::size_t>(s.places[i])]++;
        // Places that are drawn less than 10 times are taken together.
        double sum = 0, cells = 0, rare_expected = 0, rare = 0;
        const auto add = [&](double count, double expected) {
          sum += (count - expected) * (count - expected) / expected;
          cells++;
        };
        for (std::size_t k = 0; k < length; k++) {
          const double expected = draws * products[k] / total;
          if (expected == 0) {
            CHECK(counts[k] == 0);
          } else if (expected < 10) {
            rare_expected += expected;
            rare += counts[k];
          } else {
            add(counts[k], expected);
          }
        }
        if (rare_expected > 0) add(rare, rare_expected);
        if (cells > 1)
          CHECK(sum < largest_chi_squared(cells - 1));
        else
          CHECK(sum < 1e-9);
      });
    }
}
