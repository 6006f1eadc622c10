#include "repl/completion.h"

#include <doctest/doctest.h>

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
