#include <doctest/doctest.h>

#include <string>

#include "tests/support/called.h"

using griddle::testing::Host;

TEST_CASE("pictures that are written are read as they were") {
  Host run;
  for (const char* picture : {"1‿1⥊0", "1‿1⥊255", "2‿3⥊1‿0‿1", "7‿9⥊256|7×↕63", "40‿50‿3⥊256|13×↕6000", "5‿5‿4⥊256|↕100",
                              "3‿2‿2⥊↕12", "3‿2‿1⥊↕6", "1‿3⥊0+0.5-0.5", "300‿200⥊256|(↕60000)⋆2"}) {
    CAPTURE(picture);
    const std::string shape = picture == std::string("3‿2‿1⥊↕6") ? "3‿2⥊" : "";
    CHECK(run("p←" + std::string(picture) + " ⋄ (" + shape + "p)≡•png.Parse •png.Format p") == "1");
  }
  CHECK(run("f←•png.Format 2‿2⥊↕4 ⋄ f≡•png.Format •png.Parse f-@") == "1");
}

TEST_CASE("what is no picture is refused") {
  Host run;
  const auto refused = [&](const char* x) { return run("•png.Format " + std::string(x)).substr(sizeof "! •png.Format: " - 1); };
  CHECK(refused("5") == "𝕩 must be rows of columns of samples, or of lists of samples (got a number)");
  CHECK(refused("↕5").starts_with("𝕩 must be rows"));
  CHECK(refused("2‿2‿5⥊0") == "A place has 1 to 4 samples (got 5)");
  CHECK(refused("2‿2‿0⥊0") == "A place has 1 to 4 samples (got 0)");
  CHECK(refused("0‿2⥊0") == "A picture has at least one row and one column");
  CHECK(refused("2‿2⥊\"abc\"") == "Samples must be numbers from 0 to 255");
  CHECK(refused("2‿2⥊⟨1,\"a\"⟩") == "Samples must be numbers from 0 to 255");
  for (const char* sample : {"256", "¯1", "0.5", "∞"}) {
    CAPTURE(sample);
    CHECK(refused(("2‿2‿3⥊(10⥊1)∾" + std::string(sample) + "‿1").c_str()) ==
          "Samples must be integers from 0 to 255 (row 1, column 1)");
  }
}
