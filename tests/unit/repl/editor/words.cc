#include "repl/editor/words.h"

#include <doctest/doctest.h>

using namespace griddle::repl;

TEST_CASE("runs of glyphs are words, and single ones only part words") {
  constexpr std::u32string_view text = U"one+two ⊑∘⍋ x";
  CHECK(word_left(text, text.size()) == 12);
  CHECK(word_left(text, 12) == 8);
  CHECK(word_left(text, 8) == 4);
  CHECK(word_left(text, 4) == 0);
  CHECK(word_left(text, 0) == 0);
  CHECK(word_right(text, 0) == 3);
  CHECK(word_right(text, 3) == 7);
  CHECK(word_right(text, 7) == 11);
  CHECK(word_right(text, 11) == 13);
  CHECK(word_right(text, 13) == 13);
}

TEST_CASE("the last argument is a name, a literal, or what stands in brackets") {
  CHECK(last_argument(U"F long_name") == U"long_name");
  CHECK(last_argument(U"x←+´ ⟨1,⟨2⟩⟩") == U"⟨1,⟨2⟩⟩");
  CHECK(last_argument(U"•Show \"a b\" # x") == U"\"a b\"");
  CHECK(last_argument(U"1.5") == U"1.5");
  CHECK(last_argument(U"+´") == U"");
  CHECK(last_argument(U")") == U"");
}
