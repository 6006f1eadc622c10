// Keys of a terminal, from the bytes that it sends.
#pragma once

#include <optional>
#include <string>

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
    paste,
    exchange,
    undo,
    search,
    leave,   // Ctrl-G
    cancel,  // Ctrl-C
    erase_or_end,
    clear_screen,
    describe,  // F1
    paste_begins,
    paste_ends,
    unknown,
  };
  Kind kind;
  char32_t character = 0;
};

class KeyDecoder {
 public:
  // Takes the next byte. Gives the key that it completes.
  std::optional<Key> feed(unsigned char byte);

 private:
  std::optional<Key> plain(unsigned char byte);
  std::optional<Key> sequence(unsigned char byte);
  std::optional<Key> continued(unsigned char byte);
  Key done(Key);

  std::string waiting_;  // the bytes of a key that is not complete
};

}  // namespace griddle::repl
