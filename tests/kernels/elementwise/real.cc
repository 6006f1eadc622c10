#include "primitives/kernels/elementwise/real.h"

#include "tests/support/arithmetic_reference.h"
#include "tests/support/kernel_cases.h"

using namespace griddle;
using namespace griddle::kernels;
using namespace griddle::testing;

namespace {

template <class T>
void check_or(int lane) {
  Random random;
  for_lengths([&](std::size_t n) {
    if (n == 0) return;
    // Booleans, all 0 or not; the same with one other number among them; and any numbers.
    for (const int kind : {0, 1, 2, 3}) {
      Elements<T> x(random, n, n % 3, true);
      if (kind != 3)
        for (std::size_t i = 0; i < n; i++) x.start[i] = static_cast<T>(kind == 0 ? 0 : random.next() % 2);
      if (kind == 2) x.start[random.next() % n] = static_cast<T>(random.next() % 2 ? -1 : 2);
      double expected = static_cast<double>(x.start[n - 1]);
      for (std::size_t i = n - 1; i-- > 0;) {
        const double w = static_cast<double>(x.start[i]);
        expected = (w + expected) - w * expected;
      }
      CHECK(same(or_fold[lane](x.start, n), expected));
    }
  });
}

}  // namespace

TEST_CASE("folds by Or give for booleans of every width what they give one by one") {
  check_or<std::int8_t>(lane_i8);
  check_or<std::int16_t>(lane_i16);
  check_or<std::int32_t>(lane_i32);
  check_or<double>(lane_f64);
}
