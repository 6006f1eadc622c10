#include "runtime/system/plots/plot_data.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/support/host.h"

using griddle::testing::Host;

TEST_CASE("the same points are the same picture, in whatever form they come") {
  Host run;
  run.before = "x←1‿2‿4‿8 ⋄ y←3‿1‿4‿1 ⋄ z←1‿5‿9‿2 ⋄ P←•plot.Line ⋄ ";
  CHECK(run("(P y)≡P⟨y⟩") == "1");
  CHECK(run("(P y)≡P ≍˘y") == "1");
  CHECK(run("(x P y)≡P ⋈x‿y") == "1");
  CHECK(run("(x P y)≡P ⍉x≍y") == "1");
  CHECK(run("(x P y)≡{x⇐1‿2‿4‿8}P y") == "1");
  CHECK(run("(x P y‿z)≡P⟨x‿y,x‿z⟩") == "1");
  CHECK(run("(x P y‿z)≡P ⍉[x,y,z]") == "1");
  CHECK(run("(P y)≡P x P y") ==
        "! •plot.Line: 𝕩 must be a list of numbers, a table of them, or a list of series (got a 20‿72 array)");
}

TEST_CASE("x of bars names them, and what has no x takes none") {
  Host run;
  CHECK(run("(2020‿2021•plot.Bar 3‿4)≡{labels⇐\"2020\"‿\"2021\"}•plot.Bar 3‿4") == "1");
  CHECK(run("(2020‿2021•plot.Bar 3‿4)≢•plot.Bar 3‿4") == "1");
  for (const char* code : {"1‿2•plot.Histogram 3‿4", "1‿2•plot.Heat 2‿2⥊0", "1‿2•plot.Image 2‿2⥊0"}) {
    CAPTURE(code);
    CHECK(run(code).find("This takes no x (got a list of length 2)") != std::string::npos);
  }
}

TEST_CASE("bad data says what is wrong") {
  Host run;
  CHECK(run("•plot.Line 5").find("(got a number)") != std::string::npos);
  CHECK(run("•plot.Line \"abc\"").find("must be a list of numbers") != std::string::npos);
  CHECK(run("•plot.Line 1‿\"ab\"").find("(got a number in it)") != std::string::npos);
  CHECK(run("•plot.Line ⟨1‿2‿3,\"ab\"⟩").find("A series must be") != std::string::npos);
  CHECK(run("1‿2 •plot.Line 1‿2‿3") == "! •plot.Line: There must be as many x as y (got 2 and 3)");
  CHECK(run("•plot.Line ⋈1‿2‿3‿⟨1⟩").find("A series must be") != std::string::npos);
  CHECK(run("{names⇐⟨\"a\"⟩}•plot.Line ⟨1‿2,3‿4⟩") == "! •plot.Line: There must be as many names as series (got 1 and 2)");
  CHECK(run("•plot.Heat 1‿2").find("must be a table of numbers") != std::string::npos);
  CHECK(run("•plot.Image 2‿2‿2⥊0").find("a last axis of 3 or 4") != std::string::npos);
  CHECK(run("•plot.Image 0‿2⥊0").find("must have rows and columns") != std::string::npos);
  CHECK(run("•plot.Histogram ⟨+⟩").find("must be an array of numbers") != std::string::npos);
}
