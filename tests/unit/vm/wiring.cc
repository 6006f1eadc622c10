#include "runtime/vm/wiring.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/support/program.h"

using namespace griddle;

namespace {

// Writes what a function computes with calls of its ends alone: `w+x` as (w+x).
std::string written(Context& cx, const Value& f, const std::string* w, const std::string& x) {
  if (!f.is_function()) return std::string(display_text(cx, f));
  const auto part = [&](const Value& g, const std::string* l, const std::string& r) { return written(cx, g, l, r); };
  if (const Wiring wiring = wiring_of(f, w != nullptr))
    return follow(wiring, w, x, part, [](const std::string&) { return true; });
  return "(" + (w != nullptr ? *w : "") + std::string(display_text(cx, f)) + x + ")";
}

}  // namespace

TEST_CASE("the wiring of a function leads its arguments to the parts that compute") {
  Machinery m;
  const std::string w = "w", x = "x";
  const auto one = [&](const char* source) { return written(m.cx, m.run(source), nullptr, x); };
  const auto two = [&](const char* source) { return written(m.cx, m.run(source), &w, x); };
  CHECK(one("-÷×") == "((-x)÷(×x))");
  CHECK(two("-÷×") == "((w-x)÷(w×x))");
  CHECK(one("2-÷") == "(2-(÷x))");
  CHECK(two("⌽-") == "(⌽(w-x))");
  CHECK(one("-˜") == "(x-x)");
  CHECK(two("-˜") == "(x-w)");
  CHECK(two("⌽∘-") == "(⌽(w-x))");
  CHECK(one("-○⌽") == "(-(⌽x))");
  CHECK(two("-○⌽") == "((⌽w)-(⌽x))");
  CHECK(one("⌽⊸-") == "((⌽x)-x)");
  CHECK(two("⌽⊸-") == "((⌽w)-x)");
  CHECK(one("-⟜2") == "(x-2)");
  CHECK(two("-⟜⌽") == "(w-(⌽x))");
  CHECK(one("-⊘÷") == "(-x)");
  CHECK(two("-⊘÷") == "(w÷x)");
  CHECK(two("+⟜(10⊸×)") == "(w+(10×x))");
}

TEST_CASE("what computes by itself has no wiring") {
  Machinery m;
  for (const char* source : {"+", "+´", "⌽¨", "{𝕩}", "3˙"}) CHECK(!wiring_of(m.run(source), false));
  CHECK(wiring_of(m.run("⌽∘-"), true).is_sequence());
  CHECK(!wiring_of(m.run("-○⌽"), true).is_sequence());
}
