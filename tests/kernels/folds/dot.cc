#include "primitives/kernels/folds/dot.h"

#include <limits>
#include <vector>

#include "tests/support/kernel_cases.h"

using namespace griddle;
using namespace griddle::kernels;
using namespace griddle::testing;

TEST_CASE("sums of products of integers are exact") {
  on_every_target([] {
    Random random;
    const auto check = [&]<class T>(T, auto dot) {
      for_lengths([&](std::size_t n) {
        const Elements<T> w(random, n, n % 3, false), x(random, n, 1, n % 4 == 0);
        std::int64_t expected = 0;
        for (std::size_t i = 0; i < n; i++) expected += std::int64_t{w.start[i]} * x.start[i];
        CHECK(dot(w.start, x.start, n) == expected);
      });
      const std::vector<T> least(65536, std::numeric_limits<T>::min()), greatest(65536, std::numeric_limits<T>::max());
      const std::int64_t low = least[0], high = greatest[0];
      CHECK(dot(least.data(), least.data(), least.size()) == 65536 * low * low);
      CHECK(dot(least.data(), greatest.data(), least.size()) == 65536 * low * high);
      CHECK(dot(greatest.data(), greatest.data(), least.size()) == 65536 * high * high);
    };
    check(std::int8_t{}, dot_i8);
    check(std::int16_t{}, dot_i16);
  });
}
