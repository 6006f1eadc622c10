// The text that a person is typing: what each key does to it. Knows no terminal; screen.h draws it.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "repl/history.h"
#include "repl/keys.h"

namespace griddle::repl {

// What may stand in place of the last `replaced` characters before the cursor.
struct Completions {
  std::size_t replaced = 0;
  std::vector<std::u32string> choices;
};

class LineEditor {
 public:
  enum class Event { none, accepted, cancelled, ended, clear_screen, describe };
  struct Helpers {
    // Tells whether a text needs further rows.
    std::function<bool(std::string_view)> is_unfinished;
    std::function<Completions(std::u32string_view before)> complete;
  };

  LineEditor(History& history, Helpers helpers) : history_(history), helpers_(std::move(helpers)) {}

  // Begins with an empty text.
  void start();
  Event press(Key);

  const std::u32string& text() const { return text_; }
  std::size_t cursor() const { return cursor_; }
  // Tells what is searched for, in the history; null where nothing is.
  const std::u32string* search() const { return searching_ ? &query_ : nullptr; }
  // Completions to show below the text until the next key.
  const std::vector<std::u32string>& choices() const { return choices_; }
  // Shows a line there instead.
  void show(std::u32string line) { choices_ = {std::move(line)}; }

 private:
  struct State {
    std::u32string text;
    std::size_t cursor;
  };

  void remember();
  void insert(std::u32string_view);
  void type(std::u32string& text, std::size_t& cursor, char32_t);
  void cut(std::size_t from, std::size_t to);
  void replace(std::u32string text);
  void erase(std::size_t from, std::size_t to);
  void edit(Key);
  Event search_with(Key);
  void find_older(std::size_t before);
  void complete();
  void step_in_history(bool older);
  void move_row(bool up);
  void undo();
  Event enter();
  std::size_t row_start() const;
  std::size_t row_end() const;
  std::size_t word_left() const;
  std::size_t word_right() const;

  History& history_;
  Helpers helpers_;
  std::u32string text_;
  std::size_t cursor_ = 0;
  std::u32string cut_text_;
  std::vector<State> undo_;
  std::vector<std::u32string> choices_;
  // Where the text came from: an entry of the history, or its end; and what was typed before.
  std::size_t entry_ = 0;
  std::u32string typed_;
  bool glyph_follows_ = false;  // the character before the cursor is the backslash of a glyph
  bool pasting_ = false;
  bool searching_ = false;
  std::u32string query_;
};

}  // namespace griddle::repl
