#include "repl/terminal_pictures.h"

#include <cstdlib>

namespace griddle::repl {

namespace {

// A picture of one pixel that is only to be looked at, of a number that comes back with the answer.
constexpr std::string_view kitty_question = "\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\", kitty_answer = "\x1b_Gi=31;",
                           kitty_agrees = "OK";
// Asks for the attributes of the terminal, as the VT100 and all that came later tell them: \x1b[?62;4;22c. A 4 says sixels.
constexpr std::string_view attributes_question = "\x1b[c", attributes_answer = "\x1b[?", sixel = "4", string_end = "\x1b\\";

std::string_view variable_or_none(const char* name) {
  const char* text = std::getenv(name);
  return text != nullptr ? text : "";
}

// Tells whether a list with semicolons has an element.
bool lists(std::string_view list, std::string_view wanted) {
  for (;;) {
    const std::size_t end = list.find(';');
    if (list.substr(0, end) == wanted) return true;
    if (end == list.npos) return false;
    list.remove_prefix(end + 1);
  }
}

}  // namespace

std::optional<PictureForm> pictures_by_environment() {
  // Whoever knows better says so.
  const std::string_view wanted = variable_or_none("GRIDDLE_PICTURES");
  if (wanted == "kitty") return PictureForm::kitty;
  if (wanted == "sixel") return PictureForm::sixel;
  if (wanted == "text") return PictureForm::text;
  const std::string_view terminal = variable_or_none("TERM"), program = variable_or_none("TERM_PROGRAM");
  if (terminal.empty() || terminal == "dumb") return PictureForm::text;
  // Within a multiplexer, variables are those of the terminal around it, which does not get what is written.
  if (terminal.starts_with("tmux") || terminal.starts_with("screen")) return std::nullopt;
  const bool has_kitty = terminal == "xterm-kitty" || terminal == "xterm-ghostty" || program == "WezTerm" ||
                         program == "ghostty" || !variable_or_none("KITTY_WINDOW_ID").empty();
  return has_kitty ? std::optional(PictureForm::kitty) : std::nullopt;
}

std::string picture_question(std::string_view terminal) {
  // The console of Linux writes what it does not know.
  return std::string(terminal == "linux" ? std::string_view() : kitty_question).append(attributes_question);
}

TerminalAnswer take_answer(std::string_view sent) {
  TerminalAnswer answer;
  while (!sent.empty()) {
    const bool is_kitty = sent.starts_with(kitty_answer);
    if (!is_kitty && !sent.starts_with(attributes_answer)) {
      answer.typed += sent.front();
      sent.remove_prefix(1);
      continue;
    }
    const std::string_view end_mark = is_kitty ? string_end : std::string_view("c");
    const std::size_t start = is_kitty ? kitty_answer.size() : attributes_answer.size(), end = sent.find(end_mark, start);
    if (end == sent.npos) return answer;  // the rest is on its way
    const std::string_view content = sent.substr(start, end - start);
    if (is_kitty && content == kitty_agrees) answer.form = PictureForm::kitty;
    if (!is_kitty) {
      answer.is_whole = true;
      if (answer.form == PictureForm::text && lists(content, sixel)) answer.form = PictureForm::sixel;
    }
    sent.remove_prefix(end + end_mark.size());
  }
  return answer;
}

}  // namespace griddle::repl
