#include "repl/commands.h"

#include <doctest/doctest.h>

#include <string>

#include "runtime/text_width.h"
#include "tests/support/command_session.h"

using namespace griddle::repl;
using griddle::testing::CommandSession;

TEST_CASE("lines that begin with a closing parenthesis are commands") {
  CHECK(is_command(")help"));
  CHECK(is_command("  )vars"));
  CHECK(!is_command("(1)"));
  CHECK(!is_command(""));
}

TEST_CASE("a command says what is wrong with it, or ends the session") {
  CommandSession session;
  for (const char* line : {")nothing", ")time", ")time:0 1", ")ex /no/such/file"}) {
    session(line);
    CHECK(!session.leaves);
  }
  for (const char* part : {"no such command: )nothing", ")time needs CODE", "at least 1", "Cannot read the file (/no/such/file)"})
    CHECK(session.errors.contents().find(part) != std::string::npos);
  session(")time •Exit 3");
  CHECK(session.leaves);
  CHECK(session.exit_code == 3);
  session(")off");
  CHECK(session.leaves);
}

TEST_CASE("help on a command says what it does, and what else has its name") {
  CommandSession session;
  CHECK(session(")help edit").starts_with("  )edit [NAME]    edit what defined a name"));
  CHECK(session(")help )edit") == session(")help edit"));
  CHECK(session(")help )q").starts_with("  )exit "));
  const std::string both = session(")help time"), alone = session(")help )time");
  CHECK(alone.starts_with("  )time CODE "));
  CHECK(both.starts_with(alone));
  CHECK(both.size() > alone.size());
  session.errors.contents();
  session(")help )nowhere");
  CHECK(session.errors.contents().find("There is no help on )nowhere") != std::string::npos);
}

TEST_CASE("help names every command once") {
  CommandSession session;
  const std::string text = session(")help");
  for (const char* name : {"  )vars [PATTERN]", "  )load FILE", "  )exit"}) {
    CHECK(text.find(name) != std::string::npos);
    CHECK(text.find(name) == text.rfind(name));
  }
  // Rows break at blanks, and go on below where they began.
  constexpr std::size_t columns = 80;
  for (std::size_t at = 0, end; at < text.size(); at = end + 1) {
    end = text.find('\n', at);
    CHECK(griddle::columns_of(std::string_view(text).substr(at, end - at)) <= columns);
  }
  CHECK(text.find("\n                  ") != std::string::npos);
}
