#include "repl/completing/notes.h"

#include <doctest/doctest.h>

#include <string>

using griddle::repl::note_of;
using griddle::repl::note_of_name;

TEST_CASE("values are named by their kind, and short ones shown") {
  griddle::Interpreter bqn;
  const auto note = [&bqn](const char* source) { return note_of(*bqn.eval(source)); };
  CHECK(note("5") == "number 5");
  CHECK(note("'a'") == "character 'a'");
  CHECK(note("\"abc\"") == "string \"abc\"");
  CHECK(note("100⥊\"abc\"") == "list of 100 characters");
  CHECK(note("↕7") == "list of 7 i8");
  CHECK(note("2‿3⥊0") == "2‿3 array of bits");
  CHECK(note("+´") == "function");
  CHECK(note("{a⇐1,b⇐2}") == "namespace");
  CHECK(note_of(griddle::Any()) == "");
}

TEST_CASE("names say by their spelling what they are") {
  CHECK(note_of_name(U"Fun") == "function");
  CHECK(note_of_name(U"•Out") == "function");
  CHECK(note_of_name(U"_m") == "1-modifier");
  CHECK(note_of_name(U"•_while_") == "2-modifier");
  CHECK(note_of_name(U"x") == "value");
}

TEST_CASE("a field is spelled by the role of its value, and one of the system as it names itself") {
  griddle::Interpreter bqn;
  const griddle::Any mine = *bqn.eval("{value⇐1,F⇐{𝕩}}"), system = *bqn.eval("•file");
  CHECK(griddle::repl::spelling_of_field("value", mine.field("value")) == "value");
  CHECK(griddle::repl::spelling_of_field("f", mine.field("f")) == "F");
  CHECK(griddle::repl::spelling_of_field("mapbytes", system.field("mapbytes")) == "MapBytes");
}
