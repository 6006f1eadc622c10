#include "runtime/source/tokenizer.h"

#include <doctest/doctest.h>

#include <vector>

#include "tests/support/tree_text.h"

using namespace griddle;
using namespace griddle::testing;

TEST_CASE("what is wrong with a bracket names the bracket that is open, too") {
  const auto related = [](std::string text) {
    const SourceText source(std::move(text), "");
    Arena arena;
    SymbolTable symbols(arena);
    Tokenizer tokenizer(source, symbols);
    try {
      while (tokenizer.next_statement()) continue;
    } catch (const SyntaxError& e) {
      return source.text.substr(e.related.start, e.related.end - e.related.start) +
             source.text.substr(e.span.start, e.span.end - e.span.start);
    }
    return std::string("no error");
  };
  CHECK(related("{(1+2]}") == "(]");
  CHECK(related("⟨1,\n2)") == "⟨)");
  CHECK(related("1+(2,3)") == "(,");
  CHECK(related("(2\n)") == "(\n");
  CHECK(related("1)") == ")");
  CHECK(related("(1)") == "no error");
}

TEST_CASE("tokens that are none end in an error at their place") {
  check_parsed({
      {".5", "! Malformed number (.5) @ .5"},
      {"1e+3", "! Malformed number (1e) @ 1e"},
      {"2π", "! Malformed number (2π) @ 2π"},
      {"¯ 5", "! Malformed number (¯) @ ¯"},
      {"_9", "! A name must begin with a letter after its underscores (found _9) @ _9"},
      {"a𝕣", "! 𝕣 may only stand as 𝕣, _𝕣 or _𝕣_ (found a𝕣) @ a𝕣"},
      {"⟨1;2⟩", "! Only a block may hold ; (found outside of braces) @ ;"},
      {"(1", "! Unclosed bracket @ ("},
      {"1)", "! Closing bracket without an opening one @ )"},
      {"(1]", "! Closing bracket does not match the opening one @ ]"},
      {"\"abc", "! Unclosed string @ \""},
      {"'ab'", "! Expected ' after one character @ 'a"},
      {"1$", "! Unknown character: '$' @ $"},
      {"\xEF\xBB\xBF"
       "1",
       "! Unknown character: U+FEFF @ \xEF\xBB\xBF"},
      {"1\xC2\xA0"
       "2",
       "! Unknown character: U+00A0 @ \xC2\xA0"},
      {"\xFF", "! Invalid UTF-8 @ \xFF"},
      {"\"a\xC0\x80\"", "! Invalid UTF-8 in a string @ \xC0"},
      {"•", "! Expected the name of a system value after • (found •) @ •"},
  });
}

TEST_CASE("a statement is read at a time, with the kind, the role and the place of each token") {
  const SourceText source("Ab_c ← 1.5‿'x' # end\n+´\"s\"", "test");
  Arena arena;
  SymbolTable symbols(arena);
  Tokenizer tokens(source, symbols);
  REQUIRE(tokens.next_statement());
  REQUIRE(tokens.tokens.size() >= 5);
  CHECK(tokens.tokens[0].kind == TokenKind::name);
  CHECK(tokens.tokens[0].role == Role::function);
  CHECK(tokens.tokens[0].end == 4);
  CHECK(tokens.tokens[1].kind == TokenKind::define);
  CHECK(tokens.tokens[2].kind == TokenKind::number);
  CHECK(tokens.numbers == std::vector<double>{1.5});
  CHECK(tokens.tokens[3].kind == TokenKind::strand);
  CHECK(tokens.tokens[4].kind == TokenKind::character);
  REQUIRE(tokens.next_statement());
  CHECK(tokens.tokens[0].kind == TokenKind::primitive);
  CHECK(tokens.tokens[1].role == Role::modifier1);
  CHECK(tokens.tokens[2].kind == TokenKind::string);
  CHECK(!tokens.next_statement());
}
