#include "repl/line_editor.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/support/typing.h"

using namespace griddle::testing;

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
  CHECK((typing << "\x1bOP").event == Event::describe);
  editor.show(U"sorts");
  CHECK(editor.choices() == std::vector<std::u32string>{U"sorts"});
  editor.start();
  typing << "so";
  CHECK(editor.choices().empty());
}
