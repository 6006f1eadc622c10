#include "runtime/plot/figure.h"

#include <algorithm>
#include <cmath>

#include "runtime/plot/reduce.h"
#include "runtime/value/utf8.h"

namespace griddle::plot {

namespace {

constexpr double room_in_y = 0.05;  // at both ends of the vertical axis, as a share of it
constexpr double room_in_x = 0.02;  // the same across, so that dots are whole
constexpr double bar_share = 0.8;   // of the room for a group of bars
constexpr double characters_between_labels = 3;

std::size_t characters_in(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return !continues_utf8(c); }));
}

// Draws one figure. Numbers are looked through twice: for the ends of the axes, and for what is drawn.
class Drawing {
 public:
  Drawing(Context& cx, const Figure& figure, Surface& surface) : cx_(cx), f_(figure), s_(surface), m_(surface.metrics()) {}

  void draw() {
    find_ranges();
    lay_out();
    draw_texts();
    if (f_.kind != Figure::Kind::heat) draw_grid();
    s_.begin_area(left_, top_, right_, bottom_);
    draw_content();
    s_.end_area();
    draw_axes();
  }

 private:
  bool has_legend() const {
    return std::any_of(f_.series.begin(), f_.series.end(), [](const Series& s) { return !s.name.empty(); });
  }
  bool has_named_bars() const { return f_.kind == Figure::Kind::bar && !f_.first_edge; }

  void find_ranges() {
    if (f_.kind == Figure::Kind::heat) {
      x_ = {0, static_cast<double>(f_.columns)};
      y_ = {0, static_cast<double>(f_.rows)};
      add_to_range(cx_, heat_, f_.cells, false);
      heat_ = drawable(heat_, false);
    } else {
      std::size_t most = 0;
      for (const Series& series : f_.series) {
        most = std::max(most, series.y.count);
        if (f_.kind != Figure::Kind::bar) add_to_range(cx_, x_, series.x, f_.log_x);
        add_to_range(cx_, y_, series.y, f_.log_y);
      }
      if (f_.kind == Figure::Kind::bar) {
        const double first = f_.first_edge.value_or(0);
        x_ = {first, first + f_.bar_width * static_cast<double>(most)};
        if (!f_.log_y) y_.add(0);
      }
      if (f_.kind == Figure::Kind::scatter) x_ = wider(drawable(x_, f_.log_x), f_.log_x, room_in_x);
      y_ = drawable(y_, f_.log_y);
      const Range data = y_;
      y_ = wider(y_, f_.log_y, room_in_y);
      // Bars stand on their axis.
      if (f_.kind == Figure::Kind::bar && !f_.log_y && data.low == 0) y_.low = 0;
      if (f_.kind == Figure::Kind::bar && !f_.log_y && data.high == 0) y_.high = 0;
    }
    if (f_.x_range) x_ = *f_.x_range;
    if (f_.y_range) y_ = *f_.y_range;
    x_ = drawable(x_, f_.log_x);
    y_ = drawable(y_, f_.log_y);
  }

  void lay_out() {
    top_ = m_.gap;
    if (!f_.title.empty()) top_ += m_.line + m_.gap;
    if (!f_.y_label.empty() || has_legend()) top_ += m_.line + m_.gap;
    top_ += m_.line / 2;
    bottom_ = m_.height - m_.gap - m_.line - m_.tick;
    if (!f_.x_label.empty()) bottom_ -= m_.line + m_.gap;
    if (m_.in_cells) {
      top_ = std::floor(top_ / m_.line) * m_.line;
      bottom_ = std::floor(bottom_ / m_.line) * m_.line;
    }
    bottom_ = std::max(bottom_, top_ + m_.line);
    const double lines_apart = 2.5;
    y_ticks_ = ticks_of(y_, f_.log_y, static_cast<std::size_t>(std::max(2.0, (bottom_ - top_) / m_.line / lines_apart)));
    std::size_t widest = 0;
    for (const Tick& tick : y_ticks_) widest = std::max(widest, characters_in(tick.label));
    left_ = m_.gap + static_cast<double>(widest) * m_.character + m_.tick + m_.gap;
    right_ = m_.width - m_.gap - 2 * m_.character;
    if (f_.kind == Figure::Kind::heat) right_ -= heat_scale_width();
    right_ = std::max(right_, left_ + m_.line);
    // The first and the last number lie in the middle of a dot.
    const double inset = m_.in_cells ? m_.grain / 2 : 0, highest = top_ + inset, lowest = bottom_ - inset;
    const bool from_top = f_.kind == Figure::Kind::heat;
    across_ = Scale(x_, f_.log_x, left_ + inset, right_ - inset);
    down_ = Scale(y_, f_.log_y, from_top ? highest : lowest, from_top ? lowest : highest);
    find_x_ticks();
  }

  // Takes fewer ticks where their labels would meet.
  void find_x_ticks() {
    if (has_named_bars()) return;
    constexpr std::size_t most = 12;
    for (std::size_t about = most; about > 0; about--) {
      x_ticks_ = ticks_of(x_, f_.log_x, about);
      std::size_t widest = 0;
      for (const Tick& tick : x_ticks_) widest = std::max(widest, characters_in(tick.label));
      const double wanted =
          static_cast<double>(x_ticks_.size()) * (static_cast<double>(widest) + characters_between_labels) * m_.character;
      if (wanted <= right_ - left_) return;
    }
  }

  void draw_texts() {
    const double middle = (left_ + right_) / 2;
    double y = m_.gap + m_.line / 2;
    if (!f_.title.empty()) {
      s_.text(middle, y, Anchor::middle, f_.title);
      y += m_.line + m_.gap;
    }
    if (!f_.y_label.empty()) s_.text(m_.gap, y, Anchor::start, f_.y_label);
    if (has_legend()) draw_legend(y);
    if (!f_.x_label.empty()) s_.text(middle, m_.height - m_.gap - m_.line / 2, Anchor::middle, f_.x_label);
  }

  // Names the series from the right.
  void draw_legend(double y) {
    constexpr double mark = 3, between = 2;
    double x = right_;
    for (std::size_t i = f_.series.size(); i-- > 0;) {
      const std::string& name = f_.series[i].name;
      if (name.empty()) continue;
      x -= static_cast<double>(characters_in(name)) * m_.character;
      s_.text(x, y, Anchor::start, name);
      x -= mark * m_.character;
      s_.legend_mark(x, y, i, f_.kind == Figure::Kind::bar);
      x -= between * m_.character;
    }
  }

  void draw_grid() {
    for (const Tick& tick : y_ticks_) s_.grid_line(left_, down_.place(tick.value), right_, down_.place(tick.value));
    for (const Tick& tick : x_ticks_) s_.grid_line(across_.place(tick.value), top_, across_.place(tick.value), bottom_);
  }

  void draw_axes() {
    s_.axis_line(left_, bottom_, right_, bottom_);
    s_.axis_line(left_, top_, left_, bottom_);
    for (const Tick& tick : y_ticks_) {
      const double y = down_.place(tick.value);
      s_.tick(left_, y, false);
      s_.text(left_ - m_.tick - m_.gap / 2, y, Anchor::end, tick.label);
    }
    const double label_y = bottom_ + m_.tick + m_.line / 2;
    for (const Tick& tick : x_ticks_) {
      const double x = across_.place(tick.value);
      s_.tick(x, bottom_, true);
      s_.text(x, label_y, Anchor::middle, tick.label);
    }
    if (has_named_bars()) draw_bar_names(label_y);
    if (f_.kind == Figure::Kind::heat) draw_heat_scale();
  }

  // Names every bar, or every so many-th where names would meet.
  void draw_bar_names(double y) {
    std::size_t widest = 0, count = 0;
    for (const Series& series : f_.series) count = std::max(count, series.y.count);
    const auto name_of = [&](std::size_t i) {
      return i < f_.labels.size() ? f_.labels[i] : f_.labels.empty() ? std::to_string(i) : std::string();
    };
    for (std::size_t i = 0; i < std::max<std::size_t>(f_.labels.size(), 1); i++)
      widest = std::max(widest, characters_in(name_of(i)));
    if (f_.labels.empty()) widest = std::to_string(count).size();
    const double room = (right_ - left_) / static_cast<double>(std::max<std::size_t>(count, 1));
    const auto step = static_cast<std::size_t>(std::max(1.0, std::ceil(static_cast<double>(widest + 1) * m_.character / room)));
    for (std::size_t i = 0; i < count; i += step)
      s_.text(across_.place((static_cast<double>(i) + 0.5) * f_.bar_width), y, Anchor::middle, name_of(i));
  }

  void draw_content() {
    for (std::size_t i = 0; i < f_.series.size(); i++) {
      const Series& series = f_.series[i];
      switch (f_.kind) {
        case Figure::Kind::line: s_.curve(curve_points(cx_, series.x, series.y, across_, down_, m_.grain), i); break;
        case Figure::Kind::scatter: s_.dots(dot_points(cx_, series.x, series.y, across_, down_, m_.grain), i); break;
        case Figure::Kind::bar: draw_bars(series, i); break;
        case Figure::Kind::heat: break;
      }
    }
    if (f_.kind == Figure::Kind::heat) draw_heat();
  }

  // Of more bars than there are columns, each column shows the highest and lowest: they stand where their middle does.
  void draw_bars(const Series& series, std::size_t number) {
    const double base = down_.place(f_.log_y ? y_.low : 0);
    const bool touch = f_.first_edge.has_value();
    const double share = touch ? 1 : bar_share, width = f_.bar_width * share / static_cast<double>(f_.series.size());
    const double first = f_.first_edge.value_or(0) + f_.bar_width * (1 - share) / 2 + width * static_cast<double>(number);
    Range column;
    double column_start = 0;
    bool open = false;
    const auto flush = [&] {
      if (!open) return;
      for (const double y : {column.low, column.high})
        if (y != base) s_.bar(column_start, std::min(y, base), column_start + m_.grain, std::max(y, base), number);
      open = false;
      column = {};
    };
    for (std::size_t i = 0; i < series.y.count; i++) {
      if (i % 4096 == 0) cx_.check_interrupt();
      const double x0 = across_.place(first + static_cast<double>(i) * f_.bar_width),
                   x1 = across_.place(first + static_cast<double>(i) * f_.bar_width + width);
      const double y = down_.place(series.y.at(i));
      if (std::isnan(y)) continue;
      if (x1 - x0 >= m_.grain / 2) {
        if (y != base) s_.bar(x0, std::min(y, base), x1, std::max(y, base), number);
        continue;
      }
      const double start = std::floor(x0 / m_.grain) * m_.grain;
      if (open && start != column_start) flush();
      open = true;
      column_start = start;
      column.add(y);
    }
    flush();
  }

  // Of more cells than there is room for, each spot shows their mean.
  void draw_heat() {
    const auto fitting = [&](std::size_t n, double room) {
      return std::max<std::size_t>(1, std::min(n, static_cast<std::size_t>(std::max(1.0, std::ceil(room / m_.grain)))));
    };
    const std::size_t wide = fitting(f_.columns, right_ - left_), high = fitting(f_.rows, bottom_ - top_);
    HeapVector<double> sums(wide * high, 0, cx_.heap), counts(wide * high, 0, cx_.heap);
    for (std::size_t row = 0; row < f_.rows; row++) {
      cx_.check_interrupt();
      for (std::size_t column = 0; column < f_.columns; column++) {
        const double v = f_.cells.at(row * f_.columns + column);
        if (!std::isfinite(v)) continue;
        const std::size_t spot = row * high / f_.rows * wide + column * wide / f_.columns;
        sums[spot] += heat_share(v);
        counts[spot]++;
      }
    }
    Pixels pixels(cx_.heap, wide, high, white);
    for (std::size_t i = 0; i < sums.size(); i++)
      if (counts[i] > 0) pixels.data[i] = heat_color(sums[i] / counts[i]);
    if (f_.rows * f_.columns > 0) s_.image(left_, top_, right_, bottom_, pixels);
  }

  double heat_share(double v) const { return Scale(heat_, false, 0, 1).place(v); }
  double heat_scale_width() const {
    std::size_t widest = 0;
    for (const Tick& tick : heat_ticks()) widest = std::max(widest, characters_in(tick.label));
    return 3 * m_.character + m_.tick + m_.gap + static_cast<double>(widest) * m_.character;
  }
  std::vector<Tick> heat_ticks() const { return ticks_of(heat_, false, 4); }

  // Draws what the colours mean, at the right.
  void draw_heat_scale() {
    constexpr std::size_t steps = 64;
    const double x0 = right_ + m_.character, x1 = x0 + 2 * m_.character;
    Pixels pixels(cx_.heap, 1, steps, white);
    for (std::size_t i = 0; i < steps; i++) pixels.data[i] = heat_color(1 - static_cast<double>(i) / (steps - 1));
    s_.image(x0, top_, x1, bottom_, pixels);
    const double inset = m_.in_cells ? m_.grain / 2 : 0;
    const Scale scale(heat_, false, bottom_ - inset, top_ + inset);
    for (const Tick& tick : heat_ticks()) s_.text(x1 + m_.gap, scale.place(tick.value), Anchor::start, tick.label);
  }

  Context& cx_;
  const Figure& f_;
  Surface& s_;
  const Surface::Metrics m_;
  Range x_, y_, heat_;
  double left_ = 0, top_ = 0, right_ = 0, bottom_ = 0;
  Scale across_, down_;
  std::vector<Tick> x_ticks_, y_ticks_;
};

}  // namespace

void draw(Context& cx, const Figure& figure, Surface& surface) { Drawing(cx, figure, surface).draw(); }

}  // namespace griddle::plot
