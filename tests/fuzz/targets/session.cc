// Lines of a session: what colours, completes and commands make of each, and what it does to the lines after it.
#include <algorithm>

#include "repl/commands.h"
#include "repl/completion.h"
#include "repl/editor/keys.h"
#include "repl/editor/line_editor.h"
#include "repl/editor/screen.h"
#include "repl/highlight.h"
#include "repl/history.h"
#include "repl/session.h"
#include "repl/text.h"
#include "tests/fuzz/targets/target.h"

namespace {

using namespace griddle::repl;

void look_at_line(griddle::Interpreter& bqn, std::string_view line) {
  const std::u32string characters = code_points_of(line);
  fuzz::require(colours_of(characters).size() == characters.size(), "each character has a colour");
  const Completions completions = completions_of(bqn, characters);
  fuzz::require(completions.replaced <= characters.size(), "completions replace what is there");
  is_unfinished(line);
  if (is_command(line)) return;
  fuzz::look_at(bqn, bqn.eval_in_session(line, "input"));
  bqn.session_names();
}

// The same bytes as keys of a terminal.
void press(std::string_view bytes) {
  History history;
  history.add("earlier line");
  LineEditor editor(history,
                    {[](std::string_view typed) { return is_unfinished(typed); },
                     [](std::u32string_view before) {
                       return Completions{std::min<std::size_t>(before.size(), 1), {U"one", U"other"}, {"1", "2"}};
                     },
                     [&bytes] { return bytes.size() % 3 == 0; }},
                    bytes.size() % 2 == 0);
  Screen screen(true);
  const Size size{8 + bytes.size() % 60, 1 + bytes.size() % 9};
  editor.start();
  KeyDecoder decoder;
  for (const char byte : bytes) {
    const std::optional<Key> key = decoder.feed(static_cast<unsigned char>(byte));
    if (!key) continue;
    const LineEditor::Event event = editor.press(*key);
    fuzz::require(editor.cursor() <= editor.text().size(), "the cursor stands in the text");
    screen.draw(editor, size);
    if (event != LineEditor::Event::accepted) continue;
    history.add(utf8_of(editor.text()));
    screen.finish(editor, size);
    editor.start();
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest = fuzz::text_of(data, size);
  griddle::Interpreter bqn(fuzz::limited());
  press(rest);
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    look_at_line(bqn, line);
    std::string told;
    if (line.size() < 200) bqn.explain(line, told);
  }
  return 0;
}
