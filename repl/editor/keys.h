// Keys of a terminal, from the bytes that it sends.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace griddle::repl {

struct Key {
  enum class Kind {
    character,
    enter,
    new_row,
    tab,
    backspace,
    erase,
    left,
    right,
    up,
    down,
    row_start,
    row_end,
    word_left,
    word_right,
    cut_to_end,
    cut_to_start,
    cut_word_left,
    cut_word_right,
    text_start,
    text_end,
    paste,
    paste_older,
    exchange,
    exchange_words,
    upper_word,
    lower_word,
    capital_word,
    last_argument,
    undo,
    redo,
    search,
    leave,   // Ctrl-G
    cancel,  // Ctrl-C
    escape,
    accept_and_next,
    edit_outside,
    suspend,
    erase_or_end,
    clear_screen,
    describe,  // F1
    paste_begins,
    paste_ends,
    unknown,
  };
  Kind kind;
  char32_t character = 0;  // with Alt: the key's, where it types one
  bool alt = false;
};

// Tells what the keys do that people may not know, a row for each.
std::string_view key_list();

class KeyDecoder {
 public:
  // Takes the next byte. Gives the key that it completes.
  std::optional<Key> feed(unsigned char byte);
  // Tells whether the last byte was an escape character: a key by itself, if nothing follows it soon.
  bool may_be_escape() const;
  // Gives that key.
  Key escape();

 private:
  std::optional<Key> plain(unsigned char byte);
  std::optional<Key> sequence(unsigned char byte);
  std::optional<Key> continued(unsigned char byte);
  std::optional<Key> after_control_x(unsigned char byte);
  Key done(Key);

  std::string waiting_;  // the bytes of a key that is not complete
};

}  // namespace griddle::repl
