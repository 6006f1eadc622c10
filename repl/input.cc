#include "repl/input.h"

#include <stdlib.h>

#include <optional>
#include <string_view>

#include "repl/commands.h"
#include "repl/completion.h"
#include "repl/editor/keys.h"
#include "repl/editor/line_editor.h"
#include "repl/editor/screen.h"
#include "repl/help/help.h"
#include "repl/history.h"
#include "repl/open_brackets.h"
#include "repl/other_programs.h"
#include "repl/session.h"
#include "repl/text.h"

namespace griddle::repl {

namespace {

// Reads plain lines; a text that is unfinished goes on in the next one.
class PlainInput final : public Input {
 public:
  PlainInput(StandardConsole& console, bool prompts) : console_(console), prompts_(prompts) {}

  bool read(std::string& text) override {
    text.clear();
    OpenBrackets brackets;
    for (std::string line;;) {
      if (prompts_) console_.write(prompt);
      if (!console_.read_line(line)) {
        if (prompts_) console_.write("\n");
        // What is unfinished at the end is for the interpreter to complain about.
        if (!console_.interrupted()) return !text.empty();
        text.clear();
        brackets = {};
        continue;
      }
      // An empty line ends what is unfinished, so that nobody is trapped by a stray bracket; but not where nobody types.
      const bool is_blank = line.find_first_not_of(" \t\r") == line.npos;
      const bool ends = is_blank && console_.input_is_terminal() && !console_.has_input() && !console_.waits_for_input(0);
      text += text.empty() ? line : "\n" + line;
      brackets.add(line += '\n');
      if (ends || is_command(text) || !brackets.any()) return true;
    }
  }

 private:
  StandardConsole& console_;
  bool prompts_;
};

// Lets a person edit each text on the terminal.
class EditedInput final : public Input {
 public:
  EditedInput(Interpreter& interpreter, StandardConsole& console, bool like_vi)
      : console_(console),
        history_(History::usual_path()),
        editor_(history_,
                {[](std::string_view text) { return !is_command(text) && is_unfinished(text); },
                 [&interpreter](std::u32string_view before) { return completions_of(interpreter, before); },
                 [&console] { return console.has_input() || console.waits_for_input(0); }},
                like_vi),
        screen_(getenv("NO_COLOR") == nullptr),
        escape_alone_(like_vi) {}

  bool read(std::string& text) override {
    take_terminal();
    LineEditor::Event event = LineEditor::Event::none;
    do {
      editor_.start();
      screen_.start();
      console_.write(screen_.draw(editor_, console_.size()));
      event = edit();
      console_.write(screen_.finish(editor_, console_.size()));
    } while (event == LineEditor::Event::cancelled);
    give_terminal();
    text = utf8_of(editor_.text());
    if (event == LineEditor::Event::accepted) history_.add(text);
    return event == LineEditor::Event::accepted;
  }

 private:
  static constexpr const char* bracketed_paste = "\x1b[?2004h";
  static constexpr const char* usual_paste = "\x1b[?2004l";
  static constexpr int escape_patience = 40;  // milliseconds within which the rest of a key follows

  void take_terminal() {
    console_.set_editing(true);
    console_.write(bracketed_paste);
  }
  void give_terminal() {
    console_.write(usual_paste);
    console_.set_editing(false);
  }
  // Begins anew below what others have written.
  void draw_below() {
    take_terminal();
    screen_.start();
    console_.write(screen_.draw(editor_, console_.size()));
  }

  std::optional<Key> next_key() {
    if (escape_alone_ && keys_.may_be_escape() && !console_.has_input() && !console_.waits_for_input(escape_patience))
      return keys_.escape();
    const int byte = console_.read_byte(true);
    if (byte >= 0) return keys_.feed(static_cast<unsigned char>(byte));
    if (console_.take_changed()) {
      console_.set_editing(true);
      console_.write(screen_.draw_all(editor_, console_.size()));
    } else if (!console_.interrupted()) {
      is_at_end_ = true;
    }
    return std::nullopt;
  }

  // Takes keys until the text is accepted or given up.
  LineEditor::Event edit() {
    for (;;) {
      const std::optional<Key> key = next_key();
      if (is_at_end_) return LineEditor::Event::ended;
      if (!key) continue;
      switch (const LineEditor::Event event = editor_.press(*key)) {
        case LineEditor::Event::none: break;
        case LineEditor::Event::clear_screen:
          console_.write(Screen::clear());
          screen_.start();
          break;
        case LineEditor::Event::describe: editor_.show(code_points_of(line_about(editor_.text(), editor_.cursor()))); break;
        case LineEditor::Event::suspend:
          leave_row();
          console_.suspend();
          draw_below();
          continue;
        case LineEditor::Event::edit_outside: edit_outside(); continue;
        default: return event;
      }
      // What was pasted is drawn once.
      if (!console_.has_input()) console_.write(screen_.draw(editor_, console_.size()));
    }
  }

  void leave_row() {
    console_.write(screen_.finish(editor_, console_.size()));
    give_terminal();
  }

  void edit_outside() {
    leave_row();
    std::string text = utf8_of(editor_.text());
    const std::string problem = edit_text(console_, text);
    if (problem.empty())
      editor_.replace(code_points_of(text));
    else
      console_.write_error(problem + "\n");
    draw_below();
  }

  StandardConsole& console_;
  History history_;
  LineEditor editor_;
  Screen screen_;
  KeyDecoder keys_;
  bool escape_alone_, is_at_end_ = false;
};

}  // namespace

std::unique_ptr<Input> make_input(Interpreter& interpreter, StandardConsole& console, bool silent) {
  const char* terminal = getenv("TERM");
  const bool prompts = !silent && console.input_is_terminal();
  if (prompts && console.output_is_terminal() && terminal != nullptr && std::string_view(terminal) != "dumb") {
    const char* set = secure_getenv("GRIDDLE_KEYS");
    const std::string_view keys = set != nullptr && *set != '\0' ? set : "emacs";
    if (keys != "vi" && keys != "emacs")
      console.write_error(std::string("GRIDDLE_KEYS must be vi or emacs (").append(keys) += ")\n");
    return std::make_unique<EditedInput>(interpreter, console, keys == "vi");
  }
  return std::make_unique<PlainInput>(console, prompts);
}

}  // namespace griddle::repl
