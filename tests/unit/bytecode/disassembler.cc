#include <doctest/doctest.h>

#include <string>

#include "tests/support/listing.h"

using namespace griddle;
using namespace griddle::testing;

TEST_CASE("a listing names slots, constants, jumps and inner blocks") {
  const std::string text = listing("F←{𝕩<3?𝕩;𝕊𝕩-1} ⋄ F 9");
  CAPTURE(text);
  CHECK(text.starts_with("block "));
  CHECK(text.find("slots\n") != text.npos);
  CHECK(text.find("→") != text.npos);
  CHECK(text.find("entry 0:") != text.npos);
  CHECK(text.find("block F,") != text.npos);
  CHECK(text.find("Subtract 1") != text.npos);
  CHECK(text.find("return") != text.npos);
}
