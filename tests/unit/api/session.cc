#include "runtime/api/griddle.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using griddle::Any;
using griddle::Entered;
using griddle::Failure;
using griddle::Interpreter;
using griddle::Kind;
using griddle::Result;

TEST_CASE("a session keeps its names and outlives errors") {
  Interpreter bqn;
  CHECK(bqn.eval_in_session("a←5")->number() == 5);
  CHECK(!bqn.eval_in_session("a+b"));
  CHECK(bqn.eval_in_session("b←a+1")->number() == 6);
  CHECK(bqn.eval_in_session("a←\"new\"")->text() == "new");
  CHECK(bqn.eval_in_session("F←{b+𝕩} ⋄ b↩10 ⋄ F 1")->number() == 11);
  CHECK(!bqn.eval("a"));
}

TEST_CASE("the host gives names of the session values") {
  Interpreter bqn;
  REQUIRE(bqn.define("some_data", bqn.list({3, 4})));
  CHECK(bqn.eval_in_session("+´someData")->number() == 7);
  REQUIRE(bqn.define("someData", bqn.text("abc")));
  CHECK(bqn.eval_in_session("⌽some_data")->text() == "cba");
  REQUIRE(bqn.define("Double", *bqn.eval("{2×𝕩}")));
  CHECK(bqn.eval_in_session("Double 4")->number() == 8);
  REQUIRE(bqn.define("Double", bqn.function("Triple", [&](const Any*, const Any& x) { return bqn.number(3 * x.number()); })));
  CHECK(bqn.eval_in_session("Double¨ 4‿5")->numbers() == std::vector<double>{12, 15});
  REQUIRE(bqn.define("_each", *bqn.eval("⊑⟨¨⟩")));
  CHECK(bqn.eval_in_session("⌽_each \"ab\"‿\"cd\"")->format() == "⟨ \"ba\" \"dc\" ⟩");
  CHECK(bqn.session_names() == std::vector<std::string>{"some_data", "Double", "_each"});
  for (const char* name : {"", "_", "__", "1a", "a b", "a←5⋄b", "⋆", "a.b", "𝕩", "•Out", "a\nb"})
    CHECK(!bqn.define(name, bqn.number(1)));
  CHECK(!bqn.define("nothing", Any()));
  CHECK(bqn.eval_in_session("some_data")->text() == "abc");
}

TEST_CASE("a name gets its value where nothing may be evaluated, and what was to end evaluations still does") {
  griddle::Options options;
  options.step_limit = 1;
  Interpreter bqn(options);
  CHECK(bqn.define("a", bqn.number(1)));
  CHECK(bqn.eval_in_session("a")->number() == 1);
  CHECK(!bqn.eval("{𝕩}¨↕9"));
  CHECK(bqn.define("a", bqn.number(2)));
  CHECK(bqn.define("b", bqn.number(3)));
  CHECK(bqn.eval_in_session("{𝕩}¨↕9").failure().cause == Failure::Cause::steps);
  bqn.set_steps(100);
  CHECK(bqn.eval_in_session("a‿b")->numbers() == std::vector<double>{2, 3});
  bqn.stop();
  CHECK(bqn.define("c", bqn.number(4)));
  CHECK(bqn.eval_in_session("c").failure().cause == Failure::Cause::interrupt);
  bqn.resume();
  CHECK(bqn.eval_in_session("c")->number() == 4);
}

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
