#include "runtime/format/number.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

using namespace griddle;

namespace {

std::string number(double d) {
  char buffer[max_number_bytes];
  return std::string(buffer, write_number(buffer, d).end);
}

}  // namespace

TEST_CASE("numbers have the shortest digits that read back") {
  CHECK(number(0.1 + 0.2) == "0.30000000000000004");
  CHECK(number(0) == "0");
  CHECK(number(-0.0) == "0");
  CHECK(number(-2.5) == "¯2.5");
  CHECK(number(1e22) == "1e22");
  CHECK(number(5e-324) == "5e¯324");
  CHECK(number(-std::numeric_limits<double>::max()) == "¯1.7976931348623157e308");
  CHECK(number(INFINITY) == "∞");
  CHECK(number(-INFINITY) == "¯∞");
  CHECK(number(NAN) == "NaN");
}

TEST_CASE("numbers are positional from 0.0001 to below 1e15") {
  CHECK(number(0.0001) == "0.0001");
  CHECK(number(0.00009999) == "9.999e¯5");
  CHECK(number(0.00012345678901234567) == "0.00012345678901234567");
  CHECK(number(999999999999999) == "999999999999999");
  CHECK(number(999999999999999.9) == "999999999999999.9");
  CHECK(number(1e15) == "1e15");
  CHECK(number(1234567890123456) == "1.234567890123456e15");
  CHECK(number(100000000000000.5) == "100000000000000.5");
}

TEST_CASE("a number's text tells its width, its lead and its exponent") {
  char buffer[max_number_bytes];
  NumberText text = write_number(buffer, -12.25);
  CHECK(text.width == 6);
  CHECK(text.lead == 3);
  CHECK(text.exponent == 0);
  text = write_number(buffer, -1.5e-20);
  CHECK(text.width == 8);
  CHECK(text.lead == 2);
  CHECK(text.exponent == 5);
}
