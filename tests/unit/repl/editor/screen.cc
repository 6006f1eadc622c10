#include "repl/editor/screen.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/support/typing.h"

using namespace griddle::testing;

TEST_CASE("long rows are broken at the edge of the terminal") {
  Typing typing;
  typing << "12345";
  Screen screen(false);
  screen.start();
  CHECK(screen.draw(typing.editor, {8, 5}) == "\r\x1b[K   12345\r\n\x1b[K\r");
  CHECK(screen.draw_all(typing.editor, {7, 5}) == "\x1b[1A\r\x1b[J\r\x1b[K   1234\r\n\x1b[K5\r\x1b[1C");
  CHECK(screen.finish(typing.editor, {7, 5}) == "\r\x1b[1C\r\r\n");
}

TEST_CASE("only rows that changed are drawn") {
  Typing typing;
  typing << "ab\x1b\r"
         << "cd\x1b\r"
         << "ef";
  Screen screen(false);
  screen.start();
  CHECK(screen.draw(typing.editor, {20, 5}) == "\r\x1b[K   ab\r\n\x1b[K   cd\r\n\x1b[K   ef\r\x1b[5C");
  typing << "\x1b[Ax";
  CHECK(screen.draw(typing.editor, {20, 5}) == "\x1b[1A\r\x1b[K   cdx\r\x1b[6C");
  typing << "\x01\x1b[3~\x1b[3~\x1b[3~\x1b[3~";
  CHECK(screen.draw(typing.editor, {20, 5}) == "\r\x1b[K   ef\x1b[1B\r\x1b[J\x1b[1A\r\x1b[3C");
}

TEST_CASE("a text that is taller than the window scrolls in it, and is written whole at the end") {
  Typing typing;
  typing << "1\x1b\r"
         << "2\x1b\r"
         << "3\x1b\r"
         << "4";
  Screen screen(false);
  screen.start();
  CHECK(screen.draw(typing.editor, {20, 2}) == "\r\x1b[K   3\r\n\x1b[K   4\r\x1b[4C");
  typing << "\x1b[A\x1b[A";
  CHECK(screen.draw(typing.editor, {20, 2}) == "\x1b[1A\r\x1b[K   2\x1b[1B\r\x1b[K   3\x1b[1A\r\x1b[4C");
  CHECK(screen.finish(typing.editor, {20, 2}) == "\r\x1b[4C\r\x1b[J   1\r\n   2\r\n   3\r\n   4\r\n");
}

TEST_CASE("the middle of a very long text is not written for good") {
  Typing typing;
  for (int i = 0; i < 3000; i++) typing << "1\x1b\r";
  Screen screen(false);
  screen.start();
  screen.draw(typing.editor, {20, 5});
  const std::string bytes = screen.finish(typing.editor, {20, 5});
  CHECK(bytes.find("… 2001 rows …\r\n") != bytes.npos);
}
