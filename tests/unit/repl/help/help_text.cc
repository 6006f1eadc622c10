#include "repl/help/help_text.h"

#include <doctest/doctest.h>

using namespace griddle::repl;

TEST_CASE("marks within a line are taken off") {
  CHECK(plain_line("`⍷𝕩` and ``+` ``, **all** of [it](page.md#x), not \\| `a*b` [open") ==
        "⍷𝕩 and +` , all of it, not | a*b [open");
  CHECK(plain_line("`open") == "open");
  CHECK(plain_line("") == "");
}

TEST_CASE("an example looks as in a session") {
  CHECK(plain_text("```bqn\n▸ 1+1\n2\n▸ !0\n! must be 1\n```\n", 80) == "   1+1\n2\n   !0\nError: … must be 1\n");
}

TEST_CASE("sentences and items are broken at the terminal's edge") {
  CHECK(plain_text("one two\nthree\n\nfour", 9) == "one two\nthree\n\nfour\n");
  CHECK(plain_text("- `a`: one two three\n- b\n", 12) == "a: one two\n  three\nb\n");
  CHECK(plain_text("漢漢 漢漢", 8) == "漢漢\n漢漢\n");
  CHECK(plain_text("\n\n", 80) == "");
}

TEST_CASE("a table keeps its columns") {
  CHECK(plain_text("| a | what |\n| --- | --- |\n| `x\\|y` | one |\n|  | two |\n", 80) ==
        "  a    what\n  x|y  one\n       two\n");
  const std::string narrow = plain_text("| a | one two three four five six seven |\n", 25);
  CHECK(narrow == "  a  one two three four\n     five six seven\n");
}
