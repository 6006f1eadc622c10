#include "runtime/system/plots/plot_options.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/support/host.h"

using griddle::testing::Host;

TEST_CASE("options that are none, or that mean nothing, say so") {
  Host run;
  const auto message = [&](const std::string& options) { return run(options + "•plot.Line 1‿2‿3"); };
  CHECK(message("{titel⇐\"x\"}") == "! •plot.Line: There is no option with this name (titel)");
  CHECK(message("{as⇐\"gif\"}") == "! •plot.Line: The option as must be text, svg, png, kitty or sixel (got \"gif\")");
  CHECK(message("{width⇐0}") == "! •plot.Line: The option width must be a number from 16 to 8192 (got 0)");
  CHECK(message("{log⇐\"z\"}") == "! •plot.Line: The option log must be \"x\", \"y\" or \"xy\" (got \"z\")");
  CHECK(message("{xrange⇐2‿1}").find("xrange must be two finite numbers") != std::string::npos);
  CHECK(message("{log⇐\"y\",yrange⇐0‿1}").find("must be above 0") != std::string::npos);
  CHECK(message("5").find("𝕨 must be the name of a file") != std::string::npos);
  CHECK(message("{title⇐5}").find("The option title must be a string") != std::string::npos);
  CHECK(run("{log⇐\"x\"}•plot.Bar 1‿2").find("no logarithmic axis across") != std::string::npos);
}

TEST_CASE("options change the picture that they are for") {
  Host run;
  const auto differs = [&](const std::string& options) {
    return run("(" + options + "•plot.Line 1‿20‿300)≢•plot.Line 1‿20‿300") == "1";
  };
  for (const char* options : {"{title⇐\"t\"}", "{x_label⇐\"t\"}", "{yLabel⇐\"t\"}", "{log⇐\"y\"}", "{xrange⇐¯1‿5}",
                              "{yrange⇐0‿1000}", "{names⇐⟨\"a\"⟩}", "{height⇐30}"}) {
    CAPTURE(options);
    CHECK(differs(options));
  }
  CHECK(run("({bins⇐2}•plot.Histogram ↕99)≢•plot.Histogram ↕99") == "1");
  CHECK(run("({labels⇐\"x\"‿\"y\"}•plot.Bar 1‿2)≢•plot.Bar 1‿2") == "1");
  CHECK(run("({max⇐1}•plot.Image 2‿2⥊↕4)≢•plot.Image 2‿2⥊↕4") == "1");
  CHECK(run("≢{scale⇐8}•plot.Image 2‿3⥊↕6") == "⟨ 8 24 ⟩");
}
