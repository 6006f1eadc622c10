#include "repl/editor/screen.h"

#include <algorithm>

#include "repl/editor/menu.h"
#include "repl/text.h"

namespace griddle::repl {

namespace {

// Rows of an entered text that are written for good, at each end of one that has more than twice as many.
constexpr std::size_t kept_rows = 500;

// Gives the bytes that move the cursor so many places; 0 cannot be said.
std::string move(std::size_t places, char direction) {
  std::string bytes;
  if (places > 0) (bytes.append("\x1b[") += std::to_string(places)) += direction;
  return bytes;
}

// Gives what stands before the text: a margin, or what is searched for, of which the end is shown.
std::u32string head_of(const LineEditor& editor, std::size_t columns) {
  const std::u32string* query = editor.search();
  if (query == nullptr) return std::u32string(editor.is_commanding() ? U":  " : left_margin);
  const std::size_t most = columns / 2, size = std::min(query->size(), most > 12 ? most - 12 : 1);
  return U"(search: " + query->substr(query->size() - size) + U") ";
}

}  // namespace

void Screen::start() {
  shown_.clear();
  top_ = cursor_row_ = 0;
}

std::string Screen::row_of_text(std::size_t row) {
  std::string bytes = row == 0 ? head_ : layout_.begins_line(row) ? utf8_of(left_margin) : "";
  layout_.append_row(row, coloured_, bytes);
  return bytes;
}

std::vector<std::string> Screen::rows_of(LineEditor& editor, Size size, std::size_t& row, std::size_t& column) {
  const std::u32string head = head_of(editor, size.columns);
  head_ = utf8_of(head);
  layout_.update(editor.text(), editor.take_first_change(), size.columns, columns_of(head_));
  std::vector<std::string> menu = menu_rows(editor.completions(), size.columns, std::max<std::size_t>(size.rows / 2, 1));
  if (size.rows <= menu.size()) menu.clear();
  const std::size_t height = size.rows - menu.size(), cursor = layout_.row_of(editor.cursor());
  top_ = std::min(std::max(top_, cursor + 1 > height ? cursor + 1 - height : 0), cursor);
  // A text that became shorter fills the window all the same.
  while (top_ > 0 && !layout_.has(top_ + height - 1)) top_--;
  std::vector<std::string> rows;
  for (std::size_t r = top_; rows.size() < height && layout_.has(r); r++) rows.push_back(row_of_text(r));
  row = cursor - top_;
  column = layout_.column_of(cursor, editor.cursor());
  for (std::string& line : menu) rows.push_back(std::move(line));
  return rows;
}

void Screen::go_to(std::size_t row, std::string& bytes) {
  if (row < cursor_row_) bytes += move(cursor_row_ - row, 'A');
  const std::size_t last = shown_.empty() ? 0 : shown_.size() - 1;
  if (row > cursor_row_) bytes += move(std::min(row, last) - cursor_row_, 'B');
  bytes += row > last ? "\r\n" : "\r";
  cursor_row_ = row;
}

std::string Screen::draw(LineEditor& editor, Size size) {
  std::size_t row = 0, column = 0;
  std::vector<std::string> rows = rows_of(editor, size, row, column);
  std::string bytes;
  for (std::size_t i = 0; i < rows.size(); i++) {
    if (i < shown_.size() && shown_[i] == rows[i]) continue;
    go_to(i, bytes);
    // Cleared first: behind a full row the cursor stands on its last character.
    bytes += "\x1b[K" + rows[i];
    i < shown_.size() ? void(shown_[i] = std::move(rows[i])) : shown_.push_back(std::move(rows[i]));
  }
  if (shown_.size() > rows.size()) {
    go_to(rows.size(), bytes);
    bytes += "\x1b[J";
    shown_.resize(rows.size());
  }
  go_to(row, bytes);
  return bytes + move(column, 'C');
}

std::string Screen::draw_all(LineEditor& editor, Size size) {
  std::string bytes = move(std::min(cursor_row_, size.rows - 1), 'A') + "\r\x1b[J";
  shown_.clear();
  cursor_row_ = 0;
  return bytes + draw(editor, size);
}

std::string Screen::finish(LineEditor& editor, Size size) {
  std::string bytes = draw(editor, size);
  if (top_ == 0 && !layout_.has(shown_.size())) {
    go_to(shown_.size() - 1, bytes);
    bytes += "\r\n";
  } else {
    bytes += move(cursor_row_, 'A') + "\r\x1b[J";
    const std::size_t count = layout_.count();
    for (std::size_t row = 0; row < count; row++) {
      if (row == kept_rows && count > 2 * kept_rows) {
        row = count - kept_rows;
        bytes += "… " + std::to_string(row - kept_rows) + " rows …\r\n";
      }
      bytes += row_of_text(row) + "\r\n";
    }
  }
  start();
  return bytes;
}

}  // namespace griddle::repl
