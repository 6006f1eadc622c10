// The text that is edited, and what was done to it: changes are noted as such, so that undoing costs what changed, not a copy.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace griddle::repl {

class TextBuffer {
 public:
  // Begins with an empty text, and nothing to undo.
  void start();
  const std::u32string& text() const { return text_; }
  std::size_t cursor() const { return cursor_; }
  void move_to(std::size_t place) { cursor_ = place; }

  // Puts text in the place of a stretch, and the cursor behind it. What `goes_on` is undone together with the change before it,
  // if it begins where that ended.
  void replace(std::size_t from, std::size_t to, std::u32string_view added, bool goes_on = false);
  // Takes the last change back, or makes it again.
  void undo();
  void redo();
  // Takes the last change back for good.
  void forget_last();
  // Gives the first place where the text may have changed since this was asked last.
  std::size_t take_first_change();

 private:
  struct Change {
    std::size_t place;
    std::u32string removed, added;
    std::size_t cursor;  // before it
  };
  void put(std::size_t place, std::size_t removed, std::u32string_view added);

  std::u32string text_;
  std::size_t cursor_ = 0;
  std::vector<Change> done_, undone_;
  std::size_t first_change_ = 0;
};

}  // namespace griddle::repl
