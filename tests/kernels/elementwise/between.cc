#include "primitives/kernels/elementwise/between.h"

#include <algorithm>

#include "tests/support/kernel_cases.h"

using namespace griddle;
using namespace griddle::kernels;
using namespace griddle::testing;

namespace {

template <class T>
void check_range(Lane lane, const Elements<T>& x, std::size_t n, T low, T high) {
  Guarded<std::uint64_t> bits((n + 63) / 64, 1);
  between().lanes[lane](bits.start(), x.start, &low, &high, n);
  bool as_wanted = true;
  for (std::size_t i = 0; i < n; i++) as_wanted &= bit_of(bits.start(), i) == (low <= x.start[i] && x.start[i] <= high);
  CHECK_MESSAGE(as_wanted, n, " elements, from ", +low, " to ", +high);
  CHECK(bits.kept_outside((n + 63) / 64));
}

template <class T>
void check_limits(Lane lane, const Elements<T>& x, std::size_t n, T low, T high) {
  Guarded<T> out(n, 1);
  between().limit[lane](out.start(), x.start, &low, &high, n);
  std::vector<T> in_place(x.start, x.start + n);
  between().limit[lane](in_place.data(), in_place.data(), &low, &high, n);
  bool as_wanted = true;
  for (std::size_t i = 0; i < n; i++) {
    const T e = x.start[i], wanted = e < low ? low : e > high ? high : e;
    as_wanted &= same(out.start()[i], wanted) && same(in_place[i], wanted);
  }
  CHECK_MESSAGE(as_wanted, n, " elements, from ", +low, " to ", +high);
  CHECK(out.kept_outside(n));
}

template <class T>
void check_type(Lane lane) {
  using Limits = std::numeric_limits<T>;
  Random random;
  for_lengths([&](std::size_t n) {
    const Elements<T> x(random, n, n % 5, false);
    if (std::is_signed_v<T>) {
      check_limits<T>(lane, x, n, 3, 5);
      check_limits<T>(lane, x, n, static_cast<T>(-100), Limits::max());
    }
    check_range<T>(lane, x, n, 5, 5);
    check_range<T>(lane, x, n, 1, Limits::max());
    check_range<T>(lane, x, n, Limits::lowest(), 17);
    check_range<T>(lane, x, n, Limits::lowest(), Limits::lowest());
    check_range<T>(lane, x, n, static_cast<T>(Limits::lowest() + 1), Limits::max());
    if (n == 0) return;
    const auto [low, high] = std::minmax({x.start[n / 2], x.start[n / 3]});
    if (low <= high && high != Limits::max()) check_range<T>(lane, x, n, low, high);
  });
}

}  // namespace

TEST_CASE("a test for a range gives what two comparisons give") {
  on_every_target([] {
    check_type<std::int8_t>(lane_i8);
    check_type<std::uint8_t>(lane_i8);
    check_type<std::int16_t>(lane_i16);
    check_type<std::uint16_t>(lane_i16);
    check_type<std::int32_t>(lane_i32);
    check_type<std::uint32_t>(lane_i32);
    check_type<double>(lane_f64);
  });
}
