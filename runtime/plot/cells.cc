#include "runtime/plot/cells.h"

#include <algorithm>
#include <cmath>

#include "runtime/source/text.h"

namespace griddle::plot {

namespace {

constexpr double dots_across = 2, dots_down = 4;
constexpr char32_t braille = 0x2800;
// Signs of series but the first, of which there may be more than signs.
constexpr char32_t signs[] = {U'+', U'×', U'o', U'*', U'#', U'%', U'@'};
constexpr char32_t shades[] = {U' ', U'░', U'▒', U'▓', U'█'};

char32_t sign_of(std::size_t series) { return signs[(series - 1) % std::size(signs)]; }

char32_t fill_of(std::size_t series) {
  constexpr char32_t fills[] = {U'█', U'▒', U'░', U'▓'};
  return fills[series % std::size(fills)];
}

// Gives the bit of a dot in a character of Braille.
std::uint8_t dot_bit(std::ptrdiff_t across, std::ptrdiff_t down) {
  constexpr std::uint8_t bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
  return bits[down][across];
}

// A place that is far away, as a whole number that fits.
std::ptrdiff_t whole(double v) {
  constexpr double farthest = 1e9;
  return static_cast<std::ptrdiff_t>(std::floor(std::clamp(v, -farthest, farthest)));
}

}  // namespace

Cells::Cells(Heap& heap, std::size_t columns, std::size_t rows)
    : columns_(columns), rows_(rows), characters_(columns * rows, U' ', heap), dots_(columns * rows, 0, heap) {
  end_area();
}

const HeapVector<char32_t>& Cells::finish() {
  for (std::size_t i = 0; i < dots_.size(); i++)
    if (dots_[i] != 0 && characters_[i] == U' ') characters_[i] = braille + dots_[i];
  return characters_;
}

Surface::Metrics Cells::metrics() const {
  return {.width = static_cast<double>(columns_) * dots_across,
          .height = static_cast<double>(rows_) * dots_down,
          .character = dots_across,
          .line = dots_down,
          .tick = dots_across,
          .gap = 0,
          .grain = 1,
          .in_cells = true};
}

Cells::Place Cells::place_of(double x, double y) { return {whole(x / dots_across), whole(y / dots_down)}; }

bool Cells::is_inside(Place p) const {
  return p.column >= first_.column && p.column < end_.column && p.row >= first_.row && p.row < end_.row;
}

void Cells::put(Place p, char32_t c) {
  if (is_inside(p)) characters_[static_cast<std::size_t>(p.row) * columns_ + static_cast<std::size_t>(p.column)] = c;
}

void Cells::text(double x, double y, Anchor anchor, std::string_view utf8) {
  const auto length = std::count_if(utf8.begin(), utf8.end(), [](char c) { return !continues_utf8(c); });
  Place p = place_of(x, y);
  if (anchor == Anchor::middle) p.column -= length / 2;
  if (anchor == Anchor::end) p.column -= length;
  // Text at the edge moves rather than to be cut.
  if (anchor == Anchor::middle)
    p.column =
        std::clamp<std::ptrdiff_t>(p.column, 0, std::max<std::ptrdiff_t>(0, static_cast<std::ptrdiff_t>(columns_) - length));
  for (const char *at = utf8.data(), *const end = at + utf8.size(); at != end; p.column++) {
    const char32_t c = decode_utf8(at, end);
    if (c == invalid_code_point) at++;
    put(p, c == invalid_code_point || c < U' ' ? U'\uFFFD' : c);
  }
}

void Cells::axis_line(double x0, double y0, double x1, double y1) {
  // The vertical axis stands left of the area, the horizontal one below it.
  if (x0 == x1) {
    for (std::ptrdiff_t row = place_of(x0, y0).row, column = place_of(x0, y0).column - 1; row < place_of(x1, y1).row; row++)
      put({column, row}, U'│');
    return;
  }
  const Place from = place_of(x0, y0), to = place_of(x1, y1);
  for (std::ptrdiff_t column = from.column; column < to.column; column++) put({column, from.row}, U'─');
  put({from.column - 1, from.row}, U'└');
}

void Cells::tick(double x, double y, bool is_horizontal) {
  Place p = place_of(x, y);
  if (is_horizontal) return put(p, U'┬');
  p.column--;
  // The lower end of the vertical axis is the corner.
  const bool is_corner =
      is_inside(p) && characters_[static_cast<std::size_t>(p.row) * columns_ + static_cast<std::size_t>(p.column)] == U'└';
  put(p, is_corner ? U'├' : U'┤');
}

void Cells::begin_area(double x0, double y0, double x1, double y1) {
  first_ = place_of(x0, y0);
  end_ = place_of(x1 + dots_across / 2, y1);
  end_.column = std::min(end_.column, static_cast<std::ptrdiff_t>(columns_));
  end_.row = std::min(end_.row, static_cast<std::ptrdiff_t>(rows_));
}
void Cells::end_area() {
  first_ = {0, 0};
  end_ = {static_cast<std::ptrdiff_t>(columns_), static_cast<std::ptrdiff_t>(rows_)};
}

void Cells::mark(double x, double y, std::size_t series) {
  const Place p = place_of(x, y);
  if (!is_inside(p)) return;
  if (series > 0) return put(p, sign_of(series));
  dots_[static_cast<std::size_t>(p.row) * columns_ + static_cast<std::size_t>(p.column)] |= dot_bit(
      whole(x) - p.column * static_cast<std::ptrdiff_t>(dots_across), whole(y) - p.row * static_cast<std::ptrdiff_t>(dots_down));
}

void Cells::segment(Point a, Point b, std::size_t series) {
  const auto corner = [](const Place& p) {
    return Point{static_cast<double>(p.column) * dots_across, static_cast<double>(p.row) * dots_down};
  };
  if (!cut_line(a, b, corner(first_), corner(end_))) return;
  const double steps = std::max(1.0, std::ceil(std::max(std::fabs(b.x - a.x), std::fabs(b.y - a.y))));
  for (double step = 0; step <= steps; step++) mark(a.x + (b.x - a.x) * step / steps, a.y + (b.y - a.y) * step / steps, series);
}

void Cells::curve(std::span<const Point> points, std::size_t series) {
  for (std::size_t i = 0; i < points.size(); i++) {
    if (std::isnan(points[i].x)) continue;
    const bool goes_on = i + 1 < points.size() && !std::isnan(points[i + 1].x);
    segment(points[i], goes_on ? points[i + 1] : points[i], series);
  }
}

void Cells::dots(std::span<const Point> points, std::size_t series) {
  for (const Point& p : points) mark(p.x, p.y, series);
}

void Cells::bar(double x0, double y0, double x1, double y1, std::size_t series) {
  constexpr char32_t from_below[] = {U' ', U'▁', U'▂', U'▃', U'▄', U'▅', U'▆', U'▇', U'█'};
  constexpr int eighths = 8;
  const char32_t fill = fill_of(series);
  const auto left = static_cast<std::ptrdiff_t>(std::lround(x0 / dots_across));
  const auto right = std::max(static_cast<std::ptrdiff_t>(std::lround(x1 / dots_across)), left + 1);
  const double top = y0 / dots_down, bottom = (y1 + 0.5) / dots_down;
  for (std::ptrdiff_t row = whole(top); static_cast<double>(row) < bottom; row++) {
    // Full characters, and the first series' ends in eighths where they grow from below.
    const double share = std::min(bottom, static_cast<double>(row) + 1) - std::max(top, static_cast<double>(row));
    const bool ends_above = static_cast<double>(row) + 1 <= bottom + 1e-9;
    const long level = std::lround(share * eighths);
    const char32_t c = series == 0 && ends_above ? from_below[level] : share >= 0.5 ? fill : U' ';
    for (std::ptrdiff_t column = left; column < right && c != U' '; column++) put({column, row}, c);
  }
}

void Cells::image(double x0, double y0, double x1, double y1, const Pixels& image) {
  const Place from = place_of(x0, y0), to = place_of(x1, y1);
  const auto across = static_cast<std::size_t>(std::max<std::ptrdiff_t>(to.column - from.column, 1)),
             down = static_cast<std::size_t>(std::max<std::ptrdiff_t>(to.row - from.row, 1));
  for (std::size_t row = 0; row < down; row++)
    for (std::size_t column = 0; column < across; column++) {
      // The mean brightness of the pixels that fall onto the character.
      const std::size_t top = row * image.height / down, bottom = std::max(top + 1, (row + 1) * image.height / down);
      const std::size_t left = column * image.width / across, right = std::max(left + 1, (column + 1) * image.width / across);
      double sum = 0;
      for (std::size_t y = top; y < bottom; y++)
        for (std::size_t x = left; x < right; x++) {
          const Color& c = image.data[y * image.width + x];
          sum += (0.299 * c.red + 0.587 * c.green + 0.114 * c.blue) / 255;
        }
      const double share = sum / static_cast<double>((bottom - top) * (right - left));
      const auto shade = static_cast<std::size_t>(std::min(share * std::size(shades), std::size(shades) - 1.0));
      put({from.column + static_cast<std::ptrdiff_t>(column), from.row + static_cast<std::ptrdiff_t>(row)}, shades[shade]);
    }
}

void Cells::legend_mark(double x, double y, std::size_t series, bool of_bars) {
  put(place_of(x + dots_across, y), of_bars ? fill_of(series) : series == 0 ? U'⠶' : sign_of(series));
}

}  // namespace griddle::plot
