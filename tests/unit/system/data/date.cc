#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

#include "tests/support/host.h"

using griddle::testing::Host;

TEST_CASE("dates are seconds, and seconds are dates") {
  Host run;
  CHECK(run("•date.Parse \"1970-01-01\"") == "0");
  CHECK(run("•date.Parse \"1970-01-01T00:00:01.5Z\"") == "1.5");
  CHECK(run("•date.Parse \"2024-02-29 23:59\"") == "1709251140");
  CHECK(run("•date.Parse \"1969-12-31T23:59:59\"") == "¯1");
  CHECK(run("•date.Parse \"2000-01-01T01:00:00+01:00\"") == "946684800");
  CHECK(run("•date.Parse \"2000-01-01T00:00:00-0930\"") == "946719000");
  CHECK(run("•date.Parse \"2000-01-01T00:00:00,25+01\"") == "946681200.25");
  CHECK(run("•date.Format 0") == "\"1970-01-01T00:00:00Z\"");
  CHECK(run("•date.Format 1709251140.25") == "\"2024-02-29T23:59:00.25Z\"");
  CHECK(run("•date.Format ¯0.5") == "\"1969-12-31T23:59:59.5Z\"");
  CHECK(run("•date.Format 59.9999999") == "\"1970-01-01T00:01:00Z\"");
  CHECK(run("330 •date.Format 0") == "\"1970-01-01T05:30:00+05:30\"");
  CHECK(run("¯90 •date.Format 0") == "\"1969-12-31T22:30:00-01:30\"");
  CHECK(run("•date.Format •date.Parse \"0001-01-01\"") == "\"0001-01-01T00:00:00Z\"");
  CHECK(run("•date.Format •date.Parse \"9999-12-31T23:59:59Z\"") == "\"9999-12-31T23:59:59Z\"");
  CHECK(run("•date.Fields 1709251140.25") == "⟨ 2024 2 29 23 59 0.25 ⟩");
  CHECK(run("•date.OfFields 2024‿2‿29") == "1709164800");
  CHECK(run("•date.Fields ¯1e¯20") == "⟨ 1970 1 1 0 0 0 ⟩");
}

TEST_CASE("each day of four hundred years follows the one before") {
  Host run;
  CHECK(run("f←•date.Fields¨86400×(↕146097)-60000 ⋄ ∧´(⊢≡•date.Fields∘•date.OfFields)¨f") == "1");
  CHECK(run("f←>•date.Fields¨86400×(↕146097)-60000 ⋄ +´(2=1⊏˘f)∧29=2⊏˘f") == "97");
  CHECK(run("f←>•date.Fields¨86400×(↕146097)-60000 ⋄ d←2⊏˘f ⋄ ∧´(1=1↓d)∨1=(1↓d)-¯1↓d") == "1");
  CHECK(run("f←>•date.Fields¨86400×(↕146097)-60000 ⋄ +´1=2⊏˘f") == "4800");
}

TEST_CASE("what is no date is refused") {
  Host run;
  for (const char* text : {"",
                           "2024",
                           "2024-1-01",
                           "2024-13-01",
                           "2023-02-29",
                           "1900-02-29",
                           "2024-00-10",
                           "2024-04-31",
                           "0000-01-01",
                           "2024-01-01T",
                           "2024-01-01T24:00",
                           "2024-01-01T1:00",
                           "2024-01-01T10",
                           "2024-01-01T10:60",
                           "2024-01-01T10:00:60",
                           "2024-01-01T10:00:00.",
                           "2024-01-01T10:00Zx",
                           "2024-01-01T10:00+1",
                           "2024-01-01T10:00+01:0",
                           "2024-01-01x"}) {
    CAPTURE(text);
    CHECK(run(std::string("•date.Parse \"") + text + "\"").starts_with("! •date.Parse: 𝕩 must be a date such as"));
  }
  CHECK(run("•date.Format ∞") == "! •date.Format: 𝕩 must lie in the years 1 to 9999 (got ∞)");
  CHECK(run("•date.Fields 1e15").starts_with("! •date.Fields: 𝕩 must lie"));
  CHECK(run("60 •date.Format •date.Parse \"9999-12-31T23:59:59Z\"").starts_with("! •date.Format: 𝕩 must lie"));
  CHECK(run("1440 •date.Format 0").starts_with("! •date.Format: 𝕨 must be a number of minutes"));
  CHECK(run("•date.OfFields 2023‿2‿29") == "! •date.OfFields: The day must be a number from 1 to 28 (got 29)");
  CHECK(run("•date.OfFields 2023‿2") ==
        "! •date.OfFields: 𝕩 must be year, month and day, and perhaps hour, minute and second (got 2 numbers)");
  CHECK(run("•date.OfFields 2023‿2‿1‿0‿0‿60") == "! •date.OfFields: The second must be from 0 up to 60 (got 60)");
}

TEST_CASE("the zone of the machine is known where the environment may be seen") {
  const char* const before = std::getenv("TZ");
  const std::string kept = before != nullptr ? before : "";
  setenv("TZ", "XST-5:30", 1);
  Host run;
  CHECK(run("•date.Offset 0") == "330");
  CHECK(run("(•date.Offset⊸•date.Format) 0") == "\"1970-01-01T05:30:00+05:30\"");
  griddle::Options options;
  options.capabilities = 0;
  Host safe{griddle::Interpreter(options)};
  CHECK(safe("•date.Offset 0") == "! •date.Offset: This is not permitted in safe mode");
  CHECK(safe("•date.Format 0") == "\"1970-01-01T00:00:00Z\"");
  before != nullptr ? setenv("TZ", kept.c_str(), 1) : unsetenv("TZ");
}

TEST_CASE("a zone on the left is minutes or a name, for each function") {
  Host run;
  CHECK(run("60•date.Parse \"1970-01-01\"") == "¯3600");
  CHECK(run("60•date.Parse \"1970-01-01T00:00Z\"") == "0");
  CHECK(run("\"UTC\"•date.Parse \"1970-01-01T00:00:01\"") == "1");
  CHECK(run("60•date.Fields 0") == "⟨ 1970 1 1 1 0 0 ⟩");
  CHECK(run("60•date.OfFields 1970‿1‿1") == "¯3600");
  CHECK(run("90•date.Offset 0") == "90");
  CHECK(run("\"UTC\"•date.Format 0") == "\"1970-01-01T00:00:00+00:00\"");
  CHECK(run("•date.Parse \"1970-01-01T00:00:00-00:00:30\"") == "30");
  CHECK(run("\"No/Zone\"•date.Format 0") == "! •date.Format: This machine has no time zone of this name (No/Zone)");
  CHECK(run("\"../../etc/passwd\"•date.Format 0").find("has no time zone of this name") != std::string::npos);
  griddle::Options options;
  options.capabilities = 0;
  Host safe{griddle::Interpreter(options)};
  CHECK(safe("\"Europe/Berlin\"•date.Format 0") == "! •date.Format: This is not permitted in safe mode");
  CHECK(safe("60•date.Format 0") == "\"1970-01-01T01:00:00+01:00\"");
}
