#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "runtime/api/griddle.hpp"

using griddle::Any;
using griddle::Failure;
using griddle::Interpreter;
using griddle::Result;

TEST_CASE("functions of C++ take and give what C++ has") {
  Interpreter bqn;
  REQUIRE(bqn.define("Hypotenuse", bqn.function("Hypotenuse", [](double a, double b) { return std::sqrt(a * a + b * b); })));
  REQUIRE(bqn.define("Shout", bqn.function("Shout", [](const std::string& s) { return s + "!"; })));
  REQUIRE(bqn.define("Total", bqn.function("Total", [](const std::vector<std::int64_t>& v) {
    std::int64_t sum = 0;
    for (const std::int64_t i : v) sum += i;
    return sum;
  })));
  int calls = 0;
  REQUIRE(bqn.define("Note", bqn.function("Note", [&](const Any&) { calls++; })));
  CHECK(bqn.eval_in_session("3 Hypotenuse 4")->number() == 5);
  CHECK(bqn.eval_in_session("Shout \"hé\"")->text() == "hé!");
  CHECK(bqn.eval_in_session("Total 1‿2‿3")->number() == 6);
  CHECK(bqn.eval_in_session("Note¨↕5"));
  CHECK(calls == 5);
  CHECK(bqn.eval_in_session("Hypotenuse 4").failure().message == "The function needs a left argument");
  CHECK(bqn.eval_in_session("1 Shout \"a\"").failure().message == "The function takes no left argument");
  CHECK(bqn.eval_in_session("Shout 5").failure().message == "The argument is not of the type that the function takes");
  CHECK(bqn.eval_in_session("{𝕊:Shout 5}⎊{𝕊:•CurrentError@} 0")->text() ==
        "The argument is not of the type that the function takes");
}

TEST_CASE("modifiers and namespaces of the host") {
  Interpreter bqn;
  auto counted = std::make_shared<int>(0);
  {
    const Any twice = bqn.modifier("_twice", 1, [counted](const Any& f, const Any* g, const Any* w, const Any& x) -> Result {
      CHECK(g == nullptr);
      return w ? f(*w, f(*w, x).value()) : f(f(x).value());
    });
    REQUIRE(bqn.define("_twice", twice));
    REQUIRE(bqn.define("_or_", bqn.modifier("_or_", 2, [](const Any& f, const Any* g, const Any*, const Any& x) -> Result {
      Result first = f(x);
      return first ? first : (*g)(x);
    })));
  }
  CHECK(bqn.eval_in_session("-⟜1 _twice 5")->number() == 3);
  CHECK(bqn.eval_in_session("2 × _twice 5")->number() == 20);
  CHECK(bqn.eval_in_session("{𝕊:!0}_or_(+´) 1‿2")->number() == 3);
  CHECK(bqn.eval_in_session("⋈ _twice")->is_function());
  CHECK(counted.use_count() == 2);
  const Any space = bqn.name_space({{"Size", bqn.number(3)}, {"name", bqn.text("x")}});
  CHECK(space.fields() == std::vector<std::string>{"size", "name"});
  REQUIRE(bqn.define("n", space));
  CHECK(bqn.eval_in_session("n.size∾n.name")->length() == 2);
  CHECK(!bqn.name_space({{"a", bqn.number(1)}, {"A", bqn.number(2)}}).has_value());
  CHECK(!bqn.name_space({{"a", Any()}}).has_value());
}

TEST_CASE("what a function of the host does wrong is an error of the program") {
  Interpreter bqn, other;
  REQUIRE(bqn.define("Throw", bqn.function("Throw", [](const Any&) -> Result { throw std::runtime_error("thrown"); })));
  REQUIRE(bqn.define("Odd", bqn.function("Odd", [](const Any&) -> Result { throw 42; })));
  REQUIRE(bqn.define("Nothing", bqn.function("Nothing", [](const Any&) -> Result { return Any(); })));
  REQUIRE(bqn.define("Foreign", bqn.function("Foreign", [&](const Any&) -> Result { return other.text("theirs"); })));
  CHECK(bqn.eval_in_session("Throw 1").failure().message == "Throw: thrown");
  CHECK(bqn.eval_in_session("Odd 1").failure().message == "Odd: An exception of unknown type");
  CHECK(bqn.eval_in_session("Nothing 1").failure().message == "Nothing: The function gave no value");
  CHECK(bqn.eval_in_session("Foreign 1").failure().message.find("another interpreter") != std::string::npos);
  CHECK(bqn.eval_in_session("5⊣{Throw 𝕩}⎊0 1")->number() == 5);
}

TEST_CASE("a failure that a function of the host forwards keeps its places") {
  Interpreter bqn;
  const Any inner = *bqn.eval("{1+\"a\"‿𝕩+@}", "inner");
  REQUIRE(bqn.define("Through", bqn.function("Through", [&](const Any& x) -> Result { return inner(x); })));
  const Failure failure = bqn.eval_in_session("2×Through @", "outer").failure();
  REQUIRE(failure.frames.size() == 2);
  CHECK(failure.frames[0].name == "inner");
  CHECK(failure.frames[1].name == "outer");
  CHECK(failure.frames[1].line == 1);
  CHECK(failure.frames[1].column == 2);
  CHECK(failure.frames[1].line_text == "2×Through @");
  CHECK(failure.report.find("inner:1:") < failure.report.find("outer:1:"));
}

TEST_CASE("a function of the host may give up the last handle of its interpreter") {
  auto bqn = std::make_unique<Interpreter>();
  Any f = bqn->function("End", [&](const Any& x) -> Result {
    bqn.reset();
    return x;
  });
  Any call = *bqn->eval("{𝕏 5}");
  CHECK(call(f)->number() == 5);
}

TEST_CASE("functions of the host end with their interpreter, whatever holds them") {
  struct Made : griddle::FileSource {
    std::optional<std::string> read(std::string_view) override { return "kept←@ ⋄ Keep⇐{kept↩𝕩}"; }
  } files;
  griddle::Options options;
  options.files = &files;
  auto held = std::make_shared<int>();
  const auto function = [&](Interpreter& bqn, const Any& also) {
    return bqn.function("Holder", [held, also](const Any*, const Any& x) { return x; });
  };
  {
    // A module that was imported, a cycle of values of the interpreter itself, and a map that holds its own functions.
    Interpreter imports(options), circles, maps;
    CHECK(imports.eval("{(•Import \"module.bqn\").Keep 𝕩}")(function(imports, Any())));
    const Any own = circles.list({1, 2});
    CHECK(circles.eval("{f←𝕩 ⋄ n←{r⇐@ ⋄ h⇐f ⋄ Set⇐{r↩𝕩}} ⋄ n.Set n}")(function(circles, own)));
    CHECK(maps.eval("{m←⟨⟩•HashMap⟨⟩ ⋄ S←m.Set ⋄ 1 S s ⋄ 2 S 𝕩}")(function(maps, Any())));
    CHECK(held.use_count() == 4);
  }
  CHECK(held.use_count() == 1);
}
