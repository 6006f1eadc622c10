#include <doctest/doctest.h>

#include <string>

#include "runtime/api/griddle.hpp"

using griddle::Entered;
using griddle::Interpreter;

TEST_CASE("an entry tells what it defines, also where it fails") {
  Interpreter bqn;
  Entered entered;
  CHECK(bqn.enter("a←5 ⋄ F←{𝕩+a}", entered)->is_function());
  CHECK(entered.ends_in_assignment);
  REQUIRE(entered.definitions.size() == 2);
  CHECK(entered.definitions[1] == std::pair<std::string, std::string>("F", "F←{𝕩+a}"));
  CHECK(bqn.session_value("a").number() == 5);
  CHECK(bqn.session_value("_A").number() == 5);
  CHECK(!bqn.session_value("nothing").has_value());
  Entered failed;
  CHECK(!bqn.enter("b←1 ⋄ !0", failed));
  CHECK(failed.definitions.size() == 1);
  CHECK(bqn.session_value("b").number() == 1);
  // A name that was defined, and never given a value.
  Entered never;
  CHECK(!bqn.enter("!0 ⋄ c←1", never));
  CHECK(!bqn.session_value("c").has_value());
}

TEST_CASE("instructions are shown without being run") {
  Interpreter bqn;
  std::string text;
  CHECK(bqn.bytecode("•Exit 3", text));
  CHECK(text.find("call1") != std::string::npos);
  CHECK(!bqn.bytecode("1+", text));
}

TEST_CASE("memory is told, and its peak forgotten") {
  Interpreter bqn;
  REQUIRE(bqn.eval("+´(1e7⥊0.5)+1e7⥊1.5"));
  const std::size_t peak = bqn.memory().peak;
  CHECK(peak >= 80'000'000);
  bqn.forget_peak();
  CHECK(bqn.memory().peak == bqn.memory().in_use);
  CHECK(bqn.memory().peak < peak);
  CHECK(bqn.memory().limit == 0);
}
