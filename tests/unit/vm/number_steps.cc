#include "runtime/vm/number_steps.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/support/program.h"

using namespace griddle;

TEST_CASE("a function of arithmetic alone is computed by its steps") {
  Machinery m;
  for (const char* source : {"+", "-˜", "⊣-2×⊢", "+⟜(10⊸×)", "⌈-⌊", "÷⟜3", "×˜⊸-", "⊢", "<", "|"}) {
    const Value f = m.run(source);
    CAPTURE(std::string(source));
    NumberSteps steps(f.function());
    REQUIRE(steps.usable());
    for (double w : {1.0, -2.0, 7.0, 0.5})
      for (double x : {3.0, 5.0, -4.0}) {
        const double result = steps(w, x);
        if (result == result) CHECK(result == call(m.cx, f, Value(w), Value(x)).number());
      }
    CHECK(steps(7, 3) == steps(7, 3));
  }
}

TEST_CASE("any other function has no steps") {
  Machinery m;
  for (const char* source : {"∾", "{𝕨+𝕩}", "+´∾", "⋈", "⌽⊸+"}) CHECK(!NumberSteps(m.run(source).function()).usable());
}
