// How a text falls into the rows of a terminal. Rows are found only as far as somebody looks, and anew only from where the text
// has changed, so that a key in a long text costs what it changes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "repl/highlight.h"

namespace griddle::repl {

// What stands in front of each row of the text but the first.
inline constexpr std::u32string_view left_margin = U"   ";

class Layout {
 public:
  // Takes the text as it is now, which is the same as before up to a place. A first row begins behind `head` columns, a row
  // after a line break behind the margin. The text outlives what is asked of it.
  void update(const std::u32string& text, std::size_t first_change, std::size_t columns, std::size_t head);

  // Gives the row that a place is in.
  std::size_t row_of(std::size_t place);
  // Tells whether there is such a row.
  bool has(std::size_t row);
  // The rest is asked about rows that there are.
  std::size_t begin(std::size_t row) const { return rows_[row].begin; }
  // Gives where a row ends, without its line break.
  std::size_t end(std::size_t row);
  // Gives the column in which a row's text begins, and the one in which a place of the row stands.
  std::size_t start_column(std::size_t row) const { return row == 0 ? head_ : rows_[row].is_line ? left_margin.size() : 0; }
  std::size_t column_of(std::size_t row, std::size_t place) const;
  bool begins_line(std::size_t row) const { return rows_[row].is_line; }
  // Appends a row as bytes for a terminal.
  void append_row(std::size_t row, bool coloured, std::string& bytes);
  // Counts the rows of the whole text.
  std::size_t count();

 private:
  struct Row {
    std::uint32_t begin;
    bool is_line : 1;    // follows a line break
    bool is_inside : 1;  // begins within a token
    Colour colour;       // of that token
  };
  // Finds the next row. Tells whether there is one.
  bool extend();
  void follow_token(std::size_t place);
  Token token_in(const Row&) const;

  const std::u32string* text_ = nullptr;
  std::size_t columns_ = 0, head_ = 0;
  std::vector<Row> rows_;
  Token token_{0, Colour::plain};  // the one that the last row's beginning is in, or one behind it
  std::size_t token_start_ = 0;
  bool token_is_character_ = false;
  bool is_whole_ = false;
};

}  // namespace griddle::repl
