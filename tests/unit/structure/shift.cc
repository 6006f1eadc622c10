#include <doctest/doctest.h>

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
