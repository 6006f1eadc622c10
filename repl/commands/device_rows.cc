#include "repl/commands/device_rows.h"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "repl/commands/showing.h"
#include "runtime/text_width.h"

namespace griddle::repl {

namespace {

constexpr std::size_t most_rows = 20, most_code = 60;

// The columns of what •gpu.Trace gives (spec/system/gpu.md).
enum Column : std::uint8_t { function, line, code, there, here, seconds_there, seconds_here, sent, back, reason, column_count };

struct Row {
  std::string function, line, code, reason;
  double there, here, seconds_there, seconds_here, sent, back;
  double seconds() const { return seconds_there + seconds_here; }
};

std::vector<Row> rows_of(const Any& table) {
  std::vector<Row> rows;
  for (std::size_t at = column_count; at < table.length(); at += column_count) {
    const auto text = [&](Column c) { return table[at + c].text().value_or(""); };
    const auto number = [&](Column c) { return table[at + c].number(); };
    rows.push_back({text(function), text(line), text(code), text(reason), number(there), number(here), number(seconds_there),
                    number(seconds_here), number(sent), number(back)});
  }
  return rows;
}

// Gives the start of a line of code, in whole characters.
std::string_view start_of(std::string_view code) {
  if (code.size() <= most_code) return code;
  std::size_t end = most_code;
  while ((static_cast<unsigned char>(code[end]) & 0xC0) == 0x80) end--;
  return code.substr(0, end);
}

std::string right(std::string text, std::size_t width) {
  const std::size_t columns = columns_of(text);
  return columns < width ? std::string(width - columns, ' ') + text : text;
}
std::string calls(double count, double seconds) {
  if (count == 0 && seconds == 0) return std::string(18, ' ');
  return right(count == 0 ? "" : std::to_string(static_cast<std::size_t>(count)), 7) + right(shown_time(seconds), 11);
}
std::string bytes(double count) { return right(count == 0 ? "" : shown_bytes(static_cast<std::size_t>(count)), 11); }

std::string text_of(const Result& table) {
  if (!table) return {};
  std::vector<Row> rows = rows_of(*table);
  if (rows.empty()) return {};
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.seconds() > b.seconds(); });
  Row all{};
  for (const Row& r : rows) {
    all.there += r.there, all.seconds_there += r.seconds_there, all.sent += r.sent;
    all.here += r.here, all.seconds_here += r.seconds_here, all.back += r.back;
  }
  std::string text = "\n        there              here         sent       back  function, line; why here\n";
  const auto add = [&](const Row& r, const std::string& what) {
    text += calls(r.there, r.seconds_there) + calls(r.here, r.seconds_here) + bytes(r.sent) + bytes(r.back) + "  " + what + "\n";
  };
  for (std::size_t i = 0; i < rows.size() && i < most_rows; i++) {
    const Row& r = rows[i];
    std::string what = r.function.empty() ? "reading" : r.function;
    if (!r.line.empty()) (what += ", " + r.line + "  ") += start_of(r.code);
    if (!r.function.empty() && !r.reason.empty()) what += "; " + r.reason;
    add(r, what);
  }
  if (rows.size() > 1) add(all, "all " + std::to_string(rows.size()) + " rows");
  return text;
}

}  // namespace

void begin_device_rows(Interpreter& interpreter) { (void)interpreter.eval("•gpu.Trace 1"); }
std::string end_device_rows(Interpreter& interpreter) { return text_of(interpreter.eval("•gpu.Trace 0")); }
std::string device_rows(Interpreter& interpreter) { return text_of(interpreter.eval("•gpu.Trace @")); }

}  // namespace griddle::repl
