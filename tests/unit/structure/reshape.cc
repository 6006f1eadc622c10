#include <doctest/doctest.h>

#include <vector>

#include "tests/support/both_ways.h"
#include "tests/support/structure_model.h"

using namespace griddle;
using namespace griddle::testing;

TEST_CASE("reshape repeats or truncates") {
  for (std::size_t n : {1ul, 2ul, 3ul, 7ul, 8ul, 13ul, 31ul, 32ul, 33ul, 63ul, 64ul, 65ul, 100ul, 101ul, 200ul})
    for (const Model& m : samples({n}))
      for (const Lengths& s : std::vector<Lengths>{{}, {1}, {5}, {64, 3}, {700}, {2, 0}, {1000, 40}})
        check(
            m,
            [&](Context& cx, Value x) {
              std::vector<double> w(s.begin(), s.end());
              return p::reshape(cx, list_of(cx, w), std::move(x));
            },
            [&] {
              Model out{s, {}};
              for (std::size_t i = 0; i < product_of(s); i++) out.elements.push_back(m.elements[i % n]);
              return out;
            }());
}

TEST_CASE("lists of boxes are repeated and cut, with their fill") {
  BothWays ways;
  for (const char* x :
       {"⟨\"ab\"⟩", "⟨<3⟩", "⟨+⟩", "⟨⟨⟩⟩", "⟨1‿2,\"c\"⟩", "⟨1‿2,3⟩", "2⥊<\"ab\"", "⟨2‿2⥊↕4⟩", "1↑⟨\"ab\",3⟩", "⟨@,1,\"x\"⟩"})
    for (const char* n : {"0", "1", "2", "3", "7", "31", "32", "300", "1000"})
      ways.agree("{r←" + std::string(n) + "⥊" + x + " ⋄ ⟨r,(¯2+-≠r)↑⎊0 r⟩}⎊•CurrentError@");
}

TEST_CASE("tables are filled with one number or character") {
  BothWays ways;
  for (const char* shape :
       {"2‿3", "1‿1", "0‿3", "3‿0", "5‿∘", "∘‿1", "64‿1", "3‿65", "100‿100", "1000‿1000", "¯1‿2", "0.5‿2", "2‿⌊"})
    for (const char* atom : {"0", "1", "7", "¯300", "70000", "0.5", "'a'", "'日'", "∞", "+"})
      ways.agree("{r←" + std::string(shape) + "⥊" + atom + " ⋄ ⟨≢r,+´⥊r=⊑⥊r,(1+≠r)↑r⟩}⎊•CurrentError@");
}

TEST_CASE("tables are filled with lists of every type, and lists cut from tables") {
  BothWays ways;
  for (const char* f : {"3‿4⥊𝕩", "1‿2⥊𝕩", "20‿30⥊𝕩", "7‿1⥊𝕩", "{3↑2‿2⥊𝕩} 𝕩"}) ways.on_lists("0<≠𝕩 ? " + std::string(f) + " ; 0");
  for (const char* f : {"1⥊𝕩", "5⥊𝕩", "1000⥊𝕩", "0⥊𝕩"}) ways.on_tables(f);
}
