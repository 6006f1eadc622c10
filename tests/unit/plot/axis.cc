#include "runtime/plot/axis.h"

#include <doctest/doctest.h>

#include <limits>
#include <string>

using namespace griddle::plot;

namespace {

std::string labels(const Range& range, bool logarithmic, std::size_t about) {
  std::string text;
  for (const Tick& tick : ticks_of(range, logarithmic, about)) text += (text.empty() ? "" : " ") + tick.label;
  return text;
}

}  // namespace

TEST_CASE("ticks are round and told apart by as many digits as needed") {
  CHECK(labels({0, 10}, false, 5) == "0 2 4 6 8 10");
  CHECK(labels({-1.1, 1.1}, false, 5) == "-1.0 -0.5 0.0 0.5 1.0");
  CHECK(labels({0.1, 0.3}, false, 4) == "0.10 0.15 0.20 0.25 0.30");
  CHECK(labels({0, 3e7}, false, 3) == "0 1e7 2e7 3e7");
  CHECK(labels({0, 5e-6}, false, 5) == "0 1e-6 2e-6 3e-6 4e-6 5e-6");
  CHECK(labels({1e9, 1e9 + 2}, false, 2) == "1e9 1.000000001e9 1.000000002e9");
  CHECK(labels({7, 7.5}, false, 1) == "7.0 7.5");
}

TEST_CASE("ticks of a logarithmic axis are powers of ten, and between few of them 2 and 5 times these") {
  CHECK(labels({1, 1000}, true, 10) == "1 10 100 1000");
  CHECK(labels({1, 20}, true, 10) == "1 2 5 10 20");
  CHECK(labels({1e-8, 1e8}, true, 4) == "1e-8 0.001 100 1e7");
  CHECK(labels({3, 3.5}, true, 2) == "3.0 3.2 3.4");
}

TEST_CASE("the widest ranges and the narrowest have ticks and places") {
  constexpr double most = std::numeric_limits<double>::max();
  CHECK(ticks_of({-most, most}, false, 5).size() >= 2);
  const Scale widest({-most, most}, false, 0, 100);
  CHECK(widest.place(0) == doctest::Approx(50));
  CHECK(widest.place(most) == doctest::Approx(100));
  const double tiny = std::numeric_limits<double>::denorm_min();
  CHECK(Scale({0, tiny}, false, 0, 1).place(tiny) == doctest::Approx(1));
  CHECK(!ticks_of({0, tiny}, false, 5).empty());
}

TEST_CASE("numbers without a place have none") {
  const Scale logarithmic({1, 100}, true, 0, 2);
  CHECK(logarithmic.place(10) == doctest::Approx(1));
  CHECK(std::isnan(logarithmic.place(0)));
  CHECK(std::isnan(logarithmic.place(-1)));
  CHECK(std::isnan(Scale({0, 1}, false, 0, 1).place(std::numeric_limits<double>::infinity())));
}

TEST_CASE("what is no range becomes one") {
  CHECK(drawable({}, false).high == 1);
  CHECK(drawable({5, 5}, false).low == doctest::Approx(4.5));
  CHECK(drawable({0, 0}, false).low == -1);
  CHECK(drawable({2, 2}, true).high == 4);
  CHECK(wider({0, 10}, false, 0.1).high == doctest::Approx(11));
  CHECK(wider({1, 100}, true, 0.5).high == doctest::Approx(1000));
}
