#include "repl/editor/layout.h"

#include <algorithm>

#include "repl/text.h"
#include "runtime/text_width.h"

namespace griddle::repl {

namespace {

constexpr std::size_t tab_stop = 4;

// Gives the columns of the next character of a row, which stands in some column.
std::size_t width_at(TextColumns& columns, char32_t c, std::size_t column) {
  return c == U'\t' ? tab_stop - column % tab_stop : columns.add(c);
}

}  // namespace

void Layout::update(const std::u32string& text, std::size_t first_change, std::size_t columns, std::size_t head) {
  text_ = &text;
  if (columns != columns_ || head != head_) first_change = 0;
  columns_ = columns;
  head_ = head;
  if (first_change > text.size()) return;  // nothing changed
  // What comes next may belong to the character at the end of a row, so that the row before is found anew as well.
  while (rows_.size() > 1 && rows_.back().begin >= first_change) rows_.pop_back();
  if (rows_.size() > 1) rows_.pop_back();
  if (rows_.empty()) rows_.push_back({0, false, false, Colour::plain});
  is_whole_ = false;
  token_start_ = rows_.back().begin;
  token_is_character_ = false;
  token_ = token_in(rows_.back());
}

Token Layout::token_in(const Row& row) const {
  return row.is_inside ? rest_of_token(*text_, row.begin, row.colour) : Token{row.begin, Colour::plain};
}

// Finds the token that holds a place, or begins there.
void Layout::follow_token(std::size_t place) {
  while (token_.end <= place && token_.end < text_->size()) {
    token_start_ = token_.end;
    token_is_character_ = (*text_)[token_start_] == U'\'';
    token_ = token_at(*text_, token_.end);
  }
}

bool Layout::extend() {
  if (is_whole_) return false;
  const std::u32string& text = *text_;
  const std::size_t row = rows_.size() - 1;
  std::size_t column = start_column(row);
  TextColumns widths;
  for (std::size_t i = rows_[row].begin;; i++) {
    const bool ends = i == text.size();
    const bool is_break = !ends && text[i] == U'\n';
    const std::size_t width = ends || is_break ? 0 : width_at(widths, text[i], column);
    const bool is_full = ends || is_break ? column >= columns_ : column + width > columns_ && i > rows_[row].begin;
    if (ends && !is_full) {
      is_whole_ = true;
      return false;
    }
    if (!is_full && !is_break) {
      column += width;
      continue;
    }
    const std::size_t begin = is_full ? i : i + 1;
    follow_token(begin);
    // A character between quotes is too short to be followed.
    const bool is_inside = token_start_ < begin && begin < token_.end && !token_is_character_;
    rows_.push_back({static_cast<std::uint32_t>(begin), !is_full, is_inside, token_.colour});
    return true;
  }
}

std::size_t Layout::row_of(std::size_t place) {
  while (rows_.back().begin <= place && extend()) {
  }
  const auto after =
      std::upper_bound(rows_.begin(), rows_.end(), place, [](std::size_t p, const Row& row) { return p < row.begin; });
  return static_cast<std::size_t>(after - rows_.begin()) - 1;
}

bool Layout::has(std::size_t row) {
  while (rows_.size() <= row)
    if (!extend()) return false;
  return true;
}

std::size_t Layout::end(std::size_t row) {
  if (!has(row + 1)) return text_->size();
  return rows_[row + 1].begin - (rows_[row + 1].is_line ? 1 : 0);
}

std::size_t Layout::column_of(std::size_t row, std::size_t place) const {
  std::size_t column = start_column(row);
  TextColumns widths;
  for (std::size_t i = rows_[row].begin; i < place; i++) column += width_at(widths, (*text_)[i], column);
  return column;
}

std::size_t Layout::count() {
  while (extend()) {
  }
  return rows_.size();
}

void Layout::append_row(std::size_t row, bool coloured, std::string& bytes) {
  const std::size_t first = begin(row), last = end(row);
  // Tokens are followed a little beyond the row, as far as their colours need.
  constexpr std::size_t further = 64;
  const std::u32string_view seen = std::u32string_view(*text_).substr(0, std::min(text_->size(), last + further));
  std::size_t column = start_column(row);
  Token token{first, Colour::plain};
  if (rows_[row].is_inside) token = rest_of_token(seen, first, rows_[row].colour);
  Colour now = Colour::plain;
  TextColumns widths;
  for (std::size_t i = first; i < last; i++) {
    if (token.end <= i) token = token_at(seen, i);
    if (coloured && token.colour != now) bytes += switch_to(now = token.colour);
    const char32_t c = (*text_)[i];
    const std::size_t width = width_at(widths, c, column);
    if (c == U'\t')
      bytes.append(width, ' ');
    else
      bytes += c < U' ' || (c >= 0x7F && c < 0xA0) ? "·" : utf8_of({&c, 1});
    column += width;
  }
  if (now != Colour::plain) bytes += switch_to(Colour::plain);
}

}  // namespace griddle::repl
