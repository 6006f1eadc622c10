#include "runtime/source/number_literal.h"

#include <doctest/doctest.h>

#include <cmath>
#include <utility>

using namespace griddle;

TEST_CASE("Number literals have the value that their spelling says") {
  const std::pair<const char*, double> valid[] = {{"0", 0},
                                                  {"12", 12},
                                                  {"¯5", -5},
                                                  {"1_000", 1000},
                                                  {"1_000.5e¯2", 10.005},
                                                  {"πe2", 314.1592653589793},
                                                  {"π", 3.141592653589793},
                                                  {"1e400", INFINITY},
                                                  {"1e¯400", 0},
                                                  {"0e400", 0},
                                                  {"¯∞", -INFINITY},
                                                  {"1e22", 1e22},
                                                  {"9007199254740993", 9007199254740992.0},
                                                  {"0.1", 0.1},
                                                  {"5E2", 500},
                                                  {"123456789012", 123456789012.0}};
  for (const auto& literal : valid) {
    const auto& text = literal.first;
    const auto& value = literal.second;
    CAPTURE(text);
    REQUIRE(parse_number(text).has_value());
    CHECK(*parse_number(text) == value);
  }
  for (const char* text :
       {".5", "5.", "1e+3", "1e-3", "2π", "∞e2", "¯¯5", "3a", "0x1F", "1i2", "1.2.3", "1e", "1e2.5", "¯", "∞1", "π5"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_number(text).has_value());
  }
}
