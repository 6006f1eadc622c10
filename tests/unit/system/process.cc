#include <doctest/doctest.h>

#include <string>

#include "tests/support/host.h"

using griddle::testing::Host;

TEST_CASE("a command gives its code and what it wrote, and reads its input") {
  Host run;
  CHECK(run("•SH⟨\"echo\",\"hi\"⟩") == "⟨ 0 \"hi\n\" ⟨⟩ ⟩");
  CHECK(run("{stdin⇐\"text\"} •SH⟨\"cat\"⟩") == "⟨ 0 \"text\" ⟨⟩ ⟩");
  CHECK(run("•SH⟨\"/no/such/program\"⟩").find("!") != std::string::npos);
}
