#include "repl/editor/vi_keys.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include "tests/support/typing.h"

using namespace griddle::testing;

namespace {

// Types keys; ~ stands for Escape, which the decoder gives where nothing follows it.
std::string typed_in_vi(std::string_view keys, const std::vector<std::string>& entries = {}) {
  Typing typing(entries, true);
  for (const char key : keys)
    if (key == '~')
      typing.editor.press({Key::Kind::escape});
    else
      typing << std::string(1, key);
  return typing.shown();
}

}  // namespace

TEST_CASE("letters move as in vi once Escape was typed") {
  CHECK(typed_in_vi("one+two") == "one+two|");
  CHECK(typed_in_vi("one+two~") == "one+tw|o");
  CHECK(typed_in_vi("one+two~hh") == "one+|two");
  CHECK(typed_in_vi("one+two~b") == "one+|two");
  CHECK(typed_in_vi("one+two~bb") == "one|+two");
  CHECK(typed_in_vi("one+two~0") == "|one+two");
  CHECK(typed_in_vi("  one~^") == "  |one");
  CHECK(typed_in_vi("one two~0w") == "one |two");
  CHECK(typed_in_vi("one two~0e") == "on|e two");
  CHECK(typed_in_vi("one two~03l") == "one| two");
  CHECK(typed_in_vi("one~0$") == "one|");
}

TEST_CASE("letters change the text as in vi") {
  CHECK(typed_in_vi("one~0x") == "|ne");
  CHECK(typed_in_vi("one~02x") == "|e");
  CHECK(typed_in_vi("one two~0dw") == "|two");
  CHECK(typed_in_vi("one two~0cwx") == "x| two");
  CHECK(typed_in_vi("a b c~02cwx") == "x| c");
  CHECK(typed_in_vi("one two~0wD") == "one |");
  CHECK(typed_in_vi("one two~0wCx") == "one x|");
  CHECK(typed_in_vi("one two~dd") == "|");
  CHECK(typed_in_vi("one~0ix") == "x|one");
  CHECK(typed_in_vi("one~0ax") == "ox|ne");
  CHECK(typed_in_vi("one~0Ax") == "onex|");
  CHECK(typed_in_vi("one~Ix") == "x|one");
  CHECK(typed_in_vi("ab~0xp") == "b|a");
  CHECK(typed_in_vi("one ~0yw$p") == "one one| ");
  CHECK(typed_in_vi("one~0xxuu") == "|one");
  CHECK(typed_in_vi("one~0rx") == "|xne");
  CHECK(typed_in_vi("abc~X") == "a|c");
}

TEST_CASE("a change is done again, typing and all") {
  CHECK(typed_in_vi("abcd~0x..") == "|d");
  CHECK(typed_in_vi("a b c~0cwxy~w.") == "xy x|y c");
  CHECK(typed_in_vi("a~Ab~.") == "ab|b");
  CHECK(typed_in_vi("a b c~0dw.") == "|c");
  CHECK(typed_in_vi("abc~0r.l.") == ".|.c");
  CHECK(typed_in_vi("abcdef~0x2.x.") == "|f");
}

TEST_CASE("the history is reached by letters") {
  CHECK(typed_in_vi("~k", {"1", "2"}) == "2|");
  CHECK(typed_in_vi("~kkj", {"1", "2"}) == "2|");
  CHECK(typed_in_vi("~/1", {"x1", "2"}) == "x|1");
  CHECK(typed_in_vi("~kx", {"1", "23"}) == "23|");
}

TEST_CASE("an Escape right before a letter is no key with Alt") {
  Typing typing({}, true);
  typing << "one\x1b"
         << "0x";
  CHECK(typing.shown() == "|ne");
}
