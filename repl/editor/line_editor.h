// The text that a person is typing: what each key does to it. Knows no terminal; screen.h draws it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "repl/editor/keys.h"
#include "repl/editor/kill_ring.h"
#include "repl/editor/text_buffer.h"
#include "repl/editor/vi_keys.h"
#include "repl/history.h"

namespace griddle::repl {

// What may stand in place of the last `replaced` characters before the cursor.
struct Completions {
  std::size_t replaced = 0;
  std::vector<std::u32string> choices;
  std::vector<std::string> notes;  // what each choice is; or none at all
};

class LineEditor {
 public:
  enum class Event { none, accepted, cancelled, ended, clear_screen, describe, suspend, edit_outside };
  struct Helpers {
    // Tells whether a text needs further rows.
    std::function<bool(std::string_view)> is_unfinished;
    std::function<Completions(std::u32string_view before)> complete;
    // Tells whether more keys have come: nobody types so fast, so that this is text from elsewhere. May be null.
    std::function<bool()> more_waits;
  };

  LineEditor(History& history, Helpers helpers, bool like_vi = false)
      : history_(history), helpers_(std::move(helpers)), vi_(like_vi) {}

  // Begins with an empty text, or the entry of the history that Ctrl-O asked for.
  void start();
  Event press(Key);
  // Puts another text in the place of what is there, as one change.
  void replace(std::u32string_view text);

  const std::u32string& text() const { return buffer_.text(); }
  std::size_t cursor() const { return buffer_.cursor(); }
  std::size_t take_first_change() { return buffer_.take_first_change(); }
  // Tells what is searched for, in the history; null where nothing is.
  const std::u32string* search() const { return searching_ ? &query_ : nullptr; }
  // Completions to show below the text until the next key.
  const Completions& completions() const { return completions_; }
  const std::vector<std::u32string>& choices() const { return completions_.choices; }
  // Shows a line there instead.
  void show(std::u32string line) { completions_ = {0, {std::move(line)}, {}}; }
  // Tells whether keys are commands, as in vi.
  bool is_commanding() const { return vi_.is_commanding(); }

  // What keys of vi do as well.
  void move_to(std::size_t place) { buffer_.move_to(place); }
  void insert(std::u32string_view, bool goes_on = false);
  void erase(std::size_t from, std::size_t to);
  void cut(std::size_t from, std::size_t to);
  void copy(std::size_t from, std::size_t to);
  const std::u32string& latest_cut() { return kill_ring_.latest(); }
  void move_row(bool up);
  void undo() { buffer_.undo(); }
  void begin_search();
  std::size_t row_start() const;
  std::size_t row_end() const;

 private:
  enum class Did { other, cut, paste, argument };

  bool edit(Key);
  bool edit_word(Key);
  void type(char32_t);
  void paste_in_place(std::u32string_view);
  void paste_older();
  void last_argument();
  void exchange();
  void exchange_words();
  void change_case(Key::Kind);
  Event press_in_paste(Key);
  Event search_with(Key);
  void type_query(char32_t);
  void find_older(std::size_t before);
  void complete();
  void step_in_history(bool older);
  Event enter();

  History& history_;
  Helpers helpers_;
  TextBuffer buffer_;
  KillRing kill_ring_;
  ViKeys vi_;
  Completions completions_;
  // Where the text came from: an entry of the history, or its end; and what was typed before.
  std::size_t entry_ = 0;
  std::u32string typed_;
  std::optional<std::size_t> next_entry_;
  Did did_ = Did::other, did_before_ = Did::other;  // what this key does, and what the one before it did
  std::size_t put_at_ = 0;                          // where what was pasted begins, or an argument
  std::size_t argument_entry_ = 0;
  bool glyph_follows_ = false;  // the character before the cursor is the backslash of a glyph
  bool pasting_ = false;
  std::u32string pasted_;
  bool searching_ = false, found_ = false;
  std::u32string query_;
};

}  // namespace griddle::repl
