// Draws a line that is edited on a terminal.
#pragma once

#include <string>

#include "repl/line_editor.h"

namespace griddle::repl {

class Screen {
 public:
  Screen(bool coloured) : coloured_(coloured) {}

  // Begins at the start of an empty row.
  void start() { cursor_row_ = 0; }
  // Gives the bytes that draw the text again, over what was drawn before, with the cursor in its place.
  std::string draw(const LineEditor&, std::size_t columns);
  // Gives the bytes that draw the text for good, and leave the cursor in the row below it.
  std::string finish(const LineEditor&, std::size_t columns);
  static std::string clear() { return "\x1b[H\x1b[2J"; }

 private:
  std::string draw_text(const LineEditor&, std::size_t columns);

  bool coloured_;
  std::size_t cursor_row_ = 0;        // counted from the first row of the text
  std::size_t row_ = 0, column_ = 0;  // where drawing is
};

}  // namespace griddle::repl
