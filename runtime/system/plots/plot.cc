// Pictures of numbers: •plot
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>

#include "runtime/files.h"
#include "runtime/plot/cells.h"
#include "runtime/plot/png.h"
#include "runtime/plot/raster.h"
#include "runtime/plot/reduce.h"
#include "runtime/plot/svg.h"
#include "runtime/plot/terminal_image.h"
#include "runtime/system/argument.h"
#include "runtime/system/files/file_names.h"
#include "runtime/system/files/name_text.h"
#include "runtime/system/functions.h"
#include "runtime/system/plots/plot_data.h"
#include "runtime/system/plots/plot_options.h"
#include "runtime/system/system.h"
#include "runtime/system/table.h"
#include "runtime/value/namespace.h"

namespace griddle::system_functions {

namespace {

using plot::Figure;
using Form = PlotOptions::Form;

constexpr std::size_t usual_columns = 72, usual_rows = 20, most_cells = 1000;
constexpr std::size_t usual_width = 800, usual_height = 500;
constexpr std::size_t most_named_bars = 10'000;

// A picture: bytes of a file or of a terminal, or characters in rows and columns.
struct Picture {
  explicit Picture(Heap& heap) : bytes(heap), characters(heap) {}
  HeapText bytes;
  HeapVector<char32_t> characters;
  std::size_t rows = 0, columns = 0;
};

// Writes a file beside the place and renames it, so that nobody sees half a picture.
void replace_file(Context& cx, const Function& self, const std::string& path, std::string_view bytes) {
  const std::string beside = path + "." + std::to_string(getpid()) + ".new";
  Descriptor file = open_descriptor(beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW);
  if (!file) fail_system(cx, self, "Cannot write the file", path);
  if (file.write_all(bytes) && file.close() && std::rename(beside.c_str(), path.c_str()) == 0) return;
  const int why = errno;
  unlink(beside.c_str());
  errno = why;
  fail_system(cx, self, "Cannot write the file", path);
}

Value character_table(Context& cx, const Picture& picture) {
  const std::size_t shape[] = {picture.rows, picture.columns};
  Ref<Array> a = make_array(cx.heap, ElementType::c16, shape);
  std::copy(picture.characters.begin(), picture.characters.end(), a->as<std::uint16_t>());
  return to_value(std::move(a));
}

// Remembers what a terminal shows of a picture of characters.
void remember(Context& cx, const Value& table, HeapText shown) {
  LastPicture& last = cx.system->picture;
  last.value = table;
  last.shown = std::move(shown);
}

// Gives the picture's lines, without blanks at their ends.
HeapText lines_of(Context& cx, const Picture& picture) {
  HeapText text(cx.heap);
  for (std::size_t row = 0; row < picture.rows; row++) {
    const std::size_t start = text.size();
    for (std::size_t column = 0; column < picture.columns; column++)
      append_utf8(text, picture.characters[row * picture.columns + column]);
    const std::size_t last = text.find_last_not_of(' ');
    text.resize(last == text.npos ? start : std::max(start, last + 1));
    text += '\n';
  }
  return text;
}

// Gives the picture, or writes it to a file and gives the path of that.
Value hand_over(Context& cx, const Function& self, const PlotOptions& options, Picture picture) {
  const bool is_text = options.form == Form::text;
  if (options.file.empty()) {
    if (is_text) {
      Value table = character_table(cx, picture);
      if (cx.system->shown_pictures() == Pictures::text) remember(cx, table, lines_of(cx, picture));
      return table;
    }
    if (options.form == Form::svg) return make_string(cx.heap, std::string_view(picture.bytes));
    Ref<Array> a = make_list(cx.heap, ElementType::c8, picture.bytes.size());
    std::copy(picture.bytes.begin(), picture.bytes.end(), a->as<char>());
    return to_value(std::move(a));
  }
  if (is_text) picture.bytes = lines_of(cx, picture);
  replace_file(cx, self, options.file, picture.bytes);
  return name_string(cx.heap, options.file);
}

HeapText pixels_in_form(Context& cx, const plot::Pixels& pixels, Form form) {
  switch (form) {
    case Form::kitty: return plot::kitty_image(cx.heap, pixels);
    case Form::sixel: return plot::sixel_image(cx.heap, pixels);
    default: return plot::png_of(cx.heap, pixels);
  }
}

Picture picture_of(Context& cx, const Function& self, const PlotOptions& options, const Figure& figure) {
  Picture picture(cx.heap);
  const auto or_usual = [](std::size_t n, std::size_t usual) { return n > 0 ? n : usual; };
  if (options.form == Form::text) {
    picture.columns = or_usual(options.width, usual_columns);
    picture.rows = or_usual(options.height, usual_rows);
    if (std::max(picture.columns, picture.rows) > most_cells)
      fail_in(cx, self, "A picture of characters may have " + std::to_string(most_cells) + " rows and columns at most");
    plot::Cells cells(cx.heap, picture.columns, picture.rows);
    draw(cx, figure, cells);
    picture.characters = cells.finish();
    return picture;
  }
  const std::size_t width = or_usual(options.width, usual_width), height = or_usual(options.height, usual_height);
  if (options.form == Form::svg) {
    plot::Svg svg(cx.heap, static_cast<double>(width), static_cast<double>(height));
    draw(cx, figure, svg);
    picture.bytes = svg.finish();
    return picture;
  }
  plot::Raster raster(cx.heap, width, height);
  draw(cx, figure, raster);
  picture.bytes = pixels_in_form(cx, raster.pixels(), options.form);
  return picture;
}

// Gives a picture, and notes the pixels that `make` gives where a terminal shows them instead of characters.
template <class Make>
Value hand_over_with_pixels(Context& cx, const Function& self, const PlotOptions& options, Picture picture, Make make) {
  Value result = hand_over(cx, self, options, std::move(picture));
  if (options.form != Form::text || !options.file.empty()) return result;
  const Pictures pictures = cx.system->shown_pictures();
  if (pictures != Pictures::kitty && pictures != Pictures::sixel && pictures != Pictures::png) return result;
  const Form form = pictures == Pictures::kitty ? Form::kitty : pictures == Pictures::sixel ? Form::sixel : Form::png;
  HeapText shown = pixels_in_form(cx, make(), form);
  // A terminal goes on below the picture.
  if (form != Form::png) shown += '\n';
  remember(cx, result, std::move(shown));
  return result;
}

Value drawn_figure(Context& cx, const Function& self, const PlotOptions& options, const Figure& figure) {
  return hand_over_with_pixels(cx, self, options, picture_of(cx, self, options, figure), [&] {
    plot::Raster raster(cx.heap, usual_width, usual_height);
    draw(cx, figure, raster);
    return raster.pixels();
  });
}

Figure figure_of(const PlotOptions& options, Figure::Kind kind) {
  Figure figure;
  figure.kind = kind;
  figure.title = options.title;
  figure.x_label = options.x_label;
  figure.y_label = options.y_label;
  figure.log_x = options.log_x;
  figure.log_y = options.log_y;
  figure.x_range = options.x_range;
  figure.y_range = options.y_range;
  figure.labels = options.labels;
  return figure;
}

Value draw_series(Context& cx, const Function& self, const PlotOptions& options, const Value& x, Figure::Kind kind) {
  const PlotData data = series_argument(cx, self, x, options);
  Figure figure = figure_of(options, kind);
  figure.series = data.series;
  // Bars stand side by side; their numbers across are their names.
  const bool has_names = kind == Figure::Kind::bar && !data.series.empty() && data.series[0].x.array != nullptr;
  if (has_names && figure.labels.empty() && data.series[0].x.count <= most_named_bars)
    for (std::size_t i = 0; i < data.series[0].x.count; i++) figure.labels.push_back(number_text(data.series[0].x.at(i)));
  return drawn_figure(cx, self, options, figure);
}

Value draw_bars(Context& cx, const Function& self, const PlotOptions& options, const Value& x) {
  if (options.log_x) fail_in(cx, self, "Bars have no logarithmic axis across");
  return draw_series(cx, self, options, x, Figure::Kind::bar);
}

// Fails where x is given to what has none.
void refuse_x(Context& cx, const Function& self, const PlotOptions& options) {
  if (!options.x.is_absent()) fail_in(cx, self, "This takes no x (got a " + kind_text(options.x) + ")");
}

Value draw_histogram(Context& cx, const Function& self, const PlotOptions& options, const Value& x) {
  refuse_x(cx, self, options);
  if (options.log_x) fail_in(cx, self, "Histograms have no logarithmic axis across");
  const plot::Numbers numbers = numbers_argument(cx, self, x);
  // Rice's rule: for n numbers twice the cube root of n.
  constexpr double most_by_rule = 100;
  const double by_rule = std::clamp(std::ceil(2 * std::cbrt(static_cast<double>(numbers.count))), 1.0, most_by_rule);
  const plot::Bins bins = plot::count_in_bins(cx, numbers, options.bins > 0 ? options.bins : static_cast<std::size_t>(by_rule));
  Figure figure = figure_of(options, Figure::Kind::bar);
  figure.first_edge = bins.first;
  figure.bar_width = bins.step;
  const std::size_t count = bins.counts.size();
  figure.series.push_back({options.names.empty() ? "" : options.names[0],
                           {nullptr, nullptr, 0, 1, count},
                           {nullptr, bins.counts.data(), 0, 1, count}});
  return drawn_figure(cx, self, options, figure);
}

Value draw_heat(Context& cx, const Function& self, const PlotOptions& options, const Value& x) {
  refuse_x(cx, self, options);
  if (options.log_x || options.log_y) fail_in(cx, self, "Heat maps have no logarithmic axes");
  Figure figure = figure_of(options, Figure::Kind::heat);
  figure.cells = table_argument(cx, self, x, figure.rows, figure.columns);
  return drawn_figure(cx, self, options, figure);
}

Value draw_image(Context& cx, const Function& self, const PlotOptions& options, const Value& x) {
  refuse_x(cx, self, options);
  const plot::Pixels pixels = image_argument(cx, self, x, options);
  Picture picture(cx.heap);
  if (options.form == Form::text) {
    // Characters are about twice as high as wide.
    picture.columns = options.width > 0 ? options.width : std::min(usual_columns, std::max<std::size_t>(pixels.width, 1));
    picture.rows = options.height > 0
                       ? options.height
                       : std::clamp<std::size_t>(picture.columns * pixels.height / pixels.width / 2, 1, most_cells);
    plot::Cells cells(cx.heap, picture.columns, picture.rows);
    const plot::Surface::Metrics all = cells.metrics();
    cells.image(0, 0, all.width, all.height, pixels);
    picture.characters = cells.finish();
  } else if (options.form == Form::svg) {
    const auto width = static_cast<double>(options.width > 0 ? options.width : pixels.width);
    const auto height = static_cast<double>(options.height > 0 ? options.height : pixels.height);
    plot::Svg svg(cx.heap, width, height);
    svg.image(0, 0, width, height, pixels);
    picture.bytes = svg.finish();
  } else {
    picture.bytes = pixels_in_form(cx, pixels, options.form);
  }
  return hand_over_with_pixels(cx, self, options, std::move(picture), [&] { return pixels; });
}

template <Figure::Kind kind>
Value draw_as(Context& cx, const Function& self, const PlotOptions& options, const Value& x) {
  return draw_series(cx, self, options, x, kind);
}

using Drawn = Value (*)(Context&, const Function&, const PlotOptions&, const Value&);
template <Drawn drawn>
Value plot_alone(Context& cx, const Function& self, Value x) {
  return drawn(cx, self, PlotOptions(), x);
}
template <Drawn drawn>
Value plot_with(Context& cx, const Function& self, Value w, Value x) {
  return drawn(cx, self, plot_options(cx, self, w), x);
}
template <Drawn drawn>
constexpr SystemEntry entry(const char* spelling) {
  return function_in_unit(spelling, plot_alone<drawn>, plot_with<drawn>);
}

constexpr SystemEntry plot_entries[] = {
    entry<draw_as<Figure::Kind::line>>("•plot.Line"),
    entry<draw_as<Figure::Kind::scatter>>("•plot.Scatter"),
    entry<draw_bars>("•plot.Bar"),
    entry<draw_histogram>("•plot.Histogram"),
    entry<draw_heat>("•plot.Heat"),
    entry<draw_image>("•plot.Image"),
};

}  // namespace

Value plot_namespace(Context& cx, Unit& unit) {
  std::vector<std::pair<std::string, Value>> fields;
  for (const SystemEntry& each : plot_entries) {
    const std::string_view name = each.spelling;
    fields.emplace_back(name.substr(name.find('.') + 1), make_system_value(cx, unit, each));
  }
  return make_namespace(cx.heap, std::move(fields));
}

}  // namespace griddle::system_functions
