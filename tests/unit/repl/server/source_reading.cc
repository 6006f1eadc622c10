#include "repl/server/source_reading.h"

#include <doctest/doctest.h>

using namespace griddle;
using namespace griddle::repl;

TEST_CASE("tokens are found by bytes, names by what they mean") {
  Interpreter bqn;
  const std::string text = "ab←1\nF←{ab+𝕩}\nab";
  const SourceReading reading = read_source(bqn, text);
  CHECK(reading.tokens.size() == 11);
  CHECK(reading.token_at(0) == 0);
  CHECK(reading.token_at(1) == 0);
  CHECK(reading.token_at(2) == 1);
  CHECK(reading.token_at(text.size()) == 10);
  CHECK(!read_source(bqn, "").token_at(0));
  CHECK(!read_source(bqn, "1   2").token_at(2));
  CHECK(reading.uses_of(text, 0) == std::vector<std::size_t>{0, 6, 10});
  CHECK(reading.errors.empty());
  CHECK(read_source(bqn, "1 2").errors.size() == 1);
}

TEST_CASE("fields belong to the block that a name is") {
  Interpreter bqn;
  const std::string text = "n←{a⇐1 ⋄ b←{c⇐2} ⋄ d⇐{e⇐3}}\nn.d.e+n.a+n.c";
  const SourceReading reading = read_source(bqn, text);
  const auto name_of = [&](std::size_t definition) {
    const NameToken& t = reading.tokens[reading.definitions[definition].token];
    return text.substr(t.start, t.end - t.start);
  };
  std::string fields;
  for (const std::size_t field : reading.fields_of(0)) fields += name_of(field);
  CHECK(fields == "ad");
  std::string means;
  for (std::size_t i = 0; i < reading.tokens.size(); i++) {
    if (reading.tokens[i].kind != griddle_token_field) continue;
    const std::optional<std::size_t> found = reading.definition_of(text, i);
    means += found ? name_of(*found) : "?";
  }
  CHECK(means == "dea?");
}
