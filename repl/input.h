// Where a session gets its texts: from a person who edits them on a terminal, or as plain lines.
#pragma once

#include <memory>
#include <string>

#include "repl/console.h"
#include "runtime/api/griddle.hpp"

namespace griddle::repl {

inline constexpr const char* prompt = "   ";

// Gives the next text of the session, of one row or several. Tells whether there is one.
class Input {
 public:
  virtual ~Input() = default;
  virtual bool read(std::string& text) = 0;
};

// Chooses by what the console is, and what the environment says of the terminal and its keys.
std::unique_ptr<Input> make_input(Interpreter&, StandardConsole&, bool silent);

}  // namespace griddle::repl
