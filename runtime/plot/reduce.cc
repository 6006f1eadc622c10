#include "runtime/plot/reduce.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

namespace griddle::plot {

namespace {

constexpr std::size_t look_at_points = 1 << 16;

// Calls f with each index; an interrupt may end that.
template <class F>
void each_index(Context& cx, std::size_t count, F f) {
  for (std::size_t i = 0; i < count; i++) {
    if (i % look_at_points == 0) cx.check_interrupt();
    f(i);
  }
}

// The points of a line that fall into one column of the surface.
class ColumnOfPoints {
 public:
  explicit ColumnOfPoints(HeapVector<Point>& out) : out_(out) {}

  void add(const Point& p, std::size_t index, double column) {
    if (count_ > 0 && column != column_) flush();
    column_ = column;
    const Numbered point{p, index};
    if (count_++ == 0) {
      first_ = low_ = high_ = last_ = point;
      return;
    }
    if (p.y < low_.point.y) low_ = point;
    if (p.y > high_.point.y) high_ = point;
    last_ = point;
  }
  // Writes what is kept of the column, in its order.
  void flush() {
    if (count_ == 0) return;
    Numbered kept[] = {first_, low_, high_, last_};
    std::sort(std::begin(kept), std::end(kept), [](const Numbered& a, const Numbered& b) { return a.index < b.index; });
    for (std::size_t i = 0; i < std::size(kept); i++)
      if (i == 0 || kept[i].index != kept[i - 1].index) out_.push_back(kept[i].point);
    count_ = 0;
  }

 private:
  struct Numbered {
    Point point{};
    std::size_t index = 0;
  };
  HeapVector<Point>& out_;
  Numbered first_, low_, high_, last_;
  double column_ = 0;
  std::size_t count_ = 0;
};

}  // namespace

void add_to_range(Context& cx, Range& range, const Numbers& numbers, bool logarithmic) {
  each_index(cx, numbers.count, [&](std::size_t i) {
    const double v = numbers.at(i);
    if (!logarithmic || v > 0) range.add(v);
  });
}

HeapVector<Point> curve_points(Context& cx, const Numbers& x, const Numbers& y, const Scale& across, const Scale& down,
                               double grain) {
  HeapVector<Point> points(cx.heap);
  ColumnOfPoints column(points);
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  bool in_gap = true;
  each_index(cx, y.count, [&](std::size_t i) {
    const Point p{across.place(x.at(i)), down.place(y.at(i))};
    if (std::isnan(p.x) || std::isnan(p.y)) {
      column.flush();
      if (!in_gap) points.push_back({nan, nan});
      in_gap = true;
      return;
    }
    in_gap = false;
    column.add(p, i, std::floor(p.x / grain));
  });
  column.flush();
  return points;
}

HeapVector<Point> dot_points(Context& cx, const Numbers& x, const Numbers& y, const Scale& across, const Scale& down,
                             double grain) {
  HeapVector<Point> points(cx.heap);
  using Spot = std::uint64_t;
  std::unordered_set<Spot, std::hash<Spot>, std::equal_to<Spot>, HeapAllocator<Spot>> taken(
      std::size_t{0}, std::hash<Spot>(), std::equal_to<Spot>(), HeapAllocator<Spot>(cx.heap));
  each_index(cx, y.count, [&](std::size_t i) {
    const Point p{across.place(x.at(i)), down.place(y.at(i))};
    if (std::isnan(p.x) || std::isnan(p.y)) return;
    constexpr double farthest = 1e9;
    const auto spot = [&](double v) {
      return static_cast<std::uint32_t>(static_cast<std::int64_t>(std::floor(std::clamp(v / grain, -farthest, farthest))));
    };
    if (taken.insert(Spot{spot(p.x)} << 32 | spot(p.y)).second) points.push_back(p);
  });
  return points;
}

Bins count_in_bins(Context& cx, const Numbers& numbers, std::size_t about) {
  Range range;
  add_to_range(cx, range, numbers, false);
  Bins bins(cx.heap);
  if (range.is_empty()) return bins;
  range = drawable(range, false);
  const std::vector<Tick> edges = ticks_of(range, false, about);
  // The distance of round numbers in the range; of few there may be none or one.
  bins.step = edges.size() > 1 ? edges[1].value - edges[0].value : range.high - range.low;
  bins.first = edges.size() > 1 ? edges[0].value : range.low;
  if (bins.first > range.low) bins.first -= bins.step;
  if (!std::isfinite(bins.first) || !std::isfinite(bins.step)) {
    // No round edge lies beyond the greatest numbers.
    bins.first = range.low;
    bins.step = range.high / static_cast<double>(about) - range.low / static_cast<double>(about);
  }
  const auto bin_of = [&](double v) {
    return static_cast<std::size_t>(std::max(0.0, std::floor(v / bins.step - bins.first / bins.step)));
  };
  const double last = range.high / bins.step - bins.first / bins.step;
  // A number on the last edge needs no bin of its own.
  const auto count = static_cast<std::size_t>(std::max(1.0, std::ceil(last - 1e-9)));
  bins.counts.assign(count, 0);
  each_index(cx, numbers.count, [&](std::size_t i) {
    const double v = numbers.at(i);
    if (std::isfinite(v)) bins.counts[std::min(bin_of(v), count - 1)]++;
  });
  return bins;
}

}  // namespace griddle::plot
