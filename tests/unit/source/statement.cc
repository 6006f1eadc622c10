#include "runtime/source/parser.h"

#include <doctest/doctest.h>

#include <random>
#include <string>
#include <utility>

#include "tests/support/tree_text.h"

using namespace griddle;
using namespace griddle::testing;

TEST_CASE("Deep nesting ends in an error") {
  const int depth = 100'000;
  const auto repeated = [](const char* text) {
    std::string result;
    for (int i = 0; i < depth; i++) result += text;
    return result;
  };
  for (const auto& brackets : {std::pair{"(", ")"}, {"⟨", "⟩"}, {"[", "]"}, {"{", "}"}, {"{𝕩:", "}"}, {"(a-", "↩)"}}) {
    const auto& open = brackets.first;
    const auto& close = brackets.second;
    CAPTURE(open);
    CHECK(parsed(repeated(open) + "1" + repeated(close)).substr(0, 18) == "! Nesting too deep");
    CHECK(parsed(repeated(open)).substr(0, 3) == "! U");
  }
  CHECK(parsed(repeated("⟨") + "a" + repeated("⟩") + "←1").substr(0, 18) == "! Nesting too deep");
  Arena arena;
  for (const char* chain : {"-", "1-", "-∘", "·-"}) parse(SourceText(repeated(chain) + (chain[1] ? "-1" : "1"), "test"), arena);
  for (const char* end : {"¨", "∘-", "×÷", "‿1", ".a"})
    parse(SourceText("a←1⋄" + std::string(end[0] == '.' ? "a" : "-") + repeated(end), "test"), arena);
}

TEST_CASE("Damaged programs end in an error or a tree") {
  std::mt19937 random(1);
  const std::string_view pieces[] = {"+", "¨",  "∘",   "𝕩", "𝕨",  "𝔽", "𝕣", "←",  "↩", "⇐",    "(", ")", "{",
                                     "}", "⟨",  "⟩",   "[", "]",  "‿", "·", ".",  "⋄", ";",    ":", "?", "a",
                                     "B", "_m", "_c_", "1", "\"", "'", "#", "\n", " ", "\xE2", "⁼", "˜"};
  for (int i = 0; i < 20'000; i++) {
    std::string program;
    const std::size_t length = random() % 20;
    for (std::size_t j = 0; j < length; j++) program += pieces[random() % std::size(pieces)];
    CAPTURE(program);
    parsed(program);
  }
}
