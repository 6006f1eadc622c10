#include "runtime/system/text_style.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/support/host.h"

using griddle::testing::Host;

TEST_CASE("options say how numbers look, and where there is one, in which column") {
  Host run;
  CHECK(run("{precision⇐3}•Fmt÷1+↕3") == "\"⟨ 1 0.5 0.333 ⟩\"");
  CHECK(run("{decimals⇐1,width⇐6,align⇐\"left\"}•Fmt 1‿20") == "\"⟨ 1.0    20.0   ⟩\"");
  CHECK(run("{width⇐5}•Fmt \"a\"‿'b'‿1") == "\"⟨ \"\"a\"\"   'b'       1 ⟩\"");
  CHECK(run("{columns⇐⟨@,{decimals⇐1}⟩}•Fmt ⟨1,2,3⟩") == "\"⟨ 1 2.0 3 ⟩\"");
  CHECK(run("{decimals⇐1}•Fmt ⟨1,⟨2,\"x\"⟩⟩") == "\"⟨ 1.0 ⟨ 2.0 \"\"x\"\" ⟩ ⟩\"");
  CHECK(run("{room⇐8}•Fmt ↕100") == "\"⟨ 0 1 2…\"");
  CHECK(run("{thousands⇐\"\",minus⇐\"-\"}•Fmt ¯1000") == "\"-1000\"");
  CHECK(run("{plain⇐1,room⇐2‿4}•Fmt 3‿3⥊↕9") == "\"0  …\n3  …\"" + std::string());
}

TEST_CASE("options that are none say so") {
  Host run;
  CHECK(run("{precison⇐3}•Fmt 1") == "! •Fmt: There is no option with this name (precison)");
  CHECK(run("{precision⇐0}•Fmt 1") == "! •Fmt: The option precision must be a number from 1 to 17 (got 0)");
  CHECK(run("{decimals⇐\"x\"}•Fmt 1") == "! •Fmt: The option decimals must be a number from 0 to 20 (got \"x\")");
  CHECK(run("{align⇐\"up\"}•Show 1") == "! •Show: The option align must be \"left\", \"right\" or \"center\" (got \"up\")");
  CHECK(run("{thousands⇐\"ab\"}•Fmt 1") == "! •Fmt: The option thousands must be a character (got \"ab\")");
  CHECK(run("{columns⇐5}•Fmt 1").starts_with("! •Fmt: The option columns must be a list"));
  CHECK(run("{columns⇐⟨{columns⇐⟨⟩}⟩}•Fmt 1") == "! •Fmt: There is no option with this name (columns)");
}
