#include "repl/commands/appearance.h"

#include <charconv>
#include <string_view>

namespace griddle::repl {

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
