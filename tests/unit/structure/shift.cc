#include <doctest/doctest.h>

#include <string>

#include "tests/support/both_ways.h"
#include "tests/support/structure_model.h"

using namespace griddle;
using namespace griddle::testing;

TEST_CASE("nudge and shift let cells enter at one end") {
  for (std::size_t n : lengths)
    for (const Model& m : samples({n})) {
      if (n == 0) continue;
      Value enters = m.elements[n / 2];
      check(
          m, [&](Context& cx, Value x) { return p::shift_before(cx, enclose(cx.heap, enters), std::move(x)); },
          make_model({n}, [&](const Lengths& i) { return i[0] ? at(m, {i[0] - 1}) : enters; }));
      check(
          m, [&](Context& cx, Value x) { return p::shift_after(cx, enclose(cx.heap, enters), std::move(x)); },
          make_model({n}, [&](const Lengths& i) { return i[0] + 1 < n ? at(m, {i[0] + 1}) : enters; }));
      Value fill = m.elements[0].is_character() ? Value::character(' ') : Value(0);
      check(
          m, [&](Context& cx, Value x) { return p::nudge(cx, with_fill(cx.heap, std::move(x), fill)); },
          make_model({n}, [&](const Lengths& i) { return i[0] ? at(m, {i[0] - 1}) : fill; }));
      check(
          m, [&](Context& cx, Value x) { return p::nudge_back(cx, with_fill(cx.heap, std::move(x), fill)); },
          make_model({n}, [&](const Lengths& i) { return i[0] + 1 < n ? at(m, {i[0] + 1}) : fill; }));
    }
}

TEST_CASE("few bits are shifted as words, more by a kernel") {
  BothWays ways;
  for (const char* n : {"1", "2", "63", "64", "65", "1023", "1024", "1025", "1087", "1088", "1089", "5000"})
    for (const char* program : {"»", "«", "0»", "1»", "0«", "1«"})
      ways.agree(std::string("{") + program + "𝕩} 3>7|⌊(↕" + n + ")×1.7");
}

TEST_CASE("an array without axes moves into a list, and a row into a table") {
  BothWays ways;
  for (const char* f : {"(⊏𝕩)»𝕩", "(⊏𝕩)«𝕩", "(⊏⌽𝕩)»1↓𝕩"}) {
    ways.on_lists("0<≠𝕩 ? " + std::string(f) + " ; 0");
    ways.on_tables("0<≠𝕩 ? " + std::string(f) + " ; 0");
  }
  for (const char* program : {"(<3)»1‿2", "(<'a')»1‿2", "(<\"a\")»1‿2", "(<3)«\"ab\"", "(<0.5)»1‿2", "1‿2»2‿3⥊0", "\"ab\"»2‿2⥊0"})
    ways.agree("{" + std::string(program) + "}⎊•CurrentError@");
}
