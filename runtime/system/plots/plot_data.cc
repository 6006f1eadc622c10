#include "runtime/system/plots/plot_data.h"

#include <algorithm>
#include <cmath>

#include "runtime/system/argument.h"

namespace griddle {

namespace {

using plot::Color;
using plot::Numbers;

constexpr const char* wanted_series = "𝕩 must be a list of numbers, a table of them, or a list of series";

Numbers numbers_of(const Array& a) { return {&a, nullptr, 0, 1, a.length}; }

bool is_list_of_numbers(const Value& v) { return v.is_array() && v.array().is_list() && only_numbers(v.array()); }

[[noreturn]] void fail_lengths(Context& cx, const Function& self, std::size_t x, std::size_t y) {
  fail_in(cx, self, "There must be as many x as y (got " + std::to_string(x) + " and " + std::to_string(y) + ")");
}

class SeriesReader {
 public:
  SeriesReader(Context& cx, const Function& self, const PlotOptions& options) : cx_(cx), self_(self), options_(options) {
    if (options.x.is_absent()) return;
    if (!is_list_of_numbers(options.x)) fail_in(cx, self, "x must be a list of numbers (got a " + kind_text(options.x) + ")");
    x_ = &data_.kept.emplace_back(options.x).array();
  }

  PlotData read(const Value& v) {
    if (!v.is_array()) refuse(v);
    const Array& a = data_.kept.emplace_back(v).array();
    if (a.is_list() && only_numbers(a)) {
      add_y(numbers_of(a));
    } else if (a.rank() == 2 && only_numbers(a)) {
      add_table(a);
    } else if (a.is_list() && a.type() == ElementType::boxed) {
      for (std::size_t i = 0; i < a.length; i++) add_element(element(a, i));
    } else {
      refuse(v);
    }
    name_series();
    return std::move(data_);
  }

 private:
  [[noreturn]] void refuse(const Value& v) const {
    fail_in(cx_, self_, std::string(wanted_series) + " (got a " + kind_text(v) + ")");
  }

  void add_y(const Numbers& y) {
    Numbers x{nullptr, nullptr, 0, 1, y.count};
    if (x_ != nullptr) {
      if (x_->length != y.count) fail_lengths(cx_, self_, x_->length, y.count);
      x = numbers_of(*x_);
    }
    data_.series.push_back({{}, x, y});
  }

  // The first column is x, unless it is the only one.
  void add_table(const Array& a) {
    const std::size_t rows = a.shape()[0], columns = a.shape()[1];
    const auto column = [&](std::size_t c) { return Numbers{&a, nullptr, c, columns, rows}; };
    if (columns == 1 || x_ != nullptr) {
      for (std::size_t c = 0; c < columns; c++) add_y(column(c));
    } else {
      for (std::size_t c = 1; c < columns; c++) data_.series.push_back({{}, column(0), column(c)});
    }
  }

  void add_element(const Value& v) {
    if (!v.is_array()) fail_in(cx_, self_, std::string(wanted_series) + " (got a " + kind_text(v) + " in it)");
    const Array& a = data_.kept.emplace_back(v).array();
    if (a.is_list() && only_numbers(a)) return add_y(numbers_of(a));
    if (a.rank() == 2 && only_numbers(a)) return add_table(a);
    if (!a.is_list() || a.length != 2 || !is_list_of_numbers(element(a, 0)) || !is_list_of_numbers(element(a, 1)))
      fail_in(cx_, self_, "A series must be a list of numbers, a pair of lists x‿y, or a table (got a " + kind_text(v) + ")");
    const Array& x = data_.kept.emplace_back(element(a, 0)).array();
    const Array& y = data_.kept.emplace_back(element(a, 1)).array();
    if (x.length != y.length) fail_lengths(cx_, self_, x.length, y.length);
    data_.series.push_back({{}, numbers_of(x), numbers_of(y)});
  }

  void name_series() {
    if (options_.names.empty()) return;
    if (options_.names.size() != data_.series.size())
      fail_in(cx_, self_,
              "There must be as many names as series (got " + std::to_string(options_.names.size()) + " and " +
                  std::to_string(data_.series.size()) + ")");
    for (std::size_t i = 0; i < data_.series.size(); i++) data_.series[i].name = options_.names[i];
  }

  Context& cx_;
  const Function& self_;
  const PlotOptions& options_;
  const Array* x_ = nullptr;
  PlotData data_;
};

std::uint8_t part_of(double v, double most) {
  if (std::isnan(v)) return 255;
  return static_cast<std::uint8_t>(std::lround(std::clamp(v / most, 0.0, 1.0) * 255));
}

}  // namespace

bool only_numbers(const Array& a) {
  if (a.length == 0) return true;
  if (a.type() != ElementType::boxed) return is_number(a.type());
  return std::all_of(a.boxes().begin(), a.boxes().end(), [](const Value& v) { return v.is_number(); });
}

PlotData series_argument(Context& cx, const Function& self, const Value& x, const PlotOptions& options) {
  return SeriesReader(cx, self, options).read(x);
}

plot::Numbers numbers_argument(Context& cx, const Function& self, const Value& x) {
  if (!x.is_array() || !only_numbers(x.array())) fail_in(cx, self, "𝕩 must be an array of numbers (got a " + kind_text(x) + ")");
  return numbers_of(x.array());
}

plot::Numbers table_argument(Context& cx, const Function& self, const Value& x, std::size_t& rows, std::size_t& columns) {
  if (!x.is_array() || x.array().rank() != 2 || !only_numbers(x.array()))
    fail_in(cx, self, "𝕩 must be a table of numbers (got a " + kind_text(x) + ")");
  rows = x.array().shape()[0];
  columns = x.array().shape()[1];
  return numbers_of(x.array());
}

plot::Pixels image_argument(Context& cx, const Function& self, const Value& v, const PlotOptions& options) {
  constexpr std::size_t gray_rank = 2, largest = 8192;
  const auto refuse = [&] {
    fail_in(cx, self, "𝕩 must be a table of numbers, perhaps with a last axis of 3 or 4 (got a " + kind_text(v) + ")");
  };
  if (!v.is_array() || !only_numbers(v.array())) refuse();
  const Array& a = v.array();
  if (a.rank() != gray_rank && !(a.rank() == gray_rank + 1 && (a.shape()[2] == 3 || a.shape()[2] == 4))) refuse();
  const std::size_t parts = a.rank() == gray_rank ? 1 : a.shape()[2], rows = a.shape()[0], columns = a.shape()[1];
  if (rows == 0 || columns == 0) fail_in(cx, self, "𝕩 must have rows and columns (got a " + kind_text(v) + ")");
  if (std::max(rows, columns) * options.scale > largest)
    fail_in(cx, self,
            "An image may have " + std::to_string(largest) + " rows and columns of pixels at most (got a " + kind_text(v) + ")");
  const Numbers numbers = numbers_of(a);
  plot::Pixels pixels(cx.heap, columns * options.scale, rows * options.scale, plot::white);
  for (std::size_t y = 0; y < pixels.height; y++) {
    cx.check_interrupt();
    for (std::size_t x = 0; x < pixels.width; x++) {
      const std::size_t at = (y / options.scale * columns + x / options.scale) * parts;
      const auto part = [&](std::size_t k) { return part_of(numbers.at(at + (parts == 1 ? 0 : k)), options.most); };
      Color c = {part(0), part(1), part(2)};
      if (parts == 4) {
        const unsigned alpha = part(3);
        const auto over_white = [&](std::uint8_t p) {
          return static_cast<std::uint8_t>((p * alpha + 255 * (255 - alpha) + 127) / 255);
        };
        c = {over_white(c.red), over_white(c.green), over_white(c.blue)};
      }
      pixels.data[y * pixels.width + x] = c;
    }
  }
  return pixels;
}

}  // namespace griddle
