#include "repl/server/spelling.h"

#include <doctest/doctest.h>

using namespace griddle;
using namespace griddle::repl;

TEST_CASE("a name is what the tokenizer reads as one") {
  Interpreter bqn;
  for (const char* name : {"a1_", "_A_", "É", "foo_bar"}) CHECK(is_name(bqn, name));
  for (const char* text : {"1a", "_", "", "a b", "a.b", "•a", "a#b", "𝕩", "+"}) CHECK(!is_name(bqn, text));
}

TEST_CASE("edits are made in order") {
  CHECK(edited("abcdef", {{{0, 1}, "xx"}, {{2, 2}, "y"}, {{4, 6}, ""}}) == "xxbycd");
  CHECK(edited("", {}).empty());
}

TEST_CASE("a name is renamed where that changes no meaning") {
  Interpreter bqn;
  const auto renamed = [&](const std::string& text, const char* name) {
    std::string problem;
    const SourceReading reading = read_source(bqn, text);
    const std::vector<TextEdit> edits = rename_edits(bqn, text, reading, 0, name, false, problem);
    CHECK((problem.empty() || edits.empty()));
    return problem.empty() ? edited(text, edits) : "!" + problem.substr(0, problem.find(' '));
  };
  CHECK(renamed("F←{𝕩+1} ⋄ f‿F 2", "addOne") == "!It");
  CHECK(renamed("F←{𝕩+1} ⋄ ⟨f⟩∾⟨F 2⟩", "addOne") == "AddOne←{𝕩+1} ⋄ ⟨addOne⟩∾⟨AddOne 2⟩");
  CHECK(renamed("a←1 ⋄ f←{a←2 ⋄ a} ⋄ a", "b") == "b←1 ⋄ f←{a←2 ⋄ a} ⋄ b");
  CHECK(renamed("a←1 ⋄ f←{b←2 ⋄ a}", "b") == "!Another");
  CHECK(renamed("a⇐1", "b") == "!The");
  CHECK(renamed("a⇐1 ⋄ A_", "a") == "a⇐1 ⋄ A");
  CHECK(renamed("a←1", "π") == "!A");
  CHECK(renamed("a←1 ⋄ n←{a⇐2} ⋄ n.a+a", "b") == "b←1 ⋄ n←{a⇐2} ⋄ n.a+b");
}

TEST_CASE("uses are spelled as the definition, and nothing else is touched") {
  Interpreter bqn;
  const auto spelled_in = [&](const std::string& text) {
    return edited(text, spelling_edits(bqn, text, read_source(bqn, text)));
  };
  CHECK(spelled_in("aB←1  ⋄  ab + a_b # ab") == "aB←1  ⋄  aB + aB # ab");
  CHECK(spelled_in("_Mod_←{𝔽𝔾𝕩} ⋄ -_mod_- 1") == "_Mod_←{𝔽𝔾𝕩} ⋄ -_Mod_- 1");
  CHECK(spelled_in("•OUT •fMT 1") == "•Out •fmt 1");
  CHECK(spelled_in("•nosuch 1") == "•nosuch 1");
  CHECK(spelled_in("a←1 2 ⋄ A") == "a←1 2 ⋄ A");
}
