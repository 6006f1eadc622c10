#include "primitives/kernels/elementwise/keep_compared.h"

#include "tests/support/kernel_cases.h"

using namespace griddle::kernels;
using namespace griddle::testing;

namespace {

template <class T>
bool is_kept(int comparison, T w, T x) {
  switch (static_cast<Comparison>(comparison)) {
    case Comparison::less: return w < x;
    case Comparison::less_equal: return w <= x;
    case Comparison::equal: return w == x;
    case Comparison::greater_equal: return w >= x;
    case Comparison::greater: return w > x;
    case Comparison::not_equal: return w != x;
  }
  return false;
}

template <class T>
void check_kept(Lane lane) {
  Random random;
  for_lengths([&](std::size_t n) {
    const Elements<T> x(random, n, n % 5, n % 2 == 0);
    for (int c = 0; c < comparison_count; c++) {
      const T one = n == 0 || c % 2 != 0 ? T{2} : x.start[n / 2];
      if (keep_compared().elements[c][lane] == nullptr) continue;
      std::vector<T> elements(n + 64 / sizeof(T));
      std::vector<std::int16_t> places(n + 32);
      const std::size_t kept = keep_compared().elements[c][lane](elements.data(), x.start, &one, n);
      const std::size_t found = keep_compared().places[c][lane](places.data(), x.start, &one, n);
      std::size_t count = 0;
      bool as_wanted = true;
      for (std::size_t i = 0; i < n; i++) {
        if (!is_kept(c, x.start[i], one)) continue;
        as_wanted &= same(elements[count], x.start[i]) && places[count] == static_cast<std::int16_t>(i);
        count++;
      }
      INFO(n, " elements, comparison ", c);
      CHECK(as_wanted);
      CHECK(kept == count);
      CHECK(found == count);
    }
  });
}

}  // namespace

TEST_CASE("what a comparison holds for is kept, and its places, on every target") {
  on_every_target([] {
    check_kept<std::int8_t>(lane_i8);
    check_kept<std::int16_t>(lane_i16);
    check_kept<std::int32_t>(lane_i32);
    check_kept<double>(lane_f64);
  });
}
