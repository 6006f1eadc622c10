#include "repl/report.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace griddle::repl {

namespace {

constexpr std::string_view red = "\x1b[31m", bold_red = "\x1b[1;31m", blue = "\x1b[34m", green = "\x1b[32m", usual = "\x1b[0m";

bool wants_colours() {
  const char* const terminal = std::getenv("TERM");
  return isatty(STDERR_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr && terminal != nullptr &&
         std::string_view(terminal) != "dumb";
}

// Appends a line of a report behind its message.
void append_line(std::string& to, std::string_view line) {
  constexpr std::string_view hint = "Hint: ";
  const bool holds_carets = line.find('^') != line.npos && line.find_first_not_of("^ \t") == line.npos;
  const bool names_place = !line.empty() && line[0] != ' ' && line.ends_with(':');
  if (holds_carets) {
    const std::size_t caret = line.find('^');
    to.append(line.substr(0, caret)).append(red).append(line.substr(caret)).append(usual);
  } else if (names_place) {
    to.append(blue).append(line).append(usual);
  } else if (line.starts_with(hint)) {
    to.append(green).append(hint).append(usual).append(line.substr(hint.size()));
  } else {
    to += line;
  }
}

}  // namespace

std::string coloured_report(std::string_view report, std::size_t message_lines) {
  constexpr std::string_view error = "Error:";
  std::string text;
  for (std::size_t number = 0; !report.empty(); number++) {
    const std::size_t end = std::min(report.find('\n'), report.size());
    const std::string_view line = report.substr(0, end);
    if (number >= message_lines)
      append_line(text, line);
    else if (number == 0 && line.starts_with(error))
      text.append(bold_red).append(error).append(usual).append(line.substr(error.size()));
    else
      text += line;
    if (end < report.size()) text += '\n';
    report.remove_prefix(std::min(end + 1, report.size()));
  }
  return text;
}

void tell_failure(StandardConsole& console, const Failure& failure) {
  if (!wants_colours()) return console.write_error(failure.report);
  const auto breaks = static_cast<std::size_t>(std::count(failure.message.begin(), failure.message.end(), '\n'));
  console.write_error(coloured_report(failure.report, breaks + 1));
}

}  // namespace griddle::repl
