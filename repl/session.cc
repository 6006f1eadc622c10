#include "repl/session.h"

#include <cstdlib>
#include <memory>
#include <optional>

#include "repl/commands.h"
#include "repl/completion.h"
#include "repl/help/help.h"
#include "repl/history.h"
#include "repl/keys.h"
#include "repl/line_editor.h"
#include "repl/report.h"
#include "repl/screen.h"
#include "repl/text.h"
#include "repl/version.h"

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

namespace {

// Gives the next text of the session, of one row or several. Tells whether there is one.
class Input {
 public:
  virtual ~Input() = default;
  virtual bool read(std::string& text) = 0;
};

// Reads plain lines; a text that is unfinished goes on in the next one.
class PlainInput final : public Input {
 public:
  PlainInput(StandardConsole& console, bool prompts) : console_(console), prompts_(prompts) {}

  bool read(std::string& text) override {
    text.clear();
    for (std::string line;;) {
      if (prompts_) console_.write(prompt);
      if (!console_.read_line(line)) {
        if (prompts_) console_.write("\n");
        if (!console_.interrupted()) return false;
        text.clear();
        continue;
      }
      const bool ends = line.find_first_not_of(" \t\r") == line.npos;
      text += text.empty() ? line : "\n" + line;
      // An empty line ends what is unfinished, so that nobody is trapped by a stray bracket.
      if (ends || is_command(text) || !is_unfinished(text)) return true;
    }
  }

 private:
  StandardConsole& console_;
  bool prompts_;
};

// Lets a person edit each text on the terminal.
class EditedInput final : public Input {
 public:
  EditedInput(Interpreter& interpreter, StandardConsole& console)
      : console_(console),
        history_(History::usual_path()),
        editor_(history_, {[](std::string_view text) { return !is_command(text) && is_unfinished(text); },
                           [&interpreter](std::u32string_view before) { return completions_of(interpreter, before); }}),
        screen_(std::getenv("NO_COLOR") == nullptr) {}

  bool read(std::string& text) override {
    console_.set_editing(true);
    console_.write(bracketed_paste);
    LineEditor::Event event = LineEditor::Event::none;
    do {
      editor_.start();
      screen_.start();
      console_.write(screen_.draw(editor_, console_.columns()));
      event = edit();
      console_.write(screen_.finish(editor_, console_.columns()));
    } while (event == LineEditor::Event::cancelled);
    console_.write(usual_paste);
    console_.set_editing(false);
    text = utf8_of(editor_.text());
    if (event == LineEditor::Event::accepted) history_.add(text);
    return event == LineEditor::Event::accepted;
  }

 private:
  static constexpr const char* bracketed_paste = "\x1b[?2004h";
  static constexpr const char* usual_paste = "\x1b[?2004l";

  // Takes keys until the text is accepted or given up.
  LineEditor::Event edit() {
    for (;;) {
      const int byte = console_.read_byte(true);
      if (byte < 0 && console_.interrupted()) continue;
      if (byte < 0) return LineEditor::Event::ended;
      const std::optional<Key> key = keys_.feed(static_cast<unsigned char>(byte));
      if (!key) continue;
      const LineEditor::Event event = editor_.press(*key);
      if (event == LineEditor::Event::clear_screen) {
        console_.write(Screen::clear());
        screen_.start();
      } else if (event == LineEditor::Event::describe) {
        editor_.show(code_points_of(line_about(editor_.text(), editor_.cursor())));
      } else if (event != LineEditor::Event::none) {
        return event;
      }
      // What was pasted is drawn once.
      if (!console_.has_input()) console_.write(screen_.draw(editor_, console_.columns()));
    }
  }

  StandardConsole& console_;
  History history_;
  LineEditor editor_;
  Screen screen_;
  KeyDecoder keys_;
};

std::unique_ptr<Input> make_input(Interpreter& interpreter, StandardConsole& console, bool silent) {
  const char* terminal = std::getenv("TERM");
  const bool prompts = !silent && console.input_is_terminal();
  if (prompts && console.output_is_terminal() && terminal != nullptr && std::string_view(terminal) != "dumb")
    return std::make_unique<EditedInput>(interpreter, console);
  return std::make_unique<PlainInput>(console, prompts);
}

}  // namespace

int run_session(SessionState& session, bool silent) {
  Interpreter& interpreter = session.interpreter;
  StandardConsole& console = session.console;
  const std::unique_ptr<Input> input = make_input(interpreter, console, silent);
  if (!silent && console.input_is_terminal() && console.output_is_terminal()) console.write(greeting());
  int exit_code = 0;
  for (std::string text; console.forget_interrupt(), input->read(text);) {
    if (text.find_first_not_of(" \t\r\n") == text.npos) continue;
    interpreter.clear_interrupt();  // what was asked for at the prompt
    console.log_entry(prompt, text);
    if (is_command(text)) {
      if (run_command(session, text, exit_code) == CommandResult::leave) return exit_code;
    } else if (!run_entry(session, text, exit_code)) {
      return exit_code;
    }
  }
  return 0;
}

}  // namespace griddle::repl
