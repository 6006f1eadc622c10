#include <doctest/doctest.h>

#include "runtime/api/griddle.hpp"

using namespace griddle;

namespace {

// Gives a column of an analysis as numbers.
std::vector<double> numbers_in(const Any& analysis, const char* table, const char* column) {
  return analysis.field(table).field(column).numbers().value_or(std::vector<double>{-1});
}
std::string text_in(const Any& analysis, const char* column, std::size_t index) {
  return analysis.field("problems").field(column)[index].text().value_or("none");
}

}  // namespace

TEST_CASE("a host reads a source text without running it") {
  Interpreter bqn;
  const Result read = bqn.analyse("a←1 # one\na+•Out \"x\"");
  REQUIRE(read.ok());
  CHECK(numbers_in(*read, "tokens", "start") == std::vector<double>{0, 1, 4, 6, 12, 13, 14, 21});
  CHECK(numbers_in(*read, "tokens", "kind") ==
        std::vector<double>{griddle_token_name, griddle_token_arrow, griddle_token_number, griddle_token_comment,
                            griddle_token_name, griddle_token_primitive, griddle_token_system, griddle_token_text});
  CHECK(numbers_in(*read, "tokens", "role") == std::vector<double>{0, 0, 0, 0, 0, 1, 1, 0});
  CHECK(numbers_in(*read, "tokens", "use") == std::vector<double>{griddle_use_definition, 0, 0, 0, griddle_use_value, 0, 0, 0});
  // 1 is the number of definitions: none is meant.
  CHECK(numbers_in(*read, "tokens", "definition") == std::vector<double>{0, 1, 1, 1, 0, 1, 1, 1});
  CHECK(numbers_in(*read, "definitions", "token") == std::vector<double>{0});
  CHECK(numbers_in(*read, "definitions", "scopeend") == std::vector<double>{24});
  CHECK(numbers_in(*read, "problems", "start").empty());
  CHECK(bqn.session_names().empty());
}

TEST_CASE("a host gets all errors of a text, with hints") {
  Interpreter bqn;
  const Result read = bqn.analyse("alpha←1\nalhpa+2\n•Mahts\n\"open");
  REQUIRE(read.ok());
  CHECK(text_in(*read, "message", 0) == "Undefined identifier");
  CHECK(text_in(*read, "hint", 0).find("alpha") != std::string::npos);
  CHECK(text_in(*read, "message", 1) == "Unknown system value •Mahts");
  CHECK(text_in(*read, "message", 2) == "Unclosed string");
  CHECK(text_in(*read, "message", 3) == "none");
  const Result brackets = bqn.analyse("(1+2]");
  CHECK(numbers_in(*brackets, "problems", "start") == std::vector<double>{4});
  CHECK(numbers_in(*brackets, "problems", "relatedend") == std::vector<double>{1});
}

TEST_CASE("an analysis keeps to the limits of the interpreter") {
  Options options;
  options.memory_limit = 4 << 20;
  Interpreter bqn(options);
  std::string text;
  for (int i = 0; i < 1'000'000; i++) text += "a+";
  CHECK(!bqn.analyse(text).ok());
  CHECK(bqn.analyse("1").ok());
  CHECK(griddle_analyse(nullptr, griddle_string("1"), nullptr).interpreter == nullptr);
}
