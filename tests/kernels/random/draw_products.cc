#include "primitives/kernels/random/draw_products.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "tests/support/product_draws.h"

using namespace griddle::kernels;
using namespace griddle::testing;

namespace {

std::size_t draw(Sample& s) {
  std::vector<double> sums(s.length / numbers_in_block + 1);
  return s.draw_by([&](std::int32_t* places, const ProductDraws& d) { return draw_products().draw(places, d, sums.data()); });
}

// The same with the sums that the header describes.
std::size_t search_by_blocks(std::vector<double> products, double fraction) {
  const std::size_t length = products.size(), blocks = (length + 63) / 64;
  products.resize(blocks * 64);
  const auto sum_of_8 = [](const double* p) { return ((p[0] + p[4]) + (p[1] + p[5])) + ((p[2] + p[6]) + (p[3] + p[7])); };
  const auto sums_of_pieces = [&](std::size_t block) {
    std::vector<double> sums(8);
    for (std::size_t k = 0; k < 8; k++) sums[k] = sum_of_8(&products[block * 64 + k * 8]);
    return sums;
  };
  std::vector<double> sums;
  if (blocks == 1) sums = sums_of_pieces(0);
  for (std::size_t block = 0; blocks > 1 && block < blocks; block++) {
    double added[8];
    std::copy_n(&products[block * 64], 8, added);
    for (std::size_t piece = 1; piece < 8; piece++)
      for (std::size_t k = 0; k < 8; k++) added[k] += products[block * 64 + piece * 8 + k];
    sums.push_back(sum_of_8(added));
  }
  const double wanted = fraction * std::accumulate(sums.begin(), sums.end(), 0.0);
  double before = 0;
  const auto find = [&](const std::vector<double>& numbers) {
    double sum = before;
    for (std::size_t k = 0; k < numbers.size(); k++) {
      sum += numbers[k];
      if (wanted < sum) return k;
      before = sum;
    }
    std::size_t last = numbers.size() - 1;
    while (last > 0 && numbers[last] == 0) last--;
    return last;
  };
  std::size_t place = 0;
  if (blocks > 1) {
    place = find(sums);
    sums = sums_of_pieces(place);
    place *= 64;
  }
  place += 8 * find(sums);
  return place + find({&products[place], &products[place] + 8});
}

}  // namespace

TEST_CASE("draws from products of integers are those of a plain search") {
  on_every_target([] {
    for (const std::size_t length : row_lengths()) {
      std::vector<std::size_t> expected;
      Sample s = sample_of_integers(length, 200, expected);
      CAPTURE(length);
      REQUIRE(draw(s) == s.fractions.size());
      bool right = true;
      for (std::size_t i = 0; i < expected.size(); i++) right = right && static_cast<std::size_t>(s.places[i]) == expected[i];
      CHECK(right);
    }
  });
}

TEST_CASE("draws from products of any numbers are the same on every target, and hardly differ from a plain search") {
  on_every_target([] {
    std::size_t others = 0, draws = 0;
    for (const std::size_t length : row_lengths()) {
      Sample s(9, length, 100, any_number);
      for (std::size_t row = 0; row < 9; row++) s.first[row * length] = s.second[row * length] = 1;
      REQUIRE(draw(s) == s.fractions.size());
      bool right = true;
      for (std::size_t i = 0; i < s.fractions.size(); i++) {
        const std::size_t place = static_cast<std::size_t>(s.places[i]);
        right = right && place == search_by_blocks(s.products(i), s.fractions[i]) && s.products(i)[place] > 0;
        others += place != plain_search(s.products(i), s.fractions[i]);
        draws++;
      }
      CAPTURE(length);
      CHECK(right);
    }
    CHECK(others <= draws / 1000);
  });
}

TEST_CASE("evenly spaced fractions draw each place as often as its product says") {
  on_every_target([] {
    for (const std::size_t length : {1, 2, 5, 16, 31, 64, 65, 100, 240, 1000}) {
      constexpr std::size_t draws = 20000;
      Sample s(1, length, draws, small_integer);
      s.first[0] = s.second[0] = 1;
      for (std::size_t i = 0; i < draws; i++) s.fractions[i] = (static_cast<double>(i) + 0.5) / draws;
      REQUIRE(draw(s) == draws);
      std::vector<double> counts(length);
      for (std::size_t i = 0; i < draws; i++) counts[static_cast<std::size_t>(s.places[i])]++;
      const std::vector<double> products = s.products(0);
      const double total = std::accumulate(products.begin(), products.end(), 0.0);
      bool right = true;
      for (std::size_t k = 0; k < length; k++) right = right && std::fabs(counts[k] - draws * products[k] / total) <= 1;
      CAPTURE(length);
      CHECK(right);
    }
  });
}

TEST_CASE("what rounding leaves out of a sum is drawn all the same, and nothing else") {
  on_every_target([] {
    // The last weights vanish beside the first, and fractions ask for the end.
    for (const std::size_t length : {9, 64, 66, 200, 700}) {
      Sample s(1, length, 3, [](Random&) { return 0.0; });
      std::fill(s.second.begin(), s.second.end(), 1.0);
      s.first[2] = 1e18;
      s.first[length - 2] = 1;
      s.fractions = {0, 0.5, 1 - 0x1p-53};
      REQUIRE(draw(s) == 3);
      for (std::size_t i = 0; i < 3; i++) CHECK((s.places[i] == 2 || s.places[i] == static_cast<std::int32_t>(length) - 2));
    }
  });
}

TEST_CASE("the first draw whose products have no sum stops the others") {
  on_every_target([] {
    for (const std::size_t length : {1, 7, 8, 64, 65, 300})
      for (const double unfit : {0.0, 1e200}) {
        Sample s(3, length, 40, [](Random&) { return 1.0; });
        std::fill_n(s.first.begin(), length, unfit);
        std::fill_n(s.second.begin(), length, unfit);
        const auto is_unfit = [&](std::size_t i) { return s.first_rows[i] == 0 && s.second_rows[i] == 0; };
        for (std::size_t i = 0; i < 40; i++)
          if (unfit == 0 && !is_unfit(i)) s.first_rows[i] = s.second_rows[i] = 1;
        s.first_rows[37] = s.second_rows[37] = 0;
        std::size_t expected = 0;
        while (!is_unfit(expected)) expected++;
        CHECK(draw(s) == expected);
      }
  });
}

TEST_CASE("the first number that is no weight is found wherever it is") {
  on_every_target([] {
    for_lengths([](std::size_t n) {
      std::vector<double> numbers(n);
      for (std::size_t i = 0; i < n; i++) numbers[i] = static_cast<double>(i % 3);
      CHECK(draw_products().first_no_weight(numbers.data(), n) == n);
      for (std::size_t i = 0; i < n; i += n / 40 + 1) {
        const double kept = numbers[i];
        for (const double bad : {-1.0, -std::numeric_limits<double>::denorm_min(), std::nan(""), HUGE_VAL, -HUGE_VAL}) {
          numbers[i] = bad;
          CHECK(draw_products().first_no_weight(numbers.data(), n) == i);
        }
        numbers[i] = kept;
      }
    });
  });
}
