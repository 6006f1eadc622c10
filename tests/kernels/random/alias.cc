#include "primitives/kernels/random/alias.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "primitives/kernels/random/random.h"
#include "tests/support/kernel_cases.h"

using namespace griddle::kernels;
using namespace griddle::testing;

namespace {

std::vector<std::uint64_t> table_of(const std::vector<double>& weights) {
  std::vector<std::uint64_t> table(weights.size());
  aliases().make(table.data(), weights.data(), weights.size(), std::accumulate(weights.begin(), weights.end(), 0.0));
  return table;
}

// Weights of several kinds, one of them above 0 at least.
std::vector<double> weights_of(int kind, std::size_t n) {
  Random random;
  std::vector<double> weights(n);
  for (std::size_t i = 0; i < n; i++) switch (kind) {
      case 0: weights[i] = 0.1; break;
      case 1: weights[i] = static_cast<double>(random.next() % 1000); break;
      case 2: weights[i] = i == n / 2 ? 3 : 0; break;
      case 3: weights[i] = random.next() % 2 ? 0 : std::exp(random.next() % 1000 * 0.04 - 20); break;
      case 4: weights[i] = 1e-300 / static_cast<double>(i + 1); break;
      default: weights[i] = i == 0 ? 1e300 : 1e290;
    }
  weights[n / 2] += weights[n / 2] == 0;
  return weights;
}
constexpr int kinds = 6;

}  // namespace

TEST_CASE("the table of aliases gives each weight its share, and weights of 0 nothing") {
  on_every_target([] {
    for (int kind = 0; kind < kinds; kind++)
      for (std::size_t n : {1, 2, 3, 5, 8, 17, 100, 1001, 30000}) {
        const std::vector<double> weights = weights_of(kind, n);
        const std::vector<std::uint64_t> table = table_of(weights);
        const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
        std::vector<double> shares(n);
        bool inside = true;
        for (std::size_t i = 0; i < n; i++) {
          const std::size_t alias = table[i] >> 32;
          const double kept = static_cast<double>(table[i] & 0xFFFFFFFF) * 0x1p-32;
          inside = inside && alias < n;
          if (alias >= n) continue;
          shares[i] += kept;
          shares[alias] += 1 - kept;
        }
        bool right = true;
        for (std::size_t i = 0; i < n; i++) {
          const double expected = weights[i] / total * static_cast<double>(n);
          // Each of the entries that refer to a weight rounds its share.
          right =
              right && (weights[i] > 0 ? std::fabs(shares[i] - expected) <= static_cast<double>(n) * 0x1p-32 : shares[i] == 0);
        }
        CAPTURE(kind);
        CAPTURE(n);
        CHECK(inside);
        CHECK(right);
      }
  });
}

TEST_CASE("draws by aliases are those of one word after the other, as often as the weights say") {
  constexpr std::size_t draws = 100003;
  std::vector<std::uint64_t> words(draws);
  random_numbers().words(words.data(), {1991, 0, 0, 0}, draws);
  words[0] = 0;
  words[1] = ~std::uint64_t{0};
  words[2] = 0xFFFFFFFF;
  words[3] = 0xFFFFFFFF00000000;
  for (int kind = 0; kind < kinds; kind++)
    for (std::size_t n : {1, 2, 7, 64, 1000, 70000}) {
      const std::vector<double> weights = weights_of(kind, n);
      const std::vector<std::uint64_t> table = table_of(weights);
      const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
      CAPTURE(kind);
      CAPTURE(n);
      std::vector<double> counts(n);
      bool never_0 = true;
      for (const std::uint64_t word : words) {
        const std::uint32_t place = draw_alias(table.data(), n, word);
        REQUIRE(place < n);
        counts[place]++;
        never_0 = never_0 && weights[place] > 0;
      }
      CHECK(never_0);
      if (n <= 1000) {
        bool right = true;
        for (std::size_t i = 0; i < n; i++) {
          const double expected = draws * weights[i] / total;
          right = right && std::fabs(counts[i] - expected) <= 5.5 * std::sqrt(expected) + 5;
        }
        CHECK(right);
      }
      on_every_target([&] {
        for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{9}, std::size_t{31}, draws}) {
          Guarded<std::int32_t> places(count, 1);
          aliases().draw(places.start(), words.data(), count, table.data(), n);
          bool right = places.kept_outside(count);
          for (std::size_t i = 0; i < count; i++)
            right = right && static_cast<std::uint32_t>(places.start()[i]) == draw_alias(table.data(), n, words[i]);
          CHECK(right);
        }
      });
    }
}
