#include "repl/commands/keeping.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "tests/support/command_session.h"
#include "tests/support/temporary_folder.h"

using griddle::testing::CommandSession;
using griddle::testing::TemporaryFolder;

TEST_CASE("a saved session comes back: values, functions, and blocks by their source") {
  const TemporaryFolder folder;
  const std::string path = folder.at("saved");
  CommandSession session;
  session("a←2‿2⥊↕4 ⋄ Sum←+´÷≠ ⋄ Next←{𝕩+k} ⋄ k←⟨5,\"text\"⟩ ⋄ k↩7;");
  session("l←⟨{𝕩}⟩ ⋄ l∾↩⟨{-𝕩}⟩ ⋄ {n←𝕩}¨↕2;");
  const std::string told = session(")save " + path);
  CHECK(told.find("saved: a Sum k") != std::string::npos);
  CHECK(told.find("saved as source, which )restore runs: Next") != std::string::npos);
  struct stat status = {};
  REQUIRE(stat(path.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0600);
  CommandSession other;
  CHECK(other(")restore " + path).find("restored:") != std::string::npos);
  CHECK(other("Next 1") == "8\n");
  CHECK(other("a").find("2 3") != std::string::npos);
  CHECK(other("Sum 1‿3") == "2\n");
  other(")restore " + folder.write("none", "no session"));
  CHECK(other.errors.contents().find("no saved session") != std::string::npos);
}

TEST_CASE("a file that was loaded is run anew when it, or what it imports, has changed") {
  const TemporaryFolder folder;
  const std::string inner = folder.write("inner.bqn", "⟨10⟩"), outer = folder.write("outer.bqn", "v←1+⊑•Import \"inner.bqn\"");
  CommandSession session;
  CHECK(session(")reload") == "No file was loaded: )load FILE\n");
  session(")load " + outer);
  CHECK(session("v") == "11\n");
  CHECK(session(")reload") == "No file has changed\n");
  folder.write("inner.bqn", "⟨20⟩");
  // Files say when they were changed; this one a minute from now.
  const timespec later[2] = {{session.state.files[0].when.tv_sec + 60, 0}, {session.state.files[0].when.tv_sec + 60, 0}};
  REQUIRE(utimensat(AT_FDCWD, inner.c_str(), later, 0) == 0);
  CHECK(session(")reload") == "Loading " + outer + "\n");
  CHECK(session("v") == "21\n");
}

TEST_CASE("what is typed and shown is logged") {
  const TemporaryFolder folder;
  const std::string path = folder.at("log");
  CommandSession session;
  session(")log " + path);
  session.console->log_entry("   ", "1+1");
  session("1+1");
  session("!\"wrong\"");
  session(")log");
  session("5");
  std::string text;
  REQUIRE(griddle::read_file(path, text));
  CHECK(text.starts_with("   1+1\n2\nError: wrong\n"));
  CHECK(text.find('5') == std::string::npos);
}
