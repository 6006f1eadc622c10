#include "repl/help/help_text.h"

#include <algorithm>
#include <vector>

#include "repl/text.h"

namespace griddle::repl {

namespace {

// Appends words, in rows of at most so many columns; rows after the first one begin with an indent.
void append_wrapped(std::string& to, std::string_view text, std::size_t columns, std::string_view indent) {
  std::size_t used = 0;
  while (!text.empty()) {
    const std::size_t start = std::min(text.find_first_not_of(' '), text.size());
    const std::size_t end = std::min(text.find(' ', start), text.size());
    const std::string_view word = text.substr(start, end - start);
    text.remove_prefix(end);
    if (word.empty()) break;
    const std::size_t width = columns_of(word);
    if (used > 0 && used + 1 + width > columns) {
      to.append("\n").append(indent);
      used = indent.size();
    } else if (used > 0) {
      to += ' ';
      used++;
    }
    to += word;
    used += width;
  }
  to += '\n';
}

// Gives the cells of a row of a table; none of one that only draws a line.
std::vector<std::string> cells_of(std::string_view row) {
  std::vector<std::string> cells;
  if (row.find_first_not_of("|-: ") == row.npos) return cells;
  row.remove_prefix(1);
  while (!row.empty()) {
    std::size_t end = 0;
    while (end < row.size() && !(row[end] == '|' && (end == 0 || row[end - 1] != '\\'))) end++;
    std::string_view cell = row.substr(0, end);
    row.remove_prefix(std::min(end + 1, row.size()));
    const std::size_t first = cell.find_first_not_of(' ');
    if (first == cell.npos && row.empty()) break;
    std::string text(first == cell.npos ? "" : cell.substr(first, cell.find_last_not_of(' ') + 1 - first));
    // The mark of a bar within a cell belongs to the table, also within code.
    for (std::size_t at = text.find("\\|"); at != text.npos; at = text.find("\\|", at)) text.erase(at, 1);
    cells.push_back(plain_line(text));
  }
  return cells;
}

// Appends a table: its last column is wrapped.
void append_table(std::string& to, const std::vector<std::string_view>& rows, std::size_t columns) {
  std::vector<std::vector<std::string>> table;
  std::vector<std::size_t> widths;
  for (const std::string_view row : rows) {
    std::vector<std::string> cells = cells_of(row);
    if (cells.empty()) continue;
    widths.resize(std::max(widths.size(), cells.size()));
    for (std::size_t i = 0; i < cells.size(); i++) widths[i] = std::max(widths[i], columns_of(cells[i]));
    table.push_back(std::move(cells));
  }
  for (const std::vector<std::string>& cells : table) {
    std::string line = "  ";
    std::size_t used = line.size();
    for (std::size_t i = 0; i + 1 < cells.size(); i++) {
      line.append(cells[i]).append(widths[i] - columns_of(cells[i]) + 2, ' ');
      used += widths[i] + 2;
    }
    std::string last;
    append_wrapped(last, cells.back(), columns > used + 20 ? columns - used : 20, "");
    // Further rows stand below the last column.
    for (std::size_t at = last.find('\n'); at + 1 < last.size(); at = last.find('\n', at + 1)) last.insert(at + 1, used, ' ');
    to += line + last;
  }
}

// Appends an example as a session would show it.
void append_example(std::string& to, std::string_view line) {
  constexpr std::string_view input = "▸ ", error = "! ";
  if (line.starts_with(input))
    to.append("   ").append(line.substr(input.size()));
  else if (line.starts_with(error))
    to.append("Error: … ").append(line.substr(error.size()));
  else
    to += line;
  to += '\n';
}

}  // namespace

std::string plain_line(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t next = text.find_first_of("`[\\*");
    result += text.substr(0, next);
    if (next == text.npos) break;
    text.remove_prefix(next);
    if (text[0] == '`') {
      const std::size_t count = std::min(text.find_first_not_of('`'), text.size());
      const std::size_t close = text.find(std::string(count, '`'), count);
      const std::string_view code = close == text.npos ? text.substr(count) : text.substr(count, close - count);
      result += code;
      text.remove_prefix(close == text.npos ? text.size() : close + count);
      continue;
    }
    const std::size_t middle = text.find("](");
    const std::size_t end = middle == text.npos ? text.npos : text.find(')', middle);
    if (text[0] == '[' && end != text.npos && text.substr(0, middle).find('\n') == text.npos) {
      result += plain_line(text.substr(1, middle - 1));
      text.remove_prefix(end + 1);
    } else if (text[0] == '\\' && text.size() > 1) {
      result += text[1];
      text.remove_prefix(2);
    } else {
      if (!text.starts_with("**")) result += text[0];
      text.remove_prefix(text.starts_with("**") ? 2 : 1);
    }
  }
  return result;
}

std::string plain_text(std::string_view markdown, std::size_t columns) {
  std::string result, paragraph;
  std::vector<std::string_view> table;
  bool in_example = false, in_item = false;
  const auto end_paragraph = [&] {
    if (!paragraph.empty()) append_wrapped(result, plain_line(paragraph), columns, in_item ? "  " : "");
    paragraph.clear();
    append_table(result, table, columns);
    table.clear();
  };
  while (!markdown.empty()) {
    const std::size_t end = std::min(markdown.find('\n'), markdown.size());
    const std::string_view line = markdown.substr(0, end);
    markdown.remove_prefix(std::min(end + 1, markdown.size()));
    if (line.starts_with("```")) {
      end_paragraph();
      in_example = !in_example;
    } else if (in_example) {
      append_example(result, line);
    } else if (line.empty()) {
      end_paragraph();
      if (!result.empty() && !result.ends_with("\n\n")) result += '\n';
    } else if (line.starts_with('|')) {
      table.push_back(line);
    } else {
      const bool is_item = line.starts_with("- ");
      if (is_item || line.starts_with('#')) end_paragraph();
      in_item = is_item || (in_item && !paragraph.empty());
      paragraph.append(paragraph.empty() ? "" : " ").append(is_item ? "  " : "").append(is_item ? line.substr(2) : line);
    }
  }
  end_paragraph();
  while (result.ends_with("\n\n")) result.pop_back();
  return result;
}

}  // namespace griddle::repl
