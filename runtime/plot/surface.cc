#include "runtime/plot/surface.h"

#include <algorithm>
#include <cmath>

namespace griddle::plot {

Color series_color(std::size_t series) {
  // Far apart in brightness too, so that they differ in print and for eyes that see few colours.
  constexpr Color colors[] = {{31, 98, 166},  {214, 110, 20}, {33, 138, 87},  {186, 45, 60},
                              {125, 88, 178}, {138, 92, 52},  {205, 92, 158}, {96, 108, 118}};
  return colors[series % std::size(colors)];
}

Color heat_color(double share) {
  constexpr Color stops[] = {{24, 16, 72}, {58, 62, 146}, {34, 128, 142}, {98, 186, 96}, {246, 226, 62}};
  constexpr int last = std::size(stops) - 1;
  if (std::isnan(share)) return white;
  const double place = std::clamp(share, 0.0, 1.0) * last;
  const int below = std::min(static_cast<int>(place), last - 1);
  const double part = place - below;
  const auto mixed = [&](std::uint8_t a, std::uint8_t b) { return static_cast<std::uint8_t>(std::lround(a + part * (b - a))); };
  const Color &a = stops[below], &b = stops[below + 1];
  return {mixed(a.red, b.red), mixed(a.green, b.green), mixed(a.blue, b.blue)};
}

bool cut_line(Point& a, Point& b, const Point& low, const Point& high) {
  // One edge after the other, so that ends lie on it exactly, however far away they were.
  const auto cut_at = [&](double Point::*along, double Point::*across, double edge, bool from_below) {
    const auto is_out = [&](const Point& p) { return from_below ? p.*along < edge : p.*along > edge; };
    if (is_out(a) && is_out(b)) return false;
    for (Point* end : {&a, &b}) {
      if (!is_out(*end)) continue;
      const Point& other = end == &a ? b : a;
      const double share = (edge - other.*along) / (end->*along - other.*along);
      end->*across = other.*across + share * (end->*across - other.*across);
      end->*along = edge;
    }
    return true;
  };
  return cut_at(&Point::x, &Point::y, low.x, true) && cut_at(&Point::x, &Point::y, high.x, false) &&
         cut_at(&Point::y, &Point::x, low.y, true) && cut_at(&Point::y, &Point::x, high.y, false);
}

}  // namespace griddle::plot
