#include "primitives/kernels/sort/order_few.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tests/support/kernel_cases.h"

using namespace griddle;
using namespace griddle::kernels;
using namespace griddle::testing;

namespace {

template <class T>
void check_few(ElementType type) {
  Random random;
  for (std::size_t n = 0; n <= most_ordered_few; n++)
    for (int kind = 0; kind < 4; kind++)
      for (const bool down : {false, true}) {
        Guarded<T> x(n, n % 3), sorted(n, 1);
        Guarded<std::uint8_t> places(n, 1);
        for (std::size_t i = 0; i < n; i++) {
          const T edges[] = {std::numeric_limits<T>::lowest(), std::numeric_limits<T>::max(), T{0}, T{1}};
          x.start()[i] = kind == 0   ? random.number<T>(false)
                         : kind == 1 ? random.number<T>(true)
                         : kind == 2 ? edges[random.next() % 4]
                                     : static_cast<T>(random.next() % 2 == 0 ? T{7} : T{8});
          if constexpr (std::is_floating_point_v<T>) {
            if (x.start()[i] != x.start()[i]) x.start()[i] = -INFINITY;
            if (kind == 3) x.start()[i] = random.next() % 2 == 0 ? 0.0 : -0.0;
          }
        }
        std::vector<std::size_t> expected(n);
        std::iota(expected.begin(), expected.end(), std::size_t{0});
        std::stable_sort(expected.begin(), expected.end(), [&](std::size_t i, std::size_t j) {
          return down ? x.start()[i] > x.start()[j] : x.start()[i] < x.start()[j];
        });
        INFO("length ", n, " kind ", kind, " down ", down);
        REQUIRE(grade_few(type, x.start(), n, places.start(), down));
        REQUIRE(sort_few(type, x.start(), n, sorted.start(), down));
        bool right = true;
        for (std::size_t i = 0; i < n; i++) {
          right &= places.start()[i] == expected[i];
          right &= std::memcmp(&sorted.start()[i], &x.start()[expected[i]], sizeof(T)) == 0;
        }
        CHECK(right);
        CHECK(places.kept_outside(n));
        CHECK(sorted.kept_outside(n));
        REQUIRE(sort_few(type, x.start(), n, x.start(), down));
        CHECK(std::equal(sorted.start(), sorted.start() + n, x.start()));
        CHECK(x.kept_outside(n));
      }
}

}  // namespace

TEST_CASE("a few elements are put in order by how many come before each") {
  on_every_target([] {
    check_few<std::int8_t>(ElementType::i8);
    check_few<std::int16_t>(ElementType::i16);
    check_few<std::int32_t>(ElementType::i32);
    check_few<double>(ElementType::f64);
    check_few<std::uint8_t>(ElementType::c8);
    check_few<std::uint16_t>(ElementType::c16);
    check_few<std::uint32_t>(ElementType::c32);
  });
}

TEST_CASE("a NaN among a few doubles is left to others") {
  on_every_target([] {
    for (std::size_t n = 1; n <= most_ordered_few; n++)
      for (std::size_t place = 0; place < n; place++) {
        std::vector<double> x(n, 1), sorted(n, 5);
        std::vector<std::uint8_t> places(n, 99);
        x[place] = NAN;
        CHECK(!sort_few(ElementType::f64, x.data(), n, sorted.data(), false));
        CHECK(!grade_few(ElementType::f64, x.data(), n, places.data(), true));
        CHECK((sorted == std::vector<double>(n, 5) && places == std::vector<std::uint8_t>(n, 99)));
      }
  });
}
