#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "repl/commands.h"
#include "repl/completion.h"
#include "repl/glyph_keys.h"
#include "repl/highlight.h"
#include "repl/line_editor.h"
#include "repl/screen.h"
#include "repl/session.h"
#include "repl/text.h"

using namespace griddle::repl;
using Event = LineEditor::Event;

namespace {

// An editor with a history, and keys typed into it as a terminal sends them. The cursor is shown as |.
struct Typing {
  History history;
  KeyDecoder decoder;
  LineEditor editor{history, {is_unfinished, [](std::u32string_view before) {
                                Completions found{before.ends_with(U"so") ? 2u : 0u, {}};
                                if (found.replaced) found.choices = {U"sort", U"sortDown"};
                                return found;
                              }}};
  Event event = Event::none;

  explicit Typing(const std::vector<std::string>& entries = {}) {
    for (const std::string& entry : entries) history.add(entry);
    editor.start();
  }
  Typing& operator<<(std::string_view bytes) {
    for (char byte : bytes)
      if (std::optional<Key> key = decoder.feed(static_cast<unsigned char>(byte))) event = editor.press(*key);
    return *this;
  }
  std::string shown() const {
    std::u32string text = editor.text();
    return utf8_of(text.insert(editor.cursor(), U"|"));
  }
};

std::string typed(std::string_view bytes) { return (Typing() << bytes).shown(); }

}  // namespace

TEST_CASE("a backslash and a key type a glyph") {
  CHECK(typed("\\+\\5\\d9") == "⋆´↕9|");
  CHECK(typed("\\x\\ \\\\a\\\\") == "𝕩‿\\a\\|");
  CHECK(typed("\\y") == "\\y|");
  CHECK(typed("\\\x1b[Dx") == "x|\\");
  CHECK(glyph_of_key(U'7') == 0);
  CHECK(glyph_keyboard().find("⌽  𝕨  ∊") != std::string::npos);
}

TEST_CASE("keys move and erase by characters, words and rows") {
  CHECK(typed("aé𝕩\x1b[D\x1b[D") == "a|é𝕩");
  CHECK(typed("abc\x7F") == "ab|");
  CHECK(typed("abc\x01\x04") == "|bc");
  CHECK(typed("abc\x01\x1b[3~\x05") == "bc|");
  CHECK(typed("one+two_x\x1b[1;5D") == "one+|two_x");
  CHECK(typed("one+two\x1b"
              "b\x1b"
              "b\x1b"
              "f") == "one|+two");
  CHECK(typed("one+two\x17") == "one+|");
  CHECK(typed("one+two\x01\x0B\x19\x19") == "one+twoone+two|");
  CHECK(typed("one+two\x15") == "|");
  CHECK(typed("ab\x14") == "ba|");
  CHECK(typed("ab\x14\x1F\x1F") == "a|");
  CHECK(typed("a\x1b[9;9Qb\x1bOCc") == "abc|");
  CHECK(typed("a\xC3(") == "a(|");
}

TEST_CASE("an open bracket goes on in the next row") {
  Typing typing;
  typing << "{\r"
         << "1}";
  CHECK(typing.shown() == "{\n1}|");
  CHECK((typing << "\x1b[A").shown() == "{|\n1}");
  CHECK((typing << "\x1b[B\x01").shown() == "{\n|1}");
  CHECK((typing << "\r").event == Event::accepted);
  CHECK((Typing() << "{\r\r").event == Event::accepted);
  CHECK(typed("1\x1b\r2") == "1\n2|");
}

TEST_CASE("pasted rows wait for a key") {
  Typing typing;
  typing << "\x1b[200~a←\\\\5\rb\x1b[201~";
  CHECK(typing.shown() == "a←\\\\5\nb|");
  CHECK(typing.event == Event::none);
}

TEST_CASE("keys end a text") {
  CHECK((Typing() << "\x04").event == Event::ended);
  CHECK((Typing() << "ab\x03").event == Event::cancelled);
  CHECK((Typing() << "\x0C").event == Event::clear_screen);
  CHECK((Typing() << "1+\r").event == Event::accepted);
}

TEST_CASE("arrows bring back entries that begin alike") {
  Typing typing({"a←1", "b←2", "a+b"});
  CHECK((typing << "\x1b[A").shown() == "a+b|");
  CHECK((typing << "\x1b[A").shown() == "b←2|");
  CHECK((typing << "\x1b[B\x1b[B").shown() == "|");
  CHECK((typing << "a\x1b[A\x1b[A").shown() == "a←1|");
  CHECK((typing << "\x1b[A\x1b[B\x1b[B").shown() == "a|");
}

TEST_CASE("a search finds what holds a text, latest first") {
  Typing typing({"x←↕9", "+´x", "⌽x"});
  typing << "\x12x";
  CHECK(typing.shown() == "⌽|x");
  CHECK((typing << "\x12").shown() == "+´|x");
  CHECK((typing << "\x07").shown() == "|");
  typing << "\x12\\d";
  CHECK(typing.shown() == "x←|↕9");
  CHECK((typing << "\r").event == Event::accepted);
}

TEST_CASE("Tab completes as far as all choices agree, then shows them") {
  Typing typing;
  CHECK((typing << "+so\t").shown() == "+sort|");
  Typing twice;
  twice << "so\t\x7F\x7F\t\t";
  CHECK(twice.shown() == "sort|");
  CHECK(typed("\t1") == "  1|");
  LineEditor& editor = typing.editor;
  editor.start();
  typing << "so";
  CHECK(editor.choices().empty());
}

TEST_CASE("names are completed by any spelling, and fields by their roles") {
  griddle::Interpreter bqn;
  REQUIRE(bqn.eval_in_session("some_name←{a⇐1⋄Go⇐{𝕩}}⋄other←2"));
  CHECK(completions_of(bqn, U"1+somen").choices == std::vector<std::u32string>{U"some_name"});
  CHECK(completions_of(bqn, U"some_name.").choices == std::vector<std::u32string>{U"Go", U"a"});
  CHECK(completions_of(bqn, U"•pars").choices == std::vector<std::u32string>{U"•ParseFloat"});
  CHECK(completions_of(bqn, U"•file.createDi").choices == std::vector<std::u32string>{U"CreateDir"});
  CHECK(completions_of(bqn, U"nothing.").choices.empty());
  CHECK(completions_of(bqn, U"1+").choices.empty());
}

TEST_CASE("the history is kept in a file, with entries of several rows") {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / ("griddle history " + std::to_string(getpid()));
  const std::string path = folder / "deep" / "history";
  {
    History history(path);
    history.add("a←\"\\n\"\nb");
    history.add("2");
    history.add("2");
    history.add("  ");
  }
  CHECK(History(path).entries() == std::vector<std::string>{"a←\"\\n\"\nb", "2"});
  std::filesystem::remove_all(folder);
}

TEST_CASE("long rows are broken at the edge of the terminal") {
  Typing typing;
  typing << "12345";
  Screen screen(false);
  CHECK(screen.draw(typing.editor, 8) == "\r\x1b[J   12345\r\n\r");
  CHECK(screen.draw(typing.editor, 7) == "\x1b[1A\r\x1b[J   1234\r\n5\r\x1b[1C");
  typing << "\x01";
  CHECK(screen.draw(typing.editor, 7) == "\x1b[1A\r\x1b[J   1234\r\n5\x1b[1A\r\x1b[3C");
  CHECK(screen.finish(typing.editor, 80) == "\r\x1b[J   12345\r\n");
}

TEST_CASE("text is coloured by role") {
  const auto first = [](std::u32string_view text) { return colours_of(text)[0]; };
  CHECK(first(U"+") == Colour::function);
  CHECK(first(U"•Show") == Colour::function);
  CHECK(first(U"•_timed") == Colour::modifier1);
  CHECK(first(U"_x_") == Colour::modifier2);
  CHECK(first(U"¯1.5") == Colour::number);
  CHECK(first(U"name") == Colour::plain);
  CHECK(first(U"'#'") == Colour::text);
  CHECK(colours_of(U"\"a#\"#b")[4] == Colour::comment);
  CHECK(colours_of(U"1.5+")[1] == Colour::number);
}

TEST_CASE("invalid bytes become replacement characters, and text comes back as it was") {
  CHECK(utf8_of(code_points_of("aé∾𝕩")) == "aé∾𝕩");
  CHECK(code_points_of("a\xFF\xC3") == U"a\uFFFD\uFFFD");
  CHECK(columns_of(U'漢') == 2);
  CHECK(columns_of(0x301) == 0);
  CHECK(columns_of(U'𝕩') == 1);
}
