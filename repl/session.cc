#include "repl/session.h"

namespace griddle::repl {

namespace {

constexpr const char* prompt = "   ";

// Gives the bytes of the code point that starts with this byte.
std::size_t length_of(char first) {
  auto byte = static_cast<unsigned char>(first);
  return byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

}  // namespace

bool is_unfinished(std::string_view text) {
  long depth = 0;
  for (std::size_t i = 0; i < text.size(); i += length_of(text[i])) {
    switch (text[i]) {
      case '#':
        i = text.find('\n', i);
        if (i == text.npos) return depth > 0;
        break;
      case '"':
        i = text.find('"', i + 1);
        if (i == text.npos) return true;
        break;
      case '\'': {
        // A character literal is one code point between quotes; the step over the loop's end passes the second quote.
        std::size_t close = i + 1 < text.size() ? i + 1 + length_of(text[i + 1]) : text.npos;
        if (close < text.size() && text[close] == '\'') i = close;
        break;
      }
      case '[':
      case '{': depth++; break;
      case ']':
      case '}': depth--; break;
      default:
        if (text.substr(i).starts_with("⟨")) depth++;
        if (text.substr(i).starts_with("⟩")) depth--;
    }
  }
  return depth > 0;
}

int run_session(Interpreter& interpreter, StandardConsole& console, bool silent) {
  bool prompts = !silent && console.input_is_terminal();
  std::string text, line;
  for (;;) {
    if (prompts) console.write(prompt);
    if (!console.read_line(line)) {
      if (prompts) console.write("\n");
      if (!console.interrupted()) return 0;
      text.clear();
      continue;
    }
    bool ends = line.find_first_not_of(" \t\r") == line.npos;
    text += text.empty() ? line : "\n" + line;
    // An empty line ends what is unfinished, so that nobody is trapped by a stray bracket.
    if (!ends && is_unfinished(text)) continue;
    if (text.find_first_not_of(" \t\r\n") != text.npos) {
      Result result = interpreter.eval_in_session(text);
      if (result.failure().cause == Failure::Cause::exit) return result.failure().exit_code;
      if (!result)
        console.write_error(result.failure().report);
      else if (result->has_value())
        console.write(result->format() + "\n");
    }
    text.clear();
  }
}

}  // namespace griddle::repl
