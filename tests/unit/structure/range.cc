#include <doctest/doctest.h>

#include <vector>

#include "tests/support/both_ways.h"
#include "tests/support/structure_model.h"

using namespace griddle;
using namespace griddle::testing;

TEST_CASE("windows overlap along leading axes") {
  for (std::size_t n : {5ul, 65ul, 130ul})
    for (const Model& m : samples({n}))
      for (std::size_t w : {0ul, 1ul, 2ul, 3ul, 5ul, n})
        if (w <= n)
          check(
              m, [&](Context& cx, Value x) { return p::windows(cx, Value(w), std::move(x)); },
              make_model({n - w + 1, w}, [&](const Lengths& i) { return at(m, {i[0] + i[1]}); }));
  for (const Model& m : samples({4, 5, 3}))
    check(
        m,
        [&](Context& cx, Value x) {
          return p::windows(cx, list_of(cx, {2, 3}), std::move(x));
        },
        make_model({3, 3, 2, 3, 3}, [&](const Lengths& i) {
          return at(m, {i[0] + i[2], i[1] + i[3], i[4]});
        }));
}

TEST_CASE("windows are copied from lists and tables of every type") {
  BothWays ways;
  for (const char* f : {"(2⌊≠𝕩)↕𝕩", "(7⌊≠𝕩)↕𝕩", "64↕𝕩"}) ways.on_lists(f);
  for (const char* f : {"1↕𝕩", "1‿1↕𝕩"}) ways.on_tables(f);
}

TEST_CASE("lists of indices count along each axis, in bits where axes have two places at most") {
  BothWays ways;
  for (const char* shape :
       {"2‿2", "2‿1‿2", "1‿1", "⟨2⟩", "⟨1⟩", "⟨⟩", "0‿2", "2‿0", "3‿2", "2‿2‿2‿2‿2‿2‿2‿2", "64⥊1", "65⥊1", "127‿2", "128‿2"})
    ways.agree(std::string("{r←↕") + shape + " ⋄ ⟨r,≢r,+´⥊¨r,(1+≠⥊r)↑⥊r,≡∘⊑¨r⟩}⎊•CurrentError@");
  ways.agree("{i←⥊↕𝕩 ⋄ (2⊸×⊸+˜´∘⌽¨i)≡↕≠i} 10⥊2");
  ways.agree("{(⥊↕𝕩)≡⥊(⌽¨⌽)∘⌽¨↕𝕩} 3‿2‿1");
}
