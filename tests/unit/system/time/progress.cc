#include "runtime/system/time/progress.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/support/host.h"

using griddle::progress_line;
using griddle::testing::Host;
using griddle::testing::Recorder;

TEST_CASE("a line says what is done, and how long the rest takes") {
  CHECK(progress_line("", 1, 4, 10, 40) == "█████░░░░░░░░░░░░░░░ 25% 1/4, 00:30 left");
  CHECK(progress_line("read", 4, 4, 10, 80) == "read ████████████████████████████████████████ 100% 4/4, 00:00 left");
  CHECK(progress_line("", 0, 4, 10, 20) == "░░░░░░░░░░░░░ 0% 0/4");
  CHECK(progress_line("", 1, 1000, 10, 80).find("0% 1/1000, 2:46:30 left") != std::string::npos);
}

TEST_CASE("a narrow terminal has no label, then no bar") {
  CHECK(progress_line("a long label", 1, 2, 3, 30) == "█████░░░░░ 50% 1/2, 00:03 left");
  CHECK(progress_line("a long label", 1, 2, 3, 10) == "50% 1/2, 0");
  CHECK(progress_line("é", 1, 2, 3, 26) == "é ██░░ 50% 1/2, 00:03 left");
}

TEST_CASE("results are those of each, in the same shape") {
  Host run;
  CHECK(run("{𝕩+1}•_progress 2‿2⥊↕4") == run("2‿2⥊1+↕4"));
  CHECK(run("⋈•_progress 3") == run("⋈¨↕3"));
  CHECK(run("\"label\"-•_progress ⟨1,'a'-@⟩") == "⟨ ¯1 ¯97 ⟩");
  CHECK(run("≢{𝕩}•_progress 0‿3⥊0") == "⟨ 0 3 ⟩");
  CHECK(run("⌽•_progress ⟨\"ab\",\"cd\"⟩") == "⟨ \"ba\" \"dc\" ⟩");
  CHECK(run("1-•_progress 3") == "! •_progress: 𝕨 must be a string (got a number)");
  CHECK(run("-•_progress 'a'") == "! •_progress: 𝕩 must be a natural number (got a character)");
}

TEST_CASE("a terminal for errors shows a bar while it takes long, and nothing afterwards") {
  struct Window : Recorder {
    std::size_t error_columns() override { return columns; }
    std::size_t columns = 60;
  } console;
  griddle::Options options;
  options.console = &console;
  Host run{griddle::Interpreter(options)};
  const std::string slow = "\"slow\"{•Delay 0.05×𝕩⋆0}•_progress 12";
  run(slow);
  CHECK(console.error.starts_with("\rslow █"));
  CHECK(console.error.find("/12, ") != std::string::npos);
  CHECK(console.error.ends_with("\r\x1b[K"));
  console.error.clear();
  run("-•_progress 1000");
  CHECK(console.error.empty());
  run("{•Delay 0.5 ⋄ !𝕩<2}•_progress 3");
  CHECK(console.error.ends_with("\r\x1b[K"));
  console.error.clear();
  console.columns = 0;
  run(slow);
  CHECK(console.error.empty());
}
