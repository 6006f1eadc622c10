// Data of any length made small enough to draw, in time that grows with its length alone.
#pragma once

#include "runtime/plot/axis.h"
#include "runtime/plot/surface.h"
#include "runtime/value/context.h"

namespace griddle::plot {

// Adds the numbers to a range; of a logarithmic axis only those that it has.
void add_to_range(Context&, Range&, const Numbers&, bool logarithmic);
// Gives the points of a line. Neighbours that fall into one column of the surface, `grain` wide, leave their first, lowest,
// highest and last, which look the same.
HeapVector<Point> curve_points(Context&, const Numbers& x, const Numbers& y, const Scale& across, const Scale& down,
                               double grain);
// Gives points, of those that fall onto one spot of the surface the first.
HeapVector<Point> dot_points(Context&, const Numbers& x, const Numbers& y, const Scale& across, const Scale& down, double grain);

struct Bins {
  explicit Bins(Heap& heap) : counts(heap) {}
  double first = 0, step = 1;  // where the first one begins, and how wide each is
  HeapVector<double> counts;
};
// Counts finite numbers in about so many bins whose edges are round. The last edge belongs to the last bin.
Bins count_in_bins(Context&, const Numbers&, std::size_t about);

}  // namespace griddle::plot
