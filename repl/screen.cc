#include "repl/screen.h"

#include <algorithm>

#include "repl/highlight.h"
#include "repl/text.h"

namespace griddle::repl {

namespace {

constexpr std::u32string_view left_margin = U"   ";
constexpr std::size_t most_choice_rows = 6;

// Gives the bytes that move the cursor so many places; 0 cannot be said.
std::string move(std::size_t places, char direction) {
  std::string bytes;
  if (places > 0) (bytes.append("\x1b[") += std::to_string(places)) += direction;
  return bytes;
}
std::string up(std::size_t rows) { return move(rows, 'A'); }
std::string right(std::size_t columns) { return move(columns, 'C'); }

std::size_t columns_of(std::u32string_view text) {
  std::size_t columns = 0;
  for (char32_t c : text) columns += static_cast<std::size_t>(repl::columns_of(c));
  return columns;
}

// Lays completions out in columns, as far as there is room.
std::u32string table_of(const std::vector<std::u32string>& choices, std::size_t columns) {
  std::size_t width = 0;
  for (const std::u32string& choice : choices) width = std::max(width, columns_of(choice) + 2);
  const std::size_t in_row = std::max<std::size_t>(1, (columns - 1) / width);
  std::u32string table;
  for (std::size_t i = 0; i < choices.size(); i++) {
    if (i / in_row == most_choice_rows) return table + U"\n…";
    if (i % in_row == 0) table += U'\n';
    table += choices[i];
    table.append(width - columns_of(choices[i]), U' ');
  }
  return table;
}

}  // namespace

// Writes rows one below the other, and breaks those that are too long for the terminal.
std::string Screen::draw_text(const LineEditor& editor, std::size_t columns) {
  std::string bytes = up(cursor_row_) + "\r\x1b[J";
  row_ = column_ = 0;
  std::size_t cursor_column = 0;
  const auto put = [&](char32_t c) {
    const auto width = static_cast<std::size_t>(repl::columns_of(c));
    const bool is_break = c == U'\n';
    if (is_break || column_ + width > columns) {
      bytes += "\r\n";
      row_++;
      column_ = 0;
    }
    if (is_break) return;
    bytes += c < U' ' ? "·" : utf8_of({&c, 1});
    column_ += width;
  };
  std::u32string head(left_margin);
  if (const std::u32string* query = editor.search()) head = U"(search: " + *query + U") ";
  for (char32_t c : head) put(c);
  const std::u32string& text = editor.text();
  const std::vector<Colour> colours = coloured_ ? colours_of(text) : std::vector<Colour>(text.size(), Colour::plain);
  Colour last = Colour::plain;
  for (std::size_t i = 0; i <= text.size(); i++) {
    if (i == editor.cursor()) {
      // At the edge of the terminal the cursor stands in the next row.
      cursor_row_ = row_ + (column_ == columns);
      cursor_column = column_ == columns ? 0 : column_;
    }
    if (i == text.size()) break;
    if (colours[i] != last) bytes += switch_to(last = colours[i]);
    put(text[i]);
    if (text[i] == U'\n')
      for (char32_t c : left_margin) put(c);
  }
  if (last != Colour::plain) bytes += switch_to(Colour::plain);
  if (column_ == columns) {
    bytes += "\r\n";
    row_++;
    column_ = 0;
  }
  if (!editor.choices().empty())
    for (char32_t c : table_of(editor.choices(), columns)) put(c);
  column_ = cursor_column;
  return bytes;
}

std::string Screen::draw(const LineEditor& editor, std::size_t columns) {
  std::string bytes = draw_text(editor, columns);
  return bytes + up(row_ - cursor_row_) + "\r" + right(column_);
}

std::string Screen::finish(const LineEditor& editor, std::size_t columns) {
  std::string bytes = draw_text(editor, columns);
  cursor_row_ = 0;
  return bytes + "\r\n";
}

}  // namespace griddle::repl
