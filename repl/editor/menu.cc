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

}  // namespace

std::vector<std::string> menu_rows(const Completions& found, std::size_t columns, std::size_t most_rows) {
  std::vector<std::string> names, rows;
  std::size_t width = 0;
  for (const std::u32string& choice : found.choices) {
    names.push_back(utf8_of(choice));
    width = std::max(width, columns_of(names.back()));
  }
  const bool has_notes =
      std::any_of(found.notes.begin(), found.notes.end(), [](const std::string& note) { return !note.empty(); });
  const std::size_t cell = width + 2, in_row = has_notes ? 1 : std::max<std::size_t>(1, (columns - 1) / cell);
  for (std::size_t i = 0; i < names.size(); i++) {
    if (i / in_row == most_rows - 1 && names.size() > most_rows * in_row) {
      rows.push_back("… " + std::to_string(names.size() - i) + " more");
      break;
    }
    if (i % in_row == 0) rows.emplace_back();
    rows.back() += fitted(names[i], columns - 1, cell);
    if (has_notes) rows.back() = fitted(rows.back() + found.notes[i], columns - 1, 0);
  }
  for (std::string& row : rows) row.erase(row.find_last_not_of(' ') + 1);
  return rows;
}

}  // namespace griddle::repl
