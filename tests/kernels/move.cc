#include "primitives/kernels/move.h"

#include <cstring>

#include "tests/support/kernel_cases.h"

using namespace griddle::kernels;
using namespace griddle::testing;

namespace {

template <class T>
void check(Random& random, std::size_t n, std::size_t offset) {
  const unsigned width = 8 * sizeof(T);
  const Elements<T> from(random, n, offset, false);
  Guarded<T> reversed(n, offset), filled(n, offset), counted(n, offset);
  reverse(width, reversed.start(), from.start, n);
  std::uint64_t element = 0;
  const T value = random.number<T>(true);
  std::memcpy(&element, &value, sizeof value);
  fill(width, filled.start(), element, n);
  const bool counts = n == 0 || static_cast<double>(static_cast<T>(n - 1)) == static_cast<double>(n - 1);
  if (counts) count_up(width, counted.start(), n);
  CHECK(reversed.kept_outside(n));
  CHECK(filled.kept_outside(n));
  CHECK(counted.kept_outside(counts ? n : 0));
  bool right = true;
  for (std::size_t i = 0; i < n; i++) {
    right &= std::memcmp(reversed.start() + i, from.start + n - 1 - i, sizeof(T)) == 0 && filled.start()[i] == value;
    right &= !counts || counted.start()[i] == static_cast<T>(i);
  }
  CHECK(right);
}

}  // namespace

TEST_CASE("runs are reversed, filled and counted, on every target") {
  on_every_target([] {
    Random random;
    for_lengths([&](std::size_t n) {
      for (std::size_t offset : {0, 1, 5}) {
        check<std::int8_t>(random, n, offset);
        check<std::int16_t>(random, n, offset);
        check<std::int32_t>(random, n, offset);
        check<double>(random, n, offset);
      }
    });
  });
}
