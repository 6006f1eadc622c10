#include "runtime/system/plots/plot_options.h"

#include <algorithm>
#include <cmath>

#include "runtime/system/argument.h"
#include "runtime/system/files/file_names.h"
#include "runtime/system/system.h"
#include "runtime/value/namespace.h"

namespace griddle {

namespace {

using Form = PlotOptions::Form;

constexpr std::size_t least_width = 16, most_width = 8192, least_height = 5, most_scale = 64, most_bins = 10'000;

std::size_t size_option(Context& cx, const Function& self, const std::string& which, const Value& v, std::size_t least,
                        std::size_t most) {
  std::int64_t n;
  if (!v.to_integer(n) || n < static_cast<std::int64_t>(least) || n > static_cast<std::int64_t>(most))
    fail_in(cx, self,
            which + " must be a number from " + std::to_string(least) + " to " + std::to_string(most) + " (got " + value_text(v) +
                ")");
  return static_cast<std::size_t>(n);
}

plot::Range range_option(Context& cx, const Function& self, const char* which, const Value& v) {
  const auto refuse = [&] {
    fail_in(cx, self, std::string(which) + " must be two finite numbers, the lower one first (got a " + kind_text(v) + ")");
  };
  if (!v.is_array() || !v.array().is_list() || v.array().length != 2) refuse();
  const Value low = element(v.array(), 0), high = element(v.array(), 1);
  if (!low.is_number() || !high.is_number() || !std::isfinite(low.number()) || !std::isfinite(high.number()) ||
      !(low.number() < high.number()))
    refuse();
  return {low.number(), high.number()};
}

Form form_named(Context& cx, const Function& self, const std::string& name) {
  constexpr std::pair<std::string_view, Form> forms[] = {
      {"text", Form::text}, {"svg", Form::svg}, {"png", Form::png}, {"kitty", Form::kitty}, {"sixel", Form::sixel}};
  for (const auto& [known, form] : forms)
    if (name == known) return form;
  fail_in(cx, self, "The option as must be text, svg, png, kitty or sixel (got \"" + name + "\")");
}

// Takes the name of a file, which has to say what it will hold. Programs that may not write files get an error at once.
void take_file(Context& cx, const Function& self, PlotOptions& options, const Value& v, bool has_form) {
  if (!values_of(unit_of(self)).permits(Reach::write_files)) fail_in(cx, self, "This is not permitted in safe mode");
  options.file = path_argument(cx, self, v, "The name of the file");
  if (has_form) return;
  if (options.file.ends_with(".svg"))
    options.form = Form::svg;
  else if (options.file.ends_with(".png"))
    options.form = Form::png;
  else if (!options.file.ends_with(".txt"))
    fail_in(cx, self, "The name of the file must end in .svg, .png or .txt (got \"" + options.file + "\")");
}

void take_option(Context& cx, const Function& self, PlotOptions& o, const std::string& name, const std::string& spelling,
                 const Value& v) {
  if (name == "title") {
    o.title = string_argument(cx, self, v, "The option title");
  } else if (name == "xlabel") {
    o.x_label = string_argument(cx, self, v, "The option xlabel");
  } else if (name == "ylabel") {
    o.y_label = string_argument(cx, self, v, "The option ylabel");
  } else if (name == "width") {
    o.width = size_option(cx, self, "The option width", v, least_width, most_width);
  } else if (name == "height") {
    o.height = size_option(cx, self, "The option height", v, least_height, most_width);
  } else if (name == "log") {
    const std::string axes = string_argument(cx, self, v, "The option log");
    if (axes != "x" && axes != "y" && axes != "xy")
      fail_in(cx, self, "The option log must be \"x\", \"y\" or \"xy\" (got \"" + axes + "\")");
    o.log_x = axes != "y";
    o.log_y = axes != "x";
  } else if (name == "xrange") {
    o.x_range = range_option(cx, self, "The option xrange", v);
  } else if (name == "yrange") {
    o.y_range = range_option(cx, self, "The option yrange", v);
  } else if (name == "names") {
    o.names = strings_argument(cx, self, v, "The option names");
  } else if (name == "labels") {
    o.labels = strings_argument(cx, self, v, "The option labels");
  } else if (name == "x") {
    o.x = v;
  } else if (name == "bins") {
    o.bins = size_option(cx, self, "The option bins", v, 1, most_bins);
  } else if (name == "max") {
    o.most = number_argument(cx, self, v, "The option max");
    if (!(o.most > 0) || std::isinf(o.most))
      fail_in(cx, self, "The option max must be a number above 0 (got " + value_text(v) + ")");
  } else if (name == "scale") {
    o.scale = size_option(cx, self, "The option scale", v, 1, most_scale);
  } else if (name != "file" && name != "as") {
    fail_in(cx, self, "There is no option with this name (" + spelling + ")");
  }
}

}  // namespace

PlotOptions plot_options(Context& cx, const Function& self, const Value& w) {
  PlotOptions options;
  if (w.is_namespace()) {
    const Namespace& given = w.name_space();
    for (const FieldTable::Field& f : given.table->fields)
      take_option(cx, self, options, f.name, f.spelling, given.environment->slots()[f.slot]);
    const Value as = field(given, "as"), file = field(given, "file");
    if (!as.is_absent()) options.form = form_named(cx, self, string_argument(cx, self, as, "The option as"));
    if (!file.is_absent()) take_file(cx, self, options, file, !as.is_absent());
    // A range that a logarithmic axis does not have.
    for (const auto& [range, is_log] : {std::pair(&options.x_range, options.log_x), {&options.y_range, options.log_y}})
      if (is_log && *range && (*range)->low <= 0) fail_in(cx, self, "The range of a logarithmic axis must be above 0");
  } else if (is_string(w) && w.array().length > 0) {
    take_file(cx, self, options, w, false);
  } else if (w.is_array()) {
    options.x = w;
  } else {
    fail_in(cx, self, "𝕨 must be the name of a file, a list of numbers, or a namespace of options (got a " + kind_text(w) + ")");
  }
  return options;
}

}  // namespace griddle
