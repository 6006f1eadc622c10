#include "repl/other_programs.h"

#include <doctest/doctest.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <string>

#include "tests/support/redirected.h"

using namespace griddle::repl;
using griddle::testing::Redirected;

TEST_CASE("the editor that the environment names changes the text") {
  setenv("VISUAL", "sed -i s/1/2/", 1);
  StandardConsole console;
  std::string text = "1+1\na←1";
  CHECK(edit_text(console, text) == "");
  CHECK(text == "2+1\na←2");
  setenv("VISUAL", "", 1);
  setenv("EDITOR", "false", 1);
  CHECK(edit_text(console, text) == "The editor did not end well (false)");
  CHECK(text == "2+1\na←2");
  unsetenv("VISUAL");
  unsetenv("EDITOR");
}

TEST_CASE("programs of the shell get text as their input, and may leave it") {
  // As in the executable: what nobody reads is an error of writing.
  signal(SIGPIPE, SIG_IGN);
  const Redirected output(STDOUT_FILENO, "");
  StandardConsole console;
  const TextPieces text = [](const TakePiece& take) { take("one\n") && take("two\n"); };
  CHECK(run_on_terminal(console, "cat", &text) == 0);
  CHECK(output.contents() == "one\ntwo\n");
  const std::string much(1 << 20, 'x');
  bool is_wanted = true;
  const TextPieces all = [&](const TakePiece& take) { is_wanted = take(much); };
  CHECK(run_on_terminal(console, "exit 3", &all) == 3);
  CHECK(!is_wanted);
  CHECK(run_on_terminal(console, "kill -9 $$", nullptr) == -1);
  signal(SIGPIPE, SIG_DFL);
}
