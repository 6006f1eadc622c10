#include "repl/completing/text_names.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace griddle::repl;
using Names = std::vector<std::u32string>;

TEST_CASE("a text defines the names before its arrows and in its headers") {
  CHECK(names_defined_in(U"ab←1 ⋄ F⇐{x y: ab↩2}") == Names{U"ab", U"F", U"x", U"y"});
  CHECK(names_defined_in(U"a‿b←1‿2 ⋄ ⟨c,d⟩←3‿4") == Names{U"a", U"b", U"c", U"d"});
  CHECK(names_defined_in(U"a+b # c←1\n\"d←\"") == Names{});
}

TEST_CASE("the string that is open at the end is found") {
  CHECK(open_string(U"a∾\"bc") == 3);
  CHECK(open_string(U"\"") == 1);
  CHECK(!open_string(U"\"abc\""));
  CHECK(!open_string(U"'\"'"));
  CHECK(open_string(U"\"a\"\"b") == 4);
  CHECK(!open_string(U"# \"abc"));
}

TEST_CASE("an expression in parentheses is found, and what calls nothing told from what does") {
  CHECK(parentheses_before(U"1+(a⊑(b))") == 2);
  CHECK(!parentheses_before(U"(a)b"));
  CHECK(!parentheses_before(U"a)"));
  CHECK(!parentheses_before(U"\"(a)"));
  CHECK(only_picks(U"(1⊑list)"));
  CHECK(only_picks(U"(⊑⟨a.b, \"c\"⟩)"));
  CHECK(!only_picks(U"(F a)"));
  CHECK(!only_picks(U"(a↩1)"));
  CHECK(!only_picks(U"(•Exit 1)"));
  CHECK(!only_picks(U"({a⇐1})"));
  CHECK(!only_picks(U"(a•_timed b)"));
  CHECK(!only_picks(U"(1•Exit 2)"));
}

TEST_CASE("the fields of a block are read from its text") {
  CHECK(fields_written_in(U"({a⇐1 ⋄ B⇐{c⇐2} ⋄ d←3})") == Names{U"a", U"B"});
  CHECK(fields_written_in(U"(F {a⇐1})") == Names{});
}
