#include "runtime/system/data/json_reader.h"

#include <doctest/doctest.h>

#include "tests/support/called.h"

using griddle::testing::called;
using griddle::testing::Host;

TEST_CASE("names are told apart, whatever the object before had in their place") {
  Host run;
  const char* const names[] = {"",
                               "a",
                               "b",
                               "ab",
                               "abcdef",
                               "abcdefg",
                               "abcdefgh",
                               "abcdefgx",
                               "abcdefghi",
                               "xbcdefgh",
                               "abcdefghx",
                               "abcdefghij",
                               "abcdefghijklmno",
                               "abcdefghijklmnx",
                               "abcdefghijklmnop",
                               "a\\u0062",
                               "abcdefghijklm",
                               "abcdefghijklmn",
                               "abcdefghijklx",
                               "abcdefghijklmx",
                               "é",
                               "abcdefgé"};
  std::string text = "[", wanted;
  for (const char* const first : names) {
    for (const char* const second : names) {
      text += std::string(text.size() > 1 ? "," : "") + "{\"" + first + "\":1,\"" + second + "\" : 2}";
      // Alone, nothing is expected.
      wanted += std::string(wanted.empty() ? "" : ",") + "{\"" + first + "\":1,\"" + second + "\":2}";
    }
  }
  const auto decoded = [](std::string s) {
    for (std::size_t at; (at = s.find("\\u0062")) != s.npos;) s.replace(at, 6, "b");
    return s;
  };
  CHECK(called(run, "•json.Format•json.Parse", text + "]") == called(run, "⊢", decoded("[" + wanted + "]")));
}

TEST_CASE("members go on behind nested values, however they are spaced") {
  Host run;
  const std::string tight = R"({"a":{"b":[1,{"c":2}],"d":"x"},"e":[],"f":{},"g":null,"h":-1.5})";
  CHECK(called(run, "•json.Format•json.Parse", tight) == called(run, "⊢", tight));
  for (const char* const blanks : {" ", "  ", "\n", "\t\r\n", "          "}) {
    std::string spaced;
    for (const char c : tight) {
      const bool is_mark = std::string_view("{}[]:,").find(c) != std::string_view::npos;
      spaced += is_mark ? blanks + std::string(1, c) + blanks : std::string(1, c);
    }
    // Twice, so that names are expected.
    CHECK(called(run, "•json.Format•json.Parse", "[" + tight + "," + spaced + "," + spaced + "]") ==
          called(run, "⊢", "[" + tight + "," + tight + "," + tight + "]"));
  }
  const auto error = [&](std::string_view text) { return called(run, "•json.Parse", text); };
  CHECK(error("[{\"a\":1,\"b\":2},{\"a\":1,\"b\":2").find("Expected a comma or }") != std::string::npos);
  CHECK(error("[{\"a\":1,\"b\":2},{\"a\":1,\"b\"2}]").find("Expected a colon after a name, but got 2 (row 1, column 26)") !=
        std::string::npos);
  CHECK(error("[{\"a\":1},{\"a\":}]").find("Expected a value, but got }") != std::string::npos);
  CHECK(error("[{\"a\":1},{\"a\":1,}]").find("Expected a name in quotes, but got }") != std::string::npos);
}

TEST_CASE("short texts that come again are themselves, in ASCII or not") {
  Host run;
  // The last three are as long in bytes, and two begin and end alike.
  const std::string text = R"(["Zürich","Zürich","Zurich","é","é","ab","éa","aé","€","€xxxxxxxxxxxx€","€xxxxxyxxxxxx€"])";
  const std::string twice = "[" + text + "," + text + "]";
  CHECK(called(run, "•json.Format•json.Parse", twice) == called(run, "⊢", twice));
  CHECK(called(run, "{≠¨•json.Parse 𝕩}", text) == "⟨ 6 6 6 1 1 2 2 2 1 14 14 ⟩");
}

TEST_CASE("values have the forms that programs expect") {
  Host run;
  const auto parse = [&](std::string_view text) { return called(run, "•json.Parse", text); };
  CHECK(parse(" 12 ") == "12");
  CHECK(parse("-1.5e3") == "¯1500");
  CHECK(called(run, "{•Repr•json.Parse 𝕩}", "[true,false,null]") == "\"⟨1,0,(<\"\"null\"\")⟩\"");
  CHECK(parse("\"a\"") == "\"a\"");
  CHECK(parse("[1, [2], \"x\", []]") == "⟨ 1 ⟨ 2 ⟩ \"x\" ⟨⟩ ⟩");
  CHECK(called(run, "≢•json.Parse", "{}") == "⟨ 2 0 ⟩");
  CHECK(called(run, "≢•json.Parse", "{\"a\":1,\"b\":[2],\"a\":3}") == "⟨ 2 3 ⟩");
  CHECK(called(run, "⊏•json.Parse", "{\"a\":1,\"\":[2]}") == "⟨ \"a\" ⟨⟩ ⟩");
  CHECK(called(run, "1⊏•json.Parse", "{\"a\":1,\"b\":[2]}") == "⟨ 1 ⟨ 2 ⟩ ⟩");
}

TEST_CASE("lists of numbers have the narrowest type") {
  Host run;
  const auto type = [&](std::string_view text) { return called(run, "•internal.Type•json.Parse", text); };
  CHECK(type("[0,1,1]") == "\"bitarr\"");
  CHECK(type("[0,100]") == "\"i8arr\"");
  CHECK(type("[0,1000]") == "\"i16arr\"");
  CHECK(type("[0,100000]") == "\"i32arr\"");
  CHECK(type("[0,0.5]") == "\"f64arr\"");
  CHECK(type("[true,0]") == "\"bitarr\"");
}

TEST_CASE("strings of every length hold every kind of character") {
  Host run;
  for (std::size_t length = 0; length < 40; length++) {
    const std::string plain(length, 'x');
    CAPTURE(length);
    CHECK(called(run, "≠•json.Parse", '"' + plain + '"') == std::to_string(length));
    CHECK(called(run, "≠•json.Parse", '"' + plain + "é\"") == std::to_string(length + 1));
    CHECK(called(run, "≠•json.Parse", '"' + plain + "\\n\"") == std::to_string(length + 1));
    CHECK(called(run, "•json.Parse", '"' + plain + "\x1F\"").find("may not hold character @+31") != std::string::npos);
    CHECK(called(run, "•json.Parse", '"' + plain).find("This string does not end (row 1, column 1)") != std::string::npos);
  }
  CHECK(called(run, "@-˜•json.Parse", "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u20aC\"") == "⟨ 34 92 47 8 12 10 13 9 8364 ⟩");
  CHECK(called(run, "@-˜•json.Parse", "\"é€😀\\u00e9\\ud83d\\ude00\"") == "⟨ 233 8364 128512 233 128512 ⟩");
  // Halves of a pair without the other stay.
  CHECK(called(run, "@-˜•json.Parse", "\"\\ud83d\\n\\ude00\\ud83d\\ud83d\\ude00\"") == "⟨ 55357 10 56832 55357 128512 ⟩");
}

TEST_CASE("what is wrong is told with its place") {
  Host run;
  const auto message = [&](std::string_view text) { return called(run, "•json.Parse", text).substr(2); };
  CHECK(message("") == "•json.Parse: Expected a value, but got the end of the text (row 1, column 1)");
  CHECK(message("[1,2") == "•json.Parse: Expected a comma or ], but got the end of the text (row 1, column 5)");
  CHECK(message("[1 2]") == "•json.Parse: Expected a comma or ], but got 2 (row 1, column 4)");
  CHECK(message("[1,]") == "•json.Parse: Expected a value, but got ] (row 1, column 4)");
  CHECK(message("[01]") == "•json.Parse: This is no number as JSON has it (row 1, column 2)");
  CHECK(message("[1,-]") == "•json.Parse: This is no number as JSON has it (row 1, column 4)");
  CHECK(message("[tru]") == "•json.Parse: Expected a value, but got t (row 1, column 2)");
  CHECK(message("{\"a\"}") == "•json.Parse: Expected a colon after a name, but got } (row 1, column 5)");
  CHECK(message("{\"a\":1,}") == "•json.Parse: Expected a name in quotes, but got } (row 1, column 8)");
  CHECK(message("{1:2}") == "•json.Parse: Expected a name in quotes, but got 1 (row 1, column 2)");
  CHECK(message("{\"a\":1]") == "•json.Parse: Expected a comma or }, but got ] (row 1, column 7)");
  CHECK(message("[1}") == "•json.Parse: Expected a comma or ], but got } (row 1, column 3)");
  CHECK(message("1 2") == "•json.Parse: Expected the end of the text, but got 2 (row 1, column 3)");
  CHECK(message("\"\\x\"") == "•json.Parse: There is no such escape sequence (row 1, column 2)");
  CHECK(message("\"\\u12g4\"") == "•json.Parse: \\u needs four hexadecimal digits (row 1, column 2)");
  CHECK(message("\"\\u12") == "•json.Parse: \\u needs four hexadecimal digits (row 1, column 2)");
  CHECK(message("\"\\") == "•json.Parse: This escape sequence does not end (row 1, column 2)");
}

TEST_CASE("brackets may be nested as deep as memory allows") {
  Host run;
  constexpr std::size_t deep = 200'000;
  const std::string open(deep, '['), close(deep, ']');
  CHECK(called(run, "≢•json.Parse", open + close) == "⟨ 1 ⟩");
  CHECK(called(run, "•json.Parse", open) ==
        "! •json.Parse: Expected a value, but got the end of the text (row 1, column " + std::to_string(deep + 1) + ")");
  griddle::Options options;
  options.memory_limit = std::size_t{16} << 20;
  Host narrow{griddle::Interpreter(options)};
  CHECK(called(narrow, "•json.Parse", std::string(std::size_t{2} << 20, '[')).find("memory") != std::string::npos);
}

TEST_CASE("large integers are rounded, kept as text, or refused") {
  Host run;
  CHECK(called(run, "•json.Parse", "[1,9007199254740993]") == "⟨ 1 9.007199254740992e15 ⟩");
  CHECK(called(run, "{large⇐\"text\"}⊸•json.Parse", "[1,9007199254740993,2]") == "⟨ 1 \"9007199254740993\" 2 ⟩");
  CHECK(called(run, "{large⇐\"error\"}⊸•json.Parse", "[1,9007199254740993]") ==
        "! •json.Parse: This integer is beyond 2⋆53 (row 1, column 4)");
}

TEST_CASE("lines are values of their own") {
  Host run;
  CHECK(called(run, "•json.ParseLines", "1\n[2]\r\n\n\"x\"") == "⟨ 1 ⟨ 2 ⟩ \"x\" ⟩");
  CHECK(called(run, "•json.ParseLines", " \n") == "⟨⟩");
  CHECK(called(run, "•json.ParseLines", "1\n2 3\n") ==
        "! •json.ParseLines: Expected the end of the line, but got 3 (row 2, column 3)");
}

TEST_CASE("strings with escapes that come again are read as the first time, whatever their length") {
  Host run;
  const char* const spelled[] = {R"(\n)",
                                 R"(\u000a)",
                                 R"(n)",
                                 R"(Z\u00fcrich)",
                                 R"(Z\u00fcrjch)",
                                 R"(\\)",
                                 R"(\")",
                                 R"(\\\")",
                                 R"(abcdefghijklmn\n)",
                                 R"(abcdefghijklmno\n)",
                                 R"(abcdefghijklm\nx)",
                                 R"(abcdefghijklmx\n)"};
  // Long ones are not kept.
  const std::string before(17, 'x');
  std::string kept, long_ones;
  for (const std::string first : spelled)
    for (const std::string second : spelled)
      for (const std::string& s : {first, second}) {
        kept += (kept.empty() ? "\"" : ",\"") + s + '"';
        long_ones += (long_ones.empty() ? "\"" : ",\"") + before + s + '"';
      }
  CHECK(called(run, "{a‿b←•json.Parse𝕩⋄a≡17⊸↓¨b}", "[[" + kept + "],[" + long_ones + "]]") == "1");
}

TEST_CASE("what is wrong with a string with escapes is said where it is") {
  Host run;
  const auto says = [&](const char* text, const char* where) {
    return called(run, "•json.Parse", text).find(where) != std::string::npos;
  };
  CHECK(says(R"(["a\n","a\n\q"])", "row 1, column 12"));
  CHECK(says(R"(["a\n)", "row 1, column 2"));
  CHECK(says(R"(["a\)", "row 1, column 4"));
}

TEST_CASE("names are expected by the depth of an object, and may differ anywhere") {
  Host run;
  // Objects of every number of members up to more than are expected, each twice; one differs at each place.
  for (int members : {1, 2, 14, 15, 16, 17, 63, 64, 65, 80}) {
    const auto object = [&](int other) {
      std::string text = "{";
      for (int i = 0; i < members; i++)
        text += (i ? ", \"" : "\"") + std::string(i == other ? "other" : "name") + std::to_string(i) + "\": " + std::to_string(i);
      return text + "}";
    };
    for (int other = 0; other<members; other += members> 20 ? 7 : 1)
      CHECK(called(run, "{o←•json.Parse 𝕩 ⋄ n←⊑⌽≢⊑o ⋄ ⟨\"name\"⊸∾∘•Fmt¨↕n,↕n⟩≡<˘⊑o}",
                   "[" + object(-1) + "," + object(other) + "," + object(-1) + "]") == "1");
    CHECK(called(run, "{(⊣´≡⊢´)0‿2⊏•json.Parse 𝕩}", "[" + object(-1) + "," + object(members / 2) + "," + object(-1) + "]") ==
          "1");
  }
  // Each depth has its own names, as far as depths are told apart.
  std::string nested = "1";
  for (int depth = 12; depth-- > 0;) {
    nested = "{\"d" + std::to_string(depth) + "\": " + nested + ", \"after\": " + std::to_string(depth) + "}";
    CHECK(called(run, "{a‿b←•json.Parse 𝕩 ⋄ (a≡b)∧\"after\"≡1⊑⊏a}", "[" + nested + "," + nested + "]") == "1");
  }
  CHECK(called(run, "{⊑⊏⊑⌽⥊1⊏⊑•json.Parse 𝕩}", R"([{"a":1,"b":{"c":2}},{"a":1,"b":{"c":2}}])") == "\"c\"");
}

TEST_CASE("strings of a member are themselves where none of them comes again, and where they begin to") {
  Host run;
  std::string text;
  for (int i = 0; i < 1200; i++) {
    const int kind = i < 300 ? i : i < 600 ? 7 : i % 5 ? i : 3;
    text += (i ? "," : "[") + std::string("{\"a\":\"t") + std::to_string(kind) + "\"}";
  }
  CHECK(called(run, "{k←(↕300)∾(300⥊7)∾{0=5|𝕩?3;𝕩}¨600+↕600 ⋄ (\"t\"⊸∾∘•Fmt¨k)≡(⊑1⊸⊏)¨•json.Parse 𝕩}", text + "]") == "1");
}
