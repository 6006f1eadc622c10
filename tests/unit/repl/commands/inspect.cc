#include "repl/commands/inspect.h"

#include <doctest/doctest.h>

#include "tests/support/command_session.h"

using griddle::testing::CommandSession;

TEST_CASE("names are listed with what they are, their size and value") {
  CommandSession session;
  session("one←1 ⋄ Two←{𝕩\n𝕨} ⋄ list←1e3⥊0.5 ⋄ table←2‿2⥊↕4;");
  session("!0 ⋄ never←1");
  const std::string all = session(")vars");
  CHECK(all.find("one    number") == 0);
  CHECK(all.find("Two←{𝕩⋄𝕨}") != std::string::npos);
  CHECK(all.find("list   list of 1000 f64") != std::string::npos);
  CHECK(all.find("8.0 kB  ⟨ 0.5 0.5") != std::string::npos);
  CHECK(all.find("table  2‿2 array of i8") != std::string::npos);
  CHECK(all.find("never") == std::string::npos);
  CHECK(session(")vars t*").find("table") == 0);
  CHECK(session(")vars is").find("list") == 0);
  CHECK(session(")vars zz").empty());
}

TEST_CASE("code is explained, and its instructions shown") {
  CommandSession session;
  CHECK(session(")explain ⌽↕9").find("Run, with kernels for") != std::string::npos);
  CHECK(session(")bytecode •Exit 3").find("call1") != std::string::npos);
  CHECK(!session.leaves);
}
