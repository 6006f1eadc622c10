#include "runtime/plot/reduce.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace griddle;
using namespace griddle::plot;

namespace {

Numbers numbers(const std::vector<double>& v) { return {nullptr, v.data(), 0, 1, v.size()}; }

}  // namespace

TEST_CASE("a column of points leaves its first, lowest, highest and last") {
  Context cx;
  std::vector<double> y;
  for (int i = 0; i < 1000; i++) y.push_back(i == 300 ? 9 : i == 700 ? -9 : i % 2);
  const Scale across({0, 1000}, false, 0, 1), down({-10, 10}, false, -10, 10);
  const auto points = curve_points(cx, {nullptr, nullptr, 0, 1, y.size()}, numbers(y), across, down, 1);
  REQUIRE(points.size() == 4);
  CHECK(points[0].x == 0);
  CHECK(points[1].y == doctest::Approx(9));
  CHECK(points[2].y == doctest::Approx(-9));
  CHECK(points[3].x == doctest::Approx(0.999));
}

TEST_CASE("what is no finite number parts a line, however often") {
  Context cx;
  const std::vector<double> y = {NAN, 1, 2, INFINITY, NAN, 3};
  const Scale same({0, 10}, false, 0, 10);
  const auto points = curve_points(cx, {nullptr, nullptr, 0, 1, y.size()}, numbers(y), same, same, 1);
  REQUIRE(points.size() == 4);
  CHECK(points[0].y == 1);
  CHECK(std::isnan(points[2].x));
  CHECK(points[3].y == 3);
}

TEST_CASE("dots on one spot are one") {
  Context cx;
  const std::vector<double> x = {1, 1.2, 5, NAN, 1.1}, y = {1, 1.1, 5, 1, 2.5};
  const Scale same({0, 10}, false, 0, 10);
  CHECK(dot_points(cx, numbers(x), numbers(y), same, same, 1).size() == 3);
}

TEST_CASE("bins have round edges and hold every finite number once") {
  Context cx;
  const std::vector<double> v = {0.3, 1, 1.5, 9.99, 10, NAN, -INFINITY, 4};
  const Bins bins = count_in_bins(cx, numbers(v), 5);
  CHECK(bins.first == 0);
  CHECK(bins.step == 2);
  REQUIRE(bins.counts.size() == 5);
  CHECK(bins.counts[0] == 3);
  CHECK(bins.counts[2] == 1);
  CHECK(bins.counts[4] == 2);
  CHECK(count_in_bins(cx, numbers({}), 5).counts.empty());
  const Bins same = count_in_bins(cx, numbers({7, 7, 7}), 5);
  double sum = 0;
  for (const double c : same.counts) sum += c;
  CHECK(sum == 3);
  const double most = std::numeric_limits<double>::max();
  const Bins widest = count_in_bins(cx, numbers({-most, most}), 4);
  CHECK(widest.counts.front() + widest.counts.back() == 2);
}
