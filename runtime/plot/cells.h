// Pictures of characters, for every terminal. Lengths are in dots, of which a character has two across and four down.
#pragma once

#include "runtime/plot/surface.h"

namespace griddle::plot {

class Cells final : public Surface {
 public:
  Cells(Heap&, std::size_t columns, std::size_t rows);
  std::size_t columns() const { return columns_; }
  std::size_t rows() const { return rows_; }
  // Gives the characters, row by row.
  const HeapVector<char32_t>& finish();

  Metrics metrics() const override;
  void text(double x, double y, Anchor, std::string_view utf8) override;
  void grid_line(double, double, double, double) override {}  // would hide what is drawn
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
  struct Place {
    std::ptrdiff_t column, row;
  };
  static Place place_of(double x, double y);
  bool is_inside(Place) const;
  void put(Place, char32_t);
  // Marks one dot: the first series' as a dot, another's by its sign.
  void mark(double x, double y, std::size_t series);
  void segment(Point, Point, std::size_t series);

  std::size_t columns_, rows_;
  HeapVector<char32_t> characters_;
  HeapVector<std::uint8_t> dots_;
  Place first_, end_;  // of the area
};

}  // namespace griddle::plot
