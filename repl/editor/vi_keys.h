// Keys as in the editor vi: Escape leaves typing, and letters are commands then.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "repl/editor/keys.h"

namespace griddle::repl {

class LineEditor;

class ViKeys {
 public:
  explicit ViKeys(bool wanted) : wanted_(wanted) {}
  // Begins with typing.
  void start();
  bool is_commanding() const { return commanding_; }
  // Takes a key that means something here. Tells whether it does.
  bool press(Key, LineEditor&);

 private:
  // A place that a motion leads to; `with_last`: what is cut up to there has the character there, too.
  struct Target {
    std::size_t place;
    bool with_last = false;
  };
  std::optional<Target> target_of(char32_t motion, const LineEditor&) const;
  bool command(char32_t, LineEditor&);
  bool change(char32_t, LineEditor&);
  bool begin_typing(char32_t, LineEditor&);
  void operate(char32_t motion, LineEditor&);
  void apply(char32_t operation, std::size_t from, std::size_t to, LineEditor&);
  void put(bool behind, LineEditor&);
  void again(LineEditor&);
  void leave_typing(LineEditor&);
  std::size_t times();

  bool wanted_, commanding_ = false;
  char32_t operator_ = 0;  // d, c, y or r, which waits for what it is for
  std::size_t count_ = 0;
  // The keys of the last change, and of the one that goes on, for the command that does it again.
  std::vector<Key> last_change_, keys_;
  bool recording_ = false, repeating_ = false;
};

}  // namespace griddle::repl
