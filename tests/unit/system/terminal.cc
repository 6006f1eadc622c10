#include <doctest/doctest.h>

#include <string>

#include "tests/support/host.h"

using griddle::testing::Host;
using griddle::testing::Recorder;

TEST_CASE("standard error takes bytes, and lines of any text") {
  Recorder console;
  griddle::Options options;
  options.console = &console;
  Host run{griddle::Interpreter(options)};
  CHECK(run("•term.Err \"π é 😀\"") == "\"π é 😀\"");
  CHECK(console.error == "π é 😀\n");
  CHECK(run("•term.Err \"\" ⋄ •term.Err 'a'‿@ ⋄ •term.ErrRaw 233‿10") == "⟨ 233 10 ⟩");
  CHECK(console.error == std::string("π é 😀\n\na\0\n\xE9\n", 17));
  CHECK(run("•term.Err 3") == "! •term.Err: 𝕩 must be a string (got a number)");
  CHECK(run("•term.ErrRaw \"π\"").starts_with("! •term.ErrRaw: 𝕩 must be a list of bytes"));
  CHECK(console.out.empty());
}

TEST_CASE("a terminal has a size, and what is none has not") {
  struct Window : Recorder {
    bool terminal_size(std::size_t& rows, std::size_t& columns) override {
      rows = 24;
      columns = 300;
      return true;
    }
  } console;
  griddle::Options options;
  Host none{griddle::Interpreter(options)};
  CHECK(none("•term.Size@") == "⟨ 0 0 ⟩");
  options.console = &console;
  Host run{griddle::Interpreter(options)};
  CHECK(run("•term.Size@") == "⟨ 24 300 ⟩");
}

TEST_CASE("lines are read until there are none") {
  Recorder console;
  griddle::Options options;
  options.console = &console;
  Host run{griddle::Interpreter(options)};
  CHECK(run("⟨•GetLine@,•GetLine@⟩") == "⟨ \"a line\" @ ⟩");
}
