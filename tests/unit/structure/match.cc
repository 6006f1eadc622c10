#include <doctest/doctest.h>

#include <vector>

#include "tests/support/both_ways.h"
#include "tests/support/structure_model.h"

using namespace griddle;
using namespace griddle::testing;

TEST_CASE("equal values match in every pair of storage forms") {
  Bench b;
  for (const Lengths& s : std::vector<Lengths>{{0}, {5}, {64}, {300}, {3, 5}})
    for (const Model& m : samples(s)) {
      std::vector<Value> forms = b.forms(m);
      for (const Value& w : forms)
        for (const Value& x : forms) CHECK(p::matches(b.cx, w, x));
      if (m.elements.empty()) continue;
      Model changed = m;
      changed.elements.back() = Value(77.25);
      for (const Value& w : forms)
        for (const Value& x : b.forms(changed)) CHECK(!p::matches(b.cx, w, x));
    }
}

TEST_CASE("not a number matches nothing, not even itself in the same array") {
  Bench b;
  Value nan = b.number_list({1, std::numeric_limits<double>::quiet_NaN()});
  CHECK(!p::matches(b.cx, nan, nan));
  CHECK(p::matches(b.cx, b.number_list({-0.0}), b.number_list({0.0})));
}

TEST_CASE("deep nesting neither overflows the stack in match nor in depth") {
  Bench b;
  auto nested = [&] {
    Value v = b.text("x");
    for (int i = 0; i < 200000; i++) {
      Ref<Array> a = make_list(b.cx.heap, ElementType::boxed, 1);
      a->as<Value>()[0] = std::move(v);
      v = to_value(std::move(a));
    }
    return v;
  };
  Value w = nested(), x = nested();
  CHECK(p::matches(b.cx, w, x));
  CHECK(p::depth(b.cx, w).number() == 200001);
}

TEST_CASE("shapes of tables are lists of two") {
  griddle::testing::BothWays ways;
  for (const char* program : {"≢2‿3⥊0", "≢0‿1⥊0", "≢1‿1⥊0", "≢127‿1⥊0", "≢128‿1⥊0", "≢300‿2⥊0", "≢0‿0⥊\"\"", "≢2‿2⥊⟨\"a\"⟩"})
    ways.agree(program);
}
