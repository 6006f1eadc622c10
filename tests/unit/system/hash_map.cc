#include <doctest/doctest.h>

#include <string>

#include "tests/support/host.h"

using griddle::testing::Host;

TEST_CASE("keys of any kind are found, and stay in the order they came") {
  Host run;
  CHECK(run("h←(\"a\"‿2‿⟨1,\"x\"⟩)•HashMap 1‿2‿3 ⋄ h.Get ⟨1,\"x\"⟩") == "3");
  CHECK(run("h←⟨⟩•HashMap⟨⟩ ⋄ {𝕩 h.Set 𝕩×2}¨↕1000 ⋄ (h.Get 777)‿(h.Count@)") == "⟨ 1554 1000 ⟩");
  CHECK(run("h←3‿1‿2•HashMap 0‿0‿0 ⋄ h.Delete 1 ⋄ h.Keys@") == "⟨ 3 2 ⟩");
  CHECK(run("h←1‿2•HashMap 3‿4 ⋄ h.Get 9").find("!") != std::string::npos);
  CHECK(run("h←1‿2•HashMap 3‿4 ⋄ 7 h.Get 9") == "7");
}
