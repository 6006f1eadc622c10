// Draws a text that is edited on a terminal: as much of it as the window has rows for, and of that what changed.
#pragma once

#include <string>
#include <vector>

#include "repl/console.h"
#include "repl/editor/layout.h"
#include "repl/editor/line_editor.h"

namespace griddle::repl {

class Screen {
 public:
  Screen(bool coloured) : coloured_(coloured) {}

  // Begins at the start of an empty row.
  void start();
  // Gives the bytes that draw the text again, over what was drawn before, with the cursor in its place.
  std::string draw(LineEditor&, Size);
  // The same after the size of the window changed, or something else wrote into it.
  std::string draw_all(LineEditor&, Size);
  // Gives the bytes that draw the text for good, and leave the cursor in the row below it. Of a very long text the middle is
  // left out.
  std::string finish(LineEditor&, Size);
  static std::string clear() { return "\x1b[H\x1b[2J"; }

 private:
  // Finds the rows to show, and the cursor among them.
  std::vector<std::string> rows_of(LineEditor&, Size, std::size_t& row, std::size_t& column);
  std::string row_of_text(std::size_t row);
  // Goes to a row of those that are drawn, or to the next one below them.
  void go_to(std::size_t row, std::string& bytes);

  bool coloured_;
  Layout layout_;
  std::string head_;                // what stands before the first row
  std::size_t top_ = 0;             // the first row of the text that is shown
  std::vector<std::string> shown_;  // what is drawn, row by row
  std::size_t cursor_row_ = 0;      // counted from the first of them
};

}  // namespace griddle::repl
