#include "runtime/bytecode/layout.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/support/listing.h"

using namespace griddle;
using namespace griddle::testing;

namespace {

bool in(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("names that nothing changes take no place") {
  std::string text = listing("Sq←{𝕩×𝕩} ⋄ n←3 ⋄ F←{n+Sq 𝕩} ⋄ F 4");
  CHECK(!in(text, "environment"));
  CHECK(!in(text, "outer"));
  CHECK(in(text, "call1_block"));
}

TEST_CASE("immediate blocks run in the frame around them") {
  std::string text = listing("{a←𝕩 ⋄ {b←a+1 ⋄ b<3 ? b ; 0}}");
  CHECK(!in(text, "run_block"));
  CHECK(!in(text, "environment"));
}

TEST_CASE("variables that inner blocks change live in an environment") {
  CHECK(compiles_to("{n←𝕩 ⋄ F←{n+↩𝕩} ⋄ F 1 ⋄ n}", "environment"));
  CHECK(!compiles_to("{n←𝕩 ⋄ n+↩1 ⋄ n}", "environment"));
  Machinery m;
  CHECK(m("{n←𝕩 ⋄ F←{n+↩𝕩} ⋄ F 1 ⋄ F 5 ⋄ n}10") == "16");
}

TEST_CASE("a call of a name for a function of primitives is written out") {
  CHECK(compiles_to("F←⊢∾- ⋄ {F 𝕩}", "negate"));
  CHECK(compiles_to("F←⊢∾- ⋄ {𝕩 F 2}", "subtract"));
  CHECK(compiles_to("{Mean←+´÷≠ ⋄ Mean 𝕩}", "divide"));
  CHECK(compiles_to("F←2⊸× ⋄ {F 𝕩}", "multiply"));
  CHECK(compiles_to("F←⊢∾- ⋄ G←F∘⌽ ⋄ {G 𝕩}", "negate"));
  CHECK(compiles_to("F←⊢∾- ⋄ {(F∾≠)𝕩}", "negate"));
  CHECK(compiles_to("F←⊢∾- ⋄ {(≠∘F)𝕩}", "negate"));
  CHECK(compiles_to("F←+´÷≠ ⋄ {F¨𝕩}", "each_next"));
  CHECK(!compiles_to("F←⊢∾- ⋄ {F↩⊢ ⋄ F 𝕩}", "negate"));
  CHECK(!compiles_to("F←- ⋄ F↩+ ⋄ {F 𝕩}", "negate"));
  CHECK(!compiles_to("{F←{-𝕩}∾⊢ ⋄ F 𝕩}", "negate r1"));
  CHECK(!compiles_to("F←⊢∾-∾×∾+∾÷∾⌊∾⌈∾|∾¬∾√ ⋄ {F 𝕩}", "negate"));  // too much for each call
}
