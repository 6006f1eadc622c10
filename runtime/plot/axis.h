// Axes: where a number lies between the ends of an axis, and which round numbers are written along it.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "runtime/plot/numbers.h"

namespace griddle::plot {

// A way from numbers to places.
class Scale {
 public:
  Scale() = default;
  // The range is not empty, and positive where the axis is logarithmic; `from` and `to` are the places of its ends.
  Scale(const Range&, bool logarithmic, double from, double to);
  // Gives a place; NaN where a number has none.
  double place(double v) const {
    if (!std::isfinite(v) || (logarithmic_ && v <= 0)) return std::numeric_limits<double>::quiet_NaN();
    const long double at = logarithmic_ ? std::log10(static_cast<long double>(v)) : static_cast<long double>(v);
    // What is farther away than that could not be computed with.
    constexpr long double farthest = 1e150L;
    return static_cast<double>(std::clamp(from_ + (at - low_) * step_, -farthest, farthest));
  }

 private:
  bool logarithmic_ = false;
  long double low_ = 0, step_ = 1, from_ = 0;  // long double: the distance of two doubles may be no double
};

// Makes a range that can be an axis: not empty, and longer than nothing.
Range drawable(Range, bool logarithmic);
// Adds a share of its length at both ends.
Range wider(const Range&, bool logarithmic, double share);

struct Tick {
  double value;
  std::string label;
};
// Gives round numbers in a range, about so many, with labels that tell them apart.
std::vector<Tick> ticks_of(const Range&, bool logarithmic, std::size_t about);

}  // namespace griddle::plot
