#include <doctest/doctest.h>

#include <string>

#include "tests/support/both_ways.h"
#include "tests/support/structure_model.h"

using namespace griddle;
using namespace griddle::testing;

TEST_CASE("join to puts cells one after the other, in place where the list is unshared") {
  for (std::size_t n : lengths)
    for (const Model& m : samples({n})) {
      if (n == 0) continue;
      Model wanted{{2 * n + 1}, m.elements};
      wanted.elements.insert(wanted.elements.end(), m.elements.begin(), m.elements.end());
      wanted.elements.push_back(m.elements[0]);
      check(
          m, [&](Context& cx, Value x) { return p::join_to(cx, p::join_to(cx, x, x), enclose(cx.heap, m.elements[0])); }, wanted);
    }
  Bench b;
  for (const Model& m : samples({300})) {
    Value grown = make_values(b.cx.heap, {});
    for (const Value& v : m.elements) grown = p::join_to(b.cx, std::move(grown), enclose(b.cx.heap, v));
    CHECK(p::matches(b.cx, grown, b.boxed(m)));
  }
}

TEST_CASE("join and merge widen to the common type") {
  Bench b;
  Value parts[4] = {b.number_list({1, 0}), b.number_list({300, 5}), b.number_list({0.5, 2}), b.number_list({7, 8})};
  Value list = make_values(b.cx.heap, parts);
  CHECK(p::matches(b.cx, p::join(b.cx, list), b.number_list({1, 0, 300, 5, 0.5, 2, 7, 8})));
  Value merged = p::merge(b.cx, list);
  CHECK(same_shape(merged.array().shape(), Lengths{4, 2}));
  CHECK(p::matches(b.cx, p::deshape(b.cx, merged), b.number_list({1, 0, 300, 5, 0.5, 2, 7, 8})));
}

TEST_CASE("numbers and characters join as boxes without a fill") {
  testing::BothWays ways;
  const char* const sides[] = {"\"ab\"", "⟨1,2⟩", "⟨1.5⟩", "'c'",      "3",         "<'c'", "<3",
                               "<<3",    "0⥊1",   "\"\"",  "\"ab\"‿1", "1⥊<\"ab\"", "1‿0"};
  for (const char* w : sides)
    for (const char* x : sides) {
      ways.agree("{r←" + std::string("(") + w + ")∾" + x + " ⋄ ⟨r,(¯2+-≠r)↑⎊0 r⟩}⎊•CurrentError@");
      ways.agree("≡¨(20⥊" + std::string(w) + ")∾20⥊" + x);
    }
}
