#include "runtime/plot/surface.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace griddle::plot;

TEST_CASE("eight series differ in colour, and colours come again") {
  for (std::size_t a = 0; a < 8; a++)
    for (std::size_t b = 0; b < a; b++) CHECK(!(series_color(a) == series_color(b)));
  CHECK(series_color(8) == series_color(0));
}

TEST_CASE("heat goes from dark to light, and gaps are white") {
  int last = -1;
  for (int i = 0; i <= 100; i++) {
    const Color c = heat_color(i / 100.0);
    const int brightness = 3 * c.red + 6 * c.green + c.blue;
    CHECK(brightness > last);
    last = brightness;
  }
  CHECK(heat_color(-1) == heat_color(0));
  CHECK(heat_color(2) == heat_color(1));
  CHECK(heat_color(NAN) == white);
}

TEST_CASE("lines are cut to a box, from however far they come") {
  Point a = {20, -1e150}, b = {20, 1e150};
  CHECK(cut_line(a, b, {0, 5}, {30, 15}));
  CHECK(a.y == 5);
  CHECK(b.y == 15);
  CHECK(a.x == 20);
  a = {-10, 0}, b = {10, 20};
  CHECK(cut_line(a, b, {0, 0}, {5, 100}));
  CHECK(a.x == 0);
  CHECK(a.y == 10);
  CHECK(b.y == 15);
  a = {-10, 0}, b = {0, 10};
  CHECK(!cut_line(a, b, {0, 0}, {5, 5}));
  a = {1, 1}, b = {1, 1};
  CHECK(cut_line(a, b, {0, 0}, {5, 5}));
}
