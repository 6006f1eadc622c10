// How the terminal shows pictures: what its environment says, or what it answers itself.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "runtime/api/griddle.hpp"

namespace griddle::repl {

// Says what the environment tells of the terminal; nothing where the terminal is to be asked.
std::optional<PictureForm> pictures_by_environment();

// Gives what asks a terminal of this name (TERM) which pictures it shows. Every terminal answers the last part, which ends the
// wait.
std::string picture_question(std::string_view terminal);

// What a terminal has sent: its answers, and what somebody typed meanwhile.
struct TerminalAnswer {
  bool is_whole = false;  // the last answer is there
  PictureForm form = PictureForm::text;
  std::string typed;
};
TerminalAnswer take_answer(std::string_view sent);

}  // namespace griddle::repl
