#include "repl/editor/menu.h"

#include <algorithm>

#include "repl/text.h"
#include "runtime/text_width.h"

namespace griddle::repl {

namespace {

// Gives as much of a text as there are columns for, and adds blanks up to a width.
std::string fitted(const std::string& text, std::size_t columns, std::size_t width) {
  std::string fitting;
  std::size_t used = 0;
  TextColumns widths;
  for (const char32_t c : code_points_of(text)) {
    const std::size_t more = widths.add(c);
    if (used + more > columns) break;
    fitting += utf8_of({&c, 1});
    used += more;
  }
  return fitting.append(used < width ? width - used : 0, ' ');
}

// Breaks a line that is too long for a row.
std::vector<std::string> broken(std::string text, std::size_t columns) {
  std::vector<std::string> rows;
  while (!text.empty()) {
    rows.push_back(fitted(text, columns, 0));
    text.erase(0, std::max<std::size_t>(rows.back().size(), 1));
  }
  return rows;
}

}  // namespace

std::vector<std::string> menu_rows(const Completions& found, std::size_t columns, std::size_t most_rows) {
  if (found.choices.size() == 1 && found.notes.empty()) return broken(utf8_of(found.choices[0]), columns - 1);
  std::vector<std::string> cells, rows;
  std::size_t name_width = 0, width = 0;
  for (const std::u32string& choice : found.choices) name_width = std::max(name_width, columns_of(utf8_of(choice)));
  bool has_notes = false;
  for (std::size_t i = 0; i < found.choices.size(); i++) {
    cells.push_back(utf8_of(found.choices[i]));
    if (i < found.notes.size() && !found.notes[i].empty()) {
      cells.back() = fitted(cells.back(), columns, name_width + 2) + found.notes[i];
      has_notes = true;
    }
    width = std::max(width, columns_of(cells.back()) + 2);
  }
  // Notes are easier to read one below the other, if there is room.
  const bool is_list = has_notes && cells.size() <= most_rows;
  const std::size_t in_row = is_list ? 1 : std::max<std::size_t>(1, (columns - 1) / std::max<std::size_t>(width, 1));
  for (std::size_t i = 0; i < cells.size(); i++) {
    if (i / in_row == most_rows - 1 && cells.size() > most_rows * in_row) {
      rows.push_back("… " + std::to_string(cells.size() - i) + " more");
      break;
    }
    if (i % in_row == 0) rows.emplace_back();
    rows.back() += fitted(cells[i], columns - 1, in_row == 1 ? 0 : width);
  }
  for (std::string& row : rows) row.erase(row.find_last_not_of(' ') + 1);
  return rows;
}

}  // namespace griddle::repl
