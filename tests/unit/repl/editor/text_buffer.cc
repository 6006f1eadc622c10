#include "repl/editor/text_buffer.h"

#include <doctest/doctest.h>

#include <string>

using griddle::repl::TextBuffer;

TEST_CASE("changes are undone and made again one by one, with the cursor where it was") {
  TextBuffer buffer;
  buffer.replace(0, 0, U"one two");
  buffer.move_to(3);
  buffer.replace(0, 3, U"1");
  CHECK(buffer.text() == U"1 two");
  CHECK(buffer.cursor() == 1);
  buffer.undo();
  CHECK(buffer.text() == U"one two");
  CHECK(buffer.cursor() == 3);
  buffer.undo();
  buffer.undo();
  CHECK(buffer.text().empty());
  buffer.redo();
  buffer.redo();
  buffer.redo();
  CHECK(buffer.text() == U"1 two");
  buffer.undo();
  buffer.replace(0, 0, U"x");
  buffer.redo();
  CHECK(buffer.text() == U"xone two");
}

TEST_CASE("what goes on is one change with what it follows, and a forgotten change is gone") {
  TextBuffer buffer;
  for (const char32_t c : std::u32string(U"abc")) buffer.replace(buffer.cursor(), buffer.cursor(), {&c, 1}, true);
  buffer.move_to(1);
  buffer.replace(1, 1, U"x", true);
  buffer.undo();
  CHECK(buffer.text() == U"abc");
  buffer.undo();
  CHECK(buffer.text().empty());
  buffer.redo();
  buffer.replace(0, 1, U"");
  buffer.forget_last();
  CHECK(buffer.text() == U"abc");
  buffer.redo();
  CHECK(buffer.text() == U"abc");
}

TEST_CASE("the first place that changed is told once") {
  TextBuffer buffer;
  buffer.replace(0, 0, U"abcdef");
  CHECK(buffer.take_first_change() == 0);
  CHECK(buffer.take_first_change() == std::u32string::npos);
  buffer.replace(5, 6, U"");
  buffer.replace(2, 3, U"xy");
  CHECK(buffer.take_first_change() == 2);
}
