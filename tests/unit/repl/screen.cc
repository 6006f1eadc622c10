#include "repl/screen.h"

#include <doctest/doctest.h>

#include "tests/support/typing.h"

using namespace griddle::testing;

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
