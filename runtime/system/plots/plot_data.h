// Data of •plot: arguments as series, tables and images.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "runtime/plot/figure.h"
#include "runtime/system/plots/plot_options.h"

namespace griddle {

// Tells whether an array holds numbers only.
bool only_numbers(const Array&);

// Numbers of an argument, and the values that they lie in.
struct PlotData {
  std::deque<Value> kept;
  std::vector<plot::Series> series;
};

// Reads a list of numbers, a table whose first column is x, or a list of series. Fails for anything else.
PlotData series_argument(Context&, const Function& self, const Value& x, const PlotOptions&);
// Reads a list of numbers, of any shape.
plot::Numbers numbers_argument(Context&, const Function& self, const Value& x);
// Reads a table of numbers.
plot::Numbers table_argument(Context&, const Function& self, const Value& x, std::size_t& rows, std::size_t& columns);
// Reads an image: a table of brightness, or one more axis of red, green, blue and perhaps alpha.
plot::Pixels image_argument(Context&, const Function& self, const Value& x, const PlotOptions&);

}  // namespace griddle
