#include "runtime/system/random.h"

#include <doctest/doctest.h>

#include <vector>

using griddle::RandomState;

TEST_CASE("Philox 4x32-10 gives the words that its authors publish") {
  RandomState random(0);
  CHECK(random.next_word() == 0x6627e8d5);
  CHECK(random.next_word() == 0xe169c58d);
  CHECK(random.next_word() == 0xbc57ac4c);
  CHECK(random.next_word() == 0x9b00dbd8);
}

TEST_CASE("numbers below a limit are spread evenly") {
  RandomState random(1);
  for (std::uint64_t limit : {1ull, 2ull, 3ull, 10ull}) {
    std::vector<int> counts(limit);
    for (std::uint64_t i = 0; i < 10000 * limit; i++) {
      std::uint64_t n = random.below(limit);
      REQUIRE(n < limit);
      counts[n]++;
    }
    for (int count : counts) CHECK(count == doctest::Approx(10000).epsilon(0.05));
  }
  for (int i = 0; i < 1000; i++) CHECK(random.below((1ull << 53) - 1) < (1ull << 53) - 1);
}

TEST_CASE("fractions lie from 0 to below 1") {
  RandomState random(2);
  double sum = 0;
  for (int i = 0; i < 10000; i++) {
    double f = random.fraction();
    REQUIRE(f >= 0);
    REQUIRE(f < 1);
    sum += f;
  }
  CHECK(sum == doctest::Approx(5000).epsilon(0.03));
}
