// Options of •plot: what a picture says beside its data, how large it is, and where it goes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runtime/plot/numbers.h"
#include "runtime/value/context.h"
#include "runtime/value/function.h"

namespace griddle {

struct PlotOptions {
  enum class Form : std::uint8_t { text, svg, png, kitty, sixel };
  Form form = Form::text;
  std::string file;  // an absolute path; empty: the picture is the result
  std::string title, x_label, y_label;
  std::size_t width = 0, height = 0;  // 0: the usual one
  bool log_x = false, log_y = false;
  std::optional<plot::Range> x_range, y_range;
  std::vector<std::string> names, labels;
  Value x;                // of all series that have none of their own; absent: none
  std::size_t bins = 0;   // 0: chosen by the number of data
  double most = 255;      // the brightest number of an image
  std::size_t scale = 1;  // pixels for each number of an image
};

// Reads 𝕨: the name of a file, a list of numbers for the horizontal axis, or a namespace.
PlotOptions plot_options(Context&, const Function& self, const Value& w);

}  // namespace griddle
