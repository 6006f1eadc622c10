#include "repl/commands/sampling.h"

#include <doctest/doctest.h>

using griddle::Interpreter;
using griddle::repl::Sampling;

TEST_CASE("samples show the lines and the instructions that take the time") {
  Interpreter bqn;
  Sampling sampling(bqn);
  REQUIRE(bqn.eval("Slow←{a←∧⌽𝕩 ⋄ +´a}\nFast←{𝕩}\nx←1e6•rand.Range 0\nFast x\n{𝕊:Slow x}¨↕9", "part"));
  const std::string text = sampling.report();
  CHECK(text.find("samples\n") != std::string::npos);
  CHECK(text.find("part:1  Slow←{a←∧⌽𝕩") != std::string::npos);
  CHECK(text.find("part:2") == std::string::npos);
  CHECK(text.find("∧") != std::string::npos);
  CHECK(text.find("more memory at most") != std::string::npos);
  CHECK(sampling.report().empty());
}
