#include "runtime/api/steps.h"

#include <doctest/doctest.h>

#include <string>

#include "runtime/api/griddle.hpp"

TEST_CASE("an explanation says what each part gave") {
  griddle::Interpreter bqn;
  std::string text;
  REQUIRE(bqn.explain("k←3 ⋄ {⌽𝕩+k}¨⟨1‿2,2‿2⥊↕4⟩", text));
  const auto has = [&](const char* part) { return text.find(part) != text.npos; };
  CHECK(has("call, subject → 2‿2 array (the last of 2)\n"));
  CHECK(has("primitive, function\n"));
  text.clear();
  CHECK(!bqn.explain("1+⌽!\"no\"", text));
  CHECK(text.find("Tree\n") == 0);
}

TEST_CASE("an explanation has what was computed beforehand, too") {
  griddle::Interpreter bqn;
  std::string text;
  REQUIRE(bqn.explain("2×⌽3‿4+1", text));
  CHECK(text.find("call, subject → ⟨ 10 8 ⟩, a constant\n") != text.npos);
  CHECK(text.find("call, subject → ⟨ 5 4 ⟩, a constant\n") != text.npos);
}

TEST_CASE("a long trace ends, and says so; its line fails as it would") {
  griddle::Interpreter bqn;
  std::string text;
  CHECK(!bqn.trace("{𝕊 𝕩+1}0", text));
  CHECK(text.find(" more lines)\n") != text.npos);
  CHECK(text.size() < 200'000);
  text.clear();
  const griddle::Result wrong = bqn.trace("1+", text);
  CHECK(!wrong);
  CHECK(text.empty());
}

TEST_CASE("a program that is traced may call a function of the host that traces another one") {
  griddle::Interpreter bqn;
  std::string inner, outer;
  REQUIRE(bqn.define("Inner", bqn.function("Inner", [&](const griddle::Any& x) {
    CHECK(bqn.trace("2×3", inner));
    CHECK(bqn.explain("2+3", inner));
    CHECK(bqn.eval_in_session("4-1"));
    return x;
  })));
  CHECK(bqn.trace("1+⌽Inner 5‿6", outer)->length() == 2);
  CHECK(inner.find("program") != std::string::npos);
  CHECK(outer.find("⌽ → ⟨ 6 5 ⟩") != std::string::npos);
}
