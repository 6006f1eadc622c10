// Pictures of pixels: lines with soft edges, and letters.
#pragma once

#include "runtime/plot/surface.h"

namespace griddle::plot {

class Raster final : public Surface {
 public:
  Raster(Heap&, std::size_t width, std::size_t height);
  const Pixels& pixels() const { return pixels_; }

  Metrics metrics() const override;
  void text(double x, double y, Anchor, std::string_view utf8) override;
  void grid_line(double x0, double y0, double x1, double y1) override;
  void axis_line(double x0, double y0, double x1, double y1) override;
  void tick(double x, double y, bool is_horizontal) override;
  void begin_area(double x0, double y0, double x1, double y1) override;
  void end_area() override;
  void curve(std::span<const Point>, std::size_t series) override;
  void dots(std::span<const Point>, std::size_t series) override;
  void bar(double x0, double y0, double x1, double y1, std::size_t series) override;
  void image(double x0, double y0, double x1, double y1, const Pixels&) override;
  void legend_mark(double x, double y, std::size_t series, bool of_bars) override;

 private:
  void fill(double x0, double y0, double x1, double y1, Color);
  // Notes how much of each pixel a thick line from one place to another covers.
  void cover(Point, Point, double radius);
  // Draws what is covered, so that lines that meet are not darker there.
  void paint(Color);

  struct Bounds {
    std::size_t left, top, right, bottom;
  };
  Pixels pixels_;
  HeapVector<std::uint8_t> covered_;
  Bounds whole_, bounds_;
  Bounds touched_;  // where something is covered
};

}  // namespace griddle::plot
