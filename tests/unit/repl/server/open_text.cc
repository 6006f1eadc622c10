#include "repl/server/open_text.h"

#include <doctest/doctest.h>

using namespace griddle;
using namespace griddle::repl;

namespace {

Json change_of(const char* text) { return *Json::read(text); }

}  // namespace

TEST_CASE("a text follows the changes that the editor tells, and is read anew") {
  Interpreter bqn;
  OpenText text("a𝕩c\nd", CodeUnits::utf16);
  text.change(change_of(R"({"range":{"start":{"line":0,"character":1},"end":{"line":0,"character":3}},"text":"←1 #"})"));
  CHECK(text.text() == "a←1 #c\nd");
  CHECK(text.reading(bqn).errors.size() == 1);
  CHECK(&text.reading(bqn) == &text.reading(bqn));
  text.change(change_of(R"({"range":{"start":{"line":1,"character":0},"end":{"line":9,"character":9}},"text":"a"})"));
  CHECK(text.text() == "a←1 #c\na");
  CHECK(text.reading(bqn).errors.empty());
  CHECK(text.range_of({0, 1}).written() == R"({"start":{"line":0,"character":0},"end":{"line":0,"character":1}})");
  CHECK(text.position_of(4).written() == R"({"line":0,"character":2})");
  // An end before its start, and places that are none.
  text.change(change_of(R"({"range":{"start":{"line":0,"character":2},"end":{"line":0,"character":-5}},"text":"1"})"));
  CHECK(text.text() == "a←11 #c\na");
  text.change(change_of("{}"));
  CHECK(text.text().empty());
}
