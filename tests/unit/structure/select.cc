#include <doctest/doctest.h>

#include <string>

#include "tests/support/both_ways.h"
#include "tests/support/structure_model.h"

using namespace griddle;
using namespace griddle::testing;

TEST_CASE("select takes cells by indices of every storage form") {
  Bench b;
  for (std::size_t n : {1ul, 2ul, 65ul, 130ul})
    for (const Model& m : samples({n})) {
      Model w{{3, 50}, {}};
      for (int i = 0; i < 150; i++)
        w.elements.push_back(Value(static_cast<double>(static_cast<std::size_t>(i) * 31 % (2 * n)) - static_cast<double>(n)));
      Model wanted = make_model({3, 50}, [&](const Lengths& i) {
        double k = at(w, i).number();
        return at(m, {static_cast<std::size_t>(k < 0 ? k + static_cast<double>(n) : k)});
      });
      for (const Value& indices : b.forms(w)) {
        Context& other = b.cx;
        check(
            m, [&](Context&, Value x) { return p::select(other, indices, std::move(x)); }, wanted);
      }
    }
  for (const Lengths& s : cubes)
    for (const Model& m : samples(s)) {
      if (product_of(s) == 0) continue;
      check(
          m,
          [&](Context& cx, Value x) {
            return p::select(cx, list_of(cx, {-1, 0}), std::move(x));
          },
          make_model({2, s[1], s[2]}, [&](const Lengths& i) {
            return at(m, {i[0] ? 0 : s[0] - 1, i[1], i[2]});
          }));
      check(
          m,
          [&](Context& cx, Value x) {
            Value axes[2] = {list_of(cx, {0, -1, 0}), list_of(cx, {-1})};
            return p::select(cx, make_values(cx.heap, axes), std::move(x));
          },
          make_model({3, 1, s[2]}, [&](const Lengths& i) {
            return at(m, {i[0] == 1 ? s[0] - 1 : 0, s[1] - 1, i[2]});
          }));
    }
}

TEST_CASE("bits are places of elements, boxes and rows") {
  griddle::testing::BothWays ways;
  for (const char* f : {"0‿1⊏𝕩", "1‿1‿0⊏𝕩", "(70⥊0‿1)⊏𝕩"}) {
    ways.on_lists("1<≠𝕩 ? " + std::string(f) + " ; 0");
    ways.on_tables("1<≠𝕩 ? " + std::string(f) + " ; 0");
  }
  ways.agree("{0‿1⊏𝕩}⎊•CurrentError ⋈\"a\"");
}

TEST_CASE("a number in an array without axes is a place, a count or a number like any other") {
  griddle::testing::BothWays ways;
  for (const std::string f : {"⊏", "↑", "↓", "⌽", "+", "-", "×", "÷", "=", "<", "⌈", "|", "∧", "¬"})
    for (const std::string unit :
         {"<0", "<1", "<2", "<¯1", "<300", "<0.5", "<¯0.5", "<'a'", "<\"ab\"", "<<1", "(<⟨⟩)⊣0", "\"ab\"⊐'b'"})
      for (const std::string x : {"⌽⌽1‿0‿1", "⌽⌽5‿3‿2", "⌽⌽300‿2", "⌽⌽0.5‿2", "⌽⌽\"abc\"", "⟨1‿2,3‿4,5‿6⟩", "⟨\"ab\",1,<2⟩",
                                  "⌽⌽3‿2⥊↕6", "<5", "7", "⟨⟩", "3‿0⥊0"}) {
        ways.agree("{r←(" + unit + "){𝕨" + f + "𝕩}" + x + " ⋄ ⟨r,≢r,2↑⥊r⟩}⎊•CurrentError@");
        ways.agree("{r←(" + x + "){𝕨" + f + "𝕩}" + unit + " ⋄ ⟨r,≢r,2↑⥊r⟩}⎊•CurrentError@");
      }
}
