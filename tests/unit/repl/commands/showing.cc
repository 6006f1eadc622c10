#include "repl/commands/showing.h"

#include <doctest/doctest.h>

#include "tests/support/command_session.h"

using griddle::Interpreter;
using namespace griddle::repl;
using griddle::testing::CommandSession;

TEST_CASE("values are described in a few words") {
  Interpreter bqn;
  const auto described = [&](const char* text) { return description_of(*bqn.eval(text)); };
  CHECK(described("5") == "number");
  CHECK(described("'a'") == "character");
  CHECK(described("\"abc\"") == "list of 3 characters");
  CHECK(described("2‿3⥊0.5") == "2‿3 array of f64");
  CHECK(described("⟨1,\"a\"⟩") == "list of 2 values");
  CHECK(described("<5") == "unit of i8");
  CHECK(described("⟨⟩") == "empty list");
  CHECK(described("1=↕4") == "list of 4 bits");
  CHECK(described("{x⇐1}") == "namespace");
  CHECK(described("⊑⟨{𝕩}⟩") == "function");
}

TEST_CASE("sizes and rows are short") {
  CHECK(shown_bytes(12) == "12 B");
  CHECK(shown_bytes(1234) == "1.2 kB");
  CHECK(shown_bytes(80'000'000) == "80.0 MB");
  Interpreter bqn;
  CHECK(row_of(*bqn.eval("↕100"), 12) == "⟨ 0 1 2 3 4…");
  CHECK(row_of(*bqn.eval("2‿2⥊↕4"), 40) == "2‿2 array of i8");
}

TEST_CASE("where the output is no terminal, all of a value is shown") {
  CommandSession session;
  CHECK(session("↕2000").size() > 8000);
  CHECK(session("a←3‿3⥊1").find("╵ 1 1 1") != std::string::npos);
  CHECK(session(")all").find("╵ 1 1 1") != std::string::npos);
}
