// Whether a text goes on in its next row: found while rows are added, so that long texts are looked at once.
#pragma once

#include <string_view>

namespace griddle::repl {

// Follows the brackets and strings of a text.
class OpenBrackets {
 public:
  // Takes more of the text: whole rows, or its end.
  void add(std::string_view);
  // Tells whether a string, a list or a block is open at its end.
  bool any() const { return in_string_ || depth_ > 0; }

 private:
  long depth_ = 0;
  bool in_string_ = false;
};

}  // namespace griddle::repl
