#include <doctest/doctest.h>

#include <string>

#include "runtime/api/griddle.hpp"

using griddle::Any;
using griddle::Interpreter;
using griddle::Result;

namespace {

const char* const samples[] = {"5",
                               "¯1.5",
                               "∞",
                               "'a'",
                               "@",
                               "\"\"",
                               "⟨⟩",
                               "\"abc\"",
                               "\"añ𝕩\"",
                               "0‿1‿1",
                               "200⥊1‿0‿0",
                               "↕300",
                               "1e5×↕9",
                               "3.5+↕9",
                               "2‿3⥊↕6",
                               "2‿0‿3⥊0",
                               "⟨1,\"ab\",⟨'c',2‿2⥊\"wxyz\"⟩⟩",
                               "<5",
                               "<⟨⟩",
                               "2‿2⥊⟨\"a\",1⟩",
                               "+´",
                               "+´÷≠",
                               "{a⇐1,bC⇐\"x\"}",
                               "⟨+,-⟩",
                               "⊑⟨¨⟩",
                               "⊑⟨⌾⟩",
                               "-⟜3",
                               "¯∞‿∞‿3"};

}  // namespace

TEST_CASE("values come back from bytes, in another interpreter too, with their fills") {
  Interpreter here, there;
  for (const char* code : samples) {
    CAPTURE(std::string(code));
    const Any value = *here.eval(code);
    const std::optional<std::string> bytes = value.serialise();
    REQUIRE(bytes);
    const Result back = there.deserialise(*bytes);
    REQUIRE_MESSAGE(back, back.failure().message);
    if (!value.is_namespace()) CHECK(back->format() == value.format());
    CHECK(back->kind() == value.kind());
    CHECK(back->element() == value.element());
    CHECK(back->serialise() == bytes);
    if (value.is_array() && value.rank() > 0) {
      const char* longer = "{(1+≠𝕩)↑𝕩}";
      const Result filled = there.eval(longer)(*back), expected = here.eval(longer)(value);
      CHECK(filled.ok() == expected.ok());
      if (filled) CHECK(filled->format() == expected->format());
    }
  }
  const Any space = *there.deserialise(*here.eval("{a⇐1,bC⇐\"x\"}")->serialise());
  CHECK(space.field("bC").text() == "x");
  CHECK(!here.eval("{𝕩}")->serialise());
}

TEST_CASE("damaged bytes are refused, and source text among them reaches nothing") {
  Interpreter bqn;
  CHECK(!bqn.deserialise(""));
  CHECK(!bqn.deserialise("griddle"));
  for (const char* code : samples) {
    const std::string bytes = *bqn.eval(code)->serialise();
    CHECK(!bqn.deserialise(bytes + "x"));
    for (std::size_t cut = 0; cut < bytes.size(); cut++) CHECK(!bqn.deserialise(bytes.substr(0, cut)));
    // Whatever else is wrong gives some value or a failure.
    for (std::size_t i = 0; i < bytes.size(); i++)
      for (const int change : {1, 0x80, 0xFF}) {
        std::string wrong = bytes;
        wrong[i] = static_cast<char>(wrong[i] ^ change);
        if (const Result r = bqn.deserialise(wrong)) CHECK(!r->format().empty());
      }
  }
  std::string bytes = *bqn.eval("+´")->serialise();
  const std::string evil = "•Exit 3";
  bytes.resize(9);
  const std::uint64_t length = evil.size();
  bytes.append(reinterpret_cast<const char*>(&length), sizeof length).append(evil);
  const Result refused = bqn.deserialise(bytes);
  REQUIRE(!refused);
  CHECK(refused.failure().cause == griddle::Failure::Cause::error);
  // Lengths that nothing stands behind take no memory.
  bytes = std::string("griddle\1\2\4\1\1", 12) + std::string("\0\0\0\0\0\0\0\1", 8);
  CHECK(!bqn.deserialise(bytes));
}
