#include "repl/completion.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace griddle::repl;

TEST_CASE("names are completed by any spelling, and fields by their roles") {
  griddle::Interpreter bqn;
  REQUIRE(bqn.eval_in_session("some_name←{a⇐1⋄Go⇐{𝕩}}⋄other←2"));
  CHECK(completions_of(bqn, U"1+somen").choices == std::vector<std::u32string>{U"some_name"});
  CHECK(completions_of(bqn, U"some_name.").choices == std::vector<std::u32string>{U"Go", U"a"});
  CHECK(completions_of(bqn, U"•pars").choices == std::vector<std::u32string>{U"•ParseFloat"});
  CHECK(completions_of(bqn, U"•file.createDi").choices == std::vector<std::u32string>{U"CreateDir"});
  CHECK(completions_of(bqn, U"nothing.").choices.empty());
  CHECK(completions_of(bqn, U"1+").choices.empty());
}

TEST_CASE("fields of expressions are completed where nothing runs for that") {
  griddle::Interpreter bqn;
  REQUIRE(bqn.eval_in_session("list←⟨{one⇐1},{two⇐2}⟩ ⋄ count←0 ⋄ Make←{𝕊: count+↩1 ⋄ {made⇐1}}"));
  CHECK(completions_of(bqn, U"(1⊑list).").choices == std::vector<std::u32string>{U"two"});
  CHECK(completions_of(bqn, U"1+(⊑⌽list).t").choices == std::vector<std::u32string>{U"two"});
  CHECK(completions_of(bqn, U"({a⇐1 ⋄ Bc⇐2}).b").choices == std::vector<std::u32string>{U"Bc"});
  CHECK(completions_of(bqn, U"(Make @).").choices.empty());
  CHECK(completions_of(bqn, U"(list↩1).").choices.empty());
  CHECK(bqn.eval_in_session("count")->number() == 0);
}

TEST_CASE("names of the text itself are completed, and each says what it is") {
  griddle::Interpreter bqn;
  REQUIRE(bqn.eval_in_session("value_a←5 ⋄ ValueB←{𝕩}"));
  const Completions found = completions_of(bqn, U"valueC←{value_x: 1} ⋄ val");
  CHECK(found.replaced == 3);
  CHECK(found.choices == std::vector<std::u32string>{U"ValueB", U"valueC", U"value_a", U"value_x"});
  CHECK(found.notes == std::vector<std::string>{"function", "value, in this text", "number 5", "value, in this text"});
}

TEST_CASE("system values are completed with what they are and do") {
  griddle::Interpreter bqn;
  const Completions found = completions_of(bqn, U"•hashm");
  REQUIRE(found.choices == std::vector<std::u32string>{U"•HashMap"});
  CHECK(found.notes[0].starts_with("function: "));
  CHECK(completions_of(bqn, U"•file").notes == std::vector<std::string>{"value"});
}

TEST_CASE("commands are completed with what they do, and what follows them") {
  griddle::Interpreter bqn;
  REQUIRE(bqn.eval_in_session("some←1"));
  const Completions found = completions_of(bqn, U")ex");
  CHECK(std::find(found.choices.begin(), found.choices.end(), U"exit") != found.choices.end());
  CHECK(found.choices.size() == found.notes.size());
  CHECK(completions_of(bqn, U")time 1+so").choices == std::vector<std::u32string>{U"some"});
  CHECK(completions_of(bqn, U")ex /de").choices == std::vector<std::u32string>{U"dev/"});
  CHECK(completions_of(bqn, U"•Import \"/dev/nul").choices == std::vector<std::u32string>{U"null"});
}
