#include <doctest/doctest.h>

#include <vector>

#include "tests/support/both_ways.h"
#include "tests/support/structure_model.h"

using namespace griddle;
using namespace griddle::testing;

TEST_CASE("transpose moves the first axis to the end, and its undo moves it back") {
  for (const Lengths& s : tables)
    for (const Model& m : samples(s)) {
      Model wanted = make_model({s[1], s[0]}, [&](const Lengths& i) { return at(m, {i[1], i[0]}); });
      check(m, p::transpose, wanted);
      check(wanted, p::undo_transpose, m);
    }
  for (const Lengths& s : cubes)
    for (const Model& m : samples(s)) {
      Model wanted = make_model({s[1], s[2], s[0]}, [&](const Lengths& i) { return at(m, {i[2], i[0], i[1]}); });
      check(m, p::transpose, wanted);
      check(wanted, p::undo_transpose, m);
    }
}

TEST_CASE("reorder axes takes any order and diagonals") {
  for (const Lengths& s : cubes)
    for (const Model& m : samples(s)) {
      auto order = [&](std::vector<double> w) {
        return [w](Context& cx, Value x) { return p::reorder_axes(cx, list_of(cx, w), std::move(x)); };
      };
      check(m, order({1}), make_model({s[1], s[0], s[2]}, [&](const Lengths& i) { return at(m, {i[1], i[0], i[2]}); }));
      check(m, order({2, 0}), make_model({s[1], s[2], s[0]}, [&](const Lengths& i) { return at(m, {i[2], i[0], i[1]}); }));
      check(m, order({2, 1, 0}), make_model({s[2], s[1], s[0]}, [&](const Lengths& i) { return at(m, {i[2], i[1], i[0]}); }));
      check(m, order({0, 0}), make_model({std::min(s[0], s[1]), s[2]}, [&](const Lengths& i) {
              return at(m, {i[0], i[0], i[1]});
            }));
      check(m, order({0, 0, 0}), make_model({std::min({s[0], s[1], s[2]})}, [&](const Lengths& i) {
              return at(m, {i[0], i[0], i[0]});
            }));
      check(
          make_model({s[1], s[2], s[0]},
                     [&](const Lengths& i) {
                       return at(m, {i[2], i[0], i[1]});
                     }),
          [](Context& cx, Value x) {
            return p::undo_reorder_axes(cx, list_of(cx, {2, 0}), std::move(x));
          },
          m);
    }
}

TEST_CASE("lists are their own transpose") {
  griddle::testing::BothWays ways;
  ways.on_lists("⍉𝕩");
  for (const char* program : {"⍉5", "⍉<5", "⍉⟨⟩", "⍉\"\""}) ways.agree(program);
}
