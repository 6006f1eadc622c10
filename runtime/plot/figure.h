// A picture of numbers: axes, and what is drawn between them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runtime/plot/axis.h"
#include "runtime/plot/surface.h"
#include "runtime/value/context.h"

namespace griddle::plot {

struct Series {
  std::string name;
  Numbers x, y;
};

struct Figure {
  enum class Kind : std::uint8_t { line, scatter, bar, heat };
  Kind kind = Kind::line;
  std::string title, x_label, y_label;
  bool log_x = false, log_y = false;
  std::optional<Range> x_range, y_range;  // that somebody wants
  std::vector<Series> series;
  // Of bars: what each stands for; or, where they stand side by side along numbers, the first left edge and their width.
  std::vector<std::string> labels;
  std::optional<double> first_edge;
  double bar_width = 1;
  // Of a heat map: its numbers, row by row.
  Numbers cells;
  std::size_t rows = 0, columns = 0;
};

void draw(Context&, const Figure&, Surface&);

}  // namespace griddle::plot
