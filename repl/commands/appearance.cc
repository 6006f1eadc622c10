#include "repl/commands/appearance.h"

#include <charconv>
#include <cstdlib>
#include <string_view>

namespace griddle::repl {

namespace {

std::string_view variable_or_none(const char* name) {
  const char* text = std::getenv(name);
  return text != nullptr ? text : "";
}

}  // namespace

PictureForm pictures_of_terminal() {
  // Whoever knows better says so. Of sixels no variable of a terminal tells.
  const std::string_view wanted = variable_or_none("GRIDDLE_PICTURES");
  if (wanted == "kitty") return PictureForm::kitty;
  if (wanted == "sixel") return PictureForm::sixel;
  if (wanted == "text") return PictureForm::text;
  const std::string_view terminal = variable_or_none("TERM"), program = variable_or_none("TERM_PROGRAM");
  // Within a multiplexer, variables are those of the terminal around it, which does not get what is written.
  if (terminal.starts_with("tmux") || terminal.starts_with("screen")) return PictureForm::text;
  const bool has_kitty = terminal == "xterm-kitty" || terminal == "xterm-ghostty" || program == "WezTerm" ||
                         program == "ghostty" || !variable_or_none("KITTY_WINDOW_ID").empty();
  return has_kitty ? PictureForm::kitty : PictureForm::text;
}

CommandResult set_digits(CommandCall& call) {
  constexpr int most = 17;
  int digits = 0;
  const std::string_view text = call.argument;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), digits);
  if (!text.empty() && (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size() || digits < 1 || digits > most))
    call.fail("The number of digits must be 1 to 17, or none for all: )digits 6\n");
  else
    call.interpreter().set_precision(digits);
  return CommandResult::done;
}

bool show_picture(StandardConsole& console, const Any& value) {
  const std::string picture = value.picture();
  // Lines that are too long would be no picture.
  if (picture.empty() || (!picture.starts_with('\x1b') && value.shape()[1] > console.columns())) return false;
  console.write(picture);
  return true;
}

}  // namespace griddle::repl
