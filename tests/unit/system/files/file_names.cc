#include <doctest/doctest.h>

#include <string>

#include "tests/support/host.h"

using griddle::testing::Host;

TEST_CASE("paths are taken apart") {
  Host run;
  CHECK(run("•file.Name \"/a/b.c\"") == "\"b.c\"");
  CHECK(run("•file.Parent \"/a/b.c\"") == "\"/a/\"");
  CHECK(run("•file.BaseName \"/a/b.c\"") == "\"b\"");
  CHECK(run("•file.Extension \"/a/b.c\"") == "\".c\"");
  CHECK(run("•file.At \"/a/../b\"").find("b") != std::string::npos);
}
