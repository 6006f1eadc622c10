#include "runtime/system/data/zip_archive.h"

#include <doctest/doctest.h>

#include "tests/support/called.h"

using griddle::testing::Host;

TEST_CASE("archives are written and read, stored and deflated") {
  Host run;
  CHECK(run("t≡•npy.Parse•npy.Format t←2‿3⥊\"a\"‿\"é b\"‿\"c\"‿(↕5)‿\"text\"‿(2‿2⥊÷1+↕4)") == "1");
  CHECK(run("t≡•npy.Parse{compress⇐1}•npy.Format t←2‿2⥊\"a\"‿\"b\"‿(3e6⥊↕100)‿(0‿3⥊0)") == "1");
  CHECK(run("3e4>≠{compress⇐1}•npy.Format {a⇐3e6⥊↕100}") == "1");
  CHECK(run("⊏•npy.Parse•npy.Format {aB⇐1, c⇐\"x\"}") == "⟨ \"aB\" \"c\" ⟩");
}

TEST_CASE("what is damaged is an error, wherever it is") {
  Host run;
  run.before = "z←{compress⇐1}•npy.Format {a⇐↕1000} ⋄ s←•npy.Format {a⇐↕1000} ⋄ ";
  CHECK(run("≢•npy.Parse z") == "⟨ 2 1 ⟩");
  CHECK(run("•npy.Parse ¯1↓z") == "! •npy.Parse: This archive is damaged, or none");
  CHECK(run("•npy.Parse \"PK\"") == "! •npy.Parse: This archive is damaged, or none");
  CHECK(run("•npy.Parse (1⊸+⌾(500⊸⊑)s)") == "! •npy.Parse: This archive is damaged (a.npy)");
  // Each byte changed in turn gives an error, or the same array: dates and the like are not looked at. With another name it is no
  // array.
  CHECK(run("∧´{i←𝕩 ⋄ {𝕊: a←⊢´⥊•npy.Parse (@+255-(i⊑z)-@)˙⌾(i⊸⊑)z ⋄ (a≡↕1000)∨2=•Type⊑a}⎊1 @}¨↕≠z") == "1");
}
