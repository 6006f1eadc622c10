#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "tests/support/host.h"

using griddle::testing::Host;

namespace {

std::string contents_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("without a file a picture is a table of characters, or what is asked for") {
  Host run;
  CHECK(run("≢•plot.Line ↕9") == "⟨ 20 72 ⟩");
  CHECK(run("≢{width⇐30,height⇐6}•plot.Bar ↕9") == "⟨ 6 30 ⟩");
  CHECK(run("5↑{as⇐\"svg\"}•plot.Scatter ↕9") == "\"<?xml\"");
  CHECK(run("@-˜4↑{as⇐\"png\"}•plot.Heat 2‿2⥊↕4") == "⟨ 137 80 78 71 ⟩");
  CHECK(run("@-˜3↑{as⇐\"kitty\"}•plot.Histogram ↕9") == "⟨ 27 95 71 ⟩");
  CHECK(run("@-˜3↑{as⇐\"sixel\"}•plot.Image 2‿2⥊↕4") == "⟨ 27 80 113 ⟩");
  CHECK(run("({as⇐\"png\"}•plot.Line r)≡{as⇐\"png\"}•plot.Line r←•math.Sin ↕99") == "1");
  CHECK(run("{width⇐5000}•plot.Line ↕3").find("1000 rows and columns at most") != std::string::npos);
}

TEST_CASE("a file is written in the form of its name, in one piece") {
  Host run;
  char folder[] = "/tmp/griddle-plot-XXXXXX";
  REQUIRE(mkdtemp(folder) != nullptr);
  const std::string base = folder;
  for (const char* name : {"/a.svg", "/a.png", "/a.txt"}) {
    const std::string path = base + name;
    CHECK(run("\"" + path + "\"•plot.Line 1‿2‿3") == "\"" + path + "\"");
    CHECK(run("{file⇐\"" + path + "\"}•plot.Bar 1‿2‿3") == "\"" + path + "\"");
  }
  CHECK(contents_of(base + "/a.png").starts_with("\x89PNG"));
  CHECK(contents_of(base + "/a.svg").find("<rect") != std::string::npos);
  CHECK(contents_of(base + "/a.txt").find("┤") != std::string::npos);
  CHECK(run("\"" + base + "/no/a.svg\"•plot.Line 1‿2").find("No such file or directory") != std::string::npos);
  CHECK(run("\"" + base + "/a.jpg\"•plot.Line 1‿2").find("must end in .svg, .png or .txt") != std::string::npos);
  CHECK(run("≠•file.List \"" + base + "\"") == "3");
  for (const char* name : {"/a.svg", "/a.png", "/a.txt"}) unlink((base + name).c_str());
  rmdir(folder);
}

TEST_CASE("who may not write files may draw, but not into one") {
  griddle::Options options;
  options.safe = true;
  griddle::Interpreter safe(options);
  CHECK(safe.eval("≢•plot.Line ↕9")->format() == "⟨ 20 72 ⟩");
  const griddle::Result refused = safe.eval("\"/tmp/griddle refused.svg\"•plot.Line ↕9");
  REQUIRE(!refused);
  CHECK(refused.failure().message == "•plot.Line: This is not permitted in safe mode");
  CHECK(access("/tmp/griddle refused.svg", F_OK) != 0);
}
