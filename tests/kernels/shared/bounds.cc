#include "primitives/kernels/shared/bounds.h"

#include <algorithm>

#include "tests/support/kernel_cases.h"

using namespace griddle;
using namespace griddle::kernels;
using namespace griddle::testing;

namespace {

template <class T>
void check_bounds(ElementType type) {
  Random random;
  for_lengths([&](std::size_t n) {
    if (n == 0) return;
    for (bool small : {true, false}) {
      const Elements<T> x(random, n, n % 3, small);
      const Bounds found = bounds_of(type, x.start, n);
      INFO(name_of(type), ", ", n, " elements");
      CHECK(found.low == *std::min_element(x.start, x.start + n));
      CHECK(found.high == *std::max_element(x.start, x.start + n));
    }
    // One extreme at each place.
    std::vector<T> x(n, 5);
    bool right = true;
    for (std::size_t i = 0; i < n; i++) {
      x[i] = 7;
      right &= bounds_of(type, x.data(), n).high == 7;
      x[i] = 3;
      right &= bounds_of(type, x.data(), n).low == 3;
      x[i] = 5;
    }
    CHECK(right);
  });
}

}  // namespace

TEST_CASE("the least and the greatest element are found in one pass") {
  on_every_target([] {
    check_bounds<std::int8_t>(ElementType::i8);
    check_bounds<std::int16_t>(ElementType::i16);
    check_bounds<std::int32_t>(ElementType::i32);
    check_bounds<std::uint8_t>(ElementType::c8);
    check_bounds<std::uint16_t>(ElementType::c16);
    check_bounds<std::uint32_t>(ElementType::c32);
  });
}

TEST_CASE("integers close together become bytes") {
  on_every_target([] {
    Random random;
    const auto check = [&]<class T>(T, ElementType type) {
      for (std::size_t n : {1, 15, 16, 17, 31, 32, 33, 64, 65, 200}) {
        const Elements<T> x(random, n, 1, false);
        for (std::int64_t low : {std::int64_t{x.start[0]}, std::int64_t{x.start[n / 2]} - 7, std::int64_t{0}}) {
          Guarded<std::uint8_t> to(n, 1);
          bytes_above(type, x.start, n, low, to.start());
          bool right = true;
          for (std::size_t i = 0; i < n; i++) {
            using Unsigned = std::make_unsigned_t<T>;
            const auto above = static_cast<Unsigned>(static_cast<Unsigned>(x.start[i]) - static_cast<Unsigned>(low));
            right &= to.start()[i] == (above < 255 ? above : 255);
          }
          CHECK(right);
          CHECK(to.kept_outside(n));
        }
      }
    };
    check(std::int16_t{}, ElementType::i16);
    check(std::int32_t{}, ElementType::i32);
  });
}
