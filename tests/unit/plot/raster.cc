#include "runtime/plot/raster.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace griddle;
using namespace griddle::plot;

namespace {

Color at(const Raster& raster, std::size_t x, std::size_t y) { return raster.pixels().data[y * raster.pixels().width + x]; }

}  // namespace

TEST_CASE("a line is two pixels wide, has soft ends, and is no darker where it meets itself") {
  Heap heap;
  Raster raster(heap, 40, 20);
  const Point there_and_back[] = {{5, 10}, {30, 10}, {5, 10}};
  raster.curve(there_and_back, 0);
  CHECK(at(raster, 15, 9) == series_color(0));
  CHECK(at(raster, 15, 10) == series_color(0));
  CHECK(at(raster, 15, 8) == white);
  CHECK(at(raster, 15, 11) == white);
  CHECK(at(raster, 2, 10) == white);
}

TEST_CASE("gaps part a line, and a point between them is a dot") {
  Heap heap;
  Raster raster(heap, 40, 20);
  const Point points[] = {{5, 10}, {10, 10}, {NAN, NAN}, {20, 10}, {NAN, NAN}, {30, 10}, {35, 10}};
  raster.curve(points, 1);
  CHECK(at(raster, 7, 10) == series_color(1));
  CHECK(at(raster, 15, 10) == white);
  CHECK(!(at(raster, 20, 10) == white));
  CHECK(at(raster, 32, 10) == series_color(1));
}

TEST_CASE("nothing is drawn outside of the area, from however far it comes") {
  Heap heap;
  Raster raster(heap, 40, 20);
  raster.begin_area(10, 5, 30, 15);
  const Point points[] = {{-1e9, -1e9}, {1e9, 1e9}, {20, -1e300}, {20, 1e300}};
  raster.curve(points, 0);
  raster.bar(-1e9, -1e9, 1e9, 10, 2);
  raster.end_area();
  CHECK(at(raster, 20, 7) == series_color(2));
  CHECK(at(raster, 9, 7) == white);
  CHECK(at(raster, 20, 4) == white);
  CHECK(!(at(raster, 20, 12) == white));
  CHECK(at(raster, 20, 16) == white);
}

TEST_CASE("letters stand where their anchor says, as the font draws them") {
  Heap heap;
  Raster raster(heap, 40, 30);
  raster.text(10, 15, Anchor::start, "T");
  // The bar of a T is ten pixels wide and two high.
  for (std::size_t x = 10; x < 20; x++) CHECK(at(raster, x, 8) == ink);
  CHECK(at(raster, 9, 8) == white);
  CHECK(at(raster, 14, 20) == ink);
  CHECK(at(raster, 12, 20) == white);
  Raster right(heap, 40, 30);
  right.text(30, 15, Anchor::end, "T");
  CHECK(at(right, 29, 8) == ink);
  CHECK(at(right, 30, 8) == white);
}

TEST_CASE("images are stretched over their place") {
  Heap heap;
  Raster raster(heap, 20, 10);
  Pixels two(heap, 2, 1, black);
  two.data[1] = ink;
  raster.image(4, 2, 12, 8, two);
  CHECK(at(raster, 4, 2) == black);
  CHECK(at(raster, 7, 7) == black);
  CHECK(at(raster, 8, 2) == ink);
  CHECK(at(raster, 12, 2) == white);
}
