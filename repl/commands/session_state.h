// What a session remembers from one entry to the next.
#pragma once

#include <ctime>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "repl/console.h"
#include "runtime/api/griddle.hpp"

namespace griddle::repl {

// The name of the value that a line without an assignment gave last. A program that uses it for something of its own keeps it:
// the session then leaves it alone.
inline constexpr const char* name_of_last = "ans";

struct SessionState {
  SessionState(Interpreter& interpreter, StandardConsole& console) : interpreter(interpreter), console(console) {}

  Interpreter& interpreter;
  StandardConsole& console;
  Any shown;                                       // what was shown last, whole or not
  std::map<std::string, std::string> definitions;  // names, and the statements that gave them their values
  bool last_is_taken = false;                      // a program defined the name of the last value itself
  bool failed = false;                             // something went wrong
  std::string last_entry;                          // what was typed last, but for commands
  // Files that were run as if they had been typed, and when.
  struct LoadedFile {
    std::string path;
    std::timespec when;
  };
  std::vector<LoadedFile> files;
};

// Notes what an entry, or a file, has defined.
void note_definitions(SessionState&, const Entered&);

// Tells what is wrong, which a piped program ends with status 1 for.
void complain(SessionState&, std::string_view message);

// Tells what went wrong. Gives false where the program wants to end, and the code it wants to end with.
bool survive(SessionState&, const Result&, int& exit_code);

// Runs a text and shows its value. A semicolon at its end, which no program can have there, keeps the value from being shown.
// Gives false where the program wants to end.
bool run_entry(SessionState&, const std::string& text, int& exit_code);

// Takes away a semicolon at the end of a text, unless a comment or a string ends there. Tells whether there was one.
bool take_semicolon(std::string& text);

}  // namespace griddle::repl
