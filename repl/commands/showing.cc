#include "repl/commands/showing.h"

#include <algorithm>
#include <cstdio>
#include <string_view>

#include "repl/commands/appearance.h"
#include "repl/commands/pager.h"

namespace griddle::repl {

namespace {

const char* name_of(Element element) {
  switch (element) {
    case Element::bit: return "bits";
    case Element::i8: return "i8";
    case Element::i16: return "i16";
    case Element::i32: return "i32";
    case Element::f64: return "f64";
    case Element::c8:
    case Element::c16:
    case Element::c32: return "characters";
    case Element::any: return "values";
  }
  return "";
}

// Gives how much of a value a terminal shows: the prompt, and a few lines before it, stay in sight. A long list may take half of
// the screen.
TextLimits room_on(const StandardConsole& console) {
  constexpr std::size_t kept = 4, fewest = 8;
  const std::size_t rows = std::max(fewest, console.rows() - std::min(console.rows(), kept)), columns = console.columns();
  return {rows, columns, columns * (rows / 2)};
}

// Hands over all the text of a value, piece by piece.
void take_whole(const Any& v, const TakePiece& take) {
  bool wants_more = true;
  const Result written = v.format_in_pieces([&](std::string_view piece) { return wants_more = take(piece); });
  if (wants_more) take(written ? "\n" : "(not shown: " + written.failure().message + ")\n");
}
void write_whole(StandardConsole& console, const Any& v) {
  take_whole(v, [&](std::string_view piece) {
    console.write(piece);
    return !console.drops_output();
  });
}

}  // namespace

std::string description_of(const Any& v) {
  switch (v.kind()) {
    case griddle::Kind::none: return "no value";
    case griddle::Kind::number: return "number";
    case griddle::Kind::character: return "character";
    case griddle::Kind::function: return "function";
    case griddle::Kind::modifier1: return "1-modifier";
    case griddle::Kind::modifier2: return "2-modifier";
    case griddle::Kind::name_space: return "namespace";
    case griddle::Kind::array: break;
  }
  const std::vector<std::size_t> shape = v.shape();
  if (v.length() == 0 && shape.size() == 1) return "empty list";
  const std::string of = std::string(" ") + name_of(v.element());
  if (shape.size() == 1) return "list of " + std::to_string(shape[0]) + of;
  if (shape.empty()) return "unit of" + of;
  std::string text;
  for (const std::size_t axis : shape) text += (text.empty() ? "" : "‿") + std::to_string(axis);
  return text + " array of" + of;
}

std::string shown_time(double seconds) {
  constexpr struct {
    double from;
    const char* name;
  } units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {0, "ns"}};
  const auto* unit = units;
  while (seconds < unit->from) unit++;
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", seconds / (unit->from > 0 ? unit->from : 1e-9));
  return std::string(text) + " " + unit->name;
}

std::string shown_bytes(std::size_t bytes) {
  constexpr struct {
    double from;
    const char* name;
  } units[] = {{1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}};
  char text[32];
  for (const auto& unit : units)
    if (static_cast<double>(bytes) >= unit.from) {
      std::snprintf(text, sizeof text, "%.1f %s", static_cast<double>(bytes) / unit.from, unit.name);
      return text;
    }
  return std::to_string(bytes) + " B";
}

std::string row_of(const Any& v, std::size_t columns) {
  // Two rows show whether one is enough.
  const std::string text = v.format_within({2, columns, columns});
  return text.find('\n') == text.npos ? text : description_of(v);
}

void show(SessionState& state, const Any& v, bool is_assigned) {
  StandardConsole& console = state.console;
  if (!console.output_is_terminal()) return write_whole(console, v);
  if (is_assigned) {
    console.write(row_of(v, console.columns()) + "\n");
    return;
  }
  if (show_picture(console, v)) return;
  bool is_whole = true;
  console.write(v.format_within(room_on(console), &is_whole) + "\n");
  if (is_whole) return;
  const std::size_t bytes = v.bytes();
  console.write("(" + description_of(v) + (bytes > 0 ? ", " + shown_bytes(bytes) : "") +
                ": )all shows the whole, )page a screen at a time)\n");
}

void show_whole(SessionState& state) {
  if (!state.shown.has_value())
    complain(state, "There is no value yet\n");
  else
    write_whole(state.console, state.shown);
}

void show_in_pages(SessionState& state) {
  if (!state.shown.has_value())
    complain(state, "There is no value yet\n");
  else
    page_text(state.console, [&](const TakePiece& take) { take_whole(state.shown, take); });
}

}  // namespace griddle::repl
