#include <doctest/doctest.h>

#include <string>

#include "tests/support/host.h"

using griddle::testing::Host;

TEST_CASE("text is evaluated in a scope of its own, at the place that it is given") {
  Host run;
  CHECK(run("•BQN \"1+1\"") == "2");
  CHECK(run("a←5 ⋄ •BQN \"a\"").find("Undefined") != std::string::npos);
  CHECK(run("⟨\"/some/dir/\",\"name.bqn\",1‿2⟩ •BQN \"•args\"") == "⟨ 1 2 ⟩");
  CHECK(run("⟨\"/some/dir/\",\"name.bqn\",⟨⟩⟩ •BQN \"•name\"") == "\"name.bqn\"");
}
