#include "repl/server/explanations.h"

#include <doctest/doctest.h>

using namespace griddle;
using namespace griddle::repl;

namespace {

// Gives what is said of the token that begins at a byte.
std::string said_of(const std::string& contents, std::size_t byte) {
  Interpreter bqn;
  OpenText text(contents, CodeUnits::utf8);
  const std::optional<std::size_t> token = text.reading(bqn).token_at(byte);
  return token ? explanation_of(bqn, text, *token).value_or("nothing") : "no token";
}

}  // namespace

TEST_CASE("glyphs and system values have their pages, without links that lead nowhere") {
  const std::string text = said_of("⌽↕3", 0);
  CHECK(text.starts_with("### ⌽ Reverse, Rotate — `\\q`\n"));
  CHECK(text.find("](") == std::string::npos);
  CHECK(text.find("More:") == std::string::npos);
  CHECK(said_of("•Fmt 1", 0).starts_with("### •Fmt, •Repr"));
  CHECK(said_of("•math.Sin 1", 9).find("•math") != std::string::npos);
  CHECK(said_of("{𝕩}", 1).find("Right argument") != std::string::npos);
  CHECK(said_of("1 # x", 0) == "nothing");
  CHECK(said_of("1 # x", 4) == "nothing");
}

TEST_CASE("a name has its definition and the comments above it") {
  const std::string text = said_of("# adds\n# one\nF←{\n  𝕩+1\n}\nF 2", 30);
  CHECK(text == "```bqn\nF←{\n  𝕩+1\n}\n```\n\nadds\none\n\nfunction, line 3\n");
  std::string longer = "a←⟨\n";
  for (int i = 0; i < 100; i++) longer += "1\n";
  CHECK(said_of(longer + "⟩", 0).find("…") != std::string::npos);
  CHECK(said_of("b+1", 0) == "nothing");
}

TEST_CASE("fields of the system are spelled by their roles; nothing else is evaluated") {
  Interpreter bqn;
  const std::vector<std::string> fields = system_fields(bqn, "•math");
  CHECK(std::find(fields.begin(), fields.end(), "Sin") != fields.end());
  CHECK(system_fields(bqn, "•Out").empty());
  CHECK(system_fields(bqn, "{a⇐1}").empty());
}
