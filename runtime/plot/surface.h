// What pictures are drawn on: files of lines, pixels, or characters. All lengths are in the surface's own unit, from the top
// left.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "runtime/value/heap_memory.h"

namespace griddle::plot {

struct Color {
  std::uint8_t red, green, blue;
  bool operator==(const Color&) const = default;
};
inline constexpr Color white = {255, 255, 255}, black = {0, 0, 0}, ink = {51, 51, 51}, pale = {224, 224, 224};
// The colour of a series; there are eight, which come again and again.
Color series_color(std::size_t series);
// A colour for a share of the greatest number, from dark to light.
Color heat_color(double share);

// A picture of pixels, row by row.
struct Pixels {
  explicit Pixels(Heap& heap) : data(heap) {}
  Pixels(Heap& heap, std::size_t width, std::size_t height, Color fill)
      : width(width), height(height), data(width * height, fill, heap) {}
  std::size_t width = 0, height = 0;
  HeapVector<Color> data;
};

// A place; NaN in a line is a gap.
struct Point {
  double x, y;
};

// Cuts a line to the box between two corners. Tells whether anything is left.
bool cut_line(Point& a, Point& b, const Point& low, const Point& high);

enum class Anchor : std::uint8_t { start, middle, end };

class Surface {
 public:
  struct Metrics {
    double width, height;  // of all
    double character;      // width of one
    double line;           // height of a line of text
    double tick, gap;
    double grain;           // what is smaller is not seen
    bool in_cells = false;  // places are whole characters
  };
  virtual ~Surface() = default;
  virtual Metrics metrics() const = 0;
  // Text is anchored at x, and y is the middle of its line.
  virtual void text(double x, double y, Anchor, std::string_view utf8) = 0;
  virtual void grid_line(double x0, double y0, double x1, double y1) = 0;
  virtual void axis_line(double x0, double y0, double x1, double y1) = 0;
  // A tick at a place of the horizontal axis, or of the vertical one.
  virtual void tick(double x, double y, bool is_horizontal) = 0;
  // What is drawn from here on lies within these bounds only.
  virtual void begin_area(double x0, double y0, double x1, double y1) = 0;
  virtual void end_area() = 0;
  virtual void curve(std::span<const Point>, std::size_t series) = 0;
  virtual void dots(std::span<const Point>, std::size_t series) = 0;
  virtual void bar(double x0, double y0, double x1, double y1, std::size_t series) = 0;
  virtual void image(double x0, double y0, double x1, double y1, const Pixels&) = 0;
  // The mark of a series in a legend, with its left end at x: of a line or points, or of bars.
  virtual void legend_mark(double x, double y, std::size_t series, bool of_bars) = 0;
};

}  // namespace griddle::plot
