// The command line of the executable.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/api/griddle.h"

namespace griddle::repl {

struct Action {
  enum class Kind { run, print, print_raw, explain, file, input };
  Kind kind;
  std::string text;  // code, or the path of a file
};

struct CommandLine {
  std::vector<Action> actions;
  std::vector<std::string> program_arguments;  // •args of a file, and of code
  bool session = false;                        // start a session after the actions
  bool silent = false;                         // a session without prompts
  std::uint32_t capabilities = griddle_may_do_all;
  std::string root;            // files are in this folder alone; empty: anywhere
  bool profile = false;        // tell at the end where time went
  bool serves_editor = false;  // be the language server of an editor, and nothing else
  bool help = false;
  std::string topic;  // what help is wanted on; empty: the usage
  bool version = false;
  std::size_t memory_limit = 0;  // bytes
  std::string problem;           // what is wrong with the command line; empty: nothing
};

CommandLine parse_command_line(int count, const char* const* words);

extern const char* const usage;

}  // namespace griddle::repl
