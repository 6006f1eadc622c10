#include "repl/server/json.h"

#include <doctest/doctest.h>

using griddle::repl::Json;

namespace {

// Reads a text and writes it again; a mark where it is none.
std::string again(std::string_view text) {
  const std::optional<Json> read = Json::read(text);
  return read ? read->written() : "none";
}

}  // namespace

TEST_CASE("JSON is read and written") {
  for (const char* same : {"null", "true", "false", "0", "-1", "1.5", "1e+300", "\"\"", "\"a\\\"b\\\\c\"", "[]", "{}",
                           "[1,[2,{}],\"x\"]", R"({"a":1,"b":{"c":[null]}})", "\"\\u0001\\u001f\"", "\"é𝕩\"", "9007199254740991"})
    CHECK(again(same) == same);
  CHECK(again(" { \"a\" : [ 1 , 2 ] }\n") == "{\"a\":[1,2]}");
  CHECK(again(R"("\u00e9\ud835\udd69\/\b\f\n\r\t")") == "\"é𝕩/\\u0008\\u000c\\n\\u000d\\u0009\"");
  CHECK(again(R"("\ud835x\udd69")") == "\"\xEF\xBF\xBDx\xEF\xBF\xBD\"");
  CHECK(again(R"("\ud835\u0041")") ==
        "\"\xEF\xBF\xBD"
        "A\"");
}

TEST_CASE("what is no JSON is not read") {
  for (const char* bad : {"",     " ",       "nul",       "tru",         "+1",         ".5",  "-",  "01x",  "\"",
                          "\"\\", "\"\\x\"", "\"\\u12\"", "\"\\u12G4\"", "\"\n\"",     "[",   "[1", "[1,]", "[1 2]",
                          "{",    "{1:2}",   "{\"a\"}",   "{\"a\":}",    "{\"a\":1,}", "1 1", "]",  "NaN",  "Infinity"})
    CHECK_MESSAGE(again(bad) == "none", bad);
  CHECK(again(std::string(200, '[') + std::string(200, ']')) != "none");
  CHECK(again(std::string(100'000, '[')) == "none");
  CHECK(again(std::string(300, '[') + std::string(300, ']')) == "none");
}

TEST_CASE("members and items are found") {
  const Json json = *Json::read(R"({"text":"x","list":[1,true],"none":null})");
  CHECK(json["text"].text() == "x");
  CHECK(json["list"].items().size() == 2);
  CHECK(json["list"].items()[1].is_true());
  CHECK(json["list"].items()[0].number() == 1);
  CHECK((json.has("none") && !json.has("other")));
  CHECK((json["none"].is_null() && json["other"].is_null() && json["text"]["deeper"].is_null()));
  CHECK(!json["text"].is_true());
  Json made = Json::object({{"a", 1}, {"b", "x"}, {"c", true}, {"d", Json::list({1.5, Json()})}});
  made.add("e", std::string("é"));
  CHECK(made.written() == "{\"a\":1,\"b\":\"x\",\"c\":true,\"d\":[1.5,null],\"e\":\"é\"}");
  CHECK(made == *Json::read(made.written()));
  CHECK(!(made == json));
}
