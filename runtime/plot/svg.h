// Pictures as SVG: lines and text, sharp at any size.
#pragma once

#include "runtime/plot/surface.h"

namespace griddle::plot {

class Svg final : public Surface {
 public:
  Svg(Heap&, double width, double height);
  // Gives the whole text, after everything is drawn.
  HeapText finish();

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
  void number(double);
  // Writes ` name="number"`.
  void attribute(const char* name, double);
  void box(double x0, double y0, double x1, double y1);
  void color(const char* name, Color);
  void line(double x0, double y0, double x1, double y1, Color);

  Heap& heap_;
  HeapText out_;
  double width_, height_;
};

}  // namespace griddle::plot
