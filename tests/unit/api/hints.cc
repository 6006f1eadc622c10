#include "runtime/api/hints.h"

#include <doctest/doctest.h>

#include <string>

#include "runtime/api/griddle.hpp"

namespace {

// Gives the line of a report that holds the hint, or nothing.
std::string hint_line(griddle::Interpreter& bqn, std::string_view code) {
  const griddle::Result result = bqn.eval_in_session(code, "test");
  REQUIRE(!result);
  const std::string& report = result.failure().report;
  const std::size_t at = report.find("\nHint: ");
  CHECK(result.failure().message.find("Hint: ") == std::string::npos);
  return at == std::string::npos ? "" : report.substr(at + 1, report.size() - at - 2);
}

}  // namespace

TEST_CASE("a report ends in a hint, which knows the session and the system values") {
  griddle::Interpreter bqn;
  CHECK(bqn.eval_in_session("numbers←↕5").ok());
  CHECK(bqn.eval_in_session("tools←{Mean⇐+´÷≠ ⋄ size⇐3}").ok());
  CHECK(hint_line(bqn, "numbres") == "Hint: did you mean numbers?");
  CHECK(hint_line(bqn, "•Shwo 3") == "Hint: did you mean •Show?");
  CHECK(hint_line(bqn, "•math.Sine 3") == "Hint: did you mean •math.Sin or •math.Sinh?");
  CHECK(hint_line(bqn, "tools.Maen 3") == "Hint: did you mean tools.Mean?");
  CHECK(hint_line(bqn, "tools.sizes") == "Hint: did you mean tools.size?");
  CHECK(hint_line(bqn, "numbers.sizes") == "");
  CHECK(hint_line(bqn, "nothing.sizes") == "");
  CHECK(hint_line(bqn, "3 != 4") == "Hint: ≠ tells whether values differ");
  CHECK(hint_line(bqn, "!0") == "");
}

TEST_CASE("hints name no system value that is not permitted") {
  griddle::Options options;
  options.capabilities = 0;
  griddle::Interpreter bqn(options);
  CHECK(hint_line(bqn, "•FChar \"a\"") == "");
}
