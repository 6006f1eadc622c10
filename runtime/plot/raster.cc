#include "runtime/plot/raster.h"

#include <algorithm>
#include <cmath>

#include "runtime/plot/font.h"
#include "runtime/value/checkpoint.h"
#include "runtime/value/utf8.h"

namespace griddle::plot {

namespace {

constexpr int dot = 2;  // pixels of a dot of a letter
constexpr double letter_width = dot * (font_width + 1);
constexpr int above_line = 7;                       // dots of a letter
constexpr std::size_t points_between_looks = 4096;  // points

// Gives the whole pixel at a place, within 0 and `end`.
std::size_t pixel_at(double v, std::size_t end) {
  return static_cast<std::size_t>(std::clamp(std::round(v), 0.0, static_cast<double>(end)));
}

std::uint8_t mixed(std::uint8_t below, std::uint8_t above, unsigned share) {
  constexpr unsigned whole = 255;
  return static_cast<std::uint8_t>((below * (whole - share) + above * share + whole / 2) / whole);
}

}  // namespace

Raster::Raster(Heap& heap, std::size_t width, std::size_t height)
    : pixels_(heap, width, height, white),
      covered_(width * height, 0, heap),
      whole_{0, 0, width, height},
      bounds_(whole_),
      touched_{width, height, 0, 0} {}

Surface::Metrics Raster::metrics() const {
  return {.width = static_cast<double>(pixels_.width),
          .height = static_cast<double>(pixels_.height),
          .character = letter_width,
          .line = dot * (font_height + 1),
          .tick = 6,
          .gap = 8,
          .grain = 1};
}

void Raster::text(double x, double y, Anchor anchor, std::string_view utf8) {
  const auto length = static_cast<double>(std::count_if(utf8.begin(), utf8.end(), [](char c) { return !continues_utf8(c); }));
  const double share = anchor == Anchor::start ? 0 : anchor == Anchor::middle ? 0.5 : 1;
  double left = std::round(x - share * (length * letter_width - dot));
  const double top = std::round(y - above_line * dot / 2.0);
  for (std::size_t i = 0; i < utf8.size();) {
    std::size_t end = i + 1;
    while (end < utf8.size() && continues_utf8(utf8[end])) end++;
    const auto byte = static_cast<unsigned char>(utf8[i]);
    const char32_t c = end - i == 1 ? byte : utf8.substr(i, end - i) == "¯" ? U'¯' : U'\uFFFD';
    const std::uint8_t* rows = glyph_rows(c);
    for (int row = 0; row < font_height; row++)
      for (int column = 0; column < font_width; column++)
        if ((rows[row] >> (font_width - 1 - column) & 1) != 0)
          fill(left + dot * column, top + dot * row, left + dot * (column + 1), top + dot * (row + 1), ink);
    left += letter_width;
    i = end;
  }
}

void Raster::fill(double x0, double y0, double x1, double y1, Color color) {
  const std::size_t left = std::max(bounds_.left, pixel_at(x0, bounds_.right)), right = pixel_at(x1, bounds_.right);
  const std::size_t top = std::max(bounds_.top, pixel_at(y0, bounds_.bottom)), bottom = pixel_at(y1, bounds_.bottom);
  for (std::size_t y = top; y < bottom && left < right; y++)
    std::fill_n(pixels_.data.begin() + static_cast<std::ptrdiff_t>(y * pixels_.width + left), right - left, color);
}

void Raster::grid_line(double x0, double y0, double x1, double y1) {
  // Lines are one pixel wide, in the row or column that their place rounds to.
  if (x0 == x1)
    fill(std::round(x0), y0, std::round(x0) + 1, y1, pale);
  else
    fill(x0, std::round(y0), x1, std::round(y0) + 1, pale);
}
void Raster::axis_line(double x0, double y0, double x1, double y1) {
  if (x0 == x1)
    fill(std::round(x0), y0, std::round(x0) + 1, y1 + 1, ink);
  else
    fill(x0, std::round(y0), x1, std::round(y0) + 1, ink);
}
void Raster::tick(double x, double y, bool is_horizontal) {
  const double length = metrics().tick;
  if (is_horizontal)
    fill(std::round(x), std::round(y), std::round(x) + 1, y + length, ink);
  else
    fill(x - length, std::round(y), std::round(x), std::round(y) + 1, ink);
}

void Raster::begin_area(double x0, double y0, double x1, double y1) {
  bounds_ = {pixel_at(x0, whole_.right), pixel_at(y0, whole_.bottom), pixel_at(x1, whole_.right), pixel_at(y1, whole_.bottom)};
}
void Raster::end_area() { bounds_ = whole_; }

void Raster::cover(Point a, Point b, double radius) {
  const double room = radius + 1;
  if (!cut_line(a, b, {static_cast<double>(bounds_.left) - room, static_cast<double>(bounds_.top) - room},
                {static_cast<double>(bounds_.right) + room, static_cast<double>(bounds_.bottom) + room}))
    return;
  const double dx = b.x - a.x, dy = b.y - a.y, squared = dx * dx + dy * dy;
  const auto first = [](double v, std::size_t least, std::size_t most) {
    return static_cast<std::size_t>(std::clamp(std::floor(v), static_cast<double>(least), static_cast<double>(most)));
  };
  const std::size_t top = first(std::min(a.y, b.y) - room, bounds_.top, bounds_.bottom),
                    bottom = first(std::max(a.y, b.y) + room + 1, bounds_.top, bounds_.bottom);
  // Across, only what lies near the line in this row.
  for (std::size_t row = top; row < bottom; row++) {
    const double y = static_cast<double>(row) + 0.5;
    double from = std::min(a.x, b.x), to = std::max(a.x, b.x);
    if (dy != 0) {
      const double at0 = a.x + (y - room - a.y) / dy * dx, at1 = a.x + (y + room - a.y) / dy * dx;
      from = std::max(from, std::min(at0, at1));
      to = std::min(to, std::max(at0, at1));
    }
    const std::size_t left = first(from - room, bounds_.left, bounds_.right),
                      right = first(to + room + 1, bounds_.left, bounds_.right);
    for (std::size_t column = left; column < right; column++) {
      const double x = static_cast<double>(column) + 0.5;
      const double along = squared > 0 ? std::clamp(((x - a.x) * dx + (y - a.y) * dy) / squared, 0.0, 1.0) : 0;
      const double off_x = a.x + along * dx - x, off_y = a.y + along * dy - y;
      const double share = std::clamp(radius + 0.5 - std::sqrt(off_x * off_x + off_y * off_y), 0.0, 1.0);
      std::uint8_t& pixel = covered_[row * pixels_.width + column];
      pixel = std::max(pixel, static_cast<std::uint8_t>(std::lround(share * 255)));
    }
    touched_.left = std::min(touched_.left, left);
    touched_.right = std::max(touched_.right, right);
  }
  touched_.top = std::min(touched_.top, top);
  touched_.bottom = std::max(touched_.bottom, bottom);
}

void Raster::paint(Color color) {
  for (std::size_t y = touched_.top; y < touched_.bottom; y++) {
    checkpoint();
    for (std::size_t x = touched_.left; x < touched_.right; x++) {
      const std::size_t i = y * pixels_.width + x;
      const unsigned share = covered_[i];
      covered_[i] = 0;
      Color& c = pixels_.data[i];
      c = {mixed(c.red, color.red, share), mixed(c.green, color.green, share), mixed(c.blue, color.blue, share)};
    }
  }
  touched_ = {pixels_.width, pixels_.height, 0, 0};
}

void Raster::curve(std::span<const Point> points, std::size_t series) {
  constexpr double radius = 1;
  for (std::size_t i = 0; i < points.size(); i++) {
    if (std::isnan(points[i].x)) continue;
    const bool goes_on = i + 1 < points.size() && !std::isnan(points[i + 1].x);
    const bool came = i > 0 && !std::isnan(points[i - 1].x);
    if (i % points_between_looks == 0) checkpoint();
    if (goes_on || !came) cover(points[i], goes_on ? points[i + 1] : points[i], radius);
  }
  paint(series_color(series));
}

void Raster::dots(std::span<const Point> points, std::size_t series) {
  constexpr double radius = 2.5;
  for (std::size_t i = 0; i < points.size(); i++) {
    if (i % points_between_looks == 0) checkpoint();
    cover(points[i], points[i], radius);
  }
  paint(series_color(series));
}

void Raster::bar(double x0, double y0, double x1, double y1, std::size_t series) {
  // Thin ones are seen too.
  const double left = std::round(x0), top = std::round(y0);
  fill(left, top, std::max(std::round(x1), left + 1), std::max(std::round(y1), top + 1), series_color(series));
}

void Raster::image(double x0, double y0, double x1, double y1, const Pixels& image) {
  const std::size_t left = pixel_at(x0, bounds_.right), right = pixel_at(x1, bounds_.right);
  const std::size_t top = pixel_at(y0, bounds_.bottom), bottom = pixel_at(y1, bounds_.bottom);
  for (std::size_t y = top; y < bottom; y++)
    for (std::size_t x = left; x < right; x++)
      pixels_.data[y * pixels_.width + x] =
          image.data[(y - top) * image.height / (bottom - top) * image.width + (x - left) * image.width / (right - left)];
}

void Raster::legend_mark(double x, double y, std::size_t series, bool) {
  constexpr double size = 12;
  bar(x, y - size / 2, x + 2 * size, y + size / 2, series);
}

}  // namespace griddle::plot
